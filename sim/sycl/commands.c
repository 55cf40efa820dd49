/* SPDX-License-Identifier: MIT
 *
 * commands.c: the commands of SYCL's queues, for host/commands.c. Accessors, events and
 * queues order them: [SYCL20] 3.7.1 and 3.9. */
#include "config.h"

#include "weir-kernel.h"

#include "sycl/sycl-machine.h"

#include "host/commands.h"
#include "report/symbol.h"

#include <glib.h>

static const struct weiri_command_words words = {
    .one_queue
    = "the two commands are not ordered: their queue is out of order, and no "
      "depends_on(), wait() or property::queue::in_order orders them",
    .two_queues = "the two commands are not ordered: they are in two queues, and no "
                  "depends_on() or wait() orders them",
    .host
    = "the host does not wait for the command: there is no wait() of its queue or "
      "its event between the two",
};

static const enum weiri_command_kind kinds[] = {
    [WEIRI_SYCL_KERNEL] = WEIRI_COMMAND_KERNEL,
    [WEIRI_SYCL_COPY] = WEIRI_COMMAND_COPY,
    [WEIRI_SYCL_TASK] = WEIRI_COMMAND_TASK,
};

uint32_t weiri_sycl_queue(bool in_order, uint32_t context)
{
    return weiri_host_commands_queue(in_order, context);
}

uint32_t weiri_sycl_begin(const struct weiri_sycl_command *command)
{
    if (command->queue == 0) {
        return 0;
    }
    g_autofree struct weiri_command_use *uses
        = g_new(struct weiri_command_use, command->n_uses);
    for (size_t i = 0; i < command->n_uses; i++) {
        const struct weiri_sycl_use *use = &command->uses[i];
        uses[i] = (struct weiri_command_use){ weiri_host_commands_buffer(use->address),
                                              use->writes };
    }
    const struct weiri_command_start start = { .queue = command->queue,
                                               .after = command->after,
                                               .n_after = command->n_after,
                                               .uses = uses,
                                               .n_uses = command->n_uses,
                                               .barrier = command->barrier };
    return weiri_host_commands_begin(&start, kinds[command->kind], command->what,
                                     &words);
}

void weiri_sycl_end(uint32_t command)
{
    weiri_host_commands_end(command);
}

bool weiri_sycl_touch(const void *start, size_t bytes, bool writes, const char *file,
                      unsigned line, const char *function)
{
    const struct weir_site *site = weiri_sycl_site(file, line, function);
    bool reaches = weiri_host_commands_reaches(start, bytes, writes, site);
    if (reaches) {
        weiri_host_commands_touch(start, bytes, writes, site);
    }
    return reaches;
}

void weiri_sycl_wait(uint32_t command)
{
    weiri_host_commands_wait(command, __builtin_return_address(0));
}

void weiri_sycl_has_ended(uint32_t command)
{
    weiri_host_commands_wait(command, NULL);
}

void weiri_sycl_wait_queue(uint32_t queue)
{
    weiri_host_commands_wait_queue(queue, __builtin_return_address(0));
}

void weiri_sycl_wait_buffer(const void *address, bool writes)
{
    weiri_host_commands_wait_buffer(address, writes, __builtin_return_address(0));
}

uint32_t weiri_sycl_hold(const void *address, bool writes, const char *header)
{
    if (weiri_host_commands_wanted()) {
        weiri_symbol_header(header); /* no kernel may have run yet */
    }
    return weiri_host_commands_hold(
        address, writes, __builtin_return_address(0),
        "a command that uses a buffer starts when its host accessors are destroyed: "
        "end the scope of the accessor before the wait");
}

void weiri_sycl_let_go(uint32_t hold)
{
    weiri_host_commands_let_go(hold);
}
