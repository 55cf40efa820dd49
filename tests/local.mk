# SPDX-License-Identifier: MIT
#
# The unit tests: programs of Check, one a subject, and scripts for the command.

if HAVE_CHECK
check_PROGRAMS += \
	check-clock check-commands check-machine check-launch check-process check-ids check-barrier \
	check-divergence check-alive check-collective check-shuffle check-lanes check-named check-mbarrier check-item-copy check-grid check-atomic \
	check-reference check-contention check-combine check-spin check-fence check-local \
	check-names check-opencl-image check-opencl-print check-opencl-spec check-opencl-text check-ptx check-hierarchical check-device check-memory check-stack check-switch check-fault \
	check-handlers check-finding check-symbol check-report check-wire \
	check-suppress check-baseline check-identity check-document check-found \
	check-paths check-progress check-deadlock check-limits check-lockstep \
	check-options check-own-stack \
	check-bounds-edges check-bounds-pointers check-bounds-beyond \
	check-races-barrier check-races-message check-races-lock check-races-memory \
	check-races-ptx check-native-ptx check-native-vulkan \
	check-race-reference check-races-random check-shortcuts check-schedule check-replay \
	check-trace check-kernels check-axioms check-axioms-scoped check-brute \
	check-answer check-blocked check-cat check-drawn check-enumerate check-estimate check-explore check-step check-play \
	check-hardware check-litmus-text check-litmus-races check-litmus-refused \
	check-litmus-run check-litmus-table check-litmus-table-refused check-meet check-models check-spins check-tables check-nearest check-relation \
	check-termination check-verdicts check-fix-source check-fix-patch
if HAVE_HOOKS
check_PROGRAMS += check-opencl-build check-opencl-builtins check-fix-build check-hooks check-native check-native-blind check-native-locks \
	check-native-limits check-native-symmetry check-native-ranks \
	check-native-play check-native-why check-kernels-checked check-uninit-found check-uninit-silent check-uninit-trace
endif
endif

# Tests that take longest, by `make costs`, start first: at the end of `make -j check` no
# processor waits for one of them.
long_tests = \
	%D%/exercises.sh %D%/cli/check.sh %D%/cli/sycl-words.sh %D%/cli/sycl-fixes.sh \
	%D%/cli/exercise.sh %D%/cli/stackless.sh %D%/fixes/memory.sh \
	%D%/fixes/barriers.sh %D%/fixes/atomics.sh %D%/cli/shrink.sh %D%/cli/sizes.sh \
	%D%/cli/search.sh %D%/cli/explore.sh %D%/cli/explore-progress.sh %D%/cli/contend-random.sh %D%/cli/sycl.sh \
	%D%/cli/sycl-stackless.sh %D%/cli/opencl-api.sh %D%/cli/explore-limits.sh \
	%D%/cli/lockstep.sh
$(long_tests:.sh=.log): weir$(EXEEXT) libweir.a weir-cc weir-c++
EXTRA_DIST += $(long_tests)

cli_tests = \
	%D%/cli/command.sh %D%/cli/complete.sh %D%/cli/list.sh %D%/cli/device.sh \
	%D%/cli/doctor.sh %D%/cli/project.sh %D%/cli/run.sh %D%/cli/input.sh %D%/cli/bench.sh \
	%D%/cli/files.sh %D%/cli/explore-fixes.sh %D%/cli/explore-ranks.sh \
	%D%/cli/explore-record.sh %D%/cli/findings.sh %D%/cli/gdb.sh %D%/cli/ends.sh \
	%D%/cli/processes.sh %D%/cli/threads.sh %D%/cli/replay.sh \
	%D%/cli/stackless-random.sh %D%/cli/sycl-features.sh %D%/cli/compilers.sh \
	%D%/cli/litmus.sh %D%/cli/litmus-pitfalls.sh %D%/cli/litmus-progress.sh %D%/cli/trace.sh %D%/cli/report.sh \
	%D%/cli/opencl-builtins.sh %D%/cli/play.sh %D%/cli/sycl-fat.sh \
	%D%/cli/sycl-atomics.sh %D%/cli/sycl-bench.sh %D%/cli/sycl-header.sh \
	%D%/cli/sycl-commands.sh %D%/cli/opencl-kernels.sh %D%/cli/opencl-arguments.sh \
	%D%/cli/opencl-fixes.sh %D%/cli/opencl-programs.sh %D%/cli/cuda-assembly.sh %D%/cli/cuda-build.sh %D%/cli/cuda-clusters.sh %D%/cli/cuda-device.sh %D%/cli/cuda-hip.sh %D%/cli/cuda-lockstep.sh %D%/cli/cuda-source.sh %D%/cli/cuda.sh \
	%D%/cli/cuda-fixes.sh
TESTS += $(cli_tests) %D%/quiet.sh %D%/symbol.sh %D%/gdb.sh %D%/stall.sh \
	%D%/lessons.sh %D%/links.sh
$(cli_tests:.sh=.log): weir$(EXEEXT)
# Programs of several tests, by the tree's weir-cc.
cli_programs = %D%/cli/program %D%/cli/plain
weir_cc_here = CC='$(CC)' WEIR_LIB_DIR='$(abs_builddir)' WEIR_INCLUDE_DIR='$(abs_srcdir)/sim' ./weir-cc --no-stackless -g -O1
%D%/cli/program: %D%/cli/program.c libweir.a weir-cc
	$(AM_V_GEN)$(MKDIR_P) %D%/cli && $(weir_cc_here) '$(abs_srcdir)/%D%/cli/program.c' -o $@
%D%/cli/plain: %D%/cli/program.c libweir.a weir-cc
	$(AM_V_GEN)$(MKDIR_P) %D%/cli && $(weir_cc_here) --no-instrument '$(abs_srcdir)/%D%/cli/program.c' -o $@
CLEANFILES += $(cli_programs)
# What lib.sh compiles and links programs with: headers that are compiled once, by gcc, and
# the library without its debug information.
light_headers = %D%/light/O0/light.h.gch %D%/light/O1/light.h.gch
light = light/libweir.a $(light_headers)
check_DATA = $(light)
$(light_headers): %D%/light.h libweir.a weir-cc $(include_HEADERS)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp '$(srcdir)/%D%/light.h' $(@D)/light.h \
	  && cp $(@D)/light.h $(@D)/light.c && rm -f $@ \
	  && if $(CC) --version | grep -q clang; then touch $@; \
	  else $(weir_cc_here) -$(notdir $(@D)) --no-record -c -x c-header $(@D)/light.c -o $@; fi
