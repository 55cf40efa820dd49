/* SPDX-License-Identifier: MIT
 *
 * weir.h: the host side of Weir: devices, memory, launches and their reports.
 *
 * Three parties can be at fault, and each has its own mechanism. Wrong input or
 * environment is a GError of domain %WEIR_ERROR. A defect of the simulated
 * program is a finding in the launch's report, and the launch itself succeeds.
 * A defect of Weir aborts.
 *
 * Threads: every function may be called from any thread. Launches of one
 * process are serialised: a second one waits. The calling thread is worker 0. */
#ifndef WEIR_H
#define WEIR_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

struct weir_device;
struct weir_kernel;
struct weir_report;

/* ---- Errors -------------------------------------------------------------- */

/**
 * weir_error:
 * @WEIR_ERROR_RANGE: sizes of a launch that are wrong in themselves or for the device
 * @WEIR_ERROR_PROFILE: a device profile that is unknown, unreadable or malformed
 * @WEIR_ERROR_ARGUMENT: another argument or option out of its bounds
 * @WEIR_ERROR_RESOURCE: the system refuses memory, stacks or threads
 * @WEIR_ERROR_FINDINGS: weir_launch() only: the launch made findings
 * @WEIR_ERROR_INPUT: a data file that cannot be read or understood
 * @WEIR_ERROR_SCHEDULE: a schedule that is unknown or malformed, or that does not fit
 *                       the launch which is to follow it
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

/* ---- Devices ------------------------------------------------------------- */

/**
 * weir_device_info:
 *
 * What weir_device_get() answers, each as a number.
 * @WEIR_DEVICE_MAX_WORK_GROUP_SIZE: items of a group, at most
 * @WEIR_DEVICE_LOCAL_MEM_SIZE: bytes of local memory a group
 * @WEIR_DEVICE_COMPUTE_UNITS: groups resident at once
 * @WEIR_DEVICE_SUB_GROUP_SIZE: the default sub-group size
 * @WEIR_DEVICE_SUB_GROUP_SIZES: bit n is set where size n, a power of two up to 32, is
 * offered
 * @WEIR_DEVICE_ATOMIC_MEMORY_ORDERS: bit memory_order_* of each order of atomics
 * @WEIR_DEVICE_ATOMIC_MEMORY_SCOPES: bit memory_scope_* of each scope of atomics
 * @WEIR_DEVICE_FENCE_MEMORY_ORDERS: the same for fences
 * @WEIR_DEVICE_FENCE_MEMORY_SCOPES: the same for fences
 * @WEIR_DEVICE_ATOMIC64: 1 where 64-bit atomics are offered
 * @WEIR_DEVICE_MAX_RESIDENT_ITEMS: items that may be suspended at once
 * @WEIR_DEVICE_WORKERS: worker threads a launch uses by default
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

/**
 * weir_device_new:
 * @profile: the name of a built-in profile ("default", "opencl12", …) or the
 *           path of a profile file: a name with a slash or ending in ".profile"
 *
 * Returns: (transfer full): a device, or %NULL
 * Errors:  %WEIR_ERROR_PROFILE where the profile is unknown or malformed (with
 *          file, key and value); %WEIR_ERROR_RESOURCE where ThreadSanitizer's
 *          own runtime is linked into the process
 */
