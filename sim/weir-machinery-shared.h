/* SPDX-License-Identifier: MIT
 *
 * weir-machinery-shared.h: the contract of compiled kernels and the machine: how a
 * group lies in memory, and how an operation is packed into a word. Not for users; a
 * part of weir-machinery.h, and of the SYCL header, which is C++ and includes it in a
 * namespace of its own. So it has no includes, and nothing of C11 alone. */
#ifndef WEIR_MACHINERY_SHARED_H
#define WEIR_MACHINERY_SHARED_H

/* clang instruments C11 atomics even under no_sanitize; gcc has an attribute of its own
 * against the tracing of branches. */
#define WEIRI_UNINSTRUMENTED __attribute__((no_sanitize("thread")))
#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#undef WEIRI_UNINSTRUMENTED
#define WEIRI_UNINSTRUMENTED                                                           \
    __attribute__((no_sanitize("thread", "coverage"),                                  \
                   disable_sanitizer_instrumentation))
#elif __has_attribute(no_sanitize_coverage)
#undef WEIRI_UNINSTRUMENTED
#define WEIRI_UNINSTRUMENTED                                                           \
    __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#endif
#endif

#define WEIRI_INLINE static inline __attribute__((always_inline, unused))
/* The same of a function that reads nothing but Weir's own memory, which has the
 * alignment that it should. */
#define WEIRI_OWN WEIRI_ALIGNED WEIRI_INLINE
#define WEIRI_ALIGNED __attribute__((no_sanitize("alignment")))
#define WEIRI_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* No exception leaves the machine, and C++ needs no code for one after each call. */
#define WEIRI_NOTHROW __attribute__((nothrow))

/* C++'s thread_local would ask at each access whether it is initialised. */
#ifdef __cplusplus
#define WEIRI_THREAD_LOCAL __thread
#else
#define WEIRI_THREAD_LOCAL _Thread_local
#endif

/* ---- Sites ---------------------------------------------------------------
 * A site is the source position of one call. Each call that can block,
 * synchronise or fail has a static site of its own, so that two calls stay two sites
 * even if the compiler merges their code. */

/**
 * weir_site:
 * @file: as the compiler was given it
 * @function: the enclosing function; the body of kernel K is `K__body`
 * @line: from 1
 * @name: of the local memory that is declared there; or %NULL
 */
struct weir_site {
    const char *file;
    const char *function;
    uint32_t line;
    const char *name;
};

/* ---- What the loop and the runtime share --------------------------------- */

/* The geometry of a launch and the place of one group in it. Copied into the
 * frame of every loop, where the compiler may keep it in registers. Entries
 * beyond the dimension are 1 for sizes and 0 for ids. */
struct weiri_shape {
    uint32_t dim;             /* 1 to 3 */
    uint32_t sub_group_size;  /* items of a sub-group, a power of two; the last one may
                                have fewer */
    uint32_t sub_group_shift; /* the logarithm of sub_group_size */
    uint32_t reversed;   /* not 0: reports count dimensions the other way round, as the
                          kernel's language does */
    size_t items;        /* items of the group */
    size_t global[3];    /* items of the range, by dimension */
    size_t local[3];     /* items of the group, by dimension */
    size_t groups[3];    /* groups of the range, by dimension */
    size_t group[3];     /* this group's index */
    size_t group_linear; /* the same, linear: the last dimension is fastest */
    uint32_t uneven; /* not 0: the last groups of a dimension may have fewer items */
    uint32_t nominal[3]; /* items of the other groups, by dimension */
    size_t first[3];     /* global id of this group's first item */
    uint32_t cluster[3]; /* groups of a cluster, by dimension; 0: there are none */
};

/* One array of local memory: the k-th call of every item is the same one. */
struct weiri_array {
    const struct weir_site *site;
    size_t bytes;
    void *start;
    size_t n_callers; /* items that have asked for it */
};

