#!/bin/sh
# SPDX-License-Identifier: MIT
#
# litmus.sh: weir litmus answers every file that it can, in text and JSON; its exit
# status says what went wrong and nothing else; a limit that was hit is never hidden;
# JSON is as its schema says; drawings are whole files; and the tests that are included are
# as they say.
. "${top_srcdir:-.}/tests/cli/lib.sh"

: "${top_builddir:=.}"
validate=$top_builddir/json-validate
schema=$top_srcdir/docs/weir-litmus.schema.json
test -x "$validate" || { echo "FAIL: make builds json-validate for this test"; exit 1; }

# Whether the output is as the schema says.
is_as_told()
{
    "$validate" "$schema" "$out" >"$scratch/violations" 2>&1 \
        || bad "not as the schema says: $(head -3 "$scratch/violations")"
}

cat >"$scratch/sb.litmus" <<'END_TEST'
C SB
{ [x] = 0; [y] = 0; }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (0:r0=0 /\ 1:r0=0)
END_TEST
sed 's/^C SB/C SB forall/; s/^exists/forall/' "$scratch/sb.litmus" >"$scratch/forall.litmus"
sed 's/^exists/~exists/' "$scratch/sb.litmus" >"$scratch/not.litmus"
sed 's/memory_order_relaxed/memory_order_seq_cst/; s/^exists/~exists/' \
    "$scratch/sb.litmus" >"$scratch/holds.litmus"

# ---- The answer --------------------------------------------------------------------

weir_clean litmus "$scratch/sb.litmus"
says '^SB, model sycl ' '^exists \(0:r0=0 /\\ 1:r0=0\)$' '^ +1  0:r0=0,1:r0=0  \*$' \
    '^ +1  0:r0=1,1:r0=1$' '^Sometimes: .* 1 of 4 executions' '^races: none$'
weir_clean litmus --model sc "$scratch/sb.litmus"
says '^SB, model sc ' '^Never: .* 0 of 3 executions' 'sc does not judge'
says_nothing_of '\*$'

weir_clean litmus "$scratch/sb.litmus" --json
json 'set(it) >= {"test", "model", "states", "observation", "positive", "negative", "race",
        "executions", "blocked", "complete", "races_judged"}
    and it["test"] == "SB" and it["model"] == "sycl" and it["observation"] == "Sometimes"
    and it["positive"] == 1 and it["negative"] == 3 and it["race"] is False
    and it["executions"] == 4 and it["blocked"] == 0 and it["complete"] is True
    and it["races_judged"] is True
    and [(s["state"], s["executions"], s["positive"]) for s in it["states"]]
        == [("0:r0=0,1:r0=0", 1, True), ("0:r0=0,1:r0=1", 1, False),
            ("0:r0=1,1:r0=0", 1, False), ("0:r0=1,1:r0=1", 1, False)]'
weir_clean litmus "$scratch/sb.litmus" --json --model sc
json 'it["observation"] == "Never" and it["races_judged"] is False and it["race"] is False'

# The answer depends on nothing else: the same bytes again.
weir litmus mp-relaxed iriw-acq-rel --json
cp "$out" "$scratch/first"
weir litmus mp-relaxed iriw-acq-rel --json
cmp -s "$out" "$scratch/first" || bad "two answers differ"

# A race is printed with both places, and why; it does not affect the exit status.
weir_clean litmus mp-relaxed
says '^data race, between$' '^  P0 .*mp-relaxed\.litmus:10:3  W data=1$' \
    '^  P1 .*mp-relaxed\.litmus:16:13  R data=' '^  why: '
weir_clean litmus mp-relaxed --json
json 'it["race"] is True and len(it["races"]) == 1 and it["races"][0]["why"]
    and it["races"][0]["first"] == {"thread": 0, "kind": "write", "event": "W data=1",
        "line": 10, "column": 3}
    and any(s["race"] for s in it["states"])'

# ---- Models ------------------------------------------------------------------------

weir_clean litmus --model all "$scratch/sb.litmus"
says '^ +sycl +sycl-split +rc11 +sc +opencl +gpu +final state$' \
    '^ +1 +1 +1 +- +1 +1  0:r0=0,1:r0=0  \*$' \
    '^( +Sometimes){3} +Never( +Sometimes){2} +observation$'
weir_clean litmus --model all "$scratch/sb.litmus" --json
json '[(e["model"], e["observation"]) for e in it] == [("sycl", "Sometimes"),
    ("sycl-split", "Sometimes"), ("rc11", "Sometimes"), ("sc", "Never"),
    ("opencl", "Sometimes"), ("gpu", "Sometimes")]'
for model in sycl sycl-split rc11 sc opencl gpu; do
    weir_clean litmus --model $model --json "$scratch/sb.litmus"
    json 'it["model"] == "'$model'"'
done

# What several models have to say is said once, and what differs for each.
weir_clean litmus --model all --explain mp-relaxed
says '^Models sycl, sycl-split, rc11, opencl, gpu:$' '^Model sc:$'
test "$(grep -c '^data race, between$' "$out")" -eq 1 || bad "a race is not printed once"
weir_clean litmus --model all --explain mp-scope-narrow
says '^Model rc11:$' '^Model sc:$' '^  It violates COH: ' '^  It violates SC: '
test "$(grep -c '^Why not: ' "$out")" -eq 2 || bad "there are not two separate explanations"

