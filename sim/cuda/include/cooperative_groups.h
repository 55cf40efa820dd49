/* SPDX-License-Identifier: MIT
 *
 * cooperative_groups.h: CUDA's groups of threads.
 *
 * A group of lanes is a mask of its warp. The lanes of a tile are neighbours, so its
 * shuffles are the warp's with a width; a coalesced group may have any lanes, and its
 * ranks count those of the mask.
 *
 * The file is long because the groups share their parts, and programs expect all of
 * them from this header. */
#ifndef WEIR_COOPERATIVE_GROUPS_H
#define WEIR_COOPERATIVE_GROUPS_H

#include <stddef.h>
#include <type_traits>

#include <vector_types.h>
#include <weir/bits.h>
#include <weir/builtins.h>
#include <weir/integers.h>

#define _CG_HAS_CLUSTER_GROUP 1

/* ---- Values of any type, in words ------------------------------------------ */

namespace weiri
{

/* Calls MOVE(word) for each word of a value, in 4 or 8 bytes. */
template <class T_, class Move> WEIRI_DEVICE T_ move_words(T_ value, const Move &move)
{
    static_assert(std::is_trivially_copyable<T_>::value,
                  "a value that lanes exchange is copied by its bits");
    constexpr size_t n = (sizeof(T_) + 7) / 8;
    if (sizeof(T_) <= 4) {
        uint32_t word = 0;
        __builtin_memcpy(&word, &value, sizeof(T_) <= 4 ? sizeof(T_) : 0);
        word = move(word);
        __builtin_memcpy(&value, &word, sizeof(T_) <= 4 ? sizeof(T_) : 0);
        return value;
    }
    uint64_t words[n] = {};
    __builtin_memcpy(words, &value, sizeof(T_));
    for (size_t i = 0; i < n; i++) {
        words[i] = move(words[i]);
    }
    __builtin_memcpy(&value, words, sizeof(T_));
    return value;
}

#define WEIRI_MOVE(name)                                                               \
    struct move_##name {                                                               \
        unsigned int mask, argument, bounds;                                           \
        WEIRI_DEVICE uint32_t operator()(uint32_t word) const                          \
        {                                                                              \
            return weiri_cu_shuffle_##name##_u32(mask, word, argument, bounds);        \
        }                                                                              \
        WEIRI_DEVICE uint64_t operator()(uint64_t word) const                          \
        {                                                                              \
            return weiri_cu_shuffle_##name##_u64(mask, word, argument, bounds);        \
        }                                                                              \
    };
WEIRI_MOVE(index)
WEIRI_MOVE(xor)
WEIRI_MOVE(down)
WEIRI_MOVE(up)
#undef WEIRI_MOVE

#define WEIRI_MATCH(name)                                                              \
    template <class T_>                                                                \
    WEIRI_DEVICE unsigned int match_##name(unsigned int mask, T_ value)                \
    {                                                                                  \
        static_assert(sizeof(T_) <= 8, "a value that is matched has 8 bytes at most"); \
        uint64_t word = 0;                                                             \
        __builtin_memcpy(&word, &value, sizeof(T_));                                   \
        return sizeof(T_) <= 4 ? weiri_cu_match_##name##_u32(mask, (uint32_t)word)     \
                               : weiri_cu_match_##name##_u64(mask, word);              \
    }
WEIRI_MATCH(any)
WEIRI_MATCH(all)
#undef WEIRI_MATCH

/* The place of set bit number @rank; 32 if there are not so many. */
WEIRI_DEVICE unsigned int lane_of_rank(unsigned int mask, unsigned int rank)
{
    for (; rank > 0; rank--) {
        mask &= mask - 1;
    }
    return mask != 0 ? (unsigned int)__builtin_ctz(mask) : 32;
}

