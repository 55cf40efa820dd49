/* SPDX-License-Identifier: MIT
 *
 * runtime.h: what the files of CUDA's runtime share.
 *
 *     errors.c     the last error, errors that stay, and misuse as findings
 *     words.c      HIP's names for what programs in HIP call
 *     modules.c    kernels and variables that objects have registered
 *     device.c     the one device: numbers and limits; management.c: its functions
 *     blocks.c     allocations, by address
 *     memory.c     what allocates; names.c: what allocations are called
 *     command.c    streams as lists of commands, and what runs them
 *     engine.c     the thread of checked launches
 *     stream.c     streams and events, as the program sees them
 *     copy.c       copies and fills
 *     launch.c     kernels
 *     occupancy.c  blocks that fit
 *     group.c      commands that are kept; graph.c: and submitted later
 *     print.c      output, assertions and traps of kernels; heap.c: their heap
 *     driver.c     the driver's API over all this
 *
 * Threads: any, but for what is called with a lock. */
#ifndef WEIRI_CUDA_RUNTIME_H
#define WEIRI_CUDA_RUNTIME_H

#include "weir.h"

#include "cuda/module.h"
#include "host/commands.h"

#include <cuda_runtime_api.h>

/* ---- Calls and errors ------------------------------------------------------ */

/* A call of the interface. */
struct weiri_cuda_call {
    const char *function;
    const void *pc; /* where it returns to */
};

#define WEIRI_CUDA_CALL()                                                              \
    const struct weiri_cuda_call call = { __func__, __builtin_return_address(0) }

/** CUDA's names in @text as those of HIP, if the program is in HIP. Returns: @text, or
 *  interned */
const char *weiri_cuda_words(const char *text);

/** How findings speak of commands, in the names of the program's language. */
const struct weiri_command_words *weiri_cuda_command_words(void);

/** Makes it the last error of this thread, if it is one. Returns: @error */
cudaError_t weiri_cuda_return(cudaError_t error);

/** The same, and where the program is checked a finding about the call. */
cudaError_t weiri_cuda_misuse(const struct weiri_cuda_call *call, cudaError_t error,
                              const char *format, ...) G_GNUC_PRINTF(3, 4);

/** A kernel has failed: calls return @error from now on. */
void weiri_cuda_break(cudaError_t error);

/** The device is reset: it can be used again. */
void weiri_cuda_mend(void);

/** Why the device cannot be used by this thread, as far as calls have failed. */
cudaError_t weiri_cuda_broken(void);

/** This thread runs the host's code for a stream: it may not use the device. */
void weiri_cuda_set_callback(bool is);

/** Whether the device can be used by the call; if not, the error is the result of that
 *  kind of call. */
cudaError_t weiri_cuda_ready(void);

/** The place of a call, to be asked before it returns. Returns: interned; %NULL where
 *  nothing is checked */
const struct weir_site *weiri_cuda_site(const struct weiri_cuda_call *call);

/** A launch was refused, with @message. If nobody looks at the error until
 *  weiri_cuda_judge_launch() is called, that is a finding: CUDA is silent then. */
void weiri_cuda_refused(const struct weir_site *site, const char *message);
void weiri_cuda_judge_launch(void);

/* ---- The device ------------------------------------------------------------ */

/** %NULL: the process ends. */
struct weir_device *weiri_cuda_device(void);

/** A number of the device. */
int weiri_cuda_attribute(enum cudaDeviceAttr attribute);

/** A limit of the device, which the program may set; %NULL: there is none. */
size_t *weiri_cuda_limit(enum cudaLimit limit);

/** When the process ends, @wait is called first. It returns whether all commands have
 *  ended; if not, their kernels go on until the process is gone. */
void weiri_cuda_at_end(bool (*wait)(void));

/* ---- Kernels and variables ------------------------------------------------- */

/* A kernel as the host knows it. */
struct weiri_cuda_function {
    const struct weiri_cuda_kernel *kernel;
    size_t dynamic_most; /* bytes of dynamic shared memory that it may have */
};

