/* SPDX-License-Identifier: MIT
 *
 * doctor-tools.c: the probes of `weir doctor` for other programs: gdb, patch, mpirun
 * and an OpenCL platform. */
#include "config.h"

#include "doctor/doctor.h"

#include "engine/gdb.h"

#include <string.h>
#include <unistd.h>

static struct weiri_doctor_finding no_program(const char *name, const char *package)
{
    return weiri_doctor_missing(g_strdup_printf("%s is not in PATH", name),
                                g_strdup_printf("apt-get install %s", package));
}

static bool is_in_path(const char *name)
{
    g_autofree char *path = g_find_program_in_path(name);
    return path != NULL;
}

/* ---- gdb ------------------------------------------------------------------------- */

static const char HELP[] = "for one work-item"; /* of the script's command break-item */

/* Whether gdb loads the script of a program by itself, and if not, how it would. */
static struct weiri_doctor_finding try_autoload(struct weiri_doctor *doctor,
                                                const char *program)
{
    weiri_doctor_try(doctor, "gdb", "-q", "-batch", "-ex", "help break-item", program,
                     NULL);
    if (strstr(doctor->output, HELP) != NULL) {
        return weiri_doctor_ok(g_strdup("it ran a program and loaded its script"));
    }
    /* warning: File "/usr/share/…/weir-gdb.py" auto-loading has been declined by … */
    const char *quote
        = strstr(doctor->said, "declined") != NULL ? strchr(doctor->said, '"') : NULL;
    g_autofree char *file
        = quote != NULL ? g_strndup(quote + 1, strcspn(quote + 1, "\"")) : NULL;
    return weiri_doctor_limited(
        g_strdup("it ran a program; it does not load the script of Weir by itself"),
        file != NULL
            ? g_strdup_printf("add-auto-load-safe-path %s, in ~/.config/gdb/gdbinit",
                              file)
            : g_strdup("install Weir, or type 'source sim/gdb/weir-gdb.py' in gdb"));
}

static struct weiri_doctor_finding try_gdb(struct weiri_doctor *doctor)
{
    struct weiri_doctor_finding finding;
    if (!is_in_path("gdb")) {
        return no_program("gdb", "gdb");
    }
    if (!weiri_doctor_has_program(doctor, &finding)) {
        return finding;
    }
    g_autofree char *script = weiri_doctor_file(doctor, "weir-gdb.py");
    g_autofree char *program = weiri_doctor_file(doctor, "program");
    g_autofree char *source = g_strdup_printf("source %s", script);
    if (!g_file_set_contents(script, weiri_cli_gdb_script, -1, NULL)) {
        return weiri_doctor_missing(g_strdup_printf("%s cannot be written", script),
                                    g_strdup("set TMPDIR to a folder with space"));
    }
    weiri_doctor_try(doctor, "gdb", "-nx", "-q", "-batch", "-ex", source, "-ex",
                     "help break-item", "-ex", "run", "--args", program, NULL);
    if (strstr(doctor->output, HELP) == NULL) {
        return weiri_doctor_missing(g_strdup("it does not run scripts of Python"),
                                    g_strdup("apt-get install gdb (not gdb-minimal)"));
    }
    if (strstr(doctor->output, "7 6 5 4 3 2 1 0") == NULL) {
        return weiri_doctor_missing(
            g_strdup("it cannot run a program"),
            g_strdup("allow ptrace (docker run --cap-add=SYS_PTRACE)"));
    }
    return try_autoload(doctor, program);
}

/* ---- patch ----------------------------------------------------------------------- */

static struct weiri_doctor_finding try_patch(struct weiri_doctor *doctor)
{
    static const char diff[] = "--- a/text\n+++ b/text\n@@ -1 +1 @@\n-old\n+new\n";
    if (!is_in_path("patch")) {
        return no_program("patch", "patch");
    }
    g_autofree char *text = weiri_doctor_file(doctor, "text");
    g_autofree char *changes = weiri_doctor_file(doctor, "diff");
    g_autofree char *result = NULL;
    if (!g_file_set_contents(text, "old\n", -1, NULL)
        || !g_file_set_contents(changes, diff, -1, NULL)
        || weiri_doctor_try(doctor, "patch", "-s", "-p1", text, changes, NULL) != 0
        || !g_file_get_contents(text, &result, NULL, NULL)
        || strcmp(result, "new\n") != 0) {
        return weiri_doctor_why(doctor, "apt-get install patch");
    }
    return weiri_doctor_ok(g_strdup("it applied a diff"));
}

/* ---- Ranks ----------------------------------------------------------------------- */

