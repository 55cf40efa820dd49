/* SPDX-License-Identifier: MIT
 *
 * machine.hpp: the SYCL header's door to Weir's machine: places in the source, the
 * entries of a kernel, and the functions of sycl-machine.h. Not for users.
 *
 * A kernel is an object on the host, the lambda with its captures, which a launch
 * copies as its arguments. Its entries are the entries of WEIR_KERNEL(), as templates.
 * Nothing of this header appears in a report: code that is inlined into a kernel is
 * taken for the user's line that calls it (report/symbol.c). */
#ifndef WEIR_SYCL_MACHINE_HPP
#define WEIR_SYCL_MACHINE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

/* Which entries this compilation defines: see weir-machinery.h. In the first half of
 * weir-c++ --fat the checked ones are declared alone. */
#ifndef WEIRI_FAT
#define WEIRI_FAT 0
#endif
#define WEIRI_SPLIT (WEIRI_FAT == 3)

/* Operators, for macros that define each of them. */
#define WEIRI_SYCL_ARITHMETIC(X_) X_(+) X_(-) X_(*) X_(/) X_(%) X_(&) X_(|) X_(^)
#define WEIRI_SYCL_COMPARISONS(X_) X_(==) X_(!=) X_(<) X_(>) X_(<=) X_(>=)

