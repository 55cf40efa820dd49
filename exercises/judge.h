/* SPDX-License-Identifier: MIT
 *
 * judge.h: what the judges of all exercises share. An exercise's judge.c includes this
 * file and defines judged(), which makes the input of one size, states the answer, and
 * launches the kernels of the answer that is judged:
 *
 *     static void judged(struct judge *judge)
 *     {
 *         int32_t *in = judge_new(judge, int32_t, judge->n, "in");
 *         int32_t *out = judge_new(judge, int32_t, judge->n, "out");
 *         int32_t *expected = judge_expect(judge, out, judge->n, "out");
 *         for (size_t i = 0; i < judge->n; i++) {
 *             in[i] = judge_random(judge, 1000);
 *             expected[i] = 2 * in[i];
 *         }
 *         judge_launch(judge, &twice, &(twice_args){ in, out, judge->n });
 *     }
 *
 * The program is run as
 *
 *     PROGRAM [MODE [SEED [LOCALxGROUPS[/N]]...]]
 *
 * and calls judged() for each size: groups of so many items, and N elements, by default
 * one for each item. The modes are
 *
 *   answer    launch at full speed, and print what differs from the expected answer.
 *             Status 1 if anything does. This is the default
 *   launch    launch; for `weir check -- PROGRAM launch` and `weir explore -- PROGRAM
 *             launch`, which report a wrong answer themselves
 *   measure   print what each launch did: accesses to memory, atomics, barriers
 *
 * Status 2 means that a launch was not possible. The seed decides the input. */
#ifndef WEIR_EXERCISES_JUDGE_H
#define WEIR_EXERCISES_JUDGE_H

#include <weir-kernel.h>
#include <weir.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A launch that takes longer than this never ends: the largest takes milliseconds. */
enum { JUDGE_TIME_LIMIT_MS = 10000 };

/* Steps of a launch that are measured, at most. */
enum { JUDGE_STEPS = 1 << 20 };

enum judge_mode { JUDGE_ANSWER, JUDGE_LAUNCH, JUDGE_MEASURE };

/* The expected memory after a launch: COUNT words equal to EXPECTED, or what
 * HOLDS returns. */
struct judge_claim {
    const char *name;
    int32_t *memory;
    int32_t *expected;
    size_t count;
    int32_t *before; /* of MEMORY, at the launch */
    bool (*holds)(const void *args, void *user);
    void *user;
};

struct judge {
    struct weir_device *device;
    size_t local;            /* items of a group */
    size_t groups;           /* of a launch */
    size_t n;                /* elements */
    uint32_t sub_group_size; /* of the next launches; 0: that of the device */
    GArray *claims;          /* of struct judge_claim: of the next launch */
    uint64_t state;          /* of judge_random() */
    enum judge_mode mode;
    bool wrong;
};

/** Defined by the exercise: one size. */
static void judged(struct judge *judge);

/** Memory of the device with a name, which lives until judged() has returned. */
#define judge_new(judge, type, count, name)                                            \
    weir_new((judge)->device, type, (count), (name))

/** A number from 0 to @below - 1. */
static inline int32_t judge_random(struct judge *judge, int32_t below)
{
    /* xorshift64*, by Vigna. */
    judge->state ^= judge->state >> 12;
    judge->state ^= judge->state << 25;
    judge->state ^= judge->state >> 27;
    return (int32_t)((judge->state * 2685821657736338717u >> 33) % (uint32_t)below);
}

/** After the next launch, these words of @memory must equal the returned array, which
 *  the caller fills. */
static inline int32_t *judge_expect(struct judge *judge, void *memory, size_t count,
                                    const char *name)
{
    struct judge_claim claim = { .name = name, .memory = memory, .count = count };
    claim.expected = g_new0(int32_t, count);
    g_array_append_val(judge->claims, claim);
    return claim.expected;
}

/** After the next launch @holds is to return true. @what: the claim, "the sum is within
 *  a thousandth", for the message. @holds is called of many executions. */
static inline void judge_claim(struct judge *judge,
                               bool (*holds)(const void *args, void *user), void *user,
                               const char *what)
{
    struct judge_claim claim = { .name = what, .holds = holds, .user = user };
    g_array_append_val(judge->claims, claim);
}

static inline bool judge_claim_holds(const struct judge_claim *claim, const void *args)
{
    return claim->holds != NULL
        ? claim->holds(args, claim->user)
        : memcmp(claim->memory, claim->expected, claim->count * sizeof(int32_t)) == 0;
}

