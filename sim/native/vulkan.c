/* SPDX-License-Identifier: MIT
 *
 * vulkan.c: see vulkan.h. C, OpenCL, SYCL and CUDA have no words for availability, so
 * that operations are translated as for a shader whose buffers are coherent:
 *
 *     global memory             storage class sc0
 *     local memory              sc1
 *     plain access              nonpriv, in local memory also av.wg or vis.wg
 *     volatile access           av.dv or vis.dv
 *     atomic operation, fence   the order and the scope that are stated; the classes
 *                               that are ordered are both, or those of a fence's flags;
 *                               semav with a release, semvis with an acquire
 *     barrier                   cbar.acq_rel of the classes of its flags, semav, semvis
 *     barrier without flags     cbar, which orders no memory
 *     barrier of wide scope     also a fence before it and one after it
 *
 * A launch runs on one device, in one queue family, so that the widest scope is dv.
 *
 * Follows: Vulkan 1.4, appendix "Memory Model"; GL_KHR_memory_scope_semantics. */
#include "config.h"

#include "native/vulkan.h"

enum { GLOBAL_CLASS = 1 << 0, LOCAL_CLASS = 1 << 1 };

/* The storage classes of address spaces. */
static uint8_t classes_of(unsigned spaces)
{
    return (uint8_t)(((spaces & WEIR_GLOBAL) != 0 ? GLOBAL_CLASS : 0)
                     | ((spaces & WEIR_LOCAL) != 0 ? LOCAL_CLASS : 0));
}

/* The order, and what it makes available and visible, in these classes. */
static void order_memory(struct weiri_step *step, uint8_t classes)
{
    bool orders = classes != 0 && step->order != memory_order_relaxed;
    step->order = orders ? step->order : memory_order_relaxed;
    step->traits.semantics = orders ? classes : 0;
    if (orders && weiri_step_releases(step->order)) {
        step->traits.flags |= WEIRI_TRAIT_SEM_AVAILABLE;
    }
    if (orders && weiri_step_acquires(step->order)) {
        step->traits.flags |= WEIRI_TRAIT_SEM_VISIBLE;
    }
}

static void access_plainly(const struct weiri_request *request, bool is_local,
                           struct weiri_step *step)
{
    step->traits.flags |= WEIRI_TRAIT_NONPRIVATE;
    if (request->is_volatile || is_local) {
        step->traits.flags |= step->kind == WEIRI_STEP_READ ? WEIRI_TRAIT_VISIBLE
                                                            : WEIRI_TRAIT_AVAILABLE;
        step->scope
            = request->is_volatile ? memory_scope_device : memory_scope_work_group;
    }
}

void weiri_native_vulkan(const struct weiri_native *native,
                         const struct weiri_request *request, struct weiri_step *step)
{
    switch (step->kind) {
    case WEIRI_STEP_READ:
    case WEIRI_STEP_WRITE:
    case WEIRI_STEP_UPDATE: {
        const struct weiri_native_cell *cell
            = weiri_cell_at(&native->machine.cells, request->cell);
        bool is_local = cell->object->kind == WEIRI_OBJECT_LOCAL;
        step->traits.storage = is_local ? LOCAL_CLASS : GLOBAL_CLASS;
        if (step->atomic) {
            order_memory(step, GLOBAL_CLASS | LOCAL_CLASS);
        } else {
            access_plainly(request, is_local, step);
        }
        break;
    }
    case WEIRI_STEP_FENCE:
    case WEIRI_STEP_ENTER:
        order_memory(step, classes_of(step->spaces));
        break;
    default:
        break;
    }
}

static const char *name_of(const struct weiri_step *step)
{
    return step->kind == WEIRI_STEP_FENCE ? "a fence" : "an atomic operation";
}

char *weiri_native_not_vulkan(const struct weiri_request *request,
                              const struct weiri_step *step)
{
    bool is_sc = step->order == memory_order_seq_cst
        || (step->kind == WEIRI_STEP_UPDATE && step->failure == memory_order_seq_cst);
    if (!step->atomic || !is_sc) {
        return NULL;
    }
    g_autofree char *place = request->site != NULL
        ? g_strdup_printf("%s:%u: ", request->site->file, request->site->line)
        : g_strdup("");
    return g_strdup_printf("%s%s is sequentially consistent, which Vulkan does not "
                           "have: give it the order acq_rel, acquire or release",
                           place, name_of(step));
}
