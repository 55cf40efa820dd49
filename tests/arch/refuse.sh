#!/bin/sh
# SPDX-License-Identifier: MIT
#
# refuse.sh: what a kernel may not say does not compile, with a message that states
# why; its nearest legal neighbour does. Each case is a pair.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# begin FILE: what all cases share
begin()
{
    cat >"$scratch/$1" <<END
#include <weir-kernel.h>
#include <weir.h>
typedef struct {
    int32_t *i; uint64_t *u; float *f; int16_t *narrow; _Atomic int32_t *atomic; void **p;
    const int32_t *constant;
} case_args;
typedef struct { char first, second; } other_args;
WEIR_KERNEL(empty, other_args) { }
END
}

# add FILE N BODY ON-HOST: case number N
add()
{
    cat >>"$scratch/$1" <<END
#line 1 "case $2"
bool host_$2(struct weir_device *device);
bool host_$2(struct weir_device *device) { (void)device; $4; return true; }
WEIR_KERNEL(kernel_$2, case_args) { $3; }
END
}

# compile COMPILER LEVEL FILE
compile()
{
    # shellcheck disable=SC2086
    $1 -std=gnu11 $2 -Wall -Wextra -Werror -I"$top_srcdir/sim" $GLIB_CFLAGS \
        -c "$scratch/$3" -o "$scratch/case.o" >"$scratch/log" 2>&1
}

n=0
begin right.c

# judge LEVELS MESSAGE WRONG RIGHT [WRONG-ON-HOST RIGHT-ON-HOST]. All that is right is
# compiled at the end, in one file.
judge()
{
    n=$((n + 1))
    add right.c $n "$4" "${6-}"
    begin wrong.c
    add wrong.c $n "$3" "${5-}"
    for compiler in $(compilers); do
        for level in $1; do
            if compile "$compiler" "$level" wrong.c; then
                bad "$compiler $level takes: $3$5"
            elif ! grep -Eq -e "$2" "$scratch/log"; then
                bad "$compiler $level refuses without '$2': $3$5"
                cat "$scratch/log"
            fi
        done
    done
}

# Constant orders are refused at any level.
any='-O0 -O2'
device='memory_scope_device'
relaxed="memory_order_relaxed, $device"

for order in release acq_rel; do
    judge "$any" 'an atomic load cannot have order release or acq_rel' \
        "(void)weir_atomic_load_explicit(args->i, memory_order_$order, $device)" \
        "(void)weir_atomic_load_explicit(args->i, memory_order_acquire, $device)"
    judge "$any" 'a failed compare-exchange cannot have order release or acq_rel' \
        "int32_t e = 0; (void)weir_atomic_compare_exchange_strong_explicit(args->i, &e, 1,
            memory_order_acq_rel, memory_order_$order, $device)" \
        "int32_t e = 0; (void)weir_atomic_compare_exchange_strong_explicit(args->i, &e, 1,
            memory_order_acq_rel, memory_order_acquire, $device)"
done
for order in acquire consume acq_rel; do
    judge "$any" 'an atomic store cannot have order acquire, consume or acq_rel' \
        "weir_atomic_store_explicit(args->i, 1, memory_order_$order, $device)" \
        "weir_atomic_store_explicit(args->i, 1, memory_order_release, $device)"
done
for order in acquire release consume; do
    judge "$any" 'the default order of a reference is relaxed, acq_rel or seq_cst' \
        "(void)weir_atomic_load(weir_atomic_ref(args->i, memory_order_$order, $device))" \
        "(void)weir_atomic_load(weir_atomic_ref(args->i, memory_order_acq_rel, $device))"
done

# An order that arrives in the reference itself is seen where values are followed.
judge '-O1 -O2' 'the default order of this reference is not relaxed, acq_rel or seq_cst' \
    "struct weir_atomic_i32 r = { args->i, memory_order_acquire, $device, 0 };
        (void)weir_atomic_load(r)" \
    "struct weir_atomic_i32 r = { args->i, memory_order_seq_cst, $device, 0 };
        (void)weir_atomic_load(r)"

# Types.
judge "$any" 'weir atomics take a pointer to int32, uint32, int64, uint64, float' \
    "(void)weir_atomic_load_explicit(args->narrow, $relaxed)" \
    "(void)weir_atomic_load_explicit(args->u, $relaxed)"
judge "$any" 'weir atomics take a pointer to int32, uint32, int64, uint64, float' \
    "(void)weir_atomic_load(weir_atomic_ref(args->atomic, $relaxed))" \
    "(void)weir_atomic_load(weir_atomic_ref(args->i, $relaxed))"
judge "$any" 'weir_atomic_const_i32' \
    "weir_atomic_store(weir_atomic_ref(args->constant, $relaxed), 1)" \
    "(void)weir_atomic_load(weir_atomic_ref(args->constant, $relaxed))"
judge "$any" 'weir_atomic_const_i32' \
    "weir_atomic_store_explicit(args->constant, 1, $relaxed)" \
    "weir_atomic_store_explicit(args->i, 1, $relaxed)"
judge "$any" 'weir_atomic_f32' \
    "(void)weir_atomic_fetch_and(weir_atomic_ref(args->f, $relaxed), 1)" \
    "(void)weir_atomic_fetch_add(weir_atomic_ref(args->f, $relaxed), 1)"
judge "$any" 'weir_atomic_ptr' \
    "(void)weir_atomic_fetch_add(weir_atomic_ref(args->p, $relaxed), 1)" \
    "(void)weir_atomic_exchange(weir_atomic_ref(args->p, $relaxed), NULL)"
judge "$any" 'expected must point to the type of the atomic' \
    "int16_t e = 0; (void)weir_atomic_compare_exchange_strong(weir_atomic_ref(args->i, $relaxed), &e, 1)" \
    "int32_t e = 0; (void)weir_atomic_compare_exchange_strong(weir_atomic_ref(args->i, $relaxed), &e, 1)"

# The host side: arguments of another kernel, and a result that is not used.
judge '-O1 -O2' "these arguments are not of the kernel's type" '' '' \
    "return weir_launch(device, &empty, weir_nd_range_1d(1, 1), &(case_args){ .i = NULL, .u = NULL }, NULL)" \
    "return weir_launch(device, &empty, weir_nd_range_1d(1, 1), &(other_args){ 1, 2 }, NULL)"
judge "$any" 'unused' '' '' \
    "weir_launch(device, &empty, weir_nd_range_1d(1, 1), &(other_args){ 1, 2 }, NULL)" \
    "return weir_launch(device, &empty, weir_nd_range_1d(1, 1), &(other_args){ 1, 2 }, NULL)"

for compiler in $(compilers); do
    for level in -O0 -O1 -O2; do
        compile "$compiler" $level right.c || {
            bad "$compiler $level refuses a case, of the order of this file:"
            cat "$scratch/log"
        }
    done
done
test "$failures" -gt 0 || good "every illegal form is refused with its reason, every neighbour compiles"
finish
