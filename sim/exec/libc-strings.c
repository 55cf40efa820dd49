/* SPDX-License-Identifier: MIT
 *
 * libc-strings.c: the C library's functions of strings, and others that read and write
 * memory for their caller, as libc-wrap.c has its copies. Each call is reported as the
 * reads and writes that the C standard describes, before it is made: a search reads up
 * to where it ends. The strings that sprintf() and its like read are known where glibc
 * says which of its arguments are strings. */
#include "config.h"

#include "exec/libc-wrap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <printf.h>
#endif

enum { READS = WEIRI_ACCESS_BIT_READ, WRITES = WEIRI_ACCESS_BIT_WRITE };

/* Declares a function and begins its wrapper. */
#define WRAP(type, name, parameters)                                                   \
    WEIRI_WRAP_WEAK type __real_##name parameters;                                     \
    type __wrap_##name parameters;                                                     \
    WEIRI_WRAP_SECTION type __wrap_##name parameters

#define READ(address, bytes) weiri_wrap_report((address), (bytes), READS, WEIRI_WRAP_PC)
#define WRITE(address, bytes)                                                          \
    weiri_wrap_report((address), (bytes), WRITES, WEIRI_WRAP_PC)

/* Characters, without those at @most and later. Volatile: compilers make calls of
 * strlen() of such loops, which would come here again. */
static size_t length(const volatile char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n] != '\0') {
        n++;
    }
    return n;
}

/* Bytes that are read of a string of which no more than @most are. */
static size_t extent(const char *text, size_t most)
{
    size_t n = length(text, most);
    return n + (n < most);
}

/* Bytes of two strings up to the first difference, or the end. */
static size_t common(const volatile char *one, const volatile char *other, size_t most)
{
    size_t n = 0;
    while (n < most && one[n] == other[n] && one[n] != '\0') {
        n++;
    }
    return n + (n < most);
}

/* ---- Reading --------------------------------------------------------------------- */

WRAP(size_t, strlen, (const char *text))
{
    if (WEIRI_WRAP_SEEN()) {
        READ(text, extent(text, SIZE_MAX));
    }
    return __real_strlen(text);
}

WRAP(size_t, strnlen, (const char *text, size_t most))
{
    if (WEIRI_WRAP_SEEN()) {
        READ(text, extent(text, most));
    }
    return __real_strnlen(text, most);
}

WRAP(int, strcmp, (const char *one, const char *other))
{
    if (WEIRI_WRAP_SEEN()) {
        READ(one, common(one, other, SIZE_MAX));
        READ(other, common(one, other, SIZE_MAX));
    }
    return __real_strcmp(one, other);
}

WRAP(int, strncmp, (const char *one, const char *other, size_t most))
{
    if (WEIRI_WRAP_SEEN()) {
        READ(one, common(one, other, most));
        READ(other, common(one, other, most));
    }
    return __real_strncmp(one, other, most);
}

#define COMPARE(name)                                                                  \
    WRAP(int, name, (const void *one, const void *other, size_t bytes))                \
    {                                                                                  \
        if (WEIRI_WRAP_SEEN()) {                                                       \
            READ(one, bytes);                                                          \
            READ(other, bytes);                                                        \
        }                                                                              \
        return __real_##name(one, other, bytes);                                       \
    }
COMPARE(memcmp)
COMPARE(bcmp)

WRAP(void *, memchr, (const void *memory, int value, size_t bytes))
{
    if (WEIRI_WRAP_SEEN()) {
        const char *found = __real_memchr(memory, value, bytes);
        READ(memory,
             found != NULL ? (size_t)(found - (const char *)memory) + 1 : bytes);
    }
    return __real_memchr(memory, value, bytes);
}

WRAP(char *, strchr, (const char *text, int value))
{
    if (WEIRI_WRAP_SEEN()) {
        const char *found = __real_strchr(text, value);
        READ(text, found != NULL ? (size_t)(found - text) + 1 : extent(text, SIZE_MAX));
    }
    return __real_strchr(text, value);
}

