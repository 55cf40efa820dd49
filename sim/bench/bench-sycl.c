/* SPDX-License-Identifier: MIT
 *
 * bench-sycl.c: `weir bench --sycl`: kernels of the registry beside their forms in
 * SYCL, which are one program, kernels/sycl/twins.cpp. Its text is in the command;
 * weir-c++ compiles it with the options that a user takes for speed.
 *
 * A form in SYCL runs in a process of its own and waits for a line before each run, so
 * that the runs of C and of SYCL alternate, on the same input. The comparison is of
 * processor time: a launch has one thread a processor, and other programs may be in the
 * way.
 *
 * `--json` prints an array of objects: kernel, local, agree, and in fast and checked:
 * n, c_ms, sycl_ms, ratio. */
#include "config.h"

#include "bench/bench.h"
#include "cli/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* A checked item costs some hundred times as much. */
enum { CHECKED_SHARE = 256 };

enum mode { FAST, CHECKED, N_MODES };

/* The times of one kernel in one mode: medians in milliseconds. */
struct times {
    size_t n;
    double c, sycl;
};

struct pair {
    const struct kernel_row *row;
    size_t local;
    struct times times[N_MODES];
    bool agree; /* both answers were right in every run */
};

/* The compiled twins. */
struct twins {
    char *folder; /* temporary */
    char *program;
    char *input; /* a file of elements */
    GStrv names;
};

/* A twin that waits for lines. */
struct process {
    GPid pid;
    FILE *to, *from;
};

/* ---- The program of the twins ---------------------------------------------------- */

static void remove_twins(struct twins *twins)
{
    if (twins->folder != NULL) {
        weiri_folder_remove(twins->folder);
    }
    g_free(twins->folder);
    g_free(twins->program);
    g_free(twins->input);
    g_strfreev(twins->names);
}

/* Runs a command to its end. @output: (out): what it printed. The first line of what it
 * complains is in @error. */
static bool run(char **words, char **output, GError **error)
{
    g_autofree char *said = NULL;
    int status;
    if (!g_spawn_sync(NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, output, &said,
                      &status, error)) {
        return false;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return true;
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "'%s' failed: %.*s", words[0],
                (int)strcspn(said, "\n"), said);
    return false;
}

static bool compile(struct twins *twins, GError **error)
{
    twins->folder = weiri_folder_make(error);
    if (twins->folder == NULL) {
        return false;
    }
    twins->program = g_build_filename(twins->folder, "twins", NULL);
    twins->input = g_build_filename(twins->folder, "input", NULL);
    g_autofree char *source = g_build_filename(twins->folder, "twins.cpp", NULL);
    g_autofree char *compiler = weiri_cli_tool("weir-c++");
    char *words[] = { compiler, (char *)"--fat", (char *)"-O3",  (char *)"--no-record",
                      source,   (char *)"-o",    twins->program, NULL };
    weiri_cli_progress("compiling the kernels in SYCL");
    if (!g_file_set_contents(source, weiri_bench_twins, -1, error)
        || !run(words, NULL, error)) {
        return false;
    }
    g_autofree char *names = NULL;
    char *list[] = { twins->program, NULL };
    if (!run(list, &names, error)) {
        return false;
    }
    twins->names = g_strsplit(g_strchomp(names), "\n", -1);
    return true;
}

static bool write_input(const struct twins *twins, const void *in, size_t n,
                        GError **error)
{
    FILE *file = fopen(twins->input, "wb");
    bool written = file != NULL && fwrite(in, sizeof(uint32_t), n, file) == n;
    written = file != NULL && fclose(file) == 0 && written;
    if (!written) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "%s: %s", twins->input,
                    g_strerror(errno));
    }
    return written;
}

/* ---- Running a twin -------------------------------------------------------------- */

static bool start(struct process *process, const struct twins *twins,
                  const struct pair *pair, enum mode mode, GError **error)
{
    g_autofree char *local = g_strdup_printf("%zu", pair->local);
    char *words[]
        = { twins->program, (char *)pair->row->name, local, twins->input, NULL };
    g_auto(GStrv) environment = g_get_environ();
    environment = mode == CHECKED ? g_environ_setenv(environment, "WEIR_OPTIONS",
                                                     "check=1 schedule=in-order", TRUE)
                                  : g_environ_unsetenv(environment, "WEIR_OPTIONS");
    int to, from;
    if (!g_spawn_async_with_pipes(NULL, words, environment, G_SPAWN_DO_NOT_REAP_CHILD,
                                  NULL, NULL, &process->pid, &to, &from, NULL, error)) {
        return false;
    }
    process->to = fdopen(to, "w");
    process->from = fdopen(from, "r");
    return true;
}

static void end(struct process *process)
{
    fclose(process->to);
    fclose(process->from);
    waitpid(process->pid, NULL, 0);
    g_spawn_close_pid(process->pid);
}

