/* SPDX-License-Identifier: MIT
 *
 * poison-rerun.c: see poison-rerun.h. The first run writes a tape of its steps, and the
 * others compare themselves with it: each ends as soon as it differs. All are children
 * of one process in one state, so that addresses and everything else that a run depends
 * on are the same, but for chance.
 *
 * First all reads in question get the opposite poison. Mostly nothing differs; if not,
 * one read at a time gets it. Then reads that changed nothing, but read more than
 * padding, get a poison that is not a number: garbage that is multiplied by 0 matters.
 * Before a read is reported, one more run in which all get the plain poison must not
 * differ: nothing is proven of a launch that depends on the time of day. */
#include "config.h"

#include "watch/poison-rerun.h"

#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads that are tried one by one; further reads share the last run. */
enum { MOST_RUNS = 8 };
/* The number of steps that the tape has singly: 32 MiB. After these it has one step in
 * STRIDE, so that the place of a difference is not known exactly. */
enum { MOST_SINGLE = 4 * 1024 * 1024 };
enum { STRIDE = 1024 };
enum { MOST_STRIDES = 4 * 1024 * 1024 };

enum outcome {
    LOST, /* the process was killed */
    LIMITED,
    ENDED,
};

/* Shared with the processes. */
struct weiri_tape {
    enum outcome outcome;
    bool writes; /* this run writes the tape */
    bool copies_count;
    const struct weiri_uninit *uninit;
    struct weiri_changed changed;
    uint64_t n;                       /* steps of this run, */
    uint64_t hash;                    /* and their hash */
    uint64_t n_written, hash_written; /* the same of the run that wrote the tape */
    size_t image_bytes;               /* room for device memory */
    size_t image_used;
    char *image;
    uint64_t hashes[MOST_SINGLE + MOST_STRIDES];
};

/* ---- In the processes ---------------------------------------------------- */

static _Noreturn void end_different(struct weiri_tape *tape,
                                    const struct weiri_changed *changed)
{
    tape->changed = *changed;
    tape->outcome = ENDED;
    _exit(0);
}

static inline uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

static inline void step(struct weiri_tape *tape, uint64_t hash, enum weiri_change kind,
                        const struct weir_site *site, const void *pc)
{
    uint64_t n = tape->n++, at = n;
    tape->hash = mix(tape->hash, hash);
    if (n >= MOST_SINGLE) {
        at = MOST_SINGLE + (n - MOST_SINGLE) / STRIDE;
        if (n % STRIDE != STRIDE - 1 || at >= MOST_SINGLE + MOST_STRIDES) {
            return;
        }
    }
    if (tape->writes) {
        tape->hashes[at] = tape->hash;
    } else if (n >= tape->n_written || tape->hashes[at] != tape->hash) {
        bool exact = n < MOST_SINGLE;
        end_different(
            tape,
            &(struct weiri_changed){ .kind = exact ? kind : WEIRI_CHANGES_COURSE,
                                     .site = exact ? site : NULL,
                                     .pc = exact ? pc : NULL });
    }
}

enum weiri_verdict weiri_tape_event(void *self, const struct weiri_event *event)
{
    struct weiri_tape *tape = self;
    if (event->kind == WEIRI_EVENT_COMPARE) {
        uint64_t operands = mix(event->operands[0], event->operands[1]);
        step(tape, mix(operands, (uintptr_t)event->pc), WEIRI_CHANGES_COMPARISON, NULL,
             event->pc);
        return WEIRI_GOES_ON;
    }
    const struct weiri_object *object = event->object;
    uint64_t hash = mix((uint64_t)event->kind << 32 | event->access, event->item);
    if (event->group != NULL) {
        hash = mix(hash, event->group->shape.group_linear);
    }
    hash = mix(hash, (uintptr_t)event->site ^ (uintptr_t)event->pc);
    hash = mix(hash, event->op);
    hash = mix(hash, event->bytes);
    uintptr_t address = (uintptr_t)event->address;
    if (object != NULL) {
        hash = mix(hash,
                   (uintptr_t)(object->site != NULL ? (const void *)object->site
                                                    : object->start));
        address -= (uintptr_t)object->start;
    }
    step(tape, mix(hash, address), WEIRI_CHANGES_COURSE, event->site, event->pc);
    return WEIRI_GOES_ON;
}

