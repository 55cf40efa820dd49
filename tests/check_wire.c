/* SPDX-License-Identifier: MIT
 *
 * check_wire.c: what goes from one process to another. A report comes back from bytes
 * as it was; any other bytes are an error, or a report, but never a crash. A line of
 * options comes back as it was written, and is refused where it is malformed. */
#include "support.h"

#include "report/options.h"
#include "report/wire.h"
#include "watch/trace.h"

#include <glib/gstdio.h>

typedef struct {
    size_t n;
} some_args;

WEIR_KERNEL(some_wait, some_args)
{
    if (weir_local_id(item, 0) < args->n) {
        weir_barrier(item, WEIR_LOCAL);
    }
}

static struct weir_report *diverging_report(void)
{
    struct weir_device *device = device_open("default");
    struct weir_report *report = NULL;
    GError *error = NULL;
    struct weir_launch_options options = { .schedule = "reverse" };
    ck_assert_msg(weir_launch_with(device, &some_wait, weir_nd_range_1d(16, 8),
                                   (&(some_args){ 5 }), &options, &report, &error),
                  "%s", error != NULL ? error->message : "");
    weir_device_free(device);
    ck_assert_uint_eq(weir_report_n_findings(report), 1);
    return report;
}

static const struct weiri_wire_record head = { .kernel = "some_wait",
                                               .instrumented = true,
                                               .schedule = "reverse",
                                               .seed = 0xfedcba9876543210 };

static void expect_same_text(const char *a, const char *b)
{
    ck_assert_msg(g_strcmp0(a, b) == 0, "'%s' became '%s'", a, b);
}

static void expect_same_party(const struct weir_party *a, const struct weir_party *b)
{
    ck_assert_int_eq(a->state, b->state);
    expect_same_text(a->items, b->items);
    ck_assert_mem_eq(a->item, b->item, sizeof(a->item));
    ck_assert_mem_eq(a->group, b->group, sizeof(a->group));
    expect_same_text(a->groups, b->groups);
    expect_same_text(a->file, b->file);
    expect_same_text(a->function, b->function);
    ck_assert_uint_eq(a->line, b->line);
    expect_same_text(a->source, b->source);
    expect_same_text(a->operation, b->operation);
    ck_assert_uint_eq(a->phase, b->phase);
    ck_assert_uint_eq(a->n_path, b->n_path);
    for (size_t i = 0; i < a->n_path; i++) {
        expect_same_text(a->path[i].function, b->path[i].function);
        expect_same_text(a->path[i].file, b->path[i].file);
        ck_assert_uint_eq(a->path[i].line, b->path[i].line);
    }
    expect_same_text(a->object, b->object);
    ck_assert_uint_eq(a->index, b->index);
    expect_same_text(a->value, b->value);
    expect_same_text(a->writer, b->writer);
    ck_assert_int_eq(a->access, b->access);
    expect_same_text(a->order, b->order);
    expect_same_text(a->scope, b->scope);
}

static void expect_same_finding(const struct weir_finding *a,
                                const struct weir_finding *b)
{
    ck_assert_int_eq(a->kind, b->kind);
    expect_same_text(a->kernel, b->kernel);
    expect_same_text(a->message, b->message);
    ck_assert_int_eq(a->note, b->note);
    expect_same_text(a->form, b->form);
    expect_same_text(a->parted, b->parted);
    expect_same_text(a->space, b->space);
    expect_same_text(a->object, b->object);
    ck_assert_int_eq(a->index, b->index);
    expect_same_text(a->why, b->why);
    expect_same_text(a->remedy, b->remedy);
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_uint_eq(a->n_parties, b->n_parties);
    for (size_t i = 0; i < a->n_parties; i++) {
        expect_same_party(&a->parties[i], &b->parties[i]);
    }
}

START_TEST(a_report_comes_back_as_it_was)
{
    struct weir_report *report = diverging_report();
    GBytes *bytes = weiri_wire_pack(&head, report);
    GPtrArray *records = weiri_wire_records_new();
    GError *error = NULL;
    ck_assert(weiri_wire_unpack(bytes, records, &error));
    ck_assert_uint_eq(records->len, 1);
    const struct weiri_wire_record *record = g_ptr_array_index(records, 0);
    ck_assert_str_eq(record->kernel, "some_wait");
    ck_assert_str_eq(record->schedule, "reverse");
    ck_assert_uint_eq(record->seed, head.seed);
    ck_assert(record->instrumented);
    ck_assert_ptr_null(record->error);
    ck_assert_ptr_null(record->incomplete);
    ck_assert_uint_eq(record->n_steps, weir_report_n_steps(report));
    ck_assert_uint_eq(record->group_items, 8);
    ck_assert(!record->accesses);
    ck_assert_uint_eq(record->n_findings, 1);
    expect_same_finding(weir_report_finding(report, 0), &record->findings[0]);
    g_ptr_array_unref(records);
    g_bytes_unref(bytes);
    weir_report_free(report);
}
END_TEST

