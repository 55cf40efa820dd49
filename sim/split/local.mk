# SPDX-License-Identifier: MIT

# The compiler of stackless entries. It opens libLLVM when it runs.
noinst_LIBRARIES += libsplit.a
libsplit_a_SOURCES = \
	%D%/clang.c \
	%D%/clang.h \
	%D%/clone.c \
	%D%/clone.h \
	%D%/define.c \
	%D%/define.h \
	%D%/emit.c \
	%D%/flow-vary.c \
	%D%/flow.c \
	%D%/flow.h \
	%D%/ir.c \
	%D%/ir.h \
	%D%/kernels.c \
	%D%/kernels.h \
	%D%/llvm.c \
	%D%/llvm.h \
	%D%/loops.c \
	%D%/loops.h \
	%D%/mark.c \
	%D%/mark.h \
	%D%/metadata.c \
	%D%/metadata.h \
	%D%/passes.c \
	%D%/passes.h \
	%D%/parts.c \
	%D%/parts.h \
	%D%/release.c \
	%D%/release.h \
	%D%/stackless.c \
	%D%/stackless.h \
	%D%/stride.c \
	%D%/stride.h \
	%D%/trim.c \
	%D%/trim.h \
	%D%/turns.c \
	%D%/turns.h
libsplit_a_AR = $(library_ar)

pkglibexec_PROGRAMS += weir-split
weir_split_SOURCES = \
	%D%/aligned.c \
	%D%/aligned.h \
	%D%/copies.c \
	%D%/copies.h \
	%D%/object.c \
	%D%/object.h \
	%D%/weir-split.c
weir_split_LDADD = libsplit.a $(GLIB_LIBS) $(DL_LIBS) -lelf
