/* SPDX-License-Identifier: MIT
 *
 * print.c: see print.h. A call formats its text first and then adds it as a whole, so
 * that texts of items that run at once do not mix.
 *
 * The C library formats one number at a time, by a conversion that is made from the
 * source's: its length fits the value, which is converted to the widest type of its
 * kind before. */
#include "config.h"

#include "opencl/device/print.h"

#include "host/commands.h"
#include "weir-kernel.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Room for one number: %f of DBL_MAX has 309 digits before the point. The precision and
 * the width are limited to what is left. */
enum { NUMBER_BYTES = 512, MOST_PLACES = 128 };

static GMutex mutex;
static GString *printed; /* guarded by mutex */

/* ---- Arguments ------------------------------------------------------------- */

struct arguments {
    const char *types; /* of those that are left */
    const char *block;
    size_t offset;
};

struct argument {
    char kind; /* 'i', 'f', 'p'; 0: none */
    unsigned bits;
    unsigned n; /* elements of a vector, or 1 */
    const char *at;
};

static struct argument next_argument(struct arguments *arguments)
{
    struct argument argument = { .n = 1 };
    const char *type = arguments->types;
    type += strspn(type, " ");
    if (*type == '\0') {
        return argument;
    }
    if (g_ascii_isdigit(*type)) {
        char *end;
        argument.n = (unsigned)g_ascii_strtoull(type, &end, 10);
        type = *end == 'x' ? end + 1 : end;
    }
    argument.kind = *type;
    argument.bits = *type == 'p' ? 64 : (unsigned)g_ascii_strtoull(type + 1, NULL, 10);
    arguments->types = type + strcspn(type, " ");
    size_t places = argument.n == 3 ? 4 : argument.n;
    size_t bytes = places * argument.bits / 8;
    if (bytes == 0) {
        argument.kind = 0;
        return argument;
    }
    arguments->offset = (arguments->offset + bytes - 1) / bytes * bytes;
    argument.at = arguments->block + arguments->offset;
    arguments->offset += bytes;
    return argument;
}

static double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31 ? (fraction != 0 ? (double)NAN : (double)INFINITY)
        : exponent == 0           ? fraction * 0x1p-24
                        : (1024 + fraction) * 0x1p-25 * (double)(1u << exponent);
    return bits >> 15 ? -value : value;
}

static int64_t signed_of(const struct argument *argument, unsigned i)
{
    const char *at = argument->at + i * argument->bits / 8;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    switch (argument->bits) {
    case 8:
        memcpy(&i8, at, sizeof(i8));
        return i8;
    case 16:
        memcpy(&i16, at, sizeof(i16));
        return i16;
    case 32:
        memcpy(&i32, at, sizeof(i32));
        return i32;
    default:
        memcpy(&i64, at, sizeof(i64));
        return i64;
    }
}

static double real_of(const struct argument *argument, unsigned i)
{
    const char *at = argument->at + i * argument->bits / 8;
    uint16_t half;
    float f32;
    double f64;
    switch (argument->bits) {
    case 16:
        memcpy(&half, at, sizeof(half));
        return half_value(half);
    case 32:
        memcpy(&f32, at, sizeof(f32));
        return (double)f32;
    default:
        memcpy(&f64, at, sizeof(f64));
        return f64;
    }
}

/* ---- Conversions ------------------------------------------------------------ */

struct conversion {
    char flags[8];
    int width;     /* or -1 */
    int precision; /* or -1 */
    unsigned n;    /* of a vector specifier; or 1 */
    unsigned bits; /* of the length modifier; or 0 */
    char letter;
};

/* Reads digits. Returns: the number, at most MOST_PLACES; or -1 */
static int read_number(const char **at)
{
    int number = -1;
    for (; g_ascii_isdigit(**at); *at += 1) {
        int sum = MAX(number, 0) * 10 + (**at - '0');
        number = MIN(sum, MOST_PLACES);
    }
    return number;
}