struct weir_group {
    struct weiri_shape shape;
    const void *args;           /* borrowed from the launch until it ends */
    void *at;                   /* (size_t) linear local id of the item that runs */
    void *end;                  /* (size_t) where the starting loop stops; see above */
    void *checked;              /* of a group kernel: not NULL in its checked entry */
    struct weiri_array *arrays; /* of local memory, for calls to look up */
    uint32_t n_arrays;
    union weiri_value *values; /* by item: given to a collective, then got from it */
    size_t *sources;           /* by item: of a shuffle */

    /* Only in a stackless launch: see weir-machinery-split.h. */
    void *frames;   /* of the items */
    uint32_t place; /* at which the items of this pass go on, or WEIRI_SPLIT_ANY */
    const struct weir_site *stop; /* of the item that ran last; NULL: it has returned */
    uint64_t stop_op;
    void *met; /* the site that all items of this pass have stopped at, NULL where they
                  have returned, or WEIRI_SPLIT_UNKNOWN before the first one has */
    uint64_t met_op;
    uint32_t met_place; /* WEIRI_SPLIT_ANY: the items' differ, as a stop was copied */
    void *odd; /* not NULL: the item that ran last did not stop at @met with @met_op */
    void *apart;    /* not NULL: not all items have made the same stops so far */
    void *together; /* not NULL: the items of this pass run at once, as vectors; @at
                       names none of them */
    void *ran;      /* not NULL: they have, to stops that differ */
    struct weiri_shape seen; /* where items see another shape: see WEIRI_SHAPE() */
};

struct weir_item {
    struct weir_group *group;
    const struct weiri_shape *shape; /* the loop's own copy */
    size_t local_linear;
    size_t local[3];
    uint32_t n_arrays; /* weir_local_array() calls so far */
    const void *args;  /* of the kernel; in entries without stacks alone */
};

/* Additions of one thread that are put off: see exec/combine.h. A word of memory has
 * one place in the table. */
enum { WEIRI_SUMS = 4096 };

struct weiri_sum {
    uintptr_t key;    /* weiri_sum_key() of a word whose additions may be put off */
    uint64_t pending; /* to be added to it */
};

struct weiri_sums {
    long left; /* additions that may be put off until all are published */
    struct weiri_sum of[WEIRI_SUMS];
};

/* Words of each thread, which an atomic reads before it calls the machine. `watch` and
 * its like are pointers for the reason that the opening comment gives. */
struct weiri_self {
    void *watch;  /* not NULL: atomics and fences report to the machine first */
    void *sees;   /* the same, or plain accesses of the host are observed */
    void *asks;   /* `watch`, or additions that are put off are to be done first */
    void *solo;   /* not NULL: one worker, so device scope needs no lock prefix */
    void *worker; /* the struct weiri_worker that runs here; NULL outside a kernel */
    struct weiri_sums *sums; /* NULL: no addition may be put off */
    long patience; /* fruitless atomics that are left until the item gives way */
    long stamina;  /* the same for atomics that change memory, with a scope that is
                       wider than the group */
};
extern WEIRI_THREAD_LOCAL struct weiri_self weiri_self
    __attribute__((tls_model("initial-exec")));

/* ---- Additions that are put off: exec/combine.h ----------------------------- */

/* An addition to a word that weiri_self.sums does not have. Returns: whether it was put
 * off; if not, the caller adds. */
bool weiri_combine_begin(void *word, uint64_t value, uint32_t bytes);

/* Publishes what has been put off. */
void weiri_combine_publish(void);

WEIRI_INLINE uintptr_t weiri_sum_key(const void *word, uint32_t bytes)
{
    return (uintptr_t)word + (bytes == sizeof(uint64_t)); /* words are aligned */
}

/* Neighbouring words have neighbouring places. Arrays begin at pages: they do not all
 * begin in one place. */
