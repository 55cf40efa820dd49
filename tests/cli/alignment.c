/* SPDX-License-Identifier: MIT
 *
 * alignment.c: a kernel whose accesses have, and lack, the alignment that their type
 * asks for. Each argument selects one, for a launch of its own; compilers.sh reads what
 * a check of it must report. */
#include <stdlib.h>
#include <string.h>

#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    float x, y, z, w;
} __attribute__((aligned(16))) float4;
typedef float vec4 __attribute__((vector_size(16)));
typedef float loose4 __attribute__((vector_size(16), aligned(4)));
typedef struct __attribute__((packed)) {
    char c;
    vec4 v;
    double d;
} packed;
typedef struct {
    double a, b;
} two;
typedef struct {
    _Alignas(8) float x;
    float y;
} pair;

typedef union {
    double d;
    pair p[2];
} either;
typedef struct {
    int n;
    float4 v[2];
} nested;

static __attribute__((noinline)) float sum_of(float4 v)
{
    return v.x + v.y + v.z + v.w;
}
static __attribute__((noinline)) float sum_of_pair(pair v)
{
    return v.x + v.y;
}
static __attribute__((noinline)) float4 value_at(const void *p)
{
    return *(const float4 *)p;
}

typedef struct {
    char *bytes;
    float *out;
    int which;
    int one; /* 1, which compilers do not know */
} access_args;

WEIR_KERNEL(accesses, access_args)
{
    char *p = args->bytes + 64 * weir_global_id(item, 0);
    char *four = p + 4 * args->one, *eight = p + 8 * args->one;
    float r = 0;
    /* clang-format off */
    switch (args->which) {
    case 1: { float4 v = *(float4 *)p; r = v.x + v.w; break; } /* right */
    case 2: { vec4 v = *(vec4 *)p; r = v[0]; break; } /* right */
    case 3: { loose4 v = *(loose4 *)four; r = v[0]; break; } /* right */
    case 4: { packed *q = (packed *)p; q->d = 1; r = q->v[1]; break; } /* right */
    case 5: { float4 v; memcpy(&v, four, sizeof(v)); r = v.y; /* right */
              memcpy(p + 20, &v, sizeof(v)); break; }
    case 6: { two v = *(two *)eight; r = (float)v.b; break; } /* right */
    case 7: { float4 *q = (float4 *)p; q[1] = q[0]; q->y = 3; break; } /* right */
    case 8: { *(pair *)eight = *(pair *)p; break; } /* right */
    case 9: { vec4 v = *(vec4 *)(eight + 8); float4 w = *(float4 *)(eight + 24);
              r = v[0] + w.y; break; } /* right */
    case 10: { ((float4 *)(four + 12))->z = (float)*(double *)(four + 4); /* right */
               r = (*(vec4 *)(four + 12))[1]; break; }
    case 11: { float4 v = *(float4 *)eight;
              r = v.x + v.w; break; } /* misaligned: read 16 */
    case 12: { vec4 v = *(vec4 *)eight; r = v[0]; break; } /* misaligned: read 16 */
    case 13: { *(float4 *)eight = (float4){ 1 }; break; } /* misaligned: write 16 */
    case 14: { r = ((float4 *)eight)->y; break; } /* misaligned: read 16 */
    case 15: { ((float4 *)eight)->z = 1; break; } /* misaligned: write 16 */
    case 16: { r = (float)*(double *)four; break; } /* misaligned: read 8 */
    case 17: { *(double *)four = 1; break; } /* misaligned: write 8 */
    case 18: { pair v = *(pair *)four; r = v.x + v.y; break; } /* misaligned: read 8 */
    case 19: { ((pair *)four)->y = 1; break; } /* misaligned: write 8 */
    case 20: { r = (float)((two *)four)->b; break; } /* misaligned: read 8 */
    case 21: { *(vec4 *)eight = (vec4){ 1 }; break; } /* misaligned: write 16 */
    case 22: { *(float4 *)eight = (float4){ 0 }; break; } /* misaligned: write 16 */
    case 23: { r = sum_of(*(float4 *)eight); break; } /* clang: read 16 */
    case 24: { r = sum_of_pair(*(pair *)four); break; } /* clang: read 8 */
    case 25: { r = value_at(eight).z; break; } /* misaligned: read 16 */
    case 26: { either v = *(either *)four;
              r = v.p[0].x; break; } /* misaligned: read 8 */
    case 27: { nested v = { 1, { { 0 } } }; v.v[1] = *(float4 *)p;
               r = v.v[0].x + sum_of(v.v[1]);
               ((nested *)p)->v[0] = v.v[1]; break; } /* right */
    case 28: { r = sum_of(*(float4 *)p) + sum_of_pair(*(pair *)eight) + value_at(p).y;
               *(float4 *)p = (float4){ 0 };
               *(either *)eight = (either){ 0 }; break; } /* right */
    case 29: { nested *q = (nested *)eight;
              q->v[1] = *(float4 *)p; break; } /* misaligned: write 16 */
    case 30: { either v = *(either *)four; r = v.p[1].y; break; } /* clang: read 8 */
    case 31: { char text[512] = "The compiler copies this text, and fills the rest "
                   "with 0, if it has more than some eighty characters."; /* right */
               r = text[args->one]; break; }
    }
    /* clang-format on */
    args->out[weir_global_id(item, 0)] = r;
}

int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    char *bytes = weir_new(device, char, 256, "bytes");
    float *out = weir_new(device, float, 4, "out");
    bool launched = true;
    for (int i = 1; i < argc && launched; i++) {
        access_args args = { bytes, out, atoi(argv[i]), 1 };
        memset(bytes, 0, 256);
        launched = weir_launch(device, &accesses, weir_nd_range_1d(4, 4), &args, NULL);
    }
    weir_device_free(device);
    return launched ? 0 : 1;
}
