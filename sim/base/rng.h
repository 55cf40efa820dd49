/* SPDX-License-Identifier: MIT
 *
 * rng.h: the one generator for every seeded decision. Its sequence is a part of what a
 * seed means, so it is our own and never changes: splitmix64 (Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", 2014). */
#ifndef WEIRI_RNG_H
#define WEIRI_RNG_H

#include <stdint.h>

struct weiri_rng {
    uint64_t state; /* the seed, at first */
};

static inline uint64_t weiri_rng_next(struct weiri_rng *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/** A number below @n, which is not 0: the high half of a product. Its bias, n in 2^64,
 *  is too small to matter. */
static inline uint64_t weiri_rng_below(struct weiri_rng *rng, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)weiri_rng_next(rng) * n) >> 64);
}

#endif
