/* SPDX-License-Identifier: MIT
 *
 * model.c: the list of models; see model.h. */
#include "config.h"

#include "model/model.h"

#include <string.h>

const struct weiri_model *const weiri_models[] = { &weiri_model_sycl,
                                                   &weiri_model_sycl_split,
                                                   &weiri_model_rc11,
                                                   &weiri_model_sc,
                                                   &weiri_model_opencl,
                                                   &weiri_model_gpu,
                                                   NULL };

const struct weiri_model *weiri_model_find(const char *name)
{
    for (size_t i = 0; weiri_models[i] != NULL; i++) {
        if (strcmp(weiri_models[i]->name, name) == 0) {
            return weiri_models[i];
        }
    }
    return NULL;
}

void weiri_model_read(const struct weiri_model *model, struct weiri_facts *facts)
{
    weiri_facts_follow(facts);
    facts->n_orders = 0;
    model->derive(facts);
}

bool weiri_model_allows(const struct weiri_model *model,
                        const struct weiri_facts *facts)
{
    return weiri_model_allows_but(model, facts, NULL);
}

bool weiri_model_allows_but(const struct weiri_model *model,
                            const struct weiri_facts *facts,
                            const struct weiri_axiom *axiom)
{
    for (uint32_t i = 0; i < model->n_axioms; i++) {
        if (model->axioms[i] == axiom) {
            continue;
        }
        struct weiri_algebra_mark mark = weiri_algebra_mark(facts->algebra);
        bool holds = model->axioms[i]->holds(facts, NULL);
        weiri_algebra_return(facts->algebra, mark);
        if (!holds) {
            return false;
        }
    }
    return true;
}