/* Whether a byte of memory shows that this run differs from the first. An unwritten
 * byte does not. Nor does a byte of opposite poison, if only padding was read: then it
 * was copied. */
static bool differs(const struct weiri_tape *tape,
                    const struct weiri_uninit_piece *piece, size_t i)
{
    unsigned char before = (unsigned char)tape->image[tape->image_used + i];
    unsigned char now = (unsigned char)piece->start[i];
    bool unwritten = (piece->unwritten[i / 64] >> i % 64 & 1) != 0;
    return before != now && !unwritten
        && (tape->copies_count || now != (unsigned char)~before);
}

static bool all_as_first(struct weiri_tape *tape,
                         const struct weiri_uninit_piece *piece)
{
    if (memcmp(tape->image + tape->image_used, piece->start, piece->bytes) == 0) {
        return true;
    }
    for (size_t i = 0; i < piece->bytes; i++) {
        if (differs(tape, piece, i)) {
            tape->changed = (struct weiri_changed){ .kind = WEIRI_CHANGES_MEMORY,
                                                    .address = piece->start + i };
            return false;
        }
    }
    return true;
}

/* Compares the rest when the run has ended. */
static void compare_ends(struct weiri_tape *tape)
{
    struct weiri_uninit_piece piece = { 0 };
    if (tape->writes) {
        tape->n_written = tape->n;
        tape->hash_written = tape->hash;
    } else if (tape->n != tape->n_written || tape->hash != tape->hash_written) {
        tape->changed.kind = WEIRI_CHANGES_COURSE;
        return;
    }
    while (weiri_uninit_next_piece(tape->uninit, &piece)
           && piece.bytes <= tape->image_bytes - tape->image_used) {
        if (tape->writes) {
            memcpy(tape->image + tape->image_used, piece.start, piece.bytes);
        } else if (!all_as_first(tape, &piece)) {
            return;
        }
        tape->image_used += piece.bytes;
    }
}

/* Keeps the process from printing, dumping core, and outliving its parent. */
static void be_quiet(unsigned seconds)
{
    sigset_t alarms;
    struct rlimit none = { 0, 0 };
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++) {
        dup2(nowhere, fd);
    }
    signal(SIGALRM, SIG_DFL);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(seconds);
}

static _Noreturn void run_child(struct weiri_tape *tape, struct weiri_uninit *uninit,
                                weiri_run_again run, void *data, unsigned seconds)
{
    be_quiet(seconds);
    weiri_uninit_rewind(uninit);
    enum outcome outcome = run(data, tape) ? ENDED : LIMITED;
    if (outcome == ENDED) {
        compare_ends(tape);
    }
    tape->outcome = outcome;
    _exit(0);
}

/* ---- In the parent ------------------------------------------------------- */

struct judge {
    struct weiri_uninit *uninit;
    weiri_run_again run;
    void *data;
    unsigned seconds;
    struct weiri_tape *tape;
};

/* Runs the launch in a process, and puts the difference on the tape. Returns: why that
 * failed, or NULL */
