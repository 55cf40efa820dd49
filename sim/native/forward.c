/* SPDX-License-Identifier: MIT
 *
 * forward.c: see forward.h. The states of a launch whose items take turns are visited,
 * by model/progress.h. The state of an item is the node of its history, so there must
 * be no new node for a further round of a loop that has changed nothing: an item that
 * spins is taken back to the first stop of that round.
 *
 * A model obliges items or, if that is asked for, groups: an obliged group runs all its
 * items.
 *
 * A launch without a race has only executions that the exploration has visited, and
 * with a race they have no meaning, except under PTX: so nothing new is found while
 * items run here. Executions of the memory model that wait for ever, and are not
 * sequentially consistent, are those that the exploration has counted.
 *
 * Under PTX writes are ordered in part. Two graphs bound what an item may read for
 * ever, as for litmus tests: see answer/termination.c. In the larger one items may read
 * what no execution has, so what is found there is forgotten. */
#include "config.h"

#include "native/forward.h"

#include "exec/finding.h"
#include "model/stand.h"
#include "native/history.h"
#include "native/shown.h"

#include <string.h>

/* States, if the caller states no number. Each is some bytes. */
enum { MOST_STATES = 1000000 };

/* The program of the native one, in which no item stands where it spins. @of: the
 * program that takes the steps: that of @partial, which has the fences of PTX, or the
 * native one. The state of a thread begins with the node of its history in both. */
struct folded {
    struct weiri_native *native;
    const struct weiri_partial *partial; /* or NULL */
    const struct weiri_program *of;
    struct weiri_program program;
    const struct weiri_native_options *options;
};

static void fold(struct folded *folded, void *state, struct weiri_step *next)
{
    const struct weiri_native *native = folded->native;
    folded->program.stopped = native->program.stopped;
    if (next->kind == WEIRI_STEP_SPIN && folded->partial != NULL) {
        weiri_partial_stand_at(folded->partial, next->place, state, next);
    } else if (next->kind == WEIRI_STEP_SPIN) {
        uint32_t head = next->place;
        memcpy(state, &head, sizeof(head));
        *next = weiri_history_node(native, head)->step;
    }
}

static void start(void *self, uint32_t thread, void *state, struct weiri_step *next)
{
    struct folded *folded = self;
    folded->of->start(folded->of->self, thread, state, next);
    fold(folded, state, next);
}

static void resume(void *self, uint32_t thread, void *state, int64_t read, bool wrote,
                   struct weiri_step *next)
{
    struct folded *folded = self;
    folded->of->resume(folded->of->self, thread, state, read, wrote, next);
    fold(folded, state, next);
}

static bool update(void *self, uint32_t thread, const void *state, int64_t read,
                   int64_t *written)
{
    const struct folded *folded = self;
    return folded->native->program.update(folded->native, thread, state, read, written);
}

static int64_t meet(void *self, uint32_t thread, const void *const *states)
{
    const struct folded *folded = self;
    return folded->native->program.meet(folded->native, thread, states);
}

static bool go_on(void *user, uint64_t states)
{
    const struct folded *folded = user;
    (void)states;
    return folded->native->ends_us == 0
        || g_get_monotonic_time() < folded->native->ends_us;
}

/* ---- Answers --------------------------------------------------------------------- */

static void add_stands(const struct folded *folded,
                       const struct weiri_progress *progress,
                       struct weir_explored_termination *to)
{
    static const char *const states[] = { [WEIR_LITMUS_FINISHED] = "ended",
                                          [WEIR_LITMUS_SPINS] = "spins",
                                          [WEIR_LITMUS_HANGS] = "hangs",
                                          [WEIR_LITMUS_RESTS] = "rests" };
    struct weiri_shown shown;
    weiri_shown_name_all(&shown, folded->native, folded->options->symbols);
    uint32_t n = shown.program.n_threads;
    struct weir_explored_stand *stands = g_new0(struct weir_explored_stand, n);
    for (uint32_t t = 0; t < n; t++) {
        struct weir_litmus_stand stand = weiri_stand_of(&shown.program, progress, t);
        struct weir_frame frame = weiri_shown_frame(&shown, progress->last[t].place);
        bool ended = stand.standing == WEIR_LITMUS_FINISHED;
        stands[t] = (struct weir_explored_stand){ .name = weiri_shown_name(&shown, t),
                                                  .state = states[stand.standing],
                                                  .text = stand.text,
                                                  .file = ended ? NULL : frame.file,
                                                  .line = ended ? 0 : frame.line };
    }
    weiri_shown_clear(&shown);
    to->stands = stands;
    to->n_stands = n;
}

/* Returns: (transfer full): why it is not known. @real: all states are of executions */
static char *why_unknown(const struct weiri_progress *progress, bool real)
{
    switch (progress->limit) {
    case WEIRI_PROGRESS_STATES:
        return g_strdup("there are too many states");
    case WEIRI_PROGRESS_STATE:
        return g_strdup(progress->stop == WEIRI_INTERLEAVE_BOUND
                            ? "an item takes too many steps"
                            : progress->stop == WEIRI_INTERLEAVE_WRITES
                            ? "more than 64 writes are last writes of their locations"
                            : real ? "an item fails"
                                   : "an item fails, perhaps in no execution of ptx");
    case WEIRI_PROGRESS_STOPPED:
        return g_strdup("the time limit was reached");
    case WEIRI_PROGRESS_NO_LIMIT:
        break;
    }
    return g_strdup("it depends on whether causality orders writes that are not "
                    "morally strong");
}

