# SPDX-License-Identifier: MIT
#
# The library and the command. Folders are in the order of the layers.

include_HEADERS += \
	%D%/weir.h \
	%D%/weir-kernel.h \
	%D%/weir-model.h \
	%D%/weir-play.h \
	%D%/weir-collective.h \
	%D%/weir-atomic.h \
	%D%/weir-machinery.h \
	%D%/weir-machinery-shared.h \
	%D%/weir-machinery-atomic.h \
	%D%/weir-machinery-split.h

# In a folder of their own, as a machine may have another SYCL.
syclmachinedir = $(includedir)/weir-sycl
dist_syclmachine_DATA = %D%/sycl/sycl-machine.h
syclcldir = $(includedir)/weir-sycl/CL
dist_syclcl_DATA = %D%/sycl/CL/sycl.hpp
sycldir = $(includedir)/weir-sycl/sycl
dist_sycl_DATA = %D%/sycl/sycl/sycl.hpp \
	%D%/sycl/sycl/accessor.hpp \
	%D%/sycl/sycl/atomic_ref.hpp \
	%D%/sycl/sycl/builtins.hpp \
	%D%/sycl/sycl/group_algorithm.hpp \
	%D%/sycl/sycl/half_type.hpp \
	%D%/sycl/sycl/kernel_bundle.hpp \
	%D%/sycl/sycl/marray.hpp \
	%D%/sycl/sycl/reduction.hpp \
	%D%/sycl/sycl/stream.hpp \
	%D%/sycl/sycl/usm.hpp \
	%D%/sycl/sycl/vector.hpp
sycldetaildir = $(includedir)/weir-sycl/sycl/detail
dist_sycldetail_DATA = %D%/sycl/sycl/detail/core.hpp
syclextoneapidir = $(includedir)/weir-sycl/sycl/ext/oneapi
dist_syclextoneapi_DATA = %D%/sycl/sycl/ext/oneapi/bfloat16.hpp \
	%D%/sycl/sycl/ext/oneapi/dot_product.hpp \
	%D%/sycl/sycl/ext/oneapi/free_function_queries.hpp \
	%D%/sycl/sycl/ext/oneapi/group_local_memory.hpp \
	%D%/sycl/sycl/ext/oneapi/sub_group_mask.hpp \
	%D%/sycl/sycl/ext/oneapi/work_group_scratch_memory.hpp
syclextpropertiesdir = $(includedir)/weir-sycl/sycl/ext/oneapi/properties
dist_syclextproperties_DATA = %D%/sycl/sycl/ext/oneapi/properties/properties.hpp
syclextkerneldir = $(includedir)/weir-sycl/sycl/ext/oneapi/kernel_properties
dist_syclextkernel_DATA = %D%/sycl/sycl/ext/oneapi/kernel_properties/properties.hpp
syclextglobaldir = $(includedir)/weir-sycl/sycl/ext/oneapi/device_global
dist_syclextglobal_DATA = %D%/sycl/sycl/ext/oneapi/device_global/device_global.hpp \
	%D%/sycl/sycl/ext/oneapi/device_global/properties.hpp
syclextexperimentaldir = $(includedir)/weir-sycl/sycl/ext/oneapi/experimental
dist_syclextexperimental_DATA = %D%/sycl/sycl/ext/oneapi/experimental/builtins.hpp \
	%D%/sycl/sycl/ext/oneapi/experimental/chunk.hpp \
	%D%/sycl/sycl/ext/oneapi/experimental/clock.hpp \
	%D%/sycl/sycl/ext/oneapi/experimental/enqueue_functions.hpp \
	%D%/sycl/sycl/ext/oneapi/experimental/fixed_size_group.hpp \
	%D%/sycl/sycl/ext/oneapi/experimental/graph.hpp \
	%D%/sycl/sycl/ext/oneapi/experimental/group_load_store.hpp \
	%D%/sycl/sycl/ext/oneapi/experimental/opportunistic_group.hpp \
	%D%/sycl/sycl/ext/oneapi/experimental/work_group_memory.hpp