namespace weiri
{
extern "C" {
#include "weir-machinery-shared.h"
#include "weir-machinery-split.h"
/* after them */
#include "../../sycl-machine.h"
}

#if defined(__SANITIZE_THREAD__)
#define WEIRI_SYCL_HOOKS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEIRI_SYCL_HOOKS 1
#endif
#endif
#ifndef WEIRI_SYCL_HOOKS
#define WEIRI_SYCL_HOOKS 0
#endif
#define WEIRI_SYCL_INLINE inline __attribute__((always_inline))
/* Calls the user's function: clang inlines it, as the body of WEIR_KERNEL(). For gcc
 * the attribute also inlines all that is called below it. */
#if defined(__clang__) && !WEIRI_SYCL_HOOKS
#define WEIRI_SYCL_CALLER __attribute__((flatten))
#else
#define WEIRI_SYCL_CALLER
#endif

/* ---- Places ---------------------------------------------------------------------- */

/* Where a function of this header is called: the default of its last argument. */
struct here {
    const char *file;
    unsigned line;
    const char *function;
    constexpr here(const char *file_ = __builtin_FILE(),
                   unsigned line_ = __builtin_LINE(),
                   const char *function_ = __builtin_FUNCTION()) noexcept
        : file(file_), line(line_), function(function_)
    {
    }
};

/* A pointer to a site. In a fast launch it is the place itself, packed: the machine
 * compares it, and unpacks it for a message (exec/site.h). */
WEIRI_SYCL_INLINE const weir_site *site_of(const here &at) noexcept
{
    if (WEIRI_SYCL_HOOKS && WEIRI_UNLIKELY(weiri_self.watch != nullptr)) {
        return weiri_sycl_site(at.file, at.line, at.function);
    }
    return reinterpret_cast<const weir_site *>(WEIRI_SITE_PACK(at.file, at.line));
}

/* Copies a value out of sight of the hooks, which see calls of memcpy(): the compiler
 * makes none of a few words, and none of a loop over volatile bytes. */
template <class T_>
__attribute__((noinline)) WEIRI_UNINSTRUMENTED void copy_unseen(void *to,
                                                                const void *from)
{
    if constexpr (sizeof(T_) <= 64) {
        __builtin_memcpy(to, from, sizeof(T_));
    } else {
        volatile auto *bytes = static_cast<volatile unsigned char *>(to);
        for (std::size_t k = 0; k < sizeof(T_); k++) {
            bytes[k] = static_cast<const unsigned char *>(from)[k];
        }
    }
}

/* ---- Kernels --------------------------------------------------------------------- */

/* The object that a launch copies: first the data that the entries need about the
 * function object, then the function object. Local accessors in it hold keys until an
 * item starts; then addresses. */
template <class F_> struct arguments {
    const weiri_sycl_locals *locals;
    F_ function;
};

/* The function object of one item, or of many in turn: a copy, whose local accessors
 * point to the group's memory. It is never destroyed, as an item may end anywhere. */
template <class F_> struct copy_of {
    alignas(F_) unsigned char bytes[sizeof(F_)];

    WEIRI_SYCL_INLINE void fill(weir_group *group)
    {
        const auto *given = static_cast<const arguments<F_> *>(group->args);
        __builtin_memcpy(bytes, &given->function, sizeof(F_));
        if constexpr (sizeof(F_) >= sizeof(void *)) {
            fill_locals(group, given->locals);
        }
    }

    WEIRI_SYCL_INLINE void fill_locals(weir_group *group,
                                       const weiri_sycl_locals *locals)
    {
        for (uint32_t i = 0; WEIRI_UNLIKELY(i < locals->n); i++) {
            const weiri_sycl_local *local = &locals->of[i];
            void *memory = local->k < group->n_arrays
                ? group->arrays[local->k].start
                : weiri_local_array(local->k, local->count, local->element_bytes,
                                    local->site);
            group->arrays[local->k].n_callers = group->shape.items;
            __builtin_memcpy(bytes + local->offset, &memory, sizeof(memory));
        }
    }

    /* The same for code with hooks, which are not to see it. */
    __attribute__((noinline)) WEIRI_UNINSTRUMENTED void fill_unseen(weir_group *group)
    {
        fill(group);
    }

    /* For a kernel whose entries run once for a group, which has the arrays then. */
    __attribute__((noinline)) WEIRI_UNINSTRUMENTED void fill_once(weir_group *group)
    {
        const auto *given = static_cast<const arguments<F_> *>(group->args);
        copy_unseen<F_>(bytes, &given->function);
        const weiri_sycl_locals *locals = given->locals;
        void *memory = nullptr;
        for (uint32_t i = 0; i < locals->n; i++) {
            const weiri_sycl_local *local = &locals->of[i];
            if (i == 0 || local->k != locals->of[i - 1].k) {
                memory = weiri_group_local_array(group, local->count,
                                                 local->element_bytes, local->site);
            }
            __builtin_memcpy(bytes + local->offset, &memory, sizeof(memory));
        }
    }

    WEIRI_SYCL_INLINE const F_ &function() const
    {
        return *reinterpret_cast<const F_ *>(bytes);
    }
};

WEIRI_SYCL_INLINE std::size_t least(std::size_t a, std::size_t b) noexcept
{
    return a < b ? a : b;
}

/* Whether F is asked how many items of a group have something to do. */
template <class F_, class = void> struct has_items_inside : std::false_type {
};
template <class F_>
struct has_items_inside<F_, std::void_t<decltype(&F_::items_inside)>> : std::true_type {
};

/* F is called with a weir_item. */
template <class F_> struct entries {
    /* Without hooks: a loop over the items of a group, as WEIRI_ITEM_LOOP. */
    static WEIRI_UNINSTRUMENTED void kernel__fast(weir_group *group, std::size_t first)
#if WEIRI_FAT == 3
        ;
#else
    {
        copy_of<F_> copy;
        copy.fill(group);
        const weiri_shape shape = group->shape;
        if (shape.dim == 1) {
            std::size_t inside = SIZE_MAX;
            if constexpr (has_items_inside<F_>::value) {
                inside = copy.function().items_inside(shape);
            }
            for (std::size_t i = (group->at = reinterpret_cast<void *>(first), first);
                 i < least(reinterpret_cast<std::size_t>(group->end), inside);
                 group->at = reinterpret_cast<void *>(++i)) {
                weir_item item = { group, &shape, i, { i, 0, 0 }, 0, nullptr };
                if constexpr (has_items_inside<F_>::value) {
                    copy.function().inside(item);
                } else {
                    copy.function()(item);
                }
            }
            return;
        }
        std::size_t local[3];
        weiri_seek(&shape, first, local);
        for (std::size_t i = (group->at = reinterpret_cast<void *>(first), first);
             i < reinterpret_cast<std::size_t>(group->end);
             group->at = reinterpret_cast<void *>(++i)) {
            weir_item item
                = { group, &shape, i, { local[0], local[1], local[2] }, 0, nullptr };
            copy.function()(item);
            weiri_step(&shape, local);
        }
    }
#endif

    /* One item, with hooks. */
    static __attribute__((noinline)) void kernel__checked_item(
        weir_group *group, std::size_t i, std::size_t x, std::size_t y, std::size_t z)
#if WEIRI_FAT == 1 || WEIRI_SPLIT
        ;
#else
    {
        copy_of<F_> copy;
        copy.fill_unseen(group);
        weir_item item = { group, &group->shape, i, { x, y, z }, 0, nullptr };
        copy.function()(item);
    }
#endif

    static auto checked_item()
    {
        return reinterpret_cast<void (*)()>(kernel__checked_item);
    }

    /* How clang spells F, with the place of a lambda; gcc does not say that. */
    static constexpr const char *type()
    {
#ifdef __clang__
        return __PRETTY_FUNCTION__;
#else
        return nullptr;
#endif
    }

    /* The stackless entries are in the object because of this call. */
    static void keep_split();

    static WEIRI_UNINSTRUMENTED void kernel__checked(weir_group *group,
                                                     std::size_t first)
#if WEIRI_FAT == 1 || WEIRI_SPLIT
        ;
#else
    {
        std::size_t local[3] = { first, 0, 0 };
        if (group->shape.dim > 1) {
            weiri_seek(&group->shape, first, local);
        }
        for (std::size_t i = (group->at = reinterpret_cast<void *>(first), first);
             i < reinterpret_cast<std::size_t>(group->end);
             group->at = reinterpret_cast<void *>(++i)) {
            weiri_item_begin(i);
            kernel__checked_item(group, i, local[0], local[1], local[2]);
            if (group->shape.dim > 1) {
                weiri_step(&group->shape, local);
            } else {
                local[0]++;
            }
        }
    }
#endif
};

/* ---- Kernels without stacks ------------------------------------------------------ */

#if WEIRI_SPLIT
/* As WEIR_KERNEL() has them. The local accessors in the arguments that a group has of
 * its own get their addresses before the first item runs. */
template <class F_> struct split_entries {
    static WEIRI_SYCL_INLINE void kernel__body(weir_item *item,
                                               const arguments<F_> *args)
    {
        args->function(*item);
    }
    static WEIRI_SYCL_INLINE void kernel__prepare(weir_group *group, std::size_t i)
    {
        if (i != 0 || group->place != 0) {
            return;
        }
        const auto *given = static_cast<const arguments<F_> *>(group->args);
        auto *bytes = const_cast<unsigned char *>(
                          static_cast<const unsigned char *>(group->args))
            + offsetof(arguments<F_>, function);
        for (uint32_t n = 0; n < given->locals->n; n++) {
            const weiri_sycl_local *local = &given->locals->of[n];
            void *memory = local->k < group->n_arrays
                ? group->arrays[local->k].start
                : weiri_split_arrays(group, local->k, local->count,
                                     local->element_bytes, local->site);
            std::memcpy(bytes + local->offset, &memory, sizeof(memory));
        }
    }
    WEIRI_SPLIT_ENTRY(kernel, arguments<F_>)
    static const weiri_sycl_split kernel__split;
};
template <class F_>
__attribute__((section("weir_splits")))
const weiri_sycl_split split_entries<F_>::kernel__split
    = { { kernel__split_bytes, kernel__split_waits, kernel__stackless,
          sizeof(arguments<F_>) },
        entries<F_>::kernel__fast,
        entries<F_>::type(),
        reinterpret_cast<void (*)()>(kernel__split_item) };

template <class F_> void entries<F_>::keep_split()
{
    if constexpr (alignof(arguments<F_>) <= 64) { /* see weiri_split_start() */
        __asm__ volatile("" : : "r"(&split_entries<F_>::kernel__split));
    }
}
#endif

} // namespace weiri

#endif
