#!/bin/sh
# SPDX-License-Identifier: MIT
#
# opencl-api.sh: programs of OpenCL find Weir's platform by the usual loader, and no
# other; their commands do what the standard says. Under weir check, commands that
# nothing orders race, and a wrong call is a finding on its line; the nearest right use
# is clean.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
top_srcdir=$(cd "$top_srcdir" && pwd)
test -f "$(dirname "$WEIR")/libweir-opencl.so" || { echo "SKIP: no libweir-opencl.so"; exit 77; }
cp "$top_srcdir/tests/cli/opencl-api.c" "$scratch" && cd "$scratch" || exit 99
# shellcheck disable=SC2086
${CC:-cc} -g -O1 -Wall -Wextra -pthread opencl-api.c -o api -lOpenCL >"$out" 2>"$err" \
    || { echo "SKIP: no -lOpenCL"; exit 77; }

# silent ARGUMENT...: no finding; there are no launches, which the command complains of
silent()
{
    weir_ends 2 check --runs 1 -- ./api "$@"
    says '^1 run of ./api: nothing to check'
    grep -q 'launched nothing' "$err" || bad "it fails otherwise"
}

# Right uses give what they must; under weir check nothing is found.
for case in rows boxes parts maps events failures threads native questions formats slots; do
    weir_clean run -- ./api $case
    silent $case
done
weir_clean run -- ./api questions
says '^OpenCL 3.0 Weir' '^OpenCL C 1.2 Weir' '^device scope'
export WEIR_OPENCL_DEVICE=opencl12
weir_clean run -- ./api questions
says '^OpenCL 1.2 Weir' '^OpenCL C 1.2 Weir' '^group scope'
export WEIR_OPENCL_DEVICE=nonsense
weir_ends 3 run -- ./api questions
grep -q "nonsense" "$err" || bad "a profile that is not there is not named"
unset WEIR_OPENCL_DEVICE
weir_ends 2 run -- ./gone
grep -q "cannot start './gone': there is no such program" "$err" || bad "not said"
weir_ends 2 run --

# Commands on one queue and on two: the lines are those of comments of that number.
one='the two commands are not ordered: their queue is out of order, and no event of a wait list'
two='the two commands are not ordered: they are in two queues'
races()
{
    weir_ends 1 check --runs 1 -- ./api "$1" "$2"
    first=$(grep -n '// first$' opencl-api.c | sed -n "$3s/:.*//p")
    second=$(grep -n '// second$' opencl-api.c | sed -n "$3s/:.*//p")
    says '^data race between clEnqueue' "opencl-api.c:$first " \
        "^  why  *$4" '^1 run of ./api: 1 finding'
    # A call of several lines may be known by any of them.
    says "opencl-api.c:$second |opencl-api.c:$((second + 1)) "
}
races fills none 1 "$one"
races fills queues 1 "$two"
races reads unordered 2 "$one"
for how in event barrier marker finish wait apart queues_event; do
    silent fills $how
done
silent reads ordered

# A wait for an event that no thread is left to set; in "threads" one sets it.
set=$(grep -n '// never set$' opencl-api.c | sed 's/:.*//')
for how in finish wait write; do
    weir_ends 1 check --runs 1 -- ./api stuck $how
    says "^cl[A-Za-z]*: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: it waits for ever: no remaining thread can set the user event of .*opencl-api.c:$set\$" \
        '^1 run of ./api: 1 finding'
done
silent stuck set

# The host writes to what it has mapped to be read.
line=$(grep -n '// unmapped$' opencl-api.c | sed 's/:.*//')
weir_ends 1 check --runs 1 -- ./api look write
says "^clEnqueueUnmapMemObject: CL_INVALID_OPERATION: the host has written to .* CL_MAP_READ" \
    "host  opencl-api.c:$line " '^1 run of ./api: 1 finding'
for how in both command nothing; do
    silent look $how
done

# wrong CASE CODE NUMBER TEXT: the call returns the code, and is found
wrong()
{
    weir_clean run -- ./api wrong "$1"
    says "^$3\$"
    weir_ends 1 check --runs 1 -- ./api wrong "$1"
    says "^cl[A-Za-z]*: $2: .*$4" '^  cl[A-Za-z]*  host  opencl-api.c:' '^1 run of ./api: 1 finding'
}
wrong released CL_INVALID_MEM_OBJECT -38 'the memory object was released before'
wrong twice CL_INVALID_MEM_OBJECT -38 'the memory object was released before'
wrong kind CL_INVALID_MEM_OBJECT -38 'a command queue is given where a memory object is needed'
wrong beyond CL_INVALID_VALUE -30 '1024 bytes from offset 4 on are beyond the buffer of 1024 bytes'
wrong shared_elsewhere CL_INVALID_VALUE -30 'the pointer is to memory in another context'
silent wrong shared
wrong overlap CL_MEM_COPY_OVERLAP -8 'overlap'
wrong overlap_box CL_MEM_COPY_OVERLAP -8 'from byte 0 of the buffer on, and the destination, from byte 132 on, overlap'
wrong overlap_parts CL_MEM_COPY_OVERLAP -8 'from byte 132 of the buffer on, and the destination, from byte 128 on, overlap'
wrong pitches CL_INVALID_VALUE -30 'within one buffer the pitches of the source'
wrong no_bytes CL_INVALID_VALUE -30 'the size is 0'
wrong crooked CL_MISALIGNED_SUB_BUFFER_OFFSET -13 'origin 4 is not a multiple of 128 bytes'
wrong empty CL_INVALID_BUFFER_SIZE -61 'a buffer of 0 bytes'
wrong no_pointer CL_INVALID_HOST_PTR -37 'host_ptr is NULL'
wrong flags CL_INVALID_VALUE -30 'exclude each other'
wrong no_access CL_INVALID_OPERATION -59 'the host does not read it'
wrong pattern CL_INVALID_VALUE -30 'not 12'
wrong list CL_INVALID_EVENT_WAIT_LIST -57 'has 1 events, and its address is NULL'
wrong unmap CL_INVALID_VALUE -30 'no mapped region has this address'
wrong profile CL_PROFILING_INFO_NOT_AVAILABLE -7 'CL_QUEUE_PROFILING_ENABLE'
wrong room CL_INVALID_VALUE -30 'the answer has 8 bytes, and there is room for 1'
wrong status CL_INVALID_OPERATION -59 'has been set before'
wrong property_twice CL_INVALID_PROPERTY -64 'property 0x1085 is given twice'
wrong property_value CL_INVALID_PROPERTY -64 'neither CL_TRUE nor CL_FALSE'
wrong type CL_INVALID_DEVICE_TYPE -31 'the type is 0x0'
wrong square CL_INVALID_OPERATION -59 'images of one dimension only in buffers'
weir_clean run -- ./api wrong language
says '^-59$'
weir check --runs 1 --json -- ./api wrong beyond
json 'len(it["findings"]) == 1 and it["findings"][0]["kind"] == "api-error"'

finish
