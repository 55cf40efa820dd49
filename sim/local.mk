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
	%D%/weir-machinery-split.h \
	%D%/weir-machinery-turned.h

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

cudadir = $(includedir)/weir-cuda
dist_cuda_DATA = \
	%D%/cuda/include/any \
	%D%/cuda/include/common_functions.h \
	%D%/cuda/include/cooperative_groups.h \
	%D%/cuda/include/cuComplex.h \
	%D%/cuda/include/cuda_awbarrier.h \
	%D%/cuda/include/cuda_awbarrier_primitives.h \
	%D%/cuda/include/cuda_bf16.h \
	%D%/cuda/include/cuda_fp16.h \
	%D%/cuda/include/cuda_fp8.h \
	%D%/cuda/include/cuda_pipeline.h \
	%D%/cuda/include/cuda_pipeline_primitives.h \
	%D%/cuda/include/cuda_profiler_api.h \
	%D%/cuda/include/cuda_runtime.h \
	%D%/cuda/include/cuda_runtime_api.h \
	%D%/cuda/include/device_atomic_functions.h \
	%D%/cuda/include/device_double_functions.h \
	%D%/cuda/include/device_functions.h \
	%D%/cuda/include/device_launch_parameters.h \
	%D%/cuda/include/driver_types.h \
	%D%/cuda/include/future \
	%D%/cuda/include/host_defines.h \
	%D%/cuda/include/math_constants.h \
	%D%/cuda/include/math_functions.h \
	%D%/cuda/include/mm_malloc.h \
	%D%/cuda/include/optional \
	%D%/cuda/include/sm_20_atomic_functions.h \
	%D%/cuda/include/sm_20_intrinsics.h \
	%D%/cuda/include/sm_30_intrinsics.h \
	%D%/cuda/include/sm_32_atomic_functions.h \
	%D%/cuda/include/sm_32_intrinsics.h \
	%D%/cuda/include/sm_35_atomic_functions.h \
	%D%/cuda/include/sm_35_intrinsics.h \
	%D%/cuda/include/sm_60_atomic_functions.h \
	%D%/cuda/include/sm_61_intrinsics.h \
	%D%/cuda/include/stdexcept \
	%D%/cuda/include/surface_functions.h \
	%D%/cuda/include/surface_indirect_functions.h \
	%D%/cuda/include/texture_fetch_functions.h \
	%D%/cuda/include/texture_indirect_functions.h \
	%D%/cuda/include/variant \
	%D%/cuda/include/vector_functions.h \
	%D%/cuda/include/vector_functions.hpp \
	%D%/cuda/include/vector_types.h \
	%D%/cuda/include/cuda.h \
	%D%/cuda/include/library_types.h \
	%D%/cuda/include/nvToolsExt.h
cudahipdir = $(includedir)/weir-cuda/hip
dist_cudahip_DATA = \
	%D%/cuda/include/hip/hip_bf16.h \
	%D%/cuda/include/hip/hip_bfloat16.h \
	%D%/cuda/include/hip/hip_common.h \
	%D%/cuda/include/hip/hip_complex.h \
	%D%/cuda/include/hip/hip_cooperative_groups.h \
	%D%/cuda/include/hip/hip_ext.h \
	%D%/cuda/include/hip/hip_fp16.h \
	%D%/cuda/include/hip/hip_math_constants.h \
	%D%/cuda/include/hip/hip_runtime.h \
	%D%/cuda/include/hip/hip_runtime_api.h \
	%D%/cuda/include/hip/hip_vector_types.h \
	%D%/cuda/include/hip/hip_version.h \
	%D%/cuda/include/hip/weir-names.h
cudahipcubdir = $(includedir)/weir-cuda/hipcub
dist_cudahipcub_DATA = %D%/cuda/include/hipcub/hipcub.hpp
cudanvtxdir = $(includedir)/weir-cuda/nvtx3
dist_cudanvtx_DATA = \
	%D%/cuda/include/nvtx3/nvToolsExt.h \
	%D%/cuda/include/nvtx3/nvToolsExtCuda.h \
	%D%/cuda/include/nvtx3/nvToolsExtCudaRt.h
cudaweirdir = $(includedir)/weir-cuda/weir
dist_cudaweir_DATA = \
	%D%/cuda/include/weir/aligned-size.h \
	%D%/cuda/include/weir/atomic-objects.h \
	%D%/cuda/include/weir/atomics.h \
	%D%/cuda/include/weir/bits.h \
	%D%/cuda/include/weir/builtins.h \
	%D%/cuda/include/weir/convert.h \
	%D%/cuda/include/weir/copies.h \
	%D%/cuda/include/weir/cuda.h \
	%D%/cuda/include/weir/device.hpp \
	%D%/cuda/include/weir/errors.h \
	%D%/cuda/include/weir/half-bits.h \
	%D%/cuda/include/weir/half.hpp \
	%D%/cuda/include/weir/ids.h \
	%D%/cuda/include/weir/integers.h \
	%D%/cuda/include/weir/loads.hpp \
	%D%/cuda/include/weir/math.hpp \
	%D%/cuda/include/weir/simd.hpp \
	%D%/cuda/include/weir/std.hpp \
	%D%/cuda/include/weir/sync.h \
	%D%/cuda/include/weir/textures.hpp \
	%D%/cuda/include/weir/toolkit.h \
	%D%/cuda/include/weir/warp.h
cudabitsdir = $(includedir)/weir-cuda/bits
dist_cudabits_DATA = \
	%D%/cuda/include/bits/fs_path.h \
	%D%/cuda/include/bits/ios_base.h \
	%D%/cuda/include/bits/shared_ptr_base.h \
	%D%/cuda/include/bits/std_function.h
