# SPDX-License-Identifier: MIT
#
# Manual pages and documents.

dist_man_MANS += \
	%D%/man/weir.1 \
	%D%/man/weir-bench.1 \
	%D%/man/weir-c++.1 \
	%D%/man/weir-cc.1 \
	%D%/man/weir-check.1 \
	%D%/man/weir-device.1 \
	%D%/man/weir-doctor.1 \
	%D%/man/weir-gdb.7 \
	%D%/man/weir-exercise.1 \
	%D%/man/weir-hipcc.1 \
	%D%/man/weir-list.1 \
	%D%/man/weir-explore.1 \
	%D%/man/weir-litmus.1 \
	%D%/man/weir-nvcc.1 \
	%D%/man/weir-opencl.7 \
	%D%/man/weir-play.1 \
	%D%/man/weir-replay.1 \
	%D%/man/weir-report.1 \
	%D%/man/weir-run.1 \
	%D%/man/weir-shrink.1 \
	%D%/man/weir-trace.1 \
	%D%/man/weir.3

# Documents are installed in the folders that they have here: their links lead there, too.
nobase_dist_doc_DATA += \
	%D%/architecture.md \
	%D%/compute-sanitizer.md \
	%D%/cuda.md \
	%D%/debugging.md \
	%D%/devices.md \
	%D%/divergence.md \
	%D%/execution.md \
	%D%/exercises.md \
	%D%/fixes.md \
	%D%/exploration.md \
	%D%/lockstep.md \
	%D%/memory-model.md \
	%D%/ptx-vulkan.md \
	%D%/opencl.md \
	%D%/performance.md \
	%D%/play.md \
	%D%/progress.md \
	%D%/project.md \
	%D%/race-detection.md \
	%D%/schedules.md \
	%D%/sources.md \
	%D%/split.md \
	%D%/sycl-programs.md \
	%D%/sycl.md \
	%D%/traces.md \
	%D%/walks.md \
	%D%/weir-check.schema.json \
	%D%/weir-litmus.schema.json

# The models of PTX and Vulkan as files for other tools. tests/check_cat.c holds them
# against the library's.
modelsdir = $(pkgdatadir)/models
dist_models_DATA = \
	%D%/models/ptx-6.0.cat \
	%D%/models/ptx-7.5.cat \
	%D%/models/ptx.cat \
	%D%/models/vulkan.cat \
	%D%/models/vulkan-nochains.cat \
	%D%/models/vulkan-prose.cat

# The tutorial. Each page is a test: tests/tutorial.sh makes it again and compares.
tutorial_pages = \
	%D%/tutorial/01-ids.md \
	%D%/tutorial/02-local-memory.md \
	%D%/tutorial/03-divergence.md \
	%D%/tutorial/04-races.md \
	%D%/tutorial/05-scopes.md \
	%D%/tutorial/06-orders.md \
	%D%/tutorial/07-last-group.md \
	%D%/tutorial/08-histogram.md \
	%D%/tutorial/09-access-patterns.md \
	%D%/tutorial/10-progress.md \
	%D%/tutorial/11-ptx.md \
	%D%/tutorial/more-article.md \
	%D%/tutorial/more-divergence.md \
	%D%/tutorial/more-litmus.md \
	%D%/tutorial/more-opencl.md \
	%D%/tutorial/more-tests.md \
	%D%/tutorial/slides.md
# Beside the tutorial, and made in the same way.
tutorial_pages += %D%/oclgrind.md %D%/pocl.md
tutorial_pictures = \
	%D%/tutorial/pictures/barrier-sycl-1.svg \
	%D%/tutorial/pictures/chain-sycl-1.svg \
	%D%/tutorial/pictures/mp-sycl-why.svg \
	%D%/tutorial/pictures/reduce_last_group_relaxed-sycl-2.svg \
	%D%/tutorial/pictures/relaxed-write-sycl-2.svg \
	%D%/tutorial/pictures/sums.svg \
	%D%/tutorial/pictures/times-histograms.svg \
	%D%/tutorial/pictures/times-reductions.svg \
	%D%/tutorial/pictures/tree.svg

nobase_dist_doc_DATA += %D%/tutorial/README.md $(tutorial_pages) $(tutorial_pictures)

TESTS += $(tutorial_pages)
TEST_EXTENSIONS += .md
MD_LOG_COMPILER = $(SHELL) $(srcdir)/tests/tutorial.sh
MD_LOG_DRIVER = $(LOG_DRIVER)
$(tutorial_pages:.md=.log): libweir.a weir$(EXEEXT) weir-cc weir-c++
if HAVE_ICD
%D%/tutorial/more-opencl.log %D%/oclgrind.log %D%/pocl.log: libweir-opencl.so vendors/weir.icd opencl-data/ready
endif

# Writes the output of each command into the pages: all, or TUTORIAL_PAGES='...'.
update-tutorial: all
	$(AM_V_at)TUTORIAL=update $(MAKE) $(AM_MAKEFLAGS) check \
	  TESTS='$(or $(TUTORIAL_PAGES),$(tutorial_pages))'
.PHONY: update-tutorial

# The slides of a class, in ./slides, and the same with notes.
slides: $(srcdir)/%D%/tutorial/slides.md
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/tutorial/slides.sh $(srcdir)/%D%/tutorial/slides.md slides
	@ls slides/*.pdf
EXTRA_DIST += %D%/tutorial/slides.css %D%/tutorial/slides.js %D%/tutorial/slides.sh
.PHONY: slides
