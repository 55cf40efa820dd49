/* SPDX-License-Identifier: MIT
 *
 * ptx-memory.c: instructions of PTX that access memory, wait, or lead elsewhere: see
 * the rows in ptx-table.c. Plain accesses are loads and stores of LLVM, which get hooks
 * as those of C++ do; volatile ones, too. Accesses that name an order are atomics. */
#include "config.h"

#include "cuda-cc/ptx-make.h"

#include <string.h>

/* As in sim/cuda/include/weir/builtins.h. */
enum { WEIRI_MBARRIER_DROP = 1, WEIRI_MBARRIER_RELAXED = 2 };

static struct llvm_value *number(uint64_t value)
{
    return weiri_ir_constant(32, value);
}

static struct llvm_value *order_of(const struct weiri_ptx_making *making)
{
    return number((uint64_t)making->name.order);
}

static struct llvm_value *scope_of(const struct weiri_ptx_making *making)
{
    return number((uint64_t)making->name.scope);
}

/* ---- Builtins -------------------------------------------------------------- */

/* The builtin of the row, with the operands that are read; predicates are numbers. */
void weiri_ptx_make_call(struct weiri_ptx_making *making, struct llvm_value **in,
                         unsigned n)
{
    const char *operands = making->row->operands;
    const struct weiri_ptx_type *type = making->name.types[0];
    struct llvm_type *result = operands[0] != '=' ? NULL
        : operands[1] == '0'                      ? weiri_ptx_llvm(type)
        : operands[1] == 'l'                      ? weiri_ir_int(64)
                                                  : weiri_ir_int(32);
    for (unsigned i = 0; i < n; i++) {
        if (llvm.TypeOf(in[i]) == weiri_ir_int(1)) {
            in[i] = weiri_ptx_resize(making, in[i], 32, false);
        }
    }
    weiri_ptx_result(making, weiri_ptx_call(making, making->row->what, result, in, n));
}

void weiri_ptx_make_nothing(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n)
{
    (void)making;
    (void)in;
    (void)n;
}

/* ---- Addresses ------------------------------------------------------------- */

/* A number in a space as a generic address: the numbers of the other spaces are. */
static struct llvm_value *generic(struct weiri_ptx_making *making,
                                  struct llvm_value *number)
{
    if (making->name.n_spaces == 0 || making->name.spaces[0] != WEIRI_PTX_SHARED) {
        return number;
    }
    struct llvm_value *low = weiri_ptx_resize(making, number, 32, false);
    return weiri_ptx_call(making, "ptx_shared_address", weiri_ir_pointer(), &low, 1);
}

static struct llvm_value *pointer(struct weiri_ptx_making *making,
                                  struct llvm_value *number)
{
    return weiri_ptx_cast(making, generic(making, number), weiri_ir_pointer());
}

void weiri_ptx_make_generic(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n)
{
    (void)n;
    weiri_ptx_result(making, generic(making, in[0]));
}

/* The place in another block of the cluster, and of which block a place is. */
void weiri_ptx_make_map(struct weiri_ptx_making *making, struct llvm_value **in,
                        unsigned n)
{
    struct llvm_value *list[] = { pointer(making, in[0]), in[1] };
    (void)n;
    weiri_ptx_result(making,
                     weiri_ptx_call(making, "cluster_map", weiri_ir_pointer(), list,
                                    G_N_ELEMENTS(list)));
}

void weiri_ptx_make_rank_of(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n)
{
    struct llvm_value *address = pointer(making, in[0]);
    (void)n;
    weiri_ptx_result(
        making,
        weiri_ptx_call(making, "cluster_rank_of", weiri_ir_int(32), &address, 1));
}

void weiri_ptx_make_is_space(struct weiri_ptx_making *making, struct llvm_value **in,
                             unsigned n)
{
    /* As weir-kernel.h has them: 1 is local memory, 2 is global memory. */
    static const int spaces[] = { -1, 1, 2, -1, 0, -1 };
    int space = making->name.n_spaces > 0 ? spaces[making->name.spaces[0]] : spaces[0];
    (void)n;
    struct llvm_value *address = weiri_ptx_cast(making, in[0], weiri_ir_pointer());
    struct llvm_value *seen
        = weiri_ptx_call(making, "space", weiri_ir_int(32), &address, 1);
    weiri_ptx_result(making,
                     llvm.BuildICmp(making->builder, LLVM_EQ, seen,
                                    number((uint64_t)(int64_t)space), ""));
}

/* ---- Loads and stores ------------------------------------------------------ */

