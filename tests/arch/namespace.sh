#!/bin/sh
# SPDX-License-Identifier: MIT
#
# namespace.sh: a static library has no visibility control, so a global's prefix is
# its visibility. libweir.a defines weir_*, weiri_*, and the compiler's hooks.
. "${top_srcdir:-.}/tests/arch/lib.sh"

library=$top_builddir/libweir.a
test -f "$library" || skip "no $library"

# What the compiler's own instrumentation of the host code adds.
added='^(__odr_asan|___asan|__asan|__gcov|__llvm)'

$NM -g --defined-only "$library" 2>/dev/null | awk 'NF == 3 { print $3 }' | LC_ALL=C sort -u \
    >"$scratch/globals"
test -s "$scratch/globals" || bad "$NM sees no globals in $library"
hooks='__tsan_|__sanitizer_cov_trace_|__wrap_(mem|__mem)'
grep -Ev "^(weir_|weiri_|$hooks)|$added" "$scratch/globals" >"$scratch/strangers"
while read -r name; do
    bad "libweir.a defines $name"
done <"$scratch/strangers"
grep -q '^weir_launch_sized$' "$scratch/globals" || bad "libweir.a lacks weir_launch_sized"
test "$failures" -gt 0 || good "$(wc -l <"$scratch/globals") globals, all of weir's own prefixes"
finish