EXTRA_DIST += %D%/light.h
CLEANFILES += $(light_headers) %D%/light/O0/light.h %D%/light/O0/light.c %D%/light/O1/light.h \
	%D%/light/O1/light.c
%D%/cli/check.log %D%/cli/ends.log %D%/cli/gdb.log %D%/cli/lockstep.log %D%/cli/opencl-arguments.log \
%D%/cli/opencl-fixes.log %D%/cli/processes.log %D%/cli/replay.log %D%/cli/report.log \
%D%/cli/search.log %D%/cli/shrink.log %D%/cli/sizes.log %D%/cli/trace.log: $(cli_programs)
%D%/cli/check.log %D%/cli/ends.log %D%/cli/processes.log %D%/cli/threads.log %D%/cli/replay.log \
	%D%/cli/gdb.log %D%/cli/lockstep.log %D%/cli/search.log \
	%D%/cli/shrink.log %D%/cli/sizes.log %D%/cli/compilers.log \
	%D%/cli/doctor.log %D%/cli/project.log %D%/cli/explore-limits.log %D%/cli/explore-ranks.log \
	%D%/cli/explore-record.log %D%/cli/stackless.log \
	%D%/cli/stackless-random.log %D%/cli/contend-random.log %D%/cli/report.log %D%/cli/trace.log: libweir.a weir-cc
%D%/cli/findings.log: json-validate$(EXEEXT) hand-findings$(EXEEXT)
%D%/cli/play.log: $(noinst_PROGRAMS)
%D%/cli/litmus.log %D%/cli/litmus-progress.log: json-validate$(EXEEXT)
%D%/symbol.log %D%/gdb.log %D%/stall.log: libweir.a
%D%/cli/sycl-fixes.log: libweir.a weir-c++
%D%/cli/cuda.log: libweir.a weir-cc
%D%/cli/cuda-assembly.log %D%/cli/cuda-build.log %D%/cli/cuda-clusters.log %D%/cli/cuda-device.log %D%/cli/cuda-fixes.log %D%/cli/cuda-hip.log %D%/cli/cuda-lockstep.log \
	%D%/cli/cuda-source.log: libweir.a weir-hipcc weir-nvcc weir-c++ weir-cuda-cc$(EXEEXT)
if HAVE_ICD
%D%/cli/opencl-api.log %D%/cli/opencl-kernels.log %D%/cli/opencl-programs.log \
	%D%/cli/opencl-fixes.log: libweir-opencl.so vendors/weir.icd opencl-data/ready
endif
%D%/cli/sycl.log %D%/cli/sycl-atomics.log %D%/cli/sycl-bench.log %D%/cli/sycl-words.log \
%D%/cli/sycl-header.log %D%/cli/sycl-commands.log: libweir.a weir$(EXEEXT) weir-c++
%D%/cli/sycl-fat.log %D%/cli/sycl-stackless.log: libweir.a weir$(EXEEXT) weir-cc weir-c++

%D%/exercises.log %D%/cli/exercise.log: libweir.a weir$(EXEEXT) weir-cc weir-nvcc weir-c++ weir-cuda-cc$(EXEEXT)
EXTRA_DIST += %D%/cli/stackless.c %D%/cli/replays/reduce_atomics3.schedule \
	%D%/cli/replays/reduce_builtin.schedule \
	%D%/cli/replays/reduce_last_group.schedule \
	%D%/cli/replays/reduce_shuffle.schedule
EXTRA_DIST += %D%/cuda/assembly.cu %D%/cuda/barriers.cu %D%/cuda/copies.cu %D%/cuda/cub.cu
EXTRA_DIST += $(cli_tests) %D%/cuda/atomics.cu %D%/cuda/groups.cu %D%/cuda/half.cu %D%/cli/cuda-exit.cu %D%/cuda/integers.cu %D%/cli/cuda-lockstep.cu %D%/cuda/volatile.cu %D%/cuda/warps.cu %D%/cli/opencl-api.c %D%/cli/opencl-kernels.c %D%/cli/opencl-kernels.cl %D%/cli/opencl-fixes.cl %D%/cli/opencl-examples.sh %D%/cli/opencl-python.py %D%/cli/sycl-words.cpp %D%/cli/sycl-commands.cpp %D%/cli/trace.py %D%/cli/report.py %D%/cli/lib.sh %D%/cli/builds.sh %D%/cli/sycl-lib.sh %D%/cli/program.sh %D%/cli/program.c %D%/cli/cuda-hip.cpp %D%/cli/cuda-host.c %D%/cli/cuda-clusters.cu %D%/cli/cuda-source.cu %D%/cuda/fp8.cu %D%/cuda/tiles.cu %D%/cuda/lanes.cu \
	%D%/cli/alignment.c %D%/cli/returns.c %D%/cli/plain.c %D%/cli/wide.c %D%/cli/odd.c %D%/cli/stack.c %D%/cli/sizes.c %D%/cli/parts.c \
	%D%/cli/gdb.c %D%/cli/lockstep.c %D%/cli/limits.c %D%/cli/threads.c %D%/cli/explored.c %D%/cli/progress.c %D%/cli/ranks.c \
	%D%/quiet.sh %D%/symbol.sh %D%/gdb.sh %D%/stall.sh %D%/stall.c \
	%D%/lessons.sh %D%/links.sh %D%/tutorial.sh %D%/gdb/items.c

# Pages in a browser, and the rules that they are judged by.
browser_tests = %D%/browser/harness.sh %D%/browser/pages.sh %D%/browser/trace.sh %D%/browser/slides.sh
browser_tests += %D%/browser/play.sh
EXTRA_DIST += %D%/browser/play.py %D%/browser/message.litmus
TESTS += $(browser_tests)
$(browser_tests:.sh=.log): weir$(EXEEXT)
%D%/browser/pages.log %D%/browser/trace.log: hand-findings$(EXEEXT) $(noinst_PROGRAMS)
EXTRA_DIST += $(browser_tests) %D%/browser/lib.sh %D%/browser/browser.py \
	%D%/browser/rules.js %D%/browser/layout.py %D%/browser/trace.py %D%/browser/harness.py %D%/browser/slides.py

