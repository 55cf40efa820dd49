/* SPDX-License-Identifier: MIT
 *
 * spec.c: arguments of kernels as users write them:
 *
 *     4   1.5   {1,2,3,4}          a number; a vector, or the members of a struct
 *     TYPE[COUNT]                  a buffer that is not initialised
 *     TYPE[COUNT]=3                all elements are 3
 *     TYPE[COUNT]=iota             0, 1, 2, ...
 *     TYPE[COUNT]=random           numbers below 1024, the same in each run
 *     TYPE[COUNT]={1,2,3}          these, again and again
 *     TYPE[COUNT]=@FILE            the bytes of a file
 *     TYPE[WIDTH,HEIGHT]=VALUES    an image: spec-image.c
 *     sampler   local[BYTES]   null
 *
 * Numbers fill the components of vectors in turn. The fourth component of a vector of
 * three is 0: it has no name in a kernel. */
#include "config.h"

#include "opencl/run/spec.h"

#include "base/rng.h"
#include "opencl/run/spec-image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The scalar types of OpenCL C, by their names. */
static const struct scalar {
    const char *name;
    char code; /* 'i' signed, 'u' unsigned, 'f' floating */
    uint8_t bytes;
} scalars[] = {
    { "char", 'i', 1 },      { "uchar", 'u', 1 },     { "short", 'i', 2 },
    { "ushort", 'u', 2 },    { "int", 'i', 4 },       { "uint", 'u', 4 },
    { "long", 'i', 8 },      { "ulong", 'u', 8 },     { "half", 'f', 2 },
    { "float", 'f', 4 },     { "double", 'f', 8 },    { "bool", 'u', 1 },
    { "size_t", 'u', 8 },    { "ptrdiff_t", 'i', 8 }, { "intptr_t", 'i', 8 },
    { "uintptr_t", 'u', 8 },
};

/* A type that a vector of @n components is. */
struct element {
    const struct scalar *scalar;
    uint32_t n;
    char name[16];
};

/* Components that memory has: a vector of three has room for four. */
static uint32_t room_of(const struct element *element)
{
    return element->n == 3 ? 4 : element->n;
}

static size_t bytes_of(const struct element *element)
{
    return room_of(element) * (size_t)element->scalar->bytes;
}

/* "float4". "unsigned int" is what clang calls uint where a typedef leads to it. */
static bool find_element(const char *text, size_t length, struct element *element)
{
    static const char *const words[][2] = {
        { "unsigned char", "uchar" }, { "unsigned short", "ushort" },
        { "unsigned int", "uint" },   { "unsigned long", "ulong" },
        { "unsigned", "uint" },
    };
    g_autofree char *name = g_strndup(text, length);
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(name, words[i][0]) == 0) {
            g_free(name);
            name = g_strdup(words[i][1]);
        }
    }
    size_t letters = strcspn(name, "0123456789");
    for (size_t i = 0; i < G_N_ELEMENTS(scalars); i++) {
        if (strncmp(scalars[i].name, name, letters) != 0
            || scalars[i].name[letters] != '\0') {
            continue;
        }
        static const char *const widths[] = { "", "2", "3", "4", "8", "16" };
        static const uint32_t counts[] = { 1, 2, 3, 4, 8, 16 };
        for (size_t k = 0; k < G_N_ELEMENTS(widths); k++) {
            if (strcmp(name + letters, widths[k]) == 0) {
                *element = (struct element){ &scalars[i], counts[k], "" };
                g_strlcpy(element->name, name, sizeof(element->name));
                return true;
            }
        }
    }
    return false;
}

/* ---- Numbers --------------------------------------------------------------------- */

static void store_float(const struct scalar *scalar, double value, void *to)
{
    if (scalar->bytes == sizeof(double)) {
        memcpy(to, &value, sizeof(value));
    } else if (scalar->bytes == sizeof(float)) {
        float narrow = (float)value;
        memcpy(to, &narrow, sizeof(narrow));
    } else {
        uint16_t half = weiri_image_half((float)value);
        memcpy(to, &half, sizeof(half));
    }
}

