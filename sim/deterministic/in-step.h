/* SPDX-License-Identifier: MIT
 *
 * in-step.h: sub-groups whose items take each step together, as the warps of GPUs
 * before Volta did: one program counter for all, and a mask of the items at it.
 *
 * lockstep.h concerns what hangs on such hardware. This concerns what is right there
 * only: code that reads what another item of the sub-group has written, and has nothing
 * but the common steps to order the two. Kernels in CUDA run so with --lockstep. */
#ifndef WEIRI_IN_STEP_H
#define WEIRI_IN_STEP_H

#include "base/id-set.h"
#include "deterministic/hub.h"

struct weiri_step_place;

struct weiri_in_step {
    struct weiri_hub *hub;
    const struct weiri_id_set *ready; /* the scheduler's */
    void (*wake)(void *self, uint32_t id);
    void *self;
    struct weiri_id_set paused;      /* at a stop, until it is their turn */
    struct weiri_step_place *places; /* by id: the latest stop */
    bool strayed; /* items were paused whose sub-group may have none that runs */
};

/** Whether the launch's items run so. */
bool weiri_in_step_wanted(const struct weiri_launch *launch);

/** @ready: borrowed. @wake: it is the item's turn */
void weiri_in_step_init(struct weiri_in_step *steps, struct weiri_hub *hub,
                        const struct weiri_id_set *ready,
                        void (*wake)(void *self, uint32_t id), void *self);
void weiri_in_step_clear(struct weiri_in_step *steps);

/** A group has become resident, or is about to end. */
void weiri_in_step_admit(struct weiri_in_step *steps, const struct weiri_group *group);
void weiri_in_step_dismiss(struct weiri_in_step *steps,
                           const struct weiri_group *group);

/** The running item is at a stop before an operation or a block. */
void weiri_in_step_note(struct weiri_in_step *steps, uint32_t id);

/** The item, which is not ready, waits for its turn at its latest stop. */
void weiri_in_step_pause(struct weiri_in_step *steps, uint32_t id);

/** The same for an item whose sub-group may have no other one that runs. */
void weiri_in_step_stray(struct weiri_in_step *steps, uint32_t id);

/** The item takes its next step without the others. */
void weiri_in_step_alone(struct weiri_in_step *steps, uint32_t id);

/** After the scheduler's sets have changed because of the item: if no item of its
 *  sub-group runs, those whose turn it is do. Called on either stack. */
void weiri_in_step_settle(struct weiri_in_step *steps, uint32_t id);

/** The same for all sub-groups. Returns: whether any items run now */
bool weiri_in_step_settle_all(struct weiri_in_step *steps);

#endif
