/* SPDX-License-Identifier: MIT
 *
 * fuzz.h: what the fuzzers share: libFuzzer calls LLVMFuzzerTestOneInput() with any
 * bytes, and the parser under test must make a value or an error of them. */
#ifndef FUZZ_H
#define FUZZ_H

#include "weir.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* A file that holds just these bytes, by a path that can be opened. */
struct fuzz_file {
    int fd;
    char path[64];
};

static inline struct fuzz_file fuzz_file_new(const uint8_t *data, size_t bytes)
{
    struct fuzz_file file = { .fd = memfd_create("fuzz", 0) };
    if (file.fd < 0 || write(file.fd, data, bytes) != (ssize_t)bytes) {
        abort();
    }
    g_snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
    return file;
}

/* An error has one line that says something; success has none. */
static inline void fuzz_expect(bool done, GError *error)
{
    if (done != (error == NULL) || (error != NULL && (error->message[0] == '\0'))) {
        abort();
    }
    g_clear_error(&error);
}

#endif