# Wrong programs, and the fixes that are offered for them.
fix_tests = %D%/fixes/divergence.sh %D%/fixes/phases.sh
TESTS += $(fix_tests) %D%/fixes/sabotage.sh
%D%/fixes/sabotage.log %D%/cli/explore-fixes.log: weir-sabotaged$(EXEEXT) libweir.a weir-cc
EXTRA_PROGRAMS += weir-sabotaged
CLEANFILES += weir-sabotaged$(EXEEXT)
weir_sabotaged_SOURCES = %D%/fixes/sabotage.c
weir_sabotaged_CFLAGS = $(weir_CFLAGS)
weir_sabotaged_LDFLAGS = -Wl,--wrap=weiri_candidates_find
weir_sabotaged_LDADD = $(weir_OBJECTS) $(weir_LDADD)
$(fix_tests:.sh=.log): weir$(EXEEXT) libweir.a weir-cc
EXTRA_DIST += $(fix_tests) %D%/fixes/sabotage.sh %D%/fixes/lib.sh %D%/fixes/kernels.cu %D%/fixes/program.h %D%/fixes/count.c \
	%D%/fixes/extremes.c %D%/fixes/fence.c %D%/fixes/helper.c %D%/fixes/hist.c %D%/fixes/lock.c \
	%D%/fixes/members.c %D%/fixes/message.c %D%/fixes/rounds.c %D%/fixes/scan.c %D%/fixes/smooth.c %D%/fixes/sort.c \
	%D%/fixes/split.h %D%/fixes/split_kernel.c %D%/fixes/split_main.c \
	%D%/fixes/stencil.c %D%/fixes/swap.c %D%/fixes/ticket.c %D%/fixes/transpose.c \
	%D%/fixes/tree.c %D%/fixes/turn.c %D%/fixes/uniform.c

# Whether JSON is as a schema says, and a program that hands findings over by hand.
EXTRA_PROGRAMS += json-validate hand-findings
CLEANFILES += json-validate$(EXEEXT) hand-findings$(EXEEXT)
EXTRA_DIST += %D%/cli/sarif.schema.json %D%/cli/tree.c.txt
json_validate_SOURCES = %D%/validate.c
json_validate_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(JSON_GLIB_CFLAGS)
json_validate_LDADD = $(JSON_GLIB_LIBS) $(GLIB_LIBS)
hand_findings_SOURCES = %D%/cli/findings.c
hand_findings_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
hand_findings_LDADD = $(libweir_libs)

# A unit test is compiled with AM_CFLAGS and linked with LDADD where nothing else is
# said; a program is one line then. Where the user gives no level, tests are not optimised,
# since this takes longer than they run; what they test is. Check comes first: its calls of memcpy() are wrapped,
# too, and the library after it defines what they become.
%D%/check_%.$(OBJEXT): AM_CFLAGS += $(UNIT_CFLAGS)
$(check_PROGRAMS): private AM_LDFLAGS = $(UNIT_LDFLAGS)
test_libs = $(CHECK_LIBS) $(libweir_libs) -lpthread -lm
LDADD = $(test_libs)
EXTRA_DIST += %D%/accesses.h %D%/bounds.h %D%/brute_axioms.h %D%/brute_decide.h \
	%D%/brute_draft.h %D%/brute_examples.h %D%/brute_execution.h %D%/brute_generator.h \
	%D%/brute_program.h %D%/brute_relation.h %D%/brute_table.h %D%/brute_trace.h \
	%D%/campaign.h %D%/native_table.h %D%/cat.h %D%/cat_execution.h \
	%D%/check_symbol.h \
	%D%/enumerated.h %D%/found.h %D%/hooks_kernels.h %D%/litmus_ask.h \
	%D%/litmus_support.h %D%/logged.h \
	%D%/model_adapter.h %D%/explored.h %D%/native_kernels.h %D%/native_locks.h \
	%D%/race_draft.h %D%/race_generator.h %D%/race_program.h \
	%D%/race_reference.h %D%/race_stage.h %D%/race_texts.h %D%/races.h %D%/scene.h \
	%D%/schedules.h %D%/seam_kernel.h %D%/support.h %D%/uninit.h %D%/waits.h

check_launch_SOURCES = %D%/check_launch.c
check_process_SOURCES = %D%/check_process.c
check_ids_SOURCES = %D%/check_ids.c
check_barrier_SOURCES = %D%/check_barrier.c
check_divergence_SOURCES = %D%/check_divergence.c
check_alive_SOURCES = %D%/check_alive.c
check_collective_SOURCES = %D%/check_collective.c
check_shuffle_SOURCES = %D%/check_shuffle.c
check_lanes_SOURCES = %D%/check_lanes.c
check_named_SOURCES = %D%/check_named.c
check_mbarrier_SOURCES = %D%/check_mbarrier.c
check_item_copy_SOURCES = %D%/check_item_copy.c
check_grid_SOURCES = %D%/check_grid.c
check_atomic_SOURCES = %D%/check_atomic.c
check_reference_SOURCES = %D%/check_reference.c
check_contention_SOURCES = %D%/check_contention.c
check_combine_SOURCES = %D%/check_combine.c
check_spin_SOURCES = %D%/check_spin.c
check_fence_SOURCES = %D%/check_fence.c
check_local_SOURCES = %D%/check_local.c
check_hierarchical_SOURCES = %D%/check_hierarchical.c
check_device_SOURCES = %D%/check_device.c
check_names_SOURCES = %D%/check_names.c
check_opencl_image_SOURCES = %D%/check_opencl_image.c
check_opencl_image_LDADD = $(opencl_libs) $(test_libs) -lm
check_opencl_print_SOURCES = %D%/check_opencl_print.c
check_opencl_print_LDADD = $(opencl_libs) $(test_libs)
check_opencl_spec_SOURCES = %D%/check_opencl_spec.c
check_opencl_spec_LDADD = sim/opencl/run/weir_opencl-spec.$(OBJEXT) \
	sim/opencl/run/weir_opencl-spec-image.$(OBJEXT) $(opencl_libs) $(test_libs) -lm
check_memory_SOURCES = %D%/check_memory.c
check_stack_SOURCES = %D%/check_stack.c
check_switch_SOURCES = %D%/check_switch.c
check_stack_CFLAGS = $(AM_CFLAGS) -g
check_fault_SOURCES = %D%/check_fault.c
check_fault_CFLAGS = $(AM_CFLAGS) -g
check_handlers_SOURCES = %D%/check_handlers.c
check_finding_SOURCES = %D%/check_finding.c

