/* SPDX-License-Identifier: MIT
 *
 * cub/weir-warp.hpp: functions of CUB for the lanes of a warp, or a part of one. */
#ifndef WEIR_CUB_WARP_HPP
#define WEIR_CUB_WARP_HPP

#include <cooperative_groups.h>
#include <cub/weir-operators.hpp>

namespace cub
{

/* Parts whose size is not a power of two begin at multiples of it, too. */
template <int Lanes> struct weiri_part {
    static WEIRI_DEVICE int rank()
    {
        return (int)weiri_cu_lane() % Lanes;
    }
    static WEIRI_DEVICE unsigned int mask()
    {
        return weiri::bits_below(Lanes) << (int)weiri_cu_lane() / Lanes * Lanes;
    }
    /* The value of the lane that is @distance higher, or lower. */
    template <class T_> static WEIRI_DEVICE T_ take(T_ value, int distance)
    {
        int to = rank() + distance;
        unsigned int lane
            = weiri_cu_lane() + (unsigned int)(to >= 0 && to < Lanes ? distance : 0);
        return weiri::move_words(value, weiri::move_index{ mask(), lane, 31 });
    }
    template <class T_> static WEIRI_DEVICE T_ take_from(T_ value, int rank_)
    {
        unsigned int lane = weiri_cu_lane() / Lanes * Lanes + (unsigned int)rank_;
        return weiri::move_words(value, weiri::move_index{ mask(), lane, 31 });
    }
};

/* Lane 0 has the result. */
template <class T_, int Lanes = 32, int Arch = 0> class WarpReduce
{
    typedef weiri_part<Lanes> part;

  public:
    struct TempStorage {
    };
    WEIRI_DEVICE explicit WarpReduce(TempStorage &)
    {
    }
    template <class Op> WEIRI_DEVICE T_ Reduce(T_ value, Op op, int n)
    {
        int rank = part::rank();
        for (int d = 1; d < Lanes; d *= 2) {
            T_ other = part::take(value, d);
            if (rank + d < n) {
                value = op(value, other);
            }
        }
        return value;
    }
    template <class Op> WEIRI_DEVICE T_ Reduce(T_ value, Op op)
    {
        return Reduce(value, op, Lanes);
    }
    WEIRI_DEVICE T_ Sum(T_ value)
    {
        return Reduce(value, cub::Sum());
    }
    WEIRI_DEVICE T_ Sum(T_ value, int n)
    {
        return Reduce(value, cub::Sum(), n);
    }
};

template <class T_, int Lanes = 32, int Arch = 0> class WarpScan
{
    typedef weiri_part<Lanes> part;

  public:
    struct TempStorage {
    };
    WEIRI_DEVICE explicit WarpScan(TempStorage &)
    {
    }
    template <class Op> WEIRI_DEVICE void InclusiveScan(T_ in, T_ &out, Op op)
    {
        int rank = part::rank();
        out = in;
        for (int d = 1; d < Lanes; d *= 2) {
            T_ before = part::take(out, -d);
            if (rank >= d) {
                out = op(before, out);
            }
        }
    }
    template <class Op> WEIRI_DEVICE void InclusiveScan(T_ in, T_ &out, Op op, T_ &all)
    {
        InclusiveScan(in, out, op);
        all = part::take_from(out, Lanes - 1);
    }
    template <class Op>
    WEIRI_DEVICE void ExclusiveScan(T_ in, T_ &out, T_ first, Op op, T_ &all)
    {
        T_ sum;
        InclusiveScan(in, sum, op, all);
        T_ before = part::take(sum, -1);
        out = part::rank() == 0 ? first : op(first, before);
    }
    template <class Op> WEIRI_DEVICE void ExclusiveScan(T_ in, T_ &out, T_ first, Op op)
    {
        T_ all;
        ExclusiveScan(in, out, first, op, all);
    }
    template <class Op> WEIRI_DEVICE void ExclusiveScan(T_ in, T_ &out, Op op)
    {
        T_ sum;
        InclusiveScan(in, sum, op);
        out = part::take(sum, -1);
    }
    WEIRI_DEVICE void InclusiveSum(T_ in, T_ &out)
    {
        InclusiveScan(in, out, Sum());
    }
    WEIRI_DEVICE void InclusiveSum(T_ in, T_ &out, T_ &all)
    {
        InclusiveScan(in, out, Sum(), all);
    }
    WEIRI_DEVICE void ExclusiveSum(T_ in, T_ &out)
    {
        ExclusiveScan(in, out, T_(), Sum());
    }
    WEIRI_DEVICE void ExclusiveSum(T_ in, T_ &out, T_ &all)
    {
        ExclusiveScan(in, out, T_(), Sum(), all);
    }
    WEIRI_DEVICE T_ Broadcast(T_ value, unsigned int lane)
    {
        return part::take_from(value, (int)lane);
    }
};

} // namespace cub

#endif
