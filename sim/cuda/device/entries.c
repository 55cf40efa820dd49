/* SPDX-License-Identifier: MIT
 *
 * entries.c: the source that clang compiles once for all programs in CUDA, for each
 * kind of entries: the builtins, and the entries of a kernel that stands for any
 * kernel. weir-cuda-cc copies the latter for each kernel K: WEIR_KERNEL(weiri_k_0, …)
 * has a body that calls weiri_k_0__cl(), and the body of K calls weiri_k_K__cl(), which
 * is made of the source. Reports get the name and the place of the source from
 * weiri_k_0__name, __file and __line. */
#include <weir-kernel.h>

#include "head.h"

/* Numbers that stand for a kernel's: see sim/opencl-cc/template.c. */
#define weiri_k_0__args_bytes 48112
#define weiri_k_0__line 48113
#define weiri_k_0__own_bytes 48114

/* The fast entries' object has the description of a kernel, and refers to the checked
 * and the stackless entries, weakly: NULL without them. */
#undef WEIRI_DEFINE
#if WEIRI_FAT == 1
#define WEIRI_CU_MAY_LACK(name)                                                        \
    void name##__checked(struct weir_group *group, size_t first) __attribute__((weak));
#define WEIRI_DEFINE(name_, args_type, hierarchical_, split_)                          \
    extern const struct weir_kernel name_;                                             \
    const struct weir_kernel name_ = {                                                 \
        .name = name_##__name,                                                         \
        .file = name_##__file,                                                         \
        .line = name_##__line,                                                         \
        .language = WEIR_LANGUAGE_CUDA,                                                \
        .args_bytes = sizeof(args_type),                                               \
        .fast = name_##__fast,                                                         \
        .checked = name_##__checked,                                                   \
        .stackless = split_,                                                           \
    };
#else
#define WEIRI_CU_MAY_LACK(name)
#define WEIRI_DEFINE(name_, args_type, hierarchical_, split_)
#endif

#define WEIRI_TURNED_MOVE(shape, group) (void)(group)
#include "weir-machinery-turned.h"

/* The block of arguments. Checked code does not copy it: the copy would be memory of
 * the item, with hooks. */
#if WEIRI_FAT == 2
static __attribute__((noinline)) WEIRI_UNINSTRUMENTED const void *weiri_cu_block_of(
    const struct weir_item *item)
{
    return item->group->args;
}
#define WEIRI_CU_BLOCK(item, args) weiri_cu_block_of(item)
#else
#define WEIRI_CU_BLOCK(item, args) (args)
#endif

/* ---- Builtins ------------------------------------------------------------- */

#include "builtins.c"

/* To the compiler it reads and writes nothing: it is called once for a group; or not at
 * all, where nothing uses the array. */
__attribute__((const, nothrow)) void *weiri_cuda_array(const void *site, size_t count,
                                                       size_t element_bytes);

/* In the library: sim/cuda/item.c. */
size_t weiri_cuda_fixed(const size_t *number);

/* A shared variable, with the name of the site: weir-cuda-cc calls this function at the
 * start of each function that uses it. Entries without stacks find the address in the
 * group's own arguments, @slot bytes after their start. */
WEIRI_UNINSTRUMENTED __attribute__((always_inline)) void *weiri_cu_shared(
    void *item, const void *site, size_t count, size_t element_bytes, size_t slot)
{
#if WEIRI_SPLIT
    (void)site;
    (void)count;
    (void)element_bytes;
    return *(void *const *)((const char *)((const struct weir_item *)item)->args
                            + slot);
#elif WEIRI_FAT == 2
    (void)item;
    (void)slot;
    return weiri_local_array_at(count, element_bytes, site);
#else
    (void)item;
    (void)slot;
    return weiri_cuda_array(site, count, element_bytes);
#endif
}

/* The dynamic shared memory of the launch. */
WEIRI_UNINSTRUMENTED __attribute__((always_inline)) void *weiri_cu_dynamic(
    void *item, const void *site, size_t element_bytes)
{
    const struct weiri_cuda_head *head = ((const struct weir_item *)item)->group->args;
#if WEIRI_FAT == 2
    size_t bytes = WEIRI_UNSEEN(head->dynamic_bytes);
    return weiri_local_array_at(bytes / element_bytes, element_bytes, site);
#else
    size_t bytes = weiri_cuda_fixed(&head->dynamic_bytes);
    return weiri_cuda_array(site, bytes / element_bytes, element_bytes);
#endif
}

/* Puts it there, before the group's first item runs. */
WEIRI_UNINSTRUMENTED __attribute__((always_inline)) void weiri_cu_keep(
    void *to, const void *site, size_t count, size_t element_bytes)
{
    *(void **)to = weiri_cuda_array(site, count, element_bytes);
}

/* A private variable begins to live. */
WEIRI_UNINSTRUMENTED __attribute__((always_inline)) void weiri_cu_private(
    void *item, const void *site, void *address, size_t count, size_t element_bytes)
{
    (void)item;
    weiri_private_variable(address, count, element_bytes, NULL, site);
}

/* ---- The processor -------------------------------------------------------- */

#if WEIRI_FAT == 1
/* What the object's code needs, beyond what each processor of this kind has. */
static const char *const weiri_cu_features[] = {
#ifdef __AVX__
    "avx",
#endif
#ifdef __AVX2__
    "avx2",
#endif
#ifdef __FMA__
    "fma",
#endif
#ifdef __BMI2__
    "bmi2",
#endif
#ifdef __AVX512F__
    "avx512f",
#endif
#ifdef __AVX512VL__
    "avx512vl",
#endif
#ifdef __AVX512BW__
    "avx512bw",
#endif
    0,
};
void weiri_cuda_needs(const char *const *features);

__attribute__((constructor)) static void weiri_cu_look(void)
{
    weiri_cuda_needs(weiri_cu_features);
}
#endif

/* ---- A kernel ------------------------------------------------------------- */

struct weiri_k_0__args {
    _Alignas(16) unsigned char bytes[weiri_k_0__args_bytes];
};
extern const char weiri_k_0__name[], weiri_k_0__file[];
void weiri_k_0__cl(struct weir_item *item, const void *block);
#if WEIRI_FAT != 2
void weiri_k_0__keep(const void *block);
#endif
WEIRI_CU_MAY_LACK(weiri_k_0)
WEIR_KERNEL(weiri_k_0, struct weiri_k_0__args)
{
    weiri_k_0__cl(item, WEIRI_CU_BLOCK(item, args));
}
