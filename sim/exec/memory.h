/* SPDX-License-Identifier: MIT
 *
 * memory.h: device memory: what weir_new() gave out, with its name, and for a while
 * what weir_free() got back. */
#ifndef WEIRI_MEMORY_H
#define WEIRI_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_device;
struct weiri_group;

/* An address that is nothing's is thought to be meant for memory that is so near; for
 * memory that is further away it may be, as an index into a matrix that is scaled
 * twice. Guards come on top. */
enum { WEIRI_NEAR_BYTES = 1024 * 1024 };

/** How far it may be for memory of @bytes. */
static inline size_t weiri_memory_far(size_t bytes)
{
    enum { LEAST = 64 * 1024 * 1024, TIMES = 16 };
    return bytes < LEAST / TIMES    ? LEAST
        : bytes <= SIZE_MAX / TIMES ? TIMES * bytes
                                    : bytes;
}

struct weiri_memory {
    void *start;
    size_t bytes;         /* as asked for */
    size_t element_bytes; /* the same */
    char *low;            /* of what is reserved: guards, and between them @start and */
    size_t mapped_bytes;  /* whole pages */
    size_t low_bytes;     /* reserved from @low on */
    char *name;
};

/**
 * weiri_memory_poison:
 * @word: index of four bytes of memory
 *
 * What they hold that nobody has written: a number that depends on the place, so that
 * neither zeros nor a copy of other memory look like it. No byte of it is a small
 * number, a truth value or a letter: hosts write these one by one, between bytes of
 * padding, and what one writes must not look as if nobody had.
 */
static inline uint32_t weiri_memory_poison(size_t word, bool opposite)
{
    /* Odd: one to one, as all here. And of no hash that is in common use: hosts fill
     * their input with those. */
    uint32_t hash = (uint32_t)(word + 1) * 0xd35a2e97;
    hash ^= hash >> 15;
    hash *= 0xa94f63cb;
    hash ^= hash >> 13;
    hash |= 0x80808080;
    return opposite ? ~hash : hash;
}

/** Fills memory with it; @start is that of word 0. */
void weiri_memory_fill(void *start, size_t bytes, bool opposite);

/**
 * weiri_memory_name:
 * @group: whose local memory is looked at too
 * @index: (out): the element of the object
 *
 * Returns: (transfer full): the name of the object that holds @address, "local array
 *          of FILE:LINE" for local memory; or %NULL
 */
char *weiri_memory_name(const struct weir_device *device,
                        const struct weiri_group *group, const volatile void *address,
                        uint64_t *index);

/**
 * weiri_memory_tell_near:
 * @is_there: it is mapped, if only as a guard
 * @text: (out): what lies at @address, as the object of a sentence, in @room bytes:
 *        "in[20000] of 72 elements", or which memory is how far away
 *
 * For a handler of signals: allocates nothing, and does not wait for the device.
 *
 * Returns: false where no memory of the device is near
 */
bool weiri_memory_tell_near(const struct weir_device *device, const void *address,
                            bool is_there, char *text, size_t room);

/** A number that tells the contents of all memory of the device, and of the program's
 *  statics, from others. */
uint64_t weiri_memory_fingerprint(const struct weir_device *device);

/** @hash with @bytes more at @data. */
uint64_t weiri_fingerprint(uint64_t hash, const void *data, size_t bytes);

/** Unmaps all memory of the device; its table is gone after it. */
void weiri_memory_free_all(struct weir_device *device);

#endif
