// SPDX-License-Identifier: MIT
//
// alignment.cl: vectors at addresses that are not multiples of their size, and their right
// neighbours. The buffer `in` has 0, 1, 2 … Buffers begin at a multiple of 128 bytes.

// load 1 1 finds: misaligned 'int4' at an address that is not a multiple of 16
kernel void load(global int *in, global int *out)
{
    global int4 *p = (global int4 *)(in + 2);
    out[0] = p[1].y;
}

// load_right 1 1 runs: 9
kernel void load_right(global int *in, global int *out)
{
    global int4 *p = (global int4 *)(in + 4);
    out[0] = p[1].y;
}

// store 1 1 finds: misaligned 'long2' at an address that is not a multiple of 16
kernel void store(global int *in, global int *out)
{
    *(global long2 *)(out + in[2]) = (long2)(1, 2);
}

// store_right 1 1 runs: 0 0 0 0 1 0 2 0
kernel void store_right(global int *in, global int *out)
{
    *(global long2 *)(out + in[4]) = (long2)(1, 2);
}

// A vector that is accessed in parts: each of them would have been aligned.
// wide 1 1 finds: misaligned 'float8' at an address that is not a multiple of 32
kernel void wide(global int *in, global int *out)
{
    *(global float8 *)(out + in[4]) = (float8)(0);
}

// wide_right 1 1 runs: 0 0 0 0 0 0 0 0 7
kernel void wide_right(global int *in, global int *out)
{
    *(global int8 *)(out + in[8]) = (int8)(7);
}

// In local memory, by a pointer that a function has.
int sum(local int *p)
{
    int4 v = *(local int4 *)p;
    return v.x + v.y + v.z + v.w;
}

// in_local 1 1 finds: misaligned 'int4' at an address that is not a multiple of 16
kernel void in_local(global int *in, global int *out)
{
    local int part[16] __attribute__((aligned(16)));
    for (int i = 0; i < 16; i++)
        part[i] = in[i];
    out[0] = sum(part + in[2]);
}

// in_local_right 1 1 runs: 22
kernel void in_local_right(global int *in, global int *out)
{
    local int part[16] __attribute__((aligned(16)));
    for (int i = 0; i < 16; i++)
        part[i] = in[i];
    out[0] = sum(part + in[4]);
}

// vload4() and vstore4() ask for the alignment of an element.
// by_function_right 1 1 runs: 0 3 4 5 6
kernel void by_function_right(global int *in, global int *out)
{
    vstore4(vload4(0, in + 3), 0, out + 1);
}

// So do types that say so, and members of a packed structure.
typedef int4 loose __attribute__((aligned(4)));
struct __attribute__((packed)) packed {
    int head;
    int4 body;
};

// loose_right 1 1 runs: 14 10
kernel void loose_right(global int *in, global int *out)
{
    loose v = *(global loose *)(in + 2);
    out[0] = v.x + v.y + v.z + v.w;
    int4 w = ((global struct packed *)in)->body;
    out[1] = w.x + w.y + w.z + w.w;
}
