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
	%D%/print.h \
	%D%/texel.h

# Position-independent, for the shared library.
noinst_LIBRARIES += libopencl.a
libopencl_a_SOURCES = \
	%D%/opencl.h \
	%D%/image.c \
	%D%/image.h \
	%D%/launch.c \
	%D%/print.c \
	%D%/print.h \
	%D%/texel.c \
	%D%/texel.h
libopencl_a_CFLAGS = $(AM_CFLAGS) -fPIC
libopencl_a_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_LIBRARY
