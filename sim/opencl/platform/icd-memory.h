/* SPDX-License-Identifier: MIT
 *
 * icd-memory.h: memory objects, and copies of boxes of bytes, which most commands on
 * them are: rows, and slices of rows.
 *
 * An object's bytes are memory of Weir's device, so that kernels are checked against
 * its bounds; CL_MEM_USE_HOST_PTR copies where the object is mapped, unless the pointer
 * is to shared memory, which is the device's. Reports call it by the name of the
 * parameter of a kernel that it is first given to. */
#ifndef WEIRI_ICD_MEMORY_H
#define WEIRI_ICD_MEMORY_H

#include "opencl/platform/icd-command.h"
#include "opencl/platform/icd.h"

/* A region that the host has mapped. */
/* The contents of a region when it was mapped to be read, in a check. */
struct weiri_icd_look {
    GByteArray *bytes;  /* NULL until it is mapped */
    uint64_t n_writers; /* the commands before that may write */
};

struct weiri_icd_mapping {
    char *at; /* as the host has it */
    char *start;
    size_t row_bytes, rows, slices, row_pitch, slice_pitch;
    cl_map_flags flags;
    struct weiri_icd_look *look; /* a reference, or NULL */
};

/** Gives a reference to a look back. */
void weiri_icd_forget_look(struct weiri_icd_look *look);

struct _cl_mem {
    struct weiri_icd_object object;
    cl_context context;
    cl_mem_object_type type;
    cl_mem_flags flags;
    cl_mem_properties *properties; /* or NULL */
    size_t n_properties;
    size_t bytes;
    char *host;    /* of the host, or NULL */
    char *start;   /* of the device */
    cl_mem parent; /* of a sub-buffer, or of an image of a buffer; used */
    size_t origin; /* in @parent */
    bool named;    /* it has a name of its own, as from a kernel */
    bool shared;   /* @start is memory of clSVMAlloc() */
    GArray *mappings;
    GArray *ended;                 /* callbacks, or NULL */
    struct weiri_icd_image *image; /* of an image, owned: icd-image.h; or NULL */
};

/** Checks flags: %CL_SUCCESS or the failure. */
cl_int weiri_icd_known_flags(struct weiri_icd_call *call, cl_mem_flags flags);
/** The same for a new object, with the host's pointer. */
cl_int weiri_icd_check_flags(struct weiri_icd_call *call, cl_mem_flags flags,
                             const void *host);
/** The flags of an object in a buffer: what they do not state is as the buffer's. */
cl_mem_flags weiri_icd_inherited_flags(cl_mem_flags flags, cl_mem_flags parents);

/** A new object that has no memory yet. */
struct _cl_mem *weiri_icd_memory_head(cl_context context, cl_mem_object_type type,
                                      cl_mem_flags flags, size_t bytes);

/** A new object of @bytes with memory of its own, to which @host's are copied if the
 *  flags ask for it; %NULL, with the failure in @result. */
cl_mem weiri_icd_memory(struct weiri_icd_call *call, cl_context context,
                        cl_mem_object_type type, cl_mem_flags flags, size_t bytes,
                        void *host, cl_int *result);

/** The object was created with an empty list of properties, not without one. */
void weiri_icd_no_properties(cl_mem memory);

/** In icd-svm.c: bytes of memory of clSVMAlloc() from there on; 0 for other memory. */
size_t weiri_icd_shared_bytes(const void *start);

/** In icd-svm.c: whether @start is in memory of clSVMAlloc() of another context. */
bool weiri_icd_shared_elsewhere(const void *start, cl_context context);

/** Reports call the memory so from now on, unless it has a name. */
void weiri_icd_name(cl_mem memory, const char *name, size_t element_bytes);

/** Checks that this is a buffer of the queue's context that the host may read, or
 *  @writes; and that a region is in it. */
cl_int weiri_icd_need_buffer(struct weiri_icd_call *call, cl_command_queue queue,
                             cl_mem buffer);
cl_int weiri_icd_need_host(struct weiri_icd_call *call, cl_mem memory, bool writes);
cl_int weiri_icd_need_region(struct weiri_icd_call *call, cl_mem buffer, size_t offset,
                             size_t bytes);

/* ---- Boxes ------------------------------------------------------------------ */

/* Bytes at @start: rows of the same length, each @row bytes after the one before it. */
struct weiri_icd_side {
    char *start;
    size_t row, slice;
};

struct weiri_icd_box {
    struct weiri_icd_side to, from;
    size_t bytes, rows, slices;
    cl_mem uses[2];          /* or NULL; used until it is freed */
    unsigned char fill[128]; /* without @from: what is written, */
    size_t fill_bytes;       /* again and again */
};

/** Enqueues the copy; @box is copied. */
cl_int weiri_icd_enqueue_box(struct weiri_icd_request *request,
                             const struct weiri_icd_box *box);

#endif
