/* SPDX-License-Identifier: MIT
 *
 * self.c: the words of a thread that kernels' code reads; struct weiri_self in
 * weir-machinery.h has their meaning. Until a thread has run a kernel, and between
 * kernels, its accesses go to the observer of the host, if there may be one. */
#include "config.h"

#include "exec/hooks.h"

#include <stdlib.h>

_Thread_local struct weiri_self weiri_self __attribute__((tls_model("initial-exec")))
= { .sees = (void *)weiri_access_of_host };

static weiri_host_observer host_observer; /* atomic */

void weiri_access_observe_host(weiri_host_observer observer)
{
    /* release: pairs with the acquire in weiri_access_of_host() */
    __atomic_store_n(&host_observer, observer, __ATOMIC_RELEASE);
    if (weiri_self.watch == NULL) {
        weiri_self.sees = (void *)weiri_access_of_host;
    }
}

void weiri_access_of_host(const volatile void *address, uint64_t what, const void *pc)
{
    weiri_host_observer observer = __atomic_load_n(&host_observer, __ATOMIC_ACQUIRE);
    if (WEIRI_UNLIKELY(observer != NULL)) {
        observer(address, what, pc);
    } else if (getenv("WEIR_OPTIONS") == NULL) {
        weiri_self.sees = NULL; /* no command checks this process */
    }
}
