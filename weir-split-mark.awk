# SPDX-License-Identifier: MIT
#
# weir-split-mark.awk: the first change that weir-split makes to the IR of a file: makes
# coroutines of K__split_item() of the kernels that wait, and leaves out what the others
# have for stackless entries. The file is read twice. Exit status 3: no kernel waits.
#
# Some loops get stops, too, which are *soft*: scalar passes run past them. An innermost
# loop does if its items read neighbouring elements, as on a GPU, and nothing in it
# hinders vectors. Then a pass runs one iteration of all items, in the order of memory,
# in place of all iterations of one item, which strides through it. One stop is at the
# end of the body, and one where each way out leads, so that what follows the loop is
# another part. A loop with barriers gets soft stops of the second kind, where what
# follows it is not plain.
#
# After weir-split-ir.awk. -v version=N: of clang

BEGIN {
    lenient = 1
    attribute = old ? "\"coroutine.presplit\"=\"0\"" : "presplitcoroutine"
    none = version < 17 ? "" : ", token none"
}

# Returns: K of K__split_item, where the line defines or declares that
function kernel(part,    n)
{
    if (!match($0, "@[A-Za-z0-9_]+__" part "[ (.]")) {
        return ""
    }
    n = length(part) + 4
    return substr($0, RSTART + 1, RLENGTH - n)
}

FNR == 1 { file++ }

# ---- Which kernels wait --------------------------------------------------------------
# They have more stops than the one before the body.

