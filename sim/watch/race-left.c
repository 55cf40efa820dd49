/* SPDX-License-Identifier: MIT
 *
 * race-left.c: the accesses that a launch leaves in the race detector's records, for
 * later commands: see weiri_race_each_left() in race.h. A record of several items
 * stands for all of them, as a later command is ordered after all or none. */
#include "config.h"

#include "watch/race-report.h"
#include "watch/race.h"
#include "watch/shadow.h"

struct walk {
    const struct weiri_shadows *shadows;
    const struct weiri_object *object;
    void (*each)(void *data, const struct weiri_race_left *left);
    void *data;
};

static void pass(const struct walk *walk, const char *word,
                 const struct weiri_record *record, uint32_t item)
{
    const struct weiri_race_left left
        = { .object = walk->object,
            .word = word,
            .bytes = weiri_record_bytes(record),
            .point
            = { record->group, item, weiri_record_place(record), record->time } };
    walk->each(walk->data, &left);
}

static void pass_record(const struct walk *walk, const char *word,
                        const struct weiri_record *record)
{
    uint32_t first = record->owner;
    if ((record->rest & WEIRI_RECORD_SET) != 0) {
        const struct weiri_reader_set *set;
        for (uint32_t i = record->owner; i != 0; i = set->parent) {
            set = weiri_shadows_set(walk->shadows, i);
            first = set->item;
        }
    }
    pass(walk, word, record, first);
}

static void pass_crowd(const struct walk *walk, const char *word,
                       const struct weiri_crowd *crowd)
{
    for (const struct weiri_bunch *bunch = &crowd->bunch; bunch != NULL;
         bunch = bunch->next) {
        for (uint32_t i = 0; i < bunch->n; i++) {
            const struct weiri_entry *entry = &bunch->entries[i];
            pass(walk, word, &entry->record,
                 weiri_entry_next(entry, UINT32_MAX, walk->shadows->n_items));
        }
    }
}

static void walk_object(void *data, const struct weiri_object *object)
{
    struct walk *walk = data;
    walk->object = object;
    const struct weiri_shadow *shadow = &object->shadow[WEIRI_SHADOW_RACE];
    const struct weiri_cell *cells = shadow->cells;
    for (size_t i = 0; i < shadow->n; i++) {
        const struct weiri_cell *cell = &cells[i];
        const char *word = object->start + i * WEIRI_WORD_BYTES;
        const struct weiri_crowd *crowd = weiri_cell_crowd(cell);
        if (cell->write.time != 0) {
            pass_record(walk, word, &cell->write);
        }
        if (crowd != NULL) {
            pass_crowd(walk, word, crowd);
        } else if (cell->read.rest != 0) {
            pass_record(walk, word, &cell->read);
        }
    }
}

void weiri_race_each_left(const struct weiri_race *race,
                          const struct weiri_objects *objects,
                          void (*each)(void *data, const struct weiri_race_left *left),
                          void *data)
{
    struct walk walk = { weiri_race_shadows(race), NULL, each, data };
    weiri_objects_each_global(objects, walk_object, &walk);
}

struct weiri_race_access weiri_race_access_at(struct weiri_race *race,
                                              const struct weiri_race_point *point)
{
    return weiri_race_report_access(weiri_race_found(race), point);
}
