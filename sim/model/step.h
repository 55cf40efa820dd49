/* SPDX-License-Identifier: MIT
 *
 * step.h: one execution of a program, grown step by step by choices of a caller: which
 * thread takes the next step, which write a read reads, and where a write stands in
 * modification order.
 *
 * An option is allowed if the execution with it satisfies the axioms of the model. For
 * a forbidden option weiri_stepper_with() returns the execution, and the violated
 * axioms give the reasons. Exits from barriers involve no choice, and are not steps:
 * they follow when all threads have entered. So all options belong to threads that can
 * act.
 *
 * A model may allow load buffering: a read from a write that comes later. Such
 * executions cannot be reached. All other executions that the model allows can, except
 * under models that order writes in part: see step-table.c. */
#ifndef WEIRI_STEP_H
#define WEIRI_STEP_H

#include "model/graph.h"
#include "model/meeting.h"
#include "model/model.h"

/**
 * weiri_choice: of a step
 * @place: of an access: the number of writes before it in modification order. A read
 *         reads the last of them, or the initial value if the number is 0
 * @fails: a weak read-modify-write does not write although it could
 */
struct weiri_choice {
    uint32_t thread, place;
    bool fails;
};

/**
 * weiri_option: a choice that the thread's next step has
 * @source: of @place: the last of these writes, or %WEIRI_NO_EVENT
 * @reads, @writes: it does, the values @read and @written
 */
struct weiri_option {
    struct weiri_choice choice;
    uint16_t source;
    bool reads, writes;
    int64_t read, written;
    bool allowed;
};

/** Where a thread is. */
enum weiri_standing {
    WEIRI_STANDS_READY,
    WEIRI_STANDS_SPINNING, /* in a loop that waits; it can repeat its last iteration */
    WEIRI_STANDS_WAITING,  /* at a barrier */
    WEIRI_STANDS_LATER,    /* comes after another thread, which has not ended */
    WEIRI_STANDS_ENDED,
    WEIRI_STANDS_STOPPED, /* by a fault, or by the bound of a loop */
};

/** Where the execution is. */
enum weiri_reached {
    WEIRI_REACHED_PART,     /* a thread can act */
    WEIRI_REACHED_COMPLETE, /* all threads have ended */
    WEIRI_REACHED_RACE,     /* which ends it */
    WEIRI_REACHED_BLOCKED,  /* no thread can act, or only by reading the same again */
};

/**
 * weiri_stepper: all members are private but
 * @graph: what there is of the execution; owned
 */
struct weiri_stepper {
    struct weiri_graph *graph;
    const struct weiri_program *program;
    const struct weiri_model *model;
    bool stop_at_race;
    struct weiri_frame frame;
    struct weiri_graph graphs[2];         /* one of which is @graph */
    uint32_t *currents;                   /* room for weiri_graph_waits() */
    struct weiri_meeting_rules *meetings; /* of tables, or NULL; owned */
};

/** Begins an execution. @stop_at_race: it ends at its first race, so that plain
 *  accesses involve no choice; must be false if @model allows load buffering */
void weiri_stepper_init(struct weiri_stepper *stepper,
                        const struct weiri_program *program,
                        const struct weiri_model *model, bool stop_at_race);
void weiri_stepper_clear(struct weiri_stepper *stepper);

/** Returns: (transfer full): the execution so far */
struct weiri_execution *weiri_stepper_execution(const struct weiri_stepper *stepper);

enum weiri_reached weiri_stepper_reached(struct weiri_stepper *stepper);
enum weiri_standing weiri_stepper_standing(const struct weiri_stepper *stepper,
                                           uint32_t thread);

/** Returns: the next step of the thread. If it spins, the first step of its loop */
struct weiri_step weiri_stepper_next(struct weiri_stepper *stepper, uint32_t thread);

/** Returns: (transfer full) (element-type struct weiri_option): all options of the
 *  thread, the latest place first; none if it cannot act. Their texts refer to
 *  weiri_stepper_graph() */
GArray *weiri_stepper_options(struct weiri_stepper *stepper, uint32_t thread);

/** Returns: (transfer full): the execution with an option of the thread's next access,
 *  allowed or not. The thread has not gone on */
struct weiri_execution *weiri_stepper_with(struct weiri_stepper *stepper,
                                           const struct weiri_option *option);

/** The graph in which the thread acts: without the last iteration of a loop in which it
 *  waits. Valid until the next call. */
const struct weiri_graph *weiri_stepper_graph(struct weiri_stepper *stepper,
                                              uint32_t thread);

/** Takes a step. Returns: false if the option does not exist or is not allowed; nothing
 *  has changed then */
bool weiri_stepper_take(struct weiri_stepper *stepper, struct weiri_choice choice);

#endif
