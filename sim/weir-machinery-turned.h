/* SPDX-License-Identifier: MIT
 *
 * weir-machinery-turned.h: how items see their group where dimension 0 is the fastest,
 * which is the last in Weir: in OpenCL and CUDA. So a number that they ask for has a
 * constant place, as in C. Checked entries see Weir's shape: there builtins turn each
 * number. A part of files that generated code is made of; WEIRI_TURNED_MOVE(shape,
 * group) changes the shape once it is turned. */
#ifndef WEIR_MACHINERY_TURNED_H
#define WEIR_MACHINERY_TURNED_H

#if WEIRI_FAT != 2

WEIRI_OWN void weiri_turned(size_t numbers[3], uint32_t dim)
{
    size_t first = numbers[0];
    if (dim == 2) {
        numbers[0] = numbers[1];
        numbers[1] = first;
    } else if (dim == 3) {
        numbers[0] = numbers[2];
        numbers[2] = first;
    }
}

WEIRI_OWN struct weiri_shape weiri_turned_shape(const struct weir_group *group)
{
    struct weiri_shape shape = group->shape;
    weiri_turned(shape.global, shape.dim);
    weiri_turned(shape.local, shape.dim);
    weiri_turned(shape.groups, shape.dim);
    weiri_turned(shape.group, shape.dim);
    weiri_turned(shape.first, shape.dim);
    WEIRI_TURNED_MOVE(&shape, group);
    return shape;
}

WEIRI_OWN void weiri_turned_seek(const struct weiri_shape *shape, size_t linear,
                                 size_t local[3])
{
    size_t row = linear / shape->local[0];
    local[0] = linear % shape->local[0];
    local[1] = row % shape->local[1];
    local[2] = row / shape->local[1];
}

WEIRI_OWN void weiri_turned_step(const struct weiri_shape *shape, size_t local[3])
{
    if (++local[0] < shape->local[0]) {
        return;
    }
    local[0] = 0;
    if (++local[1] < shape->local[1]) {
        return;
    }
    local[1] = 0;
    ++local[2];
}

#undef WEIRI_SHAPE
#undef WEIRI_SEEK
#undef WEIRI_STEP
#undef WEIRI_SPLIT_SHAPE
#undef WEIRI_SPLIT_PREPARE
#undef WEIRI_SPLIT_DEFINE
#define WEIRI_SHAPE(group) weiri_turned_shape(group)
#define WEIRI_SEEK(shape, linear, local) weiri_turned_seek((shape), (linear), (local))
#define WEIRI_STEP(shape, local) weiri_turned_step((shape), (local))
#define WEIRI_SPLIT_SHAPE(group) (&(group)->seen)
#define WEIRI_SPLIT_PREPARE(name, group, i)                                            \
    if ((i) == 0 && (group)->place == 0) {                                             \
        (group)->seen = weiri_turned_shape(group);                                     \
        name##__keep((group)->args);                                                   \
    }
#define WEIRI_SPLIT_DEFINE(name)                                                       \
    extern const struct weiri_split name##__split;                                     \
    const struct weiri_split name##__split                                             \
        = { name##__split_bytes, name##__split_waits, name##__stackless,               \
            name##__own_bytes };
#endif

#endif
