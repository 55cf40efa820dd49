/* SPDX-License-Identifier: MIT
 *
 * brute_decide.c: tries everything. Nothing is left out but what cannot be an execution
 * under any model: reads of a value that no write has written, threads that leave
 * a barrier to which others of the group do not come, and cycles in which a value is
 * passed round that no thread has made. The remaining traces form a candidate, and each
 * model is asked about each.
 *
 * A group meets at a barrier when all of its threads have reached that label equally
 * often, with the same flags, which under models without address spaces they always
 * are. An execution in which some have come and others never will is blocked; it is
 * counted apart, as is one that a loop's bound has ended. */
#include "brute_decide.h"

#include <string.h>

enum { MOST_TRACES = 4000, MOST_COMBINATIONS = 3000000 };

struct search {
    const struct brute_program *program;
    unsigned long most;
    GArray *traces[BRUTE_THREADS]; /* of struct brute_trace */
    const struct brute_trace *chosen[BRUTE_THREADS];
    bool meets[2]; /* they keep to barriers: whatever the flags, and by flags */
    struct brute_execution execution; /* of the chosen ones */
    int final[BRUTE_LOCATIONS];
    struct brute_result *result;
    bool counts; /* candidates, and asks no model about them */
    bool failed; /* there is too much */
};

/* ---- Final states ---------------------------------------------------------------- */

int brute_term(const struct brute_program *program, unsigned thread, unsigned index)
{
    int term = 0;
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        if (thread == BRUTE_MEMORY && i == index) {
            return program->locations[i].used ? term : -1;
        }
        term += program->locations[i].used;
    }
    for (unsigned t = 0; t < program->n_threads; t++) {
        for (unsigned i = 0; i < BRUTE_REGISTERS; i++) {
            if (t == thread && i == index) {
                return brute_sets(program, t, i) ? term : -1;
            }
            term += brute_sets(program, t, i);
        }
    }
    return -1;
}

static struct brute_state final_state(const struct search *search)
{
    struct brute_state state = { .counts = { 0 } };
    unsigned n = 0;
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        if (search->program->locations[i].used) {
            state.values[n++] = search->final[i];
        }
    }
    for (unsigned t = 0; t < search->program->n_threads; t++) {
        for (unsigned i = 0; i < BRUTE_REGISTERS; i++) {
            if (brute_sets(search->program, t, i)) {
                state.values[n++] = search->chosen[t]->registers[i];
            }
        }
    }
    return state;
}

static bool holds(const struct brute_program *program, const struct brute_state *state)
{
    for (unsigned i = 0; i < program->n_clauses; i++) {
        const struct brute_clause *clause = &program->clauses[i];
        int term = brute_term(program, clause->thread, clause->index);
        bool is_so = term >= 0 && state->values[term] == clause->value;
        if (is_so == program->any) {
            return is_so;
        }
    }
    return program->n_clauses == 0 || !program->any;
}

/* The one of these values among those that were seen; it is new if need be. */
static struct brute_state *find_state(GArray *states, const struct brute_state *like)
{
    for (guint i = 0; i < states->len; i++) {
        struct brute_state *state = &g_array_index(states, struct brute_state, i);
        if (memcmp(state->values, like->values, sizeof(like->values)) == 0) {
            return state;
        }
    }
    g_array_append_val(states, *like);
    return &g_array_index(states, struct brute_state, states->len - 1);
}

/* ---- Candidates ------------------------------------------------------------------ */

static enum brute_end end_of(const struct search *search)
{
    enum brute_end end = BRUTE_ENDS;
    for (unsigned t = 0; t < search->program->n_threads; t++) {
        end = MAX(end, search->chosen[t]->end);
    }
    return end;
}

static void ask(struct search *search)
{
    struct brute_judgement judgements[BRUTE_N_MODELS];
    if (search->counts) {
        search->failed = ++search->result->n_candidates > search->most;
        return;
    }
    struct brute_state like = final_state(search);
    enum brute_end end = end_of(search);
    brute_judge(&search->execution, judgements);
    for (int m = 0; m < BRUTE_N_MODELS; m++) {
        struct brute_verdict *verdict = &search->result->verdicts[m];
        bool by_flags = m != BRUTE_SC && m != BRUTE_RC11;
        if (!judgements[m].consistent || !search->meets[by_flags]) {
            continue;
        }
        if (end == BRUTE_ENDS) {
            find_state(search->result->states, &like)->counts[m]++;
            verdict->race |= judgements[m].race;
        } else if (end == BRUTE_WAITS) {
            verdict->blocked++;
        } else {
            verdict->bounded++;
        }
    }
}

/* Orders of the writes to @location, of which @last is the last so far and those of
 * @before have their places; then of those to the locations after it. */