/* Little-endian: the first bytes are the low ones. */
static void store_integer(const struct scalar *scalar, uint64_t value, void *to)
{
    memcpy(to, &value, scalar->bytes);
}

static void store(const struct scalar *scalar, uint64_t value, void *to)
{
    if (scalar->code == 'f') {
        store_float(scalar, (double)value, to);
    } else {
        store_integer(scalar, value, to);
    }
}

/* Reads a number of the type to @to. -1 is allowed for unsigned types, as in C. */
static bool read_number(const char *text, const struct scalar *scalar, void *to,
                        GError **error)
{
    char *end = NULL;
    errno = 0;
    if (scalar->code == 'f') {
        double value = g_ascii_strtod(text, &end);
        if (end != text && *end == 'f') {
            end++;
        }
        if (end == text || *end != '\0') {
            return weiri_cl_spec_wrong(error, "'%s' is not a number of type %s", text,
                                       scalar->name);
        }
        store_float(scalar, value, to);
        return true;
    }
    if (scalar->bytes == 1
        && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
        store_integer(scalar, text[0] == 't', to);
        return true;
    }
    bool negative = text[0] == '-';
    uint64_t magnitude = g_ascii_strtoull(text + negative, &end, 0);
    uint64_t most = UINT64_MAX >> (64 - 8 * scalar->bytes);
    bool fits = errno == 0 && magnitude <= (negative ? most / 2 + 1 : most);
    if (!g_ascii_isdigit(text[negative]) || *end != '\0') {
        return weiri_cl_spec_wrong(error, "'%s' is not a number of type %s", text,
                                   scalar->name);
    }
    if (!fits) {
        return weiri_cl_spec_wrong(error, "%s does not fit the type %s", text,
                                   scalar->name);
    }
    store_integer(scalar, negative ? -magnitude : magnitude, to);
    return true;
}

/* "1024", "2^20", "4Ki" */
static bool read_count(const char *text, size_t length, size_t *count, GError **error)
{
    g_autofree char *number = g_strndup(text, length);
    char *end = NULL;
    errno = 0;
    uint64_t value = g_ascii_strtoull(number, &end, 10);
    bool read = errno == 0 && g_ascii_isdigit(number[0]);
    if (read && *end == '^') {
        uint64_t exponent = g_ascii_strtoull(end + 1, &end, 10);
        read = value == 2 && exponent < 40;
        value = read ? UINT64_C(1) << exponent : 0;
    } else if (read && end[0] != '\0' && end[1] == 'i') {
        const char *suffix = strchr("KMG", end[0]);
        read = suffix != NULL && value < UINT64_C(1) << 30;
        value <<= read ? 10 * (suffix - "KMG" + 1) : 0;
        end += 2;
    }
    if (!read || *end != '\0' || value > UINT64_C(1) << 40) {
        return weiri_cl_spec_wrong(
            error, "'%s' is not a number of elements, such as 1000 or 4Ki", number);
    }
    *count = value;
    return true;
}

/* ---- Lists of numbers ----------------------------------------------------------- */

/* The numbers of "{1,2,3}". Inner braces group, and mean nothing else.
 * Returns: (transfer full): or %NULL */
static char **read_list(const char *text, GError **error)
{
    size_t length = strlen(text);
    if (length < 3 || text[0] != '{' || text[length - 1] != '}') {
        weiri_cl_spec_wrong(error, "'%s' is not a list such as {1,2,3}", text);
        return NULL;
    }
    g_autofree char *inner = g_strndup(text + 1, length - 2);
    g_strdelimit(inner, "{} ", ' ');
    char **parts = g_strsplit(inner, ",", -1);
    for (size_t i = 0; parts[i] != NULL; i++) {
        g_strstrip(parts[i]);
        if (parts[i][0] == '\0') {
            weiri_cl_spec_wrong(error, "'%s' has an empty place", text);
            g_strfreev(parts);
            return NULL;
        }
    }
    return parts;
}

