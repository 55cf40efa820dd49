# SPDX-License-Identifier: MIT
#
# OpenCL: what makes kernels of the text of a program, for libweir-opencl.so and for
# tests; and the builtins, which the clang at hand compiles with each program.

openclbuiltinsdir = $(pkgdatadir)/opencl
dist_openclbuiltins_DATA = \
	%D%/device/arguments.h \
	%D%/device/builtins.c \
	%D%/device/builtins-atomic.h \
	%D%/device/builtins-copy.h \
	%D%/device/builtins-groups.h \
	%D%/device/builtins-ids.h \
	%D%/device/builtins-image.h \
	%D%/device/builtins-print.h \
	%D%/device/builtins.def \
	%D%/device/entries.c \
	%D%/device/print.h \
	%D%/device/texel.h

# What makes kernels of the text of a program, and what runs them. Position-independent, for
# the shared library.
noinst_LIBRARIES += libopencl-compile.a
libopencl_compile_a_SOURCES = \
	%D%/compile/build.c \
	%D%/compile/included.c \
	%D%/compile/make-front.c \
	%D%/compile/make-link.c \
	%D%/compile/make-objects.c \
	%D%/compile/make.c \
	%D%/compile/make.h \
	%D%/compile/mangled.c \
	%D%/compile/mangled.h \
	%D%/compile/module.c \
	%D%/compile/options.c \
	%D%/compile/options.h \
	%D%/compile/process.c \
	%D%/compile/process.h \
	%D%/compile/texts.c \
	%D%/compile/tools.c \
	%D%/compile/tools.h \
	%D%/opencl.h
libopencl_compile_a_CFLAGS = $(AM_CFLAGS) -fPIC
libopencl_compile_a_AR = $(library_ar)
libopencl_compile_a_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_LIBRARY \
	'-DWEIRI_CL_DATA="$(openclbuiltinsdir)"' '-DWEIRI_CL_INCLUDE="$(includedir)"' \
	'-DWEIRI_CL_CC="$(pkglibexecdir)/weir-opencl-cc"' \
	'-DWEIRI_CL_HOOK_FLAGS="$(HOOK_FLAGS) $(CLANG_HOOK_FLAGS)"'

noinst_LIBRARIES += libopencl-device.a
libopencl_device_a_SOURCES = \
	%D%/device/image.c \
	%D%/device/image.h \
	%D%/device/launch.c \
	%D%/device/texel.c \
	%D%/device/texel.h \
	%D%/device/print.c \
	%D%/device/print.h
libopencl_device_a_CFLAGS = $(AM_CFLAGS) -fPIC
libopencl_device_a_AR = $(library_ar)
libopencl_device_a_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_LIBRARY

opencl_libs = libopencl-compile.a libopencl-device.a

# The program that `weir check FILE.cl:KERNEL` and its like run. Objects of kernels take
# all that they need of the machine from it.
pkglibexec_PROGRAMS += weir-opencl
weir_opencl_SOURCES = \
	%D%/run/list.c \
	%D%/run/list.h \
	%D%/run/run.c \
	%D%/run/spec.c \
	%D%/run/spec.h \
	%D%/run/spec-image.c \
	%D%/run/spec-image.h
weir_opencl_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_LIBRARY
weir_opencl_LDFLAGS = -rdynamic -Wl,--whole-archive,libweir.a,libopencl-compile.a,libopencl-device.a,--no-whole-archive
weir_opencl_LDADD = $(WRAP_LIBS) $(GLIB_LIBS) $(LIBDW_LIBS) -lm
weir_opencl_DEPENDENCIES = $(opencl_libs) libweir.a

# Where these programs find what compiles kernels, before it is installed.
noinst_DATA += opencl-data/ready
CLEANFILES += opencl-data/ready opencl-data/opencl opencl-data/include opencl-data/weir-opencl-cc
opencl-data/ready: Makefile
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)ln -sf '$(abs_builddir)/weir-opencl-cc' $(@D)/weir-opencl-cc \
	  && rm -f $(@D)/opencl $(@D)/include && ln -s '$(abs_srcdir)/%D%/device' $(@D)/opencl \
	  && ln -s '$(abs_srcdir)/sim' $(@D)/include && : > $@
