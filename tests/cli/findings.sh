#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings.sh: what weir check makes of findings: it joins what schedules saw the other
# way round, hides what a file suppresses, marks what is new since a baseline, and writes
# JSON, SARIF and a page of HTML. The findings are handed over by hand, by findings.c.
. "${top_srcdir:-.}/tests/cli/lib.sh"

: "${top_builddir:=.}"
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
docs=$(cd "$top_srcdir/docs" && pwd)
here=$(cd "$top_srcdir/tests/cli" && pwd)
validate=$(cd "$top_builddir" && pwd)/json-validate
ln -s "$(cd "$top_builddir" && pwd)/hand-findings" "$scratch/findings"
test -x "$validate" && test -x "$scratch/findings" \
    || { echo "FAIL: make builds json-validate and hand-findings for this test"; exit 1; }
cd "$scratch" || exit 99
cp "$here/tree.c.txt" tree.c

# is_as SCHEMA: whether the output is as the schema says.
is_as()
{
    "$validate" "$1" "$out" >violations 2>&1 || bad "not as $1: $(head -3 violations)"
}

# ---- Joining ---------------------------------------------------------------------

weir_ends 1 check --no-fixes --runs 4 -- ./findings race
says '^data race in kernel .tree_sum., group \(0,0,0\): local array of tree.c:5\[3\]$' \
    '^  read   item 1  tree.c:12  scratch\[lid\] \+= scratch\[lid \+ stride\];$' \
    '^  write  item 3  tree.c:12  scratch' '^  why    no barrier lies between the two$' \
    '^  seen 240 times in 3 of 4 runs \(in-order, random 1-2\), first under schedule in-order$' \
    '^  again: weir check --schedule in-order -- ./findings race$' \
    '^4 runs of ./findings: 1 finding$'
cp "$out" before
weir check --no-fixes --runs 4 -- ./findings race
cmp -s "$out" before || bad "not the same bytes the second time"
weir check --no-fixes --schedule in-order,random --seeds 3..9 -- ./findings race
says '^  seen 590 times in 8 of 8 runs, first under schedule in-order$'
weir check --no-fixes --schedule reverse,random --seeds 3..9 -- ./findings race
says '\(random 3-9\)'
weir_ends 0 check --no-fixes --schedule reverse -- ./findings race
says 'no findings'
weir_ends 1 check --no-fixes --runs 4 -- ./findings scope
says '^  atomic load, acquire, work_group  item 7 of group \(4,0,0\)' \
    '^    called from publish at tree.c:23$' '^  why   scope'
weir_ends 0 check --no-fixes --runs 4 -- ./findings note
says '^note: data race' 'no findings, 1 note$'

# What the program is given.
weir_ends 1 check --no-fixes --schedule reverse --model ptx --scope-rule same --spaces opencl --same-value note \
    -- ./findings options divergence
says ' check=1( |$)' ' scope-rule=same ' ' spaces=opencl ' ' same-value=note ' ' model=ptx( |$)' \
    '^  again: weir check --schedule reverse --model ptx --scope-rule same --spaces opencl --same-value note --'
weir check --no-fixes --schedule reverse -- ./findings options
says ' check=1( |$)'
says_nothing_of 'scope-rule' 'spaces' 'same-value' 'model'
for option in scope-rule spaces same-value model; do
    weir check --no-fixes --runs 4 --$option=nonsense -- ./findings race
    complains "--$option" "'nonsense'"
done

# ---- JSON ------------------------------------------------------------------------

weir_ends 1 check --no-fixes --runs 4 --json -- ./findings race scope bounds note divergence odd
is_as "$docs/weir-check.schema.json"
json 'len(it["findings"]) == 6 and it["findings"][0]["count"] == 240
    and it["findings"][0]["first"]["access"] == "read"
    and it["findings"][0]["second"]["item"] == [3, 0, 0]
    and [s["schedule"] for s in it["findings"][0]["shown"]] == ["in-order", "random", "random"]
    and it["findings"][0]["runs"] == 3 and it["findings"][2]["index"] == -1
    and it["suppressed"] == [] and it["gone"] == [] and not it["findings"][0]["known"]'
