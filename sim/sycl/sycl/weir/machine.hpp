/* SPDX-License-Identifier: MIT
 *
 * machine.hpp: what the SYCL header takes from Weir's machine: places in the source,
 * the entries of a kernel, and the functions of sycl-machine.h. Not for users.
 *
 * A kernel is an object on the host, the lambda with what it captures, which a launch
 * copies as its arguments. Its entries are those of WEIR_KERNEL(), as templates.
 * Nothing of this header is seen in a report: what is inlined into a kernel is taken
 * for the user's line that calls it (report/symbol.c). */
#ifndef WEIR_SYCL_MACHINE_HPP
#define WEIR_SYCL_MACHINE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace weiri
{
extern "C" {
#include "../../sycl-machine.h"
#include "weir-machinery-shared.h"
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

/* ---- Kernels --------------------------------------------------------------------- */

/* What a launch copies: the function object, after what the entries need to know of it.
 * Local accessors in it hold keys until an item starts; then addresses. */
template <class F> struct arguments {
    const weiri_sycl_locals *locals;
    F function;
};

/* The function object of one item, or of many in turn: a copy, whose local accessors
 * point to the group's memory. It is never destroyed, as an item may end anywhere. */
template <class F> struct copy_of {
    alignas(F) unsigned char bytes[sizeof(F)];

    WEIRI_SYCL_INLINE void fill(weir_group *group)
    {
        const auto *given = static_cast<const arguments<F> *>(group->args);
        std::memcpy(bytes, &given->function, sizeof(F));
        const weiri_sycl_locals *locals = given->locals;
        for (uint32_t i = 0; WEIRI_UNLIKELY(i < locals->n); i++) {
            const weiri_sycl_local *local = &locals->of[i];
            void *memory = local->k < group->n_arrays
                ? group->arrays[local->k].start
                : weiri_local_array(local->k, local->count, local->element_bytes,
                                    local->site);
            group->arrays[local->k].n_callers = group->shape.items;
            std::memcpy(bytes + local->offset, &memory, sizeof(memory));
        }
    }

    /* The same for code with hooks, which are not to see it. */
    __attribute__((noinline)) WEIRI_UNINSTRUMENTED void fill_unseen(weir_group *group)
    {
        fill(group);
    }

    WEIRI_SYCL_INLINE const F &function() const
    {
        return *reinterpret_cast<const F *>(bytes);
    }
};

/* F is called with a weir_item. */
template <class F> struct entries {
    /* Without hooks: a loop over the items of a group, as WEIRI_ITEM_LOOP. */
    static WEIRI_UNINSTRUMENTED void kernel__fast(weir_group *group, std::size_t first)
    {
        copy_of<F> copy;
        copy.fill(group);
        const weiri_shape shape = group->shape;
        if (shape.dim == 1) {
            for (std::size_t i = (group->at = reinterpret_cast<void *>(first), first);
                 i < reinterpret_cast<std::size_t>(group->end);
                 group->at = reinterpret_cast<void *>(++i)) {
                weir_item item = { group, &shape, i, { i, 0, 0 }, 0 };
                copy.function()(item);
            }
            return;
        }
        std::size_t local[3];
        weiri_seek(&shape, first, local);
        for (std::size_t i = (group->at = reinterpret_cast<void *>(first), first);
             i < reinterpret_cast<std::size_t>(group->end);
             group->at = reinterpret_cast<void *>(++i)) {
            weir_item item = { group, &shape, i, { local[0], local[1], local[2] }, 0 };
            copy.function()(item);
            weiri_step(&shape, local);
        }
    }

    /* One item, with hooks. */
    static __attribute__((noinline)) void kernel__checked_item(
        weir_group *group, std::size_t i, std::size_t x, std::size_t y, std::size_t z)
    {
        copy_of<F> copy;
        copy.fill_unseen(group);
        weir_item item = { group, &group->shape, i, { x, y, z }, 0 };
        copy.function()(item);
    }

    static auto checked_item()
    {
        return reinterpret_cast<void (*)()>(kernel__checked_item);
    }

    static WEIRI_UNINSTRUMENTED void kernel__checked(weir_group *group,
                                                     std::size_t first)
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
};

} // namespace weiri

#endif
