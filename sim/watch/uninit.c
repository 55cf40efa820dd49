/* SPDX-License-Identifier: MIT
 *
 * uninit.c: see uninit.h. One bit a byte states that the byte is unwritten. Memory is
 * divided into chunks, and an untouched chunk costs nothing: the first access to a
 * chunk of device memory copies the chunk and looks where it holds poison. Most chunks
 * hold none, and a later access to such a chunk costs one comparison.
 *
 * Invariants: an unwritten byte holds its poison, or the opposite poison where a read
 * was to get that, as far as writes are seen. A write that was not seen is noticed when
 * the byte is read. */
#include "config.h"

#include "watch/uninit.h"

#include "exec/memory.h"
#include "watch/write-log.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Short names of what is in the header. */
enum {
    CHUNK_BYTES = WEIRI_UNINIT_CHUNK_BYTES,
    UNTOUCHED = WEIRI_UNINIT_UNTOUCHED,
    MIXED = WEIRI_UNINIT_MIXED,
    WRITTEN = WEIRI_UNINIT_WRITTEN,
};
/* Bytes for one word of bits. */
enum { WORD = 64 };
/* Findings that one launch may report. After that many, the next one does not help to
 * fix the kernel. */
enum { MOST_READS = 64 };
/* Among this many random numbers, one may well equal its poison. In an array of more
 * words than this, a word of poison between written words is taken for written. */
enum { MOST_ALONE = 65536 };

/* The knowledge about an object's memory. */
struct memory {
    struct weiri_uninit_chunks chunks; /* first */
    const char *start;
    size_t bytes;
    size_t group; /* of a local array: the latest that had it */
    size_t room;  /* of a local or private one: bytes that have bits, */
    size_t left;  /* and bytes that are unwritten */
    size_t n_chunks;
    uint64_t *unwritten; /* a bit a byte */
    char *before;        /* of the device: what its touched chunks held */
    size_t mapped_bytes; /* the same: one mapping of all three arrays from @before on;
                            0: they are from malloc() */
};

struct weiri_uninit {
    bool poisons;
    bool again;          /* this is a rerun */
    GPtrArray *memories; /* of struct memory */
    struct weiri_uninit_read *reads;
    size_t n_reads;
    struct weiri_uninit_read *last; /* that was noted, or NULL */
    struct weiri_write_log
        writes; /* of memory that is neither the device's nor local */
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
    size_t n = 0;
    for (; offset < end; offset = offset / WORD * WORD + WORD) {
        uint64_t *word = &memory->unwritten[offset / WORD];
        uint64_t bits = *word & bits_of(offset, end);
        *word &= ~bits;
        n += (size_t)__builtin_popcountll(bits);
    }
    if (memory->left > 0 && (memory->left -= n) == 0) {
        memset(memory->chunks.states, WRITTEN, memory->n_chunks);
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
    bool touched = memory->chunks.states[offset / CHUNK_BYTES] != UNTOUCHED;
    memcpy(&held, (touched ? memory->before : memory->start) + offset, sizeof(held));
    return held == weiri_memory_poison(word, WEIRI_POISON_PLAIN);
}

/* Whether a word that holds its poison is unwritten, and not written so by chance. */
static bool is_poison(const struct memory *memory, size_t word)
{
    size_t n = memory->bytes / sizeof(uint32_t);
    return n <= MOST_ALONE || word == 0 || word == n - 1
        || held_poison(memory, word - 1) || held_poison(memory, word + 1);
}

/* Called at the first access to a chunk of device memory. */
static __attribute__((noinline)) void open_chunk(const struct weiri_uninit *uninit,
                                                 struct memory *memory, size_t chunk)
{
    size_t offset = chunk * CHUNK_BYTES;
    size_t end = MIN(offset + CHUNK_BYTES, memory->bytes);
    memcpy(memory->before + offset, memory->start + offset, end - offset);
    memory->chunks.states[chunk] = WRITTEN;
    if (!uninit->poisons) {
        return;
    }
    /* Part of a word, at the end, may well equal its poison by chance. */
    for (size_t word = offset / sizeof(uint32_t); (word + 1) * sizeof(uint32_t) <= end;
         word++) {
        size_t at = word * sizeof(uint32_t);
        uint32_t held;
        memcpy(&held, memory->before + at, sizeof(held));
        if (__builtin_expect(held == weiri_memory_poison(word, WEIRI_POISON_PLAIN), 0)
            && is_poison(memory, word)) {
            memory->chunks.states[chunk] = MIXED;
            memory->unwritten[at / WORD] |= bits_of(at, at + sizeof(held));
        }
    }
}

static struct memory *memory_of_device(struct weiri_uninit *uninit,
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
        g_error("no memory for a copy of %zu bytes: check a smaller launch",
                object->bytes);
    }
    memory->unwritten = (uint64_t *)(void *)(memory->before + n_bytes);
    memory->chunks.states = (uint8_t *)(memory->unwritten + n_bytes / WORD);
    g_ptr_array_add(uninit->memories, memory);
    return memory;
}

