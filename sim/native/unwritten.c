/* SPDX-License-Identifier: MIT
 *
 * unwritten.c: see unwritten.h. First the launch is explored as it was. Then all reads
 * in question get the opposite poison, and if something differs, one after the other.
 * Reads of more than padding get a poison that is not a number, too: garbage that is
 * multiplied by 0 matters. At the end it is explored as it was once more: if that
 * differs, the launch depends on chance, and nothing is proven. */
#include "config.h"

#include "native/unwritten.h"

#include "exec/group.h"
#include "native/holds.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads that are tried one by one; further reads share the last exploration. */
enum { MOST_TRIALS = 64 };

/* ---- Reads ----------------------------------------------------------------- */

void weiri_unwritten_read_free(void *data)
{
    struct weiri_unwritten_read *read = data;
    g_hash_table_unref(read->cells);
    g_free(read->changes);
    g_free(read);
}

static size_t offset_of(const struct weiri_native_cell *cell)
{
    return (size_t)((const volatile char *)cell->address - cell->object->start);
}

/* The part of an element that is read. */
struct taken {
    size_t bytes, unwritten;
    uint8_t at; /* of an element of up to 8 bytes: a bit for each that is unwritten */
};

/* Half of an element of 2, 4 or 8 bytes is not padding: no padding of a struct is as
 * large as the alignment of its members. */
static bool lacks_half(const struct taken *taken, size_t unit)
{
    unsigned low = (1u << unit / 2) - 1, high = low << unit / 2;
    return (unit == 2 || unit == 4 || unit == 8) && taken->bytes == unit
        && ((taken->at & low) == low || (taken->at & high) == high);
}

/* Whether the part of some element that is read is all unwritten, or half of an
 * element. */
static bool takes_whole(const struct weiri_machine *machine)
{
    size_t element = SIZE_MAX;
    struct taken taken = { 0 };
    bool whole = false;
    for (guint i = 0; i < machine->pieces_read->len && !whole; i++) {
        const struct weiri_unwritten_piece *piece
            = &g_array_index(machine->pieces_read, struct weiri_unwritten_piece, i);
        const struct weiri_native_cell *cell
            = weiri_cell_at(&machine->cells, piece->cell);
        size_t unit = MAX(cell->object->element_bytes, 1), offset = offset_of(cell);
        bool goes_on = i + 1 < machine->pieces_read->len;
        size_t next = !goes_on
            ? SIZE_MAX
            : offset_of(weiri_cell_at(&machine->cells,
                                      g_array_index(machine->pieces_read,
                                                    struct weiri_unwritten_piece, i + 1)
                                          .cell))
                / unit;
        if (offset / unit != element) {
            taken = (struct taken){ 0 };
        }
        element = offset / unit;
        taken.bytes += cell->bytes;
        taken.unwritten += (size_t)__builtin_popcount(piece->unwritten);
        taken.at |= (uint8_t)(unit <= 8 ? piece->unwritten << offset % unit : 0);
        whole = next != element
            && (taken.unwritten == taken.bytes || lacks_half(&taken, unit));
    }
    return whole;
}

/* A report shows the local arrays of one site as one object. */
static bool is_same_object(const struct weiri_object *a, const struct weiri_object *b)
{
    return a->site == b->site && (a->site != NULL || a->start == b->start);
}

static struct weiri_unwritten_read *find(const struct weiri_machine *machine,
                                         const struct weiri_request *request,
                                         const struct weiri_object *object)
{
    for (guint i = 0; i < machine->unwritten->len; i++) {
        struct weiri_unwritten_read *read = g_ptr_array_index(machine->unwritten, i);
        if (read->request.site == request->site && read->request.pc == request->pc
            && is_same_object(weiri_cell_at(&machine->cells, read->cell)->object,
                              object)) {
            return read;
        }
    }
    return NULL;
}

static struct weiri_unwritten_read *new_read(struct weiri_machine *machine)
{
    struct weiri_unwritten_read *read = g_new0(struct weiri_unwritten_read, 1);
    read->thread = UINT32_MAX;
    read->cells = g_hash_table_new(NULL, NULL);
    g_ptr_array_add(machine->unwritten, read);
    return read;
}

/* The read in that place of the first unwritten piece's object; NULL: it is not
 * known, or nothing is unwritten. @first: (out): that piece's cell */
