/* SPDX-License-Identifier: MIT
 *
 * draw.h: chance and text for the generators of random kernels, stackless-draw.c,
 * contend-draw.c and opencl-draw.c. The drawn text depends on `state` alone; text
 * that is muted is drawn, and not printed: a statement can be left out, and all others
 * stay. */
#ifndef WEIR_TESTS_FUZZ_DRAW_H
#define WEIR_TESTS_FUZZ_DRAW_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_STATEMENTS = 10000 };

static uint64_t state;
static unsigned indent, muted;
static unsigned n_names, n_statements; /* in the kernel so far */
static unsigned left;                  /* statements that may still be drawn */
static unsigned depth;                 /* of statements in each other */
static bool without[MOST_STATEMENTS];

static uint32_t below(uint32_t n)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32) % n;
}

static bool chance(uint32_t percent)
{
    return below(100) < percent;
}

static __attribute__((format(printf, 1, 2))) void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (muted == 0) {
        vprintf(format, list);
    }
    va_end(list);
}

static void begin_line(void)
{
    put("%*s", (int)(4 * indent), "");
}

#define LINE(...) (begin_line(), put(__VA_ARGS__), put("\n"))

/* "3,7": the statements that are left out. */
static void read_without(const char *at)
{
    while (*at != '\0') {
        char *end;
        unsigned long id = strtoul(at, &end, 10);
        if (id < MOST_STATEMENTS) {
            without[id] = true;
        }
        at = *end == ',' ? end + 1 : end + (*end != '\0');
    }
}

#endif
