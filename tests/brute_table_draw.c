/* SPDX-License-Identifier: MIT
 *
 * brute_table_draw.c: draws programs of PTX and Vulkan. Accesses at random rarely show
 * a difference between two definitions. So most programs are one of the known shapes,
 * with the outcome that tells models apart as their claim, and a program has habits:
 * how it orders accesses, at which scopes, where its threads are, which proxies or
 * storage classes it uses. A habit fits its program most of the time. */
#include "brute_table.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TOUCHES = 4, MOST_COST = 12000 };

/* Threads: W writes, R reads, U adds to, x, y or z. A value after W is written, one
 * after R or U is claimed to be read. After a colon, claims about final values. */
static const char *const shapes[] = {
    "Wx1 Wy1|Ry1 Rx0",            /* MP */
    "Wx1 Wy1|Ry1 Rx0",            /* again: it tells most */
    "Wx1 Ry0|Wy1 Rx0",            /* SB */
    "Rx1 Wy1|Ry1 Wx1",            /* LB */
    "Wx2 Wy1|Ry1 Wx1:x2",         /* S */
    "Wx1 Wy1|Wy2 Rx0:y2",         /* R */
    "Wx1 Wy2|Wy1 Wx2:x1y1",       /* 2+2W */
    "Wx1|Rx1 Rx0",                /* CoRR */
    "Wx1 Wx2|Rx2 Rx1",            /* CoWW and CoRR */
    "Rx1 Wx1",                    /* CoRW */
    "Rx1 Wx2|Wx1:x1",             /* CoRW */
    "Wx1 Rx2|Wx2:x1",             /* CoWR */
    "Wx1|Wx2|Rx1 Rx2:x1",         /* */
    "Wx1|Wx2|Rx1 Rx2|Rx2 Rx1",    /* IRIW of one location */
    "Wx1|Rx1 Wy1|Ry1 Rx0",        /* WRC */
    "Wx1 Wy1|Ry1 Wz1|Rz1 Rx0",    /* ISA2 */
    "Wx1|Wy1|Rx1 Ry0|Ry1 Rx0",    /* IRIW */
    "Wx1|Rx1 Ry0|Wy1 Rx0",        /* RWC */
    "Wx1 Wy1|Wy2 Wz1|Rz1 Rx0:y2", /* Z6.3 */
    "Wx1 Wy1|Uy1|Ry2 Rx0",        /* MP by an update */
    "Wx1 Wy1|Uy1|Uy2 Rx0",        /* */
    "Wx1 Wy1|Uy1 Rx0",            /* */
    "Wx1 Wy1 Wy2|Ry2 Rx0",        /* a later write */
    "Wx1 Wy1 Uy1|Ry2 Rx0",        /* a later update */
    "Wx1 Wy1|Ry1 Ry2 Rx0|Wy2",    /* a later read */
    "Ux0|Ux0:x1",                 /* lost updates */
    "Ux0 Rx1|Ux1",                /* */
    "Ux0|Ux0|Rx1 Rx0",            /* */
    "Rx1 Uy0|Ry1 Ux0",            /* LB of updates */
    "Ux0 Ry0|Uy0 Rx0",            /* SB of updates */
    "Wx1 Rx1 Ry0|Wy1 Ry1 Rx0",    /* SB with reads of its own */
    "Wx1 Wy1|Ry1 Rx0 Rx0",        /* */
    "Wx1 Wy1 Wy2|Ry2 Rx0",
    "Wx1 Wy1|Ry1 Ry2 Rx0|Wy2",
    "Wx1 Wy1|Wy2 Uy2|Ry3 Rx0", /* an update after another write */
    "Wx1 Wx2 Wy1|Ry1 Rx1",     /* the value before the last */
    "Wx1 Wx2 Wy1|Ry1 Rx1",
    "Wx1 Rx0|Wx2",
    "Wx1|Rx1 Wy1|Ry1 Rx0",
    "Wx1 Wy1|Ry1 Wz1|Rz1 Rx0",
    "Wx1 Wy1|Ry1 Wz1|Rz1 Wx2:x1",
    "Rx1 Wy1|Ry1 Wx1",
    "Rx1 Wy1|Ry1 Wz1|Rz1 Wx1", /* LB of three */
    "Rx1 Wx2|Ry1 Wx1|Wy1",     /* */
    "Wx1 Ry1|Ry0 Wy1 Rx0",     /* */
};

