/* SPDX-License-Identifier: MIT
 *
 * host/commands.c: see host/commands.h. A finding of two commands is in the report of
 * the launch that is the second of them. All others, of the host, of copies and of host
 * tasks, are handed over at once: the program may crash next by what the finding is
 * about. The file is long because all of these read one table under one lock. */
#include "config.h"

#include "host/commands.h"

#include "base/statics.h"
#include "exec/hooks.h"
#include "exec/launch.h"
#include "exec/memory.h"
#include "host/check-client.h"
#include "host/linger.h"
#include "host/place.h"
#include "report/symbol.h"
#include "watch/commands.h"
#include "watch/race.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Memory that an interface has allocated. */
struct memory {
    uintptr_t start;
    size_t bytes;
    bool ordered; /* accesses to it are ordered by the use of a buffer */
    bool hidden;  /* from the host */
    uint32_t context;
};

/* Some memory of the process: nothing where @high is 0. */
struct span {
    uintptr_t low, high;
};

/* Words of memory that threads of the host may access while commands take place, until
 * further accesses are not kept: 20 bytes each. */
enum { MOST_HOST_WORDS = 1 << 20 };

/* Launches by threads of the host, each of which waits for its own. */
static const struct weiri_command_words launch_words = {
    .one_queue = "the two launches are not ordered: two threads of the host made them "
                 "at the same time",
    .two_queues = "the two are not ordered: two threads of the host made them at the "
                  "same time",
    .host = "the launch by another thread of the host had not returned",
};