cudacrtdir = $(includedir)/weir-cuda/crt
dist_cudacrt_DATA = \
	%D%/cuda/include/crt/common_functions.h \
	%D%/cuda/include/crt/device_double_functions.h \
	%D%/cuda/include/crt/device_functions.h \
	%D%/cuda/include/crt/host_defines.h \
	%D%/cuda/include/crt/math_functions.h \
	%D%/cuda/include/crt/sm_70_rt.h \
	%D%/cuda/include/crt/sm_80_rt.h \
	%D%/cuda/include/crt/sm_90_rt.h
cudagroupsdir = $(includedir)/weir-cuda/cooperative_groups
dist_cudagroups_DATA = \
	%D%/cuda/include/cooperative_groups/memcpy_async.h \
	%D%/cuda/include/cooperative_groups/reduce.h \
	%D%/cuda/include/cooperative_groups/scan.h
cudacubdir = $(includedir)/weir-cuda/cub
dist_cudacub_DATA = \
	%D%/cuda/include/cub/cub.cuh \
	%D%/cuda/include/cub/util_type.cuh \
	%D%/cuda/include/cub/weir-block.hpp \
	%D%/cuda/include/cub/weir-operators.hpp \
	%D%/cuda/include/cub/weir-warp.hpp
cudacubblockdir = $(includedir)/weir-cuda/cub/block
dist_cudacubblock_DATA = \
	%D%/cuda/include/cub/block/block_load.cuh \
	%D%/cuda/include/cub/block/block_radix_sort.cuh \
	%D%/cuda/include/cub/block/block_reduce.cuh \
	%D%/cuda/include/cub/block/block_scan.cuh \
	%D%/cuda/include/cub/block/block_store.cuh
cudacubwarpdir = $(includedir)/weir-cuda/cub/warp
dist_cudacubwarp_DATA = \
	%D%/cuda/include/cub/warp/warp_reduce.cuh \
	%D%/cuda/include/cub/warp/warp_scan.cuh
cudacubiteratordir = $(includedir)/weir-cuda/cub/iterator
dist_cudacubiterator_DATA = \
	%D%/cuda/include/cub/iterator/counting_input_iterator.cuh \
	%D%/cuda/include/cub/iterator/transform_input_iterator.cuh
cudacubthreaddir = $(includedir)/weir-cuda/cub/thread
dist_cudacubthread_DATA = \
	%D%/cuda/include/cub/thread/thread_operators.cuh
cudacudadir = $(includedir)/weir-cuda/cuda
dist_cudacuda_DATA = \
	%D%/cuda/include/cuda/annotated_ptr \
	%D%/cuda/include/cuda/atomic \
	%D%/cuda/include/cuda/barrier \
	%D%/cuda/include/cuda/functional \
	%D%/cuda/include/cuda/latch \
	%D%/cuda/include/cuda/pipeline \
	%D%/cuda/include/cuda/ptx \
	%D%/cuda/include/cuda/semaphore
cudastddir = $(includedir)/weir-cuda/cuda/std
dist_cudastd_DATA = \
	%D%/cuda/include/cuda/std/algorithm \
	%D%/cuda/include/cuda/std/array \
	%D%/cuda/include/cuda/std/atomic \
	%D%/cuda/include/cuda/std/barrier \
	%D%/cuda/include/cuda/std/bit \
	%D%/cuda/include/cuda/std/cassert \
	%D%/cuda/include/cuda/std/cfloat \
	%D%/cuda/include/cuda/std/chrono \
	%D%/cuda/include/cuda/std/climits \
	%D%/cuda/include/cuda/std/cmath \
	%D%/cuda/include/cuda/std/complex \
	%D%/cuda/include/cuda/std/concepts \
	%D%/cuda/include/cuda/std/cstddef \
	%D%/cuda/include/cuda/std/cstdint \
	%D%/cuda/include/cuda/std/cstdio \
	%D%/cuda/include/cuda/std/cstdlib \
	%D%/cuda/include/cuda/std/cstring \
	%D%/cuda/include/cuda/std/ctime \
	%D%/cuda/include/cuda/std/functional \
	%D%/cuda/include/cuda/std/initializer_list \
	%D%/cuda/include/cuda/std/iterator \
	%D%/cuda/include/cuda/std/latch \
	%D%/cuda/include/cuda/std/limits \
	%D%/cuda/include/cuda/std/memory \
	%D%/cuda/include/cuda/std/numeric \
	%D%/cuda/include/cuda/std/optional \
	%D%/cuda/include/cuda/std/ranges \
	%D%/cuda/include/cuda/std/ratio \
	%D%/cuda/include/cuda/std/semaphore \
	%D%/cuda/include/cuda/std/span \
	%D%/cuda/include/cuda/std/string_view \
	%D%/cuda/include/cuda/std/tuple \
	%D%/cuda/include/cuda/std/type_traits \
	%D%/cuda/include/cuda/std/utility \
	%D%/cuda/include/cuda/std/variant \
	%D%/cuda/include/cuda/std/version

# ---- The parts of libweir.a ----------------------------------------------------
# Each part is a library, which links with those above it alone: tests/arch/layers.sh says
# with which. libweir.a has the objects of all.

noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = \
	%D%/base/assert.c \
	%D%/base/assert.h \
	%D%/base/backtrace.c \
	%D%/base/backtrace.h \
	%D%/base/builds.c \
	%D%/base/builds.h \
	%D%/base/call-tree.c \
	%D%/base/call-tree.h \
	%D%/base/channel.c \
	%D%/base/channel.h \
	%D%/base/clock.c \
	%D%/base/clock.h \
	%D%/base/co.c \
	%D%/base/co.h \
	%D%/base/error.c \
	%D%/base/exchange.c \
	%D%/base/exchange.h \
	%D%/base/file.c \
	%D%/base/file.h \
	%D%/base/fork-server.c \
	%D%/base/fork-server.h \
	%D%/base/gdb.h \
	%D%/base/halt.c \
	%D%/base/halt.h \
	%D%/base/handlers.c \
	%D%/base/handlers.h \
	%D%/base/id-set.c \
	%D%/base/id-set.h \
	%D%/base/rng.h \
	%D%/base/source.c \
	%D%/base/source.h \
	%D%/base/stack.c \
	%D%/base/stack.h \
	%D%/base/state-server.c \
	%D%/base/state-server.h \
	%D%/base/statics.c \
	%D%/base/statics.h \
	%D%/base/table.h \
	%D%/base/token.c \
	%D%/base/token.h \
	%D%/base/token-cpp.c \
	%D%/base/token-cpp.h \
	%D%/base/trial.c \
	%D%/base/trial.h \
	%D%/base/values.h