START_TEST(a_race_comes_back_with_all_that_it_says)
{
    static const struct weir_frame frame = { "f", "a.c", 3 };
    static const struct weir_party parties[]
        = { { .items = "0", .line = 1, .access = WEIR_ACCESS_WRITE },
            { .items = "1",
              .n_path = 1,
              .path = &frame,
              .access = WEIR_ACCESS_ATOMIC_LOAD,
              .order = "acquire",
              .scope = "device" } };
    const struct weir_finding race = { .kind = WEIR_FINDING_SCOPE_RACE,
                                       .kernel = "k",
                                       .message = "m",
                                       .space = "global",
                                       .object = "buffer",
                                       .index = INT64_MIN,
                                       .why = "",
                                       .remedy = "wider \xff",
                                       .count = UINT64_MAX,
                                       .n_parties = 2,
                                       .parties = parties };
    struct weiri_wire_record record = head;
    record.findings = &race;
    record.n_findings = 1;
    record.n_steps = 5;
    record.group_items = 77;
    record.accesses = true;
    record.incomplete = "why";
    GBytes *bytes = weiri_wire_pack_record(&record);
    GPtrArray *records = weiri_wire_records_new();
    ck_assert(weiri_wire_unpack(bytes, records, NULL));
    const struct weiri_wire_record *back = g_ptr_array_index(records, 0);
    ck_assert_uint_eq(back->n_findings, 1);
    ck_assert_uint_eq(back->n_steps, 5);
    ck_assert_uint_eq(back->group_items, 77);
    ck_assert(back->accesses);
    ck_assert_str_eq(back->incomplete, "why");
    expect_same_finding(&race, &back->findings[0]);
    g_ptr_array_unref(records);
    g_bytes_unref(bytes);
}
END_TEST

START_TEST(a_launch_that_failed_comes_back_with_the_reason)
{
    struct weiri_wire_record failed = head;
    failed.error = "local size 4 does not divide \xff";
    failed.error_code = WEIR_ERROR_RANGE;
    GBytes *bytes = weiri_wire_pack(&failed, NULL);
    GPtrArray *records = weiri_wire_records_new();
    ck_assert(weiri_wire_unpack(bytes, records, NULL));
    const struct weiri_wire_record *record = g_ptr_array_index(records, 0);
    ck_assert_str_eq(record->error, failed.error);
    ck_assert_int_eq(record->error_code, WEIR_ERROR_RANGE);
    ck_assert_uint_eq(record->n_findings, 0);
    g_ptr_array_unref(records);
    g_bytes_unref(bytes);
}
END_TEST

static struct weiri_traced *some_schedule(void)
{
    struct weiri_traced *traced = weiri_traced_new();
    traced->kernel = g_strdup("some_wait");
    traced->identity = g_strdup("0123456789abcdef");
    traced->device = g_strdup("default");
    traced->global = g_strdup("16");
    traced->local = g_strdup("8");
    traced->schedule = g_strdup("random");
    traced->seed = UINT64_MAX;
    traced->sub_group = 16;
    traced->accesses = true;
    traced->n_steps = 100;
    traced->n_decisions = 90;
    const struct weiri_switch switches[] = {
        { .step = 0, .to_item = 5 },
        { .step = 17, .item = 5, .stop = 3, .to_group = 1, .file = "a.c", .line = 41 },
        { .step = 18, .group = 1, .item = 2, .stop = 1, .file = "b.c", .line = 7 },
        { .step = 90, .group = 1, .item = 2, .stop = 9, .file = "a.c", .line = 42 },
    };
    g_array_append_vals(traced->switches, switches, G_N_ELEMENTS(switches));
    return traced;
}

