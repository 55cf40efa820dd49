/* SPDX-License-Identifier: MIT
 *
 * bandwidth.c: how fast this machine reads memory: the yardstick that a kernel
 * which only reads its input once is held against.
 *
 * As many threads as the kernels get each read a part of one large buffer, slice
 * after slice, in vectors, and add it up; the best slice counts. Reading is all
 * they do, so no kernel that reads from memory can be faster; one whose input
 * fits into a cache can, and its share is then above 1. A slice is short, so that
 * some are read while nothing else is running, and comes again only after all the
 * others, which have pushed it out of the caches.
 *
 *   main      touch  |line| slice 0 of part 0    |line| slice 1 of part 0 ...
 *   thread 1  touch  |line| slice 0 of part 1    |line| slice 1 of part 1 ...
 *                          <---- one pass ---->
 *
 * Each thread touches its part first, so that the part lies in memory near to
 * it where memory is not all alike. */
#include "config.h"

#include "engine/measure.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* Larger than the last cache of all but a few machines. */
static const size_t BUFFER_BYTES = (size_t)512 << 20;

/* A slice takes some milliseconds, and all passes together some tenths of a second. */
enum { SLICES = 8, PASSES = 4 * SLICES };

/* The vector that every target has; wider ones make no read of memory faster. */
typedef uint64_t vector __attribute__((vector_size(16)));

struct race {
    pthread_mutex_t gate;   /* held by main until all threads exist, or one does not */
    bool called_off;        /* guarded by @gate */
    pthread_barrier_t line; /* where all readers start a pass */
};

struct reader {
    struct race *race;
    vector *part; /* written by its own thread before the first pass */
    size_t vectors;
    uint64_t sum;           /* makes the reading count for the compiler */
    double begin_s[PASSES]; /* of each pass */
    double end_s[PASSES];
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Four sums at once, so that no addition waits for the one before. */
static uint64_t read_slice(const vector *from, size_t vectors)
{
    vector sum0 = { 0 }, sum1 = { 0 }, sum2 = { 0 }, sum3 = { 0 };
    for (size_t i = 0; i + 4 <= vectors; i += 4) {
        sum0 += from[i];
        sum1 += from[i + 1];
        sum2 += from[i + 2];
        sum3 += from[i + 3];
    }
    sum0 += sum1 + sum2 + sum3;
    uint64_t result = 0;
    for (size_t i = 0; i < sizeof(sum0) / sizeof(sum0[0]); i++) {
        result += sum0[i];
    }
    return result;
}

static void read_passes(struct reader *reader)
{
    struct race *race = reader->race;
    memset(reader->part, 1, reader->vectors * sizeof(vector));
    size_t slice = reader->vectors / SLICES;
    for (size_t pass = 0; pass < PASSES; pass++) {
        pthread_barrier_wait(&race->line);
        reader->begin_s[pass] = now_s();
        reader->sum += read_slice(reader->part + pass % SLICES * slice, slice);
        reader->end_s[pass] = now_s();
    }
}

/* A pass lasts from the first reader's begin to the last one's end: with more
 * readers than processors some of them begin when others have ended. */
static double best_pass(const struct reader *readers, uint32_t workers)
{
    double best_s = G_MAXDOUBLE;
    for (size_t pass = 0; pass < PASSES; pass++) {
        double begin_s = G_MAXDOUBLE, end_s = 0;
        for (uint32_t i = 0; i < workers; i++) {
            begin_s = MIN(begin_s, readers[i].begin_s[pass]);
            end_s = MAX(end_s, readers[i].end_s[pass]);
        }
        best_s = MIN(best_s, end_s - begin_s);
    }
    return best_s;
}

static void *reader_main(void *data)
{
    struct reader *reader = data;
    pthread_mutex_lock(&reader->race->gate);
    bool called_off = reader->race->called_off;
    pthread_mutex_unlock(&reader->race->gate);
    if (!called_off) {
        read_passes(reader);
    }
    return NULL;
}

/* Returns: seconds, or 0 with @error set */
static double time_readers(vector *buffer, uint32_t workers, GError **error)
{
    struct race race = { .gate = PTHREAD_MUTEX_INITIALIZER };
    pthread_barrier_init(&race.line, NULL, workers);
    g_autofree struct reader *readers = g_new0(struct reader, workers);
    g_autofree pthread_t *threads = g_new(pthread_t, workers);
    size_t vectors = BUFFER_BYTES / sizeof(vector) / workers;
    for (uint32_t i = 0; i < workers; i++) {
        readers[i] = (struct reader){ .race = &race,
                                      .part = buffer + i * vectors,
                                      .vectors = vectors };
    }
    pthread_mutex_lock(&race.gate);
    uint32_t count = 1;
    int failed = 0;
    while (failed == 0 && count < workers) {
        failed = pthread_create(&threads[count], NULL, reader_main, &readers[count]);
        count += failed == 0;
    }
    race.called_off = failed != 0;
    pthread_mutex_unlock(&race.gate);
    if (failed == 0) {
        read_passes(&readers[0]);
    }
    for (uint32_t i = 1; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&race.line);
    pthread_mutex_destroy(&race.gate);
    if (failed != 0) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "cannot start thread %u of %u to measure the read bandwidth: "
                    "%s",
                    count + 1, workers, g_strerror(failed));
        return 0;
    }
    return best_pass(readers, workers);
}

double weiri_cli_read_bandwidth(uint32_t workers, GError **error)
{
    g_return_val_if_fail(workers > 0, 0);
    void *buffer = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "cannot map %zu bytes to measure the read bandwidth: "
                    "%s",
                    BUFFER_BYTES, g_strerror(errno));
        return 0;
    }
    madvise(buffer, BUFFER_BYTES, MADV_HUGEPAGE); /* a wish; a refusal does no harm */
    double seconds = time_readers(buffer, workers, error);
    munmap(buffer, BUFFER_BYTES);
    return seconds > 0 ? (double)BUFFER_BYTES / SLICES * 1e-9 / seconds : 0;
}
