/* SPDX-License-Identifier: MIT
 *
 * check_native_play.c: launches that are played: all walks over allowed options lead to
 * exactly the executions of an exploration; and what a play says of items, lines and
 * operations. */
#include "explored.h"

#include <weir-play.h>

#include <inttypes.h>

static struct weir_report *report;

/* Launches the kernel with new words. */
static void launch(struct weir_device *device, const struct weir_kernel *kernel,
                   struct weir_nd_range range,
                   const struct weir_launch_options *options)
{
    GError *error = NULL;
    words_args args = words_new(device);
    bool done = weir_launch_sized_with(device, kernel, range, &args, sizeof(args),
                                       options, &report, &error);
    ck_assert_msg(done, "%s", error != NULL ? error->message : "");
    weir_free(device, args.x);
    weir_free(device, args.y);
    weir_free(device, args.out);
}

/* The play; of @report, which is to be freed. */
static const struct weir_play *play(struct weir_device *device,
                                    const struct weir_kernel *kernel, size_t global,
                                    size_t local, const char *choices,
                                    const char *order)
{
    launch(device, kernel, weir_nd_range_1d(global, local),
           &(struct weir_launch_options){
               .explore = "sycl", .play = choices, .order = order });
    const struct weir_exploration *explored = weir_report_exploration(report);
    ck_assert_msg(explored->refused == NULL, "%s", explored->refused);
    ck_assert_ptr_nonnull(weir_report_play(report));
    return weir_report_play(report);
}

/* ---- Walks ----------------------------------------------------------------------- */

struct walk {
    struct weir_device *device;
    const struct weir_kernel *kernel;
    size_t global, local;
    GHashTable *parts, *states; /* texts */
    size_t n_complete, n_racy, n_blocked;
};

static char *identity(const struct weir_play *of)
{
    GString *text = g_string_new(NULL);
    for (size_t e = 0; e < of->n_events; e++) {
        g_string_append_printf(text, "%d %s;", (int)of->events[e].thread,
                               of->events[e].text);
    }
    for (size_t i = 0; i < of->n_edges; i++) {
        const struct weir_play_edge *edge = &of->edges[i];
        g_string_append_printf(text, "%s %d %d;", edge->kind, (int)edge->from,
                               (int)edge->to);
    }
    return g_string_free(text, FALSE);
}

static void visit(struct walk *walk, const char *choices)
{
    const struct weir_play *now
        = play(walk->device, walk->kernel, walk->global, walk->local, choices, NULL);
    struct weir_report *own = report;
    ck_assert_msg(now->refused == NULL, "%s: %s", choices, now->refused);
    if (g_hash_table_add(walk->parts, identity(now))) {
        if (now->state != NULL) {
            g_hash_table_add(walk->states, g_strdup(now->state));
            walk->n_complete++;
        }
        walk->n_racy += strcmp(now->reached, "race") == 0;
        walk->n_blocked += strcmp(now->reached, "blocked") == 0;
        for (size_t t = 0; t < now->n_threads; t++) {
            for (size_t i = 0; i < now->threads[t].n_options; i++) {
                const struct weir_play_option *option = &now->threads[t].options[i];
                g_autofree char *more = g_strjoin(choices[0] == '\0' ? "" : ",",
                                                  choices, option->choice, NULL);
                if (option->allowed) {
                    visit(walk, more);
                }
            }
        }
    }
    weir_report_free(own);
}

static const struct {
    const struct weir_kernel *kernel;
    size_t global, local;
} walks[] = {
    { &message, 2, 1 },      { &message_relaxed, 2, 1 }, { &message_to_first, 2, 1 },
    { &message_spin, 2, 1 }, { &store_buffering, 2, 1 }, { &increments, 3, 1 },
    { &weak_once, 2, 1 },    { &cas_lock, 2, 1 },        { &wait_for_each_other, 2, 1 }
};

CASE("walks", .seconds = 120);

