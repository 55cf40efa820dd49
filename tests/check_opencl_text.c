/* SPDX-License-Identifier: MIT
 *
 * check_opencl_text.c: names of functions of OpenCL C, and options. The expected texts
 * follow from the Itanium ABI. */
#include "support.h"

#include "opencl/compile/mangled.h"
#include "opencl/compile/options.h"
#include "opencl/opencl.h"

/* ---- Names ----------------------------------------------------------------- */

CASE("mangled");

TEST(pointers_have_their_address_spaces)
{
    struct weiri_mangled name;
    ck_assert(weiri_mangled_parse("@_Z10atomic_addPU3AS1Vii", &name));
    ck_assert_str_eq(name.name, "atomic_add");
    ck_assert_uint_eq(name.n, 2);
    ck_assert(name.types[0].pointer);
    ck_assert_uint_eq(name.types[0].space, 1);
    ck_assert_str_eq(name.types[0].scalar, "i32");
    ck_assert(!name.types[1].pointer);
    ck_assert(weiri_mangled_parse("_Z10atomic_addPU7CLlocalVjj", &name));
    ck_assert_uint_eq(name.types[0].space, 3);
    ck_assert_str_eq(name.types[0].scalar, "u32");
}

TEST(substitutions_count_vectors_pointers_and_names)
{
    struct weiri_mangled name;
    ck_assert(weiri_mangled_parse("_Z5clampDv4_fS_S_", &name));
    ck_assert_uint_eq(name.n, 3);
    ck_assert_uint_eq(name.types[2].elements, 4);
    ck_assert_str_eq(name.types[2].scalar, "f32");
    /* S_ is int *, S0_ memory_order: the atomic type and its pointer come before */
    ck_assert(weiri_mangled_parse(
        "_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_AtomiciPU3AS4ii"
        "12memory_orderS4_12memory_scope",
        &name));
    ck_assert_uint_eq(name.n, 6);
    ck_assert_str_eq(name.types[4].name, "memory_order");
    ck_assert_str_eq(name.types[5].name, "memory_scope");
}

TEST(a_name_in_words_is_that_of_the_source)
{
    struct weiri_mangled name;
    ck_assert(weiri_mangled_parse("_Z6vload3mPU3AS1Kf", &name));
    g_autofree char *words = weiri_mangled_words(&name);
    ck_assert_str_eq(words, "vload3(ulong, global float*)");
}

TEST(a_private_form_has_no_address_space)
{
    g_autofree char *name = weiri_mangled_private("_Z5frexpDv2_fPU3AS4Dv2_i");
    ck_assert_str_eq(name, "_Z5frexpDv2_fPDv2_i");
}

TEST(what_is_not_mangled_is_refused)
{
    struct weiri_mangled name;
    ck_assert(!weiri_mangled_parse("@printf", &name));
    ck_assert(!weiri_mangled_parse("_Z", &name));
    ck_assert(!weiri_mangled_parse("_Z99x", &name));
}

/* ---- Options --------------------------------------------------------------- */

CASE("options");

TEST(options_of_opencl_are_read)
{
    struct weiri_cl_options options;
    GError *error = NULL;
    ck_assert(weiri_cl_options_read(
        &options, " -DN=4 -D 'M=a b' -I . -cl-std=CL2.0 -cl-opt-disable -w ", &error));
    static const char *const words[]
        = { "-D", "N=4", "-D", "M=a b", "-I", ".", "-cl-std=CL2.0", "-w" };
    ck_assert_uint_eq(options.words->len, G_N_ELEMENTS(words));
    for (guint i = 0; i < options.words->len; i++) {
        ck_assert_str_eq(g_ptr_array_index(options.words, i), words[i]);
    }
    ck_assert(!options.optimize);
    weiri_cl_options_clear(&options);
    ck_assert(weiri_cl_options_read(&options, NULL, &error));
    ck_assert(options.optimize);
    weiri_cl_options_clear(&options);
}

TEST(other_options_are_refused_by_name)
{
    static const char *const texts[]
        = { "-fplugin=x", "-DN -foo", "-D", "-cl-std=CL4.0", "-Wl,-x", "file.c", "'" };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        struct weiri_cl_options options;
        GError *error = NULL;
        ck_assert(!weiri_cl_options_read(&options, texts[i], &error));
        ck_assert(g_error_matches(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_OPTIONS));
        g_error_free(error);
    }
}

MAIN("opencl text")