static void free_memory(void *data)
{
    struct memory *memory = data;
    if (memory->mapped_bytes > 0) {
        munmap(memory->before, memory->mapped_bytes);
    } else {
        g_free(memory->unwritten);
        g_free(memory->chunks.states);
    }
    g_free(memory);
}

/* A local array or a private variable, of which nothing was written. */
static struct memory *fresh_memory(struct weiri_uninit *uninit,
                                   struct weiri_object *object)
{
    struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_UNINIT];
    struct memory *memory = shadow->cells;
    if (memory == NULL) {
        memory = shadow->cells = g_new0(struct memory, 1);
        g_ptr_array_add(uninit->memories, memory);
    }
    memory->group = object->group;
    memory->start = object->start;
    memory->bytes = object->bytes;
    memory->n_chunks = (object->bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
    size_t n_bytes = memory->n_chunks * CHUNK_BYTES;
    if (n_bytes > memory->room) {
        memory->room = n_bytes;
        memory->unwritten = g_renew(uint64_t, memory->unwritten, n_bytes / WORD);
        memory->chunks.states
            = g_renew(uint8_t, memory->chunks.states, memory->n_chunks);
    }
    memory->left = object->bytes;
    if (memory->n_chunks > 0) {
        memset(memory->chunks.states, MIXED, memory->n_chunks);
        memset(memory->unwritten, 0xff,
               (object->bytes + WORD - 1) / WORD * sizeof(uint64_t));
    }
    for (size_t i = 0; object->members != NULL && i < object->bytes; i++) {
        if (object->members[i % object->element_bytes] != 'x') {
            set_written(memory, i, i + 1);
        }
    }
    return memory;
}

/* An item asks for a local array. For the first item of the group it is a fresh one. */
static struct memory *local_array(struct weiri_uninit *uninit,
                                  struct weiri_object *object)
{
    struct memory *memory = object->shadow[WEIRI_SHADOW_UNINIT].cells;
    return memory != NULL && memory->group == object->group
            && memory->start == object->start && memory->bytes == object->bytes
        ? memory
        : fresh_memory(uninit, object);
}

static __attribute__((noinline)) struct memory *new_memory(struct weiri_uninit *uninit,
                                                           struct weiri_object *object)
{
    struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_UNINIT];
    shadow->cells = weiri_object_is_local(object) ? local_array(uninit, object)
                                                  : memory_of_device(uninit, object);
    shadow->n = 1;
    return shadow->cells;
}

/* ---- Reads of unwritten bytes -------------------------------------------- */

/* A report shows the local arrays of one site as one object. */
static bool is_same_object(const struct weiri_object *a, const struct weiri_object *b)
{
    return a->site == b->site && (a->site != NULL || a->start == b->start);
}

static bool is_at(const struct weiri_uninit_read *read, const struct weir_site *site,
                  const void *pc, uint32_t calls, const struct weiri_object *object)
{
    return read->site == site && read->pc == pc && read->calls == calls
        && is_same_object(&read->object, object);
}

static void fill(struct weiri_uninit_read *read, const struct weiri_event *event,
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
    const struct weiri_maker reader
        = { read->group, read->item,
            read->access == 0
                ? weiri_access_of_atomic(read->atomic)
                : weiri_access_of(true, (read->access & WEIRI_ACCESS_BIT_WRITE) != 0) };
    weiri_finding_made(WEIR_FINDING_UNINITIALIZED_READ, &reader, NULL);
}