cp "$out" right.json
step='planted violations of the schema'
planted=0
plant()
{
    sed "$1" right.json >wrong.json
    cmp -s right.json wrong.json && bad "$1 changes nothing"
    "$validate" "$docs/weir-check.schema.json" wrong.json >violations && bad "$1 is not seen"
    planted=$((planted + 1))
}
plant 's/"kind" : "data-race"/"kind" : "data-rce"/'
plant 's/"launches" : 4/"launches" : -4/'
plant 's/"launches" : 4/"launches" : "4"/'
plant 's/"complete" : true/"complete" : null/'
plant 's/"complete" : true,//'
plant 's/"why" :/"wy" :/'
plant 's/"complete" : true/"complete" : true, "more" : 1/'
plant 's/"space" : "local"/"space" : "shared"/'
plant 's/"line" : 12/"line" : 0/'
plant 's/"findings" : \[/"findings" : [ 5,/'
plant 's/"item" : \[/"item" : [ 0,/'
sed '1s/{/[{/; $s/}/}]/' right.json >several.json
"$validate" "$docs/weir-check.schema.json" several.json >violations \
    || bad "an array is refused: $(cat violations)"
test $planted -eq 11 || bad "$planted violations"
for kernels in 'reduce_tree' 'reduce_tree reduce_builtin'; do
    # shellcheck disable=SC2086
    weir_clean check --no-fixes --json --schedule reverse --n 64 $kernels
    is_as "$docs/weir-check.schema.json"
done
weir_ends 1 check --no-fixes --json --schedule reverse --n 64 --local 8 --device opencl12 reduce_atomics1
is_as "$docs/weir-check.schema.json"
weir_ends 3 check --no-fixes --runs 4 --json --step-limit 5 reduce_tree
is_as "$docs/weir-check.schema.json"

# ---- Suppressions ----------------------------------------------------------------

cat >races.supp <<'END'
# The sum is approximate on purpose.
data-race kernel=tree_sum object="local array of *"

scope-race kernel=hand_* function=publish   # torn flags are allowed
deadlock
END
weir_ends 0 check --no-fixes --runs 4 --suppress races.supp -- ./findings race scope
says '^1 finding suppressed by races.supp:2: The sum is approximate on purpose.$' \
    '^1 finding suppressed by races.supp:4: torn flags are allowed$' \
    '^4 runs of ./findings: no findings, 2 suppressed$'
says_nothing_of 'data race'
warns_of()
{
    grep -Eq -e "$1" "$err" || bad "standard error lacks '$1'"
}
warns_of '^weir check: races.supp:5: unused'
test "$(wc -l <"$err")" -eq 1 || bad "more than one line on standard error"
weir_ends 1 check --no-fixes --runs 4 --suppress races.supp -- ./findings race bounds
says 'out of bounds' ': 1 finding, 1 suppressed$'
echo 'out-of-bounds file=tree.c' >more.supp
weir_ends 0 check --no-fixes --runs 4 --suppress races.supp --suppress more.supp --json -- ./findings race bounds
is_as "$docs/weir-check.schema.json"
json 'it["findings"] == [] and len(it["suppressed"]) == 2
    and it["suppressed"][0]["suppressed_by"] == "races.supp:2"
    and it["suppressed"][0]["reason"] == "The sum is approximate on purpose."
    and it["suppressed"][1]["reason"] is None'
weir_ends 3 check --no-fixes --runs 4 --suppress races.supp --step-limit 5 reduce_tree
test ! -s "$err" || bad "what a run that was cut short has not used is complained of"
weir check --no-fixes --runs 4 --suppress no-such-file reduce_tree
complains '--suppress' 'no-such-file'
echo 'data-race kernel' >wrong.supp
weir check --no-fixes --runs 4 --suppress races.supp --suppress wrong.supp reduce_tree
complains 'wrong.supp:1: ' 'kernel=, function=, object= or file='
head -c 300 /dev/urandom >wrong.supp
weir check --no-fixes --runs 4 --suppress wrong.supp reduce_tree
complains 'wrong.supp:[0-9]+: '

# ---- Baselines -------------------------------------------------------------------

weir check --no-fixes --runs 4 --json -- ./findings race divergence
cp "$out" base.json
weir_clean check --no-fixes --runs 4 --baseline base.json -- ./findings race divergence
says '^2 findings known from base.json$' '^4 runs of ./findings: no findings, 2 known$'
says_nothing_of 'barrier divergence'
weir_ends 1 check --no-fixes --runs 4 --baseline base.json -- ./findings race bounds
says '^access out of bounds' '^1 finding known from base.json$' \
    '^gone since base.json: barrier-divergence in kernel .tree_sum., tree.c:10, tree.c:7$' \
    ': 1 finding, 1 known$'
