#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench.sh: weir bench prints the variants beside the figures of GPUs, as text,
# JSON, CSV and a chart, and leaves out what is broken on purpose.
. "${top_srcdir:-.}/tests/cli/lib.sh"

weir_clean bench --family reduction --n 2^16 --reps 1 --workers 2
says 'reduce_tree' 'HD Graphics' 'Iris Xe' 'share' 'GB/s' '\(288\)' '\(115\)'
says_nothing_of 'histogram' 'reduce_last_group_relaxed'
# Beside the published figures those of the twins: 512 Mi elements in 0.4841 ms.
says 'NVIDIA' '4436\.03 \(0\.4841\)' 'H200: measured with twins in CUDA, for 512 Mi'

weir_clean bench --family histogram --n 2^14 --reps 1 --workers 2
says 'histogram_critical' 'Max 1100' '3647\.86'
says_nothing_of 'reduce_'

# Each bench takes a second, in which it measures the memory.
weir_clean bench reduce_tree histogram_local_relaxed reduce_builtin --n 2^14 --reps 2 --json
json '[k["kernel"] for k in it]
    == ["reduce_tree", "histogram_local_relaxed", "reduce_builtin"] and all(
    k["n"] == 16384 and k["local"] > 0 and 0 <= k["ms_best"] <= k["ms_median"]
    and k["gb_per_s"] > 0 and k["correct"] is True for k in it)'
json '{(p["device"], p["ms"]) for p in it[0]["published"]}
    == {("HD Graphics 630", 288), ("Iris Xe", 115)}'
json 'it[0]["twin"] == {"device": "NVIDIA H200", "n": 536870912, "ms": 3.8162}
    and it[1]["twin"] == {"device": "NVIDIA H200", "n": 10000000, "ms": 0.0347}
    and it[2]["twin"] is None'

# A broken kernel where it is named.
weir bench reduce_last_group_relaxed --n 2^14 --reps 1 --json
json 'it[0]["kernel"] == "reduce_last_group_relaxed" and it[0]["broken"] is True'

# Every figure is in its own column; the published one is of another size.
weir_clean bench histogram_local_relaxed --n 5000 --local 64 --reps 1 --csv
head -1 "$out" | grep -q '^kernel,.*ms_best,ms_median,gb_per_s,.*correct' \
    || bad "there is no line of headings"
test "$(wc -l <"$out")" -eq 2 || bad "not two lines"
row_has kernel histogram_local_relaxed family histogram n 5000 local 64 correct true \
    findings 0 broken false Data_Center_GPU_Max_1100_n 10000000 \
    Data_Center_GPU_Max_1100_ms 0.11 NVIDIA_H200_n 10000000 NVIDIA_H200_ms 0.0347

# What cannot be measured is an error, and no figure.
weir bench reduce_tree --n 2^50 --reps 1
complains '--n' 'available'

# The chart is whole, and well-formed where a validator is at hand.
weir_clean bench reduce_tree reduce_atomics2 --n 2^14 --reps 1 --svg "$scratch/chart.svg"
test -s "$scratch/chart.svg" || bad "no chart"
cp "$scratch/chart.svg" "$out"
says '<svg ' '</svg>' 'reduce_tree' 'reduce_atomics2' 'HD Graphics 630, 512 Mi .published\)' \
    'NVIDIA H200, 512 Mi .CUDA twin\)'
if command -v python3 >/dev/null 2>&1; then
    python -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$scratch/chart.svg" \
        || bad "the chart is not well-formed"
fi

weir bench reduce_tree --n 2^10 --svg "$scratch/no/such/folder.svg"
complains '--svg' 'no/such'
weir bench reduce_tree --n 2^10 --svg "$scratch"
complains '--svg'
if test -c /dev/full; then
    weir_ends 2 bench reduce_tree --n 2^10 --svg /dev/full
    grep -q '^weir bench: --svg: /dev/full: ' "$err" || bad "the loss is not reported"
    test -c /dev/full || bad "the chart replaced a device"
fi
weir bench --family sort
complains "'sort'" 'reduction' 'histogram'
weir bench --family reduction reduce_tree
complains 'family'
weir bench reduce_tre
complains "'reduce_tre'"
weir bench reduce_tree --reps 0
complains '--reps'
weir bench reduce_tree --json --csv
complains 'json' 'csv'

if test -c /dev/full; then
    step='weir bench reduce_tree >/dev/full'
    status=0
    : >"$out"
    "$WEIR" bench reduce_tree --n 2^10 --reps 1 >/dev/full 2>"$err" || status=$?
    complains 'standard output'
fi
finish