DEVICE_TEST_EACH(walks_lead_to_the_executions_of_an_exploration, G_N_ELEMENTS(walks))
{
    struct walk walk = { .device = device,
                         .kernel = walks[_i].kernel,
                         .global = walks[_i].global,
                         .local = walks[_i].local };
    walk.parts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    walk.states = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    visit(&walk, "");
    launch(device, walk.kernel, weir_nd_range_1d(walk.global, walk.local),
           &(struct weir_launch_options){ .explore = "sycl" });
    const struct weir_exploration *explored = weir_report_exploration(report);
    const char *name = walk.kernel->name;
    ck_assert_msg(walk.n_complete == explored->executions - explored->racy,
                  "%s: %zu executions, not %" PRIu64, name, walk.n_complete,
                  explored->executions - explored->racy);
    ck_assert_int_eq(walk.n_racy > 0, explored->racy > 0);
    ck_assert_int_eq(walk.n_blocked > 0, explored->blocked > 0);
    ck_assert_uint_eq(g_hash_table_size(walk.states), explored->n_states);
    for (size_t i = 0; i < explored->n_states; i++) {
        const char *text = explored->states[i].text;
        ck_assert_msg(
            g_hash_table_contains(walk.states,
                                  text[0] != '\0' ? text : "memory as at the start"),
            "%s: no walk leads to %s", name, text);
    }
    weir_report_free(report);
    g_hash_table_unref(walk.parts);
    g_hash_table_unref(walk.states);
}

/* ---- Words ----------------------------------------------------------------------- */

CASE("words");

DEVICE_TEST(items_have_names_lines_and_options)
{
    const struct weir_play *now = play(device, &message, 2, 1, "0:0,0:0", NULL);
    ck_assert_str_eq(now->name, "message");
    ck_assert_uint_eq(now->n_threads, 2);
    const struct weir_play_thread *item = &now->threads[1];
    ck_assert_str_eq(item->name, "item 0 of group (1,0,0)");
    ck_assert_str_eq(item->standing, "ready");
    ck_assert_str_eq(item->next, "R y[0] acquire device");
    ck_assert_str_eq(item->file, "native_kernels.c");
    ck_assert_uint_eq(item->n_options, 2);
    g_autofree char *text = g_strdup_printf(
        "reads y[0]=1 of item 0 of group (0,0,0) (line %u)", now->events[1].line);
    ck_assert_str_eq(item->options[0].text, text);
    ck_assert_str_eq(now->threads[0].standing, "ended");
    /* The source has the kernel's line in its place. */
    ck_assert_uint_eq(now->n_sources, 1);
    const struct weir_play_source *source = &now->sources[0];
    ck_assert(g_str_has_prefix(source->text, "WEIR_KERNEL(message"));
    g_auto(GStrv) lines = g_strsplit(source->text, "\n", -1);
    ck_assert_ptr_nonnull(strstr(lines[item->line - source->first], "LOAD(args->y"));
    ck_assert_str_eq(lines[1], "{");
    ck_assert(g_str_has_prefix(lines[2], "    if "));
    ck_assert(g_str_has_suffix(source->text, "\n}\n"));
    weir_report_free(report);
}

/* That the store is a step is known only of other executions than the one in order. */
DEVICE_TEST(steps_are_learned_before_choices_are_taken)
{
    const struct weir_play *now = play(device, &message_to_first, 2, 1, "1:0", NULL);
    ck_assert_str_eq(now->steps[0].text, "writes x[0]=42");
    ck_assert_str_eq(now->threads[1].next, "W y[0] release device");
    weir_report_free(report);
}

/* Items of `write_then_read` each write a word, 0 by the first one, and read the next
 * one's. A store of what is there looks like a copy that has not been made; it is a
 * step before the read each time that the item begins anew. */
DEVICE_TEST(a_store_that_changes_nothing_keeps_its_place)
{
    static const char *const choices[] = { "0:0", "0:0,0:0", "0:0,1:0", "1:0,0:0" };
    for (size_t i = 0; i < G_N_ELEMENTS(choices); i++) {
        const struct weir_play *now
            = play(device, &write_then_read, 4, 4, choices[i], NULL);
        ck_assert_msg(now->refused == NULL, "%s: %s", choices[i], now->refused);
        ck_assert_str_eq(now->events[0].text, "W s[0]=0");
        weir_report_free(report);
    }
}

/* Groups of two items each; each has a local array. */
DEVICE_TEST(local_memory_is_named_with_its_group)
{
    for (size_t global = 2; global <= 4; global += 2) {
        const struct weir_play *now = play(device, &tree, global, 2, "", NULL);
        const char *name = NULL;
        for (size_t v = 0; v < now->n_values; v++) {
            if (g_str_has_prefix(now->values[v].name, "s[1]")) {
                name = now->values[v].name;
            }
        }
        ck_assert_str_eq(name, global == 2 ? "s[1]" : "s[1] of group (1,0,0)");
        weir_report_free(report);
    }
}

