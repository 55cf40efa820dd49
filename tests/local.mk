# SPDX-License-Identifier: MIT
#
# The unit tests: programs of Check, one a subject, and scripts for the command.

if HAVE_CHECK
check_PROGRAMS += \
	check-machine \
	check-launch \
	check-process \
	check-ids \
	check-barrier \
	check-divergence \
	check-collective \
	check-shuffle \
	check-atomic \
	check-reference \
	check-contention \
	check-spin \
	check-fence \
	check-local \
	check-hierarchical \
	check-device \
	check-memory \
	check-stack \
	check-finding \
	check-symbol \
	check-report \
	check-wire \
	check-found \
	check-progress \
	check-limits \
	check-options \
	check-schedule \
	check-replay \
	check-kernels
endif

cli_tests = \
	%D%/cli/command.sh \
	%D%/cli/list.sh \
	%D%/cli/device.sh \
	%D%/cli/run.sh \
	%D%/cli/input.sh \
	%D%/cli/bench.sh \
	%D%/cli/check.sh \
	%D%/cli/replay.sh \
	%D%/cli/shrink.sh
TESTS += $(cli_tests) %D%/quiet.sh %D%/symbol.sh %D%/gdb.sh
$(cli_tests:.sh=.log): weir$(EXEEXT)
%D%/cli/check.log %D%/cli/replay.log %D%/cli/shrink.log: libweir.a weir-cc
%D%/symbol.log %D%/gdb.log: libweir.a
EXTRA_DIST += %D%/cli/replays/reduce_atomics3.schedule \
	%D%/cli/replays/reduce_builtin.schedule \
	%D%/cli/replays/reduce_last_group.schedule \
	%D%/cli/replays/reduce_shuffle.schedule
EXTRA_DIST += $(cli_tests) %D%/cli/lib.sh %D%/cli/program.sh %D%/cli/program.c \
	%D%/quiet.sh %D%/symbol.sh %D%/gdb.sh %D%/gdb/items.c

test_cflags = $(AM_CFLAGS) $(GLIB_CFLAGS) $(CHECK_CFLAGS)
test_libs = $(libweir_libs) $(CHECK_LIBS) -lpthread -lm

check_launch_SOURCES = %D%/check_launch.c %D%/support.h
check_launch_CFLAGS = $(test_cflags)
check_launch_LDADD = $(test_libs)

check_process_SOURCES = %D%/check_process.c %D%/support.h
check_process_CFLAGS = $(test_cflags)
check_process_LDADD = $(test_libs)

check_ids_SOURCES = %D%/check_ids.c %D%/support.h
check_ids_CFLAGS = $(test_cflags)
check_ids_LDADD = $(test_libs)

check_barrier_SOURCES = %D%/check_barrier.c %D%/support.h
check_barrier_CFLAGS = $(test_cflags)
check_barrier_LDADD = $(test_libs)

check_divergence_SOURCES = %D%/check_divergence.c %D%/support.h
check_divergence_CFLAGS = $(test_cflags)
check_divergence_LDADD = $(test_libs)

check_collective_SOURCES = %D%/check_collective.c %D%/support.h
check_collective_CFLAGS = $(test_cflags)
check_collective_LDADD = $(test_libs)

check_shuffle_SOURCES = %D%/check_shuffle.c %D%/support.h
check_shuffle_CFLAGS = $(test_cflags)
check_shuffle_LDADD = $(test_libs)

check_atomic_SOURCES = %D%/check_atomic.c %D%/support.h
check_atomic_CFLAGS = $(test_cflags)
check_atomic_LDADD = $(test_libs)

check_reference_SOURCES = %D%/check_reference.c %D%/support.h
check_reference_CFLAGS = $(test_cflags)
check_reference_LDADD = $(test_libs)

check_contention_SOURCES = %D%/check_contention.c %D%/support.h
check_contention_CFLAGS = $(test_cflags)
check_contention_LDADD = $(test_libs)

check_spin_SOURCES = %D%/check_spin.c %D%/support.h
check_spin_CFLAGS = $(test_cflags)
check_spin_LDADD = $(test_libs)

