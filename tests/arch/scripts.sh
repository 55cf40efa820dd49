#!/bin/sh
# SPDX-License-Identifier: MIT
#
# scripts.sh: every shell script parses, in the shell that runs it and, where it is
# there, under shellcheck.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# In a source tree; what a tarball leaves out is not asked for.
cd "$top_srcdir" || exit 99
for script in quickstart weir-cc.in tests/*.sh tests/arch/*.sh tests/cli/*.sh tests/fixes/*.sh \
    tests/mutants/*.sh tests/browser/*.sh examples/*.sh debian/tests/*; do
    test -f "$script" && test "$script" != debian/tests/control || continue
    sh -n "$script" || bad "$script does not parse"
    if command -v shellcheck >/dev/null 2>&1; then
        shellcheck -S warning -s sh -e SC1090,SC1091,SC2034,SC2154 "$script" || bad "$script: shellcheck"
    fi
done
if test -f .ci/run && command -v bash >/dev/null 2>&1; then
    bash -n .ci/run || bad ".ci/run does not parse"
fi
test "$failures" -gt 0 || good "scripts parse"
finish
