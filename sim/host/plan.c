/* SPDX-License-Identifier: MIT
 *
 * host/plan.c: see host/plan.h. A launch follows a recorded one only if both have the
 * same kernel, device and sizes, and count the same as a stop. */
#include "config.h"

#include "host/plan.h"

#include "exec/override.h"
#include "report/symbol.h"

#include <string.h>

/* A checksum by which a kernel is recognised as the one that was recorded, in another
 * build, too. Its line is not part of it, since it changes with the text above. */
static char *identity_of(const struct weir_kernel *kernel)
{
    g_autofree char *file = g_path_get_basename(kernel->file);
    g_autofree char *text = g_strdup_printf("%s %s %zu %u", kernel->name, file,
                                            kernel->args_bytes, kernel->hierarchical);
    char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    hash[16] = '\0';
    return hash;
}

static char *sizes_text(const struct weir_nd_range *range, const size_t sizes[3])
{
    GString *text = g_string_new(NULL);
    for (uint32_t d = 0; d < range->dim; d++) {
        g_string_append_printf(text, "%s%zu", d > 0 ? " x " : "", sizes[d]);
    }
    return g_string_free(text, FALSE);
}

static struct weiri_traced *describe(const struct weiri_launch *launch,
                                     const struct weir_nd_range *range,
                                     const struct weir_launch_options *options)
{
    struct weiri_traced *traced = weiri_traced_new();
    traced->kernel = g_strdup(launch->kernel->name);
    traced->identity = identity_of(launch->kernel);
    traced->device = g_strdup(launch->device->name);
    traced->global = sizes_text(range, range->global);
    traced->local = sizes_text(range, range->local);
    traced->schedule
        = g_strdup(options->schedule != NULL ? options->schedule : "in-order");
    traced->seed = options->seed;
    traced->sub_group = launch->shape.sub_group_size;
    traced->accesses = launch->entry == launch->kernel->checked;
    return traced;
}

/* Whether a launch is the one that was recorded. */
static bool check_fit(const struct weiri_traced *recorded,
                      const struct weiri_traced *here, GError **error)
{
    g_autofree char *sub_group = g_strdup_printf("%u", recorded->sub_group);
    g_autofree char *own_sub_group = g_strdup_printf("%u", here->sub_group);
    const struct {
        const char *what;
        const char *recorded;
        const char *here;
    } facts[] = {
        { "kernel", recorded->kernel, here->kernel },
        { "device", recorded->device, here->device },
        { "global size", recorded->global, here->global },
        { "local size", recorded->local, here->local },
        { "sub-group size", sub_group, own_sub_group },
        { "identity", recorded->identity, here->identity },
        { "kind of stops", recorded->accesses ? "accesses" : "operations",
          here->accesses ? "accesses" : "operations" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
        if (strcmp(facts[i].recorded, facts[i].here) != 0) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                        "the schedule does not fit the launch of kernel '%s': its %s "
                        "is %s, and %s was recorded",
                        here->kernel, facts[i].what, facts[i].here, facts[i].recorded);
            return false;
        }
    }
    return true;
}

/* What a schedule leaves open besides turns is drawn if it has a seed, and drawn again
 * where it is followed. */
static void set_seed(struct weiri_launch *launch, const struct weiri_traced *traced)
{
    launch->seed = traced->seed;
    launch->draws = g_str_has_prefix(traced->schedule, "random")
        || g_str_has_prefix(traced->schedule, "pct");
}

bool weiri_host_plan_make(struct weiri_launch *launch,
                          const struct weir_nd_range *range,
                          const struct weir_launch_options *options,
                          struct weiri_host_plan *plan, GError **error)
{
    plan->traced = describe(launch, range, options);
    set_seed(launch, plan->traced);
    if (options->order != NULL) {
        launch->overrides = weiri_overrides_new(options->order, error);
        if (launch->overrides == NULL) {
            return false;
        }
    }
    if (options->record != NULL) {
        launch->record = plan->traced->switches;
    }
    if (options->replay == NULL) {
        return true;
    }
    const struct weiri_traced *recorded = weiri_trace_next(options->replay);
    plan->script.loosely = options->loosely;
    if (recorded != NULL && !recorded->accesses) {
        /* The record counts no plain accesses as stops, and nor does the fast entry. */
        launch->entry = launch->kernel->fast;
        plan->traced->accesses = false;
    }
    if (recorded != NULL) {
        if (!check_fit(recorded, plan->traced, error)) {
            return false;
        }
        plan->script.switches
            = (const struct weiri_switch *)(void *)recorded->switches->data;
        plan->script.n = recorded->switches->len;
        plan->script.n_steps = recorded->n_steps;
        launch->followed = options->replay->next;
        g_free(plan->traced->schedule);
        plan->traced->schedule = g_strdup(recorded->schedule);
        plan->traced->seed = recorded->seed;
        set_seed(launch, recorded);
    } else if (!options->loosely) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                    "the schedule has %zu launch%s, and kernel '%s' is launched after "
                    "the last of them",
                    weir_schedule_n_launches(options->replay),
                    weir_schedule_n_launches(options->replay) == 1 ? "" : "es",
                    launch->kernel->name);
        return false;
    }
    launch->script = &plan->script;
    return true;
}

/* Sets the file and the line of each stop at a plain access. */
static void look_up_places(GArray *switches)
{
    for (guint i = 0; i < switches->len; i++) {
        struct weiri_switch *one = &g_array_index(switches, struct weiri_switch, i);
        struct weir_frame frame;
        if (one->file == NULL && one->pc != NULL
            && weiri_symbol_frames(one->pc, &frame, 1) > 0 && frame.file != NULL) {
            one->file = frame.file;
            one->line = frame.line;
        }
        one->pc = NULL;
    }
}

void weiri_host_plan_end(struct weiri_launch *launch, struct weiri_host_plan *plan,
                         bool done)
{
    if (plan->traced != NULL && plan->record != NULL && done) {
        look_up_places(plan->traced->switches);
        plan->traced->n_steps = launch->n_steps;
        plan->traced->n_decisions = launch->n_decisions;
        weiri_trace_add(plan->record, g_steal_pointer(&plan->traced));
    }
    weiri_traced_free(plan->traced);
    g_clear_pointer(&launch->overrides, weiri_overrides_free);
}
