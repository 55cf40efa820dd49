#!/bin/sh
# SPDX-License-Identifier: MIT
#
# gdb.sh: weir replay --gdb reaches the line where the finding is made, in the process
# that runs the kernel, with the item selected, and its backtrace ends at the kernel.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"
# gdb reads groups and items by the library's debug information.
WEIR_LIB_DIR=$tree

# Without gdb, or with a file that is none, gdb is not started.
weir check --record recorded --schedule reverse -- ./plain clean
mkdir none
step='weir replay --gdb recorded, without gdb'
status=0
(PATH=$scratch/none "$WEIR" replay --gdb recorded >"$out" 2>"$err" </dev/null) || status=$?
complains 'gdb is not in PATH'

command -v gdb >/dev/null 2>&1 || { echo "SKIP: no gdb"; exit 77; }
gdb -nx -batch -ex 'python print("weir" + str(int(gdb.VERSION.split(".")[0]) >= 12))' 2>&1 \
    | grep -q '^weirTrue' || { echo "SKIP: this gdb has no Python, or is older than 12"; exit 77; }
gdb -nx -batch -ex run ./plain </dev/null 2>&1 | grep -q 'exited normally' \
    || { echo "SKIP: gdb cannot run programs here"; exit 77; }
ASAN_OPTIONS=detect_leaks=0
HOME=$scratch
export ASAN_OPTIONS HOME

weir replay --gdb no-such-file
complains 'no-such-file'
head -c 100 recorded >truncated
weir replay --gdb truncated
complains 'truncated'
weir replay --gdb --json recorded
complains 'exclude each other'
weir replay --finding 1 recorded
complains 'needs --gdb'
weir replay --gdb --finding 2 recorded
complains '--finding 2: recorded has 0 findings'
leaves_nothing

source=$top_srcdir/tests/cli/gdb.c
weir_cc -g -O1 "$source" -o wrong || { echo "FAIL: gdb.c does not compile"; exit 1; }
gdb -nx -batch -ex 'ptype struct weiri_launch' ./wrong 2>/dev/null | grep -q followed \
    || { echo "SKIP: libweir.a was built without -g"; exit 77; }

line_of()
{
    grep -n "mark: $1 \*/" "$source" | cut -d : -f 1
}

# session ARGUMENT...: a recorded run under gdb, with the commands of standard input
session()
{
    cat >commands
    step="weir replay --gdb $*"
    status=0
    "$WEIR" replay --gdb "$@" >"$out" 2>&1 <commands || status=$?
    : >"$err"
    ends_with 0
    ! grep -q Traceback "$out" || bad "Python stumbled"
    leaves_nothing
}

# lands MARK ITEM ARGUMENT...: what ./wrong does so is found there
lands()
{
    mark=$1 item=$2 line=$(line_of "$1")
    shift 2
    weir check --no-fixes --schedule in-order --record recorded -- "$@"
    ends_with 1
    session recorded <<END
echo [backtrace]\n
bt
echo [end]\n
print (int) weir_local_id(item, 0)
info work-items
END
    says "^\[item $item of group 0 \(0,0,0\), " "^#[0-9]+ .*gdb\.c:$line\$"
    says "^ *[*>] +$item +.* gdb\.c:$line in "
    sed -n '/^\[backtrace\]/,/^\[end\]/p' "$out" | grep '^#' >backtrace
    tail -n 1 backtrace | grep -q '__body (.*gdb\.c:' || bad "the backtrace does not end at the kernel"
    grep -q "gdb\.c:$line\$" backtrace || bad "line $line is not in the backtrace"
}

lands 'race reads' 3 ./wrong races
lands divergence 0 ./wrong diverges
lands spin 0 ./wrong spins
lands bounds 3 ./wrong out_of_bounds
lands fault 2 ./wrong faults
lands unwritten 0 ./wrong unwritten
head -n 1 backtrace | grep -q 'unwritten__body (' || bad "the backtrace begins in Weir"
lands 'race reads' 3 ./wrong races "in a child's"
lands spin 0 ./wrong spins "in a child's"
printf '#!/bin/sh\n./wrong good && ./wrong races && ./wrong good\n' >script
chmod +x script
lands 'race reads' 3 ./script

# Another finding than the first.
weir check --no-fixes --schedule in-order --record recorded -- ./wrong two
says "^1 run of ./wrong: 2 findings\$"
session --finding 2 recorded </dev/null
says "^#[0-9]+ .*gdb\.c:$(line_of 'second of two')\$"
session recorded </dev/null
says "^#[0-9]+ .*gdb\.c:$(line_of 'first of two')\$"

# The program runs again, and to its end.
weir check --no-fixes --schedule in-order --record recorded -- ./wrong races
session recorded <<END
break-finding data-race
run
continue
info breakpoints
END
says 'Breakpoint 1, weiri_finding_made' 'exited normally' 'already hit 1 time'

# An interrupt is for gdb.
session recorded <<'END'
shell kill -INT $(ps -o ppid= -p $PPID)
print 6 * 7
END
says '= 42$'

# Without a finding, and with one that has no place.
weir check --schedule in-order --record recorded -- ./wrong good
session recorded <<END
bt
END
says 'recorded: the run has no finding' '^#0 .*good__body \(.*gdb\.c:'
weir check --schedule in-order --record recorded -- ./wrong status
session recorded </dev/null
says 'the program ended with status 4' 'good__body \('

# The file is of an exploration, and in order nothing is found.
explored=$top_srcdir/tests/cli/explored.c
weir_cc -g -O1 "$explored" -o explored || bad "explored.c does not compile"
for case in 'message read' 'locks waits' 'asserts asserted' 'leaves barrier'; do
    line=$(grep -n "mark: ${case#* } \*/" "$explored" | cut -d : -f 1)
    weir explore --no-fixes --record recorded -- ./explored "${case% *}"
    ends_with 1
    session recorded <<END
bt
END
    says '^\[item 0 of group 0 \(0,0,0\), ' "^#[0-9]+ .*explored\.c:$line\$"
done

# A built-in kernel runs in the command itself.
weir check --no-fixes --schedule in-order --record recorded reduce_last_group_relaxed --n 100 --local 8
if gdb -nx -batch -ex 'ptype struct weiri_launch' "$WEIR" 2>/dev/null | grep -q followed; then
    session recorded <<END
bt
END
    says "^data race in kernel 'reduce_last_group_relaxed'" \
        '^\[item 0 of group 12 .*running' '^#[0-9]+ .*reduce_last_group_relaxed__body'
fi
finish
