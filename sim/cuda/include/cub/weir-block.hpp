/* SPDX-License-Identifier: MIT
 *
 * cub/weir-block.hpp: functions of CUB for the threads of a block. All of them work in
 * shared memory: a value a thread, and barriers between the steps. Storage may be used
 * again after a barrier, as in CUB. */
#ifndef WEIR_CUB_BLOCK_HPP
#define WEIR_CUB_BLOCK_HPP

#include <cub/weir-operators.hpp>
#include <weir/builtins.h>

namespace cub
{

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};
enum BlockScanAlgorithm {
    BLOCK_SCAN_RAKING,
    BLOCK_SCAN_RAKING_MEMOIZE,
    BLOCK_SCAN_WARP_SCANS,
};
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

/* Memory without a constructor, as shared memory must be. */
template <class T_, int n> struct weiri_storage {
    alignas(T_) unsigned char bytes[n * sizeof(T_)];
    WEIRI_DEVICE T_ *at(int i)
    {
        return (T_ *)bytes + i;
    }
};

/* Where no storage is given, the class has its own. */
#define WEIRI_BLOCK_CLASS(Class)                                                       \
    Storage &storage;                                                                  \
    int t;                                                                             \
    static WEIRI_DEVICE Storage &own_storage()                                         \
    {                                                                                  \
        __shared__ Storage own;                                                        \
        return own;                                                                    \
    }                                                                                  \
                                                                                       \
  public:                                                                              \
    struct TempStorage : Storage {                                                     \
        WEIRI_DEVICE Storage &Alias()                                                  \
        {                                                                              \
            return *this;                                                              \
        }                                                                              \
    };                                                                                 \
    WEIRI_DEVICE Class() : storage(own_storage()), t((int)weiri_cu_thread_rank())      \
    {                                                                                  \
    }                                                                                  \
    WEIRI_DEVICE explicit Class(TempStorage &storage_)                                 \
        : storage(storage_), t((int)weiri_cu_thread_rank())                            \
    {                                                                                  \
    }

/* ---- Reductions ------------------------------------------------------------ */

/* Thread 0 has the result. */
template <class T_, int X_, BlockReduceAlgorithm A_ = BLOCK_REDUCE_WARP_REDUCTIONS,
          int Y_ = 1, int Z_ = 1, int Arch = 0>
class BlockReduce
{
    typedef weiri_storage<T_, X_ * Y_ * Z_> Storage;
    WEIRI_BLOCK_CLASS(BlockReduce)

    /* In the order of threads, of which the first @n have a value. */
    template <class Op> WEIRI_DEVICE T_ Reduce(T_ value, Op op, int n)
    {
        *storage.at(t) = value;
        weiri_cu_syncthreads();
        for (int d = 1; d < n; d *= 2) {
            if (t % (2 * d) == 0 && t + d < n) {
                *storage.at(t) = op(*storage.at(t), *storage.at(t + d));
            }
            weiri_cu_syncthreads();
        }
        return *storage.at(t);
    }
    template <class Op> WEIRI_DEVICE T_ Reduce(T_ value, Op op)
    {
        return Reduce(value, op, X_ * Y_ * Z_);
    }
    template <int N_, class Op> WEIRI_DEVICE T_ Reduce(T_ (&values)[N_], Op op)
    {
        T_ value = values[0];
        for (int i = 1; i < N_; i++) {
            value = op(value, values[i]);
        }
        return Reduce(value, op);
    }
    WEIRI_DEVICE T_ Sum(T_ value)
    {
        return Reduce(value, cub::Sum());
    }
    WEIRI_DEVICE T_ Sum(T_ value, int n)
    {
        return Reduce(value, cub::Sum(), n);
    }
    template <int N_> WEIRI_DEVICE T_ Sum(T_ (&values)[N_])
    {
        return Reduce(values, cub::Sum());
    }
};

/* ---- Prefixes -------------------------------------------------------------- */

template <class T_, int X_, BlockScanAlgorithm A_ = BLOCK_SCAN_RAKING, int Y_ = 1,
          int Z_ = 1, int Arch = 0>
class BlockScan
{
    typedef weiri_storage<T_, X_ * Y_ * Z_> Storage;
    static constexpr int n = X_ * Y_ * Z_;

    /* The inclusive prefix of this thread. */
    template <class Op> WEIRI_DEVICE T_ scan(T_ value, Op op)
    {
        *storage.at(t) = value;
        weiri_cu_syncthreads();
        for (int d = 1; d < n; d *= 2) {
            T_ before = t >= d ? *storage.at(t - d) : value;
            weiri_cu_syncthreads();
            if (t >= d) {
                value = op(before, value);
                *storage.at(t) = value;
            }
            weiri_cu_syncthreads();
        }
        return value;
    }
    WEIRI_BLOCK_CLASS(BlockScan)