says_nothing_of '^data race'
weir_ends 1 check --no-fixes --runs 4 --baseline base.json --json -- ./findings race bounds
is_as "$docs/weir-check.schema.json"
json '[f["known"] for f in it["findings"]] == [True, False] and len(it["gone"]) == 1'
sed 's/"line" : 12/"line" : 1200/; s/tree\.c/other\/tree.c/g' base.json >moved.json
weir_clean check --no-fixes --runs 4 --baseline moved.json -- ./findings race divergence
sed 's/scratch\[lid\] +=/scratch[lid] -=/' base.json >edited.json
weir_ends 1 check --no-fixes --runs 4 --baseline edited.json -- ./findings race divergence
says '^data race' '^gone since' ': 1 finding, 1 known$'
weir_clean check --no-fixes --baseline base.json --schedule reverse --n 64 reduce_tree
says_nothing_of 'gone'
weir_ends 0 check --no-fixes --runs 4 --baseline base.json --suppress races.supp -- ./findings race
says ': no findings, 1 suppressed$'
says_nothing_of 'gone since base.json: data-race'
weir check --no-fixes --runs 4 --baseline no-such-file reduce_tree
complains '--baseline' 'no-such-file'
for wrong in '' '{' '[]]' '{"findings": [1]}' '5'; do
    echo "$wrong" >wrong.json
    weir check --no-fixes --runs 4 --baseline wrong.json reduce_tree
    complains 'wrong.json: ' 'weir check --json'
done

# ---- SARIF -----------------------------------------------------------------------

weir_ends 1 check --runs 4 --sarif found.sarif --suppress races.supp -- ./findings race scope bounds note
out_before=$out
out=found.sarif
is_as "$here/sarif.schema.json"
json 'len(it["runs"][0]["results"]) == 4
    and [r["level"] for r in it["runs"][0]["results"]] == ["error"] * 3 + ["note"]
    and [len(r["suppressions"]) for r in it["runs"][0]["results"]] == [1, 1, 0, 0]
    and all(r["ruleId"] == it["runs"][0]["tool"]["driver"]["rules"][r["ruleIndex"]]["id"]
        for r in it["runs"][0]["results"])'
# A rule's help is text, as Weir has no address; the documents that it names are there.
json 'all(" See " in r["help"]["text"] and "helpUri" not in r
    for r in it["runs"][0]["tool"]["driver"]["rules"])'
for page in $(sed -n "s/.* See Weir's \([a-z-]*\.md\)\..*/\1/p" found.sarif | sort -u); do
    test -f "$docs/$page" || bad "docs/$page is not there"
done
cp found.sarif right.json
step='planted violations of the schema of SARIF'
schema=$here/sarif.schema.json
plant_sarif()
{
    sed "$1" right.json >wrong.json
    cmp -s right.json wrong.json && bad "$1 changes nothing"
    "$validate" "$schema" wrong.json >violations && bad "$1 is not seen"
}
plant_sarif 's/"version" : "2.1.0"/"version" : "2.0.0"/'
plant_sarif 's/"level" : "error"/"level" : "bad"/'
plant_sarif 's/"startLine" : 12/"startLine" : 0/'
plant_sarif 's/"kind" : "external"/"kind" : "other"/'
out=$out_before
cp found.sarif first.sarif
weir check --runs 4 --sarif found.sarif --suppress races.supp -- ./findings race scope bounds note
cmp -s found.sarif first.sarif || bad "not the same bytes the second time"
weir_ends 2 check --no-fixes --runs 4 --sarif /no/such/folder/file -- ./findings race
warns_of '/no/such/folder/file'
test ! -s "$out" || bad "it ran before it looked at the file"

# ---- HTML ------------------------------------------------------------------------

weir_ends 1 check --runs 4 --report page.html -- ./findings race scope bounds note divergence odd
step='the page'
grep -q '<svg class="picture"' page.html || bad "no picture"
grep -q '>2</span> write by item 3<' page.html || bad "no label at the source"
grep -q 'weir check --schedule in-order -- ./findings race' page.html || bad "no way to see it again"
! grep -Eq 'https?:|<script|<img|src=' page.html || bad "it loads or runs something"
if command -v xmllint >/dev/null 2>&1; then
    xmllint --noout page.html 2>violations || bad "not well formed: $(head -3 violations)"
fi
weir_clean check --report page.html --schedule reverse --n 64 reduce_tree
grep -q 'no findings</span>' page.html || bad "the page of a clean run does not say so"
weir_ends 2 check --no-fixes --report /no/such/folder/file --schedule reverse --n 64 reduce_tree
warns_of '--report: .*/no/such/folder/file'
finish
