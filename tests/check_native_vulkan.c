/* SPDX-License-Identifier: MIT
 *
 * check_native_vulkan.c: kernels explored under Vulkan against litmus tests in Vulkan's
 * form, see native_table.h; and kernels whose final states and races are worked out by
 * hand, from the appendix "Memory Model" of Vulkan 1.4.
 *
 *   check-native-vulkan                a few programs, as a test
 *   check-native-vulkan SEED COUNT     those from SEED on */
#define CAMPAIGN "check-native-vulkan"
#include "native_table.h"

/* ---- Programs -------------------------------------------------------------------- */

static const memory_order fence_orders[]
    = { memory_order_acquire, memory_order_release, memory_order_acq_rel };
static const memory_scope scopes[] = { memory_scope_sub_group, memory_scope_work_group,
                                       memory_scope_device, memory_scope_system };
static const uint8_t spaces[]
    = { WEIR_GLOBAL, WEIR_GLOBAL, WEIR_LOCAL | WEIR_GLOBAL, WEIR_LOCAL };
static const enum plain ways[] = { ATOMIC, ATOMIC, ATOMIC, PLAIN, PLAIN, VOLATILE };

static void draw_step(table_step *step, uint64_t *random, bool narrow)
{
    static const enum kind kinds[]
        = { LOAD, LOAD, LOAD, STORE, STORE, STORE_RESULT, FENCE, ADD, EXCHANGE, END };
    step->kind = ONE_OF(kinds);
    step->location = (uint8_t)random_between(random, 0, LOCATIONS - 1);
    step->value = (uint8_t)random_between(random, 1, 2);
    step->scope = (uint8_t)(narrow ? ONE_OF(scopes) : memory_scope_device);
    step->plain = (uint8_t)(step->kind <= STORE_RESULT ? ONE_OF(ways) : ATOMIC);
    step->order = (uint8_t)(step->kind == FENCE ? ONE_OF(fence_orders)
                                                : draw_order(step->kind, random));
    step->spaces = ONE_OF(spaces);
}

/* Whether the item copies from that location to the other one. */
static bool copies(const struct program *program, unsigned i, unsigned from)
{
    int read = -1;
    bool does = false;
    for (unsigned s = 0; s < STEPS; s++) {
        const table_step *step = &program->steps[i][s];
        does |= step->kind == STORE_RESULT && read == (int)from
            && step->location != from;
        read = loads(step) ? step->location : read;
    }
    return does;
}

/* Vulkan lets values justify each other that go around in a circle. A test tries those
 * that it names, and an exploration those that items write otherwise: a circle would
 * make a difference. So no program has one. */
static void break_circles(struct program *program)
{
    bool any[LOCATIONS] = { false };
    for (unsigned i = 0; i < MOST_ITEMS; i++) {
        for (unsigned x = 0; x < LOCATIONS; x++) {
            any[x] |= copies(program, i, x);
        }
    }
    for (unsigned i = 0; i < MOST_ITEMS && any[0] && any[1]; i++) {
        for (unsigned s = 0; s < STEPS; s++) {
            table_step *step = &program->steps[i][s];
            step->kind = step->kind == STORE_RESULT ? STORE : step->kind;
        }
    }
}

/* ---- As a litmus test ------------------------------------------------------------ */

static const char *scope_word(uint8_t scope)
{
    return scope == memory_scope_sub_group ? "sg"
        : scope == memory_scope_work_group ? "wg"
                                           : "dv";
}

/* ".acq_rel.dv.semsc0.semav.semvis", with @storage after the scope.
 * Returns: (transfer full) */
static char *semantics(memory_order order, uint8_t scope, const char *storage,
                       unsigned of)
{
    bool acquires = order == memory_order_acquire || order == memory_order_acq_rel;
    bool releases = order == memory_order_release || order == memory_order_acq_rel;
    bool orders = of != 0 && (acquires || releases);
    return g_strdup_printf(
        "%s%s.%s%s%s%s%s%s",
        orders && acquires && releases ? ".acq_rel"
            : orders && acquires       ? ".acq"
            : orders && releases       ? ".rel"
                                       : "",
        "", scope_word(scope), storage, orders && (of & WEIR_GLOBAL) ? ".semsc0" : "",
        orders && (of & WEIR_LOCAL) ? ".semsc1" : "",
        orders && releases ? ".semav" : "", orders && acquires ? ".semvis" : "");
}

static char *place_of(const struct program *program, unsigned i)
{
    unsigned item = i % program->n_items;
    return g_strdup_printf("P%u@sg %u,wg %u,qf 0", i, item / program->sub_group,
                           i / program->n_items);
}

