#!/bin/sh
# SPDX-License-Identifier: MIT
#
# namespace.sh: a static library has no visibility control, so a global's prefix is
# its visibility: libweir.a defines weir_*, weiri_*, and the compiler's hooks. And a
# name has one meaning in all headers: no two define the same tag, enumerator or macro.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# twice TREE: prints each tag, enumerator and macro that two headers under TREE define.
# Headers and builtins of CUDA are in no other program, and have CUDA's names; and weir-machinery-turned.h defines macros
# anew that other headers have.
# A macro that its header undefines again does not count; neither does an enumeration
# inside a function.
twice()
{
    (cd "$1" && find sim -name '*.h' ! -path 'sim/cuda/include/*' ! -path 'sim/cuda/device/builtins*' \
        ! -name weir-machinery-turned.h | LC_ALL=C sort) | awk -v tree="$1" '
    function define(kind, name) {
        if (!((kind, name) in first))
            first[kind, name] = header
        else if (first[kind, name] != header && !((kind, name, header) in seen)) {
            seen[kind, name, header]
            again[++repeats] = kind " " name " is defined in " first[kind, name] " and " header
        }
    }
    function enumerators(list, names, n, i) {
        sub(/^[^{]*\{/, "", list)
        sub(/\}.*/, "", list)
        n = split(list, names, ",")
        for (i = 1; i <= n; i++) {
            sub(/=.*/, "", names[i])
            gsub(/[ \t]/, "", names[i])
            if (names[i] ~ /^[A-Za-z_][A-Za-z_0-9]*$/)
                define("the constant", names[i])
        }
    }
    function read_header(path, text, comment, list, macros, name, n, words) {
        comment = 0
        list = ""
        split("", macros)
        while ((getline text < path) > 0) {
            if (comment && !sub(/^.*\*\//, "", text))
                continue
            gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", text)
            comment = sub(/\/\*.*$/, "", text)
            if (text ~ /^[ \t]*#/) {
                n = split(text, words, /[ \t(]+/)
                if (text ~ /^[ \t]*#[ \t]*define/)
                    macros[words[2]]
                else if (text ~ /^[ \t]*#[ \t]*undef/)
                    delete macros[words[2]]
                continue
            }
            if (text ~ /^[ \t]*(typedef )?(struct|union|enum) [A-Za-z_0-9]+ *\{/) {
                name = text
                sub(/^[ \t]*(typedef )?/, "", name)
                sub(/ *\{.*/, "", name)
                define("the type", name)
            }
            if (list != "" || text ~ /^(typedef )?enum[^;()]*\{/)
                list = list " " text
            if (list ~ /\}/) {
                enumerators(list)
                list = ""
            }
        }
        for (name in macros)
            define("the constant", name)
        close(path)
    }
    { header = $0; read_header(tree "/" header) }
    END { for (i = 1; i <= repeats; i++) print again[i] | "LC_ALL=C sort" }'
}

# The test itself: three names that are in two headers are seen, and nothing else.
mkdir -p "$scratch/sim/a" "$scratch/sim/b"
cat >"$scratch/sim/a/a.h" <<'END'
/* struct weiri_comment { */
struct weiri_pair {
    int a;
};
struct weiri_whole { int b; };
enum weiri_end { WEIRI_GOES_ON, WEIRI_ENDS = 3 };
#define X(NAME) NAME
#undef X
#define WEIRI_ONE(X) 1
END
cat >"$scratch/sim/b/b.h" <<'END'
struct weiri_comment {
    struct weiri_whole b;
};
struct weiri_outer {
    struct weiri_pair { int b; } pair;
};
enum {
    WEIRI_WILL = WEIRI_ENDS, /* a comment */
    WEIRI_GOES_ON,
};
#define X(NAME) #NAME
#undef X
#define WEIRI_ONE 1
static inline int f(void) {
    enum { WEIRI_ENDS };
}
END
twice "$scratch" >"$scratch/seen"
cat >"$scratch/planted" <<'END'
the constant WEIRI_GOES_ON is defined in sim/a/a.h and sim/b/b.h
the constant WEIRI_ONE is defined in sim/a/a.h and sim/b/b.h
the type struct weiri_pair is defined in sim/a/a.h and sim/b/b.h
END
cmp -s "$scratch/planted" "$scratch/seen" \
    || { bad "of three planted names these were seen:"; cat "$scratch/seen"; }

twice "$top_srcdir" >"$scratch/repeats"
while read -r repeat; do
    bad "$repeat"
done <"$scratch/repeats"
test -s "$scratch/repeats" || good "every name of a header has one meaning"

library=$top_builddir/libweir.a
test -f "$library" || skip "no $library"

# What the compiler's own instrumentation of the host code adds.
added='^(__odr_asan|___asan|__asan|__gcov|__llvm)'

$NM -g --defined-only "$library" 2>/dev/null | awk 'NF == 3 { print $3 }' | LC_ALL=C sort -u \
    >"$scratch/globals"
test -s "$scratch/globals" || bad "$NM sees no globals in $library"
hooks='__tsan_|__sanitizer_cov_trace_|__ubsan_handle_(type_mismatch_v1|alignment_assumption|out_of_bounds)$|__wrap_((__)?(mem|st[rp]|v?sn?printf)|bcmp$|bzero$|qsort$|_?exit$|_Exit$|quick_exit$)'
# The interfaces of other systems that programs link with libweir.a for.
interfaces='cuda[A-Z]|cu[A-Z]|__cuda(Register|Unregister|Push|Pop)'
grep -Ev "^(weir_|weiri_|$interfaces|$hooks)|$added" "$scratch/globals" >"$scratch/strangers"
while read -r name; do
    bad "libweir.a defines $name"
done <"$scratch/strangers"
grep -q '^weir_launch_sized$' "$scratch/globals" || bad "libweir.a lacks weir_launch_sized"
test "$failures" -gt 0 || good "$(wc -l <"$scratch/globals") globals, all of weir's own prefixes"
finish
