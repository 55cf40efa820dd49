/* SPDX-License-Identifier: MIT
 *
 * device.c: profiles, which are key files, and queries of devices.
 *
 * One table describes every key: how it is read and which member it sets. A profile
 * must have all of them and no other, so that a misspelt key is an error and not a
 * silent default. */
#include "config.h"

#include "exec/device.h"

#include "exec/event.h"
#include "finding/names.h"

#include <string.h>
#include <unistd.h>

/* ThreadSanitizer's own runtime: Weir implements the hooks that it would. */
extern int __tsan_get_report_data(void) __attribute__((weak));

/* ---- Reading a profile --------------------------------------------------- */

enum key_type { TEXT, NUMBER, SIZES, ORDERS, SCOPES, BOOLEAN };

static const struct key {
    const char *name;
    enum key_type type;
    size_t offset;
    uint64_t least, most; /* of a NUMBER, or of each of SIZES */
} keys[] = {
#define AT(field) offsetof(struct weir_device, field)
    { "summary", TEXT, AT(summary), 0, 0 },
    { "max_work_group_size", NUMBER, AT(max_work_group_size), 1, 4096 },
    { "local_mem_size", NUMBER, AT(local_mem_size), 1, 1 << 30 },
    { "compute_units", NUMBER, AT(compute_units), 1, 65536 },
    { "sub_group_sizes", SIZES, AT(sub_group_sizes), 1, 32 },
    { "sub_group_size", NUMBER, AT(sub_group_size), 1, 32 },
    { "atomic_orders", ORDERS, AT(atomic_orders), 0, 0 },
    { "atomic_scopes", SCOPES, AT(atomic_scopes), 0, 0 },
    { "fence_orders", ORDERS, AT(fence_orders), 0, 0 },
    { "fence_scopes", SCOPES, AT(fence_scopes), 0, 0 },
    { "atomic64", BOOLEAN, AT(atomic64), 0, 0 },
#undef AT
};

static bool parse_number(const char *text, const struct key *key, uint64_t *number)
{
    guint64 value;
    if (!g_ascii_string_to_unsigned(text, 10, key->least, key->most, &value, NULL)
        || (key->type == SIZES && (value & (value - 1)) != 0)) {
        return false;
    }
    *number = value;
    return true;
}

static const char *boolean_name(unsigned number)
{
    return number != 0 ? "true" : "false";
}

static bool parse_name(const char *text, const char *(*name_of)(unsigned), unsigned n,
                       uint64_t *number)
{
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(text, name_of(i)) == 0) {
            *number = i;
            return true;
        }
    }
    return false;
}

static bool parse_element(const char *text, const struct key *key, uint64_t *number)
{
    switch (key->type) {
    case ORDERS:
        return parse_name(text, weiri_order_name, memory_order_seq_cst + 1, number);
    case SCOPES:
        return parse_name(text, weiri_scope_name, memory_scope_system + 1, number);
    case BOOLEAN:
        return parse_name(text, boolean_name, 2, number);
    default:
        return parse_number(text, key, number);
    }
}

static char *expectation(const struct key *key)
{
    switch (key->type) {
    case ORDERS:
        return g_strdup("names out of relaxed, acquire, release, acq_rel, seq_cst");
    case SCOPES:
        return g_strdup(
            "names out of work_item, sub_group, work_group, device, system");
    case BOOLEAN:
        return g_strdup("true or false");
    default:
        return g_strdup_printf("%s from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                               key->type == SIZES ? "powers of two" : "a number",
                               key->least, key->most);
    }
}

static bool refuse_value(const struct key *key, const char *value, const char *where,
                         GError **error)
{
    g_autofree char *expected = expectation(key);
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_PROFILE, "%s: %s = %s: expected %s",
                where, key->name, value, expected);
    return false;
}

static bool read_key(struct weir_device *device, GKeyFile *file, const struct key *key,
                     const char *where, GError **error)
{
    void *field = (char *)device + key->offset;
    g_autofree char *value = g_key_file_get_string(file, "device", key->name, NULL);
    if (value == NULL) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_PROFILE,
                    "%s: key '%s' is missing in [device]", where, key->name);
        return false;
    }
    if (key->type == TEXT) {
        *(char **)field = g_steal_pointer(&value);
        return true;
    }
    uint64_t number;
    if (key->type == NUMBER || key->type == BOOLEAN) {
        if (!parse_element(g_strstrip(value), key, &number)) {
            return refuse_value(key, value, where, error);
        }
        *(uint64_t *)field = number;
        return true;
    }
    g_auto(GStrv) elements = g_strsplit(value, ";", -1);
    uint64_t set = 0;
    for (char **element = elements; *element != NULL; element++) {
        if (element != elements && **element == '\0' && element[1] == NULL) {
            break; /* a final semicolon */
        }
        if (!parse_element(g_strstrip(*element), key, &number)) {
            return refuse_value(key, value, where, error);
        }
        set |= (uint64_t)1 << number;
    }
    *(uint64_t *)field = set;
    return true;
}