WEIRI_INLINE uint32_t weiri_sum_place(const void *word)
{
    uintptr_t address = (uintptr_t)word;
    return (uint32_t)(address / 4 + address / 4096 * 61) % WEIRI_SUMS;
}

/* Puts an addition off. Returns: false where it is to be done at once, by the caller */
WEIRI_INLINE bool weiri_put_off(void *word, uint64_t value, uint32_t bytes)
{
    struct weiri_sums *sums = weiri_self.sums;
    struct weiri_sum *sum = &sums->of[weiri_sum_place(word)];
    if (WEIRI_UNLIKELY(sum->key != weiri_sum_key(word, bytes))) {
        return weiri_combine_begin(word, value, bytes);
    }
    if (WEIRI_UNLIKELY(--sums->left <= 0)) {
        weiri_combine_publish();
        return false;
    }
    sum->pending += value;
    return true;
}

/* ---- The loop over the items of a group ------------------------------------ */

void weiri_item_begin(size_t local_linear) WEIRI_NOTHROW;
void weiri_loop_barrier(struct weir_group *group) WEIRI_NOTHROW;
/* The group and the kernel of the calling thread, or NULL outside a kernel. */
struct weir_group *weiri_running_group(void) WEIRI_NOTHROW;
const char *weiri_running_kernel(void) WEIRI_NOTHROW;
/* The item that runs leaves all it knows for another one of its launch, which orders
 * what it has done before what that one will do. Returns: a number to take it by */
uint64_t weiri_running_gives(void) WEIRI_NOTHROW;
void weiri_running_takes(uint64_t channel) WEIRI_NOTHROW;
/* Whether the kernel of the calling thread runs by its checked entry. */
bool weiri_running_checked(void) WEIRI_NOTHROW;
/* WEIR_LOCAL or WEIR_GLOBAL; 0 for the items' own memory. */
uint32_t weiri_space_of(const void *address) WEIRI_NOTHROW;
void weiri_seek(const struct weiri_shape *shape, size_t linear,
                size_t local[3]) WEIRI_NOTHROW;

/* The next item in 2 or 3 dimensions. Constant indices: with a variable one the
 * ids would have to lie in memory. */
WEIRI_OWN void weiri_step(const struct weiri_shape *shape, size_t local[3])
{
    if (shape->dim == 3) {
        if (++local[2] < shape->local[2]) {
            return;
        }
        local[2] = 0;
    }
    if (++local[1] < shape->local[1]) {
        return;
    }
    local[1] = 0;
    ++local[0];
}

/* How items see their group. Generated code may count dimensions in another order: then
 * it has macros of its own. The last two get a shape that items see. */
#define WEIRI_SHAPE(group) ((group)->shape)
#define WEIRI_SEEK(shape, linear, local) weiri_seek((shape), (linear), (local))
#define WEIRI_STEP(shape, local) weiri_step((shape), (local))

/* Array @k of the group, for the item that runs. */
void *weiri_local_array(uint32_t k, size_t count, size_t element_bytes,
                        const struct weir_site *site) WEIRI_NOTHROW;
/* The same where the place of the call, not its number, says which array it is. */
void *weiri_local_array_at(size_t count, size_t element_bytes,
                           const struct weir_site *site) WEIRI_NOTHROW;

/* ---- Collectives ---------------------------------------------------------
 * What distinguishes two rendezvous is packed into one word, so that the machine
 * compares arrivals with one comparison. */

