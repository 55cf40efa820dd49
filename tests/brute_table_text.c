/* SPDX-License-Identifier: MIT
 *
 * brute_table_text.c: prints a program of PTX or Vulkan as the text of a litmus test,
 * which shows all observed registers and all locations. */
#include "brute_table.h"

#include <inttypes.h>
#include <string.h>

static const char *const ptx_scopes[] = { "", "cta", "cluster", "gpu", "sys" };
static const char *const vulkan_scopes[] = { "", "sg", "wg", "qf", "dv" };
static const char *const ptx_orders[]
    = { "weak", "relaxed", "acquire", "release", "acq_rel", "sc" };
static const char *const vulkan_orders[] = { "", "", ".acq", ".rel", ".acq_rel", "" };
static const char *const proxies[]
    = { "generic", "surface", "texture", "constant", "async", "alias" };
static const char *const functions[]
    = { "add", "sub", "xor", "and", "or",  "",    "exch",
        "cas", "beq", "bne", "blt", "bgt", "ble", "bge" };

static void print_operand(GString *text, struct brute_operand operand)
{
    g_string_append_printf(text, operand.is_register ? "r%" PRId64 : "%" PRId64,
                           operand.value);
}

static void print_operands(const struct brute_table *table, const struct brute_op *op,
                           GString *text)
{
    const char *name = table->names[op->name].text;
    const char *before = " ";
    if (op->kind != BRUTE_OP_STORE && op->kind != BRUTE_OP_BRANCH && !op->no_result) {
        g_string_append_printf(text, " r%u", op->dest);
        before = ", ";
    }
    if (op->kind <= BRUTE_OP_UPDATE) {
        g_string_append_printf(text, "%s%s", before, name);
        before = ", ";
    }
    if (op->kind != BRUTE_OP_LOAD) {
        g_string_append(text, before);
        print_operand(text, op->a);
    }
    bool two = op->kind == BRUTE_OP_BRANCH || op->function == BRUTE_CAS
        || (op->kind == BRUTE_OP_COMPUTE && op->function != BRUTE_MOVE);
    if (two && op->kind != BRUTE_OP_LOAD && op->kind != BRUTE_OP_STORE) {
        g_string_append(text, ", ");
        print_operand(text, op->b);
    }
}

static void print_meeting(const struct brute_op *op, GString *text)
{
    g_string_append_printf(text, " %u", op->instance);
    if (op->has_id) {
        g_string_append(text, ", ");
        print_operand(text, op->id);
    }
    if (op->quorum > 0) {
        g_string_append_printf(text, ", %u", op->quorum);
    }
}

static void print_ptx(const struct brute_table *table, const struct brute_op *op,
                      GString *text)
{
    static const char *const reads[] = { "ld", "suld", "tld", "cold", "ld.async" };
    static const char *const writes[] = { "st", "sust", "", "", "st.async" };
    enum brute_proxy proxy = table->names[op->name].proxy;
    proxy = op->proxy != BRUTE_GENERIC ? op->proxy : proxy;
    switch (op->kind) {
    case BRUTE_OP_LOAD:
    case BRUTE_OP_STORE:
        g_string_append_printf(text, "%s.%s",
                               (op->kind == BRUTE_OP_LOAD ? reads : writes)[proxy],
                               ptx_orders[op->order]);
        break;
    case BRUTE_OP_UPDATE:
        g_string_append_printf(text, "%s%s.%s", proxy == BRUTE_SURFACE ? "su" : "",
                               op->no_result ? "red" : "atom", ptx_orders[op->order]);
        break;
    case BRUTE_OP_FENCE:
        g_string_append_printf(text, "fence.%s.%s", ptx_orders[op->order],
                               ptx_scopes[op->scope]);
        return;
    case BRUTE_OP_PROXY_FENCE:
        g_string_append_printf(text, "fence.proxy.%s", proxies[op->proxy]);
        return;
    default:
        g_string_append_printf(text, "bar.cta.%s", op->arrives ? "arrive" : "sync");
        print_meeting(op, text);
        return;
    }
    if (op->order != BRUTE_WEAK) {
        g_string_append_printf(text, ".%s", ptx_scopes[op->scope]);
    }
    if (op->kind == BRUTE_OP_UPDATE) {
        g_string_append_printf(text, ".%s", functions[op->function]);
    }
    print_operands(table, op, text);
}

