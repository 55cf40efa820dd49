/* SPDX-License-Identifier: MIT
 *
 * check_races_random.c: the race detector against brute force. Random programs are fed
 * to the detector event by event, and each answer is held against race_reference.h:
 *
 *   sound     what it reports at an event is a race of that event with the one that it
 *             names, of the kind that it says
 *   complete  the first race on each byte is reported when it happens: the detector
 *             need remember only what can still race, but up to there misses nothing
 *
 * A program on which they differ is made smaller as long as they do, and printed.
 *
 *   check-races-random                a few programs, as a test
 *   check-races-random SEED COUNT     those from SEED on; every second one is of PTX
 *   check-races-random FILE           the one that is written there */
#define CAMPAIGN "check-races-random"
#include "campaign.h"

#include "race_generator.h"
#include "race_reference.h"
#include "race_stage.h"
#include "race_texts.h"

#include <limits.h>

/* ---- Holding one against the other --------------------------------------- */

/* The pairs that were reported up to now, in the order of the detector. */
struct reported {
    uint64_t counts[MOST_STEPS * MOST_STEPS];
    size_t n;
};

static bool is_of(const struct stage *stage, const struct weiri_race_access *access,
                  unsigned index)
{
    unsigned item = stage->program->steps[index].item, n = stage->program->n_items;
    return stage_is_at(stage, access, index) && access->group == item / n
        && access->item == item % n;
}

/* Words of 4 bytes that both touch. */
static unsigned n_words(const struct step *a, const struct step *b)
{
    unsigned first = MAX(a->offset, b->offset);
    unsigned end = MIN(a->offset + a->bytes, b->offset + b->bytes);
    return (end + 3) / 4 - first / 4;
}

/* Races of a step with those before it that the pair, of its places, may be; by words,
 * as the detector counts them. */
static unsigned n_witnesses(const struct stage *stage,
                            const struct judgement *judgement,
                            const struct weiri_race_pair *pair, unsigned at)
{
    unsigned n = 0;
    for (unsigned i = 0; i < at && stage_is_at(stage, &pair->second, at); i++) {
        enum weir_finding_kind kinds[] = { [RACE_DATA] = WEIR_FINDING_DATA_RACE,
                                           [RACE_SCOPE] = WEIR_FINDING_SCOPE_RACE,
                                           [RACE_MIXED] = WEIR_FINDING_MIXED_ATOMIC };
        enum race_kind kind = judgement->kinds[i][at];
        if (kind != RACE_NONE && pair->kind == kinds[kind]
            && stage_is_at(stage, &pair->first, i)) {
            n += n_words(&stage->program->steps[i], &stage->program->steps[at]);
        }
    }
    return n;
}

/* Whether a new pair's own details are those of one of these races. */
static bool is_exact(const struct stage *stage, const struct judgement *judgement,
                     const struct weiri_race_pair *pair, unsigned at)
{
    const struct program *program = stage->program;
    const struct step *second = &program->steps[at];
    if (!is_of(stage, &pair->second, at)
        || pair->object != stage->objects[second->object]
        || pair->offset < second->offset
        || pair->offset >= second->offset + second->bytes) {
        return false;
    }
    for (unsigned i = 0; i < at; i++) {
        const struct step *first = &program->steps[i];
        if (judgement->kinds[i][at] != RACE_NONE && is_of(stage, &pair->first, i)
            && pair->offset >= first->offset
            && pair->offset < first->offset + first->bytes) {
            return true;
        }
    }
    return false;
}

static void describe_access(GString *text, const struct stage *stage,
                            const struct weiri_race_access *access)
{
    for (unsigned i = 0; i < stage->program->n_steps; i++) {
        if (is_of(stage, access, i)) {
            g_autofree char *step = program_step_text(stage->program, i);
            g_string_append_printf(text, "%s (step %u)", step, i);
            return;
        }
    }
    g_string_append_printf(text, "%u.%u %s%s%s (no such step)", (unsigned)access->group,
                           (unsigned)access->item, access->atomic ? "atomic " : "",
                           access->reads ? "read" : "", access->writes ? "write" : "");
}

static char *describe(const struct stage *stage, const char *what,
                      const struct weiri_race_pair *pair, unsigned at)
{
    GString *text = g_string_new(NULL);
    g_autofree char *step = program_step_text(stage->program, at);
    g_string_append_printf(text, "at step %u, %s: %s", at, step, what);
    if (pair != NULL) {
        g_string_append_printf(text, ": %s of ", weir_finding_kind_name(pair->kind));
        describe_access(text, stage, &pair->first);
        g_string_append(text, " and ");
        describe_access(text, stage, &pair->second);
        g_string_append_printf(text, ", byte %zu, %u times", pair->offset,
                               (unsigned)pair->count);
    }
    return g_string_free(text, FALSE);
}