static char *access_of(const table_step *step, bool reads)
{
    if (step->plain == PLAIN) {
        return g_strdup_printf("%s.nonpriv.sc0", reads ? "ld" : "st");
    }
    if (step->plain == VOLATILE) {
        return g_strdup(reads ? "ld.vis.dv.sc0" : "st.av.dv.sc0");
    }
    g_autofree char *how = semantics((memory_order)step->order, step->scope, ".sc0",
                                     WEIR_LOCAL | WEIR_GLOBAL);
    return g_strdup_printf("%s.atom%s", reads ? "ld" : "st", how);
}

static char *cell_of(const table_step *step, unsigned s, int latest)
{
    char x = (char)('x' + step->location);
    memory_order order = (memory_order)step->order;
    g_autofree char *access = access_of(step, step->kind == LOAD);
    g_autofree char *update
        = semantics(order, step->scope, ".sc0", WEIR_LOCAL | WEIR_GLOBAL);
    g_autofree char *fence = semantics(order, step->scope, "", step->spaces);
    switch (step->kind) {
    case LOAD:
        return g_strdup_printf("%s r%u, %c", access, s, x);
    case STORE:
        return g_strdup_printf("%s %c, %u", access, x, step->value);
    case STORE_RESULT:
        return latest < 0 ? g_strdup_printf("%s %c, 0", access, x)
                          : g_strdup_printf("%s %c, r%d", access, x, latest);
    case ADD:
        return g_strdup_printf("rmw.atom%s.add r%u, %c, %u", update, s, x, step->value);
    case EXCHANGE:
        return g_strdup_printf("rmw.atom%s r%u, %c, %u", update, s, x, step->value);
    case FENCE:
        return g_strdup_printf("membar%s", fence);
    case MEET:
        return g_strdup_printf("cbar%s 0", fence);
    default:
        return g_strdup("");
    }
}

static const struct table_form form = { .name = "VULKAN",
                                        .model = "vulkan",
                                        .litmus_model = WEIR_MODEL_VULKAN,
                                        .place = place_of,
                                        .cell = cell_of };

static char *judge_seed(uint64_t seed, struct statistics *statistics)
{
    static const uint8_t flags[]
        = { WEIR_GLOBAL, WEIR_LOCAL | WEIR_GLOBAL, WEIR_LOCAL, 0 };
    struct program program;
    uint64_t state = seed, *random = &state;
    const table_step meeting = { .kind = MEET,
                                 .order = memory_order_acq_rel,
                                 .scope = memory_scope_work_group,
                                 .spaces = ONE_OF(flags) };
    draw_program(&program, random, draw_step, meeting);
    program.sub_group = random_between(random, 0, 1) == 0 ? program.sub_group : 1;
    break_circles(&program);
    return judge_program(&form, &program, statistics);
}

/* ---- Kernels of their own -------------------------------------------------------- */

typedef struct {
    int32_t *x, *out;
    uint32_t how;
} own_args;

#define GET(p, order, scope) weir_atomic_load_explicit((p), (order), (scope))
#define PUT(p, v, order, scope) weir_atomic_store_explicit((p), (v), (order), (scope))
#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define DEVICE memory_scope_device
#define GROUP memory_scope_work_group

/* A message: 0 is right; 1, 2: without a release or an acquire; 3: of group scope. */
WEIR_KERNEL(message, own_args)
{
    memory_scope scope = args->how == 3 ? GROUP : DEVICE;
    if (weir_global_id(item, 0) == 0) {
        args->x[0] = 42;
        PUT(&args->x[1], 1, args->how == 1 ? RELAXED : RELEASE, scope);
    } else if (GET(&args->x[1], args->how == 2 ? RELAXED : ACQUIRE, scope) == 1) {
        args->out[0] = args->x[0];
    }
}

/* The flag is a volatile object if @how says so, and not an atomic one. */
WEIR_KERNEL(volatile_message, own_args)
{
    volatile int32_t *flag = &args->x[1];
    if (weir_global_id(item, 0) == 0) {
        args->x[0] = 42;
        weir_atomic_fence(RELEASE, DEVICE);
        if (args->how == 1) {
            *flag = 1;
        } else {
            PUT(&args->x[1], 1, RELAXED, DEVICE);
        }
    } else {
        int32_t got = args->how == 1 ? *flag : GET(&args->x[1], RELAXED, DEVICE);
        weir_atomic_fence(ACQUIRE, DEVICE);
        if (got == 1) {
            args->out[0] = args->x[0];
        }
    }
}

