#!/bin/sh
# SPDX-License-Identifier: MIT
#
# barriers.sh: programs that lack a barrier, or have one with the wrong flags or of the
# sub-group only: the fix is a barrier, and no atomic that would hide the report.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/fixes/lib.sh"
. "$top_srcdir/tests/cli/builds.sh"

right 'tree.c scan.c transpose.c sort.c'

# Each of these lines is in the round of the tree, or ends it.
round='^    for|^        if|part\[l\] \+=|^        }'
wrong tree-filled tree.c '/filled/s/.*//' insert-barrier 'part\[l\] = args|^$|^    for'
wrong tree-round tree.c '/round/s/.*//' insert-barrier "$round|^\$"
wrong tree-neither tree.c '/filled/s/.*//; /round/s/.*//' insert-barrier "$round"
wrong tree-flag tree.c '/round/s/LOCAL/GLOBAL/' widen-barrier round
wrong tree-no-flag tree.c '/filled/s/WEIR_LOCAL/0/' widen-barrier filled
wrong tree-sub-group tree.c '/round/s/weir_barrier(item, WEIR_LOCAL)/weir_sub_group_barrier(item)/' \
    insert-barrier "$round|round"
becomes 'weir_barrier(item, WEIR_LOCAL);'
wrong scan-round scan.c '/round/s/.*//' insert-barrier 'left =|a\[LOCAL|do|from =|distance \*='
# After the first candidate the others share one program: three builds, and not one for
# each of four candidates. The first line is that of the program itself.
counted
make_wrong scan-builds scan.c '/round/s/.*//'
uncounted
compiled 4
wrong scan-flag scan.c '/round/s/LOCAL/GLOBAL/' widen-barrier round
# A program that returns 0 for any answer.
make_wrong tree-unjudged tree.c '/filled/s/.*//; s/return sums.*/return 0;/'
judged no
wrong transpose transpose.c '/filled/s/.*/#ifndef TILE/; /args->out/s/$/\n#endif/' insert-barrier 'tile\['
# A kernel that knows sub-groups, whose items exchange values in one: its barrier.
wrong transpose-sub-group transpose.c '/filled/s/.*/(void)weir_sub_group_size(item);/' \
    insert-barrier 'tile\[|sub_group_size'
becomes 'weir_sub_group_barrier(item);'
wrong transpose-flag transpose.c '/filled/s/LOCAL/GLOBAL/' widen-barrier filled
wrong sort-round sort.c '/round \*/s/.*//' insert-barrier 'compare\(args'
wrong sort-without-braces sort.c '/for (size_t k/s/ {//; /rounds* \*/s/.*//' insert-barrier \
    'compare\(args|for \(size_t k'
wrong sort-flag sort.c '/round \*/s/GLOBAL/LOCAL/' widen-barrier round
finish
