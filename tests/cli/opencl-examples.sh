# SPDX-License-Identifier: MIT
#
# opencl-examples.sh: the examples of OpenCL C, their arguments, and mistakes in them;
# sourced after lib.sh, not run. The test goes on in a scratch folder with the examples.
# shellcheck shell=sh disable=SC2034

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
command -v clang >/dev/null 2>&1 || { echo "SKIP: no clang"; exit 77; }
test -f /usr/lib/clc/nvptx64--.bc || { echo "SKIP: no libclc"; exit 77; }
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
top_srcdir=$(cd "$top_srcdir" && pwd)
cp "$top_srcdir"/examples/opencl/*.cl "$scratch"
cd "$scratch" || exit 99
WEIR_CACHE_DIR=$scratch/cache/weir
export WEIR_CACHE_DIR

tree="--global 64 --local 16 --arg int[64]=iota --arg int[4] --arg local[64]"
bins="--global 256 --local 64 --arg uint[256]=iota --arg uint[16]=0"
last="--cl-options -cl-std=CL2.0 --global 64 --local 16 --arg int[64]=iota --arg int[4]
    --arg uint[1]=0 --arg int[1]=0"

# mistake FILE SED: the example with a change, as wrong.cl
mistake()
{
    sed "$2" "$1" >wrong.cl
    step="$1, '$2'"
    status=0
    ! cmp -s wrong.cl "$1" || bad "the change changes nothing"
}

# at PATTERN: the number of the line
at()
{
    grep -n "$1" wrong.cl | sed -n '1s/:.*//p'
}
