/* SPDX-License-Identifier: MIT
 *
 * statics.c: see statics.h. The program comes first in the loader's list of objects.
 * Data of libraries is left out: every allocation changes it. */
#include "config.h"

#include "exec/statics.h"

#include <link.h>

/* Where the linker puts the variables marked WEIRI_NO_STATIC. */
extern const char excluded_start[] __asm__("__start_weiri_no_static")
    __attribute__((weak));
extern const char excluded_end[] __asm__("__stop_weiri_no_static")
    __attribute__((weak));

struct each {
    void (*add)(const char *start, const char *end, void *data);
    void *data;
};

static int visit_program(struct dl_phdr_info *program, size_t bytes, void *data)
{
    (void)bytes;
    const struct each *each = data;
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
    return 1;
}

void weiri_statics_each(void (*add)(const char *start, const char *end, void *data),
                        void *data)
{
    dl_iterate_phdr(visit_program, &(struct each){ add, data });
}