/* The schedules' files, which have all of them. */
static void expect_same_schedule(const struct weir_schedule *a,
                                 const struct weir_schedule *b)
{
    char *texts[2];
    const struct weir_schedule *const both[] = { a, b };
    for (size_t i = 0; i < 2; i++) {
        g_autofree char *path = NULL;
        int fd = g_file_open_tmp("weir-wire-XXXXXX", &path, NULL);
        ck_assert_int_ge(fd, 0);
        close(fd);
        ck_assert(weir_schedule_save(both[i], path, NULL));
        ck_assert(g_file_get_contents(path, &texts[i], NULL, NULL));
        g_unlink(path);
    }
    expect_same_text(texts[0], texts[1]);
    g_free(texts[0]);
    g_free(texts[1]);
}

START_TEST(a_schedule_comes_back_as_it_was)
{
    struct weir_schedule *sent = weir_schedule_new(), *got = weir_schedule_new();
    struct weiri_wire_record record = head;
    record.traced = some_schedule();
    record.process = 77;
    record.serial = 3;
    record.exits = true;
    GBytes *bytes = weiri_wire_pack_record(&record);
    weiri_trace_add(sent, (struct weiri_traced *)record.traced);
    GPtrArray *records = weiri_wire_records_new();
    ck_assert(weiri_wire_unpack(bytes, records, NULL));
    struct weiri_wire_record *back = g_ptr_array_index(records, 0);
    ck_assert_uint_eq(back->process, 77);
    ck_assert_uint_eq(back->serial, 3);
    ck_assert(back->exits);
    ck_assert(!back->begins);
    ck_assert_ptr_nonnull(back->traced);
    weiri_wire_take_schedule(back, got);
    ck_assert_ptr_null(back->traced);
    expect_same_schedule(sent, got);
    weiri_wire_take_schedule(back, got); /* there is none any more */
    ck_assert_uint_eq(weir_schedule_n_launches(got), 1);
    g_ptr_array_unref(records);
    g_bytes_unref(bytes);
    weir_schedule_free(sent);
    weir_schedule_free(got);
}
END_TEST

/* Reads bytes that may be anything. Returns: how many records they hold */
static size_t read_any(const uint8_t *data, size_t n)
{
    GBytes *bytes = g_bytes_new(data, n);
    GPtrArray *records = weiri_wire_records_new();
    GError *error = NULL;
    bool sound = weiri_wire_unpack(bytes, records, &error);
    ck_assert(sound == (error == NULL));
    ck_assert(sound || g_error_matches(error, WEIR_ERROR, WEIR_ERROR_INPUT));
    size_t n_records = records->len;
    for (size_t i = 0; i < n_records; i++) {
        const struct weiri_wire_record *record = g_ptr_array_index(records, i);
        ck_assert_ptr_nonnull(record->kernel);
        for (size_t k = 0; k < record->n_findings; k++) {
            ck_assert_ptr_nonnull(weir_finding_kind_name(record->findings[k].kind));
            ck_assert_ptr_nonnull(record->findings[k].message);
        }
    }
    g_clear_error(&error);
    g_ptr_array_unref(records);
    g_bytes_unref(bytes);
    return n_records;
}

START_TEST(records_follow_each_other_and_may_be_cut_short)
{
    struct weir_report *report = diverging_report();
    GBytes *bytes = weiri_wire_pack(&head, report);
    size_t n;
    const uint8_t *one = g_bytes_get_data(bytes, &n);
    uint8_t *three = g_malloc(3 * n);
    for (size_t i = 0; i < 3; i++) {
        memcpy(three + i * n, one, n);
    }
    ck_assert_uint_eq(read_any(three, 0), 0);
    for (size_t length = 0; length <= 3 * n; length++) {
        ck_assert_uint_eq(read_any(three, length), length / n);
    }
    g_free(three);
    g_bytes_unref(bytes);
    weir_report_free(report);
}
END_TEST

START_TEST(wrong_bytes_are_an_error_and_no_crash)
{
    struct weir_report *report = diverging_report();
    struct weiri_wire_record record = head;
    struct weiri_traced *traced = some_schedule();
    record.traced = _i == 0 ? NULL : traced;
    GBytes *bytes = weiri_wire_pack(&record, report);
    size_t n;
    const uint8_t *right = g_bytes_get_data(bytes, &n);
    uint8_t *wrong = g_malloc(n);
    uint64_t seed = 1;
    for (size_t i = 0; i < scaled(20000, 400); i++) {
        memcpy(wrong, right, n);
        for (size_t k = random_between(&seed, 1, 8); k > 0; k--) {
            wrong[random_between(&seed, i % 2 == 0 ? 8 : 0, n - 1)]
                = (uint8_t)random_next(&seed);
        }
        read_any(wrong, n);
    }
    for (size_t i = 0; i < scaled(2000, 100); i++) {
        for (size_t k = 0; k < n; k++) {
            wrong[k] = (uint8_t)random_next(&seed);
        }
        memcpy(wrong, right, i % 2 == 0 ? 8 : 0);
        read_any(wrong, random_between(&seed, 0, n));
    }
    g_free(wrong);
    g_bytes_unref(bytes);
    weiri_traced_free(traced);
    weir_report_free(report);
}
END_TEST

