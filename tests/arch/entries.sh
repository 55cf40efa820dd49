#!/bin/sh
# SPDX-License-Identifier: MIT
#
# entries.sh: one body, two entries. Compiled with the memory hooks, the checked
# entry of a kernel calls them and the fast one none, at every level of
# optimisation; compiled without, there is no checked entry.
. "${top_srcdir:-.}/tests/arch/lib.sh"

command -v objdump >/dev/null 2>&1 || skip "no objdump"

cat >"$scratch/kernels.c" <<'END'
#include <weir-kernel.h>

typedef struct { const int32_t *a, *b; int32_t *c; size_t n; } add_args;

WEIR_KERNEL(plain, add_args)
{
    size_t i = weir_global_id(item, 0);
    if (i < args->n) {
        args->c[i] = args->a[i] + args->b[i];
    }
}

WEIR_KERNEL(blocking, add_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, weir_local_size(item, 0));
    shared[i] = args->a[i];
    weir_barrier(item, WEIR_LOCAL);
    args->c[i] = shared[0];
    weir_atomic_fetch_add(
        weir_atomic_ref(&args->c[0], memory_order_relaxed, memory_scope_device), shared[i]);
}

WEIR_GROUP_KERNEL(hierarchical, add_args)
{
    weir_for_each_item(item, group) {
        size_t i = weir_global_id(item, 0);
        args->c[i] = args->a[i] + args->b[i];
    }
}
END

# calls_hooks OBJECT FUNCTION LEVEL: whether the code of FUNCTION, its split parts
# and that of one item included, calls a hook, or what checked loops over items call. That is a branch which
# optimisation takes away.
calls_hooks()
{
    objdump -dr --no-show-raw-insn "$1" | awk -v name="$2" -v level="$3" '
        /^[0-9a-f]+ <.*>:$/ {
            inside = $2 ~ "^<" name "(_item)?[.>]"
            found += inside
        }
        inside && /__(tsan|sanitizer)_/ { hooks++ }
        inside && /weiri_(item_begin|loop_barrier)/ && level != "-O0" { hooks++ }
        END { exit !found ? 2 : !hooks }'
}

# try COMPILER LEVEL
try()
{
    flags="-fsanitize=thread -fsanitize-coverage=trace-pc,trace-cmp -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-builtin"
    if is_clang "$1"; then
        flags="$flags -mllvm -tsan-instrument-read-before-write=1 -fno-vectorize -fno-slp-vectorize -mllvm -enable-tail-merge=false"
    fi
    # shellcheck disable=SC2086
    $1 -std=gnu11 $2 $flags -I"$top_srcdir/sim" -c "$scratch/kernels.c" -o "$scratch/with.o" \
        >"$scratch/log" 2>&1 \
        || { bad "$1 $2 does not compile with hooks"; cat "$scratch/log"; return; }
    # shellcheck disable=SC2086
    $1 -std=gnu11 $2 -I"$top_srcdir/sim" -c "$scratch/kernels.c" -o "$scratch/without.o" \
        >"$scratch/log" 2>&1 \
        || { bad "$1 $2 does not compile"; cat "$scratch/log"; return; }

    before=$failures
    for kernel in plain blocking hierarchical; do
        calls_hooks "$scratch/with.o" ${kernel}__checked "$2" \
            || bad "$1 $2: ${kernel}__checked is missing or calls no hook"
        calls_hooks "$scratch/with.o" ${kernel}__fast "$2"
        case $? in
        0) bad "$1 $2: ${kernel}__fast calls hooks" ;;
        2) bad "$1 $2: ${kernel}__fast is missing" ;;
        esac
        if $NM "$scratch/without.o" | grep -q " ${kernel}__checked"; then
            bad "$1 $2: without the flag there is a ${kernel}__checked"
        fi
    done
    if $NM "$scratch/without.o" | grep -q __tsan_; then
        bad "$1 $2: without the flag there are hooks"
    fi
    test "$failures" -gt "$before" || good "$1 $2: hooks in checked entries only"
}

tried=no
for compiler in $(compilers clang); do
    echo 'int f(int *p); int f(int *p) { return *p; }' >"$scratch/probe.c"
    if ! $compiler -fsanitize=thread -c "$scratch/probe.c" -o "$scratch/probe.o" 2>/dev/null; then
        echo "$compiler lacks -fsanitize=thread: not tried"
        continue
    fi
    tried=yes
    for level in -O0 -O1 -O2 -O3; do
        try "$compiler" $level
    done
done
test $tried = yes || skip "no compiler here has -fsanitize=thread"
finish
