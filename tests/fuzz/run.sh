#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh SRCDIR SCRATCH: each parser under libFuzzer, with address and undefined
# sanitizers, for FUZZ_SECONDS (600); a crash leaves its input in SCRATCH and fails.
# FUZZ_TARGETS says which of them. The build is one of its own, by clang.
srcdir=${1:?} scratch=${2:?}
: "${FUZZ_SECONDS=600}" "${FUZZ_TARGETS=schedule profile suppress baseline record litmus}"
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
# GLib keeps names for ever, and keeps the old table of them when it grows.
ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
export ASAN_OPTIONS

mkdir -p "$scratch/build" && cd "$scratch/build" || exit 1
if ! test -f Makefile; then
    "$srcdir/configure" CC=clang CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' \
        --enable-sanitizer=address,undefined >configure.log 2>&1 \
        || { echo "configure fails: $scratch/build/configure.log"; exit 1; }
fi
make -j"$jobs" libweir.a weir >make.log 2>&1 \
    || { echo "make fails: $scratch/build/make.log"; exit 1; }

# Seeds: what the tests and the documents have.
seeds()
{
    case $1 in
    schedule) cp "$srcdir"/tests/cli/replays/*.schedule "$2" ;;
    profile) cp "$srcdir"/sim/exec/profiles/*.profile "$2" ;;
    litmus)
        cp "$srcdir"/tests/litmus/*.litmus "$2"
        cat >"$2/ptx" <<'END'
PTX t
"note"
{ x=1; P0:r1=2; s @ surface aliases x; g @ generic aliases x; }
P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;
LC0: ld.acquire.gpu r0, x | sust.weak s, r0 ;
bne r0, 1, LC0 | fence.proxy.async.shared::cta ;
atom.relaxed.sys.cas r2, g, r0, -1 | bar.cta.sync 1, r0, 2 ;
filter (x < 3) exists (P0:r0 >= P1:r0 /\ 0==0)
END
        cat >"$2/vulkan" <<'END'
VULKAN t
{ x=1; y aliases x; }
{ ssw 0 1; }
P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;
st.av.dv.sc0 x, 1 | rmw.atom.acq_rel.wg.sc0.semsc0.semsc1.semav.semvis.cas r0, y, 1, 2 ;
cbar.exec.qf.acq.dv.semsc0 0 | LC1: goto LC1 ;
locations [x;] ~exists (x != [y])
END
        ;;
    suppress)
        cat >"$2/one" <<'END'
# The bins are approximate on purpose: some lost updates do no harm.
data-race     kernel=histogram_lossy object=bins
*-race        function=log_*  file="a b/?.c"  # the log may be torn
END
        ;;
    baseline) echo '{"kernel":"k","seed":1,"findings":[]}' >"$2/one" ;;
    record) echo '{"made":true,"kernel":"k","findings":[]}' >"$2/one" ;;
    esac
}

bad=0
for target in $FUZZ_TARGETS; do
    # The lists are split into words on purpose.
    # shellcheck disable=SC2046
    clang -g -O1 -fsanitize=fuzzer,address,undefined -I. -I"$srcdir/sim" \
        $(pkg-config --cflags glib-2.0) "$srcdir/tests/fuzz/$target.c" \
        libshow.a libweir.a \
        $(pkg-config --libs glib-2.0 json-glib-1.0 libdw) -pthread -lm -o "fuzz-$target" \
        || { bad=1; continue; }
    mkdir -p "../$target" "../$target-seeds"
    seeds "$target" "../$target-seeds"
    if ./"fuzz-$target" -max_total_time="$FUZZ_SECONDS" -timeout=10 -rss_limit_mb=2048 \
        -max_len=16384 -artifact_prefix="../$target-" -print_final_stats=1 \
        "../$target" "../$target-seeds" >"../$target.log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "../$target.log")
        echo "$target: $runs inputs in $FUZZ_SECONDS s, no crash"
    else
        bad=1
        echo "$target: fails; see $scratch/$target.log"
        grep -E 'ERROR|runtime error|SUMMARY|Test unit' "../$target.log" | head -4
    fi
done
exit $bad
