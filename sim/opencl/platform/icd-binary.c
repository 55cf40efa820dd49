/* SPDX-License-Identifier: MIT
 *
 * icd-binary.c: programs as bytes. The device's "machine code" is the source: it is
 * built where it runs, and the cache has earlier builds.
 *
 *     "weir-opencl-program 1\n", the type, then texts: the options, and for each part
 *     its name, its text and its headers in the same form. A text is its length in
 *     decimal, a blank, its bytes and a line's end; "-" stands for a missing text. A
 *     list begins with its length. */
#include "config.h"

#include "opencl/platform/icd-program.h"

#include <string.h>

static const char MAGIC[] = "weir-opencl-program 1\n";

/* Headers of headers; a file that claims more is not a program. */
enum { MOST_DEPTH = 4, MOST_PARTS = 65536 };

static void put_text(GByteArray *out, const char *text)
{
    g_autofree char *head
        = text != NULL ? g_strdup_printf("%zu ", strlen(text)) : g_strdup("-");
    g_byte_array_append(out, (const guint8 *)head, (guint)strlen(head));
    if (text != NULL) {
        g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text));
    }
    g_byte_array_append(out, (const guint8 *)"\n", 1);
}

static void put_number(GByteArray *out, guint number)
{
    g_autofree char *text = g_strdup_printf("%u\n", number);
    g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text));
}

static void put_parts(GByteArray *out, const GPtrArray *parts)
{
    put_number(out, parts->len);
    for (guint i = 0; i < parts->len; i++) {
        const struct weiri_icd_part *part = g_ptr_array_index(parts, i);
        put_text(out, part->name);
        put_text(out, part->text);
        put_parts(out, part->headers);
    }
}

GBytes *weiri_icd_to_binary(const struct _cl_program *program)
{
    GByteArray *out = g_byte_array_new();
    g_byte_array_append(out, (const guint8 *)MAGIC, sizeof(MAGIC) - 1);
    put_number(out, program->type);
    put_text(out, program->options);
    put_parts(out, program->parts);
    return g_byte_array_free_to_bytes(out);
}

/* The bytes that are left to read. */
struct reader {
    const char *at, *end;
};

static bool get_number(struct reader *reader, char after, guint *number)
{
    guint64 value = 0;
    const char *at = reader->at;
    while (at < reader->end && g_ascii_isdigit(*at) && value < G_MAXUINT32) {
        value = value * 10 + (guint64)(*at++ - '0');
    }
    if (at == reader->at || at == reader->end || *at != after || value > G_MAXUINT32) {
        return false;
    }
    reader->at = at + 1;
    *number = (guint)value;
    return true;
}

/* @text: (out): owned, or NULL */
static bool get_text(struct reader *reader, char **text)
{
    guint bytes;
    if (reader->end - reader->at >= 2 && memcmp(reader->at, "-\n", 2) == 0) {
        reader->at += 2;
        return true;
    }
    if (!get_number(reader, ' ', &bytes) || reader->end - reader->at <= (gint64)bytes
        || reader->at[bytes] != '\n' || memchr(reader->at, '\0', bytes) != NULL) {
        return false;
    }
    *text = g_strndup(reader->at, bytes);
    reader->at += bytes + 1;
    return true;
}

static bool get_parts(struct reader *reader, GPtrArray *parts, unsigned depth)
{
    guint n;
    if (depth > MOST_DEPTH || !get_number(reader, '\n', &n) || n > MOST_PARTS) {
        return false;
    }
    for (guint i = 0; i < n; i++) {
        struct weiri_icd_part *part = weiri_icd_part(NULL, NULL);
        g_ptr_array_add(parts, part);
        if (!get_text(reader, &part->name) || !get_text(reader, &part->text)
            || part->text == NULL || !get_parts(reader, part->headers, depth + 1)) {
            return false;
        }
    }
    return true;
}

bool weiri_icd_from_binary(struct _cl_program *program, const unsigned char *data,
                           size_t bytes)
{
    struct reader reader = { (const char *)data, (const char *)data + bytes };
    guint type;
    if (bytes < sizeof(MAGIC) || memcmp(data, MAGIC, sizeof(MAGIC) - 1) != 0) {
        return false;
    }
    reader.at += sizeof(MAGIC) - 1;
    if (!get_number(&reader, '\n', &type) || type > CL_PROGRAM_BINARY_TYPE_EXECUTABLE
        || !get_text(&reader, &program->options)
        || !get_parts(&reader, program->parts, 0) || reader.at != reader.end) {
        return false;
    }
    program->type = type;
    return true;
}