#ifdef HAVE_MPI
static struct weiri_doctor_finding try_ranks(struct weiri_doctor *doctor)
{
    if (!is_in_path("mpirun")) {
        return no_program("mpirun", "openmpi-bin");
    }
    if (weiri_doctor_try(doctor, "mpirun", "-n", "2", doctor->own, "explore",
                         "reduce_last_group", "--local", "1", "--n", "2", NULL)
        == 0) {
        return weiri_doctor_ok(g_strdup("two ranks explored a kernel"));
    }
    if (strstr(doctor->said, "as root") != NULL) {
        return weiri_doctor_limited(g_strdup("mpirun refuses to run as root"),
                                    g_strdup("export OMPI_ALLOW_RUN_AS_ROOT=1 "
                                             "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"));
    }
    if (strstr(doctor->said, "not enough slots") != NULL) {
        return weiri_doctor_limited(g_strdup("this machine has no slots for two ranks"),
                                    g_strdup("mpirun --oversubscribe"));
    }
    return weiri_doctor_why(doctor, "apt-get install openmpi-bin");
}
#else
static struct weiri_doctor_finding try_ranks(struct weiri_doctor *doctor)
{
    (void)doctor;
    return weiri_doctor_missing(
        g_strdup("Weir was built without MPI"),
        g_strdup("apt-get install libopenmpi-dev openmpi-bin; configure --with-mpi"));
}
#endif

/* ---- OpenCL ---------------------------------------------------------------------- */

static const char OPENCL[]
    = "#define CL_TARGET_OPENCL_VERSION 120\n"
      "#include <CL/cl.h>\n"
      "#include <stdio.h>\n"
      "int main(void)\n"
      "{\n"
      "    cl_platform_id platforms[8];\n"
      "    cl_uint n = 0;\n"
      "    char name[200] = \"\";\n"
      "    if (clGetPlatformIDs(8, platforms, &n) != CL_SUCCESS || n == 0) {\n"
      "        return 3;\n"
      "    }\n"
      "    clGetPlatformInfo(platforms[0], CL_PLATFORM_NAME, sizeof(name), name, 0);\n"
      "    puts(name);\n"
      "    return 0;\n"
      "}\n";

static const char KERNEL[]
    = "kernel void opencl(global int *a) { a[get_global_id(0)] = 7; }\n";

/* A kernel in OpenCL C, with a cache of its own: what was built before would be found
 * though a tool is gone. Returns: whether it runs */
static bool has_kernels(struct weiri_doctor *doctor)
{
    g_autofree char *source = weiri_doctor_file(doctor, "opencl.cl");
    g_autofree char *cache = g_strdup_printf("WEIR_CACHE_DIR=%s", doctor->folder);
    g_file_set_contents(source, KERNEL, -1, NULL);
    return weiri_doctor_try(doctor, "env", cache, doctor->own, "run", source,
                            "--global", "4", "--local", "2", "--arg", "int[4]", NULL)
        == 0;
}

/* Returns: (transfer full) */
static char *remedy_of_kernels(const char *said)
{
    static const char library[] = "no libLLVM of version ";
    const char *version = strstr(said, library);
    if (version != NULL) {
        return g_strdup_printf("apt-get install libllvm%.*s",
                               (int)strspn(version + strlen(library), "0123456789"),
                               version + strlen(library));
    }
    return g_strdup(strstr(said, "no libclc") != NULL ? "apt-get install libclc-14"
                        : strstr(said, "no program") != NULL
                        ? "make install"
                        : "apt-get install clang libclc-14");
}

static struct weiri_doctor_finding try_opencl(struct weiri_doctor *doctor)
{
    if (!has_kernels(doctor)) {
        return weiri_doctor_missing(weiri_doctor_reason(doctor),
                                    remedy_of_kernels(doctor->said));
    }
    g_autofree char *source = weiri_doctor_file(doctor, "platform.c");
    g_autofree char *program = weiri_doctor_file(doctor, "platform");
    const char *cc = g_getenv("CC");
    g_file_set_contents(source, OPENCL, -1, NULL);
    /* The shell splits CC, which may be a command with arguments. */
    if (weiri_doctor_try(doctor, "/bin/sh", "-c", "$0 \"$1\" -o \"$2\" -lOpenCL",
                         cc != NULL && cc[0] != '\0' ? cc : "cc", source, program, NULL)
        != 0) {
        return weiri_doctor_why(doctor,
                                "apt-get install opencl-headers ocl-icd-opencl-dev");
    }
    if (weiri_doctor_try(doctor, program, NULL) != 0) {
        return weiri_doctor_missing(g_strdup("OpenCL has no platform"),
                                    g_strdup("apt-get install pocl-opencl-icd"));
    }
    g_strchomp(doctor->output);
    return weiri_doctor_ok(g_strdup_printf("platform %s", doctor->output));
}

const struct weiri_doctor_feature weiri_doctor_tools[] = {
    { "gdb", "weir replay --gdb, and work-items in gdb", false, try_gdb },
    { "patch", "the diffs of --patch", false, try_patch },
    { "ranks", "mpirun weir check, mpirun weir explore", false, try_ranks },
    { "opencl", "kernels in OpenCL C; make bench-peers in the sources", false,
      try_opencl },
    { 0 },
};