/* What follows the mnemonic of an atomic, a fence or a barrier. */
static void print_semantics(const struct brute_op *op, GString *text)
{
    g_string_append_printf(text, "%s.%s", vulkan_orders[op->order],
                           vulkan_scopes[op->scope]);
    if (op->kind <= BRUTE_OP_UPDATE) {
        g_string_append_printf(text, ".sc%u", op->storage);
    }
    for (unsigned s = 0; s < 4; s++) {
        if ((op->semantics >> s & 1) != 0) {
            g_string_append_printf(text, ".semsc%u", s);
        }
    }
    g_string_append_printf(text, "%s%s", op->semav ? ".semav" : "",
                           op->semvis ? ".semvis" : "");
}

static void print_plain(const struct brute_op *op, GString *text)
{
    if (op->av || op->vis) {
        g_string_append_printf(text, ".%s.%s", op->av ? "av" : "vis",
                               vulkan_scopes[op->scope]);
    } else if (op->nonprivate) {
        g_string_append(text, ".nonpriv");
    }
    g_string_append_printf(text, ".sc%u", op->storage);
}

static void print_vulkan(const struct brute_table *table, const struct brute_op *op,
                         GString *text)
{
    switch (op->kind) {
    case BRUTE_OP_LOAD:
    case BRUTE_OP_STORE:
        g_string_append(text, op->kind == BRUTE_OP_LOAD ? "ld" : "st");
        if (op->order == BRUTE_WEAK) {
            print_plain(op, text);
        } else {
            g_string_append(text, ".atom");
            print_semantics(op, text);
        }
        break;
    case BRUTE_OP_UPDATE:
        g_string_append(text, "rmw.atom");
        print_semantics(op, text);
        if (op->function != BRUTE_EXCHANGE) {
            g_string_append_printf(text, ".%s", functions[op->function]);
        }
        break;
    case BRUTE_OP_FENCE:
        g_string_append(text, "membar");
        print_semantics(op, text);
        return;
    case BRUTE_OP_BARRIER:
        g_string_append(text, "cbar");
        print_semantics(op, text);
        print_meeting(op, text);
        return;
    default:
        g_string_append(text, op->kind == BRUTE_OP_AVDEVICE ? "avdevice" : "visdevice");
        return;
    }
    print_operands(table, op, text);
}

static char *print_op(const struct brute_table *table, const struct brute_op *op)
{
    GString *text = g_string_new(NULL);
    if (op->kind == BRUTE_OP_BRANCH) {
        g_string_append(text, functions[op->function]);
        print_operands(table, op, text);
        g_string_append_printf(text, ", LC%02u", op->target);
    } else if (op->kind == BRUTE_OP_COMPUTE) {
        g_string_append(text,
                        op->function == BRUTE_MOVE ? "ld" : functions[op->function]);
        print_operands(table, op, text);
    } else {
        (table->is_ptx ? print_ptx : print_vulkan)(table, op, text);
    }
    return g_string_free(text, FALSE);
}

static char *print_head(const struct brute_table *table, unsigned t)
{
    const unsigned *place = table->threads[t].place;
    if (!table->is_ptx) {
        return g_strdup_printf("P%u@sg %u,wg %u,qf %u", t, place[0], place[1],
                               place[2]);
    }
    return table->has_clusters
        ? g_strdup_printf("P%u@cta %u,cluster %u,gpu %u", t, place[0], place[1],
                          place[2])
        : g_strdup_printf("P%u@cta %u,gpu %u", t, place[0], place[2]);
}

static bool is_target(const struct brute_column *column, unsigned at)
{
    for (unsigned i = 0; i < column->n_ops; i++) {
        if (column->ops[i].kind == BRUTE_OP_BRANCH && column->ops[i].target == at) {
            return true;
        }
    }
    return false;
}

