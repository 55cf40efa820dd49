/* SPDX-License-Identifier: MIT
 *
 * trace-file.c: the file of a schedule. Text, so that it can be read, kept in version
 * control, and cut by hand:
 *
 *   weir schedule 1
 *   command: weir check --schedule random --seed 7 ...      entries of the recorder
 *
 *   launch: tree_sum
 *     identity: 9f0c62b1a4d37e58
 *     device: default
 *     global: 64
 *     local: 8
 *     sub-group: 16
 *     schedule: random
 *     seed: 7
 *     stops: operations
 *     steps: 420
 *     decisions: 371
 *     switches: 2
 *     0 start -> 0.5
 *     17 0.5:3 -> 1.2 tree.c:41
 *   end
 *
 * The second switch means: at step 17, when item 5 of group 0 was at its third stop, at
 * tree.c:41, item 2 of group 1 was chosen, and not the item that the in-order schedule
 * would have chosen. Blank lines and lines that begin with # are ignored. The last line
 * is "end", so that a truncated file is recognised.
 *
 * Every count is checked, so a file is read completely or not at all. Text of entries
 * is escaped as in C. A change of the form raises the number in the first line. */
#include "config.h"

#include "deterministic/trace.h"

#include "base/file.h"

#include <string.h>

static const char HEAD[] = "weir schedule 1";
/* A larger file is not a schedule. */
enum { MOST_BYTES = 1 << 30 };

/* ---- Writing ------------------------------------------------------------- */

/* Escapes as in C, and blanks at the ends, which the reader would strip. */
static char *escape(const char *text)
{
    g_autofree char *escaped = g_strescape(text, NULL);
    size_t length = strlen(escaped), end = length;
    size_t start = strspn(escaped, " ");
    while (end > start && escaped[end - 1] == ' ') {
        end--;
    }
    GString *whole = g_string_new(NULL);
    for (size_t i = 0; i < length; i++) {
        g_string_append_printf(whole, i < start || i >= end ? "\\%03o" : "%c",
                               (unsigned char)escaped[i]);
    }
    return g_string_free(whole, FALSE);
}

static void add_launch(GString *text, const struct weiri_traced *traced)
{
    g_autofree char *device = escape(traced->device);
    g_string_append_printf(
        text,
        "\nlaunch: %s\n  identity: %s\n  device: %s\n  global: %s\n  local: %s\n"
        "  sub-group: %u\n  schedule: %s\n  seed: %" G_GUINT64_FORMAT
        "\n  stops: %s\n  steps: %" G_GUINT64_FORMAT "\n  decisions: %" G_GUINT64_FORMAT
        "\n  switches: %u\n",
        traced->kernel, traced->identity, device, traced->global, traced->local,
        traced->sub_group, traced->schedule, traced->seed,
        traced->accesses ? "accesses" : "operations", traced->n_steps,
        traced->n_decisions, traced->switches->len);
    for (guint i = 0; i < traced->switches->len; i++) {
        const struct weiri_switch *one
            = &g_array_index(traced->switches, struct weiri_switch, i);
        g_string_append_printf(text, "  %" G_GUINT64_FORMAT " ", one->step);
        if (one->stop == 0) {
            g_string_append(text, "start");
        } else {
            g_string_append_printf(text, "%" G_GUINT64_FORMAT ".%u:%" G_GUINT64_FORMAT,
                                   one->group, one->item, one->stop);
        }
        g_string_append_printf(text, " -> %" G_GUINT64_FORMAT ".%u", one->to_group,
                               one->to_item);
        if (one->file != NULL) {
            g_autofree char *file = g_strescape(one->file, NULL);
            g_string_append_printf(text, " %s:%u", file, one->line);
        }
        g_string_append_c(text, '\n');
    }
}

char *weiri_trace_to_text(const struct weir_schedule *schedule)
{
    GString *text = g_string_new(HEAD);
    g_string_append_c(text, '\n');
    for (guint i = 0; i < schedule->keys->len; i++) {
        const char *key = g_ptr_array_index(schedule->keys, i);
        g_autofree char *value = escape(g_hash_table_lookup(schedule->entries, key));
        g_string_append_printf(text, "%s: %s\n", key, value);
    }
    for (guint i = 0; i < schedule->launches->len; i++) {
        add_launch(text, g_ptr_array_index(schedule->launches, i));
    }
    g_string_append(text, "end\n");
    return g_string_free(text, FALSE);
}

