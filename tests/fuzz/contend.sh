#!/bin/sh
# SPDX-License-Identifier: MIT
#
# contend.sh SRCDIR BUILDDIR SCRATCH: random kernels whose items change the same words
# leave in memory what a reference allows. Each file has a seed and a configuration: how
# its kernels are compiled. Its program runs them without stacks and with them, and judges
# itself; where the configuration has checked entries, it is also run by weir check, which
# must find nothing.
#
#   FUZZ_KERNELS=1000   at least so many
#   FUZZ_FILE=20        of a file
#   FUZZ_SEED=1         of the first file; the next one has the next number
#   FUZZ_DRAW=--small   kernels of few statements, which compile in half the time
#   FUZZ_EXPLORE=1      kernels in C that have checked entries are explored, too, for few
#                       items, and each result in fast mode must be a final state
#   FUZZ_CLANGS         instead of all that are here
#   FUZZ_CONFIG         instead of one that the seed chooses: the compiler, the clang of
#                       stackless entries, and weir-cc's arguments: "gcc clang-14 --fat
#                       -O3"; or opencl, the clang, and clBuildProgram()'s options; or
#                       sycl, the clang, and weir-c++'s arguments
#   FUZZ_OPENCL_LIBS    instead of -lOpenCL, the loader; without one, seeds choose C
#   FUZZ_REDUCE=7       only the kernel with this number of FUZZ_SEED: leave out what
#                       its failure does not need, one statement after the other
#
# Where something is wrong, the kernels stay in SCRATCH, and the command that runs these
# again is printed.
srcdir=${1:?} builddir=${2:?} scratch=${3:?}
: "${FUZZ_DRAW=}" "${FUZZ_EXPLORE=}" "${FUZZ_KERNELS=1000}" "${FUZZ_FILE=20}" "${FUZZ_SEED=1}" "${FUZZ_CLANGS=}" "${FUZZ_CONFIG=}" "${FUZZ_REDUCE=}"
WEIR_LIB_DIR=$builddir
WEIR_INCLUDE_DIR=$srcdir/sim
export WEIR_LIB_DIR WEIR_INCLUDE_DIR
cc=${CC:-cc}
again="make fuzz-contend FUZZ_DRAW=$FUZZ_DRAW FUZZ_KERNELS=$FUZZ_FILE FUZZ_FILE=$FUZZ_FILE"

clangs=
for clang in ${FUZZ_CLANGS:-clang-14 clang-15 clang-16 clang-17 clang-18 clang-19}; do
    if WEIR_CLANG=$clang "$builddir/weir-split" --version >/dev/null 2>&1; then
        clangs="$clangs $clang"
    fi
done
if test -z "$clangs"; then
    echo 'fuzz-contend: skipped: no clang of version 14 or later'
    exit 77
fi

mkdir -p "$scratch" && cd "$scratch" || exit 99
# compile NAME SOURCE ARGUMENT...: makes NAME of a source here, unless an earlier call has
# made it in the same folder, of the same source and for the same build.
compile()
{
    made=$1
    source=$srcdir/tests/fuzz/$2
    shift 2
    # shellcheck disable=SC3013
    test "$made" -nt "$source" && test "$made" -nt "$builddir/libweir.a" \
        || $cc -std=gnu11 -O1 "-I$srcdir/sim" "$@" "$source" -o "$made"
}

# The words of these are split on purpose.
# shellcheck disable=SC2046
compile draw contend-draw.c \
    && compile run.o contend-run.c $(pkg-config --cflags glib-2.0) -c \
    && compile weir.o contend-weir.c $(pkg-config --cflags glib-2.0) -c \
    || exit 99
: "${FUZZ_OPENCL_LIBS=-lOpenCL}"
opencl=no
case ${FUZZ_CONFIG:-opencl} in
    opencl*)
        echo 'int main(void) { return 0; }' >loader.c
        # shellcheck disable=SC2086
        $cc loader.c -o loader $FUZZ_OPENCL_LIBS 2>loader.log \
            && test -f "$builddir/libweir-opencl.so" \
            && compile opencl.o contend-opencl.c -c 2>loader.log && opencl=yes ;;
