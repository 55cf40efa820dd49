/* SPDX-License-Identifier: MIT
 *
 * cooperative_groups/reduce.h: one value of all lanes of a tile or a coalesced group.
 */
#ifndef WEIR_COOPERATIVE_GROUPS_REDUCE_H
#define WEIR_COOPERATIVE_GROUPS_REDUCE_H

#include <atomic>

#include <cooperative_groups.h>

namespace cooperative_groups
{

/* In a tree: values of neighbours are joined in the order of ranks. Rank 0 has the
 * result, and gives it to all. */
template <class Group, class T_, class Op>
WEIRI_DEVICE T_ weiri_reduce(const Group &group, T_ value, Op &&op)
{
    unsigned int n = group.num_threads(), rank = group.thread_rank();
    for (unsigned int d = 1; d < n; d *= 2) {
        T_ other = group.shfl_down(value, d);
        if (d < n - rank) {
            value = op(value, other);
        }
    }
    return group.shfl(value, 0);
}

template <unsigned int Size, class Parent, class T_, class Op>
WEIRI_DEVICE typename std::enable_if<Size <= 32, T_>::type weiri_reduce(
    const thread_block_tile<Size, Parent> &group, T_ value, Op &&op)
{
    for (unsigned int d = Size / 2; d > 0; d /= 2) {
        value = op(value, group.shfl_xor(value, d));
    }
    return value;
}

template <unsigned int Size, class Parent, class T_, class Op>
WEIRI_DEVICE typename std::enable_if<(Size > 32), T_>::type weiri_reduce(
    const thread_block_tile<Size, Parent> &group, T_ value, Op &&op)
{
    return group.weiri_join(weiri_reduce(thread_block_tile<32>(), value, op), op);
}

template <class Group, class T_, class Op>
WEIRI_DEVICE auto reduce(const Group &group, T_ &&value, Op &&op) ->
    typename std::decay<T_>::type
{
    typedef typename std::decay<T_>::type V_;
    return weiri_reduce(group, (V_)value, static_cast<Op &&>(op));
}

/* Stores the result by a plain write, or joins it with an atomic object. */
template <class Group, class T_, class V_, class Op>
WEIRI_DEVICE void reduce_store_async(const Group &group, T_ *to, V_ &&value, Op &&op)
{
    T_ all = reduce(group, (T_)value, op);
    if (group.thread_rank() == 0) {
        *to = all;
    }
}

template <class Group, class Atomic, class V_, class Op>
WEIRI_DEVICE void reduce_store_async(const Group &group, Atomic &to, V_ &&value,
                                     Op &&op)
{
    typedef typename Atomic::value_type T_;
    T_ all = reduce(group, (T_)value, op);
    if (group.thread_rank() == 0) {
        to.store(all, std::memory_order_relaxed);
    }
}

template <class Group, class Atomic, class V_, class Op>
WEIRI_DEVICE void reduce_update_async(const Group &group, Atomic &to, V_ &&value,
                                      Op &&op)
{
    typedef typename Atomic::value_type T_;
    T_ all = reduce(group, (T_)value, op);
    if (group.thread_rank() == 0) {
        T_ old = to.load(std::memory_order_relaxed);
        while (
            !to.compare_exchange_weak(old, op(old, all), std::memory_order_relaxed)) {}
    }
}

} // namespace cooperative_groups

#endif
