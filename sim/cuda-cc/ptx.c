/* SPDX-License-Identifier: MIT
 *
 * ptx.c: an asm statement of the source becomes a call of a function that does what its
 * PTX says:
 *
 *     call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %a)    becomes
 *     call i32 @weir.ptx.0(i32 %a)
 *
 * The function has no debug information and is inlined always: LLVM gives each of its
 * instructions the place of the call. Statements with the same text share one.
 *
 * LLVM 14's C interface cannot read the text of an asm value: its printed form is
 * read. There "$0" is an operand, "$$" a dollar, and "$(", "$|" and "$)" are "{", "|"
 * and "}", which choose a dialect of the assembler elsewhere.
 *
 * An asm statement without text and operands orders the compiler's work: it stays. */
#include "config.h"

#include "cuda-cc/ptx-make.h"

#include <stdio.h>
#include <string.h>

/* ---- The asm value --------------------------------------------------------- */

/**
 * assembly: what an asm value says
 * @text: for weiri_ptx_read()
 * @n_outputs: operands that the result of the call has
 * @tied: (element-type int): of each operand, in their order: -1; or, of an input, the
 *        output whose first value it is
 * @error: what cannot be understood, or %NULL
 */
struct assembly {
    GString *text;
    unsigned n_outputs;
    GArray *tied;
    const char *error;
};

/* The bytes of a text in quotation marks, which starts at **@at; then *@at is after it.
 */
static GString *unquote(const char **at)
{
    GString *bytes = g_string_new(NULL);
    const char *c = *at;
    for (c += *c == '"'; *c != '\0' && *c != '"'; c++) {
        if (c[0] == '\\' && g_ascii_isxdigit(c[1]) && g_ascii_isxdigit(c[2])) {
            g_string_append_c(
                bytes,
                (char)(g_ascii_xdigit_value(c[1]) * 16 + g_ascii_xdigit_value(c[2])));
            c += 2;
        } else if (c[0] == '\\' && c[1] == '\\') {
            g_string_append_c(bytes, *c++);
        } else {
            g_string_append_c(bytes, *c);
        }
    }
    *at = c + (*c == '"');
    return bytes;
}

/* "$5", or "${5:x}": the operand; "${:uid}" is a number for labels, which each function
 * has for itself. */
static const char *decode_operand(const char *at, GString *text)
{
    bool braced = *at == '{';
    at += braced;
    if (g_ascii_isdigit(*at)) {
        g_string_append_c(text, WEIRI_PTX_OPEN);
        while (g_ascii_isdigit(*at)) {
            g_string_append_c(text, *at++);
        }
        g_string_append_c(text, WEIRI_PTX_CLOSE);
    }
    if (braced) {
        at += strcspn(at, "}");
        at += *at == '}';
    }
    return at;
}

/* The text as the source has it, with operands between WEIRI_PTX_OPEN and _CLOSE. */
static GString *decode(const GString *bytes)
{
    static const char from[] = "$()|", to[] = "${}|";
    GString *text = g_string_new(NULL);
    const char *at = bytes->str;
    while (*at != '\0') {
        const char *special
            = at[0] == '$' && at[1] != '\0' ? strchr(from, at[1]) : NULL;
        if (special != NULL) {
            g_string_append_c(text, to[special - from]);
            at += 2;
        } else if (*at == '$') {
            at = decode_operand(at + 1, text);
        } else {
            g_string_append_c(text, *at++);
        }
    }
    return text;
}

/* "=r,r,n,0,~{memory}": outputs, inputs, and what is clobbered. */
static void read_constraints(struct assembly *assembly, const char *constraints)
{
    g_auto(GStrv) words = g_strsplit(constraints, ",", -1);
    for (guint i = 0; words[i] != NULL; i++) {
        const char *word = words[i];
        int tied
            = g_ascii_isdigit(word[0]) ? (int)g_ascii_strtoull(word, NULL, 10) : -1;
        if (word[0] == '~' || word[0] == '\0') {
            continue;
        }
        if (word[0] == '=') {
            assembly->n_outputs++;
        }
        if (strchr(word, '*') != NULL || word[0] == '!'
            || tied >= (int)assembly->n_outputs) {
            assembly->error = "an asm statement with a constraint that is not of PTX: "
                              "use r, l, h, f, d or n";
        }
        g_array_append_val(assembly->tied, tied);
    }
}

static void read_assembly(struct llvm_value *value, struct assembly *assembly)
{
    char *printed = llvm.PrintValueToString(value);
    const char *at = strstr(printed, " asm ");
    at = at != NULL ? strchr(at, '"') : NULL;
    *assembly = (struct assembly){ .tied = g_array_new(FALSE, FALSE, sizeof(int)) };
    if (at != NULL) {
        GString *bytes = unquote(&at);
        assembly->text = decode(bytes);
        g_string_free(bytes, TRUE);
        at = strchr(at, '"');
    }
    if (at != NULL) {
        GString *constraints = unquote(&at);
        read_constraints(assembly, constraints->str);
        g_string_free(constraints, TRUE);
    } else {
        assembly->error = "an asm statement that clang prints in an unknown form";
    }
    llvm.DisposeMessage(printed);
}

