/* SPDX-License-Identifier: MIT
 *
 * options.c: see options.h. The options of OpenCL's specification are accepted, and few
 * others: -include, -U, -W…, -g, and levels of optimisation. Any other option is an
 * error, as the specification wants it.
 *
 * Follows: [CL30] 5.8.4. */
#include "config.h"

#include "opencl/compile/options.h"

#include <string.h>

#include "opencl/opencl.h"

G_DEFINE_QUARK(weiri - cl - error - quark, weiri_cl_error)

/* Options that the compiler knows. */
static const char *const passed[] = {
    "-cl-single-precision-constant",
    "-cl-denorms-are-zero",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-uniform-work-group-size",
    "-w",
    "-Werror",
};

/* Options without effect here: debug information, kernels' parameters and what links
 * libraries are always there. */
static const char *const ignored[] = {
    "-g",       "-cl-kernel-arg-info", "-cl-strict-aliasing",  "-cl-no-subgroup-ifp",
    "-cl-std=", "-create-library",     "-enable-link-options",
};

static bool is_one_of(const char *word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(word, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Options with an argument, which follows in the same word or in the next one. */
static bool takes_argument(const char *word, const char **option)
{
    static const char *const words[] = { "-include", "-D", "-I", "-U" };
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(word, words[i]) == 0
            || (i > 0 && g_str_has_prefix(word, words[i]))) {
            *option = words[i];
            return true;
        }
    }
    return false;
}

static bool is_standard(const char *word)
{
    static const char *const words[]
        = { "-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL2.0",
            "-cl-std=CL3.0", "-cl-std=cl1.0", "-cl-std=cl1.1", "-cl-std=cl1.2",
            "-cl-std=cl2.0", "-cl-std=cl3.0" };
    return is_one_of(word, words, G_N_ELEMENTS(words));
}

static bool refuse(GError **error, const char *why, const char *word)
{
    g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_OPTIONS, "%s '%s'", why, word);
    return false;
}

/* Reads word *@at, and its argument. */
static bool read_word(struct weiri_cl_options *options, char **words, int *at,
                      GError **error)
{
    const char *word = words[*at], *option;
    if (takes_argument(word, &option)) {
        const char *argument = word + strlen(option);
        if (*argument == '\0') {
            argument = words[++*at];
        }
        if (argument == NULL || *argument == '\0') {
            return refuse(error, "no argument to the option", option);
        }
        options->includes |= strcmp(option, "-include") == 0;
        g_ptr_array_add(options->words, g_strdup(option));
        g_ptr_array_add(options->words, g_strdup(argument));
    } else if (strcmp(word, "-cl-opt-disable") == 0 || strcmp(word, "-O0") == 0) {
        options->optimize = false;
    } else if (is_one_of(word, passed, G_N_ELEMENTS(passed)) || is_standard(word)
               || (g_str_has_prefix(word, "-W") && strchr(word, ',') == NULL)) {
        g_ptr_array_add(options->words, g_strdup(word));
    } else if (strcmp(word, "-x") == 0 && g_strcmp0(words[*at + 1], "clc") == 0) {
        ++*at;
    } else if (!is_one_of(word, ignored, G_N_ELEMENTS(ignored))
               && !(g_str_has_prefix(word, "-O") && word[2] >= '1' && word[2] <= '3'
                    && word[3] == '\0')) {
        return refuse(error, "OpenCL has no option", word);
    }
    return true;
}

bool weiri_cl_options_read(struct weiri_cl_options *options, const char *text,
                           GError **error)
{
    *options = (struct weiri_cl_options){ .optimize = true };
    options->words = g_ptr_array_new_with_free_func(g_free);
    char *stripped = g_strstrip(g_strdup(text != NULL ? text : ""));
    char **words = NULL;
    GError *wrong = NULL;
    bool done = true;
    if (*stripped != '\0' && !g_shell_parse_argv(stripped, NULL, &words, &wrong)) {
        g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_OPTIONS, "%s: %s",
                    wrong->message, stripped);
        g_error_free(wrong);
        done = false;
    }
    for (int i = 0; done && words != NULL && words[i] != NULL; i++) {
        done = read_word(options, words, &i, error);
    }
    g_strfreev(words);
    g_free(stripped);
    if (!done) {
        weiri_cl_options_clear(options);
    }
    return done;
}

void weiri_cl_options_clear(struct weiri_cl_options *options)
{
    g_clear_pointer(&options->words, g_ptr_array_unref);
}
