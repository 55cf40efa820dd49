#!/bin/sh
# SPDX-License-Identifier: MIT
#
# barriers.sh: programs that lack a barrier, or have one with the wrong flags or of the
# sub-group only: the fix is a barrier, and no atomic that would hide the report.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/fixes/lib.sh"
# After the first candidate the others share one program: three builds, and not one for
# each of four candidates. The first line is that of the program itself.
printf '#!/bin/sh\necho "$*" >>"%s"\nexec %s "$@"\n' "$scratch/calls" "${CC:-cc}" \
    >"$scratch/counted"
chmod +x "$scratch/counted"
before=${CC:-cc}
CC=$scratch/counted
export CC
make_wrong scan-builds scan.c '/round/s/.*//'
CC=$before
n=$(grep -e ' -c ' "$scratch/calls" | grep -cv -e ' -E')
test "$n" -eq 4 || bad "the compiler ran $n times, not 4"
finish