file == 1 {
    if (/^define /) {
        name = kernel("split_item")
        n_lines = 0
        stops = 0
        invokes = 0
        # A body that does not end is noreturn, but its parts return at their stops.
        if (name != "" && match($0, / #[0-9]+/)) {
            returns[substr($0, RSTART + 1, RLENGTH - 1)] = 1
        }
    }
    if (name != "") {
        line[++n_lines] = $0
        stops += /@weiri_split_stop\(/
        invokes += / (invoke|landingpad) |@weiri_local_array_at\(/
        if (/^}/) {
            # A coroutine that C++ cleans up after a throw has more than the parts here;
            # and arrays that are found by their place are found on the item's stack.
            if (invokes == 0 && (stops > 1 || find_loops() > 0)) {
                waits[name] = 1
                any = 1
            }
            name = ""
        }
    }
    next
}
!any { exit 3 }

# ---- Loops that get stops ------------------------------------------------------------

function word_of_parameter(i,    parameters, words, n)
{
    split(substr(line[1], index(line[1], "(")), parameters, ", ")
    sub(/\) .*/, "", parameters[i])
    n = split(parameters[i], words, " ")
    return words[n]
}

# Sets varying[value], stride[value], and reach[address]: how far neighbours are apart
# there, in elements.
function find_strides(    changed, l, n, words, c, text, value)
{
    split("", varying); split("", stride); split("", reach); split("", constant)
    split("", is_id)
    constant[word_of_parameter(3)] = 1
    constant[word_of_parameter(4)] = 1
    for (l = 5; l <= 8; l++) {
        value = word_of_parameter(l)
        varying[value] = 1
        if (l < 7) {
            is_id[value] = 1
            stride[value] = 1
        }
    }
    do {
        changed = 0
        for (l = 2; l < n_lines; l++) {
            text = line[l]
            sub(/, ![a-z].*/, "", text)
            n = split(text, words, " ")
            if (words[2] != "=" || words[1] in varying && !(words[1] in stride)) {
                continue
            }
            if (words[3] == "load") {
                c = address_in(line[l]) in constant ? 0 : "?"
            } else if (words[3] == "phi") {
                c = stride_of_phi(text)
            } else if (words[3] == "getelementptr" || words[3] == "bitcast") {
                c = stride_of_address(text, words, n)
            } else if (text ~ /@weiri_split_array\(/) {
                c = 0
            } else if (!is_plain_line(text) \
                || words[3] ~ /^(atomicrmw|cmpxchg|alloca)$/) {
                c = "?"
            } else {
                c = has_varying(text) ? stride_of_result(text) : 0
            }
            changed += set_stride(words[1], c)
        }
    } while (changed)
}

function stride_of_phi(text,    pair, c, found)
{
    found = 0
    while (match(text, /\[ [^ ]+, %[^ ]+ \]/)) {
        split(substr(text, RSTART, RLENGTH), pair, " ")
        text = substr(text, RSTART + RLENGTH)
        c = stride_of(pair[2])
        if (c != 0 && found != 0 && c != found) {
            return "?"
        }
        found = c == 0 ? found : c
    }
    return found
}

# @text: a getelementptr or bitcast. Sets reach[] of its result.
function stride_of_address(text, words, n,    c, i)
{
    for (i = 4; i <= n; i++) {
        if (bare(words[i]) in constant) {
            constant[words[1]] = 1
        }
    }
    if (!has_varying(text)) {
        reach[words[1]] = 0
        return 0
    }
    c = stride_of(words[n])
    text = words[4] == "inbounds" || words[4] == "nuw" ? words[5] : words[4]
    if (c != "?" && stride_of(words[n - 2]) == 0 \
        && text ~ /^(i[0-9]+|float|double|ptr),$/) {
        reach[words[1]] = c
    } else {
        delete reach[words[1]]
    }
    return "?"
}

# Finds the loops. Returns: how many. Sets latch[n], in_loop[n, block], and cut[block]
# of blocks behind loops with barriers that get a stop.
function find_loops(    n, b, l)
{
    read_graph()
    split("", colour); split("", back); split("", n_before); split("", before)
    split("", is_header); split("", latch); split("", in_loop); split("", cut)
    visit("%")
    find_strides()
    n = 0
    for (b in back) {
        is_header[back[b]]++
    }
    # The order of blocks, so that it is the same each time.
    for (l = 2; l < n_lines; l++) {
        b = block[l]
        if (first[b] == l && b in back && is_header[back[b]] == 1 \
            && is_good_loop(n, b, back[b])) {
            cut_beside(n)
            latch[n++] = b
        }
        if (first[b] == l && b in back) {
            cut_behind(b, back[b])
        }
    }
    return n
}

# What leads past loop @n, which items come to from the blocks in `passed`, is another
# part, too.
function cut_beside(n,    l, b, k, to, ahead)
{
    for (b in passed) {
        ahead[b] = 1
    }
    for (l = 2; l < n_lines; l++) {
        b = block[l]
        for (k = 0; first[b] == l && b in ahead && k < n_next[b]; k++) {
            to = next_of[b, k]
            split("", passed)
            if (!(to in ahead) && !((n, to) in in_loop) && !is_plain_behind(to)) {
                cut[to] = 1
            }
        }
    }
}

# @b: the end of a loop with header @h
function cut_behind(b, h,    l, k, to, waits)
{
    forget("barrier")
    collect("barrier", b, h)
    for (l = 2; l < n_lines && !waits; l++) {
        waits = ("barrier", block[l]) in in_loop && line[l] ~ /@weiri_split_stop\(/
    }
    for (l = 2; l < n_lines && waits; l++) {
        b = block[l]
        for (k = 0; first[b] == l && ("barrier", b) in in_loop && k < n_next[b]; k++) {
            to = next_of[b, k]
            split("", passed)
            if (!(("barrier", to) in in_loop) && !is_plain_behind(to)) {
                cut[to] = 1
            }
        }
    }
    forget("barrier")
}

# Returns: whether all that items do from block @b to their next stop is plain
function is_plain_behind(b,    l, k)
{
    if (b in passed) {
        return 1
    }
    passed[b] = 1
    for (l = first[b]; block[l] == b; l++) {
        if (line[l] ~ /@weiri_split_(stop|leave)\(/) {
            return 1
        }
        if (!is_plain_line(line[l]) && line[l] !~ /@weiri_split_/) {
            return 0
        }
    }
    for (k = 0; k < n_next[b]; k++) {
        if (!is_plain_behind(next_of[b, k])) {
            return 0
        }
    }
    return 1
}

# Empties the set of blocks in_loop[n, block].
function forget(n,    loop)
{
    for (loop in in_loop) {
        if (index(loop, n SUBSEP) == 1) {
            delete in_loop[loop]
        }
    }
}

# Sets back[b] to h where b -> h closes a loop, and the blocks before[b, k].
function visit(b,    k, to)
{
    colour[b] = 1
    for (k = 0; k < n_next[b]; k++) {
        to = next_of[b, k]
        before[to, n_before[to]++] = b
        if (!(to in colour)) {
            visit(to)
        } else if (colour[to] == 1) {
            back[b] = to
        }
    }
    colour[b] = 2
}

function collect(n, b, h,    k)
{
    in_loop[n, b] = 1
    if (b == h) {
        return
    }
    for (k = 0; k < n_before[b]; k++) {
        if (!((n, before[b, k]) in in_loop)) {
            collect(n, before[b, k], h)
        }
    }
}

# Returns: whether items are to take turns in the loop with this latch and header
function is_good_loop(n, b, h,    l, words, where, useful)
{
    forget(n)
    collect(n, b, h)
    for (l = 2; l < n_lines; l++) {
        if (!((n, block[l]) in in_loop)) {
            continue
        }
        if (block[l] != h && block[l] in is_header || !is_plain_line(line[l]) \
            || line[l] ~ /@weiri_split_|^  switch |^  (ret|indirectbr)/) {
            return 0
        }
        split(line[l], words, " ")
        if (words[1] == "store" || words[3] == "load") {
            where = address_in(line[l])
            if (!(where in varying)) {
                continue
            }
            if (!(where in reach) || reach[where] != 1) {
                return 0
            }
            useful = 1
        }
    }
    if (!useful) {
        return 0
    }
    split("", passed)
    for (l = 0; l < n_before[h]; l++) {
        if (!((n, before[h, l]) in in_loop) && !is_plain_before(before[h, l], h)) {
            return 0
        }
    }
    return 1
}

# Returns: whether all that items do between a stop and the end of block @b, which is
# before loop @h, is plain: else a scalar pass would run the loop
function is_plain_before(b, h,    l, k)
{
    if (b in passed) {
        return 1
    }
    passed[b] = 1
    for (k = 0; k in latch; k++) {
        if ((k, b) in in_loop) {
            return 1 # behind it is a stop
        }
    }
    if (b in is_header && !is_around(b, h)) {
        return 0
    }
    for (l = first[b]; block[l] == b; l++) {
        if (line[l] ~ /@weiri_split_stop\(/) {
            return 1
        }
        if (!is_plain_line(line[l]) && line[l] !~ /@weiri_split_/) {
            return 0
        }
    }
    for (k = 0; k < n_before[b]; k++) {
        if (!is_plain_before(before[b, k], h)) {
            return 0
        }
    }
    return 1
}

# Returns: whether the loop with header @outer has @h in it
function is_around(outer, h,    b)
{
    for (b in back) {
        if (back[b] == outer) {
            collect("around", b, outer)
        }
    }
    b = ("around", h) in in_loop
    forget("around")
    return b
}

# ---- What is written -----------------------------------------------------------------

# What refers to it is not reached.
/^@/ && kernel("split") != "" && !(kernel("split") in waits) {
    match($0, /constant [^ ]+/)
    print $1 " = external " substr($0, RSTART, RLENGTH)
    next
}
/^@/ && kernel("split") != "" { sub("@" kernel("split") "__split_item", "null") }
/^@/ && kernel("split_together") != "" && !(kernel("split_together") in waits) { next }
/^(define|declare) / {
    name = ""
    n = split("split_item split_resume_any split_together stackless", parts, " ")
    for (i = n; i > 0; i--) {
        if (kernel(parts[i]) != "") {
            name = kernel(parts[i])
            part = parts[i]
        }
    }
    inside = /^define/ && name in waits && part == "split_item"
    skips = name != "" && !(name in waits)
    n_lines = 0
}
$1 == "attributes" && $2 in returns { sub(/ noreturn /, " ") }
skips { skips = !/^}/ && !/^declare/; next }
inside {
    line[++n_lines] = $0
    if (/^}/) {
        find_loops()
        print_coroutine()
        inside = 0
    }
    next
}
{ print }

function replaced(text, what, by,    i)
{
    i = index(text, what)
    return i == 0 ? text : substr(text, 1, i - 1) by substr(text, i + length(what))
}

# ---- What is loaded again ------------------------------------------------------------

# Sets fixed_load[value] to the load that defines it, if it loads a member of the
# arguments or of the shape.
function find_fixed(    l, n, i, words, word, fixed, ok, is_parameter)
{
    split("", fixed_load)
    for (i = 1; i <= 8; i++) {
        is_parameter[word_of_parameter(i)] = 1
    }
    fixed[word_of_parameter(3)] = fixed[word_of_parameter(4)] = 1
    for (l = 2; l < n_lines; l++) {
        n = split(line[l], words, " ")
        if (words[2] != "=") {
            continue
        }
        if (words[3] == "load" && is_plain_line(line[l]) \
            && address_in(line[l]) in fixed) {
            fixed_load[words[1]] = line[l]
        } else if (words[3] == "getelementptr" || words[3] == "bitcast") {
            ok = 1
            for (i = 4; i <= n; i++) {
                word = bare(words[i])
                ok = ok && (word in fixed || !(word in defined || word in is_parameter))
            }
            if (ok) {
                fixed[words[1]] = 1
            }
        }
    }
}

# Sets crosses[value] where clang needs the operands of the value behind a stop: it
# computes casts, addresses and the like again there.
function find_crossing(    l, n, i, words, word, at, n_stops, before)
{
    split("", crosses)
    for (l = 2; l < n_lines; l++) {
        split(line[l], words, " ")
        if (words[2] == "=") {
            at[words[1]] = l
        }
        before[l] = n_stops + (words[1] == "br" && block[l] in ends)
        n_stops += line[l] ~ /@weiri_split_stop\(/
    }
    for (l = n_lines - 1; l > 1; l--) {
        n = split(line[l], words, " ")
        for (i = words[2] == "=" ? 3 : 1; i <= n; i++) {
            word = words[i]
            gsub(/[(),]/, "", word)
            if (word in at && (words[3] == "phi" || block[at[word]] != block[l] \
                    || before[at[word]] != before[l] || is_computed_again(words))) {
                crosses[word] = 1
            }
        }
    }
}

# @words: a line. Whether clang computes it again behind stops, and it is needed there
function is_computed_again(words)
{
    return words[2] == "=" && words[1] in crosses && words[3] \
        !~ /^(load|call|tail|atomicrmw|cmpxchg|freeze|[us](div|rem)|select)$/
}

# A line that loads @value again
function load_again(value,    text)
{
    text = fixed_load[value]
    return "  %weiri.again." ++n_again substr(text, index(text, " = ")) "\n"
}

# Sets `again` to the lines that are to be run before line @l, or "". Returns: the line
function with_loads(l,    text, out, words, word, known)
{
    again = ""
    text = line[l]
    out = ""
    split(text, words, " ")
    if (text ~ /@llvm\.dbg\.|^ *#dbg_| = phi / || is_computed_again(words)) {
        return text
    }
    while (match(text, /%[^ ,()]+/)) {
        word = substr(text, RSTART, RLENGTH)
        out = out substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        if (word in fixed_load && substr(text, 1, 3) != " = ") {
            if (!(word in known)) {
                again = again load_again(word)
                known[word] = "%weiri.again." n_again
            }
            word = known[word]
        }
        out = out word
    }
    return out text
}

# The same for phis: sets at_end[b] to the lines that are to be run at the end of block
# @b, and changes the phis. Two ways from one block to another bring the same value.
function load_for_phis(    l, text, out, pair, b, value, known)
{
    split("", at_end)
    for (l = 2; l < n_lines; l++) {
        if (line[l] !~ / = phi /) {
            continue
        }
        text = line[l]
        out = ""
        while (match(text, /\[ [^ ]+, %[^ ]+ \]/)) {
            split(substr(text, RSTART, RLENGTH), pair, " ")
            out = out substr(text, 1, RSTART - 1)
            text = substr(text, RSTART + RLENGTH)
            b = pair[3]
            value = bare(pair[2])
            if (value in fixed_load && !((b, value) in known)) {
                at_end[b] = at_end[b] load_again(value)
                known[b, value] = "%weiri.again." n_again ","
            }
            pair[2] = value in fixed_load ? known[b, value] : pair[2]
            out = out "[ " pair[2] " " b " ]"
        }
        line[l] = out text
    }
}

# ---- Coroutines ----------------------------------------------------------------------

# A stop in a block of its own, after which @then is run; or the same in another block
function soft_stop(n, then)
{
    return "  %weiri.soft." n " = call i32 @weiri.split.soft()\n" \
        "  %weiri.left." n " = icmp eq i32 %weiri.soft." n ", 0\n" \
        "  br i1 %weiri.left." n ", label %weiri.on." n ", label %weiri.leave\n" \
        "weiri.on." n ":\n" then
}

# A division, or a choice such as the end of a loop, whose result is kept in the frame.
# clang would compute it again behind each stop, in every iteration of a loop there.
function kept(text, n,    plain, words, n_words, type)
{
    plain = text
    sub(/, ![a-z].*/, "", plain)
    n_words = split(plain, words, " ")
    type = words[n_words - (words[3] == "select" ? 1 : 2)]
    if (type !~ /^(i[0-9]+|float|double|ptr|.*\*)$/) {
        return text # vectors and expressions are several words
    }
    return replaced(text, words[1], "%weiri.kept." n) "\n  " words[1] " = freeze " \
        type " %weiri.kept." n
}

function print_coroutine(    n, l, k, b, words, text, left)
{
    split("", starts) # the number of a stop behind the phis of a block
    split("", ends) # or before its terminator
    split("", begun)
    n_soft = 0
    for (l = 2; l < n_lines; l++) {
        if (first[block[l]] == l && block[l] in cut) {
            starts[block[l]] = ++n_soft
        }
    }
    for (n = 0; n in latch; n++) {
        ends[latch[n]] = ++n_soft
        for (l = 2; l < n_lines; l++) {
            b = block[l]
            for (k = 0; first[b] == l && (n, b) in in_loop && k < n_next[b]; k++) {
                if (!((n, next_of[b, k]) in in_loop) && !(next_of[b, k] in starts)) {
                    starts[next_of[b, k]] = ++n_soft
                }
            }
        }
    }
    find_fixed()
    find_crossing()
    load_for_phis()
    text = line[1]
    sub(/ #[0-9]+/, " " attribute "&", text)
    sub(/ personality .*/, " {", text)
    print text
    for (l = 2; l < n_lines; l++) {
        text = with_loads(l)
        b = block[l]
        split(text, words, " ")
        if (left && text ~ /^  unreachable/) {
            left = 0
            continue
        }
        left = 0
        if (text ~ /call void @weiri_split_leave\(/) {
            print "  br label %weiri.leave"
            left = 1
            continue
        }
        if (text ~ /^  ret void/) {
            print "  br label %weiri.leave"
            continue
        }
        if (words[3] ~ /^([us](div|rem)|select)$/) {
            text = kept(text, ++n_kept)
        }
        text = again text
        if (words[1] ~ /^(br|switch)$/ && b in at_end) {
            text = at_end[b] text
        }
        if (words[3] == "phi") {
            for (k = 0; k < n_before[b]; k++) {
                n = before[b, k] in ends ? ends[before[b, k]] \
                    : before[b, k] in starts ? starts[before[b, k]] : 0
                if (n > 0) {
                    text = replaced(text, ", " before[b, k] " ]", ", %weiri.on." n " ]")
                }
            }
        } else if (b in starts && !(b in begun) && text !~ /^[^ :]+:/ \
            && words[1] != "") {
            begun[b] = 1
            text = soft_stop(starts[b], text)
        }
        if (words[1] == "br" && b in ends) {
            text = soft_stop(ends[b], text)
        }
        if (!stop_type && match(text, /@weiri_split_stop\(/)) {
            split(substr(text, RSTART + RLENGTH), words, ", ")
            group = words[1]
            sub(/ .*/, "", group)
            site = words[2]
            sub(/ .*/, "", site)
            stop_type = 1
        }
        gsub(/@weiri_split_stop\(/, "@weiri.split.stop(", text)
        gsub(/@weiri_split_begin\(/, "@weiri.split.begin(", text)
        print text
    }
    print "weiri.leave:"
    print "  %weiri.end = call i1 @llvm.coro.end(" pointer " null, i1 false" none ")"
    print "  ret void"
    print "}"
}

END {
    if (!any) {
        exit 3
    }
    p = pointer
    print "declare token @llvm.coro.id(i32, " p ", " p ", " p ")"
    print "declare " p " @llvm.coro.begin(token, " p ")"
    print "declare i8 @llvm.coro.suspend(token, i1)"
    print "declare i1 @llvm.coro.end(" p ", i1" (none != "" ? ", token" : "") ")"
    print "declare void @weiri_split_soft()"
    print "define internal void @weiri.split.begin(" p " %frame) alwaysinline {"
    print "  %id = call token @llvm.coro.id(i32 0, " p " null, " p " null, " p " null)"
    print "  %handle = call " p " @llvm.coro.begin(token %id, " p " %frame)"
    print "  ret void"
    print "}"
    print "define internal i32 @weiri.split.stop(" group " %group, " site \
        " %site, i64 %op) alwaysinline {"
    print "  call void @weiri_split_tell(" group " %group, " site " %site, i64 %op)"
    print "  %how = call i8 @llvm.coro.suspend(token none, i1 false)"
    print "  %left = sext i8 %how to i32"
    print "  ret i32 %left"
    print "}"
    print "define internal i32 @weiri.split.soft() alwaysinline {"
    print "  call void @weiri_split_soft()"
    print "  %how = call i8 @llvm.coro.suspend(token none, i1 false)"
    print "  %left = sext i8 %how to i32"
    print "  ret i32 %left"
    print "}"
}
