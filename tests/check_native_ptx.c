/* SPDX-License-Identifier: MIT
 *
 * check_native_ptx.c: kernels explored under PTX against litmus tests in PTX's form.
 * A random program of a few items is run as a kernel that takes its steps, and written
 * as a test: `weir explore --model ptx` and `weir litmus --model ptx` must come to the
 * same final states. The two share the model, and neither the program nor what its
 * threads do, its values and its dependencies.
 *
 *   check-native-ptx                a few programs, as a test
 *   check-native-ptx SEED COUNT     those from SEED on */
#define CAMPAIGN "check-native-ptx"
#include "campaign.h"

#include <weir-model.h>

enum { MOST_ITEMS = 4, STEPS = 4, LOCATIONS = 2, REGISTERS = STEPS };

enum kind { END, LOAD, STORE, STORE_RESULT, ADD, EXCHANGE, FENCE, MEET };

/* @value: of a store, 1 or 2; of a load, the register that it is of */
typedef struct {
    uint8_t kind, plain, order, scope, location, value;
} ptx_step;

typedef struct {
    const ptx_step *steps; /* STEPS of each item */
    int32_t *x, *out;      /* the locations, and REGISTERS of each item */
} ptx_args;

WEIR_KERNEL(take_steps, ptx_args)
{
    size_t self = weir_global_id(item, 0);
    int32_t result = 0;
    for (int i = 0; i < STEPS; i++) {
        const ptx_step *step = &args->steps[self * STEPS + (size_t)i];
        int32_t *x = &args->x[step->location];
        memory_order order = (memory_order)step->order;
        memory_scope scope = (memory_scope)step->scope;
        bool loads = step->kind == LOAD || step->kind == ADD || step->kind == EXCHANGE;
        int32_t value = step->kind == STORE_RESULT ? result : step->value;
        switch (step->kind) {
        case LOAD:
            result = step->plain ? *x : weir_atomic_load_explicit(x, order, scope);
            break;
        case STORE:
        case STORE_RESULT:
            if (step->plain) {
                *x = value;
            } else {
                weir_atomic_store_explicit(x, value, order, scope);
            }
            break;
        case ADD:
            result = weir_atomic_fetch_add_explicit(x, value, order, scope);
            break;
        case EXCHANGE:
            result = weir_atomic_exchange_explicit(x, value, order, scope);
            break;
        case FENCE:
            weir_atomic_fence(order, scope);
            break;
        case MEET:
            weir_barrier(item, WEIR_GLOBAL);
            break;
        default:
            break;
        }
        if (loads) {
            args->out[self * REGISTERS + (size_t)i] = result;
        }
    }
}

/* ---- Programs -------------------------------------------------------------------- */

struct program {
    unsigned n_groups, n_items; /* of a group */
    ptx_step steps[MOST_ITEMS][STEPS];
};

static const memory_order load_orders[]
    = { memory_order_relaxed, memory_order_acquire };
static const memory_order store_orders[]
    = { memory_order_relaxed, memory_order_release };
static const memory_order update_orders[]
    = { memory_order_relaxed, memory_order_acquire, memory_order_release,
        memory_order_acq_rel };
static const memory_order fence_orders[]
    = { memory_order_acq_rel, memory_order_seq_cst };
static const memory_scope scopes[]
    = { memory_scope_work_group, memory_scope_device, memory_scope_system };

#define ONE_OF(table) ((table)[random_between(random, 0, G_N_ELEMENTS(table) - 1)])

static void draw_step(ptx_step *step, uint64_t *random, bool narrow)
{
    static const enum kind kinds[]
        = { LOAD, LOAD, LOAD, STORE, STORE, STORE_RESULT, FENCE, ADD, EXCHANGE, END };
    step->kind = ONE_OF(kinds);
    step->location = (uint8_t)random_between(random, 0, LOCATIONS - 1);
    step->value = (uint8_t)random_between(random, 1, 2);
    step->scope = (uint8_t)(narrow ? ONE_OF(scopes) : memory_scope_device);
    step->plain = random_between(random, 0, 2) == 0;
    step->order = (uint8_t)(step->kind == LOAD        ? ONE_OF(load_orders)
                                : step->kind == FENCE ? ONE_OF(fence_orders)
                                : step->kind == ADD || step->kind == EXCHANGE
                                ? ONE_OF(update_orders)
                                : ONE_OF(store_orders));
}