# With debug information, whatever the user's flags are without.
check_symbol_SOURCES = %D%/check_symbol.c
check_symbol_CFLAGS = $(AM_CFLAGS) -g
# Programs that weir-cc builds, and the command that checks them.
check_fix_build_SOURCES = %D%/check_fix_build.c
check_fix_build_LDADD = librepair.a $(test_libs)
check_fix_build_CPPFLAGS = $(AM_CPPFLAGS) -DBUILD_DIR='"$(abs_builddir)"' \
	-DINCLUDE_DIR='"$(abs_srcdir)/sim"'
EXTRA_check_fix_build_DEPENDENCIES = weir-cc weir$(EXEEXT)

# What the command makes of findings.
document_cflags = $(AM_CFLAGS) $(JSON_GLIB_CFLAGS)
document_libs = libshow.a $(test_libs) $(JSON_GLIB_LIBS)
check_report_SOURCES = %D%/check_report.c
check_report_CFLAGS = $(document_cflags)
check_report_LDADD = $(document_libs)
check_suppress_SOURCES = %D%/check_suppress.c
check_suppress_LDADD = $(document_libs)
check_baseline_SOURCES = %D%/check_baseline.c
check_baseline_CFLAGS = $(document_cflags)
check_baseline_LDADD = $(document_libs)
check_identity_SOURCES = %D%/check_identity.c
check_identity_CFLAGS = $(document_cflags)
check_identity_LDADD = $(document_libs)
check_document_SOURCES = %D%/check_document.c
check_document_CFLAGS = $(document_cflags)
check_document_LDADD = $(document_libs)
check_wire_SOURCES = %D%/check_wire.c
check_wire_CFLAGS = $(document_cflags)
check_wire_LDADD = $(document_libs)

# Fixes: the statements of a source, and edits of it.
check_fix_source_SOURCES = %D%/check_fix_source.c
check_fix_source_LDADD = librepair.a $(test_libs)
check_fix_patch_SOURCES = %D%/check_fix_patch.c
check_fix_patch_LDADD = librepair.a $(test_libs)
check_fix_source_CPPFLAGS = $(AM_CPPFLAGS) -DSAMPLE='"$(abs_srcdir)/%D%/check_fix_source.c"'

# Schedules, and what they find. Where findings name calls or an endless loop's line,
# debug information is needed.
check_found_SOURCES = %D%/check_found.c
check_found_CFLAGS = $(AM_CFLAGS) -g
check_paths_SOURCES = %D%/check_paths.c
check_paths_CFLAGS = $(AM_CFLAGS) -g
check_progress_SOURCES = %D%/check_progress.c
check_deadlock_SOURCES = %D%/check_deadlock.c
check_limits_SOURCES = %D%/check_limits.c
check_limits_CFLAGS = $(AM_CFLAGS) -g
check_lockstep_SOURCES = %D%/check_lockstep.c
check_lockstep_CFLAGS = $(AM_CFLAGS) -g
check_options_SOURCES = %D%/check_options.c

# What checked launches find: these are instrumented, and so compiled without the flags
# of other sanitizers, with which they are linked.
check_bounds_edges_SOURCES = %D%/check_bounds_edges.c
check_bounds_beyond_SOURCES = %D%/check_bounds_beyond.c
check_bounds_pointers_SOURCES = %D%/check_bounds_pointers.c
check_races_barrier_SOURCES = %D%/check_races_barrier.c
check_races_message_SOURCES = %D%/check_races_message.c
check_races_lock_SOURCES = %D%/check_races_lock.c
check_races_memory_SOURCES = %D%/check_races_memory.c
check_races_ptx_SOURCES = %D%/check_races_ptx.c
check_native_ptx_SOURCES = %D%/check_native_ptx.c
check_native_vulkan_SOURCES = %D%/check_native_vulkan.c
check_uninit_found_SOURCES = %D%/check_uninit_found.c
check_uninit_silent_SOURCES = %D%/check_uninit_silent.c
check_uninit_trace_SOURCES = %D%/check_uninit_trace.c
uninit_objects = %D%/check_uninit_found.$(OBJEXT) %D%/check_uninit_silent.$(OBJEXT) \
	%D%/check_uninit_trace.$(OBJEXT)
instrumented_objects = $(uninit_objects) %D%/check_bounds_edges.$(OBJEXT) \
	%D%/check_bounds_beyond.$(OBJEXT) %D%/check_bounds_pointers.$(OBJEXT) \
	%D%/check_lanes.$(OBJEXT) %D%/check_named.$(OBJEXT) %D%/check_mbarrier.$(OBJEXT) \
	%D%/check_item_copy.$(OBJEXT) %D%/check_grid.$(OBJEXT) \
	%D%/check_races_barrier.$(OBJEXT) %D%/check_races_message.$(OBJEXT) \
	%D%/check_races_lock.$(OBJEXT) %D%/check_races_memory.$(OBJEXT) \
	%D%/check_races_ptx.$(OBJEXT) %D%/check_native_ptx.$(OBJEXT) \
	%D%/check_native_vulkan.$(OBJEXT)
$(instrumented_objects): AM_CPPFLAGS += $(INSTRUMENT_CPPFLAGS)
$(instrumented_objects): AM_CFLAGS = $(BASE_CFLAGS) $(GLIB_CFLAGS) $(CHECK_CFLAGS) $(CHECKED_CFLAGS)
check_schedule_SOURCES = %D%/check_schedule.c
check_replay_SOURCES = %D%/check_replay.c
check_trace_SOURCES = %D%/check_trace.c

# The race detector against brute force, which is tested by itself. By hand,
# `check-races` tries many more programs: some ten minutes.
race_sources = %D%/race_program.c %D%/race_reference.c
check_race_reference_SOURCES = %D%/check_race_reference.c $(race_sources)
check_shortcuts_SOURCES = %D%/check_shortcuts.c %D%/race_stage.c $(race_sources)
check_races_random_SOURCES = %D%/check_races_random.c %D%/race_draft.c \
	%D%/race_generator.c %D%/race_stage.c $(race_sources)

check-races: check-races-random$(EXEEXT)
	$(AM_V_at)./check-races-random 1 200000
.PHONY: check-races

