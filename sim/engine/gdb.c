/* SPDX-License-Identifier: MIT
 *
 * gdb.c: see gdb.h. The run is made twice. The first time shows the finding, which many
 * detectors join, weigh and report after the launch only. The second time is under gdb:
 * weir-gdb.py compares each finding that is made at weiri_finding_made() with a
 * description of that finding. A schedule that is followed makes the two runs the same.
 *
 * gdb starts the program itself, or this command, for a built-in kernel. If a process
 * that the program starts makes launches, gdb does not follow from the beginning: the
 * process that makes the launch in question waits there, and gdb attaches to it. The
 * command is the parent of gdb: it keeps the folder with the schedule, and an interrupt
 * is gdb's. If standard input is not a terminal, gdb reads its commands there. */
#include "config.h"

#include "engine/gdb.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "cli/own.h"
#include "report/options.h"
#include "report/record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int commands = -1; /* what was standard input */

bool weiri_cli_gdb_prepare(void)
{
    g_autofree char *path = g_find_program_in_path("gdb");
    if (path == NULL) {
        weiri_cli_complain("--gdb: gdb is not in PATH: install it");
        return false;
    }
    commands = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (commands < 0 || empty < 0 || dup2(empty, STDIN_FILENO) < 0) {
        weiri_cli_complain("--gdb: standard input is closed");
        return false;
    }
    close(empty);
    return true;
}

struct session {
    const struct weiri_cli_recorded *recorded;
    const char *path; /* of its file */
    const struct weiri_cli_run_result *run;
    const struct weir_finding *finding; /* or NULL */
    uint64_t number; /* of its launch among those that were recorded */
    bool is_program;
    bool runs;     /* it runs into a signal by itself */
    char *process; /* that makes the launch and waits for gdb; or NULL:
                                               gdb starts it */
    char *script, *wanted, *replay, *reports, *calls; /* files in the folder */
};

/* ---- What to stop at ------------------------------------------------------------- */

/* The number of a launch among those that were recorded: a refused one is not. */
static uint64_t recorded_number(const struct weiri_cli_run_result *run, size_t launch)
{
    uint64_t number = 0;
    for (size_t i = 0; i < launch && i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        number += record->error == NULL && !record->aside;
    }
    return MAX(number, 1);
}

static void add_parties(JsonBuilder *builder, const struct weir_finding *finding)
{
    weiri_json_array(builder, "parties");
    for (size_t i = 0; i < finding->n_parties; i++) {
        const struct weir_party *party = &finding->parties[i];
        weiri_json_object(builder, NULL);
        weiri_json_array(builder, "group");
        for (size_t k = 0; k < 3; k++) {
            weiri_json_int(builder, NULL, party->group[k]);
        }
        json_builder_end_array(builder);
        /* The first of "3-5,7". */
        uint64_t item
            = party->items != NULL ? g_ascii_strtoull(party->items, NULL, 10) : 0;
        weiri_json_int(builder, "item", item);
        weiri_json_int(builder, "access", (uint64_t)party->access);
        weiri_json_int(builder, "line", party->line);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

/* The text that the user reads when the run stops. */
static char *text_of(const struct session *session, bool has_place)
{
    GString *text = g_string_new(NULL);
    if (session->finding != NULL) {
        weiri_report_add_finding_text(text, session->finding, NULL);
    } else if (session->run->failure != NULL) {
        g_string_append_printf(text, "%s: the program %s\n", session->path,
                               session->run->failure);
    } else {
        g_string_append_printf(text, "%s: the run has no finding\n", session->path);
    }
    if (!has_place && !session->runs) {
        g_string_append(text,
                        "no place in a kernel is known for it: stopped where the "
                        "launch begins\n");
    }
    return g_string_free(text, FALSE);
}

/* Writes what ReplayTo of weir-gdb.py reads. */
static bool write_wanted(const struct session *session, const char *path,
                         GError **error)
{
    const struct weiri_cli_run_result *run = session->run;
    const struct weir_finding *finding = session->finding;
    bool has_place = finding != NULL && finding->n_parties > 0;
    g_autofree char *text = text_of(session, has_place);
    const struct weiri_launch_record *first
        = run->launches->len > 0 ? g_ptr_array_index(run->launches, 0) : NULL;
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_object(builder);
    weiri_json_int(builder, "launch", session->number);
    weiri_json_text(builder, "kernel",
                    finding != NULL     ? finding->kernel
                        : first != NULL ? first->kernel
                                        : NULL);
    if (has_place) {
        weiri_json_int(builder, "kind", (uint64_t)finding->kind);
        add_parties(builder, finding);
    } else {
        weiri_json_null(builder, "kind");
    }
    weiri_json_text(builder, "text", text);
    weiri_json_bool(builder, "waits", session->process != NULL);
    weiri_json_bool(builder, "runs", session->runs);
    weiri_json_text(builder, "reports", session->is_program ? session->reports : NULL);
    json_builder_end_object(builder);
    g_autofree char *json = weiri_json_take(builder);
    return g_file_set_contents(path, json, -1, error);
}

/* ---- gdb ------------------------------------------------------------------------- */

/* A program that gdb can start: @name, or what runs it, if it is a script. */
static void add_program(GPtrArray *argv, const char *name)
{
    g_autofree char *path = g_find_program_in_path(name);
    char magic[4] = { 0 };
    int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool is_elf = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic)
        && memcmp(magic, "\177ELF", sizeof(magic)) == 0;
    if (fd >= 0) {
        close(fd);
    }
    if (!is_elf) {
        g_autofree char *env = g_find_program_in_path("env");
        g_ptr_array_add(argv, g_strdup(env != NULL ? env : "/usr/bin/env"));
    }
    g_ptr_array_add(argv, g_strdup(path != NULL ? path : name));
}

static const struct weiri_cli_subject *subject_of(const struct session *session)
{
    return &g_array_index(session->recorded->check.subjects, struct weiri_cli_subject,
                          0);
}

static void add_words(GPtrArray *argv, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g_ptr_array_add(argv, g_strdup(words[i]));
    }
}

