/* SPDX-License-Identifier: MIT
 *
 * contend-run.c: runs the kernels that contend-draw.c prints, and judges what they
 * leave in memory, as contend.h explains. Compiled once, and linked with each file.
 *
 *   PROGRAM [--brief] [--stackful] [--explore] [--source FILE] [KERNEL]
 *
 * Each kernel is launched with its shapes, without stacks where it has such an entry
 * and with them; --stackful leaves out the former, --brief all shapes but the first.
 * An OpenCL platform makes the kernels of FILE. With --explore, launches of few items
 * are explored, too, and each result in fast mode must be one of the final states.
 *
 * The reference runs the items of a group one after the other up to their next barrier,
 * group by group, as contexts of their own. At a barrier, and at the end, the log of
 * each word must be an order of its operations: a path that starts at the word's value
 * and takes each noted step once. There is one if and only if no value is left more
 * often than it is found, but for the first, and all steps hang together (Euler). The
 * word's next value is the path's end.
 *
 * Exit status: 0; 1: a wrong value, or a finding; 2: a launch failed. */
#include "contend-machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

extern const struct contend_case contend_cases[];
extern const size_t contend_n_cases;

/* Fast launches of one that is explored. */
enum { RUNS_EXPLORED = 8 };

enum { STACK_BYTES = 64 << 10, MOST_STEPS = C_ITEMS * 512, LOCAL_BYTES = 64 << 10 };

/* ---- Steps of words --------------------------------------------------------- */

struct step {
    void *p;
    int64_t from, to;
    char type;
    bool is_store; /* @from is not known */
};

static struct step steps[MOST_STEPS];
static size_t n_steps;
static const char *wrong; /* why the log cannot be, or NULL */

void contend_wrong(const char *why)
{
    wrong = wrong != NULL ? wrong : why;
}

static void note(struct step step)
{
    if (n_steps == MOST_STEPS) {
        contend_wrong("more steps than the judge holds");
        return;
    }
    steps[n_steps++] = step;
}

void contend_edge(void *p, char type, int64_t from, int64_t to)
{
    note((struct step){ .p = p, .type = type, .from = from, .to = to });
}

void contend_store(void *p, char type, int64_t to)
{
    note((struct step){ .p = p, .type = type, .to = to, .is_store = true });
}

static int64_t value_of(const struct step *s)
{
    switch (s->type) {
    case 'i':
        return *(int32_t *)s->p;
    case 'u':
        return *(uint32_t *)s->p;
    case 'l':
        return *(int64_t *)s->p;
    default:
        return (int64_t) * (float *)s->p;
    }
}

static void set_value(const struct step *s, int64_t to)
{
    switch (s->type) {
    case 'i':
        *(int32_t *)s->p = (int32_t)to;
        break;
    case 'u':
        *(uint32_t *)s->p = (uint32_t)to;
        break;
    case 'l':
        *(int64_t *)s->p = to;
        break;
    default:
        *(float *)s->p = (float)to;
    }
}

struct node {
    int64_t value;
    long balance; /* steps from it, less steps to it */
    size_t above; /* a node that it hangs together with, or itself */
};

static struct node nodes[2 * MOST_STEPS + 1];
static size_t n_nodes;

