#!/bin/sh
# SPDX-License-Identifier: MIT
#
# installed.sh SRCDIR SCRATCH BINDIR INCLUDEDIR LIBDIR: a user's program against
# what is installed and nothing else. In one step by weir-cc, and in two by hand, as
# weir.pc states: the hooks' flags where it compiles and never where it links.
set -e
srcdir=$1 scratch=$2 bindir=$3 includedir=$4 libdir=$5
: "${CC:=cc}" "${PKG_CONFIG:=pkg-config}"

rm -rf "$scratch"
mkdir -p "$scratch"
cp "$srcdir/examples/02_barrier.c" "$srcdir/examples/02_barrier.out" "$scratch/"
cd "$scratch"

WEIR_INCLUDE_DIR=$includedir WEIR_LIB_DIR=$libdir
export CC WEIR_INCLUDE_DIR WEIR_LIB_DIR
# shellcheck disable=SC2086
"$bindir/weir-cc" $CFLAGS 02_barrier.c -o by-weir-cc
./by-weir-cc | diff -u 02_barrier.out -
echo "installed: by weir-cc in one step"
# shellcheck disable=SC2086
"$bindir/weir-cc" --fat $CFLAGS 02_barrier.c -o fat
./fat | diff -u 02_barrier.out -
echo "installed: by weir-cc --fat"

# A report in SARIF says where to read about the tool: in the README that is installed.
# With DESTDIR that is not where the program looks.
"$bindir/weir" check --runs 2 --sarif=report.sarif -- ./by-weir-cc >/dev/null
about=$(sed -n 's|.*"informationUri" *: *"file://\([^"]*\)".*|\1|p' report.sarif)
if test -n "$about"; then
    test -f "$about"
    echo "installed: SARIF names $about"
fi

# gdb finds the script by the program; with DESTDIR it is not where the program says.
if command -v gdb >/dev/null 2>&1 && command -v readelf >/dev/null 2>&1; then
    named=$(readelf -p .debug_gdb_scripts by-weir-cc | sed -n 's|^ *\[ *1\] *||p')
    if test -f "$named"; then
        gdb -nx -batch -iex "add-auto-load-safe-path ${named%/*}" -ex 'help break-item' \
            ./by-weir-cc 2>&1 | grep -q 'for one work-item'
        echo "installed: gdb finds its script"
    fi
fi

PKG_CONFIG_PATH=$libdir/pkgconfig:$PKG_CONFIG_PATH
export PKG_CONFIG_PATH
# With DESTDIR the files are not where weir.pc says that they will be.
prefix=$($PKG_CONFIG --variable=includedir weir)
test "$prefix" = "$includedir" && where= || where="-I$includedir"
test "$prefix" = "$includedir" && from= || from="-L$libdir"
# shellcheck disable=SC2046,SC2086
$CC $CFLAGS $where $($PKG_CONFIG --cflags weir) \
    $($PKG_CONFIG --variable=instrument_cflags weir) -c 02_barrier.c -o by-hand.o
# shellcheck disable=SC2046,SC2086
$CC $CFLAGS by-hand.o -o by-hand $from $($PKG_CONFIG --libs weir)
./by-hand | diff -u 02_barrier.out -
echo "installed: by pkg-config in two steps"

if command -v cmake >/dev/null 2>&1; then
    cp -R "$srcdir/examples/project" project
    Weir_DIR=$libdir/cmake/Weir cmake -S project -B project/build >/dev/null
    cmake --build project/build >/dev/null
    project/build/host-c >/dev/null
    "$bindir/weir" check --runs 2 -- project/build/host-cpp >/dev/null
    echo "installed: by CMake"
fi

"$bindir/weir" list >/dev/null
"$bindir/weir" run reduce_tree --n 1000 >/dev/null
echo "installed: weir lists and runs"
# Programs of their own, in another folder.
"$bindir/weir" bench reduce_tree --n 1000 --reps 1 >/dev/null
"$bindir/weir" play --help >/dev/null
"$bindir/weir" exercise --help >/dev/null
"$bindir/weir" doctor --help >/dev/null
echo "installed: weir starts its programs"
cd /
rm -rf "$scratch"
