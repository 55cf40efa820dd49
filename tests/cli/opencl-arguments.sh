#!/bin/sh
# SPDX-License-Identifier: MIT
#
# opencl-arguments.sh: kernels in OpenCL C as arguments of the commands: what they compute,
# the findings in them, and the messages for wrong lines. Each mistake has its
# correct neighbour, an example as it is.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"
. "${top_srcdir:-.}/tests/cli/opencl-examples.sh"

given=${WEIR_CL_OPTIONS-}
export WEIR_CL_OPTIONS

# unoptimised, optimised: how the next kernels are built. Stackless entries and optimisation
# take more than half of the time of a build.
unoptimised()
{
    WEIR_CL_OPTIONS="$given -O0"
}

optimised()
{
    WEIR_CL_OPTIONS=$given
}
optimised

# ---- Answers ---------------------------------------------------------------------------

# Four groups of 16: 0 to 15, 16 to 31, ...
sums='sums=int.120,376,632,888.'
# shellcheck disable=SC2086 # the lists are words
{
weir_clean run sum.cl:tree $tree --dump sums
says "^$sums\$"
weir_clean run sum.cl $tree --dump sums
says "^$sums\$"
weir_clean run histogram.cl:by_group $bins --dump bins
says '^bins=uint.16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16.$'
weir_clean run last_group.cl $last --dump sum
says '^sum=int.2016.$'
weir_clean bench sum.cl $tree --reps 3
says '^tree: best .* ms, median .* ms of 3 launches$'
weir_clean run last_group.cl $last --cl-options -cl-std=CL3.0 --dump sum
says '^sum=int.2016.$'
unoptimised
echo 'kernel void paint(write_only image2d_t image)
{
    write_imagef(image, (int2)(get_global_id(0), 0), (float4)(1));
}
kernel void sampled(read_only image2d_t image, sampler_t sampler, global float4 *out)
{
    out[0] = read_imagef(image, sampler, (float2)(0.5f));
}' >images.cl
cat sum.cl >>images.cl
weir_clean run images.cl:tree $tree --dump sums
says "^$sums\$"

# Functions that call each other many times: inlined in each other they have no end.
{
    echo 'int f0(int x) { return x * 3 + 1; }'
    for i in 1 2 3 4 5 6 7 8 9 10; do
        f=f$((i - 1))
        echo "int f$i(int x) { return $f($f(x)) * 5 + ($f(x + 1) ^ $f(x)); }"
    done
    echo 'int meet(int x, local int *part)
{'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        echo "    x += f10(x + $i);"
    done
    echo '    part[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = part[0] + part[3];
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}
kernel void deep(global int *all, local int *part)
{
    int first = meet(get_local_id(0) % 2, part);
    all[get_global_id(0)] = meet(first + get_local_id(0), part) + first;
}'
} >deep.cl
for how in optimised unoptimised; do
    $how
    weir_clean run deep.cl --global 4 --local 4 --arg 'int[4]=iota' --arg 'local[16]' --dump all
    says '^all=int.-1659398060,-1659398060,-1659398060,-1659398060.$'
done
# One in which an item waits is inlined in any case.
nm "$scratch"/cache/weir/opencl/*.so >"$out"
test ! -x "$(dirname "$WEIR")/weir-split" || says '_deep__stackless$'

# Numbers of 16 bits: the code of any processor calls functions that convert them.
echo 'kernel void halves(global half *to, global float *all)
{
    size_t i = get_global_id(0);
    vstore_half(all[i] * 3 + 0.25f, i, to);
    all[i] = vload_half(i, to) + 1;
}' >halves.cl
printf '\0\0\240\077\0\0\210\100\0\0\350\100\0\0\044\101' >halves.bin
for command in run 'check --runs 1 --no-fixes'; do
    # The words of $command are split on purpose.
    # shellcheck disable=SC2086
    weir_clean $command halves.cl --global 4 --arg 'half[4]' --arg 'float[4]=iota' \
        --expect all=@halves.bin
done

# Images and samplers. A texel is the vector that memory has.
weir_clean run images.cl:paint --global 2 --arg 'float4[2,1]=0' --dump image
says '^image=float4.1,1,1,1,1,1,1,1.$'
weir_clean run images.cl:paint --global 1 --arg 'uchar4:unorm:bgra[2,1]={7}' --dump image
says '^image=uchar4.255,255,255,255,7,7,7,7.$'
weir_ends 1 check --runs 1 --no-fixes images.cl:paint --global 3 --arg 'half[2,1]=0'
says 'column 2 of an image with 2'
for row in 'sampler 0' 'sampler:linear 0' 'sampler:normalized:repeat 5' \
        'sampler:linear:normalized 2.5' 'sampler:normalized:linear:mirrored_repeat 2.5'; do
    weir_clean run images.cl:sampled --global 1 --arg 'float[2,2]={0,2,3,5}' \
        --arg "${row% *}" --arg 'float4[1]' --dump out
    says "^out=float4.${row#* },0,0,1.\$"
done
cat >layers.cl <<'END'
kernel void layers(read_only image2d_array_t a, read_only image1d_array_t b,
                   read_only image3d_t c, read_only image1d_t d, global int *out)
{
    out[0] = read_imagei(a, (int4)(1, 0, 2, 0)).x;
    out[1] = read_imageui(b, (int2)(1, 2)).y;
    out[2] = (int)read_imagef(c, (int4)(1, 0, 2, 0)).x;
    out[3] = (int)(127 * read_imagef(d, 3).x + 0.5f);
    out[4] = get_image_array_size(a) * 100 + get_image_width(b) * 10 + get_image_depth(c);
}
END
weir_clean run layers.cl --global 1 --arg 'int[2,2,3]=iota' --arg 'ushort2[2,3]=iota' \
    --arg 'float[2,2,3]=iota' --arg 'char:snorm[4]=iota' --arg 'int[5]' --dump out
says '^out=int.9,11,9,3,323.$'

echo 'kernel void fence() { mem_fence(CLK_LOCAL_MEM_FENCE); }' >fence.cl
weir_clean run fence.cl --global 64 --local 16

# The last group of a dimension may be smaller from OpenCL C 2.0 on.
cat >uneven.cl <<'END'
kernel void uneven(global int *out)
{
    out[get_global_id(0)] = get_local_size(0);
}
END
uneven="uneven.cl --global 5 --local 4 --arg int[5]=0"
weir_clean run $uneven --cl-options -cl-std=CL2.0 --dump out
says '^out=int.4,4,4,4,1.$'
weir_ends 0 check --runs 2 $uneven --cl-options -cl-std=CL3.0
says '^2 runs of uneven.cl: no findings$'
for options in -cl-std=CL1.2 '-cl-std=CL2.0 -cl-uniform-work-group-size'; do
    weir_ends 2 check $uneven --cl-options "$options"
    warns 'local size 4 does not divide global size 5 in dimension 0'
done
weir_ends 2 explore $uneven --cl-options -cl-std=CL2.0
warns "kernel 'uneven' cannot be explored in groups of several sizes"

# OpenCL C 3.0 has the functions of groups as a feature, and 1.2 has none of them.
echo 'kernel void groups(global int *out) { out[0] = work_group_reduce_add(3); }' >groups.cl
groups="groups.cl --global 4 --local 4 --arg int[1]"
weir_clean run $groups --cl-options -cl-std=CL3.0 --dump out
says '^out=int.12.$'
weir_ends 2 run $groups --cl-options -cl-std=CL1.2
warns "(implicit declaration of function|undeclared identifier) 'work_group_reduce_add'"

# A build removes what killed ones have left, and nothing of those that go on.
mkdir "$scratch/cache/weir/opencl/build-dead" "$scratch/cache/weir/opencl/build-alive"
touch -d '2 hours ago' "$scratch/cache/weir/opencl/build-dead"
echo 'kernel void fresh(void) { }' >fresh.cl
weir_clean run fresh.cl --global 1
test ! -d "$scratch/cache/weir/opencl/build-dead" || bad "a dead build is still there"
test -d "$scratch/cache/weir/opencl/build-alive" || bad "a build that goes on is gone"

# A file of the cache that is damaged is made again, without a word; others are not.
cache=$scratch/cache/weir/opencl
object=$(ls -t "$cache"/*.so | head -n 1)
damage()
{
    case $1 in
    empty) : >"$2" ;;
    cut) truncate -s 1000 "$2" ;;
    random) dd if=/dev/urandom of="$2" bs=1000 count=3 2>"$err" ;;
    folder) rm "$2" && mkdir "$2" && : >"$2/file" ;;
    other) echo 'of another machine' >"$2" && sha256sum <"$2" | cut -c 1-64 | tr -d '\n' >"$2.sum" ;;
    esac
}
for how in empty cut random folder other; do
    for file in "$cache"/*.so "$cache"/*.log "$cache"/*.bc "$cache"/*.ll "$cache"/*.sum; do
        case $how,$file in
        "other,$object") damage other "$file" ;;
        other,* | folder,*.sum) ;;
        # The builtins take most of the time.
        empty,*.bc* | empty,*.ll* | random,*.bc* | random,*.ll*) ;;
        *) damage $how "$file" ;;
        esac
    done
    weir_clean run fresh.cl --global 1
    test ! -s "$err" || bad "$how: something is said"
    test -f "$object" || bad "$how: not made again"
done
before=$(ls -i "$object")
weir_clean run fresh.cl --global 1
test "$(ls -i "$object")" = "$before" || bad "what is whole is made again"

# A compiler that fails without a message has met a full disk, perhaps.
cat >silent-clang <<END
#!/bin/sh
case " \$* " in
*" -x cl "* | *version*) exec ${WEIR_CLANG:-clang} "\$@" ;;
esac
exit 9
END
chmod +x silent-clang
echo 'kernel void silent(global int *a) { a[0] = 1; }' >silent.cl
(
    WEIR_CLANG=$scratch/silent-clang
    export WEIR_CLANG
    weir_ends 2 run silent.cl --global 1 --arg 'int[1]'
    grep -Eq 'status 9 and without a message: is there room in /.*\? [0-9]+ KiB are free$' "$err"
) || bad 'a silent compiler has no reason'

# A clang has its libLLVM beside it.
cat >bare-clang <<END
#!/bin/sh
case \$1 in
-print-resource-dir) echo /none/lib/clang/99 ;;
*) exec ${WEIR_CLANG:-clang} "\$@" ;;
esac
END
chmod +x bare-clang
(
    WEIR_CLANG=$scratch/bare-clang
    export WEIR_CLANG
    weir_ends 2 run silent.cl --global 1 --arg 'int[1]'
    grep -q 'silent.cl: weir-opencl-cc: no libLLVM of version 99: .*WEIR_CLANG$' "$err"
) || bad 'a clang without libLLVM has no reason'

# Temporary files of the tools are in the folder of the build.
cc=$(dirname "$WEIR")/weir-opencl-cc
cat >fake-cc <<END
#!/bin/sh
echo "\$TMPDIR" >cc.out
exec "$cc" "\$@"
END
chmod +x fake-cc
echo 'kernel void other(void) { barrier(0); }' >other.cl
optimised
WEIR_OPENCL_CC=$scratch/fake-cc
export WEIR_OPENCL_CC
weir_clean run other.cl --global 1
grep -q "^$scratch/cache/weir/opencl/build-" cc.out || bad "temporary files elsewhere"
# One that fails without a word is named.
printf '#!/bin/sh\nexit 3\n' >fake-cc
echo 'kernel void others(void) { barrier(0); }' >other.cl
weir_ends 2 run other.cl --global 1
grep -q "fake-cc failed on what Weir made of the program" "$err" || bad "fake-cc is not named"
unset WEIR_OPENCL_CC

# ---- What is found ---------------------------------------------------------------------

for kernel in sum.cl histogram.cl:by_group histogram.cl:global_bins last_group.cl; do
    case $kernel in
    sum.cl) words=$tree ;;
    last_group.cl) words=$last ;;
    *) words=$bins ;;
    esac
    weir_ends 0 check --runs 6 $kernel $words
    says "^6 runs of $kernel: no findings\$"
done

mistake sum.cl '/part\[lid\] = in/{n;d}'
fixes=yes
weir_ends 1 check --runs 6 wrong.cl $tree
says "^data race in kernel 'tree', group"
says "wrong.cl:$(at 'part\[lid\] = in')  part\\[lid\\] = in"
says '^  fix +insert barrier\(CLK_LOCAL_MEM_FENCE\) after wrong.cl:'
says "again: weir check .*wrong.cl --global 64 --local 16 --arg 'int\\[64\\]=iota'"
fixes=no

mistake sum.cl 's/barrier(CLK_LOCAL_MEM_FENCE)/barrier(CLK_GLOBAL_MEM_FENCE)/'
weir_ends 1 check --runs 6 wrong.cl $tree
says "^data race in kernel 'tree'"

mistake sum.cl 's/if (lid < stride) {/if (lid < stride) { barrier(CLK_LOCAL_MEM_FENCE);/'
weir_ends 1 check --runs 6 wrong.cl $tree
says "^barrier divergence in kernel 'tree'"

weir_ends 1 check --runs 6 sum.cl --global 64 --local 16 --arg 'int[63]=iota' \
    --arg 'int[4]' --arg 'local[64]'
says "^out-of-bounds read in kernel 'tree'.*: in\\[63\\] of 63 elements"
weir_ends 1 check --runs 6 sum.cl --global 64 --local 16 --arg 'int[64]' \
    --arg 'int[4]' --arg 'local[64]'
says "^uninitialized-read in kernel 'tree'.*in\\["

mistake histogram.cl 's/mine\[i\] = 0;//'
weir_ends 1 check --runs 6 wrong.cl:by_group $bins
says "^uninitialized-read in kernel 'by_group'.*mine\\["

mistake last_group.cl 's/memory_order_acq_rel/memory_order_relaxed/'
weir_ends 1 check --runs 6 wrong.cl $last
says "^data race in kernel 'sum'.*partial\\["

# What the buffer must hold.
printf '\170\0\0\0\170\1\0\0\170\2\0\0\170\3\0\0' >sums
weir_ends 0 check --runs 6 sum.cl $tree --expect sums=@sums
printf '\171\0\0\0\170\1\0\0\170\2\0\0\170\3\0\0' >sums
weir_ends 1 check --runs 6 sum.cl $tree --expect sums=@sums
says "^wrong result of kernel 'tree'"

# ---- Other commands --------------------------------------------------------------------

small="--global 4 --local 2 --arg int[4]=iota --arg int[2] --arg local[8]"
weir_ends 0 explore sum.cl $small
says '^sum.cl, model sycl-split$'
says 'sums\[0\]=1,sums\[1\]=5$'
mistake sum.cl '/part\[lid\] = in/{n;d}'
weir_ends 1 explore --no-fixes wrong.cl $small
says "^data race in kernel 'tree'"
weir_ends 1 check --runs 6 --record failure.weir wrong.cl $tree
weir_ends 1 replay failure.weir
says "^data race in kernel 'tree'"
weir_ends 0 trace -o sum.json sum.cl $small
test -s sum.json || bad "there is no trace"

# Accesses with which both sides of a branch begin or end keep their lines.
cat >sides.cl <<'END'
kernel void sides(global int *out, global int *shared)
{
    int i = get_global_id(0), sum;
    if (i % 2 == 0) {
        sum = shared[0]; // even
    } else {
        sum = shared[0] * 3; // odd
    }
    shared[0] = i;
    if (i == 0) {
        shared[0] = sum; // first
    } else {
        out[i] = sum;
    }
}
END
sides="sides.cl --global 64 --local 16 --arg int[64]=0 --arg int[1]=0"
weir_clean run $sides
weir_ends 1 check --runs 1 --no-fixes $sides
for side in even odd; do
    says "^  (read|write) .* sides.cl:$(grep -n "// $side" sides.cl | sed 's/:.*//')  "
done
says_nothing_of 'sides.cl  *-$'

# Groups and items are named in OpenCL's order of dimensions, the fastest first.
cat >place.cl <<'END'
kernel void place(global int *out)
{
    if (get_group_id(0) == 1 && get_group_id(1) == 0 && get_local_id(0) == 0
        && get_local_id(1) == 2)
        out[64] = 1;
}
END
weir_ends 1 check --runs 1 --no-fixes place.cl --global 8,8 --local 4,4 --arg 'int[64]=0'
says "^out-of-bounds write in kernel 'place', group \(1,0,0\), item \(0,2,0\): out\[64\] "
weir_ends 1 check --runs 1 --no-fixes --json place.cl --global 8,8 --local 4,4 \
    --arg 'int[64]=0'
json 'it["findings"][0]["first"]["item"] == [0, 2, 0]
    and it["findings"][0]["first"]["group"] == [1, 0, 0]'

# A byte order mark is not a part of the text.
unoptimised
printf '\357\273\277kernel void marked(global int *a) { a[0] = 1; }\n' >marked.cl
weir_clean run marked.cl --global 1 --arg 'int[1]' --dump a
says '^a=int.1.$'

# A text that printf() does not print whole is named, once; and is a finding of a check.
cat >says.cl <<'END'
kernel void says(global int *a)
{
    printf("%d and\n", a[get_global_id(0)]);
    printf("%d, %f of it\n", 5, 3);
}
END
weir run says.cl --global 2 --arg 'int[2]'
ends_with 0
says '^0 and$' '^5, 0 and$'
grep -q '^weir: .*says.cl:4: printf: the text ends before "%f of it.n": its argument has another type$' "$err" \
    || bad 'the rest is not named'
weir_ends 1 check --runs 2 --no-fixes says.cl --global 2 --arg 'int[2]'
says '^printf: the text ends before "%f of it.n"' ' says.cl:4 ' ' 1 finding$'
sed 's/5, 3/5, 3.0f/' says.cl >says-all.cl
weir_clean run says-all.cl --global 2 --arg 'int[2]'
says '^5, 3.000000 of it$'
optimised

# The race of a copy is at its call.
cat >early.cl <<'END'
kernel void early(global const int *in, global int *out)
{
    local int part[16];
    event_t done = async_work_group_copy(part, in, 16, 0); // copy
    out[get_global_id(0)] = part[get_local_id(0)];
    wait_group_events(1, &done);
}
END
weir_ends 1 check --runs 4 --no-fixes early.cl --global 16 --local 16 --arg 'int[16]=iota' \
    --arg 'int[16]'
says "^data race in kernel 'early'" 'early.cl:4 ' ' 1 finding$'

# ---- Wrong lines -----------------------------------------------------------------------

weir_ends 2 check sum.cl
warns '^weir check: tree\(.*\) has 3 parameters, and --arg is given 0 times' \
    "^  weir check sum.cl:tree --global N --arg 'int\\[N\\]' --arg 'int\\[N\\]' --arg 'local\\[BYTES\\]'"
weir_ends 2 check sum.cl:forest $tree
warns "^weir check: sum.cl has no kernel 'forest'; it has:" '^  sum.cl:tree\('
weir_ends 2 check histogram.cl $bins
warns 'histogram.cl has 2 kernels; name one of them:' 'histogram.cl:by_group\('
weir_ends 2 check none.cl $tree
warns "^weir check: .*none.cl"
weir_ends 2 check sum.cl --global 64 --local 16 --arg 'int[64' --arg 'int[4]' --arg 'local[64]'
warns "^weir check: --arg 'int\\[64' for .* in: 'int\\[64' is not of the form"
weir_ends 2 check sum.cl --global 64,2 --local 16 --arg 'int[64]' --arg 'int[4]' \
    --arg 'local[64]'
warns '^weir check: --local 16 has 1 dimensions, and --global 64,2 has 2$'
weir_ends 2 check sum.cl --globl 64 --local 16 --arg 'int[64]' --arg 'int[4]' --arg 'local[64]'
warns "^weir check: unknown option '--globl': did you mean '--global'[?]$"
weir_ends 2 check sum.cl --global 64 --local 16 --args 'int[64]' --arg 'int[4]' --arg 'local[64]'
warns "^weir check: unknown option '--args': did you mean '--arg'[?]$"
weir_ends 2 check sum.cl histogram.cl $tree
warns "^weir check: give one kernel of OpenCL: 'histogram.cl' is one too many$"
weir_ends 2 check sum.cl --global 64 --local 16 --arg 'int[64]'
warns "^  weir check sum.cl:tree --global 64 --local 16 --arg "
weir_ends 2 check sum.cl --global 0 --local 16 --arg 'int[64]' --arg 'int[4]' --arg 'local[64]'
warns "^weir check: --global: '0' is not one to three sizes from 1 on, such as 64 or 16,16$"
for row in 'float4[2]#image2d_t has 2 sizes: TYPE.WIDTH,HEIGHT.$' \
        'float4#an image takes TYPE.WIDTH,HEIGHT. or TYPE.WIDTH,HEIGHT.=VALUES$' \
        'float3[2,2]#OpenCL has no image of such texels$' \
        'char4:unorm[2,2]#OpenCL has no image of such texels$' \
        'float4:red[2,2]#.red. is not a property of texels: give unorm' \
        'float4[0,2]#an image of 0,2 texels is not possible$'; do
    weir_ends 2 run images.cl:paint --global 1 --arg "${row%%#*}"
    warns "^weir run: --arg '.*' for image2d_t image: ${row#*#}"
done
for row in 'linear#a sampler takes sampler, or words' \
        'sampler:wide#.wide. is not a property of a sampler' \
        'sampler:repeat#a sampler that repeats has normalized coordinates'; do
    weir_ends 2 run images.cl:sampled --global 1 --arg 'float[2,2]' --arg "${row%%#*}" \
        --arg 'float4[1]'
    warns "^weir run: --arg '.*' for sampler_t sampler: ${row#*#}"
done
weir_ends 2 check sum.cl $tree --dump none
warns "^weir check: --dump: tree has no parameter 'none'$"
weir_ends 2 check sum.cl $tree --cl-options -cl-nonsense
warns 'nonsense'
mistake sum.cl 's/part\[lid\] = in/part[lid] = on/'
weir_ends 2 check wrong.cl $tree
warns "wrong.cl:$(at 'part\[lid\] = on'):.*error: use of undeclared identifier 'on'" \
    '^weir check: wrong.cl does not compile$'
weir_ends 2 run sum.cl $tree --n 4
warns "^weir run: '--n' is not for a kernel of OpenCL$"
}

test $failures -eq 0
