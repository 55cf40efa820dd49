/* SPDX-License-Identifier: MIT
 *
 * check_native_ptx.c: kernels explored under PTX against litmus tests in PTX's form,
 * see native_table.h; and kernels whose final states are worked out by hand.
 *
 *   check-native-ptx                a few programs, as a test
 *   check-native-ptx SEED COUNT     those from SEED on */
#define CAMPAIGN "check-native-ptx"
#include "native_table.h"

/* ---- Programs -------------------------------------------------------------------- */

static const memory_order fence_orders[]
    = { memory_order_acq_rel, memory_order_seq_cst };
static const memory_scope scopes[]
    = { memory_scope_work_group, memory_scope_device, memory_scope_system };

static void draw_step(table_step *step, uint64_t *random, bool narrow)
{
    static const enum kind kinds[]
        = { LOAD, LOAD, LOAD, STORE, STORE, STORE_RESULT, FENCE, ADD, EXCHANGE, END };
    step->kind = ONE_OF(kinds);
    step->location = (uint8_t)random_between(random, 0, LOCATIONS - 1);
    step->value = (uint8_t)random_between(random, 1, 2);
    step->scope = (uint8_t)(narrow ? ONE_OF(scopes) : memory_scope_device);
    step->plain = random_between(random, 0, 2) == 0 ? PLAIN : ATOMIC;
    step->order = (uint8_t)(step->kind == FENCE ? ONE_OF(fence_orders)
                                                : draw_order(step->kind, random));
    step->spaces = WEIR_LOCAL | WEIR_GLOBAL;
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

static char *place_of(const struct program *program, unsigned i)
{
    return g_strdup_printf("P%u@cta %u,gpu 0", i, i / program->n_items);
}

static char *cell_of(const table_step *step, unsigned s, int latest)
{
    const char *scope = step->scope == memory_scope_work_group ? "cta"
        : step->scope == memory_scope_device                   ? "gpu"
                                                               : "sys";
    g_autofree char *how = step->plain == PLAIN && step->kind <= STORE_RESULT
        ? g_strdup("weak")
        : g_strdup_printf("%s.%s", order_word(step->order), scope);
    char x = (char)('x' + step->location);
    switch (step->kind) {
    case LOAD:
        return g_strdup_printf("ld.%s r%u, %c", how, s, x);
    case STORE:
        return g_strdup_printf("st.%s %c, %u", how, x, step->value);
    case STORE_RESULT:
        return latest < 0 ? g_strdup_printf("st.%s %c, 0", how, x)
                          : g_strdup_printf("st.%s %c, r%d", how, x, latest);
    case ADD:
        return g_strdup_printf("atom.%s.add r%u, %c, %u", how, s, x, step->value);
    case EXCHANGE:
        return g_strdup_printf("atom.%s.exch r%u, %c, %u", how, s, x, step->value);
    case FENCE:
        return g_strdup_printf("fence.%s", how);
    case MEET:
        return g_strdup("bar.cta.sync 0");
    default:
        return g_strdup("");
    }
}

static const struct table_form form = { .name = "PTX",
                                        .model = "ptx",
                                        .litmus_model = WEIR_MODEL_PTX,
                                        .place = place_of,
                                        .cell = cell_of };

/* Leaves relaxed atomic operations of one location, plain accesses of the other one,
 * and barriers: the part of PTX that is explored as under sycl. */
static void restrict_step(table_step *step)
{
    step->kind = step->kind == FENCE ? LOAD : step->kind;
    bool plain = step->plain == PLAIN && step->kind <= STORE_RESULT;
    step->location = plain;
    step->order = memory_order_relaxed;
}

static char *judge_seed(uint64_t seed, struct statistics *statistics)
{
    struct program program;
    draw_program(&program, &seed, draw_step,
                 (table_step){ .kind = MEET, .spaces = WEIR_GLOBAL });
    bool restricted = random_between(&seed, 0, 2) == 0;
    for (unsigned i = 0; restricted && i < program.n_groups * program.n_items; i++) {
        for (unsigned s = 0; s < STEPS; s++) {
            restrict_step(&program.steps[i][s]);
        }
    }
    return judge_program(&form, &program, statistics);
}

/* ---- Kernels of their own -------------------------------------------------------- */

typedef struct {
    int32_t *x, *out;
    uint32_t how;
} own_args;

#define GET(p) weir_atomic_load_explicit((p), memory_order_relaxed, memory_scope_device)
#define PUT(p, v)                                                                      \
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
    int32_t read = GET(&args->x[self]);
    PUT(&args->x[1 - self], args->how != 0 ? read : 1);
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
        PUT(&args->x[1], GET(&args->x[0]));
    } else if (self == 1) {
        int32_t other = GET(&args->x[2]), read = GET(&args->x[1]);
        if (other == 1 || read == 1) {
            PUT(&args->x[0], 1);
        }
        args->out[0] = 2 * other + read;
    } else {
        PUT(&args->x[2], 1);
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
        PUT(&args->x[0], 1);
    } else if (GET(&args->x[0]) == 1) {
        while (GET(&args->x[1]) == 0) {}
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
    if (args->how != 0) {
        SC_FENCE();
    }
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

/* Kernels, and the states in which they end, joined by blanks. */
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

DEVICE_TEST(operations_of_groups_are_refused_where_fences_order)
{
    for (uint32_t how = 0; how < 2; how++) {
        struct weir_report *report = explore_own(device, &reduce, how, 2);
        const struct weir_exploration *result = weir_report_exploration(report);
        ck_assert((result->refused != NULL) == (how != 0));
        ck_assert(how == 0 ? result->complete && result->executions == 1
                           : strstr(result->refused, "other than barriers") != NULL);
        weir_report_free(report);
    }
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
