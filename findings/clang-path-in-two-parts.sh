#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Guess: the name of a file in clang's debug information is the path that was given: an
# absolute path stays absolute, and a relative one belongs to the folder of the compilation.
#
# So it is: the compilation's own entry has it whole, but the entry that functions refer to
# does not, if the path shares leading folders with the current folder. The file's name is
# what is left, and looks like a relative path; the folder beside it is the shared part,
# which is neither the file's folder nor the current one. A reader that joins the name to
# the folder of the compilation, or prints the name, is wrong; the same command in a folder
# that shares nothing but / keeps the path whole, with an empty folder.
#
# Seen with clang 14.0.6-12 of Debian 12: DIFile(filename: "beside/one.c", directory: the
# folder above) for a function of a file in a sibling folder, and the whole path otherwise.
# Source: CGDebugInfo::createFile() of clang.
set -eu
folder=$(mktemp -d)
other=$(mktemp -d -p /var/tmp)
trap 'rm -rf "$folder" "$other"' EXIT
cd "$folder"
apt-get download clang-14=1:14.0.6-12 libclang-cpp14=1:14.0.6-12 libllvm14=1:14.0.6-12 \
    libz3-4 libedit2 libbsd0 libmd0 libxml2 libicu72 >/dev/null 2>&1
for package in *.deb; do
    dpkg -x "$package" root
done
clang=$folder/root/usr/lib/llvm-14/bin/clang
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-14/lib"
mkdir here beside
echo 'int one(void) { return 1; }' >beside/one.c
name_from()
{
    (cd "$1" && "$clang" -g -S -emit-llvm "$folder/beside/one.c" -o -) \
        | sed -n 's/.*DIFile(filename: "\([^"]*\)", directory: "\([^"]*\)".*/\1 in \2/p' | tail -n 1
}
near=$(name_from here)
far=$(name_from "$other")
echo "from a sibling folder: $near"
echo "from elsewhere:        $far"
test "$near" = "beside/one.c in $folder" || { echo "the path is not cut now"; exit 1; }
test "$far" = "$folder/beside/one.c in " || { echo "the path is cut elsewhere, too"; exit 1; }