static char *run_once(const struct judge *judge)
{
    struct weiri_tape *tape = judge->tape;
    tape->outcome = LOST;
    tape->changed = (struct weiri_changed){ .kind = WEIRI_CHANGES_NOTHING };
    tape->n = tape->hash = tape->image_used = 0;
    pid_t child = fork();
    if (child == 0) {
        run_child(tape, judge->uninit, judge->run, judge->data, judge->seconds);
    }
    if (child < 0) {
        return g_strdup_printf("cannot start a process: %s", g_strerror(errno));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (tape->outcome == ENDED) {
        return NULL;
    }
    bool limited = tape->outcome == LIMITED
        || (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
    return g_strdup(limited ? "a limit was reached" : "it was ended by a signal");
}

/* Whether a read remains to be tried with that poison. */
static bool is_open(const struct weiri_uninit_read *read, enum weiri_poison poison)
{
    return !read->raced && read->changed.kind == WEIRI_CHANGES_NOTHING
        && (read->whole || poison == WEIRI_POISON_OPPOSITE);
}

/* Gives the poison to the open reads from @first to @last. Returns: whether one of them
 * is of more than padding */
static bool place(struct weiri_uninit *uninit, size_t first, size_t last,
                  enum weiri_poison poison)
{
    bool whole = false;
    for (size_t i = 0; i < weiri_uninit_n_reads(uninit); i++) {
        struct weiri_uninit_read *read = weiri_uninit_read(uninit, i);
        bool gets = i >= first && i <= last && is_open(read, poison);
        read->poison = gets ? poison : WEIRI_POISON_PLAIN;
        whole |= gets && read->whole;
    }
    return whole;
}

/* Runs once and compares with the tape. */
static char *run_against(const struct judge *judge, size_t first, size_t last,
                         enum weiri_poison poison, bool copies_count,
                         struct weiri_changed *changed)
{
    bool whole = place(judge->uninit, first, last, poison);
    judge->tape->copies_count = whole || copies_count;
    char *failure = run_once(judge);
    *changed = judge->tape->changed;
    return failure;
}

static size_t n_open(struct weiri_uninit *uninit, enum weiri_poison poison)
{
    size_t n = 0;
    for (size_t i = 0; i < weiri_uninit_n_reads(uninit); i++) {
        n += is_open(weiri_uninit_read(uninit, i), poison);
    }
    return n;
}

/* Sets what each open read changes. @any: (in, out): set if one changes something */
static char *try_each(const struct judge *judge, enum weiri_poison poison, bool *any)
{
    size_t n = weiri_uninit_n_reads(judge->uninit), n_runs = 0;
    char *failure = NULL;
    for (size_t i = 0; failure == NULL && i < n && n_runs < MOST_RUNS; i++) {
        struct weiri_uninit_read *read = weiri_uninit_read(judge->uninit, i);
        if (is_open(read, poison)) {
            size_t last = ++n_runs < MOST_RUNS ? i : n - 1;
            failure = run_against(judge, i, last, poison, false, &read->changed);
            read->changed.poison = poison;
            *any |= read->changed.kind != WEIRI_CHANGES_NOTHING;
        }
    }
    return failure;
}

/* All open reads at once, and if that changes something, one by one. */
static char *try_poison(const struct judge *judge, enum weiri_poison poison, bool *any)
{
    size_t n = n_open(judge->uninit, poison);
    struct weiri_changed changed = { .kind = WEIRI_CHANGES_COURSE };
    char *failure = NULL;
    if (n > 1) {
        failure = run_against(judge, 0, SIZE_MAX, poison, false, &changed);
    }
    return n == 0 || failure != NULL || changed.kind == WEIRI_CHANGES_NOTHING
        ? failure
        : try_each(judge, poison, any);
}

static void clear_changes(struct weiri_uninit *uninit)
{
    for (size_t i = 0; i < weiri_uninit_n_reads(uninit); i++) {
        weiri_uninit_read(uninit, i)->changed.kind = WEIRI_CHANGES_NOTHING;
    }
}

static char *judge_all(const struct judge *judge)
{
    struct weiri_changed changed;
    bool any = false;
    place(judge->uninit, 0, SIZE_MAX, WEIRI_POISON_PLAIN);
    judge->tape->writes = true;
    char *failure = run_once(judge);
    judge->tape->writes = false;
    if (failure == NULL) {
        failure = try_poison(judge, WEIRI_POISON_OPPOSITE, &any);
    }
    if (failure == NULL) {
        failure = try_poison(judge, WEIRI_POISON_NAN, &any);
    }
    if (failure == NULL && any) {
        failure = run_against(judge, 0, SIZE_MAX, WEIRI_POISON_PLAIN, true, &changed);
        if (changed.kind != WEIRI_CHANGES_NOTHING) {
            clear_changes(judge->uninit);
        }
    }
    if (failure != NULL) {
        clear_changes(judge->uninit);
    }
    return failure;
}

char *weiri_poison_rerun_judge(struct weiri_uninit *uninit, weiri_run_again run,
                               void *data, unsigned seconds)
{
    if (n_open(uninit, WEIRI_POISON_OPPOSITE) == 0) {
        return NULL;
    }
    size_t image_bytes = weiri_uninit_touched(uninit);
    size_t bytes = sizeof(struct weiri_tape) + image_bytes;
    struct weiri_tape *tape = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tape == MAP_FAILED) {
        return g_strdup_printf("no memory for %zu bytes: %s", bytes, g_strerror(errno));
    }
    tape->uninit = uninit;
    tape->image = (char *)(tape + 1);
    tape->image_bytes = image_bytes;
    struct judge judge = { uninit, run, data, seconds, tape };
    char *failure = judge_all(&judge);
    munmap(tape, bytes);
    return failure;
}

/* ---- Reporting ----------------------------------------------------------- */

/* " at tree.c:12", or nothing where the place is not known. */
static char *place_text(const struct weiri_changed *changed,
                        const struct weiri_symbols *symbols)
{
    struct weir_frame frame;
    if (changed->site != NULL) {
        return g_strdup_printf(" at %s:%u", changed->site->file, changed->site->line);
    }
    if (changed->pc != NULL && symbols->frames != NULL
        && symbols->frames(changed->pc, &frame, 1) > 0 && frame.file != NULL) {
        return g_strdup_printf(" at %s:%u", frame.file, frame.line);
    }
    return g_strdup("");
}

static char *effect_text(const struct weiri_changed *changed,
                         struct weiri_objects *objects,
                         const struct weiri_symbols *symbols)
{
    g_autofree char *place = place_text(changed, symbols);
    if (changed->kind == WEIRI_CHANGES_COMPARISON) {
        return g_strdup_printf("a comparison%s", place);
    }
    if (changed->kind == WEIRI_CHANGES_COURSE) {
        return g_strdup_printf("what follows%s", place);
    }
    struct weiri_object *slot;
    const struct weiri_object *object
        = weiri_objects_look_up(objects, changed->address, &slot);
    weiri_assert(object != NULL);
    g_autofree char *name = weiri_object_name(object, changed->address);
    return g_strdup_printf("what %s[%" G_GINT64_FORMAT "] holds at the end", name,
                           weiri_object_index(object, changed->address));
}

static char *why_text(const struct weiri_changed *changed,
                      struct weiri_objects *objects,
                      const struct weiri_symbols *symbols)
{
    g_autofree char *effect = effect_text(changed, objects, symbols);
    return g_strdup_printf("its value decides %s%s", effect,
                           changed->poison == WEIRI_POISON_NAN ? WEIRI_UNINITIALIZED_NAN
                                                               : "");
}

static void report_one(const struct weiri_uninit_read *read,
                       const struct weiri_shape *launched,
                       const struct weir_kernel *kernel,
                       const struct weiri_call_tree *call_tree,
                       struct weiri_objects *objects,
                       const struct weiri_symbols *symbols, struct weir_report *report)
{
    const struct weiri_object *object = &read->object;
    struct weiri_draft draft = { .kind = WEIR_FINDING_UNINITIALIZED_READ,
                                 .kernel = kernel,
                                 .group_linear = read->group,
                                 .count = read->count };
    struct weiri_shape shape = *launched;
    weiri_group_place(&shape, read->group);
    weiri_draft_init(&draft);
    struct weir_party party = weiri_party_new(WEIR_STATE_RUNNING, &shape, read->site,
                                              NULL, 0, &read->item, 1);
    if (read->access != 0) {
        weiri_party_set_access(&party, true,
                               (read->access & WEIRI_ACCESS_BIT_WRITE) != 0);
    } else {
        weiri_party_set_atomic(&party, read->atomic, read->order, read->scope);
    }
    struct weiri_trail trail
        = weiri_trail_of(call_tree, read->site, read->pc, read->calls);
    weiri_draft_take(&draft, &party, &trail);
    draft.space = weiri_object_space(object);
    draft.object = weiri_object_name(object, read->address);
    draft.index = weiri_object_index(object, read->address);
    draft.why = why_text(&read->changed, objects, symbols);
    draft.message = weiri_uninitialized_message(kernel, &party, object, read->address);
    weiri_report_add(report, &draft);
}

void weiri_poison_rerun_report(struct weiri_uninit *uninit,
                               const struct weiri_shape *shape,
                               const struct weir_kernel *kernel,
                               const struct weiri_call_tree *call_tree,
                               struct weiri_objects *objects,
                               const struct weiri_symbols *symbols,
                               struct weir_report *report)
{
    for (size_t i = 0; i < weiri_uninit_n_reads(uninit); i++) {
        const struct weiri_uninit_read *read = weiri_uninit_read(uninit, i);
        if (read->changed.kind != WEIRI_CHANGES_NOTHING) {
            report_one(read, shape, kernel, call_tree, objects, symbols, report);
        }
    }
}
