/* SPDX-License-Identifier: MIT
 *
 * wire.c: records as GVariants. A GVariant of a given type can be read from any bytes
 * whatever: what does not fit reads as a default value, and whether anything did not
 * fit is asked once, before a record is read.
 *
 *     magic | bytes of the body | body, a GVariant of type RECORD
 *
 * Strings are byte strings: a path or a line of source need not be UTF-8. */
#include "config.h"

#include "report/wire.h"

#include "exec/finding-names.h"
#include "watch/trace.h"

#include <string.h>

/* Of this layout; another version of Weir has another one. */
static const uint32_t MAGIC = 0x77697234;

/* Two words before each body, which a GVariant wants aligned to 8 bytes. */
struct header {
    uint32_t magic;
    uint32_t bytes;
};

/* "Maybe a byte string", as NULL is not the empty one. */
#define TEXT "may"
#define AT "(ttt)"
#define FRAME "(" TEXT TEXT "u)"
#define PARTY                                                                          \
    "(" TEXT TEXT AT AT TEXT TEXT TEXT "u" TEXT TEXT "ta" FRAME TEXT                   \
    "t" TEXT TEXT TEXT TEXT TEXT ")"
#define FINDING "(u" TEXT TEXT "b" TEXT TEXT "ta" PARTY TEXT TEXT "x" TEXT TEXT ")"
/* Numbers of one length, which are read and written in one go; see struct switched. */
#define SWITCH "(ttttuuuu)"
#define TRACED "(" TEXT TEXT TEXT TEXT TEXT TEXT "tubtta" SWITCH "a" TEXT ")"
#define RECORD "(bttb" TEXT "bb" TEXT "ttt" TEXT TEXT "ia" FINDING "m" TRACED ")"

/* A struct weiri_switch; its file is the number of a string, from 1. */
struct switched {
    uint64_t step, group, stop, to_group;
    uint32_t item, to_item, file, line;
};
G_STATIC_ASSERT(sizeof(struct switched) == 48);

/* ---- Writing --------------------------------------------------------------------- */

static GVariant *text(const char *value)
{
    return g_variant_new_maybe(G_VARIANT_TYPE_BYTESTRING,
                               value != NULL ? g_variant_new_bytestring(value) : NULL);
}

static GVariant *at(const size_t place[3])
{
    return g_variant_new(AT, (guint64)place[0], (guint64)place[1], (guint64)place[2]);
}

static GVariant *pack_path(const struct weir_party *party)
{
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a" FRAME));
    for (size_t i = 0; i < party->n_path; i++) {
        const struct weir_frame *frame = &party->path[i];
        g_variant_builder_add(&builder, "(@may@mayu)", text(frame->function),
                              text(frame->file), frame->line);
    }
    return g_variant_builder_end(&builder);
}

static GVariant *pack_party(const struct weir_party *party)
{
    GVariant *const members[] = {
        text(weir_state_name(party->state)),
        text(party->items),
        at(party->item),
        at(party->group),
        text(party->groups),
        text(party->file),
        text(party->function),
        g_variant_new_uint32(party->line),
        text(party->source),
        text(party->operation),
        g_variant_new_uint64(party->phase),
        pack_path(party),
        text(party->object),
        g_variant_new_uint64(party->index),
        text(party->value),
        text(party->writer),
        text(weir_access_name(party->access)),
        text(party->order),
        text(party->scope),
    };
    return g_variant_new_tuple(members, G_N_ELEMENTS(members));
}

static GVariant *pack_finding(const struct weir_finding *finding)
{
    GVariantBuilder parties;
    g_variant_builder_init(&parties, G_VARIANT_TYPE("a" PARTY));
    for (size_t i = 0; i < finding->n_parties; i++) {
        g_variant_builder_add_value(&parties, pack_party(&finding->parties[i]));
    }
    GVariant *const members[] = {
        g_variant_new_uint32((guint32)finding->kind),
        text(finding->kernel),
        text(finding->message),
        g_variant_new_boolean(finding->note),
        text(finding->form),
        text(finding->parted),
        g_variant_new_uint64(finding->count),
        g_variant_builder_end(&parties),
        text(finding->space),
        text(finding->object),
        g_variant_new_int64(finding->index),
        text(finding->why),
        text(finding->remedy),
    };
    return g_variant_new_tuple(members, G_N_ELEMENTS(members));
}

