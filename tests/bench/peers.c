/* SPDX-License-Identifier: MIT
 *
 * peers.c: the same kernels on Weir and on an OpenCL platform of this machine, and
 * checked by Weir and by Oclgrind. For `make bench-peers`.
 *
 *   bench-peers [--n N] [--local L] [--rounds R] [--barriers B] [--csv] [--svg FILE]
 *               [--checked] [ROW...]
 *
 * Both sides read the same memory, in one process, with as many threads as there are
 * processors. A round runs each side once, in turn, so that whatever else the computer
 * does disturbs both; the first round, in which a platform compiles, does not count.
 * Every answer is compared with what a plain loop computes. The figures are medians. A
 * ratio is the peer's figure over Weir's: above 1, Weir is faster. A busy machine
 * disturbs processor time least, so the chart shows that one first.
 *
 * With --checked the rows are launches under the checker, and the peer is Oclgrind. It
 * shows OpenCL to no process but its own: it runs this program again with --one.
 *
 * Without a platform it prints one line that says so, and succeeds. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include "config.h"

#include "peers.h"

#include "report/report.h"

#include <CL/cl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MOST_ROUNDS = 101, BINS = 256, LAUNCHES = 100 };

/* ---- Rows ------------------------------------------------------------------------ */

/* How many items a row has. */
enum shape {
    ONE_ITEM,      /* one */
    ONE_GROUP,     /* the items of a group */
    LAUNCH,        /* the same, in LAUNCHES launches */
    PROCESS,       /* those of processes: see first_result() */
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

/* Those of --checked: with barriers, with atomics of both scopes, and bare. */
static const char *const checked_rows[] = { "reduce_tree",
                                            "reduce_tree_by_function",
                                            "reduce_tree_256",
                                            "histogram_atomic_relaxed",
                                            "histogram_local_relaxed",
                                            "barrier_shift" };

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

/* Of one run; ms. */
struct times {
    double wall, cpu;
};

static double clock_ms(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static struct times now(void)
{
    return (struct times){ clock_ms(CLOCK_MONOTONIC),
                           clock_ms(CLOCK_PROCESS_CPUTIME_ID) };
}

static struct times since(struct times start)
{
    struct times end = now();
    return (struct times){ end.wall - start.wall, end.cpu - start.cpu };
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof(*values), compare_doubles);
    return values[n / 2];
}

static struct times medians(const struct times *times, int n)
{
    double wall[MOST_ROUNDS], cpu[MOST_ROUNDS];
    for (int i = 0; i < n; i++) {
        wall[i] = times[i].wall;
        cpu[i] = times[i].cpu;
    }
    return (struct times){ median(wall, n), median(cpu, n) };
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
static struct times run(const struct side *side, const struct row *row)
{
    memset(out, 0, n_out * sizeof(uint32_t));
    tmp[0][0] = 0;
    side->give();
    int launches = row->shape == LAUNCH ? LAUNCHES : 1;
    const uint32_t *sums = NULL;
    struct times start = now();
    for (int i = 0; i < launches; i++) {
        sums = launch_passes(side, row);
        side->wait();
    }
    struct times times = since(start);
    side->take();
    out[0] = row->shape == PASSES ? sums[0] : out[0];
    if (!is_right(row)) {
        g_printerr("bench-peers: %s on %s: wrong answer\n", row->name, side->name);
        exit(1);
    }
    return (struct times){ times.wall / launches, times.cpu / launches };
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

/* The words of peers.cl, as peers-kernels.c has them for C. */
static const char OPENCL_WORDS[]
    = "#define INLINE static inline\n"
      "#define KERNEL(name) kernel void name(global const uint *in, \\\n"
      "    global uint *out, \\\n"
      "    global uint *tmp, uint n, uint p, local uint *memory)\n"
      "#define PARAMETERS\n"
      "#define GLOBAL_ID ((uint)get_global_id(0))\n"
      "#define GLOBAL_SIZE ((uint)get_global_size(0))\n"
      "#define LOCAL_ID ((uint)get_local_id(0))\n"
      "#define LOCAL_SIZE ((uint)get_local_size(0))\n"
      "#define GROUP_ID ((uint)get_group_id(0))\n"
      "#define GROUPS ((uint)get_num_groups(0))\n"
      "#define ITEM_PARAMETER\n"
      "#define ITEM\n"
      "#define LOCAL local\n"
      "#define SHARED volatile global\n"
      "#define LOCAL_ARRAY(type, name, count) local type *name = (local type *)memory\n"
      "#define LOCAL_WORD(name) local uint name[1]\n"
      "#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)\n"
      "#define BARRIER_BOTH barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
      "#define ADD_LOCAL(pointer, value) atomic_add((pointer), (uint)(value))\n"
      "#define ADD_GLOBAL(pointer, value) atomic_add((pointer), (uint)(value))\n"
      "static uint count_group(volatile global uint *counter)\n"
      "{\n"
      "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
      "    uint before = atomic_inc(counter);\n"
      "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
      "    return before;\n"
      "}\n"
      "#define COUNT_GROUP(pointer) count_group(pointer)\n"
      "typedef uint8 word8;\n"
      "#define NO_WORDS ((word8)(0))\n"
      "#define LOAD8(pointer) vload8(0, (pointer))\n";

/* Room for the largest local array of the kernels: LOCAL_SIZE word8, or BINS words. */
static size_t memory_bytes(void)
{
    return MAX(local_size * 8, (size_t)BINS) * sizeof(uint32_t);
}

static char platform_name[128];
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;  /* of the row that runs */
static cl_mem buffers[4]; /* in, out, tmp[0], tmp[1]: the host's memory */
static void *mapped[4];   /* of these; NULL for in */

static void must(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        g_printerr("bench-peers: %s: %s: OpenCL error %d\n", platform_name, what,
                   status);
        exit(2);
    }
}

/* Returns: false where there is no platform with a device */
static bool find_platform(cl_device_id *found)
{
    cl_platform_id platform;
    cl_uint n = 0;
    if (clGetPlatformIDs(1, &platform, &n) != CL_SUCCESS || n == 0
        || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, found, &n) != CL_SUCCESS
        || n == 0) {
        return false;
    }
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(platform_name), platform_name,
                      NULL);
    return true;
}

