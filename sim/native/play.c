/* SPDX-License-Identifier: MIT
 *
 * play.c: see play.h. Which accesses are steps of an item is learned: accesses to
 * memory that an item alone accesses are not steps. If it were learned while choices
 * are taken, the same choices could get another meaning. So random runs come first,
 * always the same ones; steps that they have not met are learned later, and the choices
 * are then taken anew. */
#include "config.h"

#include "native/play.h"

#include "answer/played.h"
#include "finding/names.h"
#include "model/sample.h"
#include "native/shown.h"
#include "native/sites.h"

#include <inttypes.h>
#include <string.h>

/* Random runs, which are short: the launches that are played are small. */
enum { RUNS = 64 };
/* Lines of a kernel that are shown: before and after the operations. */
enum { MOST_BEFORE = 40, MOST_BEHIND = 60, FEW = 2 };

/* The argument of the callbacks of struct weiri_played. */
struct launch_play {
    struct weiri_shown shown;
};

static bool go_on(void *user, const struct weiri_graph *graph, bool race)
{
    (void)user, (void)graph, (void)race;
    return true;
}

static void pass(void *user, const struct weiri_graph *graph,
                 enum weiri_execution_end why)
{
    (void)user, (void)graph, (void)why;
}

static bool stops_at_race(const struct weiri_native_options *options)
{
    return options->explored != WEIRI_EXPLORED_SC && !options->plain_events;
}

static void learn(struct weiri_native *native,
                  const struct weiri_native_options *options)
{
    const struct weiri_explore_options how
        = { .model = options->explored,
            .time_limit = weiri_native_time_left(native),
            .races = options->explored != WEIRI_EXPLORED_SC,
            .stop_at_race = stops_at_race(options),
            .execution = go_on,
            .stuck = pass };
    uint64_t now;
    (void)weiri_sample(&native->program, &how, RUNS, 1, &now);
}

/* ---- What is shown --------------------------------------------------------- */

/* Names and signed values. */
static void show(void *self, struct weiri_execution *execution)
{
    struct launch_play *launch = self;
    const struct weiri_cells *cells = &launch->shown.native->machine.cells;
    struct weiri_execution_event *events
        = (struct weiri_execution_event *)execution->events;
    execution->program = &launch->shown.program;
    for (uint32_t e = 0; e < execution->n_events; e++) {
        if (weiri_event_is_access(&events[e])) {
            events[e].value = weiri_cell_signed(
                weiri_cell_at(
                    cells, g_array_index(cells->cell_of, uint32_t, events[e].location)),
                events[e].value);
        }
    }
}

/* Each group has its own local memory. Returns: (transfer full) */
static char *name_of(const struct weiri_shown *shown,
                     const struct weiri_native_cell *cell, const char *name)
{
    const struct weiri_machine *machine = &shown->native->machine;
    struct weir_explored_item item;
    if (cell->object->kind != WEIRI_OBJECT_LOCAL
        || machine->n_items == machine->n_threads) {
        return g_strdup(name);
    }
    weiri_shown_item(shown, cell->thread, &item);
    g_autofree char *group = weiri_coordinates(item.group);
    return g_strdup_printf("%s of group %s", name, group);
}

static void add_values(struct weiri_played *played, const struct weiri_shown *shown,
                       const struct weiri_execution *execution)
{
    const struct weiri_cells *cells = &shown->native->machine.cells;
    GArray *values = g_array_new(FALSE, FALSE, sizeof(struct weir_play_value));
    for (uint32_t l = 0; l < shown->program.n_locations; l++) {
        const struct weiri_native_cell *cell
            = weiri_cell_at(cells, g_array_index(cells->cell_of, uint32_t, l));
        int64_t value = weiri_cell_signed(cell, execution->memory[l]);
        const struct weir_play_value one = {
            weiri_played_take(played, name_of(shown, cell, shown->locations[l].name)),
            -1, weiri_played_take(played, g_strdup_printf("%" PRId64, value)),
            weiri_played_take(played,
                              g_strdup_printf("%" PRId64, shown->locations[l].initial))
        };
        g_array_append_val(values, one);
    }
    played->play.values = weiri_played_list(played, values, &played->play.n_values);
}

