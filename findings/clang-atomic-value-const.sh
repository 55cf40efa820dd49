#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Guess: the value that __atomic_store() stores is only read, so that its pointer may be to
# a const object, as with g++, which takes it without a warning.
#
# So it is: clang wants a pointer to an object that is not const for the values of
# __atomic_store(), __atomic_exchange() and __atomic_compare_exchange(), all of which it
# only reads. In C it warns of a lost qualifier; in C++ it is an error. A header that was
# tried with g++ alone does not compile with clang where such a value is const.
#
# Seen with clang 14.0.6-12 and gcc 12.2.0 of Debian 12; clang 15, 16 and 19 do the same.
# Source: the built-in functions of atomics in gcc's manual, which writes "type *val".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download clang-14=1:14.0.6-12 libclang-cpp14=1:14.0.6-12 libllvm14=1:14.0.6-12 \
    libclang-common-14-dev=1:14.0.6-12 libz3-4 libedit2 libbsd0 libmd0 libxml2 libicu72 \
    g++-12=12.2.0-14+deb12u1 libisl23 libmpc3 libmpfr6 libgmp10 >/dev/null 2>&1
for package in *.deb; do
    dpkg -x "$package" root
done
clang=$folder/root/usr/lib/llvm-14/bin/clang
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-14/lib"
cat >store.c <<'END'
long slot;
void put(long value)
{
    const long bits = value * 2;
    __atomic_store(&slot, &bits, __ATOMIC_RELAXED);
}
END
as_c=$("$clang" -fsyntax-only -Wall store.c 2>&1 || echo failed)
as_cxx=$("$clang" -fsyntax-only -Wall -x c++ store.c 2>&1 || echo failed)
cp store.c store.cc
with_gcc=$(root/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus -quiet -Wall -Wextra store.cc \
    -o store.s 2>&1 || echo failed)
printf 'clang, C:   %s\nclang, C++: %s\ng++:        %s\n' "$as_c" "$as_cxx" "$with_gcc"
echo "$as_c" | grep -q 'warning: .*discards qualifiers' || { echo "C: another message"; exit 1; }
echo "$as_cxx" | grep -q 'failed$' || { echo "C++: it is taken now"; exit 1; }
test -z "$with_gcc" || { echo "g++ has something to say now"; exit 1; }
test -s store.s || { echo "g++ has compiled nothing"; exit 1; }
