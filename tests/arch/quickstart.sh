#!/bin/sh
# SPDX-License-Identifier: MIT
#
# quickstart.sh: without root and without sudo, quickstart prints the one line to type
# and ends with status 2; with root it installs exactly what is missing, and asks for
# lists of packages only then. The commands that would change the machine are stood in for.
# The processor time that it prints for a test is that of the test and of its children.
. "${top_srcdir:-.}/tests/arch/lib.sh"

quickstart=$(cd "$top_srcdir" && pwd)/quickstart
costs=${quickstart%/*}/tests/costs.sh
test -f "$quickstart" || skip "no quickstart here"
bin=$scratch/bin
mkdir "$bin"

# A machine with nothing but the shell's own tools.
for tool in sh sed grep awk tr tail head dirname env mkdir cat rm printf test getconf; do
    path=$(command -v $tool) && ln -s "$path" "$bin/$tool" 2>/dev/null
done
stand_in()
{
    printf '#!%s\n%s\n' "$(command -v sh)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}
stand_in apt-get "echo \"apt-get \$*\" >>'$scratch/apt'"

# on_bare_machine COMMAND...: runs quickstart there, whatever this machine has.
on_bare_machine()
{
    rm -f "$scratch/apt"
    PATH=$bin WEIR_BUILD=$scratch/build CC='' "$bin/sh" "$quickstart" "$@" \
        >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
}

stand_in id 'echo 1000'
on_bare_machine run
test $status -eq 2 || bad "not root: status $status, not 2"
test "$(wc -l <"$scratch/out")" -eq 1 || bad "not root: not one line: $(cat "$scratch/out")"
for package in gcc make autoconf automake pkg-config libglib2.0-dev libjson-glib-dev libdw-dev libmicrohttpd-dev check opencl-c-headers; do
    grep -q "apt-get install .* $package\b" "$scratch/out" || bad "the line lacks $package"
done
for package in chromium mpi; do
    ! grep -q $package "$scratch/out" || bad "run asks for $package, which only tests need"
done
test ! -e "$scratch/apt" || bad "not root: apt-get was called"
test "$failures" -gt 0 || good "without root: $(cat "$scratch/out")"

stand_in sudo 'echo no >&2; exit 1'
on_bare_machine run
test $status -eq 2 || bad "sudo that wants a password, no terminal: status $status, not 2"

stand_in sudo 'test "$1" = -n && exit 0; exec "$@"'
on_bare_machine run
grep -q '^apt-get update' "$scratch/apt" || bad "sudo: no apt-get update"
grep -q '^apt-get install -y .* libglib2.0-dev' "$scratch/apt" || bad "sudo: no apt-get install"

rm "$bin/sudo"
stand_in id 'echo 0'
on_bare_machine test
grep -q '^apt-get install -y .* check' "$scratch/apt" || bad "root: no apt-get install"
for package in chromium chromium-driver cmark-gfm openmpi-bin libopenmpi-dev; do
    grep -Eq "^apt-get install .* $package( |\$)" "$scratch/apt" || bad "test: $package is not installed"
done
test $status -ne 0 || bad "root: nothing was installed, and quickstart is content"

# A build folder that was made without MPI, or with another clang than the oldest one, is
# configured again for the tests, with the options that it has; any other one is not.
clone=$scratch/clone
mkdir -p "$clone" "$scratch/build"
cp "$quickstart" "$clone/quickstart"
: >"$clone/Makefile.in"
printf '#!%s\nfor word; do printf "<%%s>" "$word"; done >"%s"\n' "$(command -v sh)" \
    "$scratch/configured" >"$clone/configure"
printf '#!%s\necho "%s"\n' "$(command -v sh)" "'CC=a b' '--disable-asm'" >"$scratch/build/config.status"
chmod +x "$clone/configure" "$scratch/build/config.status"
stand_in cc 'exit 0'
stand_in pkg-config 'exit 0'
stand_in make 'exit 1'
stand_in clang-14 'exit 0'
stand_in clang-19 'exit 0'
configured_by()
{
    rm -f "$scratch/configured"
    printf 'abs_srcdir = %s\nCHECK_LIBS = -lcheck\nMPIRUN = %s\nSPLIT_CLANG = %s\n' \
        "$clone" "$3" "$4" \
        >"$scratch/build/Makefile"
    echo "$2" >"$scratch/build/config.h"
    (quickstart=$clone/quickstart; on_bare_machine "$1")
    cat "$scratch/configured" 2>/dev/null || echo no
}
has='#define HAVE_MPI 1'
test "$(configured_by test '/* #undef HAVE_MPI */' '' clang-14)" = \
    '<CC=a b><--disable-asm><--with-mpi><SPLIT_CLANG=clang-14>' \
    || bad "a build without MPI: test configures by: $(cat "$scratch/configured")"
test "$(configured_by test "$has" mpirun clang-14)" = no \
    || bad "a build with MPI is configured again"
test "$(configured_by test "$has" mpirun clang-19)" != no || bad "the tests do not use clang 14"
test "$(configured_by run '/* #undef HAVE_MPI */' '' clang-19)" = no || bad "run wants MPI"
rm "$bin/clang-14" "$bin/clang-19" "$bin/cc" "$bin/pkg-config" "$bin/make"

rm "$bin/apt-get"
on_bare_machine run
test $status -eq 2 || bad "no apt-get: status $status, not 2"
grep -q libjson-glib-dev "$scratch/err" || bad "no apt-get: does not say what is lacking"

# The loop runs in a child of a child of the test.
cat >"$scratch/busy.sh" <<'END'
(i=0; while test $i -lt 300000; do i=$((i + 1)); done)
exit 7
END
echo 'exit 0' >"$scratch/idle.sh"
for test in busy idle; do
    sh "$top_srcdir/tests/measured.sh" --test-name $test --log-file "$scratch/$test.log" \
        --trs-file "$scratch/$test.trs" --color-tests no --enable-hard-errors yes \
        --expect-failure no -- sh -c "sh '$scratch/$test.sh'; exit \$?" >"$scratch/$test.out" 2>&1
done
grep -q '^FAIL: busy' "$scratch/busy.out" && grep -q '^PASS: idle' "$scratch/idle.out" \
    || bad "the driver prints: $(cat "$scratch/busy.out" "$scratch/idle.out")"
(cd "$scratch" && sh "$costs" idle.trs busy.trs none.trs) >"$scratch/out"
awk 'NR == 1 && $3 == "busy" && $1 > 0.05 { first = $1 }
    NR == 2 && $3 == "idle" && $1 < first / 2 { second = $1 }
    NR == 3 && $4 == 2 && ($1 - first - second) ^ 2 < 0.001 { total = 1 }
    END { exit !(NR == 3 && first && total) }' "$scratch/out" || bad "costs: $(cat "$scratch/out")"
printf ':processor-seconds: %s\n' 2.50 >"$scratch/busy.trs"
SLOWEST=1 sh "$costs" "$scratch/idle.trs" "$scratch/busy.trs" >"$scratch/out"
test "$(wc -l <"$scratch/out")" -eq 2 || bad "SLOWEST=1: $(cat "$scratch/out")"
test "$failures" -gt 0 || good "costs: $(head -n 1 "$scratch/out")"

for wrong in '' 'fly' 'test fast'; do
    # shellcheck disable=SC2086
    on_bare_machine $wrong
    test $status -eq 2 || bad "quickstart $wrong: status $status, not 2"
done
finish
