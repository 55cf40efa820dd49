/* SPDX-License-Identifier: MIT */
#include <host_defines.h>