static struct llvm_value *plus(struct weiri_ptx_making *making,
                               struct llvm_value *address, uint64_t bytes)
{
    struct llvm_value *offset = weiri_ir_constant(64, bytes);
    return bytes == 0
        ? address
        : llvm.BuildGEP2(making->builder, weiri_ir_int(8), address, &offset, 1, "");
}

/* Whether it is an atomic. Only those of 32 and 64 bits exist: others are volatile
 * accesses with fences. */
static bool is_atomic(const struct weiri_ptx_making *making)
{
    return (making->name.flags & WEIRI_PTX_ORDERED) != 0
        && making->name.types[0]->bits >= 32;
}

static bool is_volatile(const struct weiri_ptx_making *making)
{
    return (making->name.flags & (WEIRI_PTX_ORDERED | WEIRI_PTX_VOLATILE)) != 0;
}

static void fence(struct weiri_ptx_making *making, int order)
{
    struct llvm_value *list[] = { number((uint64_t)order), scope_of(making) };
    (void)weiri_ptx_call(making, "fence", NULL, list, 2);
}

static void finish(struct weiri_ptx_making *making, struct llvm_value *access)
{
    llvm.SetAlignment(access, making->name.types[0]->bits / 8);
    if (is_volatile(making)) {
        llvm.SetVolatile(access, 1);
    }
}

static struct llvm_value *load(struct weiri_ptx_making *making,
                               struct llvm_value *address)
{
    const struct weiri_ptx_type *type = making->name.types[0];
    struct llvm_type *whole = weiri_ir_int(type->bits);
    if (is_atomic(making)) {
        struct llvm_value *list[] = { address, order_of(making), scope_of(making) };
        return weiri_ptx_call(making, "load_#", whole, list, 3);
    }
    struct llvm_type *to = weiri_ptx_llvm(type);
    struct llvm_value *made
        = llvm.BuildLoad2(making->builder, to,
                          weiri_ptx_cast(making, address, llvm.PointerType(to, 0)), "");
    finish(making, made);
    return made;
}

void weiri_ptx_make_load(struct weiri_ptx_making *making, struct llvm_value **in,
                         unsigned n)
{
    (void)n;
    for (unsigned i = 0; i < making->name.vector; i++) {
        uint64_t bytes = making->name.types[0]->bits / 8;
        weiri_ptx_result(making, load(making, plus(making, in[0], i * bytes)));
    }
    if (making->name.order == __ATOMIC_ACQUIRE && !is_atomic(making)) {
        fence(making, __ATOMIC_ACQUIRE);
    }
}

static void store(struct weiri_ptx_making *making, struct llvm_value *address,
                  struct llvm_value *value)
{
    const struct weiri_ptx_type *type = making->name.types[0];
    if (is_atomic(making)) {
        struct llvm_value *list[]
            = { address, weiri_ptx_cast(making, value, weiri_ir_int(type->bits)),
                order_of(making), scope_of(making) };
        (void)weiri_ptx_call(making, "store_#", NULL, list, 4);
        return;
    }
    struct llvm_type *to = llvm.PointerType(llvm.TypeOf(value), 0);
    finish(
        making,
        llvm.BuildStore(making->builder, value, weiri_ptx_cast(making, address, to)));
}

void weiri_ptx_make_store(struct weiri_ptx_making *making, struct llvm_value **in,
                          unsigned n)
{
    if (making->name.order == __ATOMIC_RELEASE && !is_atomic(making)) {
        fence(making, __ATOMIC_RELEASE);
    }
    for (unsigned i = 1; i < n; i++) {
        uint64_t bytes = making->name.types[0]->bits / 8;
        store(making, plus(making, in[0], (i - 1) * bytes), in[i]);
    }
}

/* ---- Atomics --------------------------------------------------------------- */

/* An operation of bits has the integer's builtin; the builtins name signed integers
 * "i32". */
static char *atomic_name(const struct weiri_ptx_making *making)
{
    const struct weiri_ptx_type *type = making->name.types[0];
    const char *what = making->row->what;
    switch (type->class) {
    case WEIRI_PTX_REAL:
        return g_strdup_printf("%s_%s", what, type->name);
    case WEIRI_PTX_SMALL:
    case WEIRI_PTX_PACKED:
        return g_strdup_printf("ptx_atomic_%s_%s", what, type->name);
    case WEIRI_PTX_SIGNED:
        return g_strdup_printf("%s_i%u", what, type->bits);
    default:
        return g_strdup_printf("%s_u%u", what, type->bits);
    }
}

