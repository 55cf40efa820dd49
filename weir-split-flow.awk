# SPDX-License-Identifier: MIT
#
# weir-split-flow.awk: what weir-split-define.awk needs to know of
# K__split_item.resume(). It finds the parts, the blocks of each, and the stops at which
# they end; the values that may differ between items which have made the same stops, by
# data flow from the items' ids and from branches that part them; and from these the
# plain parts, and what such a part reads once for all items.
#
# The function is in line[], as weir-split-ir.awk has it. weir-split-define.awk has set
# parameter_field[f], the parameter that member f of the frame saves, if it saves one.
#
# After weir-split-ir.awk, before weir-split-define.awk. -v version=N: of clang

# ---- What is known of a kernel -------------------------------------------------------

# Sets: block[l] of each line, first[b], next_of[b, k], stop_of[b], part[number],
# address[value], is_stored[f], escapes[f], and the stops' sites and operations.
function read_blocks(    l, words, n, b, i, text, site, to)
{
    read_graph()
    split("", stop_of); split("", part); split("", address); split("", is_stored)
    split("", escapes); split("", site_at); split("", used); split("", soft)
    split("", on_stack)
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
        if (words[3] == "alloca") {
            on_stack[words[1]] = 1
        }
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
            stop_of[b] = place_of(bare(words[3]), words[2])
            set_site(stop_of[b], site)
        }
        for (i = 1; i <= n; i++) {
            to = words[i]
            gsub(/[(),]/, "", to)
            if (!(to in address) || i == 1 && words[2] == "=") {
                continue
            }
            if (words[1] == "store" && words[2] !~ /^(volatile|atomic)$/ \
                && address_in(text) == to && bare(words[3]) != to) {
                is_stored[address[to]] = 1
            } else if (words[3] != "load") {
                escapes[address[to]] = 1
            }
        }
    }
}

