/* SPDX-License-Identifier: MIT
 *
 * vulkan.h: the steps of a kernel as operations of Vulkan. */
#ifndef WEIRI_NATIVE_VULKAN_H
#define WEIRI_NATIVE_VULKAN_H

#include "native/program.h"

/** Adds to a step, that of the request, what Vulkan has of its operation: storage
 *  classes, availability and visibility, and whether a barrier has an order. */
void weiri_native_vulkan(const struct weiri_native *native,
                         const struct weiri_request *request, struct weiri_step *step);

/** Returns: (transfer full) (nullable): why Vulkan does not have the operation of the
 *  step, that of the request; %NULL: it has it */
char *weiri_native_not_vulkan(const struct weiri_request *request,
                              const struct weiri_step *step);

#endif
