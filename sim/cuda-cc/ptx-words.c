/* SPDX-License-Identifier: MIT
 *
 * ptx-words.c: the words of the names of PTX's instructions.
 *
 * A name such as "ld.acquire.gpu.shared::cta.v4.u32" is a key, "ld", and words that
 * mean the same wherever they stand: a type, an order, a scope, a space, a vector, a
 * rounding. Words of caches are dropped: no cache of Weir's differs from memory. */
#include "config.h"

#include "cuda-cc/ptx.h"

#include <string.h>

#include "cuda/device/math.h"

static const struct weiri_ptx_type types[] = {
    { "pred", WEIRI_PTX_PREDICATE, 1 }, { "b8", WEIRI_PTX_BITS, 8 },
    { "b16", WEIRI_PTX_BITS, 16 },      { "b32", WEIRI_PTX_BITS, 32 },
    { "b64", WEIRI_PTX_BITS, 64 },      { "b128", WEIRI_PTX_BITS, 128 },
    { "u8", WEIRI_PTX_UNSIGNED, 8 },    { "u16", WEIRI_PTX_UNSIGNED, 16 },
    { "u32", WEIRI_PTX_UNSIGNED, 32 },  { "u64", WEIRI_PTX_UNSIGNED, 64 },
    { "s8", WEIRI_PTX_SIGNED, 8 },      { "s16", WEIRI_PTX_SIGNED, 16 },
    { "s32", WEIRI_PTX_SIGNED, 32 },    { "s64", WEIRI_PTX_SIGNED, 64 },
    { "f32", WEIRI_PTX_REAL, 32 },      { "f64", WEIRI_PTX_REAL, 64 },
    { "f16", WEIRI_PTX_SMALL, 16 },     { "bf16", WEIRI_PTX_SMALL, 16 },
    { "f16x2", WEIRI_PTX_PACKED, 32 },  { "bf16x2", WEIRI_PTX_PACKED, 32 },
};

enum meaning { DROPPED, FLAG, ORDER, SCOPE, SPACE, VECTOR, ROUNDING, INTEGRAL };

/* The scopes have the numbers of memory_scope; the orders, C11's. */
static const struct word {
    const char *text;
    enum meaning meaning;
    int value;
} words[] = {
    { "approx", DROPPED, 0 },
    { "full", DROPPED, 0 },
    { "uni", DROPPED, 0 },
    { "aligned", DROPPED, 0 },
    { "noftz", DROPPED, 0 },
    { "weak", DROPPED, 0 },
    { "ca", DROPPED, 0 },
    { "cg", DROPPED, 0 },
    { "cs", DROPPED, 0 },
    { "lu", DROPPED, 0 },
    { "cv", DROPPED, 0 },
    { "wb", DROPPED, 0 },
    { "wt", DROPPED, 0 },
    { "nc", DROPPED, 0 },
    { "read", DROPPED, 0 },
    { "unified", DROPPED, 0 },
    { "bulk_group", DROPPED, 0 },
    { "sat", FLAG, WEIRI_PTX_SAT },
    { "ftz", FLAG, WEIRI_PTX_FTZ },
    { "cc", FLAG, WEIRI_PTX_CC },
    { "NaN", FLAG, WEIRI_PTX_NAN },
    { "volatile", FLAG, WEIRI_PTX_VOLATILE },
    { "relaxed", ORDER, __ATOMIC_RELAXED },
    { "mmio", ORDER, __ATOMIC_RELAXED },
    { "acquire", ORDER, __ATOMIC_ACQUIRE },
    { "release", ORDER, __ATOMIC_RELEASE },
    { "acq_rel", ORDER, __ATOMIC_ACQ_REL },
    { "sc", ORDER, __ATOMIC_SEQ_CST },
    { "cta", SCOPE, 2 },
    { "cluster", SCOPE, 3 },
    { "gpu", SCOPE, 3 },
    { "gl", SCOPE, 3 },
    { "sys", SCOPE, 4 },
    { "shared", SPACE, WEIRI_PTX_SHARED },
    { "shared::cta", SPACE, WEIRI_PTX_SHARED },
    { "shared::cluster", SPACE, WEIRI_PTX_SHARED },
    { "global", SPACE, WEIRI_PTX_GLOBAL },
    { "const", SPACE, WEIRI_PTX_CONST },
    { "local", SPACE, WEIRI_PTX_LOCAL },
    { "param", SPACE, WEIRI_PTX_PARAM },
    { "v2", VECTOR, 2 },
    { "v4", VECTOR, 4 },
    { "v8", VECTOR, 8 },
    { "x1", VECTOR, 1 },
    { "x2", VECTOR, 2 },
    { "x4", VECTOR, 4 },
    { "rn", ROUNDING, WEIRI_CUDA_RN },
    { "rna", ROUNDING, WEIRI_CUDA_RN },
    { "rz", ROUNDING, WEIRI_CUDA_RZ },
    { "rm", ROUNDING, WEIRI_CUDA_RD },
    { "rp", ROUNDING, WEIRI_CUDA_RU },
    { "rni", INTEGRAL, WEIRI_CUDA_RN },
    { "rzi", INTEGRAL, WEIRI_CUDA_RZ },
    { "rmi", INTEGRAL, WEIRI_CUDA_RD },
    { "rpi", INTEGRAL, WEIRI_CUDA_RU },
};

const struct weiri_ptx_type *weiri_ptx_type(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        if (strcmp(types[i].name, name) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

static const struct word *find_word(const char *text)
{
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(words[i].text, text) == 0) {
            return &words[i];
        }
    }
    return NULL;
}

static void apply(struct weiri_ptx_name *name, const struct word *word)
{
    switch (word->meaning) {
    case DROPPED:
        break;
    case FLAG:
        name->flags |= (unsigned)word->value;
        break;
    case ORDER:
        name->order = word->value;
        name->flags |= WEIRI_PTX_ORDERED;
        break;
    case SCOPE:
        name->scope = word->value;
        break;
    case SPACE:
        if (name->n_spaces < G_N_ELEMENTS(name->spaces)) {
            name->spaces[name->n_spaces++] = (enum weiri_ptx_space)word->value;
        }
        break;
    case VECTOR:
        name->vector = (unsigned)word->value;
        break;
    case INTEGRAL:
        name->flags |= WEIRI_PTX_ROUNDS;
        name->rounding = word->value;
        break;
    case ROUNDING:
        name->rounding = word->value;
        break;
    }
}

static void read_word(struct weiri_ptx_name *name, const char *text, GString *key)
{
    const struct weiri_ptx_type *type = weiri_ptx_type(text);
    const struct word *word = find_word(text);
    if (type != NULL && name->n_types < G_N_ELEMENTS(name->types)) {
        name->types[name->n_types++] = type;
    } else if (word != NULL) {
        apply(name, word);
    } else if (strcmp(text, "L2::cache_hint") == 0) {
        name->flags |= WEIRI_PTX_HINT;
    } else if (!g_str_has_prefix(text, "L1") && !g_str_has_prefix(text, "L2")) {
        g_string_append_printf(key, ".%s", text);
    }
}

void weiri_ptx_name_read(const char *text, struct weiri_ptx_name *name)
{
    g_auto(GStrv) parts = g_strsplit(text, ".", -1);
    GString *key = g_string_new(parts[0]);
    *name = (struct weiri_ptx_name){ .vector = 1, .scope = 3 };
    for (guint i = 1; parts[0] != NULL && parts[i] != NULL; i++) {
        read_word(name, parts[i], key);
    }
    name->key = g_string_free(key, FALSE);
}
