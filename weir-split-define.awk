# SPDX-License-Identifier: MIT
#
# weir-split-define.awk: the second change that weir-split makes to the IR of a file.
#
# Input: what LLVM has made of the coroutine K__split_item(). K__split_item.resume() holds
# all parts of the body, and chooses one by the number in the frame. What an item needs
# after a stop is in the members of K__split_item.Frame.
#
# Output: the same with each part's number given by the caller; with frames that lie across
# each other, as weir-machinery-split.h has them; with what all items of a pass share given,
# too; and with definitions of what K__stackless() calls. Where a part is plain, a second
# form of the function without what only scalar passes need is put into a loop whose
# iterations are declared to be independent.
#
# -v version=N: of clang

BEGIN {
    # A frame has a type of its own: stores to the kernel's data do not change it.
    tag = ", !tbaa !99001"
    parallel = ", !llvm.access.group !99002"
    n_loops = 0
}

# ---- What is read --------------------------------------------------------------------

/^%[A-Za-z0-9_]+__split_item\.Frame = type / {
    print # what debuggers would need names it
    match($0, /^%[A-Za-z0-9_]+__split_item/)
    name = substr($0, 2, RLENGTH - 13)
    sub(/^[^{]*\{ /, "")
    sub(/ \}$/, "")
    split("", types)
    n = split_types($0, types)
    for (i = 0; i < n; i++) {
        frame_type[name, i] = types[i]
    }
    next
}
/^declare .*__split_(bytes|waits|resume|place|stop|is_soft|vector)\(/ { next }
/^@[A-Za-z0-9_]+__split_item\.resumers = / { next }
/^define .*@[A-Za-z0-9_]+__split_item\.(destroy|cleanup)\(/ { skip = 1 }
skip {
    skip = !/^}/
    next
}
# Weak, so that the first run has not changed them.
/^define .*@weiri_split_(tell|array)\(/ {
    if (/@weiri_split_array/) {
        match($0, /\(.*\)/)
        arrays = substr($0, RSTART, RLENGTH)
        gsub(/ %[0-9]+,/, ",", arrays)
        sub(/ %[0-9]+\)$/, ")", arrays)
    }
    sub(/^define weak (dso_local )?/, "define internal ")
    sub(/ #[0-9]+/, " alwaysinline nounwind")
    sub(/ comdat/, "")
}
# What is before the first stop only saves the parameters.
/^define .*@[A-Za-z0-9_]+__split_item\(/ {
    match($0, /@[A-Za-z0-9_]+__split_item\(/)
    name = substr($0, RSTART + 1, RLENGTH - 14)
    split(substr($0, RSTART + RLENGTH), parameters, ", ")
    split("", own)
    for (i = 2; i <= 8; i++) {
        sub(/\) .*/, "", parameters[i])
        n = split(parameters[i], words, " ")
        own[words[n]] = i
        saved_type[name, i] = words[1]
    }
    ramp = 1
    split("", address)
}
ramp {
    if (is_frame($0)) {
        address[$1] = frame_field($0)
    } else if ($1 == "store" && address_in($0) in address && bare($3) in own) {
        saved[name, address[address_in($0)]] = own[bare($3)]
    }
    ramp = !/^}/
    next
}
/^define .*@[A-Za-z0-9_]+__split_item\.resume\(/ {
    resume = 1
    n_lines = 0
}
resume {
    line[++n_lines] = $0
    if (/^}/) {
        resume = 0
        translate()
    }
    next
}
{ print }

function is_frame(text)
{
    return text ~ / = getelementptr .*__split_item\.Frame, /
}

function frame_field(text)
{
    match(text, /i32 0, i32 [0-9]+/)
    return substr(text, RSTART + 11, RLENGTH - 11)
}

# ---- What is known of a kernel -------------------------------------------------------

# Sets: block[l] of each line, first[b], next_of[b, k], stop_of[b], part[number],
# field[address], n_stores[f], escapes[f], and the stops' sites and operations.
function read_blocks(    l, words, n, b, i, text, number, site, op, to)
{
    read_graph()
    split("", stop_of); split("", part); split("", address); split("", n_stores)
    split("", escapes); split("", site_at); split("", used); split("", soft)
    n_parts = 0
    for (l = 2; l < n_lines; l++) {
        text = line[l]
        if (match(text, /^[^ :]+:/)) {
            to = "^  br label " block[l] "(,|$)"
            if (line[l - 1] !~ to && line[l - 2] !~ to) {
                site = ""
            }
        }
        b = block[l]
        n = split(text, words, " ")
        if (is_frame(text)) {
            address[words[1]] = frame_field(text)
            used[frame_field(text)] = 1
            if (words[1] ~ /^%index\.addr/) {
                index_field = frame_field(text)
            }
        }
        if (match(text, /^ +i[0-9]+ [^ ]+, label %resume\./)) {
            part[place_of(bare(words[2]), words[1])] = words[4]
            n_parts++
        } else if (words[1] == "switch" && words[3] ~ /^%index,/) {
            index_type = words[2]
        }
        if (text ~ /call .*@weiri_split_(tell|soft)\(/) {
            site = text
        } else if (words[1] == "store" && address_in(text) ~ /^%index\.addr/) {
            number = place_of(bare(words[3]), words[2])
            stop_of[b] = number
            if (site ~ /@weiri_split_soft\(/) {
                soft[number] = 1
                site_at[number] = "soft"
            } else if (match(site, /(ptr|[^ ]+\*) (noundef |nonnull )*@[^ ,]+, i64 (noundef )?[0-9]+\)/)) {
                to = substr(site, RSTART, RLENGTH - 1)
                if (!(number in site_at)) {
                    site_at[number] = to
                } else if (site_at[number] != to) {
                    site_at[number] = "?"
                }
            } else {
                site_at[number] = "?"
            }
        }
        for (i = 1; i <= n; i++) {
            to = words[i]
            gsub(/[(),]/, "", to)
            if (!(to in address) || i == 1 && words[2] == "=") {
                continue
            }
            if (words[1] == "store" && address_in(text) == to && bare(words[3]) != to) {
                n_stores[address[to]]++
            } else if (words[3] != "load") {
                escapes[address[to]] = 1
            }
        }
    }
}

# A block that does nothing is for coroutines that are destroyed, which these are not.
function is_never_run(b)
{
    return line[first[b]] ~ /^  br label %weiri\.leave(,|$)/
}

# @number: as a constant of @type, which has few bits
function place_of(number, type,    bits)
{
    bits = substr(type, 2) + 0
    number = number == "true" ? 1 : number == "false" ? 0 : number + 0
    return number < 0 ? number + 2 ^ bits : number
}

# Sets in_part[p, b] of the blocks that part @p may run. Returns: whether there is a loop
function walk(p, b,    k, loops)
{
    state[b] = 1
    in_part[p, b] = 1
    if (!(b in stop_of)) {
        for (k = 0; k < n_next[b]; k++) {
            if (is_never_run(next_of[b, k])) {
                continue
            }
            if (!(next_of[b, k] in state)) {
                loops += walk(p, next_of[b, k])
            } else if (state[next_of[b, k]] == 1) {
                loops++
            }
        }
    }
    state[b] = 2
    return loops
}

# Where two items go from the start of part @p to the block @q, with which the part stops,
# finds the blocks that they may pass, and where they meet again after a branch: the
# post-dominators. Sets to_stop[p, q, b], the blocks' numbers order[n], in post-order from
# @q back, and meets_at[p, q, b].
function find_ways(p, q,    n, i, k, b, other, new, changed)
{
    n_order = 0
    split("", order)
    split("", number)
    go_back(p, q, q)
    meets_at[p, q, q] = q
    do {
        changed = 0
        for (i = n_order - 2; i >= 0; i--) {
            b = order[i]
            new = ""
            for (k = 0; k < n_next[b]; k++) {
                other = next_of[b, k]
                if ((p, q, other) in meets_at) {
                    new = new == "" ? other : common(p, q, new, other)
                }
            }
            if (meets_at[p, q, b] != new) {
                meets_at[p, q, b] = new
                changed = 1
            }
        }
    } while (changed)
}

function go_back(p, q, b,    k)
{
    to_stop[p, q, b] = 1
    number[b] = -1
    for (k = 0; k < n_before[b]; k++) {
        if ((p, before[b, k]) in in_part && !(before[b, k] in stop_of) \
            && !(before[b, k] in number)) {
            go_back(p, q, before[b, k])
        }
    }
    number[b] = n_order
    order[n_order++] = b
}

function common(p, q, one, other)
{
    while (one != other) {
        if (number[one] < number[other]) {
            one = meets_at[p, q, one]
        } else {
            other = meets_at[p, q, other]
        }
    }
    return one
}

# Sets apart[b] of the blocks that not all items of a part may run, or not equally often,
# because of the branch at the end of block @v, and joins[b] where they meet again. Items
# that stop elsewhere do not count.
function part_ways(v,    way, where, k, n)
{
    for (way in to_stop) {
        split(way, where, SUBSEP)
        if (where[3] != v) {
            continue
        }
        n = 0
        for (k = 0; k < n_next[v]; k++) {
            n += (where[1], where[2], next_of[v, k]) in to_stop
        }
        if (n > 1) {
            joins[meets_at[way]] = 1
            split("", state)
            for (k = 0; k < n_next[v]; k++) {
                go_apart(where[1], where[2], next_of[v, k], meets_at[way])
            }
        }
    }
}

function go_apart(p, q, b, until,    k)
{
    if (b == until || b in state || !((p, q, b) in to_stop)) {
        return
    }
    state[b] = 1
    apart[b] = 1
    for (k = 0; k < n_next[b]; k++) {
        go_apart(p, q, next_of[b, k], until)
    }
}

# Returns: whether the analysis has not come to this value: what it is does not count in a
# phi, and what is computed from it waits
function is_ahead(word)
{
    gsub(/[(),]/, "", word)
    return word in defined && !(word in known)
}

function waits_for_more(text, words, n,    i)
{
    if (words[3] == "load" && address_in(text) in address) {
        i = address[address_in(text)]
        return !(i in parameter_field) && !(i in varying_field) && i in n_stores && !(i in stored)
    }
    for (i = 3; i <= n && words[3] != "phi"; i++) {
        if (is_ahead(words[i])) {
            return 1
        }
    }
    return 0
}

# Returns: the stride of the phi of line @l
function stride_of_phi(l,    text, pair, c, found)
{
    text = line[l]
    if (block[l] in apart || block[l] in joins || text ~ /\(/ && has_varying(text)) {
        return "?"
    }
    found = ""
    while (match(text, /\[ [^ ]+, %[^ ]+ \]/)) {
        split(substr(text, RSTART, RLENGTH), pair, " ")
        text = substr(text, RSTART + RLENGTH)
        if (pair[3] in is_run && !(pair[3] in stop_of) && !is_ahead(pair[2])) {
            c = stride_of(pair[2])
            if (c == "?" || found != "" && c != found) {
                return "?"
            }
            found = c
        }
    }
    return found == "" ? 0 : found
}

function is_parameter(f, i)
{
    return f in parameter_field && parameter_field[f] == i
}

# Sets varying[value], stride[value] and varying_field[f] of what may differ between items
# that have made the same stops; and constant[value] of addresses in the arguments and the
# shape. The value of varying_field[f] is the stride, or "?".
function find_varying(    changed, l, text, words, n, c, f, p, b, way)
{
    split("", varying); split("", varying_field); split("", constant); split("", stride)
    split("", is_id); split("", to_stop); split("", meets_at); split("", apart)
    split("", joins); split("", is_run); split("", parted); split("", before)
    split("", n_before); split("", known); split("", stored)
    for (b in first) {
        for (p = 0; p < n_next[b]; p++) {
            before[next_of[b, p], n_before[next_of[b, p]]++] = b
        }
    }
    for (way in in_part) {
        split(way, words, SUBSEP)
        is_run[words[2]] = 1
        if (words[2] in stop_of) {
            find_ways(words[1], words[2])
        }
    }
    for (f in used) {
        if (is_parameter(f, 5) || is_parameter(f, 6)) {
            varying_field[f] = 1
        } else if (f in escapes || n_stores[f] > 1) {
            varying_field[f] = "?"
        }
    }
    do {
        changed = 0
        for (l = 2; l < n_lines; l++) {
            text = line[l]
            n = split(text, words, " ")
            if (words[1] == "store" && address_in(text) in address && !is_ahead(words[3])) {
                f = address[address_in(text)]
                changed += !(f in stored)
                stored[f] = 1
            }
            if (words[1] == "store" && address_in(text) in address \
                && (block[l] in apart || has_varying(text))) {
                f = address[address_in(text)]
                c = stride_of(words[3])
                if (block[l] in apart || words[2] !~ /^i[0-9]+$/ || f in varying_field && c != varying_field[f]) {
                    c = "?"
                }
                changed += !(f in varying_field) || varying_field[f] != c
                varying_field[f] = c
            }
            if ((words[1] == "br" && words[2] == "i1" || words[1] == "switch") && bare(words[3]) in varying) {
                if (!(block[l] in parted)) {
                    parted[block[l]] = 1
                    part_ways(block[l])
                    changed++
                }
            }
            if (words[2] != "=" || words[1] in varying && !(words[1] in stride) \
                || !is_frame(text) && waits_for_more(text, words, n)) {
                continue
            }
            changed += !(words[1] in known)
            known[words[1]] = 1
            if (is_frame(text)) {
                continue
            }
            if (words[3] == "load") {
                f = address_in(text)
                if (f in address) {
                    c = address[f] in varying_field ? varying_field[address[f]] : 0
                    if (is_parameter(address[f], 5) || is_parameter(address[f], 6)) {
                        is_id[words[1]] = 1
                    }
                    if (is_parameter(address[f], 3) || is_parameter(address[f], 4)) {
                        constant[words[1]] = 1
                    }
                } else {
                    c = f in constant && !(f in varying) ? 0 : "?"
                }
            } else if (words[3] == "phi") {
                c = stride_of_phi(l)
            } else if (words[3] == "getelementptr" || words[3] == "bitcast") {
                c = has_varying(text) ? "?" : 0
                for (p = 4; p <= n; p++) {
                    if (bare(words[p]) in constant) {
                        constant[words[1]] = 1
                    }
                }
            } else if (text ~ /(^| )call / && text !~ /@weiri_split_array\(/ && !is_plain_line(text)) {
                c = "?"
            } else if (words[3] == "atomicrmw" || words[3] == "cmpxchg" || words[3] == "alloca") {
                c = "?"
            } else {
                c = has_varying(text) ? stride_of_result(text) : 0
            }
            changed += set_stride(words[1], c)
        }
        if (!changed) {
            changed = give_up_on_rest()
        }
    } while (changed)
}

# What no line has come to depends on itself alone, or on what is never stored.
function give_up_on_rest(    word, n)
{
    for (word in defined) {
        if (!(word in known)) {
            known[word] = varying[word] = 1
            n++
        }
    }
    return n > 0
}

# Sets plain[p]; and uniform[f] of the fields that such parts read once for all items.
function find_plain(    p, l, f, ok)
{
    split("", plain); split("", uniform); split("", reads); split("", once)
    split("", asks); split("", array_at); split("", straight)
    any_plain = 0
    for (p = 0; p < n_parts; p++) {
        ok = !has_loop[p]
        find_straight(p)
        for (l = 2; ok && l < n_lines; l++) {
            if ((p, block[l]) in in_part) {
                ok = is_plain_line(line[l]) \
                    && !(block[l] in stop_of && site_at[stop_of[block[l]]] == "?") \
                    && !(is_array(line[l]) && !((p, block[l]) in straight))
            }
        }
        if (ok && hoist(p, 0)) {
            plain[p] = 1
            any_plain = 1
            for (l = 2; l < n_lines; l++) {
                if ((p, block[l]) in in_part && is_array(line[l])) {
                    asks[p, l] = 1
                    array_at[l] = 1
                }
            }
        }
    }
    for (l = 2; l < n_lines; l++) {
        for (p = 0; p < n_parts; p++) {
            if (p in plain && (p, block[l]) in in_part && line[l] ~ / = load / \
                && is_uniform_load(p, l)) {
                f = address[address_in(line[l])]
                once[l] = once[l] " " p
                uniform[f] = 1
                reads[p, f] = 1
            }
        }
    }
}

function is_array(text)
{
    return text ~ /@weiri_split_array\(/
}

# Sets straight[p, b] of the blocks that each item runs in part @p before any branch
function find_straight(p,    b, k, n, to)
{
    b = part[p]
    do {
        straight[p, b] = 1
        n = 0
        for (k = 0; k < n_next[b]; k++) {
            if (!is_never_run(next_of[b, k])) {
                n++
                to = next_of[b, k]
            }
        }
        if (b in stop_of) {
            n = 0
        }
        b = to
    } while (n == 1 && !((p, b) in straight))
}

# Asks for the arrays of part @p, before its loop: with what is needed for that. @writes:
# or only finds out whether it can. Returns: whether it can
function hoist(p, writes,    l, last, text, words, n, i, ok, f, word, out, known)
{
    for (l = 2; l < n_lines; l++) {
        if ((p, block[l]) in in_part && is_array(line[l])) {
            last = l
        }
    }
    split("", known)
    for (l = 2; l <= last; l++) {
        text = line[l]
        n = split(text, words, " ")
        if (!((p, block[l]) in straight) || words[2] != "=" || is_frame(text) || words[1] in varying \
            || words[3] == "phi" || text ~ /(^| )call / && !is_array(text)) {
            continue
        }
        f = words[3] == "load" && address_in(text) in address ? address[address_in(text)] : ""
        if (f != "" && f in parameter_field) {
            known[words[1]] = 1
            i = parameter_field[f]
            if (writes) {
                print_alias(before_loop(words[1]), parameter_type[i], \
                    i > 4 ? "0" : (i < 3 ? "%weiri.shared." : "%weiri.copy.") i)
            }
            continue
        }
        if (f != "") {
            if (is_uniform_load(p, l)) {
                known[words[1]] = 1
                if (writes) {
                    print "  " before_loop(words[1]) " = load " frame_type[name, f] ", " \
                        pointer_to(frame_type[name, f]) " %weiri.base." f tag
                }
            }
            continue
        }
        ok = 1
        out = " "
        for (i = 1; i <= n; i++) {
            word = words[i]
            if (match(word, /%[^ ,()]+/) && substr(word, RSTART, RLENGTH) in defined) {
                ok = ok && (i == 1 || substr(word, RSTART, RLENGTH) in known)
                word = substr(word, 1, RSTART - 1) before_loop(substr(word, RSTART, RLENGTH)) \
                    substr(word, RSTART + RLENGTH)
            }
            out = out " " word
        }
        if (ok) {
            known[words[1]] = 1
            if (writes) {
                sub(/ = tail call /, " = call ", out)
                sub(/@weiri_split_array\(/, "@weiri_split_arrays(", out)
                print out
                if (is_array(text)) {
                    print_alias("%weiri.array." l, pointer, before_loop(words[1]))
                    needs_arrays = 1
                }
            }
        } else if (is_array(text)) {
            return 0
        }
    }
    return 1
}

function before_loop(word)
{
    return "%weiri.before." substr(word, 2)
}

# Returns: whether the member of the frame that line @l loads has the same value, or a
# stride, in all items since before part @p
function is_uniform_load(p, l,    f, m)
{
    f = address_in(line[l])
    if (!(f in address)) {
        return 0
    }
    f = address[f]
    if (f in varying_field && (varying_field[f] == "?" || frame_type[name, f] !~ /^i(8|16|32|64)$/) \
        || f in parameter_field || f == index_field \
        || frame_type[name, f] !~ /^(i[0-9]+|ptr|.*\*|float|double)$/) {
        return 0
    }
    for (m = 2; m < n_lines; m++) {
        if (line[m] ~ /^  store / && (address_in(line[m]) in address) \
            && address[address_in(line[m])] == f && (p, block[m]) in in_part \
            && comes_before(m, l)) {
            return 0
        }
    }
    return 1
}

# Returns: whether line @m can be run before line @l in one part
function comes_before(m, l)
{
    if (block[m] == block[l] && m < l) {
        return 1
    }
    split("", state)
    walk("reached", block[m])
    return block[m] != block[l] && block[l] in state
}

# ---- What is written -----------------------------------------------------------------

function type_of(f)
{
    return f == index_field ? "i32" : frame_type[name, f]
}

# The frame's words: their offsets and strides in an item, and where they begin.
function print_bases(f, before, type, i)
{
    before = ""
    for (i = 0; (name, i) in frame_type; i++) {
        if (!(i in used) || i in parameter_field) {
            continue
        }
        type = type_of(i)
        print "  %weiri.size." i " = add i64 0, ptrtoint (" pointer_to(type) " getelementptr (" \
            type ", " pointer_to(type) " null, i32 1) to i64)"
        if (is_simple(type)) {
            print "  %weiri.stride." i " = add i64 %weiri.size." i ", 0"
        } else {
            print "  %weiri.more." i " = add i64 %weiri.size." i ", " alignment - 1
            print "  %weiri.stride." i " = and i64 %weiri.more." i ", -" alignment
        }
        print "  %weiri.offset." i " = add i64 " (before == "" ? "0, 0" \
            : "%weiri.offset." before ", %weiri.stride." before)
        print "  %weiri.bytes." i " = mul i64 %weiri.capacity, %weiri.offset." i
        print "  %weiri.raw." i " = getelementptr i8, " pointer " %weiri.frames, i64 %weiri.bytes." i
        print "  %weiri.base." i " = " (old ? "bitcast i8* %weiri.raw." i " to " type "*" \
            : "getelementptr i8, ptr %weiri.raw." i ", i64 0")
        before = i
    }
    print "  %weiri.frame.bytes = add i64 " (before == "" ? "0, 0" \
        : "%weiri.offset." before ", %weiri.stride." before)
}

# Others may be aligned more than their type says.
function is_simple(type)
{
    return type !~ /^[\[{<%]/ || type ~ /\*$/
}

function print_address(result, f, item,    type)
{
    type = type_of(f)
    if (is_simple(type)) {
        print "  " result " = getelementptr inbounds " type ", " pointer_to(type) " %weiri.base." f \
            ", i64 " item
        return
    }
    n_addresses++
    print "  %weiri.distance." n_addresses " = mul i64 " item ", %weiri.stride." f
    print "  " (old ? "%weiri.byte." n_addresses : result) " = getelementptr inbounds i8, " pointer \
        " %weiri.raw." f ", i64 %weiri.distance." n_addresses
    if (old) {
        print "  " result " = bitcast i8* %weiri.byte." n_addresses " to " type "*"
    }
}

function print_alias(result, type, from)
{
    print "  " result " = select i1 true, " type " " from ", " type " " from
}

# @result: the member @f of the item: in @parts from that of item 0, else by @own, the load
function print_member(result, f, parts, own,    type, n, i, words, when, from)
{
    type = frame_type[name, f]
    from = "%weiri.uniform." f
    n = ++n_addresses
    sub(/^ *[^ ]+ =/, "  %weiri.own." n " =", own)
    print own
    if (f in varying_field) {
        print "  %weiri.id." n " = " (type == "i64" ? "add i64 %weiri.shared.5, 0" \
            : "trunc i64 %weiri.shared.5 to " type)
        print "  %weiri.apart." n " = mul " type " %weiri.id." n ", " varying_field[f]
        print "  %weiri.far." n " = add " type " " from ", %weiri.apart." n
        from = "%weiri.far." n
    }
    when = "false"
    for (i = split(parts, words, " "); i > 0; i--) {
        print "  %weiri.is." n "." i " = icmp eq i32 %weiri.part, " words[i]
        print "  %weiri.or." n "." i " = or i1 " when ", %weiri.is." n "." i
        when = "%weiri.or." n "." i
    }
    print "  " result " = select i1 " when ", " type " " from ", " type " %weiri.own." n
}

function shared(    i, text)
{
    for (i = 2; i <= 8; i++) {
        text = text ", " parameter_type[i] " %weiri.shared." i
    }
    return text ", " parameter_type[3] " %weiri.copy.3, " parameter_type[4] " %weiri.copy.4"
}

# As parameters; or as arguments of part @p
function uniforms(p, with_arrays,    f, text, l)
{
    for (l = 2; l < n_lines && with_arrays; l++) {
        if (l in array_at) {
            text = text ", " pointer (p == "" || (p, l) in asks ? " %weiri.array." l : " undef")
        }
    }
    for (f = 0; (name, f) in frame_type; f++) {
        if (f in uniform) {
            text = text ", " frame_type[name, f] \
                (p == "" || (p, f) in reads ? " %weiri.uniform." f : " undef")
        }
    }
    return text
}

function copy_of(word)
{
    return "%weiri.copy.of." substr(word, 2)
}

# @b: resume.N.landing of a soft stop N
function is_soft_landing(b)
{
    return match(b, /^%resume\.[0-9]+\.landing$/) && substr(b, 9, length(b) - 16) in soft
}

# The function of all parts; with @vector, the form for plain ones, which returns the place.
function print_parts(vector,    l, text, words, n, i, f, number, where, entered, copied, out, extra)
{
    text = line[1]
    sub(/@[A-Za-z0-9_]+__split_item\.resume\(.*\)/, "@" name "__split_item." \
        (vector ? "vector" : "resume") "(" pointer " %weiri.frames, i64 %weiri.capacity" shared() \
        ", i32 %weiri.part" (vector ? uniforms("", 1) : "") ")", text)
    sub(/ #[0-9]+/, " alwaysinline&", text)
    if (vector) {
        sub(/ void @/, " i32 @", text)
        sub(/ !dbg ![0-9]+/, "", text)
    }
    print text
    split("", copied)
    for (l = 2; l <= n_lines; l++) {
        text = line[l]
        n = split(text, words, " ")
        where = address_in(text)
        extra = vector && text ~ /(^  store | = load )/ ? parallel : ""
        if (vector) {
            sub(/, !llvm\.loop ![0-9]+/, "", text) # of loops that plain parts do not have
        }
        if (!entered && text ~ /^[^ :]+:/) {
            entered = 1
            print text
            print_bases()
            if (vector) {
                print "  %weiri.placed = alloca i32, align 4"
                print "  store i32 0, " pointer_to("i32") " %weiri.placed, align 4"
            }
            continue
        }
        # Debuggers would look for variables where they are not.
        if (words[1] == "store" && bare(words[3]) == frame || text ~ /^ *#dbg_|@llvm\.dbg\./) {
            continue
        }
        if (words[3] == "bitcast" && words[5] == frame) {
            print "  " words[1] " = bitcast i8* %weiri.frames to i8*"
            continue
        }
        if (is_frame(text)) {
            f = frame_field(text)
            if (f in parameter_field) {
                print_alias(words[1], pointer, "null")
            } else {
                print_address(words[1], f, "%weiri.shared.5")
            }
            continue
        }
        if (text ~ /^  %index = load /) {
            print "  %index = trunc i32 %weiri.part to " index_type
            continue
        }
        if (text ~ /@weiri_split_soft\(/) {
            continue
        }
        # Scalar passes run on.
        if (!vector && words[3] == "phi" && text ~ /\[ -1, %CoroSuspend/ && is_soft_landing(block[l])) {
            sub(/\[ -1,/, "[ 0,", text)
        }
        if (words[1] == "store" && where ~ /^%index\.addr/) {
            if (!vector && stop_of[block[l]] in soft) {
                continue
            }
            print "  store i32 " stop_of[block[l]] ", " pointer_to("i32") " " \
                (vector ? "%weiri.placed" : where) ", align 4" (vector ? "" : tag)
            continue
        }
        if (vector && text ~ /call .*@weiri_split_tell\(/) {
            continue
        }
        if (vector && l in array_at) {
            print_alias(words[1], pointer, "%weiri.array." l)
            continue
        }
        if (vector && text ~ /^  ret void/) {
            print "  %weiri.result = load i32, " pointer_to("i32") " %weiri.placed, align 4"
            print "  ret i32 %weiri.result"
            continue
        }
        if (words[3] == "load" && where in address) {
            f = address[where]
            if (f in parameter_field) {
                i = parameter_field[f]
                print_alias(words[1], parameter_type[i], "%weiri.shared." i)
                if (i == 3 || i == 4) {
                    copied[words[1]] = 1
                    print_alias(copy_of(words[1]), parameter_type[i], "%weiri.copy." i)
                }
                continue
            }
            if (vector && l in once) {
                print_member(words[1], f, once[l], text tag extra)
                continue
            }
        }
        # The arguments and the shape do not change while the entry runs, which has copies
        # of them: what their members hold is loaded from these, so that it stays in
        # registers. The addresses themselves are those that stay when it has returned.
        if (words[3] == "getelementptr" || words[3] == "bitcast") {
            out = "  " copy_of(words[1]) " ="
            number = 0
            for (i = 3; i <= n; i++) {
                if (bare(words[i]) in copied) {
                    number = 1
                    out = out " " copy_of(bare(words[i])) (words[i] ~ /,$/ ? "," : "")
                } else {
                    out = out " " words[i]
                }
            }
            if (number) {
                copied[words[1]] = 1
                print out
            }
        } else if (words[3] == "load" && where in copied) {
            i = index(text, where ", align")
            text = substr(text, 1, i - 1) copy_of(where) substr(text, i + length(where))
        }
        if (where in address && text !~ /!tbaa/ && (words[1] == "store" || words[3] == "load")) {
            text = text tag
        }
        print text extra
    }
}

function print_loop(p,    f, text)
{
    text = "internal i64 @" name "__split_vector." p "(" pointer " %weiri.frames, i64 %weiri.capacity"
    for (f = 2; f <= 4; f++) {
        text = text ", " parameter_type[f] " %weiri.shared." f
    }
    print "define " text ", " parameter_type[3] " %weiri.copy.3, " parameter_type[4] \
        " %weiri.copy.4, i64 %weiri.items) alwaysinline {"
    print "weiri.entry:"
    print_bases()
    for (f = 0; (name, f) in frame_type; f++) {
        if ((p, f) in reads) {
            print "  %weiri.uniform." f " = load " frame_type[name, f] ", " \
                pointer_to(frame_type[name, f]) " %weiri.base." f tag
        }
    }
    hoist(p, 1)
    print "  %weiri.n = trunc i64 %weiri.items to i32"
    print "  br label %weiri.loop"
    print "weiri.loop:"
    print "  %weiri.i = phi i32 [ 0, %weiri.entry ], [ %weiri.next, %weiri.loop ]"
    print "  %weiri.any = phi i32 [ 0, %weiri.entry ], [ %weiri.any.next, %weiri.loop ]"
    print "  %weiri.all = phi i32 [ -1, %weiri.entry ], [ %weiri.all.next, %weiri.loop ]"
    print "  %weiri.shared.5 = zext i32 %weiri.i to i64"
    f = shared()
    sub(/i64 %weiri.shared.6/, "i64 %weiri.shared.5", f)
    sub(/i64 %weiri.shared.7/, "i64 0", f)
    sub(/i64 %weiri.shared.8/, "i64 0", f)
    print "  %weiri.place = call fastcc i32 @" name "__split_item.vector(" pointer \
        " %weiri.frames, i64 %weiri.capacity" f ", i32 " p uniforms(p, 1) ")"
    print_address("%weiri.address", index_field, "%weiri.shared.5")
    print "  store i32 %weiri.place, " pointer_to("i32") " %weiri.address, align 4" tag parallel
    print "  %weiri.any.next = or i32 %weiri.any, %weiri.place"
    print "  %weiri.all.next = and i32 %weiri.all, %weiri.place"
    print "  %weiri.next = add nuw nsw i32 %weiri.i, 1"
    print "  %weiri.more = icmp ult i32 %weiri.next, %weiri.n"
    print "  br i1 %weiri.more, label %weiri.loop, label %weiri.done, !llvm.loop !" 99100 + n_loops++
    print "weiri.done:"
    print "  %weiri.low = zext i32 %weiri.all.next to i64"
    print "  %weiri.wide = zext i32 %weiri.any.next to i64"
    print "  %weiri.high = shl i64 %weiri.wide, 32"
    print "  %weiri.both = or i64 %weiri.high, %weiri.low"
    print "  ret i64 %weiri.both"
    print "}"
}

# What K__stackless() calls.
function print_calls(    p, f, text, group)
{
    group = parameter_type[2]
    print "define internal void @" name "__split_resume(" pointer \
        " %weiri.frames, i64 %weiri.capacity" shared() ", i32 %weiri.part) alwaysinline {"
    print "  call fastcc void @" name "__split_item.resume(" pointer \
        " %weiri.frames, i64 %weiri.capacity" shared() ", i32 %weiri.part)"
    print "  ret void"
    print "}"
    print "define internal i32 @" name "__split_place(" pointer \
        " %weiri.frames, i64 %weiri.capacity, i64 %weiri.item) alwaysinline {"
    print_bases()
    print_address("%weiri.address", index_field, "%weiri.item")
    print "  %weiri.place = load i32, " pointer_to("i32") " %weiri.address, align 4" tag
    print "  ret i32 %weiri.place"
    print "}"
    print "define internal i64 @" name "__split_bytes() alwaysinline {"
    text = "  %weiri.capacity = add i64 0, 0\n  %weiri.frames = select i1 true, " pointer " null, " \
        pointer " null"
    print text
    print_bases()
    print "  ret i64 %weiri.frame.bytes"
    print "}"
    for (p = 1; p < n_parts && p in soft; p++) { }
    print "define internal i32 @" name "__split_waits() {"
    print "  ret i32 " (p < n_parts)
    print "}"
    print "define internal void @" name "__split_stop(" group " %weiri.group, i32 %weiri.place) {"
    print "  switch i32 %weiri.place, label %weiri.returned ["
    for (p = 1; p < n_parts; p++) {
        if (site_at[p] ~ / /) {
            print "    i32 " p ", label %weiri.stop." p
        }
    }
    print "  ]"
    for (p = 1; p < n_parts; p++) {
        if (site_at[p] ~ / /) {
            print "weiri.stop." p ":"
            print "  call void @weiri_split_tell(" group " %weiri.group, " site_at[p] ")"
            print "  ret void"
        }
    }
    print "weiri.returned:"
    print "  call void @weiri_split_tell(" group " %weiri.group, " site_type() " null, i64 0)"
    print "  ret void"
    print "}"
    print "define internal i32 @" name "__split_is_soft(i32 %weiri.place) alwaysinline {"
    print "  switch i32 %weiri.place, label %weiri.no ["
    for (p = 1; p < n_parts; p++) {
        if (p in soft) {
            print "    i32 " p ", label %weiri.yes"
        }
    }
    print "  ]"
    print "weiri.yes:"
    print "  ret i32 1"
    print "weiri.no:"
    print "  ret i32 0"
    print "}"
    text = pointer " %weiri.frames, i64 %weiri.capacity"
    for (f = 2; f <= 4; f++) {
        text = text ", " parameter_type[f] " %weiri.shared." f
    }
    text = text ", " parameter_type[3] " %weiri.copy.3, " parameter_type[4] \
        " %weiri.copy.4, i64 %weiri.items"
    print "define internal i64 @" name "__split_vector(" text ", i32 %weiri.part) alwaysinline {"
    print "  switch i32 %weiri.part, label %weiri.none ["
    for (p = 0; p < n_parts; p++) {
        if (p in plain) {
            print "    i32 " p ", label %weiri.part." p
        }
    }
    print "  ]"
    for (p = 0; p < n_parts; p++) {
        if (p in plain) {
            print "weiri.part." p ":"
            print "  %weiri.places." p " = call i64 @" name "__split_vector." p "(" text ")"
            print "  ret i64 %weiri.places." p
        }
    }
    print "weiri.none:"
    print "  ret i64 -1"
    print "}"
}

function site_type(    p)
{
    for (p in site_at) {
        if (site_at[p] ~ /^(ptr|[^ ]+\*) /) {
            return substr(site_at[p], 1, index(site_at[p], " ") - 1)
        }
    }
    return pointer
}

function translate(    p)
{
    match(line[1], /@[A-Za-z0-9_]+__split_item\.resume\(/)
    name = substr(line[1], RSTART + 1, RLENGTH - 21)
    match(line[1], /align [0-9]+/)
    alignment = substr(line[1], RSTART + 6, RLENGTH - 6)
    match(line[1], /%[^ ,)]+\)/)
    frame = substr(line[1], RSTART, RLENGTH - 1)
    split("", parameter_field)
    for (p = 0; (name, p) in frame_type; p++) {
        if ((name, p) in saved) {
            parameter_field[p] = saved[name, p]
        }
    }
    for (p = 2; p <= 8; p++) {
        parameter_type[p] = saved_type[name, p]
    }
    read_blocks()
    split("", in_part)
    split("", has_loop)
    for (p = 0; p < n_parts; p++) {
        split("", state)
        has_loop[p] = walk(p, part[p])
    }
    find_varying()
    find_plain()
    print_parts(0)
    if (any_plain) {
        print_parts(1)
        for (p = 0; p < n_parts; p++) {
            if (p in plain) {
                print_loop(p)
            }
        }
    }
    print_calls()
}

END {
    if (needs_arrays) {
        print "declare " pointer " @weiri_split_arrays" arrays
    }
    print "!98999 = !{!\"Simple C/C++ TBAA\"}"
    print "!99000 = !{!\"weiri frame\", !98999, i64 0}"
    print "!99001 = !{!99000, !99000, i64 0}"
    print "!99002 = distinct !{}"
    print "!99003 = !{!\"llvm.loop.parallel_accesses\", !99002}"
    for (i = 0; i < n_loops; i++) {
        print "!" 99100 + i " = distinct !{!" 99100 + i ", !99003}"
    }
}
