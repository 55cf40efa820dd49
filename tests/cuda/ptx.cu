/* SPDX-License-Identifier: MIT
 *
 * ptx.cu: functions that stand for single instructions of PTX, against values that follow
 * from the manual's definitions. */
#include <cstdint>
#include <cstdio>
#define DECLARE(T, name, ...) extern "C" __device__ T weiri_cu_##name(__VA_ARGS__)
DECLARE(uint32_t, bfe_u32, uint32_t, uint32_t, uint32_t);
DECLARE(int32_t, bfe_s32, int32_t, uint32_t, uint32_t);
DECLARE(uint64_t, bfe_u64, uint64_t, uint32_t, uint32_t);
DECLARE(int64_t, bfe_s64, int64_t, uint32_t, uint32_t);
DECLARE(uint32_t, bfi_b32, uint32_t, uint32_t, uint32_t, uint32_t);
DECLARE(uint64_t, bfi_b64, uint64_t, uint64_t, uint32_t, uint32_t);
DECLARE(uint32_t, bfind_u32, uint32_t);
DECLARE(uint32_t, bfind_s32, int32_t);
DECLARE(uint32_t, bfind_u64, uint64_t);
DECLARE(uint32_t, bfind_s64, int64_t);
DECLARE(uint32_t, lop3_b32, uint32_t, uint32_t, uint32_t, uint32_t);
DECLARE(uint32_t, prmt_b32, uint32_t, uint32_t, uint32_t, uint32_t);
DECLARE(uint32_t, shf_l_b32, uint32_t, uint32_t, uint32_t, uint32_t);
DECLARE(uint32_t, shf_r_b32, uint32_t, uint32_t, uint32_t, uint32_t);
DECLARE(uint32_t, lanemask_eq);
DECLARE(uint32_t, lanemask_lt);
DECLARE(uint32_t, lanemask_le);
DECLARE(uint32_t, lanemask_gt);
DECLARE(uint32_t, lanemask_ge);
__device__ int bad;
__device__ void same(long long is, long long expected, int line)
{
    if (is != expected) {
        printf("line %d: %llx, not %llx\n", line, is, expected);
        atomicAdd(&bad, 1);
    }
}
#define SAME(x, expected) same((long long)(x), (long long)(expected), __LINE__)
__global__ void k()
{
    unsigned a = 0xf0, b = 0xcc, c = 0xaa, x = 0x33221100, y = 0x77e65544;
    SAME(weiri_cu_bfe_u32(0x12345678, 8, 12), 0x456);
    SAME(weiri_cu_bfe_u32(0x12345678, 28, 12), 1);
    SAME(weiri_cu_bfe_u32(~0u, 32, 4), 0);
    SAME(weiri_cu_bfe_u32(~0u, 0, 32), ~0u);
    SAME(weiri_cu_bfe_s32(0x00000f00, 8, 4), -1);
    SAME(weiri_cu_bfe_s32(0x00000700, 8, 4), 7);
    SAME(weiri_cu_bfe_s32((int)0x80000000, 28, 12), -8);
    SAME(weiri_cu_bfe_s32((int)0x80000000, 40, 1), -1);
    SAME(weiri_cu_bfe_s32(-1, 3, 0), 0);
    SAME(weiri_cu_bfe_u64(0x123456789abcdef0, 32, 16), 0x5678);
    SAME(weiri_cu_bfe_s64((int64_t)0xf000000000000000, 56, 8), -16);
    SAME(weiri_cu_bfi_b32(0xff, 0x11111111, 8, 4), 0x11111f11);
    SAME(weiri_cu_bfi_b32(0xff, 0x11111111, 28, 8), 0xf1111111);
    SAME(weiri_cu_bfi_b32(0xff, 0x11111111, 32, 8), 0x11111111);
    SAME(weiri_cu_bfi_b32(0xff, 0x11111111, 8, 0), 0x11111111);
    SAME(weiri_cu_bfi_b64(5, 0, 61, 3), 5ull << 61);
    SAME(weiri_cu_bfind_u32(0), ~0u);
    SAME(weiri_cu_bfind_u32(0x00800000), 23);
    SAME(weiri_cu_bfind_s32(-1), ~0u);
    SAME(weiri_cu_bfind_s32(-5), 2);
    SAME(weiri_cu_bfind_u64(1ull << 40), 40);
    SAME(weiri_cu_bfind_s64(~(1ll << 40)), 40);
    SAME(weiri_cu_lop3_b32(a, b, c, 0x80) & 0xff, a & b & c);
    SAME(weiri_cu_lop3_b32(a, b, c, 0xfe) & 0xff, a | b | c);
    SAME(weiri_cu_lop3_b32(a, b, c, 0x96) & 0xff, a ^ b ^ c);
    SAME(weiri_cu_lop3_b32(a, b, c, 0x1a) & 0xff, 0x1a);
    SAME(weiri_cu_prmt_b32(x, y, 0x7531, 0), 0x77553311);
    SAME(weiri_cu_prmt_b32(x, y, 0x000e, 0), 0x000000ff); /* the sign of byte 6 */
    SAME(weiri_cu_prmt_b32(x, y, 3, 1), 0xe6554433);
    SAME(weiri_cu_prmt_b32(x, y, 1, 2), 0xe6770011);
    SAME(weiri_cu_prmt_b32(x, y, 2, 3), 0x22222222);
    SAME(weiri_cu_prmt_b32(x, y, 2, 4), 0x33222222);
    SAME(weiri_cu_prmt_b32(x, y, 1, 5), 0x11111100);
    SAME(weiri_cu_prmt_b32(x, y, 1, 6), 0x33223322);
    SAME(weiri_cu_shf_l_b32(0x80000001, 0x12345678, 4, 0), 0x23456788);
    SAME(weiri_cu_shf_l_b32(1, 2, 33, 1), 1);
    SAME(weiri_cu_shf_l_b32(1, 2, 33, 0), 4);
    SAME(weiri_cu_shf_r_b32(1, 2, 33, 1), 2);
    SAME(weiri_cu_shf_r_b32(1, 2, 33, 0), 0);
    unsigned lane = threadIdx.x % 32;
    SAME(weiri_cu_lanemask_eq(), 1u << lane);
    SAME(weiri_cu_lanemask_lt(), (1u << lane) - 1);
    SAME(weiri_cu_lanemask_le(), lane == 31 ? ~0u : (2u << lane) - 1);
    SAME(weiri_cu_lanemask_gt(), lane == 31 ? 0u : ~0u << (lane + 1));
    SAME(weiri_cu_lanemask_ge(), ~0u << lane);
}
int main()
{
    int b;
    k<<<1, 64>>>();
    cudaError_t e = cudaMemcpyFromSymbol(&b, bad, sizeof b);
    printf(b || e ? "%d wrong\n" : "right\n", b);
    return b != 0 || e;
}
