#!/bin/sh
# SPDX-License-Identifier: MIT
#
# input.sh: weir run --input: the content decides the form, the answer is that of
# the file's values, and an error names line and column.
. "${top_srcdir:-.}/tests/cli/lib.sh"

# result N SUM FILE: reductions of the file give that sum of so many values
result()
{
    for kernel in reduce_tree reduce_atomics1 reduce_single_item reduce_multi_pass; do
        weir_clean run $kernel --input "$3" --reps 1
        says "elements +$1 " "result +$2\$" "expected +$2: right"
        weir_clean run $kernel --input "$3" --reps 1 --json
        json 'it["n"] == '"$1"' and it["result"] == '"$2"' and it["expected"] == '"$2"'
            and it["correct"]'
    done
}

printf '1\n2\n3\n' >"$scratch/text"
result 3 6 "$scratch/text"
printf '  -7\r\n\n+10 \n\t0005' >"$scratch/loose"
result 3 8 "$scratch/loose"
: >"$scratch/empty"
result 0 0 "$scratch/empty"
printf '2147483647\n1\n' >"$scratch/wraps"
result 2 -2147483648 "$scratch/wraps"
printf '\001\000\000\000\377\377\377\377\000\001\000\000' >"$scratch/raw"
result 3 256 "$scratch/raw"
awk 'BEGIN { for (i = 1; i <= 30000; i++) print i }' >"$scratch/long"
result 30000 450015000 "$scratch/long"

# A pipe can be read once and has no size.
step='weir run reduce_tree --input /dev/stdin'
if test -r /dev/stdin; then
    status=0
    printf '20\n22\n' | "$WEIR" run reduce_tree --input /dev/stdin --reps 1 >"$out" 2>"$err" \
        || status=$?
    is_clean
    says 'result +42$'
fi

# Histograms count values up to 2047.
printf '0\n5\n5\n2047\n' >"$scratch/bins"
for kernel in histogram_local_relaxed histogram_atomic_relaxed histogram_critical; do
    weir_clean run $kernel --input "$scratch/bins" --reps 1
    says 'elements +4 ' 'right'
done
printf '0\n2048\n' >"$scratch/over"
weir run histogram_local_relaxed --input "$scratch/over"
complains 'over' '2048' 'index 1'
printf '3\n4\n-1\n' >"$scratch/under"
weir run histogram_atomic_relaxed --input "$scratch/under"
complains 'under' "value -1" 'index 2'

# wrong PLACE WHAT CONTENT: refused with a name, a place and what stands there
wrong()
{
    printf "$3" >"$scratch/wrong"
    weir run reduce_tree --input "$scratch/wrong"
    complains "wrong:$1: " "$2"
}
wrong 3:1 "'x'" '1\n2\nx\n'
wrong 2:3 "'2\.5'" '1\n  2.5\n3\n'
wrong 1:3 "'2'" '1 2\n'
wrong 1:1 'int32' '2147483648\n'
wrong 2:1 'int32' '1\n-2147483649\n'
wrong 4:1 "'-'" '1\n\n\n-\n'
wrong 1:1 "'1,2'" '1,2\n'
printf '\001\002\003' >"$scratch/wrong"
weir run reduce_tree --input "$scratch/wrong"
complains 'wrong' '3 bytes' '4'

weir run reduce_tree --input "$scratch/absent"
complains 'absent'
weir run reduce_tree --input "$scratch"
complains "$scratch"
weir run reduce_tree --input "$scratch/text" --n 3
complains '--n' '--input'
weir run --input "$scratch/text"
complains '--input'
finish
