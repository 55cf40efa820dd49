#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hooks.sh: for each memory access that a C file makes, every hook that the compiler puts
# there is one that libweir.a defines, at every level of optimisation; a program of
# all of them, linked with the library alone, runs and computes what plain C does. And
# an item of a kernel reads and writes what its source says. Weir's reads of its own
# data in the checked half of --fat have no hook.
. "${top_srcdir:-.}/tests/arch/lib.sh"

library=$top_builddir/libweir.a
test -f "$library" || skip "no $library"

cat >"$scratch/forms.c" <<'END'
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) crooked { char c; uint16_t h; uint32_t w; uint64_t d; };
struct big { uint64_t words[9]; char tail; };

#define PLAIN(name, T)                                                                 \
    T name##_memory[4];                                                                \
    static __attribute__((noinline)) T name(T *p, volatile T *v, size_t i)             \
    {                                                                                  \
        p[i] = (T)(p[i + 1] + 3);                                                      \
        p[i] += p[i + 2];                                                              \
        *v = (T)(*v + 1);                                                              \
        return p[i];                                                                   \
    }
PLAIN(u8, uint8_t)
PLAIN(u16, uint16_t)
PLAIN(u32, uint32_t)
PLAIN(u64, uint64_t)
PLAIN(f32, float)
PLAIN(f64, double)
#ifdef __SIZEOF_INT128__
PLAIN(u128, unsigned __int128)
#endif

#define ATOMIC(name, T)                                                                \
    static __attribute__((noinline)) uint64_t atomic_##name(_Atomic(T) *p, T v)        \
    {                                                                                  \
        T old = atomic_load_explicit(p, memory_order_acquire), seen = old;             \
        atomic_store_explicit(p, v, memory_order_release);                             \
        old ^= atomic_exchange(p, (T)5);                                               \
        old ^= atomic_fetch_add_explicit(p, (T)2, memory_order_relaxed);               \
        old ^= atomic_fetch_sub(p, (T)1);                                              \
        old ^= atomic_fetch_and(p, (T)0x7e);                                           \
        old ^= atomic_fetch_or(p, (T)0x11);                                            \
        old ^= atomic_fetch_xor(p, (T)0x3);                                            \
        seen = (T)0;                                                                   \
        old ^= (T)atomic_compare_exchange_strong(p, &seen, (T)9);                      \
        old ^= (T)atomic_compare_exchange_weak(p, &seen, (T)9);                        \
        old ^= __atomic_fetch_nand((T *)p, (T)0x5, __ATOMIC_ACQ_REL);                  \
        old ^= __sync_val_compare_and_swap((T *)p, (T)1, (T)2);                        \
        old ^= __sync_fetch_and_add((T *)p, (T)1);                                     \
        return (uint64_t)(old ^ seen ^ atomic_load(p));                                \
    }
ATOMIC(u8, uint8_t)
ATOMIC(u16, uint16_t)
ATOMIC(u32, uint32_t)
ATOMIC(u64, uint64_t)
#if defined(__SIZEOF_INT128__) && defined(WIDE)
ATOMIC(u128, unsigned __int128)
#endif

static __attribute__((noinline)) uint64_t crooked(struct crooked *c)
{
    c->h = (uint16_t)(c->h + 1);
    c->w += 2;
    c->d += 3;
    return c->h + c->w + c->d;
}

static __attribute__((noinline)) uint64_t copies(struct big *to, const struct big *from,
                                                 size_t n)
{
    *to = *from;
    memset(to->words + 2, 1, 8);
    memset(to->words + 4, 0, n);
    memcpy(to->words + 5, from->words, n);
    memmove(to->words + 6, to->words + 5, n);
    for (size_t i = 0; i < 3; i++) {
        to->words[i] = 0;
    }
    return to->words[2] + to->words[6] + (uint64_t)to->tail;
}

