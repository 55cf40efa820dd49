/* SPDX-License-Identifier: MIT
 *
 * peers.c: the same kernels on Weir and on an OpenCL platform of this machine, and
 * checked by Weir and by Oclgrind. For `make bench-peers`.
 *
 *   bench-peers [--n N] [--local L] [--rounds R] [--barriers B] [--csv] [--svg FILE]
 *               [--checked] [--opencl] [ROW...]
 *
 * Both sides read the same memory, in one process, with as many threads as there are
 * processors. A round runs each side once, in turn, so that anything else the computer
 * does disturbs both; the first round, in which a platform compiles, does not count.
 * Every answer is compared with what a plain loop computes. The figures are medians. A
 * ratio is the peer's figure over Weir's: above 1, Weir is faster. A busy machine
 * disturbs processor time least, so the chart shows that one first.
 *
 * With --checked the rows are launches under the checker, and the peer is Oclgrind. It
 * shows OpenCL to no process but its own: it runs this program again with --one. With
 * --opencl so does `weir check`: both sides check the kernels of peers.cl. A figure is
 * the difference of two runs, the second of which has twice the elements or barriers:
 * what a launch itself costs is not in it.
 *
 * Without a platform it prints one line that says so, and succeeds. */
#define _GNU_SOURCE
#include "config.h"

#include "peers-opencl.h"
#include "peers-process.h"
#include "peers.h"
#include "times.h"

#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 101, BINS = 256, LAUNCHES = 100 };

/* ---- Rows ------------------------------------------------------------------------ */

/* How many items a row has. */
enum shape {
    ONE_ITEM,      /* one */
    ONE_GROUP,     /* the items of a group */
    LAUNCH,        /* the same, in LAUNCHES launches */
    PROCESS,       /* those of processes: see peers_process_first_result() */
    AN_ELEMENT,    /* one an element */
    FOUR,          /* one for 4 elements */
    MANY,          /* one for PEERS_EACH elements */
    PASSES,        /* one for 2 elements, launched again on the sums of groups */
    BARRIER_GROUPS /* those of BARRIER_GROUP_COUNT groups */
};
enum { BARRIER_GROUP_COUNT = 64 };

enum answer { NO_ANSWER, SUM, BINS_OF, SHIFTED, MIXED };

struct row {
    const char *name;   /* of Weir's kernel */
    const char *opencl; /* of the other side's where it differs: a hierarchical form is
                           held against the plain one */
    enum shape shape;
    enum answer answer;
};

static const struct row rows[] = {
    { "first_result", NULL, PROCESS, NO_ANSWER },
    { "do_nothing", NULL, LAUNCH, NO_ANSWER },
    { "reduce_single_item", NULL, ONE_ITEM, SUM },
    { "reduce_atomics1", NULL, AN_ELEMENT, SUM },
    { "reduce_atomics2", NULL, MANY, SUM },
    { "reduce_atomics3", NULL, MANY, SUM },
    { "reduce_single_group", NULL, ONE_GROUP, SUM },
    { "reduce_single_group_hierarchical", "reduce_single_group", ONE_GROUP, SUM },
    { "reduce_tree", NULL, AN_ELEMENT, SUM },
    { "reduce_tree_hierarchical", "reduce_tree", AN_ELEMENT, SUM },
    { "reduce_tree_by_function", NULL, AN_ELEMENT, SUM },
    { "reduce_tree_256", NULL, MANY, SUM },
    { "reduce_tree_256_hierarchical", "reduce_tree_256", MANY, SUM },
    { "reduce_multi_pass", NULL, PASSES, SUM },
    { "reduce_multi_pass_hierarchical", "reduce_multi_pass", PASSES, SUM },
    { "reduce_multiblock_interleaved", NULL, MANY, SUM },
    { "reduce_multiblock_interleaved_hierarchical", "reduce_multiblock_interleaved",
      MANY, SUM },
    { "reduce_multiblock_interleaved_vector", NULL, FOUR, SUM },
    { "reduce_multiblock_interleaved_vector_hierarchical",
      "reduce_multiblock_interleaved_vector", FOUR, SUM },
    { "reduce_last_group", NULL, MANY, SUM },
    { "reduce_last_group_hierarchical", "reduce_last_group", MANY, SUM },
    { "histogram_atomic_relaxed", NULL, AN_ELEMENT, BINS_OF },
    { "histogram_local_relaxed", NULL, MANY, BINS_OF },
    { "histogram_local_relaxed_hierarchical", "histogram_local_relaxed", MANY,
      BINS_OF },
    { "barrier_shift", NULL, BARRIER_GROUPS, SHIFTED },
    { "barrier_shift_volatile", NULL, BARRIER_GROUPS, SHIFTED },
    { "barrier_only", NULL, BARRIER_GROUPS, MIXED },
};

