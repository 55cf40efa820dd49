#!/bin/sh
# SPDX-License-Identifier: MIT
#
# archive.sh AR OBJCOPY FLAGS ARCHIVE OBJECT...: makes an archive whose code is in the
# section weiri_text. libc-wrap.h tells calls by Weir from those by a kernel by it.
set -e
ar=$1
objcopy=$2
archive=$4
shift 2
"$ar" "$@"
"$objcopy" --rename-section .text=weiri_text --rename-section .text.unlikely=weiri_text \
    --rename-section .text.hot=weiri_text "$archive"