# What hardware does and the model forbids is said, for load buffering only.
for model in sycl sycl-split rc11 sc; do
    weir_clean litmus --model $model lb-relaxed
    says '^Never' '^hardware: .*load buffering'
    weir litmus --model $model lb-relaxed --json
    json 'it["hardware"] == "load-buffering"'
done
for arguments in '--model gpu lb-relaxed' '--model opencl lb-relaxed' '--model sc sb-relaxed' \
    'mp' 'lb-dependency'; do
    # shellcheck disable=SC2086
    weir_clean litmus $arguments
    says_nothing_of '^hardware'
    # shellcheck disable=SC2086
    weir litmus $arguments --json
    json 'it["hardware"] is None'
done
weir_clean litmus --model all lb-relaxed
says '^hardware: .*Models sycl, sycl-split, rc11, sc forbid'

# ---- Exit status -------------------------------------------------------------------

weir_ends 1 litmus "$scratch/forall.litmus"
says 'forall is violated' '  !$'
weir_ends 1 litmus "$scratch/forall.litmus" --json
json 'it["quantifier"] == "forall" and it["holds"] is False'
weir_ends 1 litmus "$scratch/not.litmus"
says '~exists is violated, in 1 of 4' '^ +1  0:r0=0,1:r0=0  !$'
weir_clean litmus --model sc "$scratch/not.litmus"
weir_clean litmus "$scratch/holds.litmus"
says 'is true of all 3 executions'
json_quantifier='it["quantifier"] == "~exists" and it["holds"] is True'
weir_clean litmus "$scratch/holds.litmus" --json
json "$json_quantifier"

# expected STATUS ARGUMENT...: with --expect a mismatch, or a race, is status 1.
expected()
{
    wanted=$1
    shift
    weir_ends "$wanted" litmus "$@"
    if test "$wanted" -eq 1; then
        grep -q '^weir litmus: ' "$err" || bad "it does not say what was expected"
    fi
}
expected 0 --expect sometimes "$scratch/sb.litmus"
expected 0 --expect Sometimes "$scratch/sb.litmus"
expected 1 --expect never "$scratch/sb.litmus"
expected 1 --expect always "$scratch/sb.litmus"
expected 0 --expect never --model sc "$scratch/sb.litmus"
expected 1 --expect sometimes --model sc "$scratch/sb.litmus"
expected 1 --expect never --model all "$scratch/sb.litmus"
expected 1 --expect sometimes mp-relaxed
grep -q 'data race' "$err" || bad "it does not say that there is a race"
expected 0 --expect never --model sc mp-relaxed

# ---- Executions that never end -----------------------------------------------------

# Claims are about executions that end, and that is said; blocked ones are explained.
weir_clean litmus barrier-diverged
says '^Always: what forall claims is true of the 1 execution that ends; 1 is blocked$' \
    '^blocked: 1 execution, not counted above, in which P0 waits for ever$' \
    '^  P0   waits at barrier B1 \(line 11\) for P1$' '^  P1   has ended$' \
    '^races: none in executions that end$'
weir_clean litmus barrier-diverged --json --explain
is_as_told
json 'it["blocked"] == 1 and it["executions"] == 1 and it["complete"] is True
    and it["filtered"] == 0 and len(it["blocked_executions"]) == 1
    and (lambda b: b["why"] == "barrier" and b["executions"] == 1 and b["graph"] is None
        and b["threads"] == [
            {"thread": 0, "end": "barrier", "line": 11, "column": 7,
             "text": "waits at barrier B1 (line 11) for P1"},
            {"thread": 1, "end": "ended", "line": None, "column": None,
             "text": "has ended"}]
        and [e["event"].split()[0] for e in b["execution"]["events"]]
            == ["W", "barrier", "R"])(it["blocked_executions"][0])'
weir litmus barrier-diverged --json
json 'it["blocked_executions"][0]["execution"] is None'
weir_clean litmus barrier-diverged --model all
says '^( +1){6}  blocked$' '^( +Always){6}  observation$' '^Models sycl, .*, gpu:$' \
    '^Always: .* of the 1 execution that ends; 1 is blocked$' \
    '^  P0   waits at barrier B1 \(line 11\) for P1$'
test "$(grep -c '^blocked: ' "$out")" -eq 1 || bad "what models share is not printed once"

# ends THREAD CLAIM: P0 writes 1, then 2; P1 reads x to r, and then does what THREAD is.
# In each such test P1 ends where it reads 0 or 1.
ends()
{
    printf 'C ends\n{ x = 0; }\nP0 (atomic_int* x) {\n  atomic_store(x, 1);\n'
    printf '  atomic_store(x, 2);\n}\nP1 (atomic_int* x) {\n  int r = atomic_load(x);\n'
    printf '  %s\n}\n%s\n' "$1" "$2"
}
divides='int s = 1 / (2 - r);'
ends "$divides" 'exists (1:r=1)' >"$scratch/sometimes.litmus"
weir_clean litmus "$scratch/sometimes.litmus"
says '^Sometimes: the proposition holds in 1 of 2 executions that end \(\*\); 1 is blocked$' \
    '^blocked: .* in which P1 faults$' '^  P1   divides by 0 \(line 9\)$'
ends "$divides" '~exists (1:r=1)' >"$scratch/violated.litmus"
weir_ends 1 litmus "$scratch/violated.litmus"
says '^Sometimes: ~exists is violated, in 1 of 2 executions that end \(!\); 1 is blocked$'
ends "$divides" '~exists (1:r=2)' >"$scratch/met.litmus"
weir_clean litmus "$scratch/met.litmus"
says '^Never: what ~exists claims is true of all 2 executions that end; 1 is blocked$'
ends "$divides" 'filter (1:r=1)
forall (x=2)' >"$scratch/one.litmus"
weir_clean litmus "$scratch/one.litmus"
says '^Always: what forall claims is true of the 1 execution that ends and passes the$' \
    '^  filter; 1 is blocked$'
