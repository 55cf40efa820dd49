# SPDX-License-Identifier: MIT

# CUDA: headers for sources in CUDA, which keep their folders, and the source of builtins
# and entries, which the clang at hand compiles.
cudabuiltinsdir = $(pkgdatadir)/cuda
dist_cudabuiltins_DATA = \
	%D%/device/builtins-atomic.h \
	%D%/device/builtins-copy.h \
	%D%/device/builtins-ids.h \
	%D%/device/builtins-ptx.h \
	%D%/device/builtins-sync.h \
	%D%/device/builtins-warp.h \
	%D%/device/builtins.c \
	%D%/device/clock.c \
	%D%/device/clock.h \
	%D%/device/entries.c \
	%D%/device/head.h \
	%D%/device/machine.h \
	%D%/device/math.c \
	%D%/device/math.h
cuda_headers = \
	%D%/include/bits/functexcept.h \
	%D%/include/bits/shared_ptr_base.h \
	%D%/include/common_functions.h \
	%D%/include/cooperative_groups.h \
	%D%/include/cooperative_groups/memcpy_async.h \
	%D%/include/cooperative_groups/reduce.h \
	%D%/include/cooperative_groups/scan.h \
	%D%/include/crt/common_functions.h \
	%D%/include/crt/device_double_functions.h \
	%D%/include/crt/device_functions.h \
	%D%/include/crt/host_defines.h \
	%D%/include/crt/math_functions.h \
	%D%/include/crt/sm_70_rt.h \
	%D%/include/crt/sm_80_rt.h \
	%D%/include/crt/sm_90_rt.h \
	%D%/include/cuComplex.h \
	%D%/include/cub/block/block_load.cuh \
	%D%/include/cub/block/block_radix_sort.cuh \
	%D%/include/cub/block/block_reduce.cuh \
	%D%/include/cub/block/block_scan.cuh \
	%D%/include/cub/block/block_store.cuh \
	%D%/include/cub/cub.cuh \
	%D%/include/cub/iterator/counting_input_iterator.cuh \
	%D%/include/cub/iterator/transform_input_iterator.cuh \
	%D%/include/cub/thread/thread_operators.cuh \
	%D%/include/cub/util_type.cuh \
	%D%/include/cub/warp/warp_reduce.cuh \
	%D%/include/cub/warp/warp_scan.cuh \
	%D%/include/cub/weir-block.hpp \
	%D%/include/cub/weir-operators.hpp \
	%D%/include/cub/weir-warp.hpp \
	%D%/include/cuda/annotated_ptr \
	%D%/include/cuda/atomic \
	%D%/include/cuda/barrier \
	%D%/include/cuda/functional \
	%D%/include/cuda/latch \
	%D%/include/cuda/pipeline \
	%D%/include/cuda/ptx \
	%D%/include/cuda/semaphore \
	%D%/include/cuda/std/algorithm \
	%D%/include/cuda/std/array \
	%D%/include/cuda/std/atomic \
	%D%/include/cuda/std/barrier \
	%D%/include/cuda/std/bit \
	%D%/include/cuda/std/cassert \
	%D%/include/cuda/std/cfloat \
	%D%/include/cuda/std/chrono \
	%D%/include/cuda/std/climits \
	%D%/include/cuda/std/cmath \
	%D%/include/cuda/std/complex \
	%D%/include/cuda/std/concepts \
	%D%/include/cuda/std/cstddef \
	%D%/include/cuda/std/cstdint \
	%D%/include/cuda/std/cstdio \
	%D%/include/cuda/std/cstdlib \
	%D%/include/cuda/std/cstring \
	%D%/include/cuda/std/ctime \
	%D%/include/cuda/std/functional \
	%D%/include/cuda/std/initializer_list \
	%D%/include/cuda/std/iterator \
	%D%/include/cuda/std/latch \
	%D%/include/cuda/std/limits \
	%D%/include/cuda/std/memory \
	%D%/include/cuda/std/numeric \
	%D%/include/cuda/std/optional \
	%D%/include/cuda/std/ranges \
	%D%/include/cuda/std/ratio \
	%D%/include/cuda/std/semaphore \
	%D%/include/cuda/std/span \
	%D%/include/cuda/std/string_view \
	%D%/include/cuda/std/tuple \
	%D%/include/cuda/std/type_traits \
	%D%/include/cuda/std/utility \
	%D%/include/cuda/std/variant \
	%D%/include/cuda/std/version \
	%D%/include/cuda_awbarrier.h \
	%D%/include/cuda_awbarrier_primitives.h \
	%D%/include/cuda_bf16.h \
	%D%/include/cuda_fp16.h \
	%D%/include/cuda_pipeline.h \
	%D%/include/cuda_pipeline_primitives.h \
	%D%/include/cuda_profiler_api.h \
	%D%/include/cuda_runtime.h \
	%D%/include/cuda_runtime_api.h \
	%D%/include/device_atomic_functions.h \
	%D%/include/device_double_functions.h \
	%D%/include/device_functions.h \
	%D%/include/device_launch_parameters.h \
	%D%/include/driver_types.h \
	%D%/include/future \
	%D%/include/host_defines.h \
	%D%/include/math_constants.h \
	%D%/include/math_functions.h \
	%D%/include/sm_20_atomic_functions.h \
	%D%/include/sm_20_intrinsics.h \
	%D%/include/sm_30_intrinsics.h \
	%D%/include/sm_32_atomic_functions.h \
	%D%/include/sm_32_intrinsics.h \
	%D%/include/sm_35_atomic_functions.h \
	%D%/include/sm_35_intrinsics.h \
	%D%/include/sm_60_atomic_functions.h \
	%D%/include/sm_61_intrinsics.h \
	%D%/include/surface_functions.h \
	%D%/include/surface_indirect_functions.h \
	%D%/include/texture_fetch_functions.h \
	%D%/include/texture_indirect_functions.h \
	%D%/include/vector_functions.h \
	%D%/include/vector_functions.hpp \
	%D%/include/vector_types.h \
	%D%/include/weir/aligned-size.h \
	%D%/include/weir/atomic-objects.h \
	%D%/include/weir/atomics.h \
	%D%/include/weir/bits.h \
	%D%/include/weir/builtins.h \
	%D%/include/weir/convert.h \
	%D%/include/weir/copies.h \
	%D%/include/weir/cuda.h \
	%D%/include/weir/device.hpp \
	%D%/include/weir/errors.h \
	%D%/include/weir/half-bits.h \
	%D%/include/weir/half.hpp \
	%D%/include/weir/ids.h \
	%D%/include/weir/integers.h \
	%D%/include/weir/loads.hpp \
	%D%/include/weir/math.hpp \
	%D%/include/weir/simd.hpp \
	%D%/include/weir/std.hpp \
	%D%/include/weir/sync.h \
	%D%/include/weir/warp.h
EXTRA_DIST += $(cuda_headers)

install-data-hook:
	$(AM_V_at)for header in $(cuda_headers); do \
	  to="$(DESTDIR)$(includedir)/weir-cuda/$${header#%D%/include/}"; \
	  $(MKDIR_P) "$${to%/*}" && $(INSTALL_DATA) $(srcdir)/$$header "$$to" || exit 1; \
	done
uninstall-hook:
	$(AM_V_at)rm -rf "$(DESTDIR)$(includedir)/weir-cuda"