int main(void)
{
    uint64_t sum = 0;
    static struct crooked bent = { 'c', 1, 2, 3 };
    static struct big a, b = { { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, 10 };
    static _Atomic(uint8_t) a8;
    static _Atomic(uint16_t) a16;
    static _Atomic(uint32_t) a32;
    static _Atomic(uint64_t) a64;
    volatile uint8_t v8 = 1;
    volatile uint16_t v16 = 1;
    volatile uint32_t v32 = 1;
    volatile uint64_t v64 = 1;
    volatile float vf = 1;
    volatile double vd = 1;
    sum += u8(u8_memory, &v8, 1) + u16(u16_memory, &v16, 1) + u32(u32_memory, &v32, 1);
    sum += u64(u64_memory, &v64, 1) + (uint64_t)f32(f32_memory, &vf, 1);
    sum += (uint64_t)f64(f64_memory, &vd, 1);
#ifdef __SIZEOF_INT128__
    volatile unsigned __int128 v128 = 1;
    sum += (uint64_t)u128(u128_memory, &v128, 1);
#endif
    sum = sum * 31 + atomic_u8(&a8, 7);
    sum = sum * 31 + atomic_u16(&a16, 7);
    sum = sum * 31 + atomic_u32(&a32, 7);
    sum = sum * 31 + atomic_u64(&a64, 7);
#if defined(__SIZEOF_INT128__) && defined(WIDE)
    static _Atomic(unsigned __int128) a128;
    sum = sum * 31 + atomic_u128(&a128, 7);
#endif
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    sum = sum * 31 + crooked(&bent) + copies(&a, &b, 8);
    static bool flag;
    sum += __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST);
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
END

# ---- What items do --------------------------------------------------------------

cat >"$scratch/kernels.c" <<'END'
#include <weir-kernel.h>
#include <string.h>
struct pair { int32_t a, b; };
struct __attribute__((packed)) bent { char c; int64_t d; };
struct large { int64_t words[20]; };
typedef struct {
    int32_t *in, *out;
    struct pair *pairs;
    struct bent *bent;
    struct large *from, *to;
    unsigned char *bytes;
    double *doubles;
    size_t n;
} all_args;
#define KERNEL(name) WEIR_KERNEL(name, all_args)
#define I size_t i = weir_local_id(item, 0)
KERNEL(add) { I; args->out[i] = args->in[i] + args->in[i + 1]; }
KERNEL(compound) { I; args->out[i] += 3; }
KERNEL(twice) { I; args->out[i] = 1; __asm__ volatile("" ::: "memory"); args->out[i] = 2; }
KERNEL(fill) { I; for (int k = 0; k < 8; k++) { args->out[8 * i + k] = 0; } }
KERNEL(sum)
{
    I;
    int32_t sum = 0;
    for (size_t k = 0; k < 16; k++) { sum += args->in[16 * i + k]; }
    args->out[i] = sum;
}
KERNEL(copy) { I; for (int k = 0; k < 8; k++) { args->out[8 * i + k] = args->in[8 * i + k]; } }
KERNEL(members) { I; args->pairs[i].b = args->pairs[i].a; }
KERNEL(small_struct) { I; args->pairs[i] = args->pairs[i + 100]; }
KERNEL(large_struct) { I; args->to[i] = args->from[i]; }
KERNEL(unaligned) { I; args->bent[i].d += 1; }
KERNEL(set_small) { I; memset(args->bytes + 16 * i, 0, 16); }
KERNEL(set_some) { I; memset(args->bytes + 16 * i, 0, args->n); }
KERNEL(copy_small) { I; memcpy(args->bytes + 32 * i, args->in + 2 * i, 8); }
KERNEL(move_some) { I; memmove(args->bytes + 32 * i, args->in + 4 * i, args->n); }
KERNEL(floating) { I; args->doubles[i] = args->doubles[i + 100] * 0.5; }
KERNEL(branches) { I; if (args->in[i] == 0) { args->out[i] = 1; } else { args->out[i] = 2; } }
KERNEL(atomics)
{
    I;
    atomic_fetch_add((_Atomic int32_t *)&args->out[i], 1);
    weir_atomic_fetch_add(
        weir_atomic_ref(&args->out[i], memory_order_relaxed, memory_scope_device), 1);
}
KERNEL(private)
{
    I;
    int32_t own[16];
    for (size_t k = 0; k < 16; k++) { own[(k * 7 + i) % 16] = (int32_t)k; }
    __asm__ volatile("" : : "r"(own) : "memory");
    args->out[i] = own[i % 16];
}
WEIR_GROUP_KERNEL(grouped, all_args)
{
    weir_for_each_item(item, group) { I; args->out[i] = args->in[i]; }
}
END

cat >"$scratch/items.c" <<'END'
#include "exec/event.h"
#include "exec/finding.h"
#include "exec/launch.h"
#include "exec/object.h"
#include <stdio.h>
enum { ITEMS = 4 };
static size_t n_read, n_written, n_atomic;
static enum weiri_verdict count(void *self, const struct weiri_event *event)
{
    (void)self;
    if (event->kind == WEIRI_EVENT_ACCESS && event->object != NULL) {
        n_read += (event->access & WEIRI_ACCESS_BIT_READ) != 0 ? event->bytes : 0;
        n_written += (event->access & WEIRI_ACCESS_BIT_WRITE) != 0 ? event->bytes : 0;
    }
    n_atomic += event->kind == WEIRI_EVENT_ATOMIC;
    return WEIRI_GOES_ON;
}
struct args { void *p[8]; size_t n; };
/* Bytes that an item reads and writes, and atomics that it makes. */
#define FORMS(X)                                                                       \
    X(add, 8, 4, 0) X(compound, 4, 4, 0) X(twice, 0, 8, 0) X(fill, 0, 32, 0)           \
    X(sum, 64, 4, 0) X(copy, 32, 32, 0) X(members, 4, 4, 0) X(small_struct, 8, 8, 0)   \
    X(large_struct, 160, 160, 0) X(unaligned, 8, 8, 0) X(set_small, 0, 16, 0)          \
    X(set_some, 0, 11, 0) X(copy_small, 8, 8, 0) X(move_some, 11, 11, 0)               \
    X(floating, 8, 8, 0) X(branches, 4, 4, 0) X(atomics, 0, 0, 2) X(private, 0, 4, 0)  \
    X(grouped, 4, 4, 0)
#define X(name, reads, writes, atomics) WEIR_DECLARE_KERNEL(name);
FORMS(X)
#undef X
static int expect(struct weir_device *device, const struct weir_kernel *kernel,
                  size_t reads, size_t writes, size_t atomics)
{
    static const struct weiri_observer observers[] = { { count, NULL }, { NULL, NULL } };
    struct args args = { .n = 11 };
    for (int i = 0; i < 8; i++) {
        args.p[i] = weir_new(device, int64_t, 1024, "memory");
    }
    struct weiri_launch launch = {
        .kernel = kernel, .device = device, .entry = kernel->checked,
        .shape = { .dim = 1, .sub_group_size = 16, .sub_group_shift = 4, .items = ITEMS,
                   .global = { ITEMS, 1, 1 }, .local = { ITEMS, 1, 1 },
                   .groups = { 1, 1, 1 } },
        .args = &args, .n_groups = 1, .chunk = 1, .n_workers = 1,
        .stack_bytes = 64 * 1024, .observers = observers, .deterministic = true,
        .report = weiri_report_new(), .objects = weiri_objects_new(device, NULL),
        .call_tree = weiri_call_tree_new(),
    };
    n_read = n_written = n_atomic = 0;
    bool quiet = weiri_schedule_parse("in-order", &launch.schedule, NULL)
        && weiri_launch_run(&launch, NULL) && weir_report_n_findings(launch.report) == 0;
    weiri_call_tree_free(launch.call_tree);
    weiri_objects_free(launch.objects);
    weir_report_free(launch.report);
    if (!quiet) {
        printf("%s does not run\n", kernel->name);
        return 1;
    }
    if (n_read != ITEMS * reads || n_written != ITEMS * writes
        || n_atomic != ITEMS * atomics) {
        printf("%s: an item reads %g bytes, not %zu, writes %g, not %zu, and make "
               "%g atomics, not %zu\n", kernel->name, (double)n_read / ITEMS, reads,
               (double)n_written / ITEMS, writes, (double)n_atomic / ITEMS, atomics);
        return 1;
    }
    return 0;
}
int main(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    int n_wrong = 0;
#define X(name, reads, writes, atomics) n_wrong += expect(device, &name, reads, writes, atomics);
    FORMS(X)
    weir_device_free(device);
    return n_wrong;
}
END

$NM -g --defined-only "$library" 2>/dev/null | awk '{ print $NF }' | grep -E '^__(tsan|sanitizer)_' \
    | LC_ALL=C sort -u >"$scratch/defined"
test -s "$scratch/defined" || skip "libweir.a has no hooks"

wide=
case $(uname -m) in
x86_64) wide='-mcx16 -DWIDE' ;;
aarch64) wide=-DWIDE ;;
esac

