/* SPDX-License-Identifier: MIT
 *
 * ir.h: lines of LLVM's IR as text: types, operands, calls, metadata. It knows both
 * forms of pointers, `i32*` of LLVM 14 and `ptr`, and no more of the language than what
 * clang's front end writes for OpenCL C. */
#ifndef WEIRI_IR_H
#define WEIRI_IR_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The end of the bracket or the string that begins at @at; of anything else, the next
 *  character. */
const char *weiri_ir_skip(const char *at);

/** The end of the type that begins at @at, or %NULL where there is none. */
const char *weiri_ir_type_end(const char *at);

/** The end of the name that begins at @at, with its sigil: @f, %3, @"a b". */
const char *weiri_ir_name_end(const char *at);

/** The first character of @set outside of brackets and strings, from @at to @end; or
 *  %NULL. */
const char *weiri_ir_find(const char *at, const char *end, const char *set);

/** The texts between the commas of a list, without blanks around them. Returns:
 *  (transfer full): of strings */
GPtrArray *weiri_ir_list(const char *at, const char *end);

/** A line without address spaces, and without what else is of SPIR-V alone. Returns:
 *  (transfer full) */
char *weiri_ir_plain(const char *line);

/**
 * weiri_ir_operand: of a call or of a function
 * @type: "i32"
 * @attributes: "noundef signext", or ""
 * @value: "%3", "null", "bitcast (…)", or ""
 */
struct weiri_ir_operand {
    char *type;
    char *attributes;
    char *value;
};

/**
 * weiri_ir_call: the parts of a call, a declaration or a definition
 * @result: "%3", or %NULL
 * @type: of what is returned
 * @variadic: the function takes more arguments
 * @callee: "@f" or "%3"
 * @operands: of struct weiri_ir_operand
 * @name: where the callee stands in the line
 * @open: the parenthesis of the list
 * @close: its end, behind the other one
 */
struct weiri_ir_call {
    char *result;
    char *type;
    bool variadic;
    char *callee;
    GArray *operands;
    const char *name;
    const char *open;
    const char *close;
};

/** Takes an instruction apart that is a call. Returns: false where it is none */
bool weiri_ir_call_parse(const char *line, struct weiri_ir_call *call);

/** The same for a line that begins with "define" or "declare". */
bool weiri_ir_header_parse(const char *line, struct weiri_ir_call *header);

void weiri_ir_call_clear(struct weiri_ir_call *call);

/* The parts of "  %3 = load <3 x i32>, <3 x i32>* %2, align 16, !dbg !4" and of
 * "  store i32 %1, i32* %2, align 4". */
struct weiri_ir_access {
    char *result; /* of a load, else NULL */
    char *type;
    char *value; /* of a store, else NULL */
    char *pointer_type, *pointer;
    unsigned alignment;
    char *place; /* ", !dbg !4" */
};

/** Takes an instruction apart that is a plain load or store. Returns: false where it is
 *  none, and there is nothing to be cleared */
bool weiri_ir_access_parse(const char *line, struct weiri_ir_access *access);
void weiri_ir_access_clear(struct weiri_ir_access *access);

/** "<8 x float>": 8, and "float" in *@element, which is (transfer full). Returns: 0 for
 *  other types */
size_t weiri_ir_elements(const char *type, char **element);

/** Metadata of a file: what is behind "!12 = ", by "!12"; and types, by "%struct.S". */
struct weiri_ir_tables {
    GHashTable *metadata;
    GHashTable *types;
};

/** What "@key: " is in "!DILocation(line: 3, …)", without quotes. Returns:
 *  (transfer full): or %NULL */
char *weiri_ir_field(const char *node, const char *key);

/** The node that @key of @node names, or %NULL; borrowed. */
const char *weiri_ir_node(const struct weiri_ir_tables *tables, const char *node,
                          const char *key);

/** The metadata that "!key !12" of a line names, or %NULL; borrowed. */
const char *weiri_ir_attached(const struct weiri_ir_tables *tables, const char *line,
                              const char *key);

/** Size and alignment in memory of a type, as x86-64 and aarch64 have them. Returns:
 *  false where the type has none */
bool weiri_ir_layout(const struct weiri_ir_tables *tables, const char *type,
                     size_t *bytes, size_t *alignment);

/** Sets those bytes of @map to 'x' that belong to members of such a value: the others
 *  are padding, or of a union. @map has the size of the type. */
void weiri_ir_mark_members(const struct weiri_ir_tables *tables, const char *type,
                           char *map);

#endif