/* The order of the read alone, where the comparison fails. */
static int order_of_failure(int order)
{
    return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE
        : order == __ATOMIC_RELEASE  ? __ATOMIC_RELAXED
                                     : order;
}

void weiri_ptx_make_atomic(struct weiri_ptx_making *making, struct llvm_value **in,
                           unsigned n)
{
    const struct weiri_ptx_type *type = making->name.types[0];
    g_autofree char *name = atomic_name(making);
    bool small = type->class == WEIRI_PTX_SMALL || type->class == WEIRI_PTX_PACKED;
    bool step = strcmp(making->row->what, "inc") == 0
        || strcmp(making->row->what, "dec") == 0;
    if ((type->bits < 32 && !small) || (step && type->bits != 32) || type->bits > 64
        || making->name.vector != 1) {
        weiri_ptx_fail(making,
                       "atomics of this size are not supported by Weir: use 32 "
                       "or 64 bits");
        return;
    }
    struct llvm_value *swap[]
        = { in[0],
            in[1],
            n == 3 ? in[2] : NULL,
            order_of(making),
            number((uint64_t)order_of_failure(making->name.order)),
            scope_of(making),
            number(0) };
    struct llvm_value *other[] = { in[0], in[1], order_of(making), scope_of(making) };
    weiri_ptx_result(making,
                     n == 3 ? weiri_ptx_call(making, name, weiri_ptx_llvm(type), swap,
                                             G_N_ELEMENTS(swap))
                            : weiri_ptx_call(making, name, weiri_ptx_llvm(type), other,
                                             G_N_ELEMENTS(other)));
}

/* ---- Matrices -------------------------------------------------------------- */

/* ldmatrix: lane 8j + r has the address of row r of matrix j, which is 8 numbers of 16
 * bits. Lane t gets numbers 2(t % 4) and the next of row t / 4; or, transposed, number
 * t / 4 of rows 2(t % 4) and the next. */
static struct llvm_value *row_address(struct weiri_ptx_making *making,
                                      struct llvm_value *address,
                                      struct llvm_value *lane)
{
    struct llvm_value *list[]
        = { number(UINT32_MAX), weiri_ptx_cast(making, address, weiri_ir_int(64)), lane,
            number(31) };
    return weiri_ptx_cast(
        making, weiri_ptx_call(making, "shuffle_index_u64", weiri_ir_int(64), list, 4),
        weiri_ir_pointer());
}

static struct llvm_value *load_at(struct weiri_ptx_making *making,
                                  struct llvm_value *row, struct llvm_value *index,
                                  unsigned bits)
{
    struct llvm_type *type = weiri_ir_int(bits);
    struct llvm_value *typed = weiri_ptx_cast(making, row, llvm.PointerType(type, 0));
    struct llvm_value *wide = weiri_ptx_resize(making, index, 64, false);
    return llvm.BuildLoad2(making->builder, type,
                           llvm.BuildGEP2(making->builder, type, typed, &wide, 1, ""),
                           "");
}

void weiri_ptx_make_matrix(struct weiri_ptx_making *making, struct llvm_value **in,
                           unsigned n)
{
    struct llvm_value *lane = weiri_ptx_call(making, "lane", weiri_ir_int(32), NULL, 0);
    struct llvm_value *high = weiri_ptx_binary(making, LLVM_LSHR, lane, number(2));
    struct llvm_value *low = weiri_ptx_binary(making, LLVM_AND, lane, number(3));
    struct llvm_value *twice = weiri_ptx_binary(making, LLVM_SHL, low, number(1));
    (void)n;
    making->name.types[0] = weiri_ptx_type("b32"); /* of the results */
    for (unsigned j = 0; j < making->name.vector; j++) {
        struct llvm_value *parts[2];
        if (making->row->number == 0) {
            struct llvm_value *of
                = weiri_ptx_binary(making, LLVM_ADD, high, number(8ul * j));
            weiri_ptx_result(making,
                             load_at(making, row_address(making, in[0], of), low, 32));
            continue;
        }
        for (unsigned k = 0; k < 2; k++) {
            struct llvm_value *of
                = weiri_ptx_binary(making, LLVM_ADD, twice, number(8ul * j + k));
            parts[k] = weiri_ptx_resize(
                making, load_at(making, row_address(making, in[0], of), high, 16), 32,
                false);
        }
        parts[1] = weiri_ptx_binary(making, LLVM_SHL, parts[1], number(16));
        weiri_ptx_result(making, weiri_ptx_binary(making, LLVM_OR, parts[0], parts[1]));
    }
}

