/* SPDX-License-Identifier: MIT
 *
 * copy.c: copies and fills. All are boxes of rows and slices: a copy of bytes is one
 * row. Before a box is copied, each side must be where the direction says, and inside
 * of its memory; if not, nothing is copied. In a plain run that is CUDA's error; in a
 * checked one it is a finding, too. */
#include "config.h"

#include "cuda/runtime.h"

#include <string.h>

/* Part of a memory: rows of some bytes, in slices. */
struct side {
    char *start;
    size_t pitch; /* from row to row */
    size_t slice; /* from slice to slice */
};

struct box {
    struct side to, from;
    size_t bytes, rows, slices;
    int value;                /* of a fill */
    bool fills;               /* there is no @from */
    enum cudaMemcpyKind kind; /* of a copy */
    const struct weir_site *site;
    const char *function;
    char *wrong; /* with the copy, owned; or NULL */
};

/* ---- Where the sides are --------------------------------------------------- */

static size_t span_of(const struct side *side, const struct box *box)
{
    return (box->slices - 1) * side->slice + (box->rows - 1) * side->pitch + box->bytes;
}

static const char *place_text(enum weiri_cuda_kind kind)
{
    switch (kind) {
    case WEIRI_CUDA_UNKNOWN:
        return "ordinary memory of the host";
    case WEIRI_CUDA_DEVICE:
        return "memory of cudaMalloc()";
    case WEIRI_CUDA_VARIABLE:
        return "a variable of the device";
    default:
        return "memory that host and device share";
    }
}

static const char *const kind_names[] = {
    [cudaMemcpyHostToHost] = "cudaMemcpyHostToHost",
    [cudaMemcpyHostToDevice] = "cudaMemcpyHostToDevice",
    [cudaMemcpyDeviceToHost] = "cudaMemcpyDeviceToHost",
    [cudaMemcpyDeviceToDevice] = "cudaMemcpyDeviceToDevice",
    [cudaMemcpyDefault] = "cudaMemcpyDefault",
};

/* Whether memory of this kind can be what the direction calls it. */
static bool fits(enum weiri_cuda_kind kind, bool on_device)
{
    bool hidden = kind == WEIRI_CUDA_DEVICE || kind == WEIRI_CUDA_VARIABLE;
    return on_device ? kind != WEIRI_CUDA_UNKNOWN : !hidden;
}

/* The copy is wrong, by @message, which is owned. */
static void refuse(struct box *box, char *message)
{
    if (box->wrong == NULL) {
        box->wrong = message;
    } else {
        g_free(message);
    }
}

static void complain(const struct box *box, const char *message)
{
    if (weiri_host_commands_wanted()) {
        g_autofree char *whole = g_strdup_printf("%s(): %s", box->function, message);
        weiri_host_commands_error(weiri_cuda_words(box->function),
                                  weiri_cuda_words(whole), box->site);
    }
}

/* Looks where a side is when the copy is submitted: the program may free it before the
 * copy is made. */
static void check_side(struct box *box, const struct side *side, bool writes)
{
    size_t bytes = span_of(side, box);
    struct weiri_cuda_memory at = weiri_cuda_memory_at(side->start);
    const char *which = writes ? "destination" : "source";
    bool on_device = writes
        ? box->kind == cudaMemcpyHostToDevice || box->kind == cudaMemcpyDeviceToDevice
        : box->kind == cudaMemcpyDeviceToHost || box->kind == cudaMemcpyDeviceToDevice;
    size_t offset = (size_t)(side->start - at.start);
    if (box->fills && at.kind == WEIRI_CUDA_UNKNOWN) {
        refuse(box,
               g_strdup_printf("%p is %s", (void *)side->start, place_text(at.kind)));
    } else if (!box->fills && box->kind != cudaMemcpyDefault
               && !fits(at.kind, on_device)) {
        refuse(box,
               g_strdup_printf("the direction is %s, and the %s is %s",
                               kind_names[box->kind], which, place_text(at.kind)));
    } else if (at.kind != WEIRI_CUDA_UNKNOWN && bytes > at.bytes - offset) {
        refuse(box,
               g_strdup_printf("%zu bytes at offset %zu are more than the %zu "
                               "bytes of the %s",
                               bytes, offset, at.bytes, which));
    }
}

