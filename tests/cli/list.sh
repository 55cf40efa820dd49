#!/bin/sh
# SPDX-License-Identifier: MIT
#
# list.sh: weir list names every built-in kernel, in three forms that agree.
. "${top_srcdir:-.}/tests/cli/lib.sh"

kernels='reduce_single_item reduce_atomics1 reduce_atomics2 reduce_atomics3
    reduce_single_group reduce_tree reduce_multi_pass reduce_two_pass reduce_builtin
    reduce_multiblock_interleaved reduce_multiblock_interleaved_vector
    reduce_last_group_relaxed reduce_last_group histogram_critical
    histogram_atomic_relaxed histogram_atomic_seq_cst histogram_local_relaxed
    histogram_local_seq_cst'

weir_clean list
for kernel in $kernels; do
    says "^$kernel "
done
says 'reduce_last_group_relaxed .*(broken|BROKEN)'
grep -E '^(reduce|histogram)_' "$out" | sed 's/ .*//' >"$scratch/names"

weir_clean list --csv
sed 's/,.*//' "$out" | tr -d '\r' | sed 1d >"$scratch/names.csv"
cmp -s "$scratch/names" "$scratch/names.csv" || bad "the names differ from those of the text"
head -1 "$out" | grep -q '^name,family,' || bad "there is no line of headings"

weir_clean list --json
json 'isinstance(it, list) and all(
    k["family"] in ("reduction", "histogram") and k["summary"] and "source" in k for k in it)'
json '[k["name"] for k in it] == open("'"$scratch"'/names").read().split()'
json '[k["name"] for k in it if k["broken"]] == [k["name"] for k in it
    if k["name"].startswith("reduce_last_group_relaxed")]'

weir list --json
cp "$out" "$scratch/first"
weir list --json
cmp -s "$scratch/first" "$out" || bad "another output the second time"

weir list reduce_tree
complains 'reduce_tree'
weir list --json --csv
complains 'json' 'csv'
finish
