/* SPDX-License-Identifier: MIT
 *
 * profile.c: any bytes as a device profile. A device that is made of them answers. */
#define _GNU_SOURCE
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct fuzz_file file = fuzz_file_new(data, bytes);
    GError *error = NULL;
    struct weir_device *device = weir_device_new(file.path, &error);
    fuzz_expect(device != NULL, error);
    if (device != NULL) {
        if (weir_device_get(device, WEIR_DEVICE_LOCAL_MEM_SIZE) > SIZE_MAX / 2) {
            abort();
        }
        weir_device_free(device);
    }
    close(file.fd);
    return 0;
}
