/* SPDX-License-Identifier: MIT
 *
 * check_spins.c: rounds of loops that change nothing, which are not executions of their
 * own. Random programs that wait, by flags, locks, tickets and compare-exchanges, are
 * asked about with these rounds and without: the final states must be the same, and
 * which of them have a race. Both ways of deciding must agree without them, too.
 *
 * Programs by hand and at random are one file, and it is long for it: both are asked
 * about in the same two ways, and drawing programs is a third of it.
 *
 *   check-spins                 some programs, as a test; or, by the environment,
 *                               WEIR_SPIN_PROGRAMS of them
 *   check-spins SEED COUNT      those from SEED on
 *   check-spins SEED            its program, as a litmus test */
#define CAMPAIGN "check-spins"
#include "campaign.h"

#include "litmus_ask.h"
#include "litmus_support.h"
#include "model_adapter.h"

#include "litmus/code.h"
#include "litmus/program.h"

enum { ROUNDS = 2, MOST_EXECUTIONS = 5000 };

/* ---- Programs -------------------------------------------------------------------- */

/* A program that is being drawn. @n_uses: of registers of the thread at hand. */
struct draft {
    uint64_t random;
    GString *text;
    bool scoped, narrow, fenced;
    unsigned n_threads, n_registers;
};

static unsigned below(struct draft *draft, unsigned n)
{
    return (unsigned)random_between(&draft->random, 0, n - 1);
}

static bool once_in(struct draft *draft, unsigned n)
{
    return below(draft, n) == 0;
}

/* The flags f and g, the lock l, the counter c: those are atomic; and the data x. */
static const char *flag(struct draft *draft)
{
    static const char *const flags[] = { "f", "f", "f", "g", "l", "c" };
    return flags[below(draft, G_N_ELEMENTS(flags))];
}

static const char *order(struct draft *draft, bool reads, bool writes)
{
    static const char *const read[] = { "relaxed", "acquire", "acquire", "seq_cst" };
    static const char *const write[] = { "relaxed", "release", "release", "seq_cst" };
    static const char *const both[]
        = { "relaxed", "acquire", "release", "acq_rel", "seq_cst" };
    if (draft->fenced && !once_in(draft, 4)) {
        return "relaxed";
    }
    return reads && writes ? both[below(draft, 5)]
        : reads            ? read[below(draft, 4)]
                           : write[below(draft, 4)];
}

/* ", memory_order_X" and a scope, if there are any: most often the same one. */
static const char *ending(struct draft *draft, const char *order)
{
    static char endings[8][96];
    static unsigned next;
    char *text = endings[next++ % 8];
    const char *scope = "";
    if (draft->scoped) {
        scope = once_in(draft, 12) != draft->narrow ? ", memory_scope_work_group"
                                                    : ", memory_scope_device";
    }
    (void)g_snprintf(text, sizeof(endings[0]), ", memory_order_%s%s", order, scope);
    return text;
}