static struct weiri_unwritten_read *known(const struct weiri_machine *machine,
                                          const struct weiri_request *request,
                                          uint32_t *first)
{
    *first = UINT32_MAX;
    for (guint i = 0; i < machine->pieces_read->len; i++) {
        const struct weiri_unwritten_piece *piece
            = &g_array_index(machine->pieces_read, struct weiri_unwritten_piece, i);
        if (piece->unwritten != 0) {
            *first = piece->cell;
            return find(machine, request,
                        weiri_cell_at(&machine->cells, piece->cell)->object);
        }
    }
    return NULL;
}

static void note(struct weiri_machine *machine, uint32_t thread,
                 const struct weiri_request *request, struct weiri_unwritten_read *read,
                 uint32_t first)
{
    if (thread < read->thread
        || (thread == read->thread && request->stop < read->request.stop)) {
        read->request = *request;
        read->thread = thread;
        read->cell = first;
    }
    read->whole = read->whole || takes_whole(machine);
    for (guint i = 0; i < machine->pieces_read->len; i++) {
        const struct weiri_unwritten_piece *piece
            = &g_array_index(machine->pieces_read, struct weiri_unwritten_piece, i);
        if (piece->unwritten != 0) {
            g_hash_table_add(read->cells, GUINT_TO_POINTER(piece->cell));
        }
    }
}

void weiri_unwritten_begin(struct weiri_machine *machine)
{
    if (machine->reads != WEIRI_UNWRITTEN_REPLACED) {
        machine->reads = WEIRI_UNWRITTEN_NOTED;
        g_ptr_array_set_size(machine->unwritten, 0);
    }
}

/* ---- Other garbage ------------------------------------------------------------
 *
 * A plain read gets the poison in memory when it is made, as other reads of the same
 * memory get theirs. An atomic operation may write what depends on what it reads, so
 * its memory holds the poison from the beginning. */

static int64_t poison_of(const struct weiri_cells *cells, uint32_t index,
                         enum weiri_poison poison)
{
    const struct weiri_native_cell *cell = weiri_cell_at(cells, index);
    uint8_t unwritten = weiri_cell_unwritten(cells, index);
    unsigned char bytes[sizeof(int64_t)] = { 0 };
    int64_t value = cell->initial;
    memcpy(bytes, &value, sizeof(bytes));
    for (size_t i = 0; i < cell->bytes; i++) {
        if ((unwritten >> i & 1) != 0) {
            bytes[i] = weiri_memory_poison_byte(offset_of(cell) + i, poison);
        }
    }
    memcpy(&value, bytes, sizeof(value));
    return value;
}

void weiri_unwritten_read(struct weiri_machine *machine, uint32_t thread,
                          const struct weiri_request *request)
{
    uint32_t first;
    if (machine->reads == WEIRI_UNWRITTEN_REPLACED && machine->cells.renumbered) {
        return; /* the reads name cells that are gone */
    }
    struct weiri_unwritten_read *read = known(machine, request, &first);
    if (first == UINT32_MAX) {
        return;
    }
    if (machine->reads == WEIRI_UNWRITTEN_NOTED) {
        note(machine, thread, request, read != NULL ? read : new_read(machine), first);
        return;
    }
    for (guint i = 0;
         i < machine->pieces_read->len && request->kind == WEIRI_REQUEST_READ; i++) {
        const struct weiri_unwritten_piece *piece
            = &g_array_index(machine->pieces_read, struct weiri_unwritten_piece, i);
        const struct weiri_native_cell *cell
            = weiri_cell_at(&machine->cells, piece->cell);
        if (piece->unwritten != 0) {
            weiri_cell_write(
                cell,
                poison_of(&machine->cells, piece->cell,
                          read != NULL ? read->poison : WEIRI_POISON_PLAIN));
        }
    }
}

/* A trial: the open reads from @first to @last get the poison. */
struct trial {
    guint first, last;
    enum weiri_poison poison;
};

static bool is_open(const struct weiri_unwritten_read *read, enum weiri_poison poison)
{
    return read->changes == NULL && (read->whole || poison == WEIRI_POISON_OPPOSITE);
}

static void place_in_memory(const struct weiri_machine *machine,
                            const struct weiri_unwritten_read *read)
{
    GHashTableIter cells;
    void *cell;
    g_hash_table_iter_init(&cells, read->cells);
    while (g_hash_table_iter_next(&cells, &cell, NULL)) {
        uint32_t index = GPOINTER_TO_UINT(cell);
        weiri_cell_begin_with(&machine->cells, index,
                              poison_of(&machine->cells, index, read->poison));
    }
}

