# SPDX-License-Identifier: MIT
#
# sycl-lib.sh: what the tests of SYCL programs share; sourced after lib.sh, not run. The
# test goes on in a scratch folder. A program costs seconds of compilation, most of them
# for the header: so a test joins its programs to one, and compiles it with one compiler.
# With WEIR_ALL_COMPILERS=1, which `make check-matrix` sets, each compiler here has its turn.
# shellcheck shell=sh

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
top_srcdir=$(cd "$top_srcdir" && pwd)
WEIR_INCLUDE_DIR=$top_srcdir/sim
WEIR_LIB_DIR=$(dirname "$WEIR")
compiler=$WEIR_LIB_DIR/weir-c++
# The library without its debug information links faster, if it is up to date.
# shellcheck disable=SC3013
if test "$WEIR_LIB_DIR/light/libweir.a" -nt "$WEIR_LIB_DIR/libweir.a"; then
    WEIR_LIB_DIR=$WEIR_LIB_DIR/light
fi
export WEIR_INCLUDE_DIR WEIR_LIB_DIR
examples=$top_srcdir/examples/sycl
# Stackless entries are the subject of sycl-stackless.sh, and optimised code is that of the
# scripts that look at the lines of reports: with all compilers it is that of all scripts.
stacks=--no-stackless
level=-O0
test "${WEIR_ALL_COMPILERS:-0}" != 1 || { stacks='' level=-O1; }
cd "$scratch" || exit 99
export CXX

# use_compilers NAME...: sets compilers to the first of these that is here, or to all that
# are, and CXX to the first.
use_compilers()
{
    compilers=
    for name in "$@"; do
        ! command -v "$name" >/dev/null 2>&1 || compilers="$compilers $name"
    done
    # shellcheck disable=SC2086
    set -- $compilers
    test $# -gt 0 || { echo "SKIP: no C++ compiler"; exit 77; }
    CXX=$1
    test "${WEIR_ALL_COMPILERS:-0}" = 1 || compilers=$1
}

# compiles ARGUMENT...: without a warning
compiles()
{
    step="weir-c++ $* by $CXX"
    status=0
    "$compiler" -g -Wall -Wextra "$@" >"$out" 2>"$err" || status=$?
    test $status -eq 0 && test ! -s "$err" || bad "it does not compile, or warns"
}

# precompiles: sets precompiled to arguments with which $CXX compiles and links faster, at
# $level with the hooks and without stackless entries. It pays from the third program on.
# With clang++ the functions of the header are in an object of their own, for each program.
precompiles()
{
    mkdir header
    echo '#include <sycl/sycl.hpp>' >header/all.hpp
    precompiled="--alignment=no -include $scratch/header/all.hpp"
    ! command -v ld.gold >/dev/null 2>&1 || precompiled="$precompiled -fuse-ld=gold"
    set -- --no-stackless --no-record $level -c
    case $CXX in
    *clang*)
        compiles "$@" -fpch-instantiate-templates -fpch-codegen -fpch-debuginfo \
            -x c++-header header/all.hpp -o header/all.hpp.pch
        compiles "$@" -Wno-unused-command-line-argument header/all.hpp.pch -o header/all.o
        precompiled="$precompiled -Wl,$scratch/header/all.o"
        ;;
    *) compiles "$@" -x c++-header header/all.hpp -o header/all.hpp.gch ;;
    esac
}

# joins NAME...: writes all.cpp, a program whose first argument says which of the programs
# NAME.cpp it is.
joins()
{
    {
        cat <<'END'
#include <CL/sycl.hpp>
#include <cstdio>
#include <type_traits>
template <class F>
static int run(F f, [[maybe_unused]] int argc, [[maybe_unused]] char **argv)
{
    if constexpr (std::is_invocable_v<F>) {
        return f();
    } else {
        return f(argc, argv);
    }
}
#define main program
END
        for name in "$@"; do
            sed -i '$s/^}$/    return 0; }/' "$name.cpp"
            printf 'namespace %s\n{\n#include "%s.cpp"\n}\n' "$name" "$name"
        done
        printf '#undef main\nint main(int argc, char **argv)\n{\n'
        printf '    const std::string name = argc > 1 ? argv[1] : "";\n'
        for name in "$@"; do
            printf '    if (name == "%s") {\n' "$name"
            printf '        return run(%s::program, argc - 1, argv + 1);\n    }\n' "$name"
        done
        printf '    return 2;\n}\n'
    } >all.cpp
}

# prints TEXT COMMAND...: the command prints this, and nothing else
prints()
{
    wanted=$1
    shift
    step=$*
    status=0
    "$@" >"$out" 2>"$err" || status=$?
    is_clean
    test "$(cat "$out")" = "$wanted" || bad "it does not print '$wanted'"
}
