/* SPDX-License-Identifier: MIT
 *
 * play.h: the parts of `weir play`: an answer to a request, and the server of the page
 * that makes them.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_PLAY_H
#define WEIRI_CLI_PLAY_H

#include "engine/explore-run.h"

/**
 * weiri_cli_playing: what is played
 * @file: of a litmus test, for errors; or %NULL
 * @text: of the test
 * @model: of requests that name none
 * @seconds: for one answer
 * @launch: of a program or a kernel: the number of the launch that is played, from 1
 * @exploring: a kernel or a program; without its memory model
 */
struct weiri_cli_playing {
    const char *file, *text;
    const char *model;
    double seconds;
    uint64_t launch;
    struct weiri_cli_exploring exploring;
};

/**
 * weiri_cli_play_answer: in play-answer.c
 * @request: JSON, of @bytes arbitrary bytes: see docs/play.md
 *
 * Returns: (transfer full): JSON, a line; or %NULL
 * Errors:  one line for the page's reader
 */
char *weiri_cli_play_answer(const struct weiri_cli_playing *playing,
                            const char *request, size_t bytes, GError **error);

/** {"error":"..."}. Takes @error. Returns: (transfer full) */
char *weiri_cli_play_error(GError *error);

/**
 * weiri_cli_play_serve: in play-server.c
 * @port: on 127.0.0.1; 0: any
 *
 * Prints the address of the page, and answers until a signal ends it.
 *
 * Returns: the exit status
 */
int weiri_cli_play_serve(const struct weiri_cli_playing *playing, uint16_t port);

/* The files of the page, from the folder play. */
extern const char weiri_play_html[], weiri_play_css[], weiri_play_script[],
    weiri_play_graph[];

#endif
