/* SPDX-License-Identifier: MIT
 *
 * schedule.c: any bytes as a schedule file. What is read is written and read again. */
#define _GNU_SOURCE
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct fuzz_file file = fuzz_file_new(data, bytes);
    GError *error = NULL;
    struct weir_schedule *schedule = weir_schedule_load(file.path, &error);
    fuzz_expect(schedule != NULL, error);
    if (schedule != NULL) {
        char path[] = "fuzz-schedule-XXXXXX";
        int fd = mkstemp(path);
        error = NULL;
        bool saved = weir_schedule_save(schedule, path, &error);
        fuzz_expect(saved, error);
        error = NULL;
        struct weir_schedule *copy = weir_schedule_load(path, &error);
        if (copy == NULL
            || weir_schedule_n_switches(copy) != weir_schedule_n_switches(schedule)
            || weir_schedule_n_launches(copy) != weir_schedule_n_launches(schedule)) {
            abort();
        }
        weir_schedule_free(copy);
        close(fd);
        unlink(path);
    }
    weir_schedule_free(schedule);
    close(file.fd);
    return 0;
}