esac
WEIR_CACHE_DIR=$PWD/cache
export WEIR_CACHE_DIR

# Sets $config for a seed: clangs change fastest, then what each of them is asked for.
# Most files have stackless entries, where the compiler changes most.
configure()
{
    config=$FUZZ_CONFIG
    test -z "$config" || return 0
    # shellcheck disable=SC2086
    set -- "$1" $clangs
    seed=$1
    shift
    rest=$((seed / $#))
    shift $((seed % $#))
    if test $opencl = yes && test $((rest % 3)) -eq 2; then
        config="opencl $1 -cl-std=CL$((2 + rest / 3 % 2)).0"
        return
    fi
    case $((rest % 13)) in
        0) config="$cc $1 --no-instrument -O1" ;;
        1 | 6) config="$cc $1 --no-instrument -O2" ;;
        2) config="$cc $1 --fat -O3" ;;
        3) config="$1 $1 --no-instrument -O2" ;;
        4) config="$cc $1 --no-instrument -O3 -march=native" ;;
        5) config="$1 $1 --fat -O2" ;;
        7) config="$1 $1 --no-instrument -O3 -march=native" ;;
        8) config="$cc $1 -O$((rest / 13 % 4))" ;;
        9) config="$1 $1 -O$((rest / 13 % 4))" ;;
        10) config="$cc $1 --no-instrument --no-stackless -O$((rest / 13 % 4))" ;;
        11) config="$1 $1 --no-instrument --no-stackless -O$((rest / 13 % 4))" ;;
        12)
            case $((rest / 13 % 3)) in
                0) config="sycl $1 --no-instrument -O2" ;;
                1) config="sycl $1 --fat -O3" ;;
                2) config="sycl $1 -O1" ;;
            esac ;;
    esac
}

# The same for a program of OpenCL, which compiles $name.c itself.
try_opencl()
{
    # The words of these are split on purpose.
    # shellcheck disable=SC2086
    $cc -std=gnu11 -O0 -fwrapv -w -DCONTEND_REFERENCE -DCONTEND_NO_C \
        -I"$srcdir/tests/fuzz" -c "$name.c" -o "$name.reference.o" >"$name.log" 2>&1 \
        && $cc "$name.reference.o" run.o opencl.o -o "$name" $FUZZ_OPENCL_LIBS \
            >"$name.log" 2>&1 || return 99
    rm -rf cache
    CONTEND_OPTIONS="-w -I$srcdir/tests/fuzz $flags"
    export CONTEND_OPTIONS
    timeout 1200 "$builddir/weir" run -- "./$name" --source "$name.c" "$@" \
        >"$name.log" 2>&1 || return
    timeout 1200 "$builddir/weir" check --runs 1 --no-fixes -- "./$name" --brief \
        --source "$name.c" "$@" >"$name.log" 2>&1
}

# Sets $drawn for $config: the generator's options.
ask()
{
    drawn=$FUZZ_DRAW
    case $config in
        opencl*) drawn="$drawn --one-scope" ;;
    esac
}

