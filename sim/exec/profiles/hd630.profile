# Intel HD Graphics 630 (9th generation): 24 execution units in 3 subslices.
[device]
summary = Intel HD Graphics 630
max_work_group_size = 256
local_mem_size = 65536
compute_units = 24
sub_group_sizes = 8;16;32
sub_group_size = 16
atomic_orders = relaxed;acquire;release;acq_rel;seq_cst
atomic_scopes = work_item;sub_group;work_group;device;system
fence_orders = relaxed;acquire;release;acq_rel;seq_cst
fence_scopes = work_item;sub_group;work_group;device;system
atomic64 = true
