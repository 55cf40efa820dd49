/* SPDX-License-Identifier: MIT
 *
 * icd-map.h: memory that the host maps, for buffers and images. */
#ifndef WEIRI_ICD_MAP_H
#define WEIRI_ICD_MAP_H

#include "opencl/platform/icd-memory.h"

/** Checks the flags of a map. */
cl_int weiri_icd_check_map(struct weiri_icd_call *call, cl_mem memory,
                           cl_map_flags flags);

/** Enqueues the map. @mapping: @at is set. Returns: that, or %NULL */
void *weiri_icd_map(struct weiri_icd_request *request, cl_mem memory,
                    struct weiri_icd_mapping *mapping, cl_int *result);

/** Whether the host has mapped some of it to write there. */
bool weiri_icd_is_mapped(cl_mem memory);

#endif
