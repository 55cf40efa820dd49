/* SPDX-License-Identifier: MIT
 *
 * timeline-read.c: see timeline-read.h. A reader of JSON that keeps no tree: a million
 * events are ten million numbers, for which a node each would take a gigabyte.
 *
 * Members may come in any order, and unknown ones are skipped. Indices are judged when
 * a launch is complete. */
#include "config.h"

#include "show/timeline-read.h"

#include "weir.h"

#include <inttypes.h>
#include <string.h>

enum { DEEPEST = 64 }; /* of values that are skipped */

struct reader {
    const char *start, *at, *end;
    const char *name;
    unsigned depth;
    GError **error;
};

static bool refuse(struct reader *reader, const char *what)
{
    g_set_error(reader->error, WEIR_ERROR, WEIR_ERROR_INPUT,
                "%s: byte %zu: %s: give a file of weir trace", reader->name,
                (size_t)(reader->at - reader->start), what);
    return false;
}

/* ---- Values ---------------------------------------------------------------------- */

static char peek(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL
           && *reader->at != '\0') {
        reader->at++;
    }
    return reader->at < reader->end ? *reader->at : '\0';
}

/* Goes past a character if it comes next. */
static bool take(struct reader *reader, char c)
{
    bool comes = peek(reader) == c && c != '\0';
    reader->at += comes;
    return comes;
}

static bool want(struct reader *reader, char c)
{
    const char what[] = { '\'', c,   '\'', ' ', 'i', 's', ' ', 'm',
                          'i',  's', 's',  'i', 'n', 'g', '\0' };
    return take(reader, c) || refuse(reader, what);
}

/* Four hexadecimal digits of an escape that is one unit. */
static bool read_escape(struct reader *reader, GString *text)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = reader->at < reader->end ? *reader->at++ : '\0';
    const char *plain = c != '\0' ? strchr(from, c) : NULL;
    if (plain != NULL) {
        g_string_append_c(text, to[plain - from]);
        return true;
    }
    gunichar code = 0;
    for (int i = 0; c == 'u' && i < 4; i++) {
        int digit = reader->at < reader->end ? g_ascii_xdigit_value(*reader->at++) : -1;
        if (digit < 0) {
            return refuse(reader, "a malformed escape");
        }
        code = code << 4 | (gunichar)digit;
    }
    if (c != 'u') {
        return refuse(reader, "a malformed escape");
    }
    g_string_append_unichar(text, g_unichar_validate(code) && code > 0 ? code : 0xfffd);
    return true;
}

/* A string, or null. */
static bool read_text(struct reader *reader, const char **text)
{
    *text = NULL;
    if (peek(reader) == 'n' && reader->end - reader->at >= 4
        && memcmp(reader->at, "null", 4) == 0) {
        reader->at += 4;
        return true;
    }
    if (!take(reader, '"')) {
        return refuse(reader, "no text");
    }
    g_autoptr(GString) read = g_string_new(NULL);
    while (reader->at < reader->end && *reader->at != '"') {
        char c = *reader->at++;
        if (c != '\\') {
            g_string_append_c(read, c);
        } else if (!read_escape(reader, read)) {
            return false;
        }
    }
    if (!want(reader, '"')) {
        return false;
    }
    if (strlen(read->str) != read->len || !g_utf8_validate(read->str, -1, NULL)) {
        return refuse(reader, "a text that is not UTF-8");
    }
    *text = g_intern_string(read->str);
    return true;
}

/* An integer of 64 bits, signed or not. */
static bool read_integer(struct reader *reader, int64_t *value)
{
    bool negative = peek(reader) == '-';
    reader->at += negative;
    uint64_t read = 0;
    const char *first = reader->at;
    bool over = false;
    for (; reader->at < reader->end && g_ascii_isdigit(*reader->at); reader->at++) {
        over |= __builtin_mul_overflow(read, 10, &read);
        over |= __builtin_add_overflow(read, (uint64_t)(*reader->at - '0'), &read);
    }
    *value = (int64_t)(negative ? -read : read);
    return (reader->at > first && !over) || refuse(reader, "not an integer of 64 bits");
}