libbase_a_CFLAGS = $(part_cflags)
libbase_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += libfinding.a
libfinding_a_SOURCES = \
	%D%/finding/identity.c \
	%D%/finding/identity.h \
	%D%/finding/kinds.c \
	%D%/finding/kinds.h \
	%D%/finding/names.c \
	%D%/finding/names.h \
	%D%/finding/symbols.h
libfinding_a_CFLAGS = $(part_cflags)
libfinding_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += libmachine.a
libmachine_a_SOURCES = \
	%D%/exec/access.c \
	%D%/exec/algo.c \
	%D%/exec/algo.h \
	%D%/exec/atomic.c \
	%D%/exec/atomic.h \
	%D%/exec/collective.c \
	%D%/exec/cluster-collective.c \
	%D%/exec/cluster.c \
	%D%/exec/cluster.h \
	%D%/exec/combine.c \
	%D%/exec/combine.h \
	%D%/exec/copy.c \
	%D%/exec/copy.h \
	%D%/exec/device.c \
	%D%/exec/device.h \
	%D%/exec/divergence.c \
	%D%/exec/divergence.h \
	%D%/exec/event.h \
	%D%/exec/failure.c \
	%D%/exec/failure.h \
	%D%/exec/exited.c \
	%D%/exec/exited.h \
	%D%/exec/fast.c \
	%D%/exec/fast.h \
	%D%/exec/fault.c \
	%D%/exec/fault.h \
	%D%/exec/finding-close.c \
	%D%/exec/finding-kept.h \
	%D%/exec/finding.c \
	%D%/exec/finding.h \
	%D%/exec/gate.c \
	%D%/exec/gate.h \
	%D%/exec/grid.c \
	%D%/exec/grid.h \
	%D%/exec/item-copy.c \
	%D%/exec/item-copy.h \
	%D%/exec/lane-collective.c \
	%D%/exec/lanes.c \
	%D%/exec/lanes.h \
	%D%/exec/mbarrier.c \
	%D%/exec/named.c \
	%D%/exec/named.h \
	%D%/exec/group.c \
	%D%/exec/group.h \
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
	%D%/exec/object.c \
	%D%/exec/object.h \
	%D%/exec/override.c \
	%D%/exec/override.h \
	%D%/exec/private.c \
	%D%/exec/private.h \
	%D%/exec/proxy.c \
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
	%D%/exec/stop.h \
	%D%/exec/worker.c \
	%D%/exec/worker.h \
	%D%/deterministic/deterministic.c \
	%D%/deterministic/deterministic.h \
	%D%/deterministic/evidence.c \
	%D%/deterministic/evidence.h \
	%D%/deterministic/history.c \
	%D%/deterministic/history.h \
	%D%/deterministic/hub.c \
	%D%/deterministic/hub.h \
	%D%/deterministic/in-step.c \
	%D%/deterministic/in-step.h \
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
	%D%/deterministic/trace.c \
	%D%/deterministic/trace.h \
	%D%/deterministic/writers.c \
	%D%/deterministic/writers.h
libmachine_a_CFLAGS = $(part_cflags)
libmachine_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = \
	%D%/model/axioms.c \
	%D%/model/axioms.h \
	%D%/model/coherence.c \
	%D%/model/coherence.h \
	%D%/model/cycle.c \
	%D%/model/cycle.h \
	%D%/model/enumerate.c \
	%D%/model/enumerate-partial.c \
	%D%/model/enumerate-total.c \
	%D%/model/enumerate.h \
	%D%/model/enumerator.c \
	%D%/model/enumerator.h \
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
	%D%/model/interleave.c \
	%D%/model/interleave.h \
	%D%/model/last-writes.c \
	%D%/model/last-writes.h \
	%D%/model/meeting.c \
	%D%/model/meeting.h \
	%D%/model/model.c \
	%D%/model/model.h \
	%D%/model/models.c \
	%D%/model/opencl.c \
	%D%/model/paths.h \
	%D%/model/progress.c \
	%D%/model/progress.h \
	%D%/model/stand.c \
	%D%/model/stand.h \
	%D%/model/program.h \
	%D%/model/ptx-6.0.c \
	%D%/model/ptx-7.5.c \
	%D%/model/ptx-7.5.h \
	%D%/model/ptx-steps.c \
	%D%/model/ptx-steps.h \
	%D%/model/ptx.c \
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
	%D%/model/step-table.c \
	%D%/model/step-table.h \
	%D%/model/sycl-split.c \
	%D%/model/sycl.c \
	%D%/model/vulkan-nochains.c \
	%D%/model/vulkan-prose.c \
	%D%/model/vulkan-steps.c \
	%D%/model/vulkan-steps.h \
	%D%/model/vulkan.c \
	%D%/model/waiting.c \
	%D%/model/waiting.h