/* Those of --checked: with barriers, with atomics of both scopes, and bare accesses and
 * barriers. */
static const char *const checked_rows[] = { "reduce_tree",
                                            "reduce_tree_by_function",
                                            "reduce_tree_256",
                                            "histogram_atomic_relaxed",
                                            "histogram_local_relaxed",
                                            "reduce_atomics2",
                                            "barrier_shift",
                                            "barrier_only" };

static const char *opencl_name(const struct row *row)
{
    return row->opencl != NULL ? row->opencl : row->name;
}

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* ---- Settings and data ----------------------------------------------------------- */

static size_t n_elements, local_size = 256, n_barriers = 1000;
static int n_rounds;
static bool both_opencl; /* --opencl */
static struct weir_device *device;
static struct weir_launch_options options;
static uint32_t *in, *out, *tmp[2]; /* memory of the device, that both sides use */
static size_t n_out, n_tmp;
static uint32_t expected_sum, expected_bins[BINS];

static size_t div_up(size_t n, size_t divisor)
{
    return (n + divisor - 1) / divisor;
}

static size_t items_of(const struct row *row)
{
    switch (row->shape) {
    case PROCESS:
    case ONE_ITEM:
        return 1;
    case ONE_GROUP:
    case LAUNCH:
        return local_size;
    case AN_ELEMENT:
        return div_up(n_elements, local_size) * local_size;
    case FOUR:
        return div_up(n_elements, 4 * local_size) * local_size;
    case MANY:
        return div_up(n_elements, PEERS_EACH * local_size) * local_size;
    case PASSES:
        return div_up(n_elements, 2 * local_size) * local_size;
    case BARRIER_GROUPS:
        return BARRIER_GROUP_COUNT * local_size;
    }
    return 0;
}

/* Any 32 bits that depend on nothing but the index (two rounds of a multiplicative
 * hash). */
static uint32_t element(uint32_t index)
{
    index = (index ^ index >> 16) * 0x7feb352dU;
    index = (index ^ index >> 15) * 0x846ca68bU;
    return index ^ index >> 16;
}

static void fill(void)
{
    n_out = MAX(BARRIER_GROUP_COUNT * local_size, (size_t)BINS);
    n_tmp = div_up(n_elements, 2 * local_size) + 1;
    in = weir_new(device, uint32_t, n_elements, "in");
    out = weir_new(device, uint32_t, n_out, "out");
    tmp[0] = weir_new(device, uint32_t, n_tmp, "tmp 0");
    tmp[1] = weir_new(device, uint32_t, n_tmp, "tmp 1");
    memset(tmp[0], 0, n_tmp * sizeof(uint32_t));
    memset(tmp[1], 0, n_tmp * sizeof(uint32_t));
    for (size_t i = 0; i < n_elements; i++) {
        in[i] = element((uint32_t)i);
        expected_sum += in[i];
        expected_bins[in[i] % BINS]++;
    }
}

static bool is_right(const struct row *row)
{
    size_t items = items_of(row), rounds = n_barriers / 2;
    switch (row->answer) {
    case NO_ANSWER:
        return true;
    case SUM:
        return out[0] == expected_sum;
    case BINS_OF:
        return memcmp(out, expected_bins, sizeof(expected_bins)) == 0;
    case SHIFTED:
        for (size_t i = 0; i < items; i++) {
            if (out[i] != (i % local_size + rounds) % local_size + rounds) {
                return false;
            }
        }
        return true;
    case MIXED:
        for (size_t i = 0; i < items; i++) {
            uint32_t word = (uint32_t)(i % local_size);
            for (size_t k = 0; k < n_barriers; k++) {
                word = word * 5 + (uint32_t)k;
            }
            if (out[i] != word) {
                return false;
            }
        }
        return true;
    }
    return false;
}

/* ---- The clock ------------------------------------------------------------------- */

