/* SPDX-License-Identifier: MIT
 *
 * registry.c: the rows of the built-in kernels in words and in JSON. */
#include "config.h"

#include "engine/measure.h"

#include "report/report.h"

const char *weiri_cli_family_name(enum kernel_family family)
{
    return family == KERNEL_HISTOGRAM ? "histogram" : "reduction";
}

const char *weiri_cli_element_name(enum kernel_element element)
{
    return element == KERNEL_FLOAT ? "float" : "int32";
}

void weiri_cli_json_figure(JsonBuilder *builder, const struct kernel_figure *figure)
{
    weiri_json_text(builder, "device", figure->device);
    weiri_json_int(builder, "n", figure->n);
    weiri_json_real(builder, "ms", figure->ms);
}

void weiri_cli_json_published(JsonBuilder *builder, const struct kernel_row *row)
{
    weiri_json_array(builder, "published");
    const struct kernel_figure *figure = row->figures;
    for (; figure != NULL && figure->device != NULL; figure++) {
        json_builder_begin_object(builder);
        weiri_cli_json_figure(builder, figure);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}
