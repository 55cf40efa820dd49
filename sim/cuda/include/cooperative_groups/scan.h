/* SPDX-License-Identifier: MIT
 *
 * cooperative_groups/scan.h: prefixes of the values of a tile or a coalesced group. */
#ifndef WEIR_COOPERATIVE_GROUPS_SCAN_H
#define WEIR_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups.h>

namespace cooperative_groups
{

template <class Group, class T_, class Op>
WEIRI_DEVICE auto inclusive_scan(const Group &group, T_ &&value, Op &&op) ->
    typename std::decay<T_>::type
{
    typename std::decay<T_>::type sum = value;
    unsigned int n = group.num_threads(), rank = group.thread_rank();
    for (unsigned int d = 1; d < n; d *= 2) {
        typename std::decay<T_>::type before = group.shfl_up(sum, d);
        if (rank >= d) {
            sum = op(before, sum);
        }
    }
    return sum;
}

template <class Group, class T_>
WEIRI_DEVICE auto inclusive_scan(const Group &group, T_ &&value) ->
    typename std::decay<T_>::type
{
    return inclusive_scan(group, static_cast<T_ &&>(value),
                          plus<typename std::decay<T_>::type>());
}

/* Rank 0 has a value of zeros, as in CUDA. */
template <class Group, class T_, class Op>
WEIRI_DEVICE auto exclusive_scan(const Group &group, T_ &&value, Op &&op) ->
    typename std::decay<T_>::type
{
    typedef typename std::decay<T_>::type V_;
    V_ sum = inclusive_scan(group, static_cast<T_ &&>(value), static_cast<Op &&>(op));
    V_ before = group.shfl_up(sum, 1);
    return group.thread_rank() == 0 ? V_{} : before;
}

template <class Group, class T_>
WEIRI_DEVICE auto exclusive_scan(const Group &group, T_ &&value) ->
    typename std::decay<T_>::type
{
    return exclusive_scan(group, static_cast<T_ &&>(value),
                          plus<typename std::decay<T_>::type>());
}

} // namespace cooperative_groups

#endif