/* Appends the file of a switch to @files where it is new. Returns: its number */
static uint32_t number_file(const char *file, GHashTable *numbers,
                            GVariantBuilder *files)
{
    if (file == NULL) {
        return 0;
    }
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, file));
    if (number == 0) {
        number = g_hash_table_size(numbers) + 1;
        g_hash_table_insert(numbers, (char *)file, GUINT_TO_POINTER(number));
        g_variant_builder_add_value(files, text(file));
    }
    return number;
}

static GVariant *pack_traced(const struct weiri_traced *traced)
{
    if (traced == NULL) {
        return g_variant_new_maybe(G_VARIANT_TYPE(TRACED), NULL);
    }
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    g_autofree struct switched *switches
        = g_new(struct switched, traced->switches->len);
    GVariantBuilder files;
    g_variant_builder_init(&files, G_VARIANT_TYPE("a" TEXT));
    for (guint i = 0; i < traced->switches->len; i++) {
        const struct weiri_switch *one
            = &g_array_index(traced->switches, struct weiri_switch, i);
        switches[i]
            = (struct switched){ .step = one->step,
                                 .group = one->group,
                                 .stop = one->stop,
                                 .to_group = one->to_group,
                                 .item = one->item,
                                 .to_item = one->to_item,
                                 .file = number_file(one->file, numbers, &files),
                                 .line = one->line };
    }
    GVariant *const members[] = {
        text(traced->kernel),
        text(traced->identity),
        text(traced->device),
        text(traced->global),
        text(traced->local),
        text(traced->schedule),
        g_variant_new_uint64(traced->seed),
        g_variant_new_uint32(traced->sub_group),
        g_variant_new_boolean(traced->accesses),
        g_variant_new_uint64(traced->n_steps),
        g_variant_new_uint64(traced->n_decisions),
        g_variant_new_fixed_array(G_VARIANT_TYPE(SWITCH), switches,
                                  traced->switches->len, sizeof(*switches)),
        g_variant_builder_end(&files),
    };
    return g_variant_new_maybe(NULL,
                               g_variant_new_tuple(members, G_N_ELEMENTS(members)));
}

GBytes *weiri_wire_pack_record(const struct weiri_wire_record *record)
{
    GVariantBuilder findings;
    g_variant_builder_init(&findings, G_VARIANT_TYPE("a" FINDING));
    for (size_t i = 0; i < record->n_findings; i++) {
        g_variant_builder_add_value(&findings, pack_finding(&record->findings[i]));
    }
    GVariant *const members[] = {
        g_variant_new_boolean(record->begins),
        g_variant_new_uint64(record->process),
        g_variant_new_uint64(record->serial),
        g_variant_new_boolean(record->exits),
        text(record->kernel),
        g_variant_new_boolean(record->instrumented),
        g_variant_new_boolean(record->accesses),
        text(record->schedule),
        g_variant_new_uint64(record->seed),
        g_variant_new_uint64(record->n_steps),
        g_variant_new_uint64(record->group_items),
        text(record->incomplete),
        text(record->error),
        g_variant_new_int32(record->error_code),
        g_variant_builder_end(&findings),
        pack_traced(record->traced),
    };
    g_autoptr(GVariant) body
        = g_variant_ref_sink(g_variant_new_tuple(members, G_N_ELEMENTS(members)));
    size_t bytes = g_variant_get_size(body);
    g_return_val_if_fail(bytes <= G_MAXUINT32, NULL);
    struct header header = { MAGIC, (uint32_t)bytes };
    char *whole = g_malloc(sizeof(header) + bytes);
    memcpy(whole, &header, sizeof(header));
    g_variant_store(body, whole + sizeof(header));
    return g_bytes_new_take(whole, sizeof(header) + bytes);
}