static void add(struct draft *draft, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add(struct draft *draft, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(draft->text, format, arguments);
    va_end(arguments);
}

static void add_fence(struct draft *draft)
{
    static const char *const orders[] = { "acquire", "release", "acq_rel", "seq_cst" };
    const char *order = orders[below(draft, 4)];
    if (draft->scoped) {
        add(draft,
            "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE%s, memory_order_%s, "
            "memory_scope_device);\n",
            once_in(draft, 3) ? " | CLK_LOCAL_MEM_FENCE" : "", order);
    } else {
        add(draft, "  atomic_thread_fence(memory_order_%s);\n", order);
    }
}

static const char *load(struct draft *draft, const char *at)
{
    static char texts[4][128];
    static unsigned next;
    char *text = texts[next++ % 4];
    (void)g_snprintf(text, sizeof(texts[0]), "atomic_load_explicit(%s%s)", at,
                     ending(draft, order(draft, true, false)));
    return text;
}

static void add_store(struct draft *draft, const char *at)
{
    add(draft, "  atomic_store_explicit(%s, %u%s);\n", at,
        once_in(draft, 3) ? below(draft, 3) : strcmp(at, "l") != 0,
        ending(draft, order(draft, false, true)));
}

/* One that changes the value, or not. */
static void add_update(struct draft *draft)
{
    static const char *const names[]
        = { "exchange", "fetch_add", "fetch_or", "fetch_and" };
    add(draft, "  int r%u = atomic_%s_explicit(%s, %u%s);\n", draft->n_registers++,
        names[below(draft, 4)], flag(draft), below(draft, 2),
        ending(draft, order(draft, true, true)));
}

static void add_wait(struct draft *draft, unsigned t)
{
    unsigned r = draft->n_registers++;
    const char *at = flag(draft), *is = once_in(draft, 4) ? "!=" : "==";
    unsigned value = strcmp(at, "l") == 0 ? 1 : once_in(draft, 6);
    switch (below(draft, 12)) {
    case 0:
    case 1:
        add(draft, "  while (%s %s %u) {\n  }\n", load(draft, at), is, value);
        break;
    case 2:
        add(draft, "  int r%u;\n  do {\n    r%u = %s;\n  } while (r%u %s %u);\n", r, r,
            load(draft, at), r, is, value);
        break;
    case 3: { /* read at two places */
        const char *end = ending(draft, order(draft, true, false));
        add(draft,
            "  int r%u = atomic_load_explicit(%s%s);\n  while (r%u %s %u) {\n"
            "    r%u = atomic_load_explicit(%s%s);\n  }\n",
            r, at, end, r, is, value, r, at, end);
        break;
    }
    case 4: /* counted, and often no claim asks for the count */
        add(draft, "  int r%u;\n  for (r%u = 0; %s %s %u; ++r%u) {\n  }\n", r, r,
            load(draft, at), is, value, r);
        break;
    case 5: /* a lock; and a word that is changed first */
        add(draft, "  while (atomic_%s_explicit(l, 1%s)) {\n  }\n",
            once_in(draft, 3) ? "fetch_or" : "exchange",
            ending(draft, order(draft, true, true)));
        break;
    case 6:
        add(draft,
            "  do {\n    while (%s == 1) {\n    }\n  } while "
            "(atomic_exchange_explicit(l, 1%s) == 1);\n",
            load(draft, "l"), ending(draft, order(draft, true, true)));
        break;
    case 7:
        add(draft,
            "  int r%u = 0;\n  while (!atomic_compare_exchange_%s_explicit(%s, &r%u, 1"
            ", memory_order_%s%s)) {\n    r%u = 0;\n  }\n",
            r, once_in(draft, 3) ? "weak" : "strong", once_in(draft, 2) ? "l" : at, r,
            order(draft, true, true),
            ending(draft, once_in(draft, 2) ? "relaxed" : "acquire"), r);
        break;
    case 8:
        add(draft,
            "  int r%u = %s;\n  while (!atomic_compare_exchange_weak_explicit(c, &r%u, "
            "r%u + 1, memory_order_%s%s)) {\n  }\n",
            r, load(draft, "c"), r, r, order(draft, true, true),
            ending(draft, "relaxed"));
        break;
    case 9: /* a fence in the round */
        add(draft, "  while (%s %s %u) {\n  ", load(draft, at), is, value);
        add_fence(draft);
        add(draft, "  }\n");
        break;
    case 10: /* two flags, and what is read last matters after the loop, or not */
        add(draft, "  int r%u = %u;\n  while (%s %s %u) {\n    r%u = %s;\n  }\n", r,
            below(draft, 2), load(draft, at), is, value, r, load(draft, flag(draft)));
        if (once_in(draft, 2)) {
            add(draft, "  atomic_store_explicit(%s, r%u%s);\n", flag(draft), r,
                ending(draft, order(draft, false, true)));
        }
        break;
    default: /* a round that is none of those, once in a while, or one that races */
        if (once_in(draft, 2)) {
            add(draft, "  while (%s %s %u) {\n  ", load(draft, at), is, value);
            add_store(draft, flag(draft));
            add(draft, "  }\n");
        } else {
            add(draft, "  while (*x %s %u) {\n  }\n", is, value);
        }
        break;
    }
    (void)t;
}

static void add_thread(struct draft *draft, unsigned t)
{
    unsigned n = 2 + below(draft, 2), waits = once_in(draft, 4) ? 2 : 1;
    bool waited = false;
    draft->n_registers = 0;
    if (draft->scoped) {
        add(draft,
            "\nP%u@wg %u, dev 0 (global int* x, global atomic_int* f, "
            "%s atomic_int* g, global atomic_int* l, global atomic_int* c) {\n",
            t, draft->narrow ? 0 : below(draft, 2), draft->narrow ? "local" : "global");
    } else {
        add(draft,
            "\nP%u (int* x, atomic_int* f, atomic_int* g, atomic_int* l, "
            "atomic_int* c) {\n",
            t);
    }
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = below(draft, 8);
        if (waits > 0
            && (kind < (t == 0 ? 1 : 3) || (i + 1 == n && !waited && t > 0))) {
            add_wait(draft, t);
            waited = true;
            waits--;
        } else if (kind < 5) {
            add_store(draft, flag(draft));
        } else if (kind == 5) {
            add_update(draft);
        } else if (kind == 6) { /* a plain write, seldom one to a flag */
            add(draft, "  *%s = %u;\n", once_in(draft, 5) ? flag(draft) : "x",
                below(draft, 3));
        } else {
            add(draft, "  int r%u = *x;\n", draft->n_registers++);
        }
        if (draft->fenced && once_in(draft, 2)) {
            add_fence(draft);
        }
    }
    add(draft, "}\n");
}