typedef bool (*read_member)(struct reader *reader, const char *name, void *data);

static bool read_object(struct reader *reader, read_member member, void *data)
{
    if (!want(reader, '{')) {
        return false;
    }
    bool more = !take(reader, '}');
    while (more) {
        const char *name;
        if (!read_text(reader, &name) || !want(reader, ':')
            || !member(reader, name != NULL ? name : "", data)) {
            return false;
        }
        more = take(reader, ',');
        if (!more && !want(reader, '}')) {
            return false;
        }
    }
    return true;
}

static bool read_list(struct reader *reader,
                      bool (*element)(struct reader *reader, void *data), void *data)
{
    if (!want(reader, '[')) {
        return false;
    }
    bool more = !take(reader, ']');
    while (more) {
        if (!element(reader, data)) {
            return false;
        }
        more = take(reader, ',');
        if (!more && !want(reader, ']')) {
            return false;
        }
    }
    return true;
}

static bool skip(struct reader *reader);

static bool skip_member(struct reader *reader, const char *name, void *data)
{
    (void)name;
    (void)data;
    return skip(reader);
}

static bool skip_element(struct reader *reader, void *data)
{
    (void)data;
    return skip(reader);
}

/* Goes past any value. */
static bool skip(struct reader *reader)
{
    const char *text;
    char c = peek(reader);
    if (c == '"') {
        return read_text(reader, &text);
    }
    if (c == '{' || c == '[') {
        if (++reader->depth > DEEPEST) {
            return refuse(reader, "nested too deeply");
        }
        bool skipped = c == '{' ? read_object(reader, skip_member, NULL)
                                : read_list(reader, skip_element, NULL);
        reader->depth--;
        return skipped;
    }
    const char *first = reader->at;
    while (reader->at < reader->end
           && (g_ascii_isalnum(*reader->at) || strchr("+-.", *reader->at) != NULL)
           && *reader->at != '\0') {
        reader->at++;
    }
    return reader->at > first || refuse(reader, "no value");
}

/* ---- Tables ---------------------------------------------------------------------- */

static bool read_number(struct reader *reader, uint64_t *value)
{
    int64_t read;
    bool is = read_integer(reader, &read);
    *value = (uint64_t)read;
    return is;
}

static bool read_u32(struct reader *reader, uint32_t *value)
{
    uint64_t read;
    bool is = read_number(reader, &read);
    *value = (uint32_t)MIN(read, UINT32_MAX);
    return is;
}

/* A member that is a text or a number of a struct. */
struct field {
    const char *name;
    size_t offset;
    enum { TEXT, NUMBER, SHORT } type;
};

/* Returns: whether there is such a field; then it was read if @read is true */
static bool read_field(struct reader *reader, const struct field *fields,
                       const char *name, void *into, bool *read)
{
    for (; fields->name != NULL; fields++) {
        if (strcmp(fields->name, name) == 0) {
            void *at = (char *)into + fields->offset;
            *read = fields->type == TEXT ? read_text(reader, at)
                : fields->type == NUMBER ? read_number(reader, at)
                                         : read_u32(reader, at);
            return true;
        }
    }
    return false;
}

static bool site_member(struct reader *reader, const char *name, void *data)
{
#define SITE(member, type)                                                             \
    {                                                                                  \
#member, offsetof(struct weiri_act_site, member), type                         \
    }
    static const struct field fields[]
        = { SITE(file, TEXT),      SITE(function, TEXT), SITE(source, TEXT),
            SITE(operation, TEXT), SITE(order, TEXT),    SITE(scope, TEXT),
            SITE(type, TEXT),      SITE(line, SHORT),    SITE(bytes, SHORT),
            { NULL, 0, TEXT } };
#undef SITE
    bool read;
    return read_field(reader, fields, name, data, &read) ? read : skip(reader);
}