# The same tests with the stackless entries of their kernels.
if HAVE_CHECK
if HAVE_STACKLESS
stackless_tests = check-barrier-stackless check-collective-stackless check-divergence-stackless check-fault-stackless \
	check-fence-stackless check-ids-stackless check-lanes-stackless check-launch-stackless check-local-stackless \
	check-process-stackless check-progress-stackless check-shuffle-stackless check-spin-stackless \
	check-stack-stackless
check_PROGRAMS += $(stackless_tests)
split_test_files = %D%/check_barrier.split.o %D%/check_collective.split.o %D%/check_divergence.split.o %D%/check_fault.split.o \
	%D%/check_fence.split.o %D%/check_ids.split.o %D%/check_lanes.split.o %D%/check_launch.split.o %D%/check_local.split.o \
	%D%/check_process.split.o %D%/check_progress.split.o %D%/check_shuffle.split.o %D%/check_spin.split.o \
	%D%/check_stack.split.o
$(split_test_files): weir-cc weir-split $(split_headers)
CLEANFILES += $(split_test_files)
check_barrier_stackless_SOURCES = $(check_barrier_SOURCES)
check_barrier_stackless_LDADD = %D%/check_barrier.split.o $(test_libs)
check_collective_stackless_SOURCES = $(check_collective_SOURCES)
check_collective_stackless_LDADD = %D%/check_collective.split.o $(test_libs)
check_divergence_stackless_SOURCES = $(check_divergence_SOURCES)
check_divergence_stackless_LDADD = %D%/check_divergence.split.o $(test_libs)
check_fault_stackless_SOURCES = $(check_fault_SOURCES)
check_fault_stackless_LDADD = %D%/check_fault.split.o $(test_libs)
check_fence_stackless_SOURCES = $(check_fence_SOURCES)
check_fence_stackless_LDADD = %D%/check_fence.split.o $(test_libs)
check_ids_stackless_SOURCES = $(check_ids_SOURCES)
check_ids_stackless_LDADD = %D%/check_ids.split.o $(test_libs)
check_lanes_stackless_SOURCES = $(check_lanes_SOURCES)
check_lanes_stackless_LDADD = %D%/check_lanes.split.o $(test_libs)
check_launch_stackless_SOURCES = $(check_launch_SOURCES)
check_launch_stackless_LDADD = %D%/check_launch.split.o $(test_libs)
check_local_stackless_SOURCES = $(check_local_SOURCES)
check_local_stackless_LDADD = %D%/check_local.split.o $(test_libs)
check_process_stackless_SOURCES = $(check_process_SOURCES)
check_process_stackless_LDADD = %D%/check_process.split.o $(test_libs)
check_progress_stackless_SOURCES = $(check_progress_SOURCES)
check_progress_stackless_LDADD = %D%/check_progress.split.o $(test_libs)
check_shuffle_stackless_SOURCES = $(check_shuffle_SOURCES)
check_shuffle_stackless_LDADD = %D%/check_shuffle.split.o $(test_libs)
check_spin_stackless_SOURCES = $(check_spin_SOURCES)
check_spin_stackless_LDADD = %D%/check_spin.split.o $(test_libs)
check_stack_stackless_SOURCES = $(check_stack_SOURCES)
check_stack_stackless_LDADD = %D%/check_stack.split.o $(test_libs)
check_stack_stackless_CFLAGS = $(AM_CFLAGS) -g
check_fault_stackless_CFLAGS = $(AM_CFLAGS) -g
endif
endif

check_kernels_SOURCES = %D%/check_kernels.c
check_kernels_LDADD = libkernels.a $(test_libs)
check_kernels_checked_SOURCES = %D%/check_kernels_checked.c
check_kernels_checked_LDADD = libkernels.a $(test_libs)

# Every execution that a model allows.
check_explore_SOURCES = %D%/check_explore.c $(litmus_support)
check_estimate_SOURCES = %D%/check_estimate.c $(litmus_support)
check_step_SOURCES = %D%/check_step.c $(litmus_support)
check_step_CPPFLAGS = $(AM_CPPFLAGS) -DSAMPLES='"$(abs_srcdir)/%D%/litmus"' \
	-DTABLES='"$(abs_srcdir)/%D%/tables"'
check_play_SOURCES = %D%/check_play.c
check_play_CPPFLAGS = $(AM_CPPFLAGS) -DSAMPLES='"$(abs_srcdir)/%D%/litmus"'
check_litmus_races_SOURCES = %D%/check_litmus_races.c $(litmus_support)
check_litmus_races_CPPFLAGS = $(AM_CPPFLAGS) -DSAMPLES='"$(abs_srcdir)/%D%/litmus"'

# Litmus tests: their text, what is refused, and how their threads run.
litmus_support = %D%/litmus_support.c
check_litmus_text_SOURCES = %D%/check_litmus_text.c $(litmus_support)
check_litmus_refused_SOURCES = %D%/check_litmus_refused.c $(litmus_support)
check_litmus_table_SOURCES = %D%/check_litmus_table.c $(litmus_support)
check_litmus_table_refused_SOURCES = %D%/check_litmus_table_refused.c $(litmus_support)
check_meet_SOURCES = %D%/check_meet.c $(litmus_support)
check_litmus_run_SOURCES = %D%/check_litmus_run.c $(litmus_support)
check_litmus_run_CPPFLAGS = $(AM_CPPFLAGS) -DSAMPLES='"$(abs_srcdir)/%D%/litmus"'

# Memory models by their axioms: of executions made by hand, and of all that there are.
check_relation_SOURCES = %D%/check_relation.c
check_axioms_SOURCES = %D%/check_axioms.c
check_axioms_scoped_SOURCES = %D%/check_axioms_scoped.c
check_enumerate_SOURCES = %D%/check_enumerate.c $(litmus_support)
check_nearest_SOURCES = %D%/check_nearest.c $(litmus_support)
check_nearest_CPPFLAGS = $(AM_CPPFLAGS) -DSAMPLES='"$(abs_srcdir)/%D%/litmus"'
check_answer_SOURCES = %D%/check_answer.c
check_blocked_SOURCES = %D%/check_blocked.c %D%/brute_draft.c %D%/brute_generator.c \
	$(brute_sources)
check_drawn_SOURCES = %D%/check_drawn.c
check_termination_SOURCES = %D%/check_termination.c
check_verdicts_SOURCES = %D%/check_verdicts.c $(litmus_support)
check_verdicts_CPPFLAGS = $(AM_CPPFLAGS) -DSAMPLES='"$(abs_srcdir)/%D%/litmus"'

