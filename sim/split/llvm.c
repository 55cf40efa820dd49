/* SPDX-License-Identifier: MIT
 *
 * llvm.c: see llvm.h.
 *
 * The library must be of the same version as the clang whose bitcode it reads: an older
 * one does not know the format, and another one optimises differently. A folder beside
 * clang comes first, then the loader's own search, by names that each belong to one
 * version.
 */
#include "config.h"

#include "split/llvm.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/utsname.h>

struct weiri_llvm llvm;

static void *library;

/* Names of the library of a version, in Debian, Fedora and LLVM's own builds. */
static char *name_of(unsigned version, unsigned n)
{
    switch (n) {
    case 0:
        return g_strdup_printf("libLLVM-%u.so.1", version);
    case 1:
        return g_strdup_printf("libLLVM.so.%u.1", version);
    case 2:
        return g_strdup_printf("libLLVM-%u.so", version);
    default:
        return NULL;
    }
}

/* @folder: NULL: where the loader looks */
static void *open_in(const char *folder, unsigned version)
{
    for (unsigned n = 0;; n++) {
        g_autofree char *name = name_of(version, n);
        if (name == NULL) {
            return NULL;
        }
        g_autofree char *path
            = folder == NULL ? g_strdup(name) : g_build_filename(folder, name, NULL);
        void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (opened != NULL) {
            return opened;
        }
    }
}

/* Debian has the libraries of /usr/lib/llvm-N in /usr/lib/MACHINE-linux-gnu. */
static void *open_near(const char *libraries, unsigned version)
{
    struct utsname machine;
    g_autofree char *debian = uname(&machine) != 0
        ? g_strdup(libraries)
        : g_strdup_printf("%s/../../%s-linux-gnu", libraries, machine.machine);
    g_autofree char *above = g_build_filename(libraries, "..", "..", NULL);
    const char *const folders[] = { libraries, debian, above, NULL };
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
        void *opened = open_in(folders[i], version);
        if (opened != NULL) {
            return opened;
        }
    }
    return NULL;
}

static void (*find(const char *name))(void)
{
    void *found = dlsym(library, name);
    void (*function)(void);
    memcpy(&function, &found, sizeof(function)); /* POSIX: both are alike */
    return function;
}

/* Returns: the name of the first required function that the library lacks, or NULL */
static const char *fill(void)
{
    const char *missing = NULL;
#define WEIRI_FIND(result, name, parameters)                                           \
    llvm.name = (result(*) parameters)find("LLVM" #name);
#define WEIRI_REQUIRE(result, name, parameters)                                        \
    WEIRI_FIND(result, name, parameters)                                               \
    missing = llvm.name == NULL ? "LLVM" #name : missing;
    WEIRI_LLVM_REQUIRED(WEIRI_REQUIRE)
    WEIRI_LLVM_OPTIONAL(WEIRI_FIND)
#undef WEIRI_REQUIRE
#undef WEIRI_FIND
    return missing;
}

bool weiri_llvm_open(const char *libraries, unsigned version, char **why)
{
    library = open_near(libraries, version);
    if (library == NULL) {
        *why = g_strdup_printf("no libLLVM of version %u: install libllvm%u", version,
                               version);
        return false;
    }
    const char *missing = fill();
    if (missing != NULL) {
        *why = g_strdup_printf("libLLVM of version %u has no %s", version, missing);
        return false;
    }
    unsigned major = version, minor, patch;
    if (llvm.GetVersion != NULL) {
        llvm.GetVersion(&major, &minor, &patch);
    }
    if (major != version) {
        *why = g_strdup_printf("libLLVM is of version %u, and clang of version %u",
                               major, version);
        return false;
    }
    return true;
}

/* ---- Targets -------------------------------------------------------------- */

/* The beginning of a triple, and what LLVM calls its code generator. */
static const struct {
    const char *triple;
    const char *name;
} targets[] = {
    { "x86_64-", "X86" },       { "i386-", "X86" },      { "i686-", "X86" },
    { "aarch64-", "AArch64" },  { "arm", "ARM" },        { "riscv64-", "RISCV" },
    { "powerpc64", "PowerPC" }, { "s390x-", "SystemZ" }, { "loongarch64-", "LoongArch" }
};

bool weiri_llvm_start_target(const char *triple)
{
    static const char *const parts[]
        = { "TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser" };
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        if (!g_str_has_prefix(triple, targets[i].triple)) {
            continue;
        }
        for (size_t k = 0; k < G_N_ELEMENTS(parts); k++) {
            g_autofree char *name
                = g_strconcat("LLVMInitialize", targets[i].name, parts[k], NULL);
            void (*start)(void) = find(name);
            if (start == NULL) {
                return false;
            }
            start();
        }
        return true;
    }
    return false;
}
