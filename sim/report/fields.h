/* SPDX-License-Identifier: MIT
 *
 * fields.h: rows of the tables of fields of record.h. */
#ifndef WEIRI_FIELDS_H
#define WEIRI_FIELDS_H

#include "report/record.h"

#define FIELD(of_, name_, type_)                                                       \
    {                                                                                  \
        .name = #name_, .type = WEIRI_FIELD_##type_,                                   \
        .offset = offsetof(struct of_, name_)                                          \
    }

#define LIST(of_, member_, n_, name_, element_, fields_)                               \
    {                                                                                  \
        .name = name_, .type = WEIRI_FIELD_LIST,                                       \
        .offset = offsetof(struct of_, member_), .beside = offsetof(struct of_, n_),   \
        .bytes = sizeof(struct element_), .fields = fields_                            \
    }

#endif