/* Memory of the device that is free, or beside some, is a finding of its own. */
static bool reaches(const struct box *box, const struct side *side, bool writes)
{
    return weiri_cuda_variable_at(side->start) != NULL
        || weiri_host_commands_reaches(side->start, span_of(side, box), writes,
                                       box->site);
}

/* ---- What the host gets ---------------------------------------------------- */

static char *row_at(const struct side *side, size_t slice, size_t row)
{
    return side->start + slice * side->slice + row * side->pitch;
}

/* Memory that nothing has written is not copied to the host by intention. Where a part
 * of it was written, the rest may be meant to be left alone. */
static void judge_unwritten(const struct box *box)
{
    struct weiri_cuda_memory from = weiri_cuda_memory_at(box->from.start);
    if (from.kind != WEIRI_CUDA_DEVICE
        || weiri_cuda_memory_at(box->to.start).kind == WEIRI_CUDA_DEVICE) {
        return;
    }
    for (size_t s = 0; s < box->slices; s++) {
        for (size_t r = 0; r < box->rows; r++) {
            const char *row = row_at(&box->from, s, r);
            if (!weiri_host_commands_unwritten(from.start, (size_t)(row - from.start),
                                               box->bytes)) {
                return;
            }
        }
    }
    complain(box, "none of the bytes that are copied to the host was ever written");
}

/* ---- Copying --------------------------------------------------------------- */

static void free_box(void *data)
{
    struct box *box = data;
    g_free(box->wrong);
    g_free(box);
}

static bool is_empty(const struct box *box)
{
    return box->bytes == 0 || box->rows == 0 || box->slices == 0;
}

static cudaError_t run_box(void *data)
{
    const struct box *box = data;
    if (is_empty(box)) {
        return cudaSuccess;
    }
    if ((!box->fills && !reaches(box, &box->from, false))
        || !reaches(box, &box->to, true)) {
        return cudaErrorInvalidValue;
    }
    if (box->wrong != NULL) {
        complain(box, box->wrong);
        return cudaErrorInvalidValue;
    }
    if (!box->fills && weiri_host_commands_wanted()) {
        judge_unwritten(box);
    }
    for (size_t s = 0; s < box->slices; s++) {
        for (size_t r = 0; r < box->rows; r++) {
            char *to = row_at(&box->to, s, r);
            weiri_host_commands_touch(to, box->bytes, true, box->site);
            if (box->fills) {
                memset(to, box->value, box->bytes);
            } else {
                const char *from = row_at(&box->from, s, r);
                weiri_host_commands_touch(from, box->bytes, false, box->site);
                memmove(to, from, box->bytes);
            }
        }
    }
    return cudaSuccess;
}

/* Whether the host waits for a copy that is not called asynchronous: not for one within
 * the device, and not for a fill of it. */
static bool waits(const struct box *box)
{
    enum weiri_cuda_kind to = weiri_cuda_memory_at(box->to.start).kind;
    bool within = to == WEIRI_CUDA_DEVICE || to == WEIRI_CUDA_VARIABLE;
    if (box->fills) {
        return !within && to != WEIRI_CUDA_MANAGED;
    }
    enum weiri_cuda_kind from = weiri_cuda_memory_at(box->from.start).kind;
    return !(within && (from == WEIRI_CUDA_DEVICE || from == WEIRI_CUDA_VARIABLE));
}

