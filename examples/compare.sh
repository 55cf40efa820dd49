#!/bin/sh
# SPDX-License-Identifier: MIT
#
# compare.sh FILE.out: runs the example of that name and compares what it prints.
expected=$1
name=$(basename "$expected" .out)
"${top_builddir:-.}/examples/$name" | diff -u "$expected" - || exit 1
echo "$name prints what $name.out says"
