# SPDX-License-Identifier: MIT
#
# weir-split-ir.awk: what both changes of weir-split read in a function of LLVM IR. The
# function is in line[1 .. n_lines]; line 1 defines it, the last one ends it.
#
# -v version=N: of clang

BEGIN {
    old = version < 15 # pointers have types
    pointer = old ? "i8*" : "ptr"
    pure = "^(umin|umax|smin|smax|abs|fabs|fma|fmuladd|sqrt|ctpop|ctlz|cttz|bswap" \
        "|bitreverse|fshl|fshr|minnum|maxnum|copysign|floor|ceil|trunc|rint|round" \
        "|nearbyint|is)$"
}

# ---- Words ---------------------------------------------------------------------------

function pointer_to(type)
{
    return old ? type "*" : "ptr"
}

function bare(word)
{
    sub(/,$/, "", word)
    return word
}

# Returns: the address of a load or store
function address_in(text,    n, words)
{
    sub(/, align .*/, "", text)
    n = split(text, words, " ")
    return words[n]
}

# Splits what is between the braces of a structure into @types. Returns: how many
function split_types(text, types,    i, c, depth, n, from)
{
    n = 0
    from = 1
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        depth += index("[{(<", c) > 0
        depth -= index("]})>", c) > 0
        if (c == "," && depth == 0) {
            types[n++] = substr(text, from, i - from)
            from = i + 2
        }
    }
    types[n++] = substr(text, from)
    return n
}

# ---- Blocks --------------------------------------------------------------------------

# Sets block[l] of each line, first[b], the blocks next_of[b, 0 .. n_next[b] - 1] that
# may follow, and defined[value].
function read_graph(    l, words, b, to)
{
    split("", block); split("", first); split("", next_of); split("", n_next)
    split("", defined)
    b = "%"
    first[b] = 2
    for (l = 2; l < n_lines; l++) {
        if (match(line[l], /^[^ :]+:/)) {
            b = "%" substr(line[l], 1, RLENGTH - 1)
            first[b] = l + 1
        }
        block[l] = b
        split(line[l], words, " ")
        if (words[2] == "=") {
            defined[words[1]] = 1
        }
        to = line[l]
        while (match(to, /label %[^ ,]+/)) {
            next_of[b, n_next[b]++] = substr(to, RSTART + 6, RLENGTH - 6)
            to = substr(to, RSTART + RLENGTH)
        }
    }
}

# Returns: whether the compiler can run this line for several items at once
function is_plain_line(text,    words)
{
    if (text ~ / (load|store) (atomic|volatile) / \
        || text ~ / (atomicrmw|cmpxchg|fence|va_arg|invoke) /) {
        return 0
    }
    if (text ~ /^  (store (atomic|volatile) |fence |unreachable)/) {
        return 0
    }
    if (text !~ /(^| )call /) {
        return 1
    }
    if (text ~ /@weiri_split_(tell|soft)\(/ \
        || text ~ /@llvm\.(dbg|lifetime|assume|experimental\.noalias)/) {
        return 1
    }
    if (text ~ /@weiri_split_array\(/) {
        return text ~ /\(.*, i32 (noundef )?[0-9]+, .* (noundef |nonnull )*@[^ ,]+\)/ \
            && !has_varying(text)
    }
    if (text ~ /@weiri_cl_(array|fixed)\(/) {
        return !has_varying(text) # a value that the group has: calls move out of loops
    }
    if (match(text, /@llvm\.[a-z]+/)) {
        return substr(text, RSTART + 6, RLENGTH - 6) ~ pure
    }
    return 0
}

# ---- Strides -------------------------------------------------------------------------
# A value that differs between items is in `varying`. Where neighbours differ by a
# constant, modulo the size of the type, that is its stride.

function has_varying(text,    n, words, i, word)
{
    n = split(text, words, " ")
    for (i = words[2] == "=" ? 3 : 1; i <= n; i++) {
        word = words[i]
        gsub(/[(),]/, "", word)
        if (word in varying) {
            return 1
        }
    }
    return 0
}

function stride_of(word)
{
    word = bare(word)
    return word in varying ? (word in stride ? stride[word] : "?") : 0
}

# Returns: whether this is new. What differs in several ways has no stride.
function set_stride(word, c)
{
    if (c == stride_of(word)) {
        return 0
    }
    if (c == "?" || word in varying) {
        delete stride[word]
    } else {
        stride[word] = c
    }
    varying[word] = 1
    return 1
}

# Returns: the stride of what this line defines by arithmetic; "?" if there is none
function stride_of_result(text,    n, words, a, b, i)
{
    sub(/, ![a-z].*/, "", text)
    n = split(text, words, " ")
    a = stride_of(words[n - 1])
    b = stride_of(words[n])
    if (words[3] !~ /^(trunc|zext|sext|freeze)$/ && words[n - 2] !~ /^i[0-9]+$/) {
        return "?" # vectors and expressions are several words
    }
    if (words[3] == "add" || words[3] == "sub") {
        return a == "?" || b == "?" ? "?" : words[3] == "add" ? a + b : a - b
    }
    if (words[3] == "mul" && words[n] ~ /^[0-9]+$/ && length(words[n]) < 7) {
        return a == "?" ? "?" : a * words[n]
    }
    if (words[3] == "shl" && words[n] ~ /^[0-9]+$/ && words[n] < 20) {
        return a == "?" ? "?" : a * 2 ^ words[n]
    }
    if (words[3] == "and" && words[n] == "4294967295" && bare(words[n - 1]) in is_id) {
        return 1 # there are fewer items
    }
    if (words[3] ~ /^(trunc|zext|sext)$/) {
        for (i = 5; words[i] != "to"; i++) { }
        a = stride_of(words[i - 1])
        return words[3] == "trunc" || words[4] == "nneg" || lenient \
            || bare(words[i - 1]) in is_id ? a : "?"
    }
    if (words[3] == "freeze") {
        return stride_of(words[n])
    }
    return "?"
}
