#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-commands.sh: commands of SYCL's queues that nothing orders race, with each other
# and with the host; so are commands that access memory that is not there. Each wrong case of sycl-commands.cpp is found on both lines, and its
# nearest right neighbour is clean.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers clang++ g++
cp "$top_srcdir/tests/cli/sycl-commands.cpp" commands.cpp

# line CASE WORD: the number of the first line with that comment in or after the function
# that the case calls
line()
{
    awk -v name="$1" -v word="$2" '
        $0 ~ "^static void " name "(_of)?\\(" || $0 ~ "^static void .*\\(" && $2 == name { in_it = 1 }
        in_it && $0 ~ "// " word "$" { print NR; exit }' commands.cpp
}

# silent CASE: no finding
silent()
{
    weir_ends "${2-0}" check --runs 2 -- ./commands "$1"
    says_nothing_of 'race' 'deadlock' 'use after free' 'use-after-free' 'out-of-bounds' 'context'
}

# races CASE FUNCTION HEADLINE WHY
races()
{
    weir_ends 1 check --runs 2 -- ./commands "$1"
    says "^$3" "commands.cpp:$(line "$2" race) " "commands.cpp:$(line "$2" other) " \
        "^  why  *$4" '^2 runs of ./commands: 1 finding'
    ! grep -q 'sycl/weir/\|/include/c++/' "$out" || bad "it shows a line of the header"
}

# strays CASE FUNCTION HEADLINE: one place is wrong
strays()
{
    weir_ends 1 check --runs 1 -- ./commands "$1"
    says "^$3" "commands.cpp:$(line "$2" other) " '^1 run of ./commands: 1 finding'
}

# stuck CASE: a wait that never ends. Without optimisation a dozen functions of the standard
# library lie between the destructor of a buffer and its wait.
stuck()
{
    weir_ends 1 check --runs 1 -- ./commands "$1"
    wait="commands.cpp:$(line "$1" other)"
    says "^deadlock: the host waits for kernel 'raising', which waits for the end of a host accessor of held " \
        "host_accessor  .*commands.cpp:$(line "$1" race) " "wait  .*$wait " \
        '^1 run of ./commands: 1 finding'
}

one='the two commands are not ordered: their queue is out of order'
two='the two commands are not ordered: they are in two queues'
host='the host does not wait for the command'
for CXX in $compilers; do
    compiles $stacks $level -Wpedantic commands.cpp -o ./commands

    # Two commands of a queue: kernels, and their dependencies.
    races unordered kernels "data race between kernel 'writer' and kernel 'reader': a\[" "$one"
    silent waited
    silent in_order
    races half_diamond diamond "data race between kernel 'commands.cpp:" "$one"
    silent diamond
    races two_queues queues "data race between kernel 'commands.cpp:" "$two"
    silent two_queues_ordered
    races no_barrier barrier 'data race between kernel' "$one"
    silent barrier
    races mixed mixed 'race of an atomic and a plain access between kernel' "$one"
    silent atomics
    silent apart
    silent many

    # Copies, fills and tasks of the host.
    races two_copies copies 'data race between memcpy and memset: ' "$one"
    silent copies
    races copy_to_host host_copy 'data race between copy and the host: ' "$host"
    silent copy_to_host_waited 2
    races host_task task 'data race between host_task and kernel ' "$one"
    silent host_task_ordered

    # The host.
    races host_reads host "data race between kernel 'computes' and the host: a\[" "$host"
    silent host_waits
    silent host_reads_elsewhere
    races host_writes host_writes 'data race between kernel .* and the host: a\[0\]' "$host"
    silent host_reads_too
    races frees frees 'use after free: kernel .* may use a\[' "$host"
    silent frees_after

    races reads_static result 'data race between host_task and the host: result\[1\]' "$host"
    silent reads_static_behind

    # What is not there, and what the host does not see.
    strays past_end bounds 'out-of-bounds write by memset: a\[16\] of 16 elements$'
    silent to_end
    strays freed_before lifetime 'use-after-free read by memcpy: a\[0\] .*, which is freed$'
    silent freed_behind
    strays writes_device sight 'out-of-bounds write by the host: a\[2\] .*, memory of the device'
    silent writes_shared
    strays another_context context "kernel .* uses a\[0\], which was allocated in another context than the context of its queue$"
    silent one_context
    strays frees_another frees_in 'sycl::free\(\) of memory that was allocated in another context$'
    silent frees_own
    strays copies_context copies_context 'memset uses a\[0\], which was allocated in another context'

    # A command waits for the end of a host accessor, and the host for the command.
    for name in holds holds_copy holds_to_end; do
        stuck $name
    done
    silent holds_less

    # Buffers order by accessors; the sum of a reduction is the command's.
    races two_readers two_readers 'data race between kernel' "$one"
    silent buffers
    silent reduces
    weir_ends 1 check --runs 2 -- ./commands reads_sum
    says "commands.cpp:$(line sums here) " "commands.cpp:$(line sums other) "
done

# A finding of the host is in no launch, and in each run the same.
weir_ends 1 check --json --runs 2 -- ./commands host_reads
json "len(it['findings']) == 1 and it['findings'][0]['kind'] == 'data-race' and \
it['findings'][0]['launch'] == 0 and it['findings'][0]['runs'] == 2 and \
{s['state'] for s in it['findings'][0]['sites']} == {'running', 'host'}"
weir_ends 1 check --json --runs 2 -- ./commands unordered
json "it['findings'][0]['launch'] == 2 and \
[s['access'] for s in it['findings'][0]['sites']] == ['write', 'read']"

# A recorded run shows it again; a suppressed one is none.
weir_ends 1 check --runs 1 --record host.schedule -- ./commands host_reads
weir_ends 1 replay host.schedule
says "^data race between kernel 'computes' and the host"
echo 'data-race kernel=computes' >known
weir_ends 0 check --suppress known --runs 2 -- ./commands host_reads
finish
