#!/bin/sh
# SPDX-License-Identifier: MIT
#
# doctor.sh: weir doctor uses each feature: what the machine lacks, or has and does not
# work, is reported with its remedy and the status; what is there is ok.
. "${top_srcdir:-.}/tests/cli/lib.sh"

# A folder with all programs but those that a case takes away. ccache would look for the
# compiler among these links.
farm=$scratch/farm
mkdir "$farm" "$scratch/taken"
echo "$PATH" | tr ':' '\n' | grep -v ccache | while read -r folder; do
    test ! -d "$folder" || ln -s "$folder"/* "$farm" 2>/dev/null
done
PATH=$farm
export PATH
take()
{
    for name in "$@"; do
        mv "$farm/$name" "$scratch/taken" 2>/dev/null
    done
}
give_back()
{
    mv "$scratch/taken"/* "$farm"
}

build=$(cd "$(dirname "$WEIR")" && pwd)
CC=gcc
command -v gcc >/dev/null || CC=cc
export CC
unset WEIR_INCLUDE_DIR WEIR_LIB_DIR WEIR_CLANG PKG_CONFIG_PATH

# The output names a feature with its state, and then each pattern.
finds()
{
    feature=$1
    state=$2
    shift 2
    says "^$state +$feature( \*)? "
    says "$@"
}

# ---- A build tree: it is found, unless a variable says otherwise -------------------

weir_clean doctor weir-cc
finds weir-cc ok "headers in .*/sim," "library in $build"
WEIR_INCLUDE_DIR=$scratch weir doctor weir-cc
ends_with 2
finds weir-cc missing 'has no weir-kernel\.h' 'remedy: export WEIR_INCLUDE_DIR='
remedy=$(sed -n 's/^ *remedy: export //p' "$out")
case $remedy in
*[!A-Za-z0-9_./=\ -]* | '') echo "SKIP: the build is in a folder with odd characters"; exit 77 ;;
esac
# shellcheck disable=SC2163,SC2086
export $remedy
weir_clean doctor weir-cc
finds weir-cc ok "headers in $WEIR_INCLUDE_DIR" "library in $build"
says_nothing_of 'remedy'

# ---- Everything necessary, and some tools that are not there -----------------------

take gdb patch mpirun pkg-config clang
weir_ends 0 doctor --json
json "it['works'] is True and all(f['state'] == 'ok' and f['remedy'] is None
    for f in it['features'] if f['necessary'] or f['name'] in ('gcc', 'fat', 'fixes'))
    and len([f for f in it['features'] if f['necessary']]) == 5
    and all(f['needed_for'] and f['found'] and (f['remedy'] or f['state'] == 'ok')
        for f in it['features'])
    and all((f['state'], f['remedy'], f['necessary'])
        == ('missing', 'apt-get install ' + f['name'], False)
        for f in it['features'] if f['name'] in ('gdb', 'patch', 'pkg-config', 'clang'))"
weir_ends 2 doctor patch
finds patch missing 'patch is not in PATH' 'for: the diffs of --patch' \
    'remedy: apt-get install patch$' 'Not everything named works; 1 of 1 is'
give_back
if command -v pkg-config >/dev/null; then
    # The tree has a weir.pc: it names where Weir will be installed.
    mkdir -p "$scratch/pc/include" "$scratch/pc/lib"
    sed "s|^prefix=.*|prefix=$scratch/pc|; s|^\(includedir\)=.*|\1=$scratch/pc/include|; s|^\(libdir\)=.*|\1=$scratch/pc/lib|" \
        "$build/weir.pc" >"$scratch/pc/weir.pc"
    step='weir doctor pkg-config, of a weir.pc that is not installed'
    (
        PKG_CONFIG_PATH=$scratch/pc
        export PKG_CONFIG_PATH
        weir_ends 2 doctor pkg-config
        finds pkg-config missing "'$scratch/pc/include', which has no weir-kernel.h" 'remedy: make install'
        # Files of these names are not enough.
        : >"$scratch/pc/include/weir-kernel.h"
        : >"$scratch/pc/lib/libweir.a"
        weir_ends 2 doctor pkg-config
        finds pkg-config missing
        PKG_CONFIG_PATH=$build
        weir_clean doctor pkg-config
        finds pkg-config ok 'compiled, ran, and found a race'
        test $failures -eq 0
    ) || failures=$((failures + 1))
fi
if command -v patch >/dev/null; then
    weir_clean doctor patch
    finds patch ok 'it applied a diff'
