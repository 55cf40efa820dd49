/* SPDX-License-Identifier: MIT
 *
 * model.c: applies a model to the facts of an execution; see model.h. The model derives
 * its relations once for each execution; then each axiom is tested in turn, and the
 * first that fails decides. The memory of the relations that an axiom makes is given
 * back after it. */
#include "config.h"

#include "model/model.h"

void weiri_model_prepare(const struct weiri_model *model, struct weiri_facts *facts)
{
    struct weiri_algebra *k = facts->algebra;
    const struct weiri_execution_event *events = facts->execution->events;
    facts->prepared = model;
    facts->settled = true;
    if (model->begin != NULL) {
        model->begin(facts);
    }
    for (uint32_t c = 0; c < model->n_choices; c++) {
        struct weiri_relation pairs = model->pairs(facts, c);
        facts->chosen[c] = weiri_relation_intersection(k, pairs, facts->sb);
        for (uint32_t a = 0; a < k->n; a++) {
            for (uint32_t b = 0; b < k->n; b++) {
                if (weiri_relation_has(k, pairs, a, b)
                    && !weiri_relation_has(k, facts->same_thread, a, b)
                    && events[a].position < events[b].position) {
                    weiri_relation_add(k, facts->chosen[c], a, b);
                }
            }
        }
    }
}

void weiri_model_read(const struct weiri_model *model, struct weiri_facts *facts)
{
    if (model->n_choices > 0 && facts->prepared != model) {
        weiri_model_prepare(model, facts);
    }
    if (model->n_choices > 0) {
        weiri_facts_follow_reads(facts);
    } else {
        weiri_facts_follow(facts);
    }
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