/* ---- Copies ---------------------------------------------------------------- */

/* The fourth operand: bytes of the source that are read, or a predicate that asks for
 * none. */
void weiri_ptx_make_copy(struct weiri_ptx_making *making, struct llvm_value **in,
                         unsigned n)
{
    struct llvm_value *source = n == 4 ? in[3] : in[2];
    if (llvm.TypeOf(source) == weiri_ir_int(1)) {
        source = llvm.BuildSelect(making->builder, source, number(0), in[2], "");
    }
    struct llvm_value *list[] = { in[0], in[1], in[2], source };
    (void)weiri_ptx_call(making, "copy_begin", NULL, list, 4);
}

void weiri_ptx_make_wait_all(struct weiri_ptx_making *making, struct llvm_value **in,
                             unsigned n)
{
    struct llvm_value *all = number(UINT32_MAX);
    (void)in;
    (void)n;
    (void)weiri_ptx_call(making, "copy_wait", NULL, &all, 1);
}

void weiri_ptx_make_copy_arrive(struct weiri_ptx_making *making, struct llvm_value **in,
                                unsigned n)
{
    struct llvm_value *list[] = { in[0], number((uint64_t)making->row->number) };
    (void)n;
    (void)weiri_ptx_call(making, "copy_arrive", NULL, list, 2);
}

void weiri_ptx_make_bulk_copy(struct weiri_ptx_making *making, struct llvm_value **in,
                              unsigned n)
{
    (void)weiri_ptx_call(making, "bulk_copy_begin", NULL, in, n);
}

/* ---- Barriers and fences --------------------------------------------------- */

static bool is_zero(const struct weiri_ptx_making *making)
{
    const struct weiri_ptx_operand *id
        = g_ptr_array_index(making->statement->operands, 0);
    return id->kind == WEIRI_PTX_NUMBER && id->bits == 0;
}

/* bar.sync 0 is __syncthreads(). Without a number of threads, all of the block come. */
void weiri_ptx_make_barrier(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n)
{
    const char *what = making->row->what;
    g_autofree char *name = g_strdup_printf("named_%s", what);
    bool reduces = making->row->operands[0] == '=';
    unsigned n_numbers = reduces ? n - 1 : n;
    struct llvm_value *list[3] = { in[0], n_numbers == 2 ? in[1] : number(0) };
    if (strcmp(what, "sync") == 0 && n == 1 && is_zero(making)) {
        (void)weiri_ptx_call(making, "syncthreads", NULL, NULL, 0);
    } else if (!reduces) {
        (void)weiri_ptx_call(making, name, NULL, list, 2);
    } else {
        list[2] = weiri_ptx_resize(making, in[n - 1], 32, false);
        weiri_ptx_result(making,
                         weiri_ptx_call(making, name, weiri_ir_int(32), list, 3));
    }
}

/* membar is fence.sc; a fence without an order is fence.acq_rel. */
void weiri_ptx_make_fence(struct weiri_ptx_making *making, struct llvm_value **in,
                          unsigned n)
{
    bool old = strcmp(making->name.key, "membar") == 0;
    bool named = (making->name.flags & WEIRI_PTX_ORDERED) != 0;
    (void)in;
    (void)n;
    fence(making,
          old         ? __ATOMIC_SEQ_CST
              : named ? making->name.order
                      : __ATOMIC_ACQ_REL);
}

/* ---- mbarrier objects ------------------------------------------------------ */

static uint64_t relaxed_flag(const struct weiri_ptx_making *making)
{
    bool relaxed = (making->name.flags & WEIRI_PTX_ORDERED) != 0
        && making->name.order == __ATOMIC_RELAXED;
    return relaxed ? WEIRI_MBARRIER_RELAXED : 0;
}

void weiri_ptx_make_arrive(struct weiri_ptx_making *making, struct llvm_value **in,
                           unsigned n)
{
    bool tx = making->row->what != NULL;
    uint64_t flags = relaxed_flag(making)
        | (making->row->number != 0 ? (uint64_t)WEIRI_MBARRIER_DROP : 0);
    struct llvm_value *list[] = { in[0], n == 2 && !tx ? in[1] : number(1),
                                  tx ? in[1] : number(0), number(flags) };
    weiri_ptx_result(
        making, weiri_ptx_call(making, "mbarrier_arrive", weiri_ir_int(64), list, 4));
}

void weiri_ptx_make_cluster_arrive(struct weiri_ptx_making *making,
                                   struct llvm_value **in, unsigned n)
{
    struct llvm_value *relaxed = number(relaxed_flag(making));
    (void)in;
    (void)n;
    (void)weiri_ptx_call(making, "cluster_arrive", NULL, &relaxed, 1);
}

