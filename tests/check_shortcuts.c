/* SPDX-License-Identifier: MIT
 *
 * check_shortcuts.c: the shortcuts of plain.c and race.c, condition by condition. A
 * case is a program whose last steps would lose a race, or find one that is none, if an
 * access took the shortcut that must not; beside it stands the nearest one in which it
 * may. The judge by brute force says which races there are. */
#include "race_reference.h"
#include "race_stage.h"
#include "race_texts.h"
#include "support.h"

#define DATA "object a global 8\n"
#define ONE OF("1", "1", "1", "mutual", "sycl") DATA
#define TWO OF("2", "1", "1", "mutual", "sycl") DATA "object b global 8\n"
#define GROUP OF("1", "3", "1", "mutual", "sycl") DATA
#define PAIRS OF("2", "2", "1", "mutual", "sycl") DATA
/* Local memory of two groups, of which the second gets that of the first. */
#define LOCALS                                                                         \
    OF("2", "2", "1", "mutual", "sycl")                                                \
    DATA "object b local 8 of 0\nobject c local 8 of 1\n"

/* Meetings of all items of a group. */
#define MEETS "meeting 0 group barrier both work_group of 0.0 0.1 0.2\n"
#define MEET                                                                           \
    "meeting 0 group barrier both work_group of 0.0 0.1\n"                             \
    "meeting 1 group barrier both work_group of 1.0 1.1\n"                             \
    "meeting 2 group barrier both work_group of 1.0 1.1\n"

struct example {
    const char *claim;
    const char *head;
    const char *steps; /* of race_text() */
    const char *races; /* "1-4 data-race, 2-5 ...": steps from 0 */
    int taken;         /* a step that takes the shortcut; */
    int refused;       /* one that does not; -1: none of these */
};