weir litmus "$scratch/one.litmus" --json
is_as_told
json 'it["executions"] == 2 and it["filtered"] == 1 and it["positive"] == 1'

# Nothing was looked at: for want of an end, or because of the filter; no expectation is
# met by that, and one line says why.
ends 'while (r < 3) ;' 'forall (x=2)' >"$scratch/none.litmus"
ends '' 'filter (1:r=7)
forall (x=0)' >"$scratch/filtered.litmus"
ends "$divides" 'filter (1:r=7)
exists (x=2)' >"$scratch/neither.litmus"
for model in sycl gpu; do
    weir_clean litmus --model $model "$scratch/none.litmus"
    says '^Never: no execution ends: 3 are blocked$' \
        '^blocked: 3 executions, not counted above; in one of them P1 waits for ever$' \
        '^  P1   repeats the loop of line 9 for ever: it reads nothing$'
    weir_clean litmus --model $model "$scratch/filtered.litmus"
    says '^Never: the filter leaves out all 3 executions$'
    says_nothing_of '^blocked'
    weir_clean litmus --model $model "$scratch/neither.litmus"
    says '^Never: the filter leaves out all 2 executions that end; 1 is blocked$'
    for expected in never sometimes always; do
        for test in none filtered neither; do
            weir_ends 1 litmus --model $model --expect $expected "$scratch/$test.litmus"
            test "$(wc -l <"$err")" -eq 1 || bad "not one line says why"
            grep -q ' but no execution counts: [nt]' "$err" || bad "it does not say why"
        done
        weir_ends 1 litmus --model $model --expect $expected "$scratch/met.litmus"
        grep -q 'met\.litmus, model .*: 1 execution is blocked: P1 divides by 0 (line 9)$' "$err" \
            || bad "it does not say that an execution is blocked"
    done
    test "$(wc -l <"$err")" -eq 2 || bad "not a line for each reason"
done
weir_clean litmus --model all "$scratch/filtered.litmus"
says '^( +\(Never\)){6}  observation$' '^Never: the filter leaves out all 3 executions$'
# What was cut may be what has an end.
ends 'for (int i = 0; i < 3 + r; i++) r = atomic_exchange(x, r + 1);' 'exists (x=2)' \
    >"$scratch/cut.litmus"
weir_ends 3 litmus --rounds 1 "$scratch/cut.litmus"
says '^Never so far: no execution ends: [0-9]+ are cut$'
weir_ends 3 litmus --rounds 1 --expect never "$scratch/cut.litmus"

# ---- Limits ------------------------------------------------------------------------

weir_ends 3 litmus "$scratch/sb.litmus" --max-executions 2
says 'so far' '^INCOMPLETE: --max-executions: 2'
weir_ends 3 litmus "$scratch/sb.litmus" --max-executions 2 --json
json 'it["complete"] is False and it["executions"] + it["blocked"] <= 2
    and "--max-executions" in it["incomplete"]'
weir_clean litmus "$scratch/sb.litmus" --max-executions 1k
weir_ends 3 litmus spin --rounds 2 --every-round
says '^INCOMPLETE: --rounds: .* 2' '^cut: '
# Rounds that change nothing do not count, and a thread that waits for ever is reported.
for model in sc rc11 sycl sycl-split opencl gpu; do
    for test in spin ticket increment; do
        weir_clean litmus --model "$model" --rounds 4 "$test"
        says '^Always: '
    done
done
printf 'C ever\n{}\nP0 (atomic_int* f) { while (atomic_load(f) == 0) ; }\nexists (f=0)\n' \
    >"$scratch/ever.litmus"
weir_clean litmus "$scratch/ever.litmus"
says '^blocked: 1 execution' '^  P0   waits in the loop of line 3: it keeps reading f=0 \(line 3\)$'
# Under opencl what a failed round acquires may matter to a plain read.
cat >"$scratch/lacking.litmus" <<'END'
C lacking
{}
P0 (int* x, atomic_int* f) {
  *x = 7;
  atomic_store_explicit(f, 1, memory_order_release);
}
P1 (int* x, atomic_int* f) {
  while (atomic_load_explicit(f, memory_order_acquire) != 2)
    ;
  int r = *x;
}
P2 (atomic_int* f) {
  atomic_store_explicit(f, 2, memory_order_relaxed);
}
exists (1:r=7)
END
weir_ends 3 litmus --model opencl "$scratch/lacking.litmus"
says '^INCOMPLETE: --every-round: '
weir_ends 3 litmus spin --rounds 2 --every-round --json
json 'it["complete"] is False and it["cut"] > 0'
# Five threads that all add have too many executions for a tenth of a second.
awk 'BEGIN {
    print "C many\n{ [x] = 0; }"
    for (i = 0; i < 8; i++) {
        printf "P%d (atomic_int* x) {\n", i
        for (k = 0; k < 3; k++)
            print "  atomic_fetch_add_explicit(x, 1, memory_order_relaxed);"
        print "}"
    }
    print "exists (x=24)"
}' >"$scratch/many.litmus"
for model in sycl gpu; do
    weir_ends 3 litmus "$scratch/many.litmus" --time-limit 0.1 --model $model
    says '^INCOMPLETE: --time-limit: 0\.1 seconds:'
    weir_ends 3 litmus "$scratch/sb.litmus" --max-executions 2 --model $model
    says '^INCOMPLETE: --max-executions: 2:'