/* Asks about half of the registers. Returns: (transfer full) */
static char *draw(uint64_t seed)
{
    struct draft draft = { .random = seed, .text = g_string_new(NULL) };
    g_autoptr(GString) listed = g_string_new("[x]; [l]; [c];");
    draft.scoped = once_in(&draft, 3);
    draft.narrow = once_in(&draft, 3);
    draft.fenced = once_in(&draft, 4);
    draft.n_threads = 2 + once_in(&draft, 3);
    add(&draft, "%s spins-%" PRIu64 "\n{ [x] = %u; [f] = %u; [l] = %u; }\n",
        draft.scoped ? "OPENCL" : "C", seed, once_in(&draft, 4), once_in(&draft, 6),
        once_in(&draft, 3));
    for (unsigned t = 0; t < draft.n_threads; t++) {
        gsize start = draft.text->len;
        add_thread(&draft, t);
        for (unsigned r = 0; r < draft.n_registers; r++) {
            g_autofree char *name = g_strdup_printf("int r%u", r);
            if (once_in(&draft, 2) && strstr(draft.text->str + start, name) != NULL) {
                g_string_append_printf(listed, " %u:r%u;", t, r);
            }
        }
    }
    add(&draft, "\nlocations [%s]\nexists (f=1)\n", listed->str);
    return g_string_free(draft.text, FALSE);
}

/* ---- With these rounds and without ----------------------------------------------- */

struct statistics {
    uint64_t programs, compared, uncut, waiting, racy, lacking, fewer, much;
};

/* The states, a line each, and whether they have a race. Returns: (transfer full) */
static char *states_of(const struct weir_litmus_answer *answer)
{
    GString *text = g_string_new(NULL);
    size_t n = weir_litmus_answer_verdict(answer)->n_states;
    for (size_t i = 0; i < n; i++) {
        const struct weir_litmus_state *state = weir_litmus_answer_state(answer, i);
        g_string_append_printf(text, "%s%s\n", state->text, state->race ? " race" : "");
    }
    return g_string_free(text, FALSE);
}

/* Whether each line of the one is one of the other. */
static bool is_part(const char *one, const char *other)
{
    g_auto(GStrv) lines = g_strsplit(one, "\n", -1);
    g_auto(GStrv) others = g_strsplit(other, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (!g_strv_contains((const char *const *)others, *line)) {
            return false;
        }
    }
    return true;
}

static struct weir_litmus_answer *ask(const struct weir_litmus *test,
                                      enum weir_model model, bool every_round)
{
    return ASK(test, .model = model, .rounds = ROUNDS,
               .max_executions = MOST_EXECUTIONS, .every_round = every_round);
}