/* The reports of the detector at a step, against the allowed reports. @now: (out) how
 * much more of each pair. Returns: NULL, or what is wrong */
static char *check_sound(const struct stage *stage, const struct judgement *judgement,
                         struct reported *reported, uint64_t *now, unsigned at)
{
    size_t n = weiri_race_n_pairs(stage->race);
    if (n < reported->n || n > G_N_ELEMENTS(reported->counts)) {
        return describe(stage, "pairs come and go", NULL, at);
    }
    for (size_t i = 0; i < n; i++) {
        const struct weiri_race_pair *pair = weiri_race_pair(stage->race, i);
        now[i] = pair->count - (i < reported->n ? reported->counts[i] : 0);
        reported->counts[i] = pair->count;
        if (i < reported->n && now[i] == 0) {
            continue;
        }
        unsigned possible = n_witnesses(stage, judgement, pair, at);
        if (possible == 0) {
            return describe(stage, "reported, and is none", pair, at);
        }
        if (now[i] == 0 || now[i] > possible) {
            return describe(stage, "counted wrongly", pair, at);
        }
        if (i >= reported->n && !is_exact(stage, judgement, pair, at)) {
            return describe(stage, "its details are of no race", pair, at);
        }
    }
    reported->n = n;
    return NULL;
}

/* Whether a race of the step with one before it, on that byte, is among those that were
 * reported, where there is one. */
static char *check_complete(const struct stage *stage,
                            const struct judgement *judgement, const uint64_t *now,
                            unsigned at, unsigned byte, bool *races)
{
    const struct step *step = &stage->program->steps[at];
    const struct step point = { .object = step->object, .offset = byte, .bytes = 1 };
    *races = false;
    char *missed = NULL;
    for (unsigned i = 0; i < at; i++) {
        if (judgement->kinds[i][at] == RACE_NONE
            || !steps_overlap(&stage->program->steps[i], &point)) {
            continue;
        }
        *races = true;
        for (size_t k = 0; k < weiri_race_n_pairs(stage->race); k++) {
            const struct weiri_race_pair *pair = weiri_race_pair(stage->race, k);
            if (now[k] > 0 && stage_is_at(stage, &pair->first, i)
                && stage_is_at(stage, &pair->second, at)) {
                g_free(missed);
                return NULL;
            }
        }
        if (missed == NULL) {
            g_autofree char *first = program_step_text(stage->program, i);
            g_autofree char *what = g_strdup_printf(
                "the first race on byte %u is not reported: %s with %s (step %u)", byte,
                race_kind_name(judgement->kinds[i][at]), first, i);
            missed = describe(stage, what, NULL, at);
        }
    }
    return missed;
}

/* Returns: (transfer full): what they disagree about, or NULL */
static char *disagreement(const struct program *program, bool shared,
                          const struct judgement *judgement)
{
    struct stage *stage = stage_new(program, shared);
    struct reported *reported = g_new0(struct reported, 1);
    uint64_t *now = g_new0(uint64_t, G_N_ELEMENTS(reported->counts));
    bool raced[MOST_OBJECTS][MOST_OBJECT_BYTES] = { { false } };
    char *wrong = NULL;
    for (unsigned i = 0; i < program->n_steps && wrong == NULL; i++) {
        const struct step *step = &program->steps[i];
        stage_emit(stage, i);
        wrong = check_sound(stage, judgement, reported, now, i);
        for (unsigned b = step->offset;
             step->kind <= STEP_ATOMIC && b < step->offset + step->bytes; b++) {
            if (wrong == NULL && !raced[step->object][b]) {
                wrong = check_complete(stage, judgement, now, i, b,
                                       &raced[step->object][b]);
            }
        }
    }
    g_free(now);
    g_free(reported);
    stage_free(stage);
    return wrong;
}

static char *disagreement_about(const struct program *program, bool shared)
{
    g_autofree struct judgement *judgement = g_new(struct judgement, 1);
    reference_judge(program, judgement);
    return disagreement(program, shared, judgement);
}

/* ---- Smaller ------------------------------------------------------------- */

/* Keeps a change if they still disagree. */
static bool keep(struct program *program, const struct program *changed, bool shared)
{
    g_autofree char *wrong = disagreement_about(changed, shared);
    if (wrong != NULL) {
        *program = *changed;
    }
    return wrong != NULL;
}

