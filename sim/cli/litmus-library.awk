# SPDX-License-Identifier: MIT
#
# litmus-library.awk: litmus tests in, a C array of them out, in the order of the files.
# A file's name without folder and ending is what the test is called by. What it teaches
# is its text between quotes, which herd's format has below the name, or else its first
# comment; what models answer is a comment of its own:
#
#     (* expect: sc Never, rc11 Sometimes *)

function end_test() {
    if (name == "") {
        return
    }
    if (summary == "") {
        print name ": it does not say what it teaches" > "/dev/stderr"
        failed = 1
        exit 1
    }
    printf "        ,\n        \"%s\",\n        \"%s\",\n    },\n", summary, expect
}

function quoted(text) {
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    return text
}

# What is left of a line without what is around the text.
function inner(before, after) {
    text = $0
    sub(before, "", text)
    sub(after, "", text)
    return quoted(text)
}

BEGIN {
    print "/* Made from litmus tests by litmus-library.awk. */"
    print "#include \"config.h\"\n"
    print "#include \"cli/litmus.h\"\n"
    print "const struct weiri_cli_litmus_test weiri_cli_litmus_tests[] = {"
}

FNR == 1 {
    end_test()
    name = FILENAME
    sub(/^.*\//, "", name)
    sub(/\.litmus$/, "", name)
    summary = expect = ""
    printf "    {\n        \"%s\",\n", name
}

summary == "" && /^".*"$/ { summary = inner("^\"", "\"$") }
expect == "" && /^\(\* expect: .* \*\)$/ {
    expect = inner("^\\(\\* expect: ", " \\*\\)$")
}
summary == "" && !/^\(\* expect: / && /^\(\* .* \*\)$/ {
    summary = inner("^\\(\\* ", " \\*\\)$")
}

{
    printf "        \"%s\\n\"\n", quoted($0)
}

END {
    if (failed) {
        exit 1
    }
    end_test()
    if (failed) {
        exit 1
    }
    print "    { NULL, NULL, NULL, NULL },"
    print "};"
}
