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
	%D%/entries.c \
	%D%/print.h \
	%D%/texel.h

# Position-independent, for the shared library.
noinst_LIBRARIES += libopencl.a
libopencl_a_SOURCES = \
	%D%/build.c \
	%D%/image.c \
	%D%/image.h \
	%D%/launch.c \
	%D%/make-front.c \
	%D%/make-link.c \
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
	%D%/texel.c \
	%D%/texel.h \
	%D%/texts.c \
	%D%/tools.c \
	%D%/tools.h
libopencl_a_CFLAGS = $(AM_CFLAGS) -fPIC
libopencl_a_AR = $(library_ar)
libopencl_a_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_LIBRARY \
	'-DWEIRI_CL_DATA="$(openclbuiltinsdir)"' '-DWEIRI_CL_INCLUDE="$(includedir)"' \
	'-DWEIRI_CL_CC="$(pkglibexecdir)/weir-opencl-cc"' \
	'-DWEIRI_CL_HOOK_FLAGS="$(HOOK_FLAGS) $(CLANG_HOOK_FLAGS)"'

# What `weir check FILE.cl:KERNEL` and its like run. Objects of kernels take all that they
# need of the machine from it.
pkglibexec_PROGRAMS += weir-opencl
weir_opencl_SOURCES = \
	%D%/list.c \
	%D%/list.h \
	%D%/run.c \
	%D%/spec.c \
	%D%/spec.h \
	%D%/spec-image.c \
	%D%/spec-image.h
weir_opencl_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_LIBRARY
weir_opencl_LDFLAGS = -rdynamic -Wl,--whole-archive,libweir.a,libopencl.a,--no-whole-archive
weir_opencl_LDADD = $(WRAP_LIBS) $(GLIB_LIBS) $(LIBDW_LIBS) -lm
weir_opencl_DEPENDENCIES = libopencl.a libweir.a

# Where these programs find what compiles kernels, before it is installed.
noinst_DATA += opencl-data/ready
CLEANFILES += opencl-data/ready opencl-data/opencl opencl-data/include opencl-data/weir-opencl-cc
opencl-data/ready: Makefile
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)ln -sf '$(abs_builddir)/weir-opencl-cc' $(@D)/weir-opencl-cc \
	  && rm -f $(@D)/opencl $(@D)/include && ln -s '$(abs_srcdir)/%D%' $(@D)/opencl \
	  && ln -s '$(abs_srcdir)/sim' $(@D)/include && : > $@
