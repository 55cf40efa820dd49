/* SPDX-License-Identifier: MIT
 *
 * private.c: private variables in checked code whose bytes may be read before they are
 * written. The machine is told where each of these begins to live, and their accesses
 * stay in memory, with hooks:
 *
 *     %5 = alloca [4 x float]
 *     …
 *     call void @llvm.lifetime.start(i64 16, ptr %5)
 *     call void @weiri_cl_private(item, site, %5, i64 4, i64 4, members)
 *
 * A variable of which an address is taken may be written and read anywhere, so that it
 * is one of them. For another one, which is loaded and stored as a whole, the paths
 * through its function are searched for a load that no store comes before. Most have
 * none and become registers. */
#include "config.h"

#include "opencl-cc/clc.h"

#include <string.h>

struct variable {
    struct llvm_value *place; /* the alloca */
    size_t bytes;
    guint index;                /* among the function's */
    struct llvm_metadata *node; /* NULL: it is not of the source */
    bool addressed;
    bool parameter;
    bool told_to_begin; /* the front end says where */
    bool read_early;    /* there may be a load before any store */
};

/* The steps of a block with a variable that has no address. */
enum action { BEGINS, IS_STORED, IS_LOADED };

struct step {
    enum action action;
    struct variable *variable;
};

struct block {
    struct llvm_block *ref;
    GArray *steps;   /* of struct step */
    bool *unwritten; /* by variable: it may be, where the block begins */
};

/* A function while it is searched. */
struct search {
    struct weiri_clc *clc;
    GPtrArray *variables; /* of struct variable */
    GHashTable *by_place; /* struct llvm_value: struct variable */
    GHashTable *blocks;   /* struct llvm_block: struct block */
    struct block *block;  /* of the instruction at hand */
    GPtrArray *begins;    /* of struct llvm_value: that say where variables begin */
};

static void free_block(void *data)
{
    struct block *block = data;
    g_array_unref(block->steps);
    g_free(block->unwritten);
    g_free(block);
}

/* ---- What an instruction does with variables ------------------------------ */

static void add_step(struct search *search, enum action action,
                     struct variable *variable)
{
    struct step step = { action, variable };
    g_array_append_val(search->block->steps, step);
}

static struct variable *variable_at(const struct search *search,
                                    struct llvm_value *value)
{
    return g_hash_table_lookup(search->by_place, weiri_clc_uncast(value));
}

static void note_variable(struct search *search, struct llvm_value *place,
                          GHashTable *nodes)
{
    struct variable *variable = g_new0(struct variable, 1);
    variable->place = place;
    variable->bytes = weiri_clc_bytes(search->clc, llvm.GetAllocatedType(place));
    variable->index = search->variables->len;
    variable->node = g_hash_table_lookup(nodes, place);
    g_ptr_array_add(search->variables, variable);
    g_hash_table_insert(search->by_place, place, variable);
}

/* Whether a value is a parameter, as the function's start stores it. */
static bool is_of_parameter(struct llvm_value *value)
{
    for (int i = 0; i < 4 && llvm.IsAInstruction(value) != NULL; i++) {
        int opcode = llvm.GetInstructionOpcode(value);
        if (opcode != LLVM_ZEXT && opcode != LLVM_BITCAST && opcode != LLVM_TRUNC
            && opcode != LLVM_SHUFFLE_VECTOR) {
            return false;
        }
        value = llvm.GetOperand(value, 0);
    }
    return llvm.IsAArgument(value) != NULL;
}

/* How the instruction uses the variable that its operand @i is. */
static void note_use(struct search *search, struct llvm_value *v, unsigned i,
                     struct variable *variable)
{
    int opcode = llvm.GetInstructionOpcode(v);
    const char *callee = weiri_ir_callee(v);
    if (g_str_has_prefix(callee, "llvm.lifetime.start")) {
        variable->told_to_begin = true;
        add_step(search, BEGINS, variable);
        g_ptr_array_add(search->begins, v);
    } else if (g_str_has_prefix(callee, "llvm.lifetime.end")
               || opcode == LLVM_BITCAST) {
        /* A variable that begins again is unwritten then. */
    } else if ((opcode == LLVM_LOAD || (opcode == LLVM_STORE && i == 1))
               && llvm.GetOrdering(v) == 0
               && weiri_clc_bytes(search->clc, weiri_ir_accessed(v))
                   == variable->bytes) {
        add_step(search, opcode == LLVM_LOAD ? IS_LOADED : IS_STORED, variable);
        variable->parameter
            |= opcode == LLVM_STORE && is_of_parameter(llvm.GetOperand(v, 0));
    } else {
        variable->addressed = true;
    }
}