done
# The time is of all files: a later one says that it had none, or less.
weir_ends 3 litmus --time-limit 0.1 "$scratch/many.litmus" "$scratch/many.litmus"
says '^INCOMPLETE: --time-limit: 0\.1 seconds for all files:'
says '^INCOMPLETE: --time-limit: 0\.1 seconds, which earlier files have used up:'
# Executions of thousands of events take long, one by one, and so would drawing them.
printf 'C long\n{}\n%s%s%s' 'P0 (atomic_int* x) { for (int i = 0; i < 3000; i++) ' \
    'atomic_fetch_add(x, 1); } P1 (atomic_int* x) { for (int i = 0; i < 300; i++) ' \
    'atomic_fetch_add(x, 1); } exists (x=1)' >"$scratch/long.litmus"
weir_ends 3 litmus "$scratch/long.litmus" --rounds 3k --time-limit 0.1
says '^INCOMPLETE: --time-limit: 0\.1 seconds:'
# A thousand writes are too many for relations to be made of.
awk 'BEGIN {
    print "C large\n{}\nP0 (atomic_int* x) {"
    for (i = 0; i < 1000; i++)
        print "  atomic_store_explicit(x, 1, memory_order_relaxed);"
    print "}\nexists (x=1)"
}' >"$scratch/large.litmus"
weir_ends 3 litmus "$scratch/large.litmus" --model gpu
says '^INCOMPLETE: the test has too many candidates to try, or one is too large'
weir_clean litmus "$scratch/large.litmus"
# What was found before the limit is certain, and the rest is not.
weir_ends 1 litmus "$scratch/many.litmus" --max-executions 10 --expect never
weir_ends 3 litmus "$scratch/many.litmus" --max-executions 10 --expect always

# ---- Several files, and errors -----------------------------------------------------

printf 'C broken\n{ [x] = 0; }\nP0 (atomic_int* x) {\n  int r0 = ;\n}\n' >"$scratch/broken.litmus"
weir litmus "$scratch/broken.litmus"
complains 'broken\.litmus:4:12: '
# As JSON the error is an object, as the answer would be.
for file in broken absent; do
    weir_ends 2 litmus "$scratch/$file.litmus" --json
    grep -q "^weir litmus: .*$file\.litmus:" "$err" || bad "standard error lacks the error"
    json 'set(it) == {"file", "error"} and it["file"].endswith("'$file'.litmus")
        and it["error"].startswith(it["file"] + ":")'
    is_as_told
done
weir_ends 2 litmus "$scratch/broken.litmus" --json --model all
json 'len(it) == 1 and set(it[0]) == {"file", "error"}'
weir litmus "$scratch/absent.litmus"
complains 'absent\.litmus'
weir litmus nonsense
complains "'nonsense' is neither a file nor a test of 'weir litmus --list'$"
# Names are known from elsewhere: in capitals, with what is in them, with an ending.
while read -r given meant; do
    line=$(echo "'$given' is neither a file nor .*: did you mean '$meant'?" | sed 's/[+?]/\\&/g')
    weir litmus "$given"
    complains "$line\$"
    line=$(echo "unknown test '$given': did you mean '$meant'?" | sed 's/[+?]/\\&/g')
    weir litmus --show "$given"
    complains "$line 'weir litmus --list'"
done <<'END'
MP mp
MP+rel+acq mp
mp.litmus mp
SB+rlx+rlx sb-relaxed
sb sb-relaxed
IRIW iriw-acq-rel
2_2W 2+2w
mp_relaxd mp-relaxed
barier barrier
lokc lock
END
# Too little of a name, or another one altogether.
for given in xy q group-last mp/rel absent.litmus; do
    weir litmus "$given"
    complains "$given"
    ! grep -q 'did you mean' "$err" || bad "that is far from it"
done
weir litmus "$scratch/sb"
complains 'No such file'
weir litmus "$scratch"
complains "$scratch"
weir litmus
complains 'name a file' '--list'

weir_ends 2 litmus "$scratch/sb.litmus" "$scratch/broken.litmus" "$scratch/absent.litmus" \
    "$scratch/forall.litmus" --json
test "$(wc -l <"$err")" -eq 2 || bad "not one line for each error"
json 'len(it) == 4 and it[0]["test"] == "SB" and set(it[1]) == {"file", "error"}
    and it[1]["file"].endswith("broken.litmus") and ":4:12:" in it[1]["error"]
    and it[2]["file"].endswith("absent.litmus") and it[3]["test"] == "SB forall"'
weir_ends 2 litmus "$scratch/sb.litmus" "$scratch/broken.litmus" "$scratch/forall.litmus"
says '^SB, model' '^SB forall, model'
# The worst counts: a violation more than a limit, an error more than both.
weir_ends 1 litmus "$scratch/forall.litmus" spin --rounds 2 --every-round
weir_ends 3 litmus "$scratch/sb.litmus" spin --rounds 2 --every-round

for file in - /dev/stdin; do
    step="weir litmus $file"
    status=0
    test -r /dev/stdin || continue
    "$WEIR" litmus "$file" <"$scratch/sb.litmus" >"$out" 2>"$err" || status=$?
    is_clean
    if test "$file" = -; then
        says '^SB, model sycl \(<stdin>\)$'
    else
        says '^SB, model sycl \(/dev/stdin\)$'
    fi
