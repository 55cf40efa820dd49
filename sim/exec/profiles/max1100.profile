# Intel Data Center GPU Max 1100: 56 Xe cores, 448 vector engines.
[device]
summary = Intel Data Center GPU Max 1100
max_work_group_size = 1024
local_mem_size = 131072
compute_units = 448
sub_group_sizes = 16;32
sub_group_size = 32
atomic_orders = relaxed;acquire;release;acq_rel;seq_cst
atomic_scopes = work_item;sub_group;work_group;device;system
fence_orders = relaxed;acquire;release;acq_rel;seq_cst
fence_scopes = work_item;sub_group;work_group;device;system
atomic64 = true
