#!/bin/sh
# SPDX-License-Identifier: MIT
#
# harness.sh: the rules that pages are judged by find what they are for, and nothing
# in the nearest page without the fault.
. "${top_srcdir:-.}/tests/browser/lib.sh"

in_browser harness.py "$scratch"
finish
