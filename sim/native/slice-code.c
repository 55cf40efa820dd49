/* SPDX-License-Identifier: MIT
 *
 * slice-code.c: an item's code as statements of a litmus test, from the item's tree of
 * histories. To each point of the code a set of histories leads. While all of them go
 * on with the same operation, and the value that it writes is a constant, a value that
 * was read, or a sum of such values, the code is a straight line. Where they differ,
 * the code has an `if`, by the latest value that tells them apart. A loop that waits is
 * a loop; other loops are unrolled.
 *
 * The item's steps after a value that it has never read are not known. Under the model
 * of the exploration it reads none; under others the register `unseen` marks such a
 * read. */
#include "config.h"

#include "native/slice-code.h"

#include "exec/atomic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A longer test is of no use to people, and its exploration takes too long. */
enum { MOST_STATEMENTS = 1000, MOST_HISTORIES = 1 << 16 };
/* Registers that may be added up. */
enum { MOST_ADDED = 10 };
enum { INDENT = 2 };

/* A history that leads to the point that is written. */
struct member {
    uint32_t node;
    int64_t *values; /* by register: in the slice's memory */
};

void weiri_slice_refuse(struct weiri_slice *s, const char *why)
{
    if (s->why == NULL) {
        s->why = g_strdup(why);
    }
}

/* ---- Sets of histories ----------------------------------------------------- */

static struct member *member_at(const GArray *members, guint i)
{
    return &g_array_index((GArray *)members, struct member, i);
}

static const struct weiri_step *step_of(const struct weiri_slice *s,
                                        const GArray *members, guint i)
{
    return &weiri_history_node(s->native, member_at(members, i)->node)->step;
}

/* The parts of an operation besides its address, its order and its scope. */
enum operand { WRITTEN, EXPECTED };

static int64_t operand_of(const struct weiri_slice *s, uint32_t node,
                          enum operand which)
{
    const struct weiri_step *step = &weiri_history_node(s->native, node)->step;
    const struct weiri_atomic_op *op = &weiri_history_request(s->native, node)->atomic;
    int64_t value = step->kind == WEIRI_STEP_WRITE ? step->value
        : which == WRITTEN                         ? (int64_t)op->operand
                                                   : (int64_t)op->expected;
    return weiri_slice_value(s, step->location, value);
}

/* The sum of the values of some registers, a bit each, in a history. */
static int64_t sum_of(const struct member *member, uint32_t registers)
{
    uint64_t sum = 0;
    for (uint32_t left = registers; left != 0; left &= left - 1) {
        sum += (uint64_t)member->values[__builtin_ctz(left)];
    }
    return (int64_t)sum;
}

/* Whether in all histories the operand is that sum, and the same number more. */
static bool is_sum(const struct weiri_slice *s, const GArray *members,
                   enum operand which, uint32_t registers, int64_t *more)
{
    uint32_t bytes = weiri_slice_cell(s, step_of(s, members, 0)->location)->bytes;
    bool fits = true;
    for (guint i = 0; i < members->len && fits; i++) {
        const struct member *member = member_at(members, i);
        int64_t value = operand_of(s, member->node, which);
        int64_t difference
            = (int64_t)((uint64_t)value - (uint64_t)sum_of(member, registers));
        *more = i == 0 ? difference : *more;
        fits = difference == *more && difference == (int32_t)difference
            && (bytes > sizeof(uint32_t) || value == (int32_t)value);
    }
    return fits;
}

/* Registers whose sum it is, a bit each: one register; or one and a number; or else
 * several; the latest ones. 0: none */
static uint32_t registers_of(const struct weiri_slice *s, const GArray *members,
                             enum operand which, int64_t *more)
{
    uint32_t bytes = weiri_slice_cell(s, step_of(s, members, 0)->location)->bytes,
             alike = 0;
    for (uint32_t r = 0; r < MIN(s->types->len, MOST_ADDED); r++) {
        alike |= (uint32_t)(g_array_index(s->types, uint32_t, r) == bytes) << r;
    }
    for (int pass = 0; pass < 4;
         pass++) { /* single ones, and without a number, first */
        for (uint32_t registers = alike; registers != 0;
             registers = (registers - 1) & alike) {
            bool single = (registers & (registers - 1)) == 0;
            if (single == (pass < 2) && is_sum(s, members, which, registers, more)
                && (*more == 0 || pass % 2 == 1)) {
                return registers;
            }
        }
    }
    return 0;
}

