#!/bin/sh
# SPDX-License-Identifier: MIT
#
# layers.sh: who may include whom. The table below is the architecture; a file
# that reaches over its layer fails here, with its line. docs/architecture.md
# gives the reasons.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# check TREE: prints each include that the table does not allow. "config.h" and
# headers of the system and of GLib are free, but for the public headers of the
# device, which know no GLib.
check()
{
    (cd "$1" && find sim kernels examples -name '*.[chS]' | LC_ALL=C sort) | sed 's/^/file /' \
        | awk -v tree="$1" '
    BEGIN {
        headers = "weir\\.h|weir-kernel\\.h|weir-model\\.h"
        allow["base"] = "base/.*"
        allow["exec"] = "base/.*|exec/.*|deterministic/.*|weir-kernel\\.h|weir\\.h"
        allow["deterministic"] = "base/.*|exec/.*|deterministic/.*|weir-kernel\\.h|weir\\.h"
        allow["watch"] = "base/.*|watch/(uninit|order|race|race-report|shadow|write-log|race-reason)\.h|exec/(call-tree|event|finding|memory|object)\.h|deterministic/(sched|history)\.h|" headers
        allow["model"] = "base/.*|model/.*|weir-kernel\\.h|weir-model\\.h"
        allow["litmus"] = "base/.*|model/(program|paths|execution|enumerate)\\.h|litmus/.*|weir-kernel\\.h"
        allow["answer"] = "base/.*|model/.*|litmus/.*|answer/.*|weir-kernel\\.h|weir-model\\.h"
        allow["host-launch"] = "exec/.*|deterministic/.*|watch/.*|model/.*|report/symbol\\.h|check-client\\.h|" headers
        allow["check-client"] = "watch/trace\\.h|report/(options|wire)\\.h|" headers
        allow["report"] = "report/.*|watch/(trace|stats)\\.h|" headers
        allow["cli"] = "cli/.*|report/.*|kernels/kernels\\.h|" headers
        allow["kernels"] = "kernels/.*|" headers
        allow["examples"] = headers
        allow["host header"] = "weir\\.h"
        allow["device header"] = "weir-collective\\.h|weir-atomic\\.h|std(atomic|bool|def|int)\\.h"
    }
    function layer_of(path, parts) {
        if (path ~ /^sim\/(host-device|host-launch|native)\.c$/) return "host-launch"
        if (path ~ /^sim\/check-client\.[ch]$/) return "check-client"
        if (path ~ /^sim\/weir(-model)?\.h$/) return "host header"
        if (path ~ /^sim\/weir-(kernel|collective|atomic)\.h$/) return "device header"
        split(path, parts, "/")
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
            if (path !~ /^sim\/exec\/hooks\.[ch]$/ && text ~ /__tsan_(func|read|write|unaligned|volatile|atomic|init|vptr)/)
                print path ":" line ": only exec/hooks knows the ABI of the compiler: " text
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
    "$scratch/kernels" "$scratch/examples"
wrong()
{
    printf '#include "config.h"\n#include <glib.h>\n#include "%s"\n' "$2" >"$scratch/$1"
}
wrong sim/base/a.c exec/group.h
wrong sim/exec/a.c report/report.h
wrong sim/watch/a.c exec/group.h
wrong sim/model/a.c litmus/litmus.h
wrong sim/litmus/a.c answer/answer.h
wrong sim/cli/a.c exec/device.h
wrong sim/report/a.c exec/finding.h
wrong sim/host-launch.c base/co.h
wrong sim/check-client.c exec/launch.h
wrong sim/weir.h exec/event.h
wrong kernels/a.c exec/group.h
wrong examples/a.c kernels/kernels.h
printf '#include <glib.h>\n' >"$scratch/sim/weir-kernel.h"
printf 'void __tsan_init(void);\n' >"$scratch/sim/exec/b.c"
wrong sim/exec/c.c exec/a.h
wrong sim/cli/c.c kernels/kernels.h
check "$scratch" >"$scratch/seen"
test "$(wc -l <"$scratch/seen")" -eq 14 \
    || { bad "of 14 planted violations these were seen:"; cat "$scratch/seen"; }

check "$top_srcdir" >"$scratch/violations"
while read -r violation; do
    bad "$violation"
done <"$scratch/violations"
test -s "$scratch/violations" || good "every include is within its layer"
finish