syclweirdir = $(includedir)/weir-sycl/sycl/weir
dist_syclweir_DATA = \
	%D%/sycl/sycl/weir/accessor.hpp \
	%D%/sycl/sycl/weir/algorithm.hpp \
	%D%/sycl/sycl/weir/async.hpp \
	%D%/sycl/sycl/weir/atomic.hpp \
	%D%/sycl/sycl/weir/bfloat16.hpp \
	%D%/sycl/sycl/weir/bundle.hpp \
	%D%/sycl/sycl/weir/chunk.hpp \
	%D%/sycl/sycl/weir/compiled.hpp \
	%D%/sycl/sycl/weir/device.hpp \
	%D%/sycl/sycl/weir/event.hpp \
	%D%/sycl/sycl/weir/exception.hpp \
	%D%/sycl/sycl/weir/extension.hpp \
	%D%/sycl/sycl/weir/functional.hpp \
	%D%/sycl/sycl/weir/global.hpp \
	%D%/sycl/sycl/weir/graph.hpp \
	%D%/sycl/sycl/weir/half.hpp \
	%D%/sycl/sycl/weir/handler.hpp \
	%D%/sycl/sycl/weir/hash.hpp \
	%D%/sycl/sycl/weir/hierarchical.hpp \
	%D%/sycl/sycl/weir/index.hpp \
	%D%/sycl/sycl/weir/item.hpp \
	%D%/sycl/sycl/weir/launch.hpp \
	%D%/sycl/sycl/weir/machine.hpp \
	%D%/sycl/sycl/weir/math.hpp \
	%D%/sycl/sycl/weir/memory.hpp \
	%D%/sycl/sycl/weir/missing.hpp \
	%D%/sycl/sycl/weir/older.hpp \
	%D%/sycl/sycl/weir/pointer.hpp \
	%D%/sycl/sycl/weir/program.hpp \
	%D%/sycl/sycl/weir/properties.hpp \
	%D%/sycl/sycl/weir/property.hpp \
	%D%/sycl/sycl/weir/queue.hpp \
	%D%/sycl/sycl/weir/reduction.hpp \
	%D%/sycl/sycl/weir/span.hpp \
	%D%/sycl/sycl/weir/stream.hpp \
	%D%/sycl/sycl/weir/swizzles.hpp \
	%D%/sycl/sycl/weir/usm.hpp \
	%D%/sycl/sycl/weir/vec.hpp

# ---- libweir.a ---------------------------------------------------------------

lib_LIBRARIES += libweir.a

