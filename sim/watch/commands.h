/* SPDX-License-Identifier: MIT
 *
 * commands.h: races between the commands of a program's queues, and between a command
 * and the host.
 *
 *     host/commands.c         states the commands and their accesses: those that a
 *                             launch has left in the race detector's records
 *                             (race-left.c), copies and fills, and the host's accesses
 *     command-order.c         which commands happen before which
 *     commands.c              compares each access with the accesses of commands that
 *                             do not happen before its own
 *     command-holds.c         which commands wait for the host to let go of a buffer
 *     command-report.c        makes a finding of a race
 *
 * Commands run one after another, in the order in which they are submitted. The verdict
 * does not depend on it: two accesses race if nothing orders their commands. Memory is
 * any memory of the process.
 *
 * Threads: one at a time. */
#ifndef WEIRI_COMMANDS_H
#define WEIRI_COMMANDS_H

#include "exec/finding.h"
#include "watch/command-holds.h"
#include "watch/command-order.h"
#include "watch/race-pair.h"

struct weiri_commands;
struct weiri_object;
struct weiri_objects;

/* A command; or the host, which is 0, or has a number of its own for what one of its
 * threads does while commands of others take place. */
struct weiri_commander {
    uint32_t number;
    const char *what;                 /* "memcpy"; NULL of a kernel and of the host.
                                         Lives as long as the process, as the next */
    const struct weir_kernel *kernel; /* or NULL */
    struct weiri_shape shape;         /* of a kernel */
    const void *thread;               /* which submitted it; an address, or NULL */
    bool talks; /* to the host, while it runs: by atomics of system scope */
};

static inline bool weiri_commander_is_host(const struct weiri_commander *commander)
{
    return commander->what == NULL && commander->kernel == NULL;
}

/* An access to up to 4 bytes around a word of memory. */
struct weiri_command_access {
    uint64_t group; /* of a kernel: of the item, and */
    uint32_t item;  /* its local linear id */
    uint32_t place; /* see weiri_commands_place() */
};

/* A place in the code, and what it does. */
struct weiri_command_place {
    struct weiri_trail trail;
    bool reads, writes, atomic;
    enum weiri_atomic kind; /* where it is atomic, as what follows */
    memory_order order;
    memory_scope scope;
};

/* The relation of an earlier command to an access that is compared; mostly the same
 * command for many words. All zero before the first of the accesses of one command. */
struct weiri_command_relation {
    uint32_t command;
    bool before; /* it happens before the access's command */
    bool waited; /* the host has waited for it */
};

/* Two accesses that race. */
struct weiri_command_race {
    uint64_t key; /* both places */
    struct weiri_commander first, second;
    struct weiri_command_access at_first, at_second;
    const char *address; /* the first byte that both touch, of the first such race */
    uint64_t count;
};

struct weiri_commands *weiri_commands_new(void);
void weiri_commands_free(struct weiri_commands *commands);

struct weiri_command_order *weiri_commands_order(const struct weiri_commands *commands);

/** A command begins, whose number is new. @commander is copied */
void weiri_commands_add(struct weiri_commands *commands,
                        const struct weiri_commander *commander);

/** All zero of the host, and of a command that is forgotten. */
const struct weiri_commander *weiri_commands_commander(
    const struct weiri_commands *commands, uint32_t number);

/** The kernel of a command. */
void weiri_commands_set_kernel(struct weiri_commands *commands, uint32_t number,
                               const struct weir_kernel *kernel,
                               const struct weiri_shape *shape, bool talks);

/** Whether two commands that nothing orders have made atomics on a common word, which
 *  may order them. */
bool weiri_commands_met(const struct weiri_commands *commands, uint32_t one,
                        uint32_t other);

/** The number of a place, the same one for the same place. */
uint32_t weiri_commands_place(struct weiri_commands *commands,
                              const struct weiri_command_place *place);
const struct weiri_command_place *weiri_commands_place_at(
    const struct weiri_commands *commands, uint32_t number);

/** Compares an access to @bytes, a mask, of the word at @word with earlier ones, and
 *  keeps it, if it is a command's. @command: 0 for the host */
void weiri_commands_touch(struct weiri_commands *commands, uint32_t command,
                          const char *word, unsigned bytes,
                          const struct weiri_command_access *access,
                          struct weiri_command_relation *relation);

/** The same for all of @bytes bytes from @start on. */
void weiri_commands_touch_range(struct weiri_commands *commands, uint32_t command,
                                const volatile void *start, size_t bytes,
                                const struct weiri_command_access *access);

/** Whether a command may have touched any of these that the host has not waited for. */
bool weiri_commands_hold(struct weiri_commands *commands, const volatile void *start,
                         size_t bytes);

/** An access to any of these by a command that the host has not waited for, or %NULL;
 *  as a race whose second part is the host's. Valid until the next call */
const struct weiri_command_race *weiri_commands_unwaited(
    struct weiri_commands *commands, const void *start, size_t bytes);

/** Forgets accesses to these: the memory was freed. */
void weiri_commands_forget(struct weiri_commands *commands, const void *start,
                           size_t bytes);

/** The host has waited for all commands: forgets all accesses. */
void weiri_commands_forget_all(struct weiri_commands *commands);

/** Races found since the last call, of struct weiri_command_race.
 *  Returns: (transfer full) */
GArray *weiri_commands_take_races(struct weiri_commands *commands);

/** In command-report.c: adds the finding of a race. @objects: for the name of memory */
void weiri_command_race_report(const struct weiri_commands *commands,
                               const struct weiri_command_race *race,
                               struct weiri_objects *objects,
                               const struct weiri_command_words *words,
                               struct weir_report *report);

/** The same for one command, the first of @access, that accesses memory which was
 *  allocated in another context than its queue's. */
void weiri_command_foreign_report(const struct weiri_commands *commands,
                                  const struct weiri_command_race *access,
                                  struct weiri_objects *objects,
                                  struct weir_report *report);

/** The same where the host frees memory, at @site, that a command still uses. */
void weiri_command_free_report(const struct weiri_commands *commands,
                               const struct weiri_command_race *race,
                               const struct weir_site *site,
                               struct weiri_objects *objects,
                               const struct weiri_command_words *words,
                               struct weir_report *report);

/** The finding of a wait that never ends. @wait: its place; @why: of the finding */
void weiri_command_stuck_report(const struct weiri_commands *commands,
                                const struct weiri_command_stuck *stuck,
                                const struct weiri_trail *wait, const char *why,
                                struct weiri_objects *objects,
                                struct weir_report *report);

/* An access of a command, or of the host, to memory of the device where it may not
 * be. */
struct weiri_command_fault {
    enum weir_finding_kind kind;
    const char *operation; /* "memcpy"; NULL: the host */
    const void *address;
    uint64_t what; /* WEIRI_ACCESS_BIT_* */
    struct weiri_trail trail;
    const char *text; /* of the message, after the element */
    const char *why;  /* or NULL */
};

/** The device's memory that @address lies in or next to, live or freed; or %NULL. */
const struct weiri_object *weiri_command_fault_object(struct weiri_objects *objects,
                                                      const void *address);

/** Adds the finding of a fault. @object: the memory that is meant */
void weiri_command_fault_report(const struct weiri_command_fault *fault,
                                const struct weiri_object *object,
                                struct weir_report *report);

#endif
