# SPDX-License-Identifier: MIT
#
# Measurements, for `make bench`; never part of `make check`. A program is added
# to bench_programs and prints one line a case.

bench_programs = bench-machine bench-explore bench-native
EXTRA_PROGRAMS += $(bench_programs)

bench_machine_SOURCES = %D%/machine.c %D%/ring.c %D%/ring.h %D%/times.h
bench_machine_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(KERNEL_CFLAGS) $(OPENMP_CFLAGS)
bench_machine_LDADD = libkernels.a $(libweir_libs) -lpthread
bench_machine_LDFLAGS = $(OPENMP_CFLAGS)

bench_explore_SOURCES = %D%/explore.c
bench_explore_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
bench_explore_LDADD = $(libweir_libs) -lpthread

bench_native_SOURCES = %D%/native.c
bench_native_LDADD = libexplored.a $(libweir_libs) -lpthread

# `make bench-scaling' is of its own: it takes minutes.
EXTRA_PROGRAMS += bench-items
bench_items_SOURCES = %D%/scaling.c %D%/times.h
bench_items_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(KERNEL_CFLAGS)
bench_items_LDADD = $(libweir_libs) -lpthread
bench_items_DEPENDENCIES = libweir.a
if HAVE_STACKLESS
bench_items_LDADD += %D%/scaling.split.o
bench_items_DEPENDENCIES += %D%/scaling.split.o
%D%/scaling.split.o: weir-cc weir-split $(split_headers)
CLEANFILES += %D%/scaling.split.o
endif

# `make bench-peers' is of its own: it needs OpenCL. PEERS_CC compiles Weir's kernels as a
# user's would be, and PEERS_CFLAGS are weir-cc's; a peer compiles for this processor, too.
PEERS_CC = $(CC)
PEERS_CFLAGS = --fat -O3 -march=native
if HAVE_OPENCL
EXTRA_PROGRAMS += bench-peers-opencl
bench_peers_opencl_SOURCES = %D%/peers.c %D%/peers.h %D%/peers-opencl.c \
	%D%/peers-opencl.h %D%/peers-process.c %D%/peers-process.h %D%/times.h \
	sim/show/svg.c
bench_peers_opencl_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPEERS_TEXT='"$(abs_srcdir)/%D%/peers.cl"' \
	-DPEERS_FIRST='"$(abs_srcdir)/examples/03_local_memory.c"' \
	-DPEERS_WEIR='"$(abs_builddir)/weir$(EXEEXT)"' \
	-DPEERS_WEIR_CC='"$(abs_builddir)/weir-cc"'
bench_peers_opencl_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
bench_peers_opencl_LDADD = bench-peers-kernels.$(OBJEXT) $(libweir_libs) -lOpenCL -lpthread -lm
bench_peers_opencl_DEPENDENCIES = bench-peers-kernels.$(OBJEXT) libweir.a

# Always made again: PEERS_CC may be another one.
bench-peers-kernels.$(OBJEXT): $(srcdir)/%D%/peers-kernels.c $(srcdir)/%D%/peers.cl \
  $(srcdir)/%D%/peers.h weir-cc FORCE
	$(AM_V_CC)CC='$(PEERS_CC)' WEIR_INCLUDE_DIR='$(abs_srcdir)/sim' \
	  WEIR_LIB_DIR='$(abs_builddir)' ./weir-cc $(PEERS_CFLAGS) \
	  -c $(srcdir)/%D%/peers-kernels.c -o $@
FORCE:
CLEANFILES += bench-peers-kernels.$(OBJEXT)
endif
EXTRA_DIST += %D%/peers-kernels.c %D%/peers.cl