static int by_value(const void *a, const void *b)
{
    const struct node *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

static struct node *find(int64_t value)
{
    struct node key = { .value = value };
    return bsearch(&key, nodes, n_nodes, sizeof(key), by_value);
}

static size_t top(size_t i)
{
    while (nodes[i].above != i) {
        i = nodes[i].above = nodes[nodes[i].above].above;
    }
    return i;
}

/* One store among loads: they saw the value before or the value after. */
static void settle_store(const struct step *s, size_t n, const struct step *store)
{
    int64_t first = value_of(s);
    for (size_t i = 0; i < n; i++) {
        if (!s[i].is_store
            && (s[i].from != s[i].to
                || (s[i].from != first && s[i].from != store->to))) {
            contend_wrong("a load of a value that was never stored");
        }
    }
    set_value(s, store->to);
}

/* @s: all steps of one word */
static void settle_word(const struct step *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i].is_store) {
            settle_store(s, n, &s[i]);
            return;
        }
    }
    int64_t first = value_of(s), last = first;
    n_nodes = 0;
    nodes[n_nodes++].value = first;
    for (size_t i = 0; i < n; i++) {
        nodes[n_nodes++].value = s[i].from;
        nodes[n_nodes++].value = s[i].to;
    }
    qsort(nodes, n_nodes, sizeof(*nodes), by_value);
    size_t kept = 0;
    for (size_t i = 0; i < n_nodes; i++) {
        if (kept == 0 || nodes[kept - 1].value != nodes[i].value) {
            nodes[kept].value = nodes[i].value;
            nodes[kept].balance = 0;
            nodes[kept].above = kept;
            kept++;
        }
    }
    n_nodes = kept;
    for (size_t i = 0; i < n; i++) {
        struct node *from = find(s[i].from), *to = find(s[i].to);
        from->balance++;
        to->balance--;
        nodes[top((size_t)(from - nodes))].above = top((size_t)(to - nodes));
    }
    size_t ends = 0;
    for (size_t i = 0; i < n_nodes; i++) {
        long surplus = nodes[i].balance;
        if (top(i) != top((size_t)(find(first) - nodes))) {
            contend_wrong("a value that no operation left there");
        }
        if (surplus == -1) {
            last = nodes[i].value;
            ends++;
        } else if (surplus != 0 && !(surplus == 1 && nodes[i].value == first)) {
            contend_wrong("two operations that found the same value");
        }
    }
    if (ends > 1) {
        contend_wrong("operations that are in no order");
    }
    set_value(s, last);
}

static int by_place(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    return x->p < y->p ? -1 : x->p > y->p;
}

/* @all: not only words that belong to one group */
static void settle(const struct contend_args *args, size_t groups, bool all)
{
    size_t kept = 0, n = 0;
    static struct step rest[MOST_STEPS];
    for (size_t i = 0; i < n_steps; i++) {
        const char *p = steps[i].p;
        size_t cells = groups * C_CELLS;
        bool is_shared = (p >= (char *)(args->ci + cells)
                          && p < (char *)(args->ci + cells + C_SHARED))
            || (p >= (char *)(args->cu + cells)
                && p < (char *)(args->cu + cells + C_SHARED))
            || (p >= (char *)(args->cl + cells)
                && p < (char *)(args->cl + cells + C_SHARED))
            || (p >= (char *)(args->cf + cells)
                && p < (char *)(args->cf + cells + C_SHARED));
        if (is_shared && !all) {
            rest[kept++] = steps[i];
        } else {
            steps[n++] = steps[i];
        }
    }
    qsort(steps, n, sizeof(*steps), by_place);
    for (size_t i = 0; i < n;) {
        size_t end = i;
        while (end < n && steps[end].p == steps[i].p) {
            end++;
        }
        settle_word(steps + i, end - i);
        i = end;
    }
    memcpy(steps, rest, kept * sizeof(*steps));
    n_steps = kept;
}

/* ---- The reference ---------------------------------------------------------- */

struct contend_item {
    ucontext_t context;
    uint32_t lid;
    size_t local; /* bytes of local arrays that it has asked for */
    bool ended;
};

static struct contend_item crew[C_ITEMS];
static char stacks[C_ITEMS][STACK_BYTES] __attribute__((aligned(16)));
static char local_memory[LOCAL_BYTES] __attribute__((aligned(64)));
static int64_t given[C_ITEMS]; /* by the items, to a collective */
static uint32_t n_crew, group_now, groups_now;
static ucontext_t scheduler;
static const struct contend_case *case_now;
static const struct contend_args *args_now;

uint32_t contend_lid(struct contend_item *item)
{
    return item->lid;
}
uint32_t contend_n(struct contend_item *item)
{
    return (void)item, n_crew;
}
uint32_t contend_group(struct contend_item *item)
{
    return (void)item, group_now;
}
uint32_t contend_groups(struct contend_item *item)
{
    return (void)item, groups_now;
}

void *contend_local(struct contend_item *item, size_t bytes)
{
    void *array = local_memory + item->local;
    item->local += (bytes + 63) & ~(size_t)63;
    if (item->local > LOCAL_BYTES) {
        fprintf(stderr, "contend-run: too much local memory\n");
        exit(2);
    }
    return array;
}

void contend_meet(struct contend_item *item)
{
    swapcontext(&item->context, &scheduler);
}

int64_t contend_broadcast(struct contend_item *item, int64_t v, uint32_t from)
{
    given[item->lid] = v;
    contend_meet(item);
    int64_t got = given[from];
    contend_meet(item);
    return got;
}