/* The graphs of states: of few executions, in which a failure is certain, and of many,
 * in which an end is; they can be the same. */
struct graphs {
    struct weiri_progress_graph *few, *many;
};

static struct weiri_progress ask(const struct graphs *graphs, enum weir_forward forward)
{
    struct weiri_progress progress = weiri_progress_ask(graphs->few, forward);
    if (!progress.fails && graphs->many != graphs->few) {
        weiri_progress_clear(&progress);
        progress = weiri_progress_ask(graphs->many, forward);
        progress.fails = false;
    }
    return progress;
}

static void answer(const struct folded *folded, const struct graphs *graphs,
                   enum weir_forward forward, const struct weir_exploration *found,
                   struct weir_explored_termination *to)
{
    struct weiri_progress progress = ask(graphs, forward);
    to->decided = progress.fails || progress.ends;
    bool blocks = found->blocked > found->faulted;
    to->terminates = progress.ends && !blocks;
    to->weak = progress.ends && blocks;
    if (progress.fails) {
        add_stands(folded, &progress, to);
    } else if (!progress.ends) {
        to->undecided = why_unknown(&progress, graphs->few == graphs->many);
    }
    weiri_progress_clear(&progress);
}

static bool is_ptx(const struct folded *folded)
{
    return folded->native->form == WEIRI_FORM_PTX;
}

/* Returns: (transfer full): why no answer is looked for; or NULL */
static char *why_not(const struct folded *folded, const struct weir_exploration *found)
{
    if (found->racy > 0 && !is_ptx(folded)) {
        return g_strdup("there is a race, so that executions have no meaning");
    }
    if (folded->of->n_threads > WEIRI_INTERLEAVE_THREADS) {
        return g_strdup_printf("there are more than %d items",
                               WEIRI_INTERLEAVE_THREADS);
    }
    return found->complete ? NULL : g_strdup("there may be more executions");
}

static struct weiri_progress_graph *graph_of(struct folded *folded,
                                             enum weiri_write_order writes)
{
    const struct weiri_progress_options how
        = { .writes = writes,
            .sc_fences_order = true,
            .by_group = folded->options->forwards_by_group,
            .most_states = folded->options->max_executions != 0
                ? folded->options->max_executions
                : MOST_STATES,
            .go_on = go_on,
            .user = folded };
    return weiri_progress_graph_new(&folded->program, &how);
}

static void decide(struct folded *folded, const struct weir_exploration *found,
                   GArray *all)
{
    struct graphs graphs;
    graphs.few
        = graph_of(folded, is_ptx(folded) ? WEIRI_WRITES_CAUSAL : WEIRI_WRITES_TOTAL);
    graphs.many = is_ptx(folded) ? graph_of(folded, WEIRI_WRITES_CERTAIN) : graphs.few;
    for (guint i = 0; i < all->len && !folded->program.stopped; i++) {
        struct weir_explored_termination *to
            = &g_array_index(all, struct weir_explored_termination, i);
        enum weir_forward forward;
        if (weir_forward_find(to->forward, &forward, NULL)) {
            answer(folded, &graphs, forward, found, to);
        }
    }
    if (graphs.many != graphs.few) {
        weiri_progress_graph_free(graphs.many);
    }
    weiri_progress_graph_free(graphs.few);
}

/* Decides; what items do there is not found. */
static void decide_unseen(struct folded *folded, const struct weir_exploration *found,
                          GArray *all)
{
    struct weiri_launch *launch = folded->native->machine.hub.launch;
    struct weir_report *report = launch->report;
    launch->report = weiri_report_new();
    decide(folded, found, all);
    weir_report_free(launch->report);
    launch->report = report;
}

GArray *weiri_native_forwards(struct weiri_native *native,
                              const struct weiri_native_options *options,
                              const struct weiri_partial *partial,
                              const struct weir_exploration *found)
{
    struct folded folded
        = { .native = native,
            .partial = partial,
            .of = partial != NULL ? &partial->program : &native->program,
            .options = options };
    folded.program = *folded.of;
    GArray *all = g_array_new(FALSE, TRUE, sizeof(struct weir_explored_termination));
    g_autofree char *not = why_not(&folded, found);
    for (unsigned f = 0; f < WEIR_N_FORWARDS; f++) {
        const struct weir_explored_termination one
            = { .forward = weir_forward_name((enum weir_forward)f),
                .undecided = g_strdup(not ) };
        if ((options->forwards >> f & 1) != 0) {
            g_array_append_val(all, one);
        } else {
            g_free((char *)one.undecided);
        }
    }
    folded.program.self = &folded;
    folded.program.start = start;
    folded.program.resume = resume;
    folded.program.update = update;
    folded.program.meet = meet;
    folded.program.stopped = native->program.stopped;
    if (not == NULL && all->len > 0 && partial != NULL) {
        decide_unseen(&folded, found, all);
    } else if (not == NULL && all->len > 0) {
        decide(&folded, found, all);
    }
    return all;
}

void weiri_native_forwards_free(GArray *terminations)
{
    for (guint i = 0; terminations != NULL && i < terminations->len; i++) {
        struct weir_explored_termination *one
            = &g_array_index(terminations, struct weir_explored_termination, i);
        for (size_t s = 0; s < one->n_stands; s++) {
            g_free((char *)one->stands[s].name);
            g_free((char *)one->stands[s].text);
        }
        g_free((void *)one->stands);
        g_free((char *)one->undecided);
    }
    if (terminations != NULL) {
        g_array_unref(terminations);
    }
}