/* The flag's second value is released itself, or only the first one if @how says so: a
 * later store of the thread does not belong to the release sequence. */
WEIR_KERNEL(later_store, own_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->x[0] = 42;
        PUT(&args->x[1], 1, RELEASE, DEVICE);
        PUT(&args->x[1], 2, args->how == 1 ? RELAXED : RELEASE, DEVICE);
    } else if (GET(&args->x[1], ACQUIRE, DEVICE) == 2) {
        args->out[0] = args->x[0];
    }
}

/* Two items of a group, and a barrier of these flags. */
WEIR_KERNEL(meet_global, own_args)
{
    size_t self = weir_local_id(item, 0);
    args->x[self] = 1 + (int32_t)self;
    weir_barrier(item, args->how);
    args->out[self] = args->x[1 - self];
}

WEIR_KERNEL(meet_local, own_args)
{
    int32_t *own = weir_local_array(item, int32_t, 2);
    size_t self = weir_local_id(item, 0);
    own[self] = 1 + (int32_t)self;
    weir_barrier(item, args->how);
    args->out[self] = own[1 - self];
}

/* Data in local memory, a flag in global memory; the fences order the memories of
 * @how. */
WEIR_KERNEL(local_message, own_args)
{
    int32_t *own = weir_local_array(item, int32_t, 1);
    if (weir_local_id(item, 0) == 0) {
        own[0] = 42;
        weir_work_item_fence(args->how, RELEASE, GROUP);
        PUT(&args->x[0], 1, RELAXED, GROUP);
    } else if (GET(&args->x[0], RELAXED, GROUP) == 1) {
        weir_work_item_fence(args->how, ACQUIRE, GROUP);
        args->out[0] = own[0];
    }
}

/* Data in local memory, a flag in global memory that orders both; or nothing if @how
 * says so. */
WEIR_KERNEL(local_by_atomic, own_args)
{
    int32_t *own = weir_local_array(item, int32_t, 1);
    if (weir_local_id(item, 0) == 0) {
        own[0] = 42;
        PUT(&args->x[0], 1, args->how == 1 ? RELAXED : RELEASE, GROUP);
    } else if (GET(&args->x[0], ACQUIRE, GROUP) == 1) {
        args->out[0] = own[0];
    }
}

/* One item of a group writes, and after a barrier another one tells the other group;
 * the barrier's fence is of group scope if @how says so. */
WEIR_KERNEL(wide_barrier, own_args)
{
    size_t self = weir_global_id(item, 0);
    if (self == 0) {
        args->x[0] = 42;
    }
    weir_group_barrier_scope(item, args->how == 1 ? GROUP : DEVICE);
    if (self == 1) {
        PUT(&args->x[1], 1, RELAXED, DEVICE);
    } else if (self == 2 && GET(&args->x[1], ACQUIRE, DEVICE) == 1) {
        args->out[0] = args->x[0];
    }
}

/* Three groups count. */
WEIR_KERNEL(count, own_args)
{
    memory_scope scope = args->how == 1 ? GROUP : DEVICE;
    weir_atomic_fetch_add_explicit(&args->x[0], 1, RELAXED, scope);
}

/* A chain: an item of the group tells another one in it, which tells the other group;
 * with a release of group scope if @how says so. Items 0 and 1 are one group. */
WEIR_KERNEL(chain, own_args)
{
    size_t self = weir_global_id(item, 0);
    memory_scope second = args->how == 1 ? GROUP : DEVICE;
    if (self == 0) {
        args->x[0] = 42;
        PUT(&args->x[1], 1, RELEASE, GROUP);
    } else if (self == 1) {
        if (GET(&args->x[1], ACQUIRE, GROUP) == 1) {
            PUT(&args->x[2], 1, RELEASE, second);
        }
    } else if (self == 2 && GET(&args->x[2], ACQUIRE, second) == 1) {
        args->out[0] = args->x[0];
    }
}

/* A read is before a write by happens-before alone; not without a release. */
WEIR_KERNEL(read_first, own_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->out[0] = args->x[0];
        PUT(&args->x[1], 1, args->how == 1 ? RELAXED : RELEASE, DEVICE);
    } else if (GET(&args->x[1], ACQUIRE, DEVICE) == 1) {
        args->x[0] = 42;
    }
}

/* Load buffering. */
WEIR_KERNEL(buffer_loads, own_args)
{
    size_t self = weir_global_id(item, 0);
    int32_t read = GET(&args->x[self], RELAXED, DEVICE);
    PUT(&args->x[1 - self], args->how == 1 ? read : 1, RELAXED, DEVICE);
    args->out[self] = read;
}

