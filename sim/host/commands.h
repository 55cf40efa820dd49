/* SPDX-License-Identifier: MIT
 *
 * host/commands.h: the commands of the queues of a program, for interfaces that have
 * queues (sim/sycl). Under `weir check` they and the host are checked for races with
 * each other: watch/commands.h. Otherwise these functions do nothing, and numbers are
 * 0. A launch outside of commands is a command that its thread waits for.
 *
 *     queue = weiri_host_commands_queue(false, 0);
 *     command = weiri_host_commands_begin(&start, NULL, &words);
 *     weir_launch(...);                           its accesses are the command's
 *     weiri_host_commands_end(command);
 *     ...
 *     weiri_host_commands_wait(command);          the host waits
 *
 * A command takes place between begin and end, on the calling thread. Accesses of the
 * host's code, as far as it has hooks, are observed on all threads. Accesses of another
 * thread while a command takes place, or before the host has waited for it, are
 * unordered: host/linger.h.
 *
 * Threads: any. */
#ifndef WEIRI_HOST_COMMANDS_H
#define WEIRI_HOST_COMMANDS_H

#include "weir.h"

#include "exec/memory.h"
#include "watch/command-order.h"

struct weir_site;
struct weiri_launch;
struct weiri_race;

/* The kind of work of a command. */
enum weiri_command_kind {
    WEIRI_COMMAND_KERNEL, /* launches one; its other accesses are not observed */
    WEIRI_COMMAND_COPY,   /* what weiri_host_commands_touch() says, and nothing else */
    WEIRI_COMMAND_TASK,   /* what the code of the host does */
};

/** @context: its number; 0 where the interface itself looks at contexts.
 *  Returns: the number of a new queue */
uint32_t weiri_host_commands_queue(bool in_order, uint32_t context);

/** A command begins. @what: its name in reports if it launches no kernel; @words: for
 *  reports; both live as long as the process.
 *  Returns: its number; or 0, if nothing is checked */
uint32_t weiri_host_commands_begin(const struct weiri_command_start *start,
                                   enum weiri_command_kind kind, const char *what,
                                   const struct weiri_command_words *words);

/** The running command of this thread accesses memory, at @site. */
void weiri_host_commands_touch(const void *start, size_t bytes, bool writes,
                               const struct weir_site *site);

/** Whether memory of the device, if it is that, has all of these bytes and is not
 *  freed; if not, there is a finding of the running command, which is not to go
 *  there. */
bool weiri_host_commands_reaches(const void *start, size_t bytes, bool writes,
                                 const struct weir_site *site);

void weiri_host_commands_end(uint32_t command);

/** The host waits: see command-order.h. @buffer: any address in it; @pc: where the call
 *  of the interface returns to; %NULL: a wait that never ends is not reported */
void weiri_host_commands_wait(uint32_t command, const void *pc);
void weiri_host_commands_wait_queue(uint32_t queue, const void *pc);
void weiri_host_commands_wait_buffer(const void *buffer, bool writes, const void *pc);

/** The host holds a buffer: see watch/command-holds.h. @buffer, @pc: as above; @why: of
 *  the finding; static. Returns: the number of the hold; or 0, if nothing is checked */
uint32_t weiri_host_commands_hold(const void *buffer, bool writes, const void *pc,
                                  const char *why);
void weiri_host_commands_let_go(uint32_t hold);

/** The device has new memory. @ordered: a buffer's, whose uses order the accesses to
 *  it */
void weiri_host_commands_memory(const struct weir_device *device, const void *start,
                                size_t bytes, bool ordered);

/** Such memory is of the context with that number: that a command of a queue of another
 *  one accesses it is a finding. */
void weiri_host_commands_bind(const void *start, uint32_t context);

/** The host does not see such memory: an access of its code is a finding. @why: of the
 *  finding; static */
void weiri_host_commands_hide(const void *start, const char *why);

/** The address that stands for the buffer in whose memory @address lies: its first one;
 *  or %NULL. */
const void *weiri_host_commands_buffer(const void *address);

/** The host is about to free such memory, at @site. */
void weiri_host_commands_freed(const void *start, const struct weir_site *site);

/** The same where the interface itself keeps the memory until commands that use it have
 *  ended. */
void weiri_host_commands_forget(const void *start);

/** Limits what kernels may use of memory of the device: see weiri_memory_limit(). */
void weiri_host_commands_limit(struct weir_device *device, void *start,
                               const struct weiri_window *windows, size_t n);

/** Names memory of the device: see weiri_memory_rename(). */
void weiri_host_commands_rename(struct weir_device *device, void *start,
                                const char *name, size_t element_bytes);

/** Whether commands, and calls of the interface, are checked. */
bool weiri_host_commands_wanted(void);

/** The place in the program of the call that returns to @pc, to be asked on its thread
 *  before it returns. Returns: interned; %NULL where it is not known, or where nothing
 *  is checked */
const struct weir_site *weiri_host_commands_site(const void *pc);

/** The program has called @function, static, with what is wrong, at @site: a finding,
 *  once for a place and a message. After a launch that a limit has ended it is not: the
 *  program may have read from memory what the rest of the kernel would have written. */
void weiri_host_commands_error(const char *function, const char *message,
                               const struct weir_site *site);

/** Launches of this thread: where no item of one can go on, since all of them wait for
 *  memory to change, @outside says whether they are to look again; if not, they never
 *  go on, which is a finding. Meanwhile the host's code may run on other threads. */
void weiri_host_commands_outside(bool (*outside)(void *data), void *data);

/** For host/launch.c: that of the calling thread, or %NULL. */
bool (*weiri_host_commands_outside_of(void **data))(void *data);

/** Whether launches are deterministic: the program's commands are to be run in the
 *  order in which it submits them. */
bool weiri_host_commands_orderly(void);

/** The program is about to start a thread of the interface: `weir check` may copy the
 *  process before. */
void weiri_host_commands_ready(void);

/** Lets other threads of the host go on for a short time: see host/linger.h. */
void weiri_host_commands_linger(void);

/** Memory of the host becomes memory of the device, which kernels may use; until it is
 *  released. Returns: false if part of it is so already */
bool weiri_host_commands_adopt(struct weir_device *device, void *start, size_t bytes,
                               size_t element_bytes, const char *name);
void weiri_host_commands_release(struct weir_device *device, void *start);

/** The program's static data is the host's, but for these bytes, which are a variable
 *  of the device: kernels that use other parts of it have a finding. */
void weiri_host_commands_static(const void *start, size_t bytes);

/** Whether none of the bytes at @offset of memory of the device, at @start, was written
 *  since it was allocated, as far as its contents show. */
bool weiri_host_commands_unwritten(const void *start, size_t offset, size_t bytes);

/** The device is about to be freed: nothing is looked at any more. */
void weiri_host_commands_close(void);

/** For host/device.c: a device has new memory, of an interface or of the program. */
void weiri_host_commands_new(const void *start, size_t bytes);

/** For host/launch.c: a checked launch begins on the calling thread, and returns. It is
 *  a command, unless it is part of one. Returns: its number; or 0, if no other thread
 *  could make launches or accesses at the same time */
uint32_t weiri_host_commands_launch(const struct weir_device *device);
void weiri_host_commands_launch_end(uint32_t command, struct weir_report *report,
                                    bool is_whole);

/** For host/check.c: a checked launch has ended. */
void weiri_host_commands_launched(struct weiri_launch *launch, struct weiri_race *race);

#endif