/* The limits for enumerating a program with every round. */
enum { MOST_TRIED = 40000 };

/* Whether that is not enough. */
static bool is_too_much(const char *text)
{
    g_autoptr(weiri_litmus) test
        = weiri_litmus_parse(text, strlen(text), "program", NULL);
    const struct weiri_model *const models[]
        = { &weiri_model_rc11, &weiri_model_gpu, &weiri_model_opencl };
    bool much = false;
    for (size_t m = 0; m < G_N_ELEMENTS(models) && !much; m++) {
        const struct weiri_enumerate_options options
            = { .model = models[m], .most = MOST_TRIED };
        much = !weiri_litmus_enumerate(test, ROUNDS, &options).exhaustive;
    }
    return much;
}

/* Appends a line on each mistake to @wrong. */
static void compare(const struct weir_litmus *test, enum weir_model model,
                    struct statistics *statistics, GString *wrong)
{
    g_autoptr(weir_litmus_answer) without = ask(test, model, false);
    g_autoptr(weir_litmus_answer) with = ask(test, model, true);
    const struct weir_litmus_verdict *less = weir_litmus_answer_verdict(without);
    const struct weir_litmus_verdict *more = weir_litmus_answer_verdict(with);
    g_autofree char *few = states_of(without), *all = states_of(with);
    statistics->compared++;
    statistics->uncut += less->cut == 0;
    statistics->waiting += less->blocked > more->blocked;
    statistics->racy += less->race;
    statistics->lacking += less->lacking;
    statistics->fewer += less->executions < more->executions;
    const char *what = NULL;
    if (more->executions + more->blocked + more->cut >= MOST_EXECUTIONS) {
        statistics->much++;
    } else if (!is_part(few, all)) {
        what = "a state that is none with every round";
    } else if (less->cut == 0 && !less->lacking && !is_part(all, few)) {
        what = "not a state that is one with every round";
    } else if (less->executions > more->executions) {
        what = "more executions than with every round";
    } else if (more->cut == 0 && less->blocked != more->blocked) {
        what = "a thread waits for ever, though all loops end";
    } else if (less->blocked > more->blocked && more->cut == 0) {
        what = "other executions are blocked";
    }
    if (what != NULL) {
        g_string_append_printf(wrong, "under %s: %s\nwithout:\n%swith:\n%s\n",
                               weir_model_name(model), what, few, all);
    }
}

/* ---- One way of deciding and the other ------------------------------------------- */

static void compare_deciders(const char *text, const char *model, GString *wrong)
{
    struct decided found[2] = { { .states = NULL } };
    unsigned n = 0;
    for (const struct model_decider *by = model_deciders; by->name != NULL; by++) {
        if (g_strv_contains(by->models, model)) {
            g_autofree char *error
                = by->decide(text, model, ROUNDS | WEIRI_LITMUS_STOP_SPINS, &found[n]);
            if (error != NULL) {
                g_string_append_printf(wrong, "under %s: %s\n", model, error);
            }
            n++;
        }
    }
    if (n == 2
        && (strcmp(found[0].states, found[1].states) != 0
            || found[0].race != found[1].race || found[0].blocked != found[1].blocked
            || found[0].cut != found[1].cut)) {
        g_string_append_printf(wrong, "under %s they disagree;\n", model);
        decided_describe(wrong, model_deciders[0].name, &found[0]);
        decided_describe(wrong, model_deciders[1].name, &found[1]);
    }
    g_free(found[0].states);
    g_free(found[1].states);
}

/* ---- Campaigns ------------------------------------------------------------------- */

