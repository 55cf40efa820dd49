/* SPDX-License-Identifier: MIT
 *
 * check_opencl_print.c: printf() of OpenCL C formats as [CL30C] 6.15.14 says: as C does
 * but for vectors, whose elements have commas between them. */
#include "support.h"

#include "opencl/device/print.h"

#include <stdio.h>
#include <unistd.h>

/* The output of one call, as it is flushed. */
static char *print_to_text(const char *format, const char *types, const void *block,
                           int *status)
{
    char path[] = "/tmp/weir-print.XXXXXX", *text;
    int file = mkstemp(path), out = dup(STDOUT_FILENO);
    ck_assert_int_ge(file, 0);
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    *status = weiri_print_text(format, types, block, NULL);
    weiri_print_flush();
    dup2(out, STDOUT_FILENO);
    close(out);
    close(file);
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    unlink(path);
    return text;
}

static void expect(const char *wanted, const char *format, const char *types,
                   const void *block)
{
    int status;
    g_autofree char *text = print_to_text(format, types, block, &status);
    ck_assert_str_eq(text, wanted);
    ck_assert_int_eq(status, 0);
}

CASE("numbers");

TEST(integers_have_the_width_of_their_conversion)
{
    const int32_t one[] = { -2, 300 };
    expect("-2 300\n", "%d %d\n", "i32 i32", one);
    expect("4294967294 44", "%u %hhu", "i32 i32", one);
    expect("fffffffe +300", "%x %+d", "i32 i32", one);
    const int64_t wide[] = { INT64_MIN };
    expect("-9223372036854775808", "%ld", "i64", wide);
}

TEST(each_argument_lies_at_a_multiple_of_its_size)
{
    struct {
        int32_t i;
        double d;
        int32_t j;
        float f[4];
    } block = { 7, 1.5, 8, { 0 } };
    expect("7 1.50 8", "%d %.2f %d", "i32 f64 i32", &block);
}

TEST(a_half_is_converted)
{
    const uint16_t halves[] = { 0x3c00, 0xc000, 0x0001, 0x7c00 };
    expect("1.0 -2.0 5.96e-08 inf", "%.1f %.1f %.2e %f", "f16 f16 f16 f16", halves);
}

CASE("vectors");

TEST(elements_have_commas_between_them)
{
    const float four[4] = { 1, 2.5f, 3, 4 };
    expect("1.0,2.5,3.0,4.0", "%.1v4hlf", "4xf32", four);
    const int32_t three[8] = { 1, -2, 3, 99, 5 };
    expect("1,-2,3 5", "%v3hld %d", "3xi32 i32", three); /* of the size of 4 */
    const int8_t bytes[4] = { -1, 2, 3, 4 };
    expect("255,2,3,4", "%v4hhu", "4xi8", bytes);
}

CASE("texts");

TEST(strings_and_characters)
{
    struct {
        const char *text;
        int32_t letter;
    } block = { "done", 'x' };
    expect("done x 100%", "%s %c 100%%", "p i32", &block);
}

/* A text that is cut ends its line. */
TEST(a_missing_argument_ends_the_text)
{
    const int32_t one = 1;
    int status;
    g_autofree char *text = print_to_text("a %d b %d c", "i32", &one, &status);
    ck_assert_str_eq(text, "a 1 b \n");
    ck_assert_int_eq(status, -1);
}

TEST(a_wrong_conversion_ends_the_text)
{
    const float four[4] = { 1, 2, 3, 4 };
    int status;
    g_autofree char *five = print_to_text("a%v5f", "4xf32", four, &status);
    ck_assert_str_eq(five, "a\n");
    ck_assert_int_eq(status, -1);
    g_autofree char *integer = print_to_text("b%d", "f32", four, &status);
    ck_assert_str_eq(integer, "b\n");
    ck_assert_int_eq(status, -1);
}

MAIN("opencl-print")