static bool site_element(struct reader *reader, void *data)
{
    struct weiri_act_site site = { 0 };
    bool read = read_object(reader, site_member, &site);
    site.operation = site.operation != NULL ? site.operation : "?";
    g_array_append_val((GArray *)data, site);
    return read;
}

static bool object_member(struct reader *reader, const char *name, void *data)
{
#define OBJECT(member, type)                                                           \
    {                                                                                  \
#member, offsetof(struct weiri_act_object, member), type                       \
    }
    static const struct field fields[]
        = { OBJECT(name, TEXT),    OBJECT(variable, TEXT),        OBJECT(bytes, NUMBER),
            OBJECT(first, NUMBER), OBJECT(element_bytes, NUMBER), { NULL, 0, TEXT } };
#undef OBJECT
    struct weiri_act_object *object = data;
    bool read;
    if (strcmp(name, "space") == 0) {
        const char *space;
        read = read_text(reader, &space);
        object->local = g_strcmp0(space, "local") == 0;
        return read;
    }
    return read_field(reader, fields, name, data, &read) ? read : skip(reader);
}

static bool object_element(struct reader *reader, void *data)
{
    struct weiri_act_object object = { .element_bytes = 1 };
    bool read = read_object(reader, object_member, &object);
    object.name = object.name != NULL ? object.name : "?";
    object.element_bytes = MAX(object.element_bytes, 1);
    g_array_append_val((GArray *)data, object);
    return read;
}

static bool event_element(struct reader *reader, void *data)
{
    uint64_t event;
    bool read = read_number(reader, &event);
    uint32_t from_one = (uint32_t)MIN(event + 1, UINT32_MAX);
    g_array_append_val((GArray *)data, from_one);
    return read;
}

static bool finding_text(struct reader *reader, const char *name, void *data)
{
    static const struct field fields[]
        = { { "kind", offsetof(struct weiri_traced_finding, kind), TEXT },
            { "message", offsetof(struct weiri_traced_finding, message), TEXT },
            { NULL, 0, TEXT } };
    bool read;
    return read_field(reader, fields, name, data, &read) ? read : skip(reader);
}

static bool finding_member(struct reader *reader, const char *name, void *data)
{
    struct weiri_traced_finding *finding = data;
    return strcmp(name, "events") == 0
        ? read_list(reader, event_element, finding->events)
        : strcmp(name, "finding") == 0 ? read_object(reader, finding_text, finding)
                                       : skip(reader);
}

static bool finding_element(struct reader *reader, void *data)
{
    struct weiri_traced_finding finding
        = { "?", "?", g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
    bool read = read_object(reader, finding_member, &finding);
    g_array_append_val((GArray *)data, finding);
    return read;
}

/* ---- Events ---------------------------------------------------------------------- */

static const char *const column_names[]
    = { "kind",   "item",   "step", "time",  "site",
        "object", "offset", "read", "wrote", "reads_from" };
enum { N_COLUMNS = G_N_ELEMENTS(column_names) };

struct launch {
    struct weiri_traced_launch public;
    uint8_t kinds[WEIRI_N_ACTS]; /* by number in the file */
    uint32_t n_kinds;
    uint64_t n_events;
    GArray *columns[N_COLUMNS]; /* of int64_t */
    GArray *from, *to;          /* of int64_t */
};

static bool integer_element(struct reader *reader, void *data)
{
    int64_t value;
    bool read = read_integer(reader, &value);
    g_array_append_val((GArray *)data, value);
    return read;
}

static bool column_member(struct reader *reader, const char *name, void *data)
{
    struct launch *launch = data;
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (strcmp(column_names[i], name) == 0) {
            g_array_set_size(launch->columns[i], 0);
            return read_list(reader, integer_element, launch->columns[i]);
        }
    }
    return skip(reader);
}

