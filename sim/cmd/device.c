/* SPDX-License-Identifier: MIT
 *
 * device.c: `weir device`: the capabilities of a profile, in SYCL's words where it has
 * them: info::device::atomic_memory_order_capabilities and its sisters.
 *
 * One table has the name of each answer of weir_device_get(), and its kind of number;
 * text and JSON both walk along it. */
#include "config.h"

#include "cli/cli.h"

#include "report/report.h"

static const char SUMMARY[]
    = "Shows what a device profile offers. PROFILE is a built-in name, or the path of\n"
      "a profile file (with a slash, or ending in .profile).";

enum answer { COUNT, BYTES, SIZES, ORDERS, SCOPES, YES_OR_NO };

static const struct {
    enum weir_device_info info;
    const char *name;
    enum answer answer;
} properties[] = {
    { WEIR_DEVICE_MAX_WORK_GROUP_SIZE, "max_work_group_size", COUNT },
    { WEIR_DEVICE_LOCAL_MEM_SIZE, "local_mem_size", BYTES },
    { WEIR_DEVICE_COMPUTE_UNITS, "compute_units", COUNT },
    { WEIR_DEVICE_MAX_RESIDENT_ITEMS, "max_resident_items", COUNT },
    { WEIR_DEVICE_SUB_GROUP_SIZE, "sub_group_size", COUNT },
    { WEIR_DEVICE_SUB_GROUP_SIZES, "sub_group_sizes", SIZES },
    { WEIR_DEVICE_ATOMIC_MEMORY_ORDERS, "atomic_memory_order_capabilities", ORDERS },
    { WEIR_DEVICE_ATOMIC_MEMORY_SCOPES, "atomic_memory_scope_capabilities", SCOPES },
    { WEIR_DEVICE_FENCE_MEMORY_ORDERS, "atomic_fence_order_capabilities", ORDERS },
    { WEIR_DEVICE_FENCE_MEMORY_SCOPES, "atomic_fence_scope_capabilities", SCOPES },
    { WEIR_DEVICE_ATOMIC64, "atomic64", YES_OR_NO },
    { WEIR_DEVICE_WORKERS, "workers", COUNT },
};

/* By the value of the constant, which is the bit's number. */
static const char *const order_names[] = {
    [memory_order_relaxed] = "relaxed", [memory_order_consume] = "consume",
    [memory_order_acquire] = "acquire", [memory_order_release] = "release",
    [memory_order_acq_rel] = "acq_rel", [memory_order_seq_cst] = "seq_cst",
};

static const char *const scope_names[] = {
    [memory_scope_work_item] = "work_item",   [memory_scope_sub_group] = "sub_group",
    [memory_scope_work_group] = "work_group", [memory_scope_device] = "device",
    [memory_scope_system] = "system",
};

/* Returns: (transfer full): the meaning of each bit that is set */
static GStrv bits_to_names(uint64_t bits, enum answer answer)
{
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    for (unsigned bit = 0; bit < 64; bit++) {
        if ((bits >> bit & 1) == 0) {
            continue;
        }
        if (answer == ORDERS && bit < G_N_ELEMENTS(order_names)) {
            g_strv_builder_add(names, order_names[bit]);
        } else if (answer == SCOPES && bit < G_N_ELEMENTS(scope_names)) {
            g_strv_builder_add(names, scope_names[bit]);
        } else {
            g_autofree char *number = g_strdup_printf("%u", bit);
            g_strv_builder_add(names, number);
        }
    }
    return g_strv_builder_end(names);
}

static char *value_to_text(uint64_t value, enum answer answer)
{
    switch (answer) {
    case COUNT:
        return g_strdup_printf("%" PRIu64, value);
    case BYTES:
        return value % 1024 == 0 ? g_strdup_printf(
                   "%" PRIu64 " bytes (%" PRIu64 " KiB)", value, value / 1024)
                                 : g_strdup_printf("%" PRIu64 " bytes", value);
    case YES_OR_NO:
        return g_strdup(value != 0 ? "yes" : "no");
    default: {
        g_auto(GStrv) names = bits_to_names(value, answer);
        return names[0] != NULL ? g_strjoinv(" ", names) : g_strdup("none");
    }
    }
}

