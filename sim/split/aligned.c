/* SPDX-License-Identifier: MIT
 *
 * aligned.c: see aligned.h.
 *
 * A preprocessor takes a tenth of the time of a compilation to answer. Most sources
 * show by their text that they ask for no alignment: neither they nor the headers that
 * they include have one of the words for it, in any branch of a condition. Then no
 * macro of theirs makes one either, as long as they join no tokens.
 *
 * Headers that lie in folders named by the arguments are read, too: all that a name can
 * mean. Those of the standard, of GLib and of Weir have no macro that expands to such a
 * word. The preprocessor decides where there is another header, or anything else that
 * this file does not know. */
#include "config.h"

#include "split/aligned.h"

#include <glib.h>
#include <string.h>

/* Headers outside of the folders that are named. Each has been looked through. */
static const char *const standard[] = {
    "assert.h",    "ctype.h",     "errno.h",       "fcntl.h",     "float.h",
    "glib.h",      "inttypes.h",  "limits.h",      "locale.h",    "math.h",
    "pthread.h",   "signal.h",    "stdarg.h",      "stdatomic.h", "stdbool.h",
    "stddef.h",    "stdint.h",    "stdio.h",       "stdlib.h",    "string.h",
    "strings.h",   "sys/stat.h",  "sys/time.h",    "sys/types.h", "threads.h",
    "time.h",      "unistd.h",    "algorithm",     "array",       "atomic",
    "cassert",     "chrono",      "cmath",         "cstddef",     "cstdint",
    "cstdio",      "cstdlib",     "cstring",       "functional",  "initializer_list",
    "iomanip",     "iostream",    "iterator",      "limits",      "map",
    "memory",      "mutex",       "new",           "numeric",     "optional",
    "ostream",     "random",      "sstream",       "stdexcept",   "string",
    "string_view", "thread",      "tuple",         "type_traits", "utility",
    "vector",      "CL/sycl.hpp", "sycl/sycl.hpp", NULL,
};

/* Words that ask for an alignment, or may: some stand in macros alone. */
static const char *const asking[]
    = { "lignas",      "aligned", "g_assert_cmp", "vector_size",
        "vector_type", "_BitInt", "_ExtInt",      NULL };

/* Ends of the names of types of less than four bytes. */
static const char *const small[]
    = { "char", "short", "bool",     "_Bool",  "int8_t", "int16_t",
        "half", "byte",  "_Float16", "__fp16", "__bf16", NULL };
static const char *const structures[] = { "struct", "union", "class", NULL };

/* Options whose argument follows and is neither a file nor part of a source. */
static const char *const passing[]
    = { "-o", "-MF", "-MT", "-MQ", "-l", "-L", "-mllvm", "--param", NULL };

struct search {
    GPtrArray *folders; /* (element-type utf8): named for headers */
    GHashTable *seen;   /* (element-type utf8): files that were read */
    bool longs, doubles;
    bool odd;               /* small members of structures are looked for */
    bool structures, small; /* there are such words */
    bool asks;              /* or may */
};