static void clear_assembly(struct assembly *assembly)
{
    if (assembly->text != NULL) {
        g_string_free(assembly->text, TRUE);
    }
    g_array_unref(assembly->tied);
}

/* ---- The function ---------------------------------------------------------- */

static unsigned bits_of(const struct weiri_cuda_code *code, struct llvm_type *type)
{
    return llvm.GetTypeKind(type) == LLVM_INTEGER
        ? llvm.GetIntTypeWidth(type)
        : 8 * (unsigned)llvm.ABISizeOfType(code->layout, type);
}

static bool is_scalar(struct llvm_type *type)
{
    switch (llvm.GetTypeKind(type)) {
    case LLVM_INTEGER:
        return llvm.GetIntTypeWidth(type) <= 64;
    case LLVM_HALF:
    case LLVM_FLOAT:
    case LLVM_DOUBLE:
    case LLVM_POINTER:
        return true;
    default:
        return false;
    }
}

/* The type of output @i of the result's type. */
static struct llvm_type *output_type(struct llvm_type *result, unsigned n, unsigned i)
{
    return n == 1 ? result : llvm.StructGetTypeAtIndex(result, i);
}

static void add_argument(struct weiri_ptx_making *making, struct llvm_type *type)
{
    struct weiri_ptx_variable *argument = g_new0(struct weiri_ptx_variable, 1);
    if (!is_scalar(type)) {
        weiri_ptx_fail(making, "an operand is not a number of up to 64 bits");
        type = weiri_ir_int(64);
    }
    argument->bits = bits_of(making->code, type);
    argument->variable = weiri_ptx_new_variable(making, argument->bits);
    g_ptr_array_add(making->arguments, argument);
}

static void set_argument(struct weiri_ptx_making *making, unsigned i,
                         struct llvm_value *value)
{
    const struct weiri_ptx_variable *argument = g_ptr_array_index(making->arguments, i);
    struct llvm_builder *builder = making->builder;
    making->builder = making->frame;
    (void)llvm.BuildStore(making->frame,
                          weiri_ptx_cast(making, value, weiri_ir_int(argument->bits)),
                          argument->variable);
    making->builder = builder;
}

/* A variable for each operand, with its first value. */
static void begin(struct weiri_ptx_making *making, const struct assembly *assembly)
{
    struct llvm_type *type = llvm.GlobalGetValueType(making->function);
    struct llvm_type *result = llvm.GetReturnType(type);
    unsigned n = assembly->n_outputs;
    for (unsigned i = 0; i < n; i++) {
        add_argument(making, output_type(result, n, i));
    }
    for (unsigned i = n; i < assembly->tied->len && making->error == NULL; i++) {
        struct llvm_value *value = llvm.GetParam(making->function, i - n);
        int tied = g_array_index(assembly->tied, int, i);
        add_argument(making, llvm.TypeOf(value));
        if (making->error == NULL) {
            set_argument(making, i, value);
        }
        if (making->error == NULL && tied >= 0) {
            set_argument(making, (unsigned)tied, value);
        }
    }
}

static struct llvm_value *output(struct weiri_ptx_making *making, unsigned i,
                                 struct llvm_type *type)
{
    const struct weiri_ptx_variable *argument = g_ptr_array_index(making->arguments, i);
    return weiri_ptx_cast(making,
                          llvm.BuildLoad2(making->builder, weiri_ir_int(argument->bits),
                                          argument->variable, ""),
                          type);
}

static void finish(struct weiri_ptx_making *making, const struct assembly *assembly)
{
    struct llvm_type *result
        = llvm.GetReturnType(llvm.GlobalGetValueType(making->function));
    unsigned n = assembly->n_outputs;
    if (n <= 1) {
        (void)(n == 0 ? llvm.BuildRetVoid(making->builder)
                      : llvm.BuildRet(making->builder, output(making, 0, result)));
        return;
    }
    struct llvm_value *all = llvm.GetUndef(result);
    for (unsigned i = 0; i < n; i++) {
        all = llvm.BuildInsertValue(
            making->builder, all, output(making, i, output_type(result, n, i)), i, "");
    }
    (void)llvm.BuildRet(making->builder, all);
}

static void fill(struct weiri_ptx_making *making, const struct assembly *assembly)
{
    struct llvm_block *first = weiri_ptx_new_block(making);
    struct llvm_block *body = weiri_ptx_new_block(making);
    llvm.PositionBuilderAtEnd(making->frame, first);
    llvm.PositionBuilderAtEnd(making->builder, body);
    begin(making, assembly);
    if (making->error == NULL) {
        weiri_ptx_make_all(making);
    }
    if (making->error == NULL) {
        finish(making, assembly);
    }
    (void)llvm.BuildBr(making->frame, body);
}

static void free_variable(void *data)
{
    g_free(data); /* the name is the statement's */
}