/* Returns: whether one of the reads is of more than padding */
static bool place(const struct weiri_machine *machine, const struct trial *trial)
{
    bool whole = false;
    weiri_cells_restore(&machine->cells);
    for (guint i = 0; i < machine->unwritten->len; i++) {
        struct weiri_unwritten_read *read = g_ptr_array_index(machine->unwritten, i);
        bool gets
            = i >= trial->first && i < trial->last && is_open(read, trial->poison);
        read->poison = gets ? trial->poison : WEIRI_POISON_PLAIN;
        if (gets && read->request.kind == WEIRI_REQUEST_ATOMIC) {
            place_in_memory(machine, read);
        }
        whole |= gets && read->whole;
    }
    return whole;
}

/* ---- Trials ---------------------------------------------------------------- */

/* Shared with the processes. */
struct shared {
    bool ended, whole;
    struct weiri_unwritten_outcome outcome;
};

struct judge {
    struct weiri_machine *machine;
    weiri_unwritten_again again;
    void *self;
    struct shared *shared;
    struct weiri_unwritten_outcome first; /* with the first garbage */
};

static _Noreturn void explore(const struct judge *judge, const struct trial *trial)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    judge->machine->reads = WEIRI_UNWRITTEN_REPLACED;
    judge->machine->cells.renumbered = false;
    judge->shared->whole = place(judge->machine, trial);
    judge->shared->ended = judge->again(judge->self, &judge->shared->outcome);
    _exit(0);
}

/* Returns: (transfer full): why the outcome is missing, or NULL */
static char *run(const struct judge *judge, const struct trial *trial)
{
    *judge->shared = (struct shared){ .ended = false };
    pid_t child = fork();
    if (child == 0) {
        explore(judge, trial);
    }
    if (child < 0) {
        return g_strdup_printf("cannot start a process: %s", g_strerror(errno));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return judge->shared->ended ? NULL
        : WIFSIGNALED(status)
        ? g_strdup_printf("it was ended by signal %d", WTERMSIG(status))
        : g_strdup("a limit was reached");
}

/* Returns: (transfer full) */
static char *changed_cell(const struct weiri_unwritten_states *before,
                          const struct weiri_unwritten_states *now)
{
    g_autofree char *cell = weiri_holds_changed(before->holds, now->holds);
    return g_strdup_printf("what %s holds at the end", cell != NULL ? cell : "memory");
}

/* The difference from the first outcome, or NULL. If only padding was read, memory that
 * holds a copy of the garbage does not count; values computed from it do. */
static char *difference(const struct judge *judge)
{
    const struct weiri_unwritten_outcome *now = &judge->shared->outcome;
    bool whole = judge->shared->whole;
    const struct weiri_unwritten_states *before
        = whole ? &judge->first.all : &judge->first.but_copies;
    const struct weiri_unwritten_states *after = whole ? &now->all : &now->but_copies;
    if (now->renumbered) {
        return g_strdup("what items do");
    }
    if (before->hash != after->hash) {
        return changed_cell(before, after);
    }
    return now->course != judge->first.course
            || memcmp(now->counts, judge->first.counts, sizeof(now->counts)) != 0
        ? g_strdup("what items do")
        : NULL;
}

static bool differs(const struct judge *judge)
{
    g_autofree char *what = difference(judge);
    return what != NULL;
}

/* The reason that a finding gets. */
static char *reason(const struct judge *judge, enum weiri_poison poison)
{
    g_autofree char *what = difference(judge);
    return what == NULL
        ? NULL
        : g_strdup_printf("its value decides %s%s", what,
                          poison == WEIRI_POISON_NAN ? WEIRI_UNINITIALIZED_NAN : "");
}

/* All open reads at once, and if that changes something, one by one. */
static char *try_poison(const struct judge *judge, enum weiri_poison poison)
{
    GPtrArray *reads = judge->machine->unwritten;
    guint n_open = 0, n_trials = 0;
    for (guint i = 0; i < reads->len; i++) {
        n_open += is_open(g_ptr_array_index(reads, i), poison);
    }
    struct trial trial = { 0, reads->len, poison };
    char *failure = n_open == 0 ? NULL : run(judge, &trial);
    if (n_open == 0 || failure != NULL || !differs(judge)) {
        return failure;
    }
    for (guint i = 0; failure == NULL && i < reads->len && n_trials < MOST_TRIALS;
         i++) {
        struct weiri_unwritten_read *read = g_ptr_array_index(reads, i);
        if (is_open(read, poison)) {
            n_trials++;
            trial.first = i;
            trial.last = n_trials < MOST_TRIALS ? i + 1 : reads->len;
            failure = n_open == 1 ? NULL : run(judge, &trial);
            read->changes = failure != NULL ? NULL : reason(judge, poison);
        }
    }
    return failure;
}

static int by_reader(const void *a, const void *b)
{
    const struct weiri_unwritten_read *one = *(struct weiri_unwritten_read *const *)a;
    const struct weiri_unwritten_read *other = *(struct weiri_unwritten_read *const *)b;
    int order = (one->thread > other->thread) - (one->thread < other->thread);
    uint64_t stop = one->request.stop, its = other->request.stop;
    return order != 0 ? order : (stop > its) - (stop < its);
}

static bool any_matters(const struct weiri_machine *machine)
{
    bool any = false;
    for (guint i = 0; i < machine->unwritten->len && !any; i++) {
        const struct weiri_unwritten_read *read
            = g_ptr_array_index(machine->unwritten, i);
        any = read->changes != NULL;
    }
    return any;
}

static char *judge_all(struct judge *judge)
{
    const struct trial as_it_was = { 0, 0, WEIRI_POISON_PLAIN };
    char *failure = run(judge, &as_it_was);
    judge->first = judge->shared->outcome;
    failure = failure != NULL ? failure : try_poison(judge, WEIRI_POISON_OPPOSITE);
    failure = failure != NULL ? failure : try_poison(judge, WEIRI_POISON_NAN);
    if (failure == NULL && any_matters(judge->machine)) {
        failure = run(judge, &as_it_was);
        judge->shared->whole = true;
        if (failure == NULL && differs(judge)) {
            g_ptr_array_set_size(judge->machine->unwritten, 0);
        }
    }
    return failure;
}

char *weiri_unwritten_judge(struct weiri_machine *machine, weiri_unwritten_again again,
                            void *self)
{
    if (machine->unwritten->len == 0) {
        return NULL;
    }
    g_ptr_array_sort(machine->unwritten, by_reader);
    void *shared = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return g_strdup_printf("no memory: %s", g_strerror(errno));
    }
    fflush(NULL); /* or each process might write what waits to be written */
    struct judge judge
        = { .machine = machine, .again = again, .self = self, .shared = shared };
    char *failure = judge_all(&judge);
    munmap(shared, sizeof(struct shared));
    return failure;
}

