/* SPDX-License-Identifier: MIT
 *
 * sycl.c: the C side of the SYCL header: the process's one device, memory with the
 * names of the program's variables, and launches. All of it is a client of weir.h, but
 * for the sites that kernels ask for. */
#include "config.h"

#include "weir-kernel.h"

#include "sycl/sycl-machine.h"

#include "report/symbol.h"
#include "weir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

/* Guards what follows. */
static GMutex mutex;
static struct weir_device *the_device;
static GHashTable *sites;   /* "FILE:LINE:FUNCTION": struct weir_site */
static GHashTable *kernels; /* the fast entry: struct weir_kernel */
static GTree *memories;     /* the first address: struct memory */
static GString *printed;    /* by kernels, until their command ends */

struct memory {
    size_t bytes;
    enum weiri_sycl_kind kind;
};

/* ---- The device ------------------------------------------------------------------ */

static void free_device(void)
{
    weir_device_free(the_device);
    the_device = NULL;
}

/* Without a device nothing of SYCL can be done. */
static struct weir_device *device(void)
{
    g_mutex_lock(&mutex);
    if (the_device == NULL) {
        GError *error = NULL;
        const char *profile = g_getenv("WEIR_SYCL_DEVICE");
        the_device = weir_device_new(profile != NULL ? profile : "default", &error);
        if (the_device == NULL) {
            g_printerr("weir: %s\n", error->message);
            exit(2);
        }
        atexit(free_device);
    }
    struct weir_device *found = the_device;
    g_mutex_unlock(&mutex);
    return found;
}

uint64_t weiri_sycl_number_of(enum weiri_sycl_number which)
{
    static const enum weir_device_info infos[] = {
        [WEIRI_SYCL_MAX_WORK_GROUP_SIZE] = WEIR_DEVICE_MAX_WORK_GROUP_SIZE,
        [WEIRI_SYCL_LOCAL_MEM_SIZE] = WEIR_DEVICE_LOCAL_MEM_SIZE,
        [WEIRI_SYCL_COMPUTE_UNITS] = WEIR_DEVICE_COMPUTE_UNITS,
        [WEIRI_SYCL_SUB_GROUP_SIZE] = WEIR_DEVICE_SUB_GROUP_SIZE,
        [WEIRI_SYCL_SUB_GROUP_SIZES] = WEIR_DEVICE_SUB_GROUP_SIZES,
        [WEIRI_SYCL_ATOMIC_MEMORY_ORDERS] = WEIR_DEVICE_ATOMIC_MEMORY_ORDERS,
        [WEIRI_SYCL_ATOMIC_MEMORY_SCOPES] = WEIR_DEVICE_ATOMIC_MEMORY_SCOPES,
        [WEIRI_SYCL_FENCE_MEMORY_ORDERS] = WEIR_DEVICE_FENCE_MEMORY_ORDERS,
        [WEIRI_SYCL_FENCE_MEMORY_SCOPES] = WEIR_DEVICE_FENCE_MEMORY_SCOPES,
        [WEIRI_SYCL_ATOMIC64] = WEIR_DEVICE_ATOMIC64,
    };
    if (which == WEIRI_SYCL_GLOBAL_MEM_SIZE) {
        struct sysinfo info;
        return sysinfo(&info) == 0 ? (uint64_t)info.totalram * info.mem_unit : 0;
    }
    return weir_device_get(device(), infos[which]);
}

const char *weiri_sycl_device_name(void)
{
    return weir_device_name(device());
}

const char *weiri_sycl_version(void)
{
    return PACKAGE_VERSION;
}

uint64_t weiri_sycl_now(void)
{
    return (uint64_t)g_get_monotonic_time() * 1000;
}

/* ---- Names ----------------------------------------------------------------- */

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* The word that ends at @end, in new memory; NULL where none does. */
static char *word_before(const char *text, const char *end)
{
    while (end > text && end[-1] == ' ') {
        end--;
    }
    const char *from = end;
    while (from > text && is_word(from[-1])) {
        from--;
    }
    return from < end && !g_ascii_isdigit(*from) ? g_strndup(from, (gsize)(end - from))
                                                 : NULL;
}