    template <class Op> WEIRI_DEVICE void InclusiveScan(T_ in, T_ &out, Op op)
    {
        out = scan(in, op);
    }
    template <class Op> WEIRI_DEVICE void InclusiveScan(T_ in, T_ &out, Op op, T_ &all)
    {
        out = scan(in, op);
        all = *storage.at(n - 1);
    }
    template <class Op>
    WEIRI_DEVICE void ExclusiveScan(T_ in, T_ &out, T_ first, Op op, T_ &all)
    {
        scan(in, op);
        all = *storage.at(n - 1);
        out = t == 0 ? first : op(first, *storage.at(t - 1));
    }
    template <class Op> WEIRI_DEVICE void ExclusiveScan(T_ in, T_ &out, T_ first, Op op)
    {
        T_ all;
        ExclusiveScan(in, out, first, op, all);
    }
    /* Without a first value, thread 0 has none. */
    template <class Op> WEIRI_DEVICE void ExclusiveScan(T_ in, T_ &out, Op op)
    {
        scan(in, op);
        out = *storage.at(t == 0 ? 0 : t - 1);
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

    /* Several values a thread. */
    template <int N_, class Op>
    WEIRI_DEVICE void InclusiveScan(T_ (&in)[N_], T_ (&out)[N_], Op op, T_ &all)
    {
        T_ sums[N_];
        sums[0] = in[0];
        for (int i = 1; i < N_; i++) {
            sums[i] = op(sums[i - 1], in[i]);
        }
        scan(sums[N_ - 1], op);
        all = *storage.at(n - 1);
        for (int i = 0; i < N_; i++) {
            out[i] = t == 0 ? sums[i] : op(*storage.at(t - 1), sums[i]);
        }
    }
    template <int N_, class Op>
    WEIRI_DEVICE void InclusiveScan(T_ (&in)[N_], T_ (&out)[N_], Op op)
    {
        T_ all;
        InclusiveScan(in, out, op, all);
    }
    template <int N_, class Op>
    WEIRI_DEVICE void ExclusiveScan(T_ (&in)[N_], T_ (&out)[N_], T_ first, Op op,
                                    T_ &all)
    {
        T_ sums[N_];
        InclusiveScan(in, sums, op, all);
        T_ before = t == 0 ? first : op(first, *storage.at(t - 1));
        for (int i = 0; i < N_; i++) {
            out[i] = i == 0 ? before : op(first, sums[i - 1]);
        }
    }
    template <int N_, class Op>
    WEIRI_DEVICE void ExclusiveScan(T_ (&in)[N_], T_ (&out)[N_], T_ first, Op op)
    {
        T_ all;
        ExclusiveScan(in, out, first, op, all);
    }
    template <int N_> WEIRI_DEVICE void InclusiveSum(T_ (&in)[N_], T_ (&out)[N_])
    {
        InclusiveScan(in, out, Sum());
    }
    template <int N_>
    WEIRI_DEVICE void InclusiveSum(T_ (&in)[N_], T_ (&out)[N_], T_ &all)
    {
        InclusiveScan(in, out, Sum(), all);
    }
    template <int N_> WEIRI_DEVICE void ExclusiveSum(T_ (&in)[N_], T_ (&out)[N_])
    {
        ExclusiveScan(in, out, T_(), Sum());
    }
    template <int N_>
    WEIRI_DEVICE void ExclusiveSum(T_ (&in)[N_], T_ (&out)[N_], T_ &all)
    {
        ExclusiveScan(in, out, T_(), Sum(), all);
    }
};

/* ---- Loads and stores: all of them are direct ------------------------------ */

/* The place of item @i of thread @t in the block's run of elements. */
template <int Threads, int Items, bool striped>
WEIRI_DEVICE int weiri_place(int t, int i)
{
    return striped ? i * Threads + t : t * Items + i;
}

template <class T_, int X_, int Items, BlockLoadAlgorithm A_ = BLOCK_LOAD_DIRECT,
          int Y_ = 1, int Z_ = 1, int Arch = 0>
class BlockLoad
{
    struct Storage {
    };
    static constexpr int n = X_ * Y_ * Z_;
    static WEIRI_DEVICE int place(int t, int i)
    {
        return weiri_place<n, Items, A_ == BLOCK_LOAD_STRIPED>(t, i);
    }
    WEIRI_BLOCK_CLASS(BlockLoad)