/* @op: the second letter of add, min or max */
int64_t contend_reduce(struct contend_item *item, char op, int64_t v)
{
    given[item->lid] = v;
    contend_meet(item);
    int64_t got = given[0];
    for (uint32_t i = 1; i < n_crew; i++) {
        int64_t x = given[i];
        got = op == 'd' ? (int64_t)((uint64_t)got + (uint64_t)x)
            : op == 'i' ? (x < got ? x : got)
                        : (x > got ? x : got);
    }
    contend_meet(item);
    return got;
}

int64_t contend_scan(struct contend_item *item, int64_t v)
{
    given[item->lid] = v;
    contend_meet(item);
    uint64_t got = 0;
    for (uint32_t i = 0; i < item->lid; i++) {
        got += (uint64_t)given[i];
    }
    contend_meet(item);
    return (int64_t)got;
}

static void run_item(int index)
{
    case_now->reference(&crew[index], args_now);
    crew[index].ended = true;
    swapcontext(&crew[index].context, &scheduler);
}

static void run_group(void)
{
    for (uint32_t i = 0; i < n_crew; i++) {
        crew[i] = (struct contend_item){ .lid = i };
        getcontext(&crew[i].context);
        crew[i].context.uc_stack.ss_sp = stacks[i];
        crew[i].context.uc_stack.ss_size = STACK_BYTES;
        makecontext(&crew[i].context, (void (*)(void))run_item, 1, (int)i);
    }
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (uint32_t i = 0; i < n_crew; i++) {
            if (!crew[i].ended) {
                swapcontext(&scheduler, &crew[i].context);
                goes_on |= !crew[i].ended;
            }
        }
        settle(args_now, groups_now, false);
    }
}

/* ---- Memory ----------------------------------------------------------------- */

static void parts_of(size_t groups, size_t items, struct contend_part *parts)
{
    const size_t cells = groups * C_CELLS + C_SHARED + items;
    const struct contend_part all[C_PARTS] = {
        [C_PART_OUT] = { "out", C_OUT * items, 8, NULL },
        [C_PART_LOG] = { "log", C_LOG * items, 8, NULL },
        [C_PART_BAG] = { "bag", C_BAG * items, 8, NULL },
        [C_PART_LIST] = { "list", C_LIST * items, 8, NULL },
        [C_PART_CI] = { "ci", cells, 4, NULL },
        [C_PART_CU] = { "cu", cells, 4, NULL },
        [C_PART_CL] = { "cl", cells, 8, NULL },
        [C_PART_CF] = { "cf", cells, 4, NULL },
    };
    for (size_t i = 0; i < C_PARTS; i++) {
        parts[i] = all[i];
        parts[i].memory = calloc(parts[i].n, parts[i].element);
    }
}

static void free_parts(struct contend_part *parts)
{
    for (size_t i = 0; i < C_PARTS; i++) {
        free(parts[i].memory);
    }
}

