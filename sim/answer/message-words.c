/* SPDX-License-Identifier: MIT
 *
 * message-words.c: the words in which message.c and message-table.c speak of events. */
#include "config.h"

#include "answer/message-own.h"

typedef struct weiri_execution_event happening;

static const struct weiri_execution *execution_of(const struct weiri_messages *in)
{
    return in->facts->execution;
}

static const happening *event_of(const struct weiri_messages *in, uint32_t event)
{
    return &execution_of(in)->events[event];
}

static bool is_fence(const struct weiri_messages *in, uint32_t event)
{
    return event_of(in, event)->kind == WEIRI_FENCES;
}

/* The text after the word "line": "12", or "12 of FILE". */
const char *weiri_message_line(const struct weiri_messages *in, uint32_t event)
{
    const struct weiri_program *program = execution_of(in)->program;
    const happening *of = event_of(in, event);
    const struct weiri_source_place place
        = program->words->place(program->self, of->thread, of->place);
    g_autofree char *text = place.file == NULL
        ? g_strdup_printf("%u", place.line)
        : g_strdup_printf("%u of %s", place.line, place.file);
    return g_string_chunk_insert_const(in->strings, text);
}

/* The name of the thread of an event. */
const char *weiri_message_thread(const struct weiri_messages *in, uint32_t event)
{
    const struct weiri_program *program = execution_of(in)->program;
    g_autofree char *name
        = program->words->thread(program->self, event_of(in, event)->thread);
    return g_string_chunk_insert_const(in->strings, name);
}

const char *weiri_message_noun(const struct weiri_messages *in, uint32_t event)
{
    return is_fence(in, event)                            ? "fence"
        : event_of(in, event)->kind == WEIRI_READS_MEMORY ? "read"
                                                          : "write";
}

/* Returns: (transfer full): why the scopes of two events do not include each other's
 * threads */
static char *why_out_of_scope(const struct weiri_messages *in, uint32_t one,
                              uint32_t other)
{
    const struct weiri_execution *execution = execution_of(in);
    bool first = weiri_facts_takes_in(execution, one, other);
    bool second = weiri_facts_takes_in(execution, other, one);
    if (first != second) {
        uint32_t narrow = first ? other : one, left_out = first ? one : other;
        return g_strdup_printf("the scope of the %s in line %s excludes %s",
                               weiri_message_noun(in, narrow),
                               weiri_message_line(in, narrow),
                               weiri_message_thread(in, left_out));
    }
    if (first && in->model->form == WEIRI_FORM_PTX) {
        bool proxies
            = event_of(in, one)->traits.proxy != event_of(in, other)->traits.proxy;
        return g_strdup_printf("the %s in line %s and the %s in line %s use two %s",
                               weiri_message_noun(in, one), weiri_message_line(in, one),
                               weiri_message_noun(in, other),
                               weiri_message_line(in, other),
                               proxies ? "proxies" : "virtual addresses");
    }
    return g_strdup_printf(
        "the scopes of the %s in line %s and of the %s in line %s %s",
        weiri_message_noun(in, one), weiri_message_line(in, one),
        weiri_message_noun(in, other), weiri_message_line(in, other),
        first ? "are not equal, as this model requires"
              : "exclude each other's threads");
}

char *weiri_message_not_strong(const struct weiri_messages *in, uint32_t one,
                               uint32_t other)
{
    g_autofree char *scopes = why_out_of_scope(in, one, other);
    return g_strconcat(
        in->model->form == WEIRI_FORM_PTX ? "they are not morally strong: " : "",
        scopes, NULL);
}
