# SPDX-License-Identifier: MIT
#
# The built-in kernels, one variant a file, in the order of registry.c. Each is compiled
# twice, as weir-cc --fat does it: the fast entries at -O3 unless the user says otherwise,
# since their inner loops are what the bench measures, and the checked ones with the
# memory hooks, at -O1, where accesses are still those of the source.

noinst_LIBRARIES += libkernels.a
kernel_files = \
	%D%/reduce_single_item.c \
	%D%/reduce_atomics1.c \
	%D%/reduce_atomics2.c \
	%D%/reduce_atomics3.c \
	%D%/reduce_single_group.c \
	%D%/reduce_single_group_hierarchical.c \
	%D%/reduce_tree.c \
	%D%/reduce_tree_hierarchical.c \
	%D%/reduce_multi_pass.c \
	%D%/reduce_multi_pass_hierarchical.c \
	%D%/reduce_two_pass.c \
	%D%/reduce_two_pass_hierarchical.c \
	%D%/reduce_builtin.c \
	%D%/reduce_multiblock_interleaved.c \
	%D%/reduce_multiblock_interleaved_hierarchical.c \
	%D%/reduce_multiblock_interleaved_vector.c \
	%D%/reduce_multiblock_interleaved_vector_hierarchical.c \
	%D%/reduce_last_group_relaxed.c \
	%D%/reduce_last_group_relaxed_hierarchical.c \
	%D%/reduce_last_group_relaxed_read_before.c \
	%D%/reduce_last_group.c \
	%D%/reduce_last_group_hierarchical.c \
	%D%/reduce_tree_divergent.c \
	%D%/reduce_tree_divergent_hierarchical.c \
	%D%/reduce_tree_sequential.c \
	%D%/reduce_tree_sequential_hierarchical.c \
	%D%/reduce_first_add.c \
	%D%/reduce_first_add_hierarchical.c \
	%D%/reduce_shuffle.c \
	%D%/reduce_float_pairwise.c \
	%D%/reduce_float_pairwise_hierarchical.c \
	%D%/reduce_float_atomic.c \
	%D%/histogram_critical.c \
	%D%/histogram_atomic_relaxed.c \
	%D%/histogram_atomic_seq_cst.c \
	%D%/histogram_local_relaxed.c \
	%D%/histogram_local_relaxed_hierarchical.c \
	%D%/histogram_local_seq_cst.c \
	%D%/histogram_local_seq_cst_hierarchical.c \
	%D%/histogram_replicated.c \
	%D%/histogram_replicated_hierarchical.c

libkernels_a_CPPFLAGS = $(AM_CPPFLAGS)
libkernels_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(KERNEL_CFLAGS)
libkernels_a_SOURCES = \
	$(kernel_files) \
	%D%/kernels.h \
	%D%/data.c \
	%D%/input.c \
	%D%/registry.c \
	%D%/run.c \
	%D%/histogram_common.h \
	%D%/histogram_replicated.h \
	%D%/reduce_common.h \
	%D%/reduce_last_group.h \
	%D%/reduce_multiblock.h \
	%D%/reduce_passes.h \
	%D%/reduce_two_pass.h \
	%D%/reduce_passes.c

# The loops over items with and without AVX2; the dynamic loader chooses.
if KERNEL_CLONES
libkernels_a_CPPFLAGS += '-DWEIRI_FAST_ATTRIBUTES=__attribute__((target_clones("default","avx2")))'
endif

libkernels_a_LIBADD =
libkernels_a_DEPENDENCIES =
if HAVE_STACKLESS
split_kernels = $(kernel_files:.c=.split.o)
$(split_kernels): weir-cc weir-split $(split_headers)
%D%/stackless.o: $(split_kernels)
	$(AM_V_CCLD)$(CC) -r -nostdlib $(split_kernels) -o $@
libkernels_a_CPPFLAGS += -DHAVE_STACKLESS
libkernels_a_LIBADD += %D%/stackless.o
libkernels_a_DEPENDENCIES += %D%/stackless.o
CLEANFILES += $(split_kernels) %D%/stackless.o
endif

# An archive of its own for flags of its own; its objects are in libkernels.a. No
# sanitizer: two kinds of instrumentation cannot share an object.
if HAVE_HOOKS
libkernels_a_CPPFLAGS += -DWEIRI_FAT=1
libkernels_a_LIBADD += $(libchecked_a_OBJECTS)
libkernels_a_DEPENDENCIES += $(libchecked_a_OBJECTS)
noinst_LIBRARIES += libchecked.a
libchecked_a_SOURCES = $(kernel_files)
libchecked_a_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUMENT_CPPFLAGS) -DWEIRI_FAT=2
libchecked_a_CFLAGS = $(BASE_CFLAGS) $(GLIB_CFLAGS) $(CHECKED_CFLAGS)
endif