libweir_a_SOURCES = \
	%D%/answer/answer.c \
	%D%/answer/answer.h \
	%D%/answer/blocked.c \
	%D%/answer/blocked.h \
	%D%/answer/drawn.c \
	%D%/answer/drawn.h \
	%D%/answer/litmus-play.c \
	%D%/answer/message.c \
	%D%/answer/message.h \
	%D%/answer/nearest.c \
	%D%/answer/nearest.h \
	%D%/answer/played.c \
	%D%/answer/played.h \
	%D%/answer/test.c \
	%D%/base/assert.c \
	%D%/base/assert.h \
	%D%/base/clock.c \
	%D%/base/clock.h \
	%D%/base/co.c \
	%D%/base/co.h \
	%D%/base/builds.c \
	%D%/base/builds.h \
	%D%/base/file.c \
	%D%/base/file.h \
	%D%/base/channel.c \
	%D%/base/channel.h \
	%D%/base/exchange.c \
	%D%/base/exchange.h \
	%D%/base/fork-server.c \
	%D%/base/fork-server.h \
	%D%/base/gdb.h \
	%D%/base/halt.c \
	%D%/base/halt.h \
	%D%/base/rng.h \
	%D%/base/source.c \
	%D%/base/source.h \
	%D%/base/state-server.c \
	%D%/base/state-server.h \
	%D%/base/stack.c \
	%D%/base/stack.h \
	%D%/base/trial.c \
	%D%/base/trial.h \
	%D%/base/table.h %D%/base/values.h \
	%D%/base/token-cpp.c \
	%D%/base/token-cpp.h \
	%D%/base/token.c \
	%D%/base/token.h \
	%D%/check-client.c \
	%D%/check-client.h \
	%D%/deterministic/deterministic.c \
	%D%/deterministic/deterministic.h \
	%D%/deterministic/evidence.c \
	%D%/deterministic/evidence.h \
	%D%/deterministic/history.c \
	%D%/deterministic/history.h \
	%D%/deterministic/hub.c \
	%D%/deterministic/hub.h \
	%D%/deterministic/id-set.c \
	%D%/deterministic/id-set.h \
	%D%/deterministic/livelock.c \
	%D%/deterministic/livelock.h \
	%D%/deterministic/lockstep.c \
	%D%/deterministic/lockstep.h \
	%D%/deterministic/policy.c \
	%D%/deterministic/policy.h \
	%D%/deterministic/replay.c \
	%D%/deterministic/replay.h \
	%D%/deterministic/spin.c \
	%D%/deterministic/spin.h \
	%D%/deterministic/stuck.c \
	%D%/deterministic/stuck.h \
	%D%/deterministic/writers.c \
	%D%/deterministic/writers.h \
	%D%/exec/access.c \
	%D%/exec/algo.c \
	%D%/exec/algo.h \
	%D%/exec/atomic.c \
	%D%/exec/atomic.h \
	%D%/exec/backtrace.c \
	%D%/exec/backtrace.h \
	%D%/exec/call-tree.c \
	%D%/exec/call-tree.h \
	%D%/exec/collective.c \
	%D%/exec/combine.c \
	%D%/exec/combine.h \
	%D%/exec/copy.c \
	%D%/exec/copy.h \
	%D%/exec/device.c \
	%D%/exec/device.h \
	%D%/exec/divergence.c \
	%D%/exec/divergence.h \
	%D%/exec/error.c \
	%D%/exec/event.h \
	%D%/exec/failure.c \
	%D%/exec/failure.h \
	%D%/exec/fast.c \
	%D%/exec/fast.h \
	%D%/exec/fault.c \
	%D%/exec/fault.h \
	%D%/exec/finding-identity.c \
	%D%/exec/finding-identity.h \
	%D%/exec/finding-names.c \
	%D%/exec/finding-names.h \
	%D%/exec/finding.c \
	%D%/exec/finding.h \
	%D%/exec/gate.c \
	%D%/exec/gate.h \
	%D%/exec/group.c \
	%D%/exec/group.h \
	%D%/exec/handlers.c \
	%D%/exec/handlers.h \
	%D%/exec/item-finding.c \
	%D%/exec/item-finding.h \
	%D%/exec/launch.c \
	%D%/exec/launch.h \
	%D%/exec/leave.c \
	%D%/exec/leave.h \
	%D%/exec/local.c \
	%D%/exec/local.h \
	%D%/exec/loops.c \
	%D%/exec/loops.h \
	%D%/exec/memory.c \
	%D%/exec/memory.h \
	%D%/exec/mode.h \
	%D%/exec/names.c \
	%D%/exec/names.h \
	%D%/exec/object.c \
	%D%/exec/object.h \
	%D%/exec/override.c \
	%D%/exec/private.c \
	%D%/exec/private.h \
	%D%/exec/proxy.c \
	%D%/exec/override.h \
	%D%/exec/queue.h \
	%D%/exec/resident.c \
	%D%/exec/resident.h \
	%D%/exec/schedule.c \
	%D%/exec/schedule.h \
	%D%/exec/self.c \
	%D%/exec/site.h \
	%D%/exec/split.c \
	%D%/exec/split.h \
	%D%/exec/stall.c \
	%D%/exec/stall.h \
	%D%/exec/statics.c \
	%D%/exec/statics.h \
	%D%/exec/stop.h \
	%D%/exec/worker.c \
	%D%/exec/worker.h \
	%D%/host-check.c \
	%D%/host-check.h \
	%D%/host-commands.c \
	%D%/host-commands.h \
	%D%/host-device.c \
	%D%/host-launch.c \
	%D%/host-explore.c \
	%D%/host-explore.h \
	%D%/host-linger.c \
	%D%/host-linger.h \
	%D%/host-place.c \
	%D%/host-place.h \
	%D%/host-plan.c \
	%D%/host-plan.h \
	%D%/litmus/code.h \
	%D%/litmus/compile.c \
	%D%/litmus/condition.c \
	%D%/litmus/expression.c \
	%D%/litmus/lex.c \
	%D%/litmus/lex.h \
	%D%/litmus/litmus.c \
	%D%/litmus/litmus.h \
	%D%/litmus/names.c \
	%D%/litmus/operation.c \
	%D%/litmus/parse.c \
	%D%/litmus/parser.h \
	%D%/litmus/path-step.c \
	%D%/litmus/path-step.h \
	%D%/litmus/paths.c \
	%D%/litmus/paths.h \
	%D%/litmus/print.c \
	%D%/litmus/program.c \
	%D%/litmus/program.h \
	%D%/litmus/run.c \
	%D%/litmus/spin.c \
	%D%/litmus/statement.c \
	%D%/litmus/thread.c \
	%D%/litmus/tree.c \
	%D%/litmus/types.c \
	%D%/model/axioms.c \
	%D%/model/axioms.h \
	%D%/model/coherence.c \
	%D%/model/coherence.h \
	%D%/model/cycle.c \
	%D%/model/cycle.h \
	%D%/model/enumerate.c \
	%D%/model/enumerate.h \
	%D%/model/estimate.c \
	%D%/model/estimate.h \
	%D%/model/execution.c \
	%D%/model/execution.h \
	%D%/model/explore.c \
	%D%/model/explore.h \
	%D%/model/facts.c \
	%D%/model/facts.h \
	%D%/model/formula.h \
	%D%/model/gpu.c \
	%D%/model/graph-judge.c \
	%D%/model/graph.c \
	%D%/model/graph.h \
	%D%/model/model.c \
	%D%/model/model.h \
	%D%/model/models.c \
	%D%/model/opencl.c \
	%D%/model/paths.h \
	%D%/model/program.h \
	%D%/model/rc11.c \
	%D%/model/relation.c \
	%D%/model/relation.h \
	%D%/model/rewind.c \
	%D%/model/rewind.h \
	%D%/model/sample.c \
	%D%/model/sample.h \
	%D%/model/sc.c \
	%D%/model/step.c \
	%D%/model/step.h \
	%D%/model/sycl-split.c \
	%D%/model/sycl.c \
	%D%/model/waiting.c \
	%D%/model/waiting.h \
	%D%/native/cells.c \
	%D%/native/cells.h \
	%D%/native/fewer.c \
	%D%/native/fewer.h \
	%D%/native/final.c \
	%D%/native/final.h \
	%D%/native/findings.c \
	%D%/native/findings.h \
	%D%/native/kept.c \
	%D%/native/kept.h \
	%D%/native/machine.c \
	%D%/native/machine.h \
	%D%/native/matters.c \
	%D%/native/matters.h \
	%D%/native/native.c \
	%D%/native/native.h \
	%D%/native/blind.c \
	%D%/native/blind.h \
	%D%/native/history.c \
	%D%/native/history.h \
	%D%/native/holds.c \
	%D%/native/holds.h \
	%D%/native/play.c \
	%D%/native/play.h \
	%D%/native/program.c \
	%D%/native/program.h \
	%D%/native/ranks.c \
	%D%/native/ranks.h \
	%D%/native/reason.c \
	%D%/native/reason.h \
	%D%/native/slice-code.c \
	%D%/native/slice-code.h \
	%D%/native/slice.c \
	%D%/native/slice.h \
	%D%/native/residency.c \
	%D%/native/residency.h \
	%D%/native/sequence.c \
	%D%/native/sequence.h \
	%D%/native/share.c \
	%D%/native/share.h \
	%D%/native/shared.c \
	%D%/native/shared.h \
	%D%/native/shown.c \
	%D%/native/shown.h \
	%D%/native/sites.c \
	%D%/native/sites.h \
	%D%/native/orbits.c \
	%D%/native/orbits.h \
	%D%/native/symmetry.c \
	%D%/native/symmetry.h \
	%D%/native/turns.c \
	%D%/native/turns.h \
	%D%/native/unseen.c \
	%D%/native/unseen.h \
	%D%/native/unwritten.c \
	%D%/native/unwritten.h \
	%D%/native/why.c \
	%D%/native/why.h \
	%D%/report/execution.c \
	%D%/report/fields.h \
	%D%/report/options.c \
	%D%/report/options.h \
	%D%/report/own-stack.c \
	%D%/report/own-stack.h \
	%D%/report/result.c \
	%D%/report/result.h \
	%D%/report/timeline-write.c \
	%D%/report/timeline.h \
	%D%/report/play-fields.c \
	%D%/report/symbol.c \
	%D%/report/symbol.h \
	%D%/report/unhooked.c \
	%D%/report/unhooked.h \
	%D%/report/x86.c \
	%D%/report/x86.h \
	%D%/report/text.c \
	%D%/report/record.c \
	%D%/report/record.h \
	%D%/sycl/commands.c \
	%D%/sycl/declared.c \
	%D%/sycl/declared.h \
	%D%/sycl/required.c \
	%D%/sycl/required.h \
	%D%/sycl/sycl.c \
	%D%/watch/bounds.c \
	%D%/watch/bounds.h \
	%D%/watch/hookless.c \
	%D%/watch/hookless.h \
	%D%/watch/listing.c \
	%D%/watch/listing.h \
	%D%/watch/order.c \
	%D%/watch/order.h \
	%D%/watch/plain.c \
	%D%/watch/plain.h \
	%D%/watch/poison-rerun.c \
	%D%/watch/poison-rerun.h \
	%D%/watch/race-pair.h \
	%D%/watch/race-reason.c \
	%D%/watch/race-reason.h \
	%D%/watch/race-report.c \
	%D%/watch/race-report.h \
	%D%/watch/command-holds.c \
	%D%/watch/command-holds.h \
	%D%/watch/command-order.c \
	%D%/watch/command-order.h \
	%D%/watch/command-report.c \
	%D%/watch/commands.c \
	%D%/watch/commands.h \
	%D%/watch/race.c \
	%D%/watch/race-left.c \
	%D%/watch/race.h \
	%D%/watch/shadow.c \
	%D%/watch/shadow.h \
	%D%/watch/trace-file.c \
	%D%/watch/causes.c \
	%D%/watch/causes.h \
	%D%/watch/recorder.c \
	%D%/watch/recorder.h \
	%D%/watch/timeline.h \
	%D%/watch/trace.c \
	%D%/watch/trace.h \
	%D%/watch/uninit.c \
	%D%/watch/uninit.h \
	%D%/watch/write-log.c \
	%D%/watch/write-log.h