static inline bool judge_all_hold(const void *args, void *user)
{
    const GArray *claims = user;
    for (guint i = 0; i < claims->len; i++) {
        if (!judge_claim_holds(&g_array_index(claims, struct judge_claim, i), args)) {
            return false;
        }
    }
    return true;
}

static inline void judge_print_difference(const struct judge *judge, const void *args)
{
    for (guint i = 0; i < judge->claims->len; i++) {
        const struct judge_claim *claim
            = &g_array_index(judge->claims, struct judge_claim, i);
        if (judge_claim_holds(claim, args)) {
            continue;
        }
        fprintf(stderr, "%zu groups of %zu items, %zu elements: ", judge->groups,
                judge->local, judge->n);
        if (claim->holds != NULL) {
            fprintf(stderr, "it is not true that %s\n", claim->name);
            continue;
        }
        size_t at = 0, differ = 0;
        for (size_t k = claim->count; k-- > 0;) {
            bool differs = claim->memory[k] != claim->expected[k];
            at = differs ? k : at;
            differ += differs;
        }
        fprintf(stderr,
                "%s[%zu] is %" PRId32 ", expected %" PRId32 "; %zu of %zu differ\n",
                claim->name, at, claim->memory[at], claim->expected[at], differ,
                claim->count);
    }
}

/* Whether the checker has seen a write to every word of an answer that has changed: a
 * kernel may be compiled so that its accesses are not seen. */
static inline size_t judge_unseen(const struct judge *judge,
                                  const struct weir_step *steps, size_t n)
{
    size_t unseen = 0;
    for (guint i = 0; i < judge->claims->len; i++) {
        const struct judge_claim *claim
            = &g_array_index(judge->claims, struct judge_claim, i);
        g_autofree bool *seen = g_new0(bool, claim->count + 1);
        for (size_t s = 0; s < n && claim->memory != NULL; s++) {
            if (steps[s].access < WEIR_ACCESS_WRITE || steps[s].index < 0
                || g_strcmp0(steps[s].object, claim->name) != 0) {
                continue;
            }
            size_t words = (steps[s].bytes + 3) / 4;
            for (size_t k = 0; k < words; k++) {
                seen[MIN((size_t)steps[s].index + k, claim->count)] = true;
            }
        }
        for (size_t k = 0; k < claim->count; k++) {
            unseen += !seen[k] && claim->memory[k] != claim->before[k];
        }
    }
    return unseen;
}

/* One line: `weir exercise` reads it. An item is busy if it accesses memory other than
 * its own. */
static inline void judge_print_measure(const struct judge *judge,
                                       const struct weir_report *report)
{
    size_t n, items = judge->local * judge->groups, busy = 0;
    uint64_t more, accesses = 0, atomics = 0, barriers = 0, most = 0, most_barriers = 0;
    const struct weir_step *steps = weir_report_steps(report, &n, &more);
    g_autofree uint64_t *of_item = g_new0(uint64_t, items);
    g_autofree uint64_t *waits = g_new0(uint64_t, items);
    for (size_t s = 0; s < n; s++) {
        size_t item = (size_t)(steps[s].group * judge->local + steps[s].item);
        if (item >= items) {
            continue;
        }
        if (steps[s].access != WEIR_ACCESS_NONE && steps[s].object != NULL) {
            of_item[item]++;
            atomics += steps[s].access >= WEIR_ACCESS_ATOMIC_LOAD;
        }
        if (g_strcmp0(steps[s].operation, "weir_barrier") == 0
            || g_strcmp0(steps[s].operation, "weir_group_barrier") == 0) {
            waits[item]++;
            barriers++;
        }
    }
    for (size_t i = 0; i < items; i++) {
        busy += of_item[i] > 0;
        accesses += of_item[i];
        most = MAX(most, of_item[i]);
        most_barriers = MAX(most_barriers, waits[i]);
    }
    printf("measured items=%zu busy=%zu accesses=%" PRIu64 " most=%" PRIu64
           " atomics=%" PRIu64 " barriers=%" PRIu64 " most-barriers=%" PRIu64
           " unseen=%zu more=%" PRIu64 "\n",
           items, busy, accesses, most, atomics, barriers, most_barriers,
           judge_unseen(judge, steps, n), more);
}

static inline void judge_forget_claims(struct judge *judge)
{
    for (guint i = 0; i < judge->claims->len; i++) {
        g_free(g_array_index(judge->claims, struct judge_claim, i).expected);
        g_free(g_array_index(judge->claims, struct judge_claim, i).before);
    }
    g_array_set_size(judge->claims, 0);
}