/* An expression that has the operand's value in all histories. Returns: (transfer
 * full): or NULL */
static char *expression_of(const struct weiri_slice *s, const GArray *members,
                           enum operand which)
{
    int64_t value = operand_of(s, member_at(members, 0)->node, which), more = 0;
    bool constant = true;
    for (guint i = 1; i < members->len; i++) {
        constant &= operand_of(s, member_at(members, i)->node, which) == value;
    }
    if (constant) {
        return g_strdup_printf("%" PRId64, value);
    }
    GString *text = g_string_new(NULL);
    for (uint32_t left = registers_of(s, members, which, &more); left != 0;
         left &= left - 1) {
        g_string_append_printf(text, "%sr%u", text->len > 0 ? " + " : "",
                               (uint32_t)__builtin_ctz(left));
    }
    if (text->len > 0 && more != 0) {
        g_string_append_printf(text, " %c %" PRId64, more < 0 ? '-' : '+', ABS(more));
    }
    return g_string_free(text, text->len == 0);
}

static bool same_operation(const struct weiri_slice *s, uint32_t a, uint32_t b)
{
    const struct weiri_step *one = &weiri_history_node(s->native, a)->step,
                            *other = &weiri_history_node(s->native, b)->step;
    const struct weiri_request *of_one = weiri_history_request(s->native, a),
                               *of_other = weiri_history_request(s->native, b);
    if (one->kind != other->kind) {
        return false;
    }
    switch (one->kind) {
    case WEIRI_STEP_END:
    case WEIRI_STEP_FAULT:
        return true;
    case WEIRI_STEP_SPIN:
        return one->place == other->place;
    case WEIRI_STEP_ENTER:
        return one->label == other->label && one->spaces == other->spaces
            && one->scope == other->scope;
    case WEIRI_STEP_FENCE:
        return one->order == other->order && one->spaces == other->spaces
            && one->scope == other->scope;
    default:
        return one->location == other->location && one->atomic == other->atomic
            && one->order == other->order && one->failure == other->failure
            && one->scope == other->scope && one->weak == other->weak
            && of_one->kind == of_other->kind
            && of_one->atomic.kind == of_other->atomic.kind;
    }
}

static bool has_operand(const struct weiri_slice *s, uint32_t node, enum operand which)
{
    const struct weiri_step *step = &weiri_history_node(s->native, node)->step;
    bool compares = weiri_history_request(s->native, node)->atomic.kind
        == WEIRI_ATOMIC_COMPARE_EXCHANGE;
    return step->kind == WEIRI_STEP_UPDATE
        ? which == WRITTEN || compares
        : step->kind == WEIRI_STEP_WRITE && which == WRITTEN;
}

/* Whether all go on with what one statement says. */
static bool is_straight(const struct weiri_slice *s, const GArray *members)
{
    uint32_t first = member_at(members, 0)->node;
    for (guint i = 1; i < members->len; i++) {
        if (!same_operation(s, first, member_at(members, i)->node)) {
            return false;
        }
    }
    for (enum operand which = WRITTEN; which <= EXPECTED; which++) {
        if (has_operand(s, first, which)) {
            g_autofree char *text = expression_of(s, members, which);
            if (text == NULL) {
                return false;
            }
        }
    }
    return true;
}

/* ---- Statements ------------------------------------------------------------ */

static void G_GNUC_PRINTF(2, 3) say(struct weiri_slice *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_string_append_printf(s->out, "%*s", (int)(INDENT * (s->depth + 1)), "");
    g_string_append_vprintf(s->out, format, arguments);
    g_string_append_c(s->out, '\n');
    va_end(arguments);
    if (++s->n_statements > MOST_STATEMENTS) {
        weiri_slice_refuse(
            s, "the test would have more than 1000 lines: make the launch smaller");
    }
}

