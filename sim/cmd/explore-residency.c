/* SPDX-License-Identifier: MIT
 *
 * explore-residency.c: see explore-residency.h. Results are sorted by the number of
 * resident groups. From the top, the numbers with which every execution ends become one
 * sentence; each number below them gets its own, since fewer groups can make groups
 * wait that more would not. */
#include "config.h"

#include "cmd/explore-residency.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <string.h>

bool weiri_cli_read_resident(const char *text, uint32_t *resident)
{
    uint64_t number = 0;
    *resident = WEIR_RESIDENT_EACH;
    if (text != NULL && strcmp(text, "all") == 0) {
        return true;
    }
    if (!weiri_cli_number("--resident", "groups", text, 1, UINT32_MAX - 1, &number)) {
        return false;
    }
    *resident = (uint32_t)number;
    return true;
}

/* The least number from which on every explored number works, all groups included; or
 * 0. */
static uint64_t works_from(const struct weir_exploration *found)
{
    uint64_t from = 0;
    if (found->blocked > 0 || !found->complete) {
        return 0;
    }
    for (size_t i = found->n_residencies; i-- > 0;) {
        if (found->residencies[i].blocked > 0) {
            return found->residencies[i].groups + 1;
        }
        from = found->residencies[i].groups;
    }
    return from;
}

void weiri_cli_add_residencies(GString *out, const struct weir_exploration *found)
{
    uint64_t from = works_from(found);
    if (from == 1) {
        g_string_append(out,
                        "With any number of resident groups every execution ends.\n");
    } else if (from > 0) {
        g_string_append_printf(
            out, "With %" PRIu64 " or more resident groups every execution ends.\n",
            from);
    }
    for (size_t i = found->n_residencies; i-- > 0;) {
        const struct weir_residency *one = &found->residencies[i];
        if (from > 0 && one->groups >= from) {
            continue;
        }
        g_string_append_printf(out, "With %" PRIu64 " resident group%s ", one->groups,
                               one->groups == 1 ? "" : "s");
        if (one->blocked > 0) {
            g_string_append_printf(out, "%" PRIu64 " execution%s %s.\n", one->blocked,
                                   one->blocked == 1 ? " never ends:"
                                                     : "s never end; in one of them",
                                   one->waits);
        } else {
            g_string_append(out,
                            one->complete
                                ? "every execution ends.\n"
                                : "it is not known whether every execution ends.\n");
        }
    }
}

void weiri_cli_json_residencies(JsonBuilder *builder,
                                const struct weir_exploration *found)
{
    weiri_json_array(builder, "residencies");
    for (size_t i = 0; i < found->n_residencies; i++) {
        const struct weir_residency *one = &found->residencies[i];
        weiri_json_object(builder, NULL);
        weiri_json_int(builder, "groups", one->groups);
        weiri_json_int(builder, "executions", one->executions);
        weiri_json_int(builder, "blocked", one->blocked);
        weiri_json_text(builder, "waits", one->waits);
        weiri_json_bool(builder, "complete", one->complete);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}
