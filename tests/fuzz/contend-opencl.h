/* SPDX-License-Identifier: MIT
 *
 * contend-opencl.h: the language of contend.h, which includes it, in OpenCL C 2.0.
 *
 * Relaxed operations of device scope on words of 32 bits are also spelled as in OpenCL
 * C 1.2, and sums and the like of floats are loops of compare-exchange. */
#ifndef FUZZ_CONTEND_OPENCL_H
#define FUZZ_CONTEND_OPENCL_H

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef uint4 contend_four;
typedef atomic_int atomic_int32_t;
typedef atomic_uint atomic_uint32_t;
typedef atomic_long atomic_int64_t;
/* atomic_float is OpenCL's own. */

#define VECTOR(a, b, c, d) ((uint4)(a, b, c, d))
#define INLINE static inline
#define FAR static __attribute__((noinline))
#define LOCAL local
#define GLOBAL global
#define GENERIC generic

#define KERNEL(name)                                                                   \
    kernel void name(global const uint *in, global long *out, global long *log,        \
                     global long *bag, global long *list, global int *all_i,           \
                     global uint *all_u, global long *all_l, global float *all_f)
#define BEGIN                                                                          \
    const uint lid = get_local_id(0), n = get_local_size(0), group = get_group_id(0);  \
    const uint groups = get_num_groups(0);                                             \
    const size_t gid = get_global_id(0), items = get_global_size(0);                   \
    global int *ci = all_i + group * C_CELLS, *di = all_i + groups * C_CELLS;          \
    global uint *cu = all_u + group * C_CELLS, *du = all_u + groups * C_CELLS;         \
    global long *cl = all_l + group * C_CELLS, *dl = all_l + groups * C_CELLS;         \
    global float *cf = all_f + group * C_CELLS, *df = all_f + groups * C_CELLS;        \
    uint at = 128
#define LOCAL_ARRAY(T, name, count) local T name[count]
#define BARRIER(how) BARRIER_##how
#define BARRIER_local barrier(CLK_LOCAL_MEM_FENCE)
#define BARRIER_both barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define BARRIER_group                                                                  \
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE,                     \
                       memory_scope_work_group)
#define REDUCE(op, T, v) work_group_reduce_##op((T)(v))
#define SCAN(T, v) work_group_scan_exclusive_add((T)(v))
#define BROADCAST(T, v, from) work_group_broadcast((T)(v), (from))
#define ANY(c) work_group_any((c) ? 1 : 0)

#define O(order) memory_order_##order
#define S(scope) SCOPE_##scope
#define SCOPE_work_item memory_scope_work_group
#define SCOPE_sub_group memory_scope_work_group
#define SCOPE_work_group memory_scope_work_group
#define SCOPE_device memory_scope_device
#define SCOPE_system memory_scope_all_svm_devices
#define WORD(space, T, p) ((volatile space atomic_##T *)(p))

#define NAME_add atomic_fetch_add_explicit
#define NAME_sub atomic_fetch_sub_explicit
#define NAME_and atomic_fetch_and_explicit
#define NAME_or atomic_fetch_or_explicit
#define NAME_xor atomic_fetch_xor_explicit
#define NAME_min atomic_fetch_min_explicit
#define NAME_max atomic_fetch_max_explicit
#define NAME_exchange atomic_exchange_explicit
#define OLD_add atomic_add
#define OLD_sub atomic_sub
#define OLD_and atomic_and
#define OLD_or atomic_or
#define OLD_xor atomic_xor
#define OLD_min atomic_min
#define OLD_max atomic_max
#define OLD_exchange atomic_xchg

/* space and T come here as they are spelled in the end. */
#define RMW(op, T, space, p, v, order, scope) RMW_##T(op, T, space, p, v, order, scope)
#define RMW_int32_t RMW_NEW
#define RMW_uint32_t RMW_NEW
#define RMW_int64_t RMW_NEW
#define RMW_float RMW_LOOP
#define RMW_NEW(op, T, space, p, v, order, scope)                                      \
    NAME_##op(WORD(space, T, p), (T)(v), O(order), S(scope))