bool weir_schedule_save(const struct weir_schedule *schedule, const char *path,
                        GError **error)
{
    g_return_val_if_fail(schedule != NULL && path != NULL, false);
    g_autofree char *text = weiri_trace_to_text(schedule);
    g_autoptr(GError) failure = NULL;
    if (!weiri_file_write(path, text, &failure)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE, "cannot write schedule: %s",
                    failure->message);
        return false;
    }
    return true;
}

/* ---- Reading ------------------------------------------------------------- */

struct reader {
    const char *path;
    char *rest; /* the part that is not read yet; NULL after the last line */
    guint at;   /* lines that were read */
    GError **error;
};

static G_GNUC_PRINTF(2, 3) bool refuse(struct reader *reader, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    g_autofree char *what = g_strdup_vprintf(format, values);
    va_end(values);
    g_set_error(reader->error, WEIR_ERROR, WEIR_ERROR_SCHEDULE, "%s:%u: %s",
                reader->path, reader->at, what);
    return false;
}

/* The next line that is not ignored, without blanks around it; NULL at the end. */
static const char *next_line(struct reader *reader)
{
    while (reader->rest != NULL) {
        char *line = reader->rest, *end = strchr(line, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        reader->rest = end;
        reader->at++;
        g_strstrip(line);
        if (line[0] != '\0' && line[0] != '#') {
            return line;
        }
    }
    return NULL;
}

/* The inverse of escape(). GLib's own reading warns of a backslash that nothing
 * follows. */
static bool unescape(const char *escaped, char **text)
{
    for (const char *at = escaped; *at != '\0'; at++) {
        if (*at == '\\' && *++at == '\0') {
            return false;
        }
    }
    *text = g_strcompress(escaped);
    return true;
}

static bool refuse_escape(struct reader *reader, const char *key, const char *text)
{
    return refuse(
        reader,
        "'%s: %s' ends in a lone backslash: a backslash of the text itself is "
        "written twice",
        key, text);
}

static bool read_number(const char **at, uint64_t *value)
{
    if (!g_ascii_isdigit(**at)) {
        return false;
    }
    uint64_t number = 0;
    for (; g_ascii_isdigit(**at); (*at)++) {
        if (__builtin_mul_overflow(number, 10, &number)
            || __builtin_add_overflow(number, (uint64_t)(**at - '0'), &number)) {
            return false;
        }
    }
    *value = number;
    return true;
}

static bool read_word(const char **at, const char *word)
{
    if (!g_str_has_prefix(*at, word)) {
        return false;
    }
    *at += strlen(word);
    return true;
}

static bool read_item(const char **at, uint64_t *group, uint32_t *item)
{
    uint64_t number;
    if (!read_number(at, group) || !read_word(at, ".") || !read_number(at, &number)
        || number >= UINT32_MAX) {
        return false;
    }
    *item = (uint32_t)number;
    return true;
}

/* "FILE:LINE", both or nothing. */
static bool read_place(const char *at, struct weiri_switch *one)
{
    if (*at == '\0') {
        return true;
    }
    const char *colon = strrchr(at, ':');
    uint64_t line;
    if (*at != ' ' || colon == NULL || colon <= at + 1) {
        return false;
    }
    const char *number = colon + 1;
    if (!read_number(&number, &line) || *number != '\0' || line > UINT32_MAX) {
        return false;
    }
    g_autofree char *escaped = g_strndup(at + 1, (gsize)(colon - at - 1));
    g_autofree char *file = NULL;
    if (!unescape(escaped, &file)) {
        return false;
    }
    one->file = g_intern_string(file);
    one->line = (uint32_t)line;
    return true;
}

static bool read_switch(const char *line, struct weiri_switch *one)
{
    const char *at = line;
    *one = (struct weiri_switch){ 0 };
    if (!read_number(&at, &one->step) || !read_word(&at, " ")) {
        return false;
    }
    if (!read_word(&at, "start")
        && (!read_item(&at, &one->group, &one->item) || !read_word(&at, ":")
            || !read_number(&at, &one->stop) || one->stop == 0)) {
        return false;
    }
    return read_word(&at, " -> ") && read_item(&at, &one->to_group, &one->to_item)
        && read_place(at, one);
}

/* "KEY: TEXT" of a launch, in the order of the file. */
static bool read_text(struct reader *reader, const char *key, char **text)
{
    const char *line = next_line(reader);
    g_autofree char *start = g_strconcat(key, ": ", NULL);
    if (line == NULL || !g_str_has_prefix(line, start)) {
        return refuse(reader, "'%s: …' is expected%s%s", key,
                      line != NULL ? ", not: " : ", and the file ends",
                      line != NULL ? line : "");
    }
    const char *escaped = line + strlen(start);
    return unescape(escaped, text) || refuse_escape(reader, key, escaped);
}

static bool read_count(struct reader *reader, const char *key, uint64_t most,
                       uint64_t *value)
{
    g_autofree char *text = NULL;
    if (!read_text(reader, key, &text)) {
        return false;
    }
    const char *at = text;
    if (!read_number(&at, value) || *at != '\0' || *value > most) {
        return refuse(reader, "'%s: %s' is not a number up to %" G_GUINT64_FORMAT, key,
                      text, most);
    }
    return true;
}

/* One to three numbers, "16 x 4". */
static bool read_sizes(struct reader *reader, const char *key, char **text)
{
    if (!read_text(reader, key, text)) {
        return false;
    }
    const char *at = *text;
    for (int dim = 0; dim < 3; dim++) {
        uint64_t size;
        if (!read_number(&at, &size)) {
            break;
        }
        if (*at == '\0') {
            return true;
        }
        if (!read_word(&at, " x ")) {
            break;
        }
    }
    return refuse(reader, "'%s: %s': give one to three sizes, such as 16 x 4", key,
                  *text);
}

static bool read_switches(struct reader *reader, struct weiri_traced *traced,
                          uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const char *line = next_line(reader);
        struct weiri_switch one;
        if (line == NULL || !read_switch(line, &one)) {
            return refuse(reader,
                          "switch %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                          " is expected, 'STEP GROUP.ITEM:STOP -> GROUP.ITEM "
                          "FILE:LINE'%s%s",
                          i + 1, n, line != NULL ? ", not: " : ", and the file ends",
                          line != NULL ? line : "");
        }
        const struct weiri_switch *before = i == 0
            ? NULL
            : &g_array_index(traced->switches, struct weiri_switch, i - 1);
        if (one.step >= traced->n_steps
            || (before != NULL && before->step >= one.step)) {
            return refuse(reader,
                          "step %" G_GUINT64_FORMAT " is not between the one before it "
                          "and the %" G_GUINT64_FORMAT " steps of the launch",
                          one.step, traced->n_steps);
        }
        g_array_append_val(traced->switches, one);
    }
    return true;
}

