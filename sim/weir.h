/* SPDX-License-Identifier: MIT
 *
 * weir.h: the host side of Weir: devices, memory, launches, reports, schedules. A
 * program makes a device, takes memory of it, and launches kernels over a range:
 *
 *     #include <weir.h>
 *
 *     typedef struct { const int32_t *in; int32_t *sum; size_t n; } sum_args;
 *     extern const struct weir_kernel sum;
 *
 *     int main(void)
 *     {
 *         GError *error = NULL;
 *         struct weir_device *device = weir_device_new("default", &error);
 *         int32_t *in = weir_new(device, int32_t, 1000, "in");
 *         int32_t *total = weir_new(device, int32_t, 1, "total");
 *         for (int i = 0; i < 1000; i++) {
 *             in[i] = i + 1;
 *         }
 *         *total = 0;
 *         sum_args args = { in, total, 1000 };
 *         if (!weir_launch(device, &sum, weir_nd_range_1d(1024, 256), &args, &error)) {
 *             g_printerr("%s\n", error->message);
 *             return 1;
 *         }
 *         g_print("%d\n", *total);
 *         weir_device_free(device);
 *         return 0;
 *     }
 *
 * The kernel is the one in weir-kernel.h, the device side, which kernels' files
 * include. This header compiles in C11 and in C++17, where `sum` is declared extern
 * "C".
 *
 * Errors are of three kinds. Wrong input or environment is a GError of domain
 * %WEIR_ERROR. A defect of the simulated program is a finding in the launch's report,
 * and the launch itself succeeds. A defect of Weir aborts the process.
 *
 * Threads: every function may be called from any thread. The launches of a process run
 * one after another: a launch waits for the one before. The calling thread is its
 * worker 0.
 *
 * The file is long because it is the manual of the host side, to be read from the top:
 * devices, memory, ranges, launches, reports, schedules, errors. */
#ifndef WEIR_H
#define WEIR_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

struct weir_device;
struct weir_kernel;
struct weir_launch_options;
struct weir_report;
struct weir_schedule;

/* ---- Devices ------------------------------------------------------------- */

/**
 * weir_device_new:
 * @profile: the name of a built-in profile ("default", "opencl12", …) or the
 *           path of a profile file, which has a slash or ends in ".profile"
 *
 * Returns: (transfer full): a device, or %NULL
 * Errors:  %WEIR_ERROR_PROFILE where the profile is unknown or malformed (with
 *          file, key and value); %WEIR_ERROR_RESOURCE where ThreadSanitizer's
 *          own runtime is linked into the process
 */
