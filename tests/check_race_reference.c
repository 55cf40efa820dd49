/* SPDX-License-Identifier: MIT
 *
 * check_race_reference.c: the judge of the race detector is judged by hand. A case is a
 * program, the smallest that shows its point, and the races that a person finds in it
 * by the definition; beside each stands the nearest program with another verdict. */
#include "race_reference.h"
#include "race_texts.h"
#include "support.h"

#define DATA "object a global 8\n"
/* Two or three groups of one item; a is data, b the flag. Most cases are these. */
#define GROUPS OF("2", "1", "1", "mutual", "sycl") DATA "object b global 8\n"
#define GROUPS_SAME OF("2", "1", "1", "same", "sycl") DATA "object b global 8\n"
#define THREE OF("3", "1", "1", "mutual", "sycl") DATA "object b global 8\n"

/* Two items of a group, and b in its local memory. */
#define GROUP OF("1", "2", "1", "mutual", "sycl") DATA "object b local 8 of 0\n"
#define GROUP_SAME OF("1", "2", "1", "same", "sycl") DATA "object b local 8 of 0\n"
#define SUB_GROUP OF("1", "2", "2", "mutual", "sycl") DATA "object b local 8 of 0\n"
#define APART OF("1", "2", "1", "mutual", "opencl") DATA "object b local 8 of 0\n"

/* Two groups of two, and two sub-groups of two. */
#define PAIRS OF("2", "2", "1", "mutual", "sycl") DATA "object b global 8\n"
#define FOUR OF("1", "4", "2", "mutual", "sycl") DATA

/* The items of a group meet at a barrier of these flags. */
#define MEETING(flags) "meeting 0 group barrier " flags " work_group of 0.0 0.1\n"

/* An item writes, another one of its group raises a flag, one of another group sees it,
 * and yet another one reads; barriers of @scope lie between the items of a group. */
#define PUBLISHED(scope)                                                               \
    PAIRS "meeting 0 group barrier both " scope " of 0.0 0.1\n"                        \
          "meeting 1 group barrier both " scope " of 1.0 1.1\n",                       \
        "0.0 write a, arrive 0; 0.1 arrive 0, store b relaxed device; "                \
        "1.0 load b relaxed device, arrive 1; 1.1 arrive 1, read a"

struct example {
    const char *claim;
    const char *head;
    const char *steps; /* of race_text() */
    const char *races; /* "1-4 data-race, 2-5 ...": steps from 0 */
};

