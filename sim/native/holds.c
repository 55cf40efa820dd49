/* SPDX-License-Identifier: MIT
 *
 * holds.c: see holds.h. A state is a text "a[0]=1,c[0]=5", which leaves out the cells
 * that have the value of the start. So a cell that only some states name has one value
 * more, the value of the start.
 *
 * The text here is "a[0]=HASH,c[0]=HASH", and ends with MORE if not all cells fit. */
#include "config.h"

#include "native/holds.h"

#include <glib.h>
#include <string.h>

#define MORE "..."

/* A cell, and the values that it has in the states. */
struct held {
    char *name;        /* owned */
    GPtrArray *values; /* different ones, in the order of the states; owned */
    size_t n_states;   /* that name it */
};

static void free_held(void *data)
{
    struct held *held = data;
    g_free(held->name);
    g_ptr_array_unref(held->values);
    g_free(held);
}

/* By object and index: "a[2]" comes before "a[10]". */
static int compare_names(const char *one, size_t one_bytes, const char *other,
                         size_t other_bytes)
{
    const char *a = memchr(one, '[', one_bytes), *b = memchr(other, '[', other_bytes);
    size_t n = a != NULL ? (size_t)(a - one) : one_bytes;
    size_t m = b != NULL ? (size_t)(b - other) : other_bytes;
    int order = memcmp(one, other, MIN(n, m));
    order = order != 0 ? order : (n > m) - (n < m);
    if (order == 0 && a != NULL && b != NULL) {
        gint64 i = g_ascii_strtoll(a + 1, NULL, 10),
               k = g_ascii_strtoll(b + 1, NULL, 10);
        order = (i > k) - (i < k);
    }
    return order;
}

static int by_name(const void *a, const void *b)
{
    const struct held *one = *(struct held *const *)a,
                      *other = *(struct held *const *)b;
    return compare_names(one->name, strlen(one->name), other->name,
                         strlen(other->name));
}

static void add_value(GHashTable *by, const char *piece)
{
    const char *equals = strrchr(piece, '=');
    if (equals == NULL) {
        return;
    }
    g_autofree char *name = g_strndup(piece, (gsize)(equals - piece));
    struct held *held = g_hash_table_lookup(by, name);
    if (held == NULL) {
        held = g_new0(struct held, 1);
        held->name = g_steal_pointer(&name);
        held->values = g_ptr_array_new_with_free_func(g_free);
        g_hash_table_insert(by, held->name, held);
    }
    held->n_states++;
    if (!g_ptr_array_find_with_equal_func(held->values, equals, g_str_equal, NULL)) {
        g_ptr_array_add(held->values, g_strdup(equals));
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static guint hash_of(const struct held *held, size_t n_states)
{
    g_autoptr(GString) text = g_string_new(held->n_states < n_states ? "start" : NULL);
    g_ptr_array_sort(held->values, by_text);
    for (guint i = 0; i < held->values->len; i++) {
        g_string_append(text, g_ptr_array_index(held->values, i));
    }
    return g_str_hash(text->str);
}

void weiri_holds_write(const struct weir_explored_state *states, size_t n, char *text,
                       size_t bytes)
{
    g_autoptr(GHashTable) by
        = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_held);
    for (size_t i = 0; i < n; i++) {
        g_auto(GStrv) pieces = g_strsplit(states[i].text, ",", -1);
        for (size_t k = 0; pieces[k] != NULL; k++) {
            add_value(by, pieces[k]);
        }
    }
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    GHashTableIter each;
    gpointer held;
    g_hash_table_iter_init(&each, by);
    while (g_hash_table_iter_next(&each, NULL, &held)) {
        g_ptr_array_add(all, held);
    }
    g_ptr_array_sort(all, by_name);
    g_autoptr(GString) out = g_string_new(NULL);
    for (guint i = 0; i < all->len; i++) {
        const struct held *one = g_ptr_array_index(all, i);
        size_t before = out->len;
        g_string_append_printf(out, "%s=%08x,", one->name, hash_of(one, n));
        if (out->len + strlen(MORE) >= bytes) {
            g_string_truncate(out, before);
            g_string_append(out, MORE);
            break;
        }
    }
    g_strlcpy(text, out->str, bytes);
}

char *weiri_holds_changed(const char *before, const char *now)
{
    while (*before != '\0' && *now != '\0' && strcmp(before, MORE) != 0
           && strcmp(now, MORE) != 0) {
        size_t n = strcspn(before, "="), m = strcspn(now, "=");
        size_t end = strcspn(before, ","), other_end = strcspn(now, ",");
        int order = compare_names(before, n, now, m);
        if (order != 0) {
            return order < 0 ? g_strndup(before, n) : g_strndup(now, m);
        }
        if (end != other_end || memcmp(before, now, end) != 0) {
            return g_strndup(now, m);
        }
        before += end + 1;
        now += other_end + 1;
    }
    const char *rest = *before != '\0' ? before : now;
    bool known
        = (*before == '\0' || *now == '\0') && *rest != '\0' && strcmp(rest, MORE) != 0;
    return known ? g_strndup(rest, strcspn(rest, "=")) : NULL;
}