static void add_device_text(GString *out, const struct weir_device *device)
{
    g_string_append_printf(out, "%s: %s\n", weir_device_name(device),
                           weir_device_summary(device));
    struct weiri_cli_table *table = weiri_cli_table_new("lll");
    for (size_t i = 0; i < G_N_ELEMENTS(properties); i++) {
        g_autofree char *value = value_to_text(
            weir_device_get(device, properties[i].info), properties[i].answer);
        weiri_cli_table_add(table, "\t%s\t%s", properties[i].name, value);
    }
    weiri_cli_table_take_text(table, out);
}

static bool add_profiles_text(GString *out, GError **error)
{
    struct weiri_cli_table *table = weiri_cli_table_new("lll");
    const char *const *names = weir_device_profiles();
    bool fine = true;
    for (size_t i = 0; fine && names[i] != NULL; i++) {
        struct weir_device *device = weir_device_new(names[i], error);
        fine = device != NULL;
        weiri_cli_table_add(table, "\t%s\t%s", names[i],
                            fine ? weir_device_summary(device) : "");
        weir_device_free(device);
    }
    g_string_append(out, "Built-in profiles:\n");
    weiri_cli_table_take_text(table, out);
    g_string_append_c(out, '\n');
    return fine;
}

/* {name, summary, profiles, …}: what is a set of bits elsewhere is an array here,
 * of numbers for sub_group_sizes and of names for orders and scopes. */
static char *to_json(const struct weir_device *device)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_object(builder);
    weiri_json_text(builder, "name", weir_device_name(device));
    weiri_json_text(builder, "summary", weir_device_summary(device));
    for (size_t i = 0; i < G_N_ELEMENTS(properties); i++) {
        const char *name = properties[i].name;
        enum answer answer = properties[i].answer;
        uint64_t value = weir_device_get(device, properties[i].info);
        if (answer == COUNT || answer == BYTES) {
            weiri_json_int(builder, name, value);
            continue;
        }
        if (answer == YES_OR_NO) {
            weiri_json_bool(builder, name, value != 0);
            continue;
        }
        g_auto(GStrv) names = bits_to_names(value, answer);
        if (answer != SIZES) {
            weiri_json_texts(builder, name, (const char *const *)names);
            continue;
        }
        weiri_json_array(builder, name);
        for (size_t j = 0; names[j] != NULL; j++) {
            weiri_json_int(builder, NULL,
                           (uint64_t)g_ascii_strtoll(names[j], NULL, 10));
        }
        json_builder_end_array(builder);
    }
    weiri_json_texts(builder, "profiles", weir_device_profiles());
    json_builder_end_object(builder);
    return weiri_json_take(builder);
}

int weiri_cli_device(int argc, char **argv)
{
    gboolean json = FALSE;
    const GOptionEntry entries[] = {
        WEIRI_CLI_JSON(&json),
        { 0 },
    };
    int status;
    if (!weiri_cli_parse(entries, "[PROFILE]", SUMMARY, NULL, &argc, &argv, &status)) {
        return status;
    }
    if (argc > 2) {
        return weiri_cli_complain("it takes one profile, but '%s' is given too",
                                  argv[2]);
    }
    GError *error = NULL;
    struct weir_device *device
        = weir_device_new(argc > 1 ? argv[1] : "default", &error);
    if (device == NULL) {
        return weiri_cli_take_error(error);
    }
    char *text = NULL;
    if (json) {
        text = to_json(device);
    } else {
        GString *out = g_string_new(NULL);
        if (argc > 1 || add_profiles_text(out, &error)) {
            add_device_text(out, device);
        }
        text = g_string_free(out, FALSE);
    }
    weir_device_free(device);
    if (error != NULL) {
        g_free(text);
        return weiri_cli_take_error(error);
    }
    return weiri_cli_finish(text, WEIRI_CLI_CLEAN);
}