/* By what the operation does. */
static const char *orders_of(const char *operation)
{
    bool loads = strstr(operation, "load") != NULL;
    bool stores = strstr(operation, "store") != NULL;
    return loads ? "relaxed acquire seq_cst"
        : stores ? "relaxed release seq_cst"
                 : "relaxed acquire release acq_rel seq_cst";
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash != NULL ? slash + 1 : file;
}

static void add_sites(struct weiri_played *played, const struct weiri_native *native)
{
    size_t n;
    g_autofree struct weir_explored_site *all = weiri_native_sites(native, &n);
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(struct weir_play_site));
    for (size_t i = 0; i < n; i++) {
        const char *file = base_name(all[i].file);
        const struct weir_play_site site
            = { .place = weiri_played_take(played,
                                           g_strdup_printf("%s:%u", file, all[i].line)),
                .operation = weiri_played_text(played, all[i].operation),
                .order = all[i].order,
                .failure = all[i].failure,
                .scope = all[i].scope,
                .spaces = all[i].spaces,
                .orders = all[i].order == NULL ? NULL : orders_of(all[i].operation),
                .file = weiri_played_text(played, file),
                .line = all[i].line };
        g_array_append_val(sites, site);
    }
    played->play.sites = weiri_played_list(played, sites, &played->play.n_sites);
}

/* ---- The source ------------------------------------------------------------ */

/* Lines of a file that have steps. */
struct extent {
    const char *file;
    uint32_t first, last;
};

static void widen(GArray *extents, const struct weir_frame *frame)
{
    for (guint i = 0; i < extents->len; i++) {
        struct extent *extent = &g_array_index(extents, struct extent, i);
        if (strcmp(extent->file, frame->file) == 0) {
            extent->first = MIN(extent->first, frame->line);
            extent->last = MAX(extent->last, frame->line);
            return;
        }
    }
    const struct extent only = { frame->file, frame->line, frame->line };
    g_array_append_val(extents, only);
}

/* Where the kernel begins that has the first line, and where it ends; or a few lines
 * more if that is not seen. @lines: of the file, @n of them */
static void round_off(char *const *lines, uint32_t n, struct extent *extent)
{
    uint32_t first = extent->first, last = extent->last;
    extent->first -= MIN(FEW, first - 1);
    extent->last = MIN(last + FEW, n);
    for (uint32_t line = first; line > 0 && line + MOST_BEFORE > first; line--) {
        if (strstr(lines[line - 1], "_KERNEL(") != NULL) {
            extent->first = line;
            break;
        }
    }
    for (uint32_t line = last; line <= MIN(last + MOST_BEHIND, n); line++) {
        if (lines[line - 1][0] == '}') {
            extent->last = line;
            break;
        }
    }
}

static void add_source(struct weiri_played *played,
                       const struct weiri_native_options *options, struct extent extent,
                       GArray *sources)
{
    size_t bytes = 0;
    const char *data
        = options->text != NULL ? options->text(extent.file, &bytes) : NULL;
    g_autofree char *whole = data != NULL ? g_strndup(data, bytes) : NULL;
    g_auto(GStrv) lines = g_strsplit(whole != NULL ? whole : "", "\n", -1);
    uint32_t n = g_strv_length(lines);
    if (extent.last > n) {
        return; /* it cannot be read, or is another one */
    }
    round_off(lines, n, &extent);
    GString *text = g_string_new(NULL);
    for (uint32_t line = extent.first; line <= extent.last; line++) {
        g_string_append_printf(text, "%s\n", lines[line - 1]);
    }
    const struct weir_play_source source
        = { weiri_played_text(played, base_name(extent.file)), extent.first,
            weiri_played_take(played, g_string_free(text, FALSE)) };
    g_array_append_val(sources, source);
}