/* Returns: (transfer full): what is wrong, or %NULL */
static char *judge_seed(uint64_t seed, struct statistics *statistics)
{
    g_autofree char *text = draw(seed);
    g_autoptr(GString) wrong = g_string_new(NULL);
    GError *error = NULL;
    struct weir_litmus *test = weir_litmus_parse(text, strlen(text), "program", &error);
    if (test == NULL) {
        char *what = g_strdup_printf("%s\n%s", text, error->message);
        g_error_free(error);
        return what;
    }
    statistics->programs++;
    bool much = is_too_much(text);
    statistics->much += much;
    for (int m = 0; m < (much ? WEIR_MODEL_OPENCL : N_C_MODELS); m++) {
        compare(test, (enum weir_model)m, statistics, wrong);
        if (!much) {
            compare_deciders(text, weir_model_name((enum weir_model)m), wrong);
        }
    }
    weir_litmus_free(test);
    return wrong->len == 0 ? NULL : g_strdup_printf("%s\n%s", text, wrong->str);
}

static void say(const struct statistics *statistics)
{
    printf("%" PRIu64 " programs, %" PRIu64 " comparisons; of those %" PRIu64
           " not cut, %" PRIu64 " with fewer executions, %" PRIu64
           " with a thread that waits for ever, %" PRIu64 " with races, %" PRIu64
           " where rounds may matter, %" PRIu64 " programs too large for two models\n",
           statistics->programs, statistics->compared, statistics->uncut,
           statistics->fewer, statistics->waiting, statistics->racy,
           statistics->lacking, statistics->much);
}

/* ---- Tests ----------------------------------------------------------------------- */

#define EXPLORED "sc rc11 sycl sycl-split"
#define ALL EXPLORED " opencl gpu"
#define RACING "rc11 sycl gpu"

/* Each thread has x, which is plain, and the atomic f, g and z. Returns: (transfer
 * full) */
static char *test_text(const char *threads)
{
    g_autoptr(GRegex) thread = g_regex_new("\\bP(\\d) {", 0, 0, NULL);
    g_autofree char *text = g_regex_replace(
        thread, threads, -1, 0,
        "\nP\\1 (int* x, atomic_int* f, atomic_int* g, atomic_int* z) {", 0, NULL);
    return g_strconcat("C test\n", strstr(text, "{ [") == text ? "" : "{}", text, NULL);
}

/* A flag that is counted until it is up; k is how often, and n a copy of it. */
#define COUNTED                                                                        \
    "P0 { store(f, 1, $rlx); } "                                                       \
    "P1 { int k, n; for (k = 0; load(f, $rlx) == 0; ++k) {} n = k; } "
/* A flag, and a thread that waits for it. */
#define RAISED(waiter) "P0 { store(f, 1, $rlx); } P1 { " waiter " } exists (f=1)"
#define TAKE "while (atomic_exchange(f, 1)) {}"

/* @answer: "EXECUTIONS BLOCKED cut race lacking", the last three where they are so. */
struct wait {
    const char *what, *text, *models, *answer;
};

#define FLAG                                                                           \
    "P0 { *x = 7; store(f, 1, $rel); } "                                               \
    "P1 { while (load(f, $acq) == 0) {} int r = *x; } forall (1:r=7)"

