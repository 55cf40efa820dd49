/* SPDX-License-Identifier: MIT
 *
 * source.h: the statements of a C or C++ file as its text shows them, without
 * preprocessing: where a fix can be inserted, and inside of which statement it would
 * be.
 *
 * Any bytes are a file: text that is not understood is simple statements. Statements
 * are numbered in the order in which they begin, and 0 is the file. Offsets are bytes
 * from the file's begin, lines count from 1; the end of a range is exclusive. */
#ifndef WEIRI_SOURCE_H
#define WEIRI_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weiri_statement_kind {
    WEIRI_STATEMENT_FILE,
    WEIRI_STATEMENT_FUNCTION, /* and WEIR_KERNEL(name, args_type) { … }, and a lambda */
    WEIRI_STATEMENT_BLOCK,
    WEIRI_STATEMENT_IF,   /* its children: a branch, and one that is_else if there is */
    WEIRI_STATEMENT_LOOP, /* for, while, do */
    WEIRI_STATEMENT_SWITCH,
    WEIRI_STATEMENT_MACRO,   /* weir_for_each_item(item, group) and its body: any name
                            * before a statement that is not a part of its expression */
    WEIRI_STATEMENT_LAMBDAS, /* with lambdas in it, which are its children */
    WEIRI_STATEMENT_SIMPLE /* a declaration, an expression, a jump; without children */
};

#define WEIRI_STATEMENT_NONE UINT32_MAX

struct weiri_statement {
    enum weiri_statement_kind kind;
    uint32_t parent, first_child, next; /* or NONE */
    size_t begin, end;                  /* without blanks and comments around it */
    size_t start;                       /* after its labels; `begin` without labels */
    size_t head_end; /* of `for (…)`, `do`, a block's `{`, a function's header, what
                      * stands before the first lambda; of a simple statement its end */
    uint32_t first_line, last_line;
    bool is_else; /* the `else` branch of its parent; `begin` is after that word */
};

/* Bytes of a file. */
struct weiri_range {
    size_t begin, end;
};

/* A call `name(…)`, in C++ `name<…>(…)`: of a function or a macro. */
struct weiri_call {
    struct weiri_range all, name;
    struct weiri_range *arguments; /* without blanks and comments around them */
    size_t n_arguments;
};

struct weiri_source;

/**
 * weiri_source_new:
 * @path: (nullable): its ending states whether the text is C++
 * @text: of @bytes bytes, which may be any; copied
 *
 * Returns: (transfer full)
 */
struct weiri_source *weiri_source_new(const char *path, const char *text, size_t bytes);

/** %NULL is allowed. */
void weiri_source_free(struct weiri_source *source);

const char *weiri_source_path(const struct weiri_source *source);

bool weiri_source_is_cpp(const struct weiri_source *source);

/** Whether the text is C++ in CUDA: by the ending of its path, or by a kernel in it. */
bool weiri_source_is_cuda(const struct weiri_source *source);

/** Whether it is other C++: kernels in C++ that are not in CUDA are in SYCL. */
bool weiri_source_is_sycl(const struct weiri_source *source);

/** Whether the text is OpenCL C, by the ending of its path. */
bool weiri_source_is_opencl(const struct weiri_source *source);

/** The same of a path. @path: (nullable) */
bool weiri_source_names_opencl(const char *path);

/** @bytes: (out) (nullable). Returns: the text, with a NUL after it, until the source
 *  is freed */
const char *weiri_source_text(const struct weiri_source *source, size_t *bytes);

/** The number of statements. The file itself is the first of them. */
uint32_t weiri_source_n(const struct weiri_source *source);

const struct weiri_statement *weiri_source_at(const struct weiri_source *source,
                                              uint32_t statement);

/** The offset of a line; for lines after the last one, the offset of the text's end. */
size_t weiri_source_line_begin(const struct weiri_source *source, uint32_t line);

/** The line that the byte at @offset is in. */
uint32_t weiri_source_line_of(const struct weiri_source *source, size_t offset);

/**
 * weiri_source_find:
 *
 * The innermost statement to which the line belongs. The head of a compound statement
 * belongs to that statement; where several begin on one line, it is the first of them,
 * or the statement that another line has begun. A brace alone belongs to its block.
 *
 * Returns: %WEIRI_STATEMENT_NONE for lines that the file lacks, and for lines of a
 *          conditional's arm that is not looked at (all but the first)
 */
uint32_t weiri_source_find(const struct weiri_source *source, uint32_t line);

/** The innermost statement of that kind around @statement, which is not itself, or
 * NONE. */
uint32_t weiri_source_enclosing(const struct weiri_source *source, uint32_t statement,
                                enum weiri_statement_kind kind);

/** The innermost loop around @statement, which is not itself, or NONE. A macro with a
 * body is taken for a loop. */
uint32_t weiri_source_loop(const struct weiri_source *source, uint32_t statement);

/** The bytes of lines @first to @last. */
struct weiri_range weiri_source_lines(const struct weiri_source *source, uint32_t first,
                                      uint32_t last);

/**
 * weiri_source_call:
 * @within: what holds the call's name; its arguments may be elsewhere
 * @name: (nullable): of the function; with a final `*`, what the name begins with;
 *        %NULL for all
 * @nth: from 0, in the order of the text: a call before those in its arguments
 * @call: (out): to be cleared with weiri_call_clear(); unchanged without one
 *
 * Returns: whether there is one
 */
bool weiri_source_call(const struct weiri_source *source, struct weiri_range within,
                       const char *name, uint32_t nth, struct weiri_call *call);

/** The same for `name<…>` in C++: the arguments of the template. */
bool weiri_source_template(const struct weiri_source *source, struct weiri_range within,
                           const char *name, uint32_t nth, struct weiri_call *call);

/** The same of the calls that the line is a part of: where a call takes several lines,
 * its line is the first with some compilers, and the last with others. */
bool weiri_source_call_at(const struct weiri_source *source, uint32_t line,
                          const char *name, uint32_t nth, struct weiri_call *call);

void weiri_call_clear(struct weiri_call *call);

/** The leading blanks of the line that @offset is in. Returns: (transfer full) */
char *weiri_source_indent(const struct weiri_source *source, size_t offset);

/** Where the last token before @offset ends, or 0. */
size_t weiri_source_end_before(const struct weiri_source *source, size_t offset);

/** Whether only blanks precede @offset on its line. */
bool weiri_source_begins_line(const struct weiri_source *source, size_t offset);

/** Whether only blanks and comments follow @offset on its line, and end with it. */
bool weiri_source_ends_line(const struct weiri_source *source, size_t offset);

/** Whether no other statement is on the lines of @statement. */
bool weiri_source_only_on_its_lines(const struct weiri_source *source,
                                    uint32_t statement);

#endif
