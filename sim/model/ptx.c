/* SPDX-License-Identifier: MIT
 *
 * ptx.c: the model of PTX as NVIDIA's prose has it: `ptx-7.5`, but where the published
 * formulas differ from the text.
 *
 * - fence.sc is also a release and an acquire fence. So is __threadfence() of CUDA,
 *   which is compiled to it.
 * - The read of `red`, an atomic operation whose result is not used, acquires nothing.
 * - Morally strong accesses of one location are in an order that agrees with program
 *   order: the axiom SC-per-Location.
 *
 * The async proxy is a proxy as others are: no clause says how its fence orders, and
 * this is the reading by which fixed kernels are right. A cluster is a scope between
 * the CTA and the GPU.
 *
 * Follows: PTX ISA 9.4, 8.4, 8.8 and 8.10.5. */
#include "config.h"

#include "model/ptx-7.5.h"

static const struct weiri_ptx_rules rules
    = { .virtual_addresses = true, .sc_fences_order = true };

static void begin(struct weiri_facts *f)
{
    weiri_ptx_begin(f, &rules);
}

static void derive(struct weiri_facts *f)
{
    weiri_ptx_derive_steps(f, &rules);
    weiri_ptx_derive_proxies(f);
}

static const struct weiri_axiom *const axioms[]
    = { &weiri_ptx_coherence, &weiri_ptx_fence_sc, &weiri_ptx_atomicity,
        &weiri_ptx_thin_air,  &weiri_ptx_location, &weiri_ptx_causality };

const struct weiri_model weiri_model_ptx
    = { .name = "ptx",
        .summary = "PTX as the prose of its manual has it, with clusters and the async "
                   "proxy",
        WEIRI_PTX_MODEL,
        .has_sycl_part = true,
        .n_axioms = sizeof(axioms) / sizeof(axioms[0]),
        .axioms = axioms,
        .begin = begin,
        .derive = derive };