static bool edge_member(struct reader *reader, const char *name, void *data)
{
    struct launch *launch = data;
    GArray *ends = strcmp(name, "from") == 0 ? launch->from
        : strcmp(name, "to") == 0            ? launch->to
                                             : NULL;
    return ends != NULL ? read_list(reader, integer_element, ends) : skip(reader);
}

static bool kind_element(struct reader *reader, void *data)
{
    static const char *const names[] = {
#define X(name, text) text,
        WEIRI_ACTS(X)
#undef X
    };
    struct launch *launch = data;
    const char *name;
    if (!read_text(reader, &name)) {
        return false;
    }
    for (uint8_t i = 0; i < WEIRI_N_ACTS && launch->n_kinds < WEIRI_N_ACTS; i++) {
        if (g_strcmp0(names[i], name) == 0) {
            launch->kinds[launch->n_kinds++] = i;
            return true;
        }
    }
    return refuse(reader, "an unknown kind of event");
}

static int64_t cell(const struct launch *launch, size_t column, guint i)
{
    return g_array_index(launch->columns[column], int64_t, i);
}

/* Whether cells of all columns are in their ranges. Else @column is the first whose is
 * not. */
static bool is_valid(const struct launch *launch, guint i, size_t *column)
{
    const struct weiri_timeline *timeline = launch->public.timeline;
    const int64_t n_items = (int64_t)(timeline->n_groups * timeline->group_items);
    const struct {
        int64_t least, end;
    } ranges[N_COLUMNS] = { { 0, launch->n_kinds },
                            { 0, n_items },
                            { 0, G_MAXINT64 },
                            { 0, G_MAXUINT32 },
                            { -1, timeline->sites->len },
                            { -1, timeline->objects->len },
                            { 0, G_MAXINT64 },
                            { G_MININT64, G_MAXINT64 },
                            { G_MININT64, G_MAXINT64 },
                            { 0, (int64_t)i + 1 } };
    for (*column = 0; *column < N_COLUMNS; ++*column) {
        int64_t value = cell(launch, *column, i);
        bool any = ranges[*column].least == G_MININT64;
        if (!any && (value < ranges[*column].least || value >= ranges[*column].end)) {
            return false;
        }
    }
    return true;
}

static bool build_events(struct reader *reader, struct launch *launch)
{
    struct weiri_timeline *timeline = launch->public.timeline;
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (launch->columns[i]->len != launch->n_events) {
            g_autofree char *what = g_strdup_printf(
                "column '%s' has %u events, not %" PRIu64, column_names[i],
                launch->columns[i]->len, launch->n_events);
            return refuse(reader, what);
        }
    }
    uint64_t step = 0;
    g_array_set_size(timeline->acts, (guint)launch->n_events);
    for (guint i = 0; i < launch->n_events; i++) {
        size_t column;
        if (!is_valid(launch, i, &column)) {
            g_autofree char *what
                = g_strdup_printf("event %u: %s cannot be %" PRId64, i,
                                  column_names[column], cell(launch, column, i));
            return refuse(reader, what);
        }
        step += (uint64_t)cell(launch, 2, i);
        g_array_index(timeline->acts, struct weiri_act, i) = (struct weiri_act){
            .kind = launch->kinds[cell(launch, 0, i)],
            .item = (uint64_t)cell(launch, 1, i),
            .step = step,
            .time = (uint32_t)cell(launch, 3, i),
            .site = (uint32_t)(cell(launch, 4, i) + 1),
            .object = (uint32_t)(cell(launch, 5, i) + 1),
            .offset = (uint64_t)cell(launch, 6, i),
            .read = (uint64_t)cell(launch, 7, i),
            .wrote = (uint64_t)cell(launch, 8, i),
            .from = cell(launch, 9, i) > 0 ? i + 1 - (uint32_t)cell(launch, 9, i) : 0,
        };
    }
    return true;
}