static const struct wait waits[] = {
    { "a wait for a flag is one execution", FLAG, ALL, "1 0" },
    { "two threads take a free lock in either order",
      "P0 { " TAKE " ++*x; atomic_store(f, 0); } "
      "P1 { " TAKE " ++*x; atomic_store(f, 0); } forall (x=2)",
      ALL, "2 0" },
    { "the same by compare-exchange, weak and strong",
      "P0 { int e = 0; while (!atomic_compare_exchange_weak(f, &e, 1)) e = 0; ++*x; "
      "atomic_store(f, 0); } "
      "P1 { int e = 0; while (!atomic_compare_exchange_strong(f, &e, 1)) e = 0; ++*x; "
      "atomic_store(f, 0); } forall (x=2)",
      ALL, "2 0" },

    { "a wait that nothing ends is blocked once",
      "P0 { while (atomic_load(f) == 0) {} } exists (f=0)", ALL, "0 1" },
    { "and so is a loop that reads nothing", "P0 { while (1) {} } exists (f=0)", ALL,
      "0 1" },
    { "a flag may be seen before it is down again, or never",
      "P0 { store(f, 1, $rlx); store(f, 0, $rlx); } "
      "P1 { while (load(f, $rlx) == 0) {} } exists (f=0)",
      ALL, "1 1" },
    { "a lock is never given back: its holder ends, and of the failures of the others "
      "one order counts",
      "P0 { " TAKE " } P1 { " TAKE " } P2 { " TAKE " } exists (f=0)", ALL, "0 3" },
    { "a weak compare-exchange that could have succeeded does not wait",
      "P0 { int e = 0; while (!atomic_compare_exchange_weak(f, &e, 1)) {} } "
      "exists (f=1)",
      ALL, "1 0" },

    { "a count that no claim asks for does not distinguish rounds",
      COUNTED "exists (f=1)", ALL, "1 0" },
    { "a claim asks for it", COUNTED "exists (1:k=0)", ALL, "3 0 cut" },
    { "or for a copy", COUNTED "exists (1:n=0)", ALL, "3 0 cut" },
    { "it is listed", COUNTED "locations [1:n;] exists (f=1)", ALL, "3 0 cut" },
    { "it is filtered by", COUNTED "filter (1:n=0) exists (f=1)", ALL, "3 0 cut" },
    { "it is written to memory",
      RAISED("int k = 0; while (load(f, $rlx) == 0) ++k; *x = k;"), ALL, "3 0 cut" },
    { "it may make a division fail",
      RAISED("int k = 1; while (load(f, $rlx) == 0) ++k; k = 1 / k;"), ALL, "3 0 cut" },
    { "a round that writes changes something",
      RAISED("while (load(f, $rlx) == 0) *x = 1;"), EXPLORED, "3 0 cut" },
    { "and so does a read-modify-write of another value",
      RAISED("while (load(f, $rlx) == 0) atomic_fetch_add(g, 1);"), ALL, "3 0 cut" },

    { "the failing read races with the plain write before the release; the last one "
      "comes behind it",
      "P0 { *f = 0; store(f, 1, $rel); } P1 { while (load(f, $acq) == 0) {} } "
      "exists (f=1)",
      RACING, "6 0 cut race" },
    { "the failing read-modify-write races with the plain read",
      "{ [f] = 1; } P0 { int r = *f; store(f, 0, $rel); } "
      "P1 { while (exchange(f, 1, $acq)) {} } exists (f=1)",
      RACING, "6 0 cut race" },
};

/* More programs than usual have no limit of time. */
CASE("spins", .seconds = getenv("WEIR_SPIN_PROGRAMS") != NULL ? NO_LIMIT : 0);

static void expect_answer(const struct wait *wait, bool every_round)
{
    g_autofree char *text = test_text(wait->text);
    g_auto(GStrv) names = g_strsplit(wait->models, " ", -1);
    g_autoptr(weir_litmus) test = litmus_test_of(text);
    for (char **name = names; *name != NULL; name++) {
        enum weir_model model = WEIR_MODEL_SYCL;
        ck_assert(weir_model_find(*name, &model, NULL));
        g_autoptr(weir_litmus_answer) answer = ask(test, model, every_round);
        const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
        g_autofree char *said = g_strdup_printf(
            "%" PRIu64 " %" PRIu64 "%s%s%s", verdict->executions, verdict->blocked,
            verdict->cut > 0 ? " cut" : "", verdict->race ? " race" : "",
            verdict->lacking ? " lacking" : "");
        EXPECT(strcmp(said, wait->answer) == 0, "%s: under %s %s, not %s:\n%s",
               wait->what, *name, said, wait->answer, text);
        ck_assert(verdict->complete == (verdict->cut == 0 && !verdict->lacking));
    }
}

TEST_EACH(rounds_that_change_nothing_are_one_execution, G_N_ELEMENTS(waits))
{
    expect_answer(&waits[_i], false);
}

TEST(each_round_counts_where_that_is_asked_for)
{
    static const struct wait all_rounds
        = { "none, one or two fail, and a third is too many", FLAG, ALL, "3 0 cut" };
    expect_answer(&all_rounds, true);
}

/* Sets of models. */
enum {
    BY_OPENCL = 1 << WEIR_MODEL_OPENCL,
    BY_GPU = 1 << WEIR_MODEL_GPU,
    BY_ALL = (1 << N_C_MODELS) - 1,
};

