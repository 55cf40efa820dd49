/* SPDX-License-Identifier: MIT
 *
 * exchange.c: see exchange.h. Over a socket a round is one message in each direction;
 * an empty answer ends the rounds. Each sequence of rounds has a connection of its own,
 * so the other end serves the sequences of several processes one after the other, and
 * sees where one ends.
 *
 * Threads: any thread reads the settings, and sets them again with the same values. */
#include "config.h"

#include "base/exchange.h"

#include "base/channel.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct {
    GMutex lock; /* guards the others */
    unsigned rank, n_ranks;
    weiri_exchange_round round; /* or NULL */
    char *path;                 /* or NULL; owned */
} set;

void weiri_exchange_set(unsigned rank, unsigned n_ranks, weiri_exchange_round round)
{
    g_mutex_lock(&set.lock);
    set.rank = rank;
    set.n_ranks = n_ranks;
    set.round = round;
    g_mutex_unlock(&set.lock);
}

void weiri_exchange_set_socket(const char *where)
{
    int path = 0;
    g_mutex_lock(&set.lock);
    if (sscanf(where, "%u/%u/%n", &set.rank, &set.n_ranks, &path) == 2 && path > 0) {
        g_free(set.path);
        set.path = g_strdup(where + path);
    }
    g_mutex_unlock(&set.lock);
}

/* ---- The socket ------------------------------------------------------------------ */

/* A path may be longer than an address: the file is named within its open folder. */
int weiri_exchange_socket(const char *path, bool serves)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *name = g_path_get_basename(path);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int at = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int length = snprintf(address.sun_path, sizeof(address.sun_path),
                          "/proc/self/fd/%d/%s", at, name);
    int fd = at >= 0 && length < (int)sizeof(address.sun_path)
        ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)
        : -1;
    const struct sockaddr *to = (const struct sockaddr *)&address;
    bool done = fd >= 0
        && (serves ? bind(fd, to, sizeof(address)) == 0 && listen(fd, SOMAXCONN) == 0
                   : connect(fd, to, sizeof(address)) == 0);
    if (fd >= 0 && !done) {
        close(fd);
    }
    if (at >= 0) {
        close(at);
    }
    return done ? fd : -1;
}

/* ---- Rounds ---------------------------------------------------------------------- */

bool weiri_exchange_begin(struct weiri_exchange *exchange)
{
    g_mutex_lock(&set.lock);
    *exchange = (struct weiri_exchange){ set.rank, set.n_ranks, set.round, -1 };
    g_autofree char *path = g_strdup(set.path);
    g_mutex_unlock(&set.lock);
    if (path != NULL && exchange->round == NULL) {
        exchange->socket = weiri_exchange_socket(path, false);
    }
    return exchange->round != NULL || path != NULL;
}

void weiri_exchange_end(struct weiri_exchange *exchange)
{
    if (exchange->socket >= 0) {
        close(exchange->socket);
    }
    exchange->socket = -1;
}

GPtrArray *weiri_exchange_all(const struct weiri_exchange *exchange, GBytes *mine)
{
    GBytes *all = NULL;
    if (exchange->round != NULL) {
        all = exchange->round(mine);
    } else if (exchange->socket >= 0
               && weiri_channel_send(exchange->socket, g_bytes_get_data(mine, NULL),
                                     g_bytes_get_size(mine))) {
        all = weiri_channel_read(exchange->socket);
    }
    GPtrArray *messages = all != NULL ? weiri_exchange_unpack(all) : NULL;
    g_clear_pointer(&all, g_bytes_unref);
    if (messages != NULL && messages->len != exchange->n_ranks) {
        g_clear_pointer(&messages, g_ptr_array_unref);
    }
    return messages;
}

/* ---- Messages -------------------------------------------------------------------- */

GBytes *weiri_exchange_pack(const GPtrArray *messages)
{
    gsize all = 0;
    for (guint i = 0; i < messages->len; i++) {
        all += sizeof(uint64_t)
            + g_bytes_get_size(g_ptr_array_index((GPtrArray *)messages, i));
    }
    char *packed = g_malloc(all), *at = packed;
    for (guint i = 0; i < messages->len; i++) {
        gsize bytes;
        const void *data
            = g_bytes_get_data(g_ptr_array_index((GPtrArray *)messages, i), &bytes);
        const uint64_t length = bytes;
        memcpy(at, &length, sizeof(length));
        at += sizeof(length);
        if (bytes > 0) {
            memcpy(at, data, bytes);
        }
        at += bytes;
    }
    return g_bytes_new_take(packed, all);
}

GPtrArray *weiri_exchange_unpack(GBytes *packed)
{
    GPtrArray *messages = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    gsize left = g_bytes_get_size(packed), at = 0;
    while (left > 0) {
        uint64_t length = UINT64_MAX;
        if (left >= sizeof(length)) {
            memcpy(&length, (const char *)g_bytes_get_data(packed, NULL) + at,
                   sizeof(length));
            left -= sizeof(length);
            at += sizeof(length);
        }
        if (length > left) {
            g_ptr_array_unref(messages);
            return NULL;
        }
        g_ptr_array_add(messages, g_bytes_new_from_bytes(packed, at, length));
        left -= length;
        at += length;
    }
    return messages;
}