# try COMPILER LEVEL
try()
{
    flags="-std=gnu11 -w $2 $wide"
    hooks="-fsanitize=thread -fsanitize-coverage=trace-pc,trace-cmp -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-builtin"
    if is_clang "$1"; then
        hooks="$hooks -mllvm -tsan-instrument-read-before-write=1 -fno-vectorize -fno-slp-vectorize -mllvm -enable-tail-merge=false"
    fi
    # shellcheck disable=SC2086
    $1 $flags $hooks -c "$scratch/forms.c" -o "$scratch/forms.o" >"$scratch/log" 2>&1 \
        || { bad "$1 $2 does not compile the forms"; cat "$scratch/log"; return; }
    $NM -u "$scratch/forms.o" | awk '{ print $NF }' | grep -E '^__(tsan|sanitizer)_' \
        | LC_ALL=C sort -u >"$scratch/used"
    LC_ALL=C comm -23 "$scratch/used" "$scratch/defined" >"$scratch/missing"
    if test -s "$scratch/missing"; then
        bad "$1 $2 calls hooks that libweir.a lacks: $(tr '\n' ' ' <"$scratch/missing")"
        return
    fi

    # A library that is instrumented itself links with its own compiler only.
    if test -n "$SANITIZE_FLAGS$COVERAGE_CFLAGS" && test "$1" != "$CC"; then
        good "$1 $2: $(wc -l <"$scratch/used") hooks, all defined"
        return
    fi
    # Where 16-byte atomics are calls, they are libatomic's in the plain program.
    # shellcheck disable=SC2086
    { $1 $flags "$scratch/forms.c" -o "$scratch/plain" \
        || $1 $flags "$scratch/forms.c" -o "$scratch/plain" -latomic; } >"$scratch/log" 2>&1 \
        || { echo "$1 $2: no libatomic for the plain program: not run"; return; }
    # shellcheck disable=SC2086
    $1 "$scratch/forms.o" -o "$scratch/hooked" "$library" $GLIB_LIBS $LIBDW_LIBS -pthread \
        $SANITIZE_FLAGS $COVERAGE_CFLAGS >"$scratch/log" 2>&1 \
        || { bad "$1 $2: does not link"; cat "$scratch/log"; return; }
    plain=$("$scratch/plain")
    hooked=$("$scratch/hooked" 2>&1)
    if test "$plain" = "$hooked"; then
        good "$1 $2: $(wc -l <"$scratch/used") hooks, all defined; the program says $plain"
    else
        bad "$1 $2: '$hooked' with hooks, '$plain' without"
    fi

    # The driver is compiled once, by the library's compiler.
    test -f "$scratch/items.o" || $CC -std=gnu11 -O1 -I"$top_srcdir/sim" -I"$top_builddir" $GLIB_CFLAGS \
        $SANITIZE_FLAGS -c "$scratch/items.c" -o "$scratch/items.o" >"$scratch/log" 2>&1 \
        || { bad "the driver does not compile"; cat "$scratch/log"; return; }
    # shellcheck disable=SC2086
    { $1 $flags $hooks -I"$top_srcdir/sim" -c "$scratch/kernels.c" -o "$scratch/kernels.o" \
        && $CC "$scratch/items.o" "$scratch/kernels.o" -o "$scratch/items" "$library" $WRAP_LIBS \
            $GLIB_LIBS $LIBDW_LIBS -pthread $SANITIZE_FLAGS $COVERAGE_CFLAGS; } \
        >"$scratch/log" 2>&1 \
        || { bad "$1 $2: kernels do not compile"; cat "$scratch/log"; return; }
    if "$scratch/items" >"$scratch/log" 2>&1; then
        good "$1 $2: items do what the source says"
    else
        bad "$1 $2: $(cat "$scratch/log")"
    fi
}

