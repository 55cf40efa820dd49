#!/bin/sh
# SPDX-License-Identifier: MIT
#
# vectorise.sh: a kernel that never blocks is a plain loop to the compiler. Its
# own report must say so, for the line of each kernel.
#
# A guard (`if (i < n)`) makes the store conditional, which takes masked stores.
# SSE2, all that plain x86-64 promises, has none; AVX2 does. So guarded kernels are
# asked for with -march=x86-64-v3 (on aarch64, with SVE), the others without.
. "${top_srcdir:-.}/tests/arch/lib.sh"

case $(uname -m) in
x86_64) masked=-march=x86-64-v3 ;;
aarch64) masked=-march=armv8-a+sve ;;
*) skip "which flags give $(uname -m) masked stores is not known here" ;;
esac

# write NAME ARGS KIND BODY: a file with one kernel, so that the report is its own;
# a compiler may give the line of the macro or of the header that it opens.
write()
{
    cat >"$scratch/$1.c" <<END
#include <weir-kernel.h>
typedef struct { const int32_t *a, *b; int32_t *c; size_t n; } int_args;
typedef struct { const size_t *a, *b; size_t *c; size_t n; } size_args;
$3($1, $2)
{
    $4
}
END
}

add='size_t i = weir_global_id(item, 0); args->c[i] = args->a[i] + args->b[i];'
guarded='size_t i = weir_global_id(item, 0);
    if (i < args->n) { args->c[i] = args->a[i] + args->b[i]; }'
write plain_int32 int_args WEIR_KERNEL "$add"
write plain_size_t size_args WEIR_KERNEL "$add"
write guarded_int32 int_args WEIR_KERNEL "$guarded"
write guarded_size_t size_args WEIR_KERNEL "$guarded"
write group_int32 int_args WEIR_GROUP_KERNEL "weir_for_each_item(item, group) { $add }"
write group_guarded int_args WEIR_GROUP_KERNEL "weir_for_each_item(item, group) { $guarded }"
# Each item takes what the one before it made: this stays scalar, and shows that
# silence is noticed.
write chained int_args WEIR_KERNEL \
    'size_t i = weir_global_id(item, 0); args->c[i + 1] = args->c[i] * 3 + args->b[i];'

# vectorised COMPILER FLAG KERNEL: whether the compiler reports a vectorised loop.
vectorised()
{
    if is_clang "$1"; then
        report=-Rpass=loop-vectorize
    else
        report=-fopt-info-vec-optimized
    fi
    # shellcheck disable=SC2086
    $1 -std=gnu11 -O3 $2 -I"$top_srcdir/sim" $report -c "$scratch/$3.c" -o "$scratch/$3.o" \
        >"$scratch/report" 2>&1 || { bad "$1 does not compile $3"; cat "$scratch/report"; }
    grep -qE 'optimized: loop vectorized|remark: vectorized loop' "$scratch/report"
}

# expect COMPILER FLAG KERNEL...
expect()
{
    compiler=$1 flag=$2
    shift 2
    for kernel in "$@"; do
        if vectorised "$compiler" "$flag" "$kernel"; then
            good "$compiler -O3 $flag vectorises $kernel"
        else
            bad "$compiler -O3 $flag does not vectorise $kernel"
        fi
    done
    if vectorised "$compiler" "$flag" chained; then
        bad "$compiler -O3 $flag vectorises what depends from item to item"
    fi
}

for compiler in $(compilers); do
    expect "$compiler" '' plain_int32 plain_size_t group_int32
    expect "$compiler" $masked plain_int32 plain_size_t group_int32 \
        guarded_int32 guarded_size_t group_guarded
done
finish