/* The record of the read. A missing one is made, but not in a rerun. */
static struct weiri_uninit_read *note(struct weiri_uninit *uninit,
                                      const struct weiri_event *event,
                                      const char *address)
{
    struct weiri_uninit_read *read = uninit->last;
    if (read == NULL
        || !is_at(read, event->site, event->pc, event->calls, event->object)) {
        read = NULL;
        for (size_t i = 0; read == NULL && i < uninit->n_reads; i++) {
            if (is_at(&uninit->reads[i], event->site, event->pc, event->calls,
                      event->object)) {
                read = &uninit->reads[i];
            }
        }
    }
    if (uninit->again || (read == NULL && uninit->n_reads == MOST_READS)) {
        return read;
    }
    size_t group = event->group->shape.group_linear;
    if (read == NULL) {
        read = &uninit->reads[uninit->n_reads++];
        fill(read, event, address);
    } else if (group < read->group
               || (group == read->group && event->item < read->item)) {
        fill(read, event, address);
    }
    read->count++;
    uninit->last = read;
    return read;
}

/* Notices writes that were not seen: by libraries, and by the program's functions that
 * are not instrumented. @whole: they write all or none of these bytes, so that no byte
 * is taken for unwritten because it equals its poison by chance */
static void look_closely(const struct weiri_uninit *uninit, struct memory *memory,
                         size_t offset, size_t end, bool whole)
{
    for (size_t at = offset; at < end; at++) {
        unsigned char held = (unsigned char)memory->start[at];
        if (is_unwritten(memory, at)
            && held != weiri_memory_poison_byte(at, WEIRI_POISON_PLAIN)
            && !(uninit->again
                 && (held == weiri_memory_poison_byte(at, WEIRI_POISON_OPPOSITE)
                     || held == weiri_memory_poison_byte(at, WEIRI_POISON_NAN)))) {
            set_written(memory, whole ? offset : at, whole ? end : at + 1);
        }
    }
}

/* Whether half of an element of 2, 4 or 8 bytes is unwritten. That is not padding: no
 * padding of a struct is as large as the alignment of its members. */
static bool lacks_half(const struct memory *memory, size_t unit, size_t offset)
{
    size_t half = unit / 2;
    return (unit == 2 || unit == 4 || unit == 8)
        && (all_unwritten(memory, offset, offset + half)
            || all_unwritten(memory, offset + half, offset + unit));
}

/* Whether the access covers a part of some element that is all unwritten, or an element
 * of which half is. */
static bool takes_whole(const struct memory *memory, size_t element_bytes,
                        size_t offset, size_t end)
{
    size_t unit = MAX(element_bytes, 1);
    for (size_t next; offset < end; offset = next) {
        next = MIN(end, offset / unit * unit + unit);
        if (all_unwritten(memory, offset, next)
            || (next - offset == unit && lacks_half(memory, unit, offset))) {
            return true;
        }
    }
    return false;
}

/* In a rerun, sets the poison that a read is to get, regardless of earlier reads. */
static void place_poison(struct memory *memory, size_t offset, size_t end,
                         enum weiri_poison poison)
{
    for (; offset < end; offset++) {
        if (is_unwritten(memory, offset)) {
            ((unsigned char *)(uintptr_t)memory->start)[offset]
                = weiri_memory_poison_byte(offset, poison);
        }
    }
}

static __attribute__((noinline)) void read_unwritten(struct weiri_uninit *uninit,
                                                     const struct weiri_event *event,
                                                     struct memory *memory,
                                                     size_t offset, size_t end)
{
    /* For variables on the stack, the compiler itself makes such writes. */
    look_closely(uninit, memory, offset, end,
                 event->object->kind == WEIRI_OBJECT_PRIVATE);
    size_t first = offset;
    while (first < end && !is_unwritten(memory, first)) {
        first++;
    }
    if (first == end) {
        return;
    }
    struct weiri_uninit_read *read = note(uninit, event, memory->start + first);
    if (uninit->again) {
        place_poison(memory, offset, end,
                     read != NULL ? read->poison : WEIRI_POISON_PLAIN);
    } else if (read != NULL && !read->whole) {
        read->whole = event->object->kind == WEIRI_OBJECT_PRIVATE
            || takes_whole(memory, event->object->element_bytes, offset, end);
    }
}

/* Memory that is neither the device's nor local is about to be written. */
static __attribute__((noinline)) void keep(struct weiri_uninit *uninit,
                                           const struct weiri_event *event)
{
    if (!uninit->again) {
        weiri_write_log_keep(&uninit->writes, (const char *)event->address,
                             event->bytes);
    }
}

/* ---- Events -------------------------------------------------------------- */

/* Part of a word may have been written to equal its poison; or it is a member of a
 * struct whose neighbours are padding. So a read of part of a word counts only if its
 * whole element was unwritten when the launch began. */
