/* SPDX-License-Identifier: MIT
 *
 * init.c: see init.h. A bit tells of each byte whether it is unwritten. Memory is taken
 * in chunks, so that what nobody touches costs nothing: the first access to a chunk of
 * device memory keeps what it holds, and looks where that is poison. Most chunks have
 * none then, and an access to them is one comparison more.
 *
 * What a launch writes elsewhere, in the program's statics and in memory of the host, is
 * kept byte for byte: other things lie near, which are not to be put back.
 *
 * Invariants: a byte that is unwritten holds its poison, or the opposite of it where a
 * read was to get that, as far as writes are seen; what nobody told of is noticed when
 * the byte is read. */
#include "config.h"

#include "watch/init.h"

#include "base/assert.h"
#include "exec/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

/* A page: what the first access to it costs is little beside the fault. */
enum { CHUNK_BYTES = 4096 };
/* Bytes that one word of bits stands for. */
enum { WORD = 64 };
/* Places in the code and objects, in one launch. What more there are is not told: a
 * launch with so many findings is not mended by the next one. */
enum { MOST_READS = 64 };
/* Random numbers, and so many of them, may well hold one that is its place's poison: in
 * an array of more words one that stands alone is taken for written. */
enum { MOST_ALONE = 65536 };

enum state {
    UNTOUCHED,
    MIXED,   /* the bits tell */
    WRITTEN, /* all of it */
};

/* What is known of an object's memory. */
struct memory {
    const char *start;
    size_t bytes;
    size_t group; /* of a local array: whose it was last */
    size_t room;  /* of a local array: bytes that there are bits for */
    size_t n_chunks;
    uint8_t *states;     /* of enum state, by chunk */
    uint64_t *unwritten; /* a bit a byte */
    char *before; /* of the device: what its chunks held that are not untouched */
    size_t
        mapped_bytes; /* the same: from @before on, all three; 0: they are malloc()'s */
};

/* Bytes of other memory as they were; their address is a multiple of their number. */
struct line {
    uintptr_t at;  /* 0: this entry is free */
    uint64_t kept; /* a bit a byte */
    char before[WORD];
};

struct weiri_init {
    bool poisons;
    bool again;          /* this is another run */
    GPtrArray *memories; /* of struct memory */
    struct weiri_init_read *reads;
    size_t n_reads;
    struct weiri_init_read *last; /* that was noted, or NULL */
    struct line *lines;           /* open addressing; or NULL */
    size_t n_lines;
    size_t lines_mask;
};

/* ---- Bits ---------------------------------------------------------------- */