# try NAME [ARGUMENT...]: compiles NAME.c as $config says, and runs it with the arguments.
# Status 1: a wrong value, or a finding; 124: it does not end; 99: it does not compile
try()
{
    name=$1
    shift
    # shellcheck disable=SC2086
    set -- $config -- "$@"
    compiler=$1 WEIR_CLANG=$2
    export WEIR_CLANG
    shift 2
    flags=
    while test "$1" != --; do
        flags="$flags $1"
        shift
    done
    shift
    rm -f "$name"
    if test "$compiler" = opencl; then
        try_opencl "$@"
        return
    fi
    # Debug information is for the line of a finding.
    case $flags in
        *--no-instrument*) debug= ;;
        *) debug=-g ;;
    esac
    language="-w -fwrapv -ffp-contract=off -I$srcdir/tests/fuzz"
    # shellcheck disable=SC2086
    if test "$compiler" = sycl; then
        echo "#include \"$name.c\"" >"$name.cpp"
        CXX=$(printf '%s' "$WEIR_CLANG" | sed 's|clang\([^/]*\)$|clang++\1|')
        export CXX
        $cc -std=gnu11 -O0 -fwrapv -w -DCONTEND_REFERENCE -DCONTEND_NO_C -I"$srcdir/tests/fuzz" \
            -c "$name.c" -o "$name.reference.o" \
            && "$builddir/weir-c++" --no-record $language -DCONTEND_SYCL -Wno-narrowing \
                $flags $debug "$name.cpp" "$name.reference.o" run.o -o "$name"
    else
        $cc -std=gnu11 -O0 -fwrapv -w -DCONTEND_REFERENCE -I"$srcdir/tests/fuzz" \
            -c "$name.c" -o "$name.reference.o" \
            && CC=$compiler "$builddir/weir-cc" --no-record $language \
                $flags $debug -c "$name.c" -o "$name.o" \
            && CC=$cc "$builddir/weir-cc" --no-record --no-instrument "$name.o" \
                "$name.reference.o" run.o weir.o -o "$name"
    fi >"$name.log" 2>&1 || return 99
    case $flags in
        *--no-instrument* | *--fat*)
            timeout 600 "./$name" "$@" >"$name.log" 2>&1 || return ;;
    esac
    case "$compiler $flags" in
        sycl* | *--no-instrument*) ;;
        *)
            test -z "$FUZZ_EXPLORE" || timeout 1200 "./$name" --brief --explore "$@" \
                >"$name.log" 2>&1 || return ;;
    esac
    case $flags in
        *--no-instrument*) ;;
        *) timeout 1200 "$builddir/weir" check --runs 1 --no-fixes -- "./$name" --brief "$@" \
            >"$name.log" 2>&1 || return ;;
    esac
}

if test -n "$FUZZ_REDUCE"; then
    configure "$FUZZ_SEED"
    ask
    ./draw $drawn "$FUZZ_SEED" "$FUZZ_FILE" "$FUZZ_REDUCE" >reduced.c
    try reduced
    wanted=$?
    test $wanted -ne 0 || { echo "kernel $FUZZ_REDUCE is right ($config)"; exit 1; }
    out=
    for id in $(sed -n 's/^ *\/\* \([0-9]*\) \*\/$/\1/p' reduced.c | sort -rn); do
        ./draw $drawn "$FUZZ_SEED" "$FUZZ_FILE" "$FUZZ_REDUCE" "$out$id" >reduced.c
        try reduced
        test $? -ne $wanted || out="$out$id,"
    done
    ./draw $drawn "$FUZZ_SEED" "$FUZZ_FILE" "$FUZZ_REDUCE" "$out" >reduced.c
    try reduced
    echo "$scratch/reduced.c ($config):"
    cat reduced.log
    exit
fi

bad=0
seed=$FUZZ_SEED
last=$((FUZZ_SEED + (FUZZ_KERNELS + FUZZ_FILE - 1) / FUZZ_FILE))
while test "$seed" -lt "$last"; do
    configure "$seed"
    ask
    ./draw $drawn "$seed" "$FUZZ_FILE" >"seed-$seed.c"
    try "seed-$seed"
    status=$?
    if test $status -eq 0; then
        rm -f "seed-$seed" "seed-$seed".*
    else
        bad=1
        echo "seed $seed, $config: status $status: $scratch/seed-$seed.c; again by:"
        echo "  $again FUZZ_SEED=$seed FUZZ_CONFIG='$config'"
        tail -n 20 "seed-$seed.log"
    fi
    seed=$((seed + 1))
done
test $bad -ne 0 || echo "$((FUZZ_FILE * (last - FUZZ_SEED))) kernels from seed $FUZZ_SEED on:" \
    "what they leave in memory is allowed"
exit $bad