static bool read_launch(struct reader *reader, struct weiri_traced *traced)
{
    uint64_t sub_group, n_switches;
    g_autofree char *stops = NULL;
    if (!read_text(reader, "identity", &traced->identity)
        || !read_text(reader, "device", &traced->device)
        || !read_sizes(reader, "global", &traced->global)
        || !read_sizes(reader, "local", &traced->local)
        || !read_count(reader, "sub-group", UINT32_MAX, &sub_group)
        || !read_text(reader, "schedule", &traced->schedule)
        || !read_count(reader, "seed", UINT64_MAX, &traced->seed)
        || !read_text(reader, "stops", &stops)) {
        return false;
    }
    traced->sub_group = (uint32_t)sub_group;
    traced->accesses = strcmp(stops, "accesses") == 0;
    if (!traced->accesses && strcmp(stops, "operations") != 0) {
        return refuse(reader, "'stops: %s': give operations or accesses", stops);
    }
    return read_count(reader, "steps", UINT64_MAX, &traced->n_steps)
        && read_count(reader, "decisions", traced->n_steps, &traced->n_decisions)
        && read_count(reader, "switches", traced->n_decisions, &n_switches)
        && read_switches(reader, traced, n_switches);
}

static bool read_entry(struct reader *reader, struct weir_schedule *schedule,
                       const char *line)
{
    const char *colon = strstr(line, ": ");
    size_t length = colon != NULL ? (size_t)(colon - line) : strlen(line);
    bool empty = colon == NULL && length > 1 && line[length - 1] == ':';
    length -= empty;
    if ((colon == NULL && !empty) || !weiri_trace_is_key(line, length)
        || schedule->launches->len > 0) {
        return refuse(reader,
                      "neither an entry 'key: text', nor 'launch: KERNEL', nor "
                      "'end': %s",
                      line);
    }
    g_autofree char *key = g_strndup(line, length);
    if (weir_schedule_get(schedule, key) != NULL) {
        return refuse(reader, "entry '%s' is given twice", key);
    }
    const char *escaped = empty ? "" : colon + 2;
    g_autofree char *text = NULL;
    if (!unescape(escaped, &text)) {
        return refuse_escape(reader, key, escaped);
    }
    weir_schedule_set(schedule, key, text);
    return true;
}