static struct peers_times now(void)
{
    return (struct peers_times){ bench_ms(CLOCK_MONOTONIC),
                                 bench_ms(CLOCK_PROCESS_CPUTIME_ID) };
}

static struct peers_times since(struct peers_times start)
{
    struct peers_times end = now();
    return (struct peers_times){ end.wall - start.wall, end.cpu - start.cpu };
}

static struct peers_times medians(const struct peers_times *times, int n)
{
    double wall[MOST_ROUNDS], cpu[MOST_ROUNDS];
    for (int i = 0; i < n; i++) {
        wall[i] = times[i].wall;
        cpu[i] = times[i].cpu;
    }
    return (struct peers_times){ bench_median(wall, n), bench_median(cpu, n) };
}

/* ---- One run --------------------------------------------------------------------- */

/* Weir, or a platform. The host has the memory but between give() and take(). */
struct side {
    const char *name;
    void (*take)(void);
    void (*give)(void);
    /* Sums @n elements of @from into @to, or does what else the row does. */
    void (*launch)(const struct row *row, const uint32_t *from, uint32_t *to, size_t n,
                   size_t items);
    void (*wait)(void); /* until all launches have ended */
};

/* Where the row's sums are in the end. */
static uint32_t *launch_passes(const struct side *side, const struct row *row)
{
    uint32_t *to = tmp[0];
    size_t items = items_of(row);
    side->launch(row, in, to, n_elements, items);
    while (row->shape == PASSES && items > local_size) {
        const uint32_t *from = to;
        size_t n = items / local_size;
        to = to == tmp[0] ? tmp[1] : tmp[0];
        items = div_up(n, 2 * local_size) * local_size;
        side->launch(row, from, to, n, items);
    }
    return to;
}

/* Returns: the time from the first launch to the end of the last, a launch where there
 * are many; ends the program where an answer is wrong */
static struct peers_times run(const struct side *side, const struct row *row)
{
    memset(out, 0, n_out * sizeof(uint32_t));
    tmp[0][0] = 0;
    side->give();
    int launches = row->shape == LAUNCH ? LAUNCHES : 1;
    const uint32_t *sums = NULL;
    struct peers_times start = now();
    for (int i = 0; i < launches; i++) {
        sums = launch_passes(side, row);
        side->wait();
    }
    struct peers_times times = since(start);
    side->take();
    out[0] = row->shape == PASSES ? sums[0] : out[0];
    if (!is_right(row)) {
        g_printerr("bench-peers: %s on %s: wrong answer\n", row->name, side->name);
        exit(1);
    }
    return (struct peers_times){ times.wall / launches, times.cpu / launches };
}

/* ---- Weir ------------------------------------------------------------------------ */

static uint32_t parameter_of(const struct row *row)
{
    return row->shape == BARRIER_GROUPS ? (uint32_t)n_barriers : BINS;
}

static void launch_weir(const struct row *row, const uint32_t *from, uint32_t *to,
                        size_t n, size_t items)
{
    peers_args args = { from, out, to, (uint32_t)n, parameter_of(row) };
    GError *error = NULL;
    struct weir_report *report;
    if (!weir_launch_with(device, peers_find(row->name),
                          weir_nd_range_1d(items, MIN(items, local_size)), &args,
                          &options, &report, &error)) {
        g_printerr("bench-peers: %s: %s\n", row->name, error->message);
        exit(2);
    }
    if (weir_report_n_findings(report) > 0) {
        g_printerr("bench-peers: %s: %s\n", row->name,
                   weir_report_finding(report, 0)->message);
        exit(1);
    }
    weir_report_free(report);
}

static void nothing(void)
{
}

static const struct side weir = { "Weir", nothing, nothing, launch_weir, nothing };

/* ---- OpenCL ---------------------------------------------------------------------- */

static void launch_opencl(const struct row *row, const uint32_t *from, uint32_t *to,
                          size_t n, size_t items)
{
    peers_opencl_launch(from, to, (uint32_t)n, parameter_of(row), items,
                        MIN(items, local_size));
}

static struct side opencl
    = { NULL, peers_opencl_take, peers_opencl_give, launch_opencl, peers_opencl_wait };

/* Returns: false where there is no platform; needs fill(). @copying: see
 * peers_opencl_open() */