/* Fills @n elements with the numbers, again and again. */
static bool fill(char *const *numbers, const struct element *element, size_t n,
                 char *data, GError **error)
{
    size_t bytes = element->scalar->bytes, period = g_strv_length((char **)numbers);
    g_autofree char *values = g_malloc0(period * bytes);
    for (size_t i = 0; i < period; i++) {
        if (!read_number(numbers[i], element->scalar, values + i * bytes, error)) {
            return false;
        }
    }
    for (size_t i = 0; i < n * element->n; i++) {
        size_t place = i / element->n * room_of(element) + i % element->n;
        memcpy(data + place * bytes, values + i % period * bytes, bytes);
    }
    return true;
}

static void fill_counting(const struct element *element, size_t n, bool random,
                          size_t seed, char *data)
{
    struct weiri_rng rng = { seed };
    for (size_t i = 0; i < n * element->n; i++) {
        size_t place = i / element->n * room_of(element) + i % element->n;
        uint64_t value = random ? weiri_rng_below(&rng, 1024) : i;
        store(element->scalar, value, data + place * element->scalar->bytes);
    }
}

static bool fill_from_file(const char *path, struct weiri_cl_spec *spec, GError **error)
{
    char *contents;
    gsize length;
    if (!g_file_get_contents(path, &contents, &length, error)) {
        return false;
    }
    if (length != spec->bytes) {
        g_free(contents);
        return weiri_cl_spec_wrong(error, "%s has %zu bytes, and the buffer %zu", path,
                                   (size_t)length, spec->bytes);
    }
    spec->data = contents;
    return true;
}

/* ---- Buffers and values ---------------------------------------------------------- */

static bool read_contents(const char *text, const struct element *element,
                          size_t number, struct weiri_cl_spec *spec, GError **error)
{
    if (text[0] == '@') {
        return fill_from_file(text + 1, spec, error);
    }
    spec->data = g_try_malloc0(MAX(spec->bytes, 1));
    if (spec->data == NULL) {
        return weiri_cl_spec_wrong(error, "no memory for %zu bytes", spec->bytes);
    }
    if (strcmp(text, "iota") == 0 || strcmp(text, "random") == 0) {
        fill_counting(element, spec->n, text[0] == 'r', number, spec->data);
        return true;
    }
    const char *const one[] = { text, NULL };
    g_auto(GStrv) list = text[0] == '{' ? read_list(text, error) : NULL;
    if (text[0] == '{' && list == NULL) {
        return false;
    }
    return fill(list != NULL ? list : (char *const *)one, element, spec->n, spec->data,
                error);
}

/* TYPE[COUNT] and what follows. */
static bool read_buffer(const char *text, const char *bracket, size_t number,
                        struct weiri_cl_spec *spec, GError **error)
{
    struct element element;
    const char *close = strchr(bracket, ']');
    if (!find_element(text, (size_t)(bracket - text), &element)) {
        return weiri_cl_spec_wrong(
            error,
            "'%.*s' is not a type of elements: give char to ulong, half, "
            "float, double, or a vector such as float4; or local",
            (int)(bracket - text), text);
    }
    if (close == NULL || (close[1] != '\0' && close[1] != '=')) {
        return weiri_cl_spec_wrong(
            error, "'%s' is not of the form %s[COUNT] or %s[COUNT]=VALUES", text,
            element.name, element.name);
    }
    if (!read_count(bracket + 1, (size_t)(close - bracket - 1), &spec->n, error)) {
        return false;
    }
    spec->kind = WEIRI_CL_SPEC_BUFFER;
    spec->type = g_intern_string(element.name);
    if (!g_size_checked_mul(&spec->bytes, spec->n, bytes_of(&element))) {
        return weiri_cl_spec_wrong(error, "%zu elements are too many", spec->n);
    }
    return close[1] == '\0' || read_contents(close + 2, &element, number, spec, error);
}

