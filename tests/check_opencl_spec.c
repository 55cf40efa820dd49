/* SPDX-License-Identifier: MIT
 *
 * check_opencl_spec.c: arguments of kernels as users write them. */
#include "support.h"

#include "opencl/run/spec.h"

CASE("opencl");

static const struct weiri_cl_parameter GLOBAL = { .name = "x",
                                                  .type_name = "int*",
                                                  .base_type_name = "int*",
                                                  .kind = WEIRI_CL_GLOBAL,
                                                  .bytes = 8 };

static struct weiri_cl_parameter value_of(const char *type, size_t bytes)
{
    return (struct weiri_cl_parameter){ .name = "v",
                                        .type_name = type,
                                        .base_type_name = type,
                                        .kind = WEIRI_CL_VALUE,
                                        .bytes = bytes };
}

/* The buffer that @text makes, written back. */
static char *back(const char *text)
{
    struct weiri_cl_spec spec;
    GError *error = NULL;
    bool read = weiri_cl_spec_read(text, &GLOBAL, 0, &spec, &error);
    ck_assert_msg(read, "%s: %s", text, error != NULL ? error->message : "");
    ck_assert_int_eq(spec.kind, WEIRI_CL_SPEC_BUFFER);
    ck_assert_ptr_nonnull(spec.data);
    char *written = weiri_cl_spec_text(spec.type, spec.data, spec.n);
    weiri_cl_spec_clear(&spec);
    return written;
}