/* Kinds of rendezvous; reports print the name. */
#define WEIRI_COLLECTIVES(X)                                                           \
    X(BARRIER, "barrier")                                                              \
    X(BROADCAST, "broadcast")                                                          \
    X(ANY, "any")                                                                      \
    X(ALL, "all")                                                                      \
    X(NONE, "none")                                                                    \
    X(REDUCE_ADD, "reduce_add")                                                        \
    X(REDUCE_MIN, "reduce_min")                                                        \
    X(REDUCE_MAX, "reduce_max")                                                        \
    X(INCLUSIVE_SCAN_ADD, "inclusive_scan_add")                                        \
    X(EXCLUSIVE_SCAN_ADD, "exclusive_scan_add")                                        \
    X(SHUFFLE, "shuffle")                                                              \
    X(SHUFFLE_XOR, "shuffle_xor")                                                      \
    X(SHIFT_LEFT, "shift_left")                                                        \
    X(SHIFT_RIGHT, "shift_right")                                                      \
    X(LOAD, "load")                                                                    \
    X(INCLUSIVE_SCAN_MIN, "inclusive_scan_min")                                        \
    X(INCLUSIVE_SCAN_MAX, "inclusive_scan_max")                                        \
    X(EXCLUSIVE_SCAN_MIN, "exclusive_scan_min")                                        \
    X(EXCLUSIVE_SCAN_MAX, "exclusive_scan_max")                                        \
    X(COPY, "async_copy")                                                              \
    X(WAIT, "wait_async")                                                              \
    WEIRI_LANE_COLLECTIVES(X)

/* Those of lanes alone: exec/lanes.c. */
#define WEIRI_LANE_COLLECTIVES(X)                                                      \
    X(BALLOT, "ballot")                                                                \
    X(UNIFORM, "uniform")                                                              \
    X(MATCH_ANY, "match_any")                                                          \
    X(MATCH_ALL, "match_all")                                                          \
    X(REDUCE_AND, "reduce_and")                                                        \
    X(REDUCE_OR, "reduce_or")                                                          \
    X(REDUCE_XOR, "reduce_xor")                                                        \
    X(ACTIVE, "active_mask")                                                           \
    X(NAMED_SYNC, "named_barrier")                                                     \
    X(NAMED_ARRIVE, "named_barrier_arrive")                                            \
    X(MBARRIER, "mbarrier")                                                            \
    X(ITEM_COPY, "copy")                                                               \
    X(GRID, "grid_barrier")                                                            \
    X(CLUSTER, "cluster_barrier")                                                      \
    X(CLUSTER_ARRIVE, "cluster_barrier_arrive")                                        \
    X(CLUSTER_MAP, "map_local")

enum weiri_collective {
#define WEIRI_ROW(name, text) WEIRI_##name,
    WEIRI_COLLECTIVES(WEIRI_ROW)
#undef WEIRI_ROW
};

/* The types that collectives take: suffix, C type, name. */
#define WEIRI_VALUE_TYPES(X)                                                           \
    X(i32, int32_t)                                                                    \
    X(u32, uint32_t)                                                                   \
    X(i64, int64_t)                                                                    \
    X(u64, uint64_t)                                                                   \
    X(f32, float)                                                                      \
    X(f64, double)

enum weiri_type {
#define WEIRI_ROW(s, T) WEIRI_TYPE_##s,
    WEIRI_VALUE_TYPES(WEIRI_ROW)
#undef WEIRI_ROW
        WEIRI_TYPE_none,
};

/* Reads or writes a word for an atomic operation whose item has its turn, so that
 * plain memory will do. In stackless entries the access is atomic to the compiler:
 * weir-split declares the items of a pass independent if all their accesses are plain,
 * and items that change one word are not independent. weiri_split_turn() tells it that
 * no more than that is needed: it returns its argument, and weir-split takes it out. */
#if WEIRI_SPLIT
void *weiri_split_turn(const volatile void *p) __attribute__((const)) WEIRI_NOTHROW;
#define WEIRI_TURN(p) ((__typeof__(p))weiri_split_turn(p))
#define WEIRI_TAKE(p, to) __atomic_load(WEIRI_TURN(p), (to), __ATOMIC_RELAXED)
#define WEIRI_PUT(p, from) __atomic_store(WEIRI_TURN(p), (from), __ATOMIC_RELAXED)
#else
#define WEIRI_TAKE(p, to) (*(to) = *(p))
#define WEIRI_PUT(p, from) (*(p) = *(from))
#endif