static void draw(struct program *program, uint64_t seed)
{
    static const unsigned shapes[][2]
        = { { 2, 1 }, { 2, 1 }, { 3, 1 }, { 1, 2 }, { 2, 2 }, { 1, 3 } };
    uint64_t state = seed, *random = &state;
    const unsigned *shape = shapes[random_between(random, 0, G_N_ELEMENTS(shapes) - 1)];
    *program = (struct program){ .n_groups = shape[0], .n_items = shape[1] };
    unsigned n = shape[0] * shape[1];
    unsigned n_steps = n > 2 ? 2 : 3;
    bool narrow = random_between(random, 0, 1) == 0;
    size_t meets = random_between(random, 0, 2 * STEPS);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned s = 0; s < n_steps; s++) {
            draw_step(&program->steps[i][s], random, narrow);
            if (s == meets && shape[1] > 1) {
                program->steps[i][s] = (ptx_step){ .kind = MEET };
            }
        }
    }
}

/* ---- As a litmus test ------------------------------------------------------------ */

static const char *order_word(memory_order order)
{
    return order == memory_order_relaxed ? "relaxed"
        : order == memory_order_acquire  ? "acquire"
        : order == memory_order_release  ? "release"
        : order == memory_order_acq_rel  ? "acq_rel"
                                         : "sc";
}

/* Returns: (transfer full): the instruction; @latest: the latest load's register */
static char *cell_of(const ptx_step *step, unsigned s, int *latest)
{
    const char *scope = step->scope == memory_scope_work_group ? "cta"
        : step->scope == memory_scope_device                   ? "gpu"
                                                               : "sys";
    g_autofree char *how = step->plain && step->kind <= STORE_RESULT
        ? g_strdup("weak")
        : g_strdup_printf("%s.%s", order_word(step->order), scope);
    char x = (char)('x' + step->location);
    switch (step->kind) {
    case LOAD:
        *latest = (int)s;
        return g_strdup_printf("ld.%s r%u, %c", how, s, x);
    case STORE:
        return g_strdup_printf("st.%s %c, %u", how, x, step->value);
    case STORE_RESULT:
        return *latest < 0 ? g_strdup_printf("st.%s %c, 0", how, x)
                           : g_strdup_printf("st.%s %c, r%d", how, x, *latest);
    case ADD:
        *latest = (int)s;
        return g_strdup_printf("atom.%s.add r%u, %c, %u", how, s, x, step->value);
    case EXCHANGE:
        *latest = (int)s;
        return g_strdup_printf("atom.%s.exch r%u, %c, %u", how, s, x, step->value);
    case FENCE:
        return g_strdup_printf("fence.%s", how);
    case MEET:
        return g_strdup("bar.cta.sync 0");
    default:
        return g_strdup("");
    }
}

static char *litmus_text(const struct program *program)
{
    GString *text = g_string_new("PTX random\n{ x=0; y=0; }\n");
    unsigned n = program->n_groups * program->n_items;
    int latest[MOST_ITEMS] = { -1, -1, -1, -1 };
    for (unsigned i = 0; i < n; i++) {
        g_string_append_printf(text, "%sP%u@cta %u,gpu 0", i > 0 ? " | " : "", i,
                               i / program->n_items);
    }
    g_string_append(text, " ;\n");
    for (unsigned s = 0; s < STEPS; s++) {
        for (unsigned i = 0; i < n; i++) {
            g_autofree char *cell = cell_of(&program->steps[i][s], s, &latest[i]);
            g_string_append_printf(text, "%s%s", i > 0 ? " | " : "", cell);
        }
        g_string_append(text, " ;\n");
    }
    g_string_append(text, "exists (x == 0 /\\ y == 0");
    for (unsigned i = 0; i < n; i++) {
        for (unsigned s = 0; s < STEPS; s++) {
            enum kind kind = program->steps[i][s].kind;
            if (kind == LOAD || kind == ADD || kind == EXCHANGE) {
                g_string_append_printf(text, " /\\ P%u:r%u == 0", i, s);
            }
        }
    }
    g_string_append(text, ")\n");
    return g_string_free(text, FALSE);
}