struct weir_device *weir_device_new(const char *profile, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** Frees the device and all memory of it that is still allocated. %NULL is allowed. */
void weir_device_free(struct weir_device *device);

uint64_t weir_device_get(const struct weir_device *device, enum weir_device_info info);

/** The profile's name; borrowed from the device. */
const char *weir_device_name(const struct weir_device *device);

/** One line of what the profile stands for; borrowed from the device. */
const char *weir_device_summary(const struct weir_device *device);

/** The names of the built-in profiles, "default" first; %NULL-terminated, static. */
const char *const *weir_device_profiles(void);

/* ---- Memory --------------------------------------------------------------
 * For the host: an item that allocates or frees goes no further, which is a finding. */

/**
 * weir_try_new:
 * @device: the device
 * @type: of an element
 * @n: elements; 0 is allowed
 * @name: for reports, copied; %NULL or "" makes "unnamed"
 * @error: where to put an error
 *
 * Memory that host and kernels share. Its contents are unspecified until written. Of a
 * name, control characters and bytes that are no UTF-8 are told as \xNN, and other
 * characters that do not print as \uNNNN.
 *
 * Returns: (transfer full): @type *, aligned to a page; free with weir_free()
 * Errors:  %WEIR_ERROR_RESOURCE where the system refuses; %WEIR_ERROR_ARGUMENT
 *          where the size overflows
 */
#define weir_try_new(device, type, n, name, error)                                     \
    ((type *)weir_memory_new((device), (n), sizeof(type), (name), (error)))

/** The same; like g_malloc() it aborts with a message where there is no memory. */
#define weir_new(device, type, n, name)                                                \
    ((type *)weir_memory_new_or_abort((device), (n), sizeof(type), (name)))

void *weir_memory_new(struct weir_device *device, size_t n, size_t element_bytes,
                      const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void *weir_memory_new_or_abort(struct weir_device *device, size_t n,
                               size_t element_bytes, const char *name);

/**
 * weir_free:
 *
 * Frees memory of weir_new(); %NULL is allowed, another pointer is a bug. The addresses
 * are given out again only when much more was freed: whoever uses them before faults,
 * and a checked launch names the memory.
 */
void weir_free(struct weir_device *device, void *memory);

/**
 * weir_device_poison:
 * @device: the device
 * @poisons: whether
 *
 * Memory that weir_new() gives from then on holds a poison pattern instead of zeros, so
 * that a checked launch can tell what nobody has written. Off unless it is asked for;
 * on from the start where the process runs under a WEIR_OPTIONS with check=1.
 */
void weir_device_poison(struct weir_device *device, bool poisons);

/* ---- Ranges -------------------------------------------------------------- */

/**
 * weir_nd_range:
 * @dim: dimensions, 1 to 3
 * @global: items in all, a dimension; 0 makes an empty launch that succeeds
 * @local: items of a group, a dimension; divides @global
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

/* ---- Findings ------------------------------------------------------------ */

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
    X(UNSUPPORTED, "unsupported")

enum weir_finding_kind {
#define X(name, text) WEIR_FINDING_##name,
    WEIR_FINDING_KINDS(X)
#undef X
};

/** The kind's name as above; static. */
const char *weir_finding_kind_name(enum weir_finding_kind kind);

/** Where the items of a party stand: constant, and the name that reports and JSON use;
 *  %NULL where it is not known. */
#define WEIR_STATES(X)                                                                 \
    X(NONE, NULL)                                                                      \
    X(RUNNING, "running")                                                              \
    X(WAITING, "waiting")                                                              \
    X(SPINNING, "spinning")                                                            \
    X(RETURNED, "returned")                                                            \
    X(NOT_STARTED, "not started")

enum weir_state {
#define X(name, text) WEIR_STATE_##name,
    WEIR_STATES(X)
#undef X
};

/** The state's name as above; static. */
const char *weir_state_name(enum weir_state state);

/** What the items of a party do to memory: constant, and the name that reports and JSON
 *  use; %NULL where the finding is not about an access. */
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
    X(ATOMIC_FETCH_NAND, "atomic fetch_nand")

enum weir_access {
#define X(name, text) WEIR_ACCESS_##name,
    WEIR_ACCESSES(X)
#undef X
};

/** The access's name as above; static. Every atomic access is %WEIR_ACCESS_ATOMIC_LOAD
 *  or a later constant. */
const char *weir_access_name(enum weir_access access);

/**
 * weir_frame:
 *
 * A call on the way to a site; inlined calls are calls too.
 * @function: that contains the call; "kernel NAME" for a kernel's body
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
 * Items that a finding speaks of, and where they are.
 * @state: where they stand
 * @items: linear local ids as ranges, "0-4,7"
 * @item: local id of the first of them
 * @group: index of their group, of the first one where there are several
 * @groups: linear indices of all their groups as ranges, or %NULL where @group is all
 * @file: of the site, or %NULL where it is not known; of items that have returned it is
 *        the last place where they were seen
 * @function: of the site, or %NULL
 * @line: of the site, or 0
 * @source: that line's text without the blanks around it, or %NULL where the file
 *          cannot be read
 * @operation: what they do there, as in the source: "weir_barrier", or %NULL
 * @phase: rendezvous that they had passed before
 * @n_path: calls on the way from the kernel to the site
 * @path: these calls, innermost first; a site in the kernel itself has none
 * @access: what they do to memory there
 * @order: of an atomic @access, "acq_rel"; static, or %NULL
 * @scope: of an atomic @access, "device"; static, or %NULL
 * @object: what they spin on: a name of weir_new() or "local array of FILE:LINE";
 *          %NULL where they do not spin or the memory has no name
 * @index: the element of @object
 * @value: what it holds, or %NULL
 * @writer: who changed it last: "item 3 of group (0,0,0), weir_atomic_store at
 *          tree.c:20"; %NULL where nobody did in this launch
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
    uint64_t index;
    const char *value;
    const char *writer;
};

/**
 * weir_finding:
 *
 * A defect of the simulated program. Equal findings of many groups are one,
 * with a @count; the parties are those of the first group, by linear index.
 * @kernel: its name
 * @message: one or more lines of English, without a final newline
 * @note: told, but no defect: it does not make a launch or a command fail
 * @form: of a divergence: "exited item", "different barrier", "different phase",
 *        "different kind", "different arguments", "different path" or "incomplete";
 *        else %NULL; static
 * @parted: where the parties were last together, "tree.c:32", or %NULL
 * @space: of the memory that the finding is of: "global", "local" or "private"; static,
 *         or %NULL
 * @object: that memory's name: of weir_new(), of a static, or "local array of
 *          FILE:LINE"; or %NULL
 * @index: the element of @object; it may lie outside, and before it
 * @why: of a race: why nothing orders its parties, a sentence; or %NULL
 * @fix: the smallest change that would fix it, a sentence; or %NULL
 * @parties: @n_parties of them, the more telling first
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
    const char *fix;
    uint64_t count;
    size_t n_parties;
    const struct weir_party *parties;
};

/** Number of findings; 0 means that none was made. */
size_t weir_report_n_findings(const struct weir_report *report);

/** Finding @index, in a fixed order; borrowed from the report. */
const struct weir_finding *weir_report_finding(const struct weir_report *report,
                                               size_t index);

/** Number of findings that are no notes: 0 means that nothing is wrong. */
size_t weir_report_n_defects(const struct weir_report *report);

/**
 * weir_report_incomplete:
 *
 * Returns: why the launch was ended before its end, a line such as "the limit of
 *          1000 steps was reached; item 3 of group (0,0,0) is at tree.c:41", or
 *          %NULL where it ran to its end; borrowed from the report
 */
const char *weir_report_incomplete(const struct weir_report *report);

/** Steps that a deterministic launch took: turns that items were given. 0 else. */
uint64_t weir_report_n_steps(const struct weir_report *report);

/** Items of a group of the launch. */
size_t weir_report_group_items(const struct weir_report *report);

/** Whether plain accesses to memory were seen: those of an instrumented kernel in a
 *  deterministic launch, unless that follows a schedule that stops at operations
 *  only. */
bool weir_report_saw_accesses(const struct weir_report *report);

void weir_report_free(struct weir_report *report);

/** All findings as text for people, ending in a newline. Returns: (transfer full) */
char *weir_report_to_text(const struct weir_report *report);

/* ---- Schedules ----------------------------------------------------------- */

/**
 * weir_schedule:
 *
 * Who ran when, in one launch after another. A schedule is kept as the switches that
 * make it differ from the in-order one: where an item stopped, and who ran next
 * although the in-order schedule would have chosen somebody else. So it is short where
 * little happened, and can be made shorter. docs/schedules.md has the form of the file.
 */
struct weir_schedule;

/** An empty one, for the launch option @record. Returns: (transfer full) */
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

/** Writes the file whole or not at all. Errors: %WEIR_ERROR_SCHEDULE */
bool weir_schedule_save(const struct weir_schedule *schedule, const char *path,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

void weir_schedule_free(struct weir_schedule *schedule);

/** Launches that were recorded. */
size_t weir_schedule_n_launches(const struct weir_schedule *schedule);

/** Switches of all launches that differ from the in-order schedule. */
size_t weir_schedule_n_switches(const struct weir_schedule *schedule);

/** Decisions of all launches: turns for which more than one item could be chosen. */
uint64_t weir_schedule_n_decisions(const struct weir_schedule *schedule);

/**
 * weir_schedule_set:
 * @key: a word of lower-case letters and dashes
 * @value: any text, or %NULL to take the entry away
 *
 * An entry at the head of the file, for whoever made it. `weir` keeps there what it
 * needs to run the same thing again.
 */
void weir_schedule_set(struct weir_schedule *schedule, const char *key,
                       const char *value);

/** The entry's text, or %NULL; borrowed until it is set again. */
const char *weir_schedule_get(const struct weir_schedule *schedule, const char *key);

/**
 * weir_schedule_shrink:
 * @fails: whether what is looked for still happens under @candidate, which is to be
 *         followed loosely (launch option @loosely)
 * @user: passed on
 *
 * Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
 * Input", 2002) over the switches: a schedule of which no single switch can be left
 * out. Where the whole schedule does not fail, a copy of it.
 *
 * Returns: (transfer full): as @fails saw it last with success
 */
struct weir_schedule *weir_schedule_shrink(
    const struct weir_schedule *schedule,
    bool (*fails)(struct weir_schedule *candidate, void *user), void *user)
    G_GNUC_WARN_UNUSED_RESULT;

/* ---- Launches ------------------------------------------------------------ */

/**
 * weir_exited: what a barrier makes of items that have returned.
 * @WEIR_EXITED_STRICT: it is never complete, which is a finding: OpenCL C, SYCL 2020
 * @WEIR_EXITED_ALIVE_ONLY: the living suffice, as in newer SPIR-V and PTX; a note
 */
enum weir_exited { WEIR_EXITED_STRICT, WEIR_EXITED_ALIVE_ONLY };

/**
 * weir_pairing: which calls of a group's items are the same barrier.
 * @WEIR_PAIRING_SITE: those of one place in the source, reached on one path
 * @WEIR_PAIRING_COUNT: any, as on hardware that counts arrivals; a note tells of items
 *                      that were released together from different places
 */
enum weir_pairing { WEIR_PAIRING_SITE, WEIR_PAIRING_COUNT };

/**
 * weir_after: what becomes of a group that diverged.
 * @WEIR_AFTER_STOP: it ends; other groups run on, so that the launch ends in order
 * @WEIR_AFTER_RELEASE: the items that wait are released, as if the others had come
 */
enum weir_after { WEIR_AFTER_STOP, WEIR_AFTER_RELEASE };

/**
 * weir_scope_rule: which scopes of two operations include each other.
 * @WEIR_SCOPE_RULE_MUTUAL: each item is in the other's scope instance: PTX, Vulkan
 * @WEIR_SCOPE_RULE_SAME: and the scopes are equal: SYCL 2020, OpenCL 3.0
 */
enum weir_scope_rule { WEIR_SCOPE_RULE_MUTUAL, WEIR_SCOPE_RULE_SAME };

/**
 * weir_spaces: what synchronisation through one address space orders.
 * @WEIR_SPACES_SYCL: both spaces: there is one happens-before
 * @WEIR_SPACES_OPENCL: its own space only: there are two
 */
enum weir_spaces { WEIR_SPACES_SYCL, WEIR_SPACES_OPENCL };

/**
 * weir_same_value: what two unordered writes of the same value are.
 * @WEIR_SAME_VALUE_RACE: a race as any other
 * @WEIR_SAME_VALUE_NOTE: a note
 */
enum weir_same_value { WEIR_SAME_VALUE_RACE, WEIR_SAME_VALUE_NOTE };

/**
 * weir_launch_options:
 *
 * All zero, as WEIR_LAUNCH_OPTIONS sets it, means the defaults.
 * @workers: threads, the caller included; 0 for the device's number; at most 256. A
 *           deterministic launch has one
 * @sub_group_size: one that the device offers; 0 for the device's own
 * @stack_bytes: of an item; 0 for 64 KiB; from 16 KiB to 1 GiB, rounded up to pages
 * @schedule: %NULL for the fast mode, or a deterministic one: "in-order", "reverse",
 *            "round-robin", "random", or "pct:D:K", with D changes of priority in the
 *            first K steps; "pct:D" reckons with 8 steps an item; docs/schedules.md
 * @seed: of "random" and "pct"
 * @record: where the decisions of a deterministic launch are added, or %NULL
 * @replay: a schedule to follow instead of @schedule, or %NULL. Each launch takes the
 *          schedule's next one
 * @loosely: @replay's switches that are not possible are passed over
 * @step_limit: of a deterministic launch; 0 for none
 * @time_limit_ms: of any launch; 0 for none
 * @check: of a deterministic launch: judge every access to memory;
 * docs/race-detection.md
 * @scope_rule: and @spaces, @same_value: of @check
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
};

#define WEIR_LAUNCH_OPTIONS                                                            \
    {                                                                                  \
        0, 0, 0, NULL, 0, NULL, NULL, false, 0, 0, WEIR_EXITED_STRICT,                 \
            WEIR_PAIRING_SITE, WEIR_AFTER_STOP, false, WEIR_SCOPE_RULE_MUTUAL,         \
            WEIR_SPACES_SYCL, WEIR_SAME_VALUE_RACE                                     \
    }

/**
 * weir_launch:
 * @device: the device
 * @kernel: the address of a kernel
 * @range: its sizes
 * @args: pointer to the kernel's arguments; their type's size must be the
 *        kernel's, which is checked
 * @error: where to put an error
 *
 * Runs the kernel over the range and returns when it is done. Findings are
 * printed to standard error.
 *
 * Returns: %true where everything ran and no finding was made
 * Errors:  %WEIR_ERROR_RANGE; %WEIR_ERROR_ARGUMENT for arguments of another
 *          size or a launch from inside a kernel; %WEIR_ERROR_RESOURCE;
 *          %WEIR_ERROR_FINDINGS
 */
#ifdef __cplusplus
#define weir_launch(device, kernel, range, args, error)                                \
    weir_launch_sized((device), (kernel), (range), (args), sizeof(*(args)), (error))
#else
/* @args may be a compound literal with commas in its braces, which the
 * preprocessor does not see as one: the compiler picks it out. */
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
 *          %false with %WEIR_ERROR_FINDINGS, as those of weir_launch() do; under
 *          `weir check` they go into its report, and the result is %true
 *
 * As weir_launch() with options; findings in a @report leave the result %true. A
 * compound literal for @args needs parentheses here: (&(args_type){ … }).
 *
 * Errors: those of weir_launch(), and %WEIR_ERROR_SCHEDULE where a schedule is
 *         malformed, or @replay does not fit this launch, with the step at which the
 *         two parted
 */
#define weir_launch_with(device, kernel, range, args, options, report, error)          \
    weir_launch_sized_with((device), (kernel), (range), (args),                        \
                           WEIRI_ARGS_BYTES(kernel, args), (options), (report),        \
                           (error))

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

/* Where kernel and arguments are of one file, a wrong size does not compile
 * (from -O1 on); elsewhere the launch refuses it. weir-kernel.h tells sizes. */
#if defined(WEIR_KERNEL_H) && defined(__OPTIMIZE__) && !defined(__cplusplus)
void weiri_args_of_another_type(void)
    __attribute__((error("these arguments are not of the kernel's type")));
#define WEIRI_ARGS_BYTES(kernel, args)                                                 \
    (__extension__({                                                                   \
        bool weiri_same_ = (kernel)->args_bytes == sizeof(*(args));                    \
        if (__builtin_constant_p(weiri_same_) && !weiri_same_) {                       \
            weiri_args_of_another_type();                                              \
        }                                                                              \
        sizeof(*(args));                                                               \
    }))
#else
#define WEIRI_ARGS_BYTES(kernel, args) sizeof(*(args))
#endif

G_END_DECLS

#endif