enum weiri_level {
    WEIRI_LEVEL_GROUP,
    WEIRI_LEVEL_SUB_GROUP,
    WEIRI_LEVEL_LANES, /* items of a sub-group that a mask names, the argument */
};

/* One word that two arrivals must share:
 *
 *   63        32 31      24 23    20 19    16 15     8 7      0
 *  +------------+----------+--------+--------+--------+--------+
 *  |  argument  |  flags   | scope  | level  |  type  |  kind  |
 *  +------------+----------+--------+--------+--------+--------+
 */
#define WEIRI_OP(kind, type, level, scope, flags, argument)                            \
    ((uint64_t)(kind) | (uint64_t)(type) << 8 | (uint64_t)(level) << 16                \
     | (uint64_t)(scope) << 20 | (uint64_t)((flags)&0xff) << 24                        \
     | weiri_argument((uint64_t)(argument)) << 32)

/* An argument is an item's id or a distance. A number that 32 bits cannot hold is
 * outside every group, and so is UINT32_MAX, which stands for it. */
WEIRI_INLINE uint64_t weiri_argument(uint64_t argument)
{
    return argument > UINT32_MAX ? UINT32_MAX : argument;
}

#define WEIRI_OP_KIND(op) ((enum weiri_collective)((op)&0xff))
#define WEIRI_OP_TYPE(op) ((enum weiri_type)((op) >> 8 & 0xff))
#define WEIRI_OP_LEVEL(op) ((enum weiri_level)((op) >> 16 & 0xf))
#define WEIRI_OP_FLAGS(op) ((unsigned)((op) >> 24 & 0xff))
#define WEIRI_OP_ARGUMENT(op) ((uint32_t)((op) >> 32))

union weiri_value {
#define WEIRI_ROW(s, T) T s;
    WEIRI_VALUE_TYPES(WEIRI_ROW)
#undef WEIRI_ROW
    uint64_t bits;
};

/* The machine knows which item calls. The item is not passed to it: an item whose
 * address is passed to no function can stay in registers, across barriers too. */
void weiri_barrier(uint64_t op, const struct weir_site *site) WEIRI_NOTHROW;
union weiri_value weiri_collect(uint64_t op, union weiri_value value,
                                const struct weir_site *site) WEIRI_NOTHROW;
void weiri_shuffle_source(size_t source) WEIRI_NOTHROW;
/* @item, a local linear id, has taken its own value, since the source that the
 * operation names does not exist: a finding, but of a shift only if no item has one. */
void weiri_move_outside(uint64_t op, const struct weir_site *site,
                        size_t item) WEIRI_NOTHROW;

/* ---- Collectives of lanes: exec/lane-collective.c -----------------------------
 * A lane is an item of a sub-group. A mask names lanes by bits; bits of lanes that do
 * not exist are ignored. The named lanes meet if they ask for the same @kind, @type and
 * @mask, at any sites, and their accesses before are ordered before those after.
 *
 * Where an item waits in one of these functions, it is parked with its stack. Builtins
 * of a language can make a rendezvous of lanes a stop of stackless entries instead: the
 * item puts its value and source into its group, as weiri_lanes_meet() does, and stops
 * with WEIRI_LANES_OP(). */

/* All bits of the mask are an argument: it is not a number of an item. */
#define WEIRI_LANES_OP(kind, type, mask)                                               \
    (WEIRI_OP((kind), (type), WEIRI_LEVEL_LANES, memory_scope_sub_group,               \
              WEIR_LOCAL | WEIR_GLOBAL, 0)                                             \
     | (uint64_t)(mask) << 32)