/* The variable that a line declares or assigns: "T *a = f(b);" and "T<U> a(b, c);" and
 * "T a{ b };". */
static char *declared_in(const char *line)
{
    int depth = 0;
    for (const char *at = line; *at != '\0'; at++) {
        if (*at == '<') {
            depth++;
        } else if (*at == '>' && depth > 0) {
            depth--;
        } else if (depth == 0 && (*at == '=' || *at == '(' || *at == '{')) {
            return word_before(line, at);
        }
    }
    return NULL;
}

/* What a report calls memory that line allocates. The source is read where a report is
 * to be expected alone. */
static char *name_of(const char *file, unsigned line)
{
    const char *text
        = g_getenv("WEIR_OPTIONS") != NULL ? weiri_symbol_source(file, line) : NULL;
    char *name = text != NULL ? declared_in(text) : NULL;
    const char *slash = strrchr(file, '/');
    return name != NULL
        ? name
        : g_strdup_printf("%s:%u", slash != NULL ? slash + 1 : file, line);
}

static const struct weir_site *find_site(const char *file, unsigned line,
                                         const char *function)
{
    char *key = g_strdup_printf("%s:%u:%s", file, line, function);
    g_mutex_lock(&mutex);
    if (sites == NULL) {
        sites = g_hash_table_new(g_str_hash, g_str_equal);
    }
    struct weir_site *site = g_hash_table_lookup(sites, key);
    if (site == NULL) {
        site = g_new(struct weir_site, 1);
        *site = (struct weir_site){ g_intern_string(file), g_intern_string(function),
                                    line };
        g_hash_table_insert(sites, g_steal_pointer(&key), site);
    }
    g_mutex_unlock(&mutex);
    g_free(key);
    return site;
}

const struct weir_site *weiri_sycl_site(const char *file, unsigned line,
                                        const char *function)
{
    const char *kernel = weiri_running_kernel();
    if (kernel == NULL || strcmp(function, "operator()") != 0) {
        return find_site(file, line, function);
    }
    char *body = g_strconcat(kernel, "__body", NULL);
    const struct weir_site *site = find_site(file, line, body);
    g_free(body);
    return site;
}

/* ---- Memory ---------------------------------------------------------------- */