libmodel_a_CFLAGS = $(part_cflags)
libmodel_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += liblitmus.a
liblitmus_a_SOURCES = \
	%D%/litmus/claim.c \
	%D%/litmus/code.h \
	%D%/litmus/compile.c \
	%D%/litmus/condition.c \
	%D%/litmus/domain.c \
	%D%/litmus/domain.h \
	%D%/litmus/expression.c \
	%D%/litmus/lex.c \
	%D%/litmus/lex.h \
	%D%/litmus/litmus.c \
	%D%/litmus/litmus.h \
	%D%/litmus/meet.c \
	%D%/litmus/meet.h \
	%D%/litmus/names.c \
	%D%/litmus/operation.c \
	%D%/litmus/parse.c \
	%D%/litmus/parser.h \
	%D%/litmus/path-step.c \
	%D%/litmus/path-step.h \
	%D%/litmus/paths.c \
	%D%/litmus/paths.h \
	%D%/litmus/print-table.c \
	%D%/litmus/print.c \
	%D%/litmus/program.c \
	%D%/litmus/program.h \
	%D%/litmus/reread.c \
	%D%/litmus/reread.h \
	%D%/litmus/run.c \
	%D%/litmus/scope.c \
	%D%/litmus/spin.c \
	%D%/litmus/statement.c \
	%D%/litmus/table-alias.c \
	%D%/litmus/table-cell.c \
	%D%/litmus/table-code.c \
	%D%/litmus/table-name.c \
	%D%/litmus/table-object.c \
	%D%/litmus/table-ptx.c \
	%D%/litmus/table-vulkan.c \
	%D%/litmus/table.c \
	%D%/litmus/table.h \
	%D%/litmus/thread.c \
	%D%/litmus/tree.c \
	%D%/litmus/types.c \
	%D%/answer/answer.c \
	%D%/answer/answer.h \
	%D%/answer/blocked.c \
	%D%/answer/blocked.h \
	%D%/answer/drawn.c \
	%D%/answer/drawn.h \
	%D%/answer/litmus-play.c \
	%D%/answer/message.c \
	%D%/answer/message-own.h \
	%D%/answer/message-table.c \
	%D%/answer/message-words.c \
	%D%/answer/message.h \
	%D%/answer/names.c \
	%D%/answer/nearest.c \
	%D%/answer/nearest.h \
	%D%/answer/played.c \
	%D%/answer/played.h \
	%D%/answer/termination.c \
	%D%/answer/table-fix.c \
	%D%/answer/table-fix.h \
	%D%/answer/test.c
liblitmus_a_CFLAGS = $(part_cflags)
liblitmus_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += libnative.a
libnative_a_SOURCES = \
	%D%/native/blind.c \
	%D%/native/blind.h \
	%D%/native/cells.c \
	%D%/native/cells.h \
	%D%/native/fewer.c \
	%D%/native/fewer.h \
	%D%/native/final.c \
	%D%/native/final.h \
	%D%/native/findings.c \
	%D%/native/findings.h \
	%D%/native/history.c \
	%D%/native/history.h \
	%D%/native/holds.c \
	%D%/native/holds.h \
	%D%/native/kept.c \
	%D%/native/kept.h \
	%D%/native/machine.c \
	%D%/native/machine.h \
	%D%/native/matters.c \
	%D%/native/matters.h \
	%D%/native/native.c \
	%D%/native/native.h \
	%D%/native/orbits.c \
	%D%/native/orbits.h \
	%D%/native/partial.c \
	%D%/native/partial-grow.c \
	%D%/native/partial-grow.h \
	%D%/native/partial.h \
	%D%/native/vulkan.c \
	%D%/native/vulkan.h \
	%D%/native/forward.c \
	%D%/native/forward.h \
	%D%/native/play.c \
	%D%/native/play.h \
	%D%/native/program.c \
	%D%/native/program.h \
	%D%/native/ranks.c \
	%D%/native/ranks.h \
	%D%/native/reason.c \
	%D%/native/reason.h \
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
	%D%/native/slice-code.c \
	%D%/native/slice-code.h \
	%D%/native/slice.c \
	%D%/native/slice.h \
	%D%/native/symmetry.c \
	%D%/native/symmetry.h \
	%D%/native/turns.c \
	%D%/native/turns.h \
	%D%/native/unseen.c \
	%D%/native/unseen.h \
	%D%/native/unwritten.c \
	%D%/native/unwritten.h \
	%D%/native/why.c \
	%D%/native/why.h
libnative_a_CFLAGS = $(part_cflags)
libnative_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += libreport.a
libreport_a_SOURCES = \
	%D%/report/execution.c \
	%D%/report/fields.h \
	%D%/report/functions.c \
	%D%/report/functions.h \
	%D%/report/options.c \
	%D%/report/options.h \
	%D%/report/own-stack.c \
	%D%/report/own-stack.h \
	%D%/report/play-fields.c \
	%D%/report/record.c \
	%D%/report/record.h \
	%D%/report/report.h \
	%D%/report/result.c \
	%D%/report/result.h \
	%D%/report/symbol.c \
	%D%/report/symbol.h \
	%D%/report/text.c \
	%D%/report/timeline-write.c \
	%D%/report/timeline.h \
	%D%/report/unhooked.c \
	%D%/report/unhooked.h \
	%D%/report/x86.c \
	%D%/report/x86.h