/* ---- Final states ---------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The words of a state, sorted, without those of value 0. Returns: (transfer full) */
static char *canonical(char **words)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (size_t i = 0; words[i] != NULL; i++) {
        if (!g_str_has_suffix(words[i], "=0") && *words[i] != '\0') {
            g_ptr_array_add(all, words[i]);
        }
    }
    g_ptr_array_sort(all, by_text);
    g_ptr_array_add(all, NULL);
    return g_strjoinv(",", (char **)all->pdata);
}

/* The name that a litmus test has for "out[5]" or "x[1]". */
static char *renamed(const char *word)
{
    unsigned index;
    int value;
    if (sscanf(word, "x[%u]=%d", &index, &value) == 2) {
        return g_strdup_printf("%c=%d", 'x' + (int)index, value);
    }
    int n = sscanf(word, "out[%u]=%d", &index, &value);
    g_assert(n == 2);
    return g_strdup_printf("%u:r%u=%d", index / REGISTERS, index % REGISTERS, value);
}

/* All states, each once, joined by lines. Takes @states */
static char *joined(GPtrArray *states)
{
    g_ptr_array_sort(states, by_text);
    for (guint i = 1; i < states->len;) {
        if (strcmp(g_ptr_array_index(states, i - 1), g_ptr_array_index(states, i))
            == 0) {
            g_ptr_array_remove_index(states, i);
        } else {
            i++;
        }
    }
    g_ptr_array_add(states, NULL);
    char *text = g_strjoinv("\n", (char **)states->pdata);
    g_ptr_array_free(states, TRUE);
    return text;
}

/* Returns: (transfer full): NULL if a limit was reached */
static char *states_of_litmus(const char *text)
{
    GError *error = NULL;
    struct weir_litmus *test = weir_litmus_parse(text, strlen(text), "random", &error);
    g_assert(test != NULL);
    const struct weir_litmus_options options = { .model = WEIR_MODEL_PTX };
    struct weir_litmus_answer *answer = weir_litmus_ask(test, &options, &error);
    g_assert(answer != NULL);
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    GPtrArray *states = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < verdict->n_states; i++) {
        g_auto(GStrv) words
            = g_strsplit(weir_litmus_answer_state(answer, i)->text, ",", -1);
        for (size_t w = 0; words[w] != NULL; w++) {
            if (words[w][0] == '[') { /* "[x]=1" */
                char *bare = g_strdup_printf("%c%s", words[w][1], words[w] + 3);
                g_free(words[w]);
                words[w] = bare;
            }
        }
        g_ptr_array_add(states, canonical(words));
    }
    bool complete = verdict->complete;
    weir_litmus_answer_free(answer);
    weir_litmus_free(test);
    char *all = joined(states);
    if (!complete) {
        g_free(all);
    }
    return complete ? all : NULL;
}

/* Returns: (transfer full): NULL if it is too large */
static char *states_of_kernel(const struct program *program)
{
    struct weir_device *device = weir_device_new("default", NULL);
    unsigned n = program->n_groups * program->n_items;
    ptx_step *steps = weir_new(device, ptx_step, MOST_ITEMS * STEPS, "steps");
    memcpy(steps, program->steps, sizeof(program->steps));
    ptx_args args = { steps, weir_new(device, int32_t, LOCATIONS, "x"),
                      weir_new(device, int32_t, MOST_ITEMS * REGISTERS, "out") };
    memset(args.x, 0, LOCATIONS * sizeof(*args.x));
    memset(args.out, 0, MOST_ITEMS * REGISTERS * sizeof(*args.out));
    struct weir_report *report = NULL;
    const struct weir_launch_options options
        = { .explore = "ptx", .time_limit_ms = 20000 };
    bool done = weir_launch_sized_with(device, &take_steps,
                                       weir_nd_range_1d(n, program->n_items), &args,
                                       sizeof(args), &options, &report, NULL);
    g_assert(done);
    const struct weir_exploration *result = weir_report_exploration(report);
    GPtrArray *states = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < result->n_states; i++) {
        g_auto(GStrv) words = g_strsplit(result->states[i].text, ",", -1);
        for (size_t w = 0; words[w] != NULL; w++) {
            char *name = *words[w] != '\0' ? renamed(words[w]) : g_strdup("");
            g_free(words[w]);
            words[w] = name;
        }
        g_ptr_array_add(states, canonical(words));
    }
    bool complete = result->complete;
    weir_report_free(report);
    weir_device_free(device);
    char *all = joined(states);
    if (!complete) {
        g_free(all);
    }
    return complete ? all : NULL;
}