# @site: the call that tells where the items stop that stop with @number
function set_site(number, site,    to, text)
{
    if (site ~ /@weiri_split_soft\(/) {
        soft[number] = 1
        site_at[number] = "soft"
        return
    }
    to = "?"
    # An object of C, or a place that C++ has packed into a pointer: both are constants.
    text = "(@[^ ,]+|inttoptr \\([^%]+ to [^ ]+\\))"
    if (match(site, "(ptr|[^ ]+\\*) (noundef |nonnull )*" text \
            ", i64 (noundef )?[0-9]+\\)")) {
        to = substr(site, RSTART, RLENGTH - 1)
    }
    if (number in site_at && site_at[number] != to) {
        to = "?"
    }
    site_at[number] = to
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

# Sets in_part[p, b] of the blocks that part @p may run. Returns: whether there is a
# loop
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

# Where two items go from the start of part @p to the block @q, with which the part
# stops, finds the blocks that they may pass, and where they meet again after a branch:
# the post-dominators. Sets to_stop[p, q, b], the blocks' numbers order[n], in
# post-order from @q back, and meets_at[p, q, b].
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

# Sets apart[b] of the blocks that not all items of a part may run, or not equally
# often, because of the branch at the end of block @v, and joins[b] where they meet
# again. Items that stop elsewhere do not count.
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

# Returns: whether the analysis has not come to this value: what it is does not count in
# a phi, and what is computed from it waits
function is_ahead(word)
{
    gsub(/[(),]/, "", word)
    return word in defined && !(word in known)
}

function waits_for_more(text, words, n,    i)
{
    if (words[3] == "load" && address_in(text) in address) {
        i = address[address_in(text)]
        return !(i in parameter_field) && !(i in varying_field) \
            && i in is_stored && !(i in stored)
    }
    for (i = 3; i <= n && words[3] != "phi"; i++) {
        if (is_ahead(words[i])) {
            return 1
        }
    }
    return 0
}

# Returns: the stride of the phi of line @l. What comes to one in joins[] are phis in
# apart[], of blocks that LLVM makes for each way to it; this does not rely on that.
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

# Returns: the stride of the @value that is loaded from @where. Sets is_id[] and
# constant[].
function stride_of_load(value, where,    f)
{
    if (!(where in address)) {
        return where in constant && !(where in varying) ? 0 : "?"
    }
    f = address[where]
    if (is_parameter(f, 5) || is_parameter(f, 6)) {
        is_id[value] = 1
    }
    if (is_parameter(f, 3) || is_parameter(f, 4)) {
        constant[value] = 1
    }
    return f in varying_field ? varying_field[f] : 0
}

function is_parameter(f, i)
{
    return f in parameter_field && parameter_field[f] == i
}

# Sets varying[value], stride[value] and varying_field[f] of what may differ between
# items that have made the same stops; and constant[value] of addresses in the arguments
# and the shape. The value of varying_field[f] is the stride, or "?".
#
# A member holds one value of the body, and is stored where that is computed. If items
# compute it at different times, some phi that it depends on is where they part or meet.
# What is stored otherwise is a variable that the compiler keeps in memory: it escapes.
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
        } else if (f in escapes) {
            varying_field[f] = "?"
        }
    }
    do {
        changed = 0
        for (l = 2; l < n_lines; l++) {
            text = line[l]
            n = split(text, words, " ")
            if (words[1] == "store" && address_in(text) in address \
                && !is_ahead(words[3])) {
                f = address[address_in(text)]
                changed += !(f in stored)
                stored[f] = 1
            }
            if (words[1] == "store" && address_in(text) in address \
                && has_varying(text)) {
                f = address[address_in(text)]
                c = stride_of(words[3])
                if (words[2] !~ /^i[0-9]+$/ \
                    || f in varying_field && c != varying_field[f]) {
                    c = "?"
                }
                changed += !(f in varying_field) || varying_field[f] != c
                varying_field[f] = c
            }
            if ((words[1] == "br" && words[2] == "i1" || words[1] == "switch") \
                && bare(words[3]) in varying && !(block[l] in parted)) {
                parted[block[l]] = 1
                part_ways(block[l])
                changed++
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
                c = stride_of_load(words[1], address_in(text))
            } else if (words[3] == "phi") {
                c = stride_of_phi(l)
            } else if (words[3] == "getelementptr" || words[3] == "bitcast") {
                c = has_varying(text) ? "?" : 0
                for (p = 4; p <= n; p++) {
                    if (bare(words[p]) in constant) {
                        constant[words[1]] = 1
                    }
                }
            } else if (text ~ /(^| )call / && !is_array(text) && !is_plain_line(text)) {
                c = "?"
            } else if (words[3] ~ /^(atomicrmw|cmpxchg|alloca)$/) {
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
                ok = is_plain_line(line[l]) && !uses_stack(line[l]) \
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

# A private array that is indexed by a variable lies on the stack, where the items of
# one loop would share it.
function uses_stack(text,    words, n, i)
{
    for (i = split(text, words, " "); i > 0; i--) {
        gsub(/[(),]/, "", words[i])
        if (words[i] in on_stack) {
            return text !~ /@llvm\.(lifetime|dbg)|^ *#dbg_/
        }
    }
    return 0
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

# Asks for the arrays of part @p, before its loop: with what is needed for that.
# @writes: or only finds out whether it can. Returns: whether it can
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
        if (!((p, block[l]) in straight) || words[2] != "=" || is_frame(text) \
            || words[1] in varying || words[3] == "phi" \
            || text ~ /(^| )call / && !is_array(text)) {
            continue
        }
        f = words[3] == "load" && address_in(text) in address \
            ? address[address_in(text)] : ""
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
                    print_base_load(before_loop(words[1]), f)
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
                word = substr(word, 1, RSTART - 1) \
                    before_loop(substr(word, RSTART, RLENGTH)) \
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
    if (f in varying_field \
        && (varying_field[f] == "?" || frame_type[name, f] !~ /^i(8|16|32|64)$/) \
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
