/* SPDX-License-Identifier: MIT
 *
 * check_race_reference.c: the judge of the race detector is judged by hand. A case is a
 * program, the smallest that shows its point, and the races that a person finds in it
 * by the definition; beside each stands the nearest program with another verdict. */
#include "race_reference.h"
#include "race_texts.h"
#include "support.h"

/* Two or three groups of one item; a is data, b the flag. Most cases are these. */
#define OF(groups, items, sub_groups, scopes, spaces)                                  \
    "groups " groups " items " items " sub-groups " sub_groups " scopes " scopes       \
    " spaces " spaces "\n"                                                             \
    "object a global 8\n"
#define GROUPS OF("2", "1", "1", "mutual", "sycl") "object b global 8\n"
#define GROUPS_SAME OF("2", "1", "1", "same", "sycl") "object b global 8\n"
#define THREE OF("3", "1", "1", "mutual", "sycl") "object b global 8\n"

/* Two items of a group, and b in its local memory. */
#define GROUP OF("1", "2", "1", "mutual", "sycl") "object b local 8 of 0\n"
#define GROUP_SAME OF("1", "2", "1", "same", "sycl") "object b local 8 of 0\n"
#define SUB_GROUP OF("1", "2", "2", "mutual", "sycl") "object b local 8 of 0\n"
#define APART OF("1", "2", "1", "mutual", "opencl") "object b local 8 of 0\n"

/* An item writes, another one of its group raises a flag, one of another group sees it,
 * and yet another one reads; barriers of @scope lie between the items of a group. */
#define PUBLISHED(scope)                                                               \
    OF("2", "2", "1", "mutual", "sycl")                                                \
    "object b global 8\n"                                                              \
    "meeting 0 group barrier both " scope " of 0.0 0.1\n"                              \
    "meeting 1 group barrier both " scope " of 1.0 1.1\n"                              \
    "0.0 write a[0..3]\n"                                                              \
    "0.0 arrive 0\n"                                                                   \
    "0.1 arrive 0\n"                                                                   \
    "0.1 store b[0..3] relaxed device\n"                                               \
    "1.0 load b[0..3] relaxed device\n"                                                \
    "1.0 arrive 1\n"                                                                   \
    "1.1 arrive 1\n"                                                                   \
    "1.1 read a[0..3]\n"

struct example {
    const char *claim;
    const char *program;
    const char *races; /* "1-4 data-race, 2-5 ...": steps from 0 */
};

