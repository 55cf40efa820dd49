/* SPDX-License-Identifier: MIT
 *
 * lockstep.h: whether something that is clean hangs where the items of a sub-group
 * advance together. */
#ifndef WEIRI_CLI_LOCKSTEP_H
#define WEIRI_CLI_LOCKSTEP_H

#include "engine/verdict.h"

/** If an item of the verdict's runs has waited for another one of its sub-group, tries
 *  the run in lockstep. A hang there is a note of the verdict. */
void weiri_cli_lockstep_try(struct weiri_cli_verdict *verdict);

#endif
