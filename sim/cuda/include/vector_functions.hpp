/* SPDX-License-Identifier: MIT */
#include <vector_functions.h>
