# SPDX-License-Identifier: MIT

# The compiler of kernels in OpenCL C, from bitcode. It opens libLLVM when it runs.
noinst_LIBRARIES += libopencl-cc.a
libopencl_cc_a_SOURCES = \
	%D%/accesses.c \
	%D%/back.c \
	%D%/back.h \
	%D%/builtins.c \
	%D%/calls.c \
	%D%/clc.h \
	%D%/convert.c \
	%D%/debug.c \
	%D%/describe.c \
	%D%/entries.c \
	%D%/fetch.c \
	%D%/integers.c \
	%D%/kernels.c \
	%D%/kernels.h \
	%D%/parts.c \
	%D%/private.c \
	%D%/reals.c \
	%D%/template.c \
	%D%/template.h \
	%D%/types.c \
	sim/opencl/compile/mangled.c \
	sim/opencl/compile/mangled.h
libopencl_cc_a_AR = $(library_ar)

pkglibexec_PROGRAMS += weir-opencl-cc
weir_opencl_cc_SOURCES = %D%/weir-opencl-cc.c
weir_opencl_cc_CPPFLAGS = $(AM_CPPFLAGS) '-DWEIRI_CL_HOOK_OPTIONS="$(CLANG_HOOK_FLAGS)"'
weir_opencl_cc_LDADD = libopencl-cc.a libsplit.a $(GLIB_LIBS) $(DL_LIBS)