struct touch {
    char kind; /* W, R, U */
    unsigned location;
    int value;
};

enum style { ALL_ORDERED, WITH_FENCES, MESSAGES, ANY_STYLE, N_STYLES };

struct draft {
    uint64_t state;
    enum brute_table_model model;
    struct brute_table *table;
    struct touch touches[BRUTE_TABLE_THREADS][MOST_TOUCHES];
    unsigned n_touches[BRUTE_TABLE_THREADS];
    enum style style;
    enum brute_op_scope scope, fence_scope;
    enum brute_op_scope narrow[BRUTE_TABLE_NAMES];    /* by location, or no scope */
    unsigned fences, dependencies, barriers, proxies; /* in a hundred, per place */
    enum brute_op_order fence;
    bool async;
    /* Vulkan: */
    bool is_plain[BRUTE_TABLE_NAMES]; /* by location */
    unsigned plain;                   /* how plain accesses are made */
    uint8_t storage[BRUTE_TABLE_NAMES], semantics;
    bool domains;    /* semav and semvis */
    unsigned device; /* avdevice and visdevice, in a hundred */
};

static unsigned below(struct draft *d, unsigned n)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (unsigned)((z ^ (z >> 31)) >> 16) % n;
}

static bool percent(struct draft *d, unsigned n)
{
    return below(d, 100) < n;
}

/* ---- Shapes ---------------------------------------------------------------------- */

static void add_clause(struct draft *d, int thread, unsigned index, int value)
{
    struct brute_table *table = d->table;
    if (table->n_clauses < BRUTE_TABLE_CLAUSES) {
        table->clauses[table->n_clauses++]
            = (struct brute_table_clause){ thread, index, value };
    }
}

static void use_location(struct draft *d, unsigned location)
{
    d->table->n_locations = MAX(d->table->n_locations, location + 1);
}

static void read_shape(struct draft *d, const char *shape)
{
    unsigned t = 0;
    const char *at = shape;
    for (; *at != '\0' && *at != ':'; at++) {
        if (*at == '|') {
            t++;
        } else if (*at != ' ') {
            struct touch *touch = &d->touches[t][d->n_touches[t]++];
            *touch = (struct touch){ at[0], (unsigned)(at[1] - 'x'), at[2] - '0' };
            use_location(d, touch->location);
            at += 2;
        }
    }
    d->table->n_threads = t + 1;
    for (at += *at == ':'; *at != '\0'; at += 2) {
        add_clause(d, -1, (unsigned)(at[0] - 'x'), at[1] - '0');
    }
}

static void draw_wild(struct draft *d)
{
    unsigned n_locations = 1 + below(d, 2);
    d->table->n_threads = 2 + below(d, 2);
    for (unsigned t = 0; t < d->table->n_threads; t++) {
        d->n_touches[t] = 1 + below(d, 3);
        for (unsigned i = 0; i < d->n_touches[t]; i++) {
            struct touch *touch = &d->touches[t][i];
            *touch = (struct touch){ "WWRRRU"[below(d, 6)], below(d, n_locations),
                                     (int)(1 + below(d, 2)) };
            use_location(d, touch->location);
        }
    }
}

static void draw_shape(struct draft *d)
{
    if (percent(d, 12)) {
        draw_wild(d);
    } else {
        read_shape(d, shapes[below(d, G_N_ELEMENTS(shapes))]);
    }
    for (unsigned t = 0; t < d->table->n_threads; t++) {
        for (unsigned i = 0; i < d->n_touches[t]; i++) {
            if (percent(d, 8)) {
                d->touches[t][i].kind = 'U';
            }
        }
    }
}

/* ---- Places and names ------------------------------------------------------------ */

/* Where a thread is: all together, or apart at one level, or in pairs at one level, or
 * anywhere. */
enum { TOGETHER, APART_1, APART_2, APART_3, PAIRS_1, PAIRS_2, ANYWHERE, N_LAYOUTS };

