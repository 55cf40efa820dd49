/* SPDX-License-Identifier: MIT
 *
 * input.c: reading a file of int32 values. All bytes of a file decide its
 * form, by the rule in kernels.h: printable ASCII is text, anything else is raw.
 * So a letter or a decimal point in a text file is an error with a
 * line and a column; it does not silently make the file raw. The price: a raw
 * file whose every byte happens to be printable is taken for text, and then
 * nearly always refused.
 *
 * Invariants: a file is read whole or refused; no value is clamped, no line and
 * no trailing byte is dropped. */
#include "kernels.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Shown bytes of a refused word: enough for any int32, and to recognise others. */
enum { SHOWN_BYTES = 20 };

/* Bytes to read at first; doubled as long as a file fills them. */
enum { FIRST_CAPACITY = 64 * 1024 };

/* A file in memory, with a place in it for messages. */
struct source {
    const char *path;
    const char *bytes; /* ends in a NUL that is not counted */
    size_t length;
};

struct place {
    size_t line;   /* from 1 */
    size_t column; /* from 1, in bytes */
};

static struct place place_of(const struct source *source, size_t offset)
{
    struct place place = { 1, 1 };
    for (size_t i = 0; i < offset; i++) {
        if (source->bytes[i] == '\n') {
            place.line++;
            place.column = 1;
        } else {
            place.column++;
        }
    }
    return place;
}

/* White space of the C locale; GLib's own test leaves out the vertical tab. */
static bool is_space(char byte)
{
    return g_ascii_isspace(byte) || byte == '\v';
}

/* The offset of the first byte that text does not hold; the length if none. */
static size_t first_raw_byte(const struct source *source)
{
    for (size_t i = 0; i < source->length; i++) {
        if (!g_ascii_isprint(source->bytes[i]) && !is_space(source->bytes[i])) {
            return i;
        }
    }
    return source->length;
}

/* ---- Text ------------------------------------------------------------------- */

static bool refuse_text(const struct source *source, size_t offset, const char *problem,
                        GError **error)
{
    struct place place = place_of(source, offset);
    size_t end = offset;
    while (end < source->length && !is_space(source->bytes[end])
           && end - offset < SHOWN_BYTES) {
        end++;
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                "%s:%zu:%zu: '%.*s' %s: give one integer from -2147483648 to "
                "2147483647 a line",
                source->path, place.line, place.column, (int)(end - offset),
                source->bytes + offset, problem);
    return false;
}

/* Reads the integer at *offset, which a blank or an end must follow, and moves
 * past it. */
static bool read_integer(const struct source *source, size_t *offset, int32_t *value,
                         GError **error)
{
    const char *bytes = source->bytes;
    size_t at = *offset;
    bool negative = bytes[at] == '-';
    if (bytes[at] == '-' || bytes[at] == '+') {
        at++;
    }
    size_t first_digit = at;
    int64_t magnitude = 0;
    int64_t limit = negative ? -(int64_t)INT32_MIN : INT32_MAX;
    bool in_range = true;
    for (; g_ascii_isdigit(bytes[at]); at++) {
        magnitude = in_range ? magnitude * 10 + (bytes[at] - '0') : 0;
        in_range = in_range && magnitude <= limit;
    }
    if (at == first_digit || (bytes[at] != '\0' && !is_space(bytes[at]))) {
        return refuse_text(source, *offset, "is not an integer", error);
    }
    if (!in_range) {
        return refuse_text(source, *offset, "is out of the range of int32", error);
    }
    *value = (int32_t)(negative ? -magnitude : magnitude);
    *offset = at;
    return true;
}

/* Counts the integers of a text, and stores them where @values is not NULL. */
static bool read_text(const struct source *source, int32_t *values, size_t *n,
                      GError **error)
{
    bool line_has_value = false;
    *n = 0;
    for (size_t at = 0; at < source->length;) {
        if (is_space(source->bytes[at])) {
            line_has_value = line_has_value && source->bytes[at] != '\n';
            at++;
            continue;
        }
        if (line_has_value) {
            return refuse_text(source, at, "is a second value on its line", error);
        }
        int32_t value = 0;
        if (!read_integer(source, &at, &value, error)) {
            return false;
        }
        if (values != NULL) {
            values[*n] = value;
        }
        line_has_value = true;
        ++*n;
    }
    return true;
}

