/* SPDX-License-Identifier: MIT */
#error                                                                                 \
    "weir: surfaces are not supported: access linear memory by a pointer in their place"
