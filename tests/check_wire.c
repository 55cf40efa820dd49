/* SPDX-License-Identifier: MIT
 *
 * check_wire.c: what goes from one process to another. A report comes back from a line
 * of JSON as it was; any other bytes are an error, or a report, but never a crash. A
 * line of options comes back as it was written, and is refused where it is wrong. */
#include "support.h"

#include "deterministic/trace.h"
#include "finding/identity.h"
#include "report/options.h"
#include "show/record-read.h"

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

static const struct weiri_launch_record head = { .kernel = "some_wait",
                                                 .instrumented = true,
                                                 .schedule = "reverse",
                                                 .seed = 0xfedcba9876543210 };

/* The records of a line, or of several; none that is wrong is expected. */
static GPtrArray *read_lines(const GString *lines)
{
    GPtrArray *records = weiri_records_new();
    GError *error = NULL;
    ck_assert_msg(weiri_records_read(lines->str, lines->len, records, &error), "%s",
                  error != NULL ? error->message : "no error");
    return records;
}

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
    expect_same_text(a->fix, b->fix);
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_uint_eq(a->n_parties, b->n_parties);
    for (size_t i = 0; i < a->n_parties; i++) {
        expect_same_party(&a->parties[i], &b->parties[i]);
        expect_same_text(weiri_finding_function(a, &a->parties[i]),
                         b->parties[i].function);
    }
}

CASE("reports");

TEST(a_report_comes_back_as_it_was)
{
    g_autoptr(weir_report) report = diverging_report();
    g_autoptr(GString) line = weiri_record_of_report(&head, report);
    g_autoptr(GPtrArray) records = read_lines(line);
    ck_assert_uint_eq(records->len, 1);
    const struct weiri_launch_record *record = g_ptr_array_index(records, 0);
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
}

TEST(a_race_comes_back_with_all_that_it_says)
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
                                       .fix = "wider \"\\\n\x7f\x01\xe2\x82\xac",
                                       .count = UINT64_MAX,
                                       .n_parties = 2,
                                       .parties = parties };
    struct weiri_launch_record record = head;
    record.findings = &race;
    record.n_findings = 1;
    record.n_steps = 5;
    record.group_items = 77;
    record.accesses = true;
    record.incomplete = "why";
    g_autoptr(GString) line = weiri_record_to_line(&record);
    g_autoptr(GPtrArray) records = read_lines(line);
    const struct weiri_launch_record *back = g_ptr_array_index(records, 0);
    ck_assert_uint_eq(back->n_findings, 1);
    ck_assert_uint_eq(back->n_steps, 5);
    ck_assert_uint_eq(back->group_items, 77);
    ck_assert(back->accesses);
    ck_assert_str_eq(back->incomplete, "why");
    expect_same_finding(&race, &back->findings[0]);
}

TEST(a_launch_that_failed_comes_back_with_the_reason)
{
    struct weiri_launch_record failed = head;
    failed.error = "local size 4 does not divide \xff";
    failed.error_code = WEIR_ERROR_RANGE;
    g_autoptr(GString) line = weiri_record_to_line(&failed);
    g_autoptr(GPtrArray) records = read_lines(line);
    const struct weiri_launch_record *record = g_ptr_array_index(records, 0);
    ck_assert(!record->made);
    ck_assert_str_eq(record->error, "local size 4 does not divide \xef\xbf\xbd");
    ck_assert_int_eq(record->error_code, WEIR_ERROR_RANGE);
    ck_assert_uint_eq(record->n_findings, 0);
}

static const char some_schedule[]
    = "weir schedule 1\n\nlaunch: some_wait\n  identity: 0123456789abcdef\n"
      "  device: default\n  global: 16\n  local: 8\n  sub-group: 16\n"
      "  schedule: random\n  seed: 18446744073709551615\n  stops: accesses\n"
      "  steps: 100\n  decisions: 90\n  switches: 3\n  0 start -> 0.5\n"
      "  17 0.5:3 -> 1.0 a.c:41\n  90 1.2:9 -> 0.0 a\\\\b.c:42\nend\n";