cat >"$scratch/ids.c" <<'END'
#include <weir-kernel.h>
typedef struct { unsigned char *out; size_t n; double x; } ids_args;
WEIR_KERNEL(ids, ids_args)
{
    size_t sum = args->n + weir_work_dim(item) + weir_sub_group_id(item)
        + weir_sub_group_local_id(item) + weir_sub_group_size(item)
        + weir_num_sub_groups(item) + weir_local_linear_id(item)
        + weir_group_linear_id(item) + weir_global_linear_id(item);
    for (uint32_t d = 0; d < 3; d++) {
        sum += weir_global_id(item, d) + weir_group_id(item, d) + weir_local_id(item, d)
            + weir_global_size(item, d) + weir_num_groups(item, d) + weir_local_size(item, d);
    }
    args->out[0] = (unsigned char)(sum + (size_t)args->x);
}
END

# try_ids COMPILER LEVEL: the ids and arguments of a checked half
try_ids()
{
    # shellcheck disable=SC2086
    $1 -std=gnu11 -w $2 -DWEIRI_FAT=2 -fsanitize=thread,alignment -fno-omit-frame-pointer \
        -fno-builtin -I"$top_srcdir/sim" -c "$scratch/ids.c" -o "$scratch/ids.o" \
        >"$scratch/log" 2>&1 || { bad "$1 $2: ids do not compile"; cat "$scratch/log"; return; }
    used=$($NM -u "$scratch/ids.o" | awk '$NF ~ /^__(tsan_(unaligned_)?(read|write)|ubsan)/ { printf "%s ", $NF }')
    case $used in
    __tsan_write1\ | '__tsan_read_range __tsan_write1 ') good "$1 $2: ids have no hooks" ;;
    *) bad "$1 $2: ids and arguments have hooks: $used" ;;
    esac
}

for compiler in $(compilers clang); do
    echo 'int f(int *p); int f(int *p) { return *p; }' >"$scratch/probe.c"
    if ! $compiler -fsanitize=thread -c "$scratch/probe.c" -o "$scratch/probe.o" 2>/dev/null; then
        echo "$compiler lacks -fsanitize=thread: not tried"
        continue
    fi
    for level in -O0 -O1 -O2 -O3; do
        try "$compiler" $level
    done
    case $(uname -m) in
    x86_64 | aarch64) try_ids "$compiler" -O1; try_ids "$compiler" -O2 ;;
    esac
done
finish