/* The cells of a thread. Returns: (transfer full) */
static GPtrArray *print_column(const struct brute_table *table, unsigned t)
{
    const struct brute_column *column = &table->threads[t];
    GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(cells, print_head(table, t));
    for (unsigned i = 0; i <= column->n_ops; i++) {
        if (is_target(column, i)) {
            g_ptr_array_add(cells, g_strdup_printf("LC%02u:", i));
        }
        if (i < column->n_ops) {
            g_ptr_array_add(cells, print_op(table, &column->ops[i]));
        }
    }
    return cells;
}

static void print_rows(const struct brute_table *table, GString *text)
{
    GPtrArray *columns[BRUTE_TABLE_THREADS];
    int widths[BRUTE_TABLE_THREADS] = { 0 };
    guint n_rows = 0;
    for (unsigned t = 0; t < table->n_threads; t++) {
        columns[t] = print_column(table, t);
        n_rows = MAX(n_rows, columns[t]->len);
        for (guint i = 0; i < columns[t]->len; i++) {
            widths[t] = MAX(widths[t], (int)strlen(columns[t]->pdata[i]));
        }
    }
    for (guint row = 0; row < n_rows; row++) {
        for (unsigned t = 0; t < table->n_threads; t++) {
            const char *cell
                = row < columns[t]->len ? (const char *)columns[t]->pdata[row] : "";
            g_string_append_printf(text, " %-*s %s", widths[t], cell,
                                   t + 1 < table->n_threads ? "|" : ";\n");
        }
    }
    for (unsigned t = 0; t < table->n_threads; t++) {
        g_ptr_array_unref(columns[t]);
    }
}

static void print_declarations(const struct brute_table *table, GString *text)
{
    g_string_append(text, "{\n");
    for (unsigned i = 0; i < table->n_names; i++) {
        const struct brute_name *name = &table->names[i];
        if (i < table->n_locations) {
            g_string_append_printf(text, "%s=%" PRId64 ";\n", name->text,
                                   table->initial[i]);
            continue;
        }
        g_string_append(text, name->text);
        if (table->is_ptx) {
            g_string_append_printf(text, " @ %s", proxies[name->proxy]);
        }
        g_string_append_printf(text, " aliases %s;\n",
                               table->names[name->location].text);
    }
    for (unsigned t = 0; t < table->n_threads; t++) {
        for (unsigned i = 0; i < BRUTE_TABLE_REGISTERS; i++) {
            if (table->threads[t].observed[i]) {
                g_string_append_printf(text, "P%u:r%u=%" PRId64 ";\n", t, i,
                                       table->threads[t].initial[i]);
            }
        }
    }
    g_string_append(text, "}\n");
    for (unsigned i = 0; i < table->n_thens; i++) {
        g_string_append_printf(text, "%sssw %u %u;%s", i == 0 ? "{ " : " ",
                               table->first[i], table->then[i],
                               i + 1 == table->n_thens ? " }\n" : "");
    }
}

static void print_claim(const struct brute_table *table, GString *text)
{
    g_string_append(text, "locations [");
    for (unsigned t = 0; t < table->n_threads; t++) {
        for (unsigned i = 0; i < BRUTE_TABLE_REGISTERS; i++) {
            if (table->threads[t].observed[i]) {
                g_string_append_printf(text, "%u:r%u; ", t, i);
            }
        }
    }
    for (unsigned l = 0; l < table->n_locations; l++) {
        g_string_append_printf(text, "%s;%s", table->names[l].text,
                               l + 1 < table->n_locations ? " " : "]\n");
    }
    g_string_append(text, "exists (");
    for (unsigned i = 0; i < table->n_clauses; i++) {
        const struct brute_table_clause *clause = &table->clauses[i];
        g_string_append(text, i > 0 ? " /\\ " : "");
        if (clause->thread < 0) {
            g_string_append(text, table->names[clause->index].text);
        } else {
            g_string_append_printf(text, "%d:r%u", clause->thread, clause->index);
        }
        g_string_append_printf(text, " == %" PRId64, clause->value);
    }
    g_string_append(text, table->n_clauses == 0 ? "0 == 0)\n" : ")\n");
}

char *brute_table_print(const struct brute_table *table)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%s %s\n", table->is_ptx ? "PTX" : "VULKAN",
                           table->title);
    print_declarations(table, text);
    print_rows(table, text);
    print_claim(table, text);
    return g_string_free(text, FALSE);
}
