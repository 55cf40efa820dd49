#!/bin/sh
# SPDX-License-Identifier: MIT
#
# quiet.sh: what a kernel may say draws no warning, however strict the user's flags:
# macros inside macros, results that are not used, arguments that are not read.
. "${top_srcdir:-.}/tests/arch/lib.sh"

strict='-Wall -Wextra -Wshadow -Wundef -Wpointer-arith -Wwrite-strings -Wvla -Werror'

cat >"$scratch/cases.c" <<'END'
#include <weir-kernel.h>
#include <weir.h>
typedef struct { int32_t *a, *b; float *f; void **p; size_t n; } case_args;
END
n=0

# try NAME BODY: the body of a kernel, then of a host function that may launch it. A
# warning has the name in the place of the file's.
try()
{
    n=$((n + 1))
    cat >>"$scratch/cases.c" <<END
#line 1 "$1"
WEIR_KERNEL(kernel_$n, case_args) { $2; }
bool host_$n(struct weir_device *device);
bool host_$n(struct weir_device *device)
{
    return weir_launch(device, &kernel_$n, weir_nd_range_1d(8, 8), &(case_args){ .n = 1 }, NULL);
}
END
}

at='memory_order_relaxed, memory_scope_device'
try 'a kernel that uses neither item nor args' ''
try 'an atomic whose value is an atomic' \
    "weir_atomic_store_explicit(args->a, weir_atomic_load_explicit(args->b, $at), $at)"
try 'references inside references' \
    "weir_atomic_store(weir_atomic_ref(args->a, $at),
        weir_atomic_fetch_add(weir_atomic_ref(args->b, $at),
            weir_atomic_exchange(weir_atomic_ref(args->a, $at), 1)))"
try 'an atomic whose address comes from an atomic' \
    "weir_atomic_fetch_add_explicit(
        &args->a[weir_atomic_fetch_add_explicit(args->b, 1, $at)], 1, $at)"
try 'a compare-exchange with an atomic as what it wants to store' \
    "int32_t e = 0;
    while (!weir_atomic_compare_exchange_weak_explicit(args->a, &e,
        weir_atomic_load_explicit(args->b, $at), memory_order_acq_rel,
        memory_order_relaxed, memory_scope_device)) { }"
try 'collectives inside collectives' \
    'args->a[0] = weir_group_reduce_add(item,
        weir_sub_group_shuffle(item, weir_group_broadcast(item, 1, 0),
            weir_sub_group_local_id(item)))'
try 'a shuffle of a shuffle' \
    'args->a[0] = weir_sub_group_shuffle(item, weir_sub_group_shuffle(item, 1, 0), 0)'
try 'collectives inside atomics' \
    "weir_atomic_fetch_add_explicit(args->a, weir_group_reduce_add(item, 1), $at)"
try 'read-modify-writes whose result is not used' \
    "weir_atomic_fetch_add_explicit(args->a, 1, $at);
    weir_atomic_fetch_min(weir_atomic_ref(args->f, $at), 1.5f);
    weir_atomic_exchange_explicit(args->p, NULL, $at);
    weir_group_broadcast(item, 1, 0)"
try 'barriers in the branches of an if without braces' \
    'if (args->n == 0) weir_barrier(item, WEIR_LOCAL); else weir_group_barrier(item)'
try 'local arrays of every kind' \
    'struct pair { int a; double b; } *pairs = weir_local_array(item, struct pair, 4);
    args->a[0] = pairs[0].a + *weir_local_array(item, int32_t, weir_local_size(item, 0))'
try 'an assertion as the branch of an if' \
    'if (args->n > 0) weir_assert(item, args->a[0] == 0); else weir_assert(item, true)'
try 'a block load into an array of its own' \
    'int32_t out[4]; weir_sub_group_load(item, args->a, 4, out); args->b[0] = out[3]'
try 'fences' \
    'weir_atomic_fence(memory_order_acq_rel, memory_scope_device);
    weir_work_item_fence(WEIR_LOCAL, memory_order_release, memory_scope_work_group)'
for compiler in $(compilers); do
    for level in -O0 -O2; do
        # shellcheck disable=SC2086
        if ! $compiler -std=gnu11 $level $strict -I"$top_srcdir/sim" $GLIB_CFLAGS \
            -c "$scratch/cases.c" -o "$scratch/cases.o" >"$scratch/log" 2>&1; then
            bad "$compiler $level warns"
            grep -E "error|warning" "$scratch/log"
        fi
    done
done
test "$failures" -gt 0 || good "kernels are quiet under $strict"
finish