struct weir_device *weir_device_new(const char *profile, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** Frees the device and all memory of it that is still allocated; %NULL is allowed. No
 *  launch may be running on it. */
void weir_device_free(struct weir_device *device);

/**
 * weir_device_info:
 *
 * The numbers that weir_device_get() returns.
 *
 * @WEIR_DEVICE_MAX_WORK_GROUP_SIZE: most items in a group
 * @WEIR_DEVICE_LOCAL_MEM_SIZE: bytes of local memory for a group
 * @WEIR_DEVICE_COMPUTE_UNITS: groups resident at once
 * @WEIR_DEVICE_SUB_GROUP_SIZE: the default sub-group size
 * @WEIR_DEVICE_SUB_GROUP_SIZES: bit n is set where the device offers size n, a power of
 *                               two up to 32
 * @WEIR_DEVICE_ATOMIC_MEMORY_ORDERS: bit memory_order_* is set where atomics may have
 *                                    that order
 * @WEIR_DEVICE_ATOMIC_MEMORY_SCOPES: bit memory_scope_* is set where atomics may have
 *                                    that scope
 * @WEIR_DEVICE_FENCE_MEMORY_ORDERS: the same for fences
 * @WEIR_DEVICE_FENCE_MEMORY_SCOPES: the same for fences
 * @WEIR_DEVICE_ATOMIC64: 1 where the device has 64-bit atomics, else 0
 * @WEIR_DEVICE_MAX_RESIDENT_ITEMS: items that may be suspended at once
 * @WEIR_DEVICE_WORKERS: worker threads that a launch uses by default
 */
enum weir_device_info {
    WEIR_DEVICE_MAX_WORK_GROUP_SIZE,
    WEIR_DEVICE_LOCAL_MEM_SIZE,
    WEIR_DEVICE_COMPUTE_UNITS,
    WEIR_DEVICE_SUB_GROUP_SIZE,
    WEIR_DEVICE_SUB_GROUP_SIZES,
    WEIR_DEVICE_ATOMIC_MEMORY_ORDERS,
    WEIR_DEVICE_ATOMIC_MEMORY_SCOPES,
    WEIR_DEVICE_FENCE_MEMORY_ORDERS,
    WEIR_DEVICE_FENCE_MEMORY_SCOPES,
    WEIR_DEVICE_ATOMIC64,
    WEIR_DEVICE_MAX_RESIDENT_ITEMS,
    WEIR_DEVICE_WORKERS,
};

/** A number of the device. */
uint64_t weir_device_get(const struct weir_device *device, enum weir_device_info info);

/** The profile's name; borrowed from the device. */
const char *weir_device_name(const struct weir_device *device);

/** The device that the profile stands for, in one line; borrowed from the device. */
const char *weir_device_summary(const struct weir_device *device);

/** The names of the built-in profiles, "default" first; %NULL-terminated, static. */
const char *const *weir_device_profiles(void);

/* ---- Memory --------------------------------------------------------------
 * For the host alone: a work-item that calls these functions is ended, and that is a
 * finding. */

/**
 * weir_try_new:
 * @device: the device
 * @type: of an element
 * @n: elements; 0 is allowed
 * @name: the name that reports use, which is copied; "unnamed" for %NULL and ""
 * @error: where to put an error
 *
 * Memory that host and kernels share. Its contents are unspecified until they are
 * written. Reports print control characters of a name, and bytes that are not UTF-8, as
 * \xNN, and other characters that do not print as \uNNNN.
 *
 * Returns: (transfer full): @type *, aligned to a page; freed by weir_free()
 *          or with the device
 * Errors:  %WEIR_ERROR_RESOURCE where the system refuses; %WEIR_ERROR_ARGUMENT
 *          where the size overflows
 */
#define weir_try_new(device, type, n, name, error)                                     \
    ((type *)weir_memory_new((device), (n), sizeof(type), (name), (error)))

/** The same without an error: if memory is exhausted, it prints a message and aborts,
 *  as g_malloc() does. */
#define weir_new(device, type, n, name)                                                \
    ((type *)weir_memory_new_or_abort((device), (n), sizeof(type), (name)))

void *weir_memory_new(struct weir_device *device, size_t n, size_t element_bytes,
                      const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void *weir_memory_new_or_abort(struct weir_device *device, size_t n,
                               size_t element_bytes, const char *name);

/**
 * weir_free:
 *
 * Frees memory of weir_new(); %NULL is allowed, any other pointer aborts. Its addresses
 * are used again only after much more has been freed. Until then an access to them
 * faults, and a checked launch reports a use after free by the memory's name.
 */
void weir_free(struct weir_device *device, void *memory);

/**
 * weir_device_poison:
 * @device: the device
 * @poisons: whether new memory is poisoned
 *
 * Memory that weir_new() returns after this call holds a poison pattern instead of
 * zeros, so that a checked launch can find reads of elements that were never written.
 * Off by default; on from the start under `weir check` (WEIR_OPTIONS with check=1).
 */
void weir_device_poison(struct weir_device *device, bool poisons);

/* ---- Ranges -------------------------------------------------------------- */

/**
 * weir_nd_range:
 * @dim: dimensions, 1 to 3
 * @global: items of the range in each dimension; with 0 in one of them the launch runs
 *          nothing and succeeds
 * @local: items of a group in each dimension; must divide @global
 */
struct weir_nd_range {
    uint32_t dim;
    size_t global[3];
    size_t local[3];
};

static inline struct weir_nd_range weir_nd_range_1d(size_t global, size_t local)
{
    struct weir_nd_range range = { 1, { global, 1, 1 }, { local, 1, 1 } };
    return range;
}

static inline struct weir_nd_range weir_nd_range_2d(size_t global0, size_t global1,
                                                    size_t local0, size_t local1)
{
    struct weir_nd_range range = { 2, { global0, global1, 1 }, { local0, local1, 1 } };
    return range;
}

static inline struct weir_nd_range weir_nd_range_3d(size_t global0, size_t global1,
                                                    size_t global2, size_t local0,
                                                    size_t local1, size_t local2)
{
    struct weir_nd_range range
        = { 3, { global0, global1, global2 }, { local0, local1, local2 } };
    return range;
}

/* ---- Launches ------------------------------------------------------------ */

/**
 * weir_launch:
 * @device: the device
 * @kernel: the address of a kernel
 * @range: the items to run, and the size of their groups
 * @args: pointer to the kernel's arguments, which the launch copies; their size must be
 *        the size of the kernel's type. In C a void pointer, as in a function that
 *        launches any kernel, is taken for a pointer to that type
 * @error: where to put an error
 *
 * Runs the kernel for every item of the range, and returns when all are done. Findings
 * are printed to standard error; under `weir check` they go into its report instead,
 * and are not an error.
 *
 * Returns: %true if all items ran and nothing but notes was found
 * Errors:  %WEIR_ERROR_RANGE for sizes that are wrong or too large for the device;
 *          %WEIR_ERROR_ARGUMENT for arguments of another size, and for a launch from
 *          inside a kernel; %WEIR_ERROR_RESOURCE where the system refuses memory,
 *          stacks or threads; %WEIR_ERROR_FINDINGS
 * Threads: any; it waits for a launch that is running
 */
#ifdef __cplusplus
#define weir_launch(device, kernel, range, args, error)                                \
    weir_launch_sized((device), (kernel), (range), (args), sizeof(*(args)), (error))
#else
/* @args may be a compound literal, whose commas the preprocessor takes for those
 * between arguments: the compiler separates it from @error. */
#define weir_launch(device, kernel, range, ...)                                        \
    weir_launch_sized((device), (kernel), (range),                                     \
                      __builtin_choose_expr(1, __VA_ARGS__),                           \
                      WEIRI_ARGS_BYTES(kernel, __builtin_choose_expr(1, __VA_ARGS__)), \
                      __builtin_choose_expr(0, __VA_ARGS__))
#endif

/**
 * weir_launch_with:
 * @options: %NULL for the defaults
 * @report: (out) (transfer full) (optional): where to put the report; set where the
 *          launch succeeds; free with weir_report_free(). With %NULL the findings
 *          are printed to standard error, and any but notes make the launch return
 *          %false with %WEIR_ERROR_FINDINGS, as for weir_launch(); under `weir check`
 *          they go into its report, and the result is %true
 *
 * As weir_launch() with options; findings in a @report leave the result %true. A
 * compound literal for @args needs parentheses here: (&(args_type){ … }).
 *
 * Returns: %true where the launch succeeded
 * Errors:  as weir_launch(); %WEIR_ERROR_ARGUMENT for an option out of its bounds;
 *          %WEIR_ERROR_SCHEDULE where a schedule is malformed, or where @replay does
 *          not fit this launch, with the step at which the two parted
 */
#define weir_launch_with(device, kernel, range, args, options, report, error)          \
    weir_launch_sized_with((device), (kernel), (range), (args),                        \
                           WEIRI_ARGS_BYTES(kernel, args), (options), (report),        \
                           (error))

/**
 * weir_exited: how a barrier counts items that have returned.
 * @WEIR_EXITED_STRICT: it waits for them, which is a finding: OpenCL C, SYCL 2020
 * @WEIR_EXITED_ALIVE_ONLY: it waits for the others only, as in newer SPIR-V and PTX;
 *                          the report has a note
 */
enum weir_exited { WEIR_EXITED_STRICT, WEIR_EXITED_ALIVE_ONLY };

/**
 * weir_pairing: which calls of the items of a group are the same barrier.
 * @WEIR_PAIRING_SITE: calls at one place in the source, reached on one path
 * @WEIR_PAIRING_COUNT: any calls, as on hardware that counts arrivals; where items were
 *                      released together from different places the report has a note
 */
enum weir_pairing { WEIR_PAIRING_SITE, WEIR_PAIRING_COUNT };

/**
 * weir_after: what happens to a group that diverged.
 * @WEIR_AFTER_STOP: it ends; the other groups run to their ends
 * @WEIR_AFTER_RELEASE: the items that wait are released, as if all had arrived
 */
enum weir_after { WEIR_AFTER_STOP, WEIR_AFTER_RELEASE };

/**
 * weir_scope_rule: when the scopes of two operations include each other.
 * @WEIR_SCOPE_RULE_MUTUAL: where each item is in the scope of the other's operation:
 *                          PTX, Vulkan
 * @WEIR_SCOPE_RULE_SAME: where the two scopes are equal, besides: SYCL 2020, OpenCL 3.0
 */
enum weir_scope_rule { WEIR_SCOPE_RULE_MUTUAL, WEIR_SCOPE_RULE_SAME };

/**
 * weir_spaces: the address spaces that synchronisation through one of them orders.
 * @WEIR_SPACES_SYCL: both spaces: one happens-before
 * @WEIR_SPACES_OPENCL: its own space only: two of them
 */
enum weir_spaces { WEIR_SPACES_SYCL, WEIR_SPACES_OPENCL };

/**
 * weir_same_value: how two unordered writes of the same value are reported.
 * @WEIR_SAME_VALUE_RACE: as a race
 * @WEIR_SAME_VALUE_NOTE: as a note
 */
enum weir_same_value { WEIR_SAME_VALUE_RACE, WEIR_SAME_VALUE_NOTE };

/**
 * weir_race_model: whose rules say which accesses race.
 * @WEIR_RACE_MODEL_LANGUAGE: those of the language that the kernel is written in
 * @WEIR_RACE_MODEL_SYCL: scoped C11, of SYCL and OpenCL
 * @WEIR_RACE_MODEL_PTX: PTX, and so CUDA: volatile accesses are strong, and a strong
 *                       read orders what it has observed at its location. @scope_rule
 *                       and @spaces have no effect
 */
enum weir_race_model {
    WEIR_RACE_MODEL_LANGUAGE,
    WEIR_RACE_MODEL_SYCL,
    WEIR_RACE_MODEL_PTX
};

/**
 * weir_launch_options:
 * @workers: threads, the caller included; 0 for the device's number; at most 256. A
 *           deterministic launch has one
 * @sub_group_size: one that the device offers; 0 for the device's own
 * @stack_bytes: of the stack of an item; 0 for 64 KiB; from 16 KiB to 1 GiB, rounded up
 *               to pages
 * @schedule: %NULL for the fast mode. The others are deterministic: "in-order",
 *            "reverse", "round-robin", "random", or "pct:D:K", with D changes of
 *            priority in the first K steps; "pct:D" assumes 8 steps for each item;
 *            docs/schedules.md
 * @seed: of "random" and "pct"
 * @record: where the decisions of a deterministic launch are added, or %NULL
 * @replay: a schedule to follow instead of @schedule, or %NULL; each launch takes the
 *          next of its launches
 * @loosely: switches of @replay that are not possible are skipped
 * @step_limit: most steps of a deterministic launch; 0 for no limit
 * @time_limit_ms: most milliseconds of a launch; 0 for no limit. At a limit the launch
 *                 ends, and its report is incomplete
 * @exited: how barriers count items that have returned
 * @pairing: of a deterministic launch, as @after
 * @check: check every access to memory of a deterministic launch;
 *         docs/race-detection.md
 * @scope_rule: of @check, as @spaces, @same_value and @race_model
 * @order: "FILE:LINE=WORDS", such as "tree.c:20=acq_rel", or several joined by commas:
 *         in a deterministic launch the operations of that line have the properties
 *         that the words name, in place of the source's; %NULL for none. FILE may leave
 *         out folders. Words are joined by +: an order of atomics and fences, or
 *         "acq_rel/relaxed" with the order of a compare-exchange that fails; a scope,
 *         such as "device"; the memories that a barrier orders, "local", "global" or
 *         "none". A load, a store and a compare-exchange that fails take the part of an
 *         order that they may have
 * @list_steps: of @check: most steps that the report lists, with the values that they
 *              read and wrote; 0 for none
 * @trace: of @check: the file that a timeline of the launch is appended to, as one line
 *         of JSON; docs/traces.md. %NULL for none
 * @trace_events: the most events that it has; 0: no limit
 * @lockstep: of a deterministic launch: the items of a sub-group advance together, so
 *            that one which has left a loop waits for those that go round; needs the
 *            source of the kernel; docs/lockstep.md
 *
 * @post_condition: a claim about memory after the launch, or %NULL. Where it is false
 *                  and the launch has ended, a finding: wrong result. @args: its own
 * @post_condition_user: its last argument
 * @explore: the name of a memory model, "sycl", "sycl-split", "rc11", "sc", "ptx" or
 *           "vulkan", or "language", which is ptx for kernels in CUDA and sycl for
 *           others: before the launch runs, all its executions that the model allows
 *           are explored, and @post_condition must hold after each; see
 *           weir_report_exploration(). %NULL: it is not explored. Needs a kernel with
 *           memory hooks; docs/exploration.md
 * @plain_events: of @explore: an execution goes on after a race, and plain accesses are
 *                explored as relaxed atomic ones are
 * @max_executions: of @explore: end after this many, blocked ones included; 0: no limit
 * @resident: of @explore: it is also explored with this number of groups resident at a
 *            time, or with each number if it is %WEIR_RESIDENT_EACH; 0: with as many as
 *            the device runs at once if these are not all. Groups start in the order of
 *            their linear ids
 * @forwards: of @explore: a set of models of forward progress, 1 << x for x of enum
 *            weir_forward: does every execution end that is fair under them?
 *            docs/progress.md
 * @forwards_by_group: such a model obliges groups, and so all items of one; otherwise
 *                     it obliges items
 * @jobs: of @explore: processes that share the exploration, forks of this one; 0: it is
 *        this process's alone. The result is the same
 * @until_wrong: of @explore: end at the first execution that has a race or a wrong
 *               result, or never ends; how many there are is not estimated
 * @litmus: of @explore: it is also written as a litmus test; implies @plain_events
 * @bounded: of @explore: in place of all executions those that differ from the one in
 *           order by at most @deviations choices are looked at: steps of another item,
 *           reads of an older value, writes that are not the latest; see
 *           weir-explore(1)
 * @symmetry: of @explore: items that take the same steps for the same values read are
 *            interchangeable. Executions that differ only in which of these items takes
 *            which steps are visited once and counted all, as long as nothing is wrong.
 *            It excludes @resident
 * @samples: of @explore: in place of all executions this many random ones are looked
 *           at, which differ by their seeds: @seed is the seed of the first one; 0: all
 *           are
 * @play: of @explore: in place of all executions one is played: the one that these
 *        choices lead to; see weir_report_play() and the choices of weir-play.h. "": no
 *        choice yet
 * @all_resident: all groups are resident at once, as kernels need that have a barrier
 *                of all groups. A launch of more groups than the device holds is
 *                refused with %WEIR_ERROR_RANGE. It has one worker
 * @cluster: groups of a cluster in each dimension of the range, or all 0: there are no
 *           clusters. The groups of one are resident together, meet at its barrier and
 *           reach each other's local memory. It must divide the range, and the device
 *           must hold it: %WEIR_ERROR_RANGE. The launch has one worker; it is not for
 *           @explore
 * @stackful: each item has a stack, although the kernel has a stackless entry too.
 *            Results and findings are the same
 *
 * All members zero, as WEIR_LAUNCH_OPTIONS sets them, are the defaults.
 */
struct weir_launch_options {
    uint32_t workers;
    uint32_t sub_group_size;
    size_t stack_bytes;
    const char *schedule;
    uint64_t seed;
    struct weir_schedule *record;
    struct weir_schedule *replay;
    bool loosely;
    uint64_t step_limit;
    uint64_t time_limit_ms;
    enum weir_exited exited;
    enum weir_pairing pairing;
    enum weir_after after;
    bool check;
    enum weir_scope_rule scope_rule;
    enum weir_spaces spaces;
    enum weir_same_value same_value;
    const char *order;
    uint64_t list_steps;
    const char *trace;
    uint64_t trace_events;
    bool lockstep;
    bool (*post_condition)(const void *args, void *user);
    void *post_condition_user;
    const char *explore;
    bool plain_events;
    uint64_t max_executions;
    uint32_t resident;
    uint32_t forwards;
    bool forwards_by_group;
    uint32_t jobs;
    bool until_wrong;
    bool litmus;
    uint64_t samples;
    bool bounded;
    uint32_t deviations;
    bool symmetry;
    const char *play;
    bool stackful;
    enum weir_race_model race_model;
    bool all_resident;
    uint32_t cluster[3];
};

#define WEIR_RESIDENT_EACH UINT32_MAX

#define WEIR_LAUNCH_OPTIONS                                                            \
    {                                                                                  \
        0, 0, 0, NULL, 0, NULL, NULL, false, 0, 0, WEIR_EXITED_STRICT,                 \
            WEIR_PAIRING_SITE, WEIR_AFTER_STOP, false, WEIR_SCOPE_RULE_MUTUAL,         \
            WEIR_SPACES_SYCL, WEIR_SAME_VALUE_RACE, NULL, 0, NULL, 0, false, NULL,     \
            NULL, NULL, false, 0, 0, 0, false, 0, false, false, 0, false, 0, false,    \
            NULL, false, WEIR_RACE_MODEL_LANGUAGE, false,                              \
        {                                                                              \
            0, 0, 0                                                                    \
        }                                                                              \
    }

/* ---- Reports ------------------------------------------------------------- */

/** The kinds of findings: constant, and the name that reports and JSON use. */
#define WEIR_FINDING_KINDS(X)                                                          \
    X(DATA_RACE, "data-race")                                                          \
    X(SCOPE_RACE, "scope-race")                                                        \
    X(BARRIER_DIVERGENCE, "barrier-divergence")                                        \
    X(OUT_OF_BOUNDS, "out-of-bounds")                                                  \
    X(USE_AFTER_FREE, "use-after-free")                                                \
    X(UNINITIALIZED_READ, "uninitialized-read")                                        \
    X(MISALIGNED, "misaligned")                                                        \
    X(MIXED_ATOMIC, "mixed-atomic")                                                    \
    X(DEADLOCK, "deadlock")                                                            \
    X(LIVELOCK, "livelock")                                                            \
    X(FAULT, "fault")                                                                  \
    X(STACK_OVERFLOW, "stack-overflow")                                                \
    X(ASSERTION, "assertion")                                                          \
    X(WRONG_RESULT, "wrong-result")                                                    \
    X(LOCAL_MEMORY, "local-memory")                                                    \
    X(UNSUPPORTED, "unsupported")                                                      \
    X(API_ERROR, "api-error")

enum weir_finding_kind {
#define X(name, text) WEIR_FINDING_##name,
    WEIR_FINDING_KINDS(X)
#undef X
};

/** The kind's name as above; "?" for any other number; static. */
const char *weir_finding_kind_name(enum weir_finding_kind kind);

/** Where the items of a party stand: constant, and the name that reports and JSON use;
 *  %NULL where it is not known. */
#define WEIR_STATES(X)                                                                 \
    X(NONE, NULL)                                                                      \
    X(RUNNING, "running")                                                              \
    X(WAITING, "waiting")                                                              \
    X(SPINNING, "spinning")                                                            \
    X(RETURNED, "returned")                                                            \
    X(NOT_STARTED, "not started")                                                      \
    X(MASKED, "masked")                                                                \
    X(HOST, "host")

enum weir_state {
#define X(name, text) WEIR_STATE_##name,
    WEIR_STATES(X)
#undef X
};

/** The state's name as above; "?" for any other number; static. */
const char *weir_state_name(enum weir_state state);

/** The acts of the items of a party on memory: constant, and the name that reports and
 *  JSON use; %NULL if the finding is not about an access. */
#define WEIR_ACCESSES(X)                                                               \
    X(NONE, NULL)                                                                      \
    X(READ, "read")                                                                    \
    X(WRITE, "write")                                                                  \
    X(READ_WRITE, "read-write")                                                        \
    X(ATOMIC_LOAD, "atomic load")                                                      \
    X(ATOMIC_STORE, "atomic store")                                                    \
    X(ATOMIC_EXCHANGE, "atomic exchange")                                              \
    X(ATOMIC_COMPARE_EXCHANGE, "atomic compare_exchange")                              \
    X(ATOMIC_FETCH_ADD, "atomic fetch_add")                                            \
    X(ATOMIC_FETCH_SUB, "atomic fetch_sub")                                            \
    X(ATOMIC_FETCH_AND, "atomic fetch_and")                                            \
    X(ATOMIC_FETCH_OR, "atomic fetch_or")                                              \
    X(ATOMIC_FETCH_XOR, "atomic fetch_xor")                                            \
    X(ATOMIC_FETCH_MIN, "atomic fetch_min")                                            \
    X(ATOMIC_FETCH_MAX, "atomic fetch_max")                                            \
    X(ATOMIC_FETCH_INC, "atomic fetch_inc")                                            \
    X(ATOMIC_FETCH_DEC, "atomic fetch_dec")                                            \
    X(ATOMIC_FETCH_NAND, "atomic fetch_nand")

enum weir_access {
#define X(name, text) WEIR_ACCESS_##name,
    WEIR_ACCESSES(X)
#undef X
};

/** The access's name as above; "?" for any other number; static. Every atomic
 *  access is %WEIR_ACCESS_ATOMIC_LOAD or a later constant. */
const char *weir_access_name(enum weir_access access);

/**
 * weir_frame:
 *
 * A call on the way to a site; inlined calls are calls, too.
 *
 * @function: the function that contains the call; "kernel NAME" for a kernel's body
 * @file: of the call
 * @line: of the call
 */
struct weir_frame {
    const char *function;
    const char *file;
    uint32_t line;
};

/**
 * weir_party:
 *
 * Items that take part in a finding, all at one place.
 *
 * @state: what they were doing
 * @items: linear local ids as ranges, "0-4,7"
 * @item: local id of the first of them
 * @group: index of their group; of the first one where there are several
 * @groups: linear indices of all their groups as ranges; %NULL where there is only
 *          @group
 * @file: of the site, or %NULL where it is not known. The site of items that have
 *        returned is the last place where they were observed
 * @function: of the site, or %NULL
 * @line: of the site, or 0
 * @source: the text of that line without the blanks around it, or %NULL where the file
 *          cannot be read
 * @operation: what they call there, as in the source: "weir_barrier"; or %NULL
 * @phase: number of rendezvous that they had passed before
 * @n_path: number of calls on the way from the kernel to the site
 * @path: these calls, innermost first; none where the site is in the kernel itself
 * @access: what they do to memory there
 * @order: of an atomic @access, "acq_rel"; static, or %NULL
 * @scope: of an atomic @access, "device"; static, or %NULL
 * @object: the memory that they spin on: a name of weir_new() or "local array of
 *          FILE:LINE"; %NULL where they do not spin, or the memory has no name
 * @space: of @object, "global" or "local"; static, or %NULL
 * @index: the element of @object
 * @value: the contents of that element, or %NULL
 * @writer: the last write of it: "item 3 of group (0,0,0), weir_atomic_store at
 *          tree.c:20"; %NULL if nothing wrote it in this launch
 */
struct weir_party {
    enum weir_state state;
    const char *items;
    size_t item[3];
    size_t group[3];
    const char *groups;
    const char *file;
    const char *function;
    uint32_t line;
    const char *source;
    const char *operation;
    uint64_t phase;
    size_t n_path;
    const struct weir_frame *path;
    enum weir_access access;
    const char *order;
    const char *scope;
    const char *object;
    const char *space;
    uint64_t index;
    const char *value;
    const char *writer;
};

/**
 * weir_explored_event: of an execution. A read-modify-write that writes is a read and
 * the write after it
 *
 * @item: an index of the execution's items
 * @step: its place in an order of the events in which each read comes after the write
 *        that it reads, from 0
 * @kind: "read", "write", "fence", "barrier" or "after barrier"; static
 * @text: "W flag[0]=1 release device"
 * @access: %WEIR_ACCESS_NONE of fences and barriers
 * @order: of an atomic operation or a fence, and @scope; static; else %NULL
 * @location: an index of the execution's locations; of no access their number
 * @update: it is one half of a read-modify-write that writes
 * @value: that is read or written, as a number; or %NULL
 * @newest: of a read: the value of the newest write in the order of steps, where that
 *          is not what is read; else %NULL
 * @newest_by: of @newest: the event that wrote it
 * @matters: it has a part in the failure, as far as that is known
 * @file: where in the source, or %NULL; @line: there, or 0
 * @source: the text of the line, or %NULL
 */
struct weir_explored_event {
    uint64_t item, step;
    const char *kind;
    const char *text;
    enum weir_access access;
    const char *order, *scope;
    uint64_t location;
    bool update;
    const char *value;
    const char *newest;
    uint64_t newest_by;
    bool matters;
    const char *file;
    uint32_t line;
    const char *source;
};

/** weir_explored_edge: between two events; @kind: "po", "rf", "mo", "rb", "sw", "bar",
 *  "rmw" or "race", as in weir-model.h; @from: the number of events where that is an
 *  initial value */
struct weir_explored_edge {
    const char *kind;
    uint64_t from, to;
};

/** weir_explored_item: @item: its linear local id; @group: its group */
struct weir_explored_item {
    uint64_t item;
    size_t group[3];
};

/** weir_explored_location: @name: "sum[0]"; @initial: its value, as a number */
struct weir_explored_location {
    const char *name;
    const char *initial;
    bool local;
};

/**
 * weir_explored_execution:
 *
 * The smallest execution that shows a finding, without the events that cannot matter:
 * for a race, events that no racing access needs in order to happen.
 *
 * @n_left_out: the number of these events
 * @interleaved: every read reads the newest write, in the order of steps: the items'
 *               turns alone lead to it
 * @events: by item, and in program order
 */
struct weir_explored_execution {
    uint64_t n_left_out;
    bool interleaved;
    size_t n_items;
    const struct weir_explored_item *items;
    size_t n_locations;
    const struct weir_explored_location *locations;
    size_t n_events;
    const struct weir_explored_event *events;
    size_t n_edges;
    const struct weir_explored_edge *edges;
};

/**
 * weir_finding:
 *
 * A defect of the simulated program. Findings that differ only in their group are one,
 * with a @count, and its parties belong to the first group by linear index.
 *
 * @kind: of the defect
 * @kernel: the kernel's name
 * @message: one or more lines of text, without a final newline
 * @note: it is reported, but is not a defect: no launch or command fails for it
 * @form: of a divergence: "exited item", "different barrier", "different phase",
 *        "different kind", "different arguments", "different path" or "incomplete";
 *        of a deadlock that lockstep makes: "lockstep"; of a race that it orders, which
 *        is a @note: "relies on lockstep"; else %NULL; static
 * @parted: where the parties were last together, "tree.c:32", or %NULL
 * @space: the kind of memory, "global", "local" or "private"; static, or %NULL
 * @object: the name of the memory: of weir_new(), of a static variable, or "local array
 *          of FILE:LINE"; or %NULL
 * @index: the element of @object; out of bounds it may be negative
 * @why: of a race: why nothing orders its parties, a sentence; or %NULL. For other
 *       findings of an exploration: how the items lead to it
 * @cause: of a race: words of the launch option order with which a read, that was seen,
 *         may order the parties: "a.c:9=acquire,a.c:17=release"; or %NULL
 * @fix: a change that removes it and that has been tried, a sentence; or %NULL. Only
 *       `weir check` tries: in the report of a launch it is %NULL
 * @turns: of the option explore: the turns of items that lead to it, or %NULL: by
 *         "1.0:3 0.2:1 1.0" item 0 of group 1 runs up to its third stop, then item 2 of
 *         group 0 up to its first one, then item 0 of group 1; from there on in order.
 *         Ids are linear, and stops are counted as in the file of a schedule
 * @no_turns: of the option explore: why no turns lead to the execution that is shown, a
 *            sentence; or %NULL
 * @count: how often it was found: the number of groups, or of accesses
 * @n_parties: length of @parties
 * @parties: the items that take part, the more informative ones first
 * @n_executions: of the option explore: 1 where @executions has the one that is shown
 */
struct weir_finding {
    enum weir_finding_kind kind;
    const char *kernel;
    const char *message;
    bool note;
    const char *form;
    const char *parted;
    const char *space;
    const char *object;
    int64_t index;
    const char *why;
    const char *cause;
    const char *fix;
    const char *turns;
    const char *no_turns;
    uint64_t count;
    size_t n_parties;
    const struct weir_party *parties;
    size_t n_executions;
    const struct weir_explored_execution *executions;
};

/**
 * weir_explored_state: a final state of memory
 * @text: the differences from the start, "sum[0]=6,count[0]=3"; numbers of 4 and 8
 *        bytes are integers with a sign, even if their type has none
 * @executions: that end so
 * @holds: whether the post-condition does; true without one
 */
struct weir_explored_state {
    const char *text;
    uint64_t executions;
    bool holds;
};

/**
 * weir_residency: the results of a launch with fewer groups resident at a time
 * @groups: their number
 * @executions: complete ones, among the executions with all groups resident
 * @blocked: executions that never end: the resident groups wait for a group that has
 *           not started; or for something else
 * @waits: of one of them: the group, and where it waits; or %NULL
 * @complete: no further ones exist
 */
struct weir_residency {
    uint64_t groups, executions, blocked;
    const char *waits;
    bool complete;
};

/**
 * weir_explored_stand: an item in an execution that does not end
 * @name: "item 0 of group (1,0,0)"
 * @state: "ended"; "spins" in a loop; "hangs" at a barrier; or "rests": it could go on,
 *         and need not be scheduled
 * @text: the words after its name: "spins at line 12: it reads lock[0] = 1 again and
 *        again"
 * @line: of its next operation, in @file; 0 if it is not known
 */
struct weir_explored_stand {
    const char *name, *state, *text, *file;
    uint32_t line;
};

/**
 * weir_explored_termination: whether every execution ends that is fair under a model of
 *                            forward progress
 * @forward: its name
 * @decided: whether that is known
 * @terminates: whether every such execution ends; false if that is not known
 * @undecided: why it is not known, a clause; otherwise %NULL
 * @weak: the execution that does not end is not sequentially consistent: a finding has
 *        it, and @stands is empty
 * @stands: @n_stands, by item, of an execution that does not end
 */
struct weir_explored_termination {
    const char *forward;
    bool decided, terminates;
    const char *undecided;
    bool weak;
    size_t n_stands;
    const struct weir_explored_stand *stands;
};

/**
 * weir_explored_site: an atomic operation, fence or barrier that items have reached;
 * its words are the words of the option order
 * @operation: "weir_atomic_fetch_add"
 * @file: and @line: where it is
 * @order: of an atomic operation or a fence, else %NULL
 * @failure: of a compare-exchange: its order where it fails
 * @scope: %NULL where it cannot be chosen
 * @spaces: the memories that a barrier of a group orders; else %NULL
 */
struct weir_explored_site {
    const char *operation;
    const char *file;
    uint32_t line;
    const char *order;
    const char *failure;
    const char *scope;
    const char *spaces;
};

/**
 * weir_exploration: the result of the option explore
 * @model: the memory model
 * @refused: why the launch could not be explored, a sentence; or %NULL. The other
 *           members are 0 then
 * @executions: complete ones, and those that a race has ended
 * @positive: complete ones after which the post-condition holds; @negative: others
 * @racy: with a race
 * @blocked: executions that are not completed: an item waits for ever in a loop or at a
 *           barrier; or, in @faulted of them, it faults or fails an assertion
 * @cut: executions that were ended because an item took too many steps
 * @complete: no further executions exist
 * @limited: a limit of executions or of time has ended it
 * @estimate: where a limit has ended it: the number of executions, as random probes
 *            estimate it, up to 1e18
 * @estimate_low: of ten parts of the probes, the least estimate; @estimate_high: the
 *                greatest
 * @probes: the number of them; 0: nothing was estimated
 * @bounded: only executions with at most @deviations were looked at, by the options of
 *           these names
 * @interchangeable: items that can change places with another one, by the option
 *                   symmetry
 * @orbits: by that option: the number of executions if those that differ by an exchange
 *          of such items count once; 0 if no items are interchangeable, or if something
 *          is wrong
 * @samples: random runs that were made, by the option samples; @executions and the
 *           other numbers are then of the different executions that they met
 * @once: how many of these only one run met; divided by @samples it estimates the
 *        probability that a further run meets a new one
 * @late: how many of the last tenth of the runs met a new one
 * @histories: sequences of values that items have read; each was run once
 * @locations: the places in memory whose accesses were explored
 * @unordered: how many of these have read-modify-writes whose order does not count,
 *             since no item uses their results. 0 unless executions are too many to be
 *             counted
 * @states: @n_states of them, in the order of their texts
 * @residencies: @n_residencies of them, by the option resident; in their order
 * @terminations: @n_terminations of them, by the option forwards
 * @n_groups: groups of the launch, of @n_sub_groups sub-groups each
 * @sites: @n_sites of them, by file and line
 * @litmus: by the option litmus: the text of the test; or %NULL, and in @no_litmus why
 */
struct weir_exploration {
    const char *model;
    const char *refused;
    uint64_t executions, positive, negative, racy, blocked, faulted, cut;
    bool complete, limited;
    uint64_t estimate, estimate_low, estimate_high, probes;
    bool bounded;
    uint64_t deviations;
    uint64_t interchangeable, orbits;
    uint64_t samples, once, late;
    uint64_t histories, locations, unordered;
    size_t n_states;
    const struct weir_explored_state *states;
    size_t n_residencies;
    const struct weir_residency *residencies;
    size_t n_terminations;
    const struct weir_explored_termination *terminations;
    uint64_t n_groups, n_sub_groups;
    size_t n_sites;
    const struct weir_explored_site *sites;
    const char *litmus, *no_litmus;
};

/** The result of the option explore, or %NULL if the launch was not explored; borrowed
 *  from the report. Races, failed assertions, and a post-condition that does not hold
 *  are findings of the report, too. */
const struct weir_exploration *weir_report_exploration(
    const struct weir_report *report);

struct weir_play;

/** The execution that the option play has led to, or %NULL if the launch was not
 *  played, or could not be: weir_report_exploration() has the reason then. Borrowed
 *  from the report; see weir-play.h. */
const struct weir_play *weir_report_play(const struct weir_report *report);

/** Number of findings, notes included. */
size_t weir_report_n_findings(const struct weir_report *report);

/** Finding @index, from 0, in an order that does not depend on the run; borrowed from
 *  the report. */
const struct weir_finding *weir_report_finding(const struct weir_report *report,
                                               size_t index);

/** Number of findings that are not notes: with 0 the launch is correct as far as it was
 *  checked. */
size_t weir_report_n_defects(const struct weir_report *report);

/**
 * weir_report_incomplete:
 *
 * Returns: why the launch was cut short, a line such as "the limit of 1000 steps was
 *          reached; item 3 of group (0,0,0) is at tree.c:41", or %NULL where it ran to
 *          its end; borrowed from the report
 */
const char *weir_report_incomplete(const struct weir_report *report);

/** Steps of a deterministic launch, which are turns of its items; 0 in fast mode. */
uint64_t weir_report_n_steps(const struct weir_report *report);

/** Items of a group of the launch. */
size_t weir_report_group_items(const struct weir_report *report);

/** Whether plain accesses to memory were observed: true for an instrumented kernel in a
 *  deterministic launch, unless it replays a schedule that stops at operations only. */
bool weir_report_saw_accesses(const struct weir_report *report);

/**
 * weir_step:
 *
 * The act of an item in its turn. Strings are interned, or borrowed from the program.
 * @step: the turn, from 0. It may have an access and then an arrival
 * @group: the linear index of the item's group
 * @item: its linear local id
 * @file: where, or %NULL, and
 * @line: 0
 * @access: to memory; or %WEIR_ACCESS_NONE, where
 * @operation: is what it arrived at, such as "weir_barrier", or "fence"
 * @order: of an atomic, else %NULL; and of a fence
 * @scope: likewise
 * @object: the memory, or %NULL where it has no name
 * @index: of the element of @object
 * @bytes: of the access
 * @before: the value that was read, as a number; %NULL where none was, or not known
 * @after: the value that was written, likewise. For a read-modify-write that writes
 *         nothing it is @before
 */
struct weir_step {
    uint64_t step;
    uint64_t group;
    uint64_t item;
    const char *file;
    uint32_t line;
    enum weir_access access;
    const char *operation;
    const char *order;
    const char *scope;
    const char *object;
    int64_t index;
    uint64_t bytes;
    const char *before;
    const char *after;
};

/**
 * weir_report_steps:
 * @n: (out): the number of listed steps, as the option list_steps asks
 * @n_more: (out): the number of steps that are not listed
 *
 * Returns: the steps in their order; borrowed from the report
 */
const struct weir_step *weir_report_steps(const struct weir_report *report, size_t *n,
                                          uint64_t *n_more);

/** Whether an item of a deterministic launch went on from a spin after a write by
 *  another item of its sub-group: the launch option @lockstep shows whether that hangs
 *  where a sub-group runs in lockstep. */
bool weir_report_saw_sub_group_wait(const struct weir_report *report);

/** Frees the report and all that was borrowed from it; %NULL is allowed. */
void weir_report_free(struct weir_report *report);

/** All findings as text for people, ending in a newline. Returns: (transfer full) */
char *weir_report_to_text(const struct weir_report *report);

/* ---- Schedules ----------------------------------------------------------- */

/**
 * weir_schedule:
 *
 * Which item ran when, in one launch after another. A schedule is kept as its switches
 * that differ from the in-order schedule: where an item stopped, and which item ran
 * next where the in-order schedule would have chosen another. So it is short where
 * little happened, and can be shrunk. docs/schedules.md has the form of the file.
 */
struct weir_schedule;

/** An empty schedule, for the launch option @record. Returns: (transfer full) */
struct weir_schedule *weir_schedule_new(void);

/**
 * weir_schedule_load:
 *
 * Returns: (transfer full): a schedule, or %NULL
 * Errors:  %WEIR_ERROR_SCHEDULE where the file cannot be read or is malformed, with
 *          file and line
 */
struct weir_schedule *weir_schedule_load(const char *path, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** Writes the schedule to a file, whole or not at all. Errors: %WEIR_ERROR_SCHEDULE,
 *  where the file cannot be written */
bool weir_schedule_save(const struct weir_schedule *schedule, const char *path,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

void weir_schedule_free(struct weir_schedule *schedule);

/** Number of launches that were recorded. */
size_t weir_schedule_n_launches(const struct weir_schedule *schedule);

/** Number of switches, in all launches, that differ from the in-order schedule. */
size_t weir_schedule_n_switches(const struct weir_schedule *schedule);

/** Number of decisions, in all launches: turns where more than one item could run. */
uint64_t weir_schedule_n_decisions(const struct weir_schedule *schedule);

/**
 * weir_schedule_set:
 * @key: a word of lower-case letters and dashes
 * @value: any text, or %NULL to remove the entry
 *
 * Sets an entry at the head of the file, for the caller's own use. The command `weir`
 * keeps there the words that repeat a run.
 */
void weir_schedule_set(struct weir_schedule *schedule, const char *key,
                       const char *value);

/** The entry's text, or %NULL; borrowed until it is set again. */
const char *weir_schedule_get(const struct weir_schedule *schedule, const char *key);

/**
 * weir_schedule_set_turns:
 * @launch: the number of a recorded launch, from 0
 * @turns: as in struct weir_finding
 *
 * Replaces the switches of a launch by these turns. They have no steps, so the schedule
 * is to be followed with the launch option @loosely, and can be recorded then.
 *
 * Errors: %WEIR_ERROR_SCHEDULE if the launch does not exist, or @turns has another form
 */
bool weir_schedule_set_turns(struct weir_schedule *schedule, size_t launch,
                             const char *turns, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/**
 * weir_schedule_shrink:
 * @fails: returns whether the failure still happens under @candidate, which it replays
 *         with the launch option @loosely
 * @user: passed to @fails
 *
 * Makes a schedule as short as possible while @fails returns %true: no single switch of
 * the result can be left out. This is delta debugging over the switches. Where the
 * whole schedule does not fail, the result is a copy of it.
 *
 * Returns: (transfer full): the last candidate for which @fails returned %true
 * Source:  [DD]
 */
struct weir_schedule *weir_schedule_shrink(
    const struct weir_schedule *schedule,
    bool (*fails)(struct weir_schedule *candidate, void *user), void *user)
    G_GNUC_WARN_UNUSED_RESULT;

/* ---- Errors -------------------------------------------------------------- */

/**
 * weir_error:
 * @WEIR_ERROR_RANGE: sizes of a launch that do not divide, or that the device does not
 *                    have
 * @WEIR_ERROR_PROFILE: a device profile that is unknown, unreadable or malformed
 * @WEIR_ERROR_ARGUMENT: any other argument or option out of its bounds
 * @WEIR_ERROR_RESOURCE: the system refuses memory, stacks or threads
 * @WEIR_ERROR_FINDINGS: weir_launch(), or weir_launch_with() without a report, had
 *                       findings
 * @WEIR_ERROR_INPUT: a data file that cannot be read or understood
 * @WEIR_ERROR_SCHEDULE: a schedule that is unknown or malformed, or does not fit the
 *                       launch that replays it
 */
enum weir_error {
    WEIR_ERROR_RANGE,
    WEIR_ERROR_PROFILE,
    WEIR_ERROR_ARGUMENT,
    WEIR_ERROR_RESOURCE,
    WEIR_ERROR_FINDINGS,
    WEIR_ERROR_INPUT,
    WEIR_ERROR_SCHEDULE,
};

#define WEIR_ERROR (weir_error_quark())
GQuark weir_error_quark(void);

/* ---- Machinery: not for users -------------------------------------------- */

bool weir_launch_sized(struct weir_device *device, const struct weir_kernel *kernel,
                       struct weir_nd_range range, const void *args, size_t args_bytes,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool weir_launch_sized_with(struct weir_device *device,
                            const struct weir_kernel *kernel,
                            struct weir_nd_range range, const void *args,
                            size_t args_bytes,
                            const struct weir_launch_options *options,
                            struct weir_report **report, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/* Arguments whose type is not known: they are the kernel's. */
#define WEIRI_ARGS_UNTYPED ((size_t)-1)

/* Where kernel and arguments are in one file, a wrong size does not compile
 * (from -O1 on), since struct weir_kernel of weir-kernel.h has the size; elsewhere the
 * launch refuses it. */
#if defined(__cplusplus)
#define WEIRI_ARGS_BYTES(kernel, args) sizeof(*(args))
#else
#define WEIRI_IS_TYPED(args) _Generic((args), void * : 0, const void * : 0, default : 1)
#define WEIRI_TYPE_BYTES(args)                                                         \
    sizeof(*_Generic((args), void * : "", const void * : "", default : (args)))
#if defined(WEIR_KERNEL_H) && defined(__OPTIMIZE__)
void weiri_args_of_another_type(void)
    __attribute__((error("these arguments are not of the kernel's type")));
#define WEIRI_ARGS_BYTES(kernel, args)                                                 \
    (__extension__({                                                                   \
        bool weiri_same_                                                               \
            = !WEIRI_IS_TYPED(args) || (kernel)->args_bytes == WEIRI_TYPE_BYTES(args); \
        if (__builtin_constant_p(weiri_same_) && !weiri_same_) {                       \
            weiri_args_of_another_type();                                              \
        }                                                                              \
        WEIRI_IS_TYPED(args) ? WEIRI_TYPE_BYTES(args) : WEIRI_ARGS_UNTYPED;            \
    }))
#else
#define WEIRI_ARGS_BYTES(kernel, args)                                                 \
    (WEIRI_IS_TYPED(args) ? WEIRI_TYPE_BYTES(args) : WEIRI_ARGS_UNTYPED)
#endif
#endif

G_END_DECLS

#endif