    template <class In> WEIRI_DEVICE void Load(In in, T_ (&items)[Items])
    {
        for (int i = 0; i < Items; i++) {
            items[i] = in[place(t, i)];
        }
    }
    template <class In> WEIRI_DEVICE void Load(In in, T_ (&items)[Items], int valid)
    {
        for (int i = 0; i < Items; i++) {
            if (place(t, i) < valid) {
                items[i] = in[place(t, i)];
            }
        }
    }
    template <class In, class Default>
    WEIRI_DEVICE void Load(In in, T_ (&items)[Items], int valid, Default other)
    {
        for (int i = 0; i < Items; i++) {
            items[i] = place(t, i) < valid ? (T_)in[place(t, i)] : (T_)other;
        }
    }
};

template <class T_, int X_, int Items, BlockStoreAlgorithm A_ = BLOCK_STORE_DIRECT,
          int Y_ = 1, int Z_ = 1, int Arch = 0>
class BlockStore
{
    struct Storage {
    };
    static constexpr int n = X_ * Y_ * Z_;
    static WEIRI_DEVICE int place(int t, int i)
    {
        return weiri_place<n, Items, A_ == BLOCK_STORE_STRIPED>(t, i);
    }
    WEIRI_BLOCK_CLASS(BlockStore)

    template <class Out> WEIRI_DEVICE void Store(Out out, T_ (&items)[Items])
    {
        for (int i = 0; i < Items; i++) {
            out[place(t, i)] = items[i];
        }
    }
    template <class Out> WEIRI_DEVICE void Store(Out out, T_ (&items)[Items], int valid)
    {
        for (int i = 0; i < Items; i++) {
            if (place(t, i) < valid) {
                out[place(t, i)] = items[i];
            }
        }
    }
};

/* ---- Sorting --------------------------------------------------------------- */

struct NullType {
};

/* Each thread counts the keys that come before its own: simple, stable, and quadratic.
 * The order is that of operator<. */
template <class K_, int X_, int Items, class V_ = NullType, int Radix = 4,
          bool Memoize = true, BlockScanAlgorithm A_ = BLOCK_SCAN_WARP_SCANS,
          int Config = 0, int Y_ = 1, int Z_ = 1, int Arch = 0>
class BlockRadixSort
{
    static constexpr int threads = X_ * Y_ * Z_, n = threads * Items;
    struct Storage {
        weiri_storage<K_, n> keys;
        weiri_storage<V_, n> values;
    };

    template <bool striped, bool descending>
    WEIRI_DEVICE void sort(K_ (&keys)[Items], V_ *values)
    {
        int places[Items];
        for (int i = 0; i < Items; i++) {
            *storage.keys.at(t * Items + i) = keys[i];
        }
        weiri_cu_syncthreads();
        for (int i = 0; i < Items; i++) {
            places[i] = 0;
            for (int k = 0; k < n; k++) {
                K_ other = *storage.keys.at(k);
                bool before = descending ? keys[i] < other : other < keys[i];
                bool after = descending ? other < keys[i] : keys[i] < other;
                places[i] += before || (!after && k < t * Items + i);
            }
        }
        weiri_cu_syncthreads();
        for (int i = 0; i < Items; i++) {
            *storage.keys.at(places[i]) = keys[i];
            if (values != nullptr) {
                *storage.values.at(places[i]) = values[i];
            }
        }
        weiri_cu_syncthreads();
        for (int i = 0; i < Items; i++) {
            int place = weiri_place<threads, Items, striped>(t, i);
            keys[i] = *storage.keys.at(place);
            if (values != nullptr) {
                values[i] = *storage.values.at(place);
            }
        }
    }
    WEIRI_BLOCK_CLASS(BlockRadixSort)

#define WEIRI_SORT(name, striped, descending)                                          \
    WEIRI_DEVICE void name(K_(&keys)[Items], int = 0, int = 8 * sizeof(K_))            \
    {                                                                                  \
        sort<striped, descending>(keys, nullptr);                                      \
    }                                                                                  \
    template <class U_>                                                                \
    WEIRI_DEVICE void name(K_(&keys)[Items], U_(&values)[Items], int = 0,              \
                           int = 8 * sizeof(K_))                                       \
    {                                                                                  \
        sort<striped, descending>(keys, values);                                       \
    }
    WEIRI_SORT(Sort, false, false)
    WEIRI_SORT(SortDescending, false, true)
    WEIRI_SORT(SortBlockedToStriped, true, false)
    WEIRI_SORT(SortDescendingBlockedToStriped, true, true)
#undef WEIRI_SORT
};

#undef WEIRI_BLOCK_CLASS

} // namespace cub

#endif
