/* SPDX-License-Identifier: MIT
 *
 * 06_replay.c: a bug that needs a certain order, found, recorded and replayed.
 *
 * Each item loads the count, adds one and stores it. Both accesses are atomic, but the
 * three steps together are not: an item that loads before another item has stored adds
 * to an old number. Run in order, no item comes in between, and the count is correct.
 * So this program runs them in random order, until a seed shows the bug.
 *
 * That run is recorded: the file has the switches between items that the in-order
 * schedule would not have made. A replay of it gives the same report, on any machine
 * and any day. Most of the switches have nothing to do with the bug: shrinking leaves
 * them out, and the one that remains explains the bug.
 *
 * A test with Check, run as tcase_add_loop_test(tcase, nothing_is_lost, 1, 101):
 *
 *   START_TEST(nothing_is_lost)
 *   {
 *       struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
 *       options.schedule = "random";
 *       options.seed = (uint64_t)_i;
 *       ck_assert_ptr_null(run(&counter, &options));
 *   }
 *   END_TEST */
#include <weir-kernel.h>
#include <weir.h>

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 8 };

typedef struct {
    int32_t *count;
} count_args;

/* expect: assertion: an update is lost */
WEIR_KERNEL(count_up, count_args)
{
    struct weir_atomic_i32 count
        = weir_atomic_ref(args->count, memory_order_relaxed, memory_scope_work_group);
    int32_t before = weir_atomic_load(count);
    weir_atomic_store(count, before + 1); /* weir_atomic_fetch_add() loses nothing */
    weir_barrier(item, WEIR_GLOBAL);
    weir_assert(item, *args->count == ITEMS);
}

struct counter {
    struct weir_device *device;
    count_args args;
};

static void *need(void *result, const GError *error)
{
    if (result == NULL) {
        fprintf(stderr, "%s\n", error->message);
        exit(EXIT_FAILURE);
    }
    return result;
}

/* The findings of a launch with these options; NULL where it has none. */
static char *run(struct counter *counter, const struct weir_launch_options *options)
{
    GError *error = NULL;
    struct weir_report *report = NULL;
    *counter->args.count = 0;
    (void)!weir_launch_with(counter->device, &count_up, weir_nd_range_1d(ITEMS, ITEMS),
                            &counter->args, options, &report, &error);
    need(report, error);
    char *text = weir_report_n_defects(report) > 0 ? weir_report_to_text(report) : NULL;
    weir_report_free(report);
    return text;
}

/* Whether the bug still shows without some of the switches. */
static bool fails(struct weir_schedule *candidate, void *counter)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.replay = candidate;
    options.loosely = true; /* skips a switch that has become impossible */
    g_autofree char *wrong = run(counter, &options);
    return wrong != NULL;
}

/* Prints a line of the file such as "11 0.3:2 -> 0.6 counter.c:43" in words. */
static void say(const char *line)
{
    unsigned step, group, item, stop, to_group, to_item;
    char place[1024];
    if (sscanf(line, "%u %u.%u:%u -> %u.%u %1023s", &step, &group, &item, &stop,
               &to_group, &to_item, place)
        == 7) {
        printf("step %u: item %u has reached %s, and item %u runs\n", step, item, place,
               to_item);
    }
}

/* Saves a schedule, and loads it. */
static struct weir_schedule *keep(const struct weir_schedule *schedule, bool aloud)
{
    static const char path[] = "06_replay.schedule";
    GError *error = NULL;
    g_autofree char *text = NULL;
    (void)!(weir_schedule_save(schedule, path, &error)
            && g_file_get_contents(path, &text, NULL, &error));
    need(text, error);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (size_t i = 0; aloud && lines[i] != NULL; i++) {
        say(lines[i]);
    }
    struct weir_schedule *back = need(weir_schedule_load(path, &error), error);
    g_unlink(path);
    return back;
}

int main(void)
{
    GError *error = NULL;
    struct counter counter = { need(weir_device_new("default", &error), error), { 0 } };
    counter.args.count = weir_new(counter.device, int32_t, 1, "count");

    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.schedule = "in-order";
    printf("in order: %s\n", run(&counter, &options) == NULL ? "right" : "wrong");

    g_autofree char *wrong = NULL;
    options.schedule = "random";
    while (wrong == NULL && options.seed < 100) {
        options.seed++;
        weir_schedule_free(options.record);
        options.record = weir_schedule_new();
        wrong = run(&counter, &options);
    }
    if (wrong == NULL) { /* under WEIR_OPTIONS with a schedule of its own */
        printf("no order is wrong\n");
        return EXIT_FAILURE;
    }
    printf("random, seed %d: %zu switches\n%s", (int)options.seed,
           weir_schedule_n_switches(options.record), wrong);

    struct weir_launch_options again = WEIR_LAUNCH_OPTIONS;
    again.replay = keep(options.record, false);
    g_autofree char *same = run(&counter, &again);
    printf("replayed: %s\n", g_strcmp0(same, wrong) == 0 ? "the same" : "another");

    /* The shrunk schedule is run once more and recorded: its steps differ. */
    struct weir_launch_options last = WEIR_LAUNCH_OPTIONS;
    last.replay = weir_schedule_shrink(options.record, fails, &counter);
    last.loosely = true;
    last.record = weir_schedule_new();
    g_autofree char *short_wrong = run(&counter, &last);
    printf("shrunk: %zu switch\n%s", weir_schedule_n_switches(last.record),
           short_wrong);
    weir_schedule_free(keep(last.record, true));

    weir_schedule_free(options.record);
    weir_schedule_free(again.replay);
    weir_schedule_free(last.replay);
    weir_schedule_free(last.record);
    weir_device_free(counter.device);
    return EXIT_SUCCESS;
}