static void place_thread(struct draft *d, unsigned t, unsigned layout)
{
    struct brute_table *table = d->table;
    unsigned *place = table->threads[t].place;
    for (unsigned level = 0; level < 3; level++) {
        bool apart
            = layout >= APART_1 && layout <= APART_3 && level == layout - APART_1;
        place[level] = layout == ANYWHERE ? below(d, 2) : apart ? t : 0;
    }
    if (layout == PAIRS_1 || layout == PAIRS_2) {
        unsigned level = layout == PAIRS_1 ? 0 : 1;
        place[level] = t;
        place[level + 1] = t / 2;
    }
    if (table->is_ptx && !table->has_clusters) {
        place[0] = layout == APART_2 ? t : layout == PAIRS_1 ? t / 2 : place[0];
        place[1] = place[0];
    }
}

/* The narrowest scope in which all threads of a set are. */
static enum brute_op_scope scope_of(const struct draft *d, unsigned threads)
{
    const struct brute_table *table = d->table;
    unsigned scope = BRUTE_CTA;
    for (unsigned s = 0; s < table->n_threads; s++) {
        for (unsigned t = 0; t < table->n_threads; t++) {
            if ((threads >> s & threads >> t & 1) == 0) {
                continue;
            }
            for (unsigned level = 0; level < 3; level++) {
                bool apart
                    = table->threads[s].place[level] != table->threads[t].place[level];
                scope = apart ? MAX(scope, level + 2) : scope;
            }
        }
    }
    return (enum brute_op_scope)scope;
}

/* Scopes are wide enough for all, or for those that share a location. */
static void draw_scopes(struct draft *d)
{
    bool shared = percent(d, 45);
    for (unsigned l = 0; l < d->table->n_locations; l++) {
        unsigned threads = 0;
        for (unsigned t = 0; t < d->table->n_threads; t++) {
            for (unsigned i = 0; i < d->n_touches[t]; i++) {
                threads |= d->touches[t][i].location == l ? 1U << t : 0;
            }
        }
        d->narrow[l] = shared ? scope_of(d, threads) : BRUTE_NO_SCOPE;
    }
    d->scope = scope_of(d, ~0U);
    d->scope = percent(d, 20) ? BRUTE_SYS : d->scope;
    d->scope = percent(d, 20) ? (enum brute_op_scope)(1 + below(d, 4)) : d->scope;
    d->fence_scope = d->scope;
    if (percent(d, 20)) {
        d->fence_scope = (enum brute_op_scope)(1 + below(d, 4));
    }
}

static void draw_places(struct draft *d)
{
    unsigned layout = below(d, N_LAYOUTS);
    d->table->has_clusters = d->model == BRUTE_PTX && percent(d, 50);
    for (unsigned t = 0; t < d->table->n_threads; t++) {
        place_thread(d, t, layout);
    }
    draw_scopes(d);
}

static void add_name(struct draft *d, unsigned location, const char *suffix,
                     enum brute_proxy proxy)
{
    struct brute_table *table = d->table;
    struct brute_name *name = &table->names[table->n_names];
    snprintf(name->text, sizeof(name->text), "%c%s", (char)('x' + location), suffix);
    name->location = (uint8_t)location;
    bool fresh = proxy == BRUTE_GENERIC;
    name->address = (uint8_t)(fresh ? table->n_names : location);
    name->proxy = proxy;
    table->n_names++;
}

static void draw_names(struct draft *d)
{
    static const char *const suffixes[] = { "a", "s", "t", "c" };
    for (unsigned l = 0; l < d->table->n_locations; l++) {
        add_name(d, l, "", BRUTE_GENERIC);
    }
    bool has = d->model != BRUTE_PTX_6_0 && percent(d, d->table->is_ptx ? 50 : 20);
    unsigned n = has ? 1 + below(d, 3) : 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned proxy = d->table->is_ptx ? below(d, 4) : 0;
        unsigned location = below(d, percent(d, 75) ? 1 : d->table->n_locations);
        bool known = false;
        for (unsigned k = d->table->n_locations; k < d->table->n_names; k++) {
            const struct brute_name *name = &d->table->names[k];
            known = known || (name->location == location && name->proxy == proxy);
        }
        if (!known) {
            add_name(d, location, suffixes[proxy], (enum brute_proxy)proxy);
        }
    }
    d->async = d->model == BRUTE_PTX && percent(d, 15);
    d->proxies = d->table->n_names > d->table->n_locations || d->async ? 50 : 2;
    d->proxies = d->model == BRUTE_PTX_6_0 || !d->table->is_ptx ? 0 : d->proxies;
}

