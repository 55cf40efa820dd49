/* SPDX-License-Identifier: MIT
 *
 * names.c: what weir-model.h calls models, observations and forward progress. */
#include "config.h"

#include "weir-model.h"

#include "answer/answer.h"
#include "model/model.h"

#include <string.h>

const char *weir_model_name(enum weir_model model)
{
    static const char *const names[] = {
#define X(name, text) [WEIR_MODEL_##name] = text,
        WEIR_MODELS(X)
#undef X
    };
    return (unsigned)model < G_N_ELEMENTS(names) ? names[model] : NULL;
}

bool weir_model_find(const char *name, enum weir_model *model, GError **error)
{
    g_return_val_if_fail(name != NULL && model != NULL, false);
    g_autoptr(GString) all = g_string_new(NULL);
    for (unsigned m = 0; m < WEIR_N_MODELS; m++) {
        if (strcmp(name, weir_model_name((enum weir_model)m)) == 0) {
            *model = (enum weir_model)m;
            return true;
        }
        g_string_append_printf(all, "%s%s", m > 0 ? ", " : "",
                               weir_model_name((enum weir_model)m));
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                "unknown memory model '%s': give one of %s", name, all->str);
    return false;
}

static enum weiri_model_form form_of(const struct weiri_litmus *test)
{
    switch (test->form) {
    case WEIRI_LITMUS_PTX:
        return WEIRI_FORM_PTX;
    case WEIRI_LITMUS_VULKAN:
        return WEIRI_FORM_VULKAN;
    default:
        return WEIRI_FORM_C;
    }
}

static enum weir_model default_of(const struct weiri_litmus *test)
{
    static const enum weir_model models[] = { [WEIRI_FORM_C] = WEIR_MODEL_SYCL,
                                              [WEIRI_FORM_PTX] = WEIR_MODEL_PTX,
                                              [WEIRI_FORM_VULKAN] = WEIR_MODEL_VULKAN };
    return models[form_of(test)];
}

bool weiri_answer_takes(const struct weiri_litmus *test, enum weir_model model,
                        GError **error)
{
    static const char *const texts[] = {
        [WEIRI_FORM_C] = "C", [WEIRI_FORM_PTX] = "PTX", [WEIRI_FORM_VULKAN] = "Vulkan"
    };
    if (weiri_model_find(weir_model_name(model))->form == form_of(test)) {
        return true;
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                "this model does not define the operations of %s: ask %s",
                texts[form_of(test)], weir_model_name(default_of(test)));
    return false;
}

bool weir_model_takes(enum weir_model model, const struct weir_litmus *test)
{
    g_return_val_if_fail(test != NULL && (unsigned)model < WEIR_N_MODELS, false);
    return weiri_answer_takes(test->test, model, NULL);
}

enum weir_model weir_model_default(const struct weir_litmus *test)
{
    g_return_val_if_fail(test != NULL, WEIR_MODEL_SYCL);
    return default_of(test->test);
}

const char *weir_forward_name(enum weir_forward forward)
{
    static const char *const names[] = {
#define X(name, text) [WEIR_FORWARD_##name] = text,
        WEIR_FORWARDS(X)
#undef X
    };
    return (unsigned)forward < G_N_ELEMENTS(names) ? names[forward] : NULL;
}

bool weir_forward_find(const char *name, enum weir_forward *forward, GError **error)
{
    g_return_val_if_fail(name != NULL && forward != NULL, false);
    g_autoptr(GString) all = g_string_new(NULL);
    for (unsigned f = 0; f < WEIR_N_FORWARDS; f++) {
        if (strcmp(name, weir_forward_name((enum weir_forward)f)) == 0) {
            *forward = (enum weir_forward)f;
            return true;
        }
        g_string_append_printf(all, "%s%s", f > 0 ? ", " : "",
                               weir_forward_name((enum weir_forward)f));
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                "unknown model of forward progress '%s': give one of %s", name,
                all->str);
    return false;
}

const char *weir_observation_name(enum weir_observation observation)
{
    static const char *const names[] = { "Never", "Sometimes", "Always" };
    return (unsigned)observation < G_N_ELEMENTS(names) ? names[observation] : "?";
}