/* The command line of the process that gdb starts. A built-in kernel runs in this
 * command, for as long as the user needs. */
static void add_subject(GPtrArray *argv, const struct weiri_cli_subject *subject,
                        const char *path)
{
    if (subject->row != NULL) {
        const char *const again[] = { "replay", "--time-limit", "10000000", path };
        g_autofree char *own = weiri_cli_own();
        g_ptr_array_add(argv, g_strdup(own != NULL ? own : "weir"));
        add_words(argv, again, G_N_ELEMENTS(again));
        return;
    }
    add_program(argv, subject->program[0]);
    for (size_t i = 1; subject->program[i] != NULL; i++) {
        g_ptr_array_add(argv, g_strdup(subject->program[i]));
    }
}

static GPtrArray *command_line(const struct session *session)
{
    static const char *const unattended[]
        = { "-iex", "set confirm off",      "-iex", "set pagination off",
            "-iex", "set width 0",          "-iex", "set prompt",
            "-iex", "set style enabled off" };
    static const char *const starting[]
        = { "-ex", "set exec-wrapper sh -c 'exec \"$0\" \"$@\" </dev/null'" };
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(argv, g_strdup("gdb"));
    g_ptr_array_add(argv, g_strdup("-q"));
    if (!isatty(commands)) {
        add_words(argv, unattended, G_N_ELEMENTS(unattended));
    }
    if (session->process == NULL) {
        add_words(argv, starting, G_N_ELEMENTS(starting));
    }
    g_ptr_array_add(argv, g_strdup("-iex"));
    g_ptr_array_add(argv, g_strdup_printf("source %s", session->script));
    g_ptr_array_add(argv, g_strdup("-ex"));
    g_ptr_array_add(argv, g_strdup_printf("weir-replay-to %s", session->wanted));
    if (session->process != NULL) {
        g_ptr_array_add(argv, g_strdup("-p"));
        g_ptr_array_add(argv, g_strdup(session->process));
    } else {
        g_ptr_array_add(argv, g_strdup("--args"));
        add_subject(argv, subject_of(session), session->path);
    }
    g_ptr_array_add(argv, NULL);
    return argv;
}

/* ---- A process that is not the program's first ----------------------------------- */

enum { CALL_MS = 100 };

/* Starts the program. Returns: (transfer full): the number of the process that makes
 * the launch, once it waits before that; or NULL with @error set */
