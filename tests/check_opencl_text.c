/* SPDX-License-Identifier: MIT
 *
 * check_opencl_text.c: names and IR of OpenCL C as text, in both forms that IR has had
 * for pointers. The expected texts follow from LLVM's reference of the language and
 * from the Itanium ABI. */
#include "support.h"

#include "opencl/ir.h"
#include "opencl/mangled.h"
#include "opencl/options.h"
#include "opencl/rewrite.h"

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

/* ---- Lines ----------------------------------------------------------------- */

CASE("ir");

TEST(a_call_is_taken_apart)
{
    struct weiri_ir_call call;
    ck_assert(weiri_ir_call_parse(
        "  %3 = tail call noundef <2 x float> @f(i8 signext %1, %struct.S* "
        "byval(%struct.S) align 4 %2, i32* getelementptr inbounds ([2 x i32], [2 x "
        "i32]* @t, i64 0, i64 1)) #3, !dbg !7",
        &call));
    ck_assert_str_eq(call.result, "%3");
    ck_assert_str_eq(call.type, "<2 x float>");
    ck_assert_str_eq(call.callee, "@f");
    ck_assert_uint_eq(call.operands->len, 3);
    struct weiri_ir_operand *operand
        = &g_array_index(call.operands, struct weiri_ir_operand, 1);
    ck_assert_str_eq(operand->type, "%struct.S*");
    ck_assert_str_eq(operand->attributes, "byval(%struct.S) align 4");
    ck_assert_str_eq(operand->value, "%2");
    operand = &g_array_index(call.operands, struct weiri_ir_operand, 2);
    ck_assert(g_str_has_prefix(operand->value, "getelementptr inbounds ("));
    weiri_ir_call_clear(&call);
    ck_assert(!weiri_ir_call_parse("  %3 = add i32 %1, %2", &call));
}

TEST(a_variadic_function_has_its_type_in_the_call)
{
    struct weiri_ir_call call;
    ck_assert(weiri_ir_call_parse(
        "  %1 = call i32 (i8*, ...) @printf(i8* noundef %0, double 1.0)", &call));
    ck_assert(call.variadic);
    ck_assert_str_eq(call.type, "i32");
    ck_assert_uint_eq(call.operands->len, 2);
    weiri_ir_call_clear(&call);
}

TEST(address_spaces_are_dropped_but_not_inside_of_strings)
{
    g_autofree char *line = weiri_ir_plain(
        "  store i32 addrspace(1)* addrspacecast (i32 addrspace(3)* @\"a "
        "addrspace(1)\" to i32 addrspace(1)*), i32 addrspace(1)** %1");
    ck_assert_str_eq(line,
                     "  store i32* bitcast (i32* @\"a addrspace(1)\" to i32*), "
                     "i32** %1");
    g_autofree char *copy
        = weiri_ir_plain("  call void @llvm.memcpy.p3i8.p1i8.i64(i8 addrspace(3)* %1)");
    ck_assert_str_eq(copy, "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* %1)");
    g_autofree char *type = weiri_ir_plain("declare target(\"spirv.Event\") @f(ptr "
                                           "addrspace(3))");
    ck_assert_str_eq(type, "declare ptr @f(ptr)");
    g_autofree char *debug = weiri_ir_plain(
        "!DIExpression(DW_OP_plus_uconst, 8, DW_OP_constu, 0, DW_OP_swap, "
        "DW_OP_xderef)");
    ck_assert_str_eq(debug, "!DIExpression(DW_OP_plus_uconst, 8)");
}

TEST(sizes_are_those_of_the_machine)
{
    struct weiri_ir_tables tables
        = { NULL, g_hash_table_new_full(g_str_hash, g_str_equal, NULL, NULL) };
    g_hash_table_insert(tables.types, (void *)"%struct.S",
                        (void *)"{ i8, <3 x float>, [3 x i16] }");
    static const struct {
        const char *type;
        size_t bytes, alignment;
    } rows[] = { { "i8", 1, 1 },
                 { "<3 x i32>", 16, 16 },
                 { "ptr", 8, 8 },
                 { "i32**", 8, 8 },
                 { "[5 x i32]", 20, 4 },
                 { "%struct.S", 48, 16 },
                 { "<{ i8, i32 }>", 5, 1 },
                 { "{ i8, { i64 }, i8 }", 24, 8 } };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        size_t bytes = 0, alignment = 0;
        ck_assert(weiri_ir_layout(&tables, rows[i].type, &bytes, &alignment));
        ck_assert_uint_eq(bytes, rows[i].bytes);
        ck_assert_uint_eq(alignment, rows[i].alignment);
    }
    size_t bytes, alignment;
    ck_assert(!weiri_ir_layout(&tables, "%struct.T", &bytes, &alignment));
    g_hash_table_unref(tables.types);
}