static void order_writes(struct search *search, unsigned location, brute_set before,
                         unsigned last)
{
    struct brute_execution *execution = &search->execution;
    bool more = false;
    for (unsigned i = 0; i < execution->n && !search->failed; i++) {
        const struct brute_event *event = &execution->events[i];
        bool ours = event->kind == WRITES && event->location == location;
        bool initial = event->thread == BRUTE_THREADS;
        if (!ours || (before >> i & 1) || initial != (before == 0)) {
            continue;
        }
        more = true;
        for (unsigned k = 0; k < execution->n; k++) {
            execution->mo.row[k] |= before >> k & 1 ? brute_bit(i) : 0;
        }
        order_writes(search, location, before | brute_bit(i), i);
        for (unsigned k = 0; k < execution->n; k++) {
            execution->mo.row[k] &= before >> k & 1 ? ~brute_bit(i) : ~UINT64_C(0);
        }
    }
    if (more || search->failed) {
        return;
    }
    if (before != 0) {
        search->final[location] = execution->events[last].value;
    }
    if (location + 1 < BRUTE_LOCATIONS) {
        order_writes(search, location + 1, 0, 0);
    } else {
        ask(search);
    }
}

/* Whether every value is made before it is passed on: no cycle of reading from a write
 * and of writing what was read. */
static bool has_ground(const struct brute_execution *execution)
{
    struct relation passes = execution->rf;
    for (unsigned i = 0; i < execution->n; i++) {
        const struct brute_event *event = &execution->events[i];
        for (uint32_t left = event->flow; left != 0; left &= left - 1) {
            unsigned start = execution->start[event->thread];
            relate(&passes, start + (unsigned)__builtin_ctz(left), i);
        }
    }
    return acyclic(passes);
}

/* Sources of the reads from event @at on. */
static void choose_sources(struct search *search, unsigned at)
{
    struct brute_execution *execution = &search->execution;
    while (at < execution->n && execution->events[at].kind != READS) {
        at++;
    }
    if (at == execution->n) {
        if (has_ground(execution)) {
            order_writes(search, 0, 0, 0);
        } else {
            search->result->n_groundless++;
        }
        return;
    }
    const struct brute_event *read = &execution->events[at];
    for (unsigned i = 0; i < execution->n && !search->failed; i++) {
        const struct brute_event *write = &execution->events[i];
        if (write->kind == WRITES && write->location == read->location
            && write->value == read->value) {
            relate(&execution->rf, i, at);
            choose_sources(search, at + 1);
            execution->rf.row[i] &= ~brute_bit(at);
        }
    }
}

/* ---- Combinations of runs -------------------------------------------------------- */

/* Whether the run has such an event of a barrier; with @by_flags of the same flags. */
static bool comes(const struct brute_trace *trace, enum brute_event_kind kind,
                  const struct brute_event *like, bool by_flags)
{
    for (unsigned i = 0; i < trace->n_events; i++) {
        const struct brute_event *event = &trace->events[i];
        if (event->kind == kind && event->label == like->label
            && event->occurrence == like->occurrence
            && (!by_flags || event->spaces == like->spaces)) {
            return true;
        }
    }
    return false;
}

static bool is_of_group(const struct brute_program *program, unsigned a, unsigned b)
{
    const struct brute_thread *threads = program->threads;
    return threads[a].group == threads[b].group
        && threads[a].device == threads[b].device;
}

/* A thread that enters a barrier leaves it where all of the group enter it, and only
 * there. */
static bool meets_rightly(const struct search *search, unsigned thread, bool by_flags)
{
    const struct brute_trace *trace = search->chosen[thread];
    for (unsigned i = 0; i < trace->n_events; i++) {
        const struct brute_event *entry = &trace->events[i];
        if (entry->kind != ENTERS) {
            continue;
        }
        bool all = true;
        for (unsigned t = 0; t < search->program->n_threads; t++) {
            all = all
                && (!is_of_group(search->program, thread, t)
                    || comes(search->chosen[t], ENTERS, entry, by_flags));
        }
        if (comes(trace, EXITS, entry, by_flags) != all) {
            return false;
        }
    }
    return true;
}

/* Whether each value that is read is written. */
static bool may_read(const struct search *search)
{
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        uint64_t reads = 0;
        uint64_t writes = brute_value_bit(search->program->locations[i].initial);
        for (unsigned t = 0; t < search->program->n_threads; t++) {
            reads |= search->chosen[t]->reads[i];
            writes |= search->chosen[t]->writes[i];
        }
        if ((reads & ~writes) != 0) {
            return false;
        }
    }
    return true;
}

