/* SPDX-License-Identifier: MIT
 *
 * sycl-machine.h: the SYCL header's way into the library. C, and C++ where machine.hpp
 * includes it in a namespace of its own, so that it has no includes: before it comes
 * weir-machinery-shared.h. Everything here is called by the header alone. */
#ifndef WEIR_SYCL_MACHINE_H
#define WEIR_SYCL_MACHINE_H

/* ---- In kernels ---------------------------------------------------------------- */

/* A site as a pointer that no memory has: exec/site.h takes it apart. A sum, since to
 * LLVM that is a constant, which weir-split recognises. */
#define WEIRI_SITE_PACK(file, line)                                                    \
    ((uintptr_t)(file) + ((uintptr_t)((line)&0xffffu) << 47 | (uintptr_t)1 << 63))

/** The site of a place, the same one for the same place. @function: "operator()" is the
 *  body of the kernel that runs */
const struct weir_site *weiri_sycl_site(const char *file, unsigned line,
                                        const char *function) WEIRI_NOTHROW;

/** The same of local memory, with the name of the variable that line declares. */
const struct weir_site *weiri_sycl_local_site(const char *file, unsigned line,
                                              const char *function);

/* Declared in exec/combine.h, too. To the compiler it is pure: it drops the call where
 * nothing uses the result, and the addition stays put off. */
__attribute__((pure)) uint64_t weiri_combine_old(void *word, uint64_t value,
                                                 uint32_t bytes);

/* The function of weir-machinery.h, for C++: the group's next array. */
void *weiri_group_local_array(struct weir_group *group, size_t count,
                              size_t element_bytes, const struct weir_site *site);

/** Adds text to what the items of the running command print. */
void weiri_sycl_print(const char *text, size_t bytes) WEIRI_NOTHROW;

/* ---- Memory -------------------------------------------------------------------- */

enum weiri_sycl_kind {
    WEIRI_SYCL_UNKNOWN,
    WEIRI_SYCL_HOST,
    WEIRI_SYCL_DEVICE,
    WEIRI_SYCL_SHARED,
    WEIRI_SYCL_BUFFER,
};

/** @n elements of memory of the device, which reports name as the variable that line
 *  declares. @context: its number, but for a buffer; 0: the context of queues without
 *  one.
 *  Returns: NULL if the system refuses */
void *weiri_sycl_new(size_t n, size_t element_bytes, enum weiri_sycl_kind kind,
                     uint32_t context, const char *file, unsigned line);
/** Frees it, at that place; NULL is allowed. @context: as above; another one than that
 *  is a finding. */
void weiri_sycl_free(void *memory, uint32_t context, const char *file, unsigned line,
                     const char *function);
/** The kind of the memory that contains @address, and was allocated in @context. */
enum weiri_sycl_kind weiri_sycl_kind_of(const void *address, uint32_t context);

/* ---- The device ---------------------------------------------------------------- */

enum weiri_sycl_number {
    WEIRI_SYCL_MAX_WORK_GROUP_SIZE,
    WEIRI_SYCL_LOCAL_MEM_SIZE,
    WEIRI_SYCL_COMPUTE_UNITS,
    WEIRI_SYCL_SUB_GROUP_SIZE,
    WEIRI_SYCL_SUB_GROUP_SIZES,
    WEIRI_SYCL_ATOMIC_MEMORY_ORDERS,
    WEIRI_SYCL_ATOMIC_MEMORY_SCOPES,
    WEIRI_SYCL_FENCE_MEMORY_ORDERS,
    WEIRI_SYCL_FENCE_MEMORY_SCOPES,
    WEIRI_SYCL_ATOMIC64,
    WEIRI_SYCL_GLOBAL_MEM_SIZE,
};

uint64_t weiri_sycl_number_of(enum weiri_sycl_number which);
const char *weiri_sycl_device_name(void);
const char *weiri_sycl_version(void);

/* ---- Commands ------------------------------------------------------------------- */

enum weiri_sycl_command_kind {
    WEIRI_SYCL_KERNEL,
    WEIRI_SYCL_COPY, /* of memory, or a fill */
    WEIRI_SYCL_TASK, /* of the host */
};