static int compare_addresses(const void *a, const void *b)
{
    return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

void *weiri_sycl_new(size_t bytes, enum weiri_sycl_kind kind, const char *file,
                     unsigned line)
{
    char *name = name_of(file, line);
    void *start = weir_memory_new(device(), bytes > 0 ? bytes : 1, 1, name, NULL);
    g_free(name);
    if (start != NULL) {
        struct memory *memory = g_new(struct memory, 1);
        *memory = (struct memory){ bytes, kind };
        g_mutex_lock(&mutex);
        if (memories == NULL) {
            memories = g_tree_new(compare_addresses);
        }
        g_tree_insert(memories, start, memory);
        g_mutex_unlock(&mutex);
    }
    return start;
}

void weiri_sycl_free(void *start)
{
    if (start == NULL || the_device == NULL) { /* at exit the device goes first */
        return;
    }
    g_mutex_lock(&mutex);
    struct memory *memory = g_tree_lookup(memories, start);
    g_tree_remove(memories, start);
    g_mutex_unlock(&mutex);
    if (memory == NULL) {
        g_printerr(
            "weir: sycl::free: %p was not allocated by SYCL, or is free already\n",
            start);
        abort();
    }
    g_free(memory);
    weir_free(the_device, start);
}

enum weiri_sycl_kind weiri_sycl_kind_of(const void *address)
{
    enum weiri_sycl_kind kind = WEIRI_SYCL_UNKNOWN;
    g_mutex_lock(&mutex);
    GTreeNode *node
        = memories != NULL ? g_tree_upper_bound(memories, (void *)address) : NULL;
    node = node != NULL    ? g_tree_node_previous(node)
        : memories != NULL ? g_tree_node_last(memories)
                           : NULL;
    if (node != NULL) {
        const struct memory *memory = g_tree_node_value(node);
        uintptr_t start = (uintptr_t)g_tree_node_key(node);
        if ((uintptr_t)address - start < MAX(memory->bytes, 1)) {
            kind = memory->kind;
        }
    }
    g_mutex_unlock(&mutex);
    return kind;
}

/* ---- Launches -------------------------------------------------------------- */

/* "... [with Name = main()::a]" and "... [Name = a::b<int>]" say "a" and "b". */
static char *kernel_name(const struct weiri_sycl_launch *launch)
{
    const char *text = launch->name != NULL ? strstr(launch->name, "Name = ") : NULL;
    const char *end = text != NULL ? strrchr(text, ']') : NULL;
    if (end != NULL && end[-1] == '>') {
        for (int depth = 0; end > text && (end[-1] != '<' || --depth > 0); end--) {
            depth += end[-1] == '>';
        }
        end--;
    }
    char *name = end != NULL ? word_before(text, end) : NULL;
    const char *slash = strrchr(launch->file, '/');
    return name != NULL
        ? name
        : g_strdup_printf("%s:%u", slash != NULL ? slash + 1 : launch->file,
                          launch->line);
}

/* The kernel of an entry, which lives as long as the process. */
static const struct weir_kernel *kernel_of(const struct weiri_sycl_launch *launch)
{
    g_mutex_lock(&mutex);
    if (kernels == NULL) {
        kernels = g_hash_table_new(NULL, NULL);
    }
    struct weir_kernel *kernel
        = g_hash_table_lookup(kernels, (void *)(uintptr_t)launch->fast);
    if (kernel == NULL) {
        char *name = kernel_name(launch);
        kernel = g_new0(struct weir_kernel, 1);
        *kernel = (struct weir_kernel){ .name = g_intern_string(name),
                                        .file = g_intern_string(launch->file),
                                        .line = launch->line,
                                        .hierarchical = launch->hierarchical,
                                        .args_bytes = launch->args_bytes,
                                        .fast = launch->fast,
                                        .checked = launch->checked };
        weiri_symbol_kernel((void (*)(void))launch->fast, name);
        weiri_symbol_kernel(launch->checked_item, name);
        g_free(name);
        g_hash_table_insert(kernels, (void *)(uintptr_t)launch->fast, kernel);
    }
    g_mutex_unlock(&mutex);
    return kernel;
}

void weiri_sycl_print(const char *text, size_t bytes)
{
    g_mutex_lock(&mutex);
    if (printed == NULL) {
        printed = g_string_new(NULL);
    }
    g_string_append_len(printed, text, (gssize)bytes);
    g_mutex_unlock(&mutex);
}

static void print_all(void)
{
    g_mutex_lock(&mutex);
    if (printed != NULL && printed->len > 0) {
        fwrite(printed->str, 1, printed->len, stdout);
        g_string_truncate(printed, 0);
    }
    g_mutex_unlock(&mutex);
}

static enum weiri_sycl_error code_of(const GError *error)
{
    switch (error->code) {
    case WEIR_ERROR_RANGE:
        return WEIRI_SYCL_BAD_RANGE;
    case WEIR_ERROR_RESOURCE:
        return WEIRI_SYCL_NO_MEMORY;
    case WEIR_ERROR_FINDINGS:
        return WEIRI_SYCL_FINDINGS;
    default:
        return WEIRI_SYCL_FAILED;
    }
}

enum weiri_sycl_error weiri_sycl_run(struct weiri_sycl_launch *launch)
{
    struct weir_nd_range range = { .dim = launch->dim };
    memcpy(range.global, launch->global, sizeof(range.global));
    memcpy(range.local, launch->local, sizeof(range.local));
    const struct weir_launch_options options
        = { .sub_group_size = launch->sub_group_size };
    GError *error = NULL;
    bool ran = weir_launch_sized_with(device(), kernel_of(launch), range, launch->args,
                                      launch->args_bytes, &options, NULL, &error);
    print_all();
    if (ran) {
        return WEIRI_SYCL_OK;
    }
    enum weiri_sycl_error code = code_of(error);
    g_strlcpy(launch->message, error->message, sizeof(launch->message));
    g_error_free(error);
    return code;
}