static bool refuse_unknown_keys(GKeyFile *file, const char *where, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
    for (char **group = groups; *group != NULL; group++) {
        if (strcmp(*group, "device") != 0) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_PROFILE,
                        "%s: unknown group [%s]: a profile has [device] only", where,
                        *group);
            return false;
        }
    }
    g_auto(GStrv) names = g_key_file_get_keys(file, "device", NULL, NULL);
    for (char **name = names; name != NULL && *name != NULL; name++) {
        bool known = false;
        for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
            known |= strcmp(*name, keys[i].name) == 0;
        }
        if (!known) {
            g_autofree char *value = g_key_file_get_value(file, "device", *name, NULL);
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_PROFILE,
                        "%s: unknown key '%s' = %s in [device]", where, *name,
                        value == NULL ? "" : value);
            return false;
        }
    }
    return true;
}

static bool read_profile(struct weir_device *device, const char *text, gsize length,
                         const char *where, GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) cause = NULL;
    if (!g_key_file_load_from_data(file, text, length, G_KEY_FILE_NONE, &cause)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_PROFILE, "%s: %s", where,
                    cause->message);
        return false;
    }
    if (!refuse_unknown_keys(file, where, error)) {
        return false;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (!read_key(device, file, &keys[i], where, error)) {
            return false;
        }
    }
    if ((device->sub_group_sizes >> device->sub_group_size & 1) == 0) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_PROFILE,
                    "%s: sub_group_size = %" G_GUINT64_FORMAT
                    " is not among sub_group_sizes",
                    where, device->sub_group_size);
        return false;
    }
    return true;
}

/* A name with a slash or ending in .profile is a file; any other is built in. */
static bool find_profile(struct weir_device *device, const char *profile,
                         GError **error)
{
    if (strchr(profile, '/') != NULL || g_str_has_suffix(profile, ".profile")) {
        g_autofree char *text = NULL;
        gsize length;
        g_autoptr(GError) cause = NULL;
        if (!g_file_get_contents(profile, &text, &length, &cause)) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_PROFILE, "device profile: %s",
                        cause->message);
            return false;
        }
        return read_profile(device, text, length, profile, error);
    }
    g_autoptr(GString) names = g_string_new(NULL);
    for (const struct weiri_profile_source *source = weiri_profile_sources;
         source->name != NULL; source++) {
        if (strcmp(source->name, profile) == 0) {
            return read_profile(device, source->text, strlen(source->text), profile,
                                error);
        }
        g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", source->name);
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_PROFILE,
                "unknown device profile '%s': give one of %s, or the path of a file",
                profile, names->str);
    return false;
}

/* ---- Public -------------------------------------------------------------- */

struct weir_device *weiri_device_new(const char *profile, GError **error)
{
    g_return_val_if_fail(profile != NULL, NULL);
    if (__tsan_get_report_data != NULL) {
        g_set_error(
            error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
            "ThreadSanitizer's runtime is linked into this program: compile with "
            "weir-cc and link without -fsanitize=thread");
        return NULL;
    }
    struct weir_device *device = g_new0(struct weir_device, 1);
    pthread_mutex_init(&device->lock, NULL);
    device->name = g_strdup(profile);
    if (!find_profile(device, profile, error)) {
        weiri_device_free(device);
        return NULL;
    }
    return device;
}

void weiri_device_free(struct weir_device *device)
{
    pthread_mutex_destroy(&device->lock);
    g_free(device->summary);
    g_free(device->name);
    g_free(device);
}

/* Looked up once: the C library reads a file for it, which takes longer than a
 * launch. */
static uint64_t default_workers(void)
{
    static gsize workers;
    if (g_once_init_enter(&workers)) {
        long n = sysconf(_SC_NPROCESSORS_ONLN);
        g_once_init_leave(&workers, (gsize)CLAMP(n, 1, WEIRI_MAX_WORKERS));
    }
    return workers;
}

