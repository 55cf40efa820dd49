/* SPDX-License-Identifier: MIT
 *
 * options.c: see options.h. One table has every key, where its value is kept, and how
 * it is read and written. */
#include "config.h"

#include "report/options.h"

#include <inttypes.h>
#include <string.h>

#define X(name, key, ...)                                                              \
    const char *const weiri_options_##name[] = { __VA_ARGS__, NULL };
WEIRI_OPTIONS_CHOICES(X)
#undef X

int weiri_options_find(const char *const *words, const char *word)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- Values ---------------------------------------------------------------------- */

/* A key of the line. It has either @read or @words. */
struct key {
    const char *key;
    /* Sets one value. Returns: NULL, or what the value should have been */
    const char *(*read)(const char *value, struct weiri_options *options,
                        const struct key *key);
    size_t offset;            /* of what is set, in struct weiri_options */
    size_t bytes;             /* of a number, 4 or 8 */
    uint64_t least;           /* of a number */
    const char *const *words; /* the value is one of these */
    size_t given;             /* with @words: of the flag that the key was given */
};

#define MEMBER(type, options, offset) (*(type *)(void *)((char *)(options) + (offset)))

static const char *read_text(const char *value, struct weiri_options *options,
                             const struct key *key)
{
    MEMBER(char *, options, key->offset) = g_strdup(value);
    return value[0] != '\0' ? NULL : "something";
}

/* The text may be empty. */
static const char *read_any(const char *value, struct weiri_options *options,
                            const struct key *key)
{
    MEMBER(char *, options, key->offset) = g_strdup(value);
    return NULL;
}

static const char *read_number(const char *value, struct weiri_options *options,
                               const struct key *key)
{
    bool wide = key->bytes == sizeof(uint64_t);
    guint64 number;
    if (!g_ascii_string_to_unsigned(value, 10, key->least,
                                    wide ? UINT64_MAX : UINT32_MAX, &number, NULL)) {
        return "a number";
    }
    if (wide) {
        MEMBER(uint64_t, options, key->offset) = number;
    } else {
        MEMBER(uint32_t, options, key->offset) = (uint32_t)number;
    }
    return NULL;
}

static const char *read_loosely(const char *value, struct weiri_options *options,
                                const struct key *key)
{
    bool loosely = MEMBER(bool, options, key->offset) = strcmp(value, "loosely") == 0;
    return loosely || strcmp(value, "strictly") == 0 ? NULL : "strictly or loosely";
}

static const char *read_flag(const char *value, struct weiri_options *options,
                             const struct key *key)
{
    MEMBER(bool, options, key->offset) = strcmp(value, "1") == 0;
    return strcmp(value, "1") == 0 || strcmp(value, "0") == 0 ? NULL : "0 or 1";
}

static const char *read_check(const char *value, struct weiri_options *options,
                              const struct key *key)
{
    options->check_given = true;
    return read_flag(value, options, key);
}

