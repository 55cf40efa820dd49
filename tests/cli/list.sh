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

# Kernels in OpenCL C: their parameters, and what each takes.
weir list none.cl
complains 'none.cl'
case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) finish ;;
esac
command -v clang >/dev/null 2>&1 && test -f /usr/lib/clc/nvptx64--.bc || finish
WEIR_CACHE_DIR=$scratch/cache/weir
export WEIR_CACHE_DIR
cat >"$scratch/kinds.cl" <<'END'
typedef struct { int n; float by; } settings;
__attribute__((reqd_work_group_size(8, 4, 1)))
kernel void all(global const volatile float4 *in, constant int *table, local uchar *part,
                uint n, int2 pair, settings how, global settings *kept)
{
    local int mine[32];
    mine[get_local_id(0)] = n;
}
kernel void paints(write_only image2d_t image, sampler_t sampler)
{
}
kernel void nothing(void)
{
}
END
weir_clean list "$scratch/kinds.cl"
sed -n "s|$scratch/||p; t
    p" "$out" >"$scratch/kinds.out"
cat >"$scratch/kinds.expected" <<'END'
kinds.cl:all
  global const volatile float4 *in  --arg 'float4[N]'
  constant int *table               --arg 'int[N]'
  local uchar *part                 --arg 'local[BYTES]'
  uint n                            --arg 'NUMBER'
  int2 pair                         --arg '{NUMBER,...}'
  settings how                      --arg '{NUMBER,...}'
  global settings *kept             --arg 'uchar[N]'
  groups of 8,4,1 items
  128 bytes of local memory
  weir check kinds.cl:all --global N,N --local 8,4 --arg 'float4[N]' --arg 'int[N]' --arg 'local[BYTES]' --arg 'NUMBER' --arg '{NUMBER,...}' --arg '{NUMBER,...}' --arg 'uchar[N]'

kinds.cl:paints
  write_only image2d_t image  --arg 'float4[N,N]'
  sampler_t sampler           --arg 'sampler'
  weir check kinds.cl:paints --global N --arg 'float4[N,N]' --arg 'sampler'

kinds.cl:nothing
  weir check kinds.cl:nothing --global N
END
diff "$scratch/kinds.expected" "$scratch/kinds.out" || bad "not the kernels of kinds.cl"

# The same as JSON, and one of them by its name.
weir_clean list --json "$scratch/kinds.cl"
json '[k["kernel"] for k in it] == ["all", "paints", "nothing"]
    and it[0]["local"] == [8, 4, 1] and it[1]["local"] is None
    and it[0]["parameters"][1] == {"name": "table", "declaration": "constant int *table",
                                   "type": "int*", "arg": "int[N]"}
    and [p["arg"] for p in it[1]["parameters"]] == ["float4[N,N]", "sampler"]'
weir_clean list --opencl "$scratch/kinds.cl:nothing"
test "$(wc -l <"$out")" = 2 || bad "more than the kernel that is named"
weir_ends 2 list "$scratch/kinds.cl:some"
grep -q "has no kernel 'some'; it has:" "$err" && grep -q 'kinds.cl:nothing()$' "$err" \
    || bad "the kernels of the file are not named"
weir list --csv "$scratch/kinds.cl"
complains "'--csv' is not for a kernel of OpenCL"
weir list "$scratch/kinds.cl" more
complains "'more' is one too many"

# What --cl-options define.
echo '#ifdef B
kernel void b(global int *x) { }
#else
kernel void a(global int *x) { }
#endif' >"$scratch/either.cl"
weir_clean list --cl-options -DB "$scratch/either.cl"
says 'either.cl:b$'
weir_clean list "$scratch/either.cl"
says 'either.cl:a$'
WEIR_CL_OPTIONS=-DB
export WEIR_CL_OPTIONS
weir_clean list "$scratch/either.cl"
says 'either.cl:b$'
WEIR_CL_OPTIONS=-nonsense
weir_ends 2 list "$scratch/either.cl"
grep -q "^weir list: .*OpenCL has no option '-nonsense'" "$err" || bad "the option is not named"
unset WEIR_CL_OPTIONS

# What compiles them.
weir_clean list --opencl
says '^compiler +/.*clang' '^libclc +/.*\.bc$' '^standards +CL1\.0$' '^extensions +cl_khr'
weir_clean list --opencl --json
json 'it["standards"][-1] == "CL3.0" and "cl_khr_fp64" in it["extensions"]
    and "__opencl_c_subgroups" in it["features"] and it["version"].startswith("clang ")'
weir list --opencl --csv
complains 'csv'
finish