/* Store buffering; with sequentially consistent accesses, or such a fence, if @how says
 * so. */
WEIR_KERNEL(buffer_stores, own_args)
{
    size_t self = weir_global_id(item, 0);
    memory_order order = args->how == 1 ? memory_order_seq_cst : RELAXED;
    PUT(&args->x[self], 1, order, DEVICE);
    weir_atomic_fence(args->how == 2 ? memory_order_seq_cst : memory_order_acq_rel,
                      DEVICE);
    args->out[self] = GET(&args->x[1 - self], order, DEVICE);
}

/* Waits for a flag, which the other item sets if @how says so. */
WEIR_KERNEL(wait_for_flag, own_args)
{
    if (weir_global_id(item, 0) == 0) {
        PUT(&args->x[args->how], 1, RELAXED, DEVICE);
    } else {
        while (GET(&args->x[1], RELAXED, DEVICE) == 0) {}
    }
}

static struct weir_report *explore_own(struct weir_device *device,
                                       const struct weir_kernel *kernel, uint32_t how,
                                       size_t n, size_t local)
{
    own_args args = { weir_new(device, int32_t, 4, "x"),
                      weir_new(device, int32_t, 4, "out"), how };
    memset(args.x, 0, 4 * sizeof(*args.x));
    memset(args.out, 0, 4 * sizeof(*args.out));
    return LAUNCH(device, kernel, weir_nd_range_1d(n, local), &args,
                  (&(struct weir_launch_options){ .explore = "vulkan" }));
}

/* Kernels of @n items in groups of @local, and the states of their executions without a
 * race, joined by blanks; "+" is the state at the start. */
static const struct expected {
    const struct weir_kernel *kernel;
    uint32_t how, n, local;
    const char *states;
    int finding; /* its kind, or -1 */
} expected[] = {
    { &message, 0, 2, 1, "out[0]=42,x[0]=42,x[1]=1 x[0]=42,x[1]=1", -1 },
    { &message, 1, 2, 1, "x[0]=42,x[1]=1", WEIR_FINDING_DATA_RACE },
    { &message, 2, 2, 1, "x[0]=42,x[1]=1", WEIR_FINDING_DATA_RACE },
    { &message, 3, 2, 1, "", WEIR_FINDING_SCOPE_RACE },
    { &message, 3, 2, 2, "out[0]=42,x[0]=42,x[1]=1 x[0]=42,x[1]=1", -1 },
    { &volatile_message, 0, 2, 1, "out[0]=42,x[0]=42,x[1]=1 x[0]=42,x[1]=1", -1 },
    { &volatile_message, 1, 2, 1, "", WEIR_FINDING_DATA_RACE },
    { &later_store, 0, 2, 1, "out[0]=42,x[0]=42,x[1]=2 x[0]=42,x[1]=2", -1 },
    { &later_store, 1, 2, 1, "x[0]=42,x[1]=2", WEIR_FINDING_DATA_RACE },
    { &meet_global, WEIR_GLOBAL, 2, 2, "out[0]=2,out[1]=1,x[0]=1,x[1]=2", -1 },
    { &meet_global, WEIR_LOCAL, 2, 2, "", WEIR_FINDING_DATA_RACE },
    { &meet_global, 0, 2, 2, "", WEIR_FINDING_DATA_RACE },
    { &meet_local, WEIR_LOCAL, 2, 2, "out[0]=2,out[1]=1", -1 },
    { &meet_local, WEIR_GLOBAL, 2, 2, "", WEIR_FINDING_DATA_RACE },
    { &local_message, WEIR_LOCAL | WEIR_GLOBAL, 2, 2, "out[0]=42,x[0]=1 x[0]=1", -1 },
    { &local_message, WEIR_LOCAL, 2, 2, "x[0]=1", WEIR_FINDING_DATA_RACE },
    { &local_message, WEIR_GLOBAL, 2, 2, "x[0]=1", WEIR_FINDING_DATA_RACE },
    { &local_by_atomic, 0, 2, 2, "out[0]=42,x[0]=1 x[0]=1", -1 },
    { &local_by_atomic, 1, 2, 2, "x[0]=1", WEIR_FINDING_DATA_RACE },
    { &wide_barrier, 0, 4, 2, "out[0]=42,x[0]=42,x[1]=1 x[0]=42,x[1]=1", -1 },
    { &wide_barrier, 1, 4, 2, "x[0]=42,x[1]=1", WEIR_FINDING_DATA_RACE },
    { &count, 0, 3, 1, "x[0]=3", -1 },
    { &count, 1, 3, 1, "", WEIR_FINDING_SCOPE_RACE },
    { &chain, 0, 4, 2,
      "out[0]=42,x[0]=42,x[1]=1,x[2]=1 x[0]=42,x[1]=1,x[2]=1 x[0]=42,x[1]=1", -1 },
    { &chain, 1, 4, 2, "x[0]=42,x[1]=1", WEIR_FINDING_SCOPE_RACE },
    { &read_first, 0, 2, 1, "x[0]=42,x[1]=1 x[1]=1", -1 },
    { &read_first, 1, 2, 1, "x[1]=1", WEIR_FINDING_DATA_RACE },
    { &buffer_loads, 0, 2, 1,
      "out[0]=1,out[1]=1,x[0]=1,x[1]=1 out[0]=1,x[0]=1,x[1]=1 out[1]=1,x[0]=1,x[1]=1 "
      "x[0]=1,x[1]=1",
      -1 },
    { &buffer_loads, 1, 2, 1, "+", -1 },
    { &buffer_stores, 0, 2, 1,
      "out[0]=1,out[1]=1,x[0]=1,x[1]=1 out[0]=1,x[0]=1,x[1]=1 out[1]=1,x[0]=1,x[1]=1 "
      "x[0]=1,x[1]=1",
      -1 },
    { &wait_for_flag, 1, 2, 1, "x[1]=1", -1 },
    { &wait_for_flag, 0, 2, 1, "", WEIR_FINDING_LIVELOCK },
};