WRAP(char *, strrchr, (const char *text, int value))
{
    if (WEIRI_WRAP_SEEN()) {
        READ(text, extent(text, SIZE_MAX));
    }
    return __real_strrchr(text, value);
}

/* Functions of two strings that read both. */
#define SEARCH(type, name)                                                             \
    WRAP(type, name, (const char *text, const char *other))                            \
    {                                                                                  \
        if (WEIRI_WRAP_SEEN()) {                                                       \
            READ(text, extent(text, SIZE_MAX));                                        \
            READ(other, extent(other, SIZE_MAX));                                      \
        }                                                                              \
        return __real_##name(text, other);                                             \
    }
SEARCH(char *, strstr)
SEARCH(char *, strpbrk)
SEARCH(size_t, strspn)
SEARCH(size_t, strcspn)

/* ---- Writing --------------------------------------------------------------------- */

/* @more, @given: further parameters, as declared and as handed on */
#define COPY(name, more, given)                                                        \
    WRAP(char *, name, (char *to, const char *from more))                              \
    {                                                                                  \
        if (WEIRI_WRAP_SEEN()) {                                                       \
            READ(from, extent(from, SIZE_MAX));                                        \
            WRITE(to, extent(from, SIZE_MAX));                                         \
        }                                                                              \
        return __real_##name(to, from given);                                          \
    }

#define COPY_SOME(name, more, given)                                                   \
    WRAP(char *, name, (char *to, const char *from, size_t most more))                 \
    {                                                                                  \
        if (WEIRI_WRAP_SEEN()) {                                                       \
            READ(from, extent(from, most));                                            \
            WRITE(to, most);                                                           \
        }                                                                              \
        return __real_##name(to, from, most given);                                    \
    }

#define APPEND(name, more, given, most)                                                \
    WRAP(char *, name, (char *to, const char *from more))                              \
    {                                                                                  \
        if (WEIRI_WRAP_SEEN()) {                                                       \
            READ(to, extent(to, SIZE_MAX));                                            \
            READ(from, extent(from, most));                                            \
            WRITE(to + length(to, SIZE_MAX), length(from, most) + 1);                  \
        }                                                                              \
        return __real_##name(to, from given);                                          \
    }

#define COMMA ,
COPY(strcpy, , )
COPY(stpcpy, , )
COPY_SOME(strncpy, , )
COPY_SOME(stpncpy, , )
APPEND(strcat, , , SIZE_MAX)
APPEND(strncat, COMMA size_t n, COMMA n, n)
/* Under _FORTIFY_SOURCE. */
COPY(__strcpy_chk, COMMA size_t room, COMMA room)
COPY(__stpcpy_chk, COMMA size_t room, COMMA room)
COPY_SOME(__strncpy_chk, COMMA size_t room, COMMA room)
APPEND(__strcat_chk, COMMA size_t room, COMMA room, SIZE_MAX)
APPEND(__strncat_chk, COMMA size_t n COMMA size_t room, COMMA n COMMA room, n)

WRAP(void *, mempcpy, (void *to, const void *from, size_t bytes))
{
    if (WEIRI_WRAP_SEEN()) {
        READ(from, bytes);
        WRITE(to, bytes);
    }
    return __real_mempcpy(to, from, bytes);
}

WRAP(void, bzero, (void *to, size_t bytes))
{
    if (WEIRI_WRAP_SEEN()) {
        WRITE(to, bytes);
    }
    __real_bzero(to, bytes);
}

/* The elements are moved by the C library; what @compare reads has hooks. */
WRAP(void, qsort,
     (void *base, size_t n, size_t bytes, int (*compare)(const void *a, const void *b)))
{
    if (WEIRI_WRAP_SEEN()) {
        READ(base, n * bytes);
        WRITE(base, n * bytes);
    }
    __real_qsort(base, n, bytes, compare);
}

/* ---- Formats --------------------------------------------------------------------- */

/* Reports the strings that a format reads. A precision may end a string before its end,
 * so with one of these no string is reported. */