/* The bits of @bits at the places of @mask, side by side. */
WEIRI_DEVICE unsigned int packed(unsigned int mask, unsigned int bits)
{
    unsigned int result = 0;
    for (unsigned int rank = 0; mask != 0; rank++) {
        unsigned int lane = (unsigned int)__builtin_ctz(mask);
        result |= (bits >> lane & 1) << rank;
        mask &= mask - 1;
    }
    return result;
}

WEIRI_DEVICE unsigned int bits_below(unsigned int n)
{
    return n < 32 ? (1u << n) - 1 : 0xffffffffu;
}

} // namespace weiri

namespace cooperative_groups
{

struct cluster_group;
struct grid_group;
struct thread_block;
struct coalesced_group;
template <unsigned int Size, class Parent> struct thread_block_tile;

/* ---- Any group ------------------------------------------------------------- */

namespace details
{

enum group_kind { of_lanes, of_block, of_cluster, of_grid };

struct no_parent {
};

} // namespace details

/* A group whose kind is known at run time. */
class thread_group
{
  protected:
    details::group_kind kind;
    unsigned int mask; /* of lanes */
    unsigned int meta_rank, meta_size;

    WEIRI_DEVICE thread_group(details::group_kind kind_, unsigned int mask_,
                              unsigned int meta_rank_ = 0, unsigned int meta_size_ = 1)
        : kind(kind_), mask(mask_), meta_rank(meta_rank_), meta_size(meta_size_)
    {
    }
    friend WEIRI_DEVICE thread_group tiled_partition(const thread_group &parent,
                                                     unsigned int size);

