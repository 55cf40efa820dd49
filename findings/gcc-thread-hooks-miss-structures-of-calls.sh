#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Guess: with -fsanitize=thread each access of memory that another thread may access calls
# a hook, however the source writes it.
#
# So it is: gcc instruments assignments. A structure that a call takes by value is read by
# the call itself, and one that a call returns is stored by it: neither calls a hook, and
# a race on them is not reported. A variable between the two makes an assignment, with a
# hook. clang copies such a structure by an access of its own, and calls hooks for it.
# Functions that are inlined leave assignments, so it is seen at calls that stay.
#
# Seen with gcc 12.2.0-14+deb12u1 of Debian 12, on x86-64, at -O2, calls of hooks in:
#   int by_value(const struct pair *p)      { return take(*p); }                 0
#   int by_variable(const struct pair *p)   { struct pair own = *p; ... }        2
#   void result(struct pair *p)             { *p = give(); }                     0
# Source: gcc/tsan.cc, instrument_gimple(): calls are looked at for built-in functions.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 \
    libisl23 libmpc3 libmpfr6 libgmp10 >/dev/null 2>&1
for package in *.deb; do
    dpkg -x "$package" root
done
gcc=$folder/root/usr/bin/x86_64-linux-gnu-gcc-12
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu"
cat >calls.c <<'C'
struct pair { int a, b, c, d; };
int take(struct pair);
struct pair give(void);
int by_value(const struct pair *p) { return take(*p); }
int by_variable(const struct pair *p) { struct pair own = *p; own.a++; return take(own); }
void result(struct pair *p) { *p = give(); }
C
"$gcc" -O2 -fsanitize=thread -S calls.c -o calls.s
# hooks FUNCTION: how many accesses of it call a hook
hooks()
{
    sed -n "/^$1:/,/\.size\t*$1/p" calls.s | grep -cE 'call\s+__tsan_(read|write|unaligned)' || true
}
value=$(hooks by_value)
variable=$(hooks by_variable)
result=$(hooks result)
echo "by value: $value; by a variable: $variable; a result: $result"
test "$variable" -gt 0 || { echo "gcc calls no hook for an assignment here"; exit 1; }
test "$value" -eq 0 || { echo "gcc calls hooks for arguments now"; exit 1; }
test "$result" -eq 0 || { echo "gcc calls hooks for results now"; exit 1; }