done
step='weir litmus -, an error'
status=0
"$WEIR" litmus - <"$scratch/broken.litmus" >"$out" 2>"$err" || status=$?
complains '^weir litmus: <stdin>:4:12: '
awk 'BEGIN { for (i = 0; i < 100000; i++) print "(* no litmus test has so much in it *)......" }' \
    >"$scratch/huge.litmus"
weir litmus "$scratch/huge.litmus"
complains 'huge\.litmus' '4 MiB'
: >"$scratch/empty.litmus"
weir litmus "$scratch/empty.litmus"
complains 'empty\.litmus:1:1: '

printf 'PTX MP\n{}\nP0@cta 0,gpu 0;\nst.weak x, 1;\nexists (x == 1)\n' \
    >"$scratch/ptx.litmus"
weir litmus --model rc11 "$scratch/ptx.litmus"
complains 'ptx\.litmus, model rc11' 'does not define the operations of PTX' 'ptx'
printf 'vulkan MP\n{}\nP0@sg 0,wg 0,qf 0;\nst.weak x, 1;\n' >"$scratch/vulkan.litmus"
weir litmus "$scratch/vulkan.litmus"
complains 'vulkan\.litmus:4:4: ' "'weak'" 'plain access'

weir litmus --model tso "$scratch/sb.litmus"
complains '--model' "'tso'" 'sycl-split' 'all'
weir litmus --expect maybe "$scratch/sb.litmus"
complains '--expect' "'maybe'" 'sometimes'
for option in --max-executions --rounds; do
    weir litmus $option 0 "$scratch/sb.litmus"
    complains "$option" "'0'"
    weir litmus $option many "$scratch/sb.litmus"
    complains "$option" "'many'"
done
weir litmus --time-limit soon "$scratch/sb.litmus"
complains '--time-limit' "'soon'"
weir litmus --list --show mp
complains '--list' '--show'
weir litmus --list mp
complains '--list' "'mp'"

# ---- Why not -----------------------------------------------------------------------

weir_clean litmus --explain mp
says '^Why not: the only coherent candidate ' '1:got=0,1:seen=1' 'It violates COH: ' \
    'P0 +W data=42 +line [0-9]+$' '1: is before, in program order,$' \
    'P0 +W flag=1 release +line [0-9]+$' 'is read by, and so synchronises with,$' \
    'P1 +R flag=1 acquire' 'P1 +R data=0' 'reads a value older than$'
weir_clean litmus --explain mp --json
json 'it["explanation"]["coherent"] is True
    and it["explanation"]["state"].startswith("1:got=0")
    and it["explanation"]["violations"][0]["axiom"] == "COH"
    and {e["edge"] for e in it["explanation"]["violations"][0]["cycle"]} == {"po", "sw", "rb"}
    and all(a["to"] == b["from"] for a, b in
        zip(it["explanation"]["violations"][0]["cycle"],
            it["explanation"]["violations"][0]["cycle"][1:]))'
# What carries a synchronisation is printed where it is not the one event that the other
# reads: after fences, and by way of an update.
weir_clean litmus --explain mp-fences
says '^      2: synchronises with, as P1 \(line 16\) reads what P0 writes \(line 12\)$'
weir_clean litmus --explain release-sequence --json
json '[e["how"] for e in it["explanation"]["violations"][0]["cycle"]] == [None,
    "P2 (line 19) reads what P0 writes (line 11), by way of the read-modify-write in line 15",
    None, None]'
# A candidate that is coherent is printed rather than one in which a thread misses its own
# write; and no race in one that is forbidden.
weir_clean litmus --explain last-group
says '^Why not: of [0-9]+ coherent candidates ' 'count=1 release device' \
    'is read by, and so synchronises with,$' 'count=1 acquire device'
for test in dekker peterson; do
    weir_clean litmus --explain --json $test
    json '"race" not in {e["edge"] for e in it["explanation"]["execution"]["edges"]}'
done
# A limit of the search alone is printed, and does not affect the exit status. Three writes of one thread
# have 3! orders, and nine so many that to look at them takes long, with reads of another
# location in each; of 65 none is.
writes()
{
    echo 'C writes'
    echo '{ [x] = 0; }'
    echo 'P0 (atomic_int* x, atomic_int* y) {'
    for i in $(seq "${2-0}"); do
        echo "  int y$i = atomic_load_explicit(y, memory_order_relaxed);"
    done
    for i in $(seq "$1"); do
        echo "  atomic_store_explicit(x, $i, memory_order_relaxed);"
    done
    echo '  int r = atomic_load_explicit(x, memory_order_relaxed);'
    echo '}'
    echo 'exists (0:r=0)'
}
writes 3 >"$scratch/three.litmus"
writes 9 150 >"$scratch/nine.litmus"
writes 65 >"$scratch/large.litmus"
weir_clean litmus --explain "$scratch/three.litmus"
says '^Why not: of 6 candidates in which the proposition holds, the nearest ends in$'
says_nothing_of 'may be nearer'
weir_clean litmus --explain "$scratch/three.litmus" --json
json 'it["explanation"]["candidates"] == 6 and it["explanation"]["capped"] is False
    and it["explanation"]["coherent"] is False and it["explanation"]["limit"] is None'
