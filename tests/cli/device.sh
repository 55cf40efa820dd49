#!/bin/sh
# SPDX-License-Identifier: MIT
#
# device.sh: weir device shows what a profile offers, and refuses a profile that
# is wrong with file, key and value.
. "${top_srcdir:-.}/tests/cli/lib.sh"

weir_clean device
for profile in default opencl12 opencl20 hd630 irisxe max1100 h100; do
    says "$profile"
done
says 'max_work_group_size +1024' 'local_mem_size +65536' 'max_resident_items +16384'

weir_clean device opencl12
says 'atomic_memory_order_capabilities +relaxed$' \
    'atomic_memory_scope_capabilities +work_item sub_group work_group$'

weir_clean device --json
json 'it["name"] == "default" and it["max_work_group_size"] == 1024
    and it["local_mem_size"] == 65536 and it["compute_units"] == 16
    and it["sub_group_size"] == 16 and it["sub_group_sizes"] == [8, 16, 32]
    and it["max_resident_items"] == 16384 and it["atomic64"] is True
    and set(it["atomic_memory_order_capabilities"])
        >= {"relaxed", "acquire", "release", "acq_rel", "seq_cst"}
    and it["atomic_memory_scope_capabilities"]
        == ["work_item", "sub_group", "work_group", "device", "system"]'
weir_clean device opencl12 --json
json 'it["name"] == "opencl12" and it["atomic_memory_order_capabilities"] == ["relaxed"]
    and it["atomic_memory_scope_capabilities"] == ["work_item", "sub_group", "work_group"]'

cat >"$scratch/mine.profile" <<'END'
[device]
summary = a device of our own
max_work_group_size = 96
local_mem_size = 12345
compute_units = 3
sub_group_sizes = 4;8
sub_group_size = 4
atomic_orders = relaxed;acquire
atomic_scopes = work_item;device
fence_orders = acq_rel
fence_scopes = system
atomic64 = false
END
weir_clean device "$scratch/mine.profile"
says 'a device of our own' 'max_work_group_size +96'

sed 's/= 96/= none/' "$scratch/mine.profile" >"$scratch/wrong.profile"
weir device "$scratch/wrong.profile"
complains 'wrong\.profile' 'max_work_group_size' 'none'
sed 's/^atomic64.*/&\nwarp_size = 32/' "$scratch/mine.profile" >"$scratch/wrong.profile"
weir device "$scratch/wrong.profile"
complains 'wrong\.profile' 'warp_size' '32'
sed '/^fence_scopes/d' "$scratch/mine.profile" >"$scratch/wrong.profile"
weir device "$scratch/wrong.profile"
complains 'wrong\.profile' 'fence_scopes'
weir device "$scratch/absent.profile"
complains 'absent\.profile'
weir device cuda
complains "'cuda'" 'opencl12'
weir device default opencl12
complains 'opencl12'
finish