/* The rendezvous of the lanes of @mask, the calling one among them. @value: any bits of
 * a vote count as true; a match and a shuffle compare and move the bits of @type.
 * @source, of a shuffle: the lane (SHUFFLE), the distance (SHIFT_LEFT, SHIFT_RIGHT) or
 * the bits (SHUFFLE_XOR). @bounds, of a shuffle: PTX's operand c, the clamp value and,
 * 8 bits higher, the mask of segments; it does not depend on the number of lanes.
 * Returns: the result, in the lower bits. Masks are results of BALLOT, MATCH_ANY and,
 * where all values are equal, MATCH_ALL, else 0 */
uint64_t weiri_lanes_meet(uint32_t kind, uint32_t type, uint32_t mask, uint64_t value,
                          uint32_t source, uint32_t bounds,
                          const struct weir_site *site) WEIRI_NOTHROW;
/* Returns: the mask of lanes that run this call together, at least the calling one. All
 * of them get the same mask. It orders nothing */
uint32_t weiri_lanes_active(const struct weir_site *site) WEIRI_NOTHROW;

/* ---- Named barriers: exec/lane-collective.c ----------------------------------
 * Barriers 0 to 15 of a group, each for a number of items, which is a multiple of the
 * size of sub-groups; 0: for all. A sub-group arrives when all its items have called,
 * and counts as if it were full. Arrivals release, and items that wait acquire. */
void weiri_named_sync(uint32_t id, uint32_t count,
                      const struct weir_site *site) WEIRI_NOTHROW;
/* Does not wait for other sub-groups. @count: not 0 */
void weiri_named_arrive(uint32_t id, uint32_t count,
                        const struct weir_site *site) WEIRI_NOTHROW;
/* weiri_named_sync(), and how many items of those that wait gave a @predicate that is
 * not 0 (@kind WEIRI_REDUCE_ADD), or whether any (WEIRI_ANY) or all did (WEIRI_ALL) */
uint32_t weiri_named_reduce(uint32_t id, uint32_t count, uint32_t kind,
                            uint32_t predicate,
                            const struct weir_site *site) WEIRI_NOTHROW;

/* ---- Barriers in local memory: exec/mbarrier.c --------------------------------
 * A word of the program is a barrier, which goes from phase to phase: a phase is
 * complete when a number of arrivals, and of bytes where these are expected, have come.
 * Arrivals release, and a test that succeeds acquires from the phase that is complete,
 * unless they are relaxed. */
enum {
    WEIRI_MBARRIER_DROP = 1, /* later phases wait for so many arrivals less */
    WEIRI_MBARRIER_RELAXED = 2,
    WEIRI_MBARRIER_PARITY = 4, /* a token is the parity of a phase */
};

/* @count: arrivals of a phase */
void weiri_mbarrier_init(uint64_t *address, uint32_t count,
                         const struct weir_site *site) WEIRI_NOTHROW;
void weiri_mbarrier_invalidate(uint64_t *address,
                               const struct weir_site *site) WEIRI_NOTHROW;
/* The phase waits for @bytes more; then @count arrivals. @flags: DROP, RELAXED.
 * Returns: a token for the phase as it was before */
uint64_t weiri_mbarrier_arrive(uint64_t *address, uint32_t count, uint32_t bytes,
                               uint32_t flags,
                               const struct weir_site *site) WEIRI_NOTHROW;
/* The phase waits for @bytes more; @bytes have come. */
void weiri_mbarrier_expect(uint64_t *address, uint32_t bytes,
                           const struct weir_site *site) WEIRI_NOTHROW;
void weiri_mbarrier_complete(uint64_t *address, uint32_t bytes,
                             const struct weir_site *site) WEIRI_NOTHROW;
/* Returns: whether the phase of @token is complete: that of an arrival, or with PARITY
 * the current phase or the one before, whichever has that parity. If not, the item
 * gives way to others. @flags: PARITY, RELAXED */
uint32_t weiri_mbarrier_test(uint64_t *address, uint64_t token, uint32_t flags,
                             const struct weir_site *site) WEIRI_NOTHROW;