/* One run. @ms: (out): of the processors; @out: (out): the answer */
static bool run_twin(struct process *process, const struct pair *pair, double *ms,
                     uint32_t *out, GError **error)
{
    size_t count = kernel_output_count(pair->row), n = 0;
    bool complete = fputs("\n", process->to) >= 0 && fflush(process->to) == 0
        && fscanf(process->from, "%*f %lf", ms) == 1;
    while (complete && n < count) {
        complete = fscanf(process->from, "%" SCNu32, &out[n]) == 1;
        n++;
    }
    if (!complete) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                    "%s in SYCL ended early: its output is above", pair->row->name);
    }
    return complete;
}

/* ---- Measuring ------------------------------------------------------------------- */

static double processor_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int compare_doubles(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

static double median_of(GArray *times)
{
    g_array_sort(times, compare_doubles);
    const double *ms = (const double *)(void *)times->data;
    return (ms[(times->len - 1) / 2] + ms[times->len / 2]) / 2;
}

/* One run of the kernel in C. @ms: (out) */
static bool run_kernel(const struct pair *pair, struct kernel_job *job, double *ms,
                       GError **error)
{
    double begin = processor_ms();
    bool launched = kernel_run(pair->row, job, error);
    *ms = processor_ms() - begin;
    return launched;
}

/* Runs both in turn, and judges each answer. The first runs are not timed. */
static bool alternate(struct pair *pair, struct times *times, struct kernel_job *job,
                      struct process *process,
                      const struct weiri_cli_settings *settings, GError **error)
{
    g_autoptr(GArray) of_c = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) of_sycl = g_array_new(FALSE, FALSE, sizeof(double));
    g_autofree uint32_t *out = g_new(uint32_t, kernel_output_count(pair->row));
    struct kernel_expected expected;
    kernel_expect(pair->row, job->in, job->n, &expected);
    for (uint64_t i = 0; i < settings->warm_ups + settings->reps; i++) {
        double c, sycl;
        if (!run_kernel(pair, job, &c, error)
            || !run_twin(process, pair, &sycl, out, error)) {
            return false;
        }
        pair->agree = pair->agree
            && kernel_judge(pair->row, &expected, job->out).correct
            && kernel_judge(pair->row, &expected, out).correct;
        if (i >= settings->warm_ups) {
            g_array_append_val(of_c, c);
            g_array_append_val(of_sycl, sycl);
        }
    }
    *times = (struct times){ job->n, median_of(of_c), median_of(of_sycl) };
    return true;
}

static bool measure_mode(struct pair *pair, enum mode mode, const struct twins *twins,
                         const struct weiri_cli_settings *settings, GError **error)
{
    uint64_t n = settings->n[pair->row->family];
    struct weir_launch_options options = settings->options;
    if (mode == CHECKED) {
        options.check = true;
        options.schedule = "in-order";
    }
    struct kernel_job job
        = { .device = settings->device,
            .n = mode == CHECKED ? kernel_div_up(n, CHECKED_SHARE) : n,
            .local = settings->local,
            .options = &options };
    struct process process;
    bool measured = false;
    double ms;
    void *in = kernel_input_new(pair->row, job.device, job.n, error);
    job.in = in;
    job.out = in != NULL ? kernel_output_new(pair->row, job.device, error) : NULL;
    if (job.out != NULL && write_input(twins, in, job.n, error)
        && run_kernel(pair, &job, &ms, error)) {
        pair->local = job.local; /* by now the kernel's own */
        if (start(&process, twins, pair, mode, error)) {
            measured
                = alternate(pair, &pair->times[mode], &job, &process, settings, error);
            end(&process);
        }
    }
    kernel_job_clear(&job);
    weir_free(job.device, job.out);
    weir_free(job.device, in);
    return measured;
}

static bool measure(struct pair *pair, const struct twins *twins,
                    const struct weiri_cli_settings *settings, GError **error)
{
    pair->agree = true;
    for (int mode = FAST; mode < N_MODES; mode++) {
        g_autofree char *text = g_strdup_printf("%s, %s", pair->row->name,
                                                mode == CHECKED ? "checked" : "fast");
        weiri_cli_progress(text);
        if (!measure_mode(pair, (enum mode)mode, twins, settings, error)) {
            return false;
        }
    }
    return true;
}

/* ---- Output ---------------------------------------------------------------------- */

static double ratio_of(const struct times *times)
{
    return times->c > 0 ? times->sycl / times->c : 0;
}

static char *to_text(GArray *pairs)
{
    GString *out = g_string_new(
        "Kernels in C and in SYCL, medians of processor time; the ratio is SYCL / C.\n"
        "\n");
    struct weiri_cli_table *table = weiri_cli_table_new("lrrrrrrrl");
    weiri_cli_table_add(
        table,
        "kernel\tlocal\tfast:\nC ms\t\nSYCL ms\t\nratio\tchecked:\nC ms\t\n"
        "SYCL ms\t\nratio\tanswers");
    for (guint i = 0; i < pairs->len; i++) {
        const struct pair *pair = &g_array_index(pairs, struct pair, i);
        const struct times *fast = &pair->times[FAST], *checked = &pair->times[CHECKED];
        weiri_cli_table_add(table, "%s\t%zu\t%.3f\t%.3f\t%.2f\t%.3f\t%.3f\t%.2f\t%s",
                            pair->row->name, pair->local, fast->c, fast->sycl,
                            ratio_of(fast), checked->c, checked->sycl,
                            ratio_of(checked), pair->agree ? "agree" : "DIFFER");
    }
    weiri_cli_table_take_text(table, out);
    return g_string_free(out, FALSE);
}