static const char *order_name(unsigned order)
{
    static const char *const names[]
        = { "memory_order_relaxed", "memory_order_acquire", "memory_order_acquire",
            "memory_order_release", "memory_order_acq_rel", "memory_order_seq_cst" };
    return names[order];
}

static const char *scope_name(unsigned scope)
{
    return scope == memory_scope_work_item ? "memory_scope_work_item"
        : scope <= memory_scope_work_group ? "memory_scope_work_group"
        : scope == memory_scope_device     ? "memory_scope_device"
                                           : "memory_scope_all_svm_devices";
}

static const char *spaces_name(unsigned spaces)
{
    return spaces == (WEIR_LOCAL | WEIR_GLOBAL)
        ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
        : spaces == WEIR_LOCAL  ? "CLK_LOCAL_MEM_FENCE"
        : spaces == WEIR_GLOBAL ? "CLK_GLOBAL_MEM_FENCE"
                                : "0";
}

static const char *update_name(enum weiri_atomic kind)
{
    static const char *const names[] = {
        [WEIRI_ATOMIC_EXCHANGE] = "exchange",   [WEIRI_ATOMIC_FETCH_ADD] = "fetch_add",
        [WEIRI_ATOMIC_FETCH_SUB] = "fetch_sub", [WEIRI_ATOMIC_FETCH_AND] = "fetch_and",
        [WEIRI_ATOMIC_FETCH_OR] = "fetch_or",   [WEIRI_ATOMIC_FETCH_XOR] = "fetch_xor",
        [WEIRI_ATOMIC_FETCH_MIN] = "fetch_min", [WEIRI_ATOMIC_FETCH_MAX] = "fetch_max"
    };
    return names[kind];
}

static void say_compare(struct weiri_slice *s, const GArray *members, uint32_t reg)
{
    const struct weiri_step *step = step_of(s, members, 0);
    g_autofree char *value = expression_of(s, members, WRITTEN);
    g_autofree char *expected = expression_of(s, members, EXPECTED);
    say(s, "%s r%u = %s;", weiri_slice_type(s, step->location), reg, expected);
    say(s, "int r%u = atomic_compare_exchange_%s_explicit(%s, &r%u, %s, %s, %s, %s);",
        reg + 1, step->weak ? "weak" : "strong", s->places[step->location].name, reg,
        value, order_name(step->order), order_name(step->failure),
        scope_name(step->scope));
}

static void say_operation(struct weiri_slice *s, const GArray *members, uint32_t reg)
{
    uint32_t node = member_at(members, 0)->node;
    const struct weiri_step *step = &weiri_history_node(s->native, node)->step;
    const struct weiri_atomic_op *op = &weiri_history_request(s->native, node)->atomic;
    if (step->kind == WEIRI_STEP_FENCE) {
        say(s, "atomic_work_item_fence(%s, %s, %s);", spaces_name(step->spaces),
            order_name(step->order), scope_name(step->scope));
        return;
    }
    if (step->kind == WEIRI_STEP_ENTER) {
        say(s, "B%u: barrier(%s);", step->label, spaces_name(step->spaces));
        return;
    }
    const char *name = s->places[step->location].name;
    const char *order = order_name(step->order), *scope = scope_name(step->scope);
    s->used[step->location] = true;
    if (step->kind == WEIRI_STEP_READ) {
        g_autofree char *load = step->atomic
            ? g_strdup_printf("atomic_load_explicit(%s, %s, %s)", name, order, scope)
            : g_strdup_printf("*%s", name);
        say(s, "%s r%u = %s;", weiri_slice_type(s, step->location), reg, load);
    } else if (step->kind == WEIRI_STEP_UPDATE
               && op->kind == WEIRI_ATOMIC_COMPARE_EXCHANGE) {
        say_compare(s, members, reg);
    } else {
        g_autofree char *value = expression_of(s, members, WRITTEN);
        if (step->kind == WEIRI_STEP_UPDATE) {
            say(s, "%s r%u = atomic_%s_explicit(%s, %s, %s, %s);",
                weiri_slice_type(s, step->location), reg, update_name(op->kind), name,
                value, order, scope);
        } else if (step->atomic) {
            say(s, "atomic_store_explicit(%s, %s, %s, %s);", name, value, order, scope);
        } else {
            say(s, "*%s = %s;", name, value);
        }
    }
}