libreport_a_CFLAGS = $(part_cflags)
libreport_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += libwatch.a
libwatch_a_SOURCES = \
	%D%/watch/bounds.c \
	%D%/watch/bounds.h \
	%D%/watch/causes.c \
	%D%/watch/causes.h \
	%D%/watch/command-holds.c \
	%D%/watch/command-holds.h \
	%D%/watch/command-order.c \
	%D%/watch/command-order.h \
	%D%/watch/command-report.c \
	%D%/watch/commands.c \
	%D%/watch/commands.h \
	%D%/watch/fan-out.c \
	%D%/watch/fan-out.h \
	%D%/watch/hookless.c \
	%D%/watch/hookless.h \
	%D%/watch/listing.c \
	%D%/watch/listing.h \
	%D%/watch/observed.c \
	%D%/watch/observed.h \
	%D%/watch/order.c \
	%D%/watch/order.h \
	%D%/watch/plain.c \
	%D%/watch/plain.h \
	%D%/watch/poison-rerun.c \
	%D%/watch/poison-rerun.h \
	%D%/watch/race-finding.c \
	%D%/watch/race-left.c \
	%D%/watch/race-pair.h \
	%D%/watch/race-reason.c \
	%D%/watch/race-reason.h \
	%D%/watch/race-report.c \
	%D%/watch/race-report.h \
	%D%/watch/race.c \
	%D%/watch/race.h \
	%D%/watch/recorder.c \
	%D%/watch/recorder.h \
	%D%/watch/shadow.c \
	%D%/watch/shadow.h \
	%D%/watch/step-order.c \
	%D%/watch/step-order.h \
	%D%/watch/timeline.h \
	%D%/watch/uninit.c \
	%D%/watch/uninit.h \
	%D%/watch/write-log.c \
	%D%/watch/write-log.h
libwatch_a_CFLAGS = $(part_cflags)
libwatch_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += libhost.a
libhost_a_SOURCES = \
	%D%/host/trace-file.c \
	%D%/host/check-client-begin.c \
	%D%/host/check-client-end.c \
	%D%/host/check-client-record.c \
	%D%/host/check-client-state.h \
	%D%/host/check-client.c \
	%D%/host/check-client.h \
	%D%/host/check.c \
	%D%/host/check.h \
	%D%/host/commands.c \
	%D%/host/commands.h \
	%D%/host/device.c \
	%D%/host/explore.c \
	%D%/host/explore.h \
	%D%/host/launch.c \
	%D%/host/linger.c \
	%D%/host/linger.h \
	%D%/host/place.c \
	%D%/host/place.h \
	%D%/host/plan.c \
	%D%/host/plan.h
libhost_a_CFLAGS = $(part_cflags)
libhost_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += libsycl.a
libsycl_a_SOURCES = \
	%D%/sycl/commands.c \
	%D%/sycl/declared.c \
	%D%/sycl/declared.h \
	%D%/sycl/required.c \
	%D%/sycl/required.h \
	%D%/sycl/sycl.c
libsycl_a_CFLAGS = $(part_cflags)
libsycl_a_CPPFLAGS = $(part_cppflags)

noinst_LIBRARIES += libcuda.a
libcuda_a_SOURCES = \
	%D%/cuda/blocks.c \
	%D%/cuda/command.c \
	%D%/cuda/copy.c \
	%D%/cuda/device.c \
	%D%/cuda/device/clock.c \
	%D%/cuda/device/clock.h \
	%D%/cuda/device/head.h \
	%D%/cuda/device/math.c \
	%D%/cuda/device/math.h \
	%D%/cuda/engine.c \
	%D%/cuda/errors.c \
	%D%/cuda/graph.c \
	%D%/cuda/group.c \
	%D%/cuda/heap.c \
	%D%/cuda/heap.h \
	%D%/cuda/item.c \
	%D%/cuda/item.h \
	%D%/cuda/launch.c \
	%D%/cuda/management.c \
	%D%/cuda/memory.c \
	%D%/cuda/module.h \
	%D%/cuda/modules.c \
	%D%/cuda/names.c \
	%D%/cuda/occupancy.c \
	%D%/cuda/print.c \
	%D%/cuda/runtime.h \
	%D%/cuda/stream.c \
	%D%/cuda/words.c
libcuda_a_CFLAGS = $(part_cflags)
libcuda_a_CPPFLAGS = $(part_cppflags) -I$(top_srcdir)/sim/cuda/include

if WEIRI_ASM_X86_64
libbase_a_SOURCES += %D%/base/co_x86_64.S
endif
if WEIRI_ASM_AARCH64
libbase_a_SOURCES += %D%/base/co_aarch64.S
endif
EXTRA_DIST += %D%/base/co_x86_64.S %D%/base/co_aarch64.S

part_cflags = $(AM_CFLAGS) $(LIBDW_CFLAGS) $(PIC_CFLAGS)
part_cppflags = $(AM_CPPFLAGS) -DWEIRI_LIBRARY -DWEIRI_GDB_SCRIPT='"$(autoloaddir)/weir-gdb.py"'

# ---- libweir.a ---------------------------------------------------------------

lib_LIBRARIES += libweir.a
libweir_a_SOURCES =
part_objects = $(libbase_a_OBJECTS) $(libfinding_a_OBJECTS) $(libmachine_a_OBJECTS) $(libmodel_a_OBJECTS) $(liblitmus_a_OBJECTS) $(libnative_a_OBJECTS) $(libreport_a_OBJECTS) $(libwatch_a_OBJECTS) $(libhost_a_OBJECTS) $(libsycl_a_OBJECTS) $(libcuda_a_OBJECTS) $(libhooks_a_OBJECTS)
libweir_a_LIBADD = $(part_objects)
libweir_a_DEPENDENCIES = $(part_objects)

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

# The libraries that a program links to with libweir.a.
libweir_libs = libweir.a $(WRAP_LIBS) $(GLIB_LIBS) $(LIBDW_LIBS)

# The hooks in an archive of their own flags, since a compiler that instruments
# addresses checks its own prototypes of them; their objects ship in libweir.a.
noinst_LIBRARIES += libhooks.a
libhooks_a_SOURCES = %D%/exec/hooks.c %D%/exec/hook-names.h %D%/exec/hooks.h \
	%D%/exec/libc-wrap.c %D%/exec/libc-wrap.h %D%/exec/libc-strings.c
libhooks_a_CFLAGS = $(BASE_CFLAGS) $(GLIB_CFLAGS) $(WIDE_CFLAGS) $(PIC_CFLAGS)

