/* SPDX-License-Identifier: MIT
 *
 * answer.h: the litmus test inside the public handle. */
#ifndef WEIRI_ANSWER_H
#define WEIRI_ANSWER_H

#include "litmus/litmus.h"
#include "weir-model.h"

/* @threads, @locations: in their public form. @test and both arrays are owned. Each
 * answer holds a reference. */
struct weir_litmus {
    gatomicrefcount references;
    struct weiri_litmus *test;
    struct weir_litmus_thread *threads;
    struct weir_litmus_location *locations;
};

/** Whether the model defines what tests of that form do.
 *  Errors: %WEIR_ERROR_ARGUMENT if it does not */
bool weiri_answer_takes(const struct weiri_litmus *test, enum weir_model model,
                        GError **error);

#endif
