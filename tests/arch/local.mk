# SPDX-License-Identifier: MIT
#
# Tests of the architecture itself: what a reader must be able to trust without
# looking. Each script opens with its claim.

arch_tests = \
	%D%/layers.sh \
	%D%/libraries.sh \
	%D%/namespace.sh \
	%D%/headers.sh \
	%D%/refuse.sh \
	%D%/clones.sh \
	%D%/entries.sh \
	%D%/hooks.sh \
	%D%/opencl-library.sh \
	%D%/vectorise.sh \
	%D%/weir-cc.sh \
	%D%/readme.sh \
	%D%/debian.sh \
	%D%/man.sh \
	%D%/scripts.sh \
	%D%/commit.sh \
	%D%/walks.sh \
	%D%/split.sh \
	%D%/quickstart.sh

TESTS += $(arch_tests)
$(arch_tests:.sh=.log): libweir.a weir$(EXEEXT) weir-cc
if HAVE_ICD
%D%/opencl-library.log: libweir-opencl.so weir-opencl.syms
endif

EXTRA_DIST += $(arch_tests) %D%/lib.sh %D%/format.sh %D%/lint.sh %D%/installed.sh %D%/split.table
%D%/split.log: weir-split$(EXEEXT)

# Programs whose faults, threads and stacks valgrind can follow.
valgrind_tests = $(check_PROGRAMS)
