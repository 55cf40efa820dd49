# SPDX-License-Identifier: MIT

# The compiler of the device's side of sources in CUDA, from bitcode. It opens libLLVM
# when it runs.
pkglibexec_PROGRAMS += weir-cuda-cc
weir_cuda_cc_SOURCES = \
	%D%/constraints.c \
	%D%/cuda.h \
	%D%/debug.c \
	%D%/exit.c \
	%D%/items.c \
	%D%/kernels.c \
	%D%/outside.c \
	%D%/private.c \
	%D%/ptx.c \
	%D%/ptx.h \
	%D%/ptx-make.h \
	%D%/ptx-memory.c \
	%D%/ptx-number.c \
	%D%/ptx-operands.c \
	%D%/ptx-read.c \
	%D%/ptx-statements.c \
	%D%/ptx-table.c \
	%D%/ptx-values.c \
	%D%/ptx-words.c \
	%D%/shared.c \
	%D%/source.c \
	%D%/variables.c \
	%D%/volatile.c \
	%D%/weir-cuda-cc.c \
	sim/split/copies.c \
	sim/split/copies.h
weir_cuda_cc_CPPFLAGS = $(AM_CPPFLAGS) \
	'-DWEIRI_CUDA_HOOK_OPTIONS="$(CLANG_HOOK_FLAGS)"'
weir_cuda_cc_LDADD = libopencl-cc.a libsplit.a $(GLIB_LIBS) $(DL_LIBS)