static bool build_edges(struct reader *reader, struct launch *launch)
{
    bool good = launch->from->len == launch->to->len;
    for (guint i = 0; good && i < launch->from->len; i++) {
        int64_t from = g_array_index(launch->from, int64_t, i);
        int64_t to = g_array_index(launch->to, int64_t, i);
        good = from >= 0 && from < to && to < (int64_t)launch->n_events;
        struct weiri_act_edge edge = { (uint32_t)from + 1, (uint32_t)to + 1 };
        g_array_append_val(launch->public.timeline->edges, edge);
    }
    for (guint i = 0; good && i < launch->public.findings->len; i++) {
        const struct weiri_traced_finding *finding
            = &g_array_index(launch->public.findings, struct weiri_traced_finding, i);
        for (guint k = 0; good && k < finding->events->len; k++) {
            /* 0: the finding is at no event */
            good = g_array_index(finding->events, uint32_t, k) <= launch->n_events;
        }
    }
    return good
        || refuse(reader,
                  "an edge or a finding at an event that does not "
                  "exist");
}

/* ---- Launches -------------------------------------------------------------------- */

static struct weiri_timeline *new_timeline(void)
{
    struct weiri_timeline *timeline = g_new0(struct weiri_timeline, 1);
    timeline->acts = g_array_new(FALSE, TRUE, sizeof(struct weiri_act));
    timeline->sites = g_array_new(FALSE, FALSE, sizeof(struct weiri_act_site));
    timeline->objects = g_array_new(FALSE, FALSE, sizeof(struct weiri_act_object));
    timeline->edges = g_array_new(FALSE, FALSE, sizeof(struct weiri_act_edge));
    return timeline;
}

static void clear_finding(void *data)
{
    g_array_unref(((struct weiri_traced_finding *)data)->events);
}

static void clear_launch(void *data)
{
    struct weiri_traced_launch *launch = data;
    weiri_timeline_free(launch->timeline);
    g_array_unref(launch->findings);
}

static bool launch_member(struct reader *reader, const char *name, void *data)
{
    struct launch *launch = data;
    struct weiri_timeline *timeline = launch->public.timeline;
    const struct {
        const char *name;
        bool (*element)(struct reader *reader, void *data);
        void *into;
    } lists[] = { { "sites", site_element, timeline->sites },
                  { "objects", object_element, timeline->objects },
                  { "findings", finding_element, launch->public.findings },
                  { "kinds", kind_element, launch } };
    const struct field texts[]
        = { { "kernel", offsetof(struct launch, public.kernel), TEXT },
            { "schedule", offsetof(struct launch, public.schedule), TEXT },
            { "incomplete", offsetof(struct launch, public.incomplete), TEXT },
            { "seed", offsetof(struct launch, public.seed), NUMBER },
            { "n_events", offsetof(struct launch, n_events), NUMBER },
            { NULL, 0, TEXT } };
    static const struct field numbers[]
        = { { "n_groups", offsetof(struct weiri_timeline, n_groups), NUMBER },
            { "group_items", offsetof(struct weiri_timeline, group_items), NUMBER },
            { "left_out", offsetof(struct weiri_timeline, n_more), NUMBER },
            { "sub_group", offsetof(struct weiri_timeline, sub_group_size), SHORT },
            { NULL, 0, TEXT } };
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        if (strcmp(lists[i].name, name) == 0) {
            return read_list(reader, lists[i].element, lists[i].into);
        }
    }
    bool read;
    if (read_field(reader, texts, name, launch, &read)
        || read_field(reader, numbers, name, timeline, &read)) {
        return read;
    }
    return strcmp(name, "events") == 0      ? read_object(reader, column_member, launch)
        : strcmp(name, "synchronises") == 0 ? read_object(reader, edge_member, launch)
                                            : skip(reader);
}

