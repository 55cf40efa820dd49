#!/bin/sh
# SPDX-License-Identifier: MIT
#
# report.sh: weir report draws every trace: pictures in which nothing is outside or on top
# of other text, and files of Chrome's format whose slices nest and whose flows pair. The
# same trace gives the same bytes; a file that is not a trace is refused in one line.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"

is_a()
{
    command -v python3 >/dev/null 2>&1 || return 0
    python -B "$top_srcdir/tests/cli/report.py" "$@" \
        >"$scratch/wrong" || bad "$(cat "$scratch/wrong")"
}

# drawn STATUS ARGUMENT...: makes a trace, and draws it.
drawn()
{
    wanted=$1
    shift
    weir_ends "$wanted" trace -o t.json --schedule random "$@"
    weir_clean report --svg t.svg --chrome t.chrome t.json
    is_a svg t.svg
    is_a chrome t.chrome t.json
    weir_clean report --svg again.svg --chrome again.chrome t.json
    cmp -s t.svg again.svg || bad "another picture the second time"
    cmp -s t.chrome again.chrome || bad "another file the second time"
    says_nothing_of .
}

printf '%s\n' 3 1 4 1 5 9 2 6 >numbers
drawn 0 reduce_tree --input numbers
for text in 'reduce_tree: 8 items in groups of 8' '>item 7<' '>barrier<' '>31<' \
    'scratch\[7\]' '>waits<' '>is read by<'; do
    grep -q -e "$text" t.svg || bad "the picture lacks $text"
done
! grep -q 'synchronises' t.svg || bad "the legend has what is not drawn"
# A tree of eight has seven additions, and the legend one arrow.
test "$(grep -c 'class="d"' t.svg)" -eq 8 || bad "not the arrows of a tree"
test "$(grep -c '>barrier<' t.svg)" -eq 3 || bad "not three barriers"
cp t.svg tree.svg
weir_clean report t.json
test -s t.html || bad "no page beside the trace"
grep -q '<title>reduce_tree</title>' t.html || bad "the page has another title"
! grep -q '@[A-Z]*@' t.html || bad "a part of the page is missing"
weir_clean report t.json --html again.html
cmp -s t.html again.html || bad "another page the second time"
# What is in the trace cannot end the script that it is in.
sed 's/"kernel":"reduce_tree"/"kernel":"<\/script><b>\&"/' t.json >odd.json
weir_clean report odd.json --html odd.html
test "$(grep -c '</script>' odd.html)" -eq 2 || bad "markup from the trace is in the page"
grep -q '<title>&lt;/script&gt;&lt;b&gt;&amp;</title>' odd.html || bad "another title"

drawn 0 --n 300 --local 100 reduce_tree
grep -q 'items 0 to 31 are shown' t.svg || bad "what is shown is not stated"
weir_clean report --svg t.svg --group 2 t.json
is_a svg t.svg
grep -q 'items 200 to 231 are shown' t.svg || bad "another group"
weir_clean report --svg t.svg --from 20 t.json
is_a svg t.svg
drawn 0 --n 64 histogram_local_relaxed
drawn 0 --n 64 --sub-group 8 reduce_shuffle
drawn 0 --n 64 reduce_tree_hierarchical
drawn 0 --n 64 reduce_last_group
grep -q 'synchronises with' t.svg || bad "no arrow of synchronisation"
grep -q '>arrived\[0\]<' t.svg || bad "no global memory"
drawn 1 --n 64 reduce_last_group_relaxed
grep -q 'data-race: ' t.svg || bad "no finding in the picture"
grep -q '"name":"data-race"' t.chrome || bad "no finding in Chrome's format"
drawn 1 -- ./program diverge
grep -q 'barrier-divergence: ' t.svg || bad "no divergence"
grep -q '>never ends<' t.svg || bad "no items that never end"
drawn 0 -- ./program second
weir_clean report --svg t.svg --launch 2 t.json
is_a svg t.svg
drawn 3 --events 100 reduce_tree

# Files that are not traces.
weir_ends 0 trace -o t.json reduce_tree
weir report --svg no.svg no-such-file
complains 'no-such-file'
weir report --svg no.svg
complains 'name one file'
weir report --svg no.svg --launch 2 t.json
complains '--launch'
weir report --svg no.svg --group 2 t.json
complains '--group'
weir report --svg no/such/no.svg t.json
complains '--svg'
refused()
{
    weir report --html no.html --svg no.svg --chrome no.chrome wrong
    complains 'wrong' "$@"
}
: >wrong
refused 'byte 0' "'\\{'"
head -c 2000 t.json >wrong
refused 'byte 2000'
echo '{"launches":[]}' >wrong
refused 'weir_trace'
sed 's/"weir_trace":1/"weir_trace":2/' t.json >wrong
refused 'weir_trace'
echo '{"weir_trace":1,"launches":[]}' >wrong
refused 'no launch'
sed 's/"site":\[-1/"site":[99/' t.json >wrong
refused 'event 0: site cannot be 99'
sed 's/"item":\[0,/"item":[16,/' t.json >wrong
refused 'event 0: item cannot be 16'
sed 's/"reads_from":\[0,/"reads_from":[1,/' t.json >wrong
refused 'event 0: reads_from'
sed 's/"time":\[1,/"time":[/' t.json >wrong
refused "column 'time' has 205"
sed 's/"kinds":\["start"/"kinds":["begin"/' t.json >wrong
refused 'kind'
sed 's/"to":\[\]/"to":[1]/' t.json >wrong
refused 'edge'
sed 's/"sources":\[/"sources":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[/' t.json >wrong
refused 'too deeply'
test ! -e no.html && test ! -e no.svg && test ! -e no.chrome || bad "a file was written"
leaves_nothing
finish
