/* SPDX-License-Identifier: MIT
 *
 * rewrite-alignment.c: the alignment of vectors. Before checked code accesses a vector,
 * it asks the machine whether the address is a multiple of the vector's size. */
#include "config.h"

#include "opencl/rewriter.h"

#include <string.h>

/* "<4 x i32>": 'int4', in quotes as the compilers have the names of types. */
static char *vector_text(size_t n, const char *element)
{
    static const struct {
        const char *element, *name;
    } names[] = { { "i8", "char" },
                  { "i16", "short" },
                  { "i32", "int" },
                  { "i64", "long" },
                  { "half", "half" } };
    const char *name = element;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        name = strcmp(names[i].element, element) == 0 ? names[i].name : name;
    }
    return g_strdup_printf("'%s%zu'", name, n);
}

/* clang has no check of the alignment of pointers to address spaces. A type of less
 * alignment (packed, aligned(4)) shows by that of the access. */
void weiri_rewriter_add_alignment(struct weiri_rewriter *rewriter,
                                  const struct weiri_ir_access *access,
                                  const char *pointer, size_t hooked)
{
    char *element = NULL;
    size_t n = weiri_ir_elements(access->type, &element), bytes = 0, alignment;
    if (n > 0 && weiri_ir_layout(&rewriter->tables, access->type, &bytes, &alignment)
        && bytes > hooked && access->alignment >= bytes) {
        char *type = vector_text(n, element), *size = g_strdup_printf("%zu", bytes),
             *text = weiri_rewriter_text(rewriter, type), *space = strchr(text, ' ');
        char *of = g_strndup(text, (gsize)(space - text));
        const struct weiri_ir_operand operands[]
            = { { access->pointer_type, (char *)"", (char *)pointer },
                { (char *)"i64", (char *)"", size },
                { of, (char *)"", space + 1 },
                { (char *)"i32", (char *)"",
                  (char *)(access->result != NULL ? "0" : "1") } };
        if (!weiri_rewriter_call_c(rewriter, rewriter->body, "weiri_cl_aligned", NULL,
                                   "void", operands, G_N_ELEMENTS(operands),
                                   access->place)) {
            g_ptr_array_add(rewriter->missing, g_strdup("weiri_cl_aligned()"));
        }
        g_free(type);
        g_free(size);
        g_free(text);
        g_free(of);
    }
    g_free(element);
}