if WEIRI_ASM_X86_64
libweir_a_SOURCES += %D%/base/co_x86_64.S
endif
if WEIRI_ASM_AARCH64
libweir_a_SOURCES += %D%/base/co_aarch64.S
endif
EXTRA_DIST += %D%/base/co_x86_64.S %D%/base/co_aarch64.S

libweir_a_CFLAGS = $(AM_CFLAGS) $(LIBDW_CFLAGS) $(PIC_CFLAGS)
libweir_a_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_LIBRARY -DWEIRI_GDB_SCRIPT='"$(autoloaddir)/weir-gdb.py"'

# The library's own code has a section of its own: libc-wrap.h says what for.
library_ar = $(SHELL) $(srcdir)/%D%/archive.sh "$(AR)" "$(OBJCOPY)" $(ARFLAGS)
libweir_a_AR = $(library_ar)
EXTRA_DIST += %D%/archive.sh

# The library without its debug information, which is most of what a link reads: weir-cc takes
# it for programs that try a fix.
noinst_DATA += light/libweir.a
light/libweir.a: libweir.a
	$(AM_V_GEN)$(MKDIR_P) light && $(OBJCOPY) --strip-debug libweir.a $@
CLEANFILES += light/libweir.a

# What a program links to with libweir.a.
libweir_libs = libweir.a $(WRAP_LIBS) $(GLIB_LIBS) $(LIBDW_LIBS)

