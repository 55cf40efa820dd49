/* SPDX-License-Identifier: MIT
 *
 * native_litmus_fast.c: see native_litmus_fast.h. A launch is over in microseconds, so
 * that items of two workers seldom run at once; it is repeated with one and two
 * workers. */
#include "config.h"

#include "native_litmus_fast.h"

#include <stdio.h>

bool native_litmus_fast(struct weir_device *device,
                        const struct native_litmus_test *entry,
                        const struct weiri_litmus *test, GHashTable *allowed,
                        unsigned runs)
{
    static int64_t n_launches;
    bool good = true;
    native_litmus_args args
        = { weir_new(device, int64_t, MAX(test->n_locations, 1), "memory"),
            weir_new(device, int64_t, MAX(test->n_observed, 1), "out"), 0 };
    for (unsigned run = 0; good && run < runs; run++) {
        g_autoptr(GError) error = NULL;
        struct weir_report *report = NULL;
        const struct weir_launch_options options = { .workers = 1 + run % 2 };
        native_litmus_set_initial(test, args.memory, args.out);
        args.stamp = ++n_launches;
        good = weir_launch_sized_with(
            device, entry->kernel,
            weir_nd_range_1d(entry->n_items * entry->n_groups, entry->n_items), &args,
            sizeof(args), &options, &report, &error);
        if (!good || weir_report_n_findings(report) > 0) {
            printf("FAIL: %s: fast: %s\n", entry->path,
                   error != NULL ? error->message
                                 : weir_report_finding(report, 0)->message);
            good = false;
        } else {
            g_autofree char *state = native_litmus_state(test, args.memory, args.out);
            good = g_hash_table_contains(allowed, state);
            if (!good) {
                printf("FAIL: %s: fast: run %u of %u ends with %s\n", entry->path, run,
                       runs, state);
            }
        }
        weir_report_free(report);
    }
    weir_free(device, args.memory);
    weir_free(device, args.out);
    return good;
}