/* The commands that the process has submitted. */
static struct {
    pthread_mutex_t lock;                    /* guards all of this */
    struct weiri_commands *commands;         /* NULL: nothing was submitted yet */
    struct weiri_command_holds *holds;       /* NULL: the host has held no buffer */
    const char *held_why;                    /* of a wait that never ends, then */
    const struct weiri_command_words *words; /* of the latest command */
    const struct weir_device *device;        /* of the latest memory, or NULL */
    GTree *memories;                         /* first address: struct memory */
    uint32_t launches;    /* the queue of launches without one; or 0 */
    GArray *contexts;     /* of uint32_t: of a queue, by its number; 0 beyond the end */
    unsigned n_live;      /* commands that take place */
    uint32_t epoch;       /* of these: another one when a command begins or ends */
    GArray *ended;        /* of uint32_t: launches that have ended, and what threads of
                              the host did, since it was 0; later commands come after
                              these */
    size_t n_host_words;  /* kept since then */
    bool undecided;       /* what may be a race was not handed over since then */
    bool was_ended;       /* a launch was, at a limit */
    bool open;            /* there may be commands that the host has not waited for;
                              read without the lock: atomic, relaxed */
    GHashTable *reported; /* races that were handed over: keys of both places */
    GHashTable *at_fault; /* places whose other findings were: "OPERATION:PLACE" */
    struct span of_device; /* in which all memory of the device lay */
    struct span hidden;    /* the same of hidden memory. Written with the lock, and
                              read without: atomic, relaxed */
    const char *hidden_why;
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The command that runs on this thread. */
static _Thread_local struct {
    uint32_t command; /* or 0 */
    uint32_t context; /* of its queue */
    enum weiri_command_kind kind;
    const char *what; /* of the command; NULL of a kernel */
    bool inside;      /* it holds the lock */
    uint32_t host;    /* the number of what it does at @epoch; or 0 */
    uint32_t epoch;
    bool (*outside)(void *data); /* see weiri_host_commands_outside(); or NULL */
    void *outside_data;
} self;

/* Accesses that the library itself makes meanwhile, by the C library, are not looked
 * at. */
static void enter(void)
{
    self.inside = true;
    pthread_mutex_lock(&state.lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&state.lock);
    self.inside = false;
}

/* ---- Memory ---------------------------------------------------------------------- */

static int compare_starts(const void *a, const void *b, void *data)
{
    (void)data;
    return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

/* The memory that @address lies in, or NULL. Called with the lock held. */
static const struct memory *memory_at(const volatile void *address)
{
    if (state.memories == NULL) {
        return NULL;
    }
    GTreeNode *node = g_tree_upper_bound(state.memories, (void *)(uintptr_t)address);
    node = node != NULL ? g_tree_node_previous(node) : g_tree_node_last(state.memories);
    const struct memory *memory = node != NULL ? g_tree_node_value(node) : NULL;
    return memory != NULL && (uintptr_t)address - memory->start < memory->bytes ? memory
                                                                                : NULL;
}

static void widen(struct span *span, const struct memory *memory)
{
    uintptr_t end = memory->start + memory->bytes;
    if (span->high == 0 || memory->start < span->low) {
        __atomic_store_n(&span->low, memory->start, __ATOMIC_RELAXED);
    }
    if (end > span->high) {
        __atomic_store_n(&span->high, end, __ATOMIC_RELAXED);
    }
}

/* @margin: before and after it */
static bool is_within(const struct span *span, uintptr_t at, size_t margin)
{
    /* relaxed: no partner. The thread that allocates sees what it wrote; another one
     * has the address from it by some other order. */
    return at + margin >= __atomic_load_n(&span->low, __ATOMIC_RELAXED)
        && at < __atomic_load_n(&span->high, __ATOMIC_RELAXED) + margin;
}

void weiri_host_commands_memory(const struct weir_device *device, const void *start,
                                size_t bytes, bool ordered)
{
    if (!weiri_check_client_judges()) {
        return;
    }
    struct memory *memory = g_new(struct memory, 1);
    *memory = (struct memory){ (uintptr_t)start, bytes, ordered, false, 0 };
    enter();
    if (state.memories == NULL) {
        state.memories = g_tree_new_full(compare_starts, NULL, NULL, g_free);
    }
    g_tree_insert(state.memories, (void *)(uintptr_t)start, memory);
    state.device = device;
    widen(&state.of_device, memory);
    leave();
}

/* ---- Findings -------------------------------------------------------------------- */

/* Returns: (transfer full) */
static struct weiri_objects *objects_now(void)
{
    static struct weir_device none;
    return weiri_objects_new(state.device != NULL ? state.device : &none,
                             weiri_symbol_object);
}

/* Hands over a report that has one finding, and frees it. */
static void hand_over(struct weir_report *report)
{
    g_autoptr(GError) error = NULL;
    weiri_report_close(report, 0, 0, true, &weiri_symbols);
    if (!weiri_check_client_aside(report, &error)) {
        g_autofree char *text = weir_report_to_text(report);
        g_printerr("%s\n", error != NULL ? error->message : text);
    }
    weir_report_free(report);
}

/* Whether such a finding was not handed over before; it is from now on. */
static bool is_new(uint64_t key)
{
    return g_hash_table_add(state.reported, g_memdup2(&key, sizeof(key)));
}

/* Whether both are of the queue of launches. */
static bool are_launches(const struct weiri_command_race *race)
{
    const struct weiri_command_order *order = weiri_commands_order(state.commands);
    return weiri_command_order_queue_of(order, race->first.number) == state.launches
        && weiri_command_order_queue_of(order, race->second.number) == state.launches;
}

/* Whether the two are launches by two threads of the host that are ordered by their
 * atomics, or may be; or a kernel and another thread that talk to each other while it
 * runs. */
static bool may_be_ordered(const struct weiri_command_race *race, bool talks)
{
    const struct weiri_commander *first = &race->first, *second = &race->second;
    if (weiri_commander_is_host(first) || weiri_commander_is_host(second)) {
        bool meet = first->number != 0 && second->number != 0;
        return (meet || state.words->host_may_poll)
            && (talks || first->talks || second->talks);
    }
    return are_launches(race)
        && weiri_commands_met(state.commands, first->number, second->number);
}

/* Which of two that ran at the same time was first must not show: they are sorted by
 * name, and the host is last. */
static void sort_parts(struct weiri_command_race *race)
{
    const struct weir_kernel *one = race->first.kernel, *other = race->second.kernel;
    int by_name = one == NULL || other == NULL ? (one == NULL) - (other == NULL)
                                               : strcmp(one->name, other->name);
    bool by_item = race->at_first.group != race->at_second.group
        ? race->at_first.group > race->at_second.group
        : race->at_first.item > race->at_second.item;
    if (by_name > 0 || (by_name == 0 && by_item)) {
        struct weiri_command_race was = *race;
        race->first = was.second;
        race->at_first = was.at_second;
        race->second = was.first;
        race->at_second = was.at_first;
        race->key = (uint64_t)race->at_first.place << 32 | race->at_second.place;
    }
}

/* Races that were found, but for races of two threads of the host. Sets *@undecided if
 * some of them may not be races. @talks: the running command does, see struct
 * weiri_commander. Called with the lock held. Returns: (transfer full) */
static GArray *take_races(bool *undecided, bool talks)
{
    GArray *races = weiri_commands_take_races(state.commands);
    for (guint i = races->len; i > 0; i--) {
        struct weiri_command_race *race
            = &g_array_index(races, struct weiri_command_race, i - 1);
        bool of_host = weiri_commander_is_host(&race->first)
            && weiri_commander_is_host(&race->second);
        bool unsure = !of_host && may_be_ordered(race, talks);
        *undecided = *undecided || unsure;
        if (of_host || unsure) {
            g_array_remove_index(races, i - 1);
        } else if (race->first.thread != race->second.thread) {
            sort_parts(race);
        }
    }
    return races;
}

/* Hands over the races that were found. Called with the lock held. */
static void hand_over_races(void)
{
    g_autoptr(GArray) races = take_races(&state.undecided, false);
    for (guint i = 0; i < races->len; i++) {
        const struct weiri_command_race *race
            = &g_array_index(races, struct weiri_command_race, i);
        if (is_new(race->key)) {
            struct weir_report *report = weiri_report_new();
            struct weiri_objects *objects = objects_now();
            weiri_command_race_report(state.commands, race, objects, state.words,
                                      report);
            weiri_objects_free(objects);
            hand_over(report);
        }
    }
}

/* "OPERATION:PLACE". Returns: whether it is new */
static bool is_new_fault(const char *operation, const void *place)
{
    if (state.at_fault == NULL) {
        state.at_fault = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    }
    return g_hash_table_add(
        state.at_fault,
        g_strdup_printf("%s:%p", operation != NULL ? operation : "", place));
}

/* Called with the lock held. */
static void hand_over_fault(const struct weiri_command_fault *fault,
                            const struct weiri_object *object)
{
    struct weir_report *report = weiri_report_new();
    weiri_command_fault_report(fault, object, report);
    hand_over(report);
}

/* Called with the lock held. Returns: whether the access is in no memory of the device,
 * or within one. */
static bool is_apart(const void *start, size_t bytes, bool writes,
                     const struct weir_site *site)
{
    struct weiri_objects *objects = objects_now();
    const struct weiri_object *object = weiri_command_fault_object(objects, start);
    size_t offset = object != NULL ? (size_t)((const char *)start - object->start) : 0;
    bool freed = object != NULL && object->kind == WEIRI_OBJECT_FREED;
    bool outside = object != NULL
        && (offset > object->whole_bytes || bytes > object->whole_bytes - offset);
    if (freed || outside) {
        const struct weiri_command_fault fault = {
            .kind = freed ? WEIR_FINDING_USE_AFTER_FREE : WEIR_FINDING_OUT_OF_BOUNDS,
            .operation = self.what != NULL ? self.what : "reduction",
            .address = freed || offset >= object->whole_bytes
                ? start
                : object->start + object->whole_bytes,
            .what = writes ? WEIRI_ACCESS_BIT_WRITE : WEIRI_ACCESS_BIT_READ,
            .trail = { .site = site },
            .text = freed ? ", which is freed" : "",
        };
        if (is_new_fault(fault.operation, site)) {
            hand_over_fault(&fault, object);
        }
    }
    weiri_objects_free(objects);
    return !freed && !outside;
}

bool weiri_host_commands_reaches(const void *start, size_t bytes, bool writes,
                                 const struct weir_site *site)
{
    if (self.command == 0 || bytes == 0) {
        return true;
    }
    enter();
    const struct memory *memory = memory_at(start);
    uintptr_t at = (uintptr_t)start;
    bool reaches = memory != NULL ? bytes <= memory->start + memory->bytes - at
                                  : !is_within(&state.of_device, at, WEIRI_NEAR_BYTES);
    reaches = reaches || is_apart(start, bytes, writes, site);
    leave();
    return reaches;
}

/* ---- The host's accesses --------------------------------------------------------- */

/* The program's static variables: from and to symbols of the linker, where the library
 * is part of the program. */
extern const char __data_start[] __attribute__((weak));
extern const char _end[] __attribute__((weak));

static bool is_static(const volatile void *address)
{
    const volatile char *at = address;
    return __data_start != NULL && at >= __data_start && at < _end;
}

/* The number of what this thread of the host does while the same commands take place.
 * Commands that begin later come after it, since they may. */
static uint32_t number_of_host(void)
{
    if (self.host == 0 || self.epoch != state.epoch) {
        const struct weiri_command_start start
            = { .queue = state.launches,
                .after = (const uint32_t *)(const void *)state.ended->data,
                .n_after = state.ended->len };
        self.host
            = weiri_command_order_begin(weiri_commands_order(state.commands), &start);
        self.epoch = state.epoch;
        weiri_commands_add(
            state.commands,
            &(struct weiri_commander){ .number = self.host, .thread = &self });
        g_array_append_val(state.ended, self.host);
    }
    return self.host;
}

/* The host accesses memory, or a host task does. A task's own variables are not memory
 * that others know, and their addresses are used again: only its accesses to memory of
 * the device and to static variables are looked at. */
static void access_by_host(const volatile void *address, uint64_t what, const void *pc)
{
    size_t bytes = what >> 8;
    const struct memory *memory = self.command != 0 ? memory_at(address) : NULL;
    bool kept
        = self.command == 0 && state.n_live > 0 && state.n_host_words < MOST_HOST_WORDS;
    bool concerns = self.command != 0
        ? (memory != NULL ? !memory->ordered : is_static(address))
        : kept
            || (state.commands != NULL
                && weiri_commands_hold(state.commands, address, bytes));
    if (concerns) {
        uint32_t command = kept ? number_of_host() : self.command;
        state.n_host_words += kept ? bytes / sizeof(uint32_t) + 1 : 0;
        const struct weiri_command_place place
            = { .trail = weiri_host_place_trail(pc),
                .reads = (what & WEIRI_ACCESS_BIT_READ) != 0,
                .writes = (what & WEIRI_ACCESS_BIT_WRITE) != 0 };
        const struct weiri_command_access access
            = { .place = weiri_commands_place(state.commands, &place) };
        weiri_commands_touch_range(state.commands, command, address, bytes, &access);
        hand_over_races();
    }
}

/* The host, or a host task, accesses memory that may be hidden from it. */
static void access_hidden(const volatile void *address, uint64_t what, const void *pc)
{
    const struct memory *memory = memory_at(address);
    if (memory != NULL && memory->hidden && is_new_fault(self.what, pc)) {
        struct weiri_objects *objects = objects_now();
        const struct weiri_object *object
            = weiri_command_fault_object(objects, (const void *)(uintptr_t)address);
        const struct weiri_command_fault fault
            = { .kind = WEIR_FINDING_OUT_OF_BOUNDS,
                .operation = self.what,
                .address = (const void *)(uintptr_t)address,
                .what = what,
                .trail = weiri_host_place_trail(pc),
                .text = ", memory of the device, which the host cannot access",
                .why = state.hidden_why };
        if (object != NULL) {
            hand_over_fault(&fault, object);
        }
        weiri_objects_free(objects);
    }
}

/* Whether this thread has not reached @pc before, or not for long. The table is not the
 * thread's: a library that is loaded later has little room for such variables. */
static bool is_new_place(const void *pc)
{
    enum { PLACES = 1024 };
    static uintptr_t places[PLACES]; /* atomic, relaxed: nothing is passed on with it */
    uintptr_t own = (uintptr_t)pc ^ (uintptr_t)&self;
    uintptr_t *place = &places[(own ^ own >> 10) % PLACES];
    bool is_new = __atomic_load_n(place, __ATOMIC_RELAXED) != own;
    __atomic_store_n(place, own, __ATOMIC_RELAXED);
    return is_new;
}

/* Whether there are commands with which an access of the host may race. When a thread
 * reaches an access for the first time, others may be about to begin a command. */
static bool is_open(const volatile void *address, const void *pc)
{
    /* relaxed: no partner. A thread that sees it late is not ordered after it */
    if (!__atomic_load_n(&state.open, __ATOMIC_RELAXED)
        && is_within(&state.of_device, (uintptr_t)address, 0) && is_new_place(pc)
        && !weiri_host_linger_alone()) {
        weiri_host_linger(&state.open);
    }
    return __atomic_load_n(&state.open, __ATOMIC_RELAXED);
}

static void observe(const volatile void *address, uint64_t what, const void *pc)
{
    bool is_host = self.command == 0 || self.kind == WEIRI_COMMAND_TASK;
    bool hidden = is_within(&state.hidden, (uintptr_t)address, 0);
    if (!self.inside && is_host && (is_open(address, pc) || hidden)) {
        enter();
        access_by_host(address, what, pc);
        if (hidden) {
            access_hidden(address, what, pc);
        }
        leave();
    }
}

void weiri_host_commands_new(const void *start, size_t bytes)
{
    if (weiri_check_client_judges()) {
        enter();
        widen(&state.of_device,
              &(struct memory){ .start = (uintptr_t)start, .bytes = bytes });
        leave();
        weiri_access_observe_host(observe);
    }
}

void weiri_host_commands_hide(const void *start, const char *why)
{
    enter();
    struct memory *memory = (struct memory *)memory_at(start);
    if (memory != NULL) {
        memory->hidden = true;
        widen(&state.hidden, memory);
        state.hidden_why = why;
        weiri_access_observe_host(observe);
    }
    leave();
}

void weiri_host_commands_bind(const void *start, uint32_t context)
{
    enter();
    struct memory *memory = (struct memory *)memory_at(start);
    if (memory != NULL) {
        memory->context = context;
    }
    leave();
}

/* ---- Commands -------------------------------------------------------------------- */

/* Called with the lock held. */
static void need_commands(void)
{
    if (state.commands == NULL) {
        state.commands = weiri_commands_new();
        state.reported
            = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
        state.launches
            = weiri_command_order_queue(weiri_commands_order(state.commands), false);
        state.ended = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        state.contexts = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    }
}

uint32_t weiri_host_commands_queue(bool in_order, uint32_t context)
{
    if (!weiri_check_client_judges()) {
        return 0;
    }
    enter();
    need_commands();
    uint32_t queue
        = weiri_command_order_queue(weiri_commands_order(state.commands), in_order);
    g_array_set_size(state.contexts, MAX(state.contexts->len, queue + 1));
    g_array_index(state.contexts, uint32_t, queue) = context;
    leave();
    return queue;
}

/* Commands that the host has waited for in vain: called with the lock held. */
static void hand_over_stuck(const void *pc)
{
    g_autoptr(GArray) stuck = weiri_command_holds_waited(
        state.holds, weiri_commands_order(state.commands), &self);
    for (guint i = 0; pc != NULL && i < stuck->len; i++) {
        const struct weiri_command_stuck *one
            = &g_array_index(stuck, struct weiri_command_stuck, i);
        const struct weiri_trail wait = weiri_host_place_trail(pc);
        g_autofree char *places = g_strdup_printf("%p-%p:%p", one->hold.trail.at[0],
                                                  one->hold.trail.at[1], wait.at[0]);
        if (is_new_fault(places, wait.at[1])) {
            struct weir_report *report = weiri_report_new();
            struct weiri_objects *objects = objects_now();
            weiri_command_stuck_report(state.commands, one, &wait, state.held_why,
                                       objects, report);
            weiri_objects_free(objects);
            hand_over(report);
        }
    }
}

static void forget_all(void)
{
    weiri_commands_forget_all(state.commands);
    __atomic_store_n(&state.open, false, __ATOMIC_RELAXED);
}

/* Called with the lock held. @all: the host has waited for all commands */
static void waited(bool all, const void *pc)
{
    if (state.holds != NULL) {
        hand_over_stuck(pc);
    }
    if (all) {
        forget_all();
    }
}

/* A command begins on this thread. Called with the lock held. */
static void begin(const struct weiri_command_start *start, const char *what,
                  const struct weiri_command_words *words)
{
    struct weiri_commander commander = { .what = what, .thread = &self };
    g_autoptr(GArray) after = g_array_copy(state.ended);
    struct weiri_command_start all = *start;
    if (start->n_after > 0) {
        g_array_prepend_vals(after, start->after, (guint)start->n_after);
    }
    all.after = (const uint32_t *)(const void *)after->data;
    all.n_after = after->len;
    commander.number
        = weiri_command_order_begin(weiri_commands_order(state.commands), &all);
    weiri_commands_add(state.commands, &commander);
    state.words = words;
    state.n_live++;
    state.epoch++;
    __atomic_store_n(&state.open, true, __ATOMIC_RELAXED);
    weiri_access_observe_host(observe);
    self.command = commander.number;
    self.context = start->queue < state.contexts->len
        ? g_array_index(state.contexts, uint32_t, start->queue)
        : 0;
    self.what = what;
}

uint32_t weiri_host_commands_begin(const struct weiri_command_start *start,
                                   enum weiri_command_kind kind, const char *what,
                                   const struct weiri_command_words *words)
{
    if (start->queue == 0 || self.command != 0) {
        return 0;
    }
    enter();
    begin(start, what, words);
    if (state.holds != NULL) {
        weiri_command_holds_begin(state.holds, start, self.command);
    }
    leave();
    self.kind = kind;
    return self.command;
}

/* The command of this thread ends. Where it was the last one that took place, the host
 * has waited for all launches. Called with the lock held. */
static void end(void)
{
    bool all = false;
    self.command = 0;
    self.what = NULL;
    state.epoch++;
    if (--state.n_live == 0) {
        for (guint i = 0; i < state.ended->len; i++) {
            all = weiri_command_order_wait(weiri_commands_order(state.commands),
                                           g_array_index(state.ended, uint32_t, i));
        }
        if (all) {
            forget_all();
        }
        g_array_set_size(state.ended, 0);
        state.n_host_words = 0;
        state.undecided = false;
    }
}

void weiri_host_commands_end(uint32_t command)
{
    if (command != 0) {
        enter();
        end();
        leave();
    }
}

uint32_t weiri_host_commands_launch(const struct weir_device *device)
{
    if (self.command != 0 || !weiri_check_client_judges()
        || weiri_host_linger_alone()) {
        return 0;
    }
    enter();
    need_commands();
    state.device = device;
    begin(&(struct weiri_command_start){ .queue = state.launches }, NULL,
          &launch_words);
    leave();
    self.kind = WEIRI_COMMAND_KERNEL;
    return self.command;
}

void weiri_host_commands_launch_end(uint32_t command, struct weir_report *report,
                                    bool is_whole)
{
    if (!is_whole) {
        enter();
        state.was_ended = true;
        leave();
    }
    if (command == 0) {
        return;
    }
    weiri_host_linger(NULL);
    enter();
    if (state.undecided) {
        weiri_report_cut_short(
            report,
            g_strdup("another thread of the host made a launch or accesses at the same "
                     "time, which atomics may order: races of the two are not decided"),
            NULL, NULL);
    }
    g_array_append_val(state.ended, command);
    end();
    leave();
}

/* Whether it is of another context than the command that runs on this thread. */
static bool is_foreign(const struct memory *memory)
{
    return memory != NULL && !memory->ordered && memory->context != self.context;
}

/* The command accesses such memory at @address. Called with the lock held. */
static struct weiri_command_race foreign_access(
    const void *address, const struct weiri_command_access *access)
{
    return (struct weiri_command_race){
        .first = *weiri_commands_commander(state.commands, self.command),
        .at_first = *access,
        .address = address,
        .count = 1,
    };
}

static void hand_over_foreign(const struct weiri_command_race *foreign)
{
    struct weir_report *report = weiri_report_new();
    struct weiri_objects *objects = objects_now();
    weiri_command_foreign_report(state.commands, foreign, objects, report);
    weiri_objects_free(objects);
    hand_over(report);
}

void weiri_host_commands_touch(const void *start, size_t bytes, bool writes,
                               const struct weir_site *site)
{
    if (self.command == 0) {
        return;
    }
    enter();
    const struct memory *memory = memory_at(start);
    if (memory == NULL || !memory->ordered) {
        const struct weiri_command_place place
            = { .trail = { .site = site }, .reads = !writes, .writes = writes };
        const struct weiri_command_access access
            = { .place = weiri_commands_place(state.commands, &place) };
        weiri_commands_touch_range(state.commands, self.command, start, bytes, &access);
        hand_over_races();
        if (is_foreign(memory) && is_new_fault("context", site)) {
            const struct weiri_command_race foreign = foreign_access(start, &access);
            hand_over_foreign(&foreign);
        }
    }
    leave();
}

/* ---- Launches -------------------------------------------------------------------- */

/* The accesses of a launch become a command's. */
struct taking {
    struct weiri_race *race;
    const struct weiri_call_tree *call_tree;
    GArray *places; /* of uint32_t: by the number of the race detector; 0: not known */
    const struct weiri_object *object; /* of the latest access */
    bool ordered;                      /* that is a buffer's memory */
    bool hidden;                       /* from the host */
    bool talks;                        /* see struct weiri_commander */
    bool foreign; /* the first access to memory of another context: */
    struct weiri_command_race access;
    struct weiri_command_relation relation;
};

static uint32_t place_of(struct taking *taking, const struct weiri_race_point *point)
{
    if (point->place >= taking->places->len) {
        g_array_set_size(taking->places, point->place + 1);
    }
    uint32_t *number = &g_array_index(taking->places, uint32_t, point->place);
    if (*number == 0) {
        struct weiri_race_access made = weiri_race_access_at(taking->race, point);
        struct weiri_trail trail
            = weiri_trail_of(taking->call_tree, made.site, made.pc, made.calls);
        trail.site = made.site;
        const struct weiri_command_place place = { .trail = trail,
                                                   .reads = made.reads,
                                                   .writes = made.writes,
                                                   .atomic = made.atomic,
                                                   .kind = made.kind,
                                                   .order = made.order,
                                                   .scope = made.scope };
        *number = weiri_commands_place(state.commands, &place);
        taking->talks = taking->talks
            || (made.atomic && made.scope == memory_scope_system && !taking->hidden);
    }
    return *number;
}

static void take(void *data, const struct weiri_race_left *left)
{
    struct taking *taking = data;
    bool foreign = false;
    if (taking->object != left->object) {
        const struct memory *memory = memory_at(left->object->start);
        taking->object = left->object;
        taking->ordered = memory != NULL && memory->ordered;
        taking->hidden = memory != NULL && memory->hidden;
        foreign = is_foreign(memory);
    }
    if (!taking->ordered) {
        const struct weiri_command_access access
            = { .group = left->point.group,
                .item = left->point.item,
                .place = place_of(taking, &left->point) };
        weiri_commands_touch(state.commands, self.command, left->word, left->bytes,
                             &access, &taking->relation);
        if (foreign && !taking->foreign) {
            taking->foreign = true;
            taking->access = foreign_access(left->word, &access);
        }
    }
}

void weiri_host_commands_launched(struct weiri_launch *launch, struct weiri_race *race)
{
    if (self.command == 0 || self.kind != WEIRI_COMMAND_KERNEL) {
        return;
    }
    enter();
    struct taking taking = { .race = race,
                             .call_tree = launch->call_tree,
                             .places = g_array_new(FALSE, TRUE, sizeof(uint32_t)) };
    weiri_commands_set_kernel(state.commands, self.command, launch->kernel,
                              &launch->shape, false);
    weiri_race_each_left(race, launch->objects, take, &taking);
    weiri_commands_set_kernel(state.commands, self.command, launch->kernel,
                              &launch->shape, taking.talks);
    g_autoptr(GArray) races = take_races(&state.undecided, taking.talks);
    for (guint i = 0; i < races->len; i++) {
        weiri_command_race_report(state.commands,
                                  &g_array_index(races, struct weiri_command_race, i),
                                  launch->objects, state.words, launch->report);
    }
    if (taking.foreign) {
        weiri_command_foreign_report(state.commands, &taking.access, launch->objects,
                                     launch->report);
    }
    g_array_unref(taking.places);
    leave();
}

/* ---- The host waits -------------------------------------------------------------- */

/* The host goes on later: see host/linger.h. */
static void linger(void)
{
    /* relaxed: see observe() */
    if (self.command == 0 && __atomic_load_n(&state.open, __ATOMIC_RELAXED)) {
        weiri_host_linger(NULL);
    }
}

void weiri_host_commands_wait(uint32_t command, const void *pc)
{
    if (command != 0) {
        linger();
        enter();
        waited(weiri_command_order_wait(weiri_commands_order(state.commands), command),
               pc);
        leave();
    }
}

void weiri_host_commands_wait_queue(uint32_t queue, const void *pc)
{
    if (queue != 0) {
        linger();
        enter();
        waited(
            weiri_command_order_wait_queue(weiri_commands_order(state.commands), queue),
            pc);
        leave();
    }
}

void weiri_host_commands_wait_buffer(const void *buffer, bool writes, const void *pc)
{
    linger();
    enter();
    const struct memory *memory = memory_at(buffer);
    if (state.commands != NULL && memory != NULL) {
        waited(weiri_command_order_wait_buffer(weiri_commands_order(state.commands),
                                               (const void *)memory->start, writes),
               pc);
    }
    leave();
}

uint32_t weiri_host_commands_hold(const void *buffer, bool writes, const void *pc,
                                  const char *why)
{
    if (!weiri_check_client_judges() || self.command != 0) {
        return 0;
    }
    enter();
    const struct memory *memory = memory_at(buffer);
    const struct weiri_command_hold hold
        = { .buffer = memory != NULL ? (const void *)memory->start : NULL,
            .writes = writes,
            .thread = &self,
            .trail = weiri_host_place_trail(pc) };
    if (state.holds == NULL) {
        state.holds = weiri_command_holds_new();
    }
    state.held_why = why;
    uint32_t held
        = hold.buffer != NULL ? weiri_command_holds_add(state.holds, &hold) : 0;
    leave();
    return held;
}

void weiri_host_commands_let_go(uint32_t hold)
{
    if (hold != 0) {
        enter();
        weiri_command_holds_remove(state.holds, hold);
        leave();
    }
}

void weiri_host_commands_close(void)
{
    enter();
    state.device = NULL;
    if (state.commands != NULL) {
        weiri_commands_forget_all(state.commands);
    }
    leave();
    weiri_access_observe_host(NULL);
}

const void *weiri_host_commands_buffer(const void *address)
{
    enter();
    const struct memory *memory = memory_at(address);
    const void *start = memory != NULL ? (const void *)memory->start : NULL;
    leave();
    return start;
}

void weiri_host_commands_freed(const void *start, const struct weir_site *site)
{
    enter();
    const struct memory *memory = memory_at(start);
    if (memory != NULL && state.commands != NULL && !memory->ordered
        && weiri_commands_hold(state.commands, start, memory->bytes)) {
        const struct weiri_command_race *race
            = weiri_commands_unwaited(state.commands, start, memory->bytes);
        if (race != NULL && is_new((uint64_t)race->at_first.place << 32)) {
            struct weir_report *report = weiri_report_new();
            struct weiri_objects *objects = objects_now();
            weiri_command_free_report(state.commands, race, site, objects, state.words,
                                      report);
            weiri_objects_free(objects);
            hand_over(report);
        }
        weiri_commands_forget(state.commands, start, memory->bytes);
    }
    if (memory != NULL) {
        g_tree_remove(state.memories, start);
    }
    leave();
}

void weiri_host_commands_forget(const void *start)
{
    enter();
    const struct memory *memory = memory_at(start);
    if (memory != NULL && state.commands != NULL) {
        weiri_commands_forget(state.commands, start, memory->bytes);
    }
    if (memory != NULL) {
        g_tree_remove(state.memories, start);
    }
    leave();
}

void weiri_host_commands_limit(struct weir_device *device, void *start,
                               const struct weiri_window *windows, size_t n)
{
    weiri_memory_limit(device, start, windows, n);
}

void weiri_host_commands_rename(struct weir_device *device, void *start,
                                const char *name, size_t element_bytes)
{
    weiri_memory_rename(device, start, name, element_bytes);
}

bool weiri_host_commands_adopt(struct weir_device *device, void *start, size_t bytes,
                               size_t element_bytes, const char *name)
{
    bool adopted = weiri_memory_adopt(device, start, bytes, element_bytes, name);
    if (adopted) {
        weiri_host_commands_new(start, bytes);
        weiri_host_commands_memory(device, start, bytes, false);
    }
    return adopted;
}

void weiri_host_commands_release(struct weir_device *device, void *start)
{
    weiri_host_commands_forget(start);
    weiri_memory_release(device, start);
}

void weiri_host_commands_static(const void *start, size_t bytes)
{
    weiri_statics_limit(start, bytes);
}

bool weiri_host_commands_unwritten(const void *start, size_t offset, size_t bytes)
{
    const unsigned char *at = start;
    size_t i = offset;
    while (i < offset + bytes
           && at[i] == weiri_memory_poison_byte(i, WEIRI_POISON_PLAIN)) {
        i++;
    }
    return bytes > 0 && i == offset + bytes;
}

/* ---- Calls of the interface ------------------------------------------------------ */

void weiri_host_commands_outside(bool (*outside)(void *data), void *data)
{
    self.outside = outside;
    self.outside_data = data;
}

bool (*weiri_host_commands_outside_of(void **data))(void *data)
{
    *data = self.outside_data;
    return self.outside;
}

bool weiri_host_commands_orderly(void)
{
    return weiri_check_client_orders();
}

void weiri_host_commands_ready(void)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    if (line != NULL) {
        (void)weiri_check_client_line(line, NULL);
    }
    weiri_host_linger_own();
}

void weiri_host_commands_linger(void)
{
    weiri_host_linger(NULL);
}

bool weiri_host_commands_wanted(void)
{
    return weiri_check_client_judges();
}

const struct weir_site *weiri_host_commands_site(const void *pc)
{
    return weiri_host_place_site(pc);
}

void weiri_host_commands_error(const char *function, const char *message,
                               const struct weir_site *site)
{
    static const struct weir_kernel none = { .name = "" };
    static GHashTable *said; /* places and messages; state.lock */
    g_autofree char *key = g_strdup_printf("%s:%u:%s", site != NULL ? site->file : "",
                                           site != NULL ? site->line : 0, message);
    enter();
    if (said == NULL) {
        said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    }
    bool is_first = !state.was_ended && g_hash_table_add(said, g_steal_pointer(&key));
    leave();
    if (!is_first) {
        return;
    }
    struct weir_report *report = weiri_report_new();
    struct weiri_draft draft = { .kind = WEIR_FINDING_API_ERROR,
                                 .kernel = &none,
                                 .count = 1,
                                 .message = g_strdup(message) };
    struct weir_party party = { .state = WEIR_STATE_HOST, .operation = function };
    struct weiri_trail trail = { .site = site };
    weiri_draft_init(&draft);
    weiri_draft_take(&draft, &party, &trail);
    weiri_report_add(report, &draft);
    hand_over(report);
}