weir_clean litmus --explain --time-limit 0.3 "$scratch/nine.litmus"
says '^Never' '^Why not: of [0-9]+ candidates in which ' '^  Another candidate may be nearer: --time-limit ended the search\.$'
weir_clean litmus --explain --time-limit 0.3 "$scratch/nine.litmus" --json
json 'it["complete"] is True and 0 < it["explanation"]["candidates"] < 362880
    and it["explanation"]["capped"] is True and it["explanation"]["limit"] == "time"'
weir_clean litmus --explain "$scratch/large.litmus"
says '^Why not: no candidate .* was found, but there are'
weir_clean litmus --explain "$scratch/large.litmus" --json
json 'it["explanation"]["candidates"] == 0 and it["explanation"]["limit"] == "size"
    and it["explanation"]["state"] is None and it["explanation"]["violations"] == []'
weir_clean litmus --explain "$scratch/sb.litmus"
says_nothing_of 'Why not'
weir_clean litmus --explain "$scratch/sb.litmus" --json
json 'it["explanation"] is None'

# ---- JSON --------------------------------------------------------------------------

# All that it can have: several models, limits, explanations, races, errors.
weir_ends 2 litmus --model all --explain --json mp-relaxed lb-relaxed barrier scopes increment cas \
    iriw-seq-cst spin --rounds 3 "$scratch/large.litmus" "$scratch/broken.litmus" \
    "$scratch/forall.litmus"
is_as_told
for arguments in 'mp' 'mp --explain' 'barrier-diverged' 'filter' "$scratch/nine.litmus"; do
    # shellcheck disable=SC2086
    weir_clean litmus --json $arguments
    is_as_told
done

# A witness is an execution: a read has what it reads from, of its location and value, or
# what is there first, and program order leads through each thread.
weir_clean litmus --json --explain release-sequence
cat >"$scratch/sound.py" <<'END_PYTHON'
def sound(execution):
    events, edges = execution["events"], execution["edges"]
    what = [e["event"].split()[1] if e["kind"] in ("read", "write") else None for e in events]
    sources = {e["to"]: e["from"] for e in edges if e["edge"] == "rf"}
    return (sorted(sources) == [i for i, e in enumerate(events) if e["kind"] == "read"]
        and all(what[to].endswith("=0") if origin is None else what[to] == what[origin]
            and events[origin]["kind"] == "write" for to, origin in sources.items())
        and {(e["from"], e["to"]) for e in edges if e["edge"] == "po"}
            == {(i, i + 1) for i in range(len(events) - 1)
                if events[i]["thread"] == events[i + 1]["thread"]})
END_PYTHON
json '[exec(open("'"$scratch"'/sound.py").read(), globals())] and len(it["states"]) > 2
    and all(s["witness"]["events"] and sound(s["witness"]) for s in it["states"])
    and sound(it["explanation"]["execution"])
    and all(e["from"] in it["explanation"]["execution"]["events"]
        for e in it["explanation"]["violations"][0]["cycle"])'

weir litmus --json release-sequence
json 'all(s["witness"] is None for s in it["states"])'
weir litmus --json --explain mp
cp "$out" "$scratch/right.json"
planted=0
plant()
{
    step="a planted violation: $1"
    sed "$1" "$scratch/right.json" >"$scratch/wrong.json"
    cmp -s "$scratch/right.json" "$scratch/wrong.json" && bad "it changes nothing"
    "$validate" "$schema" "$scratch/wrong.json" >"$scratch/violations" && bad "it is not seen"
    planted=$((planted + 1))
}
plant 's/"model" : "sycl"/"model" : "tso"/'
plant 's/"observation" : "Never"/"observation" : "never"/'
plant 's/"states" :/"ends" :/'
plant 's/"positive" : 0/"positive" : -1/'
plant 's/"complete" : true/"complete" : null/'
plant 's/"blocked" : 0,//'
plant 's/"filtered" : 0,//'
plant 's/"race" : false/"race" : 0/'
plant 's/"kind" : "write"/"kind" : "store"/'
plant 's/"edge" : "rf"/"edge" : "fr"/'
plant 's/"line" : 11/"line" : 0/'
plant 's/"limit" : null/"limit" : "number"/'
plant 's/"capped" : false,//'
plant 's/"coherent" : true,//'
plant 's/"how" : null/"how" : 1/'
plant 's/"axiom" :/"rule" :/'
plant 's/"hardware" : null/"hardware" : true/'
weir litmus --json --explain barrier-diverged
cp "$out" "$scratch/right.json"
plant 's/"why" : "barrier"/"why" : "spin"/'
plant 's/"end" : "ended"/"end" : "complete"/'
plant 's/"line" : null/"line" : 0/'
plant 's/"blocked_executions" :/"stuck" :/'
test $planted -eq 21 || bad "$planted violations"

# ---- Drawings ----------------------------------------------------------------------

# drawn FILE...: each is there, and whole
drawn()
{
    for file in "$@"; do
        test -s "$file" || { bad "no $file"; continue; }
        test "$(tail -n 1 "$file")" = '</svg>' || bad "$file does not end"
    done
}

graphs=$scratch/graphs/of/mp
weir_clean litmus --graphs "$graphs" --explain mp
drawn "$graphs/mp-sycl-1.svg" "$graphs/mp-sycl-2.svg" "$graphs/mp-sycl-why.svg"
says 'mp-sycl-1\.svg' 'mp-sycl-why\.svg'
test "$(find "$graphs" -type f | wc -l)" -eq 3 || bad "there are other files, too"
# All of the execution is in it.
for text in 'P0<' 'W data=42<' 'W flag=1' 'release' 'data = 0' 'rf: reads'; do
    grep -qF ">$text" "$graphs/mp-sycl-2.svg" || bad "the drawing lacks '$text'"
