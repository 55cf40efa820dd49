# SPDX-License-Identifier: MIT
#
# hooks.awk: reads what `nm` says of the objects that implement the compiler's hooks, and
# prints the names of the hooks in libweir-opencl.so. There "__tsan_read4" is
# weiri_hook_tsan_read4, and "memcpy" of a kernel is weiri_hook_memcpy.
#
#     nm libhooks.a | awk -f hooks.awk -v form=link       a script for the linker
#     nm libhooks.a | awk -f hooks.awk -v form=objcopy    what objcopy --redefine-syms
#                                                         does with kernels' objects

($2 != "T" && $2 != "W") || $3 ~ /^weiri_/ { next }

{
    name = $3
    called = name
    sub(/^__wrap_/, "", called)
    hook = called
    sub(/^_*/, "", hook)
    # _exit and _Exit are two functions besides exit.
    hook = "weiri_hook_" (called ~ /^_[a-zA-Z]/ ? "_" : "") hook
    if (form == "link")
        print "EXTERN(" name ")\n" hook " = " name ";"
    else
        print called " " hook
}
