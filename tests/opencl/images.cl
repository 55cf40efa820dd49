// SPDX-License-Identifier: MIT
//
// images.cl: images and samplers: [CL30C] 6.15.15. The images are of 4 by 4 texels with
// one channel, of floats, or of signed integers where the name begins with `i`; texel
// (x, y) is 4 y + x.

constant sampler_t edge
    = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// reads 1 1 runs: 6 1 15 3 4 4 6
kernel void reads(read_only image2d_t image, global int *out, read_only image2d_t i)
{
    const sampler_t linear
        = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
    out[0] = (int)read_imagef(image, (int2)(2, 1)).x;
    out[1] = (int)read_imagef(image, (int2)(2, 1)).w;
    out[2] = (int)read_imagef(image, edge, (int2)(9, 9)).x;
    out[3] = (int)read_imagef(image, linear, (float2)(1.0f, 1.0f)).x + 1;
    out[4] = get_image_width(image);
    out[5] = get_image_dim(image).y;
    out[6] = read_imagei(i, edge, (float2)(2.5f, 1.5f)).x;
}

// Each item moves its own row.
// moves 4 4 runs: 0 4 8 12
kernel void moves(read_write image2d_t image, global int *out)
{
    int y = get_global_id(0);
    float4 first = read_imagef(image, (int2)(0, y));
    write_imagef(image, (int2)(1, y), first);
    out[y] = (int)read_imagef(image, (int2)(1, y)).x;
}

// beyond 4 4 finds: out-of-bounds column 4 of an image with 4
kernel void beyond(write_only image2d_t image, global int *out)
{
    write_imagef(image, (int2)((int)get_global_id(0) + 1, 0), (float4)(1));
}

// read_beyond 4 4 finds: out-of-bounds row 4 of an image with 4
kernel void read_beyond(read_only image2d_t image, global int *out)
{
    out[get_global_id(0)]
        = (int)read_imagef(image, (int2)(0, (int)get_global_id(0) + 1)).x;
}

// same_texel 4 4 finds: data-race write_imagef
kernel void same_texel(write_only image2d_t image, global int *out)
{
    write_imagef(image, (int2)(0, 0), (float4)((int)get_global_id(0)));
}

// neighbour 4 4 finds: data-race read_imagef
kernel void neighbour(read_write image2d_t image, global int *out)
{
    int g = get_global_id(0);
    write_imagef(image, (int2)(g, 0), (float4)(1));
    out[g] = (int)read_imagef(image, (int2)((g + 1) % 4, 0)).x;
}

// neighbour_fenced 4 4 runs: 1 1 1 1
kernel void neighbour_fenced(read_write image2d_t image, global int *out)
{
    int g = get_global_id(0);
    write_imagef(image, (int2)(g, 0), (float4)(1));
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    out[g] = (int)read_imagef(image, (int2)((g + 1) % 4, 0)).x;
}

// wrong_kind 1 1 finds: unsupported the texels of the image are floats
kernel void wrong_kind(read_only image2d_t image, global int *out)
{
    out[0] = read_imagei(image, (int2)(0, 0)).x;
}
