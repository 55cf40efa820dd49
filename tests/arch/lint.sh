#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lint.sh SRCDIR: no shell script has a warning of shellcheck, where that is there. It
# takes as long as twenty tests, and its answer depends on the text alone: `make lint` and
# CI run it, `make check` does not.
cd "${1:-${top_srcdir:-.}}" || exit 1
command -v shellcheck >/dev/null 2>&1 || { echo "SKIP: no shellcheck"; exit 77; }
for script in quickstart weir-cc.in sim/*.sh tests/*.sh tests/*/*.sh examples/*.sh docs/*/*.sh \
    debian/tests/*; do
    # A tarball lacks some of them.
    test ! -f "$script" || test "$script" = debian/tests/control || echo "$script"
done | xargs -n 8 -P "$(nproc)" shellcheck -S warning -s sh -e SC1090,SC1091,SC2034,SC2154
