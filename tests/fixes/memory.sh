#!/bin/sh
# SPDX-License-Identifier: MIT
#
# memory.sh: plain changes of words that items share, memory that is too small or that
# nothing has written, an index that goes too far; and programs that no change of a word
# repairs, for which nothing is offered.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/fixes/lib.sh"

right 'count.c stencil.c'

# Plain changes: x++, ++x, x += v, x = x + v, *p -= v, x |= v; of local and global memory.
local='/fetch_add_explicit(&h/{N;s/.*/'
wrong hist-increment hist.c "${local}h[bin]++;\\n/;}" make-atomic 'h\[bin\]'
wrong hist-plus hist.c "${local}h[bin] += 1;\\n/;}" make-atomic 'h\[bin\]'
wrong hist-sum hist.c "${local}h[bin] = h[bin] + 1;\\n/;}" make-atomic 'h\[bin\]'
wrong hist-global hist.c '/fetch_add_explicit(&args/{N;s/.*/args->bins[l] += h[l];\n/;}' \
    make-atomic 'args->bins\[l\]'
wrong hist-scope hist.c 's/scope_device/scope_work_group/' widen-scope 'args->bins'
wrong count-increment count.c '/fetch_add/{N;s/.*/(*args->n)++;\n/;}' make-atomic 'args->n'
wrong count-before count.c '/fetch_add/{N;s/.*/++*args->n;\n/;}' make-atomic 'args->n'
wrong count-minus count.c '/fetch_sub/s/.*/*left -= i;/' make-atomic 'left -='
wrong count-or count.c '/fetch_or/{N;s/.*/*args->seen |= 1u << i;\n/;}' make-atomic 'seen \|='
wrong count-sum count.c '/fetch_add/{N;s/.*/*args->n = *args->n + 1;\n/;}' make-atomic 'args->n'

# Memory that is too small, an index too far, memory that the host does not set.
wrong tree-small tree.c '/local_array/s/LOCAL)/LOCAL - 1)/' enlarge local_array
wrong tree-literal tree.c '/local_array/s/LOCAL)/63)/' enlarge local_array
wrong tree-sums tree.c 's/GROUPS, "sums"/GROUPS - 1, "sums"/' enlarge '"sums"'
wrong stencil-tile stencil.c '/local_array/s/LOCAL + 2/LOCAL/' enlarge local_array
wrong stencil-in stencil.c 's/N + 2, "in"/N + 1, "in"/' enlarge '"in"'
wrong hist-too-far hist.c '0,/l < BINS/s/l < BINS/l <= BINS/' guard-index 'l <= BINS'
wrong stencil-too-far stencil.c 's/k < LOCAL/k <= LOCAL/' guard-index 'k <= LOCAL'
wrong sort-too-far sort.c 's/l + 1 < LOCAL/l + 1 <= LOCAL/' guard-index 'l \+ 1 <= LOCAL'
wrong hist-not-set hist.c '/memset/s/.*//' zero-before-launch '"bins"'
wrong count-not-set count.c '/[*]n = 0;/s/.*//' zero-before-launch '"n"'

# Nothing repairs these: divergence, an index, memory that is not the item's, a value
# that is used, a group that is not waited for.
hopeless diverged tree.c '/filled/s/weir/if (l < 8) weir/'
hopeless returns tree.c '/filled/s/weir/if (l == 5) return; weir/'
hopeless shared-index transpose.c '/args->out\[/s/ + y)/ + y \/ 2)/'
hopeless other-index tree.c 's/l + stride\]/l + stride + 1]/'
hopeless below scan.c 's/l >= distance/l + 1 >= distance/'
hopeless in-place scan.c 's/a\[LOCAL - from + l\]/a[from + l]/'
hopeless not-written tree.c '/part\[l\] = args/s/.*//'
hopeless ticket-used ticket.c '/uint32_t before/{N;s/=.*/= (*args->ticket)++;\n/;}'
hopeless not-waited message.c '/while (/{N;N;s/while.*/\n\n/;}'
hopeless never-sent message.c '/atomic_store/{N;s/.*/\n/;}'
hopeless narrow turn.c 's/ != g)/ % 2 != g)/'
hopeless algorithm tree.c \
    '/part\[l\] +=/s/+= .*/= part[l + stride]; weir_assert(item, part[l] != 127);/'
finish
