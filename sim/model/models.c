/* SPDX-License-Identifier: MIT
 *
 * models.c: the list of all models; see model.h. It is a file of its own because it
 * depends on all models, some of which depend on model.c. */
#include "config.h"

#include "model/model.h"

#include <string.h>

const struct weiri_model *const weiri_models[] = { &weiri_model_sycl,
                                                   &weiri_model_sycl_split,
                                                   &weiri_model_rc11,
                                                   &weiri_model_sc,
                                                   &weiri_model_opencl,
                                                   &weiri_model_gpu,
                                                   &weiri_model_ptx,
                                                   &weiri_model_ptx_6_0,
                                                   &weiri_model_ptx_7_5,
                                                   &weiri_model_vulkan,
                                                   &weiri_model_vulkan_nochains,
                                                   &weiri_model_vulkan_prose,
                                                   NULL };

const struct weiri_model *weiri_model_find(const char *name)
{
    for (size_t i = 0; weiri_models[i] != NULL; i++) {
        if (strcmp(weiri_models[i]->name, name) == 0) {
            return weiri_models[i];
        }
    }
    return NULL;
}
