# The least an OpenCL 1.2 device offers a SYCL implementation.
[device]
summary = OpenCL 1.2: relaxed atomics only, scopes up to work-group
max_work_group_size = 256
local_mem_size = 32768
compute_units = 8
sub_group_sizes = 8;16;32
sub_group_size = 16
atomic_orders = relaxed
atomic_scopes = work_item;sub_group;work_group
fence_orders = relaxed;acquire;release;acq_rel
fence_scopes = work_item;sub_group;work_group
atomic64 = false