  public:
    WEIRI_DEVICE void sync() const
    {
        if (kind == details::of_lanes) {
            weiri_cu_warp_sync(mask);
        } else if (kind == details::of_grid) {
            weiri_cu_grid_sync();
        } else if (kind == details::of_cluster) {
            weiri_cu_cluster_sync();
        } else {
            weiri_cu_syncthreads();
        }
    }
    WEIRI_DEVICE unsigned long long num_threads() const
    {
        if (kind == details::of_lanes) {
            return (unsigned int)__builtin_popcount(mask);
        }
        unsigned long long block = weiri_cu_block_threads();
        return kind == details::of_grid
            ? block * weiri_cu_grid_dim(0) * weiri_cu_grid_dim(1) * weiri_cu_grid_dim(2)
            : kind == details::of_cluster ? block * weiri_cu_cluster_blocks()
                                          : block;
    }
    WEIRI_DEVICE unsigned long long size() const
    {
        return num_threads();
    }
    WEIRI_DEVICE unsigned long long thread_rank() const
    {
        if (kind == details::of_lanes) {
            return (unsigned int)__builtin_popcount(
                mask & weiri::bits_below(weiri_cu_lane()));
        }
        unsigned long long rank = weiri_cu_thread_rank();
        if (kind == details::of_grid) {
            unsigned long long row
                = (unsigned long long)weiri_cu_block(2) * weiri_cu_grid_dim(1)
                + weiri_cu_block(1);
            rank += (row * weiri_cu_grid_dim(0) + weiri_cu_block(0))
                * weiri_cu_block_threads();
        } else if (kind == details::of_cluster) {
            rank += weiri_cu_cluster_rank() * weiri_cu_block_threads();
        }
        return rank;
    }
    WEIRI_DEVICE unsigned int get_type() const
    {
        return kind;
    }
    WEIRI_DEVICE bool is_valid() const
    {
        return true;
    }
};

/* ---- The block ------------------------------------------------------------- */

struct thread_block : thread_group {
    WEIRI_DEVICE thread_block() : thread_group(details::of_block, 0)
    {
    }
    static WEIRI_DEVICE void sync()
    {
        weiri_cu_syncthreads();
    }
    static WEIRI_DEVICE unsigned int thread_rank()
    {
        return weiri_cu_thread_rank();
    }
    static WEIRI_DEVICE unsigned int num_threads()
    {
        return weiri_cu_block_threads();
    }
    static WEIRI_DEVICE unsigned int size()
    {
        return num_threads();
    }
    static WEIRI_DEVICE dim3 group_index()
    {
        return dim3(weiri_cu_block(0), weiri_cu_block(1), weiri_cu_block(2));
    }
    static WEIRI_DEVICE dim3 thread_index()
    {
        return dim3(weiri_cu_thread(0), weiri_cu_thread(1), weiri_cu_thread(2));
    }
    static WEIRI_DEVICE dim3 dim_threads()
    {
        return dim3(weiri_cu_block_dim(0), weiri_cu_block_dim(1),
                    weiri_cu_block_dim(2));
    }
    static WEIRI_DEVICE dim3 group_dim()
    {
        return dim_threads();
    }
    /* The two halves of a barrier. The first is not one: all wait in the second. */
    struct arrival_token {
    };
    static WEIRI_DEVICE arrival_token barrier_arrive()
    {
        return arrival_token{};
    }
    static WEIRI_DEVICE void barrier_wait(arrival_token &&)
    {
        weiri_cu_syncthreads();
    }
    static WEIRI_DEVICE void barrier_wait()
    {
        weiri_cu_syncthreads();
    }
};

WEIRI_DEVICE thread_block this_thread_block()
{
    return thread_block();
}

/* ---- The grid -------------------------------------------------------------- */

struct grid_group : thread_group {
    WEIRI_DEVICE grid_group() : thread_group(details::of_grid, 0)
    {
    }
    WEIRI_DEVICE bool is_valid() const
    {
        return weiri_cu_is_cooperative() != 0;
    }
    WEIRI_DEVICE void sync() const
    {
        weiri_cu_grid_sync();
    }
    struct arrival_token {
    };
    WEIRI_DEVICE arrival_token barrier_arrive() const
    {
        return arrival_token{};
    }
    WEIRI_DEVICE void barrier_wait(arrival_token &&) const
    {
        weiri_cu_grid_sync();
    }
    static WEIRI_DEVICE dim3 dim_blocks()
    {
        return dim3(weiri_cu_grid_dim(0), weiri_cu_grid_dim(1), weiri_cu_grid_dim(2));
    }
    static WEIRI_DEVICE dim3 group_dim()
    {
        return dim_blocks();
    }
    static WEIRI_DEVICE dim3 block_index()
    {
        return thread_block::group_index();
    }
    static WEIRI_DEVICE unsigned long long num_blocks()
    {
        return (unsigned long long)weiri_cu_grid_dim(0) * weiri_cu_grid_dim(1)
            * weiri_cu_grid_dim(2);
    }
    static WEIRI_DEVICE unsigned long long block_rank()
    {
        return ((unsigned long long)weiri_cu_block(2) * weiri_cu_grid_dim(1)
                + weiri_cu_block(1))
            * weiri_cu_grid_dim(0)
            + weiri_cu_block(0);
    }
    static WEIRI_DEVICE unsigned long long num_clusters()
    {
        return (unsigned long long)weiri_cu_cluster_count(0) * weiri_cu_cluster_count(1)
            * weiri_cu_cluster_count(2);
    }
    static WEIRI_DEVICE unsigned long long cluster_rank()
    {
        return ((unsigned long long)weiri_cu_cluster_index(2)
                    * weiri_cu_cluster_count(1)
                + weiri_cu_cluster_index(1))
            * weiri_cu_cluster_count(0)
            + weiri_cu_cluster_index(0);
    }
    static WEIRI_DEVICE dim3 dim_clusters()
    {
        return dim3(weiri_cu_cluster_count(0), weiri_cu_cluster_count(1),
                    weiri_cu_cluster_count(2));
    }
    static WEIRI_DEVICE dim3 cluster_index()
    {
        return dim3(weiri_cu_cluster_index(0), weiri_cu_cluster_index(1),
                    weiri_cu_cluster_index(2));
    }
};

WEIRI_DEVICE grid_group this_grid()
{
    return grid_group();
}

/* ---- The cluster ----------------------------------------------------------- */

struct cluster_group : thread_group {
    WEIRI_DEVICE cluster_group() : thread_group(details::of_cluster, 0)
    {
    }
    typedef thread_block::arrival_token arrival_token;
    static WEIRI_DEVICE void sync()
    {
        weiri_cu_cluster_sync();
    }
    static WEIRI_DEVICE arrival_token barrier_arrive()
    {
        weiri_cu_cluster_arrive(0);
        return arrival_token{};
    }
    static WEIRI_DEVICE void barrier_wait()
    {
        weiri_cu_cluster_wait();
    }
    static WEIRI_DEVICE void barrier_wait(arrival_token &&)
    {
        weiri_cu_cluster_wait();
    }
    static WEIRI_DEVICE unsigned int thread_rank()
    {
        return weiri_cu_cluster_rank() * weiri_cu_block_threads()
            + weiri_cu_thread_rank();
    }
    static WEIRI_DEVICE unsigned int num_threads()
    {
        return weiri_cu_cluster_blocks() * weiri_cu_block_threads();
    }
    static WEIRI_DEVICE unsigned int size()
    {
        return num_threads();
    }
    static WEIRI_DEVICE dim3 thread_index()
    {
        return dim3(
            weiri_cu_cluster_block(0) * weiri_cu_block_dim(0) + weiri_cu_thread(0),
            weiri_cu_cluster_block(1) * weiri_cu_block_dim(1) + weiri_cu_thread(1),
            weiri_cu_cluster_block(2) * weiri_cu_block_dim(2) + weiri_cu_thread(2));
    }
    static WEIRI_DEVICE dim3 dim_threads()
    {
        return dim3(weiri_cu_cluster_dim(0) * weiri_cu_block_dim(0),
                    weiri_cu_cluster_dim(1) * weiri_cu_block_dim(1),
                    weiri_cu_cluster_dim(2) * weiri_cu_block_dim(2));
    }
    static WEIRI_DEVICE dim3 block_index()
    {
        return dim3(weiri_cu_cluster_block(0), weiri_cu_cluster_block(1),
                    weiri_cu_cluster_block(2));
    }
    static WEIRI_DEVICE dim3 dim_blocks()
    {
        return dim3(weiri_cu_cluster_dim(0), weiri_cu_cluster_dim(1),
                    weiri_cu_cluster_dim(2));
    }
    static WEIRI_DEVICE unsigned int block_rank()
    {
        return weiri_cu_cluster_rank();
    }
    static WEIRI_DEVICE unsigned int num_blocks()
    {
        return weiri_cu_cluster_blocks();
    }
    template <class T_> static WEIRI_DEVICE T_ *map_shared_rank(T_ *address, int rank)
    {
        return (T_ *)weiri_cu_cluster_map(address, (unsigned int)rank);
    }
    static WEIRI_DEVICE unsigned int query_shared_rank(const void *address)
    {
        return weiri_cu_cluster_rank_of(address);
    }
};

WEIRI_DEVICE cluster_group this_cluster()
{
    return cluster_group();
}

/* ---- Any lanes ------------------------------------------------------------- */

struct coalesced_group : thread_group {
    WEIRI_DEVICE explicit coalesced_group(unsigned int mask_,
                                          unsigned int meta_rank_ = 0,
                                          unsigned int meta_size_ = 1)
        : thread_group(details::of_lanes, mask_, meta_rank_, meta_size_)
    {
    }
    WEIRI_DEVICE void sync() const
    {
        weiri_cu_warp_sync(mask);
    }
    WEIRI_DEVICE unsigned int num_threads() const
    {
        return (unsigned int)__builtin_popcount(mask);
    }
    WEIRI_DEVICE unsigned int size() const
    {
        return num_threads();
    }
    WEIRI_DEVICE unsigned int thread_rank() const
    {
        return (unsigned int)__builtin_popcount(mask
                                                & weiri::bits_below(weiri_cu_lane()));
    }
    WEIRI_DEVICE unsigned int meta_group_rank() const
    {
        return meta_rank;
    }
    WEIRI_DEVICE unsigned int meta_group_size() const
    {
        return meta_size;
    }
    WEIRI_DEVICE unsigned int weiri_mask() const
    {
        return mask;
    }