/* The sizes of images, by their number: the sizes of an array end with its layers. */
static const char *const sizes_words[]
    = { "", "WIDTH", "WIDTH,HEIGHT", "WIDTH,HEIGHT,DEPTH" };

/* TYPE[WIDTH,HEIGHT] and what follows; TYPE:unorm:bgra[...], too. */
static bool read_image(const char *text, const struct weiri_cl_parameter *p,
                       size_t number, struct weiri_cl_spec *spec, GError **error)
{
    const char *bracket = strchr(text, '[');
    const char *close = bracket != NULL ? strchr(bracket, ']') : NULL;
    enum weiri_image_form form;
    unsigned n_sizes = 0;
    if (!weiri_cl_spec_form(p->base_type_name, &form, &n_sizes)) {
        return weiri_cl_spec_wrong(error,
                                   "--arg has no form for "
                                   "%s",
                                   p->base_type_name);
    }
    if (close == NULL || (close[1] != '\0' && close[1] != '=')) {
        return weiri_cl_spec_wrong(error, "an image takes TYPE[%s] or TYPE[%s]=VALUES",
                                   sizes_words[n_sizes], sizes_words[n_sizes]);
    }
    struct element element;
    size_t length = strcspn(text, ":[");
    if (!find_element(text, length, &element)) {
        return weiri_cl_spec_wrong(
            error, "'%.*s' is not a type of texels, such as float4", (int)length, text);
    }
    g_autofree char *list = g_strndup(bracket + 1, (gsize)(close - bracket - 1));
    g_auto(GStrv) counts = g_strsplit(list, ",", -1);
    size_t sizes[3] = { 1, 1, 1 }, n = 1;
    if (g_strv_length(counts) != n_sizes) {
        return weiri_cl_spec_wrong(error, "%s has %u size%s: TYPE[%s]",
                                   p->base_type_name, n_sizes, n_sizes == 1 ? "" : "s",
                                   sizes_words[n_sizes]);
    }
    for (unsigned i = 0; i < n_sizes; i++) {
        if (!read_count(counts[i], strlen(counts[i]), &sizes[i], error)) {
            return false;
        }
        if (sizes[i] == 0 || !g_size_checked_mul(&n, n, sizes[i])
            || !g_size_checked_mul(&spec->bytes, n, bytes_of(&element))) {
            return weiri_cl_spec_wrong(error, "an image of %s texels is not possible",
                                       list);
        }
    }
    g_autofree char *words = g_strndup(text + length, (gsize)(bracket - text) - length);
    spec->kind = WEIRI_CL_SPEC_IMAGE;
    spec->n = n;
    spec->type = g_intern_string(element.name);
    return weiri_cl_spec_image(element.scalar->code, element.scalar->bytes, element.n,
                               words, p->base_type_name, sizes, &spec->image, error)
        && (close[1] == '\0'
            || read_contents(close + 2, &element, number, spec, error));
}

static bool read_sampler(const char *text, struct weiri_cl_spec *spec, GError **error)
{
    uint64_t flags;
    if (!weiri_cl_spec_sampler(text, &flags, error)) {
        return false;
    }
    spec->kind = WEIRI_CL_SPEC_VALUE;
    spec->bytes = sizeof(flags);
    spec->data = g_memdup2(&flags, sizeof(flags));
    return true;
}

