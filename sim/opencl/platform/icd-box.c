/* SPDX-License-Identifier: MIT
 *
 * icd-box.c: commands that copy or fill boxes of bytes; see icd-memory.h. All transfers
 * of buffers and images are such boxes: rows of bytes, with a pitch, in slices. Each
 * row is reported as the command's access (host/commands.h), so a box without gaps
 * becomes one row first. */
#include "config.h"

#include "opencl/platform/icd-memory.h"

#include <string.h>

static void free_box(void *data)
{
    struct weiri_icd_box *box = data;
    weiri_icd_unuse(box->uses[0]);
    weiri_icd_unuse(box->uses[1]);
    g_free(box);
}

static void fill(char *to, size_t bytes, const struct weiri_icd_box *box)
{
    for (size_t done = 0; done < bytes; done += box->fill_bytes) {
        memcpy(to + done, box->fill, MIN(box->fill_bytes, bytes - done));
    }
}

/* A box without gaps is one row. */
static void join_rows(struct weiri_icd_box *box)
{
    bool fills = box->from.start == NULL;
    if (box->rows > 1 && box->to.row == box->bytes
        && (fills || box->from.row == box->bytes)
        && (box->slices == 1
            || (box->to.slice == box->bytes * box->rows
                && (fills || box->from.slice == box->bytes * box->rows)))) {
        box->bytes *= box->rows * box->slices;
        box->rows = box->slices = 1;
    }
}

static cl_int run(cl_event event, void *data)
{
    struct weiri_icd_box *box = data;
    join_rows(box);
    for (size_t slice = 0; slice < box->slices; slice++) {
        for (size_t row = 0; row < box->rows; row++) {
            char *to = box->to.start + slice * box->to.slice + row * box->to.row;
            if (box->from.start == NULL) {
                weiri_host_commands_touch(to, box->bytes, true, event->site);
                fill(to, box->bytes, box);
                continue;
            }
            const char *from
                = box->from.start + slice * box->from.slice + row * box->from.row;
            weiri_host_commands_touch(from, box->bytes, false, event->site);
            weiri_host_commands_touch(to, box->bytes, true, event->site);
            memmove(to, from, box->bytes);
        }
    }
    return CL_COMPLETE;
}

cl_int weiri_icd_enqueue_box(struct weiri_icd_request *request,
                             const struct weiri_icd_box *box)
{
    struct weiri_icd_box *kept = g_memdup2(box, sizeof(*box));
    weiri_icd_use(kept->uses[0]);
    weiri_icd_use(kept->uses[1]);
    request->kind = WEIRI_COMMAND_COPY;
    request->run = run;
    request->data = kept;
    request->free_data = free_box;
    return weiri_icd_enqueue(request);
}
