/* SPDX-License-Identifier: MIT
 *
 * memory.h: the memory of a device: allocations of weir_new(), with their names; for a
 * while, allocations that weir_free() freed; and for a while the addresses that local
 * memory had in checked launches that have ended. */
#ifndef WEIRI_MEMORY_H
#define WEIRI_MEMORY_H

#include "weir-kernel.h"
#include "weir.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct weir_device;
struct weiri_group;

/* An address in no memory that is so near to some is taken for a wrong index into it.
 * Farther away it is so up to weiri_memory_far(), as an index into a matrix that is
 * scaled twice may be. Guards are not counted. */
enum { WEIRI_NEAR_BYTES = 1024 * 1024 };

/** How far from memory of @bytes an address may be and still be meant for it. */
static inline size_t weiri_memory_far(size_t bytes)
{
    enum { LEAST = 64 * 1024 * 1024, TIMES = 16 };
    return bytes < LEAST / TIMES    ? LEAST
        : bytes <= SIZE_MAX / TIMES ? TIMES * bytes
                                    : bytes;
}

/* Bytes of some memory that a launch may use. */
struct weiri_window {
    size_t offset, bytes;
    bool read_only, write_only; /* else both */
};

/* The state of a part of memory that is given out in blocks while kernels run. */
enum weiri_part {
    WEIRI_PART_LIVE,  /* all of it is in one block, */
    WEIRI_PART_FREED, /* or in one that was given back, */
    WEIRI_PART_NONE,  /* or some of it is in none */
};
typedef enum weiri_part (*weiri_part_of)(const volatile void *address, size_t bytes);

struct weiri_memory {
    void *start;
    size_t bytes;         /* as requested */
    size_t element_bytes; /* the same */
    char *low; /* of the reserved range: guards, and between them @start and */
    size_t mapped_bytes; /* whole pages */
    size_t low_bytes;    /* reserved from @low on */
    char *name;          /* owned */
    GArray *windows;     /* of struct weiri_window: all that kernels may use; or NULL */
    weiri_part_of part_of; /* what of it is in use now; NULL: all is */
    bool adopted;          /* it is the host's: see weiri_memory_adopt() */
};

/* Local memory of a checked launch that has ended. Its addresses are kept without
 * pages, so that a pointer that outlives its launch is recognised. */
struct weiri_retired {
    char *base;
    size_t bytes;
    GArray *arrays; /* of struct weiri_memory: the launch's last local arrays, in order
                       of addresses. From @low on, @low_bytes are the array's alone */
};

/** The index of the element at @at, which may lie outside. */
static inline int64_t weiri_memory_index(const volatile void *start,
                                         size_t element_bytes, const volatile void *at)
{
    int64_t bytes = (int64_t)((uintptr_t)at - (uintptr_t)start);
    int64_t unit = (int64_t)element_bytes;
    return bytes >= 0 ? bytes / unit : -((unit - 1 - bytes) / unit);
}

/* The contents of unwritten memory. */
enum weiri_poison {
    WEIRI_POISON_PLAIN,    /* in every launch; the others only in a rerun */
    WEIRI_POISON_OPPOSITE, /* all bits of the former inverted */
    WEIRI_POISON_NAN,      /* no number as a float or a double, and a large integer:
                              0 times this value is not 0 */
};

/**
 * weiri_memory_poison:
 * @word: index of a word of four bytes in its memory
 *
 * The value of a word that was never written. It depends on the index, so that neither
 * zeros nor a copy of other memory look like it. No byte of plain poison is a small
 * number, a truth value or a letter: hosts write those one by one, between bytes of
 * padding, and a byte that was written must differ from the poison.
 */
