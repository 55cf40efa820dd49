# SPDX-License-Identifier: MIT
#
# profiles.awk: device profiles in, a C array of their names and texts out. A
# file's name without folder and ending is the profile's name.

function end_profile() {
    if (name != "") {
        print "    },"
    }
}

BEGIN {
    print "/* Made from the device profiles by profiles.awk. */"
    print "#include \"config.h\"\n"
    print "#include \"exec/device.h\"\n"
    print "const struct weiri_profile_source weiri_profile_sources[] = {"
}

FNR == 1 {
    end_profile()
    name = FILENAME
    sub(/^.*\//, "", name)
    sub(/\.profile$/, "", name)
    printf "    {\n        \"%s\",\n", name
}

{
    if (index($0, "\\")) {
        print FILENAME ":" FNR ": a profile has no use for a backslash" > "/dev/stderr"
        failed = 1
        exit 1
    }
    gsub(/"/, "\\\"")
    printf "        \"%s\\n\"\n", $0
}

END {
    if (failed) {
        exit 1
    }
    end_profile()
    print "    { NULL, NULL },"
    print "};"
}