    template <class T_> WEIRI_DEVICE T_ shfl(T_ value, unsigned int rank) const
    {
        unsigned int lane = weiri::lane_of_rank(mask, rank % num_threads());
        return weiri::move_words(value, weiri::move_index{ mask, lane, 31 });
    }
    /* A lane without a partner keeps its own value. */
    template <class T_> WEIRI_DEVICE T_ shfl_down(T_ value, unsigned int delta) const
    {
        unsigned int rank = thread_rank();
        bool has = delta < num_threads() - rank;
        unsigned int lane = weiri::lane_of_rank(mask, has ? rank + delta : rank);
        return weiri::move_words(value, weiri::move_index{ mask, lane, 31 });
    }
    template <class T_> WEIRI_DEVICE T_ shfl_up(T_ value, unsigned int delta) const
    {
        unsigned int rank = thread_rank();
        unsigned int lane
            = weiri::lane_of_rank(mask, delta <= rank ? rank - delta : rank);
        return weiri::move_words(value, weiri::move_index{ mask, lane, 31 });
    }
    WEIRI_DEVICE int any(int predicate) const
    {
        return (int)weiri_cu_vote_any(mask, predicate);
    }
    WEIRI_DEVICE int all(int predicate) const
    {
        return (int)weiri_cu_vote_all(mask, predicate);
    }
    WEIRI_DEVICE unsigned int ballot(int predicate) const
    {
        return weiri::packed(mask, weiri_cu_vote_ballot(mask, predicate));
    }
    template <class T_> WEIRI_DEVICE unsigned int match_any(T_ value) const
    {
        return weiri::packed(mask, weiri::match_any(mask, value));
    }
    template <class T_> WEIRI_DEVICE unsigned int match_all(T_ value, int &pred) const
    {
        unsigned int lanes = weiri::match_all(mask, value);
        pred = lanes != 0;
        return weiri::packed(mask, lanes);
    }
};

WEIRI_DEVICE coalesced_group coalesced_threads()
{
    return coalesced_group(weiri_cu_active_mask());
}

/* ---- Tiles ----------------------------------------------------------------- */

/* Tiles of several warps have memory without it. */
template <unsigned int Size = 1, unsigned int MaxBlock = 1024>
struct block_tile_memory {
    unsigned char bytes[1];
};

template <unsigned int Size, class Parent = details::no_parent>
struct thread_block_tile : thread_group {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has a power of 2 of threads, at most 1024");

