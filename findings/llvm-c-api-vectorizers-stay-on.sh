#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Guess: a client of LLVM's C API that wants no vectors yet calls
# LLVMPassBuilderOptionsSetLoopVectorization(options, 0), and then LLVMRunPasses() with
# "default<O3>".
#
# So it is: the loop below becomes a vector loop whether the option is 0 or 1. The other
# options, such as that for interleaving, count. Where a pipeline is named by such an
# alias, its parser sets both options for vectors from the level, after the caller did.
# clang's -fno-vectorize works, since clang builds the pipeline without that parser; so
# does the option -vectorize-loops=false, for all pipelines of a process at once. Without
# a target machine there are no vectors, since none are known to be cheap.
#
# Seen with libllvm14 1:14.0.6-12 of Debian 12. Source: PassBuilder::parseModulePass() in
# llvm/lib/Passes/PassBuilder.cpp, and the header llvm-c/Transforms/PassBuilder.h.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download libllvm14=1:14.0.6-12 libz3-4 libedit2 libbsd0 libmd0 libxml2 libicu72 \
    libtinfo6 libffi8 >/dev/null 2>&1
for package in *.deb; do
    dpkg -x "$package" root
done
LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-14/lib
LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$folder/root/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH
cat >loop.ll <<'END'
target triple = "x86_64-pc-linux-gnu"
define void @triple(i32* noalias %to, i32* noalias %from, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %source = getelementptr inbounds i32, i32* %from, i64 %i
  %value = load i32, i32* %source
  %three = mul i32 %value, 3
  %target = getelementptr inbounds i32, i32* %to, i64 %i
  store i32 %three, i32* %target
  %next = add nuw nsw i64 %i, 1
  %ends = icmp eq i64 %next, %n
  br i1 %ends, label %end, label %loop
end:
  ret void
}
END
cat >passes.py <<'END'
import ctypes
import sys

llvm = ctypes.CDLL("libLLVM-14.so.1")
pointer = ctypes.c_void_p
for name in ("ContextCreate", "CreatePassBuilderOptions", "CreateTargetMachine",
             "RunPasses", "PrintModuleToString"):
    getattr(llvm, "LLVM" + name).restype = pointer


def vectors(vectorizes, with_machine):
    context, buffer, module, target, message = (pointer() for _ in range(5))
    context.value = llvm.LLVMContextCreate()
    llvm.LLVMCreateMemoryBufferWithContentsOfFile(
        b"loop.ll", ctypes.byref(buffer), ctypes.byref(message))
    llvm.LLVMParseIRInContext(context, buffer, ctypes.byref(module), ctypes.byref(message))
    machine = pointer()
    if with_machine:
        triple = b"x86_64-pc-linux-gnu"
        llvm.LLVMGetTargetFromTriple(triple, ctypes.byref(target), ctypes.byref(message))
        machine.value = llvm.LLVMCreateTargetMachine(target, triple, b"", b"", 3, 0, 0)
    options = pointer(llvm.LLVMCreatePassBuilderOptions())
    llvm.LLVMPassBuilderOptionsSetLoopVectorization(options, vectorizes)
    if llvm.LLVMRunPasses(module, b"default<O3>", machine, options):
        sys.exit("the passes failed")
    text = ctypes.string_at(llvm.LLVMPrintModuleToString(module)).decode()
    return "vectors" if "<4 x i32>" in text else "no vectors"


llvm.LLVMInitializeX86TargetInfo()
llvm.LLVMInitializeX86Target()
llvm.LLVMInitializeX86TargetMC()
print("on:", vectors(1, True))
print("off:", vectors(0, True))
print("off, no machine:", vectors(0, False))
END
/usr/bin/python3 passes.py | tee seen
printf 'on: vectors\noff: vectors\noff, no machine: no vectors\n' | cmp -s - seen
