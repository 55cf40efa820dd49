/* SPDX-License-Identifier: MIT
 *
 * builtins-copy.h: asynchronous copies. A part of builtins.c: [CL30C] 6.15.11.
 *
 * All items of a group meet at each of these calls with the same arguments, which a
 * number stands for: arguments that differ are a divergence. Asking for a copy orders
 * nothing; after the wait all items see the copied elements. exec/copy.c does the
 * copy. */

/* The arguments of a rendezvous, in 32 bits: a multiplicative hash of 64. */
HELPER uint32_t mixed(uint32_t before, uint64_t value)
{
    uint64_t mix = (value ^ before) * UINT64_C(0x9e3779b97f4a7c15);
    mix ^= mix >> 29;
    return (uint32_t)((mix * UINT64_C(0xbf58476d1ce4e5b9)) >> 33);
}

HELPER void *copy(void *item, const void *site, void *to, const void *from, size_t n,
                  size_t to_step, size_t from_step, size_t bytes, void *event)
{
    uint32_t hash = mixed(0, (uintptr_t)to);
    hash = mixed(hash, (uintptr_t)from);
    hash = mixed(hash, n);
    hash = mixed(hash, to_step * 31 + from_step);
    hash = mixed(hash, (uintptr_t)event);
    uint64_t number = weiri_copy_begin(to, from, n, to_step, from_step, bytes,
                                       (uintptr_t)event, site);
    weiri_meet(item,
               WEIRI_OP(WEIRI_COPY, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP,
                        memory_scope_work_group, 0, hash),
               site);
    return (void *)(uintptr_t)number;
}

OWN void *weiri_cl_async_copy(void *item, const void *site, size_t bytes, void *to,
                              const void *from, size_t n, void *event)
{
    return copy(item, site, to, from, n, bytes, bytes, bytes, event);
}

/* @stride: in elements, of the side that is in global memory. @space: of @to */
OWN void *weiri_cl_async_strided_copy(void *item, const void *site, uint32_t space,
                                      size_t bytes, void *to, const void *from,
                                      size_t n, size_t stride, void *event)
{
    size_t step = stride * bytes;
    return space == WEIR_LOCAL
        ? copy(item, site, to, from, n, bytes, step, bytes, event)
        : copy(item, site, to, from, n, step, bytes, bytes, event);
}

/* The program's variables are of type event_t, which is not a number. */
typedef uint64_t event_number __attribute__((may_alias));

OWN void weiri_cl_wait_events(void *item, const void *site, int n, const void *events)
{
    const event_number *list = events;
    uint32_t hash = mixed(0, (uint64_t)n);
    for (int i = 0; i < n; i++) {
        uint64_t event = list[i];
        hash = mixed(hash, event);
        weiri_copy_finish(event, site);
    }
    weiri_meet(item,
               WEIRI_OP(WEIRI_WAIT, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP,
                        memory_scope_work_group, WEIR_LOCAL | WEIR_GLOBAL, hash),
               site);
}

/* A hint: [CL30C] 6.15.11. */
OWN void weiri_cl_prefetch(const void *from, size_t n)
{
    (void)from;
    (void)n;
}