/* The members of a struct, each a number, by its layout. */
static bool read_members(char *const *numbers, const struct weiri_cl_parameter *p,
                         struct weiri_cl_spec *spec, GError **error)
{
    size_t n = g_strv_length((char **)numbers);
    if (n != p->n_scalars) {
        return weiri_cl_spec_wrong(error, "%s has %zu numbers, and %zu are given",
                                   p->type_name, p->n_scalars, n);
    }
    for (size_t i = 0; i < n; i++) {
        const struct weiri_cl_scalar *member = &p->scalars[i];
        for (size_t k = 0; k < G_N_ELEMENTS(scalars); k++) {
            if ((scalars[k].code == 'f') == (member->floating != 0)
                && scalars[k].bytes == member->bytes) {
                /* The widest range of a size: signs are not known here. */
                struct scalar any = scalars[k];
                if (!read_number(numbers[i], &any, (char *)spec->data + member->offset,
                                 error)) {
                    return false;
                }
                break;
            }
        }
    }
    return true;
}

static bool read_value(const char *text, const struct weiri_cl_parameter *p,
                       struct weiri_cl_spec *spec, GError **error)
{
    spec->kind = WEIRI_CL_SPEC_VALUE;
    spec->bytes = p->bytes;
    spec->data = g_malloc0(MAX(p->bytes, 1));
    const char *const one[] = { text, NULL };
    g_auto(GStrv) list = text[0] == '{' ? read_list(text, error) : NULL;
    if (text[0] == '{' && list == NULL) {
        return false;
    }
    char *const *numbers = list != NULL ? list : (char *const *)one;
    struct element element;
    bool known = find_element(p->base_type_name, strlen(p->base_type_name), &element);
    if (!known) {
        return read_members(numbers, p, spec, error);
    }
    size_t n = g_strv_length((char **)numbers);
    if (n != element.n && n != 1) {
        return weiri_cl_spec_wrong(error, "%s has %u components, and %zu are given",
                                   element.name, element.n, n);
    }
    return fill(numbers, &element, 1, spec->data, error);
}

static bool is_pointer(const struct weiri_cl_parameter *p)
{
    return p->kind == WEIRI_CL_GLOBAL || p->kind == WEIRI_CL_CONSTANT;
}

static bool read_local(const char *text, struct weiri_cl_spec *spec, GError **error)
{
    const char *close = strchr(text, ']');
    spec->kind = WEIRI_CL_SPEC_LOCAL;
    return close != NULL && close[1] == '\0'
        ? read_count(text, (size_t)(close - text), &spec->bytes, error)
        : weiri_cl_spec_wrong(error, "local memory is written as local[BYTES]");
}

static bool read_any(const char *text, const struct weiri_cl_parameter *p,
                     size_t number, struct weiri_cl_spec *spec, GError **error)
{
    const char *bracket = strchr(text, '[');
    if (p->kind == WEIRI_CL_LOCAL) {
        return g_str_has_prefix(text, "local[")
            ? read_local(text + strlen("local["), spec, error)
            : weiri_cl_spec_wrong(error,
                                  "a pointer to local memory takes local[BYTES]");
    }
    if (is_pointer(p) && strcmp(text, "null") == 0) {
        spec->kind = WEIRI_CL_SPEC_NULL;
        return true;
    }
    if (is_pointer(p) && bracket != NULL) {
        return g_str_has_prefix(text, "local[")
            ? weiri_cl_spec_wrong(
                error,
                "local memory is not for a pointer to global memory: give "
                "TYPE[COUNT]")
            : read_buffer(text, bracket, number, spec, error);
    }
    if (is_pointer(p)) {
        return weiri_cl_spec_wrong(error,
                                   "a pointer takes a buffer, TYPE[COUNT], or null");
    }
    if (p->kind == WEIRI_CL_VALUE) {
        return bracket == NULL
            ? read_value(text, p, spec, error)
            : weiri_cl_spec_wrong(
                error, "%s is not a pointer: give a number, or a list such as {1,2}",
                p->type_name);
    }
    if (p->kind == WEIRI_CL_IMAGE) {
        return read_image(text, p, number, spec, error);
    }
    if (p->kind == WEIRI_CL_SAMPLER) {
        return read_sampler(text, spec, error);
    }
    return weiri_cl_spec_wrong(
        error, "%s cannot be given here: run a program that makes one", p->type_name);
}