START_TEST(options_come_back_as_they_were)
{
    GString *line = g_string_new(NULL);
    weiri_options_add(line, "schedule", "pct:3:100");
    weiri_options_add_number(line, "seed", UINT64_MAX);
    weiri_options_add(line, "reports", "/tmp/a b%20=c\n\xff");
    weiri_options_add(line, "exited", "alive-only");
    weiri_options_add(line, "after", "release");
    weiri_options_add_number(line, "stack-bytes", 65536);
    weiri_options_add_number(line, "check", 1);
    weiri_options_add(line, "scope-rule", "same");
    weiri_options_add(line, "same-value", "note");
    struct weiri_options options;
    ck_assert(weiri_options_read(line->str, &options, NULL));
    ck_assert_str_eq(options.launch.schedule, "pct:3:100");
    ck_assert_uint_eq(options.launch.seed, UINT64_MAX);
    ck_assert_str_eq(options.reports, "/tmp/a b%20=c\n\xff");
    ck_assert(options.exited_given && options.after_given && !options.pairing_given);
    ck_assert_int_eq(options.launch.exited, WEIR_EXITED_ALIVE_ONLY);
    ck_assert_int_eq(options.launch.after, WEIR_AFTER_RELEASE);
    ck_assert_uint_eq(options.launch.stack_bytes, 65536);
    ck_assert_ptr_null(options.record);
    ck_assert(options.launch.check && options.check_given);
    ck_assert(options.scope_rule_given && options.same_value_given);
    ck_assert(!options.spaces_given);
    ck_assert_int_eq(options.launch.scope_rule, WEIR_SCOPE_RULE_SAME);
    ck_assert_int_eq(options.launch.spaces, WEIR_SPACES_SYCL);
    ck_assert_int_eq(options.launch.same_value, WEIR_SAME_VALUE_NOTE);
    weiri_options_clear(&options);
    g_string_free(line, TRUE);
}
END_TEST

START_TEST(malformed_options_are_refused)
{
    static const char *const wrong[] = {
        "seed",
        "=",
        "seed=",
        "seed=-1",
        "seed=1x",
        "seed=+1",
        "seed=1 seed=1",
        "Seed=1",
        "seeds=1",
        "exited=1",
        "pairing=x",
        "after=",
        "check=",
        "check=2",
        "check=yes",
        "scope-rule=all",
        "spaces=",
        "spaces=cuda",
        "same-value=1",
        "same-value=note same-value=note",
        "schedule=",
        "sub-group=0",
        "stack-bytes=0",
        "traced=2",
        "traced=",
        "reports=%",
        "reports=%0",
        "reports=%00",
        "reports=%gg",
        "follow=x",
        "seed=18446744073709551616",
        "schedule=random;seed=1 x",
        "seed = 1",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        struct weiri_options options;
        GError *error = NULL;
        ck_assert_msg(!weiri_options_read(wrong[i], &options, &error), "'%s'",
                      wrong[i]);
        ck_assert(g_error_matches(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT));
        ck_assert_msg(strstr(error->message, "WEIR_OPTIONS") != NULL, "%s",
                      error->message);
        g_error_free(error);
        weiri_options_clear(&options);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wire");
    TCase *reports = add_case(suite, "reports");
    tcase_add_test(reports, a_report_comes_back_as_it_was);
    tcase_add_test(reports, a_race_comes_back_with_all_that_it_says);
    tcase_add_test(reports, a_launch_that_failed_comes_back_with_the_reason);
    tcase_add_test(reports, a_schedule_comes_back_as_it_was);
    tcase_add_test(reports, records_follow_each_other_and_may_be_cut_short);
    tcase_add_loop_test(reports, wrong_bytes_are_an_error_and_no_crash, 0, 2);
    TCase *options = add_case(suite, "options");
    tcase_add_test(options, options_come_back_as_they_were);
    tcase_add_test(options, malformed_options_are_refused);
    return run_suite(suite);
}