# The hooks in an archive of their own flags, since a compiler that instruments
# addresses checks its own prototypes of them; their objects ship in libweir.a.
noinst_LIBRARIES += libhooks.a
libhooks_a_SOURCES = %D%/exec/hooks.c %D%/exec/hooks.h %D%/exec/libc-wrap.c \
	%D%/exec/libc-wrap.h %D%/exec/libc-strings.c
libhooks_a_CFLAGS = $(BASE_CFLAGS) $(GLIB_CFLAGS) $(WIDE_CFLAGS) $(PIC_CFLAGS)
libweir_a_LIBADD = $(libhooks_a_OBJECTS)
libweir_a_DEPENDENCIES = $(libhooks_a_OBJECTS)

# The device profiles as C strings, in this order: the first is the default one.
device_profiles = \
	%D%/exec/profiles/default.profile \
	%D%/exec/profiles/opencl12.profile \
	%D%/exec/profiles/opencl20.profile \
	%D%/exec/profiles/hd630.profile \
	%D%/exec/profiles/irisxe.profile \
	%D%/exec/profiles/max1100.profile

profilesdir = $(pkgdatadir)/profiles
dist_profiles_DATA = $(device_profiles)

nodist_libweir_a_SOURCES = %D%/exec/profiles.c
CLEANFILES += %D%/exec/profiles.c
EXTRA_DIST += %D%/exec/profiles.awk

%D%/exec/profiles.c: $(device_profiles) %D%/exec/profiles.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)profiles=; \
	for profile in $(device_profiles); do \
	  profiles="$$profiles $(srcdir)/$$profile"; \
	done; \
	$(AWK) -f $(srcdir)/%D%/exec/profiles.awk $$profiles > $@.tmp && mv $@.tmp $@

# ---- gdb ---------------------------------------------------------------------
# The script, and what loads it from the folder that gdb trusts where the prefix is
# its own; programs with libweir.a name the latter. See base/gdb.h.

dist_pkgdata_DATA = %D%/gdb/weir-gdb.py
autoloaddir = $(datadir)/gdb/auto-load
nodist_autoload_DATA = %D%/gdb/autoload/weir-gdb.py
CLEANFILES += %D%/gdb/autoload/weir-gdb.py
EXTRA_DIST += %D%/gdb/autoload.py.in

# It holds the path.
%D%/base/libweir_a-assert.$(OBJEXT): Makefile

