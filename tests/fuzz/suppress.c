/* SPDX-License-Identifier: MIT
 *
 * suppress.c: any bytes as suppressions, held against a finding. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "show/suppress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const struct weir_party parties[2]
        = { { .state = WEIR_STATE_RUNNING,
              .items = "0",
              .file = "a/tree.c",
              .function = "sum",
              .line = 12,
              .access = WEIR_ACCESS_WRITE },
            { .state = WEIR_STATE_RUNNING, .items = "1", .line = 0 } };
    const struct weir_finding finding = { .kind = WEIR_FINDING_DATA_RACE,
                                          .kernel = "tree_sum",
                                          .message = "m",
                                          .object = "local array of a/tree.c:8",
                                          .n_parties = 2,
                                          .parties = parties };
    struct weiri_suppressions *list = weiri_suppress_new();
    GError *error = NULL;
    bool done = weiri_suppress_add(list, (const char *)data, bytes, "a.supp", &error);
    fuzz_expect(done, error);
    weiri_suppress_find(list, &finding);
    for (size_t i = 0; i < weiri_suppress_n(list); i++) {
        if (weiri_suppress_entry(list, i)->line == 0) {
            abort();
        }
    }
    weiri_suppress_free(list);
    return 0;
}