done
grep -q '>line [0-9]*<' "$graphs/mp-sycl-2.svg" || bad "an event's line is not drawn"
grep -q '>1: po<' "$graphs/mp-sycl-why.svg" || bad "the cycle is not numbered"
# An existing file is replaced as a whole.
awk 'BEGIN { for (i = 0; i < 100000; i++) print "longer than any drawing" }' \
    >"$graphs/mp-sycl-2.svg"
weir_clean litmus --graphs "$graphs" mp barrier ticket --rounds 3
drawn "$graphs/mp-sycl-1.svg" "$graphs/mp-sycl-2.svg" "$graphs/barrier-sycl-1.svg"
! grep -q 'longer than' "$graphs/mp-sycl-2.svg" || bad "an old file is not gone"
weir_clean litmus --graphs "$graphs" mp --json
json '[s["graph"].rsplit("/", 1)[1] for s in it["states"]]
    == ["mp-sycl-1.svg", "mp-sycl-2.svg"]'

# Blocked executions are drawn, too.
weir litmus --graphs "$scratch/stuck" --json barrier-diverged
drawn "$scratch/stuck/barrier-diverged-sycl-1.svg" "$scratch/stuck/barrier-diverged-sycl-blocked-1.svg"
grep -q '<title>barrier-diverged, model sycl: blocked<' \
    "$scratch/stuck/barrier-diverged-sycl-blocked-1.svg" || bad "the title does not say so"
json 'it["blocked_executions"][0]["graph"].startswith("'"$scratch"'/stuck/barrier-diverged-sycl-blocked-1.")
    and len(it["states"]) == 1'
weir litmus --graphs "$scratch/stuck" barrier-diverged
says '^  drawn in .*/barrier-diverged-sycl-blocked-1\.' '^drawn in .*/barrier-diverged-sycl-1\.'

# Legible: boxes and the names of lines keep clear of each other, no line leads through a
# box, and boxes are as wide as what is in them, by a letter of average width.
legible()
{
    command -v python3 >/dev/null 2>&1 || return 0
    python - "$@" <<'END_PYTHON' >"$scratch/illegible" || bad "$(head -3 "$scratch/illegible")"
import sys
import xml.etree.ElementTree as tree

def inside(point, box, margin):
    return (abs(point[0] - box[0]) < box[2] / 2 - margin
        and abs(point[1] - box[1]) < box[3] / 2 - margin)

def clear(one, other):
    return (abs(one[0] - other[0]) >= (one[2] + other[2]) / 2 - 0.2
        or abs(one[1] - other[1]) >= (one[3] + other[3]) / 2 - 0.2)

def way(points):
    for i in range(0, len(points) - 3, 3):
        for t in (k / 40 for k in range(41)):
            yield [sum(c * p[axis] for c, p in zip(((1 - t) ** 3, 3 * (1 - t) ** 2 * t,
                3 * (1 - t) * t ** 2, t ** 3), points[i:i + 4])) for axis in (0, 1)]

SVG = "{http://www.w3.org/2000/svg}"
wrong = n_edges = 0
for path in sys.argv[1:]:
    boxes, names = {}, {}
    page = tree.parse(path).getroot()
    for group in page.iter(SVG + "g"):
        x, y, width, height = (float(group.find(SVG + "rect").get(key))
            for key in ("x", "y", "width", "height"))
        box = [x + width / 2, y + height / 2, width, height]
        texts = [text.text for text in group.iter(SVG + "text")]
        if group.get("class") == "name":
            names["name %d: %s" % (len(names), texts[0])] = box
        else:
            boxes[group.get("id")] = box
            if max(map(len, texts)) * 6 > width or len(texts) * 13 > height:
                print(path, texts, "is clipped")
                wrong += 1
    everything = list({**boxes, **names}.items())
    for i, (name, box) in enumerate(everything):
        for other, its in everything[:i]:
            if not clear(box, its):
                print(path, name, "covers", other)
                wrong += 1
    for line in page.iter(SVG + "path"):
        if line.get("class") != "edge":
            continue
        n_edges += 1
        ends = line.get("data-from"), line.get("data-to")
        points = [[float(n) for n in p.lstrip("MC").split(",")] for p in line.get("d").split()]
        through = {n for p in way(points) for n, b in boxes.items() if inside(p, b, 0.2)}
        if through:
            print(path, ends, "leads through", through)
            wrong += 1
sys.exit(wrong > 0 or n_edges < 10)
END_PYTHON
}

# A name of 200 letters, and twelve threads.
long=$(printf '%0200d' 0 | tr 0 x)
sed "s/\[x\]/[$long]/; s/atomic_int\* x/atomic_int* $long/g; s/(x, /($long, /" \
    "$scratch/sb.litmus" >"$scratch/long.litmus"
awk 'BEGIN {
    print "C twelve\n{ [x] = 0; }"
    for (t = 0; t < 12; t++)
        printf "P%d (atomic_int* x) {\n  %s;\n}\n", t, t % 5 == 0 \
            ? "atomic_store_explicit(x, " t + 1 ", memory_order_release)" \
            : "int r = atomic_load_explicit(x, memory_order_acquire)"
    print "exists (1:r=6 /\\ 11:r=1)"
}' >"$scratch/twelve.litmus"
weir_ends 0 litmus --graphs "$scratch/legible" --explain mp mp-relaxed sb-seq-cst lb-dependency \
    barrier scopes iriw-acq-rel release-sequence cas fences barrier-diverged \
    "$scratch/long.litmus" "$scratch/twelve.litmus"