static void combine_from(struct search *search, unsigned thread)
{
    if (thread < search->program->n_threads) {
        GArray *traces = search->traces[thread];
        for (guint i = 0; i < traces->len && !search->failed; i++) {
            search->chosen[thread] = &g_array_index(traces, struct brute_trace, i);
            combine_from(search, thread + 1);
        }
        return;
    }
    search->failed = ++search->result->n_combinations > MOST_COMBINATIONS;
    if (search->failed || !may_read(search)) {
        return;
    }
    for (int by_flags = 0; by_flags < 2; by_flags++) {
        search->meets[by_flags] = true;
        for (unsigned t = 0; t < search->program->n_threads; t++) {
            search->meets[by_flags]
                = search->meets[by_flags] && meets_rightly(search, t, by_flags);
        }
    }
    if (!search->meets[0] && !search->meets[1]) {
        return;
    }
    struct brute_execution *execution = &search->execution;
    if (!brute_place(execution, search->program, search->chosen)) {
        search->failed = true;
    } else if (acyclic(either(execution->sb, execution->bar))) {
        choose_sources(search, 0); /* else they wait for each other in a circle */
    }
}

/* Twice the same way: whether there is too much is known soon, and deciding is slow. */
static void combine(struct search *search)
{
    search->counts = true;
    combine_from(search, 0);
    search->result->n_combinations = 0;
    search->result->n_groundless = 0;
    search->counts = false;
    if (!search->failed) {
        combine_from(search, 0);
    }
}

/* ---- Results --------------------------------------------------------------------- */

static int compare_states(gconstpointer a, gconstpointer b)
{
    const struct brute_state *left = a, *right = b;
    for (unsigned i = 0; i < BRUTE_TERMS; i++) {
        if (left->values[i] != right->values[i]) {
            return left->values[i] < right->values[i] ? -1 : 1;
        }
    }
    return 0;
}

void brute_result_free(struct brute_result *result)
{
    if (result != NULL) {
        g_array_unref(result->states);
        g_free(result);
    }
}

void brute_count(const struct brute_program *program, struct brute_result *result)
{
    for (int m = 0; m < BRUTE_N_MODELS; m++) {
        result->verdicts[m].positive = 0;
        result->verdicts[m].negative = 0;
    }
    for (guint i = 0; i < result->states->len; i++) {
        const struct brute_state *state
            = &g_array_index(result->states, struct brute_state, i);
        bool positive = holds(program, state);
        for (int m = 0; m < BRUTE_N_MODELS; m++) {
            struct brute_verdict *verdict = &result->verdicts[m];
            *(positive ? &verdict->positive : &verdict->negative) += state->counts[m];
        }
    }
}

struct brute_result *brute_decide(const struct brute_program *program, unsigned rounds,
                                  unsigned long most)
{
    struct brute_domains domains;
    struct search search = { .program = program, .most = most };
    if (!brute_find_domains(program, rounds, &domains)) {
        return NULL;
    }
    search.result = g_new0(struct brute_result, 1);
    search.result->states = g_array_new(FALSE, FALSE, sizeof(struct brute_state));
    for (unsigned t = 0; t < program->n_threads; t++) {
        search.traces[t] = brute_find_traces(program, t, &domains, rounds, MOST_TRACES);
        search.failed = search.failed || search.traces[t] == NULL;
    }
    if (!search.failed) {
        combine(&search);
    }
    for (unsigned t = 0; t < program->n_threads; t++) {
        g_clear_pointer(&search.traces[t], g_array_unref);
    }
    if (search.failed) {
        g_clear_pointer(&search.result, brute_result_free);
        return NULL;
    }
    g_array_sort(search.result->states, compare_states);
    brute_count(program, search.result);
    return search.result;
}

/* ---- Texts ----------------------------------------------------------------------- */

static int compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, joined. Takes the strings. */
static char *join(GPtrArray *texts, const char *separator)
{
    g_ptr_array_sort(texts, compare_texts);
    g_ptr_array_add(texts, NULL);
    return g_strjoinv(separator, (char **)texts->pdata);
}

char *brute_state_text(const struct brute_program *program,
                       const struct brute_state *state)
{
    g_autoptr(GPtrArray) terms = g_ptr_array_new_with_free_func(g_free);
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        int term = brute_term(program, BRUTE_MEMORY, i);
        if (term >= 0) {
            g_ptr_array_add(terms,
                            g_strdup_printf("[%s]=%d", brute_location_name(i),
                                            state->values[term]));
        }
    }
    for (unsigned t = 0; t < program->n_threads; t++) {
        for (unsigned i = 0; i < BRUTE_REGISTERS; i++) {
            int term = brute_term(program, t, i);
            if (term >= 0) {
                g_ptr_array_add(
                    terms, g_strdup_printf("%u:r%u=%d", t, i, state->values[term]));
            }
        }
    }
    return join(terms, ",");
}

char *brute_states_text(const struct brute_program *program,
                        const struct brute_result *result, enum brute_model model)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < result->states->len; i++) {
        const struct brute_state *state
            = &g_array_index(result->states, struct brute_state, i);
        if (state->counts[model] != 0) {
            g_autofree char *text = brute_state_text(program, state);
            g_ptr_array_add(
                lines, g_strdup_printf("%s  %u times\n", text, state->counts[model]));
        }
    }
    return join(lines, "");
}
