/* SPDX-License-Identifier: MIT
 *
 * play.c: `weir play`: a page on which one execution is stepped. The argument is a
 * litmus test, a file or an included one, or a kernel; or a program follows. The first
 * question of a page is asked here beforehand, so that a wrong argument is an error of
 * the command. */
#include "config.h"

#include "play/play.h"

#include "cli/child.h"
#include "cli/program.h"
#include "engine/litmus.h"

#include <string.h>

static const char SUMMARY[]
    = "Serves a page on this machine that steps through one execution of a litmus\n"
      "test or of a kernel: you choose the thread that takes the next step, and the\n"
      "write that it reads. The page shows happens-before, and why the model refuses\n"
      "a choice.";

static const char EPILOGUE[]
    = "FILE is a litmus test in a form that 'weir litmus' reads, or the name of\n"
      "a test that 'weir litmus --list' shows. The page is for this machine alone, at\n"
      "127.0.0.1. Ctrl-C ends it.\n\n"
      "Exit status: 0 served; 2 an error.\n\n" WEIRI_CLI_NUMBERS;

/* A kernel is played with a few items; the port is not known for another service. */
enum { DEFAULT_LOCAL = 2, DEFAULT_GROUPS = 2, DEFAULT_PORT = 7430 };
enum { DEFAULT_SECONDS = 20, MOST_TEXT = 1 << 20 };

/* Options as they were given, or NULL; owned. */
struct texts {
    char *model, *port, *request, *n, *input, *local, *device, *sub_group, *launch,
        *seconds;
};

/* Returns: (transfer full): the text of a test; NULL if it cannot be read, with an
 * error, or if a kernel is meant */
static char *read_test(const char *name, char **file, GError **error)
{
    const struct weiri_cli_litmus_test *known = weiri_cli_litmus_find(name);
    bool exists = g_file_test(name, G_FILE_TEST_IS_REGULAR);
    bool is_path = strpbrk(name, "/.") != NULL;
    *file = exists || is_path ? g_strdup(name) : g_strdup_printf("%s.litmus", name);
    if (known != NULL && !exists) {
        return g_strdup(known->text);
    }
    if (!exists && !is_path) {
        return NULL;
    }
    char *text = NULL;
    gsize bytes = 0;
    if (!g_file_get_contents(name, &text, &bytes, error)) {
        g_prefix_error(error, "%s: ", name);
    } else if (bytes > MOST_TEXT || memchr(text, '\0', bytes) != NULL
               || !g_utf8_validate(text, (gssize)bytes, NULL)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                    "%s: it is not UTF-8 text of at most %d MiB", name,
                    MOST_TEXT >> 20);
        g_clear_pointer(&text, g_free);
    }
    return text;
}

static bool read_launch(const struct texts *texts, struct weiri_cli_playing *playing)
{
    struct weiri_cli_exploring *exploring = &playing->exploring;
    uint64_t local = DEFAULT_LOCAL, sub_group = 0;
    if (!weiri_cli_number("--local", "items", texts->local, 1, UINT32_MAX, &local)) {
        return false;
    }
    uint64_t n = local * DEFAULT_GROUPS;
    if (!weiri_cli_number("--n", "elements", texts->n, 0, UINT32_MAX, &n)
        || !weiri_cli_number("--sub-group", "items", texts->sub_group, 1, 63,
                             &sub_group)
        || !weiri_cli_number("--launch", "a launch", texts->launch, 1, UINT32_MAX,
                             &playing->launch)) {
        return false;
    }
    exploring->n = n;
    exploring->input = texts->input;
    exploring->local = local;
    exploring->device = texts->device;
    exploring->sub_group = texts->sub_group;
    exploring->json = true; /* nothing of the program is printed */
    exploring->options.sub_group_size = (uint32_t)sub_group;
    exploring->options.seed = 1;
    return weiri_cli_has_device(texts->device);
}

/* An option that does not apply to what is played. */
static const char *alien(const struct texts *texts, bool is_test, bool is_program)
{
    const char *of_kernels = texts->n != NULL ? "--n"
        : texts->input != NULL                ? "--input"
        : texts->local != NULL                ? "--local"
                                              : NULL;
    const char *of_launches = texts->device != NULL ? "--device"
        : texts->sub_group != NULL                  ? "--sub-group"
        : texts->launch != NULL                     ? "--launch"
                                                    : of_kernels;
    return is_test ? of_launches : is_program ? of_kernels : NULL;
}

/* Answers the request, or the first one of each page, and serves. */
static int answer(const struct weiri_cli_playing *playing, const struct texts *texts,
                  uint16_t port)
{
    const char *request = texts->request != NULL ? texts->request : "{}";
    GError *error = NULL;
    char *first = weiri_cli_play_answer(playing, request, strlen(request), &error);
    if (first == NULL) {
        return weiri_cli_take_error(error);
    }
    if (texts->request != NULL) {
        return weiri_cli_finish(first, WEIRI_CLI_CLEAN);
    }
    g_free(first);
    return weiri_cli_play_serve(playing, port);
}

