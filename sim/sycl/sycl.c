/* SPDX-License-Identifier: MIT
 *
 * sycl.c: the C side of the SYCL header: the process's one device, memory with the
 * names of the program's variables, and launches. All of it is a client of weir.h, but
 * for the sites that kernels ask for. */
#include "config.h"

#include "weir-kernel.h"

#include "sycl/declared.h"
#include "sycl/required.h"
#include "sycl/sycl-machine.h"

#include "host/commands.h"
#include "report/symbol.h"
#include "weir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

/* Guards what follows. */
static GMutex mutex;
static struct weir_device *the_device;
static GHashTable *sites;   /* "FILE:LINE:FUNCTION:NAME": struct weir_site */
static GHashTable *kernels; /* the fast entry: struct kernel */
static GTree *memories;     /* the first address: struct memory */
static GString *printed;    /* by kernels, until their command ends */

struct memory {
    size_t bytes;
    enum weiri_sycl_kind kind;
    uint32_t context;
};

struct kernel {
    struct weir_kernel public;
    uint32_t sub_group; /* the size that its source requires, or 0 */
};

/* ---- The device ------------------------------------------------------------------ */

static void free_device(void)
{
    weiri_host_commands_close();
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

/* The latest line that a name was asked for, and how often in turn. */
static struct {
    const char *file;
    unsigned line;
    unsigned n;
} latest;

/* How often the line has asked in turn before. */
static unsigned count_of(const char *file, unsigned line)
{
    file = g_intern_string(file);
    g_mutex_lock(&mutex);
    latest.n = latest.file == file && latest.line == line ? latest.n + 1 : 0;
    latest.file = file;
    latest.line = line;
    unsigned n = latest.n;
    g_mutex_unlock(&mutex);
    return n;
}

/* A statement may begin some lines before the call. */
enum { MOST_LINES = 3 };

/* The variables that the statement of a line declares, of which the last part is known
 * to be on that line. Returns: (transfer full): or NULL */
static char **names_at(const char *file, unsigned line, const char *within)
{
    GString *text = g_string_new(NULL);
    char **names = NULL;
    for (unsigned i = 0; i < MOST_LINES && i < line && names == NULL; i++) {
        const char *part = weiri_symbol_source(file, line - i);
        if (part == NULL || part[0] == '\0'
            || (i > 0
                && (strchr(";{}:", part[strlen(part) - 1]) != NULL
                    || strstr(part, "//") != NULL))) {
            break;
        }
        g_string_prepend_c(text, ' ');
        g_string_prepend(text, part);
        names = weiri_declared_names(text->str, within);
        if (names[0] == NULL) {
            g_clear_pointer(&names, g_strfreev);
        }
    }
    g_string_free(text, TRUE);
    return names;
}

/* The name of memory that a line allocates, for reports. A line may do so for several
 * variables, which come in turn. The source is read only where a report is to be
 * expected. Returns: (transfer full): or NULL */
static char *name_of(const char *file, unsigned line, const char *within)
{
    bool wanted = g_getenv("WEIR_OPTIONS") != NULL;
    char **names = wanted ? names_at(file, line, within) : NULL;
    if (wanted && names == NULL && within != NULL) {
        names = names_at(file, line, NULL);
    }
    char *name = names != NULL
        ? g_strdup(names[count_of(file, line) % g_strv_length(names)])
        : NULL;
    g_strfreev(names);
    return name;
}

static char *place_text(const char *file, unsigned line)
{
    const char *slash = strrchr(file, '/');
    return g_strdup_printf("%s:%u", slash != NULL ? slash + 1 : file, line);
}

static const struct weir_site *find_site(const char *file, unsigned line,
                                         const char *function, const char *name)
{
    char *key = g_strdup_printf("%s:%u:%s:%s", file, line, function,
                                name != NULL ? name : "");
    g_mutex_lock(&mutex);
    if (sites == NULL) {
        sites = g_hash_table_new(g_str_hash, g_str_equal);
    }
    struct weir_site *site = g_hash_table_lookup(sites, key);
    if (site == NULL) {
        site = g_new(struct weir_site, 1);
        *site = (struct weir_site){ g_intern_string(file), g_intern_string(function),
                                    line, g_intern_string(name) };
        g_hash_table_insert(sites, g_steal_pointer(&key), site);
    }
    g_mutex_unlock(&mutex);
    g_free(key);
    return site;
}

/* The site of a place, by the texts of file and function. */
static const struct weir_site *site_by_text(const char *file, unsigned line,
                                            const char *function, const char *kernel)
{
    if (kernel == NULL || strcmp(function, "operator()") != 0) {
        return find_site(file, line, function, NULL);
    }
    char *body = g_strconcat(kernel, "__body", NULL);
    const struct weir_site *site = find_site(file, line, body, NULL);
    g_free(body);
    return site;
}

const struct weir_site *weiri_sycl_site(const char *file, unsigned line,
                                        const char *function)
{
    /* The last places that this thread asked for: their texts are constants of the
     * program, so that an address tells which they are. */
    enum { N_ASKED = 64 };
    static WEIRI_THREAD_LOCAL struct {
        const char *file, *function, *kernel;
        unsigned line;
        const struct weir_site *site;
    } asked[N_ASKED];
    const char *kernel = weiri_running_kernel();
    size_t k = (line ^ (uintptr_t)file >> 4 ^ (uintptr_t)function >> 4) % N_ASKED;
    if (asked[k].file != file || asked[k].line != line || asked[k].function != function
        || asked[k].kernel != kernel) {
        asked[k].site = site_by_text(file, line, function, kernel);
        asked[k].file = file;
        asked[k].function = function;
        asked[k].kernel = kernel;
        asked[k].line = line;
    }
    return asked[k].site;
}

const struct weir_site *weiri_sycl_local_site(const char *file, unsigned line,
                                              const char *function)
{
    char *name = name_of(file, line, NULL);
    const struct weir_site *site = find_site(file, line, function, name);
    g_free(name);
    return site;
}

/* ---- Memory ---------------------------------------------------------------- */

static int compare_addresses(const void *a, const void *b)
{
    return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

void *weiri_sycl_new(size_t n, size_t element_bytes, enum weiri_sycl_kind kind,
                     uint32_t context, const char *file, unsigned line)
{
    char *name = name_of(file, line, kind == WEIRI_SYCL_BUFFER ? NULL : "alloc");
    name = name != NULL ? name : place_text(file, line);
    void *start = weir_memory_new(device(), MAX(n, 1), element_bytes, name, NULL);
    g_free(name);
    if (start != NULL) {
        struct memory *memory = g_new(struct memory, 1);
        *memory = (struct memory){ n * element_bytes, kind, context };
        g_mutex_lock(&mutex);
        if (memories == NULL) {
            memories = g_tree_new(compare_addresses);
        }
        g_tree_insert(memories, start, memory);
        g_mutex_unlock(&mutex);
        weiri_host_commands_memory(the_device, start, n * element_bytes,
                                   kind == WEIRI_SYCL_BUFFER);
        weiri_host_commands_bind(start, context);
        if (kind == WEIRI_SYCL_DEVICE) {
            weiri_host_commands_hide(
                start,
                "malloc_device() allocates memory that the device alone sees: "
                "memcpy() copies it, and malloc_shared() memory is seen by both");
        }
    }
    return start;
}

void weiri_sycl_free(void *start, uint32_t context, const char *file, unsigned line,
                     const char *function)
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
    const struct weir_site *site = find_site(file, line, function, NULL);
    if (memory->context != context && weiri_host_commands_wanted()) {
        weiri_host_commands_error(
            "free", "sycl::free() of memory that was allocated in another context",
            site);
    }
    g_free(memory);
    weiri_host_commands_freed(start, site);
    weir_free(the_device, start);
}

/* The memory that @address lies in, as its first address; or NULL. Called with the lock
 * held. */
static void *memory_of(const void *address, const struct memory **memory)
{
    GTreeNode *node
        = memories != NULL ? g_tree_upper_bound(memories, (void *)address) : NULL;
    node = node != NULL    ? g_tree_node_previous(node)
        : memories != NULL ? g_tree_node_last(memories)
                           : NULL;
    *memory = node != NULL ? g_tree_node_value(node) : NULL;
    void *start = node != NULL ? g_tree_node_key(node) : NULL;
    return node != NULL
            && (uintptr_t)address - (uintptr_t)start < MAX((*memory)->bytes, 1)
        ? start
        : NULL;
}

enum weiri_sycl_kind weiri_sycl_kind_of(const void *address, uint32_t context)
{
    const struct memory *memory;
    g_mutex_lock(&mutex);
    enum weiri_sycl_kind kind
        = memory_of(address, &memory) != NULL && memory->context == context
        ? memory->kind
        : WEIRI_SYCL_UNKNOWN;
    g_mutex_unlock(&mutex);
    return kind;
}

bool weiri_sycl_strays(const void *words, size_t bytes,
                       const struct weiri_sycl_use *uses, size_t n_uses)
{
    bool strays = false;
    g_mutex_lock(&mutex);
    for (size_t at = 0; at + sizeof(void *) <= bytes && !strays; at += sizeof(void *)) {
        const struct memory *memory, *other;
        void *word;
        memcpy(&word, (const char *)words + at, sizeof(word));
        void *start = memory_of(word, &memory);
        if (start != NULL && memory->kind == WEIRI_SYCL_BUFFER) {
            strays = true;
            for (size_t i = 0; i < n_uses && strays; i++) {
                strays = memory_of(uses[i].address, &other) != start;
            }
        }
    }
    g_mutex_unlock(&mutex);
    return strays;
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
    char *name = end != NULL ? weiri_declared_word(text, end) : NULL;
    return name != NULL ? name : place_text(launch->file, launch->line);
}

/* The linker makes these two, if a file of the program has such a section. */
extern const struct weiri_sycl_split __start_weir_splits[] __attribute__((weak));
extern const struct weiri_sycl_split __stop_weir_splits[] __attribute__((weak));

/* The stackless form that was compiled of the same type as the entry. */
static const struct weiri_split *split_of(const struct weiri_sycl_launch *launch)
{
    for (const struct weiri_sycl_split *one = __start_weir_splits;
         launch->type != NULL && one != __stop_weir_splits; one++) {
        if (one->fast == launch->fast && one->split.own_bytes == launch->args_bytes
            && strcmp(one->type, launch->type) == 0) {
            return &one->split;
        }
    }
    return NULL;
}

/* The sub-group size that the source of a kernel requires, or 0. */
static uint32_t required_of(const struct weiri_sycl_launch *launch, const char *name)
{
    const struct weiri_required_place place
        = { launch->file, launch->line, launch->spelled };
    char *unknown;
    uint32_t size = weiri_required_sub_group(&place, &unknown);
    if (unknown != NULL) {
        g_printerr("weir: %s:%u: kernel '%s' requires sub-groups of '%s' items, which "
                   "is not a number in its source: it runs with %" G_GUINT64_FORMAT
                   ", the size of device '%s'; WEIR_SYCL_DEVICE names another device\n",
                   launch->file, launch->line, name, unknown,
                   weir_device_get(the_device, WEIR_DEVICE_SUB_GROUP_SIZE),
                   weir_device_name(the_device));
    }
    g_free(unknown);
    return size;
}

/* The kernel of an entry, which lives as long as the process. */
static const struct kernel *kernel_of(const struct weiri_sycl_launch *launch)
{
    g_mutex_lock(&mutex);
    if (kernels == NULL) {
        kernels = g_hash_table_new(NULL, NULL);
    }
    struct kernel *kernel
        = g_hash_table_lookup(kernels, (void *)(uintptr_t)launch->fast);
    if (kernel == NULL) {
        char *name = kernel_name(launch);
        kernel = g_new0(struct kernel, 1);
        kernel->public = (struct weir_kernel){ .name = g_intern_string(name),
                                               .file = g_intern_string(launch->file),
                                               .line = launch->line,
                                               .hierarchical = launch->hierarchical,
                                               .language = WEIR_LANGUAGE_SYCL,
                                               .args_bytes = launch->args_bytes,
                                               .fast = launch->fast,
                                               .checked = launch->checked,
                                               .stackless = split_of(launch) };
        kernel->sub_group = required_of(launch, name);
        weiri_symbol_kernel((void (*)(void))launch->fast, name);
        weiri_symbol_kernel(launch->checked_item, name);
        weiri_symbol_header(launch->header);
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

/* Whether the device has sub-groups of the size that the kernel requires; if not, the
 * launch has a message. */
static bool can_run(const struct kernel *kernel, uint32_t size,
                    struct weiri_sycl_launch *launch)
{
    uint64_t sizes = weir_device_get(device(), WEIR_DEVICE_SUB_GROUP_SIZES);
    if (size == 0 || (size < 64 && (sizes >> size & 1) != 0)) {
        return true;
    }
    GString *has = g_string_new(NULL);
    for (uint32_t i = 1; i < 64; i++) {
        if ((sizes >> i & 1) != 0) {
            g_string_append_printf(has, "%s%u", has->len > 0 ? ", " : "", i);
        }
    }
    g_snprintf(
        launch->message, sizeof(launch->message),
        "kernel '%s' requires sub-groups of %u items; device '%s' has sub-groups of %s",
        kernel->public.name, size, weir_device_name(device()), has->str);
    g_string_free(has, TRUE);
    return false;
}

enum weiri_sycl_error weiri_sycl_run(struct weiri_sycl_launch *launch)
{
    (void)device(); /* comes before its kernels */
    const struct kernel *kernel = kernel_of(launch);
    uint32_t sub_group = launch->sub_group != 0 ? launch->sub_group : kernel->sub_group;
    if (!can_run(kernel, sub_group, launch)) {
        return WEIRI_SYCL_NOT_SUPPORTED;
    }
    struct weir_nd_range range = { .dim = launch->dim };
    memcpy(range.global, launch->global, sizeof(range.global));
    memcpy(range.local, launch->local, sizeof(range.local));
    const struct weir_launch_options options = { .sub_group_size = sub_group };
    GError *error = NULL;
    bool ran = weir_launch_sized_with(device(), &kernel->public, range, launch->args,
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