/* ---- Rewriting ---------------------------------------------------------------------
 * */

CASE("rewrite");

static const char builtins[]
    = "define i64 @weiri_cl_global_id(i8* %0, i32 %1) {\n"
      "define i8* @weiri_cl_local(i8* %0, i8* %1, i64 %2, i64 %3, i64 %4) {\n"
      "define void @weiri_cl_keep(i8* %0, i8* %1, i64 %2, i64 %3) {\n"
      "define void @weiri_cl_barrier_1(i8* %0, i8* %1, i32 %2) {\n";

/* The same for pointers that are `ptr`. */
static char *opaque(const char *text)
{
    GString *out = g_string_new(text);
    g_string_replace(out, "i8*", "ptr", 0);
    return g_string_free(out, FALSE);
}

static struct weiri_rewrite *rewrite_of(const char *ir, bool is_opaque, bool checked,
                                        bool alone)
{
    g_autofree char *text = is_opaque ? opaque(builtins) : g_strdup(builtins);
    GHashTable *prototypes = weiri_rewrite_prototypes(text);
    struct weiri_rewrite *result = weiri_rewrite_new(ir, prototypes, checked, 0, alone);
    g_hash_table_unref(prototypes);
    return result;
}

static struct weiri_rewrite *rewrite(const char *ir, bool is_opaque, bool checked)
{
    return rewrite_of(ir, is_opaque, checked, true);
}

static void expect(const struct weiri_rewrite *result, const char *text)
{
    if (strstr(result->text, text) == NULL) {
        ck_abort_msg("no \"%s\" in:\n%s", text, result->text);
    }
}

static const char typed_kernel[]
    = "@k.t = internal addrspace(3) global [4 x i32] undef, align 4\n"
      "define dso_local spir_kernel void @k(i32 addrspace(1)* noundef %0) #0 {\n"
      "  br label %2\n"
      "2:\n"
      "  %3 = phi i32 addrspace(3)* [ getelementptr inbounds ([4 x i32], [4 x i32] "
      "addrspace(3)* @k.t, i64 0, i64 1), %1 ]\n"
      "  call spir_func void @f(i32 addrspace(3)* %3)\n"
      "  call spir_func void @_Z7barrierj(i32 noundef 1)\n"
      "  %4 = load i32, i32 addrspace(3)* %3, align 4\n"
      "  ret void\n"
      "}\n"
      "define dso_local spir_func void @f(i32 addrspace(3)* %0) {\n"
      "  ret void\n"
      "}\n"
      "declare spir_func void @_Z7barrierj(i32)\n";

static const char opaque_kernel[]
    = "@k.t = internal addrspace(3) global [4 x i32] undef, align 4\n"
      "define dso_local spir_kernel void @k(ptr addrspace(1) noundef %0) #0 {\n"
      "  br label %2\n"
      "2:\n"
      "  %3 = phi ptr addrspace(3) [ getelementptr inbounds ([4 x i32], ptr "
      "addrspace(3) @k.t, i64 0, i64 1), %1 ]\n"
      "  call spir_func void @f(ptr addrspace(3) %3)\n"
      "  call spir_func void @_Z7barrierj(i32 noundef 1)\n"
      "  %4 = load i32, ptr addrspace(3) %3, align 4\n"
      "  ret void\n"
      "}\n"
      "define dso_local spir_func void @f(ptr addrspace(3) %0) {\n"
      "  ret void\n"
      "}\n"
      "declare spir_func void @_Z7barrierj(i32)\n";

