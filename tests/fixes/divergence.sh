#!/bin/sh
# SPDX-License-Identifier: MIT
#
# divergence.sh: programs of which some items of a group miss a barrier or a collective.
# The fix moves it out of the branch that they do not take, or has the items stay that
# return; never is there a barrier in a branch after it.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/fixes/lib.sh"

right 'tree.c smooth.c'

# Barriers in a branch: its only statement, the last, the first, in between, in both arms.
wrong alone tree.c '/filled/s/weir/if (l < 8) weir/' move-barrier 'filled'
wrong alone-braces tree.c '/filled/s/weir.*/if (l < 8) { weir_barrier(item, WEIR_LOCAL); }/' \
    move-barrier 'l < 8'
wrong last tree.c '/part\[l\] +=/s/$/ weir_barrier(item, WEIR_LOCAL);/;/round/s/weir.*$//' \
    move-barrier '^        }'
wrong first tree.c '/filled/s/weir.*$//;/(l < stride)/s/$/ weir_barrier(item, WEIR_LOCAL);/' \
    move-barrier '^        if|^        }'
wrong both tree.c \
    '/filled/s/weir.*/if (l < 8) { l += 0; weir_barrier(item, WEIR_LOCAL); } else { weir_barrier(item, WEIR_LOCAL); }/' \
    move-barrier 'l < 8'
wrong between smooth.c '/tile\[l\] = a/{n;s/.*//};/filled/{n;s/.*//}' move-barrier \
    'if \(i < args->n\)'
wrong deep tree.c '/filled/s/weir.*/if (l < 16) { if (l < 8) weir_barrier(item, WEIR_LOCAL); }/' \
    move-barrier 'l < 16'

# Collectives: of a group, of a sub-group, in a condition, in a part that may be skipped.
wrong lanes smooth.c '/lanes/s/sum +=/if (lane < k) sum +=/' move-barrier 'lanes'
wrong reduce smooth.c '/groups/s/=.*/= 0; if (lane < 4) all = weir_group_reduce_add(item, lane == 0 ? sum : 0);/' \
    move-barrier 'reduce_add'
wrong skipped smooth.c '/groups/s/=/= lane < 4 \&\& !weir_group_any(item, lane == 99) ? 0 : 0; all =/' \
    move-barrier 'groups'

# Returns before a barrier: what follows is right for all items, or is to be guarded.
wrong return tree.c '/filled/s/weir/if (l == 5) return; weir/' guard-index 'filled'
wrong return-tested smooth.c '/l = weir_local_id/{n;s/.*/    if (i >= args->n) return;/}' \
    guard-index return
wrong return-guarded smooth.c \
    '/l = weir_local_id/{n;s/.*/    if (i >= args->n) return;/};/if (i < args->n) {/s/if.*/{/' \
    guard-index return
wrong return-summed tree.c \
    '/l = weir_local_id/s/$/ if (weir_global_id(item, 0) >= 100) return;/;s/6112/2934/' \
    guard-index return

# No change of a line repairs these: a barrier in a loop with as many rounds as the item
# says, and a return whose items another one waits for.
hopeless rounds tree.c '/for (size_t stride/s/stride > 0/stride > l % 2/'
finish