/* ---- Habits ---------------------------------------------------------------------- */

static void draw_habits(struct draft *d)
{
    static const enum brute_op_order fences[]
        = { BRUTE_SC, BRUTE_ACQ_REL, BRUTE_ACQ_REL, BRUTE_ACQUIRE, BRUTE_RELEASE };
    d->style = (enum style)below(d, N_STYLES);
    d->fences = d->style == WITH_FENCES ? 85 : d->style == ANY_STYLE ? 35 : 10;
    d->fence = fences[below(d, d->model == BRUTE_PTX && percent(d, 30) ? 5 : 3)];
    d->dependencies = percent(d, 40) ? 60 : 3;
    d->barriers = percent(d, 22);
    unsigned classes = below(d, 3);
    for (unsigned l = 0; l < d->table->n_locations; l++) {
        d->is_plain[l] = d->style == MESSAGES ? l == 0 : percent(d, 30);
        d->storage[l] = (uint8_t)(classes == 0       ? 0
                                      : classes == 1 ? l % 2
                                                     : below(d, 3));
        d->semantics |= (uint8_t)(1U << d->storage[l]);
    }
    d->plain = below(d, 4);
    d->domains = percent(d, 65);
    d->device = !d->table->is_ptx && percent(d, 12) ? 70 : 0;
}

/* A scope that the program can state; now and then, another one than @scope. */
static enum brute_op_scope fitting(struct draft *d, enum brute_op_scope scope)
{
    scope = percent(d, 12) ? (enum brute_op_scope)(1 + below(d, 4)) : scope;
    bool no_cluster = d->table->is_ptx && !d->table->has_clusters;
    return scope == BRUTE_CLUSTER && no_cluster ? BRUTE_GPU : scope;
}

/* The scope of an access to the location. */
static enum brute_op_scope draw_scope(struct draft *d, unsigned location)
{
    enum brute_op_scope narrow = d->narrow[location];
    return fitting(d, narrow != BRUTE_NO_SCOPE ? narrow : d->scope);
}

/* The scope of a fence next to an access to the location. */
static enum brute_op_scope draw_fence_scope(struct draft *d, unsigned location)
{
    enum brute_op_scope narrow = d->narrow[location];
    bool use = narrow != BRUTE_NO_SCOPE && percent(d, 80);
    return fitting(d, use ? narrow : d->fence_scope);
}

/* ---- Instructions ---------------------------------------------------------------- */

static struct brute_op *add_op(struct draft *d, unsigned t, enum brute_op_kind kind)
{
    struct brute_column *column = &d->table->threads[t];
    g_assert(column->n_ops < BRUTE_TABLE_OPS);
    struct brute_op *op = &column->ops[column->n_ops++];
    *op = (struct brute_op){ .kind = kind };
    return op;
}

static bool has_room(const struct draft *d, unsigned t)
{
    return d->table->threads[t].n_ops + 5 < BRUTE_TABLE_OPS
        && d->table->threads[t].n_registers + 3 < BRUTE_TABLE_REGISTERS;
}

static uint8_t fresh_register(struct draft *d, unsigned t)
{
    return (uint8_t)d->table->threads[t].n_registers++;
}

/* A set of classes: all that the program has, most of the time. */
static uint8_t draw_semantics(struct draft *d)
{
    uint8_t set = percent(d, 75) ? d->semantics : (uint8_t)(1 + below(d, 7));
    return set;
}

