# SPDX-License-Identifier: MIT

# CUDA: the source of builtins and entries, which the clang at hand compiles.
cudabuiltinsdir = $(pkgdatadir)/cuda
dist_cudabuiltins_DATA = \
	%D%/device/builtins-atomic.h \
	%D%/device/builtins-copy.h \
	%D%/device/builtins-ids.h \
	%D%/device/builtins-ptx-half.h \
	%D%/device/builtins-ptx.h \
	%D%/device/builtins-sync.h \
	%D%/device/builtins-warp.h \
	%D%/device/builtins.c \
	%D%/device/entries.c \
	%D%/device/head.h
