#!/bin/sh
# SPDX-License-Identifier: MIT
#
# debian.sh: the Debian packages hold what `make install` installs, each file once, and
# have this version. Judged without building them: from debian/ and a staged installation.
. "${top_srcdir:-.}/tests/arch/lib.sh"

debian=$(cd "$top_srcdir" && pwd)/debian
version=$(sed -n 's/^AC_INIT(\[weir\], \[\(.*\)\])$/\1/p' "$top_srcdir/configure.ac")
if test "$(sed -n '1s/^weir (\([^)]*\)).*/\1/p' "$debian/changelog")" = "$version"; then
    good "changelog: version $version"
else
    bad "debian/changelog is not of version $version, which configure.ac has"
fi

# A package named in one file is described in the other.
described=$(sed -n 's/^Package: //p' "$debian/control" | LC_ALL=C sort)
filled=$(cd "$debian" && ls -- *.install | sed 's/\.install$//' | LC_ALL=C sort)
if test "$described" = "$filled"; then
    good "each package has a list of files"
else
    bad "debian/control describes" $described "but there are lists of" $filled
fi

# What a clone has of debian/, the tarball has.
if test -e "$top_srcdir/.git" && command -v git >/dev/null 2>&1; then
    (cd "$top_srcdir" && git ls-files -co --exclude-standard debian) | LC_ALL=C sort >"$scratch/there"
    grep -o 'debian/[a-zA-Z./-]*' "$top_srcdir/Makefile.am" | LC_ALL=C sort -u >"$scratch/named"
    missing=$(LC_ALL=C comm -23 "$scratch/there" "$scratch/named")
    test -z "$missing" && good "each file is in the tarball" || bad "not in EXTRA_DIST:" $missing
    # Sources and pages are named by the last part of their path.
    cat "$top_srcdir"/Makefile.am "$top_srcdir"/*/local.mk "$top_srcdir"/sim/*/*.mk "$top_srcdir"/sim/*/*/*.mk \
        | grep -o '[A-Za-z0-9_.-]*\.\(c\|h\|def\|md\)' | LC_ALL=C sort -u >"$scratch/named"
    missing=$(cd "$top_srcdir" && git ls-files -co --exclude-standard sim docs \
        | grep '\.\(c\|h\|def\|md\)$' | sed 's|.*/||' | LC_ALL=C sort -u \
        | LC_ALL=C comm -23 - "$scratch/named")
    test -z "$missing" && good "each source is in the tarball" || bad "in no Makefile:" $missing
fi

for file in "$debian"/tests/*; do
    case $file in
    */control) ;;
    *) grep -q "^Tests:.* ${file##*/}\( \|\$\)" "$debian/tests/control" \
        || bad "debian/tests/control does not name ${file##*/}" ;;
    esac
done

# As debhelper configures it, with the folder of libraries that has two names.
root=$scratch/root
libdir=/usr/lib/machine
(cd "$top_builddir" && unset MAKEFLAGS MFLAGS MAKELEVEL && ${MAKE:-make} install \
    DESTDIR="$root" prefix=/usr libdir=$libdir sysconfdir=/etc mandir=/usr/share/man \
    zsh_completiondir=/usr/share/zsh/vendor-completions) >"$scratch/log" 2>&1 || {
    tail -n 5 "$scratch/log"
    bad "make install DESTDIR=..."
}
cd "$root" || exit 99

# files_of LIST: what its patterns match, folders with all that is in them.
files_of()
{
    while read -r pattern; do
        # shellcheck disable=SC2086
        found=$(find $pattern ! -type d 2>/dev/null)
        test -n "$found" || echo "${1##*/}: $pattern: no such file is installed" >>"$scratch/wrong"
        printf '%s\n' "$found"
    done <"$1"
}

find . ! -type d | sed 's|^\./||' | LC_ALL=C sort >"$scratch/installed"
test "$(wc -l <"$scratch/installed")" -gt 60 || bad "hardly anything is installed"
: >"$scratch/wrong"
for list in "$debian"/*.install "$debian/not-installed"; do
    # Where configure found no headers of OpenCL there is no platform.
    case $list in
    *-icd.install) test -d "usr/lib/machine/weir" || continue ;;
    esac
    files_of "$list" | LC_ALL=C sort >"$scratch/${list##*/}"
done
LC_ALL=C sort "$scratch"/*.install >"$scratch/packaged"
uniq -d "$scratch/packaged" | sed 's/$/: in two packages/' >>"$scratch/wrong"
LC_ALL=C sort -u "$scratch/packaged" "$scratch/not-installed" \
    | LC_ALL=C comm -23 "$scratch/installed" - \
    | sed 's/$/: in no package, and not in debian\/not-installed/' >>"$scratch/wrong"
if test -s "$scratch/wrong"; then
    cat "$scratch/wrong"
    bad "the packages do not hold what is installed"
else
    good "each of $(wc -l <"$scratch/installed") installed files is in one package"
fi
finish