# The device profiles as C strings, in this order: the first is the default one.
device_profiles = \
	%D%/exec/profiles/default.profile \
	%D%/exec/profiles/opencl12.profile \
	%D%/exec/profiles/opencl20.profile \
	%D%/exec/profiles/hd630.profile \
	%D%/exec/profiles/irisxe.profile \
	%D%/exec/profiles/max1100.profile \
	%D%/exec/profiles/h100.profile

profilesdir = $(pkgdatadir)/profiles
dist_profiles_DATA = $(device_profiles)

nodist_libmachine_a_SOURCES = %D%/exec/profiles.c
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
%D%/base/libbase_a-assert.$(OBJEXT): Makefile

%D%/gdb/autoload/weir-gdb.py: %D%/gdb/autoload.py.in Makefile
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(SED) 's|@pkgdatadir[@]|$(pkgdatadir)|' \
	  $(srcdir)/%D%/gdb/autoload.py.in > $@.tmp && mv $@.tmp $@

# ---- The parts of the command --------------------------------------------------
# Libraries as well, for weir and for the programs that it starts.

noinst_LIBRARIES += libshow.a
libshow_a_SOURCES = \
	%D%/show/baseline.c \
	%D%/show/baseline.h \
	%D%/show/document.h \
	%D%/show/excerpt.c \
	%D%/show/excerpt.h \
	%D%/show/explored-graph.c \
	%D%/show/explored-graph.h \
	%D%/show/html-style.h \
	%D%/show/html-text.c \
	%D%/show/html-text.h \
	%D%/show/html.c \
	%D%/show/json.c \
	%D%/show/litmus-blocked.c \
	%D%/show/litmus-graph.c \
	%D%/show/litmus-graph.h \
	%D%/show/litmus-json.c \
	%D%/show/litmus-label.c \
	%D%/show/litmus-layout.c \
	%D%/show/litmus-layout.h \
	%D%/show/litmus-progress.c \
	%D%/show/litmus-rows.c \
	%D%/show/litmus-sketch.c \
	%D%/show/litmus-sketch.h \
	%D%/show/litmus.c \
	%D%/show/litmus.h \
	%D%/show/picture.c \
	%D%/show/picture.h \
	%D%/show/record-read.c \
	%D%/show/record-read.h \
	%D%/show/sarif.c \
	%D%/show/steps.c \
	%D%/show/suppress.c \
	%D%/show/suppress.h \
	%D%/show/svg.c \
	%D%/show/switches.c \
	%D%/show/timeline-chrome.c \
	%D%/show/timeline-draw.h \
	%D%/show/timeline-html.c \
	%D%/show/timeline-read.c \
	%D%/show/timeline-read.h \
	%D%/show/timeline-svg.c \
	%D%/show/waits.c \
	%D%/show/waits.h \
	%D%/show/wrong.c \
	%D%/show/wrong.h
libshow_a_CFLAGS = $(command_cflags)
libshow_a_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_DOCDIR='"$(docdir)"' -DWEIRI_URL='"$(WEIR_URL)"'

noinst_LIBRARIES += libcli.a
libcli_a_SOURCES = \
	%D%/cli/child.c \
	%D%/cli/child.h \
	%D%/cli/cli.h \
	%D%/cli/clock.c \
	%D%/cli/clock.h \
	%D%/cli/common.c \
	%D%/cli/complete.c \
	%D%/cli/complete.h \
	%D%/cli/folder.c \
	%D%/cli/folder.h \
	%D%/cli/litmus-tests.h \
	%D%/cli/opencl-kernel.c \
	%D%/cli/opencl-kernel.h \
	%D%/cli/own.c \
	%D%/cli/own.h \
	%D%/cli/platform.c \
	%D%/cli/processes.c \
	%D%/cli/processes.h \
	%D%/cli/program.c \
	%D%/cli/program.h \
	%D%/cli/ranks.c \
	%D%/cli/ranks.h
libcli_a_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_VENDORS='"$(pkglibdir)/vendors"' \
	-DWEIRI_OPENCL_PROGRAM='"$(libexecdir)/weir/weir-opencl"' \
	-DWEIRI_PROGRAMS='"$(libexecdir)/weir"'
libcli_a_CFLAGS = $(command_cflags)

noinst_LIBRARIES += libengine.a
libengine_a_SOURCES = \
	%D%/engine/check-arguments.c \
	%D%/engine/check.h \
	%D%/engine/choose.c \
	%D%/engine/explore-ranks.c \
	%D%/engine/explore-ranks.h \
	%D%/engine/explore-record.c \
	%D%/engine/explore-record.h \
	%D%/engine/explore-run.c \
	%D%/engine/explore-run.h \
	%D%/engine/gdb.c \
	%D%/engine/gdb.h \
	%D%/engine/graphs.c \
	%D%/engine/jobs.c \
	%D%/engine/jobs.h \
	%D%/engine/known-findings.c \
	%D%/engine/litmus-list.c \
	%D%/engine/litmus-read.c \
	%D%/engine/litmus.h \
	%D%/engine/lockstep.c \
	%D%/engine/lockstep.h \
	%D%/engine/measure.c \
	%D%/engine/measure.h \
	%D%/engine/recorded.c \
	%D%/engine/registry.c \
	%D%/engine/run-one.c \
	%D%/engine/run-record.c \
	%D%/engine/run-record.h \
	%D%/engine/search.c \
	%D%/engine/search.h \
	%D%/engine/variants.c \
	%D%/engine/verdict.c \
	%D%/engine/verdict.h \
	%D%/engine/wrong-answer.c \
	%D%/engine/wrong-answer.h
libengine_a_CFLAGS = $(command_cflags)

