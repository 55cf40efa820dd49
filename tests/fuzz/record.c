/* SPDX-License-Identifier: MIT
 *
 * record.c: any bytes as the records of a program's launches. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "show/record-read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    GError *error = NULL;
    GPtrArray *records = weiri_records_new();
    fuzz_expect(weiri_records_read((const char *)data, bytes, records, &error), error);
    g_ptr_array_unref(records);
    return 0;
}
