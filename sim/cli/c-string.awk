# SPDX-License-Identifier: MIT
#
# c-string.awk: a text file in, a C file with a constant of its text out. The variables
# are `header`, which declares the constant, and `name`.

BEGIN {
    print "/* Made from a text by c-string.awk. */"
    print "#include \"config.h\"\n"
    printf "#include \"%s\"\n\n", header
    printf "const char %s[] =", name
}

{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    printf "\n    \"%s\\n\"", $0
}

END {
    print ";"
}
