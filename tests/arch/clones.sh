#!/bin/sh
# SPDX-License-Identifier: MIT
#
# clones.sh: where configure finds that the compiler can, the fast entry of a built-in
# kernel exists twice, with AVX2 and without, and only the first uses 256-bit registers.
. "${top_srcdir:-.}/tests/arch/lib.sh"

grep -q 'KERNEL_CLONES_TRUE"]=""' "${top_builddir:?}/config.status" \
    || skip "this build has each entry once"
command -v objdump >/dev/null || skip "no objdump"
case " $CFLAGS " in *" -O"[01g]* | *" -march="* | *" -mavx"*) skip "CFLAGS are '$CFLAGS'" ;; esac

# wide FORM: how many instructions of that form of the entry use 256-bit registers.
wide()
{
    objdump -d --no-show-raw-insn "$top_builddir/weir" | awk -v form="$1" '
        /^[0-9a-f]+ </ { here = index($2, "<reduce_tree_hierarchical__fast." form) == 1 }
        here && /%ymm/ { n++ }
        END { print n + 0 }'
}

avx2=$(wide avx2) default=$(wide default)
if test "$avx2" -ge 4; then
    good "the AVX2 form has $avx2 wide instructions"
else
    bad "the AVX2 form has $avx2 wide instructions, at least 4 expected"
fi
if test "$default" -eq 0; then
    good "the default form has none"
else
    bad "the default form has $default wide instructions: it fails on older processors"
fi
finish
