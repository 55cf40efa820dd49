# SPDX-License-Identifier: MIT
#
# OpenCL: what makes kernels of the text of a program, for libweir-opencl.so and for
# tests; and the builtins, which the clang at hand compiles with each program.

openclbuiltinsdir = $(pkgdatadir)/opencl
dist_openclbuiltins_DATA = \
	%D%/arguments.h \
	%D%/builtins.c \
	%D%/builtins-atomic.h \
	%D%/builtins-copy.h \
	%D%/builtins-groups.h \
	%D%/builtins-ids.h \
	%D%/builtins-image.h \
	%D%/builtins-print.h \
	%D%/builtins.def \
	%D%/glue.inc \
	%D%/print.h \
	%D%/texel.h

# Position-independent, for the shared library.
noinst_LIBRARIES += libopencl.a
libopencl_a_SOURCES = \
	%D%/build.c \
	%D%/glue-write.c \
	%D%/glue-write.h \
	%D%/image.c \
	%D%/image.h \
	%D%/ir.c \
	%D%/ir.h \
	%D%/launch.c \
	%D%/make-front.c \
	%D%/make-objects.c \
	%D%/make.c \
	%D%/make.h \
	%D%/mangled.c \
	%D%/mangled.h \
	%D%/module.c \
	%D%/opencl.h \
	%D%/options.c \
	%D%/options.h \
	%D%/print.c \
	%D%/print.h \
	%D%/process.c \
	%D%/process.h \
	%D%/rewrite-builtin.c \
	%D%/rewrite-call.c \
	%D%/rewrite-kernel.c \
	%D%/rewrite-memory.c \
	%D%/rewrite-target.c \
	%D%/rewrite.c \
	%D%/rewrite.h \
	%D%/rewriter.c \
	%D%/rewriter.h \
	%D%/texel.c \
	%D%/texel.h \
	%D%/tools.c \
	%D%/tools.h
libopencl_a_CFLAGS = $(AM_CFLAGS) -fPIC
libopencl_a_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_LIBRARY \
	'-DWEIRI_CL_DATA="$(openclbuiltinsdir)"' '-DWEIRI_CL_INCLUDE="$(includedir)"' \
	'-DWEIRI_CL_SPLIT="$(pkglibexecdir)/weir-split"' \
	'-DWEIRI_CL_HOOK_FLAGS="$(HOOK_FLAGS) $(CLANG_HOOK_FLAGS)"'