static bool is_among(const char *word, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strcmp(word, *list) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- Text ----------------------------------------------------------------- */

/* Joins lines that end with a backslash, and blanks comments, in place. If a quote is
 * read wrongly, more of the text counts as code, and never less: it ends with its line.
 */
static void clean(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (from[0] == '\\' && from[1] == '\n') {
            from++;
        } else if (from[0] == '\\' && from[1] == '\r' && from[2] == '\n') {
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    char quote = '\0';
    for (char *c = text; *c != '\0'; c++) {
        if (quote != '\0') {
            if (*c == '\\' && c[1] != '\0' && c[1] != '\n') {
                c++;
            } else if (*c == quote || *c == '\n') {
                quote = '\0';
            }
        } else if (*c == '"' || *c == '\'') {
            quote = *c;
        } else if (c[0] == '/' && c[1] == '/') {
            for (; *c != '\0' && *c != '\n'; c++) {
                *c = ' ';
            }
            c -= *c == '\0';
        } else if (c[0] == '/' && c[1] == '*') {
            char *end = strstr(c + 2, "*/");
            for (end = end == NULL ? c + strlen(c) : end + 2; c < end; c++) {
                *c = *c == '\n' ? '\n' : ' ';
            }
            c--;
        }
    }
}

static bool has_token(const char *text, const char *token)
{
    size_t length = strlen(token);
    for (const char *at = text; (at = strstr(at, token)) != NULL; at += length) {
        if ((at == text || !(g_ascii_isalnum(at[-1]) || at[-1] == '_'))
            && !(g_ascii_isalnum(at[length]) || at[length] == '_')) {
            return true;
        }
    }
    return false;
}

/* Vectors of the processor, such as __m128. */
static bool has_vectors(const char *text)
{
    for (const char *at = text; (at = strstr(at, "__m")) != NULL; at++) {
        if (g_ascii_isdigit(at[strlen("__m")])) {
            return true;
        }
    }
    return false;
}

/* Whether the colon at @at is of a?b:c. */
static bool chooses(const char *text, const char *at)
{
    while (at > text && at[-1] != ';' && at[-1] != '\n' && at[-1] != '?') {
        at--;
    }
    return at > text && at[-1] == '?';
}

/* Whether the text may declare something of a small type, or a bit-field. */
static bool has_small(const char *text)
{
    for (size_t i = 0; small[i] != NULL; i++) {
        size_t length = strlen(small[i]);
        for (const char *at = text; (at = strstr(at, small[i])) != NULL; at += length) {
            const char *after = at + length + strspn(at + length, " \t\r\n");
            bool named
                = after > at + length && (g_ascii_isalpha(*after) || *after == '_');
            if (named || (*after != '\0' && strchr(";,>{", *after) != NULL)) {
                return true;
            }
        }
    }
    for (const char *at = text; (at = strchr(at, ':')) != NULL; at++) {
        const char *number = at + 1 + strspn(at + 1, " \t");
        const char *after = number + strspn(number, "0123456789");
        after += strspn(after, " \t");
        if (after > number && (*after == ';' || *after == ',') && !chooses(text, at)) {
            return true;
        }
    }
    return strstr(text, "packed") != NULL;
}

/* Whether the text has a word that asks, or a form in which one is not seen: tokens
 * that are joined, digraphs, trigraphs, strings that may span lines. */
static bool asks_itself(const char *text)
{
    for (size_t i = 0; asking[i] != NULL; i++) {
        if (strstr(text, asking[i]) != NULL) {
            return true;
        }
    }
    return has_vectors(text) || strstr(text, "##") != NULL || strstr(text, "%:") != NULL
        || strstr(text, "\?\?") != NULL || strstr(text, "R\"") != NULL;
}

static void read_file(struct search *search, const char *path);

/* The name that follows #include, as its source's text has it. */
static void include(struct search *search, const char *name, const char *end,
                    const char *path)
{
    bool beside = *name == '"';
    const char *close = memchr(name + 1, beside ? '"' : '>', (size_t)(end - name - 1));
    if ((!beside && *name != '<') || close == NULL) {
        search->asks = true;
        return;
    }
    g_autofree char *header = g_strndup(name + 1, (gsize)(close - name - 1));
    bool known = is_among(header, standard) || strcmp(header, "weir.h") == 0
        || g_str_has_prefix(header, "weir-");
    if (g_path_is_absolute(header)) {
        read_file(search, header);
        return;
    }
    g_autofree char *folder = g_path_get_dirname(path);
    for (guint i = 0; i <= search->folders->len; i++) {
        g_autofree char *file = i == search->folders->len
            ? g_build_filename(folder, header, NULL)
            : g_build_filename(g_ptr_array_index(search->folders, i), header, NULL);
        if ((beside || i < search->folders->len)
            && g_file_test(file, G_FILE_TEST_EXISTS)) {
            read_file(search, file);
            known = true;
        }
    }
    search->asks = search->asks || !known;
}

static void read_text(struct search *search, char *text, const char *path)
{
    clean(text);
    search->longs = search->longs || has_token(text, "long");
    search->doubles = search->doubles || has_token(text, "double");
    for (size_t i = 0; search->odd && structures[i] != NULL; i++) {
        search->structures = search->structures || has_token(text, structures[i]);
    }
    search->small = search->small || (search->odd && has_small(text));
    search->asks = search->asks || asks_itself(text)
        || (search->longs && search->doubles) /* long double */
        || (search->structures && search->small);
    for (const char *line = text; !search->asks && line != NULL;) {
        const char *c = line + strspn(line, " \t\r\f\v");
        const char *next = strchr(c, '\n');
        const char *end = next == NULL ? c + strlen(c) : next;
        line = next == NULL ? NULL : next + 1;
        if (*c != '#') {
            continue;
        }
        c += 1 + strspn(c + 1, " \t");
        if (g_str_has_prefix(c, "include") || g_str_has_prefix(c, "import")) {
            c += strcspn(c, " \t\"<\r\n");
            include(search, c + strspn(c, " \t"), end, path);
        }
    }
}

static void read_file(struct search *search, const char *path)
{
    gsize length;
    char *text;
    if (search->asks || !g_hash_table_add(search->seen, g_strdup(path))) {
        return;
    }
    if (!g_file_get_contents(path, &text, &length, NULL) || strlen(text) != length) {
        search->asks = true;
        return;
    }
    read_text(search, text, path);
    g_free(text);
}

/* ---- Arguments ------------------------------------------------------------ */

static const char *const folder_options[]
    = { "-isystem", "-iquote", "-idirafter", "-I", NULL };

/* If the word names a folder of headers, adds it. Returns: how many words that are */
static unsigned add_folder(struct search *search, const char *own, char *const *words)
{
    for (size_t i = 0; folder_options[i] != NULL; i++) {
        size_t length = strlen(folder_options[i]);
        if (strncmp(words[0], folder_options[i], length) == 0) {
            bool alone = words[0][length] == '\0';
            const char *folder = alone ? words[1] : words[0] + length;
            if (folder == NULL || strcmp(folder, "-") == 0) {
                search->asks = true;
            } else if (strcmp(folder, own) != 0
                       && strstr(folder, "/glib-2.0") == NULL) {
                g_ptr_array_add(search->folders, (void *)folder);
            }
            return alone && folder != NULL ? 2 : 1;
        }
    }
    return 0;
}

/* Returns: how many words were read */
static unsigned read_option(struct search *search, const char *own, char *const *words)
{
    const char *word = words[0];
    unsigned n = add_folder(search, own, words);
    if (n != 0) {
        return n;
    }
    if (is_among(word, passing) && words[1] != NULL) {
        return 2;
    }
    bool defines = g_str_has_prefix(word, "-D");
    if (defines || g_str_has_prefix(word, "-U")) {
        const char *of = word[2] != '\0' || words[1] == NULL ? word + 2 : words[1];
        g_autofree char *text = g_strdup(of);
        if (defines) {
            read_text(search, text, ".");
        }
        return of == words[1] ? 2 : 1;
    }
    static const char *const known[]
        = { "-O", "-g", "-W", "-w", "-std=", "-pedantic", "-pthread", "-m",
            "-c", "-S", "-f", "-l", "-L",    "-M",        "-v",       NULL };
    static const char *const unknown[]
        = { "-Wp,", "-fplugin", "-fms-", "-fdirectives", "-fpch", NULL };
    bool passes = false;
    for (size_t i = 0; known[i] != NULL; i++) {
        passes = passes || g_str_has_prefix(word, known[i]);
    }
    for (size_t i = 0; unknown[i] != NULL; i++) {
        passes = passes && !g_str_has_prefix(word, unknown[i]);
    }
    search->asks = search->asks || !passes;
    return 1;
}

bool weiri_aligned_never(const char *own, char *const *words, bool odd)
{
    struct search search
        = { .odd = odd,
            .folders = g_ptr_array_new(),
            .seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };
    static const char *const paths[]
        = { "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH" };
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        search.asks = search.asks || g_getenv(paths[i]) != NULL;
    }
    g_autoptr(GPtrArray) sources = g_ptr_array_new();
    while (*words != NULL && !search.asks) {
        if (**words == '-' && (*words)[1] != '\0') {
            words += read_option(&search, own, words);
        } else {
            g_ptr_array_add(sources, *words++);
        }
    }
    for (guint i = 0; i < sources->len; i++) {
        read_file(&search, g_ptr_array_index(sources, i));
    }
    g_hash_table_unref(search.seen);
    g_ptr_array_unref(search.folders);
    return !search.asks && sources->len > 0;
}