static void read_strings(const char *format, va_list arguments, const void *pc)
{
    weiri_wrap_report(format, extent(format, SIZE_MAX), READS, pc);
#ifdef __GLIBC__
    enum { MOST = 64 };
    int types[MOST];
    size_t n = parse_printf_format(format, MOST, types);
    bool cut = __real_strchr(format, '.') != NULL;
    for (size_t i = 0; i < n && i < MOST; i++) {
        int type = types[i] & ~PA_FLAG_MASK;
        if ((types[i] & PA_FLAG_PTR) != 0 || type == PA_POINTER || type == PA_WSTRING) {
            (void)va_arg(arguments, void *);
        } else if (type == PA_STRING) {
            const char *text = va_arg(arguments, const char *);
            if (text != NULL && !cut) {
                weiri_wrap_report(text, extent(text, SIZE_MAX), READS, pc);
            }
        } else if (type == PA_DOUBLE || type == PA_FLOAT) {
            if ((types[i] & PA_FLAG_LONG_DOUBLE) != 0) {
                (void)va_arg(arguments, long double);
            } else {
                (void)va_arg(arguments, double);
            }
        } else if ((types[i] & (PA_FLAG_LONG | PA_FLAG_LONG_LONG)) != 0) {
            (void)va_arg(arguments, long long);
        } else {
            (void)va_arg(arguments, int);
        }
    }
#endif
}

WEIRI_WRAP_WEAK int __real_vsnprintf(char *to, size_t most, const char *format,
                                     va_list arguments);

/* Reports what a call that prints to @to, of @room bytes, reads and writes. */
static void see_print(char *to, size_t room, const char *format, va_list arguments,
                      const void *pc)
{
    va_list strings, counted;
    va_copy(strings, arguments);
    read_strings(format, strings, pc);
    va_end(strings);
    va_copy(counted, arguments);
    int n = __real_vsnprintf(NULL, 0, format, counted);
    va_end(counted);
    if (n >= 0 && room > 0) {
        weiri_wrap_report(to, (size_t)n < room ? (size_t)n + 1 : room, WRITES, pc);
    }
}

/* @room: of the memory at @to; @given: the parameters before the format; @chk: what
 * _FORTIFY_SOURCE puts around the name */
#define PRINT(before, name, chk, room, given, ...)                                     \
    WEIRI_WRAP_WEAK int __real_##before##v##name##chk(__VA_ARGS__, const char *format, \
                                                      va_list arguments);              \
    int __wrap_##before##v##name##chk(__VA_ARGS__, const char *format,                 \
                                      va_list arguments);                              \
    int __wrap_##before##name##chk(__VA_ARGS__, const char *format, ...);              \
    WEIRI_WRAP_SECTION int __wrap_##before##v##name##chk(                              \
        __VA_ARGS__, const char *format, va_list arguments)                            \
    {                                                                                  \
        if (WEIRI_WRAP_SEEN()) {                                                       \
            see_print(to, (room), format, arguments, WEIRI_WRAP_PC);                   \
        }                                                                              \
        return __real_##before##v##name##chk(given, format, arguments);                \
    }                                                                                  \
    WEIRI_WRAP_SECTION int __wrap_##before##name##chk(__VA_ARGS__, const char *format, \
                                                      ...)                             \
    {                                                                                  \
        va_list arguments;                                                             \
        va_start(arguments, format);                                                   \
        if (WEIRI_WRAP_SEEN()) {                                                       \
            see_print(to, (room), format, arguments, WEIRI_WRAP_PC);                   \
        }                                                                              \
        int n = __real_##before##v##name##chk(given, format, arguments);               \
        va_end(arguments);                                                             \
        return n;                                                                      \
    }

PRINT(, snprintf, , most, to COMMA most, char *to, size_t most)
PRINT(, sprintf, , SIZE_MAX, to, char *to)
PRINT(__, snprintf, _chk, most, to COMMA most COMMA flag COMMA bytes, char *to,
      size_t most, int flag, size_t bytes)
PRINT(__, sprintf, _chk, SIZE_MAX, to COMMA flag COMMA bytes, char *to, int flag,
      size_t bytes)
