/* SPDX-License-Identifier: MIT
 *
 * message-words.c: the words in which message.c and message-table.c speak of events. */
#include "config.h"

#include "answer/message-own.h"

#include <string.h>

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
/* How many events of the thread up to this one, with the same noun, are of its line. */
static unsigned round_of(const struct weiri_messages *in, uint32_t event)
{
    unsigned n = 1;
    for (uint32_t e = execution_of(in)->first[event_of(in, event)->thread]; e < event;
         e++) {
        n += event_of(in, e)->kind == event_of(in, event)->kind
            && strcmp(weiri_message_line(in, e), weiri_message_line(in, event)) == 0;
    }
    return n;
}

const char *weiri_message_line_beside(const struct weiri_messages *in, uint32_t event,
                                      uint32_t other)
{
    const char *line = weiri_message_line(in, event);
    if (strcmp(line, weiri_message_line(in, other)) != 0) {
        return line;
    }
    bool same = event_of(in, event)->thread == event_of(in, other)->thread
        && event_of(in, event)->kind == event_of(in, other)->kind;
    g_autofree char *round
        = same ? g_strdup_printf(", round %u,", round_of(in, event)) : g_strdup("");
    g_autofree char *text
        = g_strdup_printf("%s in %s%s", line, weiri_message_thread(in, event), round);
    return g_string_chunk_insert_const(in->strings, text);
}

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
        return g_strdup_printf(
            "the %s in line %s and the %s in line %s use two %s",
            weiri_message_noun(in, one), weiri_message_line_beside(in, one, other),
            weiri_message_noun(in, other), weiri_message_line_beside(in, other, one),
            proxies ? "proxies" : "virtual addresses");
    }
    return g_strdup_printf(
        "the scopes of the %s in line %s and of the %s in line %s %s",
        weiri_message_noun(in, one), weiri_message_line_beside(in, one, other),
        weiri_message_noun(in, other), weiri_message_line_beside(in, other, one),
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