static char *await_process(const struct session *session, const char *options,
                           GError **error)
{
    g_autoptr(GString) line = g_string_new(options);
    weiri_options_add(line, "halt", session->calls);
    weiri_options_add_number(line, "halt-at", session->number);
    struct weiri_cli_child child = { .argv = subject_of(session)->program,
                                     .options = line->str,
                                     .shown = true,
                                     .error_shown = true };
    /* With both ends here, neither opening waits. */
    struct pollfd calls = { .fd = -1, .events = POLLIN };
    char number[32] = "";
    if (mkfifo(session->calls, 0600) == 0) {
        calls.fd = open(session->calls, O_RDWR | O_CLOEXEC);
    }
    if (calls.fd < 0) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE, "%s: %s", session->calls,
                    g_strerror(errno));
        return NULL;
    }
    bool started = weiri_cli_child_start(&child, error), ended = false;
    int64_t deadline_us = session->recorded->check.limit.deadline_us;
    while (started && number[0] == '\0' && !ended) {
        ended = weiri_cli_child_has_ended(&child) || weiri_cli_clock_us() > deadline_us;
        if (poll(&calls, 1, CALL_MS) > 0) {
            ssize_t n = read(calls.fd, number, sizeof(number) - 1);
            number[MAX(n, 0)] = '\0';
        }
    }
    close(calls.fd);
    if (started && number[0] == '\0') {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                    "%s: the program has not reached launch %" PRIu64 " again",
                    session->path, session->number);
    }
    return number[0] != '\0' ? g_strdup(g_strchomp(number)) : NULL;
}

/* ---- A session ------------------------------------------------------------------- */

/* Returns: false with @error set, or @status as waitpid() gives it */
static bool run_session(struct session *session, int *status, GError **error)
{
    const struct weiri_cli_recorded *recorded = session->recorded;
    struct weiri_cli_check check = recorded->check;
    check.limit = (struct weiri_cli_limit){ 0 };
    struct weiri_cli_run_options options = { .schedule = session->run->schedule,
                                             .seed = session->run->seed,
                                             .replay = recorded->schedule };
    g_autofree char *line = session->is_program
        ? weiri_cli_program_options(&check, &options, session->reports, session->replay)
        : NULL;
    unlink(session->reports); /* of the first run */
    if (!g_file_set_contents(session->script, weiri_cli_gdb_script, -1, error)
        || !weir_schedule_save(recorded->schedule, session->replay, error)) {
        return false;
    }
    if (session->run->elsewhere && !session->runs) {
        session->process = await_process(session, line, error);
        if (session->process == NULL) {
            return false;
        }
        g_clear_pointer(&line, g_free);
    }
    if (!write_wanted(session, session->wanted, error)) {
        return false;
    }
    g_autoptr(GPtrArray) argv = command_line(session);
    struct weiri_cli_child gdb
        = { .argv = (char *const *)argv->pdata, .options = line };
    if (dup2(commands, STDIN_FILENO) < 0 || !weiri_cli_child_run_here(&gdb, error)) {
        return false;
    }
    *status = gdb.status;
    return true;
}

int weiri_cli_gdb_run(const struct weiri_cli_recorded *recorded, const char *path,
                      const struct weiri_cli_run_result *run,
                      const struct weir_finding *finding, size_t launch)
{
    GError *error = NULL;
    int status = 0;
    const char *folder = weiri_cli_folder(&error);
    if (folder == NULL) {
        return weiri_cli_take_error(error);
    }
    struct session session = {
        .recorded = recorded,
        .path = path,
        .run = run,
        .finding = finding,
        .number = recorded_number(run, launch),
        .runs = finding == NULL && WIFSIGNALED(run->status),
        .script = g_build_filename(folder, "weir-gdb.py", NULL),
        .wanted = g_build_filename(folder, "wanted", NULL),
        .replay = g_build_filename(folder, "replay", NULL),
        .reports = g_build_filename(folder, "reports", NULL),
        .calls = g_build_filename(folder, "calls", NULL),
    };
    session.is_program = subject_of(&session)->row == NULL;
    bool ran = run_session(&session, &status, &error);
    g_free(session.process);
    g_free(session.script);
    g_free(session.wanted);
    g_free(session.replay);
    g_free(session.reports);
    g_free(session.calls);
    if (!ran) {
        return weiri_cli_take_error(error);
    }
    return status == 0 ? WEIRI_CLI_CLEAN : WEIRI_CLI_USAGE;
}
