/* SPDX-License-Identifier: MIT
 *
 * doctor-machine.c: the probes of `weir doctor` for the machine itself: whether kernels
 * run, how many items may wait at once, how many processors there are, and whether
 * programs can be started from the temporary folder. */
#include "config.h"

#include "doctor/doctor.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static struct weiri_doctor_finding try_kernels(struct weiri_doctor *doctor)
{
    static const char *const remedy = "report the line as a bug of Weir";
    if (weiri_doctor_try(doctor, doctor->own, "run", "reduce_tree", "--n", "1000",
                         "--local", "64", "--workers", "1", NULL)
            != 0
        || weiri_doctor_try(doctor, doctor->own, "check", "--runs", "2", "--n", "64",
                            "--local", "8", "reduce_last_group", NULL)
            != 0) {
        return weiri_doctor_why(doctor, remedy);
    }
    return weiri_doctor_ok(
        g_strdup("reduce_tree ran and reduce_last_group was checked: correct"));
}

/* The first number in a file of the system, or 0. */
static uint64_t number_in(const char *path)
{
    g_autofree char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL)
        ? g_ascii_strtoull(text, NULL, 10)
        : 0;
}

/* As many items as wait at once in a checked launch on the default device. */
static struct weiri_doctor_finding try_stacks(struct weiri_doctor *doctor)
{
    /* A stack and its guard are two maps; the process itself has some hundred. */
    enum { ITEMS = 16384, MAPS = 2 * ITEMS + 500 };
    int status
        = weiri_doctor_try(doctor, doctor->own, "check", "reduce_tree", "--n", "16384",
                           "--local", "1024", "--schedule", "round-robin", NULL);
    if (status == 0) {
        return weiri_doctor_ok(g_strdup_printf("%d items waited at a barrier", ITEMS));
    }
    struct weiri_doctor_finding why = weiri_doctor_why(doctor, "give smaller groups");
    why.state = WEIRI_DOCTOR_LIMITED;
    struct rlimit limit;
    char *remedy = NULL;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        remedy = g_strdup_printf("ulimit -v unlimited (the limit is %" PRIu64 " MiB)",
                                 (uint64_t)limit.rlim_cur >> 20);
    } else if (number_in("/proc/sys/vm/max_map_count") < MAPS) {
        remedy = g_strdup_printf("sysctl vm.max_map_count=65530 (it is %" PRIu64 ")",
                                 number_in("/proc/sys/vm/max_map_count"));
    } else if (number_in("/proc/sys/vm/overcommit_memory") == 2) {
        remedy = g_strdup("sysctl vm.overcommit_memory=0 (it is 2)");
    }
    if (remedy != NULL) {
        g_free(why.remedy);
        why.remedy = remedy;
    }
    return why;
}

/* The processors that the control group of this process grants, or 0 for no limit. */
static double granted_processors(void)
{
    g_autofree char *groups = NULL;
    if (!g_file_get_contents("/proc/self/cgroup", &groups, NULL, NULL)) {
        return 0;
    }
    const char *own = strstr(groups, "0::/");
    g_autofree char *at
        = own != NULL ? g_strndup(own + 3, strcspn(own + 3, "\n")) : g_strdup("/");
    double granted = 0;
    /* Each folder of the path can have a limit. */
    for (;;) {
        g_autofree char *path = g_strdup_printf("/sys/fs/cgroup%s/cpu.max", at);
        g_autofree char *text = NULL;
        double quota, period;
        if (g_file_get_contents(path, &text, NULL, NULL)
            && sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0) {
            granted = granted > 0 ? MIN(granted, quota / period) : quota / period;
        }
        char *slash = strrchr(at, '/');
        if (slash == NULL) {
            return granted;
        }
        *slash = '\0';
    }
}

static struct weiri_doctor_finding try_processors(struct weiri_doctor *doctor)
{
    (void)doctor;
    unsigned n = g_get_num_processors();
    double granted = granted_processors();
    if (granted > 0 && granted < n) {
        return weiri_doctor_limited(
            g_strdup_printf("%u, of which the control group grants %.3g", n, granted),
            g_strdup_printf("weir run --workers %u", MAX((unsigned)granted, 1)));
    }
    if (n == 1) {
        return weiri_doctor_limited(g_strdup("1: groups run one after another"),
                                    g_strdup("allow more (taskset, docker --cpus)"));
    }
    return weiri_doctor_ok(g_strdup_printf("%u", n));
}

static struct weiri_doctor_finding try_temporary(struct weiri_doctor *doctor)
{
    g_autofree char *path = weiri_doctor_file(doctor, "script");
    g_autoptr(GError) error = NULL;
    const char *remedy = "set TMPDIR to a folder with space from which programs may "
                         "run";
    if (!g_file_set_contents_full(path, "#!/bin/sh\necho runs\n", -1,
                                  G_FILE_SET_CONTENTS_NONE, 0700, &error)) {
        return weiri_doctor_missing(g_strdup(error->message), g_strdup(remedy));
    }
    if (weiri_doctor_try(doctor, path, NULL) != 0
        || strcmp(doctor->output, "runs\n") != 0) {
        return weiri_doctor_missing(
            g_strdup_printf("%s: programs there cannot be started", g_get_tmp_dir()),
            g_strdup(remedy));
    }
    return weiri_doctor_ok(g_strdup_printf("%s: a program ran there", g_get_tmp_dir()));
}

const struct weiri_doctor_feature weiri_doctor_machine[] = {
    { "kernels", "weir run, weir bench, weir check of the built-in kernels", true,
      try_kernels },
    { "stacks", "groups of 1024 items that wait, 16 of them at once", false,
      try_stacks },
    { "processors", "workers that run groups at the same time", false, try_processors },
    { "temporary", "weir-cc, and everything that starts programs", true,
      try_temporary },
    { 0 },
};
