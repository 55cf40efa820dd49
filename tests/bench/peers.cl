/* SPDX-License-Identifier: MIT
 *
 * peers.cl: the kernels of `make bench-peers`, one text for both sides: a peer's OpenCL
 * compiler gets it after OPENCL_WORDS of peers-opencl.c, the C compiler inside
 * peers-kernels.c. So both run the same items with the same operations, line by line.
 *
 * Every kernel has the same parameters:
 *
 *     IN    N elements        TMP   scratch words; the first is zeroed
 *     OUT   the answer,       P     bins of a histogram, or barriers
 *           zeroed
 *
 * They are what all items share, on both sides: a kernel that copied them into variables
 * would have the copies in the frame of each item that waits.
 *
 * A kernel that takes EACH elements an item reads them as its namesake in kernels/ does.
 * Names without a namesake there begin with barrier_ or end in _256 or _by_function. */

/* The sum of what the items of a group have in @scratch; it ends in scratch[0]. */
#define ADD_UP(scratch)                                                                \
    do {                                                                               \
        for (uint stride = LOCAL_SIZE / 2; stride > 0; stride /= 2) {                  \
            BARRIER;                                                                   \
            if (LOCAL_ID < stride) {                                                   \
                (scratch)[LOCAL_ID] += (scratch)[LOCAL_ID + stride];                   \
            }                                                                          \
        }                                                                              \
        BARRIER;                                                                       \
    } while (0)

KERNEL(do_nothing)
{
    if (N == 0xffffffff) {
        OUT[0] = GLOBAL_ID;
    }
}

KERNEL(reduce_single_item)
{
    uint sum = 0;
    for (uint i = 0; i < N; i++) {
        sum += IN[i];
    }
    OUT[0] = sum;
}

KERNEL(reduce_atomics1)
{
    if (GLOBAL_ID < N) {
        ADD_GLOBAL(OUT, IN[GLOBAL_ID]);
    }
}

KERNEL(reduce_atomics2)
{
    uint sum = 0, first = GLOBAL_ID * EACH;
    for (uint k = 0; k < EACH; k++) {
        if (first + k < N) {
            sum += IN[first + k];
        }
    }
    ADD_GLOBAL(OUT, sum);
}

KERNEL(reduce_atomics3)
{
    uint sum = 0;
    for (uint i = GLOBAL_ID; i < N; i += GLOBAL_SIZE) {
        sum += IN[i];
    }
    ADD_GLOBAL(OUT, sum);
}

KERNEL(reduce_single_group)
{
    LOCAL_ARRAY(uint, scratch, LOCAL_SIZE);
    uint sum = 0;
    for (uint i = LOCAL_ID; i < N; i += LOCAL_SIZE) {
        sum += IN[i];
    }
    scratch[LOCAL_ID] = sum;
    ADD_UP(scratch);
    if (LOCAL_ID == 0) {
        OUT[0] = scratch[0];
    }
}

KERNEL(reduce_tree)
{
    LOCAL_ARRAY(uint, scratch, LOCAL_SIZE);
    scratch[LOCAL_ID] = GLOBAL_ID < N ? IN[GLOBAL_ID] : 0;
    ADD_UP(scratch);
    if (LOCAL_ID == 0) {
        ADD_GLOBAL(OUT, scratch[0]);
    }
}

/* The same with its barriers in a function, which a checker has to name. */
INLINE void add_up(ITEM_PARAMETER LOCAL uint *scratch)
{
    ADD_UP(scratch);
}

KERNEL(reduce_tree_by_function)
{
    LOCAL_ARRAY(uint, scratch, LOCAL_SIZE);
    scratch[LOCAL_ID] = GLOBAL_ID < N ? IN[GLOBAL_ID] : 0;
    add_up(ITEM scratch);
    if (LOCAL_ID == 0) {
        ADD_GLOBAL(OUT, scratch[0]);
    }
}

KERNEL(reduce_tree_256)
{
    LOCAL_ARRAY(uint, scratch, LOCAL_SIZE);
    uint sum = 0, i = GROUP_ID * LOCAL_SIZE * EACH + LOCAL_ID;
    for (uint k = 0; k < EACH; k++, i += LOCAL_SIZE) {
        if (i < N) {
            sum += IN[i];
        }
    }
    scratch[LOCAL_ID] = sum;
    ADD_UP(scratch);
    if (LOCAL_ID == 0) {
        ADD_GLOBAL(OUT, scratch[0]);
    }
}

/* A sum a group, which the next launch reads. */
KERNEL(reduce_multi_pass)
{
    LOCAL_ARRAY(uint, scratch, LOCAL_SIZE);
    uint low = GROUP_ID * LOCAL_SIZE * 2 + LOCAL_ID, high = low + LOCAL_SIZE;
    scratch[LOCAL_ID] = (low < N ? IN[low] : 0) + (high < N ? IN[high] : 0);
    for (uint distance = 1; distance < LOCAL_SIZE; distance *= 2) {
        BARRIER;
        uint left = 2 * distance * LOCAL_ID;
        if (left < LOCAL_SIZE) {
            scratch[left] += scratch[left + distance];
        }
    }
    BARRIER;
    if (LOCAL_ID == 0) {
        TMP[GROUP_ID] = scratch[0];
    }
}

