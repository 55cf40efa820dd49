/* A lock guards the list. */
#include "aba.h"

static void take_lock(const list_args *args)
{
    while (weir_atomic_exchange_explicit(args->spare, 1, memory_order_acquire,
                                         memory_scope_device)
           != 0) {}
}

static void give_lock(const list_args *args)
{
    weir_atomic_store_explicit(args->spare, 0, memory_order_release,
                               memory_scope_device);
}

static int32_t take(const list_args *args)
{
    take_lock(args);
    int32_t place = *args->head;
    *args->head = args->next[place];
    give_lock(args);
    return place;
}

static void give(const list_args *args, int32_t place)
{
    take_lock(args);
    args->next[place] = *args->head;
    *args->head = place;
    give_lock(args);
}

WEIR_KERNEL(take_two, list_args)
{
    size_t i = weir_global_id(item, 0);
    args->first[i] = take(args);
    args->second[i] = take(args);
    give(args, args->first[i]);
}