GBytes *weiri_wire_pack(const struct weiri_wire_record *head,
                        const struct weir_report *report)
{
    struct weiri_wire_record record = *head;
    record.n_findings = report != NULL ? weir_report_n_findings(report) : 0;
    record.n_steps = report != NULL ? weir_report_n_steps(report) : 0;
    record.accesses = report != NULL && weir_report_saw_accesses(report);
    record.group_items = report != NULL ? weir_report_group_items(report) : 0;
    record.incomplete = report != NULL ? weir_report_incomplete(report) : NULL;
    g_autofree struct weir_finding *findings
        = g_new(struct weir_finding, record.n_findings);
    for (size_t i = 0; i < record.n_findings; i++) {
        findings[i] = *weir_report_finding(report, i);
    }
    record.findings = findings;
    return weiri_wire_pack_record(&record);
}

/* ---- Reading --------------------------------------------------------------------- */

/* A record as it is kept: the public value and what it points to. */
struct kept {
    struct weiri_wire_record public;
    GStringChunk *strings;       /* owned: all strings */
    GPtrArray *arrays;           /* owned: findings, parties and paths */
    struct weiri_traced *traced; /* owned, or NULL */
};

static void free_kept(void *data)
{
    struct kept *kept = data;
    if (kept != NULL) {
        weiri_traced_free(kept->traced);
        g_ptr_array_unref(kept->arrays);
        g_string_chunk_free(kept->strings);
        g_free(kept);
    }
}

/* Zeroed, and freed with the record. */
static void *keep_array(struct kept *kept, size_t n, size_t element_bytes)
{
    void *array = g_malloc0_n(MAX(n, 1), element_bytes);
    g_ptr_array_add(kept->arrays, array);
    return array;
}

static const char *text_of(struct kept *kept, GVariant *tuple, size_t index)
{
    g_autoptr(GVariant) maybe = g_variant_get_child_value(tuple, index);
    g_autoptr(GVariant) value = g_variant_get_maybe(maybe);
    return value != NULL
        ? g_string_chunk_insert_const(kept->strings, g_variant_get_bytestring(value))
        : NULL;
}

static uint64_t number_of(GVariant *tuple, size_t index)
{
    g_autoptr(GVariant) value = g_variant_get_child_value(tuple, index);
    return g_variant_get_uint64(value);
}

static uint32_t word_of(GVariant *tuple, size_t index)
{
    g_autoptr(GVariant) value = g_variant_get_child_value(tuple, index);
    return g_variant_get_uint32(value);
}

static bool truth_of(GVariant *tuple, size_t index)
{
    g_autoptr(GVariant) value = g_variant_get_child_value(tuple, index);
    return g_variant_get_boolean(value);
}

static void place_of(GVariant *tuple, size_t index, size_t place[3])
{
    g_autoptr(GVariant) value = g_variant_get_child_value(tuple, index);
    for (size_t dim = 0; dim < 3; dim++) {
        place[dim] = (size_t)number_of(value, dim);
    }
}

static void unpack_path(struct kept *kept, GVariant *tuple, size_t index,
                        struct weir_party *party)
{
    g_autoptr(GVariant) path = g_variant_get_child_value(tuple, index);
    party->n_path = g_variant_n_children(path);
    struct weir_frame *frames = keep_array(kept, party->n_path, sizeof(*frames));
    for (size_t i = 0; i < party->n_path; i++) {
        g_autoptr(GVariant) frame = g_variant_get_child_value(path, i);
        frames[i].function = text_of(kept, frame, 0);
        frames[i].file = text_of(kept, frame, 1);
        frames[i].line = word_of(frame, 2);
    }
    party->path = frames;
}

static void unpack_party(struct kept *kept, GVariant *tuple, struct weir_party *party)
{
    party->state = weiri_finding_state_named(text_of(kept, tuple, 0));
    party->items = text_of(kept, tuple, 1);
    place_of(tuple, 2, party->item);
    place_of(tuple, 3, party->group);
    party->groups = text_of(kept, tuple, 4);
    party->file = text_of(kept, tuple, 5);
    party->function = text_of(kept, tuple, 6);
    party->line = word_of(tuple, 7);
    party->source = text_of(kept, tuple, 8);
    party->operation = text_of(kept, tuple, 9);
    party->phase = number_of(tuple, 10);
    unpack_path(kept, tuple, 11, party);
    party->object = text_of(kept, tuple, 12);
    party->index = number_of(tuple, 13);
    party->value = text_of(kept, tuple, 14);
    party->writer = text_of(kept, tuple, 15);
    party->access = weiri_finding_access_named(text_of(kept, tuple, 16));
    party->order = text_of(kept, tuple, 17);
    party->scope = text_of(kept, tuple, 18);
}

