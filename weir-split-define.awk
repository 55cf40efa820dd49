# SPDX-License-Identifier: MIT
#
# weir-split-define.awk: the second change that weir-split makes to the IR of a file.
#
# Input: what LLVM has made of the coroutine K__split_item(). K__split_item.resume()
# holds all parts of the body, and chooses one by the number in the frame. What an item
# needs after a stop is in the members of K__split_item.Frame.
#
# Output: the same with each part's number given by the caller; with frames that lie
# across each other, as weir-machinery-split.h has them; with what all items of a pass
# share given, too; and with definitions of what K__stackless() calls. Where a part is
# plain, a second form of the function without what only scalar passes need is put into
# a loop whose iterations are declared to be independent.
#
# After weir-split-ir.awk and weir-split-flow.awk, which finds what is known of each
# kernel. -v version=N: of clang

BEGIN {
    # A frame has a type of its own: stores to the kernel's data do not change it.
    tag = ", !tbaa !99001"
    root = "Simple C/C++ TBAA"
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
# Only types with the same root are known to differ.
/^![0-9]+ = !\{!"Simple C\+\+ TBAA"\}/ { root = "Simple C++ TBAA" }
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
        print "  %weiri.size." i " = add i64 0, ptrtoint (" pointer_to(type) \
            " getelementptr (" type ", " pointer_to(type) " null, i32 1) to i64)"
        if (is_simple(type)) {
            print "  %weiri.stride." i " = add i64 %weiri.size." i ", 0"
        } else {
            print "  %weiri.more." i " = add i64 %weiri.size." i ", " alignment - 1
            print "  %weiri.stride." i " = and i64 %weiri.more." i ", -" alignment
        }
        print "  %weiri.offset." i " = add i64 " (before == "" ? "0, 0" \
            : "%weiri.offset." before ", %weiri.stride." before)
        print "  %weiri.bytes." i " = mul i64 %weiri.capacity, %weiri.offset." i
        print "  %weiri.raw." i " = getelementptr i8, " pointer \
            " %weiri.frames, i64 %weiri.bytes." i
        print "  %weiri.base." i " = " (old \
            ? "bitcast i8* %weiri.raw." i " to " type "*" \
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
        print "  " result " = getelementptr inbounds " type ", " pointer_to(type) \
            " %weiri.base." f ", i64 " item
        return
    }
    n_addresses++
    print "  %weiri.distance." n_addresses " = mul i64 " item ", %weiri.stride." f
    print "  " (old ? "%weiri.byte." n_addresses : result) \
        " = getelementptr inbounds i8, " pointer " %weiri.raw." f \
        ", i64 %weiri.distance." n_addresses
    if (old) {
        print "  " result " = bitcast i8* %weiri.byte." n_addresses " to " type "*"
    }
}

function print_alias(result, type, from)
{
    print "  " result " = select i1 true, " type " " from ", " type " " from
}

# @result: the member @f of item 0
function print_base_load(result, f)
{
    print "  " result " = load " frame_type[name, f] ", " \
        pointer_to(frame_type[name, f]) " %weiri.base." f tag
}