# What machines have shown, where a table of it is at hand.
check_hardware_SOURCES = %D%/check_hardware.c

# Litmus tests for people, and what `weir litmus --list` shows, in that order.
litmus_library = \
	%D%/litmus/mp.litmus \
	%D%/litmus/relaxed-write.litmus \
	%D%/litmus/mp-relaxed.litmus \
	%D%/litmus/mp-half.litmus \
	%D%/litmus/mp-fences.litmus \
	%D%/litmus/sb-relaxed.litmus \
	%D%/litmus/sb-acq-rel.litmus \
	%D%/litmus/sb-seq-cst.litmus \
	%D%/litmus/sb-fences.litmus \
	%D%/litmus/lb-relaxed.litmus \
	%D%/litmus/lb-dependency.litmus \
	%D%/litmus/lb-thin-air.litmus \
	%D%/litmus/lb-acq-rel.litmus \
	%D%/litmus/lb-fences.litmus \
	%D%/litmus/coherence.litmus \
	%D%/litmus/coherence-write-read.litmus \
	%D%/litmus/coherence-read-write.litmus \
	%D%/litmus/increment-plain.litmus \
	%D%/litmus/increment-split.litmus \
	%D%/litmus/increment-rmw.litmus \
	%D%/litmus/exchange.litmus \
	%D%/litmus/cas.litmus \
	%D%/litmus/cas-failure-order.litmus \
	%D%/litmus/increment.litmus \
	%D%/litmus/wrc.litmus \
	%D%/litmus/wrc-relaxed.litmus \
	%D%/litmus/isa2.litmus \
	%D%/litmus/s.litmus \
	%D%/litmus/r.litmus \
	%D%/litmus/r-seq-cst.litmus \
	%D%/litmus/2+2w.litmus \
	%D%/litmus/2+2w-seq-cst.litmus \
	%D%/litmus/iriw-acq-rel.litmus \
	%D%/litmus/iriw-seq-cst.litmus \
	%D%/litmus/iriw-fences.litmus \
	%D%/litmus/rwc-mixed.litmus \
	%D%/litmus/release-sequence.litmus \
	%D%/litmus/release-sequence-same.litmus \
	%D%/litmus/release-sequence-broken.litmus \
	%D%/litmus/release-sequence-gap.litmus \
	%D%/litmus/spin.litmus \
	%D%/litmus/lock.litmus \
	%D%/litmus/lock-try.litmus \
	%D%/litmus/lock-relaxed.litmus \
	%D%/litmus/ticket.litmus \
	%D%/litmus/dekker.litmus \
	%D%/litmus/dekker-acq-rel.litmus \
	%D%/litmus/peterson.litmus \
	%D%/litmus/peterson-exchange.litmus \
	%D%/litmus/mp-scope-group.litmus \
	%D%/litmus/mp-scope-narrow.litmus \
	%D%/litmus/mp-scope-device.litmus \
	%D%/litmus/mp-scope-one-side.litmus \
	%D%/litmus/mp-scope-differ.litmus \
	%D%/litmus/mp-scope-fences.litmus \
	%D%/litmus/sb-scope-group.litmus \
	%D%/litmus/sb-scope-narrow.litmus \
	%D%/litmus/sb-scope-fences.litmus \
	%D%/litmus/increment-scope-group.litmus \
	%D%/litmus/increment-scope-narrow.litmus \
	%D%/litmus/scopes.litmus \
	%D%/litmus/isa2-scope-narrow.litmus \
	%D%/litmus/wrc-scope.litmus \
	%D%/litmus/wrc-scope-narrow.litmus \
	%D%/litmus/2+2w-scope-group.litmus \
	%D%/litmus/2+2w-scope-narrow.litmus \
	%D%/litmus/iriw-scope-group.litmus \
	%D%/litmus/iriw-scope-narrow.litmus \
	%D%/litmus/release-sequence-scope.litmus \
	%D%/litmus/spaces.litmus \
	%D%/litmus/spaces-seq-cst.litmus \
	%D%/litmus/spaces-fence.litmus \
	%D%/litmus/fences.litmus \
	%D%/litmus/barrier-missing.litmus \
	%D%/litmus/barrier.litmus \
	%D%/litmus/barrier-spaces.litmus \
	%D%/litmus/barrier-reuse.litmus \
	%D%/litmus/barrier-reuse-missing.litmus \
	%D%/litmus/barrier-groups.litmus \
	%D%/litmus/barrier-publish.litmus \
	%D%/litmus/barrier-publish-narrow.litmus \
	%D%/litmus/barrier-publish-spaces.litmus \
	%D%/litmus/barrier-diverged.litmus \
	%D%/litmus/last-group.litmus \
	%D%/litmus/last-group-relaxed.litmus \
	%D%/litmus/last-group-narrow.litmus \
	%D%/litmus/last-group-of-three.litmus \
	%D%/litmus/last-group-items.litmus \
	%D%/litmus/last-group-items-missing.litmus \
	%D%/litmus/last-group-told.litmus \
	%D%/litmus/question-scopes-differ.litmus \
	%D%/litmus/question-work-item.litmus \
	%D%/litmus/question-spaces-lock.litmus \
	%D%/litmus/question-fence-barrier.litmus \
	%D%/litmus/question-barrier-publish.litmus \
	%D%/litmus/question-barrier-order.litmus \
	%D%/litmus/filter.litmus \
	%D%/litmus/types.litmus
EXTRA_DIST += $(litmus_library)

# Memory models, decided a second time by brute force, which is tested by itself. By
# hand, `check-all-models` compares many more programs: some five minutes.
brute_sources = %D%/brute_axioms.c %D%/brute_decide.c %D%/brute_examples_c11.c \
	%D%/brute_examples_counted.c %D%/brute_examples_scoped.c %D%/brute_execution.c \
	%D%/brute_program.c %D%/brute_trace.c
check_brute_SOURCES = %D%/check_brute.c $(brute_sources)
check_models_SOURCES = %D%/check_models.c %D%/brute_draft.c %D%/brute_generator.c \
	%D%/model_adapter.c $(brute_sources)
check_spins_SOURCES = %D%/check_spins.c %D%/model_adapter.c

# The models of PTX and Vulkan. By hand, `check-all-models` compares 5000 programs of each.
check_tables_SOURCES = %D%/check_tables.c %D%/brute_ptx.c %D%/brute_table.c \
	%D%/brute_table_draw.c %D%/brute_table_text.c %D%/brute_vulkan.c $(litmus_support)