/* Returns: false where the kind is none */
static bool unpack_finding(struct kept *kept, GVariant *tuple,
                           struct weir_finding *finding)
{
    static const enum weir_finding_kind kinds[] = {
#define X(name, text) WEIR_FINDING_##name,
        WEIR_FINDING_KINDS(X)
#undef X
    };
    uint32_t kind = word_of(tuple, 0);
    if (kind >= G_N_ELEMENTS(kinds)) {
        return false;
    }
    finding->kind = kinds[kind];
    finding->kernel = text_of(kept, tuple, 1);
    finding->message = text_of(kept, tuple, 2);
    finding->note = truth_of(tuple, 3);
    finding->form = text_of(kept, tuple, 4);
    finding->parted = text_of(kept, tuple, 5);
    finding->count = number_of(tuple, 6);
    g_autoptr(GVariant) parties = g_variant_get_child_value(tuple, 7);
    finding->n_parties = g_variant_n_children(parties);
    struct weir_party *array = keep_array(kept, finding->n_parties, sizeof(*array));
    for (size_t i = 0; i < finding->n_parties; i++) {
        g_autoptr(GVariant) party = g_variant_get_child_value(parties, i);
        unpack_party(kept, party, &array[i]);
    }
    finding->parties = array;
    finding->space = text_of(kept, tuple, 8);
    finding->object = text_of(kept, tuple, 9);
    g_autoptr(GVariant) index = g_variant_get_child_value(tuple, 10);
    finding->index = g_variant_get_int64(index);
    finding->why = text_of(kept, tuple, 11);
    finding->remedy = text_of(kept, tuple, 12);
    return finding->kernel != NULL && finding->message != NULL;
}

/* Whoever wrote it may have been anybody: a number of no file is none. */
static void unpack_switches(GVariant *tuple, struct weiri_traced *traced)
{
    g_autoptr(GVariant) array = g_variant_get_child_value(tuple, 11);
    g_autoptr(GVariant) names = g_variant_get_child_value(tuple, 12);
    g_autoptr(GPtrArray) files = g_ptr_array_new();
    gsize n, n_files = g_variant_n_children(names);
    for (gsize i = 0; i < n_files; i++) {
        g_autoptr(GVariant) maybe = g_variant_get_child_value(names, i);
        g_autoptr(GVariant) name = g_variant_get_maybe(maybe);
        g_ptr_array_add(files,
                        (char *)(name != NULL
                                     ? g_intern_string(g_variant_get_bytestring(name))
                                     : NULL));
    }
    const struct switched *switches
        = g_variant_get_fixed_array(array, &n, sizeof(*switches));
    g_array_set_size(traced->switches, (guint)n);
    for (gsize i = 0; i < n; i++) {
        const struct switched *one = &switches[i];
        g_array_index(traced->switches, struct weiri_switch, i)
            = (struct weiri_switch){ .step = one->step,
                                     .group = one->group,
                                     .item = one->item,
                                     .to_item = one->to_item,
                                     .stop = one->stop,
                                     .to_group = one->to_group,
                                     .file = one->file - 1 < files->len
                                         ? g_ptr_array_index(files, one->file - 1)
                                         : NULL,
                                     .line = one->line };
    }
}