TEST(every_function_gets_the_item_and_passes_it_on)
{
    struct weiri_rewrite *typed = rewrite(typed_kernel, false, false);
    expect(typed,
           "define hidden void @cl.f(%struct.weir_item* %weiri.item, i32* %0) "
           "alwaysinline {");
    expect(typed, "call void @cl.f(%struct.weir_item* %weiri.item, i32* %3)");
    weiri_rewrite_free(typed);
    struct weiri_rewrite *result = rewrite(opaque_kernel, true, false);
    expect(result, "define hidden void @cl.f(ptr %weiri.item, ptr %0) alwaysinline {");
    expect(result, "call void @cl.f(ptr %weiri.item, ptr %3)");
    weiri_rewrite_free(result);
}

TEST(a_kernel_without_a_pointer_has_those_of_the_builtins)
{
    static const char kernel[] = "define dso_local spir_kernel void @k() #0 {\n"
                                 "  call spir_func void @_Z7barrierj(i32 noundef 1)\n"
                                 "  ret void\n"
                                 "}\n"
                                 "declare spir_func void @_Z7barrierj(i32)\n";
    for (int is_opaque = 0; is_opaque < 2; is_opaque++) {
        struct weiri_rewrite *result = rewrite(kernel, is_opaque, false);
        expect(result,
               is_opaque ? "define void @weiri_k_k__cl(ptr %weiri.item, ptr %arguments)"
                         : "define void @weiri_k_k__cl(%struct.weir_item* %weiri.item, "
                           "i8* %arguments)");
        weiri_rewrite_free(result);
    }
}

TEST(local_memory_in_an_operand_of_phi_is_asked_for_at_the_start)
{
    for (int is_opaque = 0; is_opaque < 2; is_opaque++) {
        struct weiri_rewrite *result
            = rewrite(is_opaque ? opaque_kernel : typed_kernel, is_opaque, false);
        const char *asks = strstr(result->text, "@weiri_cl_local(");
        const char *element
            = strstr(result->text, " = getelementptr inbounds [4 x i32], ");
        const char *branch = strstr(result->text, "br label %2");
        ck_assert(asks != NULL && element != NULL && branch != NULL);
        ck_assert(asks < element && element < branch);
        expect(result, "i64 4, i64 4, i64 96)"); /* 4 elements of 4 bytes, and a slot */
        ck_assert_ptr_null(strstr(result->text, "@k.t"));
        ck_assert_ptr_null(strstr(result->text, "addrspace"));
        ck_assert_uint_eq(result->missing->len, 0);
        weiri_rewrite_free(result);
    }
}

/* An assignment to the component @index of a vector in @space, and what is between. */
static struct weiri_rewrite *rewrite_component(const char *space, const char *index,
                                               const char *between)
{
    g_autofree char *ir
        = g_strdup_printf("define spir_func void @f(ptr%s %%0, i32 %%1) {\n"
                          "  %%3 = load <4 x i32>, ptr%s %%0, align 16\n"
                          "%s"
                          "  %%4 = insertelement <4 x i32> %%3, i32 %%1, %s\n"
                          "  store <4 x i32> %%4, ptr%s %%0, align 16\n"
                          "  ret void\n"
                          "}\n",
                          space, space, between, index, space);
    return rewrite(ir, true, false);
}

TEST(without_checks_too_the_neighbours_of_a_component_are_not_written)
{
    static const char *const indices[] = { "i64 2", "i32 %1" };
    for (int space = 1; space <= 4; space++) {
        for (size_t i = 0; i < G_N_ELEMENTS(indices); i++) {
            g_autofree char *text = g_strdup_printf(" addrspace(%d)", space);
            struct weiri_rewrite *result = rewrite_component(text, indices[i], "");
            ck_assert_ptr_null(strstr(result->text, "store <4 x i32>"));
            ck_assert_ptr_null(strstr(result->text, "load <4 x i32>"));
            g_autofree char *address = g_strdup_printf(
                ".p = getelementptr <4 x i32>, ptr %%0, i64 0, %s", indices[i]);
            expect(result, address);
            expect(result, "store i32 %weiri.");
            weiri_rewrite_free(result);
        }
    }
}