check_tables_CPPFLAGS = $(AM_CPPFLAGS) -DTABLES='"$(abs_srcdir)/%D%/tables"'
EXTRA_DIST += \
	%D%/tables/ptx-acq-rel-acquires.litmus \
	%D%/tables/ptx-acq-rel-releases.litmus \
	%D%/tables/ptx-atom-acquire.litmus \
	%D%/tables/ptx-atom-fence.litmus \
	%D%/tables/ptx-barrier-loop-after.litmus \
	%D%/tables/ptx-barrier-loop-before.litmus \
	%D%/tables/ptx-fences-cta-wide-flag.litmus \
	%D%/tables/ptx-fences-gpu-wide-flag.litmus \
	%D%/tables/ptx-flag-by-alias.litmus \
	%D%/tables/ptx-flag-by-name.litmus \
	%D%/tables/ptx-flag-generic-to-surface.litmus \
	%D%/tables/ptx-flag-surface-to-surface.litmus \
	%D%/tables/ptx-question-barrier-order.litmus \
	%D%/tables/ptx-question-barrier-publish-release.litmus \
	%D%/tables/ptx-question-barrier-publish.litmus \
	%D%/tables/ptx-question-fence-barrier.litmus \
	%D%/tables/ptx-question-scopes-differ.litmus \
	%D%/tables/ptx-question-scopes-exclude.litmus \
	%D%/tables/ptx-question-spaces-lock.litmus \
	%D%/tables/ptx-red-acquire.litmus \
	%D%/tables/ptx-red-fence.litmus \
	%D%/tables/ptx-relaxed-then-acquire.litmus \
	%D%/tables/ptx-relaxed-then-weak.litmus \
	%D%/tables/ptx-release-then-relaxed.litmus \
	%D%/tables/ptx-release-then-weak.litmus \
	%D%/tables/ptx-sb-sc-gpu.litmus \
	%D%/tables/ptx-sb-sc-sys.litmus \
	%D%/tables/ptx-sc-acquires.litmus \
	%D%/tables/ptx-sc-narrow-after-acquire.litmus \
	%D%/tables/ptx-sc-releases.litmus \
	%D%/tables/ptx-surface-to-texture-both.litmus \
	%D%/tables/ptx-surface-to-texture-late-alias.litmus \
	%D%/tables/ptx-surface-to-texture-no-alias.litmus \
	%D%/tables/ptx-thin-air-add.litmus \
	%D%/tables/ptx-thin-air-cas.litmus \
	%D%/tables/ptx-thin-air-exchange.litmus \
	%D%/tables/ptx-weak-then-acquire.litmus \
	%D%/tables/ptx-weak-then-weak.litmus \
	%D%/tables/vulkan-barrier-alone.litmus \
	%D%/tables/vulkan-barrier-exec-dv.litmus \
	%D%/tables/vulkan-barrier-exec-wg.litmus \
	%D%/tables/vulkan-barrier-middle-narrow.litmus \
	%D%/tables/vulkan-barrier-middle-wide.litmus \
	%D%/tables/vulkan-barrier-passes-on.litmus \
	%D%/tables/vulkan-chain.litmus \
	%D%/tables/vulkan-chain-direct.litmus \
	%D%/tables/vulkan-chain-missing.litmus \
	%D%/tables/vulkan-flag-by-one-reference.litmus \
	%D%/tables/vulkan-flag-by-two-references.litmus \
	%D%/tables/vulkan-last-in-order.litmus \
	%D%/tables/vulkan-last-in-race.litmus \
	%D%/tables/vulkan-question-barrier-order.litmus \
	%D%/tables/vulkan-question-barrier-publish-release.litmus \
	%D%/tables/vulkan-question-barrier-publish.litmus \
	%D%/tables/vulkan-question-fence-after-barrier.litmus \
	%D%/tables/vulkan-question-fence-barrier.litmus \
	%D%/tables/vulkan-question-scopes-differ.litmus \
	%D%/tables/vulkan-question-scopes-exclude.litmus \
	%D%/tables/vulkan-question-spaces-lock-both.litmus \
	%D%/tables/vulkan-question-spaces-lock.litmus \
	%D%/tables/vulkan-release-sequence-own-write.litmus \
	%D%/tables/vulkan-release-sequence-write.litmus \
	%D%/tables/vulkan-release-sequence.litmus \
	%D%/tables/vulkan-shadowed-atomic.litmus \
	%D%/tables/vulkan-shadowed-chain-broken.litmus \
	%D%/tables/vulkan-shadowed-chain.litmus \
	%D%/tables/vulkan-shadowed-plain.litmus \
	%D%/tables/vulkan-writes-by-one-reference.litmus \
	%D%/tables/vulkan-writes-by-two-references.litmus

# The models as files of docs/models/ against those of the library.
check_cat_SOURCES = %D%/check_cat.c %D%/brute_ptx.c %D%/brute_table.c \
	%D%/brute_table_draw.c %D%/brute_table_text.c %D%/brute_vulkan.c %D%/cat.c \
	%D%/cat_execution.c $(litmus_support)
check_cat_CPPFLAGS = $(AM_CPPFLAGS) -DTABLES='"$(abs_srcdir)/%D%/tables"' \
	-DMODELS='"$(abs_srcdir)/docs/models"'

check-litmus: check-explore$(EXEEXT) check-litmus-races$(EXEEXT) \
		check-litmus-run$(EXEEXT) check-litmus-table$(EXEEXT) check-cat$(EXEEXT) \
		check-verdicts$(EXEEXT) check-hardware$(EXEEXT) check-all-models
	$(AM_V_at)for test in explore litmus-races litmus-run litmus-table cat verdicts hardware; do \
	  ./check-$$test || exit 1; \
	done
.PHONY: check-litmus

# SYCL programs of a folder, such as the listings of documents, which are not here:
# WEIR_LISTINGS names it, or several. listings.py says what is in it.
check-listings: libweir.a weir$(EXEEXT) weir-c++
	@test -n "$$WEIR_LISTINGS" \
	  || { echo "check-listings: WEIR_LISTINGS names no folder" >&2; exit 2; }
	$(AM_V_at)WEIR_LIB_DIR=$$PWD WEIR_INCLUDE_DIR=$$(cd $(srcdir)/sim && pwd) \
	  python3 $(srcdir)/tests/listings.py ./weir-c++ ./weir $$WEIR_LISTINGS
