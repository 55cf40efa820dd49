/* SPDX-License-Identifier: MIT
 *
 * atomic-site.h: operations of atomics, and fences, whose order and scope the source
 * states: calls with such arguments, references with a default order, and in SYCL the
 * types of references. */
#ifndef WEIRI_ATOMIC_SITE_H
#define WEIRI_ATOMIC_SITE_H

#include "repair/suggest.h"
#include "repair/words.h"

struct weiri_site {
    const struct weiri_source *source;
    const char *file;
    enum weiri_side side;
    struct weiri_range object;       /* what it accesses; empty for a fence */
    struct weiri_range order, scope; /* empty without one */
    uint32_t line;
    bool named;   /* by the finding's reason, or a party */
    bool is_type; /* `atomic_ref<…>`: its operations may be elsewhere */
};

/** Those of the files in which the finding's parties are, in the order of the text.
 *  Returns: (transfer full): of struct weiri_site */
GArray *weiri_sites_of(const struct weiri_search *search);

#endif
