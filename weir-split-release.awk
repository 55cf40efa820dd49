# SPDX-License-Identifier: MIT
#
# weir-split-release.awk: declares once more that the iterations of a loop over items
# are independent. Passes that merge loads or stores forget it of these. Only loops that
# the compiler still knows to be those of plain parts count, each with the blocks that
# it consists of: nothing was proved of other loads and stores.
#
# The file is read twice. After weir-split-ir.awk.

FNR == 1 { file++ }
file == 1 {
    if (match($0, /^![0-9]+ = !\{!"llvm\.loop\.parallel_accesses", ![0-9]+\}/)) {
        sub(/\}$/, "")
        group[$1] = $NF
    }
    if (/^![0-9]+ = distinct !\{/) {
        members[$1] = $0
    }
    next
}
/^define .*@[A-Za-z0-9_]+__split_together[.(]/ {
    inside = 1
    n_lines = 0
}
!inside { print; next }
{ line[++n_lines] = $0 }
/^}/ {
    inside = 0
    release()
}

# Returns: the access group of the loop that block @b ends; or nothing
function group_of(b,    l, node, words, i)
{
    for (l = first[b]; block[l] == b; l++) {
        if (match(line[l], /^  br i1 .*, !llvm\.loop ![0-9]+/)) {
            node = line[l]
            sub(/.*, !llvm\.loop /, "", node)
            sub(/,.*/, "", node)
            i = split(members[node], words, /[{}, ]+/)
            for (; i > 0; i--) {
                if (words[i] in group) {
                    return group[words[i]]
                }
            }
        }
    }
    return ""
}

# Sets met[] of the blocks that may run after @b without a visit of @without.
function reach(b, without,    k)
{
    if (b == without || b in met) {
        return
    }
    met[b] = 1
    for (k = 0; k < n_next[b]; k++) {
        reach(next_of[b, k], without)
    }
}

# Sets belongs[] of the blocks of the loop from @h to @b.
function collect(b, h, which,    k)
{
    if ((b in belongs) && belongs[b] == which) {
        return
    }
    belongs[b] = which
    for (k = 0; b != h && k < n_before[b]; k++) {
        collect(before[b, k], h, which)
    }
}

function release(    b, k, l, which)
{
    read_graph()
    split("", before); split("", n_before); split("", belongs)
    for (b in first) {
        for (k = 0; k < n_next[b]; k++) {
            before[next_of[b, k], n_before[next_of[b, k]]++] = b
        }
    }
    for (b in first) {
        which = group_of(b)
        for (k = 0; which != "" && k < n_next[b]; k++) {
            # The header: no way leads to the end of the loop but through it.
            split("", met)
            reach("%", next_of[b, k])
            if (!(b in met)) {
                collect(b, next_of[b, k], which)
            }
        }
    }
    for (l = 1; l <= n_lines; l++) {
        if (block[l] in belongs && line[l] ~ /(^  store | = load )/ \
            && line[l] !~ / (atomic|volatile) /) {
            sub(/, !llvm\.access\.group ![0-9]+/, "", line[l])
            line[l] = line[l] ", !llvm.access.group " belongs[block[l]]
        }
        print line[l]
    }
}
