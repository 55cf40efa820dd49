/* SPDX-License-Identifier: MIT
 *
 * data.c: the input of a kernel and the check of its answer: generated elements,
 * memory for answers, the sequential answer and the comparison with it. input.c
 * reads input from a file.
 *
 * The generated elements are a hash of their index, so they are the same
 * on every machine, and all of their bits are in use. A kernel that skips or
 * repeats elements, or takes others, gets another sum. (The order of elements makes
 * no difference to a sum, so a kernel that permutes them is not noticed.)
 *
 * Invariants: int32 sums wrap, so they are computed as uint32_t throughout. */
#include "kernels.h"

#include <float.h>
#include <math.h>

/* Floats are multiples of 2^-24 below 1: exact, and of full precision. */
#define FLOAT_STEP (1.0f / 16777216.0f)
/* The unit roundoff of float: half the distance from 1 to its successor. */
#define FLOAT_UNIT (FLT_EPSILON / 2.0)

static uint32_t hash(size_t index)
{
    uint32_t i = (uint32_t)index;
    i *= UINT32_C(2654435761);
    i ^= i >> 15;
    i *= UINT32_C(2246822519);
    i ^= i >> 13;
    return i;
}

void *kernel_input_new(const struct kernel_row *row, struct weir_device *device,
                       size_t n, GError **error)
{
    if (row->element == KERNEL_FLOAT) {
        float *in = weir_try_new(device, float, n, "in", error);
        for (size_t i = 0; in != NULL && i < n; i++) {
            in[i] = (float)(hash(i) >> 8) * FLOAT_STEP;
        }
        return in;
    }
    uint32_t mask = row->family == KERNEL_HISTOGRAM ? KERNEL_BINS - 1 : UINT32_MAX;
    uint32_t *in = weir_try_new(device, uint32_t, n, "in", error);
    for (size_t i = 0; in != NULL && i < n; i++) {
        in[i] = hash(i) & mask;
    }
    return in;
}

size_t kernel_output_count(const struct kernel_row *row)
{
    return row->family == KERNEL_HISTOGRAM ? KERNEL_BINS : 1;
}

void *kernel_output_new(const struct kernel_row *row, struct weir_device *device,
                        GError **error)
{
    size_t count = kernel_output_count(row);
    uint32_t *out = weir_try_new(device, uint32_t, count, "out", error);
    for (size_t i = 0; out != NULL && i < count; i++) {
        out[i] = 0;
    }
    return out;
}

void kernel_expect(const struct kernel_row *row, const void *in, size_t n,
                   struct kernel_expected *expected)
{
    *expected = (struct kernel_expected){ .n = n };
    if (row->family == KERNEL_HISTOGRAM) {
        const uint32_t *values = in;
        for (size_t i = 0; i < n; i++) {
            expected->bins[values[i]]++;
        }
    } else if (row->element == KERNEL_FLOAT) {
        const float *values = in;
        for (size_t i = 0; i < n; i++) {
            expected->float_sum += (double)values[i];
            expected->float_magnitude += fabs((double)values[i]);
        }
    } else {
        const uint32_t *values = in;
        uint32_t sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += values[i];
        }
        expected->sum = (int32_t)sum;
    }
}

static struct kernel_verdict judge_bins(const uint32_t *expected, const uint32_t *out)
{
    struct kernel_verdict verdict = { .correct = true, .bin = KERNEL_BINS };
    for (size_t bin = 0; bin < KERNEL_BINS; bin++) {
        if (out[bin] != expected[bin]) {
            return (struct kernel_verdict){ .bin = bin,
                                            .result = out[bin],
                                            .expected = expected[bin] };
        }
        verdict.result += out[bin];
        verdict.expected += expected[bin];
    }
    return verdict;
}

struct kernel_verdict kernel_judge(const struct kernel_row *row,
                                   const struct kernel_expected *expected,
                                   const void *out)
{
    if (row->family == KERNEL_HISTOGRAM) {
        return judge_bins(expected->bins, out);
    }
    struct kernel_verdict verdict = { .bin = KERNEL_BINS };
    if (row->element == KERNEL_FLOAT) {
        double rounded = (double)row->chain(expected->n) * FLOAT_UNIT;
        verdict.result = (double)*(const float *)out;
        verdict.expected = expected->float_sum;
        verdict.tolerance = rounded / (1.0 - rounded) * expected->float_magnitude;
    } else {
        verdict.result = *(const int32_t *)out;
        verdict.expected = expected->sum;
    }
    verdict.correct = fabs(verdict.result - verdict.expected) <= verdict.tolerance;
    return verdict;
}

char *kernel_number_to_text(const struct kernel_row *row, double number)
{
    /* 9 digits distinguish any two floats; the double that is expected has as many. */
    char text[64];
    return g_strdup(g_ascii_formatd(
        text, sizeof text, row->element == KERNEL_FLOAT ? "%.9g" : "%.0f", number));
}
