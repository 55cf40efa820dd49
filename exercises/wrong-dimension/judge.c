/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "wrong-dimension.h"

static void judged(struct judge *judge)
{
    /* GROUPS rows, and as many columns as there are elements for a row. */
    size_t rows = judge->groups, columns = judge->n / rows;
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, rows, "out");
    int32_t *expected = judge_expect(judge, out, rows, "out");
    memset(out, 0, rows * sizeof(*out));
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = 1 + judge_random(judge, 1000);
        expected[i / columns] += in[i];
    }
    judge_launch_over(judge, &row_sums,
                      weir_nd_range_2d(rows, columns, 1, judge->local),
                      (&(matrix_args){ in, out }));
}