/* What goes with an order of Vulkan. */
static void add_semantics(struct draft *d, struct brute_op *op)
{
    if (op->order < BRUTE_ACQUIRE) {
        return;
    }
    bool releases = op->order != BRUTE_ACQUIRE, acquires = op->order != BRUTE_RELEASE;
    op->semantics = draw_semantics(d);
    op->semav = releases && d->domains == percent(d, 88);
    op->semvis = acquires && d->domains == percent(d, 88);
}

/* @location: what the next access touches */
static void add_fence(struct draft *d, unsigned t, unsigned location)
{
    struct brute_op *op = add_op(d, t, BRUTE_OP_FENCE);
    op->scope = draw_fence_scope(d, location);
    op->order = percent(d, 85) ? d->fence : BRUTE_ACQ_REL;
    if (!d->table->is_ptx) {
        static const enum brute_op_order orders[]
            = { BRUTE_ACQ_REL, BRUTE_ACQ_REL, BRUTE_ACQUIRE, BRUTE_RELEASE };
        op->order = orders[below(d, 4)];
        add_semantics(d, op);
    }
}

static void add_proxy_fence(struct draft *d, unsigned t)
{
    const struct brute_table *table = d->table;
    unsigned n = table->n_names - table->n_locations;
    enum brute_proxy proxy = (enum brute_proxy)(1 + below(d, 3));
    if (n > 0 && percent(d, 90)) {
        proxy = table->names[table->n_locations + below(d, n)].proxy;
        proxy = proxy == BRUTE_GENERIC || percent(d, 10) ? BRUTE_ALIAS : proxy;
    }
    proxy = d->async && (n == 0 || percent(d, 50)) ? BRUTE_ASYNC : proxy;
    add_op(d, t, BRUTE_OP_PROXY_FENCE)->proxy = percent(d, 3) ? BRUTE_GENERIC : proxy;
}

/* The fences that an access by that name may need: of its proxy next to it, and of
 * virtual addresses. */
static void add_needed_fences(struct draft *d, unsigned t, unsigned name, bool before)
{
    const struct brute_table *table = d->table;
    enum brute_proxy proxy = table->names[name].proxy;
    bool alias = false;
    for (unsigned i = table->n_locations; i < table->n_names; i++) {
        alias = alias || table->names[i].proxy == BRUTE_GENERIC;
    }
    alias = alias && percent(d, 45);
    bool own = proxy != BRUTE_GENERIC && percent(d, 65);
    for (unsigned i = 0; i < 2 && has_room(d, t); i++) {
        if (before == (i == 0) ? alias : own) {
            add_op(d, t, BRUTE_OP_PROXY_FENCE)->proxy
                = before == (i == 0) ? BRUTE_ALIAS : proxy;
        }
    }
}

/* The last register that an access has set, or -1. */
static int last_read(const struct draft *d, unsigned t)
{
    for (int i = (int)d->table->threads[t].n_registers - 1; i >= 0; i--) {
        if (d->table->threads[t].observed[i]) {
            return i;
        }
    }
    return -1;
}

/* The value to be written: a constant, a register, or a constant that is computed of
 * one. */
static struct brute_operand draw_value(struct draft *d, unsigned t, int value)
{
    int reg = last_read(d, t);
    struct brute_operand constant = { false, value };
    if (reg < 0 || !percent(d, d->dependencies) || !has_room(d, t)) {
        return constant;
    }
    struct brute_operand of = { true, reg };
    if (percent(d, 50)) {
        return of;
    }
    struct brute_op *zero = add_op(d, t, BRUTE_OP_COMPUTE);
    zero->function = percent(d, 50) ? BRUTE_XOR : BRUTE_AND;
    zero->a = of;
    zero->b = zero->function == BRUTE_XOR ? of : (struct brute_operand){ false, 0 };
    zero->dest = fresh_register(d, t);
    struct brute_op *sum = add_op(d, t, BRUTE_OP_COMPUTE);
    sum->function = BRUTE_ADD;
    sum->a = (struct brute_operand){ true, zero->dest };
    sum->b = constant;
    sum->dest = fresh_register(d, t);
    return (struct brute_operand){ true, sum->dest };
}