/* A command that uses a buffer. */
struct weiri_sycl_use {
    const void *address; /* any of it */
    bool writes;
};

struct weiri_sycl_command {
    uint32_t queue;
    enum weiri_sycl_command_kind kind;
    const char *what;      /* "memcpy"; NULL of a kernel. A literal */
    const uint32_t *after; /* commands that it depends on */
    size_t n_after;
    const struct weiri_sycl_use *uses;
    size_t n_uses;
    bool barrier;
};

/** The number of a new queue. Outside of `weir check` these are all 0, as are numbers
 *  of commands. */
uint32_t weiri_sycl_queue(bool in_order, uint32_t context);
/** A command begins on this thread. Returns: its number */
uint32_t weiri_sycl_begin(const struct weiri_sycl_command *command);
void weiri_sycl_end(uint32_t command);
/** The command itself reads or writes memory, at a place of the program.
 *  Returns: whether it may; if not, there is a finding */
bool weiri_sycl_touch(const void *start, size_t bytes, bool writes, const char *file,
                      unsigned line, const char *function);

/** The host waits for a command, for a queue, and for commands that use a buffer. */
void weiri_sycl_wait(uint32_t command);
void weiri_sycl_wait_queue(uint32_t queue);
void weiri_sycl_wait_buffer(const void *address, bool writes);
/** The host learns that a command has ended. */
void weiri_sycl_has_ended(uint32_t command);
/** A host accessor lives: commands wait for its end. @header: a file of the folder of
 *  the SYCL header. Returns: its number, or 0 */
uint32_t weiri_sycl_hold(const void *address, bool writes, const char *header);
void weiri_sycl_let_go(uint32_t hold);

/* ---- Launches ------------------------------------------------------------------ */

/* The stackless form of a kernel, in the section of the program that has all of them.
 * @fast: the kernel's fast entry; @type: its function object's type, as a launch has
 * it. Its size is one cache line, so that the forms lie without gaps. */
struct weiri_sycl_split {
    struct weiri_split split;
    void (*fast)(struct weir_group *group, size_t first);
    const char *type;
    void (*item)(void); /* weir-split takes it out: it has the body */
} __attribute__((aligned(64)));

/* An array of local memory, and where in the arguments its address goes. */
struct weiri_sycl_local {
    uint32_t k; /* the number of the array */
    uint32_t offset;
    size_t count;
    size_t element_bytes;
    const struct weir_site *site;
};

struct weiri_sycl_locals {
    uint32_t n; /* places of addresses; places of one array follow each other */
    const struct weiri_sycl_local *of;
    size_t scratch_bytes; /* of local memory that no accessor stands for */
};

enum weiri_sycl_error {
    WEIRI_SYCL_OK,
    WEIRI_SYCL_BAD_RANGE,
    WEIRI_SYCL_NO_MEMORY,
    WEIRI_SYCL_FINDINGS,
    WEIRI_SYCL_NOT_SUPPORTED,
    WEIRI_SYCL_FAILED,
};

struct weiri_sycl_launch {
    const char *name;   /* of the kernel; NULL: the place is its name */
    const char *header; /* a file of the folder of the SYCL header */
    const char *file;   /* of the launch */
    unsigned line;
    void (*fast)(struct weir_group *group, size_t first);
    void (*checked)(struct weir_group *group, size_t first); /* NULL: none */
    void (*checked_item)(void); /* what the kernel is inlined into there */
    uint32_t dim;
    size_t global[3];
    size_t local[3];
    const void *args;
    size_t args_bytes;
    const char *type;    /* of the kernel's function object, or NULL: see above */
    const char *spelled; /* the same by any compiler */
    bool hierarchical;   /* the entries run once for a group */
    uint32_t sub_group;  /* the size that a property asks for; 0: an attribute may */
    char message[256];   /* (out): of an error */
};

/** Whether among the words of @bytes bytes is an address in a buffer that is not among
 *  @uses. */
bool weiri_sycl_strays(const void *words, size_t bytes,
                       const struct weiri_sycl_use *uses, size_t n_uses);

enum weiri_sycl_error weiri_sycl_run(struct weiri_sycl_launch *launch);

/** Nanoseconds of a clock that never goes back. */
uint64_t weiri_sycl_now(void);

#endif