/* @names: ends at NULL; @program: what follows "--", or NULL */
static int play(const struct texts *texts, char *const *names, char *const *program)
{
    struct weiri_cli_playing playing
        = { .model = texts->model, .seconds = DEFAULT_SECONDS, .launch = 1 };
    uint64_t port = DEFAULT_PORT;
    g_autofree char *text = NULL, *file = NULL;
    GError *error = NULL;
    if (program != NULL ? names[0] != NULL || program[0] == NULL
                        : names[0] == NULL || names[1] != NULL) {
        return weiri_cli_complain("give one litmus test or kernel, or a program after "
                                  "--");
    }
    text = program == NULL ? read_test(names[0], &file, &error) : NULL;
    if (error != NULL) {
        return weiri_cli_take_error(error);
    }
    if (texts->n != NULL && texts->input != NULL) {
        return weiri_cli_complain("--n and --input exclude each other");
    }
    const char *other = alien(texts, text != NULL, program != NULL);
    if (other != NULL) {
        return weiri_cli_complain(text != NULL
                                      ? "%s is for kernels: a litmus test has none"
                                      : "%s is for built-in kernels: a program chooses "
                                        "its own",
                                  other);
    }
    if (!weiri_cli_number("--port", "a port", texts->port, 0, UINT16_MAX, &port)
        || !weiri_cli_seconds("--time-limit", texts->seconds, &playing.seconds)) {
        return WEIRI_CLI_USAGE;
    }
    g_autoptr(GPtrArray) rows = NULL;
    if (text == NULL && program == NULL) {
        const char *near = weiri_cli_litmus_near(names[0]);
        if (kernel_find(names[0]) == NULL && !weiri_cli_is_source(names[0])) {
            return weiri_cli_complain("'%s' is neither a file, a test of 'weir litmus "
                                      "--list' nor a kernel of 'weir list'%s%s%s",
                                      names[0], near != NULL ? ": did you mean '" : "",
                                      near != NULL ? near : "",
                                      near != NULL ? "'?" : "");
        }
        rows = weiri_cli_find_kernels(names);
        if (rows == NULL) {
            return WEIRI_CLI_USAGE;
        }
        playing.exploring.subject
            = (struct weiri_cli_subject){ WEIRI_CLI_BUILT_IN,
                                          g_ptr_array_index(rows, 0), NULL };
    }
    playing.text = text;
    playing.file = file;
    if (program != NULL) {
        playing.exploring.subject = weiri_cli_subject_of_program(program);
    }
    if (text == NULL && !read_launch(texts, &playing)) {
        return WEIRI_CLI_USAGE;
    }
    return answer(&playing, texts, (uint16_t)port);
}

static int play_command(int argc, char **argv)
{
    struct texts texts = { NULL };
    const GOptionEntry entries[] = {
        { "model", 'm', 0, G_OPTION_ARG_FILENAME, &texts.model,
          "First memory model (default: by the language)", "MODEL" },
        { "port", 'p', 0, G_OPTION_ARG_FILENAME, &texts.port,
          "Port of the page; 0: any free one (default: 7430)", "P" },
        { "request", 0, 0, G_OPTION_ARG_FILENAME, &texts.request,
          "Print the answer to a request, and serve no page", "JSON" },
        { "n", 'n', 0, G_OPTION_ARG_FILENAME, &texts.n,
          "Elements of a kernel (default: two groups)", "N" },
        WEIRI_CLI_INPUT(&texts.input),
        WEIRI_CLI_FEW_ITEMS(&texts.local),
        WEIRI_CLI_DEVICE(&texts.device),
        WEIRI_CLI_SUB_GROUP(&texts.sub_group),
        { "launch", 0, 0, G_OPTION_ARG_FILENAME, &texts.launch,
          "Play the K-th launch (default: 1)", "K" },
        { "time-limit", 't', 0, G_OPTION_ARG_FILENAME, &texts.seconds,
          "Stop an answer after SECONDS (default: 20)", "SECONDS" },
        { 0 },
    };
    char **program;
    g_autofree char **words = weiri_cli_take_program(&argc, argv, &program);
    char **left = words;
    int status;
    if (weiri_cli_parse(entries, "FILE | KERNEL | -- PROGRAM [ARGUMENT…]", SUMMARY,
                        EPILOGUE, &argc, &left, &status)) {
        status = play(&texts, left + 1, program);
    }
    weiri_cli_folder_remove();
    g_free(texts.model);
    g_free(texts.port);
    g_free(texts.request);
    g_free(texts.n);
    g_free(texts.input);
    g_free(texts.local);
    g_free(texts.device);
    g_free(texts.sub_group);
    g_free(texts.launch);
    g_free(texts.seconds);
    return status;
}

int main(int argc, char **argv)
{
    return weiri_cli_program("play", play_command, argc, argv);
}
