/* SPDX-License-Identifier: MIT
 *
 * exchange.h: messages among processes that do the same work side by side, such as the
 * ranks of mpirun. In a round each process gives one message and gets the messages of
 * all. How they travel is set once for the process: by a function of it, or by a socket
 * of the command that started it. */
#ifndef WEIRI_EXCHANGE_H
#define WEIRI_EXCHANGE_H

#include <glib.h>
#include <stdbool.h>

/** Returns: (transfer full): the messages of all, packed, in the order of ranks; or
 *  %NULL if one has ended or does not take part */
typedef GBytes *(*weiri_exchange_round)(GBytes *mine);

/** Sequences that begin from here on use the function, until it is %NULL. */
void weiri_exchange_set(unsigned rank, unsigned n_ranks, weiri_exchange_round round);

/** Sequences that begin from here on use a socket. @where: "RANK/N/PATH" */
void weiri_exchange_set_socket(const char *where);

/**
 * weiri_exchange:
 *
 * A sequence of rounds, which belong to one launch.
 * @rank: of this process, from 0
 * @n_ranks: of all together
 * @round: or %NULL
 * @socket: or -1
 */
struct weiri_exchange {
    unsigned rank, n_ranks;
    weiri_exchange_round round;
    int socket;
};

/** Returns: false if nothing was set: then the process works alone. */
bool weiri_exchange_begin(struct weiri_exchange *exchange);
void weiri_exchange_end(struct weiri_exchange *exchange);

/** One round. Returns: (transfer full) (element-type GBytes): the messages of all, in
 *  the order of ranks; or %NULL if one has ended or does not take part */
GPtrArray *weiri_exchange_all(const struct weiri_exchange *exchange, GBytes *mine);

/** Several messages as one. @messages: (element-type GBytes).
 *  Returns: (transfer full) */
GBytes *weiri_exchange_pack(const GPtrArray *messages);

/** Returns: (transfer full) (element-type GBytes): or %NULL where it is malformed */
GPtrArray *weiri_exchange_unpack(GBytes *packed);

/** The socket at a path of any length: listens if @serves, is connected otherwise.
 *  Returns: the descriptor, or -1 */
int weiri_exchange_socket(const char *path, bool serves);

#endif