/* ---- Campaigns ------------------------------------------------------------------- */

struct statistics {
    uint64_t programs, states, too_large;
};

static char *judge_seed(uint64_t seed, struct statistics *statistics)
{
    struct program program;
    draw(&program, seed);
    g_autofree char *text = litmus_text(&program);
    g_autofree char *expected = states_of_litmus(text);
    statistics->programs++;
    if (expected == NULL) {
        statistics->too_large++;
        return NULL;
    }
    g_autofree char *found = states_of_kernel(&program);
    if (found == NULL) {
        statistics->too_large++;
        return NULL;
    }
    for (const char *at = expected; at != NULL; at = strchr(at + 1, '\n')) {
        statistics->states++;
    }
    return strcmp(expected, found) == 0
        ? NULL
        : g_strdup_printf("%s\nas a litmus test:\n%s\n\nas a kernel:\n%s\n", text,
                          expected, found);
}

static void say(const struct statistics *statistics)
{
    printf("%" PRIu64 " programs, %" PRIu64 " of them too large; %" PRIu64
           " final states\n",
           statistics->programs, statistics->too_large, statistics->states);
}

/* ---- Kernels of their own -------------------------------------------------------- */

typedef struct {
    int32_t *x, *out;
    uint32_t how;
} own_args;

#define LOAD(p)                                                                        \
    weir_atomic_load_explicit((p), memory_order_relaxed, memory_scope_device)
#define STORE(p, v)                                                                    \
    weir_atomic_store_explicit((p), (v), memory_order_relaxed, memory_scope_device)
#define COUNT(p, scope)                                                                \
    weir_atomic_fetch_add_explicit((p), 1, memory_order_relaxed, (scope))
#define SC_FENCE() weir_atomic_fence(memory_order_seq_cst, memory_scope_device)

/* Three groups count; the last one resets the counter. */
WEIR_KERNEL(last_resets, own_args)
{
    memory_scope scope = args->how != 0 ? memory_scope_work_group : memory_scope_device;
    if (COUNT(&args->x[0], scope) == 2) {
        args->x[0] = 0;
    }
}

/* A message by a volatile flag; without one of its fences if @how says so. */
WEIR_KERNEL(volatile_flag, own_args)
{
    volatile int32_t *flag = &args->x[1];
    if (weir_global_id(item, 0) == 0) {
        args->x[0] = 42;
        if (args->how != 1) {
            SC_FENCE();
        }
        *flag = 1;
    } else {
        while (*flag == 0) {}
        if (args->how != 2) {
            SC_FENCE();
        }
        args->out[0] = args->x[0];
    }
}

/* Each item takes a place; there are as many places as @how says. A history in which an
 * item gets a later one is in no execution. */
WEIR_KERNEL(take_place, own_args)
{
    int32_t place = COUNT(&args->x[0], memory_scope_device);
    weir_assert(item, place < (int32_t)args->how);
    args->out[place] = 1;
}

/* Load buffering; of values that are read, if @how says so. */
WEIR_KERNEL(buffer_loads, own_args)
{
    size_t self = weir_global_id(item, 0);
    int32_t read = LOAD(&args->x[self]);
    STORE(&args->x[1 - self], args->how != 0 ? read : 1);
    args->out[self] = read;
}