static const struct example examples[] = {
    /* ---- Plain accesses -------------------------------------------------- */
    { "two writes race", GROUPS, "0.0 write a; 1.0 write a", "0-1 data-race" },
    { "two reads do not", GROUPS, "0.0 read a; 1.0 read a", "" },
    { "neither do an item's own", GROUPS, "0.0 write a, update a", "" },
    { "one common byte is enough", GROUPS, "0.0 write a; 1.0 read a[3..6]",
      "0-1 data-race" },
    { "neighbours do not race", GROUPS, "0.0 write a; 1.0 write a[4..4]", "" },
    { "neither do other objects", GROUPS, "0.0 write a; 1.0 write b", "" },

    /* ---- Messages -------------------------------------------------------- */
    { "release and acquire pass a message", GROUPS,
      "0.0 write a, store b release device; 1.0 load b acquire device, read a", "" },
    { "which must be read", GROUPS,
      "0.0 write a; 1.0 load b acquire device; 0.0 store b release device; 1.0 "
      "read a",
      "0-3 data-race" },
    { "a relaxed store passes none", GROUPS,
      "0.0 write a, store b relaxed device; 1.0 load b acquire device, read a",
      "0-3 data-race" },
    { "neither does a relaxed load", GROUPS,
      "0.0 write a, store b release device; 1.0 load b relaxed device, read a",
      "0-3 data-race" },
    { "sequential consistency is both", GROUPS,
      "0.0 write a, exchange b seq_cst device; 1.0 fetch_add b seq_cst device, "
      "read a",
      "" },
    { "an exchange that only acquires passes none", GROUPS,
      "0.0 write a, exchange b acquire device; 1.0 load b acquire device, read a",
      "0-3 data-race" },
    { "what comes after the release is not passed", GROUPS,
      "0.0 store b release device, write a; 1.0 load b acquire device, read a",
      "1-3 data-race" },
    { "a second item passes it on to a third, at any scope", PAIRS,
      "0.0 write a, store b release work_group; 0.1 load b acquire work_group, "
      "store b[4..7] release device; 1.0 load b[4..7] acquire device, read a",
      "" },

    /* ---- Scopes ---------------------------------------------------------- */
    { "a scope that does not reach the other is a race of scopes, of both pairs",
      GROUPS,
      "0.0 write a, store b release work_group; 1.0 load b acquire device, read a",
      "0-3 scope-race, 1-2 scope-race" },
    { "in one group it does", GROUP,
      "0.0 write a, store b release work_group; 0.1 load b acquire device, read a",
      "" },
    { "unless scopes must be the same", GROUP_SAME,
      "0.0 write a, store b release work_group; 0.1 load b acquire device, read a",
      "0-3 scope-race, 1-2 scope-race" },
    { "and they are", GROUP_SAME,
      "0.0 write a, store b release device; 0.1 load b acquire device, read a", "" },
    { "device and system cover all there is", GROUPS,
      "0.0 write a, store b release system; 1.0 load b acquire device, read a", "" },
    { "and are not the same", GROUPS_SAME,
      "0.0 store b release system; 1.0 load b acquire device", "0-1 scope-race" },
    { "a sub-group's scope reaches within it", SUB_GROUP,
      "0.0 store a relaxed sub_group; 0.1 load a relaxed sub_group", "" },
    { "and not to the next", GROUP,
      "0.0 store a relaxed sub_group; 0.1 load a relaxed sub_group", "0-1 scope-race" },
    { "an item's scope reaches no other item", SUB_GROUP,
      "0.0 store a relaxed work_item; 0.1 load a relaxed device", "0-1 scope-race" },
    { "a pair that wider scopes would order, if others were wider too, is of scopes",
      PAIRS,
      "0.0 write a, store b release work_item; 0.1 load b acquire work_item, store "
      "b[4..7] release work_item; 1.0 load b[4..7] acquire work_item, read a",
      "0-5 scope-race, 1-2 scope-race, 3-4 scope-race" },

    /* ---- Fences ---------------------------------------------------------- */
    { "fences on both sides pass a message", GROUPS,
      "0.0 write a, fence release device both, store b relaxed device; 1.0 load b "
      "relaxed device, fence acquire device both, read a",
      "" },
    { "a fence and an acquire do", GROUPS,
      "0.0 write a, fence acq_rel device both, store b relaxed device; 1.0 load b "
      "acquire device, read a",
      "" },
    { "a release and a fence do", GROUPS,
      "0.0 write a, store b release device; 1.0 load b relaxed device, fence "
      "seq_cst device both, read a",
      "" },
    { "a fence after the store does not", GROUPS,
      "0.0 write a, store b relaxed device, fence release device both; 1.0 load b "
      "acquire device, read a",
      "0-4 data-race" },
    { "a fence before the load does not", GROUPS,
      "0.0 write a, store b release device; 1.0 fence acquire device both, load b "
      "relaxed device, read a",
      "0-4 data-race" },
    { "a fence that only acquires releases nothing", GROUPS,
      "0.0 write a, fence acquire device both, store b relaxed device; 1.0 load b "
      "acquire device, read a",
      "0-4 data-race" },
    { "a fence releases by a later store of several", GROUPS,
      "0.0 write a, fence release device both, store b relaxed device, store "
      "b[4..7] relaxed device; 1.0 load b[4..7] acquire device, read a",
      "" },
    { "a wide fence around narrow atomics passes nothing", GROUPS,
      "0.0 write a, fence release device both, store b relaxed work_group; 1.0 "
      "load b relaxed work_group, fence acquire device both, read a",
      "0-5 scope-race, 2-3 scope-race" },
    { "neither does a narrow fence around wide ones, which do not race", GROUPS,
      "0.0 write a, fence release work_group both, store b relaxed device; 1.0 "
      "load b relaxed device, fence acquire work_group both, read a",
      "0-5 scope-race" },

    /* ---- Release sequences ----------------------------------------------- */
    { "another item's read-modify-write hands a release on", THREE,
      "0.0 write a, store b release device; 1.0 fetch_add b relaxed device; 2.0 "
      "load b acquire device, read a",
      "" },
    { "and does not get it", THREE,
      "0.0 write a, store b release device; 1.0 fetch_add b relaxed device, read a",
      "0-3 data-race" },
    { "a successful compare-exchange does, too", THREE,
      "0.0 write a, store b release device; 1.0 compare_exchange b relaxed relaxed "
      "device; 2.0 load b acquire device, read a",
      "" },
    { "one that failed leaves what it found", THREE,
      "0.0 write a, store b release device; 1.0 compare_exchange b relaxed relaxed "
      "device failed; 2.0 load b acquire device, read a",
      "" },
    { "another item's store cuts the sequence", THREE,
      "0.0 write a, store b release device; 1.0 store b relaxed device; 2.0 load b "
      "acquire device, read a",
      "0-4 data-race" },
    { "a plain write cuts it", THREE,
      "0.0 write a, store b release device, write b; 1.0 load b acquire device, "
      "read a",
      "0-4 data-race, 2-3 mixed-atomic" },
    { "be it of one byte", THREE,
      "0.0 write a, store b release device, write b[3..3]; 1.0 load b acquire "
      "device, read a",
      "0-4 data-race, 2-3 mixed-atomic" },
    { "a read-modify-write whose scope does not reach the head cuts it", THREE,
      "0.0 write a, store b release device; 1.0 fetch_add b relaxed work_group; "
      "2.0 load b acquire device, read a",
      "0-4 scope-race, 1-2 scope-race, 2-3 scope-race" },
    { "the releasing item's own later store goes on with it", GROUPS,
      "0.0 write a, store b release device, store b relaxed device; 1.0 load b "
      "acquire device, read a",
      "" },
    { "even after a third item's", THREE,
      "0.0 write a, store b release device; 1.0 store b relaxed device; 0.0 store "
      "b relaxed device; 2.0 load b acquire device, read a",
      "" },
    { "and after a plain write of its own, which no release is after", GROUPS,
      "0.0 write a, store b release device, write b, store b relaxed device; 1.0 "
      "load b acquire device, read a",
      "2-4 mixed-atomic" },
    { "but to no other location", GROUPS,
      "0.0 write a, store b release device, store b[4..7] relaxed device; 1.0 load "
      "b[4..7] acquire device, read a",
      "0-4 data-race" },
    { "a chain takes up what each of its items released there before", THREE,
      "1.0 write a, store b release device; 0.0 store b relaxed device; 1.0 "
      "fetch_add b relaxed device; 2.0 load b acquire device, read a",
      "" },

    /* ---- Atomic and plain ------------------------------------------------ */
    { "an atomic and a plain access race", GROUPS,
      "0.0 fetch_add a relaxed device; 1.0 read a", "0-1 mixed-atomic" },
    { "an atomic and a plain read do not", GROUPS,
      "0.0 load a relaxed device; 1.0 read a", "" },
    { "a failed compare-exchange is a read", GROUPS,
      "0.0 compare_exchange a acq_rel acquire device failed; 1.0 read a", "" },
    { "a successful one is not", GROUPS,
      "0.0 compare_exchange a acq_rel acquire device; 1.0 read a", "0-1 mixed-atomic" },
    { "a failed one has its failure order", GROUPS,
      "0.0 write a, store b release device; 1.0 compare_exchange b acq_rel relaxed "
      "device failed, read a",
      "0-3 data-race" },
    { "an atomic and a plain access that wider scopes would order are mixed", GROUPS,
      "0.0 store a relaxed device, store b release work_group; 1.0 load b acquire "
      "work_group, read a",
      "0-3 mixed-atomic, 1-2 scope-race" },

    /* ---- Barriers -------------------------------------------------------- */
    { "a barrier orders global memory by its flag", GROUP MEETING("global"),
      "0.0 write a, arrive 0; 0.1 arrive 0, write a", "" },
    { "and no other", GROUP MEETING("local"),
      "0.0 write a, arrive 0; 0.1 arrive 0, write a", "0-3 data-race" },
    { "local memory by its own", GROUP MEETING("local"),
      "0.0 write b, arrive 0; 0.1 arrive 0, write b", "" },
    { "and not by that of global memory", GROUP MEETING("global"),
      "0.0 write b, arrive 0; 0.1 arrive 0, write b", "0-3 data-race" },
    { "without flags it orders neither", GROUP MEETING("none"),
      "0.0 write a, write b, arrive 0; 0.1 arrive 0, write a, write b",
      "0-4 data-race, 1-5 data-race" },
    { "what comes after it is not ordered", GROUP MEETING("both"),
      "0.0 arrive 0; 0.1 arrive 0; 0.0 write a; 0.1 write a", "2-3 data-race" },
    { "nothing is, where an item does not come", GROUP MEETING("both"),
      "0.0 write a, arrive 0; 0.1 write a", "0-2 data-race" },
    { "another group is not, either", PAIRS MEETING("both"),
      "1.0 write a; 0.0 arrive 0; 0.1 arrive 0, write a", "0-3 data-race" },
    { "a sub-group's barrier orders the sub-group",
      FOUR "meeting 0 sub-group barrier both sub_group of 0.0 0.1\n",
      "0.0 write a; 0.2 write a[4..7]; 0.0 arrive 0; 0.1 arrive 0, write a, write "
      "a[4..7]",
      "1-5 data-race" },
    { "a barrier with a wide fence publishes to other groups", PUBLISHED("device"),
      "" },
    { "one without does not", PUBLISHED("work_group"), "0-7 data-race" },

    /* ---- Spaces ---------------------------------------------------------- */
    { "a local flag publishes global data", GROUP,
      "0.0 write a, store b release work_group; 0.1 load b acquire work_group, "
      "read a",
      "" },
    { "but not where spaces are apart", APART,
      "0.0 write a, store b release work_group; 0.1 load b acquire work_group, "
      "read a",
      "0-3 data-race" },
    { "be it sequentially consistent", APART,
      "0.0 write a, store b seq_cst work_group; 0.1 load b seq_cst work_group, "
      "read a",
      "0-3 data-race" },
    { "it publishes local data there", APART,
      "0.0 write b[4..7], store b release work_group; 0.1 load b acquire "
      "work_group, read b[4..7]",
      "" },
    { "fences of both spaces cross", APART,
      "0.0 write a, fence release work_group both, store b relaxed work_group; 0.1 "
      "load b relaxed work_group, fence acquire work_group both, read a",
      "" },
    { "fences of one do not", APART,
      "0.0 write a, fence release work_group both, store b relaxed work_group; 0.1 "
      "load b relaxed work_group, fence acquire work_group global, read a",
      "0-5 data-race" },
    { "a global fence orders no flag in local memory", APART,
      "0.0 write b[4..7], fence release work_group global, store b relaxed "
      "work_group; 0.1 load b relaxed work_group, fence acquire work_group global, "
      "read b[4..7]",
      "0-5 data-race" },
    { "under one order it does", GROUP,
      "0.0 write b[4..7], fence release work_group global, store b relaxed "
      "work_group; 0.1 load b relaxed work_group, fence acquire work_group global, "
      "read b[4..7]",
      "" },
    { "sequentially consistent fences hand on through one of the other space alone",
      HANDED_ON("seq_cst"), "" },
    { "others do not", HANDED_ON("acq_rel"), "0-8 data-race" },
    { "and a read-modify-write is a read and a write, which hand nothing on",
      HANDED_ON_BY_AN_UPDATE, "0-6 scope-race" },
    { "a barrier of one space does not hand on what came by the other",
      GROUP MEETING("local"),
      "0.0 write a, write b, arrive 0; 0.1 arrive 0, read b, read a", "0-5 data-race" },
};