/* Reads what follows '%'. Returns: whether it is a conversion of OpenCL C */
static bool read_conversion(const char **at, struct conversion *conversion)
{
    static const struct {
        const char *text;
        unsigned bits;
    } lengths[] = { { "hh", 8 }, { "hl", 32 }, { "h", 16 }, { "l", 64 } };
    *conversion = (struct conversion){ .n = 1 };
    for (size_t n = 0; **at != '\0' && strchr("-+ #0", **at) != NULL; *at += 1) {
        if (n + 1 < sizeof(conversion->flags)
            && strchr(conversion->flags, **at) == NULL) {
            conversion->flags[n++] = **at;
        }
    }
    conversion->width = read_number(at);
    conversion->precision = -1;
    if (**at == '.') {
        *at += 1;
        int digits = read_number(at); /* a point alone is a 0 */
        conversion->precision = MAX(digits, 0);
    }
    if (**at == 'v') {
        *at += 1;
        int n = read_number(at);
        if (n != 2 && n != 3 && n != 4 && n != 8 && n != 16) {
            return false;
        }
        conversion->n = (unsigned)n;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(lengths) && conversion->bits == 0; i++) {
        if (g_str_has_prefix(*at, lengths[i].text)) {
            conversion->bits = lengths[i].bits;
            *at += strlen(lengths[i].text);
        }
    }
    conversion->letter = **at;
    bool known = **at != '\0' && strchr("diouxXfFeEgGaAcsp", **at) != NULL;
    *at += **at != '\0';
    return known && (conversion->n == 1 || strchr("csp", conversion->letter) == NULL);
}