/* Makes the function. Returns: (transfer full): why it cannot be made, or %NULL */
static char *define(struct weiri_cuda_code *code, struct llvm_value *function,
                    const struct assembly *assembly)
{
    struct weiri_ptx_text *text = weiri_ptx_read(assembly->text->str);
    struct weiri_ptx_making making
        = { .code = code,
            .function = function,
            .builder = llvm.CreateBuilderInContext(weiri_ir_context()),
            .frame = llvm.CreateBuilderInContext(weiri_ir_context()),
            .text = text,
            .arguments = g_ptr_array_new_with_free_func(free_variable),
            .registers = g_ptr_array_new_with_free_func(free_variable),
            .labels = g_ptr_array_new(),
            .error = g_strdup(text->error) };
    if (making.error == NULL) {
        fill(&making, assembly);
    }
    llvm.DisposeBuilder(making.builder);
    llvm.DisposeBuilder(making.frame);
    g_ptr_array_unref(making.arguments);
    g_ptr_array_unref(making.registers);
    g_ptr_array_unref(making.labels);
    weiri_ptx_free(text);
    return making.error;
}

/* ---- Calls ----------------------------------------------------------------- */

struct statements {
    struct weiri_cuda_code *code;
    GHashTable *functions; /* an asm value: its function */
    bool failed;
};

/* The entries are made of the same source: one of them says it. */
static void say(struct statements *statements, struct llvm_value *call,
                const char *error)
{
    g_autofree char *file = NULL;
    unsigned line;
    weiri_cuda_place(statements->code, call, &file, &line, NULL);
    statements->failed = true;
    if (statements->code->mode == WEIRI_CUDA_FAST) {
        fprintf(stderr, "%s:%u: error: %s\n", file != NULL ? file : "?", line, error);
    }
}

static struct llvm_value *add_function(struct statements *statements,
                                       struct llvm_value *call)
{
    static const char always[] = "alwaysinline";
    g_autofree char *name
        = g_strdup_printf("weir.ptx.%u", g_hash_table_size(statements->functions));
    struct llvm_value *function = llvm.AddFunction(statements->code->module, name,
                                                   llvm.GetCalledFunctionType(call));
    llvm.SetLinkage(function, LLVM_INTERNAL);
    llvm.AddAttributeAtIndex(
        function, LLVM_FUNCTION,
        llvm.CreateEnumAttribute(weiri_ir_context(), weiri_ir_attribute(always), 0));
    return function;
}

static bool is_empty(const struct assembly *assembly)
{
    return assembly->text != NULL && assembly->text->len == 0
        && assembly->tied->len == 0;
}

/* The function of an asm value; %NULL if it stays, or cannot be made. */
static struct llvm_value *function_of(struct statements *statements,
                                      struct llvm_value *call)
{
    struct llvm_value *value = llvm.GetCalledValue(call);
    struct llvm_value *function = g_hash_table_lookup(statements->functions, value);
    struct assembly assembly;
    if (function != NULL) {
        return function;
    }
    read_assembly(value, &assembly);
    if (assembly.error != NULL) {
        say(statements, call, assembly.error);
    } else if (!is_empty(&assembly)) {
        function = add_function(statements, call);
        g_autofree char *error = define(statements->code, function, &assembly);
        if (error != NULL) {
            say(statements, call, error);
            function = NULL;
        } else {
            g_hash_table_insert(statements->functions, value, function);
        }
    }
    clear_assembly(&assembly);
    return function;
}

static void replace(struct statements *statements, struct llvm_value *call)
{
    struct llvm_value *function = function_of(statements, call);
    if (function == NULL) {
        return;
    }
    struct llvm_builder *builder = statements->code->builder;
    unsigned n = llvm.GetNumArgOperands(call);
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n + 1);
    for (unsigned i = 0; i < n; i++) {
        list[i] = llvm.GetOperand(call, i);
    }
    llvm.PositionBuilderBefore(builder, call);
    llvm.SetCurrentDebugLocation2(builder, llvm.InstructionGetDebugLoc(call));
    struct llvm_value *made = llvm.BuildCall2(
        builder, llvm.GlobalGetValueType(function), function, list, n, "");
    llvm.ReplaceAllUsesWith(call, made);
    llvm.InstructionEraseFromParent(call);
}

bool weiri_cuda_assembly(struct weiri_cuda_code *code)
{
    struct statements statements = { code, g_hash_table_new(NULL, NULL), false };
    for (guint i = 0; i < code->functions->len; i++) {
        struct llvm_value *f = g_ptr_array_index(code->functions, i);
        for (struct llvm_block *b = llvm.GetFirstBasicBlock(f); b != NULL;
             b = llvm.GetNextBasicBlock(b)) {
            struct llvm_value *next;
            for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
                 v = next) {
                next = llvm.GetNextInstruction(v);
                if (llvm.GetInstructionOpcode(v) == LLVM_CALL
                    && llvm.IsAInlineAsm(llvm.GetCalledValue(v)) != NULL) {
                    replace(&statements, v);
                }
            }
        }
    }
    g_hash_table_unref(statements.functions);
    return !statements.failed;
}
