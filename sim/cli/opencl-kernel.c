/* SPDX-License-Identifier: MIT
 *
 * opencl-kernel.c: makes of
 *
 *     weir check --runs 4 sum.cl:tree --global 64 --arg 'int[64]=iota'
 *
 * the line of a program that the other files know how to run,
 *
 *     weir check --runs 4 --spaces opencl -- weir-opencl sum.cl:tree --global 64 ...
 *
 * whose subject is then of the kind WEIRI_CLI_OPENCL_KERNEL, named as the user has. */
#include "config.h"

#include "cli/opencl-kernel.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char PROGRAM[] = "weir-opencl";

/* The options that a command adds for such a kernel, unless they are given. */
static const struct command {
    const char *name;
    const char *option; /* or %NULL */
    const char *value;
} commands[] = {
    { "check", "--spaces", "opencl" },
    { "trace", NULL, NULL },
    { "explore", "--model", "sycl-split" },
    { "play", NULL, NULL },
    { "run", NULL, NULL },
    { "bench", NULL, NULL },
    { "list", NULL, NULL },
};

/* Options of weir-opencl. Each has a value. */
static const char *const own_options[]
    = { "--global", "--local", "--offset", "--cl-options",
        "--arg",    "--dump",  "--expect", NULL };

/* Options that are of weir-opencl where the command itself only starts it. */
static const char *const run_options[] = { "--device", "--reps", NULL };

/* Options of `weir list`, which have no value. --opencl repeats what the file's name
 * says. */
static const char *const list_options[] = { "--json", "--opencl", NULL };

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Whether a path is that of weir-opencl. */
static bool names_opencl(const char *path)
{
    return strcmp(base_of(path), PROGRAM) == 0;
}

bool weiri_cli_is_opencl(char *const *program)
{
    return program != NULL && program[0] != NULL && program[1] != NULL
        && names_opencl(program[0]);
}

/* "sum.cl", "sum.cl:tree" */
static bool is_kernel(const char *word)
{
    const char *colon = strrchr(word, ':');
    size_t length = colon != NULL ? (size_t)(colon - word) : strlen(word);
    return word[0] != '-' && length > 3 && strncmp(word + length - 3, ".cl", 3) == 0;
}

/* Whether the word is "--option" or "--option=value" of the list. */
static bool is_option(const char *word, const char *const *list)
{
    size_t length = strcspn(word, "=");
    for (; *list != NULL; list++) {
        if (strncmp(*list, word, length) == 0 && (*list)[length] == '\0') {
            return true;
        }
    }
    return false;
}

/* The words of a line, told apart. All are borrowed. */
struct words {
    GPtrArray *command; /* for the command itself */
    GPtrArray *opencl;  /* for weir-opencl, the kernel first */
};

/* Returns: whether there is a kernel */
static bool tell_apart(const struct command *command, int argc, char **argv,
                       struct words *words)
{
    bool starts
        = strcmp(command->name, "run") == 0 || strcmp(command->name, "bench") == 0;
    const char *kernel = NULL;
    g_ptr_array_add(words->opencl, NULL);
    for (int i = 1; i < argc; i++) {
        bool passed = is_option(argv[i], own_options)
            || (starts && is_option(argv[i], run_options));
        if (strcmp(argv[i], "--") == 0) {
            return false; /* a program of the user's */
        }
        if (kernel == NULL && is_kernel(argv[i])) {
            kernel = argv[i];
        } else {
            g_ptr_array_add(passed ? words->opencl : words->command, argv[i]);
            if (passed && strchr(argv[i], '=') == NULL && i + 1 < argc) {
                g_ptr_array_add(words->opencl, argv[++i]);
            }
        }
    }
    words->opencl->pdata[0] = (char *)kernel;
    return kernel != NULL;
}

/* A word that is meant for an option of weir-opencl, or is a second kernel: the command
 * would report it later, with less detail. Returns: whether no such word was given */
static bool is_clear(const GPtrArray *words)
{
    for (guint i = 0; i < words->len; i++) {
        const char *word = words->pdata[i];
        if (is_kernel(word)) {
            weiri_cli_complain("give one kernel of OpenCL: '%s' is one too many", word);
            return false;
        }
        g_autofree char *option = g_strndup(word, strcspn(word, "="));
        for (const char *const *own = own_options; *own != NULL; own++) {
            size_t most = strlen(*own) > strlen("--dump") ? 2 : 1;
            if (g_str_has_prefix(option, "--")
                && weiri_cli_distance(option, *own) <= most) {
                weiri_cli_complain("unknown option '%s': did you mean '%s'?", option,
                                   *own);
                return false;
            }
        }
    }
    return true;
}

/* Where weir-opencl is: beside the command, or installed. */
static char *find_program(void)
{
    g_autofree char *beside = weiri_cli_tool(PROGRAM);
    return strchr(beside, '/') != NULL ? g_steal_pointer(&beside)
                                       : g_strdup(WEIRI_OPENCL_PROGRAM);
}