static const struct example examples[] = {
    /* ---- Plain accesses -------------------------------------------------- */
    { "two writes race",
      GROUPS "0.0 write a[0..3]\n"
             "1.0 write a[0..3]\n",
      "0-1 data-race" },
    { "two reads do not",
      GROUPS "0.0 read a[0..3]\n"
             "1.0 read a[0..3]\n",
      "" },
    { "neither do an item's own",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 update a[0..3]\n",
      "" },
    { "one common byte is enough",
      GROUPS "0.0 write a[0..3]\n"
             "1.0 read a[3..6]\n",
      "0-1 data-race" },
    { "neighbours do not race",
      GROUPS "0.0 write a[0..3]\n"
             "1.0 write a[4..4]\n",
      "" },
    { "neither do other objects",
      GROUPS "0.0 write a[0..3]\n"
             "1.0 write b[0..3]\n",
      "" },

    /* ---- Messages -------------------------------------------------------- */
    { "release and acquire pass a message",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release device\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "" },
    { "which must be read",
      GROUPS "0.0 write a[0..3]\n"
             "1.0 load b[0..3] acquire device\n"
             "0.0 store b[0..3] release device\n"
             "1.0 read a[0..3]\n",
      "0-3 data-race" },
    { "a relaxed store passes none",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] relaxed device\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "0-3 data-race" },
    { "neither does a relaxed load",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release device\n"
             "1.0 load b[0..3] relaxed device\n"
             "1.0 read a[0..3]\n",
      "0-3 data-race" },
    { "sequential consistency is both",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 exchange b[0..3] seq_cst device\n"
             "1.0 fetch_add b[0..3] seq_cst device\n"
             "1.0 read a[0..3]\n",
      "" },
    { "an exchange that only acquires passes none",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 exchange b[0..3] acquire device\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "0-3 data-race" },
    { "what comes after the release is not passed",
      GROUPS "0.0 store b[0..3] release device\n"
             "0.0 write a[0..3]\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "1-3 data-race" },
    { "a third item hears of it from the second, at any scope",
      "groups 2 items 2 sub-groups 1 scopes mutual spaces sycl\n"
      "object a global 8\n"
      "object b global 8\n"
      "0.0 write a[0..3]\n"
      "0.0 store b[0..3] release work_group\n"
      "0.1 load b[0..3] acquire work_group\n"
      "0.1 store b[4..7] release device\n"
      "1.0 load b[4..7] acquire device\n"
      "1.0 read a[0..3]\n",
      "" },

    /* ---- Scopes ---------------------------------------------------------- */
    { "a scope that does not reach the other is a race of scopes, of both pairs",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release work_group\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "0-3 scope-race, 1-2 scope-race" },
    { "in one group it does",
      GROUP "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release work_group\n"
            "0.1 load b[0..3] acquire device\n"
            "0.1 read a[0..3]\n",
      "" },
    { "unless scopes must be the same",
      GROUP_SAME "0.0 write a[0..3]\n"
                 "0.0 store b[0..3] release work_group\n"
                 "0.1 load b[0..3] acquire device\n"
                 "0.1 read a[0..3]\n",
      "0-3 scope-race, 1-2 scope-race" },
    { "and they are",
      GROUP_SAME "0.0 write a[0..3]\n"
                 "0.0 store b[0..3] release device\n"
                 "0.1 load b[0..3] acquire device\n"
                 "0.1 read a[0..3]\n",
      "" },
    { "device and system cover all there is",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release system\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "" },
    { "and are not the same",
      GROUPS_SAME "0.0 store b[0..3] release system\n"
                  "1.0 load b[0..3] acquire device\n",
      "0-1 scope-race" },
    { "a sub-group's scope reaches within it",
      SUB_GROUP "0.0 store a[0..3] relaxed sub_group\n"
                "0.1 load a[0..3] relaxed sub_group\n",
      "" },
    { "and not to the next",
      GROUP "0.0 store a[0..3] relaxed sub_group\n"
            "0.1 load a[0..3] relaxed sub_group\n",
      "0-1 scope-race" },
    { "an item's scope reaches nobody",
      SUB_GROUP "0.0 store a[0..3] relaxed work_item\n"
                "0.1 load a[0..3] relaxed device\n",
      "0-1 scope-race" },
    { "a pair that wider scopes would order, if others were wider too, is of scopes",
      "groups 2 items 2 sub-groups 1 scopes mutual spaces sycl\n"
      "object a global 8\n"
      "object b global 8\n"
      "0.0 write a[0..3]\n"
      "0.0 store b[0..3] release work_item\n"
      "0.1 load b[0..3] acquire work_item\n"
      "0.1 store b[4..7] release work_item\n"
      "1.0 load b[4..7] acquire work_item\n"
      "1.0 read a[0..3]\n",
      "0-5 scope-race, 1-2 scope-race, 3-4 scope-race" },

    /* ---- Fences ---------------------------------------------------------- */
    { "fences on both sides pass a message",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 fence release device both\n"
             "0.0 store b[0..3] relaxed device\n"
             "1.0 load b[0..3] relaxed device\n"
             "1.0 fence acquire device both\n"
             "1.0 read a[0..3]\n",
      "" },
    { "a fence and an acquire do",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 fence acq_rel device both\n"
             "0.0 store b[0..3] relaxed device\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "" },
    { "a release and a fence do",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release device\n"
             "1.0 load b[0..3] relaxed device\n"
             "1.0 fence seq_cst device both\n"
             "1.0 read a[0..3]\n",
      "" },
    { "a fence after the store does not",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] relaxed device\n"
             "0.0 fence release device both\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "0-4 data-race" },
    { "a fence before the load does not",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release device\n"
             "1.0 fence acquire device both\n"
             "1.0 load b[0..3] relaxed device\n"
             "1.0 read a[0..3]\n",
      "0-4 data-race" },
    { "a fence that only acquires releases nothing",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 fence acquire device both\n"
             "0.0 store b[0..3] relaxed device\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "0-4 data-race" },
    { "a fence releases by a later store of several",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 fence release device both\n"
             "0.0 store b[0..3] relaxed device\n"
             "0.0 store b[4..7] relaxed device\n"
             "1.0 load b[4..7] acquire device\n"
             "1.0 read a[0..3]\n",
      "" },
    { "a wide fence around narrow atomics passes nothing",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 fence release device both\n"
             "0.0 store b[0..3] relaxed work_group\n"
             "1.0 load b[0..3] relaxed work_group\n"
             "1.0 fence acquire device both\n"
             "1.0 read a[0..3]\n",
      "0-5 scope-race, 2-3 scope-race" },
    { "neither does a narrow fence around wide ones, which do not race",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 fence release work_group both\n"
             "0.0 store b[0..3] relaxed device\n"
             "1.0 load b[0..3] relaxed device\n"
             "1.0 fence acquire work_group both\n"
             "1.0 read a[0..3]\n",
      "0-5 scope-race" },

    /* ---- Release sequences ----------------------------------------------- */
    { "another item's read-modify-write hands a release on",
      THREE "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release device\n"
            "1.0 fetch_add b[0..3] relaxed device\n"
            "2.0 load b[0..3] acquire device\n"
            "2.0 read a[0..3]\n",
      "" },
    { "and does not get it",
      THREE "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release device\n"
            "1.0 fetch_add b[0..3] relaxed device\n"
            "1.0 read a[0..3]\n",
      "0-3 data-race" },
    { "a successful compare-exchange does, too",
      THREE "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release device\n"
            "1.0 compare_exchange b[0..3] relaxed relaxed device\n"
            "2.0 load b[0..3] acquire device\n"
            "2.0 read a[0..3]\n",
      "" },
    { "one that failed leaves what it found",
      THREE "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release device\n"
            "1.0 compare_exchange b[0..3] relaxed relaxed device failed\n"
            "2.0 load b[0..3] acquire device\n"
            "2.0 read a[0..3]\n",
      "" },
    { "another item's store cuts the sequence",
      THREE "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release device\n"
            "1.0 store b[0..3] relaxed device\n"
            "2.0 load b[0..3] acquire device\n"
            "2.0 read a[0..3]\n",
      "0-4 data-race" },
    { "a plain write cuts it",
      THREE "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release device\n"
            "0.0 write b[0..3]\n"
            "1.0 load b[0..3] acquire device\n"
            "1.0 read a[0..3]\n",
      "0-4 data-race, 2-3 mixed-atomic" },
    { "be it of one byte",
      THREE "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release device\n"
            "0.0 write b[3..3]\n"
            "1.0 load b[0..3] acquire device\n"
            "1.0 read a[0..3]\n",
      "0-4 data-race, 2-3 mixed-atomic" },
    { "a read-modify-write whose scope does not reach the head cuts it",
      THREE "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release device\n"
            "1.0 fetch_add b[0..3] relaxed work_group\n"
            "2.0 load b[0..3] acquire device\n"
            "2.0 read a[0..3]\n",
      "0-4 scope-race, 1-2 scope-race, 2-3 scope-race" },
    { "the releasing item's own later store goes on with it",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release device\n"
             "0.0 store b[0..3] relaxed device\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "" },
    { "even after a third item's",
      THREE "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release device\n"
            "1.0 store b[0..3] relaxed device\n"
            "0.0 store b[0..3] relaxed device\n"
            "2.0 load b[0..3] acquire device\n"
            "2.0 read a[0..3]\n",
      "" },
    { "and after a plain write of its own, which no release is after",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release device\n"
             "0.0 write b[0..3]\n"
             "0.0 store b[0..3] relaxed device\n"
             "1.0 load b[0..3] acquire device\n"
             "1.0 read a[0..3]\n",
      "2-4 mixed-atomic" },
    { "but to no other location",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release device\n"
             "0.0 store b[4..7] relaxed device\n"
             "1.0 load b[4..7] acquire device\n"
             "1.0 read a[0..3]\n",
      "0-4 data-race" },
    { "a chain takes up what each of its items released there before",
      THREE "1.0 write a[0..3]\n"
            "1.0 store b[0..3] release device\n"
            "0.0 store b[0..3] relaxed device\n"
            "1.0 fetch_add b[0..3] relaxed device\n"
            "2.0 load b[0..3] acquire device\n"
            "2.0 read a[0..3]\n",
      "" },

    /* ---- Atomic and plain ------------------------------------------------ */
    { "an atomic and a plain access race",
      GROUPS "0.0 fetch_add a[0..3] relaxed device\n"
             "1.0 read a[0..3]\n",
      "0-1 mixed-atomic" },
    { "an atomic and a plain read do not",
      GROUPS "0.0 load a[0..3] relaxed device\n"
             "1.0 read a[0..3]\n",
      "" },
    { "a failed compare-exchange is a read",
      GROUPS "0.0 compare_exchange a[0..3] acq_rel acquire device failed\n"
             "1.0 read a[0..3]\n",
      "" },
    { "a successful one is not",
      GROUPS "0.0 compare_exchange a[0..3] acq_rel acquire device\n"
             "1.0 read a[0..3]\n",
      "0-1 mixed-atomic" },
    { "a failed one has its failure order",
      GROUPS "0.0 write a[0..3]\n"
             "0.0 store b[0..3] release device\n"
             "1.0 compare_exchange b[0..3] acq_rel relaxed device failed\n"
             "1.0 read a[0..3]\n",
      "0-3 data-race" },
    { "an atomic and a plain access that wider scopes would order are mixed",
      GROUPS "0.0 store a[0..3] relaxed device\n"
             "0.0 store b[0..3] release work_group\n"
             "1.0 load b[0..3] acquire work_group\n"
             "1.0 read a[0..3]\n",
      "0-3 mixed-atomic, 1-2 scope-race" },

    /* ---- Barriers -------------------------------------------------------- */
    { "a barrier orders global memory by its flag",
      GROUP "meeting 0 group barrier global work_group of 0.0 0.1\n"
            "0.0 write a[0..3]\n"
            "0.0 arrive 0\n"
            "0.1 arrive 0\n"
            "0.1 write a[0..3]\n",
      "" },
    { "and no other",
      GROUP "meeting 0 group barrier local work_group of 0.0 0.1\n"
            "0.0 write a[0..3]\n"
            "0.0 arrive 0\n"
            "0.1 arrive 0\n"
            "0.1 write a[0..3]\n",
      "0-3 data-race" },
    { "local memory by its own",
      GROUP "meeting 0 group barrier local work_group of 0.0 0.1\n"
            "0.0 write b[0..3]\n"
            "0.0 arrive 0\n"
            "0.1 arrive 0\n"
            "0.1 write b[0..3]\n",
      "" },
    { "and not by that of global memory",
      GROUP "meeting 0 group barrier global work_group of 0.0 0.1\n"
            "0.0 write b[0..3]\n"
            "0.0 arrive 0\n"
            "0.1 arrive 0\n"
            "0.1 write b[0..3]\n",
      "0-3 data-race" },
    { "without flags it orders neither",
      GROUP "meeting 0 group barrier none work_group of 0.0 0.1\n"
            "0.0 write a[0..3]\n"
            "0.0 write b[0..3]\n"
            "0.0 arrive 0\n"
            "0.1 arrive 0\n"
            "0.1 write a[0..3]\n"
            "0.1 write b[0..3]\n",
      "0-4 data-race, 1-5 data-race" },
    { "what comes after it is not ordered",
      GROUP "meeting 0 group barrier both work_group of 0.0 0.1\n"
            "0.0 arrive 0\n"
            "0.1 arrive 0\n"
            "0.0 write a[0..3]\n"
            "0.1 write a[0..3]\n",
      "2-3 data-race" },
    { "nothing is, where somebody does not come",
      GROUP "meeting 0 group barrier both work_group of 0.0 0.1\n"
            "0.0 write a[0..3]\n"
            "0.0 arrive 0\n"
            "0.1 write a[0..3]\n",
      "0-2 data-race" },
    { "another group is not, either",
      "groups 2 items 2 sub-groups 1 scopes mutual spaces sycl\n"
      "object a global 8\n"
      "meeting 0 group barrier both work_group of 0.0 0.1\n"
      "1.0 write a[0..3]\n"
      "0.0 arrive 0\n"
      "0.1 arrive 0\n"
      "0.1 write a[0..3]\n",
      "0-3 data-race" },
    { "a sub-group's barrier orders the sub-group",
      "groups 1 items 4 sub-groups 2 scopes mutual spaces sycl\n"
      "object a global 8\n"
      "meeting 0 sub-group barrier both sub_group of 0.0 0.1\n"
      "0.0 write a[0..3]\n"
      "0.2 write a[4..7]\n"
      "0.0 arrive 0\n"
      "0.1 arrive 0\n"
      "0.1 write a[0..3]\n"
      "0.1 write a[4..7]\n",
      "1-5 data-race" },
    { "a barrier with a wide fence publishes to other groups", PUBLISHED("device"),
      "" },
    { "one without does not", PUBLISHED("work_group"), "0-7 data-race" },

    /* ---- Spaces ---------------------------------------------------------- */
    { "a local flag publishes global data",
      GROUP "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release work_group\n"
            "0.1 load b[0..3] acquire work_group\n"
            "0.1 read a[0..3]\n",
      "" },
    { "but not where spaces are apart",
      APART "0.0 write a[0..3]\n"
            "0.0 store b[0..3] release work_group\n"
            "0.1 load b[0..3] acquire work_group\n"
            "0.1 read a[0..3]\n",
      "0-3 data-race" },
    { "be it sequentially consistent",
      APART "0.0 write a[0..3]\n"
            "0.0 store b[0..3] seq_cst work_group\n"
            "0.1 load b[0..3] seq_cst work_group\n"
            "0.1 read a[0..3]\n",
      "0-3 data-race" },
    { "it publishes local data there",
      APART "0.0 write b[4..7]\n"
            "0.0 store b[0..3] release work_group\n"
            "0.1 load b[0..3] acquire work_group\n"
            "0.1 read b[4..7]\n",
      "" },
    { "fences of both spaces cross",
      APART "0.0 write a[0..3]\n"
            "0.0 fence release work_group both\n"
            "0.0 store b[0..3] relaxed work_group\n"
            "0.1 load b[0..3] relaxed work_group\n"
            "0.1 fence acquire work_group both\n"
            "0.1 read a[0..3]\n",
      "" },
    { "fences of one do not",
      APART "0.0 write a[0..3]\n"
            "0.0 fence release work_group both\n"
            "0.0 store b[0..3] relaxed work_group\n"
            "0.1 load b[0..3] relaxed work_group\n"
            "0.1 fence acquire work_group global\n"
            "0.1 read a[0..3]\n",
      "0-5 data-race" },
    { "a global fence orders no flag in local memory",
      APART "0.0 write b[4..7]\n"
            "0.0 fence release work_group global\n"
            "0.0 store b[0..3] relaxed work_group\n"
            "0.1 load b[0..3] relaxed work_group\n"
            "0.1 fence acquire work_group global\n"
            "0.1 read b[4..7]\n",
      "0-5 data-race" },
    { "under one order it does",
      GROUP "0.0 write b[4..7]\n"
            "0.0 fence release work_group global\n"
            "0.0 store b[0..3] relaxed work_group\n"
            "0.1 load b[0..3] relaxed work_group\n"
            "0.1 fence acquire work_group global\n"
            "0.1 read b[4..7]\n",
      "" },
    { "sequentially consistent fences hand on through one of the other space alone",
      HANDED_ON("seq_cst"), "" },
    { "others do not", HANDED_ON("acq_rel"), "0-8 data-race" },
    { "and a read-modify-write is a read and a write, which hand nothing on",
      HANDED_ON_BY_AN_UPDATE, "0-6 scope-race" },
    { "a barrier of one space does not hand on what came by the other",
      "groups 1 items 2 sub-groups 1 scopes mutual spaces sycl\n"
      "object a global 8\n"
      "object b local 8 of 0\n"
      "meeting 0 group barrier local work_group of 0.0 0.1\n"
      "0.0 write a[0..3]\n"
      "0.0 write b[0..3]\n"
      "0.0 arrive 0\n"
      "0.1 arrive 0\n"
      "0.1 read b[0..3]\n"
      "0.1 read a[0..3]\n",
      "0-5 data-race" },
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
    program_read(&program, example->program);
    char *races = races_text(&program);
    ck_assert_msg(strcmp(races, example->races) == 0, "%s: \"%s\", not \"%s\":\n%s",
                  example->claim, races, example->races, example->program);
    g_free(races);
}

TEST(a_program_s_text_is_read_back)
{
    for (size_t i = 0; i < G_N_ELEMENTS(examples); i++) {
        struct program first, second;
        program_read(&first, examples[i].program);
        char *text = program_text(&first);
        ck_assert_str_eq(text, examples[i].program);
        program_read(&second, text);
        ck_assert_mem_eq(&first, &second, sizeof(first));
        g_free(text);
    }
}

MAIN("race-reference")