legible "$scratch"/legible/*.svg
weir_ends 0 litmus --graphs "$scratch/legible-gpu" --explain --model gpu lb-dependency \
    iriw-seq-cst cas wrc
legible "$scratch"/legible-gpu/*.svg
grep -q '>thick, with numbers: ' "$scratch/legible/mp-sycl-why.svg" \
    || bad "it does not say what is thick"

# Names of tests need not be names of files, and may be the same; models have their own.
sed 's/^C SB/C ..\/SB <\&"\\/' "$scratch/sb.litmus" >"$scratch/odd.litmus"
graphs=$scratch/names
weir_ends 0 litmus --graphs "$graphs" --model all "$scratch/odd.litmus" "$scratch/sb.litmus" \
    "$scratch/sb.litmus"
drawn "$graphs/_._SB_____-sycl-1.svg" "$graphs/SB-sc-3.svg" "$graphs/SB_2-gpu-4.svg"
test "$(find "$graphs" -name '*.svg' | wc -l)" -eq 69 || bad "not 23 drawings a file"
test ! -e "$scratch/SB" || bad "something was written outside"
test "$(find "$graphs" -name '.*' -type f | wc -l)" -eq 0 || bad "there are hidden files"

# A folder that cannot be one.
weir litmus --graphs "$scratch/sb.litmus" mp
complains '--graphs' 'sb\.litmus'
weir litmus --graphs "$scratch/sb.litmus/below" mp
complains '--graphs' 'sb\.litmus'
weir litmus --graphs '' mp
complains '--graphs'
if test "$(id -u)" -ne 0; then
    mkdir "$scratch/locked"
    chmod a-w "$scratch/locked"
    weir_ends 2 litmus --graphs "$scratch/locked" mp
    grep -q 'locked' "$err" || bad "it does not say which folder"
fi

# ---- The tests that are included -----------------------------------------------------

weir_clean litmus --list
says '^Message passing$' '^  mp  +Release and acquire' '^  barrier ' '^  iriw-acq-rel '
awk 'length > 80 { exit 1 }' "$out" || bad "it has lines of more than 80 columns"
weir_clean litmus --list --json
json 'all(t["name"] and t["summary"] and t["family"] for t in it)
    and {"mp", "sb-seq-cst", "lb-relaxed"} <= {t["name"] for t in it}
    and [t["races_under"] for t in it if t["name"] in ("mp", "release-sequence-gap")]
        == [[], ["opencl"]]'
is_as_told
weir_clean litmus --show mp
cmp -s "$out" "$top_srcdir/tests/litmus/mp.litmus" || bad "that is another file"
weir litmus --show nonsense
complains 'nonsense' '--list'
# A file of that name comes first.
cp "$scratch/sb.litmus" "$scratch/mp"
step='weir litmus mp, where that is a file'
status=0
(cd "$scratch" && "$WEIR" litmus mp) >"$out" 2>"$err" || status=$?
is_clean
says '^SB, model'

# The list has every file of the folder, once, those of a family together; and what they
# say of themselves is so, for all models.
if command -v python3 >/dev/null 2>&1; then
    weir_clean litmus --list --json
    cp "$out" "$scratch/library"
    names=$(python -c 'import json, sys
print(*[t["name"] for t in json.load(open(sys.argv[1]))])' "$scratch/library")
    # shellcheck disable=SC2086
    weir_clean litmus --model all --json $names
    step='the library'
    python - "$scratch/library" "$out" "$top_srcdir/tests/litmus" >"$scratch/wrong" \
        <<'END_PYTHON' || bad "$(cat "$scratch/wrong")"
import glob, itertools, json, os, sys

library = json.load(open(sys.argv[1]))
answers = json.load(open(sys.argv[2]))
models = ["sycl", "sycl-split", "rc11", "sc", "opencl", "gpu"]
wrong = []

def expect(name, what, is_so):
    if not is_so:
        wrong.append(name + ": " + what)

names = [test["name"] for test in library]
files = [os.path.basename(path)[:-len(".litmus")]
         for path in glob.glob(os.path.join(sys.argv[3], "*.litmus"))]
for name in sorted(set(names) ^ set(files)):
    expect(name, "the folder and the list differ", False)
expect("all", "a test comes twice", len(names) == len(set(names)))
families = [family for family, _ in itertools.groupby(t["family"] for t in library)]
expect("all", "a family comes twice", len(families) == len(set(families)))
expect("all", "not an answer for each model", len(answers) == len(names) * len(models))
for number, test in enumerate(library):
    name, expected, race = test["name"], test["expect"], test["races_under"]
    expect(name, "it does not expect something of each model",
           sorted(expected) == sorted(models))
    expect(name, "races are of models that judge them",
           set(race) <= set(models) - {"sc"} and len(race) == len(set(race)))
    for answer in answers[number * len(models):][:len(models)]:
        model = answer["model"]
        expect(name, "the answer is of " + answer["test"], answer["test"] == name)
        expect(name, "no end under " + model, answer["complete"])
        expect(name, model + " answers " + answer["observation"],
               expected.get(model) == answer["observation"])
        expect(name, "race under " + model + ": " + str(answer["race"]),
               answer["race"] == (model in race))
print(*wrong, sep="\n")
sys.exit(len(wrong) > 0)
END_PYTHON
fi
finish
