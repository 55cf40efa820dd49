/* SPDX-License-Identifier: MIT
 *
 * check_names.c: reports speak in the words of the kernel's language. The words of
 * OpenCL are those of [CL30C] 6.15.8, 6.15.12 and 6.15.16. */
#include "support.h"

#include "finding/names.h"

static uint64_t op_of(enum weiri_collective kind, enum weiri_level level)
{
    return WEIRI_OP(kind, WEIRI_TYPE_none, level, memory_scope_work_group, WEIR_LOCAL,
                    0);
}

CASE("opencl");

TEST(orders_and_scopes_are_those_of_opencl)
{
    enum weir_language cl = WEIR_LANGUAGE_OPENCL;
    ck_assert_str_eq(weiri_order_source(cl, memory_order_acq_rel),
                     "memory_order_acq_rel");
    ck_assert_str_eq(weiri_order_text(cl, memory_order_relaxed),
                     "memory_order_relaxed");
    ck_assert_str_eq(weiri_scope_source(cl, memory_scope_device),
                     "memory_scope_device");
    /* OpenCL has no memory_scope_system */
    ck_assert_str_eq(weiri_scope_text(cl, memory_scope_system),
                     "memory_scope_all_svm_devices");
}

TEST(atomics_and_fences_are_those_of_opencl)
{
    enum weir_language cl = WEIR_LANGUAGE_OPENCL;
    ck_assert_str_eq(weiri_atomic_name(cl, WEIRI_ATOMIC_FETCH_ADD), "atomic_fetch_add");
    ck_assert_str_eq(weiri_atomic_name(cl, WEIRI_ATOMIC_FENCE),
                     "atomic_work_item_fence");
    g_autofree char *text
        = weiri_atomic_text(cl, NULL, WEIRI_ATOMIC_LOAD, memory_order_acquire);
    ck_assert_str_eq(text, "atomic_load(memory_order_acquire)");
}

TEST(group_functions_are_those_of_opencl)
{
    enum weir_language cl = WEIR_LANGUAGE_OPENCL;
    ck_assert_str_eq(weiri_operation_name(cl, op_of(WEIRI_BARRIER, WEIRI_LEVEL_GROUP)),
                     "barrier");
    ck_assert_str_eq(
        weiri_operation_name(cl, op_of(WEIRI_BARRIER, WEIRI_LEVEL_SUB_GROUP)),
        "sub_group_barrier");
    ck_assert_str_eq(
        weiri_operation_name(cl, op_of(WEIRI_REDUCE_ADD, WEIRI_LEVEL_GROUP)),
        "work_group_reduce_add");
    ck_assert_str_eq(weiri_operation_name(
                         cl, op_of(WEIRI_EXCLUSIVE_SCAN_MIN, WEIRI_LEVEL_SUB_GROUP)),
                     "sub_group_scan_exclusive_min");
    ck_assert_str_eq(weiri_operation_name(cl, op_of(WEIRI_COPY, WEIRI_LEVEL_GROUP)),
                     "async_work_group_copy");
    ck_assert_str_eq(weiri_operation_name(cl, op_of(WEIRI_WAIT, WEIRI_LEVEL_GROUP)),
                     "wait_group_events");
}

TEST(other_words_are_those_of_opencl)
{
    enum weir_language cl = WEIR_LANGUAGE_OPENCL;
    ck_assert_str_eq(weiri_name(cl, WEIRI_NAME_FREE), "clReleaseMemObject()");
    ck_assert_str_eq(weiri_name(cl, WEIRI_NAME_LOCAL_ARRAY), "__local array");
    ck_assert_str_eq(weiri_name(cl, WEIRI_NAME_SPACE_BOTH),
                     "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE");
    ck_assert_str_eq(weiri_name(cl, WEIRI_NAME_NO_LOCAL_BARRIER),
                     "no barrier(CLK_LOCAL_MEM_FENCE)");
}

CASE("languages");

TEST(an_operation_has_the_language_that_has_its_name)
{
    static const enum weir_language languages[]
        = { WEIR_LANGUAGE_C, WEIR_LANGUAGE_SYCL, WEIR_LANGUAGE_OPENCL,
            WEIR_LANGUAGE_CUDA };
    for (size_t i = 0; i < G_N_ELEMENTS(languages); i++) {
        enum weir_language language = languages[i];
        const uint64_t barrier = op_of(WEIRI_BARRIER, WEIRI_LEVEL_GROUP);
        const uint64_t any = op_of(WEIRI_ANY, WEIRI_LEVEL_SUB_GROUP);
        ck_assert_int_eq(
            weiri_name_language(weiri_atomic_name(language, WEIRI_ATOMIC_LOAD)),
            language);
        ck_assert_int_eq(
            weiri_name_language(weiri_atomic_name(language, WEIRI_ATOMIC_FENCE)),
            language);
        ck_assert_int_eq(weiri_name_language(weiri_operation_name(language, barrier)),
                         language);
        ck_assert_int_eq(weiri_name_language(weiri_operation_name(language, any)),
                         language);
    }
}

TEST(every_collective_has_a_name_in_every_language)
{
    for (int language = WEIR_LANGUAGE_C; language <= WEIR_LANGUAGE_CUDA; language++) {
        for (int kind = WEIRI_BARRIER; kind <= WEIRI_WAIT; kind++) {
            for (int level = WEIRI_LEVEL_GROUP; level <= WEIRI_LEVEL_SUB_GROUP;
                 level++) {
                ck_assert_ptr_nonnull(
                    weiri_operation_name(language, op_of(kind, level)));
            }
        }
    }
}

MAIN("names")