static char *races_text(const struct program *program)
{
    struct judgement *judgement = g_new(struct judgement, 1);
    reference_judge(program, judgement);
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < program->n_steps; i++) {
        for (unsigned j = i + 1; j < program->n_steps; j++) {
            ck_assert_uint_eq(judgement->kinds[i][j], judgement->kinds[j][i]);
            if (judgement->kinds[i][j] != RACE_NONE) {
                g_string_append_printf(text, "%s%u-%u %s", text->len > 0 ? ", " : "", i,
                                       j, race_kind_name(judgement->kinds[i][j]));
            }
        }
    }
    g_free(judgement);
    return g_string_free(text, FALSE);
}

TEST_EACH(the_reference_says_what_the_definition_says, G_N_ELEMENTS(examples))
{
    const struct example *example = &examples[_i];
    struct program program;
    g_autofree char *text = race_text(example->head, example->steps);
    program_read(&program, text);
    g_autofree char *races = races_text(&program);
    ck_assert_msg(strcmp(races, example->races) == 0, "%s: \"%s\", not \"%s\":\n%s",
                  example->claim, races, example->races, text);
}

TEST(the_text_of_a_program_is_read_back)
{
    for (size_t i = 0; i < G_N_ELEMENTS(examples); i++) {
        struct program first, second;
        g_autofree char *written = race_text(examples[i].head, examples[i].steps);
        program_read(&first, written);
        g_autofree char *text = program_text(&first);
        ck_assert_str_eq(text, written);
        program_read(&second, text);
        ck_assert_mem_eq(&first, &second, sizeof(first));
    }
}

MAIN("race-reference")