/* ---- Code ------------------------------------------------------------------ */

static void write_code(struct weiri_slice *s, GArray *members);

/* A copy of the values in a history, and of those that its latest read has added. */
static int64_t *with_values(struct weiri_slice *s, const int64_t *values, uint32_t n,
                            const int64_t *added, uint32_t n_added)
{
    int64_t *all = g_new(int64_t, n + n_added + 1);
    for (uint32_t r = 0; r < n + n_added; r++) {
        all[r] = r < n ? values[r] : added[r - n];
    }
    g_ptr_array_add(s->memory, all);
    return all;
}

/* The histories after the operation. */
static GArray *after(struct weiri_slice *s, const GArray *members, uint32_t n_added)
{
    GArray *next = g_array_new(FALSE, FALSE, sizeof(struct member));
    uint32_t n = s->types->len;
    for (guint i = 0; i < members->len; i++) {
        const struct member *member = member_at(members, i);
        const struct weiri_step *step
            = &weiri_history_node(s->native, member->node)->step;
        for (uint32_t c = weiri_history_node(s->native, member->node)->child;
             c != WEIRI_NO_HISTORY; c = weiri_history_node(s->native, c)->sibling) {
            const struct weiri_native_node *child = weiri_history_node(s->native, c);
            int64_t added[2] = { 0, 0 };
            if (n_added > 0) {
                added[0] = weiri_slice_value(s, step->location, child->answer);
                added[1]
                    = step->kind == WEIRI_STEP_UPDATE && weiri_slice_wrote(s, child);
            }
            struct member one
                = { c, with_values(s, member->values, n, added, n_added) };
            g_array_append_val(next, one);
        }
    }
    if (next->len > MOST_HISTORIES) {
        weiri_slice_refuse(
            s, "its items have too many histories: make the launch smaller");
    }
    return next;
}

static bool has_answer(const GArray *members, uint32_t reg, int64_t value)
{
    bool has = false;
    for (guint i = 0; i < members->len; i++) {
        has |= member_at(members, i)->values[reg] == value;
    }
    return has;
}

/* Whether the register may have values, under other models, that no history has. */
static bool is_open(const struct weiri_slice *s, const GArray *members, uint32_t reg,
                    uint32_t location)
{
    const struct weiri_slice_place *place = &s->places[location];
    for (guint i = 0; i < place->values->len; i++) {
        if (!has_answer(members, reg,
                        weiri_slice_value(s, location,
                                          g_array_index(place->values, int64_t, i)))) {
            return true;
        }
    }
    return false;
}

static int by_value(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* "r0 == 1 || r0 == 2": the values of the register. */
static char *condition_of(const GArray *members, uint32_t reg)
{
    g_autofree int64_t *values = g_new(int64_t, members->len + 1);
    for (guint i = 0; i < members->len; i++) {
        values[i] = member_at(members, i)->values[reg];
    }
    qsort(values, members->len, sizeof(*values), by_value);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < members->len; i++) {
        if (i == 0 || values[i] != values[i - 1]) {
            g_string_append_printf(text, "%sr%u == %" PRId64, i > 0 ? " || " : "", reg,
                                   values[i]);
        }
    }
    return g_string_free(text, FALSE);
}