/* The same without a claim: the greatest place of an execution is the last element. */
WEIR_KERNEL(take_last_place, own_args)
{
    args->out[COUNT(&args->x[0], memory_scope_device) + 1] = 1;
}

/* The second item writes 1 if it has read 1, from either of the others. */
WEIR_KERNEL(from_thin_air, own_args)
{
    size_t self = weir_global_id(item, 0);
    if (self == 0) {
        STORE(&args->x[1], LOAD(&args->x[0]));
    } else if (self == 1) {
        int32_t other = LOAD(&args->x[2]), read = LOAD(&args->x[1]);
        if (other == 1 || read == 1) {
            STORE(&args->x[0], 1);
        }
        args->out[0] = 2 * other + read;
    } else {
        STORE(&args->x[2], 1);
    }
}

/* Store buffering with sequentially consistent accesses. */
WEIR_KERNEL(buffer_stores, own_args)
{
    size_t self = weir_global_id(item, 0);
    memory_order order = args->how != 0 ? memory_order_seq_cst : memory_order_relaxed;
    weir_atomic_store_explicit(&args->x[self], 1, order, memory_scope_device);
    args->out[self]
        = weir_atomic_load_explicit(&args->x[1 - self], order, memory_scope_device);
}

/* Waits for a value that no item writes, if the other one came first. */
WEIR_KERNEL(wait_for_nothing, own_args)
{
    if (weir_global_id(item, 0) == 0) {
        STORE(&args->x[0], 1);
    } else if (LOAD(&args->x[0]) == 1) {
        while (LOAD(&args->x[1]) == 0) {}
    }
}

/* A weak compare-exchange. */
WEIR_KERNEL(try_once, own_args)
{
    int32_t expected = 0;
    args->out[0] = weir_atomic_compare_exchange_weak_explicit(
        &args->x[0], &expected, 1, memory_order_relaxed, memory_order_relaxed,
        memory_scope_device);
}

WEIR_KERNEL(reduce, own_args)
{
    args->out[weir_global_id(item, 0)] = weir_group_reduce_add(item, args->x[0]);
}

static struct weir_report *explore_own(struct weir_device *device,
                                       const struct weir_kernel *kernel, uint32_t how,
                                       size_t n_groups)
{
    own_args args = { weir_new(device, int32_t, 4, "x"),
                      weir_new(device, int32_t, 4, "out"), how };
    memset(args.x, 0, 4 * sizeof(*args.x));
    memset(args.out, 0, 4 * sizeof(*args.out));
    return LAUNCH(device, kernel, weir_nd_range_1d(n_groups, 1), &args,
                  (&(struct weir_launch_options){ .explore = "ptx" }));
}

/* What is expected of a kernel. @states: joined by blanks */
static const struct expected {
    const struct weir_kernel *kernel;
    uint32_t how;
    size_t n_groups;
    uint64_t blocked;
    const char *states;
    int finding; /* its kind, or NONE */
} expected[] = {
    { &last_resets, 0, 3, 0, "", -1 },
    /* Lost updates: each count may read 0, and any may be the last. */
    { &last_resets, 1, 3, 0, "x[0]=1 x[0]=2 ", WEIR_FINDING_SCOPE_RACE },
    { &volatile_flag, 0, 2, 0, "out[0]=42,x[0]=42,x[1]=1", -1 },
    { &volatile_flag, 1, 2, 0, "out[0]=42,x[0]=42,x[1]=1 x[0]=42,x[1]=1",
      WEIR_FINDING_DATA_RACE },
    { &volatile_flag, 2, 2, 0, "out[0]=42,x[0]=42,x[1]=1 x[0]=42,x[1]=1",
      WEIR_FINDING_DATA_RACE },
    { &take_place, 3, 3, 0, "out[0]=1,out[1]=1,out[2]=1,x[0]=3", -1 },
    { &take_place, 2, 3, 6, "", WEIR_FINDING_ASSERTION },
    { &buffer_loads, 0, 2, 0,
      "out[0]=1,out[1]=1,x[0]=1,x[1]=1 out[0]=1,x[0]=1,x[1]=1 out[1]=1,x[0]=1,x[1]=1 "
      "x[0]=1,x[1]=1",
      -1 },
    /* Nothing comes out of thin air. */
    { &buffer_loads, 1, 2, 0, "", -1 },
    { &take_last_place, 0, 3, 0, "out[1]=1,out[2]=1,out[3]=1,x[0]=3", -1 },
    /* out[0]=1 would be: 1 was read, and not from the third item */
    { &from_thin_air, 0, 3, 0,
      "x[2]=1 out[0]=2,x[0]=1,x[2]=1 out[0]=2,x[0]=1,x[1]=1,x[2]=1 "
      "out[0]=3,x[0]=1,x[1]=1,x[2]=1",
      -1 },
    { &buffer_stores, 0, 2, 0,
      "out[0]=1,out[1]=1,x[0]=1,x[1]=1 out[0]=1,x[0]=1,x[1]=1 out[1]=1,x[0]=1,x[1]=1 "
      "x[0]=1,x[1]=1",
      -1 },
    { &buffer_stores, 1, 2, 0,
      "out[0]=1,out[1]=1,x[0]=1,x[1]=1 out[0]=1,x[0]=1,x[1]=1 out[1]=1,x[0]=1,x[1]=1",
      -1 },
    { &wait_for_nothing, 0, 2, 1, "x[0]=1", WEIR_FINDING_LIVELOCK },
    { &try_once, 0, 1, 0, " out[0]=1,x[0]=1", -1 },
};