static const struct example examples[] = {
    /* ---- A record that the access happens after -------------------------- */
    { "a read after a write in program order", ONE, "0.0 write a, read a", "", 1, -1 },
    { "or after a barrier", GROUP MEETS,
      "0.0 write a, arrive 0; 0.1 arrive 0; 0.2 arrive 0, read a", "", 4, -1 },
    { "not without one", GROUP, "0.0 write a; 0.1 read a", "0-1 data-race", -1, 1 },
    { "a write after a read, and a barrier", GROUP MEETS,
      "0.0 read a, arrive 0; 0.1 arrive 0; 0.2 arrive 0, write a", "", 4, -1 },
    { "not without one", GROUP, "0.0 read a; 0.1 write a", "0-1 data-race", -1, 1 },
    { "a write after a write, and a barrier", GROUP MEETS,
      "0.0 write a, arrive 0; 0.1 arrive 0; 0.2 arrive 0, write a", "", 4, -1 },
    { "not without one", GROUP, "0.0 write a; 0.1 write a", "0-1 data-race", -1, 1 },
    { "a time of another group is another time", PAIRS MEET,
      "0.0 write a; 1.0 arrive 1; 1.1 arrive 1, write a", "0-3 data-race", -1, 3 },
    { "for reads, too", PAIRS MEET, "0.0 write a; 1.0 arrive 1; 1.1 arrive 1, read a",
      "0-3 data-race", -1, 3 },
    { "and after reads", PAIRS MEET, "0.0 read a; 1.0 arrive 1; 1.1 arrive 1, write a",
      "0-3 data-race", -1, 3 },
    { "a set of readers is no item", GROUP, "0.0 read a; 0.1 read a; 0.2 write a",
      "0-2 data-race, 1-2 data-race", -1, 2 },
    { "it has a time", GROUP MEETS,
      "0.0 read a; 0.1 read a; 0.0 arrive 0; 0.1 arrive 0; 0.2 arrive 0, write a", "",
      5, -1 },

    /* ---- A record that is not replaced as a whole ------------------------ */
    { "a write of a byte leaves the others of an earlier write", PAIRS MEET,
      "0.0 write a, arrive 0; 0.1 arrive 0; 0.0 write a[0..0]; 1.0 read a[2..3]",
      "0-4 data-race", -1, 3 },
    { "a write of a word covers its bytes", TWO,
      "0.0 write a[0..0], write a; 1.0 read a[4..7]", "", 1, -1 },
    { "a read of a byte leaves the others of an earlier read", PAIRS MEET,
      "0.0 read a, arrive 0; 0.1 arrive 0; 0.0 read a[0..0]; 1.0 write a[2..3]",
      "0-4 data-race", -1, 3 },
    { "a read of a word covers its bytes", TWO,
      "0.0 read a[0..0], read a; 1.0 write a[2..3]", "1-2 data-race", 1, -1 },
    { "a write of a byte leaves the others of a read", TWO,
      "0.0 read a, write a[0..0]; 1.0 write a[2..3]", "0-2 data-race", -1, 1 },

    /* ---- An access that is repeated -------------------------------------- */
    { "by the same item", TWO, "0.0 read a, read a; 1.0 write a[4..7]", "", 1, -1 },
    { "not by another one", GROUP, "0.0 read a; 0.1 read a; 0.0 write a",
      "1-2 data-race", -1, 1 },
    { "nor of another group", TWO, "0.0 read a; 1.0 read a; 0.0 write a",
      "1-2 data-race", -1, 1 },
    { "nor by one whose number is that of a set", GROUP,
      "0.0 read a; 0.1 read a; 0.2 read a; 0.0 write a", "1-3 data-race, 2-3 data-race",
      -1, 2 },
    { "nor at another time", GROUP MEETS,
      "0.0 read a, arrive 0; 0.1 arrive 0; 0.2 arrive 0; 0.0 read a; 0.1 write a",
      "4-5 data-race", 4, 5 },
    { "a write is none, if another item has read", GROUP,
      "0.0 write a; 0.1 read a; 0.0 write a", "0-1 data-race, 1-2 data-race", -1, 2 },
    { "but if none has", GROUP, "0.0 write a, write a", "", 1, -1 },

    /* ---- Two words ------------------------------------------------------- */
    { "a write of two words is two", TWO,
      "0.0 write a; 1.0 write a[4..7], write a[0..7]", "0-2 data-race", -1, 2 },
    { "be it the second one that races", TWO,
      "0.0 write a[4..7]; 1.0 write a, write a[0..7]", "0-2 data-race", -1, 2 },
    { "or neither", TWO, "0.0 write a; 0.0 write a[0..7]", "", 1, -1 },
    { "so is a read", TWO, "0.0 write a; 1.0 read a[4..7], read a[0..7]",
      "0-2 data-race", -1, 2 },
    { "be it the second one that races", TWO,
      "0.0 write a[4..7]; 1.0 read a, read a[0..7]", "0-2 data-race", -1, 2 },
    { "or neither", TWO, "0.0 write a; 0.0 read a[0..7]", "", 1, -1 },

    /* ---- An item out of step, and another group ------------------------- */
    { "what follows a release is not published", TWO,
      "0.0 read a, store b release device, write a; 1.0 load b acquire device, read a",
      "2-4 data-race", -1, 2 },
    { "what precedes it is", TWO,
      "0.0 read a, write a, store b release device; 1.0 load b acquire device, read a",
      "", 1, 4 },
    { "the latest group's time is not that of another group", PAIRS MEET,
      "0.0 read a; 1.0 arrive 1; 1.1 arrive 1; 1.0 arrive 2; 1.1 arrive 2; "
      "1.0 read a[4..7]; 0.0 write a, arrive 0; 0.1 arrive 0, read a; "
      "1.1 read a[4..7]",
      "", -1, 6 },

    /* ---- Local memory that another group had ----------------------------- */
    { "a write replaces what an earlier group did", LOCALS,
      "0.0 write b; 0.1 read b[4..7]; 1.0 write c, write c[4..7]", "", 3, -1 },
    { "and races with its own group", LOCALS, "0.0 write b; 1.0 write c; 1.1 write c",
      "1-2 data-race", 1, 2 },
    { "a read does not", LOCALS, "0.0 write b; 1.0 read c; 1.1 write c",
      "1-2 data-race", -1, 1 },
    { "global memory keeps it", TWO, "0.0 write a; 1.0 write a", "0-1 data-race", -1,
      1 },
    { "of two words, too", TWO, "0.0 write a[0..7]; 1.0 write a[0..7]", "0-1 data-race",
      -1, 1 },

    /* ---- Relaxed atomics ------------------------------------------------- */
    { "of wide scopes do not race", TWO,
      "0.0 fetch_add a relaxed device; 1.0 fetch_add a relaxed device", "", 1, -1 },
    { "of narrow ones do", TWO,
      "0.0 fetch_add a relaxed work_group; 1.0 fetch_add a relaxed work_group",
      "0-1 scope-race", -1, 1 },
    { "be it one of them", TWO,
      "0.0 fetch_add a relaxed work_group; 1.0 fetch_add a relaxed device",
      "0-1 scope-race", -1, 1 },
    { "or another one after it", TWO,
      "0.0 fetch_add a relaxed device, fetch_add a relaxed work_group; "
      "1.0 fetch_add a relaxed device",
      "1-2 scope-race", -1, 2 },
    { "or a plain read", TWO,
      "0.0 fetch_add a relaxed device, read a; 1.0 fetch_add a relaxed device",
      "1-2 mixed-atomic", -1, 2 },
    { "or a plain write of a part", TWO,
      "1.0 fetch_add a relaxed device; 0.0 write a[0..0]; 1.0 fetch_add a relaxed "
      "device",
      "0-1 mixed-atomic, 1-2 mixed-atomic", -1, 2 },
    { "which another group made, whatever its time is", PAIRS MEET,
      "1.0 fetch_add a relaxed device; 0.0 write a[0..0]; 1.0 arrive 1; 1.1 arrive 1; "
      "1.0 fetch_add a relaxed device",
      "0-1 mixed-atomic, 1-4 mixed-atomic", -1, 4 },
    { "not if a barrier lies between", GROUP MEETS,
      "0.0 fetch_add a relaxed device, write a[0..0], arrive 0; 0.1 arrive 0; "
      "0.2 arrive 0, fetch_add a relaxed device",
      "", 5, -1 },
    { "they race with a plain write after them", GROUP,
      "0.0 fetch_add a relaxed device; 0.1 fetch_add a relaxed device; 0.2 write a",
      "0-2 mixed-atomic, 1-2 mixed-atomic", 1, 2 },
    { "what they may acquire waits for a fence", TWO,
      "1.0 fetch_add a relaxed device; 0.0 write a[4..7], fetch_add a release device; "
      "1.0 fetch_add a relaxed device, fence acquire device both, read a[4..7]",
      "", -1, 3 },
    { "and without it is not acquired", TWO,
      "1.0 fetch_add a relaxed device; 0.0 write a[4..7], fetch_add a release device; "
      "1.0 fetch_add a relaxed device, read a[4..7]",
      "1-4 data-race", -1, 3 },
    { "they pass on what the item has released there", TWO,
      "0.0 fetch_add a relaxed device, write a[4..7], fetch_add a release device, "
      "fetch_add a relaxed device; 1.0 load a acquire device, read a[4..7]",
      "", -1, 3 },
    { "and not what it has not", TWO,
      "0.0 fetch_add a relaxed device, fetch_add a release device, write a[4..7], "
      "fetch_add a relaxed device; 1.0 load a acquire device, read a[4..7]",
      "2-5 data-race", -1, 3 },
    { "an item that has released something is to be asked", TWO,
      "0.0 fetch_add a relaxed device, store b release device, fetch_add a relaxed "
      "device",
      "", -1, 2 },
    { "those of one place join, but for the one that a write is not before", GROUP,
      "0.1 write a; 0.0 fetch_add a relaxed device; 0.2 fetch_add a relaxed device",
      "0-1 mixed-atomic, 0-2 mixed-atomic", -1, 2 },
    { "or whose scope is its own", GROUP,
      "0.0 fetch_add a relaxed work_item; 0.1 fetch_add a relaxed work_item",
      "0-1 scope-race", -1, 1 },
    { "or that is of another group", TWO,
      "0.0 fetch_add a relaxed device; 1.0 fetch_add a relaxed device; 0.0 write a",
      "1-2 mixed-atomic", 1, 2 },
    { "a plain read after them races", TWO,
      "0.0 fetch_add a relaxed device; 1.0 fetch_add a relaxed device; 0.0 read a",
      "1-2 mixed-atomic", 1, 2 },
    { "not after a barrier", GROUP MEETS,
      "0.0 fetch_add a relaxed device; 0.1 fetch_add a relaxed device; 0.0 arrive 0; "
      "0.1 arrive 0; 0.2 arrive 0, read a",
      "", 1, -1 },
    { "one after a release fence is a release", TWO,
      "1.0 fetch_add a relaxed device; 0.0 write a[4..7], fence release device both, "
      "fetch_add a relaxed device; 1.0 load a acquire device, read a[4..7]",
      "", -1, 3 },
    { "without the fence it is none", TWO,
      "1.0 fetch_add a relaxed device; 0.0 write a[4..7], fetch_add a relaxed device; "
      "1.0 load a acquire device, read a[4..7]",
      "1-4 data-race", 2, -1 },
    { "nor with a fence that only acquires", TWO,
      "1.0 fetch_add a relaxed device; 0.0 write a[4..7], fence acquire device both, "
      "fetch_add a relaxed device; 1.0 load a acquire device, read a[4..7]",
      "1-5 data-race", -1, -1 },
    { "one of another item continues a release sequence", PAIRS,
      "1.0 fetch_add a relaxed device; 0.0 write a[4..7], fetch_add a release device; "
      "1.0 fetch_add a relaxed device; 1.1 load a acquire device, read a[4..7]",
      "", -1, -1 },
    { "a store of another item ends it", PAIRS,
      "1.0 fetch_add a relaxed device; 0.0 write a[4..7], fetch_add a release device; "
      "1.0 store a relaxed device; 1.1 load a acquire device, read a[4..7]",
      "1-5 data-race", -1, -1 },
    { "what one adds to is not another's to acquire", TWO,
      "1.0 fetch_add b relaxed device; 0.0 write a, fence release device both, "
      "fetch_add b relaxed device; 1.0 load b relaxed device, read a",
      "1-5 data-race", -1, 3 },
    { "an atomic of an earlier group does not race with a write", LOCALS MEET,
      "0.0 fetch_add b relaxed device; 1.0 fetch_add c relaxed device, arrive 1; "
      "1.1 arrive 1, write c",
      "", -1, 1 },
    { "one of the same group does", LOCALS,
      "0.0 fetch_add b relaxed device; 1.0 fetch_add c relaxed device; 1.1 write c",
      "1-2 mixed-atomic", -1, 1 },
};

