/* SPDX-License-Identifier: MIT
 *
 * channel.h: messages between two processes by a pair of stream sockets: the length, 8
 * bytes, and as many bytes. */
#ifndef WEIRI_CHANNEL_H
#define WEIRI_CHANNEL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** Returns: whether all was sent; no signal is raised where the other end is closed */
bool weiri_channel_send(int socket, const void *data, uint64_t bytes);

/** Returns: (transfer full): the message; a zero, which is not counted, follows its
 *  bytes. %NULL if the other end is closed */
GBytes *weiri_channel_read(int socket);

#endif
