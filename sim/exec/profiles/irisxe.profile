# Intel Iris Xe Graphics (12th generation): 96 execution units.
[device]
summary = Intel Iris Xe Graphics
max_work_group_size = 512
local_mem_size = 65536
compute_units = 96
sub_group_sizes = 8;16;32
sub_group_size = 16
atomic_orders = relaxed;acquire;release;acq_rel;seq_cst
atomic_scopes = work_item;sub_group;work_group;device;system
fence_orders = relaxed;acquire;release;acq_rel;seq_cst
fence_scopes = work_item;sub_group;work_group;device;system
atomic64 = true
