/* SPDX-License-Identifier: MIT
 *
 * listing.c: see listing.h. The event of an access comes before the access. So memory
 * is read twice: at the event, for the value before, and at the next event of the
 * launch, for the value after. No other item acts in between: an item that is switched
 * to comes from the stop before its own operation, and that is an event.
 *
 * Names and lines are looked up when the launch is over, on a stack with room. */
#include "config.h"

#include "watch/listing.h"

#include "finding/names.h"

#include <string.h>

/* As many bytes as a value may have; of larger ones the size is listed. */
enum { MOST_BYTES = 8 };

struct kept {
    struct weir_step public;
    const struct weir_site *site; /* or NULL, and */
    const void *pc;
    struct weiri_object object; /* as it was then; @address NULL: none */
    const volatile char *address;
    uint32_t bytes;
    uint32_t type; /* of enum weiri_type; WEIRI_TYPE_none: not known */
    bool reads, writes;
    uint64_t before, after;
};

struct weiri_listing {
    enum weir_language language; /* of the kernel */
    const uint64_t *const *now;
    uint64_t most;
    uint64_t n_more; /* steps that were left out */
    GArray *kept;    /* of struct kept */
    bool open;       /* the last one's value after is not known yet */
};

struct weiri_listing *weiri_listing_new(const struct weir_kernel *kernel,
                                        const uint64_t *const *now, uint64_t most)
{
    struct weiri_listing *listing = g_new0(struct weiri_listing, 1);
    listing->language = kernel->language;
    listing->now = now;
    listing->most = most;
    listing->kept = g_array_new(FALSE, FALSE, sizeof(struct kept));
    return listing;
}

void weiri_listing_free(struct weiri_listing *listing)
{
    if (listing != NULL) {
        g_array_unref(listing->kept);
        g_free(listing);
    }
}

/* ---- Events ---------------------------------------------------------------------- */

static uint64_t value_at(const struct kept *kept)
{
    uint64_t value = 0;
    if (kept->bytes <= MOST_BYTES) {
        memcpy(&value, (const void *)kept->address, kept->bytes);
    }
    return value;
}

static void settle(struct weiri_listing *listing)
{
    if (listing->open) {
        struct kept *last
            = &g_array_index(listing->kept, struct kept, listing->kept->len - 1);
        last->after = value_at(last);
        listing->open = false;
    }
}

static void set_memory(struct weiri_listing *listing, struct kept *kept,
                       const struct weiri_event *event)
{
    if (event->object != NULL && event->address != NULL) {
        kept->object = *event->object;
        kept->address = event->address;
        kept->bytes = (uint32_t)event->bytes;
        kept->before = kept->after = value_at(kept);
        listing->open = true;
    }
}

static void set_atomic(struct kept *kept, const struct weiri_atomic_op *op)
{
    kept->public.access = weiri_access_of_atomic(op->kind);
    kept->public.order = weiri_order_name((unsigned)op->order);
    kept->public.scope = weiri_scope_name((unsigned)op->scope);
    kept->type = op->type;
    kept->reads = op->kind != WEIRI_ATOMIC_STORE;
    kept->writes = op->kind != WEIRI_ATOMIC_LOAD;
}

static void set_access(struct kept *kept, const struct weiri_event *event)
{
    kept->reads = (event->access & WEIRI_ACCESS_BIT_READ) != 0;
    kept->writes = (event->access & WEIRI_ACCESS_BIT_WRITE) != 0;
    kept->public.access = weiri_access_of(kept->reads, kept->writes);
}

enum weiri_verdict weiri_listing_event(void *self, const struct weiri_event *event)
{
    struct weiri_listing *listing = self;
    settle(listing);
    bool listed = event->kind == WEIRI_EVENT_ACCESS || event->kind == WEIRI_EVENT_ARRIVE
        || (event->kind == WEIRI_EVENT_ATOMIC
            && event->atomic->kind != WEIRI_ATOMIC_REF);
    if (!listed) {
        return WEIRI_GOES_ON;
    }
    if (listing->kept->len >= listing->most) {
        listing->n_more++;
        return WEIRI_GOES_ON;
    }
    struct kept kept
        = { .public = { .step = *listing->now != NULL ? **listing->now - 1 : 0,
                        .group = event->group->shape.group_linear,
                        .item = (uint32_t)event->item },
            .site = event->site,
            .pc = event->pc,
            .type = WEIRI_TYPE_none };
    if (event->kind == WEIRI_EVENT_ARRIVE) {
        kept.public.operation = weiri_named(
            event->site, weiri_operation_name(listing->language, event->op));
    } else if (event->kind == WEIRI_EVENT_ATOMIC) {
        set_atomic(&kept, event->atomic);
        if (event->atomic->kind == WEIRI_ATOMIC_FENCE) {
            kept.public.access = WEIR_ACCESS_NONE;
            kept.public.operation = "fence";
        }
        set_memory(listing, &kept, event);
    } else {
        set_access(&kept, event);
        set_memory(listing, &kept, event);
    }
    g_array_append_val(listing->kept, kept);
    return WEIRI_GOES_ON;
}

/* ---- Reporting ------------------------------------------------------------------- */

/* Returns: interned */
static const char *value_text(const struct kept *kept, uint64_t value)
{
    int64_t number
        = (int64_t)(value << (64 - 8 * kept->bytes)) >> (64 - 8 * kept->bytes);
    float single;
    double real;
    g_autofree char *text = NULL;
    switch (kept->type) {
    case WEIRI_TYPE_f32:
        memcpy(&single, &value, sizeof(single));
        text = g_strdup_printf("%.9g", (double)single);
        break;
    case WEIRI_TYPE_f64:
        memcpy(&real, &value, sizeof(real));
        text = g_strdup_printf("%.17g", real);
        break;
    case WEIRI_TYPE_u32:
    case WEIRI_TYPE_u64:
        text = g_strdup_printf("%" G_GUINT64_FORMAT, value);
        break;
    default:
        text = g_strdup_printf("%" G_GINT64_FORMAT, number);
    }
    return g_intern_string(text);
}

static void look_up(struct kept *kept, const struct weiri_symbols *symbols)
{
    struct weir_step *step = &kept->public;
    struct weir_frame frame;
    if (kept->site != NULL) {
        step->file = kept->site->file;
        step->line = kept->site->line;
    } else if (kept->pc != NULL && symbols->frames != NULL
               && symbols->frames(kept->pc, &frame, 1) > 0) {
        step->file = frame.file;
        step->line = frame.line;
    }
    if (kept->address == NULL) {
        return;
    }
    g_autofree char *name = weiri_object_name(&kept->object, kept->address);
    step->object = g_intern_string(name);
    step->index = weiri_object_index(&kept->object, kept->address);
    step->bytes = kept->bytes;
    if (kept->bytes > 0 && kept->bytes <= MOST_BYTES) {
        step->before = kept->reads ? value_text(kept, kept->before) : NULL;
        step->after = kept->writes ? value_text(kept, kept->after) : NULL;
    }
}

void weiri_listing_report(struct weiri_listing *listing,
                          const struct weiri_symbols *symbols,
                          struct weir_report *report)
{
    settle(listing);
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct weir_step));
    for (guint i = 0; i < listing->kept->len; i++) {
        struct kept *kept = &g_array_index(listing->kept, struct kept, i);
        look_up(kept, symbols);
        g_array_append_val(steps, kept->public);
    }
    weiri_report_take_steps(report, steps, listing->n_more);
}