/* Under sc a read cannot be stale. The store's order decides under sycl. */
DEVICE_TEST(a_refused_option_and_a_weaker_order)
{
    launch(device, &store_buffering, weir_nd_range_1d(2, 1),
           &(struct weir_launch_options){ .explore = "sc", .play = "0:0,1:0,0:0" });
    const struct weir_play *now = weir_report_play(report);
    const struct weir_play_thread *item = &now->threads[1];
    ck_assert_uint_eq(item->n_options, 2);
    ck_assert(item->options[0].allowed && !item->options[1].allowed);
    ck_assert_str_eq(item->options[1].axiom, "SC");
    ck_assert_uint_ge(item->options[1].n_cycle, 2);
    weir_report_free(report);
    now = play(device, &message, 2, 1, "0:0,0:0,1:1", NULL);
    ck_assert_str_eq(now->reached, "part");
    const struct weir_play_site *store = &now->sites[0];
    ck_assert_str_eq(store->order, "release");
    ck_assert_str_eq(store->orders, "relaxed release seq_cst");
    g_autofree char *order = g_strdup_printf("%s=relaxed", store->place);
    weir_report_free(report);
    now = play(device, &message, 2, 1, "0:0,0:0,1:1,1:1", order);
    ck_assert_str_eq(now->reached, "race");
    ck_assert(now->race != NULL && strstr(now->race, "not a release") != NULL);
    ck_assert_str_eq(now->sites[0].order, "relaxed");
    ck_assert_str_eq(now->changes, order);
    weir_report_free(report);
}

/* The first option of the first item that has one, to the end. */
DEVICE_TEST(a_kernel_is_played_to_its_end)
{
    g_autoptr(GString) choices = g_string_new(NULL);
    bool barrier = false;
    for (unsigned steps = 0;; steps++) {
        const struct weir_play *now = play(device, &tree, 4, 4, choices->str, NULL);
        ck_assert_uint_eq(now->n_steps, steps);
        const struct weir_play_option *first = NULL;
        for (size_t t = 0; t < now->n_threads && first == NULL; t++) {
            barrier |= strcmp(now->threads[t].standing, "waiting") == 0;
            first = now->threads[t].n_options > 0 ? now->threads[t].options : NULL;
        }
        if (first == NULL) {
            ck_assert_str_eq(now->reached, "complete");
            ck_assert_ptr_nonnull(now->state);
            weir_report_free(report);
            break;
        }
        g_string_append_printf(choices, "%s%s", steps > 0 ? "," : "", first->choice);
        weir_report_free(report);
    }
    ck_assert(barrier);
}

static bool is_42(const void *args, void *user)
{
    const words_args *words = args;
    (void)user;
    return words->out[0] == 42;
}

DEVICE_TEST(a_post_condition_is_judged_at_the_end)
{
    static const char *const choices[] = { "0:0,0:0,1:1,1:1", "1:0,0:0,0:0", "1:0" };
    static const char *const holds[] = { "yes", "no", NULL };
    for (size_t i = 0; i < G_N_ELEMENTS(choices); i++) {
        launch(device, &message, weir_nd_range_1d(2, 1),
               &(struct weir_launch_options){
                   .explore = "sycl", .play = choices[i], .post_condition = is_42 });
        const struct weir_play *now = weir_report_play(report);
        ck_assert_msg(now->refused == NULL, "%s", now->refused);
        ck_assert_int_eq(g_strcmp0(now->holds, holds[i]), 0);
        weir_report_free(report);
    }
}

/* ---- Records --------------------------------------------------------------------- */

CASE("errors");

DEVICE_TEST(options_that_do_not_fit)
{
    words_args args = words_new(device);
    const struct weir_launch_options wrong[]
        = { { .play = "" },
            { .explore = "sycl", .play = "0:" },
            { .explore = "sycl", .play = "", .jobs = 2 },
            { .explore = "sycl", .play = "", .samples = 2 },
            { .explore = "gpu", .play = "" } };
    static const char *const parts[]
        = { "set the option explore", "are not of the form", "excludes", "excludes",
            "cannot be explored under" };
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        GError *error = NULL;
        struct weir_report *none = NULL;
        ck_assert(!weir_launch_sized_with(device, &message, weir_nd_range_1d(2, 1),
                                          &args, sizeof(args), &wrong[i], &none,
                                          &error));
        expect_error(error, WEIR_ERROR_ARGUMENT, parts[i]);
    }
}

MAIN("native-play")