/* ---- Reports --------------------------------------------------------------- */

static void report(const struct weiri_machine *machine,
                   const struct weiri_unwritten_read *read)
{
    const struct weiri_launch *launch = machine->hub.launch;
    const struct weiri_request *request = &read->request;
    const struct weiri_native_cell *cell = weiri_cell_at(&machine->cells, read->cell);
    struct weiri_shape shape = launch->shape;
    uint32_t item = read->thread % machine->n_items;
    weiri_group_place(&shape, read->thread / machine->n_items);
    struct weiri_draft draft
        = { .kind = WEIR_FINDING_UNINITIALIZED_READ,
            .kernel = launch->kernel,
            .group_linear = shape.group_linear,
            .space = weiri_object_space(cell->object),
            .object = weiri_object_name(cell->object, cell->address),
            .index = weiri_object_index(cell->object, cell->address),
            .count = g_hash_table_size(read->cells) };
    weiri_draft_init(&draft);
    struct weir_party party
        = weiri_party_new(WEIR_STATE_RUNNING, &shape, request->site, NULL, 0, &item, 1);
    if (request->kind == WEIRI_REQUEST_ATOMIC) {
        weiri_party_set_atomic(&party, request->atomic.kind, request->atomic.order,
                               request->atomic.scope);
    } else {
        weiri_party_set_access(&party, true, false);
    }
    struct weiri_trail trail
        = weiri_trail_of(launch->call_tree, request->site, request->pc, 0);
    weiri_draft_take(&draft, &party, &trail);
    draft.message = weiri_uninitialized_message(launch->kernel, &party, cell->object,
                                                cell->address);
    draft.why = g_strdup(read->changes);
    weiri_report_add(launch->report, &draft);
}

void weiri_unwritten_report(const struct weiri_machine *machine)
{
    for (guint i = 0; i < machine->unwritten->len; i++) {
        const struct weiri_unwritten_read *read
            = g_ptr_array_index(machine->unwritten, i);
        if (read->changes != NULL) {
            report(machine, read);
        }
    }
}
