/* SPDX-License-Identifier: MIT
 *
 * complete.c: see complete.h. Options come from the table that the command reads them
 * with, arguments from its synopsis; kernels, tests, models and profiles come from
 * where they are defined. Only the words of a few options are written here;
 * tests/cli/complete.sh compares them with those that the commands accept.
 *
 * It uses nothing of common.c, which uses it. */
#include "config.h"

#include "cli/complete.h"

#include "cli/litmus-tests.h"
#include "kernels/kernels.h"
#include "weir-model.h"
#include "weir.h"

#include <string.h>

static struct {
    const char *command;
    char **words; /* or NULL: nothing is asked */
} asked;

void weiri_complete_ask(const char *command, char **words)
{
    asked.command = command;
    asked.words = words;
}

bool weiri_complete_is_asked(void)
{
    return asked.words != NULL;
}

char *weiri_complete_take_action(void)
{
    if (asked.words == NULL || asked.words[0] == NULL || asked.words[1] == NULL) {
        return NULL;
    }
    return *asked.words++;
}

/* The words that commands have added. */
enum { MOST_OWN = 256 }; /* more does not help a user */
static struct {
    const char *kind, *word, *meaning;
} own[MOST_OWN];
static size_t n_own;

void weiri_complete_add(const char *kind, const char *word, const char *meaning)
{
    if (asked.words != NULL && n_own < G_N_ELEMENTS(own)) {
        own[n_own].kind = kind;
        own[n_own].word = word;
        own[n_own++].meaning = meaning;
    }
}

/* ---- Values ---------------------------------------------------------------------- */

/* The values of options: words, or ":files PATTERN". @command: or NULL for all. */
static const struct {
    const char *command, *option, *words;
} values[] = {
    { NULL, "schedule", "in-order reverse round-robin random pct:" },
    { NULL, "exited", "strict alive-only" },
    { NULL, "pairing", "site count" },
    { NULL, "after", "stop release" },
    { NULL, "scope-rule", "mutual same" },
    { NULL, "spaces", "sycl opencl" },
    { NULL, "same-value", "race note" },
    { NULL, "family", "reduction histogram" },
    { NULL, "expect", "never sometimes always" },
    { NULL, "progress", "fair hsa obe hsa_obe lobe all" },
    { NULL, "progress-by", "item group" },
    { NULL, "resident", "all" },
    { NULL, "sub-group", "8 16 32" },
    { "check", "model", "language sycl ptx" },
    { "trace", "model", "language sycl ptx" },
    { "explore", "model", "sycl sycl-split rc11 sc ptx vulkan all" },
    { "play", "model", "sycl sycl-split rc11 sc opencl gpu" },
    { NULL, "baseline", ":files *.json" },
    { NULL, "sarif", ":files *.sarif" },
    { NULL, "patch", ":files *.patch" },
    { NULL, "report", ":files *.html" },
    { NULL, "svg", ":files *.svg" },
    { NULL, "html", ":files *.html" },
    { "report", "chrome", ":files *.json" },
    { "explore", "litmus", ":files *.litmus" },
    { "check", "record", ":files *.schedule" },
    { "explore", "record", ":files *.schedule" },
    { "shrink", "output", ":files *.schedule" },
    { "trace", "output", ":files *.json" },
    { "trace", "replay", ":files *.schedule" },
};

/* The files that a command takes. */
static const struct {
    const char *command, *line;
} files[] = {
    { "replay", ":files *.schedule" }, { "report", ":files *.json" },
    { "shrink", ":files *.schedule" }, { "litmus", ":files *.litmus" },
    { "play", ":files *.litmus" },     { "list", ":files *.cl" },
};

/* Adds a word if it begins as what was typed. */
static void offer(GString *out, const char *prefix, const char *typed, const char *word,
                  const char *meaning)
{
    g_autofree char *whole = g_strconcat(prefix, word, NULL);
    if (g_str_has_prefix(whole, typed)) {
        g_string_append_printf(out, "%s\t%s\n", whole, meaning);
    }
}

/* The words that the command has added for a kind of word that @where names. */
static void offer_own(GString *out, const char *prefix, const char *typed,
                      const char *where)
{
    for (size_t i = 0; i < n_own; i++) {
        if (strstr(where, own[i].kind) != NULL) {
            offer(out, prefix, typed, own[i].word, own[i].meaning);
        }
    }
}

static void offer_words(GString *out, const char *prefix, const char *typed,
                        const char *words)
{
    if (words[0] == ':') {
        g_string_append_printf(out, "%s\n", words);
        return;
    }
    g_auto(GStrv) each = g_strsplit(words, " ", -1);
    for (size_t i = 0; each[i] != NULL; i++) {
        offer(out, prefix, typed, each[i], "");
    }
}

static void offer_profiles(GString *out, const char *prefix, const char *typed)
{
    const char *const *names = weir_device_profiles();
    for (size_t i = 0; names[i] != NULL; i++) {
        struct weir_device *device = weir_device_new(names[i], NULL);
        offer(out, prefix, typed, names[i],
              device != NULL ? weir_device_summary(device) : "");
        weir_device_free(device);
    }
    g_string_append(out, ":files *.profile\n");
}

static void offer_tests(GString *out, const char *prefix, const char *typed)
{
    for (size_t i = 0; weiri_cli_litmus_tests[i].name != NULL; i++) {
        offer(out, prefix, typed, weiri_cli_litmus_tests[i].name,
              weiri_cli_litmus_tests[i].summary);
    }
}