static bool open_opencl(bool copying)
{
    const struct peers_words memory[PEERS_BUFFERS]
        = { { in, n_elements }, { out, n_out }, { tmp[0], n_tmp }, { tmp[1], n_tmp } };
    /* the largest local array of the kernels: LOCAL_SIZE word8, or BINS words */
    size_t local_bytes = MAX(local_size * 8, (size_t)BINS) * sizeof(uint32_t);
    opencl.name = peers_opencl_open(memory, local_bytes, copying);
    return opencl.name != NULL;
}

/* ---- The table ------------------------------------------------------------------- */

/* The times of a row on both sides, ms. */
struct result {
    const struct row *row;
    struct peers_times peer, weir;
};

/* The divisor of a figure. */
struct unit {
    const char *name;
    double of_ms; /* times this */
};

static struct unit unit_of(const struct row *row)
{
    if (row->shape == LAUNCH) {
        return (struct unit){ "us a launch", 1e3 };
    }
    if (row->shape == PROCESS) {
        return (struct unit){ "ms from source", 1 };
    }
    if (row->shape == BARRIER_GROUPS) {
        double waits = (double)items_of(row) * (double)n_barriers;
        return (struct unit){ "ns a barrier and item", 1e6 / waits };
    }
    return (struct unit){ "ns an element", 1e6 / (double)n_elements };
}

static const char *compiler(void)
{
    return both_opencl ? "weir check" : peers_compiler();
}

static void print_head(bool csv, const char *peer)
{
    if (csv) {
        puts("kernel,unit,peer_wall,peer_cpu,weir_wall,weir_cpu,wall_ratio,cpu_ratio");
        return;
    }
    printf(
        "%s / Weir, kernels compiled by %s; %zu elements, groups of %zu, %d rounds\n",
        peer, compiler(), n_elements, local_size, n_rounds);
    printf("%-50s %10s %10s %10s %10s %8s %8s  %s\n", "", peer, "cpu", "Weir", "cpu",
           "ratio", "cpu", "unit");
}

static void print_result(bool csv, const struct result *result)
{
    struct unit unit = unit_of(result->row);
    struct peers_times peer = result->peer, ours = result->weir;
    double wall = peer.wall / ours.wall, cpu = peer.cpu / ours.cpu;
    if (csv) {
        printf("%s,%s,%.6f,%.6f,%.6f,%.6f,%.4f,%.4f\n", result->row->name, unit.name,
               peer.wall * unit.of_ms, peer.cpu * unit.of_ms, ours.wall * unit.of_ms,
               ours.cpu * unit.of_ms, wall, cpu);
    } else {
        printf("%-50s %10.3f %10.3f %10.3f %10.3f %8.2f %8.2f  %s\n", result->row->name,
               peer.wall * unit.of_ms, peer.cpu * unit.of_ms, ours.wall * unit.of_ms,
               ours.cpu * unit.of_ms, wall, cpu, unit.name);
    }
    fflush(stdout);
}

/* ---- The chart ------------------------------------------------------------------- */

enum { N_SERIES = 2 };

static bool draw(const char *path, const char *peer, const struct result *results,
                 size_t n)
{
    g_autoptr(GStringChunk) texts = g_string_chunk_new(1024);
    g_autofree struct weiri_chart_row *chart_rows = g_new0(struct weiri_chart_row, n);
    g_autofree double *values = g_new0(double, n *N_SERIES);
    g_autofree const char **ends = g_new0(const char *, n *N_SERIES);
    for (size_t i = 0; i < n; i++) {
        const struct result *result = &results[i];
        struct unit unit = unit_of(result->row);
        const double peers[N_SERIES] = { result->peer.cpu, result->peer.wall };
        const double ours[N_SERIES] = { result->weir.cpu, result->weir.wall };
        for (size_t k = 0; k < N_SERIES; k++) {
            g_autofree char *end = g_strdup_printf(
                "%.2f (%.3g / %.3g %s)", peers[k] / ours[k], peers[k] * unit.of_ms,
                ours[k] * unit.of_ms, unit.name);
            values[i * N_SERIES + k] = peers[k] / ours[k];
            ends[i * N_SERIES + k] = g_string_chunk_insert(texts, end);
        }
        chart_rows[i] = (struct weiri_chart_row){ .label = result->row->name,
                                                  .values = values + i * N_SERIES,
                                                  .texts = ends + i * N_SERIES };
    }
    g_autofree char *title = g_strdup_printf("Weir beside %s", peer);
    g_autofree char *subtitle
        = g_strdup_printf("%zu elements, groups of %zu, median of %d rounds, kernels "
                          "compiled by %s",
                          n_elements, local_size, n_rounds, compiler());
    g_autofree char *axis = g_strdup_printf("time of %s / time of Weir", peer);
    struct weiri_chart chart = {
        .title = title,
        .subtitle = subtitle,
        .axis = axis,
        .series = (const char *const[N_SERIES]){ "processor time", "wall time" },
        .n_series = N_SERIES,
        .rows = chart_rows,
        .n_rows = n,
        .mark = 1,
        .mark_label = "as fast",
    };
    GString *svg = g_string_new(NULL);
    weiri_report_add_chart(svg, &chart);
    GError *error = NULL;
    bool written = g_file_set_contents(path, svg->str, (gssize)svg->len, &error);
    if (!written) {
        g_printerr("bench-peers: --svg: %s\n", error->message);
    }
    g_string_free(svg, TRUE);
    return written;
}

