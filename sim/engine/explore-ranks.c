/* SPDX-License-Identifier: MIT
 *
 * explore-ranks.c: see explore-ranks.h.
 *
 * A round of an exchange is complete when rank 0 has the messages of all ranks; it then
 * sends them to all. A rank whose run is over takes part in no further round, so the
 * round fails: no rank waits for one that has ended. Rank 0 ends a run when all have.
 *
 *     rank 0                    another rank
 *     RUN request  ---------->
 *                  <----------  ROUND message
 *     ROUND all    ---------->
 *                  <----------  OVER
 *     END          ---------->
 *
 * Rounds repeat; one that fails is answered by NONE.
 *
 * A program exchanges through a socket (base/exchange.h), with a connection for each
 * launch. They are numbered: a round of launches with different numbers fails. */
#include "config.h"

#include "engine/explore-ranks.h"

#include "base/channel.h"
#include "base/exchange.h"
#include "cli/child.h"
#include "cli/ranks.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* The kind of a message; the number of the connection is above that byte. */
enum { RUN, ROUND, NONE, OVER, END, NUMBER = 8 };

/* A program that stops in the middle of a message is not waited for any longer. */
static const struct timeval PATIENCE = { .tv_sec = 10 };

static struct {
    unsigned rank, n;
    bool ended;        /* the runs are over */
    bool asked;        /* this rank has given its message of a round */
    GBytes *answer;    /* to it; or NULL */
    int listens;       /* the socket for a program, or -1 */
    int connected;     /* to a launch of it, or -1 */
    uint64_t launches; /* that have been connected in this run */

    /* The state of rank 0. */
    GBytes **messages; /* of this round, by rank; or NULL */
    uint64_t *numbers; /* of their connections */
    bool *over;        /* by rank: has ended this run */
} ranks = { .n = 1, .listens = -1, .connected = -1 };

/* ---- Rounds ---------------------------------------------------------------------- */

/* The answer to this rank: all messages, or NULL. */
static void answer(GBytes *all)
{
    ranks.asked = false;
    if (ranks.listens < 0) {
        ranks.answer = all != NULL ? g_bytes_ref(all) : NULL;
        return;
    }
    gsize bytes = 0;
    const void *data = all != NULL ? g_bytes_get_data(all, &bytes) : NULL;
    if (ranks.connected >= 0 && !weiri_channel_send(ranks.connected, data, bytes)) {
        close(ranks.connected);
        ranks.connected = -1;
    }
}

static void answer_rank(unsigned rank, GBytes *all)
{
    if (rank == 0) {
        answer(all);
    } else if (all != NULL) {
        weiri_cli_ranks_send(rank, ROUND, g_bytes_get_data(all, NULL),
                             g_bytes_get_size(all));
    } else {
        weiri_cli_ranks_send(rank, NONE, NULL, 0);
    }
}

/* Rank 0: if every rank has given its message, sends all messages to all ranks. If some
 * rank cannot give one any more, ends the round for those that have given theirs. */
static void complete(void)
{
    bool fails = false;
    unsigned n_given = 0;
    for (unsigned i = 0; i < ranks.n; i++) {
        fails = fails || ranks.over[i]
            || (ranks.messages[i] != NULL && ranks.messages[0] != NULL
                && ranks.numbers[i] != ranks.numbers[0]);
        n_given += ranks.messages[i] != NULL;
    }
    if (!fails && n_given < ranks.n) {
        return;
    }
    GBytes *all = NULL;
    if (!fails) {
        g_autoptr(GPtrArray) messages = g_ptr_array_new();
        for (unsigned i = 0; i < ranks.n; i++) {
            g_ptr_array_add(messages, ranks.messages[i]);
        }
        all = weiri_exchange_pack(messages);
    }
    for (unsigned i = 0; i < ranks.n; i++) {
        if (ranks.messages[i] != NULL) {
            g_clear_pointer(&ranks.messages[i], g_bytes_unref);
            answer_rank(i, all);
        }
    }
    g_clear_pointer(&all, g_bytes_unref);
}

/* Takes the messages that have come from other ranks. */
static void step(void)
{
    int from = ranks.rank == 0 ? -1 : 0;
    uint64_t kind;
    GBytes *message;
    while ((message = weiri_cli_ranks_poll(&from, &kind)) != NULL) {
        if (ranks.rank > 0) {
            answer(kind == ROUND ? message : NULL);
        } else if (kind == OVER) {
            ranks.over[from] = true;
            g_clear_pointer(&ranks.messages[from], g_bytes_unref);
        } else {
            ranks.numbers[from] = kind >> NUMBER;
            ranks.messages[from] = g_bytes_ref(message);
        }
        g_bytes_unref(message);
        from = ranks.rank == 0 ? -1 : 0;
    }
    if (ranks.rank == 0) {
        complete();
    }
}

/* Gives this rank's message of a round. */
static void give(GBytes *mine)
{
    ranks.asked = true;
    if (ranks.rank == 0) {
        ranks.numbers[0] = ranks.launches;
        ranks.messages[0] = g_bytes_ref(mine);
    } else {
        weiri_cli_ranks_send(0, ROUND | ranks.launches << NUMBER,
                             g_bytes_get_data(mine, NULL), g_bytes_get_size(mine));
    }
}

