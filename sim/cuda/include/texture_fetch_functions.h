/* SPDX-License-Identifier: MIT */
#error                                                                                 \
    "weir: textures are not supported: read linear memory by a pointer in their place"