  private:
    static WEIRI_DEVICE unsigned int base()
    {
        return weiri_cu_lane() & ~(Size - 1);
    }
    static WEIRI_DEVICE unsigned int lanes()
    {
        return weiri::bits_below(Size) << base();
    }
    static WEIRI_DEVICE unsigned int mine(unsigned int bits)
    {
        return bits >> base() & weiri::bits_below(Size);
    }
    static constexpr unsigned int segment = (32 - Size) << 8;

  public:
    WEIRI_DEVICE explicit thread_block_tile(unsigned int meta_rank_ = 0,
                                            unsigned int meta_size_ = 1)
        : thread_group(details::of_lanes, lanes(), meta_rank_, meta_size_)
    {
    }
    template <class Other>
    WEIRI_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &other)
        : thread_group(details::of_lanes, lanes(), other.meta_group_rank(),
                       other.meta_group_size())
    {
    }
    static WEIRI_DEVICE void sync()
    {
        weiri_cu_warp_sync(lanes());
    }
    static WEIRI_DEVICE unsigned int thread_rank()
    {
        return weiri_cu_lane() & (Size - 1);
    }
    static WEIRI_DEVICE constexpr unsigned int num_threads()
    {
        return Size;
    }
    static WEIRI_DEVICE constexpr unsigned int size()
    {
        return Size;
    }
    WEIRI_DEVICE unsigned int meta_group_rank() const
    {
        return meta_rank;
    }
    WEIRI_DEVICE unsigned int meta_group_size() const
    {
        return meta_size;
    }
    static WEIRI_DEVICE unsigned int weiri_mask()
    {
        return lanes();
    }