static inline void judge_launch_sized(struct judge *judge,
                                      const struct weir_kernel *kernel,
                                      struct weir_nd_range range, const void *args,
                                      size_t bytes)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    GError *error = NULL;
    struct weir_report *report = NULL;
    for (guint i = 0; i < judge->claims->len; i++) {
        struct judge_claim *claim
            = &g_array_index(judge->claims, struct judge_claim, i);
        claim->before = g_memdup2(claim->memory, claim->count * sizeof(int32_t));
    }
    options.post_condition = judge_all_hold;
    options.post_condition_user = judge->claims;
    options.sub_group_size = judge->sub_group_size;
    if (judge->mode != JUDGE_LAUNCH) {
        /* One worker: the same result each time. */
        options.workers = 1;
        options.time_limit_ms = JUDGE_TIME_LIMIT_MS;
    }
    if (judge->mode == JUDGE_MEASURE) {
        options.schedule = "in-order";
        options.check = true;
        options.list_steps = JUDGE_STEPS;
    }
    if (!weir_launch_sized_with(judge->device, kernel, range, args, bytes, &options,
                                &report, &error)) {
        fprintf(stderr, "%s\n", error->message);
        exit(2);
    }
    if (judge->mode == JUDGE_MEASURE) {
        judge_print_measure(judge, report);
    }
    if (judge->mode == JUDGE_ANSWER && weir_report_incomplete(report) != NULL) {
        fprintf(stderr, "%s\n", weir_report_incomplete(report));
        judge->wrong = true;
    } else if (judge->mode == JUDGE_ANSWER && weir_report_n_defects(report) > 0) {
        judge->wrong = true;
        if (judge_all_hold(args, judge->claims)) {
            g_autofree char *text = weir_report_to_text(report);
            fputs(text, stderr);
        } else {
            judge_print_difference(judge, args);
        }
    }
    weir_report_free(report);
    judge_forget_claims(judge);
}

/** Launches over another range than one of so many groups. */
#define judge_launch_over(judge, kernel, range, args)                                  \
    judge_launch_sized((judge), (kernel), (range), (args), sizeof(*(args)))

/** Launches over as many groups of as many items as the size says. */
#define judge_launch(judge, kernel, ...)                                               \
    judge_launch_sized(                                                                \
        (judge), (kernel),                                                             \
        weir_nd_range_1d((judge)->local *(judge)->groups, (judge)->local),             \
        (__VA_ARGS__), sizeof(*(__VA_ARGS__)))

static inline bool judge_read_size(const char *text, struct judge *judge)
{
    char end;
    int read
        = sscanf(text, "%zux%zu/%zu%c", &judge->local, &judge->groups, &judge->n, &end);
    if (read == 2 && strchr(text, '/') == NULL) {
        judge->n = judge->local * judge->groups;
        return true;
    }
    return read == 3;
}

int main(int argc, char **argv)
{
    static const char *const modes[] = { "answer", "launch", "measure" };
    static const char *const sizes[] = { "8x2", NULL };
    struct judge judge
        = { .claims = g_array_new(FALSE, FALSE, sizeof(struct judge_claim)) };
    const char *mode = argc > 1 ? argv[1] : "answer";
    while (judge.mode <= JUDGE_MEASURE && strcmp(modes[judge.mode], mode) != 0) {
        judge.mode++;
    }
    if (judge.mode > JUDGE_MEASURE) {
        fprintf(stderr,
                "usage: %s [answer|launch|measure [SEED [LOCALxGROUPS[/N]]...]]\n",
                argv[0]);
        return 2;
    }
    uint64_t seed = argc > 2 ? g_ascii_strtoull(argv[2], NULL, 10) : 1;
    const char *const *size = argc > 3 ? (const char *const *)argv + 3 : sizes;
    for (; *size != NULL; size++) {
        GError *error = NULL;
        judge.state = (seed + 1) * 0x9e3779b97f4a7c15u;
        judge.device = weir_device_new("default", &error);
        if (judge.device == NULL || !judge_read_size(*size, &judge)) {
            fprintf(stderr, "%s\n",
                    error != NULL ? error->message : "a size is malformed");
            return 2;
        }
        judged(&judge);
        weir_device_free(judge.device);
    }
    if (judge.mode == JUDGE_ANSWER && !judge.wrong) {
        printf("every answer is right\n");
    }
    g_array_unref(judge.claims);
    return judge.wrong ? 1 : 0;
}

#endif