/** By its stub, or by the row itself. Returns: %NULL if there is none */
struct weiri_cuda_function *weiri_cuda_function_of(const void *stub);

/** By its symbol or its name. */
struct weiri_cuda_function *weiri_cuda_function_named(const char *name);

/** Blocks of that kernel that fit on a multiprocessor together. */
int weiri_cuda_blocks(const struct weiri_cuda_function *function, int block_size,
                      size_t shared_bytes);

/** The variable of the device that stands for a variable of the host, or has that
 *  symbol. */
const struct weiri_cuda_variable *weiri_cuda_variable_of(const void *host);
const struct weiri_cuda_variable *weiri_cuda_variable_named(const char *name);

/** The variable that @address lies in, or %NULL. */
const struct weiri_cuda_variable *weiri_cuda_variable_at(const void *address);

/** Where it is: of a managed one, the host's variable. */
void *weiri_cuda_variable_address(const struct weiri_cuda_variable *row);

/** The device is made: managed variables get their memory, and checks know the
 *  others. */
void weiri_cuda_modules_begin(void);

/* ---- Memory ---------------------------------------------------------------- */

struct weiri_cuda_memory {
    char *start;
    size_t bytes;
    enum weiri_cuda_kind kind;
    unsigned flags;
};

/** The memory that @address lies in; an unknown kind where there is none. */
struct weiri_cuda_memory weiri_cuda_memory_at(const void *address);

/** Whether a kernel may use it. */
static inline bool weiri_cuda_on_device(enum weiri_cuda_kind kind)
{
    return kind != WEIRI_CUDA_UNKNOWN;
}

/** Calls @each with memory that host and device share. */
void weiri_cuda_each_shared(void (*each)(const struct weiri_cuda_memory *memory,
                                         void *data),
                            void *data);

void weiri_cuda_memory_add(const struct weiri_cuda_memory *memory);

/** Takes out memory of these kinds, a bit each, that begins at @start. */
bool weiri_cuda_memory_take(const void *start, unsigned kinds,
                            struct weiri_cuda_memory *memory);

cudaError_t weiri_cuda_allocate(const struct weiri_cuda_call *call, void **memory,
                                size_t bytes, size_t element_bytes,
                                enum weiri_cuda_kind kind, unsigned flags);

/** Frees all that is left. */
void weiri_cuda_memory_end(void);

/** The name of memory that a call at @site allocates: the first argument of the call of
 *  @function, which is the program's name of it, in the source. *@element_bytes, if it
 *  is 0, is set from sizeof() there. Returns: (transfer full) */
char *weiri_cuda_name(const struct weir_site *site, const char *function,
                      size_t *element_bytes);

/* ---- Commands -------------------------------------------------------------- */

struct weiri_cuda_command;

struct weiri_cuda_request {
    const struct weiri_cuda_call *call;
    cudaStream_t stream;
    enum weiri_command_kind kind;
    const char *what;                 /* as in host/commands.h */
    cudaError_t (*run)(void *data);   /* NULL: nothing */
    void (*free_data)(void *data);    /* or NULL */
    void *data;                       /* owned */
    struct weiri_cuda_command *after; /* that it waits for besides; or NULL */
    bool waits;                       /* the host does until it has ended */
    bool is_call;                     /* @run is code of the host */
};

/** Submits a command. @made: (out) (optional): a reference to it
 *  Returns: the error of a command that has ended, or of the stream */
cudaError_t weiri_cuda_submit(const struct weiri_cuda_request *request,
                              struct weiri_cuda_command **made);

struct weiri_cuda_command *weiri_cuda_command_ref(struct weiri_cuda_command *command);
void weiri_cuda_command_unref(struct weiri_cuda_command *command);

/** Whether it has ended; the time when, in nanoseconds. */
bool weiri_cuda_command_is_done(struct weiri_cuda_command *command);
int64_t weiri_cuda_command_time(const struct weiri_cuda_command *command);

