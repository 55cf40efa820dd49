#!/bin/sh
# SPDX-License-Identifier: MIT
#
# atomics.sh: programs whose atomic operations are too weak or too narrow, or that have
# plain accesses in their place.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/fixes/lib.sh"
. "$top_srcdir/tests/cli/builds.sh"

right 'message.c ticket.c fence.c lock.c swap.c turn.c'

# Orders and scopes that have a name: an enumerator's, and a macro's.
wrong message-store message.c \
    's/memory_order_release/SEND/; s/enum { /&SEND = memory_order_relaxed, /' \
    strengthen-order 'atomic_store'
# A macro with two definitions may be the weaker one.
wrong message-twice message.c '/memory_order_release/s//SEND/; 1s/.*/#ifdef STRICT/
    2s/.*/#define SEND memory_order_release/; 3s/.*/#else/
    5s/.*/#define SEND memory_order_relaxed/; 7s/.*/#endif/' strengthen-order 'atomic_store'
# The reason names the operation, so this is tried first: the build with it is the second.
counted
wrong message-load message.c 's/memory_order_acquire/memory_order_relaxed/' \
    strengthen-order 'atomic_load'
compiled 2
uncounted
wrong message-both message.c 's/memory_order_[ar][a-z]*/memory_order_relaxed/' \
    strengthen-order 'atomic_(load|store)'
# A directive stands where the barrier is to be.
wrong message-written message.c '/written/s/.*/#define WRITTEN/' insert-barrier \
    'box\[l\] =|if \(l == 0'
wrong message-received message.c '/received/s/.*//' insert-barrier '^        }|out\[l\]'
wrong message-flag message.c '/written/s/GLOBAL/LOCAL/' widen-barrier written
wrong message-scope message.c \
    '/send/s/memory_scope_device/NEAR/; 5s/.*/#define NEAR (memory_scope_work_group)/' \
    widen-scope 'atomic_store'
wrong message-scopes message.c 's/scope_device/scope_work_group/' widen-scope 'atomic_'
wrong ticket-relaxed ticket.c 's/acq_rel/relaxed/' strengthen-order 'ticket, 1|fetch_add'
becomes memory_order_acq_rel
wrong ticket-release ticket.c 's/acq_rel/release/' strengthen-order 'ticket, 1|fetch_add'
# The operation is in a macro, which another one uses: the change is in its definition.
in_macro='5s/.*/#define TAKE(p, o) weir_atomic_fetch_add_explicit(p, 1, o, memory_scope_device)/
7s/.*/#define TICKET(p) TAKE(p, memory_order_relaxed)/; 16{N;s/=.*/=\nTICKET(args->ticket);/;}'
wrong ticket-macro ticket.c "$in_macro" strengthen-order 'define TAKE'
# The macro of another file is not changed, which the report says.
mkdir "$scratch/ticket-header"
echo '#define TICKET(p) weir_atomic_fetch_add_explicit(p, 1, memory_order_relaxed, memory_scope_device)' \
    >"$scratch/ticket-header/take.h"
hopeless ticket-header ticket.c \
    '5s/.*/#include "take.h"/; 16{N;s/=.*/=\nTICKET(args->ticket);/;}'
weir_ends 1 check --runs 6 -- ./program
says '^no fix was found: the operation at ticket.c:17 is in the macro TICKET, which weir does not change$'
wrong ticket-scope ticket.c 's/scope_device/scope_work_group/' widen-scope 'ticket, 1|fetch_add'
# Where a fence is too weak, the operation beside it may be what becomes stronger.
either='strengthen-order|widen-scope'
wrong fence-release fence.c 's/fence(memory_order_release/fence(memory_order_relaxed/' \
    strengthen-order 'fence\(memory|atomic_'
wrong fence-acquire fence.c 's/fence(memory_order_acquire/fence(memory_order_relaxed/' \
    strengthen-order 'fence\(memory|atomic_'