static cl_mem share(uint32_t *memory, size_t count)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                   count * sizeof(uint32_t), memory, &status);
    must(status, "a buffer");
    return buffer;
}

/* Returns: false where there is no platform; needs fill() */
static bool open_opencl(void)
{
    cl_device_id id;
    if (!find_platform(&id)) {
        return false;
    }
    cl_int status;
    context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
    must(status, "a context");
    queue = clCreateCommandQueue(context, id, 0, &status);
    must(status, "a queue");
    g_autofree char *text = NULL;
    GError *error = NULL;
    if (!g_file_get_contents(PEERS_TEXT, &text, NULL, &error)) {
        g_printerr("bench-peers: %s\n", error->message);
        exit(2);
    }
    program = clCreateProgramWithSource(
        context, 2, (const char *[]){ OPENCL_WORDS, text }, NULL, &status);
    must(status, "a program");
    g_autofree char *build = g_strdup_printf("-DEACH=%uu", PEERS_EACH);
    status = clBuildProgram(program, 1, &id, build, NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                              NULL);
        g_printerr("%s\n", log);
    }
    must(status, PEERS_TEXT);
    buffers[0] = share(in, n_elements);
    buffers[1] = share(out, n_out);
    buffers[2] = share(tmp[0], n_tmp);
    buffers[3] = share(tmp[1], n_tmp);
    return true;
}

static cl_mem buffer_of(const uint32_t *memory)
{
    return memory == in ? buffers[0] : memory == tmp[0] ? buffers[2] : buffers[3];
}

static void launch_opencl(const struct row *row, const uint32_t *from, uint32_t *to,
                          size_t n, size_t items)
{
    cl_mem source = buffer_of(from), target = buffer_of(to);
    cl_uint count = (cl_uint)n, parameter = parameter_of(row);
    size_t local = MIN(items, local_size);
    clSetKernelArg(kernel, 0, sizeof(source), &source);
    clSetKernelArg(kernel, 1, sizeof(buffers[1]), &buffers[1]);
    clSetKernelArg(kernel, 2, sizeof(target), &target);
    clSetKernelArg(kernel, 3, sizeof(count), &count);
    clSetKernelArg(kernel, 4, sizeof(parameter), &parameter);
    clSetKernelArg(kernel, 5, memory_bytes(), NULL);
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL),
         row->name);
}

