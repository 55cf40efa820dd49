# SPDX-License-Identifier: MIT
#
# litmus-library.awk: litmus tests in, a C array of them out, in the order of the files.
# A file's name without folder and ending is what the test is called by. Below the first
# line it says what it teaches, what it belongs to, what each model answers, and under
# which models it has a race, a line each:
#
#     "A relaxed flag publishes nothing"
#     Family=Message passing
#     (* expect: sc Never, rc11 Sometimes *)
#     (* race: rc11 *)

function need(what, said) {
    if (said == "") {
        print name ": it does not say " what > "/dev/stderr"
        failed = 1
        exit 1
    }
}

function end_test() {
    if (name == "") {
        return
    }
    need("what it teaches, \"...\"", summary)
    need("what it belongs to, Family=...", family)
    need("what models answer, (* expect: ... *)", expect)
    need("where it has a race, (* race: ... *)", race)
    printf "        ,\n        \"%s\",\n        \"%s\",\n        \"%s\",\n        \"%s\",\n    },\n",
        family, summary, expect, race
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
    print "#include \"cli/litmus-tests.h\"\n"
    print "const struct weiri_cli_litmus_test weiri_cli_litmus_tests[] = {"
}

FNR == 1 {
    end_test()
    name = FILENAME
    sub(/^.*\//, "", name)
    sub(/\.litmus$/, "", name)
    family = summary = expect = race = ""
    printf "    {\n        \"%s\",\n", name
}

summary == "" && /^".*"$/ { summary = inner("^\"", "\"$") }
family == "" && /^Family=/ { family = inner("^Family=", "$") }
expect == "" && /^\(\* expect: .* \*\)$/ {
    expect = inner("^\\(\\* expect: ", " \\*\\)$")
}
race == "" && /^\(\* race: .* \*\)$/ { race = inner("^\\(\\* race: ", " \\*\\)$") }

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
    print "    { NULL, NULL, NULL, NULL, NULL, NULL },"
    print "};"
}
