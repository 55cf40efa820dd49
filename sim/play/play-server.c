/* SPDX-License-Identifier: MIT
 *
 * play-server.c: a small server on 127.0.0.1, by libmicrohttpd. It keeps nothing
 * between requests, and opens no file: the page is compiled in.
 *
 * A page of another site could have its name resolve to 127.0.0.1, and so read this
 * server's answers. The name would be in the Host of its requests; these are refused.
 *
 * A connection that sends nothing, or half a request, must not keep others out. When
 * there are too many, one is closed: the oldest that has sent no request, or else the
 * one that has sent none for longest; a browser opens another. libmicrohttpd notices it
 * in its next turn, so its own limit is higher. */
#include "config.h"

#include "play/play.h"

#ifdef HAVE_MICROHTTPD

#include "cli/child.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* A request is a litmus test and some numbers. */
enum { MOST_BODY = 1 << 20 };
/* A browser opens six. */
enum { MOST_CONNECTIONS = 32, MOST_ACCEPTED = 128, IDLE_SECONDS = 60, WAIT_MS = 200 };

struct server {
    const struct weiri_cli_playing *playing;
    uint16_t port;
    GQueue open; /* struct connection, in order of their latest answer */
};

struct connection {
    int socket;
    bool answered; /* it has had a request */
};

/* A request that is being received. */
struct request {
    GString *body;
    bool too_large;
};

/* ---- Responses ------------------------------------------------------------------- */

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status,
                               const char *type, const char *text)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Content-Security-Policy",
                            "default-src 'self'; img-src 'self' data:; "
                            "frame-ancestors 'none'");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status,
                              const char *why)
{
    GError *error = g_error_new_literal(WEIR_ERROR, WEIR_ERROR_INPUT, why);
    g_autofree char *text = weiri_cli_play_error(error);
    return respond(connection, status, "application/json", text);
}

/* Whether the request is to this machine by its own name. */
static bool is_for_us(const struct server *server, struct MHD_Connection *connection)
{
    static const char *const names[] = { "127.0.0.1", "localhost" };
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    for (size_t i = 0; host != NULL && i < G_N_ELEMENTS(names); i++) {
        g_autofree char *wanted = g_strdup_printf("%s:%u", names[i], server->port);
        if (g_ascii_strcasecmp(host, wanted) == 0) {
            return true;
        }
    }
    return false;
}

static enum MHD_Result send_file(struct MHD_Connection *connection, const char *path)
{
    const struct {
        const char *path, *type, *text;
    } files[] = {
        { "/", "text/html; charset=utf-8", weiri_play_html },
        { "/play.css", "text/css; charset=utf-8", weiri_play_css },
        { "/play.js", "text/javascript; charset=utf-8", weiri_play_script },
        { "/graph.js", "text/javascript; charset=utf-8", weiri_play_graph },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        if (strcmp(files[i].path, path) == 0) {
            return respond(connection, MHD_HTTP_OK, files[i].type, files[i].text);
        }
    }
    return refuse(connection, MHD_HTTP_NOT_FOUND, "no such page");
}

static enum MHD_Result send_answer(const struct server *server,
                                   struct MHD_Connection *connection,
                                   const struct request *request)
{
    if (request->too_large) {
        return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE,
                      "the request has more than 1 MiB");
    }
    GError *error = NULL;
    g_autofree char *answer = weiri_cli_play_answer(server->playing, request->body->str,
                                                    request->body->len, &error);
    if (answer != NULL) {
        return respond(connection, MHD_HTTP_OK, "application/json", answer);
    }
    g_autofree char *text = weiri_cli_play_error(error);
    return respond(connection, MHD_HTTP_BAD_REQUEST, "application/json", text);
}

/* ---- Connections ----------------------------------------------------------------- */

static void note_answer(struct server *server, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info
        = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct connection *one = info != NULL ? info->socket_context : NULL;
    if (one != NULL && g_queue_remove(&server->open, one)) {
        one->answered = true;
        g_queue_push_tail(&server->open, one);
    }
}