/* ---- The program ----------------------------------------------------------------- */

static struct peers_times doubled(const struct row *row, bool ours)
{
    size_t barriers = row->shape == BARRIER_GROUPS ? 2 * n_barriers : n_barriers,
           elements = row->shape == BARRIER_GROUPS ? n_elements : 2 * n_elements;
    struct peers_times less
        = peers_process_run_one(ours, row->name, n_elements, local_size, n_barriers);
    struct peers_times more
        = peers_process_run_one(ours, row->name, elements, local_size, barriers);
    return (struct peers_times){ more.wall - less.wall, more.cpu - less.cpu };
}

static struct peers_times round_of(const struct row *row, const struct side *side,
                                   bool checked, const char *folder)
{
    if (both_opencl) {
        return doubled(row, side == &weir);
    }
    if (row->shape == PROCESS) {
        return peers_process_first_result(side == &weir, folder);
    }
    return checked && side == &opencl
        ? peers_process_run_one(false, row->name, n_elements, local_size, n_barriers)
        : run(side, row);
}

/* @folder: for temporary files */
static struct result measure(const struct row *row, bool checked, const char *folder)
{
    struct peers_times peer[MOST_ROUNDS], ours[MOST_ROUNDS];
    bool here = !checked && row->shape != PROCESS;
    if (here) {
        peers_opencl_choose(opencl_name(row));
        run(&opencl, row);
    }
    if (both_opencl) {
        doubled(row, true);
    } else if (row->shape != PROCESS) {
        run(&weir, row);
    }
    for (int i = 0; i < n_rounds; i++) {
        peer[i] = round_of(row, &opencl, checked, folder);
        ours[i] = round_of(row, &weir, checked, folder);
    }
    if (here) {
        peers_opencl_give();
        peers_opencl_release();
    }
    return (struct result){ row, medians(peer, n_rounds), medians(ours, n_rounds) };
}

/* The choices of the command line. */
struct words {
    bool csv, checked;
    const char *svg;
    const struct row *one;
    GPtrArray *rows; /* of struct row */
};

static _Noreturn void usage(void)
{
    fputs("usage: bench-peers [--n N] [--local L] [--rounds R] [--barriers B] [--csv]\n"
          "                   [--svg FILE] [--checked] [--opencl] [ROW...]\n",
          stderr);
    exit(2);
}

static const struct row *row_or_usage(const char *name)
{
    const struct row *row = find_row(name);
    if (row == NULL) {
        fprintf(stderr, "bench-peers: no row '%s'\n", name);
        usage();
    }
    return row;
}

static size_t number_or_usage(const char *text)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 0);
    if (*end != '\0' || number == 0 || number > UINT32_MAX) {
        usage();
    }
    return (size_t)number;
}

