/* SPDX-License-Identifier: MIT
 *
 * statics.c: see statics.h. The program comes first in the loader's list of objects.
 * Data of libraries is left out: every allocation changes it. */
#include "config.h"

#include "base/statics.h"

#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* Where the linker puts the variables marked WEIRI_NO_STATIC. */
extern const char excluded_start[] __asm__("__start_weiri_no_static")
    __attribute__((weak));
extern const char excluded_end[] __asm__("__stop_weiri_no_static")
    __attribute__((weak));

/* Addresses in shared objects of kernels. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static GArray *included WEIRI_NO_STATIC;
static _Atomic unsigned n_excluded WEIRI_NO_STATIC;

struct each {
    void (*add)(const char *start, const char *end, void *data);
    void *data;
    unsigned n; /* objects so far */
};

/* Whether one of the addresses is in the object. */
static bool is_included(const struct dl_phdr_info *object)
{
    for (guint k = 0; included != NULL && k < included->len; k++) {
        uintptr_t address = g_array_index(included, uintptr_t, k);
        for (unsigned i = 0; i < object->dlpi_phnum; i++) {
            const ElfW(Phdr) *part = &object->dlpi_phdr[i];
            if (part->p_type == PT_LOAD
                && address - (object->dlpi_addr + part->p_vaddr) < part->p_memsz) {
                return true;
            }
        }
    }
    return false;
}

static int visit_object(struct dl_phdr_info *program, size_t bytes, void *data)
{
    (void)bytes;
    struct each *each = data;
    if (each->n++ > 0 && !is_included(program)) {
        return 0;
    }
    for (unsigned i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) == 0) {
            continue;
        }
        const char *start = (const char *)(program->dlpi_addr + part->p_vaddr);
        const char *end = start + part->p_memsz;
        if (excluded_start >= start && excluded_start < end) {
            each->add(start, excluded_start, each->data);
            start = excluded_end;
        }
        each->add(start, end, each->data);
    }
    return 0;
}

void weiri_statics_include(const void *inside)
{
    uintptr_t address = (uintptr_t)inside;
    pthread_mutex_lock(&mutex);
    if (included == NULL) {
        included = g_array_new(FALSE, FALSE, sizeof(uintptr_t));
    }
    g_array_append_val(included, address);
    pthread_mutex_unlock(&mutex);
}

void weiri_statics_exclude(const void *inside)
{
    pthread_mutex_lock(&mutex);
    for (guint i = 0; included != NULL && i < included->len; i++) {
        if (g_array_index(included, uintptr_t, i) == (uintptr_t)inside) {
            g_array_remove_index_fast(included, i);
            break;
        }
    }
    pthread_mutex_unlock(&mutex);
    n_excluded++;
}

unsigned weiri_statics_n_excluded(void)
{
    return n_excluded;
}

void weiri_statics_each(void (*add)(const char *start, const char *end, void *data),
                        void *data)
{
    pthread_mutex_lock(&mutex);
    dl_iterate_phdr(visit_object, &(struct each){ add, data, 0 });
    pthread_mutex_unlock(&mutex);
}

/* ---- Limits ---------------------------------------------------------------------- */

struct range {
    const char *start, *end;
};

static GArray *allowed WEIRI_NO_STATIC; /* of struct range; NULL: all; mutex */

void weiri_statics_limit(const void *start, size_t bytes)
{
    struct range range = { start, (const char *)start + bytes };
    pthread_mutex_lock(&mutex);
    if (allowed == NULL) {
        allowed = g_array_new(FALSE, FALSE, sizeof(struct range));
    }
    if (bytes > 0) {
        g_array_append_val(allowed, range);
    }
    pthread_mutex_unlock(&mutex);
}

void weiri_statics_each_allowed(void (*add)(const char *start, const char *end,
                                            void *data),
                                void *data)
{
    pthread_mutex_lock(&mutex);
    bool all = allowed == NULL;
    for (guint i = 0; !all && i < allowed->len; i++) {
        const struct range *range = &g_array_index(allowed, struct range, i);
        add(range->start, range->end, data);
    }
    pthread_mutex_unlock(&mutex);
    if (all) {
        weiri_statics_each(add, data);
    }
}

/* The loader makes tables of constants unwritable when it has filled them in. */
static int visit_program(struct dl_phdr_info *program, size_t bytes, void *data)
{
    (void)bytes;
    const struct each *each = data;
    const char *fixed = NULL, *fixed_end = NULL;
    for (unsigned i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        if (part->p_type == PT_GNU_RELRO) {
            fixed = (const char *)(program->dlpi_addr + part->p_vaddr);
            fixed_end = fixed + part->p_memsz;
        }
    }
    for (unsigned i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0) {
            const char *start = (const char *)(program->dlpi_addr + part->p_vaddr);
            const char *end = start + part->p_memsz;
            bool has_fixed = fixed != NULL && fixed >= start && fixed < end;
            if (has_fixed && fixed > start) {
                each->add(start, fixed, each->data);
            }
            each->add(has_fixed ? fixed_end : start, end, each->data);
        }
    }
    return 1; /* the program is the first */
}

void weiri_statics_each_of_host(void (*add)(const char *start, const char *end,
                                            void *data),
                                void *data)
{
    pthread_mutex_lock(&mutex);
    if (allowed != NULL) {
        dl_iterate_phdr(visit_program, &(struct each){ add, data, 0 });
    }
    pthread_mutex_unlock(&mutex);
}
