/* SPDX-License-Identifier: MIT
 *
 * rewriter.c: what all files of rewriting add to a module: names of values, constants,
 * sites and declarations. */
#include "config.h"

#include "opencl/rewriter.h"

#include <string.h>

/* ---- Names and constants ------------------------------------------------ */

const char *weiri_rewriter_bytes(const struct weiri_rewriter *rewriter)
{
    return rewriter->opaque ? "ptr" : "i8*";
}

char *weiri_rewriter_pointer(const struct weiri_rewriter *rewriter, const char *type)
{
    return rewriter->opaque ? g_strdup("ptr") : g_strconcat(type, "*", NULL);
}

char *weiri_rewriter_value(struct weiri_rewriter *rewriter)
{
    return g_strdup_printf("%%weiri.%u", rewriter->count++);
}

const char *weiri_rewriter_item(const struct weiri_rewriter *rewriter)
{
    return rewriter->opaque ? "ptr" : "%struct.weir_item*";
}

void weiri_rewriter_declare(struct weiri_rewriter *rewriter, const char *line)
{
    /* A name is declared once: "declare i32 @f(…)" and "%T = type opaque". */
    const char *at = strchr(line, line[0] == '%' ? '%' : '@');
    char *name = at != NULL ? g_strndup(at, (gsize)(weiri_ir_name_end(at) - at))
                            : g_strdup(line);
    if (g_hash_table_add(rewriter->declared, name)) {
        g_string_append_printf(rewriter->tail, "%s\n", line);
    }
}

size_t weiri_rewriter_element_bytes(const struct weiri_rewriter *rewriter,
                                    const char *type)
{
    const char *element = type;
    while (*element == '[') {
        const char *of = strstr(element, " x ");
        if (of == NULL) {
            break;
        }
        element = of + 3;
    }
    char *text = g_strndup(element, strcspn(element, "]"));
    size_t bytes = 0, alignment;
    if (!weiri_ir_layout(&rewriter->tables, text, &bytes, &alignment)) {
        bytes = 1;
    }
    g_free(text);
    return MAX(bytes, 1);
}

/* The bytes of a string as IR has them, with the one that ends it. */
static void append_bytes(GString *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') {
            g_string_append_printf(out, "\\%02X", c);
        } else {
            g_string_append_c(out, (char)c);
        }
    }
    g_string_append(out, "\\00");
}

char *weiri_rewriter_text(struct weiri_rewriter *rewriter, const char *text)
{
    if (text == NULL) {
        return g_strdup_printf("%s null", weiri_rewriter_bytes(rewriter));
    }
    size_t size = strlen(text) + 1;
    const char *name = g_hash_table_lookup(rewriter->texts, text);
    if (name == NULL) {
        char *fresh = g_strdup_printf("@weiri.text.%u", rewriter->count++);
        g_string_append_printf(rewriter->tail,
                               "%s = private unnamed_addr constant [%zu x i8] c\"",
                               fresh, size);
        append_bytes(rewriter->tail, text);
        g_string_append(rewriter->tail, "\", align 1\n");
        g_hash_table_insert(rewriter->texts, g_strdup(text), fresh);
        name = fresh;
    }
    return rewriter->opaque
        ? g_strdup_printf("ptr %s", name)
        : g_strdup_printf("i8* bitcast([%zu x i8]*%s to i8*)", size, name);
}

char *weiri_rewriter_site(struct weiri_rewriter *rewriter, const char *file,
                          unsigned line, const char *name)
{
    char *texts[] = { weiri_rewriter_text(rewriter, file),
                      weiri_rewriter_text(rewriter, rewriter->function),
                      weiri_rewriter_text(rewriter, name) };
    unsigned number = rewriter->count++;
    g_string_append_printf(rewriter->tail,
                           "@weiri.site.%u = private constant %%weiri.site { %s, %s, "
                           "i32 %u, %s }, align 8\n",
                           number, texts[0], texts[1], line, texts[2]);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_free(texts[i]);
    }
    return g_strdup_printf("%s @weiri.site.%u",
                           rewriter->opaque ? "ptr" : "%weiri.site*", number);
}

/* The path of a file as it was given. If an absolute path shares leading folders with
 * the current folder, clang keeps these apart from the rest of the path. */
static char *path_of(const char *node)
{
    char *name = weiri_ir_field(node, "filename"),
         *folder = weiri_ir_field(node, "directory"), *current = g_get_current_dir();
    if (name != NULL && folder != NULL && !g_path_is_absolute(name)
        && g_str_has_prefix(current, folder) && strcmp(current, folder) != 0) {
        char *path = g_build_filename(folder, name, NULL);
        g_free(name);
        name = path;
    }
    g_free(folder);
    g_free(current);
    return name;
}

void weiri_rewriter_place(const struct weiri_rewriter *rewriter, const char *line,
                          char **file, unsigned *number)
{
    const struct weiri_ir_tables *tables = &rewriter->tables;
    const char *location = weiri_ir_attached(tables, line, "dbg");
    char *text = weiri_ir_field(location, "line");
    *number = text != NULL ? (unsigned)g_ascii_strtoull(text, NULL, 10) : 0;
    g_free(text);
    *file = path_of(
        weiri_ir_node(tables, weiri_ir_node(tables, location, "scope"), "file"));
}