/* The last operand, how long to wait at most, changes nothing. */
void weiri_ptx_make_test(struct weiri_ptx_making *making, struct llvm_value **in,
                         unsigned n)
{
    uint64_t flags = relaxed_flag(making) | (uint64_t)making->row->number;
    struct llvm_value *list[]
        = { in[0], weiri_ptx_resize(making, in[1], 64, false), number(flags) };
    (void)n;
    weiri_ptx_result(
        making, weiri_ptx_call(making, "mbarrier_test", weiri_ir_int(32), list, 3));
}

/* ---- Warps ----------------------------------------------------------------- */

void weiri_ptx_make_vote(struct weiri_ptx_making *making, struct llvm_value **in,
                         unsigned n)
{
    g_autofree char *name = g_strdup_printf("vote_%s", making->row->what);
    struct llvm_value *list[] = { in[1], weiri_ptx_resize(making, in[0], 32, false) };
    weiri_ptx_result(making, weiri_ptx_call(making, name, weiri_ir_int(32), list, n));
}

void weiri_ptx_make_shuffle(struct weiri_ptx_making *making, struct llvm_value **in,
                            unsigned n)
{
    struct llvm_value *list[] = { in[3], in[0], in[1], in[2] };
    const char *what = making->row->what;
    g_autofree char *name = g_strdup_printf("shuffle_%s_#", what);
    g_autofree char *inside = g_strdup_printf("ptx_shuffle_%s", what);
    struct llvm_value *value = weiri_ptx_call(making, name, weiri_ir_int(32), list, n);
    weiri_ptx_result(making, value);
    weiri_ptx_result(making,
                     weiri_ptx_call(making, inside, weiri_ir_int(32),
                                    (struct llvm_value *[]){ in[1], in[2] }, 2));
}

void weiri_ptx_make_match(struct weiri_ptx_making *making, struct llvm_value **in,
                          unsigned n)
{
    struct llvm_value *list[] = { in[1], in[0] };
    g_autofree char *name = g_strdup_printf("match_%s_#", making->row->what);
    struct llvm_value *value = weiri_ptx_call(making, name, weiri_ir_int(32), list, n);
    weiri_ptx_result(making, value);
    weiri_ptx_result(making, value);
}

void weiri_ptx_make_reduce(struct weiri_ptx_making *making, struct llvm_value **in,
                           unsigned n)
{
    const struct weiri_ptx_type *type = making->name.types[0];
    struct llvm_value *list[] = { in[1], in[0] };
    g_autofree char *name
        = g_strdup_printf("warp_reduce_%s_%s", making->row->what,
                          type->class == WEIRI_PTX_SIGNED ? "i32" : "u32");
    weiri_ptx_result(making, weiri_ptx_call(making, name, weiri_ir_int(32), list, n));
}

/* The lowest lane of the mask is elected. */
void weiri_ptx_make_elect(struct weiri_ptx_making *making, struct llvm_value **in,
                          unsigned n)
{
    (void)weiri_ptx_call(making, "warp_sync", NULL, in, n);
    struct llvm_value *leader
        = weiri_ptx_call(making, "ptx_lowest", weiri_ir_int(32), in, n);
    struct llvm_value *lane = weiri_ptx_call(making, "lane", weiri_ir_int(32), NULL, 0);
    weiri_ptx_result(making, leader);
    weiri_ptx_result(making,
                     llvm.BuildICmp(making->builder, LLVM_EQ, leader, lane, ""));
}

/* ---- Control --------------------------------------------------------------- */

/* What follows is made in a block that nothing leads to. */
void weiri_ptx_make_branch(struct weiri_ptx_making *making, struct llvm_value **in,
                           unsigned n)
{
    (void)in;
    (void)n;
    (void)llvm.BuildBr(making->builder, making->target);
    llvm.PositionBuilderAtEnd(making->builder, weiri_ptx_new_block(making));
}

void weiri_ptx_make_exit(struct weiri_ptx_making *making, struct llvm_value **in,
                         unsigned n)
{
    (void)in;
    (void)n;
    struct llvm_value *function = weiri_cuda_exit(making->code);
    (void)llvm.BuildCall2(making->builder, llvm.GlobalGetValueType(function), function,
                          NULL, 0, "");
    (void)llvm.BuildUnreachable(making->builder);
    llvm.PositionBuilderAtEnd(making->builder, weiri_ptx_new_block(making));
}