/* The conversion for the C library. */
static void write_conversion(const struct conversion *conversion, const char *length,
                             char *text, size_t room)
{
    char width[16] = "", precision[16] = "";
    if (conversion->width >= 0) {
        g_snprintf(width, sizeof(width), "%d", conversion->width);
    }
    if (conversion->precision >= 0) {
        g_snprintf(precision, sizeof(precision), ".%d", conversion->precision);
    }
    g_snprintf(text, room, "%%%s%s%s%s%c", conversion->flags, width, precision, length,
               conversion->letter);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void add_integer(GString *text, const struct conversion *conversion,
                        int64_t value, unsigned bits)
{
    char format[64], number[NUMBER_BYTES];
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    unsigned above = 64 - MIN(bits, 64);
    uint64_t shifted = (uint64_t)value << above;
    write_conversion(conversion, "ll", format, sizeof(format));
    if (is_signed) {
        snprintf(number, sizeof(number), format,
                 (long long)((int64_t)shifted >> above));
    } else {
        snprintf(number, sizeof(number), format,
                 (unsigned long long)(shifted >> above));
    }
    g_string_append(text, number);
}

static void add_real(GString *text, const struct conversion *conversion, double value)
{
    char format[64], number[NUMBER_BYTES];
    write_conversion(conversion, "", format, sizeof(format));
    snprintf(number, sizeof(number), format, value);
    g_string_append(text, number);
}

static void add_other(GString *text, const struct conversion *conversion,
                      const struct argument *argument)
{
    char format[64], number[NUMBER_BYTES];
    write_conversion(conversion, "", format, sizeof(format));
    if (conversion->letter == 'c') {
        snprintf(number, sizeof(number), format, (int)signed_of(argument, 0));
        g_string_append(text, number);
        return;
    }
    const void *pointer = (const void *)(intptr_t)signed_of(argument, 0);
    if (conversion->letter == 'p') {
        snprintf(number, sizeof(number), format, pointer);
        g_string_append(text, number);
    } else {
        g_string_append_printf(text, format, pointer != NULL ? pointer : "(null)");
    }
}

#pragma GCC diagnostic pop

/* Returns: whether the argument is one that the conversion can be of */
static bool convert(GString *text, const struct conversion *conversion,
                    const struct argument *argument)
{
    char letter = conversion->letter;
    if (argument->kind == 0 || argument->n < conversion->n) {
        return false;
    }
    if (letter == 'c' || letter == 's' || letter == 'p') {
        bool fits = letter == 'c' ? argument->kind == 'i' : argument->bits == 64;
        if (fits) {
            add_other(text, conversion, argument);
        }
        return fits;
    }
    bool real = strchr("diouxX", letter) == NULL;
    if (real != (argument->kind == 'f')) {
        return false;
    }
    unsigned bits = conversion->bits != 0 && conversion->bits < argument->bits
        ? conversion->bits
        : argument->bits;
    for (unsigned i = 0; i < conversion->n; i++) {
        g_string_append(text, i > 0 ? "," : "");
        if (real) {
            add_real(text, conversion, real_of(argument, i));
        } else {
            add_integer(text, conversion, signed_of(argument, i), bits);
        }
    }
    return true;
}

/* Returns: the conversion that ends the text before its end; or NULL. @why: static */
static const char *add_text(GString *text, const char *format,
                            struct arguments *arguments, const char **why)
{
    for (const char *at = format; *at != '\0';) {
        const char *percent = at + strcspn(at, "%");
        g_string_append_len(text, at, percent - at);
        if (*percent == '\0') {
            return NULL;
        }
        at = percent + 1;
        if (*at == '%') {
            g_string_append_c(text, '%');
            at++;
            continue;
        }
        struct conversion conversion;
        if (!read_conversion(&at, &conversion)) {
            *why = "OpenCL C has no such conversion";
            return percent;
        }
        struct argument argument = next_argument(arguments);
        if (!convert(text, &conversion, &argument)) {
            *why = argument.kind == 0 ? "it lacks an argument"
                                      : "its argument has another type";
            return percent;
        }
    }
    return NULL;
}

/* ---- Texts of a command ----------------------------------------------------- */

/* A call that has not printed all of its text. */
struct cut {
    const struct weir_site *site; /* or NULL */
    char *message;
};

static void free_cut(void *data)
{
    struct cut *cut = data;
    g_free(cut->message);
    g_free(cut);
}

static GPtrArray *cuts;  /* of struct cut, of the running command; by mutex, as: */
static GHashTable *said; /* messages and places of cuts before */

/* Called with the mutex held. */
static void note_cut(const char *rest, const char *why, const struct weir_site *site)
{
    g_autofree char *shown = g_strescape(rest, NULL);
    struct cut *cut = g_new(struct cut, 1);
    *cut = (struct cut){
        site, g_strdup_printf("printf: the text ends before \"%s\": %s", shown, why)
    };
    if (said == NULL) {
        said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        cuts = g_ptr_array_new_with_free_func(free_cut);
    }
    if (g_hash_table_add(said,
                         g_strdup_printf("%p %s", (const void *)site, cut->message))) {
        g_ptr_array_add(cuts, cut);
    } else {
        free_cut(cut);
    }
}

int weiri_print_text(const char *format, const char *types, const void *block,
                     const struct weir_site *site)
{
    struct arguments arguments = { types, block, 0 };
    GString *text = g_string_new(NULL);
    const char *why = NULL, *rest = add_text(text, format, &arguments, &why);
    g_mutex_lock(&mutex);
    if (printed == NULL) {
        printed = g_string_new(NULL);
    }
    g_string_append_len(printed, text->str, (gssize)text->len);
    if (rest != NULL) {
        note_cut(rest, why, site);
    }
    g_mutex_unlock(&mutex);
    g_string_free(text, TRUE);
    return rest == NULL ? 0 : -1;
}

/* A finding, where the command is checked. */
static void say(const struct cut *cut)
{
    if (weiri_host_commands_wanted()) {
        weiri_host_commands_error("printf", cut->message, cut->site);
    } else if (cut->site != NULL) {
        g_printerr("weir: %s:%u: %s\n", cut->site->file, cut->site->line, cut->message);
    } else {
        g_printerr("weir: %s\n", cut->message);
    }
}

void weiri_print_flush(void)
{
    g_mutex_lock(&mutex);
    if (printed != NULL && printed->len > 0) {
        /* what follows a text that was cut stands on a line of its own */
        if (cuts != NULL && cuts->len > 0 && printed->str[printed->len - 1] != '\n') {
            g_string_append_c(printed, '\n');
        }
        fwrite(printed->str, 1, printed->len, stdout);
        fflush(stdout);
        g_string_truncate(printed, 0);
    }
    for (guint i = 0; cuts != NULL && i < cuts->len; i++) {
        say(g_ptr_array_index(cuts, i));
    }
    if (cuts != NULL) {
        g_ptr_array_set_size(cuts, 0);
    }
    g_mutex_unlock(&mutex);
}