/* The words between blanks, sorted. Returns: (transfer full) */
static char *sorted(const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (size_t i = 0; words[i] != NULL; i++) {
        g_ptr_array_add(all, words[i]);
    }
    g_ptr_array_sort(all, by_text);
    g_ptr_array_add(all, NULL);
    return g_strjoinv(" ", (char **)all->pdata);
}

CASE("own");

DEVICE_TEST_EACH(states_and_races_of_kernels, G_N_ELEMENTS(expected))
{
    const struct expected *of = &expected[_i];
    struct weir_report *report
        = explore_own(device, of->kernel, of->how, of->n, of->local);
    const struct weir_exploration *result = weir_report_exploration(report);
    g_autoptr(GString) found = g_string_new(NULL);
    ck_assert_msg(result->refused == NULL && result->complete, "%s", of->kernel->name);
    for (size_t i = 0; i < result->n_states; i++) {
        const char *text = result->states[i].text;
        g_string_append_printf(found, "%s%s", i > 0 ? " " : "", *text ? text : "+");
    }
    g_autofree char *is = sorted(found->str), *expects = sorted(of->states);
    ck_assert_msg(strcmp(is, expects) == 0, "%s %u: '%s', not '%s'", of->kernel->name,
                  of->how, is, expects);
    bool finds = false;
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        finds |= (int)weir_report_finding(report, i)->kind == of->finding;
    }
    ck_assert_msg(finds == (of->finding >= 0)
                      && (finds || weir_report_n_findings(report) == 0),
                  "%s %u: %zu findings", of->kernel->name, of->how,
                  weir_report_n_findings(report));
    weir_report_free(report);
}

DEVICE_TEST(operations_that_vulkan_lacks_are_refused)
{
    static const char *const nouns[] = { "an atomic operation is", "a fence is" };
    for (uint32_t how = 1; how <= 2; how++) {
        struct weir_report *report = explore_own(device, &buffer_stores, how, 2, 1);
        const struct weir_exploration *result = weir_report_exploration(report);
        ck_assert_ptr_nonnull(result->refused);
        ck_assert_ptr_nonnull(strstr(result->refused, nouns[how - 1]));
        ck_assert_ptr_nonnull(strstr(result->refused, "which Vulkan does not have"));
        weir_report_free(report);
    }
}

/* ---- Tests ----------------------------------------------------------------------- */

enum { CHUNKS = 4, PROGRAMS_A_CHUNK = 5 };

CASE("random");

TEST_EACH(kernels_and_litmus_tests_have_the_same_states, CHUNKS)
{
    struct statistics statistics = { 0 };
    expect_chunk(_i, scaled(PROGRAMS_A_CHUNK, 3), &statistics);
}

int main(int argc, char **argv)
{
    struct statistics statistics = { 0 };
    return argc == 3 ? run_campaign(argv, &statistics) : run_tests("native-vulkan");
}
