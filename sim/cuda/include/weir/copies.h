/* SPDX-License-Identifier: MIT
 *
 * weir/copies.h: copies that go on while the thread does, of any size, in pieces. A
 * piece has the bytes that cp.async takes: 16, 8 or 4. Bytes which it cannot take, for
 * their place or number, are copied at once. */
#ifndef WEIR_CUDA_COPIES_H
#define WEIR_CUDA_COPIES_H

#include <stddef.h>
#include <stdint.h>

#include <weir/builtins.h>

namespace weiri
{

WEIRI_DEVICE size_t piece_bytes(const void *to, const void *from, size_t bytes)
{
    uintptr_t places = (uintptr_t)to | (uintptr_t)from | (uintptr_t)bytes;
    return (places & 15) == 0 ? 16 : (places & 7) == 0 ? 8 : (places & 3) == 0 ? 4 : 1;
}

/* The pieces of the thread that is number @rank of @n. */
WEIRI_DEVICE void copy_pieces(void *to, const void *from, size_t bytes, size_t rank,
                              size_t n)
{
    size_t piece = piece_bytes(to, from, bytes);
    for (size_t at = rank * piece; at < bytes; at += n * piece) {
        if (piece == 1) {
            ((char *)to)[at] = ((const char *)from)[at];
        } else {
            weiri_cu_copy_begin((char *)to + at, (const char *)from + at,
                                (uint32_t)piece, (uint32_t)piece);
        }
    }
}

} // namespace weiri

#endif
