/* SPDX-License-Identifier: MIT
 *
 * loops.c: see loops.h. A loop's key is the loop around it, the calls in between, its
 * file and its statement there; equal keys are one loop. */
#include "config.h"

#include "exec/loops.h"

#include "base/source.h"

#include <glib.h>

/* Inlined calls of one address that are looked at. */
enum { MOST_FRAMES = 32 };

struct weiri_loops {
    size_t (*frames)(const void *pc, struct weir_frame *frames, size_t most);
    const char *(*text)(const char *file, size_t *bytes);
    GHashTable *sources;  /* file -> struct weiri_source, or NULL: it is not there */
    GHashTable *numbers;  /* key -> loop */
    GArray *around;       /* by loop: the loop around it */
    bool asked, answered; /* some place was asked for; one was known */
};

static void free_source(void *source)
{
    weiri_source_free(source);
}

struct weiri_loops *weiri_loops_new(
    size_t (*frames)(const void *pc, struct weir_frame *frames, size_t most),
    const char *(*text)(const char *file, size_t *bytes))
{
    struct weiri_loops *loops = g_new(struct weiri_loops, 1);
    uint32_t none = WEIRI_LOOP_NONE;
    *loops = (struct weiri_loops){
        .frames = frames,
        .text = text,
        .sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_source),
        .numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .around = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
    };
    g_array_append_val(loops->around, none); /* of WEIRI_LOOP_NONE itself */
    return loops;
}

void weiri_loops_free(struct weiri_loops *loops)
{
    if (loops != NULL) {
        g_hash_table_unref(loops->sources);
        g_hash_table_unref(loops->numbers);
        g_array_unref(loops->around);
        g_free(loops);
    }
}

static const struct weiri_source *source_of(struct weiri_loops *loops, const char *file)
{
    void *source = NULL;
    if (!g_hash_table_lookup_extended(loops->sources, file, NULL, &source)) {
        size_t bytes;
        const char *text = loops->text(file, &bytes);
        source = text != NULL ? weiri_source_new(file, text, bytes) : NULL;
        g_hash_table_insert(loops->sources, g_strdup(file), source);
    }
    return source;
}

static uint32_t number_of(struct weiri_loops *loops, uint32_t around, const char *calls,
                          const char *file, uint32_t statement)
{
    g_autofree char *key
        = g_strdup_printf("%u %s %s#%u", around, calls, file, statement);
    uint32_t loop = GPOINTER_TO_UINT(g_hash_table_lookup(loops->numbers, key));
    if (loop == WEIRI_LOOP_NONE) {
        loop = loops->around->len;
        g_array_append_val(loops->around, around);
        g_hash_table_insert(loops->numbers, g_steal_pointer(&key),
                            GUINT_TO_POINTER(loop));
    }
    return loop;
}

static bool is_loop(const struct weiri_source *source, uint32_t statement)
{
    const struct weiri_statement *one = weiri_source_at(source, statement);
    return one->kind == WEIRI_STATEMENT_LOOP || one->kind == WEIRI_STATEMENT_MACRO;
}

/* The innermost loop around a statement of a function that is called inside @around by
 * @calls. */
static uint32_t enter(struct weiri_loops *loops, const struct weiri_source *source,
                      uint32_t statement, uint32_t around, const char *calls,
                      const char *file)
{
    g_autoptr(GArray) chain = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    if (!is_loop(source, statement)) {
        statement = weiri_source_loop(source, statement);
    }
    for (; statement != WEIRI_STATEMENT_NONE;
         statement = weiri_source_loop(source, statement)) {
        g_array_append_val(chain, statement);
    }
    for (guint i = chain->len; i > 0; i--) {
        around = number_of(loops, around, i == chain->len ? calls : "", file,
                           g_array_index(chain, uint32_t, i - 1));
    }
    return around;
}

uint32_t weiri_loops_at(struct weiri_loops *loops, const struct weiri_backtrace *calls)
{
    g_autoptr(GString) path = g_string_new(NULL); /* the calls since @loop */
    uint32_t loop = WEIRI_LOOP_NONE;
    bool known = false;
    for (uint32_t i = calls->n; i > 0; i--) {
        struct weir_frame frames[MOST_FRAMES];
        size_t n = loops->frames(calls->pc[i - 1], frames, MOST_FRAMES);
        for (size_t k = n; k > 0; k--) {
            const struct weir_frame *frame = &frames[k - 1];
            const struct weiri_source *source
                = frame->file != NULL ? source_of(loops, frame->file) : NULL;
            uint32_t statement = source != NULL ? weiri_source_find(source, frame->line)
                                                : WEIRI_STATEMENT_NONE;
            known = statement != WEIRI_STATEMENT_NONE;
            if (known) {
                uint32_t inner
                    = enter(loops, source, statement, loop, path->str, frame->file);
                if (inner != loop) {
                    g_string_truncate(path, 0);
                }
                loop = inner;
            }
            g_string_append_printf(path, "%s:%u,", frame->file, frame->line);
        }
    }
    loops->asked = true;
    loops->answered |= known;
    return known ? loop : WEIRI_LOOP_UNKNOWN;
}

bool weiri_loops_are_lost(const struct weiri_loops *loops)
{
    return loops->asked && !loops->answered;
}

uint32_t weiri_loops_around(const struct weiri_loops *loops, uint32_t loop)
{
    return g_array_index(loops->around, uint32_t, loop);
}