static char *to_csv(GArray *pairs)
{
    struct weiri_cli_table *table = weiri_cli_table_new("lllllllll");
    weiri_cli_table_add(table,
                        "kernel\tlocal\tfast_n\tfast_c_ms\tfast_sycl_ms\tchecked_n\t"
                        "checked_c_ms\tchecked_sycl_ms\tagree");
    for (guint i = 0; i < pairs->len; i++) {
        const struct pair *pair = &g_array_index(pairs, struct pair, i);
        const struct times *fast = &pair->times[FAST], *checked = &pair->times[CHECKED];
        weiri_cli_table_add(table, "%s\t%zu\t%zu\t%.6f\t%.6f\t%zu\t%.6f\t%.6f\t%s",
                            pair->row->name, pair->local, fast->n, fast->c, fast->sycl,
                            checked->n, checked->c, checked->sycl,
                            pair->agree ? "true" : "false");
    }
    GString *out = g_string_new(NULL);
    weiri_cli_table_take_csv(table, out);
    return g_string_free(out, FALSE);
}

static void add_times(JsonBuilder *builder, const char *mode, const struct times *times)
{
    weiri_json_object(builder, mode);
    weiri_json_int(builder, "n", times->n);
    weiri_json_real(builder, "c_ms", times->c);
    weiri_json_real(builder, "sycl_ms", times->sycl);
    weiri_json_real(builder, "ratio", ratio_of(times));
    json_builder_end_object(builder);
}

static char *to_json(GArray *pairs)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_array(builder);
    for (guint i = 0; i < pairs->len; i++) {
        const struct pair *pair = &g_array_index(pairs, struct pair, i);
        json_builder_begin_object(builder);
        weiri_json_text(builder, "kernel", pair->row->name);
        weiri_json_int(builder, "local", pair->local);
        weiri_json_bool(builder, "agree", pair->agree);
        add_times(builder, "fast", &pair->times[FAST]);
        add_times(builder, "checked", &pair->times[CHECKED]);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    return weiri_json_take(builder);
}

/* ---- The command ----------------------------------------------------------------- */

/* The kernels of @rows that have a twin. Complains of those that were named and have
 * none. Returns: (transfer full): struct pair, or NULL after a complaint */
static GArray *pairs_of(GPtrArray *rows, const struct twins *twins, bool named)
{
    g_autoptr(GArray) pairs = g_array_new(FALSE, TRUE, sizeof(struct pair));
    for (guint i = 0; i < rows->len; i++) {
        struct pair pair = { .row = g_ptr_array_index(rows, i) };
        if (g_strv_contains((const char *const *)twins->names, pair.row->name)) {
            g_array_append_val(pairs, pair);
        } else if (named) {
            g_autofree char *all = g_strjoinv(", ", twins->names);
            weiri_cli_complain("--sycl: %s has no form in SYCL: give one of %s",
                               pair.row->name, all);
            return NULL;
        }
    }
    return g_steal_pointer(&pairs);
}

/* Returns: the exit status */
static int measure_all(GArray *pairs, const struct twins *twins,
                       const struct weiri_cli_settings *settings, bool json, bool csv)
{
    bool agree = true;
    for (guint i = 0; i < pairs->len; i++) {
        struct pair *pair = &g_array_index(pairs, struct pair, i);
        GError *error = NULL;
        if (!measure(pair, twins, settings, &error)) {
            weiri_cli_progress(NULL);
            return weiri_cli_take_error(error);
        }
        agree = agree && pair->agree;
    }
    weiri_cli_progress(NULL);
    return weiri_cli_finish(json      ? to_json(pairs)
                                : csv ? to_csv(pairs)
                                      : to_text(pairs),
                            agree ? WEIRI_CLI_CLEAN : WEIRI_CLI_FINDINGS);
}

int weiri_bench_sycl(GPtrArray *rows, const struct weiri_cli_settings *settings,
                     bool json, bool csv)
{
    struct twins twins = { 0 };
    GError *error = NULL;
    int status;
    if (!compile(&twins, &error)) {
        weiri_cli_progress(NULL);
        status = weiri_cli_take_error(error);
    } else {
        g_autoptr(GArray) pairs = pairs_of(rows, &twins, settings->named);
        status = pairs != NULL ? measure_all(pairs, &twins, settings, json, csv)
                               : WEIRI_CLI_USAGE;
    }
    remove_twins(&twins);
    return status;
}