static void write_straight(struct weiri_slice *s, GArray *members)
{
    const struct weiri_step step = *step_of(s, members, 0);
    const struct weiri_atomic_op *op
        = &weiri_history_request(s->native, member_at(members, 0)->node)->atomic;
    bool reads = step.kind == WEIRI_STEP_READ || step.kind == WEIRI_STEP_UPDATE;
    bool compares
        = step.kind == WEIRI_STEP_UPDATE && op->kind == WEIRI_ATOMIC_COMPARE_EXCHANGE;
    uint32_t n_added = reads ? 1 + compares : 0, reg = s->types->len;
    say_operation(s, members, reg);
    g_autoptr(GArray) next = after(s, members, n_added);
    g_autofree char *unseen = NULL;
    if (reads) {
        uint32_t bytes[] = { weiri_slice_cell(s, step.location)->bytes, 0 };
        const uint32_t origins[] = { step.location, UINT32_MAX };
        g_array_append_vals(s->types, bytes, n_added);
        g_array_append_vals(s->origins, origins, n_added);
        if (is_open(s, next, reg, step.location)) {
            g_autofree char *seen = condition_of(next, reg);
            unseen = g_strdup_printf("!(%s)", seen);
        }
        g_ptr_array_add(s->unseen, unseen);
        if (compares) {
            g_ptr_array_add(s->unseen, NULL);
        }
    }
    if (next->len > 0 && s->why == NULL) {
        write_code(s, next);
    }
    g_ptr_array_set_size(s->unseen, (int)reg);
    g_array_set_size(s->types, reg);
    g_array_set_size(s->origins, reg);
}

/* An `if` for each part of the histories that goes on in its own way, by the latest
 * value that tells them apart. */
static void write_branch(struct weiri_slice *s, GArray *members)
{
    uint32_t reg = s->types->len;
    bool differs = false;
    while (!differs && reg > 0) {
        reg--;
        for (guint i = 1; i < members->len; i++) {
            differs |= member_at(members, i)->values[reg]
                != member_at(members, 0)->values[reg];
        }
    }
    if (!differs) {
        weiri_slice_refuse(s, "an item goes on in several ways after the same values");
        return;
    }
    g_autoptr(GPtrArray) parts
        = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint i = 0; i < members->len; i++) {
        const struct member *member = member_at(members, i);
        GArray *part = NULL;
        for (guint p = 0; p < parts->len && part == NULL; p++) {
            GArray *one = g_ptr_array_index(parts, p);
            part = has_answer(one, reg, member->values[reg]) ? one : NULL;
        }
        if (part == NULL) {
            part = g_array_new(FALSE, FALSE, sizeof(struct member));
            g_ptr_array_add(parts, part);
        }
        g_array_append_val(part, *member);
    }
    for (guint p = 0; p < parts->len; p++) { /* values that make no difference */
        GArray *part = g_ptr_array_index(parts, p);
        for (guint q = parts->len - 1; q > p && parts->len > 2; q--) {
            GArray *other = g_ptr_array_index(parts, q);
            guint n = part->len;
            g_array_append_vals(part, other->data, other->len);
            if (is_straight(s, part)) {
                g_ptr_array_remove_index(parts, q);
            } else {
                g_array_set_size(part, n);
            }
        }
    }
    const uint32_t location = g_array_index(s->origins, uint32_t, reg);
    bool open = location != UINT32_MAX && is_open(s, members, reg, location);
    char *unseen = g_ptr_array_index(s->unseen, reg);
    g_ptr_array_index(s->unseen, reg) = NULL; /* the conditions say it */
    for (guint p = 0; p < parts->len && s->why == NULL; p++) {
        GArray *part = g_ptr_array_index(parts, p);
        g_autofree char *condition = condition_of(part, reg);
        gsize before = s->out->len;
        if (p + 1 == parts->len && !open) {
            say(s, "} else {");
        } else {
            say(s, "%sif (%s) {", p > 0 ? "} else " : "", condition);
        }
        gsize begin = s->out->len;
        s->depth++;
        write_code(s, part);
        s->depth--;
        if (s->out->len == begin && p + 1 == parts->len && !open) {
            g_string_truncate(s->out, before); /* nothing is to be done */
        }
    }
    if (open) {
        s->has_unseen = true;
        say(s, "} else {");
        s->depth++;
        say(s, "unseen = 1;");
        s->depth--;
    }
    say(s, "}");
    g_ptr_array_index(s->unseen, reg) = unseen;
}

