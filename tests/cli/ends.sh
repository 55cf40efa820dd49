#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ends.sh: a program whose kernel calls abort(), exit() and the like under weir check:
# what is the item's is a finding with its line; where the program ends, that is printed
# inside which launch, and what was found before is kept.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"

# The line of the kernel that the comment "expect: $1" stands at.
line_of()
{
    grep -n "expect: $1" "$source" | cut -d: -f1
}

race="program.c:$(line_of race)  args->words\\[1\\] = "

weir_ends 1 check --no-fixes --schedule in-order -- ./program not-inside
says "^data race in kernel 'ends'" "$race" ': 1 finding$'

# The item ends, and the program goes on.
for what in abort assert free; do
    case $what in
    abort) said='called abort\(\)' ;;
    assert) said='failed an assert\(\)' ;;
    free) said='called weir_free\(\), which is for the host' ;;
    esac
    weir_ends 1 check --no-fixes --schedule in-order -- ./program $what-inside
    says "^fault in kernel 'ends', group \\(1,0,0\\), item \\(0,0,0\\): the item $said\$" \
        "^  item 0  running  .*program.c:$(line_of "fault $what")  " 'in launch 2 of 3$' \
        "^data race in kernel 'ends'" "$race" '^1 run of ./program: 2 findings$'
    weir_ends 1 check --no-fixes --runs 4 --json -- ./program $what-inside
    json 'sorted(f["kind"] for f in it["findings"]) == ["data-race", "fault"] and it["complete"]
        and it["launches"] == 12 and all(r["failure"] is None for r in it["runs"])'
    weir_ends 1 check --no-fixes --schedule in-order -- ./plain $what-inside
    says "item \\(0,0,0\\): the item $said\$" ': 1 finding, '
done

# It ends the program, in order: what was found is printed.
weir_ends 1 check --no-fixes --schedule in-order -- ./program exit-inside
says "^fault in kernel 'ends', group \\(1,0,0\\), item \\(0,0,0\\): the item called exit\\(\\), which" \
    "^  item 0  running  .*program.c:$(line_of "fault exit")  exit\\(3\\)" 'in launch 2 of 2$' \
    "^data race in kernel 'ends'" "$race" \
    '^1 run of ./program: 2 findings, failed by itself in 1$'
warns "^weir check: ./program failed by itself .*: it ended with status 3 inside launch 2, of kernel 'ends'; again: "
weir_ends 1 check --no-fixes --runs 4 --json -- ./program exit-inside
json 'sorted(f["kind"] for f in it["findings"]) == ["data-race", "fault"] and it["launches"] == 8
    and all("status 3 inside launch 2" in r["failure"] for r in it["runs"])'
weir_ends 1 check --no-fixes --schedule reverse -- ./program exit-0-inside
warns "it ended with status 0 inside launch 2, of kernel 'ends';"
step='exit() inside a launch, by hand'
status=0
WEIR_OPTIONS='schedule=in-order check=1' ./program exit-inside >"$out" 2>"$err" || status=$?
ends_with 3
warns 'the item called exit\(\)' "^data race in kernel 'ends'"

# So does what would end it at once.
weir_ends 1 check --no-fixes --schedule in-order -- ./program at-once-inside
says "item \\(0,0,0\\): the item called _exit\\(\\), which" "^data race in kernel 'ends'" "$race" \
    '^1 run of ./program: 2 findings, failed by itself in 1$'
warns "it ended with status 4 inside launch 2, of kernel 'ends'; again: "

# A signal that no process can handle ends it: that much is known.
weir_ends 2 check --no-fixes --schedule in-order -- ./program killed-inside
says 'failed by itself in 1$'
says_nothing_of 'nothing to check'
warns "it was ended by signal 9 .* inside launch 1, of kernel 'ends', and"
test "$(grep -c 'launched nothing' "$err")" -eq 0 || bad "it did launch"
weir_ends 3 check --no-fixes --schedule in-order -- ./program child-inside
says "^incomplete: .* a process that it had started ended inside launch 1, of kernel 'ends'" \
    '1 incomplete$'

# The runs are recorded as far as they are known.
for mode in abort-inside assert-inside exit-inside exit-0-inside at-once-inside; do
    weir check --no-fixes --schedule reverse --record recorded -- ./program $mode
    cp "$out" first
    expected=$status
    weir_ends "$expected" replay recorded
    cmp -s first "$out" || bad "another output than that of the recorded run"
done
for mode in killed-inside child-inside; do
    rm -f recorded
    weir_ends 2 check --no-fixes --schedule reverse --record recorded -- ./program $mode
    warns '^weir check: recorded: nothing is recorded: a process ended inside launch'
    test ! -e recorded || bad "there is a file"
done
leaves_nothing
# A report for which the disk has no room is the command's failure, and the status with
# which the program ends because of it is not the program's own.
if test -c /dev/full; then
    full='reports=${WEIR_OPTIONS##*reports=}; reports=${reports%% *}
        ln -s /dev/full "$reports"; status=0; ./program not-inside || status=$?
        rm "$reports"; exit $status'
    weir_ends 2 check --no-fixes --runs 2 -- sh -c "$full"
    warns '^weir check: .*/reports: cannot append the report of a launch: No space left on device$'
    ! grep -q 'failed by itself' "$err" || bad 'the program is blamed'
fi
finish