static void offer_models(GString *out, const char *prefix, const char *typed)
{
    for (int i = 0; i < WEIR_N_MODELS; i++) {
        offer(out, prefix, typed, weir_model_name((enum weir_model)i), "");
    }
    offer(out, prefix, typed, "all", "");
}

static void offer_value(GString *out, const char *prefix, const char *typed,
                        const GOptionEntry *entry)
{
    const char *kind = entry->arg_description != NULL ? entry->arg_description : "";
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        if (strcmp(values[i].option, entry->long_name) == 0
            && (values[i].command == NULL
                || strcmp(values[i].command, asked.command) == 0)) {
            offer_words(out, prefix, typed, values[i].words);
            return;
        }
    }
    offer_own(out, prefix, typed, kind);
    if (strcmp(kind, "MODEL") == 0) {
        offer_models(out, prefix, typed);
    } else if (strcmp(kind, "PROFILE") == 0) {
        offer_profiles(out, prefix, typed);
    } else if (strcmp(entry->long_name, "show") == 0) {
        offer_tests(out, prefix, typed);
    } else if (strcmp(kind, "DIR") == 0) {
        g_string_append(out, ":folders\n");
    } else if (strcmp(kind, "FILE") == 0 || strcmp(kind, "OUT") == 0) {
        g_string_append(out, ":files\n");
    }
}

/* ---- Arguments ------------------------------------------------------------------- */

static void offer_files(GString *out)
{
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        if (strcmp(files[i].command, asked.command) == 0) {
            g_string_append_printf(out, "%s\n", files[i].line);
            return;
        }
    }
    g_string_append(out, ":files\n");
}

static void offer_arguments(GString *out, const char *typed, const char *synopsis)
{
    if (strstr(synopsis, "KERNEL") != NULL) {
        for (size_t i = 0; kernel_rows[i] != NULL; i++) {
            offer(out, "", typed, kernel_rows[i]->name, kernel_rows[i]->summary);
        }
    }
    if (strstr(synopsis, "| all") != NULL) {
        offer(out, "", typed, "all", "all kernels");
    }
    if (strstr(synopsis, "-- PROGRAM") != NULL) {
        offer(out, "", typed, "--", "a program and its arguments");
    }
    offer_own(out, "", typed, synopsis);
    if (strstr(synopsis, "PROFILE") != NULL) {
        offer_profiles(out, "", typed);
    }
    if (strcmp(asked.command, "litmus") == 0 || strcmp(asked.command, "play") == 0) {
        offer_tests(out, "", typed);
    }
    if (strstr(synopsis, "FILE") != NULL) {
        offer_files(out);
    }
}

/* ---- Options --------------------------------------------------------------------- */

static void offer_options(GString *out, const char *typed, const GOptionEntry *entries)
{
    for (size_t i = 0; entries[i].long_name != NULL; i++) {
        bool takes_value = entries[i].arg != G_OPTION_ARG_NONE;
        g_autofree char *word
            = g_strdup_printf("--%s%s", entries[i].long_name, takes_value ? "=" : "");
        if ((entries[i].flags & G_OPTION_FLAG_HIDDEN) == 0) {
            offer(out, "", typed, word, entries[i].description);
        }
    }
    offer(out, "", typed, "--help", "Show this help");
}

/* The option that the word names and whose value comes in the next word, or NULL. */
static const GOptionEntry *awaits_value(const GOptionEntry *entries, const char *word)
{
    for (size_t i = 0; word[0] == '-' && entries[i].long_name != NULL; i++) {
        bool is_long = g_str_has_prefix(word, "--")
            && strcmp(word + 2, entries[i].long_name) == 0;
        bool is_short = entries[i].short_name != 0 && word[1] == entries[i].short_name
            && word[2] == '\0';
        if (entries[i].arg != G_OPTION_ARG_NONE && (is_long || is_short)) {
            return &entries[i];
        }
    }
    return NULL;
}

/* Of "--name=val": the option, or NULL. */
static const GOptionEntry *with_value(const GOptionEntry *entries, const char *word,
                                      const char *equals)
{
    g_autofree char *name = g_strndup(word, (size_t)(equals - word));
    return g_str_has_prefix(word, "--") ? awaits_value(entries, name) : NULL;
}

char *weiri_complete_answer(const GOptionEntry *entries, const char *synopsis)
{
    if (asked.words == NULL) {
        return NULL;
    }
    GString *out = g_string_new(NULL);
    synopsis = synopsis != NULL ? synopsis : "";
    size_t last = 0;
    const GOptionEntry *awaiting = NULL;
    for (; asked.words[last] != NULL && asked.words[last + 1] != NULL; last++) {
        if (awaiting == NULL && strcmp(asked.words[last], "--") == 0) {
            if (strstr(synopsis, "-- PROGRAM") != NULL) {
                g_string_append(out, ":program\n");
            }
            return g_string_free(out, FALSE);
        }
        awaiting = awaiting != NULL ? NULL : awaits_value(entries, asked.words[last]);
    }
    const char *typed = asked.words[last] != NULL ? asked.words[last] : "";
    const char *equals = strchr(typed, '=');
    if (awaiting != NULL) {
        offer_value(out, "", typed, awaiting);
    } else if (equals != NULL && with_value(entries, typed, equals) != NULL) {
        g_autofree char *prefix = g_strndup(typed, (size_t)(equals + 1 - typed));
        offer_value(out, prefix, typed, with_value(entries, typed, equals));
    } else if (typed[0] == '-') {
        offer_options(out, typed, entries);
    } else {
        offer_arguments(out, typed, synopsis);
    }
    return g_string_free(out, FALSE);
}