TEST(a_schedule_comes_back_as_it_was)
{
    g_autoptr(weir_schedule) got = weir_schedule_new();
    struct weiri_launch_record record = head;
    record.recorded = some_schedule;
    record.process = 77;
    record.serial = 3;
    record.exits = true;
    g_autoptr(GString) line = weiri_record_to_line(&record);
    g_autoptr(GPtrArray) records = read_lines(line);
    struct weiri_launch_record *back = g_ptr_array_index(records, 0);
    ck_assert_uint_eq(back->process, 77);
    ck_assert_uint_eq(back->serial, 3);
    ck_assert(back->exits);
    ck_assert(!back->begins && back->made);
    weiri_record_take_schedule(back, got);
    ck_assert_ptr_null(back->recorded);
    g_autofree char *text = weiri_trace_to_text(got);
    expect_same_text(some_schedule, text);
    weiri_record_take_schedule(back, got); /* there is none any more */
    ck_assert_uint_eq(weir_schedule_n_launches(got), 1);
}

TEST(launches_that_were_made_are_counted_by_whole_lines)
{
    const struct weiri_launch_record begins = { .begins = true, .kernel = "made" };
    struct weiri_launch_record failed = head;
    failed.error = "{\"made\":true,";
    g_autoptr(GString) all = weiri_record_to_line(&begins);
    g_autoptr(GString) made = weiri_record_to_line(&head),
                       none = weiri_record_to_line(&failed);
    g_string_append(all, none->str);
    g_string_append(all, made->str);
    size_t whole = all->len, read;
    ck_assert_uint_eq(weiri_record_count_made(all->str, all->len, &read), 1);
    ck_assert_uint_eq(read, whole);
    g_string_append_len(all, made->str, (gssize)made->len - 1);
    ck_assert_uint_eq(weiri_record_count_made(all->str, all->len, &read), 1);
    ck_assert_uint_eq(read, whole); /* the rest of the line may be on its way */
    ck_assert_uint_eq(weiri_record_count_made(NULL, 0, &read), 0);
}

/* Reads bytes that may be anything. Returns: how many records they hold */
static size_t read_any(const char *text, size_t n)
{
    g_autoptr(GPtrArray) records = weiri_records_new();
    GError *error = NULL;
    bool sound = weiri_records_read(text, n, records, &error);
    ck_assert(sound == (error == NULL));
    ck_assert(sound || g_error_matches(error, WEIR_ERROR, WEIR_ERROR_INPUT));
    size_t n_records = records->len;
    for (size_t i = 0; i < n_records; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(records, i);
        ck_assert_ptr_nonnull(record->kernel);
        for (size_t k = 0; k < record->n_findings; k++) {
            const struct weir_finding *finding = &record->findings[k];
            ck_assert_ptr_nonnull(weir_finding_kind_name(finding->kind));
            ck_assert_ptr_nonnull(finding->message);
            g_autofree char *key = weiri_finding_key(finding);
            ck_assert(g_utf8_validate(key, -1, NULL));
        }
    }
    g_clear_error(&error);
    return n_records;
}

TEST(records_follow_each_other_and_may_be_cut_short)
{
    g_autoptr(weir_report) report = diverging_report();
    g_autoptr(GString) one = weiri_record_of_report(&head, report);
    g_autoptr(GString) three = g_string_new(one->str);
    g_string_append(g_string_append(three, one->str), one->str);
    for (size_t length = 0; length <= three->len; length++) {
        ck_assert_uint_eq(read_any(three->str, length), length / one->len);
    }
}

TEST_EACH(wrong_bytes_are_an_error_and_no_crash, 2)
{
    static const char marks[] = "{}[],:\"\\0-9.etfn\n \x80";
    g_autoptr(weir_report) report = diverging_report();
    struct weiri_launch_record record = head;
    record.recorded = _i == 0 ? NULL : some_schedule;
    g_autoptr(GString) line = weiri_record_of_report(&record, report);
    size_t n = line->len;
    g_autofree char *wrong = g_malloc(n);
    uint64_t seed = 1;
    for (size_t i = 0; i < scaled(20000, 400); i++) {
        memcpy(wrong, line->str, n);
        for (size_t k = random_between(&seed, 1, 8); k > 0; k--) {
            char byte = (char)random_next(&seed);
            wrong[random_between(&seed, 0, n - 1)]
                = i % 2 == 0 ? byte : marks[(unsigned char)byte % (sizeof(marks) - 1)];
        }
        read_any(wrong, n);
    }
    for (size_t i = 0; i < scaled(2000, 100); i++) {
        for (size_t k = 0; k < n; k++) {
            wrong[k] = (char)random_next(&seed);
        }
        read_any(wrong, random_between(&seed, 0, n));
    }
}

