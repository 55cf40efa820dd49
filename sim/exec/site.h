/* SPDX-License-Identifier: MIT
 *
 * site.h: sites that are not objects in memory. C++ has no static object for each call
 * of a function, so that in fast launches the SYCL header packs a place into the
 * pointer (WEIRI_SITE_PACK in sycl/sycl-machine.h). The machine compares sites; only a
 * message reads them, and takes these apart. */
#ifndef WEIRI_SITE_H
#define WEIRI_SITE_H

#include "weir-kernel.h"

/** The parts of @site; the function of a packed site is not known, and NULL. */
static inline struct weir_site weiri_site_read(const struct weir_site *site)
{
    uintptr_t word = (uintptr_t)site;
    if (word >> 63 == 0) {
        return *site;
    }
    return (struct weir_site){ .file
                               = (const char *)(word & (((uintptr_t)1 << 47) - 1)),
                               .line = word >> 47 & 0xffff };
}

#endif
