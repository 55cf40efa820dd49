#!/bin/sh
# SPDX-License-Identifier: MIT
#
# opencl-library.sh: libweir-opencl.so can be loaded by a program that runs, defines no
# name that is not Weir's or OpenCL's, and has what the objects of kernels call: each
# function of the headers for kernels that libweir.a has, each hook by the name that
# weir-opencl.syms gives it, and the words of a thread.
. "${top_srcdir:-.}/tests/arch/lib.sh"

library=$top_builddir/libweir-opencl.so
syms=$top_builddir/weir-opencl.syms
test -f "$library" || skip "no $library"

$NM -D --defined-only "$library" | awk '{ print $NF }' | LC_ALL=C sort -u >"$scratch/has"
grep -v '^weiri_\|^cl[A-Z]' "$scratch/has" | while read -r name; do
    echo "it defines $name"
done >"$scratch/foreign"
test ! -s "$scratch/foreign" || { bad "names that others may have"; cat "$scratch/foreign"; }

# missing LIST WHAT: each line of the list is a name that the library has
missing()
{
    test "$(wc -l <"$1")" -ge "$3" || bad "only these are known of $2: $(cat "$1")"
    if LC_ALL=C comm -23 "$1" "$scratch/has" | grep . >"$scratch/missing"; then
        bad "$2 that it lacks:"
        cat "$scratch/missing"
    else
        good "it has all $2"
    fi
}

cat "$top_srcdir"/sim/weir-*.h | grep -o '\<weiri_[a-z0-9_]* *(' | tr -d ' (' \
    | LC_ALL=C sort -u >"$scratch/declared"
$NM -g --defined-only "$top_builddir/libweir.a" 2>/dev/null | awk 'NF == 3 { print $3 }' \
    | LC_ALL=C sort -u >"$scratch/defined"
# Rendezvous of some items, and their copies, are for kernels that are linked with libweir.a.
LC_ALL=C comm -12 "$scratch/declared" "$scratch/defined" \
    | grep -v '^weiri_\(bulk_copy\|cluster\|grid\|item_copy\|lanes\|mbarrier\|named\)_' >"$scratch/functions"
missing "$scratch/functions" "functions of the machine" 20
awk '{ print $2 }' "$syms" | LC_ALL=C sort -u >"$scratch/hooks"
missing "$scratch/hooks" hooks 100
echo weiri_self >"$scratch/words"
missing "$scratch/words" "words of a thread" 1
for name in __tsan_read4 __tsan_func_exit __sanitizer_cov_trace_pc memcpy exit; do
    grep -q "^$name weiri_hook_" "$syms" || bad "weir-opencl.syms does not rename $name"
done
$NM -g --defined-only "$top_builddir/libweir.a" 2>/dev/null | awk 'NF == 3 { print $3 }' \
    | grep '^__tsan_' >"$scratch/tsan"
while read -r name; do
    grep -q "^$name " "$syms" || bad "weir-opencl.syms does not rename $name"
done <"$scratch/tsan"

# The room for thread-local variables of a library that is loaded late is what the C
# library has to spare, for all such libraries: some 512 bytes.
bytes=$(readelf -lW "$library" | awk '$1 == "TLS" { print $6 }')
test "$(printf '%d' "${bytes:-0}")" -gt 0 && test "$(printf '%d' "$bytes")" -le 256 \
    || bad "thread-local variables take $bytes bytes"

# A kernel's object, as OpenCL loads it: its hooks and its calls are those of the library,
# also in a program that has a __tsan_read4 of its own.
cat >"$scratch/kernel.c" <<'END'
extern _Thread_local char weiri_self[] __attribute__((tls_model("initial-exec")));
void weiri_barrier(void);
int read_it(int *p);
int read_it(int *p) { return weiri_self != 0 && weiri_barrier != 0 ? *p : 0; }
END
cat >"$scratch/program.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
void __tsan_read4(void *p);
void __tsan_read4(void *p) { (void)p; puts("not the library's"); exit(1); }
static int (*read_it)(int *);
static void *thread(void *data) { return read_it(data) == 7 ? data : NULL; }
int main(int argc, char **argv)
{
    if (argc != 3 || dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) == NULL) {
        puts(argc == 3 ? dlerror() : "no files");
        return 1;
    }
    void *kernel = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (kernel == NULL) {
        puts(dlerror());
        return 1;
    }
    *(void **)&read_it = dlsym(kernel, "read_it");
    int seven = 7;
    pthread_t other;
    void *result = NULL;
    if (pthread_create(&other, NULL, thread, &seven) == 0) {
        pthread_join(other, &result);
    }
    return thread(&seven) == &seven && result == &seven ? 0 : 1;
}
END
absolute=$(cd "$top_builddir" && pwd)/libweir-opencl.so
# shellcheck disable=SC2086
if $CC -O1 -fPIC $INSTRUMENT_FLAGS -c "$scratch/kernel.c" -o "$scratch/kernel.o" 2>"$scratch/err" \
    && objcopy --redefine-syms="$syms" "$scratch/kernel.o" \
    && $CC -shared "$scratch/kernel.o" "$absolute" -o "$scratch/kernel.so" \
    && $CC -rdynamic "$scratch/program.c" -o "$scratch/program" -ldl -pthread; then
    if "$scratch/program" "$absolute" "$scratch/kernel.so" >"$scratch/out" 2>&1; then
        good "a program loads it, and a kernel's object after it"
    else
        bad "a program cannot load it, or its kernel's object: $(cat "$scratch/out")"
    fi
    readelf -d "$scratch/kernel.so" | grep -q 'NEEDED.*\[libweir-opencl.so\]' \
        || bad "a kernel's object does not name the library by its soname"
else
    bad "no kernel's object: $(cat "$scratch/err")"
fi
finish
