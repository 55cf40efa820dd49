/* SPDX-License-Identifier: MIT
 *
 * baseline.c: any bytes as the findings of an earlier run. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "show/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    GError *error = NULL;
    struct weiri_baseline *baseline
        = weiri_baseline_parse((const char *)data, bytes, "a.json", &error);
    fuzz_expect(baseline != NULL, error);
    if (baseline != NULL) {
        weiri_baseline_free(baseline);
    }
    return 0;
}
