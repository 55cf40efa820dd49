/* SPDX-License-Identifier: MIT
 *
 * races.h: kernels that race, and what is expected of their findings under many
 * schedules; and kernels that are right, which draw nothing under any of them. Kernels
 * are in the file that includes this one, which is __BASE_FILE__ here.
 *
 * The two places of a race are named by the comments at the ends of their lines. A name
 * belongs to the kernel in whose text it stands; one in a helper is that of all.
 * Expectations are in full: a race that is not expected fails a test as one that is
 * missing does.
 *
 * One kernel is right and wrong, as its arguments say. */
#ifndef WEIR_TESTS_RACES_H
#define WEIR_TESTS_RACES_H

#include "schedules.h"

enum { LOCAL = 4, GROUPS = 3, N = LOCAL * GROUPS, MOST = 1024 };

/* Arguments of the kernels; all memory is 0 before each launch, but for @in. */
typedef struct {
    int32_t *data; /* MOST of each */
    int32_t *out;
    int32_t *in;   /* i + 1 */
    int32_t *flag; /* 4 of them */
    int32_t *lock;
    bool wrong;
    memory_order release, acquire, middle;
    memory_scope release_scope, acquire_scope, middle_scope;
    uint32_t how; /* one of the kernel's own variants */
} race_args;

/* ---- What is expected of a race ------------------------------------------ */

/* An access. */
struct side {
    const char *label;  /* the comment at the end of its line */
    const char *access; /* one of them, where there is a | between */
    const char *order;  /* of an atomic one, and */
    const char *scope;
    const char *call; /* the comment in the line that calls the helper, or NULL */
};

#define PLAIN(label_, access_, ...)                                                    \
    {                                                                                  \
        .label = (label_), .access = (access_), __VA_ARGS__                            \
    }
#define READS(label, ...) PLAIN(label, "read", __VA_ARGS__)
#define WRITES(label, ...) PLAIN(label, "write", __VA_ARGS__)
#define ATOMIC(label_, access_, order_, scope_)                                        \
    {                                                                                  \
        .label = (label_), .access = "atomic " access_, .order = (order_),             \
        .scope = (scope_)                                                              \
    }

enum { ANY_INDEX = -1 };

struct race {
    enum weir_finding_kind kind;
    struct side sides[2]; /* in either order, in time and in the report */
    const char *object;   /* a name; of a local array: the comment in its line */
    int64_t index;
    const char *why; /* a part of it */
    bool at_times;   /* not under every schedule, but under some */
    bool note;
};

#define RACE(object_, index_, one, other, why_, ...)                                   \
    {                                                                                  \
        .sides = { one, other }, .object = (object_), .index = (index_),               \
        .why = (why_), __VA_ARGS__                                                     \
    }

enum { MOST_RACES = 6 };

struct wrong {
    const struct weir_kernel *kernel;
    struct weir_nd_range range; /* dim 0: GROUPS groups of LOCAL items */
    race_args args;             /* but for memory */
    struct weir_launch_options options;
    struct race races[MOST_RACES]; /* up to the first one without an object */
};

static const struct order race_orders[] = {
    { "in-order", 0 }, { "reverse", 0 }, { "round-robin", 0 }, { "random", 1 },
    { "random", 2 },   { "random", 3 },  { "random", 4 },      { "pct:3", 1 },
    { "pct:3", 2 },    { "pct:3", 3 },   { "pct:3", 4 },
};

#define SCOPE_RACE .kind = WEIR_FINDING_SCOPE_RACE
#define MIXED_ATOMIC .kind = WEIR_FINDING_MIXED_ATOMIC

/* Reasons of many. */
static const char of_groups[] __attribute__((unused))
= "the items are of different groups";
static const char no_barrier[] __attribute__((unused))
= "no barrier of the group lies between the two";

/* ---- Lines --------------------------------------------------------------- */

/* The text of this file; kept until the end. */
TEST_HELPER const char *source_text(void)
{
    static char *text;
    GError *error = NULL;
    if (text == NULL && !g_file_get_contents(__BASE_FILE__, &text, NULL, &error)) {
        ck_abort_msg("%s", error->message);
    }
    return text;
}