noinst_LIBRARIES += librepair.a
librepair_a_SOURCES = \
	%D%/repair/atomic-site.c \
	%D%/repair/atomic-site.h \
	%D%/repair/bit-field.c \
	%D%/repair/build-again.c \
	%D%/repair/build-record.c \
	%D%/repair/build-record.h \
	%D%/repair/build-units.h \
	%D%/repair/build.c \
	%D%/repair/build.h \
	%D%/repair/candidate-atomic.c \
	%D%/repair/candidate-barrier.c \
	%D%/repair/candidate-divergence.c \
	%D%/repair/candidate-memory.c \
	%D%/repair/candidate-plain.c \
	%D%/repair/candidate.c \
	%D%/repair/candidate.h \
	%D%/repair/causes.c \
	%D%/repair/choice.c \
	%D%/repair/choice.h \
	%D%/repair/command.c \
	%D%/repair/command.h \
	%D%/repair/cuda-atomic.c \
	%D%/repair/cuda-change.h \
	%D%/repair/explore-changes.c \
	%D%/repair/explore-changes.h \
	%D%/repair/explore-fix-words.c \
	%D%/repair/explore-fixes.c \
	%D%/repair/explore-fixes.h \
	%D%/repair/explore-patch.c \
	%D%/repair/explore-proposals.h \
	%D%/repair/fix-judge.c \
	%D%/repair/fix-proof.c \
	%D%/repair/fix-trial.c \
	%D%/repair/fix-trial.h \
	%D%/repair/fix-words.c \
	%D%/repair/fixes.c \
	%D%/repair/fixes.h \
	%D%/repair/kernel-text.c \
	%D%/repair/kernel-text.h \
	%D%/repair/kernel-names.c \
	%D%/repair/kernel-names.h \
	%D%/repair/opencl-text.c \
	%D%/repair/opencl-text.h \
	%D%/repair/patch.c \
	%D%/repair/patch.h \
	%D%/repair/rebuild-open.c \
	%D%/repair/rebuild.c \
	%D%/repair/rebuild.h \
	%D%/repair/suggest.c \
	%D%/repair/suggest.h \
	%D%/repair/sycl-atomic.c \
	%D%/repair/sycl-barrier.c \
	%D%/repair/sycl-change.h \
	%D%/repair/sycl-memory.c \
	%D%/repair/sycl-text.c \
	%D%/repair/sycl-text.h \
	%D%/repair/words.c \
	%D%/repair/words.h
librepair_a_CFLAGS = $(command_cflags)

command_cflags = $(AM_CFLAGS) $(JSON_GLIB_CFLAGS) $(MPI_CFLAGS)
command_libs = librepair.a libengine.a libshow.a libcli.a libkernels.a $(libweir_libs) \
	$(JSON_GLIB_LIBS) $(MPI_LIBS) -lm

# ---- weir, and the programs that it starts ---------------------------------------

bin_PROGRAMS += weir
weir_SOURCES = \
	%D%/cmd/check.c \
	%D%/cmd/device.c \
	%D%/cmd/explore-files.c \
	%D%/cmd/explore-litmus.c \
	%D%/cmd/explore-litmus.h \
	%D%/cmd/explore-order.c \
	%D%/cmd/explore-progress.c \
	%D%/cmd/explore-progress.h \
	%D%/cmd/explore-residency.c \
	%D%/cmd/explore-residency.h \
	%D%/cmd/explore-all.c \
	%D%/cmd/explore-all.h \
	%D%/cmd/explore-sample.c \
	%D%/cmd/explore-sample.h \
	%D%/cmd/explore.c \
	%D%/cmd/explore.h \
	%D%/cmd/files.c \
	%D%/cmd/list.c \
	%D%/cmd/litmus.c \
	%D%/cmd/main.c \
	%D%/cmd/replay.c \
	%D%/cmd/report.c \
	%D%/cmd/run.c \
	%D%/cmd/shrink.c \
	%D%/cmd/trace.c \
	%D%/cmd/verdict-finish.c \
	%D%/cmd/verdict-print.c
weir_CFLAGS = $(command_cflags)
weir_LDADD = $(command_libs)
# A build of weir makes these, too.
EXTRA_weir_DEPENDENCIES = weir-bench$(EXEEXT) weir-doctor$(EXEEXT) weir-exercise$(EXEEXT) \
	weir-play$(EXEEXT)

pkglibexec_PROGRAMS += weir-bench weir-doctor weir-exercise weir-play
weir_bench_SOURCES = \
	%D%/bench/bandwidth.c \
	%D%/bench/bench-sycl.c \
	%D%/bench/bench.c \
	%D%/bench/bench.h
weir_bench_CFLAGS = $(command_cflags)
weir_bench_LDADD = $(command_libs)
weir_doctor_SOURCES = \
	%D%/doctor/doctor-build.c \
	%D%/doctor/doctor-machine.c \
	%D%/doctor/doctor-tools.c \
	%D%/doctor/doctor-try.c \
	%D%/doctor/doctor.c \
	%D%/doctor/doctor.h
weir_doctor_CFLAGS = $(command_cflags)
weir_doctor_LDADD = $(command_libs)
weir_exercise_SOURCES = \
	%D%/exercise/exercise-catalogue.c \
	%D%/exercise/exercise-class.c \
	%D%/exercise/exercise-finding.c \
	%D%/exercise/exercise-judge.c \
	%D%/exercise/exercise-rule.c \
	%D%/exercise/exercise-symbols.c \
	%D%/exercise/exercise-verify.c \
	%D%/exercise/exercise.c \
	%D%/exercise/exercise.h
weir_exercise_CFLAGS = $(command_cflags)
weir_exercise_CPPFLAGS = $(AM_CPPFLAGS) -DWEIRI_EXERCISES='"$(pkgdatadir)/exercises"'
weir_exercise_LDADD = $(command_libs)
weir_play_SOURCES = \
	%D%/play/play-answer.c \
	%D%/play/play-server.c \
	%D%/play/play.c \
	%D%/play/play.h
