#!/bin/sh
# SPDX-License-Identifier: MIT
#
# opencl-programs.sh: programs of others, as Debian has them, each where it is installed.
# They run on Weir's platform, give what they must, and are clean where they are right:
# docs/opencl.md has a table.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
top_srcdir=$(cd "$top_srcdir" && pwd)
test -f "$(dirname "$WEIR")/libweir-opencl.so" || { echo "SKIP: no libweir-opencl.so"; exit 77; }
cd "$scratch" || exit 99
WEIR_CACHE_DIR=$scratch/cache
export WEIR_CACHE_DIR
programs=0

# there PROGRAM
there()
{
    command -v "$1" >/dev/null 2>&1 || return 1
    programs=$((programs + 1))
}

# runs PATTERN COMMAND...: it ends well and prints this, and so it does when it is checked,
# without findings.
runs()
{
    pattern=$1
    shift
    weir run -- "$@"
    ends_with 0
    says "$pattern"
    weir check --runs 1 --no-fixes -- "$@"
    ends_with 0
    says "$pattern" '^1 run of .*: no findings'
}

# clinfo asks everything.
if there clinfo; then
    weir_clean run -- clinfo
    says 'Platform Name  *Weir' 'Number of platforms  *1' 'Device OpenCL C Version'
fi

# The other tests of clpeak are slow: see docs/opencl.md.
if there clpeak; then
    weir_clean run -- clpeak --kernel-latency
    says 'Platform: Weir' 'Kernel launch latency : [0-9.]* us'
fi

# A transform of 64 numbers, which the client compares with its own.
if there clFFT-client; then
    runs 'PASS' clFFT-client -x 64 -p 1
fi

# PyOpenCL's arrays and reductions; the scan has a race of its own, so that it is not
# checked.
if /usr/bin/python3 -c 'import numpy, pyopencl' 2>/dev/null; then
    programs=$((programs + 1))
    runs '^all right$' /usr/bin/python3 "$top_srcdir/tests/cli/opencl-python.py"
    weir run -- /usr/bin/python3 "$top_srcdir/tests/cli/opencl-python.py" scan
    ends_with 0
    says '^all right$'
fi

test $programs -gt 0 || { echo "SKIP: none of the programs is installed"; exit 77; }
finish