/* 16 items take 16 * EACH elements, in vectors of 8. */
KERNEL(reduce_multiblock_interleaved)
{
    LOCAL_ARRAY(word8, scratch, LOCAL_SIZE);
    uint first = GLOBAL_ID / 16 * (16 * EACH) + GLOBAL_ID % 16 * 8;
    word8 sum = NO_WORDS;
    for (uint i = first; i < first + 16 * EACH; i += 16 * 8) {
        if (i < N) {
            sum += LOAD8(IN + i);
        }
    }
    scratch[LOCAL_ID] = sum;
    for (uint stride = LOCAL_SIZE / 2; stride > 0; stride /= 2) {
        BARRIER;
        if (LOCAL_ID < stride) {
            scratch[LOCAL_ID] += scratch[LOCAL_ID + stride];
        }
    }
    BARRIER;
    if (LOCAL_ID == 0) {
        uint total = 0;
        for (uint k = 0; k < 8; k++) {
            total += ((LOCAL uint *)scratch)[k];
        }
        ADD_GLOBAL(OUT, total);
    }
}

/* 4 elements an item, added to a word of the group. */
KERNEL(reduce_multiblock_interleaved_vector)
{
    LOCAL_ARRAY(uint, scratch, 1);
    if (LOCAL_ID == 0) {
        scratch[0] = 0;
    }
    BARRIER;
    uint sum = 0;
    for (uint k = 0; k < 4; k++) {
        if (GLOBAL_ID * 4 + k < N) {
            sum += IN[GLOBAL_ID * 4 + k];
        }
    }
    ADD_LOCAL(scratch, sum);
    BARRIER;
    if (LOCAL_ID == 0) {
        ADD_GLOBAL(OUT, scratch[0]);
    }
}

/* tmp[0] counts the groups that have stored their sums after it. */
KERNEL(reduce_last_group)
{
    LOCAL_WORD(last);
    LOCAL_ARRAY(uint, scratch, LOCAL_SIZE);
    SHARED uint *sums = TMP + 1;
    uint sum = 0, i = GROUP_ID * LOCAL_SIZE * EACH + LOCAL_ID;
    for (uint k = 0; k < EACH; k++, i += LOCAL_SIZE) {
        if (i < N) {
            sum += IN[i];
        }
    }
    scratch[LOCAL_ID] = sum;
    ADD_UP(scratch);
    if (LOCAL_ID == 0) {
        sums[GROUP_ID] = scratch[0];
        last[0] = COUNT_GROUP(TMP) == GROUPS - 1;
    }
    BARRIER_BOTH;
    if (last[0]) {
        sum = 0;
        for (uint group = LOCAL_ID; group < GROUPS; group += LOCAL_SIZE) {
            sum += sums[group];
        }
        scratch[LOCAL_ID] = sum;
        ADD_UP(scratch);
        if (LOCAL_ID == 0) {
            OUT[0] = scratch[0];
        }
    }
}

KERNEL(histogram_atomic_relaxed)
{
    if (GLOBAL_ID < N) {
        ADD_GLOBAL(OUT + IN[GLOBAL_ID] % P, 1);
    }
}

KERNEL(histogram_local_relaxed)
{
    LOCAL_ARRAY(uint, bins, P);
    for (uint bin = LOCAL_ID; bin < P; bin += LOCAL_SIZE) {
        bins[bin] = 0;
    }
    BARRIER;
    uint i = GROUP_ID * LOCAL_SIZE * EACH + LOCAL_ID;
    for (uint k = 0; k < EACH; k++, i += LOCAL_SIZE) {
        if (i < N) {
            ADD_LOCAL(bins + IN[i] % P, 1);
        }
    }
    BARRIER;
    for (uint bin = LOCAL_ID; bin < P; bin += LOCAL_SIZE) {
        ADD_GLOBAL(OUT + bin, bins[bin]);
    }
}

/* Each two barriers move what the items have one place down, and add 1. */
#define SHIFT(type)                                                                    \
    LOCAL_ARRAY(type, value, LOCAL_SIZE);                                              \
    uint next = LOCAL_ID + 1 == LOCAL_SIZE ? 0 : LOCAL_ID + 1;                         \
    value[LOCAL_ID] = LOCAL_ID;                                                        \
    for (uint k = 0; k < P; k += 2) {                                                  \
        BARRIER;                                                                       \
        uint moved = value[next] + 1;                                                  \
        BARRIER;                                                                       \
        value[LOCAL_ID] = moved;                                                       \
    }                                                                                  \
    OUT[GLOBAL_ID] = value[LOCAL_ID]

KERNEL(barrier_shift)
{
    SHIFT(uint);
}

/* With accesses that no compiler may make vectors of. */
KERNEL(barrier_shift_volatile)
{
    SHIFT(volatile uint);
}

/* One private word an item, and nothing that a barrier would be needed for. */
KERNEL(barrier_only)
{
    uint word = LOCAL_ID;
    for (uint k = 0; k < P; k++) {
        BARRIER;
        word = word * 5 + k;
    }
    OUT[GLOBAL_ID] = word;
}
