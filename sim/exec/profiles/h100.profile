# CUDA programs run on it: numbers of compute capability 9.0. As many multiprocessors as
# have room for the items that Weir can suspend, with 32 blocks each.
[device]
summary = NVIDIA H100: every order and scope, warps of 32, 227 KiB of shared memory
max_work_group_size = 1024
local_mem_size = 232448
compute_units = 512
sub_group_sizes = 32
sub_group_size = 32
atomic_orders = relaxed;acquire;release;acq_rel;seq_cst
atomic_scopes = work_item;sub_group;work_group;device;system
fence_orders = relaxed;acquire;release;acq_rel;seq_cst
fence_scopes = work_item;sub_group;work_group;device;system
atomic64 = true
