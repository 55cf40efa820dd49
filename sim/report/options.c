/* SPDX-License-Identifier: MIT
 *
 * options.c: see options.h. One table has every key, where its value goes, and how it
 * is read. */
#include "config.h"

#include "report/options.h"

#include <inttypes.h>
#include <string.h>

const char *const weiri_options_exited[] = { "strict", "alive-only", NULL };
const char *const weiri_options_pairing[] = { "site", "count", NULL };
const char *const weiri_options_after[] = { "stop", "release", NULL };
const char *const weiri_options_scope_rule[] = { "mutual", "same", NULL };
const char *const weiri_options_spaces[] = { "sycl", "opencl", NULL };
const char *const weiri_options_same_value[] = { "race", "note", NULL };

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

/* A reader of one value. Returns: NULL, or what the value should have been */
typedef const char *(*reader)(const char *value, struct weiri_options *options,
                              size_t offset);

#define MEMBER(type, options, offset) (*(type *)(void *)((char *)(options) + (offset)))

static const char *read_text(const char *value, struct weiri_options *options,
                             size_t offset)
{
    MEMBER(char *, options, offset) = g_strdup(value);
    return value[0] != '\0' ? NULL : "something";
}

static const char *read_u64(const char *value, struct weiri_options *options,
                            size_t offset)
{
    guint64 number;
    if (!g_ascii_string_to_unsigned(value, 10, 0, G_MAXUINT64, &number, NULL)) {
        return "a number";
    }
    MEMBER(uint64_t, options, offset) = number;
    return NULL;
}

static const char *read_size(const char *value, struct weiri_options *options,
                             size_t offset)
{
    guint64 number;
    if (!g_ascii_string_to_unsigned(value, 10, 1, G_MAXSIZE, &number, NULL)) {
        return "a number";
    }
    MEMBER(size_t, options, offset) = (size_t)number;
    return NULL;
}

static const char *read_u32(const char *value, struct weiri_options *options,
                            size_t offset)
{
    guint64 number;
    if (!g_ascii_string_to_unsigned(value, 10, 1, G_MAXUINT32, &number, NULL)) {
        return "a number";
    }
    MEMBER(uint32_t, options, offset) = (uint32_t)number;
    return NULL;
}

static const char *read_loosely(const char *value, struct weiri_options *options,
                                size_t offset)
{
    (void)offset;
    options->launch.loosely = strcmp(value, "loosely") == 0;
    return options->launch.loosely || strcmp(value, "strictly") == 0
        ? NULL
        : "strictly or loosely";
}

static const char *read_flag(const char *value, struct weiri_options *options,
                             size_t offset)
{
    MEMBER(bool, options, offset) = strcmp(value, "1") == 0;
    return strcmp(value, "1") == 0 || strcmp(value, "0") == 0 ? NULL : "0 or 1";
}

static const char *read_check(const char *value, struct weiri_options *options,
                              size_t offset)
{
    options->check_given = true;
    return read_flag(value, options, offset);
}

/* A reader of one word of a list sets an enumeration, which is as wide as this, and
 * that it was given. */
G_STATIC_ASSERT(sizeof(enum weir_exited) == sizeof(unsigned)
                && sizeof(enum weir_pairing) == sizeof(unsigned)
                && sizeof(enum weir_after) == sizeof(unsigned)
                && sizeof(enum weir_scope_rule) == sizeof(unsigned)
                && sizeof(enum weir_spaces) == sizeof(unsigned)
                && sizeof(enum weir_same_value) == sizeof(unsigned));

static bool read_choice(const char *value, struct weiri_options *options,
                        const char *const *words, size_t offset, size_t given)
{
    int found = weiri_options_find(words, value);
    MEMBER(unsigned, options, offset) = found >= 0 ? (unsigned)found : 0;
    MEMBER(bool, options, given) = true;
    return found >= 0;
}

static const struct key {
    const char *key;
    reader read;
    size_t offset;            /* of what is set, in struct weiri_options */
    const char *const *words; /* instead of @read: the value is one of these */
    size_t given;             /* with @words: of the flag that says so */
} keys[] = {
#define AT(member) offsetof(struct weiri_options, member)
#define CHOICE(key, name)                                                              \
    {                                                                                  \
        key, NULL, AT(launch.name), weiri_options_##name, AT(name##_given)             \
    }
    { "schedule", read_text, AT(schedule), NULL, 0 },
    { "seed", read_u64, AT(launch.seed), NULL, 0 },
    { "step-limit", read_u64, AT(launch.step_limit), NULL, 0 },
    { "time-limit-ms", read_u64, AT(launch.time_limit_ms), NULL, 0 },
    { "deadline-ms", read_u64, AT(deadline_ms), NULL, 0 },
    CHOICE("exited", exited),
    CHOICE("pairing", pairing),
    CHOICE("after", after),
    { "check", read_check, AT(launch.check), NULL, 0 },
    CHOICE("scope-rule", scope_rule),
    CHOICE("spaces", spaces),
    CHOICE("same-value", same_value),
    { "sub-group", read_u32, AT(launch.sub_group_size), NULL, 0 },
    { "stack-bytes", read_size, AT(launch.stack_bytes), NULL, 0 },
    { "reports", read_text, AT(reports), NULL, 0 },
    { "traced", read_flag, AT(traced), NULL, 0 },
    { "record", read_text, AT(record), NULL, 0 },
    { "replay", read_text, AT(replay), NULL, 0 },
    { "follow", read_loosely, 0, NULL, 0 },
#undef CHOICE
#undef AT
};

/* Returns: (transfer full): NULL, or what the value should have been */
static char *read_value(const char *value, struct weiri_options *options,
                        const struct key *key)
{
    if (key->words == NULL) {
        return g_strdup(key->read(value, options, key->offset));
    }
    return read_choice(value, options, key->words, key->offset, key->given)
        ? NULL
        : g_strjoinv(" or ", (char **)key->words);
}

/* ---- The line -------------------------------------------------------------------- */

static bool is_plain(char c)
{
    return c != '%' && c != ' ' && !g_ascii_iscntrl(c);
}

void weiri_options_add(GString *line, const char *key, const char *value)
{
    g_string_append_printf(line, "%s%s=", line->len > 0 ? " " : "", key);
    for (; *value != '\0'; value++) {
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
static bool read_word(char *word, struct weiri_options *options, uint32_t *seen,
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
        if (*seen & 1u << i) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                        "WEIR_OPTIONS: %s is there twice", word);
            return false;
        }
        *seen |= 1u << i;
        g_autofree char *wanted = read_value(equals + 1, options, &keys[i]);
        if (wanted != NULL) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                        "WEIR_OPTIONS: %s: '%s' is not %s", word, equals + 1, wanted);
        }
        return wanted == NULL;
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                "WEIR_OPTIONS: unknown key '%s': weir-check(1) has them all", word);
    return false;
}

bool weiri_options_read(const char *line, struct weiri_options *options, GError **error)
{
    *options = (struct weiri_options){ .launch = WEIR_LAUNCH_OPTIONS };
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    uint32_t seen = 0;
    for (size_t i = 0; words[i] != NULL; i++) {
        if (words[i][0] != '\0' && !read_word(words[i], options, &seen, error)) {
            return false;
        }
    }
    options->launch.schedule = options->schedule;
    return true;
}

void weiri_options_clear(struct weiri_options *options)
{
    g_free(options->schedule);
    g_free(options->reports);
    g_free(options->record);
    g_free(options->replay);
    *options = (struct weiri_options){ .launch = WEIR_LAUNCH_OPTIONS };
}