check_fence_SOURCES = %D%/check_fence.c %D%/support.h
check_fence_CFLAGS = $(test_cflags)
check_fence_LDADD = $(test_libs)

check_local_SOURCES = %D%/check_local.c %D%/support.h
check_local_CFLAGS = $(test_cflags)
check_local_LDADD = $(test_libs)

check_hierarchical_SOURCES = %D%/check_hierarchical.c %D%/support.h
check_hierarchical_CFLAGS = $(test_cflags)
check_hierarchical_LDADD = $(test_libs)

check_device_SOURCES = %D%/check_device.c %D%/support.h
check_device_CFLAGS = $(test_cflags)
check_device_LDADD = $(test_libs)

check_memory_SOURCES = %D%/check_memory.c %D%/support.h
check_memory_CFLAGS = $(test_cflags)
check_memory_LDADD = $(test_libs)

check_stack_SOURCES = %D%/check_stack.c %D%/support.h
check_stack_CFLAGS = $(test_cflags)
check_stack_LDADD = $(test_libs)

check_finding_SOURCES = %D%/check_finding.c %D%/support.h
check_finding_CFLAGS = $(test_cflags)
check_finding_LDADD = $(test_libs)

# With debug information, whatever the user's flags are without.
check_symbol_SOURCES = %D%/check_symbol.c %D%/check_symbol.h %D%/support.h
check_symbol_CFLAGS = $(test_cflags) -g
check_symbol_LDADD = $(test_libs)

check_report_SOURCES = %D%/check_report.c %D%/support.h sim/report/json.c
check_report_CFLAGS = $(test_cflags) $(JSON_GLIB_CFLAGS)
check_report_LDADD = $(test_libs) $(JSON_GLIB_LIBS)

check_wire_SOURCES = %D%/check_wire.c %D%/support.h
check_wire_CFLAGS = $(test_cflags)
check_wire_LDADD = $(test_libs)

# Schedules, and what they find. Where findings name calls or an endless loop's line,
# debug information is needed.
check_found_SOURCES = %D%/check_found.c %D%/schedules.h %D%/support.h
check_found_CFLAGS = $(test_cflags) -g
check_found_LDADD = $(test_libs)

check_progress_SOURCES = %D%/check_progress.c %D%/schedules.h %D%/waits.h %D%/support.h
check_progress_CFLAGS = $(test_cflags)
check_progress_LDADD = $(test_libs)

check_limits_SOURCES = %D%/check_limits.c %D%/schedules.h %D%/waits.h %D%/support.h
check_limits_CFLAGS = $(test_cflags) -g
check_limits_LDADD = $(test_libs)

check_options_SOURCES = %D%/check_options.c %D%/schedules.h %D%/support.h
check_options_CFLAGS = $(test_cflags)
check_options_LDADD = $(test_libs)

check_schedule_SOURCES = %D%/check_schedule.c %D%/schedules.h %D%/logged.h %D%/support.h
check_schedule_CFLAGS = $(test_cflags)
check_schedule_LDADD = $(test_libs)

check_replay_SOURCES = %D%/check_replay.c %D%/schedules.h %D%/logged.h %D%/support.h
check_replay_CFLAGS = $(test_cflags)
check_replay_LDADD = $(test_libs)

check_kernels_SOURCES = %D%/check_kernels.c %D%/support.h
check_kernels_CFLAGS = $(test_cflags)
check_kernels_LDADD = libkernels.a $(test_libs)

# The machine from inside. The kernel that it watches is instrumented, and so apart.
check_LIBRARIES += libseam.a
libseam_a_SOURCES = %D%/seam_kernel.c %D%/seam_kernel.h
libseam_a_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUMENT_CPPFLAGS)
libseam_a_CFLAGS = $(BASE_CFLAGS)
check_machine_SOURCES = %D%/check_machine.c %D%/seam_kernel.h
check_machine_CFLAGS = $(test_cflags)
check_machine_LDADD = libseam.a $(test_libs)