/* Takes note of an assignment to elements of a variable. Returns: its store, or NULL */
static struct llvm_value *note_parts(struct search *search, struct llvm_value *v)
{
    struct weiri_parts parts;
    if (llvm.GetInstructionOpcode(v) != LLVM_LOAD
        || !weiri_parts_of_assignment(v, &parts)) {
        return NULL;
    }
    struct variable *variable = variable_at(search, llvm.GetOperand(v, 0));
    if (variable == NULL
        || weiri_clc_bytes(search->clc, llvm.TypeOf(v)) != variable->bytes) {
        return NULL;
    }
    if (parts.all) {
        add_step(search, IS_STORED, variable);
    }
    return parts.store;
}

static void note_block(struct search *search, struct llvm_block *ref)
{
    search->block = g_hash_table_lookup(search->blocks, ref);
    for (struct llvm_value *v = llvm.GetFirstInstruction(ref); v != NULL;
         v = llvm.GetNextInstruction(v)) {
        struct llvm_value *store = note_parts(search, v);
        if (store != NULL) {
            v = store;
            continue;
        }
        unsigned n = (unsigned)llvm.GetNumOperands(v);
        for (unsigned i = 0; i < n; i++) {
            struct variable *variable = variable_at(search, llvm.GetOperand(v, i));
            if (variable != NULL) {
                note_use(search, v, i, variable);
            }
        }
    }
}

/* ---- Paths ---------------------------------------------------------------- */

/* Goes through a block with what may be unwritten, which it changes. */
static void pass_block(const struct block *block, bool *unwritten)
{
    for (guint i = 0; i < block->steps->len; i++) {
        const struct step *step = &g_array_index(block->steps, struct step, i);
        struct variable *variable = step->variable;
        variable->read_early |= step->action == IS_LOADED && unwritten[variable->index];
        if (step->action != IS_LOADED) {
            unwritten[variable->index] = step->action == BEGINS;
        }
    }
}

/* Adds what may be unwritten at the end of one block to what may be so at the start of
 * the next. Returns: whether that is new */
static bool join(struct block *next, const bool *unwritten, guint n)
{
    bool fresh = next->unwritten == NULL;
    if (fresh) {
        next->unwritten = g_new0(bool, n);
    }
    for (guint i = 0; i < n; i++) {
        fresh |= unwritten[i] && !next->unwritten[i];
        next->unwritten[i] |= unwritten[i];
    }
    return fresh;
}

/* Follows all paths from the block where the function begins. */
static void follow_paths(struct search *search, struct block *first)
{
    guint n = search->variables->len;
    g_autofree bool *unwritten = g_new(bool, n);
    g_autoptr(GPtrArray) open = g_ptr_array_new();
    for (guint i = 0; i < n; i++) {
        unwritten[i] = true;
    }
    join(first, unwritten, n);
    g_ptr_array_add(open, first);
    while (open->len > 0) {
        const struct block *block = g_ptr_array_steal_index_fast(open, open->len - 1);
        memcpy(unwritten, block->unwritten, n * sizeof(*unwritten));
        pass_block(block, unwritten);
        struct llvm_value *end = llvm.GetBasicBlockTerminator(block->ref);
        for (unsigned i = 0; i < llvm.GetNumSuccessors(end); i++) {
            struct block *next
                = g_hash_table_lookup(search->blocks, llvm.GetSuccessor(end, i));
            if (join(next, unwritten, n)) {
                g_ptr_array_add(open, next);
            }
        }
    }
}

/* ---- Where variables begin ------------------------------------------------ */

static void mark_members(const struct weiri_clc *clc, struct llvm_type *type, char *map)
{
    size_t bytes = weiri_clc_bytes(clc, type);
    switch (llvm.GetTypeKind(type)) {
    case LLVM_STRUCT: {
        const char *name = llvm.GetStructName(type);
        if (name != NULL && g_str_has_prefix(name, "union.")) {
            return; /* of which member the bytes are is not known */
        }
        for (unsigned i = 0; i < llvm.CountStructElementTypes(type); i++) {
            mark_members(clc, llvm.StructGetTypeAtIndex(type, i),
                         map + llvm.OffsetOfElement(clc->layout, type, i));
        }
        break;
    }
    case LLVM_ARRAY:
    case LLVM_VECTOR: {
        struct llvm_type *element = llvm.GetElementType(type);
        size_t each = weiri_clc_bytes(clc, element);
        unsigned n = llvm.GetTypeKind(type) == LLVM_ARRAY ? llvm.GetArrayLength(type)
                                                          : llvm.GetVectorSize(type);
        for (unsigned i = 0; i < n; i++) {
            mark_members(clc, element, map + i * each);
        }
        break;
    }
    default:
        memset(map, 'x', bytes);
    }
}