static bool read_schedule(struct reader *reader, struct weir_schedule *schedule)
{
    const char *line = next_line(reader);
    if (line == NULL || strcmp(line, HEAD) != 0) {
        return refuse(reader, "a schedule of Weir begins with '%s'%s%.60s", HEAD,
                      line != NULL ? ", not: " : "", line != NULL ? line : "");
    }
    while ((line = next_line(reader)) != NULL) {
        if (strcmp(line, "end") == 0) {
            return next_line(reader) == NULL
                || refuse(reader, "there is text after 'end'");
        }
        if (!g_str_has_prefix(line, "launch: ")) {
            if (!read_entry(reader, schedule, line)) {
                return false;
            }
            continue;
        }
        struct weiri_traced *traced = weiri_traced_new();
        weiri_trace_add(schedule, traced);
        traced->kernel = g_strdup(line + strlen("launch: "));
        if (!read_launch(reader, traced)) {
            return false;
        }
    }
    return refuse(reader, "the file ends without 'end': it was cut short");
}

struct weir_schedule *weiri_trace_parse(const char *text, size_t bytes,
                                        const char *name, GError **error)
{
    if (bytes > MOST_BYTES || memchr(text, '\0', bytes) != NULL
        || !g_utf8_validate(text, (gssize)bytes, NULL)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                    "%s: not a schedule: it is not text, or is larger than %d "
                    "bytes",
                    name, MOST_BYTES);
        return NULL;
    }
    g_autofree char *copy = g_strndup(text, bytes);
    struct reader reader = { name, copy, 0, error };
    struct weir_schedule *schedule = weir_schedule_new();
    if (!read_schedule(&reader, schedule)) {
        weir_schedule_free(schedule);
        return NULL;
    }
    return schedule;
}

struct weir_schedule *weir_schedule_load(const char *path, GError **error)
{
    g_return_val_if_fail(path != NULL, NULL);
    g_autofree char *text = NULL;
    gsize bytes;
    g_autoptr(GError) failure = NULL;
    if (!g_file_get_contents(path, &text, &bytes, &failure)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                    "cannot read schedule %s: %s", path, failure->message);
        return NULL;
    }
    return weiri_trace_parse(text, bytes, path, error);
}

/* ---- Turns ----------------------------------------------------------------------- */

/* "1.0:3 0.2:1 1.0". Where a turn ends there is a switch to the item of the next. */
static bool read_turns(const char *turns, GArray *switches)
{
    struct weiri_switch one = { .stop = 0 };
    for (const char *at = turns; *at != '\0';) {
        uint64_t group;
        uint32_t item;
        if (!read_item(&at, &group, &item)) {
            return false;
        }
        one.to_group = group;
        one.to_item = item;
        one.step = switches->len;
        g_array_append_val(switches, one);
        if (*at == '\0') {
            break;
        }
        one = (struct weiri_switch){ .group = group, .item = item };
        if (!read_word(&at, ":") || !read_number(&at, &one.stop) || one.stop == 0
            || !read_word(&at, " ") || *at == '\0') {
            return false;
        }
    }
    return true;
}

bool weir_schedule_set_turns(struct weir_schedule *schedule, size_t launch,
                             const char *turns, GError **error)
{
    g_return_val_if_fail(schedule != NULL && turns != NULL, false);
    if (launch >= schedule->launches->len) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                    "the schedule has %u launches, and no launch of number %zu",
                    schedule->launches->len, launch);
        return false;
    }
    g_autoptr(GArray) switches = g_array_new(FALSE, FALSE, sizeof(struct weiri_switch));
    if (!read_turns(turns, switches)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                    "turns are of the form 1.0:3 0.2:1 1.0, unlike '%s'", turns);
        return false;
    }
    struct weiri_traced *traced = g_ptr_array_index(schedule->launches, launch);
    traced->n_decisions = MAX(traced->n_decisions, switches->len);
    traced->n_steps = MAX(traced->n_steps, switches->len);
    g_array_unref(traced->switches);
    traced->switches = g_steal_pointer(&switches);
    schedule->next = 0; /* to be followed from its start */
    return true;
}