static void wait_opencl(void)
{
    must(clFinish(queue), "the end of a launch");
}

/* The host reads and writes memory that is mapped; a CPU's has nothing to copy. */
enum { FIRST_WRITTEN = 1, N_BUFFERS = 4 };

static void take_opencl(void)
{
    const size_t counts[N_BUFFERS] = { 0, n_out, n_tmp, n_tmp };
    for (size_t i = FIRST_WRITTEN; i < N_BUFFERS; i++) {
        cl_int status;
        mapped[i] = clEnqueueMapBuffer(
            queue, buffers[i], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
            counts[i] * sizeof(uint32_t), 0, NULL, NULL, &status);
        must(status, "mapping a buffer");
    }
}

static bool copying; /* every byte is written by a command, as Oclgrind wants it */

static void give_opencl(void)
{
    uint32_t *const memory[N_BUFFERS] = { in, out, tmp[0], tmp[1] };
    const size_t counts[N_BUFFERS] = { n_elements, n_out, n_tmp, n_tmp };
    for (size_t i = FIRST_WRITTEN; i < N_BUFFERS; i++) {
        must(clEnqueueUnmapMemObject(queue, buffers[i], mapped[i], 0, NULL, NULL),
             "unmapping a buffer");
    }
    for (size_t i = 0; copying && i < N_BUFFERS; i++) {
        size_t bytes = counts[i] * sizeof(uint32_t);
        g_autofree void *copy = g_memdup2(memory[i], bytes);
        must(clEnqueueWriteBuffer(queue, buffers[i], CL_TRUE, 0, bytes, copy, 0, NULL,
                                  NULL),
             "writing a buffer");
    }
    wait_opencl();
}

static const struct side opencl
    = { platform_name, take_opencl, give_opencl, launch_opencl, wait_opencl };

/* The kernel of a row; run() wants the memory mapped. */
static void choose_opencl(const struct row *row)
{
    cl_int status;
    kernel = clCreateKernel(program, opencl_name(row), &status);
    must(status, row->name);
    take_opencl();
}

/* ---- Other processes ------------------------------------------------------------- */

/* Returns: (transfer full): what it prints; ends the program where it fails */
static char *spawn(const char *const *argv)
{
    char *text = NULL;
    int status = 0;
    GError *error = NULL;
    if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text,
                      NULL, &status, &error)) {
        g_printerr("bench-peers: %s\n", error->message);
        exit(2);
    }
    if (status != 0) {
        g_printerr("bench-peers: %s fails\n", argv[0]);
        exit(2);
    }
    return text;
}

/* Runs this program as `oclgrind bench-peers --one ROW`. */
static struct times run_oclgrind(const struct row *row)
{
    g_autofree char *n = g_strdup_printf("%zu", n_elements);
    g_autofree char *local = g_strdup_printf("%zu", local_size);
    g_autofree char *barriers = g_strdup_printf("%zu", n_barriers);
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    const char *const argv[] = { "oclgrind",
                                 "--data-races",
                                 "--uninitialized",
                                 self,
                                 "--one",
                                 row->name,
                                 "--n",
                                 n,
                                 "--local",
                                 local,
                                 "--barriers",
                                 barriers,
                                 NULL };
    g_autofree char *text = spawn(argv);
    struct times times = { 0, 0 };
    if (sscanf(text, "%lf %lf", &times.wall, &times.cpu) != 2) {
        g_printerr("bench-peers: oclgrind does not run %s\n", row->name);
        exit(2);
    }
    return times;
}

static double children_ms(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-3;
}

/* From source to first result, as a user's processes: weir-cc compiles an example that
 * runs then; a platform with an empty cache compiles peers.cl and runs a kernel. */