EXTRA_DIST += %D%/listings.py
.PHONY: check-listings

# By hand, with a build of Khronos' OpenCL-CTS, which is not here.
EXTRA_DIST += %D%/conformance/run

check-all-models: check-models$(EXEEXT) check-tables$(EXEEXT)
	$(AM_V_at)WEIR_MODEL_PROGRAMS=20000 ./check-models
	$(AM_V_at)WEIR_TABLE_PROGRAMS=5000 ./check-tables
.PHONY: check-all-models

check_clock_SOURCES = %D%/check_clock.c
check_own_stack_SOURCES = %D%/check_own_stack.c
check_commands_SOURCES = %D%/check_commands.c
check_ptx_SOURCES = \
	%D%/check_ptx.c \
	sim/cuda-cc/constraints.c \
	sim/cuda-cc/ptx.h \
	sim/cuda-cc/ptx-read.c \
	sim/cuda-cc/ptx-words.c
check_opencl_text_SOURCES = %D%/check_opencl_text.c
check_opencl_text_LDADD = $(opencl_libs) $(LDADD)
# Kernels are loaded, and refer to what is in the program.
check_opencl_build_SOURCES = %D%/check_opencl_build.c
check_opencl_build_LDFLAGS = -rdynamic -Wl,--whole-archive,libweir.a,--no-whole-archive
check_opencl_build_LDADD = $(opencl_libs) $(LDADD)
check_opencl_builtins_SOURCES = %D%/check_opencl_builtins.c
check_opencl_builtins_LDFLAGS = -rdynamic \
	-Wl,--whole-archive,libweir.a,libopencl-compile.a,libopencl-device.a,--no-whole-archive
check_opencl_builtins_LDADD = $(LDADD)
EXTRA_check_opencl_builtins_DEPENDENCIES = $(opencl_libs)
# They start these, which nothing else builds where the tests of mutants run.
check-opencl-build.log check-opencl-builtins.log: weir-opencl-cc$(EXEEXT) weir-split$(EXEEXT)
EXTRA_DIST += %D%/opencl/alignment.cl %D%/opencl/atomics.cl %D%/opencl/components.cl %D%/opencl/copies.cl \
	%D%/opencl/groups.cl %D%/opencl/ids.cl %D%/opencl/images.cl %D%/opencl/numbers.cl %D%/opencl/missing \
	%D%/opencl/private.cl %D%/opencl/uneven.cl

# The machine from inside. The kernel that it watches is instrumented, and so apart.
check_LIBRARIES += libseam.a
libseam_a_SOURCES = %D%/seam_kernel.c
libseam_a_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUMENT_CPPFLAGS)
libseam_a_CFLAGS = $(BASE_CFLAGS)
check_LIBRARIES += libhooked.a
libhooked_a_SOURCES = %D%/hooks_kernels.c
libhooked_a_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUMENT_CPPFLAGS)
libhooked_a_CFLAGS = $(BASE_CFLAGS)
check_LIBRARIES += libexplored.a
libexplored_a_SOURCES = %D%/native_kernels.c %D%/native_locks.c
libexplored_a_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUMENT_CPPFLAGS)
libexplored_a_CFLAGS = $(BASE_CFLAGS) $(CHECKED_CFLAGS)
check_native_SOURCES = %D%/check_native.c
check_native_LDADD = libexplored.a $(test_libs)
check_native_limits_SOURCES = %D%/check_native_limits.c
check_native_limits_LDADD = libexplored.a $(test_libs)
check_native_locks_SOURCES = %D%/check_native_locks.c
check_native_locks_LDADD = libexplored.a $(test_libs)
check_native_ranks_SOURCES = %D%/check_native_ranks.c
check_native_ranks_LDADD = libexplored.a $(test_libs)
check_native_play_SOURCES = %D%/check_native_play.c
check_native_play_LDADD = libexplored.a $(test_libs)
check_native_why_SOURCES = %D%/check_native_why.c
check_native_why_LDADD = libexplored.a $(test_libs)
check_native_symmetry_SOURCES = %D%/check_native_symmetry.c
check_native_symmetry_LDADD = libexplored.a $(test_libs)
check_native_blind_SOURCES = %D%/check_native_blind.c
check_native_blind_LDADD = libexplored.a $(test_libs)

# Kernels against litmus tests: a kernel for each, which is written, compiled, explored and
# compared. `check-native-litmus` does so with the tests of the folder WEIR_LITMUS_DIR, too:
# some three minutes.
EXTRA_PROGRAMS += native-litmus-write
EXTRA_LIBRARIES += libnativelitmus.a
CLEANFILES += native-litmus-write$(EXEEXT) libnativelitmus.a
native_litmus_write_SOURCES = %D%/native_litmus_write.c %D%/native_litmus.h
native_litmus_write_LDADD = $(libweir_libs) -lpthread -lm
libnativelitmus_a_SOURCES = %D%/native_litmus.c %D%/native_litmus.h \
	%D%/native_litmus_fast.c %D%/native_litmus_fast.h \
	%D%/native_litmus_turns.c %D%/native_litmus_turns.h
if HAVE_HOOKS
TESTS += %D%/native-litmus.sh
endif
%D%/native-litmus.log: native-litmus-write$(EXEEXT) libnativelitmus.a libweir.a weir-cc
EXTRA_DIST += %D%/native-litmus.sh %D%/native-litmus/ends-alike.litmus \
	%D%/native-litmus/racy-blocked.litmus %D%/native-litmus/same-store.litmus \
	%D%/native-litmus/two-reads.litmus %D%/native-litmus/two-reads-exchange.litmus \
	%D%/native-litmus/weak-lock.litmus

check-native-litmus: native-litmus-write$(EXEEXT) libnativelitmus.a libweir.a weir-cc
	$(AM_V_at)WEIR_NATIVE_LITMUS_DIR="$$WEIR_LITMUS_DIR" $(MAKE) $(AM_MAKEFLAGS) check \
	  TESTS='%D%/native-litmus.sh'
.PHONY: check-native-litmus
check_hooks_SOURCES = %D%/check_hooks.c
check_hooks_LDADD = libhooked.a $(test_libs)
check_machine_SOURCES = %D%/check_machine.c
check_machine_LDADD = libseam.a $(test_libs)
