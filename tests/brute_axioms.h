/* SPDX-License-Identifier: MIT
 *
 * brute_axioms.h: whether the memory models allow an execution, by
 * their definitions. */
#ifndef WEIR_TESTS_BRUTE_AXIOMS_H
#define WEIR_TESTS_BRUTE_AXIOMS_H

#include "brute_execution.h"

/* Name as the library has it. */
#define BRUTE_MODELS(M)                                                                \
    M(SC, "sc")                                                                        \
    M(RC11, "rc11")                                                                    \
    M(SYCL, "sycl")                                                                    \
    M(SYCL_SPLIT, "sycl-split")                                                        \
    M(OPENCL, "opencl")                                                                \
    M(GPU, "gpu")

enum brute_model {
#define M(name, text) BRUTE_##name,
    BRUTE_MODELS(M)
#undef M
        BRUTE_N_MODELS,
};

const char *brute_model_name(enum brute_model model);

struct brute_judgement {
    bool consistent;
    bool race; /* two of its accesses race; of consistent executions only */
};

/** The verdict of each model on the execution, whose rf and mo are chosen. */
void brute_judge(struct brute_execution *execution,
                 struct brute_judgement judgements[BRUTE_N_MODELS]);

#endif
