#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Guess: a variable of fixed size (alloca) in the first block of a function has its place
# in the frame of whatever the function is inlined in, wherever in that block it stands.
#
# So it is: only if no call before it is inlined first. A callee with branches splits the
# block, and the variable is in a later one then, where LLVM counts it as one of variable
# size. The next inliner does not move it to the caller's start, but saves the stack
# pointer before the body and puts it back after; and the pair stays when later passes
# have removed the variable. Whoever writes IR by hand gets slower code by it, and code of
# coroutines must not put back the stack of another call. A variable before all calls is
# moved. Clang's front end puts them there.
#
# Seen with llvm-14 1:14.0.6-12 of Debian 12. Source: InlineFunction() in
# llvm/lib/Transforms/Utils/InlineFunction.cpp, and AllocaInst::isStaticAlloca().
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download llvm-14=1:14.0.6-12 libllvm14=1:14.0.6-12 libz3-4 libedit2 libbsd0 \
    libmd0 libxml2 libicu72 libtinfo6 libffi8 >/dev/null 2>&1
for package in *.deb; do
    dpkg -x "$package" root
done
LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH

# body FIRST SECOND: a function with two instructions in this order
body()
{
    cat <<END
declare void @look(i32*)
declare void @far()
define i1 @ask(i64 %n) alwaysinline {
  %large = icmp ugt i64 %n, 8
  br i1 %large, label %yes, label %no
yes:
  call void @far()
  ret i1 true
no:
  ret i1 false
}
define void @body(i64 %n) alwaysinline {
  $1
  $2
  %first = zext i1 %answer to i32
  store i32 %first, i32* %variable
  call void @look(i32* %variable)
  ret void
}
define void @caller(i64 %n) {
  call void @body(i64 %n)
  ret void
}
END
}

# seen NAME: how often @caller saves the stack pointer once all is inlined, and the block
# that its variable is in
seen()
{
    root/usr/lib/llvm-14/bin/opt -S -passes=always-inline "$1.ll" | awk '
        /^define void @caller/ { inside = 1; block = "first" }
        inside && /^[a-z].*:/ { block = "later" }
        inside && /call .*stacksave/ { saves++ }
        inside && / = alloca / { where = block }
        /^}/ { inside = 0 }
        END { print saves + 0, where }'
}

variable='%variable = alloca i32'
call='%answer = call i1 @ask(i64 %n)'
body "$variable" "$call" >before.ll
body "$call" "$variable" >after.ll
before=$(seen before)
after=$(seen after)
echo "variable before the call: saves of the stack pointer and block: $before"
echo "variable after the call: saves of the stack pointer and block: $after"
test "$before" = '0 first' && test "$after" = '1 later'
