#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-bench.sh: weir bench --sycl runs kernels in C and in SYCL, fast and checked, and
# says whether they agree; a form in SYCL that computes something else is found out.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers g++ clang++
CXX=${compilers##* }

# A command with a compiler beside it that compiles once, and whose reduce_tree is wrong in
# a run with FORGETS.
mkdir beside
cp "$WEIR" "$WEIR-bench" beside/
cat >beside/weir-c++ <<END
#!/bin/sh
for word in "\$@"; do
    case \$word in
    *.cpp) source=\$word ;;
    esac
done
if ! test -x '$scratch/compiled'; then
    sed -i 's/static_cast<unsigned>(j.out\[i\])/& + (std::getenv("FORGETS") \&\& !std::strcmp(r.name, "reduce_tree"))/' "\$source"
    '$compiler' $stacks "\$@" $level && cp "\$word" '$scratch/compiled' || exit
fi
cp '$scratch/compiled' "\$word"
END
chmod +x beside/weir-c++
WEIR=$scratch/beside/weir

# Every form agrees. 5000 elements fill no group to the end.
weir_clean bench --sycl --n 5000 --local 64 --reps 2 --json
json 'len(it) >= 10 and all(k["agree"] is True and k["local"] == 64 for k in it)'
json 'all(k["fast"]["n"] == 5000 and k["checked"]["n"] == 20 for k in it)'
json 'all(k[m][t] > 0 for k in it for m in ("fast", "checked")
    for t in ("c_ms", "sycl_ms", "ratio"))'

# One that does not.
export FORGETS=yes
weir bench --sycl reduce_tree histogram_local_relaxed --n 2^10 --reps 1
ends_with 1
says '^reduce_tree .* DIFFER$' '^histogram_local_relaxed .* agree$'
weir_clean bench --sycl histogram_local_relaxed --n 2^10 --reps 1 --csv
row_has kernel histogram_local_relaxed fast_n 1024 checked_n 4 agree true
unset FORGETS

weir bench --sycl reduce_two_pass
complains 'reduce_two_pass has no form in SYCL' 'histogram_local_relaxed'
weir bench --sycl --workers 2
complains '--sycl and --workers exclude each other'
weir bench --sycl --svg "$scratch/x.svg"
complains '--sycl and --svg exclude each other'

# What the compiler says is said; the folder of the twins goes.
echo 'echo "it does not compile" >&2; exit 1' >"$scratch/beside/weir-c++"
TMPDIR=$scratch/temporary
export TMPDIR
mkdir "$TMPDIR"
weir bench --sycl reduce_tree
complains "weir-c..' failed: it does not compile"
test -z "$(ls "$TMPDIR")" || bad "something stays in the temporary folder"
finish
