/* SPDX-License-Identifier: MIT
 *
 * icd-facts.h: the answers to programs' questions about the device. */
#ifndef WEIRI_ICD_FACTS_H
#define WEIRI_ICD_FACTS_H

#include "opencl/opencl.h"
#include "opencl/platform/icd.h"

/* The start of a sub-buffer is a multiple of this: the bytes of a long16. */
enum { WEIRI_ICD_BASE_ALIGN = 128 };

/* The largest image: elements in a row, rows, slices; layers of an array. */
enum { WEIRI_ICD_IMAGE_2D = 16384, WEIRI_ICD_IMAGE_3D = 2048 };

cl_int weiri_icd_fact(const struct weiri_icd_answer *answer, cl_device_id device,
                      cl_device_info name);

/** The same for the compiler; static. */
const struct weiri_cl_facts *weiri_icd_facts(cl_device_id device);

/** Bytes of the largest memory object, and of global memory. */
cl_ulong weiri_icd_max_alloc(void);

#endif