    template <class T_> WEIRI_DEVICE T_ shfl(T_ value, int rank) const
    {
        return weiri::move_words(
            value, weiri::move_index{ lanes(), (unsigned int)rank, segment | 31 });
    }
    template <class T_> WEIRI_DEVICE T_ shfl_down(T_ value, unsigned int delta) const
    {
        return weiri::move_words(value,
                                 weiri::move_down{ lanes(), delta, segment | 31 });
    }
    template <class T_> WEIRI_DEVICE T_ shfl_up(T_ value, unsigned int delta) const
    {
        return weiri::move_words(value, weiri::move_up{ lanes(), delta, segment });
    }
    template <class T_> WEIRI_DEVICE T_ shfl_xor(T_ value, unsigned int bits) const
    {
        return weiri::move_words(value, weiri::move_xor{ lanes(), bits, segment | 31 });
    }
    WEIRI_DEVICE int any(int predicate) const
    {
        return (int)weiri_cu_vote_any(lanes(), predicate);
    }
    WEIRI_DEVICE int all(int predicate) const
    {
        return (int)weiri_cu_vote_all(lanes(), predicate);
    }
    WEIRI_DEVICE unsigned int ballot(int predicate) const
    {
        return mine(weiri_cu_vote_ballot(lanes(), predicate));
    }
    template <class T_> WEIRI_DEVICE unsigned int match_any(T_ value) const
    {
        return mine(weiri::match_any(lanes(), value));
    }
    template <class T_> WEIRI_DEVICE unsigned int match_all(T_ value, int &pred) const
    {
        unsigned int all = weiri::match_all(lanes(), value);
        pred = all != 0;
        return mine(all);
    }
};

/* A tile of several warps waits at a named barrier, of the last ones: programs begin
 * with the first. Its values go through shared memory, a slot for each warp of the
 * block. */
template <unsigned int Size> struct weiri_wide_tile {
    unsigned int meta_rank, meta_size;

    WEIRI_DEVICE explicit weiri_wide_tile(unsigned int meta_rank_ = 0,
                                          unsigned int meta_size_ = 1)
        : meta_rank(meta_rank_), meta_size(meta_size_)
    {
    }
    WEIRI_DEVICE void sync() const
    {
        weiri_cu_named_sync(barrier(), Size);
    }
    static WEIRI_DEVICE unsigned int thread_rank()
    {
        return weiri_cu_thread_rank() & (Size - 1);
    }
    static WEIRI_DEVICE constexpr unsigned int num_threads()
    {
        return Size;
    }
    static WEIRI_DEVICE constexpr unsigned int size()
    {
        return Size;
    }
    WEIRI_DEVICE unsigned int meta_group_rank() const
    {
        return meta_rank;
    }
    WEIRI_DEVICE unsigned int meta_group_size() const
    {
        return meta_size;
    }
    template <class T_> WEIRI_DEVICE T_ shfl(T_ value, unsigned int rank) const
    {
        T_ *slot = slots<T_>();
        if (thread_rank() == rank % Size) {
            slot[0] = value;
        }
        sync();
        value = slot[0];
        sync();
        return value;
    }
    WEIRI_DEVICE int any(int predicate) const
    {
        return weiri_cu_named_or(barrier(), Size, predicate != 0) != 0;
    }
    WEIRI_DEVICE int all(int predicate) const
    {
        return weiri_cu_named_and(barrier(), Size, predicate != 0) != 0;
    }
    /* @value: of the warp; joins those of all warps in their order */
    template <class T_, class Op> WEIRI_DEVICE T_ weiri_join(T_ value, Op &&op) const
    {
        T_ *slot = slots<T_>();
        if (weiri_cu_lane() == 0) {
            slot[thread_rank() / 32] = value;
        }
        sync();
        value = slot[0];
        for (unsigned int i = 1; i < Size / 32; i++) {
            value = op(value, slot[i]);
        }
        sync();
        return value;
    }

  private:
    WEIRI_DEVICE unsigned int barrier() const
    {
        return 15 - meta_rank;
    }
    template <class T_> WEIRI_DEVICE T_ *slots() const
    {
        __shared__ T_ values[32];
        return values + meta_rank * (Size / 32);
    }
};

