/* explore: a second look at the head is not later than the exchange */
#include "aba.h"

static int32_t take(const list_args *args)
{
    int32_t head = weir_atomic_load_explicit(args->head, memory_order_acquire,
                                             memory_scope_device);
    int32_t next, again;
    do {
        again = head;
        next = weir_atomic_load_explicit(&args->next[head], memory_order_relaxed,
                                         memory_scope_device);
        head = weir_atomic_load_explicit(args->head, memory_order_acquire,
                                         memory_scope_device);
    } while (again != head
             || !weir_atomic_compare_exchange_strong_explicit(
                 args->head, &head, next, memory_order_acquire, memory_order_acquire,
                 memory_scope_device));
    return head;
}

static void give(const list_args *args, int32_t place)
{
    int32_t head = weir_atomic_load_explicit(args->head, memory_order_relaxed,
                                             memory_scope_device);
    do {
        weir_atomic_store_explicit(&args->next[place], head, memory_order_relaxed,
                                   memory_scope_device);
    } while (!weir_atomic_compare_exchange_strong_explicit(
        args->head, &head, place, memory_order_release, memory_order_relaxed,
        memory_scope_device));
}

WEIR_KERNEL(take_two, list_args)
{
    size_t i = weir_global_id(item, 0);
    args->first[i] = take(args);
    args->second[i] = take(args);
    give(args, args->first[i]);
}