static inline uint32_t weiri_memory_poison(size_t word, enum weiri_poison poison)
{
    /* Odd factors and shifts: each step maps one to one. The factors are of no hash in
     * common use, since hosts fill their input with those. */
    uint32_t hash = (uint32_t)(word + 1) * 0xd35a2e97;
    hash ^= hash >> 15;
    hash *= 0xa94f63cb;
    hash ^= hash >> 13;
    hash |= 0x80808080;
    return poison == WEIRI_POISON_PLAIN   ? hash
        : poison == WEIRI_POISON_OPPOSITE ? ~hash
                                          : 0x7ff80000 | (~hash & 0x0007ffff);
}

/** The byte at @offset of memory that was never written. */
static inline unsigned char weiri_memory_poison_byte(size_t offset,
                                                     enum weiri_poison poison)
{
    uint32_t word = weiri_memory_poison(offset / sizeof(word), poison);
    unsigned char bytes[sizeof(word)];
    memcpy(bytes, &word, sizeof(word));
    return bytes[offset % sizeof(word)];
}

/** Fills memory with plain poison; @start is the start of word 0. */
void weiri_memory_fill(void *start, size_t bytes);

/** weir_memory_new() and weir_free() without their checks. weiri_memory_free() returns
 *  false if @memory is not the device's. */
void *weiri_memory_new(struct weir_device *device, size_t n, size_t element_bytes,
                       const char *name, GError **error);
bool weiri_memory_free(struct weir_device *device, void *memory);

/** Memory of the host becomes memory of the device, without guards, until it is
 *  released. Returns: false if some of it is memory of the device already */
bool weiri_memory_adopt(struct weir_device *device, void *start, size_t bytes,
                        size_t element_bytes, const char *name);
void weiri_memory_release(struct weir_device *device, void *start);

/** Names memory anew, and states what its elements are: for interfaces that know this
 *  only after memory was allocated. @start: of weiri_memory_new(), else nothing
 *  happens. Between launches only */
void weiri_memory_rename(struct weir_device *device, void *start, const char *name,
                         size_t element_bytes);

/** Kernels may use these @n parts of the memory alone, until it is limited anew; 0 is
 *  all of it. @start: of weiri_memory_new(), else nothing happens. Between launches
 *  only */
void weiri_memory_limit(struct weir_device *device, void *start,
                        const struct weiri_window *windows, size_t n);

/** Kernels may use the blocks alone that @part_of knows. @start: of weiri_memory_new(),
 *  else nothing happens. Between launches only */
void weiri_memory_divide(struct weir_device *device, void *start,
                         weiri_part_of part_of);

/** A checked launch has ended: the device becomes the owner of its local memory, a
 *  mapping, and of @retired's array. */
void weiri_memory_retire(struct weir_device *device,
                         const struct weiri_retired *retired);

/**
 * weiri_memory_name:
 * @group: whose local memory is searched, too
 * @index: (out): the element of the object
 * @space: (out): "local" or "global"; NULL without a name
 *
 * Returns: (transfer full): the name of the object that holds @address, which of local
 *          memory is weiri_array_name(); or %NULL
 */
char *weiri_memory_name(const struct weir_device *device,
                        const struct weiri_group *group, const volatile void *address,
                        uint64_t *index, const char **space);

/**
 * weiri_memory_describe:
 * @language: of the kernel that runs
 * @is_mapped: @address is mapped, if only as a guard
 * @text: (out): what @address is, as the object of a sentence, in @room bytes:
 *        "in[20000] of 72 elements", or the nearest memory and its distance
 *
 * For signal handlers: allocates nothing, and does not wait for the device's lock.
 *
 * Returns: false if no memory of the device is near, or if the lock is taken
 */
bool weiri_memory_describe(const struct weir_device *device,
                           enum weir_language language, const void *address,
                           bool is_mapped, char *text, size_t room);

/** A hash of the contents of all memory of the device and of the program's statics. */
uint64_t weiri_memory_fingerprint(const struct weir_device *device);

/** @hash continued with the @bytes at @data. */
uint64_t weiri_fingerprint(uint64_t hash, const void *data, size_t bytes);

/** Unmaps all memory of a device that is about to be freed. */
void weiri_memory_free_all(struct weir_device *device);

#endif
