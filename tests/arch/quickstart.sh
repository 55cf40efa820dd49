#!/bin/sh
# SPDX-License-Identifier: MIT
#
# quickstart.sh: without root and without sudo, quickstart prints the one line to type
# and ends with status 2; with root it installs exactly what is missing, and asks for
# lists of packages only then. The commands that would change the machine are stood in for.
. "${top_srcdir:-.}/tests/arch/lib.sh"

quickstart=$(cd "$top_srcdir" && pwd)/quickstart
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
! grep -q chromium "$scratch/out" || bad "run asks for a browser, which only tests need"
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
for package in chromium chromium-driver cmark-gfm; do
    grep -Eq "^apt-get install .* $package( |\$)" "$scratch/apt" || bad "test: $package is not installed"
done
test $status -ne 0 || bad "root: nothing was installed, and quickstart is content"

rm "$bin/apt-get"
on_bare_machine run
test $status -eq 2 || bad "no apt-get: status $status, not 2"
grep -q libjson-glib-dev "$scratch/err" || bad "no apt-get: does not say what is lacking"

for wrong in '' 'fly' 'test fast'; do
    # shellcheck disable=SC2086
    on_bare_machine $wrong
    test $status -eq 2 || bad "quickstart $wrong: status $status, not 2"
done
finish
