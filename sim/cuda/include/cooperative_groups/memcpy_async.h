/* SPDX-License-Identifier: MIT
 *
 * cooperative_groups/memcpy_async.h: a copy that the threads of a group share. */
#ifndef WEIR_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WEIR_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>
#include <weir/aligned-size.h>
#include <weir/copies.h>

namespace cooperative_groups
{

template <class Group>
WEIRI_DEVICE void weiri_memcpy_async(const Group &group, void *to, const void *from,
                                     size_t bytes)
{
    weiri::copy_pieces(to, from, bytes, (size_t)group.thread_rank(),
                       (size_t)group.num_threads());
    weiri_cu_copy_commit();
}

template <class Group, class To, class From>
WEIRI_DEVICE void memcpy_async(const Group &group, To *to, const From *from,
                               size_t bytes)
{
    weiri_memcpy_async(group, to, from, bytes);
}

template <class Group, class To, class From, size_t Alignment>
WEIRI_DEVICE void memcpy_async(const Group &group, To *to, const From *from,
                               const cuda::aligned_size_t<Alignment> &bytes)
{
    weiri_memcpy_async(group, to, from, bytes);
}

/* Layouts: numbers of elements of both arrays, of which the smaller one counts. */
template <class Group, class T_, class ToLayout, class FromLayout>
WEIRI_DEVICE void memcpy_async(const Group &group, T_ *to, const ToLayout &n_to,
                               const T_ *from, const FromLayout &n_from)
{
    size_t a = n_to, b = n_from;
    weiri_memcpy_async(group, to, from, (a < b ? a : b) * sizeof(T_));
}

template <class Group> WEIRI_DEVICE void wait(const Group &group)
{
    weiri_cu_copy_wait(0);
    group.sync();
}

/* All but the last @N copies have ended. */
template <unsigned int N_, class Group> WEIRI_DEVICE void wait_prior(const Group &group)
{
    weiri_cu_copy_wait(N_);
    group.sync();
}

} // namespace cooperative_groups

#endif
