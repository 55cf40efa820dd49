#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh: weir run runs kernels and compares: status 0 where all is right, 1 with a
# finding, 2 and one line for anything that cannot be run.
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$WEIR" list | grep -E '^(reduce|histogram)_' | sed 's/ .*//' >"$scratch/kernels"
test -s "$scratch/kernels" || { step='weir list'; status=0; bad "no kernels"; }

# Every kernel, alone.
while read -r kernel; do
    for n in 0 1 257 1000; do
        weir run "$kernel" --n $n --workers 2 --reps 1
        case $kernel in
        reduce_last_group_relaxed*) ;; # right by luck only
        *)
            is_clean
            says "^$kernel: " "elements +$n " 'expected .*: right'
            ;;
        esac
    done
    weir run "$kernel" --n 300 --workers 1 --reps 1 --json
    json 'it["kernel"] == "'"$kernel"'" and it["n"] == 300 and it["workers"] == 1
        and it["reps"] == 1 and it["local"] > 0 and it["groups"] > 0 and it["ms"] >= 0
        and it["findings"] == [] and type(it["correct"]) is bool
        and (it["broken"] or it["correct"])
        and (it["element"] != "int32" or not it["correct"] or it["result"] == it["expected"])'
done <"$scratch/kernels"

# All of them, without a name: broken ones do not count.
weir_clean run --n 5000 --reps 1
says 'reduce_tree' 'histogram_local_relaxed' 'answers are right'
weir_clean run --n 5000 --reps 1 --json
json 'isinstance(it, list) and len(it) >= 18 and all(k["correct"] or k["broken"] for k in it)'
weir_clean run --n 5000 --reps 1 --csv
test "$(wc -l <"$out")" -eq "$(($(wc -l <"$scratch/kernels") + 1))" || bad "not a line a kernel"
head -1 "$out" | grep -q '^kernel,.*,correct,' || bad "there is no line of headings"

# Every figure is in its own column, and a histogram that is right has no wrong bin.
weir_clean run histogram_local_relaxed --n 5000 --local 64 --reps 1 --csv
row_has kernel histogram_local_relaxed family histogram n 5000 local 64 result 5000 \
    expected 5000 correct true findings 0 broken false
weir_clean run histogram_local_relaxed --n 5000 --reps 2 --json
json 'it["wrong_bin"] is None and 0 < it["ms"] <= it["ms_median"]'

# Some of them: an array in the order of the names.
weir_clean run reduce_builtin reduce_atomics2 --n 5000 --reps 1 --json
json '[k["kernel"] for k in it] == ["reduce_builtin", "reduce_atomics2"]'

# Numbers may be written in several ways.
while read -r form n; do
    weir_clean run reduce_atomics2 --n "$form" --reps 1 --json
    json 'it["n"] == '"$n"
done <<END
0 0
7 7
1000 1000
10k 10000
1M 1000000
4Ki 4096
1Mi 1048576
2^10 1024
2^10+5 1029
1Mi-1 1048575
3^2+1k-9 1000
END
for wrong in '' x 1.5 -5 1e3 0x10 2^ ^2 1KiB '1 2' 10T +; do
    weir run reduce_tree --n="$wrong"
    complains '--n' "'$(printf %s "$wrong" | sed 's/[+^.]/\\&/g')'"
done
for wrong in 2^64 18446744073709551616 99999999999999999999 2^63+2^63 5-6; do
    weir run reduce_tree --n $wrong
    complains '--n' 'out of range'
done
# The size of the memory does not fit into an address.
weir run reduce_tree --n 2^62
complains '--n' '4611686018427387904'

# Local sizes.
for local in 1 2 64 1024; do
    weir_clean run reduce_tree --n 3000 --local $local --reps 1 --json
    json 'it["local"] == '$local' and it["correct"]'
done
weir run reduce_tree --n 100 --local 1025
complains '1025' '1024'
weir run reduce_tree --n 100 --local 0
complains '--local'
weir run reduce_shuffle --n 100 --local 100
complains 'reduce_shuffle' 'power of two' '100' '--local'
weir run reduce_multi_pass --n 100 --local 7
complains 'reduce_multi_pass' '7' '--local'
weir run reduce_tree --n 100 --local many
complains '--local' 'many'

# Workers, repetitions, sub-groups, stacks.
for workers in 1 2 5; do
    weir_clean run reduce_two_pass --n 70000 --workers $workers --reps 1 --json
    json 'it["workers"] == '$workers' and it["correct"]'
done
weir run reduce_tree --n 100 --workers 257
complains '257' '256'
weir run reduce_tree --n 100 --workers 0
complains '--workers'
weir run reduce_tree --n 100 --reps 0
complains '--reps'
weir run reduce_tree --n 100 --reps -1
complains '--reps'
weir_clean run reduce_shuffle --n 1000 --sub-group 8 --reps 1
weir run reduce_shuffle --n 1000 --sub-group 7
complains 'sub-group'
weir_clean run reduce_tree --n 1000 --stack-bytes 1Mi --reps 1
weir run reduce_tree --n 1000 --stack-bytes 100
complains '100'

# The time limit: status 3, and nothing that looks like an answer.
weir_clean run reduce_tree --n 1000 --reps 1 --time-limit 60
weir run reduce_tree --n 1000 --time-limit 0
complains '--time-limit'
weir_ends 3 run reduce_tree histogram_critical --n 16M --time-limit 0.01
says 'INCOMPLETE' 'incomplete: '
says_nothing_of 'WRONG'
weir_ends 3 run reduce_tree --n 16M --time-limit 0.001 --json
json 'not it["correct"] and it["incomplete"]'

# Devices. A missing feature of a device is a finding of the kernel, and status 1.
weir_clean run reduce_tree --n 1000 --device hd630 --reps 1 --json
json 'it["local"] <= 256'
weir_ends 1 run reduce_atomics1 --n 1000 --device opencl12 --reps 1
says 'unsupported' 'opencl12' 'device'
weir_ends 1 run reduce_atomics1 --n 1000 --device opencl12 --reps 1 --json
json 'len(it["findings"]) == 1 and it["findings"][0]["kind"] == "unsupported"'
weir run reduce_tree --n 100 --local 512 --device hd630
complains '512' '256'
weir run reduce_tree --n 100 --device cuda
complains "'cuda'"

# Kernels.
weir run reduce_tre --n 100
complains "'reduce_tre'" 'reduce_tree'
weir run xyz --n 100
complains "'xyz'" 'weir list'
weir run reduce_tree reduce_tre --n 100
complains "'reduce_tre'"
weir run reduce_tree --n 100 --json --csv
complains 'json' 'csv'
weir run reduce_tree --n
complains 'n'

# Options may stand anywhere, and -- ends them.
weir_clean run --n 100 -- reduce_tree
says '^reduce_tree: '
weir_clean run --reps=1 -n 100 reduce_tree --json
json 'it["n"] == 100'

# The same answer twice, but for times.
for form in '' --json; do
    for kernel in reduce_tree reduce_multi_pass histogram_local_relaxed reduce_float_pairwise; do
        # The option may be none.
        # shellcheck disable=SC2086
        weir_clean run $kernel --n 12345 --reps 2 $form
        timeless "$out" >"$scratch/first"
        # shellcheck disable=SC2086
        weir run $kernel --n 12345 --reps 2 $form
        timeless "$out" >"$scratch/second"
        cmp -s "$scratch/first" "$scratch/second" || bad "another answer the second time"
        grep -q TIME "$scratch/first" || bad "no time is given"
    done
done
finish
