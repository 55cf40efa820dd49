/* SPDX-License-Identifier: MIT
 *
 * ptx-table.c: the instructions of PTX that Weir knows, with their operands; the names
 * are keys: see ptx-words.c.
 *
 * Follows: PTX ISA 8.5, section 9. */
#include "config.h"

#include "cuda-cc/ptx-make.h"

#include <string.h>

#define CALL weiri_ptx_make_call
#define NOTHING weiri_ptx_make_nothing

static const struct weiri_ptx_row rows[] = {
    /* integers and reals */
    { "add", "=000", "usfhx", weiri_ptx_make_sum, "add", LLVM_ADD },
    { "addc", "=000", "us", weiri_ptx_make_carry, NULL, LLVM_ADD },
    { "sub", "=000", "usfhx", weiri_ptx_make_sum, "sub", LLVM_SUB },
    { "subc", "=000", "us", weiri_ptx_make_carry, NULL, LLVM_SUB },
    { "mul", "=000", "fhx", weiri_ptx_make_sum, "mul", LLVM_MUL },
    { "mul.lo", "=000", "us", weiri_ptx_make_sum, "mul", LLVM_MUL },
    { "mul.hi", "=000", "us", weiri_ptx_make_product, "hi", 0 },
    { "mul.wide", "=w00", "us24", weiri_ptx_make_product, "wide", 0 },
    { "mul24.lo", "=000", "us4", weiri_ptx_make_product, "24", 0 },
    { "mad", "=0000", "f", weiri_ptx_make_fma, NULL, 0 },
    { "mad.lo", "=0000", "us", weiri_ptx_make_product, "lo", 0 },
    { "mad.hi", "=0000", "us", weiri_ptx_make_product, "hi", 0 },
    { "mad.wide", "=w00w", "us24", weiri_ptx_make_product, "wide", 0 },
    { "mad24.lo", "=0000", "us4", weiri_ptx_make_product, "24", 0 },
    { "madc.lo", "=0000", "us", weiri_ptx_make_product, "lo", 1 },
    { "madc.hi", "=0000", "us", weiri_ptx_make_product, "hi", 1 },
    { "fma", "=0000", "fhx", weiri_ptx_make_fma, NULL, 0 },
    { "sad", "=0000", "us", CALL, "ptx_sad_@", 0 },
    { "div", "=000", "usf", weiri_ptx_make_quotient, "div", 0 },
    { "rem", "=000", "us", weiri_ptx_make_quotient, "rem", 0 },
    { "abs", "=00", "sfhx", CALL, "ptx_abs_@", 0 },
    { "neg", "=00", "sfhx", CALL, "ptx_neg_@", 0 },
    { "min", "=000", "usfhx", weiri_ptx_make_extreme, "min", 0 },
    { "max", "=000", "usfhx", weiri_ptx_make_extreme, "max", 0 },
    { "rcp", "=00", "f", weiri_ptx_make_root, "rcp", 0 },
    { "sqrt", "=00", "f", weiri_ptx_make_root, "sqrt", 0 },
    { "rsqrt", "=00", "f", CALL, "ptx_rsqrt_@", 0 },
    { "sin", "=00", "f", CALL, "ptx_sin_@", 0 },
    { "cos", "=00", "f", CALL, "ptx_cos_@", 0 },
    { "lg2", "=00", "f", CALL, "ptx_lg2_@", 0 },
    { "ex2", "=00", "fhx", CALL, "ptx_ex2_@", 0 },
    { "tanh", "=00", "fhx", CALL, "ptx_tanh_@", 0 },
    { "copysign", "=000", "f", CALL, "ptx_copysign_@", 0 },
    { "testp.finite", "=p0", "f", CALL, "ptx_finite_@", 0 },
    { "testp.infinite", "=p0", "f", CALL, "ptx_infinite_@", 0 },
    { "testp.number", "=p0", "f", CALL, "ptx_number_@", 0 },
    { "testp.notanumber", "=p0", "f", CALL, "ptx_notanumber_@", 0 },
    { "testp.normal", "=p0", "f", CALL, "ptx_normal_@", 0 },
    { "testp.subnormal", "=p0", "f", CALL, "ptx_subnormal_@", 0 },

    /* bits */
    { "and", "=000", "pb", weiri_ptx_make_bits, NULL, LLVM_AND },
    { "or", "=000", "pb", weiri_ptx_make_bits, NULL, LLVM_OR },
    { "xor", "=000", "pb", weiri_ptx_make_bits, NULL, LLVM_XOR },
    { "not", "=00", "pb", weiri_ptx_make_bits, NULL, LLVM_XOR },
    { "cnot", "=00", "b", CALL, "ptx_cnot_#", 0 },
    { "shl", "=00u", "bus", CALL, "ptx_shl_#", 0 },
    { "shr", "=00u", "bus", CALL, "ptx_shr_@", 0 },
    { "shf.l.wrap", "=000u", "b4", CALL, "ptx_shf_l_wrap", 0 },
    { "shf.r.wrap", "=000u", "b4", CALL, "ptx_shf_r_wrap", 0 },
    { "shf.l.clamp", "=000u", "b4", CALL, "ptx_shf_l_clamp", 0 },
    { "shf.r.clamp", "=000u", "b4", CALL, "ptx_shf_r_clamp", 0 },
    { "bfe", "=00uu", "us48", CALL, "ptx_bfe_@", 0 },
    { "bfi", "=000uu", "b48", CALL, "ptx_bfi_#", 0 },
    { "bfind", "=u0", "us48", CALL, "ptx_bfind_@", 0 },
    { "bfind.shiftamt", "=u0", "us48", CALL, "ptx_bfind_shift_@", 0 },
    { "brev", "=00", "b48", CALL, "ptx_brev_#", 0 },
    { "popc", "=u0", "b48", CALL, "ptx_popc_#", 0 },
    { "clz", "=u0", "b48", CALL, "ptx_clz_#", 0 },
    { "fns", "=uuuu", "b4", CALL, "ptx_fns", 0 },
    { "prmt", "=0000", "b4", CALL, "ptx_prmt", 0 },
    { "prmt.f4e", "=0000", "b4", CALL, "ptx_prmt_f4e", 0 },
    { "prmt.b4e", "=0000", "b4", CALL, "ptx_prmt_b4e", 0 },
    { "prmt.rc8", "=0000", "b4", CALL, "ptx_prmt_rc8", 0 },
    { "prmt.ecl", "=0000", "b4", CALL, "ptx_prmt_ecl", 0 },
    { "prmt.ecr", "=0000", "b4", CALL, "ptx_prmt_ecr", 0 },
    { "prmt.rc16", "=0000", "b4", CALL, "ptx_prmt_rc16", 0 },
    { "lop3", "=0000u", "b4", CALL, "ptx_lop3", 0 },
    { "dp4a", "=uuuu", "us4", weiri_ptx_make_dot, "ptx_dp4a", 0 },
    { "dp2a.lo", "=uuuu", "us4", weiri_ptx_make_dot, "ptx_dp2a", 0 },
    { "dp2a.hi", "=uuuu", "us4", weiri_ptx_make_dot, "ptx_dp2a", 2 },

    /* choices and conversions */
    { "setp.*", "=p00", "busfh", weiri_ptx_make_compare, NULL, 0 },
    { "setp.*", "=p00p", "busfh", weiri_ptx_make_compare, NULL, 0 },
    { "set.*", "=011", "busf", weiri_ptx_make_compare, NULL, 1 },
    { "set.*", "=011p", "busf", weiri_ptx_make_compare, NULL, 1 },
    { "selp", "=000p", "busf", weiri_ptx_make_choice, NULL, 0 },
    { "slct", "=0001", "busf", weiri_ptx_make_choice, NULL, 0 },
    { "mov", "=mm", "pbusfhx", weiri_ptx_make_move, NULL, 0 },
    { "cvt", "=01", "usfhx1248", weiri_ptx_make_convert, NULL, 0 },
    { "cvt", "=011", "x", weiri_ptx_make_convert, NULL, 0 },

    /* addresses */
    { "cvta", "=00", "u48", weiri_ptx_make_generic, NULL, 0 },
    { "cvta.to", "=00", "u48", weiri_ptx_make_move, NULL, 0 },
    { "mapa", "=00u", "u48", weiri_ptx_make_map, NULL, 0 },
    { "getctarank", "=u0", "u48", weiri_ptx_make_rank_of, NULL, 0 },
    { "isspacep", "=pl", "", weiri_ptx_make_is_space, NULL, 0 },
    { "mapa", "=00u", "u48", weiri_ptx_make_move, NULL, 0 },
    { "getctarank", "=uu", "u4", weiri_ptx_make_number, NULL, 0 },
    { "prefetch", "@", "", NOTHING, NULL, 0 },
    { "prefetchu", "@", "", NOTHING, NULL, 0 },
    { "discard", "@u", "", NOTHING, NULL, 0 },
    { "applypriority", "@u", "", NOTHING, NULL, 0 },
    { "createpolicy.fractional", "=l", "b8", weiri_ptx_make_number, NULL, 0 },
    { "createpolicy.fractional", "=lf", "b8", weiri_ptx_make_number, NULL, 0 },

    /* memory */
    { "ld", "=v@", "busf1248", weiri_ptx_make_load, NULL, 0 },
    { "ldu", "=v@", "busf1248", weiri_ptx_make_load, NULL, 0 },
    { "st", "@v", "busf1248", weiri_ptx_make_store, NULL, 0 },
    { "atom.add", "=0@0", "usfhx", weiri_ptx_make_atomic, "add", 0 },
    { "atom.min", "=0@0", "us", weiri_ptx_make_atomic, "min", 0 },
    { "atom.max", "=0@0", "us", weiri_ptx_make_atomic, "max", 0 },
    { "atom.inc", "=0@0", "u", weiri_ptx_make_atomic, "inc", 0 },
    { "atom.dec", "=0@0", "u", weiri_ptx_make_atomic, "dec", 0 },
    { "atom.and", "=0@0", "b", weiri_ptx_make_atomic, "and", 0 },
    { "atom.or", "=0@0", "b", weiri_ptx_make_atomic, "or", 0 },
    { "atom.xor", "=0@0", "b", weiri_ptx_make_atomic, "xor", 0 },
    { "atom.exch", "=0@0", "b", weiri_ptx_make_atomic, "exchange", 0 },
    { "atom.cas", "=0@00", "b", weiri_ptx_make_atomic, "cas", 0 },
    { "red.add", "@0", "usfhx", weiri_ptx_make_atomic, "add", 0 },
    { "red.min", "@0", "us", weiri_ptx_make_atomic, "min", 0 },
    { "red.max", "@0", "us", weiri_ptx_make_atomic, "max", 0 },
    { "red.inc", "@0", "u", weiri_ptx_make_atomic, "inc", 0 },
    { "red.dec", "@0", "u", weiri_ptx_make_atomic, "dec", 0 },
    { "red.and", "@0", "b", weiri_ptx_make_atomic, "and", 0 },
    { "red.or", "@0", "b", weiri_ptx_make_atomic, "or", 0 },
    { "red.xor", "@0", "b", weiri_ptx_make_atomic, "xor", 0 },
    { "ldmatrix.sync.m8n8", "=v$", "b2", weiri_ptx_make_matrix, NULL, 0 },
    { "ldmatrix.sync.m8n8.trans", "=v$", "b2", weiri_ptx_make_matrix, NULL, 1 },

    /* copies */
    { "cp.async", "@&u", "", weiri_ptx_make_copy, NULL, 0 },
    { "cp.async", "@&uu", "", weiri_ptx_make_copy, NULL, 0 },
    { "cp.async", "@&up", "", weiri_ptx_make_copy, NULL, 0 },
    { "cp.async.commit_group", "", "", CALL, "copy_commit", 0 },
    { "cp.async.wait_group", "u", "", CALL, "copy_wait", 0 },
    { "cp.async.wait_all", "", "", weiri_ptx_make_wait_all, NULL, 0 },
    { "cp.async.mbarrier.arrive", "$", "b8", weiri_ptx_make_copy_arrive, NULL, 0 },
    { "cp.async.mbarrier.arrive.noinc", "$", "b8", weiri_ptx_make_copy_arrive, NULL,
      1 },
    { "cp.async.bulk.mbarrier::complete_tx::bytes", "@&u$", "",
      weiri_ptx_make_bulk_copy, NULL, 0 },
    { "cp.async.bulk", "@&u", "", weiri_ptx_make_copy, NULL, 1 },
    { "cp.async.bulk.commit_group", "", "", CALL, "copy_commit", 0 },
    { "cp.async.bulk.wait_group", "u", "", CALL, "copy_wait", 0 },

    /* barriers of blocks; those of clusters have no operands */
    { "bar.sync", "u", "", weiri_ptx_make_barrier, "sync", 0 },
    { "bar.sync", "uu", "", weiri_ptx_make_barrier, "sync", 0 },
    { "bar.arrive", "uu", "", weiri_ptx_make_barrier, "arrive", 0 },
    { "bar.red.popc", "=0up", "u4", weiri_ptx_make_barrier, "popc", 0 },
    { "bar.red.popc", "=0uup", "u4", weiri_ptx_make_barrier, "popc", 0 },
    { "bar.red.and", "=pup", "p", weiri_ptx_make_barrier, "and", 0 },
    { "bar.red.and", "=puup", "p", weiri_ptx_make_barrier, "and", 0 },
    { "bar.red.or", "=pup", "p", weiri_ptx_make_barrier, "or", 0 },
    { "bar.red.or", "=puup", "p", weiri_ptx_make_barrier, "or", 0 },
    { "bar.arrive", "", "", weiri_ptx_make_cluster_arrive, NULL, 0 },
    { "bar.wait", "", "", CALL, "cluster_wait", 0 },
    { "bar.warp.sync", "u", "", CALL, "warp_sync", 0 },

    /* fences: the proxies of a GPU are one here */
    { "fence", "", "", weiri_ptx_make_fence, NULL, 0 },
    { "membar", "", "", weiri_ptx_make_fence, NULL, 0 },
    { "fence.mbarrier_init", "", "", weiri_ptx_make_fence, NULL, 0 },
    { "fence.proxy.*", "", "", NOTHING, NULL, 0 },
    { "fence.proxy.*", "@u", "", NOTHING, NULL, 0 },
    { "membar.proxy.*", "", "", NOTHING, NULL, 0 },

    /* mbarrier objects */
    { "mbarrier.init", "@u", "b8", CALL, "mbarrier_init", 0 },
    { "mbarrier.inval", "@", "b8", CALL, "mbarrier_invalidate", 0 },
    { "mbarrier.expect_tx", "@u", "b8", CALL, "mbarrier_expect", 0 },
    { "mbarrier.complete_tx", "@u", "b8", CALL, "mbarrier_complete", 0 },
    { "mbarrier.arrive", "@", "b8", weiri_ptx_make_arrive, NULL, 0 },
    { "mbarrier.arrive", "=l@", "b8", weiri_ptx_make_arrive, NULL, 0 },
    { "mbarrier.arrive", "=l@u", "b8", weiri_ptx_make_arrive, NULL, 0 },
    { "mbarrier.arrive.noComplete", "=l@u", "b8", weiri_ptx_make_arrive, NULL, 0 },
    { "mbarrier.arrive.expect_tx", "=l@u", "b8", weiri_ptx_make_arrive, "tx", 0 },
    { "mbarrier.arrive_drop", "@", "b8", weiri_ptx_make_arrive, NULL, 1 },
    { "mbarrier.arrive_drop", "=l@", "b8", weiri_ptx_make_arrive, NULL, 1 },
    { "mbarrier.arrive_drop", "=l@u", "b8", weiri_ptx_make_arrive, NULL, 1 },
    { "mbarrier.arrive_drop.noComplete", "=l@u", "b8", weiri_ptx_make_arrive, NULL, 1 },
    { "mbarrier.arrive_drop.expect_tx", "=l@u", "b8", weiri_ptx_make_arrive, "tx", 1 },
    { "mbarrier.test_wait", "=p@l", "b8", weiri_ptx_make_test, NULL, 0 },
    { "mbarrier.test_wait.parity", "=p@u", "b8", weiri_ptx_make_test, NULL, 4 },
    { "mbarrier.try_wait", "=p@l", "b8", weiri_ptx_make_test, NULL, 8 },
    { "mbarrier.try_wait", "=p@lu", "b8", weiri_ptx_make_test, NULL, 8 },
    { "mbarrier.try_wait.parity", "=p@u", "b8", weiri_ptx_make_test, NULL, 12 },
    { "mbarrier.try_wait.parity", "=p@uu", "b8", weiri_ptx_make_test, NULL, 12 },
    { "mbarrier.pending_count", "=ul", "b8", CALL, "mbarrier_pending", 0 },

    /* warps */
    { "activemask", "=u", "b4", CALL, "active_mask", 0 },
    { "vote.sync.any", "=ppu", "p", weiri_ptx_make_vote, "any", 0 },
    { "vote.sync.all", "=ppu", "p", weiri_ptx_make_vote, "all", 0 },
    { "vote.sync.uni", "=ppu", "p", weiri_ptx_make_vote, "uniform", 0 },
    { "vote.sync.ballot", "=0pu", "b4", weiri_ptx_make_vote, "ballot", 0 },
    /* the order of words that ptxas takes, too */
    { "vote.any.sync", "=ppu", "p", weiri_ptx_make_vote, "any", 0 },
    { "vote.all.sync", "=ppu", "p", weiri_ptx_make_vote, "all", 0 },
    { "vote.uni.sync", "=ppu", "p", weiri_ptx_make_vote, "uniform", 0 },
    { "vote.ballot.sync", "=0pu", "b4", weiri_ptx_make_vote, "ballot", 0 },
    { "shfl.sync.idx", "=0000u", "b4", weiri_ptx_make_shuffle, "index", 0 },
    { "shfl.sync.up", "=0000u", "b4", weiri_ptx_make_shuffle, "up", 0 },
    { "shfl.sync.down", "=0000u", "b4", weiri_ptx_make_shuffle, "down", 0 },
    { "shfl.sync.bfly", "=0000u", "b4", weiri_ptx_make_shuffle, "xor", 0 },
    { "match.any.sync", "=u0u", "b48", weiri_ptx_make_match, "any", 0 },
    { "match.all.sync", "=u0u", "b48", weiri_ptx_make_match, "all", 0 },
    { "redux.sync.add", "=00u", "us4", weiri_ptx_make_reduce, "add", 0 },
    { "redux.sync.min", "=00u", "us4", weiri_ptx_make_reduce, "min", 0 },
    { "redux.sync.max", "=00u", "us4", weiri_ptx_make_reduce, "max", 0 },
    { "redux.sync.and", "=00u", "b4", weiri_ptx_make_reduce, "and", 0 },
    { "redux.sync.or", "=00u", "b4", weiri_ptx_make_reduce, "or", 0 },
    { "redux.sync.xor", "=00u", "b4", weiri_ptx_make_reduce, "xor", 0 },
    { "elect.sync", "=uu", "", weiri_ptx_make_elect, NULL, 0 },

    /* control, and what concerns a GPU alone */
    { "bra", "t", "", weiri_ptx_make_branch, NULL, 0 },
    { "exit", "", "", weiri_ptx_make_exit, NULL, 0 },
    { "trap", "", "", CALL, "trap", 0 },
    { "brkpt", "", "", NOTHING, NULL, 0 },
    { "pmevent", "u", "", NOTHING, NULL, 0 },
    { "nanosleep", "u", "u4", CALL, "sleep", 0 },
    { "griddepcontrol.wait", "", "", NOTHING, NULL, 0 },
    { "griddepcontrol.launch_dependents", "", "", NOTHING, NULL, 0 },
    { "setmaxnreg.inc.sync", "u", "u4", NOTHING, NULL, 0 },
    { "setmaxnreg.dec.sync", "u", "u4", NOTHING, NULL, 0 },
};

