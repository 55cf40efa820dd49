/* SPDX-License-Identifier: MIT
 *
 * processes.c: see processes.h. A launch has two records, of its beginning and of its
 * end, in one file for all processes. They show which process ended inside a launch,
 * and whether launches of several processes were made at the same time.
 *
 * A record of an end without a beginning is a launch all the same: a program that
 * appends to the file by hand need not write both. */
#include "config.h"

#include "cli/processes.h"

#include "report/record.h"

void weiri_cli_processes_init(struct weiri_cli_processes *processes)
{
    *processes = (struct weiri_cli_processes){
        .open = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_open)),
        .made = g_array_new(FALSE, FALSE, sizeof(uint64_t))
    };
}

void weiri_cli_processes_clear(struct weiri_cli_processes *processes)
{
    g_array_unref(processes->open);
    g_array_unref(processes->made);
}

static void begin(struct weiri_cli_processes *processes,
                  const struct weiri_launch_record *record)
{
    const struct weiri_cli_open opened = { .process = record->process,
                                           .serial = record->serial,
                                           .number = ++processes->n_begun,
                                           .kernel = g_intern_string(record->kernel) };
    g_array_append_val(processes->open, opened);
}

static void end(struct weiri_cli_processes *processes,
                const struct weiri_launch_record *record)
{
    if (record->error == NULL) {
        g_array_append_val(processes->made, record->process);
    }
    for (guint i = 0; i < processes->open->len; i++) {
        const struct weiri_cli_open *open
            = &g_array_index(processes->open, struct weiri_cli_open, i);
        if (open->process == record->process && open->serial == record->serial) {
            processes->overlap |= open->number < processes->n_begun;
            g_array_remove_index(processes->open, i);
            return;
        }
    }
    processes->n_begun++;
}

void weiri_cli_processes_add(struct weiri_cli_processes *processes,
                             const struct weiri_launch_record *record)
{
    (record->begins ? begin : end)(processes, record);
}

const struct weiri_cli_open *weiri_cli_processes_inside(
    const struct weiri_cli_processes *processes, uint64_t process)
{
    const struct weiri_cli_open *found = NULL;
    for (guint i = 0; i < processes->open->len; i++) {
        const struct weiri_cli_open *open
            = &g_array_index(processes->open, struct weiri_cli_open, i);
        if (found == NULL || open->process == process) {
            found = open;
        }
    }
    return found;
}

/* Which of the numbers @seen is @process, from 1; it is added if it is not among
 * them. */
static guint number_of(GArray *seen, uint64_t process)
{
    guint i = 0;
    while (i < seen->len && g_array_index(seen, uint64_t, i) != process) {
        i++;
    }
    if (i == seen->len) {
        g_array_append_val(seen, process);
    }
    return i + 1;
}

char *weiri_cli_processes_order(const struct weiri_cli_processes *processes)
{
    g_autoptr(GArray) seen = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < processes->made->len; i++) {
        g_string_append_printf(
            text, "%s%u", i > 0 ? " " : "",
            number_of(seen, g_array_index(processes->made, uint64_t, i)));
    }
    return g_string_free(text, seen->len < 2);
}
