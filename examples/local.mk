# SPDX-License-Identifier: MIT
#
# The examples, in reading order. Each .out is a test: its program must print
# exactly that.

example_programs = \
	%D%/01_ids \
	%D%/02_barrier \
	%D%/03_local_memory \
	%D%/04_last_group \
	%D%/05_divergence \
	%D%/06_replay \
	%D%/07_race \
	%D%/08_scope \
	%D%/09_litmus \
	%D%/10_explore \
	%D%/11_lock \
	%D%/12_order \
	%D%/13_patterns

example_outputs = \
	%D%/01_ids.out \
	%D%/02_barrier.out \
	%D%/03_local_memory.out \
	%D%/04_last_group.out \
	%D%/05_divergence.out \
	%D%/06_replay.out \
	%D%/07_race.out \
	%D%/08_scope.out \
	%D%/09_litmus.out \
	%D%/10_explore.out \
	%D%/11_lock.out \
	%D%/12_order.out \
	%D%/13_patterns.out

noinst_PROGRAMS += $(example_programs)

example_cflags = $(AM_CFLAGS) $(GLIB_CFLAGS) $(KERNEL_CFLAGS)
example_ldadd = $(libweir_libs)

%C%_01_ids_SOURCES = %D%/01_ids.c
%C%_01_ids_CFLAGS = $(example_cflags)
%C%_01_ids_LDADD = $(example_ldadd)

%C%_02_barrier_SOURCES = %D%/02_barrier.c
%C%_02_barrier_CFLAGS = $(example_cflags)
%C%_02_barrier_LDADD = $(example_ldadd)

%C%_03_local_memory_SOURCES = %D%/03_local_memory.c
%C%_03_local_memory_CFLAGS = $(example_cflags)
%C%_03_local_memory_LDADD = $(example_ldadd)

%C%_04_last_group_SOURCES = %D%/04_last_group.c
%C%_04_last_group_CFLAGS = $(example_cflags)
%C%_04_last_group_LDADD = $(example_ldadd)

# Without the memory hooks, as all of them: with these the report has the line of the
# branch, which compilers put at different places.
%C%_05_divergence_SOURCES = %D%/05_divergence.c
%C%_05_divergence_CFLAGS = $(example_cflags)
%C%_05_divergence_LDADD = $(example_ldadd)

%C%_06_replay_SOURCES = %D%/06_replay.c
%C%_06_replay_CFLAGS = $(example_cflags)
%C%_06_replay_LDADD = $(example_ldadd)

# Plain accesses are judged in these: with the memory hooks, and so without the flags
# of other sanitizers but for linking.
%C%_07_race_SOURCES = %D%/07_race.c
%C%_07_race_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUMENT_CPPFLAGS)
%C%_07_race_CFLAGS = $(BASE_CFLAGS) $(GLIB_CFLAGS)
%C%_07_race_LDFLAGS = $(SANITIZE_FLAGS)
%C%_07_race_LDADD = $(example_ldadd)

%C%_08_scope_SOURCES = %D%/08_scope.c
%C%_08_scope_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUMENT_CPPFLAGS)
%C%_08_scope_CFLAGS = $(BASE_CFLAGS) $(GLIB_CFLAGS)
%C%_08_scope_LDFLAGS = $(SANITIZE_FLAGS)
%C%_08_scope_LDADD = $(example_ldadd)

# No kernel in this one.
%C%_09_litmus_SOURCES = %D%/09_litmus.c
%C%_09_litmus_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
%C%_09_litmus_LDADD = $(example_ldadd)

# Kernels are explored with the memory hooks only.
%C%_10_explore_SOURCES = %D%/10_explore.c
%C%_10_explore_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUMENT_CPPFLAGS)
%C%_10_explore_CFLAGS = $(BASE_CFLAGS) $(GLIB_CFLAGS)
%C%_10_explore_LDFLAGS = $(SANITIZE_FLAGS)
%C%_10_explore_LDADD = $(example_ldadd)

%C%_11_lock_SOURCES = %D%/11_lock.c
%C%_11_lock_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUMENT_CPPFLAGS)
%C%_11_lock_CFLAGS = $(BASE_CFLAGS) $(GLIB_CFLAGS)
%C%_11_lock_LDFLAGS = $(SANITIZE_FLAGS)
%C%_11_lock_LDADD = $(example_ldadd)

%C%_12_order_SOURCES = %D%/12_order.c
%C%_12_order_CFLAGS = $(example_cflags)
%C%_12_order_LDADD = $(example_ldadd)

%C%_13_patterns_SOURCES = %D%/13_patterns.c
%C%_13_patterns_CFLAGS = $(example_cflags)
%C%_13_patterns_LDADD = $(example_ldadd)

TESTS += $(example_outputs)
TEST_EXTENSIONS += .out
OUT_LOG_COMPILER = $(SHELL) $(srcdir)/%D%/compare.sh
OUT_LOG_DRIVER = $(LOG_DRIVER)
$(example_outputs:.out=.log): $(example_programs)

# They are sources: without a rule make would copy the programs to these names.
$(example_outputs):
	@:

EXTRA_DIST += $(example_outputs) %D%/compare.sh

# Readers of an installed README.md and docs/tutorial/ compile them.
nobase_dist_doc_DATA += $(example_programs:%=%.c)

# Wrong on purpose, for these readers to check. The pages build and run them.
nobase_dist_doc_DATA += %D%/wrong/branch.c %D%/wrong/chain.c %D%/wrong/largest.c \
	%D%/wrong/late.c %D%/wrong/latest.c %D%/wrong/locked.c %D%/wrong/lost.c \
	%D%/wrong/race.c %D%/wrong/search.c %D%/wrong/sums.c \
	%D%/shares/check_shares.c %D%/shares/main.c %D%/shares/shares.c %D%/shares/shares.h

# A whole project, of docs/project.md. tests/cli/project.sh builds and checks it.
nobase_dist_doc_DATA += %D%/project/CMakeLists.txt %D%/project/Makefile %D%/project/ci.sh \
	%D%/project/main.c %D%/project/main.cpp %D%/project/sums.c %D%/project/sums.h

# In C++, with the SYCL header. tests/cli/sycl.sh builds, runs and checks them.
sycl_examples = global_atomics single_group_tree last_group multiblock histogram \
	single_happens_before article
nobase_dist_doc_DATA += $(sycl_examples:%=%D%/sycl/%.cpp)
EXTRA_DIST += $(sycl_examples:%=%D%/sycl/%.out)

# In CUDA: docs/cuda.md.
nobase_dist_doc_DATA += %D%/cuda/last_block.cu %D%/cuda/reduce.cu

# Litmus tests of docs/tutorial/11-ptx.md.
nobase_dist_doc_DATA += %D%/ptx/async-fenced.litmus %D%/ptx/async.litmus \
	%D%/ptx/block-scope.litmus %D%/ptx/kept.litmus %D%/ptx/threadfence.litmus \
	%D%/ptx/volatile-fenced.litmus %D%/ptx/volatile.litmus

# Kernels in OpenCL C, which tests/cli/opencl-arguments.sh runs and checks, and a program, of
# docs/tutorial/more-opencl.md.
nobase_dist_doc_DATA += %D%/opencl/histogram.cl %D%/opencl/last_group.cl %D%/opencl/sum.cl \
	%D%/opencl/mean.c %D%/opencl/mean.cl
