# SPDX-License-Identifier: MIT
#
# libweir-opencl.so, the platform of OpenCL: the sources of this folder and what they use
# of the libraries. Loaders load it, and the objects of kernels refer to it. A program of
# automake's that is linked with -shared, since one kind of platform does not need what
# libtool does. Its folder is its own, as nothing is to be linked with it by name.

if HAVE_ICD
opencllibdir = $(pkglibdir)
opencllib_PROGRAMS = libweir-opencl.so
libweir_opencl_so_SOURCES = \
	%D%/icd-box.c \
	%D%/icd-binary.c \
	%D%/icd-build.c \
	%D%/icd-buffer.c \
	%D%/icd-callback.c \
	%D%/icd-command.c \
	%D%/icd-command.h \
	%D%/icd-context.c \
	%D%/icd-device.c \
	%D%/icd-dispatch.c \
	%D%/icd-entries.def \
	%D%/icd-event.c \
	%D%/icd-facts.c \
	%D%/icd-facts.h \
	%D%/icd-image.c \
	%D%/icd-image.h \
	%D%/icd-image-copy.c \
	%D%/icd-kernel.c \
	%D%/icd-kernel.h \
	%D%/icd-kernel-info.c \
	%D%/icd-launch.c \
	%D%/icd-map.c \
	%D%/icd-map.h \
	%D%/icd-memory.c \
	%D%/icd-memory.h \
	%D%/icd-native.c \
	%D%/icd-object.c \
	%D%/icd-part.c \
	%D%/icd-platform.c \
	%D%/icd-program.c \
	%D%/icd-program.h \
	%D%/icd-queue.c \
	%D%/icd-sampler.c \
	%D%/icd-sampler.h \
	%D%/icd-source.c \
	%D%/icd-svm.c \
	%D%/icd.h \
	sim/opencl/device/library.c
libweir_opencl_so_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_LIBRARY
libweir_opencl_so_CFLAGS = $(BASE_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS) $(PIC_CFLAGS)
libweir_opencl_so_LDFLAGS = -shared -Wl,-soname,libweir-opencl.so -Wl,-z,defs,-z,nodelete -Wl,-Bsymbolic \
	-Wl,--version-script,$(srcdir)/%D%/exports.map \
	-Wl,--whole-archive,libopencl-compile.a,libopencl-device.a,--no-whole-archive
libweir_opencl_so_LDADD = %D%/hooks.ld $(libweir_libs) -lm
EXTRA_libweir_opencl_so_DEPENDENCIES = $(srcdir)/%D%/exports.map $(opencl_libs)
EXTRA_DIST += %D%/exports.map %D%/hooks.awk

# The names of the hooks there, for the linker and for objects of kernels.
nodist_opencllib_DATA = weir-opencl.syms
CLEANFILES += weir-opencl.syms %D%/hooks.ld
weir-opencl.syms: libhooks.a %D%/hooks.awk
	$(AM_V_GEN)$(NM) libhooks.a | $(AWK) -f $(srcdir)/%D%/hooks.awk -v form=objcopy \
	  > $@.tmp && mv $@.tmp $@
%D%/hooks.ld: libhooks.a %D%/hooks.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(NM) libhooks.a | $(AWK) -f $(srcdir)/%D%/hooks.awk -v form=link \
	  > $@.tmp && mv $@.tmp $@

# Where loaders find it: installed for all programs, and in folders that have no other
# platform: for the command, in the folder of the build and installed.
vendorsdir = $(sysconfdir)/OpenCL/vendors
nodist_vendors_DATA = %D%/weir.icd
opencllibvendorsdir = $(opencllibdir)/vendors
nodist_opencllibvendors_DATA = %D%/weir.icd
noinst_DATA += vendors/weir.icd
CLEANFILES += vendors/weir.icd %D%/weir.icd
vendors/weir.icd: Makefile
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)echo '$(abs_builddir)/libweir-opencl.so' > $@
%D%/weir.icd: Makefile
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)echo '$(opencllibdir)/libweir-opencl.so' > $@
endif