static bool fits_key(const char *pattern, const char *key)
{
    size_t n = strlen(pattern);
    return pattern[n - 1] == '*' ? strncmp(pattern, key, n - 1) == 0
                                 : strcmp(pattern, key) == 0;
}

static unsigned count_operands(const char *operands)
{
    unsigned n = 0;
    for (; *operands != '\0'; operands++) {
        n += *operands != '=';
    }
    return n;
}

/* Whether the class of the first type is one of the row's, and its bytes: by default 2,
 * 4 or 8. A predicate has none. */
static bool fits_type(const struct weiri_ptx_row *row,
                      const struct weiri_ptx_name *name)
{
    static const char letters[] = "-pbusfhx";
    const struct weiri_ptx_type *type = name->types[0];
    if (type == NULL) {
        return row->classes[0] == '\0';
    }
    const char *sizes = strpbrk(row->classes, "1248");
    char bytes = (char)('0' + type->bits / 8);
    return strchr(row->classes, letters[type->class]) != NULL
        && (type->bits == 1 || strchr(sizes != NULL ? sizes : "248", bytes) != NULL);
}

static char *why_not(const struct weiri_ptx_name *name, const char *text,
                     const struct weiri_ptx_row *near, bool fits_operands)
{
    static const char *const tensors[] = { "mma", "wmma", "wgmma", "tcgen05" };
    for (size_t i = 0; i < G_N_ELEMENTS(tensors); i++) {
        size_t n = strlen(tensors[i]);
        if (strncmp(name->key, tensors[i], n) == 0
            && (name->key[n] == '.' || name->key[n] == '\0')) {
            return g_strdup_printf(
                "PTX instruction '%s' is not supported by Weir: choose a path without "
                "tensor cores, as -arch=sm_60 may do",
                text);
        }
    }
    if (near == NULL) {
        return g_strdup_printf(
            "PTX instruction '%s' is not supported by Weir: write it "
            "in C++",
            text);
    }
    return fits_operands
        ? g_strdup_printf("PTX instruction '%s' is not supported with this type: write "
                          "it in C++",
                          text)
        : g_strdup_printf("PTX instruction '%s' has a wrong number of operands", text);
}

const struct weiri_ptx_row *weiri_ptx_find(const struct weiri_ptx_name *name,
                                           const char *text, unsigned n_operands,
                                           char **why)
{
    const struct weiri_ptx_row *near = NULL;
    bool fits_operands = false;
    g_autofree char *other = g_str_has_prefix(name->key, "barrier.")
        ? g_strconcat("bar", name->key + strlen("barrier"), NULL)
        : g_strdup(name->key);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (!fits_key(rows[i].key, other)) {
            continue;
        }
        near = &rows[i];
        if (count_operands(rows[i].operands) == n_operands) {
            fits_operands = true;
            if (fits_type(&rows[i], name)) {
                return &rows[i];
            }
        }
    }
    *why = why_not(name, text, near, fits_operands);
    return NULL;
}