/* Runs it, with more words. Returns: its status, or %WEIRI_CLI_USAGE */
static int start(const char *program, const GPtrArray *opencl, const char *command,
                 const char *more)
{
    g_autoptr(GPtrArray) line = g_ptr_array_new();
    g_autofree char *as = g_strdup_printf("--as=weir %s", command);
    g_ptr_array_add(line, (char *)program);
    g_ptr_array_extend(line, (GPtrArray *)opencl, NULL, NULL);
    g_ptr_array_add(line, as);
    if (more != NULL) {
        g_ptr_array_add(line, (char *)more);
    }
    g_ptr_array_add(line, NULL);
    g_auto(GStrv) environment = g_environ_unsetenv(g_get_environ(), "WEIR_OPTIONS");
    GError *error = NULL;
    int status;
    if (!g_spawn_sync(NULL, (char **)line->pdata, environment,
                      G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status,
                      &error)) {
        weiri_cli_complain("kernels of OpenCL need %s: %s", program, error->message);
        g_error_free(error);
        return WEIRI_CLI_USAGE;
    }
    if (WIFEXITED(status)) {
        return WEXITSTATUS(status);
    }
    return weiri_cli_complain("%s ended by signal %d", (char *)opencl->pdata[0],
                              WTERMSIG(status));
}

static bool has_option(const GPtrArray *words, const char *option)
{
    const char *const list[] = { option, NULL };
    for (guint i = 0; i < words->len; i++) {
        if (is_option(words->pdata[i], list)) {
            return true;
        }
    }
    return false;
}

/* The line of the command with weir-opencl as its program. */
static void make_line(const struct command *command, const struct words *words,
                      const char *program, int *argc, char ***argv)
{
    GPtrArray *line = g_ptr_array_new();
    g_ptr_array_add(line, (*argv)[0]);
    g_ptr_array_extend(line, words->command, NULL, NULL);
    if (command->option != NULL && !has_option(words->command, command->option)) {
        g_ptr_array_add(line, (char *)command->option);
        g_ptr_array_add(line, (char *)command->value);
    }
    g_ptr_array_add(line, (char *)"--");
    g_ptr_array_add(line, g_strdup(program));
    g_ptr_array_extend(line, words->opencl, NULL, NULL);
    *argc = (int)line->len;
    g_ptr_array_add(line, NULL);
    *argv = (char **)g_ptr_array_free(line, FALSE);
}

/* `weir list FILE.cl` */
static int list_kernels(const char *program, const struct words *words)
{
    bool json = false;
    for (guint i = 0; i < words->command->len; i++) {
        const char *word = words->command->pdata[i];
        if (!is_option(word, list_options) || strchr(word, '=') != NULL) {
            return weiri_cli_complain(word[0] == '-'
                                          ? "'%s' is not for a kernel of OpenCL"
                                          : "give one file: '%s' is one too many",
                                      word);
        }
        json = json || strcmp(word, "--json") == 0;
    }
    g_ptr_array_add(words->opencl, (char *)"--list");
    return start(program, words->opencl, "list", json ? "--json" : NULL);
}

int weiri_cli_opencl_about(bool json)
{
    g_autofree char *program = find_program();
    g_autoptr(GPtrArray) line = g_ptr_array_new();
    g_ptr_array_add(line, (char *)"--list");
    return start(program, line, "list", json ? "--json" : NULL);
}

bool weiri_cli_opencl_kernel(const char *name, int *argc, char ***argv, int *status)
{
    const struct command *command = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        command = strcmp(commands[i].name, name) == 0 ? &commands[i] : command;
    }
    struct words words = { g_ptr_array_new(), g_ptr_array_new() };
    bool goes_on = true;
    if (command != NULL && tell_apart(command, *argc, *argv, &words)) {
        g_autofree char *program = find_program();
        bool starts = strcmp(name, "run") == 0 || strcmp(name, "bench") == 0;
        if (!is_clear(words.command)) {
            *status = WEIRI_CLI_USAGE;
            goes_on = false;
        } else if (strcmp(name, "list") == 0) {
            *status = list_kernels(program, &words);
            goes_on = false;
        } else if (starts && words.command->len > 0) {
            *status = weiri_cli_complain("'%s' is not for a kernel of OpenCL",
                                         (char *)words.command->pdata[0]);
            goes_on = false;
        } else if (starts) {
            bool counts
                = strcmp(name, "bench") == 0 && !has_option(words.opencl, "--reps");
            *status = start(program, words.opencl, name, counts ? "--reps=10" : NULL);
            goes_on = false;
        } else {
            *status = start(program, words.opencl, name, "--prepare");
            goes_on = *status == WEIRI_CLI_CLEAN;
            make_line(command, &words, program, argc, argv);
        }
    }
    g_ptr_array_free(words.command, TRUE);
    g_ptr_array_free(words.opencl, TRUE);
    return goes_on;
}