/* The arrivals that were pending where @token is from. */
uint32_t weiri_mbarrier_pending(uint64_t token) WEIRI_NOTHROW;

/* ---- The barrier of all groups: exec/lane-collective.c -------------------------
 * In a launch with the option all_resident: all items of all groups meet, and what they
 * did before is ordered before what they do after it, at device scope. */
void weiri_grid_sync(const struct weir_site *site) WEIRI_NOTHROW;

/* ---- Clusters: exec/cluster-collective.c ---------------------------------------
 * In a launch with the option cluster. The barrier of the cluster's items: an item
 * arrives, and may do other work before it waits for all; sync does both. An arrival
 * releases, if it is not @relaxed, and a wait acquires, at device scope. */
void weiri_cluster_arrive(uint32_t relaxed, const struct weir_site *site) WEIRI_NOTHROW;
void weiri_cluster_wait(const struct weir_site *site) WEIRI_NOTHROW;
void weiri_cluster_sync(const struct weir_site *site) WEIRI_NOTHROW;
/* The place in local memory of group @rank of the cluster that corresponds to @address
 * in local memory of any of its groups; and whose local memory @address is in, or
 * UINT32_MAX. Ranks count the last dimension fastest. */
void *weiri_cluster_map(const void *address, uint32_t rank,
                        const struct weir_site *site) WEIRI_NOTHROW;
uint32_t weiri_cluster_rank_of(const void *address) WEIRI_NOTHROW;

/* ---- Copies of an item: exec/item-copy.c, exec/mbarrier.c ---------------------
 * A copy may happen at any moment until it is waited for: by its item, for itself
 * alone, or by items that test a barrier in local memory. */

/* @bytes are written: the first @source_bytes from @from, and zeros. */
void weiri_item_copy_begin(void *to, const void *from, uint32_t bytes,
                           uint32_t source_bytes,
                           const struct weir_site *site) WEIRI_NOTHROW;
/* The copies since the last call are a batch. */
void weiri_item_copy_commit(const struct weir_site *site) WEIRI_NOTHROW;
/* Waits for all batches but the latest @n_left; UINT32_MAX: for all copies. */
void weiri_item_copy_wait(uint32_t n_left, const struct weir_site *site) WEIRI_NOTHROW;
/* When all copies of the item that no barrier knows have happened, that is one arrival
 * at the barrier. @counts: it is one of those that the phase waits for (noinc of PTX);
 * else the phase waits for one more */
void weiri_item_copy_arrive(uint64_t *address, uint32_t counts,
                            const struct weir_site *site) WEIRI_NOTHROW;
/* A copy that counts as @bytes at the barrier when it has happened. */
void weiri_bulk_copy_begin(void *to, const void *from, uint32_t bytes,
                           uint64_t *address,
                           const struct weir_site *site) WEIRI_NOTHROW;

/* ---- Copies of a group: exec/copy.c ------------------------------------------
 * All items ask for a copy of @n elements, and meet; all wait for it, and meet. Events
 * are numbers that are the same in all items. */

/* @event: an earlier one, which the copy is added to; or 0
 * Returns: the event */
uint64_t weiri_copy_begin(void *to, const void *from, size_t n, size_t to_step,
                          size_t from_step, size_t element_bytes, uint64_t event,
                          const struct weir_site *site) WEIRI_NOTHROW;
/* Does the item's part of the copies of @event. */
void weiri_copy_finish(uint64_t event, const struct weir_site *site) WEIRI_NOTHROW;

/* ---- Private variables: exec/private.c ----------------------------------------
 * A variable on the item's stack begins to live: its bytes are unwritten. @members: by
 * byte of an element: 'x', or another character where it is padding; or NULL */
void weiri_private_variable(void *address, size_t count, size_t element_bytes,
                            const char *members,
                            const struct weir_site *site) WEIRI_NOTHROW;

