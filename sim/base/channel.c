/* SPDX-License-Identifier: MIT
 *
 * channel.c: see channel.h. A message is its length, in 8 bytes of this machine's
 * order, and then its bytes. Both are sent and read in a loop, as a socket may take or
 * give only a part. A socket that the other end has closed is an error, not a
 * signal. */
#include "config.h"

#include "base/channel.h"

#include <errno.h>
#include <sys/socket.h>

static bool send_bytes(int socket, const void *bytes, size_t n)
{
    for (const char *at = bytes; n > 0;) {
        ssize_t sent = send(socket, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

static bool read_bytes(int socket, void *bytes, size_t n)
{
    for (char *at = bytes; n > 0;) {
        ssize_t got = recv(socket, at, n, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        at += got;
        n -= (size_t)got;
    }
    return true;
}

bool weiri_channel_send(int socket, const void *data, uint64_t bytes)
{
    return send_bytes(socket, &bytes, sizeof(bytes)) && send_bytes(socket, data, bytes);
}

GBytes *weiri_channel_read(int socket)
{
    uint64_t bytes;
    if (!read_bytes(socket, &bytes, sizeof(bytes))) {
        return NULL;
    }
    char *data = g_malloc(bytes + 1);
    data[bytes] = '\0';
    if (!read_bytes(socket, data, bytes)) {
        g_free(data);
        return NULL;
    }
    return g_bytes_new_take(data, bytes);
}
