# SPDX-License-Identifier: MIT
#
# weir-split-names.awk: gives what the other changes look for in the IR of a C++ file
# the names that it has in C.
#
# What a kernel's entries are made of, members of weiri::split_entries<F>, is named
# weirN__PART, N by the order in which the kernels are found, and gets the linkage
# that WEIR_KERNEL() gives it. Types whose names are in quotes are numbered. IR of C
# has neither. Where bitcode was linked in, a type may have a number, as it had in
# another module.

# Returns: the name of a member that is in symbol @text, with what the compiler adds to
# the names of forms for several processors; or nothing
function member(text,    from, at, kernel, form)
{
    gsub(/"/, "", text)
    form = match(text, /\..*/) ? substr(text, RSTART) : ""
    from = 0
    while (match(substr(text, from + 1), /E[0-9]+kernel__[a-z_]+E/)) {
        at = from + RSTART
        from = at + RLENGTH - 2
    }
    if (at == "") {
        return ""
    }
    kernel = substr(text, 1, at)
    if (!(kernel in number)) {
        number[kernel] = n_kernels++
    }
    text = substr(text, at, from - at + 1)
    sub(/^E[0-9]+kernel__/, "", text)
    sub(/E$/, "", text)
    return "weir" number[kernel] "__" text form
}

# Sets named to the last part of a member in the line.
function name_members(text,    done, word, name, from, length_)
{
    while (match(text, /"?_ZN5weiri13split_entriesI[A-Za-z0-9_.$]*"?/)) {
        from = RSTART
        length_ = RLENGTH
        word = substr(text, from, length_)
        name = substr(text, from - 1, 1) == "@" ? member(word) : ""
        if (name != "" && named == "") {
            named = name
        }
        done = done substr(text, 1, from - 1) (name == "" ? word : name)
        text = substr(text, from + length_)
    }
    return done text
}

function name_types(text,    done, word)
{
    while (match(text, /%"[^"]*"/)) {
        word = substr(text, RSTART, RLENGTH)
        if (word == "%\"struct.weiri::weir_site\"") {
            type[word] = "%struct.weir_site" # the others are found by their use
        } else if (!(word in type)) {
            type[word] = "%weiri.type." n_types++
        }
        done = done substr(text, 1, RSTART - 1) type[word]
        text = substr(text, RSTART + RLENGTH)
    }
    return done text
}

/^(!|source_filename|\$)/ || / c"/ { print; next }
{
    named = ""
    line = name_types(name_members($0))
    if (named != "" && line ~ /^(define |@)/) {
        inside = named ~ /__split_(resume_any|together)(\.|$)|__stackless$/
        sub(/ (internal|linkonce_odr|weak_odr) /, inside ? " internal " : " ", line)
        sub(/,? comdat(\([^)]*\))?/, "", line)
    }
    gsub(/%struct\.weir_site\.[0-9]+/, "%struct.weir_site", line)
    if (line !~ /^%struct\.weir_site = type / || !sites++) {
        print line
    }
}