static bool is_by_chance(struct weiri_uninit *uninit, const struct weiri_object *object,
                         struct memory *memory, size_t offset, size_t end)
{
    if (object->kind != WEIRI_OBJECT_GLOBAL || end - offset >= sizeof(uint32_t)
        || object->element_bytes <= end - offset) {
        return false;
    }
    size_t first = offset - offset % object->element_bytes;
    size_t last = MIN(first + object->element_bytes, object->bytes);
    for (size_t chunk = first / CHUNK_BYTES; chunk <= (last - 1) / CHUNK_BYTES;
         chunk++) {
        if (memory->chunks.states[chunk] == UNTOUCHED) {
            open_chunk(uninit, memory, chunk);
        }
    }
    bool held = true;
    for (size_t word = first / sizeof(uint32_t); word * sizeof(uint32_t) < last;
         word++) {
        held = held && held_poison(memory, word);
    }
    return !held;
}

static __attribute__((noinline)) void touch_mixed(struct weiri_uninit *uninit,
                                                  const struct weiri_event *event,
                                                  struct memory *memory, size_t offset,
                                                  size_t end, unsigned access)
{
    for (size_t chunk = offset / CHUNK_BYTES; chunk <= (end - 1) / CHUNK_BYTES;
         chunk++) {
        if (memory->chunks.states[chunk] == UNTOUCHED) {
            open_chunk(uninit, memory, chunk);
        }
    }
    if ((access & WEIRI_ACCESS_BIT_READ) != 0 && any_unwritten(memory, offset, end)
        && !is_by_chance(uninit, event->object, memory, offset, end)) {
        read_unwritten(uninit, event, memory, offset, end);
    }
    if ((access & WEIRI_ACCESS_BIT_WRITE) != 0) {
        set_written(memory, offset, end);
    }
}

/* @access: of enum weiri_access_bit; 0: a compare-exchange that may write, and is to be
 * noticed later */
static inline void touch(struct weiri_uninit *uninit, const struct weiri_event *event,
                         unsigned access)
{
    struct weiri_object *object = event->object;
    struct memory *memory = object->shadow[WEIRI_SHADOW_UNINIT].cells;
    if (__builtin_expect(memory == NULL, 0)) {
        memory = new_memory(uninit, object);
    }
    size_t offset = (uintptr_t)event->address - (uintptr_t)object->start;
    size_t end = offset + event->bytes, chunk = offset / CHUNK_BYTES;
    if (__builtin_expect(offset >= end || end > object->bytes, 0)) {
        return;
    }
    if ((end - 1) / CHUNK_BYTES != chunk || memory->chunks.states[chunk] != WRITTEN) {
        touch_mixed(uninit, event, memory, offset, end, access);
    }
}

void weiri_uninit_write(struct weiri_uninit_chunks *chunks, size_t offset, size_t bytes)
{
    struct memory *memory = (struct memory *)chunks;
    uint64_t bits = bits_of(offset, offset + bytes);
    uint64_t left = memory->unwritten[offset / WORD] & bits;
    if (left == bits
        && memory->left > bytes) { /* the first, but not the last to come */
        memory->unwritten[offset / WORD] &= ~bits;
        memory->left -= bytes;
    } else if (left != 0) {
        set_written(memory, offset, offset + bytes);
    }
}

static inline bool is_known(const struct weiri_object *object)
{
    return object != NULL
        && (object->kind == WEIRI_OBJECT_GLOBAL || weiri_object_is_local(object));
}

enum weiri_verdict weiri_uninit_access(void *self, const struct weiri_event *event)
{
    if (__builtin_expect(is_known(event->object), 1)) {
        touch(self, event, event->access);
    } else if ((event->access & WEIRI_ACCESS_BIT_WRITE) != 0) {
        keep(self, event);
    }
    return WEIRI_GOES_ON;
}

/* Whether a compare-exchange is about to write. Its operands show that for up to 8
 * bytes; that 16 bytes were written is noticed by the next read of them. */
static bool succeeds(const struct weiri_atomic_op *op)
{
    uint64_t held = 0;
    if (op->bytes > sizeof(held)) {
        return false;
    }
    memcpy(&held, (const void *)(uintptr_t)op->address, op->bytes);
    return held == op->expected;
}

