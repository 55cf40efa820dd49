// SPDX-License-Identifier: MIT
//
// components.cl: components of vectors are memory locations of their own: to write or
// read one accesses no other. Each kernel that is right stands beside its nearest wrong
// neighbour. The buffer `in` has 0, 1, 2 …

// Neighbours are written by different items, between the same barriers.
// halves 8 8 runs: 0 1 2 3 4 5 6 7
kernel void halves(global int *in, global int2 *out)
{
    uint i = get_global_id(0);
    if (i & 1)
        out[i / 2].y = in[i];
    else
        out[i / 2].x = in[i];
}

// halves_wrong 8 8 finds: data-race out[0]
kernel void halves_wrong(global int *in, global int2 *out)
{
    uint i = get_global_id(0);
    if (i & 2)
        out[i / 4].y = in[i];
    else
        out[i / 4].x = in[i];
}

// An item reads a component while another one writes its neighbour.
// beside 8 8 runs: 7 2 9 2 11 2 13 2
kernel void beside(global int *in, global int2 *out)
{
    size_t i = get_global_id(0);
    if (i & 1)
        out[i / 2].y = 2;
    else
        out[i / 2].x += in[i + 7];
}

// beside_wrong 8 8 finds: data-race out[1]
kernel void beside_wrong(global int *in, global int2 *out)
{
    size_t i = get_global_id(0);
    if (i & 1)
        out[i / 2].y = 2;
    else
        out[i / 2].x = out[i / 2].y + in[i + 7];
}

// Swizzles, in local memory and in a member of a structure.
typedef struct {
    int before;
    int4 v;
    int after;
} vector_record;

// swizzles 8 8 runs: 0 1 0 2 2 3 2 4
kernel void swizzles(global int *in, global int4 *out)
{
    local vector_record part[4];
    size_t i = get_global_id(0);
    if (i & 1)
        part[i / 2].v.yw = (int2)(in[i], in[i + 1]);
    else
        part[i / 2].v.s02 = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i & 1)
        out[i / 2].odd = part[i / 2].v.yw;
    else
        out[i / 2].zx = part[i / 2].v.xz;
}

// swizzles_wrong 8 8 finds: uninitialized-read part
kernel void swizzles_wrong(global int *in, global int4 *out)
{
    local vector_record part[8];
    size_t i = get_global_id(0);
    part[i].v.xz = (int2)(in[i], in[i + 1]);
    out[i].xy = part[i].v.xy;
}

// The component is chosen by a value; of three, the fourth is padding.
// chosen 6 3 runs: 0 2 4 0 6 8 10 0
kernel void chosen(global int *in, global int3 *out)
{
    local int3 part;
    size_t i = get_global_id(0), l = get_local_id(0);
    part[l] = in[i];
    out[get_group_id(0)][l] = part[l] * 2;
}

// chosen_wrong 6 3 finds: data-race part
kernel void chosen_wrong(global int *in, global int3 *out)
{
    local int3 part;
    size_t i = get_global_id(0), l = get_local_id(0);
    part[l & 1] = in[i];
    out[get_group_id(0)][l] = 2;
}

// A vector of three is read without its padding, which no component is.
// three 4 4 runs: 0 1 2 0 1 2 3 0 2 3 4
kernel void three(global int *in, global int3 *out)
{
    local int3 part[4];
    size_t i = get_global_id(0);
    part[i].x = in[i];
    part[i].zy = (int2)(in[i + 2], in[i + 1]);
    int3 all = part[i];
    out[i].xyz = all;
}

// three_wrong 4 4 finds: uninitialized-read part
kernel void three_wrong(global int *in, global int3 *out)
{
    local int3 part[4];
    size_t i = get_global_id(0);
    part[i].xy = in[i];
    int3 all = part[i];
    out[i].xyz = all;
}

// Private vectors, by address and not, and by generic pointers.
void assign(int4 *to, int value)
{
    to->z = value;
}

// own 4 4 runs: 5 7 6 7
kernel void own(global int *in, global int *out)
{
    size_t i = get_global_id(0);
    int4 v, w[2];
    v.x = in[5];
    v.yw = (int2)(in[7]);
    w[in[1]].z = 3;
    assign(&w[in[1]], in[6]);
    v.z = w[1].z;
    out[i] = v[i];
}

// own_wrong 4 4 finds: uninitialized-read w
kernel void own_wrong(global int *in, global int *out)
{
    size_t i = get_global_id(0);
    int4 w[2];
    assign(&w[in[1]], in[6]);
    out[i] = w[1].y;
}

// shared 4 4 runs: 0 1 2 3
kernel void shared(global int *in, global int4 *out)
{
    local int4 part[2];
    int4 *both = in[1] ? (int4 *)part : (int4 *)out;
    size_t i = get_global_id(0);
    both[1][i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0)
        out[0] = both[1];
}

// A vector is misaligned whichever of its components is accessed.
// moved 4 4 finds: misaligned out
kernel void moved(global int *in, global int *out)
{
    global int2 *v = (global int2 *)(out + in[1]);
    v[get_global_id(0)].x = 1;
}
