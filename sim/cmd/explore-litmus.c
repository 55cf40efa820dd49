/* SPDX-License-Identifier: MIT
 *
 * explore-litmus.c: see explore-litmus.h. The explorer itself makes the text of a test;
 * this file only names the files, one a launch, and complains where a launch has no
 * test. */
#include "config.h"

#include "cmd/explore-litmus.h"

#include "base/file.h"
#include "cli/cli.h"
#include "cmd/explore-all.h"
#include "weir-model.h"

#include <string.h>

bool weiri_cli_check_explored(const char *model)
{
    enum weir_model found;
    g_autoptr(GError) error = NULL;
    if (strcmp(model, "language") == 0
        || g_strv_contains(weiri_cli_explored_models, model)) {
        return true;
    }
    if (!weir_model_find(model, &found, &error)) {
        weiri_cli_complain("%s", error->message);
        return false;
    }
    bool c11 = strcmp(model, "opencl") == 0 || strcmp(model, "gpu") == 0;
    weiri_cli_complain(
        c11 ? "kernels cannot be explored under %s, which allows load buffering: "
              "write the kernel as a test by --litmus FILE, under sycl, and give that "
              "to 'weir litmus --model %s'"
            : "kernels cannot be explored under %s: give language, sycl, sycl-split, "
              "rc11, sc, ptx, vulkan or all",
        model, model);
    return false;
}

bool weiri_cli_write_litmus(const GPtrArray *records, const char *file)
{
    bool written = true;
    for (guint i = 0; file != NULL && i < records->len; i++) {
        const struct weiri_launch_record *record
            = g_ptr_array_index((GPtrArray *)records, i);
        if (record->n_explorations == 0 || record->explorations->refused != NULL) {
            continue; /* a refused launch is reported elsewhere */
        }
        const struct weir_exploration *found = record->explorations;
        g_autofree char *name = weiri_cli_numbered_file(file, i);
        g_autoptr(GError) error = NULL;
        if (found->litmus == NULL) {
            weiri_cli_complain("no litmus test of kernel '%s': %s", record->kernel,
                               found->no_litmus);
            written = false;
        } else if (!weiri_file_write(name, found->litmus, &error)) {
            weiri_cli_complain("%s", error->message);
            written = false;
        }
    }
    return written;
}
