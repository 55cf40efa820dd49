/* SPDX-License-Identifier: MIT
 *
 * domain.c: see domain.h. A location has its initial value or one that an instruction
 * writes. So all values are known if all instructions that write to the location write
 * constants: a write, an exchange, or a compare-exchange, which otherwise leaves the
 * value as it is. */
#include "config.h"

#include "litmus/domain.h"

#include "litmus/code.h"

#include <glib.h>

typedef struct weiri_litmus_domain domain;
typedef const struct weiri_litmus_instruction instruction;

/* Returns: false if the domain is full */
static bool add(domain *of, int64_t value)
{
    for (uint32_t i = 0; i < of->n; i++) {
        if (of->values[i] == value) {
            return true;
        }
    }
    if (of->n == WEIRI_LITMUS_DOMAIN_VALUES) {
        return false;
    }
    of->values[of->n++] = value;
    return true;
}

static bool writes(instruction *at)
{
    return at->op == WEIRI_LITMUS_OP_WRITE || at->op == WEIRI_LITMUS_OP_UPDATE
        || at->op == WEIRI_LITMUS_OP_COMPARE;
}

/* Whether the value that the instruction may write does not depend on the one that it
 * reads, nor on a register. */
static bool writes_constant(instruction *at)
{
    bool stores = at->op != WEIRI_LITMUS_OP_UPDATE || at->compares
        || at->function == WEIRI_LITMUS_EXCHANGE;
    return stores && !at->part && at->a.slot == WEIRI_LITMUS_NO_SLOT
        && at->address.slot == WEIRI_LITMUS_NO_SLOT;
}

struct weiri_litmus_domain *weiri_litmus_find_domains(const struct weiri_litmus *test)
{
    domain *domains = g_new0(domain, MAX(test->n_locations, 1));
    g_autofree bool *is_open = g_new0(bool, MAX(test->n_locations, 1));
    for (uint32_t l = 0; l < test->n_locations; l++) {
        add(&domains[l],
            weiri_litmus_convert(test->locations[l].type, test->locations[l].initial));
    }
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_code *code = test->threads[t].code;
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            instruction *at = &code->instructions[i];
            if (writes(at)
                && (!writes_constant(at)
                    || !add(&domains[at->location],
                            weiri_litmus_convert(at->type, at->a.value)))) {
                is_open[at->location] = true;
            }
        }
    }
    for (uint32_t l = 0; l < test->n_locations; l++) {
        domains[l].n = is_open[l] ? 0 : domains[l].n;
    }
    return domains;
}