/** The host waits, for a command, a stream or all. */
void weiri_cuda_wait(struct weiri_cuda_command *command, const void *pc);
void weiri_cuda_wait_stream(struct CUstream_st *stream, const void *pc);
void weiri_cuda_wait_all(const void *pc);

/** Lets what can run under `weir check` do so. Returns: whether all of the stream has
 *  ended, which the host then knows */
bool weiri_cuda_poll_stream(struct CUstream_st *stream, const void *pc);
bool weiri_cuda_poll(struct weiri_cuda_command *command, const void *pc);

/** The stream of a handle; %NULL for one that does not exist. */
struct CUstream_st *weiri_cuda_stream(cudaStream_t handle);

/** Makes and ends streams. */
struct CUstream_st *weiri_cuda_stream_new(unsigned flags, int priority);
void weiri_cuda_stream_end(struct CUstream_st *stream);
unsigned weiri_cuda_stream_flags(const struct CUstream_st *stream);
int weiri_cuda_stream_priority(const struct CUstream_st *stream);
unsigned long long weiri_cuda_stream_id(const struct CUstream_st *stream);

/** The commands that a stream's are kept with while it is captured; or %NULL. */
struct weiri_cuda_group *weiri_cuda_captured(const struct CUstream_st *stream);
void weiri_cuda_set_captured(struct CUstream_st *stream,
                             struct weiri_cuda_group *group);

/** No stream is captured by @group any more. */
void weiri_cuda_release_captured(const struct weiri_cuda_group *group);

/* ---- The thread of checked launches ---------------------------------------- */

/* What a call that lets a launch run ended with. */
enum weiri_cuda_state {
    WEIRI_CUDA_IDLE, /* the launch has ended */
    WEIRI_CUDA_RUNS,
    WEIRI_CUDA_STUCK, /* all of its items wait for memory to change */
};

/** Runs a function on the thread. Returns: when it has ended or is stuck */
enum weiri_cuda_state weiri_cuda_engine_run(void (*run)(void *data), void *data);

/** Lets a launch that is stuck look again. @last: nothing but it can go on: if it is
 *  stuck still, it ends with a finding */
enum weiri_cuda_state weiri_cuda_engine_go_on(bool last);

/* ---- Graphs ---------------------------------------------------------------- */

struct weiri_cuda_group *weiri_cuda_group_new(struct CUstream_st *origin);
struct weiri_cuda_group *weiri_cuda_group_ref(struct weiri_cuda_group *group);
void weiri_cuda_group_unref(struct weiri_cuda_group *group);

enum { WEIRI_CUDA_NO_NODE = -1 };

/**
 * weiri_cuda_node: a command of a captured stream
 * @lane: the number of that stream in the capture; 0 is the one in which it began
 * @after: the earlier node that it waits for besides those of its lane, or
 *         %WEIRI_CUDA_NO_NODE
 */
struct weiri_cuda_node {
    struct weiri_cuda_request request;
    unsigned lane;
    int after;
};

/** Adds a request of @stream, which is captured; takes its data. */
void weiri_cuda_group_add(struct weiri_cuda_group *group, struct CUstream_st *stream,
                          const struct weiri_cuda_request *request, int after);
size_t weiri_cuda_group_size(const struct weiri_cuda_group *group);
unsigned weiri_cuda_group_lanes(const struct weiri_cuda_group *group);
const struct weiri_cuda_node *weiri_cuda_group_node(
    const struct weiri_cuda_group *group, size_t i);

/** The stream waits for an event that was captured, as node @after: it is captured,
 *  too. */
cudaError_t weiri_cuda_join(const struct weiri_cuda_call *call, cudaStream_t stream,
                            struct weiri_cuda_group *group, int after);

/** Whether the capture has ended. */
bool weiri_cuda_group_is_over(const struct weiri_cuda_group *group);
void weiri_cuda_group_end(struct weiri_cuda_group *group);

/** The stream in which the capture began. */
struct CUstream_st *weiri_cuda_group_origin(const struct weiri_cuda_group *group);

/* ---- Output of kernels ----------------------------------------------------- */

/** Writes what kernels have printed. */
void weiri_cuda_flush(void);

#endif