fi

# ---- Tools that are there and do not work ------------------------------------------

# Adds a program to the folder.
fake()
{
    cat >"$scratch/fake"
    chmod +x "$scratch/fake"
    take "$1"
    mv "$scratch/fake" "$farm/$1"
}
fake patch <<'END'
#!/bin/sh
exit 0
END
weir_ends 2 doctor patch
finds patch missing 'it failed'
fake gdb <<'END'
#!/bin/sh
echo 'Python scripting is not supported in this copy of GDB.' >&2
END
weir_ends 2 doctor gdb
finds gdb missing 'scripts of Python' 'not gdb-minimal'
rm "$farm/gdb" "$farm/patch"
give_back
if command -v gdb >/dev/null; then
    weir doctor gdb
    says_nothing_of 'Python'
    says '^(ok|limited) +gdb +it ran a program|^missing +gdb +it cannot run a program'
fi

# A compiler without hooks: programs run, and races are not seen.
{
    echo '#!/bin/sh'
    echo 'for word in "$@"; do shift; case $word in -fsanitize*) ;; *) set -- "$@" "$word" ;; esac; done'
    echo "exec $CC \"\$@\""
} >"$farm/no-hooks"
chmod +x "$farm/no-hooks"
CC=no-hooks weir doctor compiler
ends_with 2
finds compiler missing 'remedy: use another compiler'

# Compilers that lack a header.
for case in 'glib.h libglib2.0-dev' 'stdio.h libc6-dev'; do
    printf '#!/bin/sh\necho "x.h:1:1: fatal error: %s: No such file or directory" >&2\nexit 1\n' \
        "${case% *}" >"$farm/no-header"
    chmod +x "$farm/no-header"
    CC=no-header weir doctor compiler
    ends_with 2
    finds compiler missing "fatal error: ${case% *}" "remedy: apt-get install ${case#* }"
done
CC=none-such weir doctor compiler symbols
ends_with 2
finds compiler missing 'remedy: apt-get install gcc libc6-dev'
finds symbols missing
WEIR_CLANG=none-such weir doctor stackless
ends_with 2
finds stackless missing 'remedy: apt-get install clang'

# Kernels in OpenCL C want clang, its own libLLVM, and libclc.
if clang=$("$build/weir-split" --version | sed 's/ .*//') && test -n "$clang"; then
    cat >"$scratch/bare-clang" <<END
#!/bin/sh
case \$1 in
-print-resource-dir) echo /none/lib/clang/99 ;;
*) exec $clang "\$@" ;;
esac
END
    chmod +x "$scratch/bare-clang"
    WEIR_CLANG=$scratch/bare-clang weir_ends 2 doctor opencl
    finds opencl missing 'no libLLVM of version 99' 'remedy: apt-get install libllvm99$'
    WEIR_CLANG=none-such weir_ends 2 doctor opencl
    finds opencl missing "no compiler 'none-such'" 'remedy: apt-get install clang libclc-14$'
    WEIR_LIBCLC=/none weir_ends 2 doctor opencl
    finds opencl missing 'no libclc \(/none\)' 'remedy: apt-get install libclc-14$'
    weir doctor opencl
    says_nothing_of 'libLLVM' 'libclc' 'no compiler'
fi

take objcopy
weir_ends 2 doctor fat
finds fat missing 'objcopy' 'remedy: apt-get install binutils'
give_back
weir_clean doctor fat
finds fat ok

# ---- Limits ------------------------------------------------------------------------

# A sanitizer's own memory does not fit into the limit.
if test -z "${SANITIZE_FLAGS-}"; then
    step='weir doctor kernels stacks under a limit'
    status=0
    # shellcheck disable=SC3045
    (ulimit -v 1000000 && "$WEIR" doctor kernels stacks) >"$out" 2>"$err" || status=$?
    is_clean
    finds kernels ok
    finds stacks limited 'cannot reserve' 'remedy: ulimit -v unlimited \(the limit is 976 MiB\)'
fi
weir_clean doctor stacks processors temporary
finds stacks ok '16384 items waited'
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp weir doctor temporary opencl
test -z "$(ls "$scratch/tmp")" || bad "it leaves $(ls "$scratch/tmp")"
TMPDIR=$scratch/absent weir doctor temporary
complains 'TMPDIR' "$scratch/absent"
weir doctor kernels nothing
complains "'nothing'" 'stackless'
finish
