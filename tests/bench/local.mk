# SPDX-License-Identifier: MIT
#
# Measurements, for `make bench`; never part of `make check`. A program is added
# to bench_programs and prints one line a case.

bench_programs = bench-machine bench-explore bench-native
EXTRA_PROGRAMS += $(bench_programs)

bench_machine_SOURCES = %D%/machine.c %D%/ring.c %D%/ring.h
bench_machine_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(KERNEL_CFLAGS) $(OPENMP_CFLAGS)
bench_machine_LDADD = libkernels.a $(libweir_libs) -lpthread
bench_machine_LDFLAGS = $(OPENMP_CFLAGS)

bench_explore_SOURCES = %D%/explore.c
bench_explore_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
bench_explore_LDADD = $(libweir_libs) -lpthread

bench_native_SOURCES = %D%/native.c
bench_native_LDADD = libexplored.a $(libweir_libs) -lpthread