/* ---- Raw -------------------------------------------------------------------- */

static bool count_raw(const struct source *source, size_t raw_byte, size_t *n,
                      GError **error)
{
    *n = source->length / sizeof(int32_t);
    if (source->length % sizeof(int32_t) == 0) {
        return true;
    }
    struct place place = place_of(source, raw_byte);
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                "%s:%zu:%zu: byte 0x%02x is not text, so the file is raw int32, but "
                "its size of %zu bytes is not a multiple of 4: give whole values, or "
                "text with one integer a line",
                source->path, place.line, place.column,
                (unsigned)(unsigned char)source->bytes[raw_byte], source->length);
    return false;
}

static void read_raw(const struct source *source, int32_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int32_t value;
        memcpy(&value, source->bytes + i * sizeof value, sizeof value);
        values[i] = GINT32_FROM_LE(value);
    }
}

/* ---- Both ------------------------------------------------------------------- */

static bool check_bins(const char *path, const int32_t *values, size_t n,
                       GError **error)
{
    for (size_t i = 0; i < n; i++) {
        if (values[i] < 0 || values[i] >= KERNEL_BINS) {
            g_set_error(
                error, WEIR_ERROR, WEIR_ERROR_INPUT,
                "%s: value %d at index %zu is not a bin: give a histogram values "
                "from 0 to %d",
                path, values[i], i, KERNEL_BINS - 1);
            return false;
        }
    }
    return true;
}

static void convert_to_floats(void *memory, size_t n)
{
    char *bytes = memory;
    for (size_t i = 0; i < n; i++) {
        int32_t value;
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        float nearest = (float)value;
        memcpy(bytes + i * sizeof nearest, &nearest, sizeof nearest);
    }
}

static void *read_source(const struct source *source, const struct kernel_row *row,
                         struct weir_device *device, size_t *n, GError **error)
{
    size_t raw_byte = first_raw_byte(source);
    bool text = raw_byte == source->length;
    if (!(text ? read_text(source, NULL, n, error)
               : count_raw(source, raw_byte, n, error))) {
        return NULL;
    }
    int32_t *in = weir_try_new(device, int32_t, *n, "in", error);
    if (in == NULL) {
        return NULL;
    }
    if (text) {
        read_text(source, in, n, NULL);
    } else {
        read_raw(source, in, *n);
    }
    if (row->family == KERNEL_HISTOGRAM && !check_bins(source->path, in, *n, error)) {
        weir_free(device, in);
        return NULL;
    }
    if (row->element == KERNEL_FLOAT) {
        convert_to_floats(in, *n);
    }
    return in;
}

/* All bytes of a file, with a NUL after them; %NULL with errno set. Read and not
 * mapped: pipes can be read, and a file that shrinks meanwhile causes no fault. */
static char *read_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    size_t capacity = FIRST_CAPACITY;
    char *bytes = g_try_malloc(capacity);
    *length = 0;
    while (bytes != NULL) {
        *length += fread(bytes + *length, 1, capacity - 1 - *length, file);
        if (*length < capacity - 1) {
            break;
        }
        capacity *= 2;
        char *larger = g_try_realloc(bytes, capacity);
        if (larger == NULL) {
            g_free(bytes);
        }
        bytes = larger;
    }
    int failed = bytes == NULL ? ENOMEM : ferror(file) ? errno : 0;
    fclose(file);
    if (failed != 0) {
        g_free(bytes);
        errno = failed;
        return NULL;
    }
    bytes[*length] = '\0';
    return bytes;
}

void *kernel_input_read(const struct kernel_row *row, struct weir_device *device,
                        const char *path, size_t *n, GError **error)
{
    struct source source = { .path = path };
    g_autofree char *bytes = read_bytes(path, &source.length);
    *n = 0;
    if (bytes == NULL) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "cannot read %s: %s", path,
                    g_strerror(errno));
        return NULL;
    }
    source.bytes = bytes;
    return read_source(&source, row, device, n, error);
}
