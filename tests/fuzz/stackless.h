/* SPDX-License-Identifier: MIT
 *
 * stackless.h: what the random kernels of stackless-draw.c are made with, and the table
 * through which stackless-run.c finds them.
 *
 * All arithmetic is defined: integers are unsigned where they are computed, and floats
 * stay finite and are computed in one order, so that compilers agree on each bit. */
#ifndef FUZZ_STACKLESS_H
#define FUZZ_STACKLESS_H

#include <weir-kernel.h>
#include <weir.h>

#include <string.h>

enum {
    IN = 64,      /* elements of `in` */
    WIDE = 4096,  /* elements of `wide` and `reals` */
    COLUMN = 8,   /* elements of an item in `columns` */
    COUNTERS = 8, /* elements of `counters` */
    SCRATCH_PER_ITEM = 2,
    MOST_SHAPES = 4,
};

typedef struct {
    const uint32_t *in;
    const uint32_t *wide;
    const float *reals;
    uint32_t *columns;  /* of each group: a row for each item, then the next one */
    uint64_t *out;      /* one hash an item */
    uint32_t *counters; /* of the range: sums */
    uint32_t *scratch;  /* of each group: SCRATCH_PER_ITEM for each item */
    uint32_t *none;     /* NULL */
    uint32_t uniform[4];
} fuzz_args;

struct fuzz_shape {
    uint32_t dim;
    size_t groups[3], local[3];
    uint32_t sub_group_size;
    uint32_t workers;
};

/* A kernel. If it is wrong, its findings are compared, else what it writes. */
struct fuzz_case {
    const struct weir_kernel *kernel;
    bool wrong;
    uint32_t n_shapes;
    struct fuzz_shape shapes[MOST_SHAPES];
};

extern const struct fuzz_case fuzz_cases[];
extern const size_t fuzz_n_cases;

struct pack {
    uint8_t a;
    uint32_t b;
    int64_t c;
    float d;
    uint16_t e[3];
};

union pun {
    uint32_t w[2];
    uint64_t q;
    uint8_t b[8];
};

typedef uint32_t four __attribute__((vector_size(16)));

static inline uint64_t hash_in(uint64_t hash, uint64_t bits)
{
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline uint64_t hash_pack(uint64_t hash, struct pack p)
{
    hash = hash_in(hash, p.a);
    hash = hash_in(hash, p.b);
    hash = hash_in(hash, (uint64_t)p.c);
    hash = hash_in(hash, bits_of(p.d));
    return hash_in(hash, p.e[0] | (uint64_t)p.e[1] << 16 | (uint64_t)p.e[2] << 32);
}

/* Within a million, which an int32_t holds. */
static inline double bound(double x)
{
    return x > 1e6 ? x * 1e-3 : x < -1e6 ? x * 1e-3 : x;
}

static inline void swap(uint32_t *a, uint32_t *b)
{
    uint32_t was = *a;
    *a = *b;
    *b = was;
}

static __attribute__((noinline, unused)) uint32_t far(uint32_t a, uint32_t b)
{
    return a * 31 ^ (b >> 3);
}

static __attribute__((noinline, unused)) void stir(uint32_t *q)
{
    for (int i = 0; i < 8; i++) {
        q[i] = q[i] * 5 + q[(i + 3) & 7];
    }
}

/* Waits, in a function that is not inlined. Element @mine is the caller's, and so is
 * @yours that of the item that it reads. */
static __attribute__((noinline, unused)) uint32_t meet(struct weir_item *item,
                                                       uint32_t *array, size_t mine,
                                                       size_t yours, uint32_t value)
{
    array[mine] = value;
    weir_barrier(item, WEIR_LOCAL);
    uint32_t got = array[yours];
    weir_barrier(item, WEIR_LOCAL);
    return got + value;
}

/* The same, inlined. */
static inline uint32_t meet_here(struct weir_item *item, uint32_t *array, size_t mine,
                                 size_t yours, uint32_t value)
{
    array[mine] = value;
    weir_barrier(item, WEIR_LOCAL);
    uint32_t got = array[yours];
    weir_barrier(item, WEIR_LOCAL);
    return got ^ value;
}

#endif
