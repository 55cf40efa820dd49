/* SPDX-License-Identifier: MIT
 *
 * record-read.h: the records of launches, and findings, from the JSON that record.c and
 * json.c write. Any bytes give values or an error.
 *
 * Only the command has this file, as it needs json-glib. */
#ifndef WEIRI_RECORD_READ_H
#define WEIRI_RECORD_READ_H

#include "report/record.h"

typedef struct _JsonNode JsonNode;
typedef struct _JsonObject JsonObject;

/** No records yet; an element that is taken out may leave %NULL. Returns: (transfer
 *  full) (element-type weiri_launch_record) */
GPtrArray *weiri_records_new(void);

/**
 * weiri_records_read:
 * @text: any number of lines, in @bytes bytes that may be any
 * @records: of weiri_records_new(), where they are added
 *
 * Returns: false if some line is not a record; the records before it are added
 * Errors:  %WEIR_ERROR_INPUT, with the number of the line
 */
bool weiri_records_read(const char *text, size_t bytes, GPtrArray *records,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Adds the schedule that @record has recorded to others, and takes it from it. */
void weiri_record_take_schedule(struct weiri_launch_record *record,
                                struct weir_schedule *schedule);

/**
 * weiri_json_read:
 * @text: of @bytes arbitrary bytes
 * @why: (out) (transfer full): if this fails, a phrase that gives the reason
 *
 * Accepts only JSON, without the extensions that json-glib reads. The depth of nested
 * arrays is checked first, since json-glib's parser recurses into them.
 *
 * Returns: (transfer full): or %NULL
 */
JsonNode *weiri_json_read(const char *text, size_t bytes, char **why);

/* Owns the values that are read. */
struct weiri_store;
struct weiri_store *weiri_store_new(void);
void weiri_store_free(struct weiri_store *store);

/** Fills @to, which is all zero, from the object in @bytes of @text. Returns: false if
 *  it is not an object, or a member is not of its type */
bool weiri_fields_read(struct weiri_store *store, const struct weiri_field *fields,
                       const char *text, size_t bytes, void *to);

/** Fills @finding, which is all zero. Members that have no field are passed over, and
 *  missing members stay zero. Returns: false if a member is not of its type, or the
 *  kind is unknown */
bool weiri_finding_read(struct weiri_store *store, JsonObject *object,
                        struct weir_finding *finding);

#endif