static const struct key keys[] = {
#define AT(member) .offset = offsetof(struct weiri_options, member)
#define NUMBER(member, from)                                                           \
    .read = read_number, AT(member), .least = (from),                                  \
    .bytes = sizeof(((struct weiri_options *)NULL)->member)
    { "schedule", read_text, AT(schedule) },
    { "seed", NUMBER(launch.seed, 0) },
    { "step-limit", NUMBER(launch.step_limit, 0) },
    { "time-limit-ms", NUMBER(launch.time_limit_ms, 0) },
    { "deadline-ms", NUMBER(deadline_ms, 0) },
    { "check", read_check, AT(launch.check) },
    { "sub-group", NUMBER(launch.sub_group_size, 1) },
    { "stack-bytes", NUMBER(launch.stack_bytes, 1) },
    { "list-steps", NUMBER(launch.list_steps, 0) },
    { "trace", read_text, AT(trace) },
    { "trace-events", NUMBER(launch.trace_events, 1) },
    { "order", read_text, AT(order) },
    { "explore", read_text, AT(explore) },
    { "play", read_any, AT(play) },
    { "plain-events", read_flag, AT(launch.plain_events) },
    { "max-executions", NUMBER(launch.max_executions, 1) },
    { "resident", NUMBER(launch.resident, 1) },
    { "forwards", NUMBER(launch.forwards, 1) },
    { "forwards-by-group", read_flag, AT(launch.forwards_by_group) },
    { "jobs", NUMBER(launch.jobs, 1) },
    { "until-wrong", read_flag, AT(launch.until_wrong) },
    { "litmus", read_flag, AT(launch.litmus) },
    { "samples", NUMBER(launch.samples, 1) },
    { "bounded", read_flag, AT(launch.bounded) },
    { "deviations", NUMBER(launch.deviations, 0) },
    { "symmetry", read_flag, AT(launch.symmetry) },
    { "ranks", read_text, AT(ranks) },
    { "device", read_text, AT(device) },
    { "lockstep", read_flag, AT(launch.lockstep) },
    { "reports", read_text, AT(reports) },
    { "traced", read_flag, AT(traced) },
    { "record", read_text, AT(record) },
    { "replay", read_text, AT(replay) },
    { "fork", read_text, AT(fork) },
    { "halt", read_text, AT(halt) },
    { "halt-at", NUMBER(halt_at, 1) },
    { "idle", read_flag, AT(idle) },
    { "follow", read_loosely, AT(launch.loosely) },
#define X(name, text, ...)                                                             \
    { text, AT(launch.name), .words = weiri_options_##name,                            \
      .given = offsetof(struct weiri_options, name##_given) },
    WEIRI_OPTIONS_CHOICES(X)
#undef X
#undef NUMBER
#undef AT
};

/* An enumeration is set as a number as wide as this. */
#define X(name, key, ...)                                                              \
    G_STATIC_ASSERT(sizeof(((struct weir_launch_options *)NULL)->name)                 \
                    == sizeof(unsigned));
WEIRI_OPTIONS_CHOICES(X)
#undef X

char *weiri_options_words(const char *const *words)
{
    GString *text = g_string_new(words[0]);
    for (size_t i = 1; words[i] != NULL; i++) {
        g_string_append_printf(text, "%s%s", words[i + 1] != NULL ? ", " : " or ",
                               words[i]);
    }
    return g_string_free(text, FALSE);
}

/* Returns: (transfer full): NULL, or what the value should have been */
static char *read_value(const char *value, struct weiri_options *options,
                        const struct key *key)
{
    if (key->words == NULL) {
        return g_strdup(key->read(value, options, key));
    }
    int found = weiri_options_find(key->words, value);
    MEMBER(unsigned, options, key->offset) = (unsigned)MAX(found, 0);
    MEMBER(bool, options, key->given) = true;
    return found >= 0 ? NULL : weiri_options_words(key->words);
}

/* ---- The line -------------------------------------------------------------------- */

static bool is_plain(char c)
{
    return c != '%' && c != ' ' && !g_ascii_iscntrl(c);
}

void weiri_options_add(GString *line, const char *key, const char *value)
{
    if (value != NULL) {
        g_string_append_printf(line, "%s%s=", line->len > 0 ? " " : "", key);
    }
    for (; value != NULL && *value != '\0'; value++) {
        if (is_plain(*value)) {
            g_string_append_c(line, *value);
        } else {
            g_string_append_printf(line, "%%%02X", (unsigned char)*value);
        }
    }
}

void weiri_options_add_number(GString *line, const char *key, uint64_t value)
{
    g_autofree char *text = g_strdup_printf("%" PRIu64, value);
    weiri_options_add(line, key, text);
}

static uint64_t number_of(const struct weiri_options *options, const struct key *key)
{
    return key->bytes == sizeof(uint64_t)
        ? MEMBER(const uint64_t, options, key->offset)
        : MEMBER(const uint32_t, options, key->offset);
}

static void write_value(GString *line, const struct weiri_options *options,
                        const struct key *key)
{
    if (key->words != NULL) {
        if (MEMBER(const bool, options, key->given)) {
            weiri_options_add(line, key->key,
                              key->words[MEMBER(const unsigned, options, key->offset)]);
        }
    } else if (key->read == read_text || key->read == read_any) {
        weiri_options_add(line, key->key,
                          MEMBER(const char *const, options, key->offset));
    } else if (key->read == read_number) {
        if (number_of(options, key) > 0) {
            weiri_options_add_number(line, key->key, number_of(options, key));
        }
    } else if (key->read == read_loosely) {
        if (options->launch.loosely) {
            weiri_options_add(line, key->key, "loosely");
        }
    } else if (MEMBER(const bool, options, key->offset)
               || (key->read == read_check && options->check_given)) {
        weiri_options_add_number(line, key->key,
                                 MEMBER(const bool, options, key->offset));
    }
}

char *weiri_options_write(const struct weiri_options *options)
{
    GString *line = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        write_value(line, options, &keys[i]);
    }
    return g_string_free(line, FALSE);
}

/* Takes the %XX out of a value, in place. Returns: false where one is malformed */
static bool unescape(char *value)
{
    char *to = value;
    for (const char *from = value; *from != '\0'; from++) {
        if (*from != '%') {
            *to++ = *from;
            continue;
        }
        int high = g_ascii_xdigit_value(from[1]);
        int low = high >= 0 ? g_ascii_xdigit_value(from[2]) : -1;
        if (low < 0 || (high == 0 && low == 0)) {
            return false;
        }
        *to++ = (char)(high * 16 + low);
        from += 2;
    }
    *to = '\0';
    return true;
}

/* One word; @seen has a bit for each row of the table. */
static bool read_word(char *word, struct weiri_options *options, uint64_t *seen,
                      GError **error)
{
    char *equals = strchr(word, '=');
    if (equals == NULL || !unescape(equals + 1)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "WEIR_OPTIONS: '%s' is not of the form KEY=VALUE", word);
        return false;
    }
    *equals = '\0';
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (strcmp(keys[i].key, word) != 0) {
            continue;
        }
        if (*seen & UINT64_C(1) << i) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                        "WEIR_OPTIONS: %s is given twice", word);
            return false;
        }
        *seen |= UINT64_C(1) << i;
        g_autofree char *wanted = read_value(equals + 1, options, &keys[i]);
        if (wanted != NULL) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                        "WEIR_OPTIONS: %s: '%s' is not %s", word, equals + 1, wanted);
        }
        return wanted == NULL;
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                "WEIR_OPTIONS: unknown key '%s': weir-check(1) lists all keys", word);
    return false;
}

bool weiri_options_read(const char *line, struct weiri_options *options, GError **error)
{
    *options = (struct weiri_options){ .launch = WEIR_LAUNCH_OPTIONS };
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    uint64_t seen = 0;
    for (size_t i = 0; words[i] != NULL; i++) {
        if (words[i][0] != '\0' && !read_word(words[i], options, &seen, error)) {
            return false;
        }
    }
    options->launch.schedule = options->schedule;
    return true;
}

struct weir_launch_options weiri_options_launch(const struct weiri_options *options)
{
    struct weir_launch_options launch = options->launch;
    launch.schedule = options->schedule;
    launch.order = options->order;
    launch.trace = options->trace;
    launch.explore = options->explore;
    launch.play = options->play;
    return launch;
}

void weiri_options_clear(struct weiri_options *options)
{
    g_free(options->schedule);
    g_free(options->order);
    g_free(options->trace);
    g_free(options->explore);
    g_free(options->play);
    g_free(options->ranks);
    g_free(options->device);
    g_free(options->reports);
    g_free(options->record);
    g_free(options->replay);
    g_free(options->fork);
    g_free(options->halt);
    *options = (struct weiri_options){ .launch = WEIR_LAUNCH_OPTIONS };
}