static inline uint64_t first_bits(size_t n)
{
    return n >= WORD ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

/* The bits of the bytes from @offset to @end that are in its word. */
static inline uint64_t bits_of(size_t offset, size_t end)
{
    return first_bits(end - offset) << offset % WORD;
}

static bool any_unwritten(const struct memory *memory, size_t offset, size_t end)
{
    for (; offset < end; offset = offset / WORD * WORD + WORD) {
        if ((memory->unwritten[offset / WORD] & bits_of(offset, end)) != 0) {
            return true;
        }
    }
    return false;
}

static bool all_unwritten(const struct memory *memory, size_t offset, size_t end)
{
    for (; offset < end; offset = offset / WORD * WORD + WORD) {
        if ((~memory->unwritten[offset / WORD] & bits_of(offset, end)) != 0) {
            return false;
        }
    }
    return true;
}

static void set_written(struct memory *memory, size_t offset, size_t end)
{
    for (; offset < end; offset = offset / WORD * WORD + WORD) {
        memory->unwritten[offset / WORD] &= ~bits_of(offset, end);
    }
}

static inline bool is_unwritten(const struct memory *memory, size_t offset)
{
    return (memory->unwritten[offset / WORD] >> offset % WORD & 1) != 0;
}

/* ---- Chunks -------------------------------------------------------------- */

/* Whether that word of memory held its poison when the launch began. */
static bool held_poison(const struct memory *memory, size_t word)
{
    size_t offset = word * sizeof(uint32_t);
    uint32_t held;
    if (offset + sizeof(held) > memory->bytes) {
        return false;
    }
    bool touched = memory->states[offset / CHUNK_BYTES] != UNTOUCHED;
    memcpy(&held, (touched ? memory->before : memory->start) + offset, sizeof(held));
    return held == weiri_memory_poison(word, false);
}

/* Whether it is too much of a chance that somebody has written just that. */
static bool is_poison(const struct memory *memory, size_t word)
{
    size_t n = memory->bytes / sizeof(uint32_t);
    return n <= MOST_ALONE || word == 0 || word == n - 1
        || held_poison(memory, word - 1) || held_poison(memory, word + 1);
}

/* The first access to a chunk of the device's. */
static __attribute__((noinline)) void open_chunk(const struct weiri_init *init,
                                                 struct memory *memory, size_t chunk)
{
    size_t offset = chunk * CHUNK_BYTES;
    size_t end = MIN(offset + CHUNK_BYTES, memory->bytes);
    memcpy(memory->before + offset, memory->start + offset, end - offset);
    memory->states[chunk] = WRITTEN;
    if (!init->poisons) {
        return;
    }
    /* A word that is cut off at the end could be written to be its poison by chance. */
    for (size_t word = offset / sizeof(uint32_t); (word + 1) * sizeof(uint32_t) <= end;
         word++) {
        size_t at = word * sizeof(uint32_t);
        uint32_t held;
        memcpy(&held, memory->before + at, sizeof(held));
        if (__builtin_expect(held == weiri_memory_poison(word, false), 0)
            && is_poison(memory, word)) {
            memory->states[chunk] = MIXED;
            memory->unwritten[at / WORD] |= bits_of(at, at + sizeof(held));
        }
    }
}

static struct memory *memory_of_device(struct weiri_init *init,
                                       struct weiri_object *object)
{
    struct memory *memory = g_new0(struct memory, 1);
    memory->start = object->start;
    memory->bytes = object->bytes;
    memory->n_chunks = (object->bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
    size_t n_bytes = memory->n_chunks * CHUNK_BYTES;
    memory->mapped_bytes
        = n_bytes + n_bytes / WORD * sizeof(uint64_t) + memory->n_chunks;
    memory->before = mmap(NULL, memory->mapped_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory->before == MAP_FAILED) {
        g_error("no memory to remember what %zu bytes held: check a smaller launch",
                object->bytes);
    }
    memory->unwritten = (uint64_t *)(void *)(memory->before + n_bytes);
    memory->states = (uint8_t *)(memory->unwritten + n_bytes / WORD);
    g_ptr_array_add(init->memories, memory);
    return memory;
}

static void free_memory(void *data)
{
    struct memory *memory = data;
    if (memory->mapped_bytes > 0) {
        munmap(memory->before, memory->mapped_bytes);
    } else {
        g_free(memory->unwritten);
        g_free(memory->states);
    }
    g_free(memory);
}

/* An item has asked for a local array; the first of its group, and it is a fresh one. */
static struct memory *local_array(struct weiri_init *init, struct weiri_object *object)
{
    struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_INIT];
    struct memory *memory = shadow->cells;
    if (memory != NULL && memory->group == object->group
        && memory->start == object->start && memory->bytes == object->bytes) {
        return memory;
    }
    if (memory == NULL) {
        memory = shadow->cells = g_new0(struct memory, 1);
        g_ptr_array_add(init->memories, memory);
    }
    memory->group = object->group;
    memory->start = object->start;
    memory->bytes = object->bytes;
    memory->n_chunks = (object->bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
    size_t n_bytes = memory->n_chunks * CHUNK_BYTES;
    if (n_bytes > memory->room) {
        memory->room = n_bytes;
        memory->unwritten = g_renew(uint64_t, memory->unwritten, n_bytes / WORD);
        memory->states = g_renew(uint8_t, memory->states, memory->n_chunks);
        memset(memory->states, MIXED, memory->n_chunks);
    }
    memset(memory->unwritten, 0xff,
           (object->bytes + WORD - 1) / WORD * sizeof(uint64_t));
    return memory;
}

static __attribute__((noinline)) struct memory *new_memory(struct weiri_init *init,
                                                           struct weiri_object *object)
{
    struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_INIT];
    shadow->cells = object->kind == WEIRI_OBJECT_LOCAL ? local_array(init, object)
                                                       : memory_of_device(init, object);
    shadow->n = 1;
    return shadow->cells;
}

/* ---- Other memory -------------------------------------------------------- */

/* Memory that a kernel is about to write may not be there: the system looks. Where it
 * does not let itself be asked, nothing is kept. */
static bool is_readable(uintptr_t at)
{
    char byte;
    const struct iovec here = { &byte, 1 }, there = { (void *)at, 1 };
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

static struct line *line_at(const struct weiri_init *init, uintptr_t at)
{
    size_t i = (at / WORD * 0x9e3779b97f4a7c15) >> 20 & init->lines_mask;
    while (init->lines[i].at != 0 && init->lines[i].at != at) {
        i = (i + 1) & init->lines_mask;
    }
    return &init->lines[i];
}

static void more_lines(struct weiri_init *init)
{
    struct line *old = init->lines;
    size_t n = old != NULL ? init->lines_mask + 1 : 0;
    init->lines_mask = MAX(2 * n, 64) - 1;
    init->lines = g_new0(struct line, init->lines_mask + 1);
    for (size_t i = 0; i < n; i++) {
        if (old[i].at != 0) {
            *line_at(init, old[i].at) = old[i];
        }
    }
    g_free(old);
}

/* Memory that is neither the device's nor local is about to be written. */
static __attribute__((noinline)) void keep(struct weiri_init *init, const char *address,
                                           size_t bytes)
{
    if (init->again) {
        return;
    }
    uintptr_t end = (uintptr_t)address + bytes;
    for (uintptr_t at = (uintptr_t)address; at < end; at = at / WORD * WORD + WORD) {
        if (2 * (init->n_lines + 1) > init->lines_mask) {
            more_lines(init);
        }
        struct line *line = line_at(init, at / WORD * WORD);
        if (line->at == 0) {
            if (!is_readable(at)) {
                return; /* the access faults */
            }
            line->at = at / WORD * WORD;
            init->n_lines++;
        }
        for (uintptr_t i = at % WORD; i < WORD && line->at + i < end; i++) {
            if ((line->kept >> i & 1) == 0) {
                line->kept |= (uint64_t)1 << i;
                line->before[i] = *(const char *)(line->at + i);
            }
        }
    }
}

static void put_back(const struct line *line)
{
    for (size_t i = 0; i < WORD; i++) {
        if ((line->kept >> i & 1) != 0) {
            *(char *)(line->at + i) = line->before[i];
        }
    }
}

/* ---- Reads of what nobody has written ------------------------------------ */

/* Objects are one to the reader where they are the local arrays of one site. */
static bool is_same_object(const struct weiri_object *a, const struct weiri_object *b)
{
    return a->site == b->site && (a->site != NULL || a->start == b->start);
}

static bool is_at(const struct weiri_init_read *read, const struct weir_site *site,
                  const void *pc, uint32_t calls, const struct weiri_object *object)
{
    return read->site == site && read->pc == pc && read->calls == calls
        && is_same_object(&read->object, object);
}

static void fill(struct weiri_init_read *read, const struct weiri_event *event,
                 const char *address)
{
    read->site = event->site;
    read->pc = event->pc;
    read->calls = event->calls;
    read->access = event->access;
    if (event->atomic != NULL) {
        read->access = 0;
        read->atomic = event->atomic->kind;
        read->order = event->atomic->order;
        read->scope = event->atomic->scope;
    }
    read->object = *event->object;
    read->address = address;
    read->group = event->group->shape.group_linear;
    read->item = (uint32_t)event->item;
}

/* The record of what @event reads; one is made unless this is another run. */
static struct weiri_init_read *note(struct weiri_init *init,
                                    const struct weiri_event *event,
                                    const char *address)
{
    struct weiri_init_read *read = init->last;
    if (read == NULL
        || !is_at(read, event->site, event->pc, event->calls, event->object)) {
        read = NULL;
        for (size_t i = 0; read == NULL && i < init->n_reads; i++) {
            if (is_at(&init->reads[i], event->site, event->pc, event->calls,
                      event->object)) {
                read = &init->reads[i];
            }
        }
    }
    if (init->again || (read == NULL && init->n_reads == MOST_READS)) {
        return read;
    }
    size_t group = event->group->shape.group_linear;
    if (read == NULL) {
        read = &init->reads[init->n_reads++];
        fill(read, event, address);
    } else if (group < read->group
               || (group == read->group && event->item < read->item)) {
        fill(read, event, address);
    }
    read->count++;
    init->last = read;
    return read;
}

static unsigned char poison_byte(size_t offset, bool opposite)
{
    uint32_t word = weiri_memory_poison(offset / sizeof(word), opposite);
    unsigned char bytes[sizeof(word)];
    memcpy(bytes, &word, sizeof(word));
    return bytes[offset % sizeof(word)];
}

/* Somebody who was not seen may have written: functions of libraries, and the program's
 * own that are not instrumented. */
static void look_closely(const struct weiri_init *init, struct memory *memory,
                         size_t offset, size_t end)
{
    for (; offset < end; offset++) {
        unsigned char held = (unsigned char)memory->start[offset];
        if (is_unwritten(memory, offset) && held != poison_byte(offset, false)
            && !(init->again && held == poison_byte(offset, true))) {
            set_written(memory, offset, offset + 1);
        }
    }
}

/* Whether of some element all that the access takes of it is unwritten. */
static bool takes_whole(const struct memory *memory, size_t element_bytes,
                        size_t offset, size_t end)
{
    size_t unit = MAX(element_bytes, 1);
    for (size_t next; offset < end; offset = next) {
        next = MIN(end, offset / unit * unit + unit);
        if (all_unwritten(memory, offset, next)) {
            return true;
        }
    }
    return false;
}

/* In another run a read gets the garbage that it is to get, whoever was here before. */
static void place_garbage(struct memory *memory, size_t offset, size_t end,
                          bool opposite)
{
    for (; offset < end; offset++) {
        if (is_unwritten(memory, offset)) {
            ((unsigned char *)(uintptr_t)memory->start)[offset]
                = poison_byte(offset, opposite);
        }
    }
}

static __attribute__((noinline)) void read_unwritten(struct weiri_init *init,
                                                     const struct weiri_event *event,
                                                     struct memory *memory,
                                                     size_t offset, size_t end)
{
    look_closely(init, memory, offset, end);
    size_t first = offset;
    while (first < end && !is_unwritten(memory, first)) {
        first++;
    }
    if (first == end) {
        return;
    }
    struct weiri_init_read *read = note(init, event, memory->start + first);
    if (init->again) {
        place_garbage(memory, offset, end, read != NULL && read->flips);
    } else if (read != NULL && !read->whole) {
        read->whole = takes_whole(memory, event->object->element_bytes, offset, end);
    }
}

/* ---- Events -------------------------------------------------------------- */

static __attribute__((noinline)) void touch_mixed(struct weiri_init *init,
                                                  const struct weiri_event *event,
                                                  struct memory *memory, size_t offset,
                                                  size_t end, unsigned access)
{
    for (size_t chunk = offset / CHUNK_BYTES; chunk <= (end - 1) / CHUNK_BYTES;
         chunk++) {
        if (memory->states[chunk] == UNTOUCHED) {
            open_chunk(init, memory, chunk);
        }
    }
    if ((access & WEIRI_ACCESS_READ) != 0 && any_unwritten(memory, offset, end)) {
        read_unwritten(init, event, memory, offset, end);
    }
    if ((access & WEIRI_ACCESS_WRITE) != 0) {
        set_written(memory, offset, end);
    }
}

/* @access: what is done to memory; 0: it is about to be written by an atomic */
static inline void touch(struct weiri_init *init, const struct weiri_event *event,
                         unsigned access)
{
    struct weiri_object *object = event->object;
    struct memory *memory = object->shadow[WEIRI_SHADOW_INIT].cells;
    if (__builtin_expect(memory == NULL, 0)) {
        memory = new_memory(init, object);
    }
    size_t offset = (uintptr_t)event->address - (uintptr_t)object->start;
    size_t end = offset + event->bytes, chunk = offset / CHUNK_BYTES;
    if (__builtin_expect(offset >= end || end > object->bytes, 0)) {
        return;
    }
    if ((end - 1) / CHUNK_BYTES != chunk || memory->states[chunk] != WRITTEN) {
        touch_mixed(init, event, memory, offset, end, access);
    }
}

static inline bool is_known(const struct weiri_object *object)
{
    return object != NULL
        && (object->kind == WEIRI_OBJECT_GLOBAL || object->kind == WEIRI_OBJECT_LOCAL);
}

static void access_plain(struct weiri_init *init, const struct weiri_event *event)
{
    if (__builtin_expect(is_known(event->object), 1)) {
        touch(init, event, event->access);
    } else if ((event->access & WEIRI_ACCESS_WRITE) != 0) {
        keep(init, (const char *)event->address, event->bytes);
    }
}

static void access_atomically(struct weiri_init *init, const struct weiri_event *event)
{
    enum weiri_atomic kind = event->atomic->kind;
    if (kind == WEIRI_ATOMIC_FENCE || kind == WEIRI_ATOMIC_REF) {
        return;
    }
    if (is_known(event->object)) {
        touch(init, event, kind != WEIRI_ATOMIC_STORE ? WEIRI_ACCESS_READ : 0);
    } else if (kind != WEIRI_ATOMIC_LOAD) {
        keep(init, (const char *)event->address, event->bytes);
    }
}

enum weiri_verdict weiri_init_event(void *self, const struct weiri_event *event)
{
    struct weiri_init *init = self;
    switch (event->kind) {
    case WEIRI_EVENT_ACCESS:
        access_plain(init, event);
        break;
    case WEIRI_EVENT_ATOMIC:
        access_atomically(init, event);
        break;
    case WEIRI_EVENT_ATOMIC_DONE:
        if (event->stored && is_known(event->object)) {
            touch(init, event, WEIRI_ACCESS_WRITE);
        }
        break;
    case WEIRI_EVENT_LOCAL_ARRAY:
        if (event->object != NULL) {
            local_array(init, event->object);
        }
        break;
    default:
        break;
    }
    return WEIRI_GOES_ON;
}

/* ---- Telling ------------------------------------------------------------- */

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

static char *why_text(const struct weiri_changed *changed,
                      struct weiri_objects *objects,
                      const struct weiri_symbols *symbols)
{
    g_autofree char *place = place_text(changed, symbols);
    if (changed->kind == WEIRI_CHANGES_COMPARISON) {
        return g_strdup_printf("its value decides a comparison%s", place);
    }
    if (changed->kind == WEIRI_CHANGES_COURSE) {
        return g_strdup_printf("its value decides what follows%s", place);
    }
    struct weiri_object *slot;
    const struct weiri_object *object
        = weiri_objects_look_up(objects, changed->address, &slot);
    weiri_assert(object != NULL);
    g_autofree char *name = weiri_object_name(object, changed->address);
    return g_strdup_printf("its value decides what %s[%" G_GINT64_FORMAT
                           "] holds in the end",
                           name, weiri_object_index(object, changed->address));
}

static void report_one(const struct weiri_init_read *read,
                       const struct weiri_shape *launched,
                       const struct weir_kernel *kernel,
                       const struct weiri_callers *callers,
                       struct weiri_objects *objects,
                       const struct weiri_symbols *symbols, struct weir_report *report)
{
    const struct weiri_object *object = &read->object;
    bool is_local = object->kind == WEIRI_OBJECT_LOCAL;
    struct weiri_draft draft = { .kind = WEIR_FINDING_UNINITIALIZED_READ,
                                 .kernel = kernel,
                                 .group_linear = read->group,
                                 .count = read->count };
    struct weiri_shape shape = *launched;
    weiri_group_place(&shape, read->group);
    weiri_draft_init(&draft);
    struct weir_party party
        = weiri_party_new("running", &shape, read->site, NULL, 0, &read->item, 1);
    if (read->access != 0) {
        weiri_party_set_access(&party, true, (read->access & WEIRI_ACCESS_WRITE) != 0);
    } else {
        weiri_party_set_atomic(&party, read->atomic, read->order, read->scope);
    }
    struct weiri_trail trail
        = weiri_trail_of(callers, read->site, read->pc, read->calls);
    weiri_draft_take(&draft, &party, &trail);
    draft.space = weiri_object_space(object);
    draft.object = weiri_object_name(object, read->address);
    draft.index = weiri_object_index(object, read->address);
    draft.why = why_text(&read->changed, objects, symbols);
    draft.remedy = g_strdup(
        is_local
            ? "write it first: weir_local_array() holds garbage until it is written"
            : "write it before the launch, or first in the kernel: weir_new() holds "
              "garbage until it is written");
    g_autofree char *group = weiri_coordinates(shape.group);
    g_autofree char *item = weiri_coordinates(party.item);
    size_t n = object->whole_bytes / object->element_bytes;
    draft.message = g_strdup_printf(
        "%s in kernel '%s', group %s, item %s: %s of %s[%" G_GINT64_FORMAT
        "] of %zu element%s, which nobody has written",
        weir_finding_kind_name(draft.kind), kernel->name, group, item, party.access,
        draft.object, draft.index, n, n == 1 ? "" : "s");
    weiri_report_add(report, &draft);
}

void weiri_init_report(const struct weiri_init *init, const struct weiri_shape *shape,
                       const struct weir_kernel *kernel,
                       const struct weiri_callers *callers,
                       struct weiri_objects *objects,
                       const struct weiri_symbols *symbols, struct weir_report *report)
{
    for (size_t i = 0; i < init->n_reads; i++) {
        if (init->reads[i].changed.kind != WEIRI_CHANGES_NOTHING) {
            report_one(&init->reads[i], shape, kernel, callers, objects, symbols,
                       report);
        }
    }
}

/* ---- Runs ---------------------------------------------------------------- */

struct weiri_init *weiri_init_new(bool poisons)
{
    struct weiri_init *init = g_new0(struct weiri_init, 1);
    init->poisons = poisons;
    init->memories = g_ptr_array_new_with_free_func(free_memory);
    init->reads = g_new0(struct weiri_init_read, MOST_READS);
    return init;
}

void weiri_init_free(struct weiri_init *init)
{
    if (init != NULL) {
        g_ptr_array_unref(init->memories);
        g_free(init->reads);
        g_free(init->lines);
        g_free(init);
    }
}

size_t weiri_init_n_reads(const struct weiri_init *init)
{
    return init->n_reads;
}

struct weiri_init_read *weiri_init_read(struct weiri_init *init, size_t index)
{
    return &init->reads[index];
}

void weiri_init_excuse(struct weiri_init *init, const struct weir_site *site,
                       const void *pc, uint32_t calls,
                       const struct weiri_object *object)
{
    for (size_t i = 0; i < init->n_reads; i++) {
        if (is_at(&init->reads[i], site, pc, calls, object)) {
            init->reads[i].excused = true;
        }
    }
}

size_t weiri_init_touched(const struct weiri_init *init)
{
    size_t bytes = 0;
    for (guint i = 0; i < init->memories->len; i++) {
        const struct memory *memory = g_ptr_array_index(init->memories, i);
        bytes += memory->mapped_bytes > 0 ? memory->bytes : 0;
    }
    return bytes;
}

bool weiri_init_next_piece(const struct weiri_init *init,
                           struct weiri_init_piece *piece)
{
    for (; piece->memory < init->memories->len; piece->memory++, piece->chunk = 0) {
        const struct memory *memory = g_ptr_array_index(init->memories, piece->memory);
        size_t n = memory->mapped_bytes > 0 ? memory->n_chunks : 0;
        for (; piece->chunk < n; piece->chunk++) {
            size_t offset = piece->chunk * CHUNK_BYTES;
            if (memory->states[piece->chunk] != UNTOUCHED) {
                piece->start = memory->start + offset;
                piece->bytes = MIN(CHUNK_BYTES, memory->bytes - offset);
                piece->unwritten = memory->unwritten + offset / WORD;
                piece->chunk++;
                return true;
            }
        }
    }
    return false;
}

void weiri_init_rewind(struct weiri_init *init)
{
    struct weiri_init_piece piece = { 0 };
    while (weiri_init_next_piece(init, &piece)) {
        const struct memory *memory = g_ptr_array_index(init->memories, piece.memory);
        memcpy((char *)(uintptr_t)piece.start,
               memory->before + (piece.start - memory->start), piece.bytes);
    }
    for (size_t i = 0; init->lines != NULL && i <= init->lines_mask; i++) {
        put_back(&init->lines[i]);
    }
    g_ptr_array_set_free_func(init->memories, NULL);
    g_ptr_array_set_size(init->memories, 0);
    init->again = true;
}