/* The order of an access of PTX, or of an atomic of Vulkan. */
static enum brute_op_order draw_order(struct draft *d, char kind, bool first, bool last)
{
    static const enum brute_op_order reads[]
        = { BRUTE_WEAK, BRUTE_RELAXED, BRUTE_ACQUIRE };
    static const enum brute_op_order writes[]
        = { BRUTE_WEAK, BRUTE_RELAXED, BRUTE_RELEASE };
    static const enum brute_op_order updates[]
        = { BRUTE_RELAXED, BRUTE_ACQ_REL, BRUTE_ACQUIRE, BRUTE_RELEASE };
    if (kind == 'U') {
        bool plain = d->style == WITH_FENCES && !percent(d, 20);
        return updates[plain ? 0 : below(d, 4)];
    }
    const enum brute_op_order *may = kind == 'R' ? reads : writes;
    switch (percent(d, 10) ? ANY_STYLE : d->style) {
    case ALL_ORDERED:
        return may[percent(d, 80) ? 2 : 1];
    case WITH_FENCES:
        return may[percent(d, 65) ? 1 : 0];
    case MESSAGES:
        return may[(kind == 'R' ? last : first) ? below(d, 2) : percent(d, 65) ? 2 : 1];
    default:
        return may[below(d, 3)];
    }
}

static uint8_t draw_name(struct draft *d, const struct touch *touch)
{
    uint8_t found = (uint8_t)touch->location;
    for (unsigned i = d->table->n_locations; i < d->table->n_names; i++) {
        const struct brute_name *name = &d->table->names[i];
        bool fits = touch->kind == 'R' || name->proxy <= BRUTE_SURFACE;
        if (fits && name->location == touch->location && percent(d, 55)) {
            found = (uint8_t)i;
        }
    }
    return found;
}

static void draw_update(struct draft *d, unsigned t, struct brute_op *op, int claimed)
{
    op->function = percent(d, 60) ? BRUTE_ADD : BRUTE_EXCHANGE;
    op->a = (struct brute_operand){ false, 1 };
    if (d->table->is_ptx && percent(d, 20)) {
        op->function = BRUTE_CAS;
        op->a.value = claimed > 2 ? 0 : claimed;
        op->b = (struct brute_operand){ false, op->a.value + 1 };
    }
    op->no_result = d->table->is_ptx && op->function == BRUTE_ADD && percent(d, 30);
    if (!op->no_result) {
        op->dest = fresh_register(d, t);
    }
}

/* A plain access of Vulkan. */
static void make_plain(struct draft *d, struct brute_op *op, unsigned location)
{
    unsigned how = percent(d, 25) ? below(d, 4) : d->plain;
    op->order = BRUTE_WEAK;
    op->nonprivate = how == 1;
    op->av = how > 1 && op->kind == BRUTE_OP_STORE;
    op->vis = how > 1 && op->kind == BRUTE_OP_LOAD;
    op->scope = how > 1 ? draw_scope(d, location) : BRUTE_NO_SCOPE;
}

static void add_access(struct draft *d, unsigned t, unsigned i, uint8_t name)
{
    const struct touch *touch = &d->touches[t][i];
    struct brute_operand value = { false, touch->value };
    if (touch->kind == 'W') {
        value = draw_value(d, t, touch->value);
    }
    struct brute_op *op = add_op(d, t,
                                 touch->kind == 'W'       ? BRUTE_OP_STORE
                                     : touch->kind == 'R' ? BRUTE_OP_LOAD
                                                          : BRUTE_OP_UPDATE);
    op->name = name;
    op->order = draw_order(d, touch->kind, i == 0, i + 1 == d->n_touches[t]);
    op->a = value;
    if (op->kind == BRUTE_OP_UPDATE) {
        draw_update(d, t, op, touch->value);
    } else if (op->kind == BRUTE_OP_LOAD) {
        op->dest = fresh_register(d, t);
        op->a.value = 0;
    }
    if (op->kind != BRUTE_OP_STORE && !op->no_result) {
        d->table->threads[t].observed[op->dest] = true;
        add_clause(d, (int)t, op->dest, touch->value);
    }
    op->scope
        = op->order == BRUTE_WEAK ? BRUTE_NO_SCOPE : draw_scope(d, touch->location);
    if (d->table->is_ptx) {
        bool async = d->async && op->order == BRUTE_WEAK
            && d->table->names[op->name].proxy == BRUTE_GENERIC && percent(d, 50);
        op->proxy = async ? BRUTE_ASYNC : BRUTE_GENERIC;
        return;
    }
    op->storage = percent(d, 95) ? d->storage[touch->location] : (uint8_t)below(d, 3);
    if (op->kind != BRUTE_OP_UPDATE && d->is_plain[touch->location] == percent(d, 90)) {
        make_plain(d, op, touch->location);
        bool covered = i + 1 < d->n_touches[t] && touch->kind == 'W'
            && touch[1].kind == 'W' && touch[1].location == touch->location;
        if (covered && percent(d, 60)) { /* by the next write */
            op->nonprivate = op->av = false;
            op->scope = BRUTE_NO_SCOPE;
        }
    } else {
        op->order = MAX(op->order, BRUTE_RELAXED);
        op->scope = draw_scope(d, touch->location);
        add_semantics(d, op);
    }
}

