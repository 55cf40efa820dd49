/* SPDX-License-Identifier: MIT
 *
 * ranks.c: see ranks.h; the one file that uses MPI. A message is a head of two numbers
 * and its bytes, in pieces that MPI can count. */
#include "config.h"

#include "cli/ranks.h"

#include "cli/child.h"

#ifdef HAVE_MPI
#include <mpi.h>
#include <stdlib.h>

enum { PAUSE_US = 200 };
enum { HEAD, BODY };           /* tags */
enum { MOST_BYTES = 1 << 30 }; /* of a piece */

struct head {
    uint64_t kind, bytes;
};

bool weiri_cli_ranks_are_there(void)
{
    /* Open MPI's mpirun, or one of PMI's. */
    const char *size = g_getenv("OMPI_COMM_WORLD_SIZE");
    size = size != NULL ? size : g_getenv("PMI_SIZE");
    return size != NULL && atoi(size) > 1;
}

unsigned weiri_cli_ranks_join(unsigned *rank)
{
    int own, n;
    MPI_Init(NULL, NULL);
    weiri_cli_share_signals();
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    *rank = (unsigned)own;
    return (unsigned)n;
}

void weiri_cli_ranks_leave(void)
{
    MPI_Finalize();
}

void weiri_cli_ranks_abort(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

void weiri_cli_ranks_pause(void)
{
    g_usleep(PAUSE_US);
}

static bool await(MPI_Request *request)
{
    int done = 0;
    while (!done && !weiri_cli_is_over()) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            weiri_cli_ranks_pause();
        }
    }
    return done != 0;
}

bool weiri_cli_ranks_send(unsigned to, uint64_t kind, const void *data, uint64_t bytes)
{
    const struct head head = { kind, bytes };
    MPI_Request request;
    MPI_Isend(&head, (int)sizeof(head), MPI_BYTE, (int)to, HEAD, MPI_COMM_WORLD,
              &request);
    bool sent = await(&request);
    for (uint64_t at = 0; sent && at < bytes; at += MOST_BYTES) {
        MPI_Isend((const char *)data + at, (int)MIN(bytes - at, MOST_BYTES), MPI_BYTE,
                  (int)to, BODY, MPI_COMM_WORLD, &request);
        sent = await(&request);
    }
    return sent;
}

GBytes *weiri_cli_ranks_poll(int *from, uint64_t *kind)
{
    MPI_Status status;
    MPI_Request request;
    struct head head;
    int there = 0;
    MPI_Iprobe(*from >= 0 ? *from : MPI_ANY_SOURCE, HEAD, MPI_COMM_WORLD, &there,
               &status);
    if (!there) {
        return NULL;
    }
    *from = status.MPI_SOURCE;
    MPI_Recv(&head, (int)sizeof(head), MPI_BYTE, *from, HEAD, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    *kind = head.kind;
    char *data = g_malloc(head.bytes + 1);
    data[head.bytes] = '\0';
    bool got = true;
    for (uint64_t at = 0; got && at < head.bytes; at += MOST_BYTES) {
        MPI_Irecv(data + at, (int)MIN(head.bytes - at, MOST_BYTES), MPI_BYTE, *from,
                  BODY, MPI_COMM_WORLD, &request);
        got = await(&request);
    }
    if (!got) {
        g_free(data);
        return NULL;
    }
    return g_bytes_new_take(data, head.bytes);
}
#else
bool weiri_cli_ranks_are_there(void)
{
    return false;
}

unsigned weiri_cli_ranks_join(unsigned *rank)
{
    *rank = 0;
    return 1;
}

void weiri_cli_ranks_leave(void)
{
}

void weiri_cli_ranks_abort(int status)
{
    (void)status;
}

void weiri_cli_ranks_pause(void)
{
}

bool weiri_cli_ranks_send(unsigned to, uint64_t kind, const void *data, uint64_t bytes)
{
    (void)to;
    (void)kind;
    (void)data;
    (void)bytes;
    return false;
}

GBytes *weiri_cli_ranks_poll(int *from, uint64_t *kind)
{
    (void)from;
    (void)kind;
    return NULL;
}
#endif