static void shrink(struct program *program, bool shared)
{
    g_autofree struct program *changed = g_new(struct program, 1);
    bool again = true;
    while (again) {
        again = false;
        for (unsigned i = program->n_steps; i-- > 0;) {
            if (i < program->n_steps) {
                *changed = *program;
                program_remove(changed, i);
                again |= keep(program, changed, shared);
            }
        }
        for (unsigned i = 0; i < program->n_meetings; i++) {
            *changed = *program;
            changed->meetings[i].space = WEIR_LOCAL | WEIR_GLOBAL;
            again |= changed->meetings[i].space != program->meetings[i].space
                && keep(program, changed, shared);
        }
    }
    *changed = *program;
    changed->spaces = WEIR_SPACES_SYCL;
    keep(program, changed, shared);
    *changed = *program;
    changed->scopes = WEIR_SCOPE_RULE_MUTUAL;
    keep(program, changed, shared);
}

/* ---- Campaigns ----------------------------------------------------------- */

struct statistics {
    uint64_t programs, clean, steps, ordered, races[RACE_MIXED + 1];
};

static void count(struct statistics *statistics, const struct program *program,
                  const struct judgement *judgement)
{
    statistics->programs++;
    statistics->steps += program->n_steps;
    statistics->clean += judgement->n_races == 0;
    statistics->ordered += judgement->n_ordered;
    for (unsigned i = 0; i < program->n_steps; i++) {
        for (unsigned j = 0; j < i; j++) {
            statistics->races[judgement->kinds[i][j]]++;
        }
    }
}

/* Judges the program of a seed twice, with places of their own and with shared ones.
 * Returns: (transfer full): all that is to be said of it, or NULL where they agree */
static char *judge_seed(uint64_t seed, struct statistics *statistics)
{
    g_autofree struct program *program = g_new(struct program, 1);
    g_autofree struct judgement *judgement = g_new(struct judgement, 1);
    program_draw(program, seed / 2, seed % 2 == 1);
    reference_judge(program, judgement);
    count(statistics, program, judgement);
    for (int shared = 0; shared < 2; shared++) {
        g_autofree char *wrong = disagreement(program, shared, judgement);
        if (wrong == NULL) {
            continue;
        }
        g_autofree char *whole = program_text(program);
        shrink(program, shared);
        g_autofree char *small = program_text(program);
        g_autofree char *still = disagreement_about(program, shared);
        return g_strdup_printf("the detector and the reference disagree%s, %s\n\n%s\n"
                               "The smallest such part, %s\n\n%s",
                               shared ? ", where places are shared" : "", wrong, whole,
                               still, small);
    }
    return NULL;
}

static void say(const struct statistics *statistics)
{
    printf("%" G_GUINT64_FORMAT " programs of %" G_GUINT64_FORMAT
           " steps on average, %" G_GUINT64_FORMAT
           " %% without races; pairs that conflict: %" G_GUINT64_FORMAT
           " ordered or strong, %" G_GUINT64_FORMAT " data-race, %" G_GUINT64_FORMAT
           " scope-race, %" G_GUINT64_FORMAT " mixed-atomic\n",
           statistics->programs, statistics->steps / MAX(1, statistics->programs),
           100 * statistics->clean / MAX(1, statistics->programs), statistics->ordered,
           statistics->races[RACE_DATA], statistics->races[RACE_SCOPE],
           statistics->races[RACE_MIXED]);
}

/* ---- Tests --------------------------------------------------------------- */

enum { CHUNKS = 8, PROGRAMS_A_CHUNK = 500 };

CASE("random");

TEST_EACH(the_detector_and_brute_force_agree, CHUNKS)
{
    struct statistics statistics = { 0 };
    expect_chunk(_i, scaled(PROGRAMS_A_CHUNK, 4), &statistics);
}

/* Half of the programs have no race, and the others have races of all kinds. */
TEST(the_generator_draws_what_it_should)
{
    struct statistics statistics = { 0 };
    g_autofree struct program *program = g_new(struct program, 1);
    g_autofree struct judgement *judgement = g_new(struct judgement, 1);
    for (uint64_t seed = 1; seed <= scaled(400, 100); seed++) {
        program_draw(program, seed, false);
        reference_judge(program, judgement);
        count(&statistics, program, judgement);
    }
    ck_assert_uint_ge(100 * statistics.clean, 40 * statistics.programs);
    ck_assert_uint_le(100 * statistics.clean, 60 * statistics.programs);
    ck_assert_uint_ge(statistics.ordered, 10 * statistics.programs);
    for (enum race_kind kind = RACE_DATA; kind <= RACE_MIXED; kind++) {
        ck_assert_uint_ge(statistics.races[kind], statistics.programs / 10);
    }
}

static void expect_agreement(const char *text)
{
    g_autofree struct program *program = g_new(struct program, 1);
    program_read(program, text);
    for (int shared = 0; shared < 2; shared++) {
        g_autofree char *wrong = disagreement_about(program, shared);
        ck_assert_msg(wrong == NULL, "%s\n%.4000s", wrong, text);
    }
}

