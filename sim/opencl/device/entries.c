/* SPDX-License-Identifier: MIT
 *
 * entries.c: the source that clang compiles once for all programs, for each kind of
 * entries: the builtins, and the entries of a kernel that stands for any kernel.
 * weir-opencl-cc copies the latter for each kernel K of a program:
 * WEIR_KERNEL(weiri_k_0, …) has a body that calls weiri_k_0__cl(), and the body of K
 * calls weiri_k_K__cl(), which is made of the source. The prefix lets K have any name.
 * Reports get the name and the place of the source from weiri_k_0__name, __file and
 * __line. */
#include <weir-kernel.h>

#include "arguments.h"

/* Numbers that stand for a kernel's: see sim/opencl-cc/entries.c. */
#define weiri_k_0__args_bytes 48112
#define weiri_k_0__line 48113
#define weiri_k_0__own_bytes 48114

/* Where checked entries are all that is made (WEIRI_CL_ALONE), any launch has them.
 * Else the fast entries' object refers to them, weakly: NULL without them. */
#ifdef WEIRI_CL_ALONE
#define WEIRI_CL_TABLE (WEIRI_FAT == 2)
#define WEIRI_CL_FAST_OF(name) name##__checked
#define WEIRI_CL_SPLIT_OF(split) NULL
#define WEIRI_CL_MAY_LACK(name)
#define WEIRI_CHECKED(name) name##__checked
#else
#define WEIRI_CL_TABLE (WEIRI_FAT < 2)
#define WEIRI_CL_FAST_OF(name) name##__fast
#define WEIRI_CL_SPLIT_OF(split) split
#define WEIRI_CL_MAY_LACK(name)                                                        \
    void name##__checked(struct weir_group *group, size_t first) __attribute__((weak));
#endif

#undef WEIRI_DEFINE
#if !WEIRI_CL_TABLE
#define WEIRI_DEFINE(name_, args_type, hierarchical_, split_)
#else
#define WEIRI_DEFINE(name_, args_type, hierarchical_, split_)                          \
    extern __attribute__((visibility("hidden"))) const struct weir_kernel name_;       \
    const struct weir_kernel name_ = {                                                 \
        .name = name_##__name,                                                         \
        .file = name_##__file,                                                         \
        .line = name_##__line,                                                         \
        .language = WEIR_LANGUAGE_OPENCL,                                              \
        .args_bytes = sizeof(args_type),                                               \
        .fast = WEIRI_CL_FAST_OF(name_),                                               \
        .checked = WEIRI_CHECKED(name_),                                               \
        .stackless = WEIRI_CL_SPLIT_OF(split_),                                        \
    };
#endif

/* Items see their group in OpenCL's order. The id of the group's first item has the
 * launch's offset. */
#define WEIRI_TURNED_MOVE(shape, group)                                                \
    do {                                                                               \
        const struct weiri_cl_launch *launch_ = (group)->args;                         \
        (shape)->first[0] += launch_->offset[0];                                       \
        (shape)->first[1] += launch_->offset[1];                                       \
        (shape)->first[2] += launch_->offset[2];                                       \
    } while (0)
#include "weir-machinery-turned.h"

/* The block of arguments. Checked code does not copy it: the copy would be memory of
 * the item, with hooks. */
#if WEIRI_FAT == 2
static __attribute__((noinline)) WEIRI_UNINSTRUMENTED const void *weiri_cl_block(
    const struct weir_item *item)
{
    return item->group->args;
}
#define WEIRI_CL_BLOCK(item, args) weiri_cl_block(item)
#else
#define WEIRI_CL_BLOCK(item, args) (args)
#endif

/* ---- Half ------------------------------------------------------------------
 * clang before version 15 has functions convert halves that libgcc lacks, or has with
 * another convention. One object defines them for all. */
#if WEIRI_CL_TABLE && __clang_major__ < 15 && defined(__x86_64__)

#define WEIRI_CL_HIDDEN __attribute__((visibility("hidden"))) WEIRI_UNINSTRUMENTED

WEIRI_CL_HIDDEN float __gnu_h2f_ieee(uint16_t half);
WEIRI_CL_HIDDEN float __gnu_h2f_ieee(uint16_t half)
{
    uint32_t exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
    union {
        uint32_t bits;
        float number;
    } value = { .bits = (exponent + 112) << 23 | fraction << 13 };
    if (exponent == 0) {
        value.number = (float)fraction * 0x1p-24f;
    } else if (exponent == 0x1f) {
        value.bits = UINT32_C(0x7f800000) | fraction << 13;
    }
    value.bits |= (uint32_t)(half & 0x8000) << 16;
    return value.number;
}

/* To the nearest half, and of two to the even one. */
WEIRI_CL_HIDDEN uint16_t __truncdfhf2(double number);
WEIRI_CL_HIDDEN uint16_t __truncdfhf2(double number)
{
    union {
        double number;
        uint64_t bits;
    } value = { number };
    uint16_t sign = (uint16_t)(value.bits >> 48 & 0x8000);
    int exponent = (int)(value.bits >> 52 & 0x7ff) - 1023;
    uint64_t fraction = value.bits & (UINT64_C(1) << 52) - 1;
    if (exponent == 1024) {
        return sign | 0x7c00 | (fraction != 0 ? 0x200 | (uint16_t)(fraction >> 42) : 0);
    }
    if (exponent > 15) {
        return sign | 0x7c00;
    }
    if (exponent < -25) {
        return sign;
    }
    int dropped = exponent >= -14 ? 42 : 42 + (-14 - exponent);
    fraction |= UINT64_C(1) << 52;
    uint64_t rest = fraction & (UINT64_C(1) << dropped) - 1,
             middle = UINT64_C(1) << (dropped - 1);
    fraction >>= dropped;
    fraction += rest > middle || (rest == middle && (fraction & 1) != 0);
    /* The bit before the point adds 1 to the exponent, and so does a carry. */
    return exponent >= -14 ? sign | (uint16_t)((exponent + 14) * 1024 + (int)fraction)
                           : sign | (uint16_t)fraction;
}

WEIRI_CL_HIDDEN uint16_t __gnu_f2h_ieee(float number);
WEIRI_CL_HIDDEN uint16_t __gnu_f2h_ieee(float number)
{
    return __truncdfhf2((double)number); /* which is exact */
}

#endif

/* ---- Builtins ------------------------------------------------------------- */

#include "builtins.c"

/* ---- A kernel ------------------------------------------------------------- */

struct weiri_k_0__args {
    _Alignas(16) unsigned char bytes[weiri_k_0__args_bytes];
};
extern const char weiri_k_0__name[], weiri_k_0__file[];
void weiri_k_0__cl(struct weir_item *item, const void *block);
#if WEIRI_FAT != 2
void weiri_k_0__keep(const void *block);
#endif
WEIRI_CL_MAY_LACK(weiri_k_0)
WEIR_KERNEL(weiri_k_0, struct weiri_k_0__args)
{
    weiri_k_0__cl(item, WEIRI_CL_BLOCK(item, args));
}

#if WEIRI_CL_TABLE
/* Before the variables of the sources, which are linked later: a symbol of the linker's
 * at their start would hide the name of the first. */
static __attribute__((section("weiri_cl_globals"), used, aligned(16))) char first[16];
extern __attribute__((visibility("hidden"))) char __stop_weiri_cl_globals[];
char *const weiri_cl_variables[] = { first + sizeof(first), __stop_weiri_cl_globals };
const char weiri_cl_version[] = WEIRI_CL_VERSION;
#endif