weir_play_CFLAGS = $(command_cflags) $(MICROHTTPD_CFLAGS)
weir_play_LDADD = $(command_libs) $(MICROHTTPD_LIBS)

# The litmus tests that are included, as C strings; tests/local.mk has the list.
nodist_libcli_a_SOURCES = %D%/cli/litmus-tests.c
nodist_libengine_a_SOURCES = %D%/engine/gdb-script.c
nodist_weir_doctor_SOURCES = %D%/doctor/doctor-text.c
nodist_weir_bench_SOURCES = %D%/bench/bench-twins.c
nodist_weir_play_SOURCES = %D%/play/play-html.c %D%/play/play-css.c %D%/play/play-script.c \
	%D%/play/play-graph.c
CLEANFILES += $(nodist_libcli_a_SOURCES) $(nodist_libengine_a_SOURCES) $(nodist_weir_doctor_SOURCES) \
	$(nodist_weir_bench_SOURCES) $(nodist_weir_play_SOURCES)
EXTRA_DIST += %D%/doctor/doctor-program.c %D%/cli/litmus-library.awk %D%/cli/c-string.awk

%D%/cli/litmus-tests.c: $(litmus_library) %D%/cli/litmus-library.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)tests=; \
	for test in $(litmus_library); do \
	  tests="$$tests $(srcdir)/$$test"; \
	done; \
	$(AWK) -f $(srcdir)/%D%/cli/litmus-library.awk $$tests > $@.tmp && mv $@.tmp $@

# Texts as C strings: $(c_string) -v header=DECLARES -v name=VARIABLE TEXT...
c_string = $(MKDIR_P) $(@D) && $(AWK) -f $(srcdir)/%D%/cli/c-string.awk

# The script of weir replay --gdb, which so needs no file of the installation.
%D%/engine/gdb-script.c: %D%/gdb/weir-gdb.py %D%/cli/c-string.awk
	$(AM_V_GEN)$(c_string) -v header=engine/gdb.h -v name=weiri_cli_gdb_script \
	  $(srcdir)/%D%/gdb/weir-gdb.py > $@.tmp && mv $@.tmp $@

# The page of weir report.
timeline_scripts = %D%/show/timeline-model.js %D%/show/timeline-draw.js \
	%D%/show/timeline-page.js
timeline_parts = %D%/show/timeline-page.c %D%/show/timeline-style.c \
	%D%/show/timeline-script.c
nodist_libshow_a_SOURCES = $(timeline_parts)
CLEANFILES += $(timeline_parts)
EXTRA_DIST += %D%/show/timeline.html %D%/show/timeline.css $(timeline_scripts)

%D%/show/timeline-page.c: %D%/show/timeline.html %D%/cli/c-string.awk
	$(AM_V_GEN)$(c_string) -v header=show/timeline-draw.h -v name=weiri_timeline_page \
	  $(srcdir)/%D%/show/timeline.html > $@.tmp && mv $@.tmp $@
%D%/show/timeline-style.c: %D%/show/timeline.css %D%/cli/c-string.awk
	$(AM_V_GEN)$(c_string) -v header=show/timeline-draw.h -v name=weiri_timeline_style \
	  $(srcdir)/%D%/show/timeline.css > $@.tmp && mv $@.tmp $@
%D%/show/timeline-script.c: $(timeline_scripts) %D%/cli/c-string.awk
	$(AM_V_GEN)scripts=; \
	for script in $(timeline_scripts); do \
	  scripts="$$scripts $(srcdir)/$$script"; \
	done; \
	$(c_string) -v header=show/timeline-draw.h -v name=weiri_timeline_script \
	  $$scripts > $@.tmp && mv $@.tmp $@

# The program that weir doctor compiles.
%D%/doctor/doctor-text.c: %D%/doctor/doctor-program.c %D%/cli/c-string.awk
	$(AM_V_GEN)$(c_string) -v header=doctor/doctor.h -v name=weiri_doctor_program \
	  $(srcdir)/%D%/doctor/doctor-program.c > $@.tmp && mv $@.tmp $@

# The kernels in SYCL, which weir bench --sycl compiles.
EXTRA_DIST += kernels/sycl/twins.cpp
%D%/bench/bench-twins.c: kernels/sycl/twins.cpp %D%/cli/c-string.awk
	$(AM_V_GEN)$(c_string) -v header=bench/bench.h -v name=weiri_bench_twins \
	  $(srcdir)/kernels/sycl/twins.cpp > $@.tmp && mv $@.tmp $@

# The page of weir play.
EXTRA_DIST += %D%/play/page/play.html %D%/play/page/play.css %D%/play/page/play.js \
	%D%/play/page/graph.js
play_text = $(c_string) -v header=play/play.h
%D%/play/play-html.c: %D%/play/page/play.html %D%/cli/c-string.awk
	$(AM_V_GEN)$(play_text) -v name=weiri_play_html $(srcdir)/%D%/play/page/play.html \
	  > $@.tmp && mv $@.tmp $@
%D%/play/play-css.c: %D%/play/page/play.css %D%/cli/c-string.awk
	$(AM_V_GEN)$(play_text) -v name=weiri_play_css $(srcdir)/%D%/play/page/play.css \
	  > $@.tmp && mv $@.tmp $@
%D%/play/play-script.c: %D%/play/page/play.js %D%/cli/c-string.awk
	$(AM_V_GEN)$(play_text) -v name=weiri_play_script $(srcdir)/%D%/play/page/play.js \
	  > $@.tmp && mv $@.tmp $@
%D%/play/play-graph.c: %D%/play/page/graph.js %D%/cli/c-string.awk
	$(AM_V_GEN)$(play_text) -v name=weiri_play_graph $(srcdir)/%D%/play/page/graph.js \
	  > $@.tmp && mv $@.tmp $@