# @result: the member @f of the item: in @parts from that of item 0, else by the load
# @own
function print_member(result, f, parts, own,    type, n, i, words, when, from)
{
    type = frame_type[name, f]
    from = "%weiri.uniform." f
    n = ++n_addresses
    sub(/^ *[^ ]+ =/, "  %weiri.own." n " =", own)
    print own
    if (f in varying_field) {
        print "  %weiri.id." n " = " (type == "i64" \
            ? "add i64 %weiri.shared.5, 0" : "trunc i64 %weiri.shared.5 to " type)
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
    return text ", " parameter_type[3] " %weiri.copy.3, " parameter_type[4] \
        " %weiri.copy.4"
}

# As parameters; or as arguments of part @p
function uniforms(p, with_arrays,    f, text, l)
{
    for (l = 2; l < n_lines && with_arrays; l++) {
        if (l in array_at) {
            text = text ", " pointer \
                (p == "" || (p, l) in asks ? " %weiri.array." l : " undef")
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
    return match(b, /^%resume\.[0-9]+\.landing$/) \
        && substr(b, 9, length(b) - 16) in soft
}

# The function of all parts; with @vector, the form for plain ones, which returns the
# place.
function print_parts(vector,    l, text, entered, copied)
{
    print_head(vector)
    split("", copied)
    for (l = 2; l <= n_lines; l++) {
        text = line[l]
        if (vector) {
            sub(/, !llvm\.loop ![0-9]+/, "", text) # of loops, which plain parts lack
        }
        if (!entered && text ~ /^[^ :]+:/) {
            entered = 1
            print text
            print_bases()
            if (vector) {
                print "  %weiri.placed = alloca i32, align 4"
                print "  store i32 0, " pointer_to("i32") " %weiri.placed, align 4"
            }
        } else if (!is_left_out(text, vector) && !print_instead(l, text, vector) \
            && !print_load(l, text, vector, copied)) {
            print_line(l, text, vector, copied)
        }
    }
}

function print_head(vector,    text)
{
    text = line[1]
    sub(/@[A-Za-z0-9_]+__split_item\.resume\(.*\)/, "@" name "__split_item." \
        (vector ? "vector" : "resume") "(" pointer \
        " %weiri.frames, i64 %weiri.capacity" shared() ", i32 %weiri.part" \
        (vector ? uniforms("", 1) : "") ")", text)
    sub(/ #[0-9]+/, " alwaysinline&", text)
    if (vector) {
        sub(/ void @/, " i32 @", text)
        sub(/ !dbg ![0-9]+/, "", text)
    }
    print text
}

# Debuggers would look for variables where they are not.
function is_left_out(text, vector,    words)
{
    split(text, words, " ")
    return words[1] == "store" && bare(words[3]) == frame \
        || text ~ /^ *#dbg_|@llvm\.dbg\.|@weiri_split_soft\(/ \
        || vector && text ~ /call .*@weiri_split_tell\(/
}

# Prints what replaces line @l, unless it is a load of a member. Returns: whether there
# is such a thing
function print_instead(l, text, vector,    words, f, where)
{
    split(text, words, " ")
    where = address_in(text)
    if (words[3] == "bitcast" && words[5] == frame) {
        print "  " words[1] " = bitcast i8* %weiri.frames to i8*"
    } else if (is_frame(text)) {
        f = frame_field(text)
        if (f in parameter_field) {
            print_alias(words[1], pointer, "null")
        } else {
            print_address(words[1], f, "%weiri.shared.5")
        }
    } else if (text ~ /^  %index = load /) {
        print "  %index = trunc i32 %weiri.part to " index_type
    } else if (words[1] == "store" && where ~ /^%index\.addr/) {
        if (vector || !(stop_of[block[l]] in soft)) {
            print "  store i32 " stop_of[block[l]] ", " pointer_to("i32") " " \
                (vector ? "%weiri.placed" : where) ", align 4" (vector ? "" : tag)
        }
    } else if (vector && l in array_at) {
        print_alias(words[1], pointer, "%weiri.array." l)
    } else if (vector && text ~ /^  ret void/) {
        print "  %weiri.result = load i32, " pointer_to("i32") " %weiri.placed, align 4"
        print "  ret i32 %weiri.result"
    } else {
        return 0
    }
    return 1
}

# Prints what replaces line @l, if it loads a parameter, or what all items share. Sets
# copied[value] of those with a copy. Returns: whether it does
function print_load(l, text, vector, copied,    words, f, i)
{
    split(text, words, " ")
    if (words[3] != "load" || !(address_in(text) in address)) {
        return 0
    }
    f = address[address_in(text)]
    if (f in parameter_field) {
        i = parameter_field[f]
        print_alias(words[1], parameter_type[i], "%weiri.shared." i)
        if (i == 3 || i == 4) {
            copied[words[1]] = 1
            print_alias(copy_of(words[1]), parameter_type[i], "%weiri.copy." i)
        }
        return 1
    }
    if (vector && l in once) {
        print_member(words[1], f, once[l], text tag parallel)
        return 1
    }
    return 0
}

# The arguments and the shape do not change while the entry runs, which has copies of
# them: what their members hold is loaded from these, so that it stays in registers. The
# addresses themselves are those that stay when it has returned.
function print_line(l, text, vector, copied,    words, n, i, out, any, where, extra)
{
    n = split(text, words, " ")
    where = address_in(text)
    extra = vector && text ~ /(^  store | = load )/ ? parallel : ""
    # Scalar passes run on.
    if (!vector && words[3] == "phi" && text ~ /\[ -1, %CoroSuspend/ \
        && is_soft_landing(block[l])) {
        sub(/\[ -1,/, "[ 0,", text)
    }
    if (words[3] == "getelementptr" || words[3] == "bitcast") {
        out = "  " copy_of(words[1]) " ="
        for (i = 3; i <= n; i++) {
            if (bare(words[i]) in copied) {
                any = 1
                out = out " " copy_of(bare(words[i])) (words[i] ~ /,$/ ? "," : "")
            } else {
                out = out " " words[i]
            }
        }
        if (any) {
            copied[words[1]] = 1
            print out
        }
    } else if (words[3] == "load" && where in copied) {
        i = index(text, where ", align")
        text = substr(text, 1, i - 1) copy_of(where) substr(text, i + length(where))
    }
    if (where in address && text !~ /!tbaa/ \
        && (words[1] == "store" || words[3] == "load")) {
        text = text tag
    }
    print text extra
}

function print_loop(p,    f, text)
{
    text = "internal i64 @" name "__split_vector." p "(" pointer \
        " %weiri.frames, i64 %weiri.capacity"
    for (f = 2; f <= 4; f++) {
        text = text ", " parameter_type[f] " %weiri.shared." f
    }
    print "define " text ", " parameter_type[3] " %weiri.copy.3, " parameter_type[4] \
        " %weiri.copy.4, i64 %weiri.items) alwaysinline {"
    print "weiri.entry:"
    print_bases()
    for (f = 0; (name, f) in frame_type; f++) {
        if ((p, f) in reads) {
            print_base_load("%weiri.uniform." f, f)
        }
    }
    hoist(p, 1)
    print "  %weiri.n = trunc i64 %weiri.items to i32"
    print "  br label %weiri.loop"
    print "weiri.loop:"
    print "  %weiri.i = phi i32 [ 0, %weiri.entry ], [ %weiri.next, %weiri.loop ]"
    print "  %weiri.any = phi i32 [ 0, %weiri.entry ], [ %weiri.any.next, %weiri.loop ]"
    print "  %weiri.all = phi i32 [ -1, %weiri.entry ], " \
        "[ %weiri.all.next, %weiri.loop ]"
    print "  %weiri.shared.5 = zext i32 %weiri.i to i64"
    f = shared()
    sub(/i64 %weiri.shared.6/, "i64 %weiri.shared.5", f)
    sub(/i64 %weiri.shared.7/, "i64 0", f)
    sub(/i64 %weiri.shared.8/, "i64 0", f)
    print "  %weiri.place = call fastcc i32 @" name "__split_item.vector(" pointer \
        " %weiri.frames, i64 %weiri.capacity" f ", i32 " p uniforms(p, 1) ")"
    print_address("%weiri.address", index_field, "%weiri.shared.5")
    print "  store i32 %weiri.place, " pointer_to("i32") " %weiri.address, align 4" \
        tag parallel
    print "  %weiri.any.next = or i32 %weiri.any, %weiri.place"
    print "  %weiri.all.next = and i32 %weiri.all, %weiri.place"
    print "  %weiri.next = add nuw nsw i32 %weiri.i, 1"
    print "  %weiri.more = icmp ult i32 %weiri.next, %weiri.n"
    print "  br i1 %weiri.more, label %weiri.loop, label %weiri.done, " \
        "!llvm.loop !" 99100 + n_loops++
    print "weiri.done:"
    print "  %weiri.low = zext i32 %weiri.all.next to i64"
    print "  %weiri.wide = zext i32 %weiri.any.next to i64"
    print "  %weiri.high = shl i64 %weiri.wide, 32"
    print "  %weiri.both = or i64 %weiri.high, %weiri.low"
    print "  ret i64 %weiri.both"
    print "}"
}

# What K__stackless() calls.
function print_calls(    p)
{
    print "define internal void @" name "__split_resume(" pointer \
        " %weiri.frames, i64 %weiri.capacity" shared() \
        ", i32 %weiri.part) alwaysinline {"
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
    print "  %weiri.capacity = add i64 0, 0"
    print_alias("%weiri.frames", pointer, "null")
    print_bases()
    print "  ret i64 %weiri.frame.bytes"
    print "}"
    for (p = 1; p < n_parts && p in soft; p++) { }
    print "define internal i32 @" name "__split_waits() {"
    print "  ret i32 " (p < n_parts)
    print "}"
    print_stops(parameter_type[2])
    print_choice()
}

# @group: the type of its address
function print_stops(group,    p)
{
    print "define internal void @" name "__split_stop(" group \
        " %weiri.group, i32 %weiri.place) {"
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
            print "  call void @weiri_split_tell(" group " %weiri.group, " \
                site_at[p] ")"
            print "  ret void"
        }
    }
    print "weiri.returned:"
    print "  call void @weiri_split_tell(" group " %weiri.group, " \
        pointer_to("%struct.weir_site") " null, i64 0)"
    print "  ret void"
    print "}"
    print "define internal i32 @" name \
        "__split_is_soft(i32 %weiri.place) alwaysinline {"
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
}

# Runs the loop of a part, if it has one.
function print_choice(    p, f, text)
{
    text = pointer " %weiri.frames, i64 %weiri.capacity"
    for (f = 2; f <= 4; f++) {
        text = text ", " parameter_type[f] " %weiri.shared." f
    }
    text = text ", " parameter_type[3] " %weiri.copy.3, " parameter_type[4] \
        " %weiri.copy.4, i64 %weiri.items"
    print "define internal i64 @" name "__split_vector(" text \
        ", i32 %weiri.part) alwaysinline {"
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
            print "  %weiri.places." p " = call i64 @" name "__split_vector." \
                p "(" text ")"
            print "  ret i64 %weiri.places." p
        }
    }
    print "weiri.none:"
    print "  ret i64 -1"
    print "}"
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
    print "!98999 = !{!\"" root "\"}"
    print "!99000 = !{!\"weiri frame\", !98999, i64 0}"
    print "!99001 = !{!99000, !99000, i64 0}"
    print "!99002 = distinct !{}"
    print "!99003 = !{!\"llvm.loop.parallel_accesses\", !99002}"
    for (i = 0; i < n_loops; i++) {
        print "!" 99100 + i " = distinct !{!" 99100 + i ", !99003}"
    }
}
