#!/bin/sh
# SPDX-License-Identifier: MIT
#
# libraries.sh: each part of the sources is a library, which links with those alone that
# the table declares. With a use of another one it must not link.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# A part, and all parts that it may use, directly or through others. docs/architecture.md
# says what each part is.
table='
base
finding
machine base finding
model base
litmus base model
native base finding machine model litmus
report base finding machine
watch base finding machine
host base finding machine model litmus native report watch
sycl base finding machine model litmus native report watch host
cuda base finding machine model litmus native report watch host
show base finding machine model litmus native report watch host
kernels base finding machine model litmus native report watch host
opencl-device base finding machine model litmus native report watch host
opencl-compile base finding machine model litmus native report watch host
cli base finding machine model litmus native report watch host kernels
engine base finding machine model litmus native report watch host kernels cli show
repair base finding machine model litmus native report watch host kernels cli show engine
split
opencl-cc split
'

# A part of libweir.a needs what a program needs that is linked with it.
archives()
{
    for part in "$@"; do
        echo "$top_builddir/lib$part.a"
        test "$part" != machine || echo "$top_builddir/libhooks.a"
    done
}

# links PART "USED..." [OBJECT]: whether all of a part links with those that it uses.
# shellcheck disable=SC2046,SC2086
links()
{
    $CC -o "$scratch/program" "$scratch/main.c" ${3-} \
        -Wl,--whole-archive $(archives $1) -Wl,--no-whole-archive \
        -Wl,--start-group $(archives $2) -Wl,--end-group \
        $SANITIZE_FLAGS $GLIB_LIBS $LIBDW_LIBS $JSON_GLIB_LIBS $MPI_LIBS -ldl -lm \
        >"$scratch/log" 2>&1
}

# The folders of a part.
folders_of()
{
    case $1 in
        machine) echo exec deterministic ;;
        litmus) echo litmus answer ;;
        opencl-cc) echo opencl-cc ;;
        opencl-*) echo "opencl/${1#opencl-}" ;;
        *) echo "$1" ;;
    esac
}

# Prints a function or variable that a part defines for others.
symbol_of()
{
    "$NM" -P -g "$top_builddir/lib$1.a" 2>/dev/null \
        | awk '$2 ~ /^[TD]$/ && $1 ~ /^weiri?_/ { print $1; exit }'
}

echo 'int main(void) { return 0; }' >"$scratch/main.c"
echo "$table" | while read -r part used; do
    test -n "$part" || continue
    links "$part" "$used" || {
        bad "lib$part.a does not link with $used alone:"
        grep 'undefined reference' "$scratch/log" | sed 's/.*: //' | sort -u | head -n 10
    }
    for other in $(echo "$table" | cut -d' ' -f1); do
        case " $part $used " in
            *" $other "*) continue ;;
        esac
        symbol=$(symbol_of "$other")
        test -n "$symbol" || { bad "lib$other.a defines nothing"; continue; }
        echo "extern char ${symbol}[]; char *weiri_planted(void) { return $symbol; }" \
            >"$scratch/planted.c"
        # shellcheck disable=SC2086
        $CC -c "$scratch/planted.c" -o "$scratch/planted.o" || bad "no planted object"
        ! links "$part" "$used" "$scratch/planted.o" || bad "$part may use $other, unseen"
        break
    done
    echo "$failures" >"$scratch/failures"
    echo "$part" >>"$scratch/parts"
done
failures=$(cat "$scratch/failures")

# A part can be read by one person: it has fewer than 20 000 lines.
while read -r part; do
    n=0
    for folder in $(folders_of "$part"); do
        in=$top_srcdir/sim/$folder
        test "$part" != kernels || in=$top_srcdir/kernels
        lines=$(find "$in" -type f \( -name '*.[chS]' -o -name '*.[ch]pp' \) -exec cat {} + \
            | wc -l)
        test "$lines" -gt 0 || bad "$in has no sources"
        n=$((n + lines))
    done
    test "$n" -lt 20000 || bad "$part has $n lines"
done <"$scratch/parts"

# The table has every library of the sources.
for part in $(sed -n 's/^noinst_LIBRARIES += lib\(.*\)\.a$/\1/p' "$top_srcdir"/sim/local.mk \
    "$top_srcdir"/sim/*/local.mk); do
    test "$part" = hooks || grep -qx "$part" "$scratch/parts" || bad "the table lacks lib$part.a"
done
test "$failures" -ne 0 || good "$(wc -l <"$scratch/parts") libraries link with what they declare"
finish