/* @asynchronous: the function is */
static cudaError_t submit(const struct weiri_cuda_call *call, struct box *box,
                          bool asynchronous, cudaStream_t stream)
{
    cudaError_t error = weiri_cuda_ready();
    if (error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    if (!box->fills && (unsigned)box->kind > cudaMemcpyDefault) {
        return weiri_cuda_misuse(call, cudaErrorInvalidMemcpyDirection,
                                 "the direction is %d", (int)box->kind);
    }
    bool any = !is_empty(box);
    if (any && (box->to.start == NULL || (!box->fills && box->from.start == NULL))) {
        return weiri_cuda_misuse(call, cudaErrorInvalidValue, "the %s is NULL",
                                 box->to.start == NULL ? "destination" : "source");
    }
    if (any && box->rows > 1
        && (box->to.pitch < box->bytes
            || (!box->fills && box->from.pitch < box->bytes))) {
        return weiri_cuda_misuse(call, cudaErrorInvalidPitchValue,
                                 "rows of %zu bytes are wider than the pitch",
                                 box->bytes);
    }
    box->site = weiri_cuda_site(call);
    box->function = call->function;
    if (any) {
        if (!box->fills) {
            check_side(box, &box->from, false);
        }
        check_side(box, &box->to, true);
    }
    if (box->wrong != NULL && !weiri_host_commands_wanted()) {
        g_free(box->wrong);
        return weiri_cuda_return(cudaErrorInvalidValue);
    }
    const struct weiri_cuda_request request
        = { .call = call,
            .stream = stream,
            .kind = WEIRI_COMMAND_COPY,
            .what = call->function,
            .run = run_box,
            .free_data = free_box,
            .data = g_memdup2(box, sizeof(*box)),
            .waits = !asynchronous && any && waits(box) };
    return weiri_cuda_return(weiri_cuda_submit(&request, NULL));
}

static struct box row_of(void *to, const void *from, size_t bytes,
                         enum cudaMemcpyKind kind)
{
    return (struct box){ .to = { .start = to },
                         .from = { .start = (char *)(uintptr_t)from },
                         .bytes = bytes,
                         .rows = 1,
                         .slices = 1,
                         .kind = kind };
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       enum cudaMemcpyKind kind)
{
    WEIRI_CUDA_CALL();
    struct box box = row_of(to, from, bytes, kind);
    return submit(&call, &box, false, NULL);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    struct box box = row_of(to, from, bytes, kind);
    return submit(&call, &box, true, stream);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes)
{
    WEIRI_CUDA_CALL();
    struct box box = row_of(to, from, bytes, cudaMemcpyDeviceToDevice);
    return to_device != 0 || from_device != 0
        ? weiri_cuda_return(cudaErrorInvalidDevice)
        : submit(&call, &box, false, NULL);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
                                int from_device, size_t bytes, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    struct box box = row_of(to, from, bytes, cudaMemcpyDeviceToDevice);
    return to_device != 0 || from_device != 0
        ? weiri_cuda_return(cudaErrorInvalidDevice)
        : submit(&call, &box, true, stream);
}

static struct box rows_of(void *to, size_t to_pitch, const void *from,
                          size_t from_pitch, size_t width, size_t height,
                          enum cudaMemcpyKind kind)
{
    struct box box = row_of(to, from, width, kind);
    box.to.pitch = to_pitch;
    box.from.pitch = from_pitch;
    box.rows = height;
    return box;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    WEIRI_CUDA_CALL();
    struct box box = rows_of(to, to_pitch, from, from_pitch, width, height, kind);
    return submit(&call, &box, false, NULL);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    struct box box = rows_of(to, to_pitch, from, from_pitch, width, height, kind);
    return submit(&call, &box, true, stream);
}

static struct side side_at(const struct cudaPitchedPtr *memory,
                           const struct cudaPos *place)
{
    size_t slice = memory->pitch * memory->ysize;
    return (struct side){ (char *)memory->ptr + place->z * slice
                              + place->y * memory->pitch + place->x,
                          memory->pitch, slice };
}

static cudaError_t copy_3d(const struct weiri_cuda_call *call,
                           const struct cudaMemcpy3DParms *copy, bool asynchronous,
                           cudaStream_t stream)
{
    if (copy->srcArray != NULL || copy->dstArray != NULL) {
        return weiri_cuda_misuse(call, cudaErrorNotSupported,
                                 "copies of arrays are not simulated");
    }
    struct box box = { .to = side_at(&copy->dstPtr, &copy->dstPos),
                       .from = side_at(&copy->srcPtr, &copy->srcPos),
                       .bytes = copy->extent.width,
                       .rows = copy->extent.height,
                       .slices = copy->extent.depth,
                       .kind = copy->kind };
    return submit(call, &box, asynchronous, stream);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy)
{
    WEIRI_CUDA_CALL();
    return copy_3d(&call, copy, false, NULL);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    return copy_3d(&call, copy, true, stream);
}

/* ---- Fills ----------------------------------------------------------------- */

static cudaError_t fill(const struct weiri_cuda_call *call,
                        const struct cudaPitchedPtr *memory, int value,
                        const struct cudaExtent *extent, bool asynchronous,
                        cudaStream_t stream)
{
    struct box box
        = { .to = { memory->ptr, memory->pitch, memory->pitch * memory->ysize },
            .bytes = extent->width,
            .rows = extent->height,
            .slices = extent->depth,
            .value = value,
            .fills = true };
    return submit(call, &box, asynchronous, stream);
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    WEIRI_CUDA_CALL();
    const struct cudaPitchedPtr pitched = { memory, bytes, bytes, 1 };
    const struct cudaExtent extent = { bytes, 1, 1 };
    return fill(&call, &pitched, value, &extent, false, NULL);
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    const struct cudaPitchedPtr pitched = { memory, bytes, bytes, 1 };
    const struct cudaExtent extent = { bytes, 1, 1 };
    return fill(&call, &pitched, value, &extent, true, stream);
}

cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width,
                         size_t height)
{
    WEIRI_CUDA_CALL();
    const struct cudaPitchedPtr pitched = { memory, pitch, width, height };
    const struct cudaExtent extent = { width, height, 1 };
    return fill(&call, &pitched, value, &extent, false, NULL);
}

cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    const struct cudaPitchedPtr pitched = { memory, pitch, width, height };
    const struct cudaExtent extent = { width, height, 1 };
    return fill(&call, &pitched, value, &extent, true, stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr memory, int value,
                         struct cudaExtent extent)
{
    WEIRI_CUDA_CALL();
    return fill(&call, &memory, value, &extent, false, NULL);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value,
                              struct cudaExtent extent, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    return fill(&call, &memory, value, &extent, true, stream);
}

/* ---- Variables of the device ----------------------------------------------- */

/* The part of a variable that is copied; NULL: there is none, which is an error. */
static char *part_of(const struct weiri_cuda_call *call, const void *symbol,
                     size_t bytes, size_t offset, cudaError_t *error)
{
    const struct weiri_cuda_variable *variable = weiri_cuda_variable_of(symbol);
    if (variable == NULL) {
        *error = weiri_cuda_misuse(call, cudaErrorInvalidSymbol,
                                   "%p is not a variable of the device", symbol);
        return NULL;
    }
    if (offset > variable->bytes || bytes > variable->bytes - offset) {
        *error = weiri_cuda_misuse(call, cudaErrorInvalidValue,
                                   "%zu bytes at offset %zu are more than the %zu "
                                   "bytes of '%s'",
                                   bytes, offset, variable->bytes, variable->name);
        return NULL;
    }
    return (char *)weiri_cuda_variable_address(variable) + offset;
}

static cudaError_t copy_to_symbol(const struct weiri_cuda_call *call,
                                  const void *symbol, const void *from, size_t bytes,
                                  size_t offset, enum cudaMemcpyKind kind,
                                  bool asynchronous, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    char *to = part_of(call, symbol, bytes, offset, &error);
    struct box box = row_of(to, from, bytes, kind);
    return to == NULL ? error : submit(call, &box, asynchronous, stream);
}

static cudaError_t copy_from_symbol(const struct weiri_cuda_call *call, void *to,
                                    const void *symbol, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, bool asynchronous,
                                    cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    const char *from = part_of(call, symbol, bytes, offset, &error);
    struct box box = row_of(to, from, bytes, kind);
    return from == NULL ? error : submit(call, &box, asynchronous, stream);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                               size_t offset, enum cudaMemcpyKind kind)
{
    WEIRI_CUDA_CALL();
    return copy_to_symbol(&call, symbol, from, bytes, offset, kind, false, NULL);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    return copy_to_symbol(&call, symbol, from, bytes, offset, kind, true, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                 size_t offset, enum cudaMemcpyKind kind)
{
    WEIRI_CUDA_CALL();
    return copy_from_symbol(&call, to, symbol, bytes, offset, kind, false, NULL);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes,
                                      size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    return copy_from_symbol(&call, to, symbol, bytes, offset, kind, true, stream);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    char *found = error == cudaSuccess ? part_of(&call, symbol, 0, 0, &error) : NULL;
    *address = found;
    return weiri_cuda_return(error);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    (void)(error == cudaSuccess ? part_of(&call, symbol, 0, 0, &error) : NULL);
    const struct weiri_cuda_variable *variable = weiri_cuda_variable_of(symbol);
    *bytes = variable != NULL ? variable->bytes : 0;
    return weiri_cuda_return(error);
}