static int by_word(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Which items came first shows in the order of a row, and in nothing else. */
static void sort_rows(int64_t *words, size_t n, size_t row)
{
    for (size_t i = 0; i + row <= n; i += row) {
        qsort(words + i, row, sizeof(*words), by_word);
    }
}

/* Its last rows are about words of the range, the others about those of a group. */
static void sort_bag(int64_t *bag, size_t items, size_t local)
{
    sort_rows(bag, C_BAG_OF_RANGE * items, local);
    sort_rows(bag + C_BAG_OF_RANGE * items, (C_BAG - C_BAG_OF_RANGE) * items, items);
}

/* Returns: whether @got is what the reference makes of its log */
static bool is_right(const struct contend_case *c, const struct contend_shape *shape,
                     const uint32_t *in, struct contend_part *got, const char *how)
{
    size_t items = (size_t)shape->local * shape->groups;
    struct contend_part want[C_PARTS];
    parts_of(shape->groups, items, want);
    memcpy(want[C_PART_LOG].memory, got[C_PART_LOG].memory, got[C_PART_LOG].n * 8);
    struct contend_args args = contend_args_of(in, want);
    case_now = c;
    args_now = &args;
    n_crew = shape->local;
    groups_now = shape->groups;
    n_steps = 0;
    wrong = NULL;
    for (group_now = 0; group_now < groups_now; group_now++) {
        run_group();
    }
    settle(args_now, groups_now, true);
    bool right = wrong == NULL;
    if (!right) {
        printf("%s, %s: the log has %s\n", c->name, how, wrong);
    }
    sort_bag(got[C_PART_BAG].memory, items, shape->local);
    sort_bag(want[C_PART_BAG].memory, items, shape->local);
    size_t of_group = (size_t)C_LIST * shape->local;
    sort_rows(got[C_PART_LIST].memory, got[C_PART_LIST].n, of_group);
    sort_rows(want[C_PART_LIST].memory, got[C_PART_LIST].n, of_group);
    for (size_t i = 0; i < C_PARTS && right; i++) {
        const char *a = got[i].memory, *b = want[i].memory;
        size_t e = got[i].element, k = 0;
        while (k < got[i].n && memcmp(a + k * e, b + k * e, e) == 0) {
            k++;
        }
        if (k < got[i].n) {
            uint64_t x = 0, y = 0;
            memcpy(&x, a + k * e, e);
            memcpy(&y, b + k * e, e);
            printf("%s, %s: %s[%zu] is %#llx, not %#llx\n", c->name, how, got[i].name,
                   k, (unsigned long long)x, (unsigned long long)y);
            right = false;
        }
    }
    free_parts(want);
    return right;
}

static bool try(const struct contend_case *c, const struct contend_shape *shape,
                const uint32_t *in, bool stackful)
{
    struct contend_part parts[C_PARTS];
    parts_of(shape->groups, (size_t)shape->local * shape->groups, parts);
    char how[96];
    snprintf(how, sizeof(how), "%u groups of %u, %u workers, %s", shape->groups,
             shape->local, shape->workers,
             stackful || !contend_is_stackless(c) ? "with stacks" : "without stacks");
    bool right = contend_launch(c, shape, stackful, in, parts)
        && is_right(c, shape, in, parts, how);
    free_parts(parts);
    return right;
}

/* Counts in @explored the launches that could be explored. */
static bool try_explored(const struct contend_case *c, const uint32_t *in,
                         size_t *explored)
{
    static const struct contend_shape shapes[]
        = { { 2, 1, 1 }, { 3, 1, 1 }, { 1, 2, 2 }, { 2, 2, 2 } };
    bool right = true;
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
        const struct contend_shape *shape = &shapes[i];
        struct contend_part parts[C_PARTS];
        parts_of(shape->groups, (size_t)shape->local * shape->groups, parts);
        enum contend_answer answer
            = contend_explore(c, shape, in, parts, RUNS_EXPLORED);
        *explored += answer != CONTEND_NOT_EXPLORED;
        right = right && answer != CONTEND_WRONG;
        free_parts(parts);
    }
    return right;
}

int main(int argc, char **argv)
{
    bool brief = false, only_stackful = false, explores = false;
    const char *only = NULL, *source = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--brief") == 0) {
            brief = true;
        } else if (strcmp(argv[i], "--stackful") == 0) {
            only_stackful = true;
        } else if (strcmp(argv[i], "--explore") == 0) {
            explores = true;
        } else if (strcmp(argv[i], "--source") == 0 && i + 1 < argc) {
            source = argv[++i];
        } else {
            only = argv[i];
        }
    }
    contend_open(source);
    uint32_t in[C_IN];
    for (uint32_t i = 0; i < C_IN; i++) {
        in[i] = i * 0x9e3779b9u >> (i & 7);
    }
    size_t bad = 0, n = 0, stackless = 0, explored = 0;
    for (size_t i = 0; i < contend_n_cases; i++) {
        const struct contend_case *c = &contend_cases[i];
        if (only != NULL && strcmp(c->name, only) != 0) {
            continue;
        }
        n++;
        bool has = contend_is_stackless(c), right = true;
        stackless += has;
        for (uint32_t s = 0; s < (brief ? 1 : C_SHAPES); s++) {
            if (!only_stackful) {
                right = try(c, &c->shapes[s], in, false) && right;
            }
            if (only_stackful || (has && !brief)) {
                right = try(c, &c->shapes[s], in, true) && right;
            }
        }
        if (explores) {
            right = try_explored(c, in, &explored) && right;
        }
        bad += !right;
    }
    if (explores) {
        printf("%zu launches explored\n", explored);
    }
    printf("%zu kernels, %zu of them stackless, %zu wrong\n", n, stackless, bad);
    return bad > 0;
}