/* Each is a line whose members are of other types, or contradict each other. */
TEST(a_line_of_another_form_is_an_error_that_names_it)
{
    static const char *const wrong[] = {
        "",
        "[]",
        "null",
        "5",
        "{}",
        "{\"made\": true}",
        "{\"made\": false, \"kernel\": \"k\"}",
        "{\"made\": 1, \"kernel\": \"k\"}",
        "{\"made\": true, \"kernel\": 5}",
        "{\"made\": true, \"kernel\": \"k\", \"begins\": true}",
        "{\"made\": true, \"kernel\": \"k\", \"error\": \"e\"}",
        "{\"made\": true, \"kernel\": \"k\", \"seed\": 1.5}",
        "{\"made\": true, \"kernel\": \"k\", \"findings\": {}}",
        "{\"made\": true, \"kernel\": \"k\", \"findings\": [5]}",
        "{\"made\": true, \"kernel\": \"k\", \"findings\": [{}]}",
        "{\"made\": true, \"kernel\": \"k\", \"findings\": [{\"kind\": \"fault\"}]}",
        "{\"made\": true, \"kernel\": \"k\", \"findings\": [{\"kind\": \"x\", "
        "\"kernel\": \"k\", \"message\": \"m\"}]}",
        "{\"made\": true, \"kernel\": \"k\", \"findings\": [{\"kind\": \"fault\", "
        "\"kernel\": \"k\", \"message\": \"m\", \"sites\": [{\"line\": -1}]}]}",
        "{\"made\": true, \"kernel\": \"k\", \"findings\": [{\"kind\": \"fault\", "
        "\"kernel\": \"k\", \"message\": \"m\", \"sites\": [{\"line\": 2147483648}]}]}",
        "{\"made\": true, \"kernel\": \"k\", \"findings\": [{\"kind\": \"fault\", "
        "\"kernel\": \"k\", \"message\": \"m\", \"sites\": [{\"item\": [1, 2]}]}]}",
        "{\"made\": true, \"kernel\": \"k\", \"recorded\": \"weir schedule 1\"}",
        "{\"made\": true, \"kernel\": \"k\"} {}",
        "{\"made\": true, \"kernel\": 'k'}",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *text
            = g_strdup_printf("{\"made\": true, \"kernel\": \"k\"}\n%s\n", wrong[i]);
        g_autoptr(GPtrArray) records = weiri_records_new();
        g_autoptr(GError) error = NULL;
        ck_assert_msg(!weiri_records_read(text, strlen(text), records, &error), "%s",
                      wrong[i]);
        ck_assert(g_error_matches(error, WEIR_ERROR, WEIR_ERROR_INPUT));
        ck_assert_msg(g_str_has_prefix(error->message, "line 2 of "), "%s: %s",
                      wrong[i], error->message);
        ck_assert_uint_eq(records->len, 1);
    }
}

CASE("options");

TEST(options_come_back_as_they_were)
{
    g_autoptr(GString) line = g_string_new(NULL);
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
}

/* A line with every key, in the order in which they are written. */
TEST(options_are_written_as_they_are_read)
{
    static const char line[]
        = "schedule=random seed=7 step-limit=1 time-limit-ms=2 deadline-ms=3 check=1 "
          "sub-group=4 stack-bytes=5 list-steps=6 trace=t%20t trace-events=8 "
          "order=a.c:1=relaxed explore=sycl play= plain-events=1 max-executions=9 "
          "resident=10 jobs=11 until-wrong=1 litmus=1 samples=12 bounded=1 "
          "deviations=13 symmetry=1 ranks=r device=d lockstep=1 reports=p traced=1 "
          "record=c replay=l fork=f halt=h halt-at=14 idle=1 follow=loosely "
          "exited=alive-only pairing=count after=release scope-rule=same "
          "spaces=opencl same-value=note model=ptx";
    static const char *const lines[]
        = { line, "check=0 exited=strict pairing=site after=stop", "" };
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        struct weiri_options options;
        GError *error = NULL;
        ck_assert_msg(weiri_options_read(lines[i], &options, &error), "%s",
                      error != NULL ? error->message : "");
        g_autofree char *written = weiri_options_write(&options);
        ck_assert_str_eq(written, lines[i]);
        weiri_options_clear(&options);
    }
}

TEST(malformed_options_are_refused)
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
        "model=cuda",
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
        g_autoptr(GError) error = NULL;
        ck_assert_msg(!weiri_options_read(wrong[i], &options, &error), "'%s'",
                      wrong[i]);
        ck_assert(g_error_matches(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT));
        ck_assert_msg(strstr(error->message, "WEIR_OPTIONS") != NULL, "%s",
                      error->message);
        weiri_options_clear(&options);
    }
}

MAIN("wire")