/* Among the models @asked, the models @possible allow the claim. Those of which
 * skipping such rounds has @lost it say that something may be lacking. */
static const struct {
    const char *what, *text;
    unsigned asked, possible, lost;
} losses[] = {
    { "under opencl a plain read needs a write that happens before: only the failing "
      "round makes x known to P1",
      "P0 { *x = 7; store(f, 1, $rel); } "
      "P1 { while (load(f, $acq) != 2) {} int r = *x; } "
      "P2 { store(f, 2, $rlx); } exists (1:r=7)",
      BY_ALL, BY_ALL, BY_OPENCL },
    { "under gpu the round makes r come from x, and not from z, which depends on y",
      "{ [z] = 7; [g] = 5; } "
      "P0 { int q = load(z, $rlx); int r = q; while (load(f, $rlx) == 0) r = *x; "
      "store(g, r, $rlx); } "
      "P1 { int s = load(g, $rlx); store(z, s & 0, $rlx); } "
      "P2 { store(f, 1, $rlx); } exists (0:q=0 /\\ 1:s=0)",
      BY_GPU, BY_GPU, BY_GPU },
    { "P0 passes on what P1 makes of it: a value comes of that by a round alone, which "
      "sets r to the value that it has; load buffering lets P1 read that",
      "P0 { int r = load(z, $rlx); int a = r; while (load(f, $rlx) == 0) r = 1; "
      "store(g, r, $rlx); } "
      "P1 { int s = load(g, $rlx); store(z, s, $rlx); } "
      "P2 { store(f, 1, $rlx); } exists (0:a=1 /\\ 1:s=1)",
      BY_ALL, BY_OPENCL | BY_GPU, BY_OPENCL | BY_GPU },
};

TEST_EACH(an_answer_that_lost_a_state_with_its_rounds_says_so, G_N_ELEMENTS(losses))
{
    g_autofree char *text = test_text(losses[_i].text);
    g_autoptr(weir_litmus) test = litmus_test_of(text);
    for (unsigned m = 0; m < N_C_MODELS; m++) {
        unsigned bit = 1U << m;
        if ((losses[_i].asked & bit) == 0) {
            continue;
        }
        bool possible = (losses[_i].possible & bit) != 0;
        bool lost = (losses[_i].lost & bit) != 0;
        g_autoptr(weir_litmus_answer) with = ask(test, (enum weir_model)m, true);
        g_autoptr(weir_litmus_answer) without = ask(test, (enum weir_model)m, false);
        const struct weir_litmus_verdict *said = weir_litmus_answer_verdict(without);
        EXPECT((weir_litmus_answer_verdict(with)->positive > 0) == possible
                   && (said->positive > 0) == (possible && !lost)
                   && said->lacking == lost && said->complete == !lost,
               "%s: not under %s", losses[_i].what,
               weir_model_name((enum weir_model)m));
    }
}

enum { CHUNKS = 4, PROGRAMS_A_CHUNK = 60 };

TEST_EACH(skipping_rounds_adds_and_removes_no_state, CHUNKS)
{
    struct statistics statistics = { 0 };
    uint64_t n = chunk_of("WEIR_SPIN_PROGRAMS", CHUNKS, PROGRAMS_A_CHUNK, 2);
    expect_chunk(_i, n, &statistics);
    if (n >= PROGRAMS_A_CHUNK) {
        ck_assert_uint_gt(statistics.uncut, n);
        ck_assert_uint_gt(statistics.fewer, n / 2);
        ck_assert_uint_gt(statistics.waiting, n / 2);
        ck_assert_uint_gt(statistics.racy, n / 4);
        ck_assert_uint_gt(statistics.lacking, 0);
    }
}

int main(int argc, char **argv)
{
    struct statistics statistics = { 0 };
    if (argc == 2) {
        g_autofree char *text = draw(g_ascii_strtoull(argv[1], NULL, 10));
        fputs(text, stdout);
        return EXIT_SUCCESS;
    }
    return argc == 3 ? run_campaign(argv, &statistics) : run_tests("spins");
}
