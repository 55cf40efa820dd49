/* SPDX-License-Identifier: MIT
 *
 * 09_litmus.c: the message again, and all of its possible outcomes.
 *
 * One item writes a number and sets a flag; the other item reads the flag and then the
 * number. Each launch shows one outcome. A litmus test asks a memory model instead of a
 * machine: the answer is every final state that the model allows.
 *
 * With relaxed accesses, the second item may read the flag as set and the number as
 * old. Only sequential consistency forbids that, which no GPU offers. With release and
 * acquire, all three models forbid it, and the answer explains why: it has the
 * execution in which the number is old, and the cycle of edges for which the model
 * forbids it.
 *
 * `weir litmus` is the command for this; docs/tutorial/06-orders.md goes on from
 * here. */
#include <weir-model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The orders of the store and of the load of the flag are filled in. */
static const char message[]
    = "C message\n"
      "{ data = 0; flag = 0; }\n"
      "P0 (atomic_int* data, atomic_int* flag) {\n"
      "  atomic_store_explicit(data, 42, memory_order_relaxed);\n"
      "  atomic_store_explicit(flag, 1, memory_order_%s);\n"
      "}\n"
      "P1 (atomic_int* data, atomic_int* flag) {\n"
      "  int seen = atomic_load_explicit(flag, memory_order_%s);\n"
      "  int got = atomic_load_explicit(data, memory_order_relaxed);\n"
      "}\n"
      "exists (1:seen=1 /\\ 1:got=0)\n";

static const enum weir_model models[]
    = { WEIR_MODEL_SC, WEIR_MODEL_SYCL, WEIR_MODEL_GPU };

static void print_why(struct weir_litmus_answer *answer)
{
    const struct weir_litmus_explanation *why = weir_litmus_answer_explain(answer);
    if (why == NULL || why->execution == NULL) {
        return; /* the claimed state is allowed, or no values lead to it */
    }
    const struct weir_litmus_event *events = why->execution->events;
    const struct weir_litmus_violation *violation = &why->violations[0];
    printf("    %s would break %s:\n", why->state, violation->axiom);
    for (size_t i = 0; i < violation->n_edges; i++) {
        const struct weir_litmus_edge *edge = &violation->edges[i];
        printf("      %s  -%s->  %s\n", events[edge->from].text,
               weir_litmus_edge_name(edge->kind), events[edge->to].text);
    }
}

static void ask(const struct weir_litmus *test, enum weir_model model)
{
    const struct weir_litmus_options options = { .model = model };
    GError *error = NULL;
    struct weir_litmus_answer *answer = weir_litmus_ask(test, &options, &error);
    if (answer == NULL) {
        fprintf(stderr, "%s\n", error->message);
        exit(EXIT_FAILURE);
    }
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    printf("  %s: %s\n", weir_model_name(model),
           weir_observation_name(verdict->observation));
    for (size_t i = 0; i < verdict->n_states; i++) {
        const struct weir_litmus_state *state = weir_litmus_answer_state(answer, i);
        printf("    %s%s\n", state->text, state->positive ? "  *" : "");
    }
    print_why(answer);
    weir_litmus_answer_free(answer);
}

static void ask_all(const char *store, const char *load)
{
    char *text = g_strdup_printf(message, store, load);
    GError *error = NULL;
    struct weir_litmus *test
        = weir_litmus_parse(text, strlen(text), "message.litmus", &error);
    if (test == NULL) {
        fprintf(stderr, "%s\n", error->message);
        exit(EXIT_FAILURE);
    }
    printf("store %s, load %s\n", store, load);
    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        ask(test, models[i]);
    }
    weir_litmus_free(test);
    g_free(text);
}

int main(void)
{
    ask_all("relaxed", "relaxed");
    ask_all("release", "acquire");
    return EXIT_SUCCESS;
}
