/* SPDX-License-Identifier: MIT
 *
 * debug.c: names, files, lines and types, from debug information. Its nodes are lists
 * of operands to the C API: see opencl-cc/debug.c. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <string.h>

#include "opencl-cc/clc.h"

/* Kinds of metadata, and places of operands: numbers of LLVM's interface. */
enum { DERIVED_TYPE = 12, COMPOSITE_TYPE = 13, SUBPROGRAM = 17 };
enum { SCOPE = 1, NAME = 2, LINKAGE_NAME = 3, TYPES = 3, BASE = 3 };
enum { TYPE_OF_SUBPROGRAM = 4 };
enum { MOST_DEPTH = 32 };

static struct llvm_value *as_value(struct llvm_metadata *metadata)
{
    return metadata != NULL ? llvm.MetadataAsValue(weiri_ir_context(), metadata) : NULL;
}

static bool is_of_headers(const struct weiri_cuda_code *code, const char *path)
{
    return code->headers != NULL && path != NULL
        && g_str_has_prefix(path, code->headers);
}

static int kind_of(struct llvm_value *node)
{
    return llvm.GetMetadataKind(llvm.ValueAsMetadata(node));
}

/* The name of the function that a scope is in, if it is a function of no class and no
 * namespace: others are not called by that name alone. A name of the machine stands for
 * one that clang knows: "weiri_syncthreads". Returns: (transfer full), or NULL */
static char *function_of(struct llvm_metadata *scope)
{
    struct llvm_value *node = as_value(scope);
    for (int i = 0; i < MOST_DEPTH && node != NULL && kind_of(node) != SUBPROGRAM;
         i++) {
        node = weiri_clc_operand(node, SCOPE);
    }
    g_autofree char *symbol = weiri_clc_string(node, LINKAGE_NAME);
    char *name = weiri_clc_string(node, NAME);
    if (name == NULL || (symbol != NULL && g_str_has_prefix(symbol, "_ZN"))) {
        g_free(name);
        return NULL;
    }
    char *end = strchr(name, '<');
    if (end != NULL) {
        *end = '\0';
    }
    static const char OWN[] = "weiri_";
    if (g_str_has_prefix(name, OWN)) {
        g_autofree char *own = name;
        name = g_strconcat("__", own + strlen(OWN), NULL);
    }
    return name;
}

void weiri_cuda_place(const struct weiri_cuda_code *code,
                      struct llvm_value *instruction, char **file, unsigned *line,
                      char **called)
{
    struct llvm_metadata *location = llvm.InstructionGetDebugLoc(instruction), *scope;
    *file = NULL;
    *line = 0;
    g_autofree char *function = NULL;
    while (location != NULL) {
        g_free(*file);
        *line = llvm.DILocationGetLine(location);
        scope = llvm.DILocationGetScope(location);
        *file = weiri_clc_path(llvm.DIScopeGetFile(scope));
        if (!is_of_headers(code, *file)) {
            break;
        }
        g_free(function);
        function = function_of(scope);
        location = llvm.DILocationGetInlinedAt(location);
    }
    if (called != NULL) {
        *called = g_steal_pointer(&function);
    }
}

char *weiri_cuda_function_name(struct llvm_value *function)
{
    struct llvm_metadata *subprogram = llvm.GetSubprogram(function);
    return subprogram != NULL ? weiri_clc_subprogram_name(subprogram) : NULL;
}

void weiri_cuda_function_place(struct llvm_value *function, char **file, unsigned *line)
{
    struct llvm_metadata *subprogram = llvm.GetSubprogram(function);
    *line = subprogram != NULL ? llvm.DISubprogramGetLine(subprogram) : 0;
    *file = subprogram != NULL ? weiri_clc_path(llvm.DIScopeGetFile(subprogram)) : NULL;
}

/* ---- Parameters ------------------------------------------------------------ */

static struct llvm_value *types_of(struct llvm_value *function)
{
    struct llvm_value *type
        = weiri_clc_operand(as_value(llvm.GetSubprogram(function)), TYPE_OF_SUBPROGRAM);
    return weiri_clc_operand(type, TYPES);
}

/* The first type is what the function returns. */
unsigned weiri_cuda_n_parameters(struct llvm_value *function)
{
    struct llvm_value *types = types_of(function);
    unsigned n = types != NULL ? llvm.GetMDNodeNumOperands(types) : 0;
    return n > 0 ? n - 1 : 0;
}

/* Without typedefs and qualifiers, which have no size. */
static struct llvm_value *bare_type(struct llvm_value *type)
{
    for (int i = 0; i < MOST_DEPTH && type != NULL && kind_of(type) == DERIVED_TYPE
         && llvm.DITypeGetSizeInBits(llvm.ValueAsMetadata(type)) == 0;
         i++) {
        type = weiri_clc_operand(type, BASE);
    }
    return type;
}

size_t weiri_cuda_parameter_bytes(struct llvm_value *function, unsigned index)
{
    struct llvm_value *type
        = bare_type(weiri_clc_operand(types_of(function), index + 1));
    return type != NULL ? llvm.DITypeGetSizeInBits(llvm.ValueAsMetadata(type)) / 8 : 0;
}

bool weiri_cuda_parameter_is_class(struct llvm_value *function, unsigned index)
{
    struct llvm_value *type
        = bare_type(weiri_clc_operand(types_of(function), index + 1));
    return type != NULL && kind_of(type) == COMPOSITE_TYPE;
}

/* ---- Variables ------------------------------------------------------------- */

void weiri_cuda_describe_global(struct llvm_value *global, char **name, char **file,
                                unsigned *line)
{
    struct llvm_value *node = weiri_clc_attached(global, "dbg");
    *name = *file = NULL;
    *line = 0;
    if (node != NULL) {
        struct llvm_metadata *about
            = llvm.DIGlobalVariableExpressionGetVariable(llvm.ValueAsMetadata(node));
        *name = weiri_clc_variable_name(about);
        *file = weiri_clc_path(llvm.DIVariableGetFile(about));
        *line = llvm.DIVariableGetLine(about);
    }
}