TEST(a_vector_that_is_private_or_read_between_is_stored_whole)
{
    static const char *const between[] = {
        "  store i32 7, ptr addrspace(1) %0, align 4\n",
        "  call spir_func void @g()\n",
        "  %5 = extractelement <4 x i32> %3, i64 1\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(between); i++) {
        struct weiri_rewrite *result
            = rewrite_component(" addrspace(1)", "i64 2", between[i]);
        expect(result, "store <4 x i32> %4, ptr %0, align 16");
        weiri_rewrite_free(result);
    }
    struct weiri_rewrite *result = rewrite_component("", "i64 2", "");
    expect(result, "store <4 x i32> %4, ptr %0, align 16");
    weiri_rewrite_free(result);
}

/* What a group has in its own arguments is behind the @bytes of the launch's. */
static void expect_kept(const char *ir, bool alone, bool is_kept, size_t bytes)
{
    struct weiri_rewrite *result = rewrite_of(ir, true, false, alone);
    const struct weiri_rewrite_kernel *kernel
        = &g_array_index(result->kernels, struct weiri_rewrite_kernel, 0);
    ck_assert_uint_eq(kernel->keeps, is_kept);
    ck_assert_uint_eq(kernel->kernel.args_bytes, bytes + (is_kept ? 16 : 0));
    ck_assert_uint_eq(strstr(result->text, "@weiri_k_k__keep(") != NULL, is_kept);
    ck_assert_uint_eq(result->missing->len, 0);
    weiri_rewrite_free(result);
}

TEST(a_group_keeps_the_addresses_of_its_arrays)
{
    static const char argument[] = "define spir_kernel void @k(ptr addrspace(3) %0) "
                                   "!kernel_arg_addr_space !1 {\n"
                                   "  ret void\n"
                                   "}\n"
                                   "!1 = !{i32 3}\n";
    expect_kept(opaque_kernel, true, true, 96);
    expect_kept(argument, true, true, 96);
    struct weiri_rewrite *result = rewrite(argument, true, false);
    expect(result, "%c0 = udiv i64 %n0, 1\n  %s96 = getelementptr i8, ptr %arguments");
    expect(result, "i64 %c0, i64 1, i64 96)");
    weiri_rewrite_free(result);
}

TEST(a_kernel_that_may_be_called_has_no_block_of_its_own)
{
    expect_kept(opaque_kernel, false, false, 96);
    g_autofree char *called = g_strconcat(opaque_kernel,
                                          "define spir_func void @g() {\n"
                                          "  call spir_kernel void @k(ptr null)\n"
                                          "  ret void\n"
                                          "}\n",
                                          NULL);
    expect_kept(called, true, false, 96);
    struct weiri_rewrite *result = rewrite(called, true, false);
    expect(result, "i64 4, i64 4, i64 0)");
    weiri_rewrite_free(result);
}

TEST(checked_code_keeps_accesses_and_functions)
{
    struct weiri_rewrite *result = rewrite(opaque_kernel, true, true);
    expect(result, "%4 = load volatile i32, ptr %3, align 4");
    expect(result, "@cl.f(ptr %weiri.item, ptr %0) sanitize_thread");
    ck_assert_ptr_null(strstr(result->text, " alwaysinline"));
    weiri_rewrite_free(result);
    result = rewrite(opaque_kernel, true, false);
    ck_assert_ptr_null(strstr(result->text, "volatile"));
    weiri_rewrite_free(result);
}

TEST(what_is_volatile_in_the_source_stays_so_once)
{
    struct weiri_rewrite *result
        = rewrite("define spir_func void @f(ptr %0) {\n"
                  "  %2 = load volatile <4 x i32>, ptr %0, align 16\n"
                  "  store volatile i32 1, ptr %0\n"
                  "  ret void\n"
                  "}\n",
                  true, true);
    expect(result, "%2 = load volatile <4 x i32>, ptr %0, align 8\n");
    expect(result, "store volatile i32 1, ptr %0, align 1\n");
    weiri_rewrite_free(result);
}

TEST(a_wide_vector_is_accessed_in_parts_that_have_hooks)
{
    static const char ir[] = "define spir_func void @f(ptr %0, ptr %1) {\n"
                             "  %3 = load <8 x float>, ptr %0, align 32\n"
                             "  store <8 x float> %3, ptr %1, align 32\n"
                             "  ret void\n"
                             "}\n";
    struct weiri_rewrite *result = rewrite(ir, true, true);
    expect(result, "load volatile <4 x float>, ptr ");
    expect(result, "store volatile <4 x float> ");
    ck_assert_ptr_null(strstr(result->text, "<8 x float>, ptr"));
    weiri_rewrite_free(result);
    result = rewrite(ir, true, false);
    expect(result, "load <8 x float>, ptr %0, align 32");
    weiri_rewrite_free(result);
}

