#!/bin/sh
# SPDX-License-Identifier: MIT
#
# memory.sh: plain changes of words that items share, memory that is too small or that
# nothing has written, an index that goes too far; and programs that no change of a word
# repairs, for which nothing is offered.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/fixes/lib.sh"
. "$top_srcdir/tests/cli/builds.sh"

right 'count.c extremes.c members.c smooth.c stencil.c'

# Plain changes: x++, ++x, x += v, x = x + v, *p -= v, x |= v; of local and global memory.
local='/fetch_add_explicit(&h/{N;s/.*/'
wrong hist-increment hist.c "${local}h[bin]++;\\n/;}" make-atomic 'h\[bin\]'
wrong hist-plus hist.c "${local}h[bin] += 1;\\n/;}" make-atomic 'h\[bin\]'
wrong hist-sum hist.c "${local}h[bin] = h[bin] + 1;\\n/;}" make-atomic 'h\[bin\]'
# What the reason of the finding says is tried first: a build of the program, and one with
# the fix, whose text has been tried.
counted
wrong hist-global hist.c '/fetch_add_explicit(&args/{N;s/.*/args->bins[l] += h[l];\n/;}' \
    make-atomic 'args->bins\[l\]'
compiled 2
wrong hist-scope hist.c 's/scope_device/scope_work_group/' widen-scope 'args->bins'
compiled 2
uncounted
wrong count-increment count.c '/fetch_add/{N;s/.*/(*args->n)++;\n/;}' make-atomic 'args->n'
wrong count-before count.c '/fetch_add/{N;s/.*/++*args->n;\n/;}' make-atomic 'args->n'
wrong count-minus count.c '/fetch_sub/s/.*/*left -= i;/' make-atomic 'left -='
wrong count-or count.c '/fetch_or/{N;s/.*/*args->seen |= 1u << i;\n/;}' make-atomic 'seen \|='
wrong count-sum count.c '/fetch_add/{N;s/.*/*args->n = *args->n + 1;\n/;}' make-atomic 'args->n'

# The same in an expression, and by a second statement; the value orders what follows.
ticket='/uint32_t before/{N;s/=.*/'
wrong ticket-after ticket.c "${ticket}= (*args->ticket)++;\\n/;}" make-atomic 'args->ticket'
wrong ticket-element ticket.c "${ticket}= args->ticket[0]++;\\n/;}" make-atomic 'ticket\[0\]'
wrong ticket-before ticket.c "${ticket}= ++*args->ticket - 1;\\n/;}" make-atomic 'args->ticket'
wrong ticket-branch ticket.c "/uint32_t before/{N;s/.*/\\n/;};/(before ==/s/before/(*args->ticket)++/" \
    make-atomic 'args->ticket'
wrong ticket-two ticket.c "${ticket}= *args->ticket;\\n    *args->ticket = before + 1;/;}" \
    make-atomic 'before ='

# An atomic load and an atomic store are not a read-modify-write.
lock='/while (!weir_atomic/{N;N;N;N;s/.*/'
load='weir_atomic_load_explicit(args->lock, memory_order_acquire, memory_scope_device)'
store='weir_atomic_store_explicit(args->lock, 1, memory_order_relaxed, memory_scope_device);'
wrong lock-loaded lock.c "${lock}while ($load != 0) {\\n    }\\n    $store\\n\\n/;}" make-atomic while

# The larger and the smaller of two.
most='/fetch_max_explicit(&h/{N;s/.*/'
wrong most-if extremes.c "${most}    if (v > highest[0]) highest[0] = v;\\n/;}" make-atomic 'highest'
wrong most-block extremes.c "${most}    if (highest[0] < v) {\\n        highest[0] = v; }/;}" \
    make-atomic 'highest'
wrong most-choice extremes.c "${most}highest[0] = highest[0] > v ? highest[0] : v;\\n/;}" \
    make-atomic 'highest'