static void add_touch(struct draft *d, unsigned t, unsigned i)
{
    const struct touch *touch = &d->touches[t][i];
    uint8_t name = draw_name(d, touch);
    if (d->table->is_ptx && touch->kind != 'W') {
        add_needed_fences(d, t, name, true);
    }
    if (has_room(d, t)) {
        add_access(d, t, i, name);
    }
    if (d->table->is_ptx && touch->kind != 'R') {
        add_needed_fences(d, t, name, false);
    }
}

/* ---- Barriers and branches ------------------------------------------------------- */

static void add_barrier(struct draft *d, unsigned t, unsigned instance,
                        const struct brute_op *like)
{
    struct brute_op *op = add_op(d, t, BRUTE_OP_BARRIER);
    op->instance = (uint8_t)instance;
    op->has_id = like->has_id;
    op->quorum = like->quorum;
    op->id.value = percent(d, 12) ? 2 : 1;
    op->arrives = d->table->is_ptx && percent(d, 20);
    if (!d->table->is_ptx) {
        static const enum brute_op_order orders[]
            = { BRUTE_ACQ_REL, BRUTE_ACQ_REL, BRUTE_WEAK, BRUTE_ACQUIRE,
                BRUTE_RELEASE };
        op->order = orders[below(d, 5)];
        op->scope = percent(d, 85) ? d->scope : (enum brute_op_scope)(1 + below(d, 4));
        add_semantics(d, op);
    }
}

/* What comes before an access. */
static void add_link(struct draft *d, unsigned t, unsigned i)
{
    if (i > 0 && has_room(d, t) && percent(d, d->fences)) {
        add_fence(d, t, d->touches[t][i].location);
    }
    if (has_room(d, t) && percent(d, i > 0 ? d->proxies : d->proxies / 4)) {
        add_proxy_fence(d, t);
        if (has_room(d, t) && percent(d, 20)) {
            add_proxy_fence(d, t);
        }
    }
    if (has_room(d, t) && percent(d, d->device / 3)) {
        add_op(d, t, percent(d, 50) ? BRUTE_OP_AVDEVICE : BRUTE_OP_VISDEVICE);
    }
}

/* A branch over what follows, or NULL. */
static struct brute_op *add_branch(struct draft *d, unsigned t)
{
    int reg = last_read(d, t);
    if (reg < 0 || !has_room(d, t) || !percent(d, d->dependencies / 2)) {
        return NULL;
    }
    struct brute_op *op = add_op(d, t, BRUTE_OP_BRANCH);
    op->function = percent(d, 50) ? BRUTE_NE : BRUTE_EQ;
    op->a = (struct brute_operand){ true, reg };
    op->b = (struct brute_operand){ false, (int)below(d, 2) };
    return op;
}