%D%/gdb/autoload/weir-gdb.py: %D%/gdb/autoload.py.in Makefile
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(SED) 's|@pkgdatadir[@]|$(pkgdatadir)|' \
	  $(srcdir)/%D%/gdb/autoload.py.in > $@.tmp && mv $@.tmp $@

# ---- weir --------------------------------------------------------------------

bin_PROGRAMS += weir

weir_SOURCES = \
	%D%/cli/bandwidth.c \
	%D%/cli/bench.c \
	%D%/cli/bench-sycl.c \
	%D%/cli/bench.h \
	%D%/cli/check-arguments.c \
	%D%/cli/check.c \
	%D%/cli/check.h \
	%D%/cli/child.c \
	%D%/cli/clock.c \
	%D%/cli/child.h \
	%D%/cli/clock.h \
	%D%/cli/cli.h \
	%D%/cli/causes.c \
	%D%/cli/choose.c \
	%D%/cli/common.c \
	%D%/cli/complete.c \
	%D%/cli/complete.h \
	%D%/cli/device.c \
	%D%/cli/doctor-build.c \
	%D%/cli/doctor-machine.c \
	%D%/cli/doctor-tools.c \
	%D%/cli/doctor-try.c \
	%D%/cli/doctor.c \
	%D%/cli/doctor.h \
	%D%/cli/exercise-catalogue.c \
	%D%/cli/exercise-class.c \
	%D%/cli/exercise-finding.c \
	%D%/cli/exercise-judge.c \
	%D%/cli/exercise-rule.c \
	%D%/cli/exercise-symbols.c \
	%D%/cli/exercise-verify.c \
	%D%/cli/exercise.c \
	%D%/cli/exercise.h \
	%D%/cli/explore-changes.c \
	%D%/cli/explore-changes.h \
	%D%/cli/explore-fix-words.c \
	%D%/cli/explore-fixes.c \
	%D%/cli/explore-fixes.h \
	%D%/cli/explore-order.c \
	%D%/cli/explore-patch.c \
	%D%/cli/explore-proposals.h \
	%D%/cli/explore-ranks.c \
	%D%/cli/explore-ranks.h \
	%D%/cli/explore-record.c \
	%D%/cli/explore-record.h \
	%D%/cli/explore-run.c \
	%D%/cli/explore-run.h \
	%D%/cli/explore-sample.c \
	%D%/cli/explore-sample.h \
	%D%/cli/explore.c \
	%D%/cli/explore.h \
	%D%/cli/explore-files.c \
	%D%/cli/explore-litmus.c \
	%D%/cli/explore-litmus.h \
	%D%/cli/explore-residency.c \
	%D%/cli/explore-residency.h \
	%D%/cli/files.c \
	%D%/cli/fix-judge.c \
	%D%/cli/fix-proof.c \
	%D%/cli/fix-trial.c \
	%D%/cli/fix-trial.h \
	%D%/cli/fix-words.c \
	%D%/cli/fixes.c \
	%D%/cli/fixes.h \
	%D%/cli/folder.c \
	%D%/cli/folder.h \
	%D%/cli/gdb.c \
	%D%/cli/gdb.h \
	%D%/cli/graphs.c \
	%D%/cli/jobs.c \
	%D%/cli/jobs.h \
	%D%/cli/known-findings.c \
	%D%/cli/list.c \
	%D%/cli/litmus-list.c \
	%D%/cli/litmus.c \
	%D%/cli/litmus.h \
	%D%/cli/lockstep.c \
	%D%/cli/lockstep.h \
	%D%/cli/main.c \
	%D%/cli/opencl-kernel.c \
	%D%/cli/opencl-kernel.h \
	%D%/cli/measure.c \
	%D%/cli/measure.h \
	%D%/cli/platform.c \
	%D%/cli/play-answer.c \
	%D%/cli/play-server.c \
	%D%/cli/play.c \
	%D%/cli/play.h \
	%D%/cli/processes.c \
	%D%/cli/processes.h \
	%D%/cli/ranks.c \
	%D%/cli/ranks.h \
	%D%/cli/rebuild.c \
	%D%/cli/rebuild.h \
	%D%/cli/recorded.c \
	%D%/cli/registry.c \
	%D%/cli/replay.c \
	%D%/cli/run-one.c \
	%D%/cli/run-record.c \
	%D%/cli/run-record.h \
	%D%/cli/run.c \
	%D%/cli/search.c \
	%D%/cli/search.h \
	%D%/cli/shrink.c \
	%D%/cli/report.c \
	%D%/cli/trace.c \
	%D%/cli/variants.c \
	%D%/cli/verdict-finish.c \
	%D%/cli/verdict-print.c \
	%D%/cli/verdict.c \
	%D%/cli/verdict.h \
	%D%/cli/wrong-answer.c \
	%D%/cli/wrong-answer.h \
	%D%/fix/atomic-site.c \
	%D%/fix/atomic-site.h \
	%D%/fix/bit-field.c \
	%D%/fix/build-record.c \
	%D%/fix/build-record.h \
	%D%/fix/build.c \
	%D%/fix/build.h \
	%D%/fix/candidate-atomic.c \
	%D%/fix/candidate-barrier.c \
	%D%/fix/candidate-divergence.c \
	%D%/fix/candidate-memory.c \
	%D%/fix/candidate-plain.c \
	%D%/fix/candidate.c \
	%D%/fix/candidate.h \
	%D%/fix/choice.c \
	%D%/fix/choice.h \
	%D%/fix/command.c \
	%D%/fix/command.h \
	%D%/fix/kernel-text.c \
	%D%/fix/kernel-text.h \
	%D%/fix/opencl-text.c \
	%D%/fix/opencl-text.h \
	%D%/fix/patch.c \
	%D%/fix/patch.h \
	%D%/fix/suggest.c \
	%D%/fix/suggest.h \
	%D%/fix/sycl-atomic.c \
	%D%/fix/sycl-change.h \
	%D%/fix/sycl-barrier.c \
	%D%/fix/sycl-memory.c \
	%D%/fix/sycl-text.c \
	%D%/fix/sycl-text.h \
	%D%/fix/words.c \
	%D%/fix/words.h \
	%D%/report/baseline.c \
	%D%/report/baseline.h \
	%D%/report/document.h \
	%D%/report/excerpt.c \
	%D%/report/excerpt.h \
	%D%/report/explored-graph.c \
	%D%/report/explored-graph.h \
	%D%/report/html-style.h \
	%D%/report/html-text.c \
	%D%/report/html-text.h \
	%D%/report/html.c \
	%D%/report/json.c \
	%D%/report/litmus-blocked.c \
	%D%/report/litmus-graph.c \
	%D%/report/litmus-graph.h \
	%D%/report/litmus-json.c \
	%D%/report/litmus-label.c \
	%D%/report/litmus-layout.c \
	%D%/report/litmus-layout.h \
	%D%/report/litmus-rows.c \
	%D%/report/litmus-sketch.c \
	%D%/report/litmus-sketch.h \
	%D%/report/litmus.c \
	%D%/report/litmus.h \
	%D%/report/picture.c \
	%D%/report/picture.h \
	%D%/report/record-read.c \
	%D%/report/record-read.h \
	%D%/report/report.h \
	%D%/report/sarif.c \
	%D%/report/suppress.c \
	%D%/report/suppress.h \
	%D%/report/steps.c \
	%D%/report/svg.c \
	%D%/report/switches.c \
	%D%/report/timeline-chrome.c \
	%D%/report/timeline-draw.h \
	%D%/report/timeline-html.c \
	%D%/report/timeline-read.c \
	%D%/report/timeline-read.h \
	%D%/report/timeline-svg.c \
	%D%/report/waits.c \
	%D%/report/waits.h \
	%D%/report/wrong.c \
	%D%/report/wrong.h