static bool launch_element(struct reader *reader, void *data)
{
    struct weiri_traced_file *file = data;
    struct launch launch = { .n_kinds = 0 };
    launch.public.timeline = new_timeline();
    launch.public.findings
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_traced_finding));
    g_array_set_clear_func(launch.public.findings, clear_finding);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        launch.columns[i] = g_array_new(FALSE, FALSE, sizeof(int64_t));
    }
    launch.from = g_array_new(FALSE, FALSE, sizeof(int64_t));
    launch.to = g_array_new(FALSE, FALSE, sizeof(int64_t));
    bool read = read_object(reader, launch_member, &launch);
    const struct weiri_timeline *timeline = launch.public.timeline;
    if (read
        && (timeline->n_groups > G_MAXUINT32 || timeline->group_items > G_MAXUINT32
            || timeline->group_items == 0)) {
        read = refuse(reader, "an impossible number of items");
    }
    launch.public.kernel = launch.public.kernel != NULL ? launch.public.kernel : "?";
    launch.public.schedule
        = launch.public.schedule != NULL ? launch.public.schedule : "?";
    read = read && build_events(reader, &launch) && build_edges(reader, &launch);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        g_array_unref(launch.columns[i]);
    }
    g_array_unref(launch.from);
    g_array_unref(launch.to);
    g_array_append_val(file->launches, launch.public);
    return read;
}

struct document {
    struct weiri_traced_file *file;
    uint64_t version;
};

static bool document_member(struct reader *reader, const char *name, void *data)
{
    struct document *document = data;
    if (strcmp(name, "weir_trace") == 0) {
        return read_number(reader, &document->version);
    }
    if (document->version != 1) {
        return refuse(reader, "no \"weir_trace\": 1 at its beginning");
    }
    return strcmp(name, "command") == 0 ? read_text(reader, &document->file->command)
        : strcmp(name, "launches") == 0
        ? read_list(reader, launch_element, document->file)
        : skip(reader);
}

struct weiri_traced_file *weiri_timeline_read(const char *text, size_t bytes,
                                              const char *name, GError **error)
{
    struct reader reader = { text, text, text + bytes, name, 0, error };
    struct document document = { g_new0(struct weiri_traced_file, 1), 0 };
    struct weiri_traced_file *file = document.file;
    file->launches = g_array_new(FALSE, FALSE, sizeof(struct weiri_traced_launch));
    g_array_set_clear_func(file->launches, clear_launch);
    bool read = read_object(&reader, document_member, &document);
    if (read && (peek(&reader) != '\0' || reader.at != reader.end)) {
        read = refuse(&reader, "text after the end");
    }
    if (read && file->launches->len == 0) {
        read = refuse(&reader, "no launch");
    }
    if (!read) {
        g_clear_pointer(&file, weiri_traced_file_free);
    }
    return file;
}

void weiri_traced_file_free(struct weiri_traced_file *file)
{
    g_array_unref(file->launches);
    g_free(file);
}

/* ---- Words ----------------------------------------------------------------------- */

char *weiri_act_place(const struct weiri_timeline *timeline,
                      const struct weiri_act *act)
{
    const struct weiri_act_object *object = weiri_act_object_of(timeline, act);
    if (object == NULL) {
        return NULL;
    }
    return g_strdup_printf(
        "%s[%" PRId64 "]", object->variable != NULL ? object->variable : object->name,
        object->first + (int64_t)(act->offset / object->element_bytes));
}

char *weiri_act_value(const struct weiri_timeline *timeline,
                      const struct weiri_act *act, uint64_t bits)
{
    const struct weiri_act_site *site = weiri_act_site_of(timeline, act);
    const char *type = site != NULL && site->type != NULL ? site->type : "";
    float single;
    double real;
    uint32_t half = (uint32_t)bits;
    if (strcmp(type, "f32") == 0) {
        memcpy(&single, &half, sizeof(single));
        return g_strdup_printf("%.9g", (double)single);
    }
    if (strcmp(type, "f64") == 0) {
        memcpy(&real, &bits, sizeof(real));
        return g_strdup_printf("%.17g", real);
    }
    return type[0] == 'u' ? g_strdup_printf("%" PRIu64, bits)
                          : g_strdup_printf("%" PRId64, (int64_t)bits);
}
