/* The whole list is taken away while it is changed. */
#include "aba.h"

enum { AWAY = -1 };

static int32_t take_list(const list_args *args)
{
    int32_t head;
    do {
        head = weir_atomic_exchange_explicit(args->head, AWAY, memory_order_acquire,
                                             memory_scope_device);
    } while (head == AWAY);
    return head;
}

static void give_list(const list_args *args, int32_t head)
{
    weir_atomic_store_explicit(args->head, head, memory_order_release,
                               memory_scope_device);
}

static int32_t take(const list_args *args)
{
    int32_t place = take_list(args);
    give_list(args, args->next[place]);
    return place;
}

static void give(const list_args *args, int32_t place)
{
    args->next[place] = take_list(args);
    give_list(args, place);
}

WEIR_KERNEL(take_two, list_args)
{
    size_t i = weir_global_id(item, 0);
    args->first[i] = take(args);
    args->second[i] = take(args);
    give(args, args->first[i]);
}