/* Returns: false where a text is missing */
static bool unpack_traced(struct kept *kept, GVariant *body, size_t index)
{
    g_autoptr(GVariant) maybe = g_variant_get_child_value(body, index);
    g_autoptr(GVariant) tuple = g_variant_get_maybe(maybe);
    if (tuple == NULL) {
        return true;
    }
    struct weiri_traced *traced = kept->traced = weiri_traced_new();
    char **const texts[] = { &traced->kernel, &traced->identity, &traced->device,
                             &traced->global, &traced->local,    &traced->schedule };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        *texts[i] = g_strdup(text_of(kept, tuple, i));
        if (*texts[i] == NULL) {
            return false;
        }
    }
    traced->seed = number_of(tuple, 6);
    traced->sub_group = word_of(tuple, 7);
    traced->accesses = truth_of(tuple, 8);
    traced->n_steps = number_of(tuple, 9);
    traced->n_decisions = number_of(tuple, 10);
    unpack_switches(tuple, traced);
    kept->public.traced = traced;
    return true;
}

/* Returns: NULL where the body is no record */
static struct kept *unpack(GVariant *body)
{
    struct kept *kept = g_new0(struct kept, 1);
    kept->strings = g_string_chunk_new(4096);
    kept->arrays = g_ptr_array_new_with_free_func(g_free);
    struct weiri_wire_record *record = &kept->public;
    record->begins = truth_of(body, 0);
    record->process = number_of(body, 1);
    record->serial = number_of(body, 2);
    record->exits = truth_of(body, 3);
    record->kernel = text_of(kept, body, 4);
    record->instrumented = truth_of(body, 5);
    record->accesses = truth_of(body, 6);
    record->schedule = text_of(kept, body, 7);
    record->seed = number_of(body, 8);
    record->n_steps = number_of(body, 9);
    record->group_items = number_of(body, 10);
    record->incomplete = text_of(kept, body, 11);
    record->error = text_of(kept, body, 12);
    g_autoptr(GVariant) code = g_variant_get_child_value(body, 13);
    record->error_code = g_variant_get_int32(code);
    g_autoptr(GVariant) findings = g_variant_get_child_value(body, 14);
    record->n_findings = g_variant_n_children(findings);
    struct weir_finding *array = keep_array(kept, record->n_findings, sizeof(*array));
    bool sound = record->kernel != NULL && unpack_traced(kept, body, 15);
    for (size_t i = 0; sound && i < record->n_findings; i++) {
        g_autoptr(GVariant) finding = g_variant_get_child_value(findings, i);
        sound = unpack_finding(kept, finding, &array[i]);
    }
    record->findings = array;
    if (!sound) {
        free_kept(kept);
        return NULL;
    }
    return kept;
}

/* The header at @offset. Returns: whether it and its body are all there */
static bool read_header(const uint8_t *data, size_t bytes, size_t offset,
                        struct header *header)
{
    if (bytes - offset < sizeof(*header)) {
        return false;
    }
    memcpy(header, data + offset, sizeof(*header));
    return header->magic == MAGIC && header->bytes <= bytes - offset - sizeof(*header);
}

GPtrArray *weiri_wire_records_new(void)
{
    return g_ptr_array_new_with_free_func(free_kept);
}

bool weiri_wire_unpack(GBytes *bytes, GPtrArray *records, GError **error)
{
    size_t size;
    const uint8_t *data = g_bytes_get_data(bytes, &size);
    for (size_t offset = 0; offset < size;) {
        struct header header;
        struct kept *kept = NULL;
        if (read_header(data, size, offset, &header)) {
            g_autoptr(GBytes) slice
                = g_bytes_new_from_bytes(bytes, offset + sizeof(header), header.bytes);
            g_autoptr(GVariant) body = g_variant_ref_sink(
                g_variant_new_from_bytes(G_VARIANT_TYPE(RECORD), slice, FALSE));
            kept = g_variant_is_normal_form(body) ? unpack(body) : NULL;
        }
        if (kept == NULL) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                        "no report of a launch at byte %zu of %zu", offset, size);
            return false;
        }
        g_ptr_array_add(records, kept);
        offset += sizeof(header) + header.bytes;
    }
    return true;
}

void weiri_wire_take_schedule(struct weiri_wire_record *record,
                              struct weir_schedule *schedule)
{
    struct kept *kept = (struct kept *)record; /* its first member */
    if (kept->traced != NULL) {
        weiri_trace_add(schedule, g_steal_pointer(&kept->traced));
        record->traced = NULL;
    }
}