#define WEIRI_WIDE_TILE(n)                                                             \
    template <class Parent> struct thread_block_tile<n, Parent> : weiri_wide_tile<n> { \
        using weiri_wide_tile<n>::weiri_wide_tile;                                     \
    };
WEIRI_WIDE_TILE(64)
WEIRI_WIDE_TILE(128)
WEIRI_WIDE_TILE(256)
WEIRI_WIDE_TILE(512)
WEIRI_WIDE_TILE(1024)
#undef WEIRI_WIDE_TILE

/* A group of one: the calling thread. */
WEIRI_DEVICE thread_block_tile<1> this_thread()
{
    return thread_block_tile<1>(0, 1);
}

/* ---- Partitions ------------------------------------------------------------ */

template <unsigned int Size>
WEIRI_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    return thread_block_tile<Size, thread_block>(
        weiri_cu_thread_rank() / Size, (weiri_cu_block_threads() + Size - 1) / Size);
}

template <unsigned int Size, unsigned int Whole, class Parent>
WEIRI_DEVICE thread_block_tile<Size, thread_block_tile<Whole, Parent>> tiled_partition(
    const thread_block_tile<Whole, Parent> &parent)
{
    static_assert(Size <= Whole, "a part of a tile is not larger than the tile");
    return thread_block_tile<Size, thread_block_tile<Whole, Parent>>(
        parent.thread_rank() / Size, Whole / Size);
}

/* Those of @mask whose ranks are in the same run of @size. */
WEIRI_DEVICE unsigned int weiri_tile_of_lanes(unsigned int mask, unsigned int size)
{
    unsigned int rank
        = (unsigned int)__builtin_popcount(mask & weiri::bits_below(weiri_cu_lane()));
    unsigned int first = rank / size * size, tile = 0;
    for (unsigned int i = first; i < first + size; i++) {
        unsigned int lane = weiri::lane_of_rank(mask, i);
        tile |= lane < 32 ? 1u << lane : 0;
    }
    return tile;
}

template <unsigned int Size>
WEIRI_DEVICE coalesced_group tiled_partition(const coalesced_group &parent)
{
    return coalesced_group(weiri_tile_of_lanes(parent.weiri_mask(), Size),
                           parent.thread_rank() / Size,
                           (parent.num_threads() + Size - 1) / Size);
}

WEIRI_DEVICE coalesced_group tiled_partition(const coalesced_group &parent,
                                             unsigned int size)
{
    return coalesced_group(weiri_tile_of_lanes(parent.weiri_mask(), size),
                           parent.thread_rank() / size,
                           (parent.num_threads() + size - 1) / size);
}