wrong fence-scope fence.c '/fence(memory_order_release/s/scope_device/scope_work_group/' \
    "$either" 'fence\(memory|atomic_'
wrong fence-scopes fence.c '/fence(memory/s/scope_device/scope_work_group/' "$either" \
    'fence\(memory|atomic_'
wrong fence-missing fence.c '/fence(memory_order_release/s/.*//' strengthen-order 'atomic_store'
wrong lock-exchange lock.c 's/memory_order_acquire/memory_order_relaxed/' \
    strengthen-order 'compare_exchange'
wrong lock-store lock.c 's/memory_order_release/memory_order_relaxed/' strengthen-order \
    'atomic_store'
wrong lock-scope lock.c '/scope_device/s/device))/work_group))/' widen-scope 'compare_exchange'
wrong swap-acquire swap.c 's/memory_order_acquire/memory_order_relaxed/' strengthen-order \
    'atomic_exchange.*, 1,'
wrong swap-release swap.c 's/memory_order_release/memory_order_relaxed/' strengthen-order \
    'atomic_exchange.*, 0,'
wrong turn-add turn.c 's/memory_order_release/memory_order_relaxed/' strengthen-order 'fetch_add'
# The weakest order that is enough.
becomes memory_order_release
wrong turn-load turn.c 's/memory_order_acquire/memory_order_relaxed/' strengthen-order 'atomic_load'
wrong turn-scopes turn.c 's/scope_device/scope_sub_group/' widen-scope 'atomic_'

# The host finds the answer wrong: no race is there.
apart_load='int32_t old = weir_atomic_load_explicit(\&args->least[0], memory_order_relaxed, memory_scope_device);'
apart_store='if (v < old) { weir_atomic_store_explicit(\&args->least[0], v, memory_order_relaxed, memory_scope_device); }'
wrong extremes-lost extremes.c "/fetch_min/{N;s/.*/$apart_load\\n$apart_store/;}" make-atomic 'old ='

# A plain load in a loop. At -O1 the compiler loads once, unless it is volatile.
level=-O1
wrong message-volatile message.c \
    '/while (/{N;N;s/while.*/while (*(volatile uint32_t *)args->flag == 0) {}\n\n/;}' \
    make-atomic 'while'
level=-O0
wrong message-poll message.c '/while (/{N;N;s/while.*/while (*args->flag == 0) {}\n\n/;}' \
    make-atomic 'while'
wrong message-do message.c \
    '/while (/{N;N;s/while.*/uint32_t seen; do {\nseen = *args->flag;\n} while (seen == 0);/;}' \
    make-atomic 'seen = '

# Where no fix is tried, findings of one missing order are one, and others stay apart.
name='findings of one cause'
level=-O1
awk '/memory_order_release/ { sub("release", "relaxed") }
    /args->total = / { print; print "    args->total[1] += 3;"; next }
    $0 == "}" && !ended++ { print "    args->total[2] += 5;" }
    { sub("uint32_t, 1, \"total\"", "uint32_t, 3, \"total\"") }
    { sub("= [*]total = 0", "= total[0] = total[1] = total[2] = 0") }
    /return/ && /total/ { sub("[*]total != 7", "0") }
    { print }' "$top_srcdir/tests/fixes/lock.c" >lock.c
build lock.c || bad "does not compile"
fixes=no
weir check --runs 40 -- ./program
ends_with 1
says '^  with --order .*lock\.c:[0-9]+=release it and 3 more findings are gone: 3 data-race'
test "$(grep -c '^data race' "$out")" -eq 3 || bad "not one for the lock and two for the rest"
test "$(grep -c '^data race.*total\[2\]' "$out")" -eq 2 || bad "another defect is not apart"
weir check --runs 40 --json -- ./program
json '[len(f["same_cause"]) for f in it["findings"]].count(3) == 1 and len(it["findings"]) == 3'
finish
