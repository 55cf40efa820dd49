/* SPDX-License-Identifier: MIT
 *
 * main.c: the command `weir`: picks the command out of a table and ends with
 * its status.
 *
 * A command's own file reads the rest of the line, or a program of its own does, which
 * takes the place of this one. The program's name is then "weir run" and the like, so
 * that every error message names its command. */
#include "config.h"

#include "cli/cli.h"
#include "cli/complete.h"
#include "cli/program.h"

#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    const char *summary;
    weiri_cli_run_command *run; /* NULL: the program weir-NAME */
} commands[] = {
    { "list", "the built-in kernels", weiri_cli_list },
    { "run", "run kernels and compare with the sequential answer", weiri_cli_run },
    { "bench", "time the variants beside figures of GPUs", NULL },
    { "check", "run kernels under many schedules and report what is wrong",
      weiri_cli_check },
    { "replay", "run a recorded schedule again, exactly", weiri_cli_replay },
    { "shrink", "make a recorded schedule minimal", weiri_cli_shrink },
    { "trace", "record every action of the items of one run", weiri_cli_trace },
    { "report", "draw a trace that weir trace has recorded", weiri_cli_report },
    { "explore", "every execution of a kernel that a memory model allows",
      weiri_cli_explore },
    { "litmus", "which final states memory models allow a litmus test",
      weiri_cli_litmus },
    { "play", "step one execution of a litmus test or a kernel on a page", NULL },
    { "device", "what a device profile offers", weiri_cli_device },
    { "doctor", "which features work on this machine, and what to do", NULL },
    { "exercise", "wrong kernels to repair, and a judge of the repairs", NULL },
};

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    const char *nearest = NULL;
    size_t least = MAX(strlen(name) / 3, 2) + 1;
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        size_t distance = weiri_cli_distance(name, commands[i].name);
        nearest = distance < least ? commands[i].name : nearest;
        least = MIN(distance, least);
    }
    g_autofree char *meant = nearest != NULL
        ? g_strdup_printf("did you mean '%s'? ", nearest)
        : g_strdup("");
    weiri_cli_complain("unknown command '%s': %s'weir help' shows all", name, meant);
    return NULL;
}

static int call(const struct command *command, int argc, char **argv)
{
    return command->run != NULL
        ? weiri_cli_call(command->name, command->run, argc, argv)
        : weiri_cli_start(command->name, argv + 1);
}

static char *usage(void)
{
    GString *text = g_string_new("Usage: weir COMMAND [OPTION…] [ARGUMENT…]\n\n"
                                 "Runs kernels on a simulated GPU: work-groups, "
                                 "barriers and atomics on the CPU.\n\n"
                                 "Commands:\n");
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_string_append_printf(text, "  %-8s %s\n", commands[i].name,
                               commands[i].summary);
    }
    g_string_append(text,
                    "  help     this, or the help of a command: "
                    "weir help COMMAND\n\n"
                    "Options:\n"
                    "  -h, --help     this help\n"
                    "  -V, --version  the version\n\n"
                    "Exit status: 0 all is well; 1 a wrong answer or another "
                    "finding; 2 wrong usage,\ninput or environment; 3 a limit "
                    "ended the work early.\n\n"
                    "Begin with: weir run\n");
    return g_string_free(text, FALSE);
}

static int help(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "help") == 0) {
        return weiri_cli_finish(usage(), WEIRI_CLI_CLEAN);
    }
    const struct command *command = find_command(argv[1]);
    if (command == NULL) {
        return WEIRI_CLI_USAGE;
    }
    char *arguments[] = { argv[1], (char *)"--help", NULL };
    return call(command, 2, arguments);
}

/* Prints the words that a shell offers after the name of a command, @words[0], and the
 * words that follow, the last of which is to be completed. */
static int complete_command(const struct command *command, char **words)
{
    if (command->run == NULL) {
        words[0] = (char *)WEIRI_CLI_COMPLETE;
        return weiri_cli_start(command->name, words);
    }
    char *arguments[] = { words[0], NULL };
    weiri_complete_ask(command->name, words + 1);
    return call(command, 1, arguments);
}

/* Prints the words that a shell offers after @words, the last of which is to be
 * completed: see complete.h. */
static int complete(char **words)
{
    const char *first = words[0] != NULL ? words[0] : "";
    bool is_help = strcmp(first, "help") == 0 && words[1] != NULL;
    if (words[0] != NULL && words[1] != NULL && !is_help) {
        for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
            if (strcmp(commands[i].name, first) == 0) {
                return complete_command(&commands[i], words);
            }
        }
        return WEIRI_CLI_CLEAN;
    }
    const char *typed = is_help ? words[1] : first;
    GString *out = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (g_str_has_prefix(commands[i].name, typed)) {
            g_string_append_printf(out, "%s\t%s\n", commands[i].name,
                                   commands[i].summary);
        }
    }
    static const char *const others[] = { "help", "--help", "--version" };
    for (size_t i = 0; i < G_N_ELEMENTS(others) && !is_help; i++) {
        if (g_str_has_prefix(others[i], typed)
            && (others[i][0] != '-' || typed[0] != '\0')) {
            g_string_append_printf(out, "%s\t\n", others[i]);
        }
    }
    return weiri_cli_finish(g_string_free(out, FALSE), WEIRI_CLI_CLEAN);
}

int main(int argc, char **argv)
{
    g_set_prgname("weir");
    if (!weiri_cli_guard_streams()) {
        return weiri_cli_complain("standard output is closed");
    }
    if (argc < 2) {
        g_autofree char *text = usage();
        fputs(text, stderr);
        return WEIRI_CLI_USAGE;
    }
    const char *first = argv[1];
    if (strcmp(first, "help") == 0) {
        return help(argc - 1, argv + 1);
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        return help(1, argv);
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        return weiri_cli_finish(g_strdup("weir " PACKAGE_VERSION "\n"),
                                WEIRI_CLI_CLEAN);
    }
    if (strcmp(first, WEIRI_CLI_COMPLETE) == 0) {
        return complete(argv + 2);
    }
    if (first[0] == '-') {
        return weiri_cli_complain("unknown option %s: 'weir --help' says more", first);
    }
    const struct command *command = find_command(first);
    return command != NULL ? call(command, argc - 1, argv + 1) : WEIRI_CLI_USAGE;
}
