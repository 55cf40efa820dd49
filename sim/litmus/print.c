/* SPDX-License-Identifier: MIT
 *
 * print.c: from a test to a text that is parsed to an equal test. weir_litmus_print()
 * and weir_litmus_claim() return it to users; tests use it to show that the parser
 * loses nothing, and to compare tests regardless of their layout.
 *
 * Orders are written out, and scopes in the scoped form, so that the text states all
 * that the test contains. Parentheses are printed where precedence needs them, and
 * always around an implication, since herd's precedence of it is surprising. The
 * initial value of a location is printed with a type only if the parameters of threads
 * do not state the type, because herd does not accept all types there. */
#include "config.h"

#include "litmus/table.h"

#include <string.h>

/* Precedences of forms that are not functions of two values. */
enum { ASSIGNED = -1, CHOSEN = 0, UNARY = 11, PRIMARY = 12 };

/* Deeper levels are not indented further, so that the text stays proportional to the
 * test. */
enum { MOST_INDENTED = 16 };

struct printer {
    const struct weiri_litmus *test;
    const struct weiri_litmus_thread *thread;
    GString *text;
    unsigned level; /* of indentation */
};

typedef const struct weiri_litmus_expression expression;
typedef const struct weiri_litmus_statement statement;

static void say(struct printer *printer, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void say(struct printer *printer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(printer->text, format, arguments);
    va_end(arguments);
}

/* ---- Expressions ----------------------------------------------------------------- */

static void print_expression(struct printer *printer, expression *e, int least);

static int precedence(expression *e)
{
    switch (e->kind) {
    case WEIRI_LITMUS_CONSTANT:
    case WEIRI_LITMUS_REGISTER:
        return PRIMARY;
    case WEIRI_LITMUS_NEGATION:
    case WEIRI_LITMUS_COMPLEMENT:
    case WEIRI_LITMUS_NOT:
    case WEIRI_LITMUS_CAST:
        return UNARY;
    case WEIRI_LITMUS_BINARY:
        return (int)weiri_litmus_precedence(e->function);
    case WEIRI_LITMUS_TERNARY:
        return CHOSEN;
    case WEIRI_LITMUS_ASSIGNMENT:
        return ASSIGNED;
    case WEIRI_LITMUS_ACCESS:
        break;
    }
    return e->access->atomic                   ? PRIMARY
        : e->access->kind == WEIRI_LITMUS_READ ? UNARY
                                               : ASSIGNED;
}

/* `x` or `x + e`. */
static void print_address(struct printer *printer,
                          const struct weiri_litmus_access *access)
{
    say(printer, "%s", printer->test->locations[access->location].name);
    if (access->offset != NULL) {
        say(printer, " + ");
        print_expression(printer, access->offset,
                         (int)weiri_litmus_precedence(WEIRI_LITMUS_MULTIPLY));
    }
}

static void print_plain(struct printer *printer,
                        const struct weiri_litmus_access *access)
{
    say(printer, access->offset != NULL ? "*(" : "*");
    print_address(printer, access);
    say(printer, access->offset != NULL ? ")" : "");
    if (access->kind == WEIRI_LITMUS_WRITE) {
        say(printer, " = ");
        print_expression(printer, access->operand, ASSIGNED);
    }
}

static const char *operation_name(const struct weiri_litmus_access *access)
{
    switch (access->kind) {
    case WEIRI_LITMUS_READ:
        return "load";
    case WEIRI_LITMUS_WRITE:
        return "store";
    case WEIRI_LITMUS_UPDATE:
        return weiri_litmus_update_text(access->function);
    case WEIRI_LITMUS_COMPARE:
        break;
    }
    return access->weak ? "compare_exchange_weak" : "compare_exchange_strong";
}

static void print_atomic(struct printer *printer,
                         const struct weiri_litmus_access *access)
{
    say(printer, "atomic_%s_explicit(", operation_name(access));
    print_address(printer, access);
    if (access->kind == WEIRI_LITMUS_COMPARE) {
        say(printer, access->expects_register ? ", &%s" : ", %s",
            access->expects_register ? printer->thread->registers[access->expected].name
                                     : printer->test->locations[access->expected].name);
    }
    if (access->operand != NULL) {
        say(printer, ", ");
        print_expression(printer, access->operand, ASSIGNED);
    }
    say(printer, ", %s", weiri_litmus_orders[access->order]);
    if (access->kind == WEIRI_LITMUS_COMPARE) {
        say(printer, ", %s", weiri_litmus_orders[access->failure]);
    }
    if (printer->test->scoped) {
        say(printer, ", %s", weiri_litmus_scopes[access->scope]);
    }
    say(printer, ")");
}

/* An operator before its operand. Two minus signs in a row would be read as --. */
static void print_prefix(struct printer *printer, const char *sign, expression *operand)
{
    say(printer, "%s", sign);
    size_t at = printer->text->len;
    print_expression(printer, operand, UNARY);
    if (strcmp(sign, "-") == 0 && printer->text->str[at] == '-') {
        g_string_insert_c(printer->text, (gssize)at, ' ');
    }
}

static void print_bare(struct printer *printer, expression *e)
{
    g_autofree char *cast = NULL;
    int own = precedence(e);
    switch (e->kind) {
    case WEIRI_LITMUS_CONSTANT:
        say(printer, "%" G_GINT64_FORMAT "%s", e->value,
            e->type == WEIRI_LITMUS_LONG       ? "l"
                : e->type == WEIRI_LITMUS_UINT ? "u"
                                               : "");
        break;
    case WEIRI_LITMUS_REGISTER:
        say(printer, "%s", printer->thread->registers[e->reg].name);
        break;
    case WEIRI_LITMUS_NEGATION:
        print_prefix(printer, "-", e->a);
        break;
    case WEIRI_LITMUS_COMPLEMENT:
        print_prefix(printer, "~", e->a);
        break;
    case WEIRI_LITMUS_NOT:
        print_prefix(printer, "!", e->a);
        break;
    case WEIRI_LITMUS_CAST:
        cast = g_strdup_printf("(%s)", weiri_litmus_type_text(e->type, false));
        print_prefix(printer, cast, e->a);
        break;
    case WEIRI_LITMUS_BINARY:
        print_expression(printer, e->a, own);
        say(printer, " %s ", weiri_litmus_function_text(e->function));
        print_expression(printer, e->b, own + 1);
        break;
    case WEIRI_LITMUS_TERNARY:
        print_expression(printer, e->a, CHOSEN + 1);
        say(printer, " ? ");
        print_expression(printer, e->b, ASSIGNED);
        say(printer, " : ");
        print_expression(printer, e->c, CHOSEN);
        break;
    case WEIRI_LITMUS_ASSIGNMENT:
        say(printer, "%s = ", printer->thread->registers[e->reg].name);
        print_expression(printer, e->a, ASSIGNED);
        break;
    case WEIRI_LITMUS_ACCESS:
        (e->access->atomic ? print_atomic : print_plain)(printer, e->access);
        break;
    }
}

/* Prints parentheses if its own precedence is below @least. */
static void print_expression(struct printer *printer, expression *e, int least)
{
    bool bare = precedence(e) >= least;
    say(printer, bare ? "" : "(");
    print_bare(printer, e);
    say(printer, bare ? "" : ")");
}

/* ---- Statements ------------------------------------------------------------------ */

static void print_statement(struct printer *printer, statement *s);

static void indent(struct printer *printer)
{
    say(printer, "%*s", 2 * (int)MIN(printer->level, MOST_INDENTED), "");
}

/* `{ ... }`, without a newline at the end. */
static void print_block(struct printer *printer, statement *block)
{
    say(printer, "{\n");
    printer->level++;
    for (statement *s = block->first; s != NULL; s = s->next) {
        print_statement(printer, s);
    }
    printer->level--;
    indent(printer);
    say(printer, "}");
}

static void print_spaces(struct printer *printer, unsigned spaces)
{
    static const char *const texts[] = {
        [0] = "0",
        [WEIR_LOCAL] = "CLK_LOCAL_MEM_FENCE",
        [WEIR_GLOBAL] = "CLK_GLOBAL_MEM_FENCE",
        [WEIR_LOCAL | WEIR_GLOBAL] = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE",
    };
    say(printer, "%s", texts[spaces]);
}

static void print_fence(struct printer *printer, statement *s)
{
    if (!printer->test->scoped) {
        say(printer, "atomic_thread_fence(%s);", weiri_litmus_orders[s->order]);
        return;
    }
    say(printer, "atomic_work_item_fence(");
    print_spaces(printer, s->spaces);
    say(printer, ", %s, %s);", weiri_litmus_orders[s->order],
        weiri_litmus_scopes[s->scope]);
}

static void print_barrier(struct printer *printer, statement *s)
{
    const char *label = printer->test->labels[s->label];
    say(printer, "%s%sbarrier(", label, label[0] != '\0' ? ": " : "");
    print_spaces(printer, s->spaces);
    if (s->scope != memory_scope_work_group) {
        say(printer, ", %s", weiri_litmus_scopes[s->scope]);
    }
    say(printer, ");");
}

static void print_declarator(struct printer *printer, statement *s)
{
    say(printer, "%s", printer->thread->registers[s->reg].name);
    if (s->expression != NULL) {
        say(printer, " = ");
        print_expression(printer, s->expression, ASSIGNED);
    }
}

static const char *register_type(const struct printer *printer, uint32_t reg)
{
    return weiri_litmus_type_text(printer->thread->registers[reg].type, false);
}

static void print_for(struct printer *printer, statement *s)
{
    say(printer, "for (");
    if (s->first != NULL && s->first->kind == WEIRI_LITMUS_DECLARE) {
        say(printer, "%s ", register_type(printer, s->first->reg));
        for (statement *first = s->first; first != NULL; first = first->next) {
            print_declarator(printer, first);
            say(printer, first->next != NULL ? ", " : "");
        }
    } else if (s->first != NULL) {
        print_expression(printer, s->first->expression, ASSIGNED);
    }
    say(printer, s->expression != NULL ? "; " : ";");
    if (s->expression != NULL) {
        print_expression(printer, s->expression, ASSIGNED);
    }
    say(printer, s->step != NULL ? "; " : ";");
    if (s->step != NULL) {
        print_expression(printer, s->step, ASSIGNED);
    }
    say(printer, ") ");
    print_block(printer, s->body);
}

static void print_if(struct printer *printer, statement *s)
{
    for (;;) {
        say(printer, "if (");
        print_expression(printer, s->expression, ASSIGNED);
        say(printer, ") ");
        print_block(printer, s->body);
        if (s->other == NULL) {
            return;
        }
        say(printer, " else ");
        if (s->other->kind == WEIRI_LITMUS_BLOCK) {
            print_block(printer, s->other);
            return;
        }
        s = s->other;
    }
}

static void print_statement(struct printer *printer, statement *s)
{
    indent(printer);
    switch (s->kind) {
    case WEIRI_LITMUS_EVALUATE:
        print_expression(printer, s->expression, ASSIGNED);
        say(printer, ";");
        break;
    case WEIRI_LITMUS_DECLARE:
        say(printer, "%s ", register_type(printer, s->reg));
        print_declarator(printer, s);
        say(printer, ";");
        break;
    case WEIRI_LITMUS_BLOCK:
        print_block(printer, s);
        break;
    case WEIRI_LITMUS_IF:
        print_if(printer, s);
        break;
    case WEIRI_LITMUS_WHILE:
        say(printer, "while (");
        print_expression(printer, s->expression, ASSIGNED);
        say(printer, ") ");
        print_block(printer, s->body);
        break;
    case WEIRI_LITMUS_DO:
        say(printer, "do ");
        print_block(printer, s->body);
        say(printer, " while (");
        print_expression(printer, s->expression, ASSIGNED);
        say(printer, ");");
        break;
    case WEIRI_LITMUS_FOR:
        print_for(printer, s);
        break;
    case WEIRI_LITMUS_FENCE:
        print_fence(printer, s);
        break;
    case WEIRI_LITMUS_BARRIER:
        print_barrier(printer, s);
        break;
    }
    say(printer, "\n");
}

/* ---- Conditions ------------------------------------------------------------------ */

static void print_condition(struct printer *printer,
                            const struct weiri_litmus_condition *condition);

/* Whether it needs no parentheses as an operand. */
static bool is_simple(const struct weiri_litmus_condition *condition)
{
    return condition->first == NULL
        || (condition->kind == WEIRI_LITMUS_IS_NOT
            && condition->first->kind == WEIRI_LITMUS_IS);
}

static void print_operands(struct printer *printer,
                           const struct weiri_litmus_condition *condition,
                           const char *between)
{
    for (const struct weiri_litmus_condition *operand = condition->first;
         operand != NULL; operand = operand->next) {
        bool bare = is_simple(operand);
        say(printer, bare ? "" : "(");
        print_condition(printer, operand);
        say(printer, bare ? "%s" : ")%s", operand->next != NULL ? between : "");
    }
}

/* `x=1` or `x!=1`. */
static void print_value(struct printer *printer,
                        const struct weiri_litmus_condition *is, const char *sign)
{
    weiri_litmus_print_term(printer->test, is->left, printer->text);
    say(printer, "%s%" G_GINT64_FORMAT, sign, is->value);
}

static void print_condition(struct printer *printer,
                            const struct weiri_litmus_condition *condition)
{
    switch (condition->kind) {
    case WEIRI_LITMUS_TRUE:
        say(printer, "true");
        break;
    case WEIRI_LITMUS_FALSE:
        say(printer, "false");
        break;
    case WEIRI_LITMUS_IS:
        print_value(printer, condition, "=");
        break;
    case WEIRI_LITMUS_IS_BELOW:
        print_value(printer, condition, "<");
        break;
    case WEIRI_LITMUS_IS_ABOVE:
        print_value(printer, condition, ">");
        break;
    case WEIRI_LITMUS_ARE:
    case WEIRI_LITMUS_ARE_ORDERED:
        weiri_litmus_print_term(printer->test, condition->left, printer->text);
        say(printer, condition->kind == WEIRI_LITMUS_ARE ? "=" : "<");
        weiri_litmus_print_term(printer->test, condition->right, printer->text);
        break;
    case WEIRI_LITMUS_IS_NOT:
        if (is_simple(condition)) {
            print_value(printer, condition->first, "!=");
        } else {
            say(printer, "~");
            print_operands(printer, condition, "");
        }
        break;
    case WEIRI_LITMUS_ALL:
        print_operands(printer, condition, " /\\ ");
        break;
    case WEIRI_LITMUS_ANY:
        print_operands(printer, condition, " \\/ ");
        break;
    case WEIRI_LITMUS_IMPLIES:
        print_operands(printer, condition, " => ");
        break;
    }
}

static void print_claim(struct printer *printer)
{
    static const char *const quantifiers[] = {
        [WEIRI_LITMUS_EXISTS] = "exists",
        [WEIRI_LITMUS_NOT_EXISTS] = "~exists",
        [WEIRI_LITMUS_FORALL] = "forall",
    };
    const struct weiri_litmus *test = printer->test;
    say(printer, "%s (", quantifiers[test->quantifier]);
    print_condition(printer, test->condition);
    say(printer, ")");
}

/* The part of the text after the threads. */
static void print_end(struct printer *printer)
{
    const struct weiri_litmus *test = printer->test;
    if (test->n_listed > 0) {
        say(printer, "locations [");
        for (uint32_t i = 0; i < test->n_listed; i++) {
            struct weiri_litmus_term term = test->listed[i];
            say(printer, i > 0 ? " " : "");
            if (term.thread == WEIRI_LITMUS_MEMORY) { /* herd does not accept
                                                         brackets here */
                say(printer, "%s", test->locations[term.index].name);
            } else {
                weiri_litmus_print_term(test, term, printer->text);
            }
            say(printer, ";");
        }
        say(printer, "]\n");
    }
    if (test->filter != NULL) {
        say(printer, "filter (");
        print_condition(printer, test->filter);
        say(printer, ")\n");
    }
    print_claim(printer);
    say(printer, "\n");
}

/* ---- The frame ------------------------------------------------------------------- */

/* How the parameters of threads declare a location: not at all, plain or atomic. */
enum declared { NOT_DECLARED, DECLARED_PLAIN, DECLARED_ATOMIC };

static enum declared *declared_types(const struct weiri_litmus *test)
{
    enum declared *declared = g_new0(enum declared, test->n_locations);
    for (uint32_t i = 0; i < test->n_threads; i++) {
        for (uint32_t k = 0; k < test->threads[i].n_parameters; k++) {
            const struct weiri_litmus_parameter *parameter
                = &test->threads[i].parameters[k];
            enum declared *of = &declared[parameter->location];
            *of = MAX(*of, parameter->atomic ? DECLARED_ATOMIC : DECLARED_PLAIN);
        }
    }
    return declared;
}

static void print_initials(struct printer *printer)
{
    const struct weiri_litmus *test = printer->test;
    g_autofree enum declared *declared = declared_types(test);
    say(printer, "{");
    for (uint32_t i = 0; i < test->n_locations; i++) {
        const struct weiri_litmus_location *location = &test->locations[i];
        bool is_int = location->type == WEIRI_LITMUS_INT && !location->atomic;
        if (declared[i] == (location->atomic ? DECLARED_ATOMIC : DECLARED_PLAIN)
            || (declared[i] == NOT_DECLARED && is_int)) {
            say(printer, " [%s]", location->name);
        } else {
            say(printer, " %s %s",
                weiri_litmus_type_text(location->type, location->atomic),
                location->name);
        }
        say(printer, " = %" G_GINT64_FORMAT ";", location->initial);
    }
    for (uint32_t i = 0; i < test->n_threads; i++) {
        for (uint32_t k = 0; k < test->threads[i].n_registers; k++) {
            const struct weiri_litmus_register *reg = &test->threads[i].registers[k];
            if (reg->is_initial) {
                say(printer, " %s %u:%s = %" G_GINT64_FORMAT ";",
                    weiri_litmus_type_text(reg->type, false), i, reg->name,
                    reg->initial);
            }
        }
    }
    say(printer, " }\n\n");
}

static void print_thread(struct printer *printer, uint32_t index)
{
    const struct weiri_litmus *test = printer->test;
    const struct weiri_litmus_thread *thread = &test->threads[index];
    printer->thread = thread;
    say(printer, "P%u", index);
    if (test->placed) {
        say(printer, "@wg %u, dev %u", thread->group, thread->device);
    }
    say(printer, " (");
    for (uint32_t i = 0; i < thread->n_parameters; i++) {
        const struct weiri_litmus_parameter *parameter = &thread->parameters[i];
        const struct weiri_litmus_location *location
            = &test->locations[parameter->location];
        say(printer, "%s%s%s%s%s* %s", i > 0 ? ", " : "",
            parameter->is_const ? "const " : "",
            parameter->is_volatile ? "volatile " : "",
            !test->scoped                       ? ""
                : location->space == WEIR_LOCAL ? "local "
                                                : "global ",
            weiri_litmus_type_text(location->type, parameter->atomic), location->name);
    }
    say(printer, ") ");
    print_block(printer, thread->body);
    say(printer, "\n\n");
}

char *weiri_litmus_print(const struct weiri_litmus *test)
{
    struct printer printer = { .test = test, .text = g_string_new(NULL) };
    static const char *const forms[] = { [WEIRI_LITMUS_C] = "C",
                                         [WEIRI_LITMUS_OPENCL] = "OPENCL",
                                         [WEIRI_LITMUS_PTX] = "PTX",
                                         [WEIRI_LITMUS_VULKAN] = "VULKAN" };
    bool is_table = weiri_litmus_is_table(test->form);
    say(&printer, "%s %s\n", forms[test->form], test->name);
    for (uint32_t i = 0; i < test->n_notes; i++) {
        say(&printer, "%s\n", test->notes[i]);
    }
    if (is_table) {
        weiri_litmus_print_table(test, printer.text);
    } else {
        print_initials(&printer);
    }
    for (uint32_t i = 0; !is_table && i < test->n_threads; i++) {
        print_thread(&printer, i);
    }
    print_end(&printer);
    return g_string_free(printer.text, FALSE);
}

char *weiri_litmus_print_claim(const struct weiri_litmus *test)
{
    struct printer printer = { .test = test, .text = g_string_new(NULL) };
    print_claim(&printer);
    return g_string_free(printer.text, FALSE);
}