static const char *kind_name(enum weir_finding_kind kind)
{
    return race_kind_name(kind == WEIR_FINDING_DATA_RACE        ? RACE_DATA
                              : kind == WEIR_FINDING_SCOPE_RACE ? RACE_SCOPE
                                                                : RACE_MIXED);
}

/* The findings, in the form of struct example; each step has a place of its own. */
static char *found_text(const struct stage *stage)
{
    GString *text = g_string_new(NULL);
    const struct program *program = stage->program;
    for (unsigned i = 0; i < program->n_steps; i++) {
        for (unsigned j = i + 1; j < program->n_steps; j++) {
            for (size_t k = 0; k < weiri_race_n_pairs(stage->race); k++) {
                const struct weiri_race_pair *pair = weiri_race_pair(stage->race, k);
                if (stage_is_at(stage, &pair->first, i)
                    && stage_is_at(stage, &pair->second, j)) {
                    g_string_append_printf(text, "%s%u-%u %s",
                                           text->len > 0 ? ", " : "", i, j,
                                           kind_name(pair->kind));
                }
            }
        }
    }
    return g_string_free(text, FALSE);
}

static void check_judged(const struct example *example, const struct program *program)
{
    g_autofree struct judgement *judgement = g_new(struct judgement, 1);
    reference_judge(program, judgement);
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; i < program->n_steps; i++) {
        for (unsigned j = i + 1; j < program->n_steps; j++) {
            if (judgement->kinds[i][j] != RACE_NONE) {
                g_string_append_printf(text, "%s%u-%u %s", text->len > 0 ? ", " : "", i,
                                       j, race_kind_name(judgement->kinds[i][j]));
            }
        }
    }
    ck_assert_msg(strcmp(text->str, example->races) == 0, "%s: the judge says \"%s\"",
                  example->claim, text->str);
}

