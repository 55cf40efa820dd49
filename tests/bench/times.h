/* SPDX-License-Identifier: MIT
 *
 * times.h: clocks of a measurement, and the median of what they show. */
#ifndef BENCH_TIMES_H
#define BENCH_TIMES_H

#include <stdlib.h>
#include <time.h>

static inline double bench_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline int bench_compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Sorts the @n @values. */
static inline double bench_median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof(*values), bench_compare_doubles);
    return values[n / 2];
}

#endif
