#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Guess: an object that gcc compiles with -fsanitize=thread calls the hooks __tsan_*,
# whatever is given at the link, as it is with clang and as it is without -flto.
#
# So it is: with -flto gcc inserts the hooks when the program is linked, and only if that
# command has -fsanitize=thread, too. A link without it gives a program without one hook,
# and no warning. A tool that brings hooks of its own, and therefore may not name the
# sanitizer at the link, gets nothing to see.
#
# Seen with gcc 12.2.0-14+deb12u1 of Debian 12, on x86-64:
#   without -flto: calls of __tsan_ hooks in the program: some
#   with -flto:    calls of __tsan_ hooks in the program: none
# Source: the passes' order in gcc/passes.def (tsan after the IPA passes).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 \
    libgcc-12-dev=12.2.0-14+deb12u1 binutils-x86-64-linux-gnu=2.40-2 libbinutils=2.40-2 \
    libctf0=2.40-2 libc6-dev libisl23 libmpc3 libmpfr6 libgmp10 libjansson4 \
    >/dev/null 2>&1
for package in *.deb; do
    dpkg -x "$package" root
done
gcc=$folder/root/usr/bin/x86_64-linux-gnu-gcc-12
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu"
cat >hooks.c <<'END'
#define HOOK(name) void name(void *p); void name(void *p) { (void)p; }
HOOK(__tsan_read4) HOOK(__tsan_write4) HOOK(__tsan_func_entry)
void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
END
cat >program.c <<'END'
int cells[2];
__attribute__((noinline)) void copy(int *to, const int *from) { *to = *from; }
int main(void) { copy(&cells[0], &cells[1]); return 0; }
END
"$gcc" -O1 -c hooks.c -o hooks.o
for flag in -fno-lto -flto; do
    "$gcc" -O1 -fsanitize=thread $flag -c program.c -o program.o
    "$gcc" -O1 $flag program.o hooks.o -o program
    calls=$(root/usr/bin/x86_64-linux-gnu-objdump -d program | grep -c 'call .*<__tsan_' || true)
    echo "$flag: $calls calls of hooks"
    case $flag in
    -flto) test "$calls" -eq 0 || { echo "gcc keeps the hooks now"; exit 1; } ;;
    *) test "$calls" -gt 0 || { echo "gcc makes no hooks here"; exit 1; } ;;
    esac
done