TEST(a_buffer_holds_what_was_written)
{
    static const char *const pairs[][2] = {
        { "int[4]=0", "int{0,0,0,0}" },
        { "int[3]=iota", "int{0,1,2}" },
        { "int[5]={1,-2,0x10}", "int{1,-2,16,1,-2}" },
        { "uchar[2]=-1", "uchar{255,255}" },
        { "char[2]={-128,127}", "char{-128,127}" },
        { "ulong[1]=18446744073709551615", "ulong{18446744073709551615}" },
        { "float[2]={1.5,-0.25f}", "float{1.5,-0.25}" },
        { "double[1]=0.1", "double{0.10000000000000001}" },
        { "half[5]={1,65504,1e9,6e-8,-2}", "half{1,65504,inf,5.96046448e-08,-2}" },
        { "float2[2]=iota", "float2{0,1,2,3}" },
        { "int3[2]=iota", "int3{0,1,2,3,4,5}" },
        { "int[2^2]=7", "int{7,7,7,7}" },
        { "size_t[0]=1", "size_t{}" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_autofree char *written = back(pairs[i][0]);
        ck_assert_str_eq(written, pairs[i][1]);
    }
}

TEST(a_vector_of_three_has_room_for_four)
{
    struct weiri_cl_spec spec;
    ck_assert(weiri_cl_spec_read("int3[2]=iota", &GLOBAL, 0, &spec, NULL));
    ck_assert_uint_eq(spec.bytes, 2 * 4 * sizeof(int32_t));
    const int32_t expected[] = { 0, 1, 2, 0, 3, 4, 5, 0 };
    ck_assert_mem_eq(spec.data, expected, sizeof(expected));
    weiri_cl_spec_clear(&spec);
}

TEST(a_buffer_without_contents_is_not_initialised)
{
    struct weiri_cl_spec spec;
    ck_assert(weiri_cl_spec_read("float4[3]", &GLOBAL, 0, &spec, NULL));
    ck_assert_ptr_null(spec.data);
    ck_assert_uint_eq(spec.bytes, 48);
    ck_assert_uint_eq(spec.n, 3);
}

TEST(random_contents_are_those_of_the_number)
{
    char *one = back("int[8]=random"), *same = back("int[8]=random");
    ck_assert_str_eq(one, same);
    struct weiri_cl_spec spec;
    ck_assert(weiri_cl_spec_read("int[8]=random", &GLOBAL, 1, &spec, NULL));
    char *other = weiri_cl_spec_text("int", spec.data, spec.n);
    ck_assert_str_ne(one, other);
    weiri_cl_spec_clear(&spec);
    g_free(one);
    g_free(same);
    g_free(other);
}

TEST(a_value_has_the_bytes_of_its_type)
{
    struct weiri_cl_parameter p = value_of("float4", 16);
    struct weiri_cl_spec spec;
    const float expected[] = { 1, 2.5f, -3, 4 };
    ck_assert(weiri_cl_spec_read("{1,2.5,-3,4}", &p, 0, &spec, NULL));
    ck_assert_mem_eq(spec.data, expected, sizeof(expected));
    weiri_cl_spec_clear(&spec);
    p = value_of("unsigned int", 4);
    ck_assert(weiri_cl_spec_read("4000000000", &p, 0, &spec, NULL));
    ck_assert_uint_eq(*(uint32_t *)spec.data, 4000000000u);
    weiri_cl_spec_clear(&spec);
}

TEST(a_struct_is_filled_by_its_layout)
{
    static const struct weiri_cl_scalar scalars[]
        = { { 0, 1, 0 }, { 4, 4, 1 }, { 8, 8, 0 } };
    struct weiri_cl_parameter p = value_of("struct s", 16);
    p.scalars = scalars;
    p.n_scalars = G_N_ELEMENTS(scalars);
    struct weiri_cl_spec spec;
    GError *error = NULL;
    ck_assert(weiri_cl_spec_read("{-1,{0.5,7}}", &p, 0, &spec, &error));
    struct {
        int8_t a;
        float b;
        int64_t c;
    } got;
    memcpy(&got, spec.data, sizeof(got));
    ck_assert_int_eq(got.a, -1);
    ck_assert(got.b == 0.5f);
    ck_assert_int_eq(got.c, 7);
    weiri_cl_spec_clear(&spec);
    ck_assert(!weiri_cl_spec_read("{1,2}", &p, 0, &spec, &error));
    ck_assert_str_eq(error->message, "struct s has 3 numbers, and 2 are given");
    g_clear_error(&error);
}

TEST(what_does_not_fit_is_refused_by_name)
{
    static const struct {
        const char *text, *part;
    } wrong[] = {
        { "int[4]=1.5", "'1.5' is not a number of type int" },
        { "char[1]=256", "256 does not fit the type char" },
        { "ulong[1]=18446744073709551616", "does not fit" },
        { "int[x]", "'x' is not a number of elements" },
        { "int[4", "is not of the form int[COUNT]" },
        { "int[4]iota", "is not of the form int[COUNT]" },
        { "int[4]={}", "is not a list" },
        { "int[4]={1,,2}", "has an empty place" },
        { "float5[4]", "'float5' is not a type of elements" },
        { "[4]", "'' is not a type of elements" },
        { "local[4]", "local memory is not for a pointer to global memory" },
        { "4", "a pointer takes a buffer" },
        { "", "a pointer takes a buffer" },
        { "int[4]=@/nonexistent", "/nonexistent" },
        { "long[2^50]=0", "is not a number of elements" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        struct weiri_cl_spec spec;
        g_autoptr(GError) error = NULL;
        ck_assert(!weiri_cl_spec_read(wrong[i].text, &GLOBAL, 0, &spec, &error));
        ck_assert_msg(strstr(error->message, wrong[i].part) != NULL, "%s: %s",
                      wrong[i].text, error->message);
        ck_assert_ptr_null(spec.data);
    }
}

TEST(local_memory_and_null_are_for_their_pointers)
{
    struct weiri_cl_parameter local = GLOBAL;
    local.kind = WEIRI_CL_LOCAL;
    struct weiri_cl_spec spec;
    ck_assert(weiri_cl_spec_read("local[28]", &local, 0, &spec, NULL));
    ck_assert_int_eq(spec.kind, WEIRI_CL_SPEC_LOCAL);
    ck_assert_uint_eq(spec.bytes, 28);
    ck_assert(!weiri_cl_spec_read("int[7]", &local, 0, &spec, NULL));
    ck_assert(!weiri_cl_spec_read("null", &local, 0, &spec, NULL));
    ck_assert(weiri_cl_spec_read("null", &GLOBAL, 0, &spec, NULL));
    ck_assert_int_eq(spec.kind, WEIRI_CL_SPEC_NULL);
}

/* The image that @text makes for a parameter of that type. */
static struct weiri_image image_of(const char *text, const char *type)
{
    struct weiri_cl_parameter p = value_of(type, 8);
    p.kind = WEIRI_CL_IMAGE;
    struct weiri_cl_spec spec;
    GError *error = NULL;
    bool read = weiri_cl_spec_read(text, &p, 0, &spec, &error);
    ck_assert_msg(read, "%s: %s", text, error != NULL ? error->message : "");
    ck_assert_int_eq(spec.kind, WEIRI_CL_SPEC_IMAGE);
    size_t texels
        = spec.image.width * spec.image.height * spec.image.depth * spec.image.layers;
    ck_assert_uint_eq(spec.n, texels);
    ck_assert_uint_eq(spec.bytes,
                      spec.image.slice_bytes * spec.image.depth * spec.image.layers);
    weiri_cl_spec_clear(&spec);
    return spec.image;
}

TEST(an_image_is_what_its_texels_and_its_type_say)
{
    enum { CL_R = 0x10B0, CL_RG = 0x10B2, CL_BGRA = 0x10B6, CL_DEPTH = 0x10BD };
    enum { CL_UNORM_INT8 = 0x10D2, CL_SIGNED_INT16 = 0x10D8, CL_HALF_FLOAT = 0x10DD };
    struct weiri_image image = image_of("uchar4:unorm:bgra[5,3]=1", "image2d_t");
    ck_assert_uint_eq(image.order, CL_BGRA);
    ck_assert_uint_eq(image.type, CL_UNORM_INT8);
    ck_assert_uint_eq(image.row_bytes, 20);
    ck_assert_uint_eq(image.height, 3);
    image = image_of("short2[4,3,2]", "image3d_t");
    ck_assert_uint_eq(image.order, CL_RG);
    ck_assert_uint_eq(image.type, CL_SIGNED_INT16);
    ck_assert_uint_eq(image.depth, 2);
    ck_assert_uint_eq(image.slice_bytes, 48);
    image = image_of("half[4,3]=iota", "image1d_array_t");
    ck_assert_uint_eq(image.order, CL_R);
    ck_assert_uint_eq(image.type, CL_HALF_FLOAT);
    ck_assert_uint_eq(image.layers, 3);
    ck_assert_uint_eq(image.height, 1);
    ck_assert_uint_eq(image.slice_bytes, 8);
    image = image_of("float[4,3,2]", "image2d_array_depth_t");
    ck_assert_uint_eq(image.order, CL_DEPTH);
    ck_assert_uint_eq(image.layers, 2);
}

MAIN("opencl-spec")
