/* SPDX-License-Identifier: MIT
 *
 * shared.c: see shared.h. The bytes are a GVariant of one fixed type. They come from a
 * fork of this process or from a rank that runs the same program, so their form is
 * trusted. */
#include "config.h"

#include "native/shared.h"

static void clear_state(void *data)
{
    g_free(((struct weiri_shared_state *)data)->text);
}

static void clear_kept(void *data)
{
    g_array_unref(((struct weiri_shared_kept *)data)->place);
}

struct weiri_shared *weiri_shared_new(void)
{
    struct weiri_shared *shared = g_new0(struct weiri_shared, 1);
    shared->stopped = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    shared->states = g_array_new(FALSE, FALSE, sizeof(struct weiri_shared_state));
    g_array_set_clear_func(shared->states, clear_state);
    shared->kept = g_array_new(FALSE, FALSE, sizeof(struct weiri_shared_kept));
    g_array_set_clear_func(shared->kept, clear_kept);
    shared->histories = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    shared->answers = g_array_new(FALSE, FALSE, sizeof(int64_t));
    shared->prints = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    shared->wrote = g_array_new(FALSE, FALSE, sizeof(uint8_t));
    shared->marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return shared;
}

void weiri_shared_free(struct weiri_shared *shared)
{
    g_free(shared->failure);
    g_free(shared->refused);
    g_array_unref(shared->stopped);
    g_array_unref(shared->states);
    g_array_unref(shared->kept);
    g_array_unref(shared->histories);
    g_array_unref(shared->answers);
    g_array_unref(shared->prints);
    g_array_unref(shared->wrote);
    g_array_unref(shared->marks);
    g_free(shared);
}

int weiri_shared_compare(const GArray *place, const GArray *other)
{
    for (guint i = 0; i < MIN(place->len, other->len); i++) {
        uint32_t a = g_array_index(place, uint32_t, i);
        uint32_t b = g_array_index(other, uint32_t, i);
        if (a != b) {
            return a < b ? -1 : 1;
        }
    }
    return (place->len > other->len) - (place->len < other->len);
}

/* ---- As bytes -------------------------------------------------------------- */

#define NUMBERS "at"
#define PLACE "au"
#define STATES "a(aytb)"
#define KEPT "a(ut" PLACE ")"
#define ALL "(bbbayay" PLACE NUMBERS STATES KEPT PLACE "ax" NUMBERS "ay" PLACE ")"

static GVariant *fixed(const char *type, const void *data, size_t n, size_t bytes)
{
    return g_variant_new_fixed_array(G_VARIANT_TYPE(type), data, n, bytes);
}

static GVariant *of_array(const char *type, const GArray *array)
{
    return fixed(type, array->data, array->len,
                 g_array_get_element_size((GArray *)array));
}

GBytes *weiri_shared_to_bytes(const struct weiri_shared *shared)
{
    GVariantBuilder states, kept;
    g_variant_builder_init(&states, G_VARIANT_TYPE(STATES));
    for (guint i = 0; i < shared->states->len; i++) {
        const struct weiri_shared_state *state
            = &g_array_index(shared->states, struct weiri_shared_state, i);
        g_variant_builder_add(&states, "(^aytb)", state->text,
                              (guint64)state->executions, (gboolean)state->holds);
    }
    g_variant_builder_init(&kept, G_VARIANT_TYPE(KEPT));
    for (guint i = 0; i < shared->kept->len; i++) {
        const struct weiri_shared_kept *one
            = &g_array_index(shared->kept, struct weiri_shared_kept, i);
        g_variant_builder_add(&kept, "(ut@" PLACE ")", one->kind,
                              (guint64)one->executions, of_array("u", one->place));
    }
    GVariant *all = g_variant_new(
        "(bbb^ay^ay@" PLACE "@" NUMBERS STATES KEPT "@" PLACE "@ax@" NUMBERS
        "@ay@" PLACE ")",
        (gboolean)shared->complete, (gboolean)shared->too_large, (gboolean)shared->anew,
        shared->failure != NULL ? shared->failure : "",
        shared->refused != NULL ? shared->refused : "", of_array("u", shared->stopped),
        fixed("t", shared->counts, WEIRI_N_SHARED_COUNTS, sizeof(uint64_t)), &states,
        &kept, of_array("u", shared->histories), of_array("x", shared->answers),
        of_array("t", shared->prints), of_array("y", shared->wrote),
        of_array("u", shared->marks));
    g_variant_ref_sink(all);
    GBytes *bytes = g_variant_get_data_as_bytes(all);
    g_variant_unref(all);
    return bytes;
}

