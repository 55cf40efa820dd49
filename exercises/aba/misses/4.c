/* check: with a count, but each group has a list of its own */
#include "aba.h"

/* The lowest byte of head is a place; the rest counts what was given back. */
enum { PLACE = 255, TAG = 256 };

static int32_t take(const list_args *args)
{
    int32_t head = weir_atomic_load_explicit(args->head, memory_order_acquire,
                                             memory_scope_work_group);
    int32_t next;
    do {
        next = weir_atomic_load_explicit(&args->next[head & PLACE],
                                         memory_order_relaxed, memory_scope_work_group);
    } while (!weir_atomic_compare_exchange_strong_explicit(
        args->head, &head, (head & ~PLACE) | next, memory_order_acquire,
        memory_order_acquire, memory_scope_work_group));
    return head & PLACE;
}

static void give(const list_args *args, int32_t place)
{
    int32_t head = weir_atomic_load_explicit(args->head, memory_order_relaxed,
                                             memory_scope_work_group);
    do {
        weir_atomic_store_explicit(&args->next[place], head & PLACE,
                                   memory_order_relaxed, memory_scope_work_group);
    } while (!weir_atomic_compare_exchange_strong_explicit(
        args->head, &head, ((head & ~PLACE) + TAG) | place, memory_order_release,
        memory_order_relaxed, memory_scope_work_group));
}

WEIR_KERNEL(take_two, list_args)
{
    size_t i = weir_global_id(item, 0);
    args->first[i] = take(args);
    args->second[i] = take(args);
    give(args, args->first[i]);
}