/* A round of a launch of this process. */
static GBytes *make_round(GBytes *mine)
{
    give(mine);
    for (step(); ranks.asked && !weiri_cli_is_over(); step()) {
        weiri_cli_ranks_pause();
    }
    return g_steal_pointer(&ranks.answer);
}

/* ---- A program ------------------------------------------------------------------- */

static void stop_listening(void)
{
    if (ranks.connected >= 0) {
        close(ranks.connected);
    }
    if (ranks.listens >= 0) {
        close(ranks.listens);
    }
    ranks.connected = ranks.listens = -1;
}

char *weiri_cli_explore_ranks_listen(const char *folder)
{
    g_autofree char *path = g_build_filename(folder, "ranks", NULL);
    unlink(path);
    ranks.listens = weiri_exchange_socket(path, true);
    if (ranks.listens < 0) {
        return NULL;
    }
    fcntl(ranks.listens, F_SETFL, O_NONBLOCK);
    return g_strdup_printf("%u/%u/%s", ranks.rank, ranks.n, path);
}

static void take_connection(void)
{
    ranks.connected = accept4(ranks.listens, NULL, NULL, SOCK_CLOEXEC);
    if (ranks.connected >= 0) {
        ranks.launches++;
        setsockopt(ranks.connected, SOL_SOCKET, SO_RCVTIMEO, &PATIENCE,
                   sizeof(PATIENCE));
        setsockopt(ranks.connected, SOL_SOCKET, SO_SNDTIMEO, &PATIENCE,
                   sizeof(PATIENCE));
    }
}

void weiri_cli_explore_ranks_relay(void)
{
    if (ranks.connected < 0 && !ranks.asked) {
        take_connection();
    }
    struct pollfd file = { .fd = ranks.connected, .events = POLLIN };
    if (ranks.connected >= 0 && !ranks.asked && poll(&file, 1, 0) > 0) {
        GBytes *mine = weiri_channel_read(ranks.connected);
        if (mine != NULL) {
            give(mine);
            g_bytes_unref(mine);
        } else {
            close(ranks.connected);
            ranks.connected = -1;
        }
    }
    step();
}

/* ---- Runs ------------------------------------------------------------------------ */

static void begin(void)
{
    ranks.launches = 0;
    ranks.asked = false;
    weiri_exchange_set(ranks.rank, ranks.n, make_round);
}

bool weiri_cli_explore_ranks_begin(const char *request)
{
    if (ranks.n == 1) {
        return false;
    }
    for (unsigned i = 0; i < ranks.n; i++) {
        ranks.over[i] = false;
        if (i > 0) {
            weiri_cli_ranks_send(i, RUN, request, strlen(request));
        }
    }
    begin();
    return true;
}

char *weiri_cli_explore_ranks_await(void)
{
    while (ranks.rank > 0 && !ranks.ended && !weiri_cli_is_over()) {
        int from = 0;
        uint64_t kind;
        GBytes *message = weiri_cli_ranks_poll(&from, &kind);
        if (message == NULL) {
            weiri_cli_ranks_pause();
            continue;
        }
        char *request = kind == RUN ? g_strdup(g_bytes_get_data(message, NULL)) : NULL;
        g_bytes_unref(message);
        if (request != NULL) {
            begin();
            return request;
        }
        /* Any other message is of a round of a run that has ended, and is dropped. */
        ranks.ended = kind == END;
    }
    return NULL;
}

void weiri_cli_explore_ranks_end(void)
{
    weiri_exchange_set(0, 1, NULL);
    stop_listening();
    if (ranks.rank > 0) {
        weiri_cli_ranks_send(0, OVER, NULL, 0);
        return;
    }
    ranks.over[0] = true;
    g_clear_pointer(&ranks.messages[0], g_bytes_unref);
    for (unsigned i = 1; i < ranks.n; i++) {
        for (step(); !ranks.over[i] && !weiri_cli_is_over(); step()) {
            weiri_cli_ranks_pause();
        }
    }
}

/* ---- The command ----------------------------------------------------------------- */

void weiri_cli_explore_ranks_join(void)
{
    if (!weiri_cli_ranks_are_there()) {
        return;
    }
    ranks.n = weiri_cli_ranks_join(&ranks.rank);
    ranks.messages = g_new0(GBytes *, ranks.n);
    ranks.numbers = g_new0(uint64_t, ranks.n);
    ranks.over = g_new0(bool, ranks.n);
    int nowhere = ranks.rank > 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
}

bool weiri_cli_explore_ranks_is_first(void)
{
    return ranks.rank == 0;
}

int weiri_cli_explore_ranks_leave(int status)
{
    if (ranks.n == 1) {
        return status;
    }
    char *request;
    /* A rank that cannot make the run reports this. */
    while ((request = weiri_cli_explore_ranks_await()) != NULL) {
        g_free(request);
        weiri_cli_explore_ranks_end();
    }
    for (unsigned i = 1; ranks.rank == 0 && i < ranks.n; i++) {
        weiri_cli_ranks_send(i, END, NULL, 0);
    }
    g_free(ranks.messages);
    g_free(ranks.numbers);
    g_free(ranks.over);
    weiri_cli_ranks_leave();
    return ranks.rank == 0 ? status : WEIRI_CLI_CLEAN;
}