static struct words read_words(char **argv)
{
    struct words words = { .rows = g_ptr_array_new() };
    size_t n = 0, rounds = 0, barriers = 0;
    for (int i = 1; argv[i] != NULL; i++) {
        bool more = argv[i + 1] != NULL;
        if (more && strcmp(argv[i], "--n") == 0) {
            n = number_or_usage(argv[++i]);
        } else if (more && strcmp(argv[i], "--local") == 0) {
            local_size = number_or_usage(argv[++i]);
        } else if (more && strcmp(argv[i], "--rounds") == 0) {
            rounds = number_or_usage(argv[++i]);
        } else if (more && strcmp(argv[i], "--barriers") == 0) {
            barriers = number_or_usage(argv[++i]);
        } else if (more && strcmp(argv[i], "--svg") == 0) {
            words.svg = argv[++i];
        } else if (more && strcmp(argv[i], "--one") == 0) {
            words.one = row_or_usage(argv[++i]);
        } else if (strcmp(argv[i], "--csv") == 0) {
            words.csv = true;
        } else if (strcmp(argv[i], "--checked") == 0) {
            words.checked = true;
        } else if (strcmp(argv[i], "--opencl") == 0) {
            words.checked = both_opencl = true;
        } else {
            g_ptr_array_add(words.rows, (void *)row_or_usage(argv[i]));
        }
    }
    /* The input of Oclgrind's rows takes it a second or so; twice as many elements are
     * to be twice as many groups. */
    n_elements = n > 0 ? n : (size_t)1 << (both_opencl ? 16 : words.checked ? 14 : 24);
    n_barriers = barriers > 0 ? barriers : words.checked ? 10 : 1000;
    n_rounds = (int)MIN(rounds > 0 ? rounds : words.checked ? 3 : 9, MOST_ROUNDS);
    /* Trees halve groups, vectors have 8 words, and shifts take two barriers. */
    if ((local_size & (local_size - 1)) != 0 || local_size < 16 || n_elements % 8 != 0
        || n_barriers % 2 != 0) {
        fputs("bench-peers: L is a power of two from 16, N a multiple of 8, B even\n",
              stderr);
        exit(2);
    }
    return words;
}

static void choose_rows(struct words *words)
{
    if (words->rows->len > 0) {
        return;
    }
    for (size_t i = 0; words->checked && i < G_N_ELEMENTS(checked_rows); i++) {
        g_ptr_array_add(words->rows, (void *)find_row(checked_rows[i]));
    }
    for (size_t i = 0; !words->checked && i < G_N_ELEMENTS(rows); i++) {
        g_ptr_array_add(words->rows, (void *)&rows[i]);
    }
}

static bool skip(const char *what)
{
    printf("bench-peers: skipped: %s\n", what);
    return true;
}

/* Whether there is nothing to compare with. */
static bool is_skipped(const struct words *words)
{
    if (!words->checked) {
        return !open_opencl(false)
            && skip("no OpenCL platform has a device (Debian: apt-get install "
                    "pocl-opencl-icd)");
    }
    g_autofree char *oclgrind = g_find_program_in_path("oclgrind");
    return oclgrind == NULL && skip("no oclgrind (Debian: apt-get install oclgrind)");
}

int main(int argc, char **argv)
{
    (void)argc;
    struct words words = read_words(argv);
    choose_rows(&words);
    GError *error = NULL;
    device = weir_device_new("default", &error);
    if (device == NULL) {
        g_error("%s", error->message);
    }
    if (words.checked) {
        options = (struct weir_launch_options){ .schedule = "in-order", .check = true };
    }
    fill();
    if (words.one != NULL) {
        if (!open_opencl(true)) {
            return 2;
        }
        peers_opencl_choose(opencl_name(words.one));
        struct peers_times times = run(&opencl, words.one);
        printf("%.6f %.6f\n", times.wall, times.cpu);
        return 0;
    }
    if (is_skipped(&words)) {
        return 0;
    }
    const char *peer = words.checked                                 ? "Oclgrind"
        : strstr(opencl.name, "Portable Computing Language") != NULL ? "PoCL"
                                                                     : opencl.name;
    print_head(words.csv, peer);
    g_autofree struct result *results = g_new(struct result, words.rows->len);
    g_autofree char *folder = g_dir_make_tmp("bench-peers.XXXXXX", &error);
    if (folder == NULL) {
        g_error("%s", error->message);
    }
    for (guint i = 0; i < words.rows->len; i++) {
        results[i] = measure(g_ptr_array_index(words.rows, i), words.checked, folder);
        print_result(words.csv, &results[i]);
    }
    peers_process_remove_tree(folder);
    bool drawn = words.svg == NULL || draw(words.svg, peer, results, words.rows->len);
    weir_device_free(device);
    return drawn ? 0 : 2;
}