/* The oldest connection without an answer, or else the one without for longest. */
static void close_one(struct server *server)
{
    GList *at = server->open.head;
    while (at != NULL && ((const struct connection *)at->data)->answered) {
        at = at->next;
    }
    at = at == NULL || at->next == NULL ? server->open.head : at;
    shutdown(((const struct connection *)at->data)->socket, SHUT_RDWR);
    g_queue_delete_link(&server->open, at);
}

static void note_connection(void *self, struct MHD_Connection *connection, void **state,
                            enum MHD_ConnectionNotificationCode what)
{
    struct server *server = self;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        g_queue_remove(&server->open, *state);
        g_free(*state);
        *state = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info
        = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct connection *one = g_new0(struct connection, 1);
    one->socket = info->connect_fd;
    *state = one;
    g_queue_push_tail(&server->open, one);
    if (server->open.length > MOST_CONNECTIONS) {
        close_one(server);
    }
}

/* ---- Requests -------------------------------------------------------------------- */

/* Is called first with the headers, then with each part of the body, then without. */
static enum MHD_Result handle(void *self, struct MHD_Connection *connection,
                              const char *path, const char *method, const char *version,
                              const char *data, size_t *bytes, void **state)
{
    struct server *server = self;
    struct request *request = *state;
    (void)version;
    if (request == NULL) {
        request = g_new0(struct request, 1);
        request->body = g_string_new(NULL);
        *state = request;
        return MHD_YES;
    }
    if (*bytes > 0) {
        request->too_large |= request->body->len + *bytes > MOST_BODY;
        if (!request->too_large) {
            g_string_append_len(request->body, data, (gssize)*bytes);
        }
        *bytes = 0;
        return MHD_YES;
    }
    note_answer(server, connection);
    if (!is_for_us(server, connection)) {
        return refuse(connection, MHD_HTTP_FORBIDDEN,
                      "the request is to another host than this one");
    }
    if (strcmp(path, "/play") == 0) {
        return strcmp(method, "POST") == 0
            ? send_answer(server, connection, request)
            : refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only POST is allowed");
    }
    return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0
        ? send_file(connection, path)
        : refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET is allowed");
}

static void forget(void *self, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode why)
{
    struct request *request = *state;
    (void)self, (void)connection, (void)why;
    if (request != NULL) {
        g_string_free(request->body, TRUE);
        g_free(request);
        *state = NULL;
    }
}

/* ---- The server ------------------------------------------------------------------ */

static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* Signals that end the server stay pending, for weiri_cli_is_over(). */
static void hold_signals(void)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        sigaddset(&held, ends[i]);
    }
    sigprocmask(SIG_BLOCK, &held, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void drop_signals(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        signal(ends[i], SIG_IGN); /* those that are pending, too */
    }
}

static struct MHD_Daemon *start(struct server *server)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons(server->port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_NO_FLAG, server->port, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, forget, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, server,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_ACCEPTED,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
    const union MHD_DaemonInfo *bound = daemon != NULL
        ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)
        : NULL;
    server->port = bound != NULL ? bound->port : server->port;
    return daemon;
}

int weiri_cli_play_serve(const struct weiri_cli_playing *playing, uint16_t port)
{
    struct server server = { .playing = playing, .port = port };
    hold_signals();
    errno = 0;
    struct MHD_Daemon *daemon = start(&server);
    if (daemon == NULL) {
        return weiri_cli_complain("--port %u: %s: give another port, or 0 for any that "
                                  "is free",
                                  port, g_strerror(errno != 0 ? errno : EADDRINUSE));
    }
    printf("http://127.0.0.1:%u/\n", server.port);
    int status = fflush(stdout) == 0
        ? WEIRI_CLI_CLEAN
        : weiri_cli_complain("standard output: %s", g_strerror(errno));
    while (status == WEIRI_CLI_CLEAN && !weiri_cli_is_over()) {
        MHD_run_wait(daemon, WAIT_MS);
    }
    MHD_stop_daemon(daemon);
    g_queue_clear(&server.open);
    drop_signals();
    return status;
}

#else

int weiri_cli_play_serve(const struct weiri_cli_playing *playing, uint16_t port)
{
    (void)playing, (void)port;
    return weiri_cli_complain(
        "this weir was built without libmicrohttpd, which serves "
        "the page: install libmicrohttpd-dev and configure again; "
        "--request works without it");
}

#endif