bool weiri_cl_spec_read(const char *text, const struct weiri_cl_parameter *parameter,
                        size_t number, struct weiri_cl_spec *spec, GError **error)
{
    *spec = (struct weiri_cl_spec){ 0 };
    if (!read_any(text, parameter, number, spec, error)) {
        weiri_cl_spec_clear(spec);
        return false;
    }
    return true;
}

void weiri_cl_spec_clear(struct weiri_cl_spec *spec)
{
    g_clear_pointer(&spec->data, g_free);
}

/* ---- The way back ---------------------------------------------------------------- */

static char *example_of_image(const struct weiri_cl_parameter *p)
{
    static const char *const sizes[] = { "", "N", "N,N", "N,N,N" };
    enum weiri_image_form form;
    unsigned n = 0;
    if (!weiri_cl_spec_form(p->base_type_name, &form, &n)) {
        return g_strdup("?");
    }
    bool depth = strstr(p->base_type_name, "depth") != NULL;
    return g_strdup_printf("%s[%s]", depth ? "float" : "float4", sizes[n]);
}

char *weiri_cl_spec_example(const struct weiri_cl_parameter *p)
{
    /* clang's base type of float4 is float with an attribute. */
    struct element element;
    bool known
        = find_element(p->base_type_name, strcspn(p->base_type_name, "*"), &element)
        || find_element(p->type_name, strcspn(p->type_name, "*"), &element);
    switch (p->kind) {
    case WEIRI_CL_GLOBAL:
    case WEIRI_CL_CONSTANT:
        return known ? g_strdup_printf("%s[N]", element.name)
                     : g_strdup_printf("uchar[N]");
    case WEIRI_CL_LOCAL:
        return g_strdup("local[BYTES]");
    case WEIRI_CL_VALUE:
        return g_strdup(known && element.n == 1 ? "NUMBER" : "{NUMBER,...}");
    case WEIRI_CL_IMAGE:
        return example_of_image(p);
    case WEIRI_CL_SAMPLER:
        return g_strdup("sampler");
    default:
        return g_strdup("?");
    }
}

static void add_number(GString *out, const struct scalar *scalar, const void *from)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (scalar->code == 'f') {
        double wide = 0;
        float narrow;
        uint16_t half;
        if (scalar->bytes == sizeof(double)) {
            memcpy(&wide, from, sizeof(wide));
        } else if (scalar->bytes == sizeof(float)) {
            memcpy(&narrow, from, sizeof(narrow));
            wide = (double)narrow;
        } else {
            memcpy(&half, from, sizeof(half));
            wide = (double)weiri_image_half_value(half);
        }
        const char *format = scalar->bytes == sizeof(double) ? "%.17g" : "%.9g";
        g_string_append(out, g_ascii_formatd(text, sizeof(text), format, wide));
        return;
    }
    uint64_t bits = 0;
    memcpy(&bits, from, scalar->bytes);
    int shift = 64 - 8 * scalar->bytes;
    if (scalar->code == 'i') {
        g_string_append_printf(out, "%" G_GINT64_FORMAT,
                               (int64_t)(bits << shift) >> shift);
    } else {
        g_string_append_printf(out, "%" G_GUINT64_FORMAT, bits);
    }
}

char *weiri_cl_spec_text(const char *type, const void *data, size_t n)
{
    struct element element;
    g_return_val_if_fail(find_element(type, strlen(type), &element), NULL);
    GString *out = g_string_new(type);
    g_string_append_c(out, '{');
    for (size_t i = 0; i < n * element.n; i++) {
        size_t place = i / element.n * room_of(&element) + i % element.n;
        g_string_append(out, i == 0 ? "" : ",");
        add_number(out, element.scalar,
                   (const char *)data + place * element.scalar->bytes);
    }
    g_string_append_c(out, '}');
    return g_string_free(out, FALSE);
}