TEST_EACH(the_shortcut_is_taken_where_it_loses_nothing, G_N_ELEMENTS(examples))
{
    const struct example *example = &examples[_i];
    struct program program;
    g_autofree char *text = race_text(example->head, example->steps);
    program_read(&program, text);
    check_judged(example, &program);
    for (int cuts = 0; cuts < 2; cuts++) {
        struct stage *stage = stage_new(&program, false);
        stage->cuts = cuts != 0;
        for (unsigned i = 0; i < program.n_steps; i++) {
            stage_emit(stage, i);
        }
        g_autofree char *found = found_text(stage);
        ck_assert_msg(strcmp(found, example->races) == 0, "%s: \"%s\", not \"%s\"",
                      example->claim, found, example->races);
        ck_assert_msg(example->taken < 0 || stage->taken[example->taken] == stage->cuts,
                      "%s: step %d takes the long way", example->claim, example->taken);
        ck_assert_msg(example->refused < 0 || !stage->taken[example->refused],
                      "%s: step %d takes the shortcut", example->claim,
                      example->refused);
        stage_free(stage);
    }
}

static uint64_t n_found(const struct stage *stage)
{
    uint64_t n = 0;
    for (size_t i = 0; i < weiri_race_n_pairs(stage->race); i++) {
        n += weiri_race_pair(stage->race, i)->count;
    }
    return n;
}

/* Steps that do the same are of one place here, so that their records join. */
TEST_EACH(it_is_taken_so_by_accesses_of_one_place, G_N_ELEMENTS(examples))
{
    const struct example *example = &examples[_i];
    struct program program;
    g_autofree char *text = race_text(example->head, example->steps);
    g_autofree struct judgement *judgement = g_new(struct judgement, 1);
    program_read(&program, text);
    reference_judge(&program, judgement);
    struct stage *stage = stage_new(&program, true);
    stage->cuts = true;
    for (unsigned i = 0; i < program.n_steps; i++) {
        uint64_t before = n_found(stage);
        bool races = false;
        for (unsigned k = 0; k < i; k++) {
            races |= judgement->kinds[k][i] != RACE_NONE;
        }
        stage_emit(stage, i);
        ck_assert_msg((n_found(stage) > before) == races, "%s: step %u %s",
                      example->claim, i, races ? "races" : "does not race");
    }
    stage_free(stage);
}

MAIN("shortcuts")
