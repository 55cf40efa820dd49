#!/bin/sh
# SPDX-License-Identifier: MIT
#
# layers.sh: which file may include which, and which files may use each other in a
# circle. The two tables below are the architecture; a file that reaches over its layer
# fails here, with its line, and so does a circle that the second table does not name,
# with the symbols that close it. docs/architecture.md gives the reasons.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# ---- Includes ----------------------------------------------------------------

# check TREE: prints each include that the table does not allow. "config.h" and
# headers of the system and of GLib are free, but for the public headers of the
# device, which know no GLib.
check()
{
    (cd "$1" && find sim kernels examples -name '*.[chS]' | LC_ALL=C sort) | sed 's/^/file /' \
        | awk -v tree="$1" '
    BEGIN {
        headers = "weir\\.h|weir-kernel\\.h|weir-model\\.h|weir-play\\.h"
        allow["base"] = "base/.*"
        allow["errors"] = "weir(-model)?\\.h"
        allow["finding"] = "weir-kernel\\.h|weir\\.h"
        allow["exec"] = "base/.*|finding/.*|exec/.*|weir-kernel\\.h|weir\\.h"
        allow["mode header"] = "exec/.*|deterministic/(deterministic|evidence|hub)\\.h"
        allow["deterministic"] = "base/.*|finding/.*|exec/.*|deterministic/.*|weir-kernel\\.h|weir\\.h"
        allow["watch"] = "base/.*|finding/.*|watch/(causes|commands|command-holds|command-order|recorder|timeline|bounds|plain|uninit|observed|order|race|race-pair|race-report|shadow|step-order|write-log|race-reason)\\.h|exec/(event|finding|memory|object|schedule)\\.h|" headers
        allow["model"] = "base/.*|model/.*|weir-kernel\\.h|weir-model\\.h"
        allow["litmus"] = "base/.*|model/(program|paths|execution|enumerate)\\.h|litmus/.*|weir-kernel\\.h"
        allow["answer"] = "base/.*|model/.*|litmus/.*|answer/.*|weir-kernel\\.h|weir-model\\.h|weir-play\\.h"
        allow["native"] = "base/.*|finding/.*|exec/.*|deterministic/hub\\.h|model/(enumerate|estimate|explore|execution|graph|model|program|progress|sample|stand|step)\\.h|answer/(drawn|played)\\.h|native/.*|" headers
        allow["report"] = "report/.*|finding/.*|exec/hook-names\\.h|watch/timeline\\.h|" headers
        allow["host"] = "base/(backtrace|file|state-server|statics)\\.h|exec/.*|deterministic/trace\\.h|watch/.*|native/native\\.h|report/(symbol|timeline|unhooked)\\.h|host/.*|" headers
        allow["check-client"] = "host/check-client(-state)?\\.h|base/(builds|exchange|fork-server|halt|state-server)\\.h|deterministic/trace\\.h|report/(options|record|unhooked)\\.h|" headers
        allow["opencl builtin"] = "opencl/.*|weir-(kernel|machinery-turned)\\.h"
        allow["cuda"] = "cuda/.*|finding/names\\.h|weir-(kernel|machinery-turned)\\.h|exec/(memory|statics)\\.h|host/commands\\.h|report/symbol\\.h|weir/[a-z-]+\\.(h|hpp)|" headers
        allow["sycl"] = "sycl/.*|host/commands\\.h|report/symbol\\.h|" headers
        allow["opencl"] = "opencl/device/arguments\\.h|" headers
        allow["opencl compile"] = "opencl/(opencl|compile/.*)\\.h|base/statics\\.h|host/check-client\\.h|report/symbol\\.h|" headers
        allow["opencl device"] = "opencl/(opencl|device/.*)\\.h|base/statics\\.h|host/commands\\.h|weir-machinery-split\\.h|" headers
        allow["opencl platform"] = "opencl/(opencl|(compile|device|platform)/.*)\\.(h|def)|base/statics\\.h|host/commands\\.h|" headers
        allow["opencl run"] = "opencl/(opencl|(compile|device|run)/.*)\\.h|base/rng\\.h|" headers
        allow["split"] = "split/.*"
        allow["opencl-cc"] = "opencl-cc/.*|split/(clang|ir|llvm|parts|passes|stackless)\\.h|opencl/(device/arguments|compile/mangled)\\.h|opencl/device/builtins\\.def"
        allow["cuda builtin"] = "cuda/device/.*|weir-kernel\\.h|weir-machinery-turned\\.h"
        allow["cuda-cc"] = "cuda-cc/.*|split/(clang|copies|ir|llvm|parts|passes|stackless)\\.h|opencl-cc/(back|clc|template)\\.h|cuda/device/(head|math)\\.h"
        words = "finding/.*|"
        allow["show"] = "show/.*|report/.*|watch/timeline\\.h|deterministic/trace\\.h|" words headers
        allow["cli"] = "cli/.*|base/(builds|channel|exchange|file|fork-server)\\.h|report/.*|kernels/kernels\\.h|" headers
        allow["engine"] = "engine/.*|show/.*|" words allow["cli"]
        allow["repair text"] = "repair/.*|base/.*|" words headers
        allow["repair"] = "repair/.*|engine/.*|show/.*|" words allow["cli"]
        allow["cmd"] = "cmd/.*|repair/(explore-.*|fixes|patch)\\.h|engine/.*|show/.*|" words allow["cli"]
        allow["bench"] = "bench/.*|engine/measure\\.h|" allow["cli"]
        allow["doctor"] = "doctor/.*|engine/gdb\\.h|" allow["cli"]
        allow["exercise"] = "exercise/.*|" words allow["cli"]
        allow["play"] = "play/.*|engine/.*|show/.*|" words allow["cli"]
        allow["kernels"] = "kernels/.*|" headers
        allow["examples"] = "examples/[a-z]+/[a-z]+\\.h|" headers
        allow["host header"] = "weir\\.h"
        allow["device header"] = "kernels-are-C11|weir-(collective|atomic|machinery|machinery-shared|machinery-atomic|machinery-split|machinery-turned)\\.h|std(atomic|bool|def|int)\\.h"
    }
    function layer_of(path, parts) {
        if (path == "sim/exec/mode.h") return "mode header"
        if (path == "sim/base/error.c") return "errors"
        if (path ~ /^sim\/opencl\/device\/(arguments\.h|builtins.*|entries\.c)$/) return "opencl builtin"
        if (path ~ /^sim\/cuda\/device\/(builtins.*|entries\.c|head\.h)$/) return "cuda builtin"
        if (path ~ /^sim\/host\/check-client[a-z-]*\.[ch]$/) return "check-client"
        if (path ~ /^sim\/repair\/(atomic-site|bit-field|build|candidate|choice|command|kernel-text|opencl-text|patch|suggest|sycl|words)[a-z-]*\.[ch]$/) return "repair text"
        if (path ~ /^sim\/weir(-model|-play)?\.h$/) return "host header"
        if (path ~ /^sim\/weir-(kernel|collective|atomic|machinery|machinery-shared|machinery-atomic|machinery-split|machinery-turned)\.h$/) return "device header"
        split(path, parts, "/")
        if (path ~ /^sim\/opencl\/.*\//) return "opencl " parts[3]
        return parts[1] == "sim" ? parts[2] : parts[1]
    }
    {
        path = $2
        layer = layer_of(path)
        if (!(layer in allow)) {
            print path ": of no layer that the table knows"
            next
        }
        line = 0
        while ((getline text < (tree "/" path)) > 0) {
            line++
            if (path !~ /^sim\/(exec\/hooks\.[ch]|split\/copies\.c)$/ && text ~ /__tsan_(func|read|write|unaligned|volatile|atomic|init|vptr)/)
                print path ":" line ": only exec/hooks and split/copies know the ABI of the compiler: " text
            if (text !~ /^[ \t]*#[ \t]*include/)
                continue
            quoted = text ~ /include[ \t]*"/
            name = text
            sub(/^[^"<]*["<]/, "", name)
            sub(/[">].*$/, "", name)
            ours = quoted || name ~ /^weir/ || layer == "device header"
            if (!ours || name == "config.h")
                continue
            ok = "^(" allow[layer] ")$"
            # A name without a folder is of the same folder, or a public header.
            if (name !~ /\// && name !~ "^(" headers ")$") {
                folder = path
                sub(/[^\/]*$/, "", folder)
                sub(/^sim\//, "", folder)
                name = folder name
            }
            own = path
            sub(/^sim\//, "", own)
            sub(/\.c$/, ".h", own)
            if (name !~ ok && name != own)
                print path ":" line ": " layer " may not include " name
        }
        close(tree "/" path)
    }'
}

# The test itself: one wrong include in each layer is seen, right ones are not.
mkdir -p "$scratch/sim/base" "$scratch/sim/exec" "$scratch/sim/cli" "$scratch/sim/report" \
    "$scratch/sim/watch" "$scratch/sim/model" "$scratch/sim/litmus" \
    "$scratch/sim/host" "$scratch/sim/show" "$scratch/sim/engine" "$scratch/sim/repair" \
    "$scratch/sim/cmd" "$scratch/sim/play" "$scratch/kernels" "$scratch/examples"
wrong()
{
    printf '#include "config.h"\n#include <glib.h>\n#include "%s"\n' "$2" >"$scratch/$1"
}
wrong sim/base/a.c exec/group.h
wrong sim/exec/a.c report/report.h
wrong sim/exec/d.c deterministic/hub.h
wrong sim/watch/a.c exec/group.h
wrong sim/model/a.c litmus/litmus.h
wrong sim/litmus/a.c answer/answer.h
wrong sim/cli/a.c exec/device.h
wrong sim/report/a.c exec/finding.h
wrong sim/show/a.c cli/cli.h
wrong sim/engine/a.c repair/fixes.h
wrong sim/repair/a.c cmd/explore.h
wrong sim/repair/words.c cli/cli.h
wrong sim/cmd/a.c play/play.h
wrong sim/play/a.c cmd/explore.h
wrong sim/host/launch.c base/co.h
wrong sim/host/check-client.c exec/launch.h
wrong sim/weir.h exec/event.h
wrong kernels/a.c exec/group.h
wrong examples/a.c kernels/kernels.h
printf '#include <glib.h>\n' >"$scratch/sim/weir-kernel.h"
printf 'void __tsan_init(void);\n' >"$scratch/sim/exec/b.c"
wrong sim/exec/c.c exec/a.h
wrong sim/cli/c.c kernels/kernels.h
check "$scratch" >"$scratch/seen"
test "$(wc -l <"$scratch/seen")" -eq 21 \
    || { bad "of 21 planted violations these were seen:"; cat "$scratch/seen"; }

check "$top_srcdir" >"$scratch/violations"
while read -r violation; do
    bad "$violation"
done <"$scratch/violations"
test -s "$scratch/violations" || good "every include is within its layer"

# ---- Circles -----------------------------------------------------------------
# File A uses file B if B defines a symbol that A lacks. Files that use each other,
# directly or through others, are a circle: none of them can be read or tested without
# the rest.

# The circles that there are: a reason, and below it the files, each on its line. The
# files of a circle are all below one reason, and a file below a reason is in a circle.
cat >"$scratch/named" <<'END'
recursive descent: the arguments of an operation are expressions that may have operations
    litmus/expression
    litmus/operation
END

# symbols BUILD SOURCE: "FILE SYMBOL TYPE" for each symbol of the objects under
# BUILD/sim, with FILE relative to it and without its ending. An object whose source is
# gone is an old one.
symbols()
{
    (cd "$1" && find sim -name '*.o' -exec "$NM" -A -P {} +) | awk '{
        sub(/:$/, "", $1)
        sub(/\.o$/, "", $1)
        sub(/[^\/-]*-/, "", $1)
        print
    }' | LC_ALL=C sort | while read -r file symbol type _; do
        if test "$file" != "${last-}"; then
            last=$file
            present=no
            for source in "$1/$file".c "$2/$file".[cS]; do
                test ! -f "$source" || present=yes
            done
        fi
        test "$present" = no || echo "${file#sim/} $symbol $type"
    done
}

# circles TABLE <SYMBOLS: prints each circle that the table does not name, with what
# closes it, and each row that names no circle.
circles()
{
    awk -v table="$1" '
    # Whether file j is used by file i is uses[i, j], if need be through files before k.
    function reach(i, j, k) {
        for (k = 1; k <= files; k++)
            for (i = 1; i <= files; i++)
                if ((i, k) in uses)
                    for (j = 1; j <= files; j++)
                        if ((k, j) in uses && !((i, j) in uses))
                            uses[i, j]
    }
    function print_circle(i, j, k, names) {
        names = name[i]
        for (j = i + 1; j <= files; j++)
            if (circle[j] == i)
                names = names ", " name[j]
        print "a circle of files: " names
        for (j = i; j <= files; j++)
            for (k = i; k <= files; k++)
                if (circle[j] == i && circle[k] == i && (j, k) in symbol)
                    print "    " name[j] " uses " symbol[j, k] " of " name[k]
    }
    !($1 in number) {
        number[$1] = ++files
        name[files] = $1
    }
    $3 ~ /^[ABCDGRSTVW]$/ { defined[$2] = number[$1] }
    $3 == "U" { lacks[++n] = number[$1]; lacked[n] = $2 }
    END {
        for (i = 1; i <= n; i++)
            if (lacked[i] in defined) {
                pair = lacks[i] SUBSEP defined[lacked[i]]
                uses[pair]
                if (!(pair in symbol))
                    symbol[pair] = lacked[i]
            }
        reach()
        while ((getline text < table) > 0) {
            if (text !~ /^ /)
                reason = text
            else {
                gsub(/ /, "", text)
                row[text] = reason
            }
        }
        for (i = 1; i <= files; i++) {
            if (circle[i] || !((i, i) in uses))
                continue
            named = 1
            for (j = i; j <= files; j++)
                if ((i, j) in uses && (j, i) in uses) {
                    circle[j] = i
                    named = named && name[j] in row && row[name[j]] == row[name[i]]
                }
            if (!named)
                print_circle(i)
        }
        for (file in row)
            if (!(file in number) || !circle[number[file]])
                print file " is in no circle: delete its row"
    }'
}

# The test itself: circles of three files and of two are found, those that are named are
# accepted, and a row without a circle is seen. d is between the circles and in none.
planted=$scratch/planted
mkdir -p "$planted/sim/base"
echo 'int b(void); int a(void) { return b(); }' >"$planted/sim/base/a.c"
echo 'extern int c; int b(void) { return c; }' >"$planted/sim/base/b.c"
echo 'int a(void); int c; int d(void) { return a(); }' >"$planted/sim/base/c.c"
echo 'int a(void); int e(void) { return a(); }' >"$planted/sim/base/d.c"
echo 'int g(void), d(void); int f(void) { return g() + d(); }' >"$planted/sim/base/e.c"
echo 'int f(void); int g(void) { return f(); }' >"$planted/sim/base/f.c"
for file in a b c d e f; do
    # The compiler may be a command with arguments.
    # shellcheck disable=SC2086
    $CC -c "$planted/sim/base/$file.c" -o "$planted/sim/base/libplanted_a-$file.o" || bad "no object"
done
cp "$planted/sim/base/libplanted_a-c.o" "$planted/sim/base/libplanted_a-old.o"
symbols "$planted" "$planted" >"$planted/symbols"
cat >"$planted/named" <<'END'
recursion
    base/a
    base/b
    base/c
two
    base/e
    base/f
END
awk '/base.c/ { print "another" } { print }' "$planted/named" >"$planted/apart"
printf '    base/d\n    base/gone\n' | cat "$planted/named" - >"$planted/more"
circles /dev/null <"$planted/symbols" >"$planted/seen"
cat >"$planted/expected" <<'END'
a circle of files: base/a, base/b, base/c
    base/a uses b of base/b
    base/b uses c of base/c
    base/c uses a of base/a
a circle of files: base/e, base/f
    base/e uses g of base/f
    base/f uses f of base/e
END
cmp -s "$planted/expected" "$planted/seen" \
    || { bad "of a planted circle this was seen:"; cat "$planted/seen"; }
test -z "$(circles "$planted/named" <"$planted/symbols")" || bad "circles that are named fail"
test "$(circles "$planted/apart" <"$planted/symbols" | grep -c '^a circle')" -eq 1 \
    || bad "a circle of files below two reasons is accepted"
test "$(circles "$planted/more" <"$planted/symbols" | grep -c 'delete its row')" -eq 2 \
    || bad "a row without a circle is accepted"

symbols "$top_builddir" "$top_srcdir" >"$scratch/symbols"
grep -q '^cmd/main main T' "$scratch/symbols" || bad "$NM sees no command in $top_builddir"
grep -q '^exec/hooks __tsan_init T' "$scratch/symbols" || bad "$NM sees no library in $top_builddir"
circles "$scratch/named" <"$scratch/symbols" >"$scratch/circles"
if test -s "$scratch/circles"; then
    bad "the circles of files are not those that the test names"
    cat "$scratch/circles"
else
    good "no circle of files but those that are named"
fi
finish