CASE("own");

DEVICE_TEST_EACH(states_and_findings_of_kernels, G_N_ELEMENTS(expected))
{
    const struct expected *of = &expected[_i];
    struct weir_report *report = explore_own(device, of->kernel, of->how, of->n_groups);
    const struct weir_exploration *result = weir_report_exploration(report);
    const char *name = of->kernel->name;
    ck_assert_msg(result->refused == NULL && result->complete, "%s", name);
    ck_assert_msg(result->blocked == of->blocked, "%s: %" PRIu64 " never end", name,
                  result->blocked);
    g_autoptr(GPtrArray) states = g_ptr_array_new();
    for (size_t i = 0; i < result->n_states; i++) {
        g_ptr_array_add(states, (char *)result->states[i].text);
    }
    g_ptr_array_sort(states, by_text);
    g_ptr_array_add(states, NULL);
    g_autofree char *all = g_strjoinv(" ", (char **)states->pdata);
    g_auto(GStrv) words = g_strsplit(of->states, " ", -1);
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    for (size_t i = 0; words[i] != NULL; i++) {
        g_ptr_array_add(sorted, words[i]);
    }
    g_ptr_array_sort(sorted, by_text);
    g_ptr_array_add(sorted, NULL);
    g_autofree char *expects = g_strjoinv(" ", (char **)sorted->pdata);
    ck_assert_msg(strcmp(all, expects) == 0, "%s: '%s', not '%s'", name, all, expects);
    bool found = false;
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        found |= (int)weir_report_finding(report, i)->kind == of->finding;
    }
    ck_assert_msg(found == (of->finding >= 0)
                      && (of->finding >= 0 || weir_report_n_findings(report) == 0),
                  "%s: %zu findings", name, weir_report_n_findings(report));
    weir_report_free(report);
}

DEVICE_TEST(operations_of_groups_are_refused)
{
    struct weir_report *report = explore_own(device, &reduce, 0, 2);
    const struct weir_exploration *result = weir_report_exploration(report);
    ck_assert_ptr_nonnull(result->refused);
    ck_assert_ptr_nonnull(strstr(result->refused, "other than barriers"));
    weir_report_free(report);
}

/* ---- Tests ----------------------------------------------------------------------- */

enum { CHUNKS = 4, PROGRAMS_A_CHUNK = 25 };

CASE("random");

TEST_EACH(kernels_and_litmus_tests_have_the_same_states, CHUNKS)
{
    struct statistics statistics = { 0 };
    expect_chunk(_i, scaled(PROGRAMS_A_CHUNK, 3), &statistics);
}

int main(int argc, char **argv)
{
    struct statistics statistics = { 0 };
    return argc == 3 ? run_campaign(argv, &statistics) : run_tests("native-ptx");
}