wrong most-macro extremes.c "1a #define MAX(a, b) ((a) > (b) ? (a) : (b))
${most}highest[0] = MAX(highest[0], v);\\n/;}" make-atomic 'highest'
wrong least-if extremes.c \
    '/fetch_min/{N;s/.*/    if (args->least[0] > v) args->least[0] = v;\n/;}' make-atomic 'least'
wrong least-choice extremes.c \
    '/fetch_min/{N;s/.*/args->least[0] = v < args->least[0] ? v : args->least[0];\n/;}' \
    make-atomic 'least'

# Memory that is too small, an index too far, memory that the host does not set.
wrong tree-small tree.c '/local_array/s/LOCAL)/LOCAL - 1)/' enlarge local_array
wrong tree-literal tree.c '/local_array/s/LOCAL)/63)/' enlarge local_array
wrong tree-sums tree.c 's/GROUPS, "sums"/GROUPS - 1, "sums"/' enlarge '"sums"'
wrong stencil-tile stencil.c '/local_array/s/LOCAL + 2/LOCAL/' enlarge local_array
wrong stencil-in stencil.c 's/N + 2, "in"/N + 1, "in"/' enlarge '"in"'
# A change of the index is tried as well, and does not repair it.
wrong smooth-in smooth.c 's/N, "in"/N - 9, "in"/' enlarge '"in"'
wrong hist-too-far hist.c '0,/l < BINS/s/l < BINS/l <= BINS/' guard-index 'l <= BINS'
wrong stencil-too-far stencil.c 's/k < LOCAL/k <= LOCAL/' guard-index 'k <= LOCAL'
wrong sort-too-far sort.c 's/l + 1 < LOCAL/l + 1 <= LOCAL/' guard-index 'l \+ 1 <= LOCAL'
wrong smooth-loads smooth.c '0,/if (i < args->n) {/s/if.*/{/' guard-index 'tile\[l\] = args'
cd "$scratch/smooth-loads" || exit 99
weir check --no-fixes --runs 12 -- ./program # other runs show other items first
says '^out-of-bounds read .*: in\[127\] of 100 elements$'
wrong smooth-neither smooth.c 's/if (i < args->n) {/{/' guard-index 'tile\[l\] = args'
wrong smooth-left smooth.c 's/ i > 0 ? args->in\[i - 1\] : 0;/ args->in[i - 1];/' guard-index 'left ='
wrong hist-not-set hist.c '/memset/s/.*//' zero-before-launch '"bins"'
wrong count-not-set count.c '/[*]n = 0;/s/.*//' zero-before-launch '"n"'

# Nothing repairs these: an index, memory that is not the item's, a group
# that is not waited for.
hopeless shared-index transpose.c '/args->out\[/s/ + y)/ + y \/ 2)/'
hopeless other-index tree.c 's/l + stride\]/l + stride + 1]/'
hopeless below scan.c 's/l >= distance/l + 1 >= distance/'
hopeless in-place scan.c 's/a\[LOCAL - from + l\]/a[from + l]/'
hopeless not-written tree.c '/part\[l\] = args/s/.*//'
hopeless not-waited message.c '/while (/{N;N;s/while.*/\n\n/;}'
hopeless never-sent message.c '/atomic_store/{N;s/.*/\n/;}'
hopeless narrow turn.c 's/ != g)/ % 2 != g)/'
hopeless algorithm tree.c \
    '/part\[l\] +=/s/+= .*/= part[l + stride]; weir_assert(item, part[l] != 127);/'
# A loop that goes one too far reads what nothing has written: its bound is wrong, and not
# the memory.
wrong members-bound members.c 's/i < LOCAL/i <= LOCAL/' guard-index 'i <= LOCAL'

# Members are memory locations of their own, but for neighbouring bit-fields.
hopeless members-bits members.c 's/uint8_t even, odd/uint32_t even : 8, odd : 8/'
grep -q '"why" : "the bit-fields .* are one memory location' found.json \
    || bad 'the bit-fields are not named'
finish