/* Programs whose point is seldom drawn. */
static const struct {
    const char *head, *steps;
} seldom[] = {
    /* Items whose numbers lie next to each other, in groups of one. */
    { OF("3", "1", "1", "mutual", "sycl") "object a global 8\n",
      "2.0 fetch_max a[0..7] relaxed work_item; 1.0 fetch_max a[0..7] relaxed system" },
    /* Sequential consistency alone carries nothing from one space to the other. */
    { OF("1", "2", "1", "mutual",
         "opencl") "object a global 8\nobject b local 8 of 0\n",
      "0.0 write b, store a seq_cst device; 0.1 load a seq_cst device, read b" },
    /* Not even with fences, where one is of one space. */
    { OF("1", "2", "1", "mutual",
         "opencl") "object a local 8 of 0\nobject b global 8\n",
      "0.1 read a[0..7], fence seq_cst device both, fetch_add b relaxed device; "
      "0.0 compare_exchange b relaxed relaxed device, fence seq_cst device global, "
      "update a[5..6]" },
    /* But a fence of one space hands on what came to it from one of both. */
    { HANDED_ON("seq_cst") },
    /* Memory that held a wide atomic of one group is another group's. */
    { OF("2", "3", "1", "mutual", "sycl") "object a global 8\nobject b local 16 of 1\n"
                                          "object c local 8 of 0\n",
      "0.2 store c[0..7] release device; "
      "1.1 read a[4..7], fence acq_rel device both, fetch_add b[0..7] relaxed device; "
      "1.2 load b[0..7] relaxed device, fence acquire device both, write a[7..7]" },
    /* A read-modify-write is a read and a write, and nothing passes from the one to the
     * other but by program order, which that of another space has none of. */
    { HANDED_ON_BY_AN_UPDATE },
};

CASE("written");

TEST_EACH(programs_that_are_seldom_drawn_are_agreed_on, G_N_ELEMENTS(seldom))
{
    g_autofree char *text = race_text(seldom[_i].head, seldom[_i].steps);
    expect_agreement(text);
}

/* Group after group does an atomic of its own scope, and knows of all those
 * before. An item of the last group that knows of none races with all of them but those
 * of its own group, however many there are. */
TEST_EACH(narrow_atomics_of_many_groups_are_remembered, MOST_ITEMS / 2 + 1, .from = 2)
{
    unsigned n = (unsigned)_i;
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text,
                           "groups %u items 2 sub-groups 2 scopes mutual spaces sycl\n"
                           "object a global 16\n",
                           n);
    for (unsigned i = 0; i < n - 1; i++) {
        g_string_append_printf(
            text, "meeting %u group barrier both work_group of %u.0 %u.1\n", i, i, i);
    }
    for (unsigned i = 0; i < n - 1; i++) {
        g_string_append_printf(text,
                               "%u.0 load a[8..11] acquire device\n"
                               "%u.0 fetch_add a[0..3] relaxed work_group\n"
                               "%u.0 arrive %u\n"
                               "%u.1 arrive %u\n"
                               "%u.0 store a[8..11] release device\n",
                               i, i, i, i, i, i, i);
    }
    g_string_append_printf(text,
                           "%u.0 load a[8..11] acquire device\n"
                           "%u.0 fetch_add a[0..3] relaxed work_group\n"
                           "%u.1 fetch_add a[0..3] relaxed work_group\n",
                           n - 1, n - 1, n - 1);
    expect_agreement(text->str);
}

/* Many groups read a byte each and end, and send no message. */
TEST(reads_of_groups_that_ended_are_remembered_by_bytes)
{
    enum { GROUPS = 20 };
    for (unsigned byte = 0; byte < 4; byte++) {
        g_autoptr(GString) text
            = g_string_new("groups 20 items 1 sub-groups 1 scopes mutual "
                           "spaces sycl\n"
                           "object a global 8\n");
        for (unsigned i = 0; i < GROUPS - 1; i++) {
            unsigned at = i < 2 * byte + 4 ? i % 2 : i % 4;
            g_string_append_printf(text, "%u.0 read a[%u..%u]\n", i, at, at);
        }
        g_string_append_printf(text, "19.0 write a[%u..%u]\n", byte, byte);
        expect_agreement(text->str);
    }
}

static int judge_file(const char *file)
{
    g_autofree struct program *program = g_new(struct program, 1);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(file, &text, NULL, NULL)) {
        fprintf(stderr, "check-races-random: cannot read %s\n", file);
        return 2;
    }
    program_read(program, text);
    for (int shared = 0; shared < 2; shared++) {
        g_autofree char *wrong = disagreement_about(program, shared);
        if (wrong != NULL) {
            printf("%s\n", wrong);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct statistics statistics = { 0 };
    return argc == 2 ? judge_file(argv[1])
        : argc == 3  ? run_campaign(argv, &statistics)
                     : run_tests("races-random");
}
