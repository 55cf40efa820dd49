/* SPDX-License-Identifier: MIT
 *
 * table-object.c: barrier objects of PTX, mbarrier, in their first phase. An object is
 * a location that counts what is missing: arrivals in its upper part, and bytes that
 * were announced and have not come in its lower part. It is complete when both are 0.
 *
 *     mbarrier.init b, 2               st.weak, 2 arrivals
 *     mbarrier.arrive b                red.release.cta: one arrival less
 *     mbarrier.arrive.expect_tx b, 64  the same, and 64 bytes more
 *     mbarrier.expect_tx b, 64         red.relaxed.cta: 64 bytes more
 *     mbarrier.complete_tx b, 64       red.relaxed.cta: 64 bytes less
 *     mbarrier.try_wait r0, b          ld.acquire.cta; r0 = whether it is complete
 *
 * So arrivals and waits have the orders of PTX ISA 9.4, and the model says what they
 * order. Phases after the first are not followed: an object that is used again has to
 * be another location. */
#include "config.h"

#include "litmus/table.h"

/* An arrival, in the value of an object; bytes are below. */
enum { ARRIVAL = 1 << 20, MOST_ARRIVALS = ARRIVAL - 1 };

static bool read_number(struct weiri_litmus_parser *parser, const char *what,
                        int64_t *value)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NUMBER || lex->token.value == 0
        || lex->token.value > MOST_ARRIVALS) {
        return weiri_litmus_unexpected(lex, what);
    }
    *value = (int64_t)lex->token.value;
    return weiri_litmus_lex_next(lex);
}

/* Appends what comes after the read of try_wait: whether nothing is missing. */
static void add_comparison(struct weiri_litmus_thread_draft *thread,
                           const struct weiri_litmus_instruction *read)
{
    struct weiri_litmus_instruction compute
        = weiri_litmus_table_instruction(WEIRI_LITMUS_OP_COMPUTE, read->place);
    compute.function = WEIRI_LITMUS_EQUAL;
    compute.result = compute.a.slot = read->result;
    g_array_append_val(thread->code, compute);
}

static bool read_wait(struct weiri_litmus_parser *parser,
                      struct weiri_litmus_thread_draft *thread,
                      struct weiri_litmus_instruction *to)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!weiri_litmus_is_register(&lex->token)) {
        return weiri_litmus_unexpected(lex, "a register: r0");
    }
    weiri_litmus_register_of(parser, thread, &lex->token, &to->result)->value.type
        = WEIRI_LITMUS_LONG;
    return weiri_litmus_lex_next(lex)
        && weiri_litmus_expect(lex, ",", "and the barrier object");
}

bool weiri_litmus_read_object(
    struct weiri_litmus_parser *parser, struct weiri_litmus_thread_draft *thread,
    const struct weiri_litmus_operation *operation, struct weiri_litmus_instruction *to,
    bool (*read_location)(struct weiri_litmus_parser *parser,
                          const struct weiri_litmus_operation *operation,
                          struct weiri_litmus_instruction *to))
{
    enum weiri_litmus_shape shape = operation->row->shape;
    bool arrives = shape == WEIRI_LITMUS_SHAPE_ARRIVE
        || shape == WEIRI_LITMUS_SHAPE_ARRIVE_EXPECT;
    bool waits = shape == WEIRI_LITMUS_SHAPE_TRY_WAIT;
    int64_t number = 0;
    if ((waits && !read_wait(parser, thread, to))
        || !read_location(parser, operation, to)) {
        return false;
    }
    const char *what = shape == WEIRI_LITMUS_SHAPE_INIT
        ? "how many arrivals complete the object: a number from 1 to 1048575"
        : "how many bytes: a number from 1 to 1048575";
    if (!waits && shape != WEIRI_LITMUS_SHAPE_ARRIVE
        && (!weiri_litmus_expect(&parser->lex, ",", "and a number")
            || !read_number(parser, what, &number))) {
        return false;
    }
    to->function = WEIRI_LITMUS_ADD;
    to->a.value = shape == WEIRI_LITMUS_SHAPE_INIT ? number * ARRIVAL
        : shape == WEIRI_LITMUS_SHAPE_COMPLETE     ? -number
                                                   : number - (arrives ? ARRIVAL : 0);
    return true;
}

void weiri_litmus_end_object(struct weiri_litmus_thread_draft *thread,
                             const struct weiri_litmus_instruction *made,
                             enum weiri_litmus_shape shape)
{
    if (shape == WEIRI_LITMUS_SHAPE_TRY_WAIT) {
        add_comparison(thread, made);
    }
}