static void append_all(GArray *array, GVariant *child)
{
    gsize n;
    const void *data
        = g_variant_get_fixed_array(child, &n, g_array_get_element_size(array));
    g_array_append_vals(array, data, (guint)n);
    g_variant_unref(child);
}

/* The members from the arrays on. */
static void take_arrays(struct weiri_shared *shared, GVariant *all)
{
    enum {
        STOPPED = 5,
        COUNTS,
        STATES_AT,
        KEPT_AT,
        HISTORIES,
        ANSWERS,
        PRINTS,
        WROTE,
        MARKS
    };
    append_all(shared->stopped, g_variant_get_child_value(all, STOPPED));
    append_all(shared->histories, g_variant_get_child_value(all, HISTORIES));
    append_all(shared->answers, g_variant_get_child_value(all, ANSWERS));
    append_all(shared->prints, g_variant_get_child_value(all, PRINTS));
    append_all(shared->wrote, g_variant_get_child_value(all, WROTE));
    append_all(shared->marks, g_variant_get_child_value(all, MARKS));
    GVariant *child = g_variant_get_child_value(all, COUNTS);
    for (unsigned i = 0; i < WEIRI_N_SHARED_COUNTS; i++) {
        g_variant_get_child(child, i, "t", &shared->counts[i]);
    }
    g_variant_unref(child);
    child = g_variant_get_child_value(all, STATES_AT);
    for (gsize i = 0; i < g_variant_n_children(child); i++) {
        struct weiri_shared_state state;
        gboolean holds;
        g_variant_get_child(child, i, "(^aytb)", &state.text, &state.executions,
                            &holds);
        state.holds = holds;
        g_array_append_val(shared->states, state);
    }
    g_variant_unref(child);
    child = g_variant_get_child_value(all, KEPT_AT);
    for (gsize i = 0; i < g_variant_n_children(child); i++) {
        struct weiri_shared_kept one
            = { .place = g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
        GVariant *place;
        g_variant_get_child(child, i, "(ut@" PLACE ")", &one.kind, &one.executions,
                            &place);
        append_all(one.place, place);
        g_array_append_val(shared->kept, one);
    }
    g_variant_unref(child);
}

/* Returns: (transfer full): or NULL for an empty one */
static char *text_of(GVariant *all, gsize member)
{
    char *text;
    g_variant_get_child(all, member, "^ay", &text);
    if (text[0] == '\0') {
        g_clear_pointer(&text, g_free);
    }
    return text;
}

struct weiri_shared *weiri_shared_of_bytes(GBytes *bytes)
{
    GVariant *all = g_variant_new_from_bytes(G_VARIANT_TYPE(ALL), bytes, TRUE);
    struct weiri_shared *shared = weiri_shared_new();
    gboolean complete, too_large, anew;
    g_variant_ref_sink(all);
    g_variant_get_child(all, 0, "b", &complete);
    g_variant_get_child(all, 1, "b", &too_large);
    g_variant_get_child(all, 2, "b", &anew);
    shared->failure = text_of(all, 3);
    shared->refused = text_of(all, 4);
    shared->complete = complete;
    shared->too_large = too_large;
    shared->anew = anew;
    take_arrays(shared, all);
    g_variant_unref(all);
    return shared;
}