#define RMW_LOOP(op, T, space, p, v, order, scope)                                     \
    ({                                                                                 \
        T was_ = LOAD(T, space, p, relaxed, scope);                                    \
        const T by_ = (T)(v);                                                          \
        while (!CAS(weak, T, space, p, &was_, OP_##op(was_, by_), order, relaxed,      \
                    scope)) {}                                                         \
        was_;                                                                          \
    })
#define RMW_REF(op, T, space, p, v, order, scope)                                      \
    RMW_REF_SPACE(op, T, space, p, v, order, scope)
#define RMW_REF_SPACE(op, T, space, p, v, order, scope)                                \
    RMW_##order##_##space##_##T(op, T, space, p, v, order, scope)
#define RMW_OLD(op, T, space, p, v, order, scope)                                      \
    (S(scope) == memory_scope_device ? OLD_##op((volatile space T *)(p), (T)(v))       \
                                     : RMW_NEW(op, T, space, p, v, order, scope))
#define RMW_relaxed_local_int32_t RMW_OLD
#define RMW_relaxed_local_uint32_t RMW_OLD
#define RMW_relaxed_global_int32_t RMW_OLD
#define RMW_relaxed_global_uint32_t RMW_OLD
#define RMW_relaxed_generic_int32_t RMW_NEW
#define RMW_relaxed_generic_uint32_t RMW_NEW
#define RMW_relaxed_local_int64_t RMW_NEW
#define RMW_relaxed_global_int64_t RMW_NEW
#define RMW_relaxed_generic_int64_t RMW_NEW
#define RMW_relaxed_local_float RMW_LOOP
#define RMW_relaxed_global_float RMW_LOOP
#define RMW_relaxed_generic_float RMW_LOOP
#define RMW_acq_rel_local_int32_t RMW_NEW
#define RMW_acq_rel_local_uint32_t RMW_NEW
#define RMW_acq_rel_global_int32_t RMW_NEW
#define RMW_acq_rel_global_uint32_t RMW_NEW
#define RMW_acq_rel_generic_int32_t RMW_NEW
#define RMW_acq_rel_generic_uint32_t RMW_NEW
#define RMW_acq_rel_local_int64_t RMW_NEW
#define RMW_acq_rel_global_int64_t RMW_NEW
#define RMW_acq_rel_generic_int64_t RMW_NEW
#define RMW_acq_rel_local_float RMW_LOOP
#define RMW_acq_rel_global_float RMW_LOOP
#define RMW_acq_rel_generic_float RMW_LOOP
#define RMW_seq_cst_local_int32_t RMW_NEW
#define RMW_seq_cst_local_uint32_t RMW_NEW
#define RMW_seq_cst_global_int32_t RMW_NEW
#define RMW_seq_cst_global_uint32_t RMW_NEW
#define RMW_seq_cst_generic_int32_t RMW_NEW
#define RMW_seq_cst_generic_uint32_t RMW_NEW
#define RMW_seq_cst_local_int64_t RMW_NEW
#define RMW_seq_cst_global_int64_t RMW_NEW
#define RMW_seq_cst_generic_int64_t RMW_NEW
#define RMW_seq_cst_local_float RMW_LOOP
#define RMW_seq_cst_global_float RMW_LOOP
#define RMW_seq_cst_generic_float RMW_LOOP
#define LOAD(T, space, p, order, scope)                                                \
    atomic_load_explicit(WORD(space, T, p), O(order), S(scope))
#define STORE(T, space, p, v, order, scope)                                            \
    atomic_store_explicit(WORD(space, T, p), (T)(v), O(order), S(scope))
#define CAS(strength, T, space, p, e, d, order, failure, scope)                        \
    atomic_compare_exchange_##strength##_explicit(WORD(space, T, p), (e), (T)(d),      \
                                                  O(order), O(failure), S(scope))

#endif
