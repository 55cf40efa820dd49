/* SPDX-License-Identifier: MIT
 *
 * host/device.c: the functions of the host API that make and free devices and their
 * memory. Only the host may call them: each checks that first, and ends an item that
 * calls it. */
#include "config.h"

#include "exec/device.h"
#include "exec/fault.h"
#include "exec/memory.h"
#include "host/check-client.h"
#include "host/commands.h"

#define HOST_ONLY(function)                                                            \
    weiri_fault_refuse("called " function "(), which is for the host",                 \
                       __builtin_return_address(0))

struct weir_device *weir_device_new(const char *profile, GError **error)
{
    g_return_val_if_fail(profile != NULL, NULL);
    g_autofree char *instead = weiri_check_client_profile(profile);
    struct weir_device *device
        = weiri_device_new(instead != NULL ? instead : profile, error);
    if (device != NULL && weiri_check_client_checks()) {
        weir_device_poison(device, true);
    }
    return device;
}

void weir_device_free(struct weir_device *device)
{
    HOST_ONLY("weir_device_free");
    if (device != NULL) {
        weiri_memory_free_all(device);
        weiri_device_free(device);
    }
}

void *weir_memory_new(struct weir_device *device, size_t n, size_t element_bytes,
                      const char *name, GError **error)
{
    HOST_ONLY("weir_try_new");
    g_return_val_if_fail(device != NULL && element_bytes > 0, NULL);
    void *start = weiri_memory_new(device, n, element_bytes, name, error);
    if (start != NULL) {
        weiri_host_commands_new(start, n * element_bytes);
    }
    return start;
}

void *weir_memory_new_or_abort(struct weir_device *device, size_t n,
                               size_t element_bytes, const char *name)
{
    HOST_ONLY("weir_new");
    g_return_val_if_fail(device != NULL && element_bytes > 0, NULL);
    g_autoptr(GError) error = NULL;
    void *start = weir_memory_new(device, n, element_bytes, name, &error);
    if (start == NULL) {
        g_error("weir_new: %s", error->message);
    }
    return start;
}

void weir_free(struct weir_device *device, void *memory)
{
    HOST_ONLY("weir_free");
    if (memory == NULL) {
        return;
    }
    g_return_if_fail(device != NULL);
    if (!weiri_memory_free(device, memory)) {
        g_error("weir_free: %p is not memory of device '%s'", memory,
                weir_device_name(device));
    }
}