/* The loop whose head is that node. */
static const struct weiri_slice_loop *loop_of(const struct weiri_slice *s,
                                              uint32_t head)
{
    for (guint i = s->loops->len; i-- > 0;) {
        const struct weiri_slice_loop *loop
            = &g_array_index(s->loops, struct weiri_slice_loop, i);
        for (guint h = 0; h < loop->heads->len; h++) {
            if (g_array_index(loop->heads, uint32_t, h) == head) {
                return loop;
            }
        }
    }
    return NULL;
}

/* Adds the node to the heads of a loop that is to be opened, if it is one. */
static void add_head(const struct weiri_slice *s, uint32_t node, GArray *heads)
{
    if (s->heads[node] && loop_of(s, node) == NULL) {
        g_array_append_val(heads, node);
    }
}

/* Leaves out accesses that do not matter, each of which has one result. @heads: set to
 * heads of loops where the histories are then, or before */
static void skip(struct weiri_slice *s, GArray *members, GArray *heads)
{
    for (guint i = 0; i < members->len; i++) {
        struct member *member = member_at(members, i);
        const struct weiri_native_node *node
            = weiri_history_node(s->native, member->node);
        while (weiri_slice_is_access(&node->step)
               && !s->places[node->step.location].kept
               && node->child != WEIRI_NO_HISTORY) {
            add_head(s, member->node, heads);
            member->node = node->child;
            node = weiri_history_node(s->native, member->node);
            if (node->sibling != WEIRI_NO_HISTORY) {
                weiri_slice_refuse(s, "memory of one item has several values");
            }
        }
        add_head(s, member->node, heads);
    }
}

static void write_end(struct weiri_slice *s, const GArray *members)
{
    const struct weiri_step *step = step_of(s, members, 0);
    if (step->kind == WEIRI_STEP_SPIN) {
        const struct weiri_slice_loop *loop = loop_of(s, step->place);
        if (loop == NULL) {
            weiri_slice_refuse(s, "a loop that litmus tests do not have");
        } else {
            say(s, "again%u = 1;", loop->number);
        }
        return;
    }
    if (step->kind == WEIRI_STEP_FAULT) {
        s->fails = true;
        say(s, "failed = 1;");
    }
    g_autoptr(GString) unseen = g_string_new(NULL);
    for (guint r = 0; r < s->unseen->len; r++) {
        const char *one = g_ptr_array_index(s->unseen, r);
        if (one != NULL) {
            g_string_append_printf(unseen, "%s%s", unseen->len > 0 ? " || " : "", one);
        }
    }
    if (unseen->len > 0) {
        s->has_unseen = true;
        say(s, "unseen = %s;", unseen->str);
    }
}

/* The code that follows in all these histories. */
static void write_code(struct weiri_slice *s, GArray *members)
{
    struct weiri_slice_loop loop
        = { g_array_new(FALSE, FALSE, sizeof(uint32_t)), s->n_loops };
    skip(s, members, loop.heads);
    bool opens = loop.heads->len > 0;
    if (opens) {
        s->n_loops++;
        g_array_append_val(s->loops, loop);
        say(s, "do {");
        s->depth++;
        say(s, "again%u = 0;", loop.number);
    }
    if (s->why != NULL) {
        ;
    } else if (!is_straight(s, members)) {
        write_branch(s, members);
    } else {
        switch (step_of(s, members, 0)->kind) {
        case WEIRI_STEP_END:
        case WEIRI_STEP_SPIN:
        case WEIRI_STEP_FAULT:
            write_end(s, members);
            break;
        default:
            write_straight(s, members);
            break;
        }
    }
    if (opens) {
        s->depth--;
        say(s, "} while (again%u);", loop.number);
        g_array_set_size(s->loops, s->loops->len - 1);
    }
    g_array_unref(loop.heads);
}

void weiri_slice_code(struct weiri_slice *s, uint32_t thread)
{
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(struct member));
    const struct member root
        = { s->native->roots[thread], with_values(s, NULL, 0, NULL, 0) };
    g_array_append_val(members, root);
    memset(s->used, 0, s->native->program.n_locations * sizeof(*s->used));
    g_string_truncate(s->out, 0);
    s->n_loops = 0;
    s->has_unseen = s->fails = false;
    write_code(s, members);
}
