/* SPDX-License-Identifier: MIT
 *
 * retired.h: local memory of checked launches that are over. Its addresses are kept
 * for a
 * while, without anything behind them, so that a pointer that outlives its launch is
 * known for what it is.
 *
 * Threads: any; the lists of a device are guarded by its lock. */
#ifndef WEIRI_RETIRED_H
#define WEIRI_RETIRED_H

#include <glib.h>
#include <stdbool.h>

struct weir_device;
struct weiri_object;

/**
 * weiri_retired_keep:
 * @base: of the local memory of a launch, a mapping of @bytes that becomes the device's
 * @arrays: (transfer full) (element-type struct weiri_object): the local arrays that
 *          were in it last, in order of addresses
 */
void weiri_retired_keep(struct weir_device *device, char *base, size_t bytes,
                        GArray *arrays);

/** Calls @add for each of these arrays, as an object of kind %WEIRI_OBJECT_PAST that is
 *  named. Called with the device's lock held. */
void weiri_retired_each(const struct weir_device *device,
                        void (*add)(const struct weiri_object *array, void *data),
                        void *data);

/** Which of them @address is of, as the object of a sentence, in @room bytes; false
 *  where it is of none. For a handler of signals: it does not wait for the device. */
bool weiri_retired_tell(const struct weir_device *device, const void *address,
                        char *text, size_t room);

/** The device is no more. */
void weiri_retired_free_all(struct weir_device *device);

#endif