/* Nothing else happens between this and the operation. */
enum weiri_verdict weiri_uninit_atomic(void *self, const struct weiri_event *event)
{
    enum weiri_atomic kind = event->atomic->kind;
    if (kind == WEIRI_ATOMIC_FENCE || kind == WEIRI_ATOMIC_REF) {
        return WEIRI_GOES_ON;
    }
    if (__builtin_expect(!is_known(event->object), 0)) {
        if (kind != WEIRI_ATOMIC_LOAD) {
            keep(self, event);
        }
    } else if (kind == WEIRI_ATOMIC_COMPARE_EXCHANGE) {
        touch(self, event, WEIRI_ACCESS_BIT_READ);
        touch(self, event, succeeds(event->atomic) ? WEIRI_ACCESS_BIT_WRITE : 0);
    } else {
        touch(self, event,
              (kind != WEIRI_ATOMIC_STORE ? WEIRI_ACCESS_BIT_READ : 0)
                  | (kind != WEIRI_ATOMIC_LOAD ? WEIRI_ACCESS_BIT_WRITE : 0));
    }
    return WEIRI_GOES_ON;
}

enum weiri_verdict weiri_uninit_array(void *self, const struct weiri_event *event)
{
    if (event->object != NULL) {
        local_array(self, event->object);
    }
    return WEIRI_GOES_ON;
}

enum weiri_verdict weiri_uninit_private(void *self, const struct weiri_event *event)
{
    if (event->kind == WEIRI_EVENT_PRIVATE) {
        fresh_memory(self, event->object);
    } else {
        touch(self, event, event->access);
    }
    return WEIRI_GOES_ON;
}

/* ---- Runs ---------------------------------------------------------------- */

struct weiri_uninit *weiri_uninit_new(bool poisons)
{
    struct weiri_uninit *uninit = g_new0(struct weiri_uninit, 1);
    uninit->poisons = poisons;
    uninit->memories = g_ptr_array_new_with_free_func(free_memory);
    uninit->reads = g_new0(struct weiri_uninit_read, MOST_READS);
    return uninit;
}

void weiri_uninit_free(struct weiri_uninit *uninit)
{
    if (uninit != NULL) {
        g_ptr_array_unref(uninit->memories);
        g_free(uninit->reads);
        weiri_write_log_clear(&uninit->writes);
        g_free(uninit);
    }
}

size_t weiri_uninit_n_reads(const struct weiri_uninit *uninit)
{
    return uninit->n_reads;
}

struct weiri_uninit_read *weiri_uninit_read(struct weiri_uninit *uninit, size_t index)
{
    return &uninit->reads[index];
}

void weiri_uninit_mark_raced(struct weiri_uninit *uninit, const struct weir_site *site,
                             const void *pc, uint32_t calls,
                             const struct weiri_object *object)
{
    for (size_t i = 0; i < uninit->n_reads; i++) {
        if (is_at(&uninit->reads[i], site, pc, calls, object)) {
            uninit->reads[i].raced = true;
        }
    }
}

size_t weiri_uninit_touched(const struct weiri_uninit *uninit)
{
    size_t bytes = 0;
    for (guint i = 0; i < uninit->memories->len; i++) {
        const struct memory *memory = g_ptr_array_index(uninit->memories, i);
        bytes += memory->mapped_bytes > 0 ? memory->bytes : 0;
    }
    return bytes;
}

bool weiri_uninit_next_piece(const struct weiri_uninit *uninit,
                             struct weiri_uninit_piece *piece)
{
    for (; piece->memory < uninit->memories->len; piece->memory++, piece->chunk = 0) {
        const struct memory *memory
            = g_ptr_array_index(uninit->memories, piece->memory);
        size_t n = memory->mapped_bytes > 0 ? memory->n_chunks : 0;
        for (; piece->chunk < n; piece->chunk++) {
            size_t offset = piece->chunk * CHUNK_BYTES;
            if (memory->chunks.states[piece->chunk] != UNTOUCHED) {
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

void weiri_uninit_rewind(struct weiri_uninit *uninit)
{
    struct weiri_uninit_piece piece = { 0 };
    while (weiri_uninit_next_piece(uninit, &piece)) {
        const struct memory *memory = g_ptr_array_index(uninit->memories, piece.memory);
        memcpy((char *)(uintptr_t)piece.start,
               memory->before + (piece.start - memory->start), piece.bytes);
    }
    weiri_write_log_restore(&uninit->writes);
    g_ptr_array_set_free_func(uninit->memories, NULL);
    g_ptr_array_set_size(uninit->memories, 0);
    uninit->again = true;
}
