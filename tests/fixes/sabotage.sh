#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sabotage.sh: a wrong change that is tried before all others is rejected: what is offered
# is the fix, or nothing. The command is linked with a generator of such changes.
WEIR=${top_builddir:-.}/weir-sabotaged
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/fixes/lib.sh"

# sabotage OLD NEW: in the rows below
sabotage()
{
    SABOTAGE_OLD=$1
    SABOTAGE_NEW=$2
    export SABOTAGE_OLD SABOTAGE_NEW
}

# What is first is tried, and offered if it is right.
sabotage memory_order_relaxed memory_order_release
wrong control message.c 's/memory_order_release/memory_order_relaxed/' guard-index atomic_store

# A barrier in the branch that some items of a group take.
sabotage 'part[l] += part[l + stride];' \
    'part[l] += part[l + stride]; weir_barrier(item, WEIR_LOCAL);'
wrong in-branch tree.c '/filled/s/.*//' insert-barrier 'part\[l\] = args|^$|^    for'

# An atomic store that hides the race and leaves the order open.
sabotage 'h[l] = 0;' \
    'weir_atomic_store_explicit(&h[l], 0, memory_order_relaxed, memory_scope_work_group);'
wrong hidden hist.c '/zero/s/.*//' insert-barrier 'h\[l\] = 0|^    }|bin ='

# A scope and an order of other operations than those that are too weak.
sabotage memory_scope_work_group memory_scope_device
wrong other-scope hist.c 's/scope_device/scope_work_group/' widen-scope 'args->bins'
sabotage memory_order_acquire memory_order_seq_cst
wrong other-order swap.c 's/memory_order_release/memory_order_relaxed/' strengthen-order \
    'atomic_exchange.*, 0,'

# Another array that is set to zero.
sabotage 'uint32_t want[BINS] = { 0 };' \
    'uint32_t want[BINS] = { 0 }; memset(want, 0, sizeof want);'
wrong other-array hist.c '/memset/s/.*//' zero-before-launch '"bins"'

# Another finding, though the launch is not asked whether it had some, and the answer is
# right.
sabotage 'part[l] = args->in[weir_global_id(item, 0)];' \
    'part[l] = args->in[weir_global_id(item, 0)]; ((uint32_t *)args->in)[0] = 0;
    weir_barrier(item, WEIR_LOCAL);'
wrong other-finding tree.c '/filled/s/.*//
    s/LAUNCH(device, /weir_launch(device, \&/; s/in, sums });/in, sums }, NULL);/' \
    insert-barrier 'part\[l\] = args|^$|^    for'

# What has no finding as it does nothing, what waits for ever, what does not compile.
sabotage 'LAUNCH(device, tree' 'if (0) LAUNCH(device, tree'
wrong nothing tree.c '/filled/s/.*//' insert-barrier 'part\[l\] = args|^$|^    for'
sabotage '== 0) {}' '!= 2) {}'
wrong for-ever message.c 's/memory_order_release/memory_order_relaxed/' strengthen-order \
    atomic_store
sabotage 'args->flag, 1,' 'args->flag, 1, 1,'
wrong no-program message.c 's/memory_order_release/memory_order_relaxed/' strengthen-order \
    atomic_store

# Right in each run that is checked, and wrong in a plain run.
sabotage 'part[l] = args->in[weir_global_id(item, 0)];' \
    'part[l] = args->in[weir_global_id(item, 0)] + (getenv("WEIR_OPTIONS") == NULL);
    weir_barrier(item, WEIR_LOCAL);'
wrong plainly tree.c '/filled/s/.*//' insert-barrier 'part\[l\] = args|^$|^    for'

# Without findings, and right in some orders only.
sabotage memory_order_relaxed memory_order_acq_rel
hopeless by-order ticket.c \
    's/acq_rel/relaxed/; s/args->sum = sum/args->sum = sum + (g != GROUPS - 1)/'
finish
