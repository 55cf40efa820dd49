#!/bin/sh
# SPDX-License-Identifier: MIT
#
# phases.sh: programs that lack a barrier between two phases, in a function that the
# kernel calls, in a branch that whole groups take, or in another file than main().
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/fixes/lib.sh"
. "$top_srcdir/tests/cli/builds.sh"

# As users compile; the other scripts have -O0, which gcc takes less time for.
level=-O1

right 'hist.c rounds.c helper.c uniform.c split_kernel.c'

wrong hist-zero hist.c '/zero/s/.*//' insert-barrier 'h\[l\] = 0|^    }|bin ='
# With one bin, the reason names the order of the addition, which is tried first: in the
# program as it is. One build, with the barrier, besides the program's own.
counted
make_wrong hist-unbuilt hist.c '/zero/s/.*//; s/i \* i % 7 % BINS/0/'
uncounted
compiled 2
wrong hist-counted hist.c '/counted/s/.*//' insert-barrier 'scope_work_group|if \(l < BINS'
wrong hist-neither hist.c '/zero/s/.*//; /counted/s/.*//' 'insert-barrier insert-barrier' \
    'h\[l\] = 0|^    }|bin =|scope_work_group|if \(l < BINS'
wrong hist-two-defects hist.c '/zero/s/.*//; /fetch_add_explicit(&h/{N;s/.*/h[bin]++;\n/;}' \
    'insert-barrier make-atomic' 'h\[l\] = 0|^    }|bin =|h\[bin\]'
wrong rounds-taken rounds.c '/taken/s/.*//' insert-barrier 'sum \+=|^        if|for \('
# A barrier lies between the two lines, but none between two rounds.
explained 'from one round of the loop at line 17 to the next, no barrier lies between line 22 and line 19'
wrong rounds-given rounds.c '/given \*/s/.*//' insert-barrier 'sum \+=|^        }'
explained 'no barrier of the group lies between the two'
wrong rounds-neither rounds.c '/given \*/s/.*//; /taken/s/.*//' \
    'insert-barrier insert-barrier' 'sum \+=|^        }|^        if|for \('
wrong helper-round helper.c '/round/s/.*//' insert-barrier 'a\[l\] = |^        }|^        if|for \('
wrong helper-filled helper.c '/filled/s/.*//' insert-barrier 'a\[weir|largest =|l = weir|for \('
wrong uniform uniform.c '/filled/s/.*//' insert-barrier 'a\[l\] =|LOCAL - 1 - l'
wrong uniform-flag uniform.c '/filled/s/LOCAL/GLOBAL/' widen-barrier filled
# The explorer takes the options of the check.
make_wrong uniform-stacks uniform.c '/filled/s/.*//'
step='a proof with stacks of another size'
weir check --stack-bytes 128Ki -- ./program
says '^  fix .*; proved: (all [0-9]+ executions|the only execution)\)$'
both='split_kernel.c split_main.c'
wrong split "$both" '/filled/s/.*//' insert-barrier 'a\[l\] =|a\[LOCAL'
apart=yes
wrong split-objects "$both" '/filled/s/.*//' insert-barrier 'a\[l\] =|a\[LOCAL'
wrong split-memory "$both" 's/uint32_t, LOCAL, "out"/uint32_t, LOCAL - 1, "out"/' enlarge '"out"'
finish