# The litmus tests that are included, as C strings; tests/local.mk has the list.
play_texts = %D%/cli/play-html.c %D%/cli/play-css.c %D%/cli/play-script.c %D%/cli/play-graph.c
nodist_weir_SOURCES = %D%/cli/litmus-tests.c %D%/cli/gdb-script.c %D%/cli/doctor-text.c \
	%D%/cli/bench-twins.c $(play_texts)
CLEANFILES += %D%/cli/litmus-tests.c %D%/cli/gdb-script.c %D%/cli/doctor-text.c \
	%D%/cli/bench-twins.c $(play_texts)
EXTRA_DIST += %D%/cli/doctor-program.c %D%/cli/litmus-library.awk %D%/cli/c-string.awk

%D%/cli/litmus-tests.c: $(litmus_library) %D%/cli/litmus-library.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)tests=; \
	for test in $(litmus_library); do \
	  tests="$$tests $(srcdir)/$$test"; \
	done; \
	$(AWK) -f $(srcdir)/%D%/cli/litmus-library.awk $$tests > $@.tmp && mv $@.tmp $@

# The script of weir replay --gdb, which so needs no file of the installation.
%D%/cli/gdb-script.c: %D%/gdb/weir-gdb.py %D%/cli/c-string.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v header=cli/gdb.h -v name=weiri_cli_gdb_script \
	  -f $(srcdir)/%D%/cli/c-string.awk $(srcdir)/%D%/gdb/weir-gdb.py > $@.tmp \
	  && mv $@.tmp $@

