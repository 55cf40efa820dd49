#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-bench.sh: weir bench --sycl runs kernels in C and in SYCL, fast and checked, and
# says whether they agree; a form in SYCL that computes something else is found out.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
WEIR_INCLUDE_DIR=$(cd "$top_srcdir/sim" && pwd)
WEIR_LIB_DIR=$(cd "$(dirname "$WEIR")" && pwd)
export WEIR_INCLUDE_DIR WEIR_LIB_DIR
command -v "${CXX:-c++}" >/dev/null 2>&1 || { echo "SKIP: no C++ compiler"; exit 77; }

# Every form agrees. 5000 elements fill no group to the end.
weir_clean bench --sycl --n 5000 --local 64 --reps 2 --json
json 'len(it) >= 10 and all(k["agree"] is True and k["local"] == 64 for k in it)'
json 'all(k["fast"]["n"] == 5000 and k["checked"]["n"] == 20 for k in it)'
json 'all(k[m][t] > 0 for k in it for m in ("fast", "checked")
    for t in ("c_ms", "sycl_ms", "ratio"))'

# A compiler beside the command whose tree forgets a level.
mkdir "$scratch/beside"
cp "$WEIR" "$scratch/beside/weir"
cat >"$scratch/beside/weir-c++" <<END
#!/bin/sh
for word in "\$@"; do
    case \$word in
    *.cpp) sed -i 's/active > 1;/active > 2;/' "\$word" ;;
    esac
done
exec '$WEIR_LIB_DIR/weir-c++' "\$@"
END
chmod +x "$scratch/beside/weir-c++"
own=$WEIR
WEIR=$scratch/beside/weir
weir bench --sycl reduce_tree histogram_local_relaxed --n 2^10 --reps 1
ends_with 1
says '^reduce_tree .* DIFFER$' '^histogram_local_relaxed .* agree$'
weir_clean bench --sycl histogram_local_relaxed --n 2^10 --reps 1 --csv
row_has kernel histogram_local_relaxed fast_n 1024 checked_n 4 agree true

# What the compiler says is said; the folder of the twins goes.
echo 'echo "it does not compile" >&2; exit 1' >"$scratch/beside/weir-c++"
TMPDIR=$scratch/temporary
export TMPDIR
mkdir "$TMPDIR"
weir bench --sycl reduce_tree
complains "weir-c..' failed: it does not compile"
test -z "$(ls "$TMPDIR")" || bad "something stays in the temporary folder"
WEIR=$own

weir bench --sycl reduce_two_pass
complains 'reduce_two_pass has no form in SYCL' 'histogram_local_relaxed'
weir bench --sycl --workers 2
complains '--sycl and --workers exclude each other'
weir bench --sycl --svg "$scratch/x.svg"
complains '--sycl and --svg exclude each other'
finish