WEIRI_DEVICE thread_group tiled_partition(const thread_group &parent, unsigned int size)
{
    unsigned int rank = (unsigned int)parent.thread_rank();
    unsigned int n = (unsigned int)parent.num_threads();
    unsigned int mask = parent.kind == details::of_lanes
        ? weiri_tile_of_lanes(parent.mask, size)
        : (weiri::bits_below(size) << (weiri_cu_lane() / size * size))
            & weiri_cu_warp_mask();
    return thread_group(details::of_lanes, mask, rank / size, (n + size - 1) / size);
}

WEIRI_DEVICE thread_group tiled_partition(const thread_block &parent, unsigned int size)
{
    return tiled_partition(static_cast<const thread_group &>(parent), size);
}

/* In a tile or a coalesced group: the lanes with the same predicate or label. */
template <class Group>
WEIRI_DEVICE coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned int mask = group.weiri_mask() & weiri_cu_warp_mask();
    unsigned int those = weiri_cu_vote_ballot(mask, predicate);
    return coalesced_group(predicate ? those : mask & ~those, predicate ? 0 : 1, 2);
}

template <class Group, class Label>
WEIRI_DEVICE coalesced_group labeled_partition(const Group &group, Label label)
{
    unsigned int mask = group.weiri_mask() & weiri_cu_warp_mask();
    return coalesced_group(weiri::match_any(mask, label));
}

/* ---- Functions ------------------------------------------------------------- */

template <class Group> WEIRI_DEVICE void sync(const Group &group)
{
    group.sync();
}

template <class Group>
WEIRI_DEVICE auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}

template <class Group>
WEIRI_DEVICE auto group_size(const Group &group) -> decltype(group.num_threads())
{
    return group.num_threads();
}

template <class Group>
WEIRI_DEVICE auto num_threads(const Group &group) -> decltype(group.num_threads())
{
    return group.num_threads();
}

template <class Group> WEIRI_DEVICE bool is_valid(const Group &group)
{
    return group.is_valid();
}

/* The thread of rank 0 calls it; _broadcast gives its result to all. */
template <class Group, class Function, class... Args>
WEIRI_DEVICE void invoke_one(const Group &group, Function &&function, Args &&...args)
{
    if (group.thread_rank() == 0) {
        function(static_cast<Args &&>(args)...);
    }
}

template <class Group, class Function, class... Args>
WEIRI_DEVICE auto invoke_one_broadcast(const Group &group, Function &&function,
                                       Args &&...args) ->
    typename std::decay<decltype(function(static_cast<Args &&>(args)...))>::type
{
    typename std::decay<decltype(function(static_cast<Args &&>(args)...))>::type
        result{};
    if (group.thread_rank() == 0) {
        result = function(static_cast<Args &&>(args)...);
    }
    return group.shfl(result, 0);
}

namespace experimental
{
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;
} // namespace experimental

template <unsigned int Size, unsigned int MaxBlock>
WEIRI_DEVICE thread_block this_thread_block(block_tile_memory<Size, MaxBlock> &)
{
    return thread_block();
}

/* ---- Operations of reduce() and the scans ---------------------------------- */

#define WEIRI_OPERATION(name, ...)                                                     \
    template <class T_ = void> struct name {                                           \
        WEIRI_DEVICE T_ operator()(T_ a, T_ b) const                                   \
        {                                                                              \
            return __VA_ARGS__;                                                        \
        }                                                                              \
    };                                                                                 \
    template <> struct name<void> {                                                    \
        template <class T_> WEIRI_DEVICE T_ operator()(T_ a, T_ b) const               \
        {                                                                              \
            return __VA_ARGS__;                                                        \
        }                                                                              \
    };
WEIRI_OPERATION(plus, a + b)
WEIRI_OPERATION(less, b < a ? b : a)
WEIRI_OPERATION(greater, a < b ? b : a)
WEIRI_OPERATION(bit_and, a &b)
WEIRI_OPERATION(bit_or, a | b)
WEIRI_OPERATION(bit_xor, a ^ b)
#undef WEIRI_OPERATION

} // namespace cooperative_groups

#endif