uint64_t weir_device_get(const struct weir_device *device, enum weir_device_info info)
{
    g_return_val_if_fail(device != NULL, 0);
    switch (info) {
    case WEIR_DEVICE_MAX_WORK_GROUP_SIZE:
        return device->max_work_group_size;
    case WEIR_DEVICE_LOCAL_MEM_SIZE:
        return device->local_mem_size;
    case WEIR_DEVICE_COMPUTE_UNITS:
        return device->compute_units;
    case WEIR_DEVICE_SUB_GROUP_SIZE:
        return device->sub_group_size;
    case WEIR_DEVICE_SUB_GROUP_SIZES:
        return device->sub_group_sizes;
    case WEIR_DEVICE_ATOMIC_MEMORY_ORDERS:
        return device->atomic_orders;
    case WEIR_DEVICE_ATOMIC_MEMORY_SCOPES:
        return device->atomic_scopes;
    case WEIR_DEVICE_FENCE_MEMORY_ORDERS:
        return device->fence_orders;
    case WEIR_DEVICE_FENCE_MEMORY_SCOPES:
        return device->fence_scopes;
    case WEIR_DEVICE_ATOMIC64:
        return device->atomic64;
    case WEIR_DEVICE_MAX_RESIDENT_ITEMS:
        return WEIRI_MAX_RESIDENT_ITEMS;
    case WEIR_DEVICE_WORKERS:
        return default_workers();
    }
    g_return_val_if_reached(0);
}

const char *weir_device_name(const struct weir_device *device)
{
    g_return_val_if_fail(device != NULL, NULL);
    return device->name;
}

const char *weir_device_summary(const struct weir_device *device)
{
    g_return_val_if_fail(device != NULL, NULL);
    return device->summary;
}

const char *const *weir_device_profiles(void)
{
    static const char **names;
    if (g_once_init_enter(&names)) {
        GPtrArray *array = g_ptr_array_new();
        for (const struct weiri_profile_source *source = weiri_profile_sources;
             source->name != NULL; source++) {
            g_ptr_array_add(array, (void *)source->name);
        }
        g_ptr_array_add(array, NULL);
        g_once_init_leave(&names, (const char **)g_ptr_array_free(array, FALSE));
    }
    return names;
}

/* ---- Enforcement --------------------------------------------------------- */

/* Consume counts as acquire. */
static uint64_t order_bit(memory_order order)
{
    return (uint64_t)1 << (order == memory_order_consume ? memory_order_acquire
                                                         : order);
}

enum {
    ALL_ORDERS = 1 << memory_order_relaxed | 1 << memory_order_acquire
        | 1 << memory_order_release | 1 << memory_order_acq_rel
        | 1 << memory_order_seq_cst,
    ALL_SCOPES = (1 << (memory_scope_system + 1)) - 1,
};

bool weiri_device_unrestricted(const struct weir_device *device)
{
    return (device->atomic_orders & ALL_ORDERS) == ALL_ORDERS
        && (device->fence_orders & ALL_ORDERS) == ALL_ORDERS
        && (device->atomic_scopes & ALL_SCOPES) == ALL_SCOPES
        && (device->fence_scopes & ALL_SCOPES) == ALL_SCOPES && device->atomic64;
}

static char *lacking(const char *what, unsigned number, const char *of, uint64_t set,
                     enum weir_language language,
                     const char *(*text_of)(enum weir_language, unsigned))
{
    g_autoptr(GString) has = g_string_new(NULL);
    for (unsigned i = 0; i < 8; i++) {
        if (set >> i & 1) {
            g_string_append_printf(has, "%s%s", has->len > 0 ? ", " : "",
                                   text_of(language, i));
        }
    }
    return g_strdup_printf("%s %s of %s (it has %s)", what, text_of(language, number),
                           of, has->str);
}

char *weiri_device_objection(const struct weir_device *device,
                             enum weir_language language,
                             const struct weiri_atomic_op *op)
{
    bool fence = op->kind == WEIRI_ATOMIC_FENCE;
    const char *of = fence ? "fences" : "atomics";
    uint64_t orders = fence ? device->fence_orders : device->atomic_orders;
    uint64_t scopes = fence ? device->fence_scopes : device->atomic_scopes;
    if (op->legal && (orders & order_bit(op->order)) == 0) {
        return lacking("order", op->order, of, orders, language, weiri_order_text);
    }
    if (op->legal && (orders & order_bit(op->failure)) == 0) {
        return lacking("order", op->failure, of, orders, language, weiri_order_text);
    }
    if ((unsigned)op->scope > memory_scope_system || (scopes >> op->scope & 1) == 0) {
        return lacking("scope", op->scope, of, scopes, language, weiri_scope_text);
    }
    if (op->bytes == 8 && !device->atomic64) {
        return g_strdup("64-bit atomics");
    }
    return NULL;
}
