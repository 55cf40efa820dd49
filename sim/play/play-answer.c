/* SPDX-License-Identifier: MIT
 *
 * play-answer.c: a request to an answer, both in JSON. A litmus test is played in this
 * process. A kernel or a program runs again for each answer, with the choices as an
 * option of its launches, and the answer is in the record of the launch. */
#include "config.h"

#include "play/play.h"

#include "cli/clock.h"
#include "engine/check.h"
#include "show/record-read.h"

#include <string.h>
#include <weir-play.h>

/* The members of a request; all are texts and may be left out. */
struct request {
    const char *model, *choices, *changes, *text;
};

/* Reads the members. @keeper: owns their texts; to be freed */
static bool read_request(const char *text, size_t bytes, JsonNode **keeper,
                         struct request *request, GError **error)
{
    const struct {
        const char *name;
        const char **value;
    } members[] = { { "model", &request->model },
                    { "choices", &request->choices },
                    { "changes", &request->changes },
                    { "text", &request->text } };
    g_autofree char *why = NULL;
    *request = (struct request){ .model = NULL };
    *keeper = weiri_json_read(text, bytes, &why);
    if (*keeper == NULL || !JSON_NODE_HOLDS_OBJECT(*keeper)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                    "the request is not an "
                    "object: %s",
                    why != NULL ? why : "it is another value");
        return false;
    }
    JsonObject *object = json_node_get_object(*keeper);
    g_autoptr(GList) names = json_object_get_members(object);
    for (GList *name = names; name != NULL; name = name->next) {
        JsonNode *node = json_object_get_member(object, name->data);
        size_t m = 0;
        while (m < G_N_ELEMENTS(members) && strcmp(members[m].name, name->data) != 0) {
            m++;
        }
        if (m == G_N_ELEMENTS(members)) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                        "the request has a member '%s': it can have model, choices, "
                        "changes and text",
                        (const char *)name->data);
            return false;
        }
        if (!JSON_NODE_HOLDS_VALUE(node)
            || json_node_get_value_type(node) != G_TYPE_STRING) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                        "the member '%s' of the request is not a "
                        "text",
                        members[m].name);
            return false;
        }
        *members[m].value = json_node_get_string(node);
    }
    return true;
}

static char *to_json(const struct weir_play *play)
{
    return g_string_free(weiri_fields_to_line(weiri_play_fields, play), FALSE);
}

/* ---- A litmus test --------------------------------------------------------------- */

static char *play_test(const struct weiri_cli_playing *playing,
                       const struct request *request, GError **error)
{
    const char *text = request->text != NULL ? request->text : playing->text;
    const struct weir_play_options options
        = { .model = request->model != NULL ? request->model : playing->model,
            .choices = request->choices,
            .changes = request->changes };
    struct weir_play *play = weir_litmus_play(
        text, strlen(text), request->text != NULL ? "the test" : playing->file,
        &options, error);
    char *answer = play != NULL ? to_json(play) : NULL;
    weir_play_free(play);
    return answer;
}

/* ---- A launch -------------------------------------------------------------------- */

/* Returns: (transfer full): the records of its launches, or NULL */
static GPtrArray *run(const struct weiri_cli_playing *playing,
                      const struct request *request, GError **error)
{
    struct weiri_cli_exploring exploring = playing->exploring;
    struct weir_launch_options *options = &exploring.options;
    const char *model = request->model != NULL ? request->model : playing->model;
    options->explore = model != NULL ? model : "sycl";
    options->play = request->choices != NULL ? request->choices : "";
    options->order = request->changes != NULL && request->changes[0] != '\0'
        ? request->changes
        : NULL;
    exploring.limit = (struct weiri_cli_limit){
        playing->seconds,
        weiri_cli_clock_us() + (int64_t)(playing->seconds * G_USEC_PER_SEC)
    };
    options->time_limit_ms = weiri_cli_left_ms(&exploring.limit);
    if (exploring.subject.program == NULL) {
        return weiri_cli_explore_kernel(&exploring, error);
    }
    struct weiri_cli_run_result *result = weiri_cli_explore_program(&exploring);
    GPtrArray *launches = g_ptr_array_ref(result->launches);
    if (result->error != NULL) {
        g_clear_pointer(&launches, g_ptr_array_unref);
        g_propagate_error(error, g_steal_pointer(&result->error));
    } else if (launches->len == 0) {
        g_clear_pointer(&launches, g_ptr_array_unref);
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "%s made no launch%s%s",
                    weiri_cli_subject_name(&exploring.subject),
                    result->incomplete != NULL    ? ": "
                        : result->failure != NULL ? ": it "
                                                  : "",
                    result->incomplete != NULL    ? result->incomplete
                        : result->failure != NULL ? result->failure
                        : weiri_cli_has_no_weir(exploring.subject.program[0])
                        ? ": it is not linked with Weir: build it with weir-cc"
                        : "");
    }
    weiri_cli_run_unref(result);
    return launches;
}

static char *play_launch(const struct weiri_cli_playing *playing,
                         const struct request *request, GError **error)
{
    if (request->text != NULL) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                    "the request has a text, which is for litmus tests: a kernel is "
                    "played here");
        return NULL;
    }
    g_autoptr(GPtrArray) records = run(playing, request, error);
    if (records == NULL) {
        return NULL;
    }
    if (records->len < playing->launch) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "--launch %" PRIu64 ": there are only %u", playing->launch,
                    records->len);
        return NULL;
    }
    const struct weiri_launch_record *record
        = g_ptr_array_index(records, playing->launch - 1);
    if (record->n_plays == 0) {
        const char *why
            = record->n_explorations > 0 ? record->explorations->refused : NULL;
        g_autofree char *text = record->error != NULL
            ? g_strdup(record->error)
            : g_strdup_printf("kernel '%s': %s", record->kernel,
                              why != NULL ? why : "the launch has no items");
        g_set_error_literal(error, WEIR_ERROR, WEIR_ERROR_INPUT, text);
        return NULL;
    }
    return to_json(record->plays);
}

/* ---- Both ------------------------------------------------------------------------ */

char *weiri_cli_play_answer(const struct weiri_cli_playing *playing, const char *text,
                            size_t bytes, GError **error)
{
    JsonNode *keeper;
    struct request request;
    char *answer = NULL;
    if (read_request(text, bytes, &keeper, &request, error)) {
        answer = playing->text != NULL ? play_test(playing, &request, error)
                                       : play_launch(playing, &request, error);
    }
    g_clear_pointer(&keeper, json_node_unref);
    return answer;
}

char *weiri_cli_play_error(GError *error)
{
    static const struct weiri_field fields[]
        = { { .name = "error", .type = WEIRI_FIELD_TEXT }, { .name = NULL } };
    const char *message = error->message;
    char *text = g_string_free(weiri_fields_to_line(fields, &message), FALSE);
    g_error_free(error);
    return text;
}