TEST_HELPER uint32_t line_at(const char *at)
{
    uint32_t line = 1;
    for (const char *c = source_text(); c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

/* The line of the comment @label, which is one only: in the kernel's text, or where
 * that has none, in all of the file. */
TEST_HELPER uint32_t label_line(const struct weir_kernel *kernel, const char *label)
{
    g_autofree char *head = g_strdup_printf("KERNEL(%s, ", kernel->name);
    g_autofree char *comment = g_strdup_printf("/* %s */", label);
    const char *from = strstr(source_text(), head);
    ck_assert_msg(from != NULL, "no kernel %s in %s", kernel->name, __BASE_FILE__);
    const char *end = strstr(from, "\n}\n");
    const char *at = strstr(from, comment);
    if (at == NULL || at > end) {
        at = strstr(source_text(), comment);
        end = NULL;
    }
    ck_assert_msg(at != NULL, "no line of '%s' is labelled '%s'", kernel->name, label);
    const char *other = strstr(at + 1, comment);
    ck_assert_msg(other == NULL || (end != NULL && other > end),
                  "two lines of '%s' are labelled '%s'", kernel->name, label);
    uint32_t line = line_at(at);
    return line;
}

TEST_HELPER bool is_file(const char *file)
{
    const char *base = strrchr(__BASE_FILE__, '/');
    base = base != NULL ? base + 1 : __BASE_FILE__;
    return file != NULL && g_str_has_suffix(file, base);
}

/* ---- Finding against expectation ----------------------------------------- */

TEST_HELPER bool is_one_of(const char *text, const char *alternatives)
{
    g_auto(GStrv) all = g_strsplit(alternatives, "|", -1);
    bool is = text != NULL && g_strv_contains((const char *const *)all, text);
    return is;
}

TEST_HELPER bool is_side(const struct weir_party *party, const struct side *side,
                         const struct weir_kernel *kernel)
{
    bool called = side->call != NULL;
    return is_file(party->file) && party->line == label_line(kernel, side->label)
        && is_one_of(weir_access_name(party->access), side->access)
        && g_strcmp0(party->order, side->order) == 0
        && g_strcmp0(party->scope, side->scope) == 0 && party->n_path == called
        && (!called
            || (is_file(party->path[0].file)
                && party->path[0].line == label_line(kernel, side->call)));
}

/* As reports have it: "local array of FILE:LINE" for a label. */
TEST_HELPER bool is_object(const struct weir_finding *finding, const struct race *race,
                           const struct weir_kernel *kernel)
{
    if (finding->object == NULL || strcmp(finding->space, "local") != 0) {
        return g_strcmp0(finding->object, race->object) == 0;
    }
    const char *colon = strrchr(finding->object, ':');
    return g_str_has_prefix(finding->object, "local array of ") && colon != NULL
        && strtoul(colon + 1, NULL, 10) == label_line(kernel, race->object);
}

TEST_HELPER bool is_race(const struct weir_finding *finding, const struct race *race,
                         const struct weir_kernel *kernel)
{
    const struct weir_party *party = finding->parties;
    const struct side *side = race->sides;
    return finding->kind == race->kind && finding->n_parties == 2
        && finding->note == race->note && is_object(finding, race, kernel)
        && (race->index == ANY_INDEX || finding->index == race->index)
        && ((is_side(&party[0], &side[0], kernel)
             && is_side(&party[1], &side[1], kernel))
            || (is_side(&party[0], &side[1], kernel)
                && is_side(&party[1], &side[0], kernel)));
}

/* Reason, count and parties of a finding that is @race. */
TEST_HELPER void expect_reported(const struct weir_finding *finding,
                                 const struct race *race, const char *text)
{
    EXPECT(finding->why != NULL && strstr(finding->why, race->why) != NULL,
           "'%s' is not why:\n%s", race->why, text);
    EXPECT(finding->fix == NULL, "a change that was not tried:\n%s", text);
    EXPECT(finding->count >= 1, "a count of none:\n%s", text);
    char *element
        = g_strdup_printf("%s[%" G_GINT64_FORMAT "]", finding->object, finding->index);
    EXPECT(strstr(finding->message, element) != NULL, "'%s' is not named:\n%s", element,
           text);
    g_free(element);
    const struct weir_party *party = finding->parties;
    EXPECT(memcmp(party[0].item, party[1].item, sizeof(party[0].item)) != 0
               || memcmp(party[0].group, party[1].group, sizeof(party[0].group)) != 0,
           "an item races with itself:\n%s", text);
    for (int i = 0; i < 2; i++) {
        EXPECT(party[i].state == WEIR_STATE_RUNNING && party[i].groups == NULL,
               "not one item that runs:\n%s", text);
        EXPECT(party[i].source != NULL && strstr(text, party[i].source) != NULL,
               "the source is not shown:\n%s", text);
    }
}

TEST_HELPER bool is_of_races(enum weir_finding_kind kind)
{
    return kind == WEIR_FINDING_DATA_RACE || kind == WEIR_FINDING_SCOPE_RACE
        || kind == WEIR_FINDING_MIXED_ATOMIC;
}

/* Each race of the report is one of those expected, and each of these is reported once
 * at most. Returns: which were, as bits */
TEST_HELPER uint32_t expect_races(const struct weir_report *report,
                                  const struct wrong *wrong, const struct order *order)
{
    uint32_t seen = 0;
    g_autofree char *text = weir_report_to_text(report);
    const char *incomplete = weir_report_incomplete(report);
    EXPECT(incomplete == NULL, "kernel '%s' under %s: %s", wrong->kernel->name,
           order_name(order), incomplete);
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        if (!is_of_races(finding->kind)) {
            continue;
        }
        unsigned r = 0;
        while (wrong->races[r].object != NULL
               && !is_race(finding, &wrong->races[r], wrong->kernel)) {
            r++;
        }
        EXPECT(wrong->races[r].object != NULL,
               "kernel '%s' under %s: not expected:\n%s\namong:\n%s",
               wrong->kernel->name, order_name(order), finding->message, text);
        EXPECT((seen >> r & 1) == 0, "kernel '%s' under %s: a race reported twice:\n%s",
               wrong->kernel->name, order_name(order), text);
        seen |= 1u << r;
        expect_reported(finding, &wrong->races[r], text);
    }
    for (unsigned r = 0; wrong->races[r].object != NULL; r++) {
        EXPECT(wrong->races[r].at_times || (seen >> r & 1) != 0,
               "kernel '%s' under %s: the race of '%s' and '%s' is missing:\n%s",
               wrong->kernel->name, order_name(order), wrong->races[r].sides[0].label,
               wrong->races[r].sides[1].label, text);
    }
    return seen;
}

/* The party that makes that access. */
TEST_HELPER const struct weir_party *party_that(const struct weir_finding *finding,
                                                const char *access)
{
    for (size_t i = 0; i < finding->n_parties; i++) {
        if (g_strcmp0(weir_access_name(finding->parties[i].access), access) == 0) {
            return &finding->parties[i];
        }
    }
    ck_abort_msg("no party does a %s: %s", access, finding->message);
    return NULL;
}

/* ---- Launching ----------------------------------------------------------- */

struct setting {
    struct weir_device *device;
    race_args memory;
};

TEST_HELPER struct setting setting_open(void)
{
    struct setting setting = { .device = device_open("default") };
    setting.memory.data = weir_new(setting.device, int32_t, MOST, "data");
    setting.memory.out = weir_new(setting.device, int32_t, MOST, "out");
    setting.memory.in = weir_new(setting.device, int32_t, MOST, "in");
    setting.memory.flag = weir_new(setting.device, int32_t, 4, "flag");
    setting.memory.lock = weir_new(setting.device, int32_t, 4, "lock");
    for (int32_t i = 0; i < MOST; i++) {
        setting.memory.in[i] = i + 1;
    }
    return setting;
}

TEST_HELPER struct weir_report *launch_checked(struct setting *setting,
                                               const struct wrong *wrong,
                                               const struct order *order)
{
    const struct weir_nd_range usual = weir_nd_range_1d(N, LOCAL);
    race_args args = wrong->args;
    args.data = memset(setting->memory.data, 0, MOST * sizeof(int32_t));
    args.out = memset(setting->memory.out, 0, MOST * sizeof(int32_t));
    args.flag = memset(setting->memory.flag, 0, 4 * sizeof(int32_t));
    args.lock = memset(setting->memory.lock, 0, 4 * sizeof(int32_t));
    args.in = setting->memory.in;
    setting->memory = args;
    struct weir_launch_options options = wrong->options;
    options.schedule = order->schedule;
    options.seed = order->seed;
    options.check = true;
    return LAUNCH(setting->device, wrong->kernel,
                  wrong->range.dim == 0 ? usual : wrong->range, &args, &options);
}

/* What the kernel draws under @order; borrowed until the next call. */
static struct setting last_setting __attribute__((unused));
TEST_HELPER const struct weir_report *report_under(const struct wrong *wrong,
                                                   const struct order *order)
{
    static struct weir_report *report;
    weir_report_free(report);
    weir_device_free(last_setting.device);
    last_setting = setting_open();
    report = launch_checked(&last_setting, wrong, order);
    return report;
}

/* The one race of the kernel, in order; borrowed as that. */
TEST_HELPER const struct weir_finding *only_race(const struct wrong *wrong)
{
    return only_finding(report_under(wrong, &race_orders[0]), WEIR_FINDING_DATA_RACE,
                        wrong->kernel->name);
}

/* Every race is found: under each schedule, or at least under one of them. */
TEST_HELPER void expect_found(const struct wrong *wrong)
{
    struct setting setting = setting_open();
    uint32_t seen = 0;
    for (size_t i = 0; i < scaled(G_N_ELEMENTS(race_orders), 5); i++) {
        g_autoptr(weir_report) report
            = launch_checked(&setting, wrong, &race_orders[i]);
        seen |= expect_races(report, wrong, &race_orders[i]);
    }
    for (unsigned r = 0; wrong->races[r].object != NULL && !under_valgrind(); r++) {
        EXPECT((seen >> r & 1) != 0,
               "kernel '%s': no schedule shows the race of '%s' and '%s'",
               wrong->kernel->name, wrong->races[r].sides[0].label,
               wrong->races[r].sides[1].label);
    }
    weir_device_free(setting.device);
}

/* Whether the first @n of @words are all @value. */
TEST_HELPER bool all_are(const int32_t *words, size_t n, int32_t value)
{
    size_t i = 0;
    while (i < n && words[i] == value) {
        i++;
    }
    return i == n;
}

/* Nothing is found under any of many schedules, and @right holds afterwards. */
TEST_HELPER void expect_silent_of(const struct wrong *wrong,
                                  bool (*right)(const race_args *memory),
                                  size_t n_seeds)
{
    struct setting setting = setting_open();
    for (size_t seed = 0; seed <= n_seeds; seed++) {
        const struct order some[] = { { "random", seed }, { "pct:3", seed } };
        const struct order *tried = seed == 0 ? race_orders : some;
        for (size_t i = 0; i < (seed == 0 ? 3 : 2); i++) {
            expect_quiet(launch_checked(&setting, wrong, &tried[i]), wrong->kernel,
                         &tried[i],
                         wrong->range.dim == 0 ? LOCAL : wrong->range.local[0]);
            EXPECT(right == NULL || right(&setting.memory),
                   "kernel '%s' under %s: the answer is wrong", wrong->kernel->name,
                   order_name(&tried[i]));
        }
    }
    weir_device_free(setting.device);
}

TEST_HELPER void expect_silent(const struct wrong *wrong,
                               bool (*right)(const race_args *memory))
{
    expect_silent_of(wrong, right, scaled(100, 3));
}

#define FOUND(kernel_, ...)                                                            \
    expect_found(&(struct wrong){ .kernel = &(kernel_), __VA_ARGS__ })
#define SILENT(kernel_, right, ...)                                                    \
    expect_silent(&(struct wrong){ .kernel = &(kernel_), __VA_ARGS__ }, (right))
#define ARGS(...) .args = { __VA_ARGS__ }
#define RACES(...) .races = { __VA_ARGS__ }

/* Short, since a labelled access stands on one line. */
#define GLOBAL_ID(item) weir_global_id((item), 0)
#define LOCAL_ID(item) weir_local_id((item), 0)
#define LOAD weir_atomic_load_explicit
#define STORE weir_atomic_store_explicit
#define ADD weir_atomic_fetch_add_explicit
#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define ACQ_REL memory_order_acq_rel
#define SEQ_CST memory_order_seq_cst
#define SUB_GROUP memory_scope_sub_group
#define WORK_GROUP memory_scope_work_group
#define DEVICE memory_scope_device
#define SYSTEM memory_scope_system

/* The compiler is not to know what it holds, and keeps accesses apart. */
#define OPAQUE(value)                                                                  \
    (__extension__({                                                                   \
        __auto_type value_ = (value);                                                  \
        __asm__ volatile("" : "+r"(value_) : : "memory");                              \
        value_;                                                                        \
    }))

#endif
