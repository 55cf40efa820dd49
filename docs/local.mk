# SPDX-License-Identifier: MIT
#
# Manual pages and documents.

dist_man_MANS += \
	%D%/man/weir.1 \
	%D%/man/weir-bench.1 \
	%D%/man/weir-cc.1 \
	%D%/man/weir-check.1 \
	%D%/man/weir-device.1 \
	%D%/man/weir-doctor.1 \
	%D%/man/weir-gdb.7 \
	%D%/man/weir-exercise.1 \
	%D%/man/weir-list.1 \
	%D%/man/weir-explore.1 \
	%D%/man/weir-litmus.1 \
	%D%/man/weir-replay.1 \
	%D%/man/weir-run.1 \
	%D%/man/weir-shrink.1 \
	%D%/man/weir.3

dist_doc_DATA += \
	%D%/architecture.md \
	%D%/debugging.md \
	%D%/devices.md \
	%D%/divergence.md \
	%D%/execution.md \
	%D%/exercises.md \
	%D%/fixes.md \
	%D%/exploration.md \
	%D%/lockstep.md \
	%D%/memory-model.md \
	%D%/performance.md \
	%D%/play.md \
	%D%/race-detection.md \
	%D%/schedules.md \
	%D%/sources.md \
	%D%/tutorial-divergence.md \
	%D%/tutorial-last-group.md \
	%D%/tutorial-litmus.md \
	%D%/tutorial-race.md \
	%D%/weir-check.schema.json \
	%D%/weir-litmus.schema.json
