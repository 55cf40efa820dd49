/* SPDX-License-Identifier: MIT
 *
 * print.c: what kernels call of C: printf() and its like, and the ends of an item by an
 * assertion, abort() or a trap. weir-cuda-cc calls these functions in their place. The
 * text of a call is formatted at once and kept whole; it is written when the host
 * waits, as CUDA does. */
#include "config.h"

#include "weir-kernel.h"

#include "cuda/runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int weiri_cuda_printf(const char *format, ...);
int weiri_cuda_vprintf(const char *format, va_list values);
int weiri_cuda_puts(const char *text);
int weiri_cuda_putchar(int c);
void weiri_cuda___assert_fail(const char *text, const char *file, unsigned line,
                              const char *function);
void weiri_cuda_abort(void);
void weiri_cuda_trap(void);

/* Text is kept until the host waits, or until there is more of it than this. */
enum { MOST_BYTES = 1024 * 1024 };

static GMutex mutex;     /* guards: */
static GString *printed; /* NULL: nothing yet */

static void write_all(void)
{
    if (printed != NULL && printed->len > 0) {
        fwrite(printed->str, 1, printed->len, stdout);
        g_string_truncate(printed, 0);
    }
}

static void add(const char *text, size_t bytes)
{
    g_mutex_lock(&mutex);
    if (printed == NULL) {
        printed = g_string_new(NULL);
    }
    g_string_append_len(printed, text, (gssize)bytes);
    if (printed->len > MOST_BYTES) {
        write_all();
    }
    g_mutex_unlock(&mutex);
}

void weiri_cuda_flush(void)
{
    g_mutex_lock(&mutex);
    write_all();
    g_mutex_unlock(&mutex);
}

/* The arguments that a format asks for, which is the result of CUDA's printf(). */
static int n_arguments(const char *format)
{
    int n = 0;
    for (const char *at = format; *at != '\0'; at++) {
        if (*at == '%') {
            at++;
            if (*at == '%') {
                continue;
            }
            n++;
            for (; *at != '\0' && strchr("diouxXeEfFgGaAcsp", *at) == NULL; at++) {
                n += *at == '*';
            }
            if (*at == '\0') {
                break;
            }
        }
    }
    return n;
}

/* The library's own calls of the C library are not the kernel's: GLib makes them. */
int weiri_cuda_vprintf(const char *format, va_list values)
{
    if (format == NULL) {
        return -1;
    }
    g_autofree char *text = g_strdup_vprintf(format, values);
    add(text, strlen(text));
    return n_arguments(format);
}

int weiri_cuda_printf(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int n = weiri_cuda_vprintf(format, values);
    va_end(values);
    return n;
}

int weiri_cuda_puts(const char *text)
{
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    add(line, strlen(line));
    return 0;
}

int weiri_cuda_putchar(int c)
{
    const char text = (char)c;
    add(&text, 1);
    return (unsigned char)c;
}

/* ---- Ends of an item ------------------------------------------------------- */

static const struct weir_site *site_of(const char *file, unsigned line,
                                       const char *function)
{
    static GMutex lock;
    static GHashTable *sites; /* "FILE:LINE:FUNCTION": struct weir_site; lock */
    g_autofree char *key = g_strdup_printf("%s:%u:%s", file, line, function);
    g_mutex_lock(&lock);
    if (sites == NULL) {
        sites = g_hash_table_new(g_str_hash, g_str_equal);
    }
    struct weir_site *site = g_hash_table_lookup(sites, key);
    if (site == NULL) {
        site = g_new(struct weir_site, 1);
        *site = (struct weir_site){ g_intern_string(file), g_intern_string(function),
                                    line, NULL };
        g_hash_table_insert(sites, g_steal_pointer(&key), site);
    }
    g_mutex_unlock(&lock);
    return site;
}

void weiri_cuda___assert_fail(const char *text, const char *file, unsigned line,
                              const char *function)
{
    weiri_assert_failed(text, site_of(file, line, function));
}

void weiri_cuda_abort(void)
{
    weiri_assert_failed_at("abort()", __builtin_return_address(0));
}

void weiri_cuda_trap(void)
{
    weiri_assert_failed_at("__trap()", __builtin_return_address(0));
}