static struct times first_result(bool ours, const char *folder)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *made = g_build_filename(folder, "made", NULL);
    g_autofree char *cache = g_strdup_printf("POCL_CACHE_DIR=%s/%" G_GINT64_FORMAT,
                                             folder, g_get_monotonic_time());
    const char *const compile[] = { PEERS_WEIR_CC, PEERS_FIRST, "-o", made, NULL };
    const char *const ran[] = { made, NULL };
    const char *const other[]
        = { "env", cache, self, "--one", "reduce_tree", "--n", "1024", NULL };
    struct times start = { clock_ms(CLOCK_MONOTONIC), children_ms() };
    if (ours) {
        g_free(spawn(compile));
        g_free(spawn(ran));
    } else {
        g_free(spawn(other));
    }
    return (struct times){ clock_ms(CLOCK_MONOTONIC) - start.wall,
                           children_ms() - start.cpu };
}

/* ---- The table ------------------------------------------------------------------- */

/* What a row took on both sides, ms. */
struct result {
    const struct row *row;
    struct times peer, weir;
};

/* What a figure is divided by. */
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

static void print_head(bool csv, const char *peer)
{
    if (csv) {
        puts("kernel,unit,peer_wall,peer_cpu,weir_wall,weir_cpu,wall_ratio,cpu_ratio");
        return;
    }
    printf(
        "%s / Weir, kernels compiled by %s; %zu elements, groups of %zu, %d rounds\n",
        peer, peers_compiler(), n_elements, local_size, n_rounds);
    printf("%-50s %10s %10s %10s %10s %8s %8s  %s\n", "", peer, "cpu", "Weir", "cpu",
           "ratio", "cpu", "unit");
}

static void print_result(bool csv, const struct result *result)
{
    struct unit unit = unit_of(result->row);
    struct times peer = result->peer, ours = result->weir;
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
                          n_elements, local_size, n_rounds, peers_compiler());
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

static struct times round_of(const struct row *row, const struct side *side,
                             bool checked, const char *folder)
{
    if (row->shape == PROCESS) {
        return first_result(side == &weir, folder);
    }
    return checked && side == &opencl ? run_oclgrind(row) : run(side, row);
}

/* @folder: for temporary files */
static struct result measure(const struct row *row, bool checked, const char *folder)
{
    struct times peer[MOST_ROUNDS], ours[MOST_ROUNDS];
    bool here = !checked && row->shape != PROCESS;
    if (here) {
        choose_opencl(row);
        run(&opencl, row);
    }
    if (row->shape != PROCESS) {
        run(&weir, row);
    }
    for (int i = 0; i < n_rounds; i++) {
        peer[i] = round_of(row, &opencl, checked, folder);
        ours[i] = round_of(row, &weir, checked, folder);
    }
    if (here) {
        give_opencl();
        clReleaseKernel(kernel);
    }
    return (struct result){ row, medians(peer, n_rounds), medians(ours, n_rounds) };
}

/* Removes a folder and what first_result() has left in it. PoCL's cache is folders of
 * folders. */
static void remove_tree(const char *path)
{
    GDir *dir = g_dir_open(path, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *inner = g_build_filename(path, name, NULL);
        remove_tree(inner);
    }
    if (dir != NULL) {
        g_dir_close(dir);
    }
    g_remove(path);
}

/* What the command line says. */
struct words {
    bool csv, checked;
    const char *svg;
    const struct row *one;
    GPtrArray *rows; /* of struct row */
};

static _Noreturn void usage(void)
{
    fputs("usage: bench-peers [--n N] [--local L] [--rounds R] [--barriers B] [--csv]\n"
          "                   [--svg FILE] [--checked] [ROW...]\n",
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
        } else {
            g_ptr_array_add(words.rows, (void *)row_or_usage(argv[i]));
        }
    }
    /* The input of Oclgrind's rows takes it a second or so. */
    n_elements = n > 0 ? n : words.checked ? (size_t)1 << 14 : (size_t)1 << 24;
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
        return !open_opencl()
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
        if (!open_opencl()) {
            return 2;
        }
        copying = true;
        choose_opencl(words.one);
        struct times times = run(&opencl, words.one);
        printf("%.6f %.6f\n", times.wall, times.cpu);
        return 0;
    }
    if (is_skipped(&words)) {
        return 0;
    }
    const char *peer = words.checked                                   ? "Oclgrind"
        : strstr(platform_name, "Portable Computing Language") != NULL ? "PoCL"
                                                                       : platform_name;
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
    remove_tree(folder);
    bool drawn = words.svg == NULL || draw(words.svg, peer, results, words.rows->len);
    weir_device_free(device);
    return drawn ? 0 : 2;
}
