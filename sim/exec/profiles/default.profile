# What Weir simulates by default: everything that the models have.
[device]
summary = every order and scope; a large, modern device
max_work_group_size = 1024
local_mem_size = 65536
compute_units = 16
sub_group_sizes = 8;16;32
sub_group_size = 16
atomic_orders = relaxed;acquire;release;acq_rel;seq_cst
atomic_scopes = work_item;sub_group;work_group;device;system
fence_orders = relaxed;acquire;release;acq_rel;seq_cst
fence_scopes = work_item;sub_group;work_group;device;system
atomic64 = true