static void add_thread(struct draft *d, unsigned t, unsigned n_barriers,
                       const struct brute_op *like)
{
    struct brute_column *column = &d->table->threads[t];
    unsigned at[2];
    for (unsigned b = 0; b < n_barriers; b++) { /* in one order, or they never meet */
        unsigned least = b > 0 ? at[b - 1] : 0;
        at[b] = least + below(d, d->n_touches[t] + 1 - least);
    }
    for (unsigned b = 0; b < n_barriers; b++) {
        at[b] = percent(d, 92) ? at[b] : ~0U;
    }
    if (percent(d, d->device)) {
        add_op(d, t, BRUTE_OP_VISDEVICE);
    }
    for (unsigned i = 0; i <= d->n_touches[t]; i++) {
        bool last = i == d->n_touches[t];
        struct brute_op *branch = last ? NULL : add_branch(d, t);
        for (unsigned b = 0; b < n_barriers; b++) {
            if (at[b] == i && has_room(d, t)) {
                add_barrier(d, t, b, &like[b]);
            }
        }
        if (!last && has_room(d, t)) {
            add_link(d, t, i);
            if (has_room(d, t)) {
                add_touch(d, t, i);
            }
        }
        if (branch != NULL) {
            branch->target = (uint8_t)column->n_ops;
        }
    }
    if (has_room(d, t) && percent(d, d->device)) {
        add_op(d, t, BRUTE_OP_AVDEVICE);
    }
}

/* ---- Programs -------------------------------------------------------------------- */

/* About how many executions brute force has to judge. */
static uint64_t cost_of(const struct brute_table *table)
{
    static const unsigned orders[] = { 1, 1, 3, 19, 219 };
    static const unsigned permutations[] = { 1, 1, 2, 6, 24 };
    unsigned writes[BRUTE_TABLE_NAMES] = { 0 }, n_sc = 0;
    for (unsigned t = 0; t < table->n_threads; t++) {
        for (unsigned i = 0; i < table->threads[t].n_ops; i++) {
            const struct brute_op *op = &table->threads[t].ops[i];
            bool writes_ = op->kind == BRUTE_OP_STORE || op->kind == BRUTE_OP_UPDATE;
            writes[table->names[op->name].location] += writes_;
            n_sc += op->kind == BRUTE_OP_FENCE && op->order == BRUTE_SC;
        }
    }
    uint64_t cost = brute_table_size(table, MOST_COST);
    for (unsigned l = 0; l < table->n_locations; l++) {
        if (writes[l] >= G_N_ELEMENTS(orders)) {
            return MOST_COST + 1;
        }
        cost *= (table->is_ptx ? orders : permutations)[writes[l]];
    }
    return n_sc > 4 ? MOST_COST + 1 : cost << (n_sc * (n_sc - (n_sc > 0)) / 2);
}

static void draw_once(struct draft *d)
{
    struct brute_table *table = d->table;
    draw_shape(d);
    draw_places(d);
    draw_names(d);
    draw_habits(d);
    unsigned n_barriers = d->barriers ? 1 + percent(d, 25) : 0;
    struct brute_op like[2] = { { .kind = BRUTE_OP_BARRIER } };
    for (unsigned b = 0; b < n_barriers; b++) {
        like[b].has_id = percent(d, 25);
        like[b].quorum = like[b].has_id && percent(d, 50) ? 2 : 0;
    }
    for (unsigned t = 0; t < table->n_threads; t++) {
        add_thread(d, t, n_barriers, like);
    }
    while (!table->is_ptx && table->n_thens < 2 && percent(d, d->device > 0 ? 60 : 8)) {
        table->first[table->n_thens] = below(d, table->n_threads);
        table->then[table->n_thens] = below(d, table->n_threads);
        bool fits = table->first[table->n_thens] < table->then[table->n_thens];
        table->n_thens += fits;
    }
}

void brute_table_draw(uint64_t seed, enum brute_table_model model,
                      struct brute_table *table)
{
    uint64_t state = seed * BRUTE_N_TABLE_MODELS + (uint64_t)model;
    do {
        struct draft d = { .state = state, .model = model, .table = table };
        memset(table, 0, sizeof(*table));
        table->is_ptx = brute_is_ptx(model);
        snprintf(table->title, sizeof(table->title), "drawn-%" G_GUINT64_FORMAT, seed);
        draw_once(&d);
        below(&d, 2);
        state = d.state;
    } while (cost_of(table) > MOST_COST);
}