/* ---- In a kernel's name: exec/proxy.c -----------------------------------------
 * For code that a kernel calls at @pc, and that has no hooks. */

/* An access is about to happen. */
void weiri_proxy_access(const volatile void *address, size_t bytes, bool writes,
                        const void *pc) WEIRI_NOTHROW;
/* A finding, out-of-bounds or unsupported, about a call of @operation, which is static.
 * @text: what is wrong. The item goes on */
void weiri_proxy_outside(const char *operation, const char *text,
                         const void *pc) WEIRI_NOTHROW;
void weiri_proxy_unsupported(const char *operation, const char *text,
                             const void *pc) WEIRI_NOTHROW;

/* ---- Atomics -------------------------------------------------------------- */

/* Kinds of atomics; reports print the name. */
#define WEIRI_ATOMICS(X)                                                               \
    X(LOAD, "load")                                                                    \
    X(STORE, "store")                                                                  \
    X(EXCHANGE, "exchange")                                                            \
    X(COMPARE_EXCHANGE, "compare_exchange")                                            \
    X(FETCH_ADD, "fetch_add")                                                          \
    X(FETCH_SUB, "fetch_sub")                                                          \
    X(FETCH_AND, "fetch_and")                                                          \
    X(FETCH_OR, "fetch_or")                                                            \
    X(FETCH_XOR, "fetch_xor")                                                          \
    X(FETCH_MIN, "fetch_min")                                                          \
    X(FETCH_MAX, "fetch_max")                                                          \
    X(FETCH_INC, "fetch_inc")                                                          \
    X(FETCH_DEC, "fetch_dec")                                                          \
    X(FETCH_NAND, "fetch_nand")                                                        \
    X(REF, "ref")                                                                      \
    X(FENCE, "fence")

enum weiri_atomic {
#define WEIRI_ROW(name, text) WEIRI_ATOMIC_##name,
    WEIRI_ATOMICS(WEIRI_ROW)
#undef WEIRI_ROW
};

/* The description of an operation, without its values, in one word with a byte for each
 * part. Operations are handed over in registers: the compiler's hooks would report each
 * member of a struct in memory. */
WEIRI_INLINE uint64_t weiri_byte(unsigned value)
{
    return value > UINT8_MAX ? UINT8_MAX : value; /* no order or scope has either */
}

#define WEIRI_ATOMIC_WHAT(kind, type, bytes, order, failure, scope, space, legal)      \
    ((uint64_t)(kind) | (uint64_t)(type) << 8 | (uint64_t)(bytes) << 16                \
     | weiri_byte((unsigned)(order)) << 24 | weiri_byte((unsigned)(failure)) << 32     \
     | weiri_byte((unsigned)(scope)) << 40 | ((uint64_t)(space)&0xff) << 48            \
     | (uint64_t)(legal) << 56)
/* The bit of a compare-exchange that is weak. */
#define WEIRI_ATOMIC_WEAK (UINT64_C(1) << 57)

/* Does the operation where the machine watches, out of sight of the compiler's hooks.
 * @site: NULL: the place is where this returns to
 * Returns: the value's bits before it; a compare-exchange whose bits are not the
 * expected ones has failed */
uint64_t weiri_atomic_do(const volatile void *address, uint64_t what, uint64_t operand,
                         uint64_t expected, const struct weir_site *site) WEIRI_NOTHROW;

/* After a weak compare-exchange whose bits were the expected ones. Returns: whether it
 * has failed all the same */
bool weiri_atomic_fails(void) WEIRI_NOTHROW;

/* Reports a fence to the machine; the caller then makes it. */
void weiri_fence_begin(uint64_t what, const struct weir_site *site) WEIRI_NOTHROW;
void weiri_give_way(void) WEIRI_NOTHROW;

/* The item goes on when the others of its group that can run have had a turn. */
void weiri_take_turn(void) WEIRI_NOTHROW;

#endif