TEST(a_builtin_that_the_machine_lacks_is_named)
{
    struct weiri_rewrite *result
        = rewrite("define spir_kernel void @k(ptr addrspace(1) %0) {\n"
                  "  call spir_func void @_Z7barrierjj(i32 1, i32 2)\n"
                  "  ret void\n"
                  "}\n",
                  true, false);
    ck_assert_uint_eq(result->missing->len, 1);
    ck_assert_str_eq(g_ptr_array_index(result->missing, 0), "barrier(uint, uint)");
    weiri_rewrite_free(result);
}

TEST(parameters_have_places_and_kinds)
{
    static const char ir[]
        = "define spir_kernel void @k(i8 signext %0, ptr addrspace(1) %1, ptr "
          "addrspace(3) %2, <3 x float> %3) !kernel_arg_addr_space !1 "
          "!kernel_arg_base_type !2 !kernel_arg_name !3 !reqd_work_group_size !4 {\n"
          "  ret void\n"
          "}\n"
          "!1 = !{i32 0, i32 1, i32 3, i32 0}\n"
          "!2 = !{!\"char\", !\"int*\", !\"float4*\", !\"float "
          "__attribute__((ext_vector_type(3)))\"}\n"
          "!3 = !{!\"a\", !\"b\", !\"c\", !\"d\"}\n"
          "!4 = !{i32 8, i32 2, i32 1}\n";
    struct weiri_rewrite *result = rewrite(ir, true, false);
    ck_assert_uint_eq(result->kernels->len, 1);
    const struct weiri_cl_kernel *kernel
        = &g_array_index(result->kernels, struct weiri_rewrite_kernel, 0).kernel;
    const struct weiri_cl_parameter *parameters = kernel->parameters;
    size_t head = sizeof(struct weiri_cl_launch);
    ck_assert_str_eq(kernel->name, "k");
    ck_assert_uint_eq(kernel->n_parameters, 4);
    ck_assert_uint_eq(parameters[0].offset, head);
    ck_assert_uint_eq(parameters[0].bytes, 1);
    ck_assert_int_eq(parameters[1].kind, WEIRI_CL_GLOBAL);
    ck_assert_uint_eq(parameters[1].offset, head + 8);
    ck_assert_uint_eq(parameters[1].pointee_bytes, 4);
    ck_assert_int_eq(parameters[2].kind, WEIRI_CL_LOCAL);
    ck_assert_uint_eq(parameters[2].alignment, 16);
    ck_assert_int_eq(parameters[3].kind, WEIRI_CL_VALUE);
    ck_assert_uint_eq(parameters[3].offset, head + 32);
    ck_assert_uint_eq(parameters[3].bytes, 16);
    ck_assert_str_eq(parameters[3].name, "d");
    ck_assert_uint_eq(kernel->args_bytes, head + 48 + 16); /* and the address of c */
    ck_assert_str_eq(kernel->attributes, "reqd_work_group_size(8,2,1)");
    weiri_rewrite_free(result);
}

TEST(variables_in_global_memory_are_a_module_of_their_own)
{
    static const char ir[] = "@x = dso_local addrspace(1) global i32 5, align 4\n"
                             "define spir_func i32 @f() {\n"
                             "  %1 = load i32, ptr addrspace(1) @x, align 4\n"
                             "  ret i32 %1\n"
                             "}\n";
    struct weiri_rewrite *result = rewrite(ir, true, false);
    expect(result, "@cl.x = external hidden global i32\n");
    ck_assert_ptr_nonnull(result->variables);
    ck_assert_ptr_nonnull(strstr(result->variables,
                                 "@cl.x = hidden global i32 5, section "
                                 "\"weiri_cl_globals\", align 4"));
    weiri_rewrite_free(result);
    result = rewrite(opaque_kernel, true, false);
    ck_assert_ptr_null(result->variables);
    weiri_rewrite_free(result);
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