# The page of weir report.
timeline_scripts = %D%/report/timeline-model.js %D%/report/timeline-draw.js \
	%D%/report/timeline-page.js
timeline_parts = %D%/report/timeline-page.c %D%/report/timeline-style.c \
	%D%/report/timeline-script.c
nodist_weir_SOURCES += $(timeline_parts)
CLEANFILES += $(timeline_parts)
EXTRA_DIST += %D%/report/timeline.html %D%/report/timeline.css $(timeline_scripts)

%D%/report/timeline-page.c: %D%/report/timeline.html %D%/cli/c-string.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v header=report/timeline-draw.h -v name=weiri_timeline_page \
	  -f $(srcdir)/%D%/cli/c-string.awk $(srcdir)/%D%/report/timeline.html > $@.tmp \
	  && mv $@.tmp $@
%D%/report/timeline-style.c: %D%/report/timeline.css %D%/cli/c-string.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v header=report/timeline-draw.h -v name=weiri_timeline_style \
	  -f $(srcdir)/%D%/cli/c-string.awk $(srcdir)/%D%/report/timeline.css > $@.tmp \
	  && mv $@.tmp $@
%D%/report/timeline-script.c: $(timeline_scripts) %D%/cli/c-string.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)scripts=; \
	for script in $(timeline_scripts); do \
	  scripts="$$scripts $(srcdir)/$$script"; \
	done; \
	$(AWK) -v header=report/timeline-draw.h -v name=weiri_timeline_script \
	  -f $(srcdir)/%D%/cli/c-string.awk $$scripts > $@.tmp && mv $@.tmp $@

# The program that weir doctor compiles.
%D%/cli/doctor-text.c: %D%/cli/doctor-program.c %D%/cli/c-string.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v header=cli/doctor.h -v name=weiri_doctor_program \
	  -f $(srcdir)/%D%/cli/c-string.awk $(srcdir)/%D%/cli/doctor-program.c > $@.tmp \
	  && mv $@.tmp $@

# The kernels in SYCL, which weir bench --sycl compiles.
EXTRA_DIST += kernels/sycl/twins.cpp
%D%/cli/bench-twins.c: kernels/sycl/twins.cpp %D%/cli/c-string.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v header=cli/bench.h -v name=weiri_bench_twins \
	  -f $(srcdir)/%D%/cli/c-string.awk $(srcdir)/kernels/sycl/twins.cpp > $@.tmp \
	  && mv $@.tmp $@

# The page of weir play.
EXTRA_DIST += %D%/cli/play/play.html %D%/cli/play/play.css %D%/cli/play/play.js \
	%D%/cli/play/graph.js
play_text = $(MKDIR_P) $(@D) && $(AWK) -v header=cli/play.h \
	-f $(srcdir)/%D%/cli/c-string.awk
%D%/cli/play-html.c: %D%/cli/play/play.html %D%/cli/c-string.awk
	$(AM_V_GEN)$(play_text) -v name=weiri_play_html $(srcdir)/%D%/cli/play/play.html \
	  > $@.tmp && mv $@.tmp $@
%D%/cli/play-css.c: %D%/cli/play/play.css %D%/cli/c-string.awk
	$(AM_V_GEN)$(play_text) -v name=weiri_play_css $(srcdir)/%D%/cli/play/play.css \
	  > $@.tmp && mv $@.tmp $@
%D%/cli/play-script.c: %D%/cli/play/play.js %D%/cli/c-string.awk
	$(AM_V_GEN)$(play_text) -v name=weiri_play_script $(srcdir)/%D%/cli/play/play.js \
	  > $@.tmp && mv $@.tmp $@
%D%/cli/play-graph.c: %D%/cli/play/graph.js %D%/cli/c-string.awk
	$(AM_V_GEN)$(play_text) -v name=weiri_play_graph $(srcdir)/%D%/cli/play/graph.js \
	  > $@.tmp && mv $@.tmp $@

weir_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_EXERCISES='"$(pkgdatadir)/exercises"' \
	-DWEIRI_VENDORS='"$(pkglibdir)/vendors"' \
  -DWEIRI_OPENCL_PROGRAM='"$(libexecdir)/weir/weir-opencl"'
weir_CFLAGS = $(AM_CFLAGS) $(JSON_GLIB_CFLAGS) $(MICROHTTPD_CFLAGS) $(MPI_CFLAGS)
weir_LDADD = libkernels.a $(libweir_libs) $(JSON_GLIB_LIBS) $(MICROHTTPD_LIBS) $(MPI_LIBS) -lm