/* The size of the things that an index counts: elements of an array, or of a vector
 * without padding. */
static size_t element_bytes(const struct weiri_clc *clc, struct llvm_type *type)
{
    bool parted
        = llvm.GetTypeKind(type) == LLVM_VECTOR && llvm.GetVectorSize(type) != 3;
    return weiri_clc_element_bytes(clc, parted ? llvm.GetElementType(type) : type);
}

/* The constant that says which bytes of an element are members, or null: all are. */
static struct llvm_value *members_text(struct weiri_clc *clc,
                                       const struct variable *variable, size_t bytes)
{
    g_autofree char *map = g_malloc(variable->bytes + 1);
    memset(map, '.', variable->bytes);
    mark_members(clc, llvm.GetAllocatedType(variable->place), map);
    map[bytes] = '\0'; /* the elements are the same */
    return weiri_clc_text(clc, strchr(map, '.') != NULL ? map : NULL);
}

/* Tells the machine of a variable that begins after the instruction @after. */
static void add_begin(struct weiri_clc *clc, struct llvm_value *after,
                      const struct variable *variable)
{
    g_autofree char *name = weiri_clc_variable_name(variable->node);
    g_autofree char *file = weiri_clc_file(llvm.DIVariableGetFile(variable->node));
    size_t each = element_bytes(clc, llvm.GetAllocatedType(variable->place));
    llvm.PositionBuilderBefore(clc->builder, llvm.GetNextInstruction(after));
    struct llvm_value *arguments[]
        = { clc->item,
            weiri_clc_site(clc, file != NULL ? file : "?",
                           llvm.DIVariableGetLine(variable->node), name),
            variable->place,
            weiri_ir_constant(64, variable->bytes / each),
            weiri_ir_constant(64, each),
            members_text(clc, variable, each) };
    if (weiri_clc_call_c(clc, clc->builder, "weiri_cl_private", NULL, arguments,
                         G_N_ELEMENTS(arguments))
        == NULL) {
        weiri_clc_miss(clc, "weiri_cl_private()");
    }
}

static void add_begins(const struct search *search)
{
    for (guint i = 0; i < search->begins->len; i++) {
        struct llvm_value *v = g_ptr_array_index(search->begins, i);
        for (unsigned k = 0; k < llvm.GetNumArgOperands(v); k++) {
            struct variable *variable = variable_at(search, llvm.GetOperand(v, k));
            if (variable != NULL
                && g_hash_table_contains(search->clc->watched, variable->place)) {
                add_begin(search->clc, v, variable);
            }
        }
    }
    for (guint i = 0; i < search->variables->len; i++) {
        struct variable *variable = g_ptr_array_index(search->variables, i);
        if (!variable->told_to_begin
            && g_hash_table_contains(search->clc->watched, variable->place)) {
            add_begin(search->clc, variable->place, variable);
        }
    }
}

/* ---- The variables of a function ------------------------------------------ */

/* Whether its accesses are to be seen. Parameters are written by the call. */
static bool is_to_be_watched(const struct variable *variable)
{
    return !variable->parameter && variable->node != NULL && variable->bytes > 0
        && (variable->addressed || variable->read_early);
}

void weiri_clc_find_private(struct weiri_clc *clc, GHashTable *nodes)
{
    struct llvm_block *entry = llvm.GetFirstBasicBlock(clc->function);
    g_autoptr(GPtrArray) variables = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) by_place = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) blocks = g_hash_table_new_full(NULL, NULL, NULL, free_block);
    g_autoptr(GPtrArray) begins = g_ptr_array_new();
    struct search search = { clc, variables, by_place, blocks, NULL, begins };
    for (struct llvm_block *b = entry; b != NULL; b = llvm.GetNextBasicBlock(b)) {
        struct block *block = g_new0(struct block, 1);
        block->ref = b;
        block->steps = g_array_new(FALSE, FALSE, sizeof(struct step));
        g_hash_table_insert(blocks, b, block);
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            if (llvm.GetInstructionOpcode(v) == LLVM_ALLOCA) {
                note_variable(&search, v, nodes);
            }
        }
    }
    for (struct llvm_block *b = entry; b != NULL; b = llvm.GetNextBasicBlock(b)) {
        note_block(&search, b);
    }
    follow_paths(&search, g_hash_table_lookup(blocks, entry));
    for (guint i = 0; i < variables->len; i++) {
        struct variable *variable = g_ptr_array_index(variables, i);
        if (is_to_be_watched(variable)) {
            g_hash_table_add(clc->watched, variable->place);
        }
    }
    llvm.SetCurrentDebugLocation2(clc->builder, NULL);
    add_begins(&search);
}