static void add_sources(struct weiri_played *played, const struct weiri_shown *shown,
                        const struct weiri_native_options *options)
{
    const struct weiri_native *native = shown->native;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) extents = g_array_new(FALSE, FALSE, sizeof(struct extent));
    GArray *sources = g_array_new(FALSE, FALSE, sizeof(struct weir_play_source));
    for (guint node = 0; node < native->nodes->len; node++) {
        const struct weiri_request *request = weiri_history_request(native, node);
        const void *where
            = request->site != NULL ? (const void *)request->site : request->pc;
        if (where == NULL || !g_hash_table_add(seen, (void *)where)) {
            continue;
        }
        const struct weir_frame frame = weiri_shown_frame(shown, node);
        if (frame.file != NULL && frame.line > 0) {
            widen(extents, &frame);
        }
    }
    for (guint i = 0; i < extents->len; i++) {
        add_source(played, options, g_array_index(extents, struct extent, i), sources);
    }
    played->play.sources = weiri_played_list(played, sources, &played->play.n_sources);
}

/* ---- The whole ------------------------------------------------------------- */

static void add_result(struct weiri_played *played, struct weiri_finals *finals,
                       const struct weiri_graph *graph,
                       const struct weiri_native_options *options)
{
    struct weir_play *play = &played->play;
    play->claim = options->post_condition != NULL ? "the result is correct" : NULL;
    if (strcmp(play->reached, "complete") == 0) {
        weiri_finals_begin(finals);
        const struct weir_explored_state *state
            = &weiri_finals_at(finals, graph)->shown;
        play->state = weiri_played_text(
            played, state->text[0] != '\0' ? state->text : "memory as at the start");
        play->holds = play->claim == NULL ? NULL : state->holds ? "yes" : "no";
    }
}

static struct weiri_played *play_once(struct weiri_native *native,
                                      struct weiri_finals *finals,
                                      const struct weiri_native_options *options)
{
    struct weiri_played *played = weiri_played_new();
    struct weir_play *play = &played->play;
    struct launch_play launch;
    struct weiri_stepper stepper;
    weiri_shown_name_all(&launch.shown, native, options->symbols);
    played->program = &native->program;
    played->model = weiri_model_find(options->model);
    played->stop_at_race = stops_at_race(options);
    played->show = show;
    played->self = &launch;
    struct weiri_execution *execution
        = weiri_played_follow(played, options->play, &stepper);
    weiri_played_describe(played, &stepper, execution);
    play->name = native->machine.hub.launch->kernel->name;
    play->models = "sycl sycl-split rc11 sc";
    play->changes = weiri_played_text(played, options->order);
    add_values(played, &launch.shown, execution);
    add_sites(played, native);
    add_sources(played, &launch.shown, options);
    if (!native->program.stopped) {
        add_result(played, finals, stepper.graph, options);
    }
    weiri_execution_free(execution);
    weiri_stepper_clear(&stepper);
    weiri_shown_clear(&launch.shown);
    return played;
}

bool weiri_native_play_check(const char *play, GError **error)
{
    return weiri_played_check(play, error);
}

void weiri_native_play(struct weiri_native *native, struct weiri_finals *finals,
                       const struct weiri_native_options *options)
{
    struct weiri_played *played = NULL;
    do {
        weir_play_free(played != NULL ? &played->play : NULL);
        played = NULL;
        weiri_native_begin(native);
        if (!native->program.stopped) {
            learn(native, options);
        }
        if (!native->program.stopped) {
            played = play_once(native, finals, options);
        }
    } while (weiri_native_must_begin_anew(native));
    if (native->failure == NULL && native->machine.cells.refused != NULL) {
        native->failure = g_strdup(native->machine.cells.refused);
    }
    if (native->failure == NULL && (native->program.stopped || played == NULL)) {
        native->failure = g_strdup("the limit of time was reached");
    }
    if (native->failure == NULL) {
        weiri_report_take_play(native->machine.hub.launch->report, &played->play,
                               weir_play_free);
    } else if (played != NULL) {
        weir_play_free(&played->play);
    }
}
