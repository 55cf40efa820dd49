#!/bin/sh
# SPDX-License-Identifier: MIT
#
# litmus-progress.sh: weir litmus --progress prints who waits for what, in text and JSON;
# its exit status is 1 if a fair execution does not end, and 3 if that is not known; and
# the schedule that it prints is one.
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

# P0 waits for P1.
cat >"$scratch/down.litmus" <<'END_TEST'
C down
{ [x] = 0; }
P0 (atomic_int* x) {
  while (atomic_load_explicit(x, memory_order_acquire) == 0) {}
}
P1 (atomic_int* x) {
  atomic_store_explicit(x, 1, memory_order_release);
}
exists (true)
END_TEST
# P0 leaves P1 at a barrier.
cat >"$scratch/left.litmus" <<'END_TEST'
OPENCL left
{ }
P0@wg 0, dev 0 (global atomic_int* x) {
}
P1@wg 0, dev 0 (global atomic_int* x) {
  atomic_store_explicit(x, 1, memory_order_release);
  barrier(CLK_GLOBAL_MEM_FENCE);
}
exists (true)
END_TEST
# Each state is new.
cat >"$scratch/counts.litmus" <<'END_TEST'
C counts
{ [x] = 0; }
P0 (atomic_int* x) {
  int i = 1;
  while (i != 0) { i = i + 2; atomic_store_explicit(x, i, memory_order_relaxed); }
}
exists (true)
END_TEST

# ---- Text --------------------------------------------------------------------------

weir_clean litmus --progress fair "$scratch/down.litmus"
says '^down \(' '^  terminates under fair: yes$'
says_nothing_of 'P0|P1'
weir_ends 1 litmus --progress obe "$scratch/down.litmus"
says '^  terminates under obe: no$' \
    '^    P0   spins at line 4: it reads x = 0 again and again$' \
    '^    P1   would write x = 1 at line 7, but need not run$'
says_nothing_of 'steps'
weir_ends 1 litmus -p obe --explain "$scratch/down.litmus"
says '^    These steps are repeated for ever:$' '^      P0   line 4: reads x = 0$'
weir_ends 1 litmus -p fair -e "$scratch/left.litmus"
says '^    P0   has ended$' '^    P1   waits at the barrier of line 7 for P0$' \
    '^    These steps lead there:$' '^      P1   line 6: writes x = 1$' \
    '^      P1   line 7: arrives at the barrier$'
says_nothing_of 'for ever'
weir_ends 1 litmus --progress all "$scratch/down.litmus"
says 'under fair: yes$' 'under hsa: no$' 'under obe: no$' 'under hsa_obe: no$' \
    'under lobe: no$'
weir_clean litmus --progress lobe spin --model sc

# ---- JSON --------------------------------------------------------------------------

weir_ends 1 litmus --progress hsa --json "$scratch/down.litmus"
json 'it["test"] == "down" and it["progress"] == "hsa" and it["terminates"] is False
    and it["model"] == "sycl" and it["undecided"] is None and it["weak"] is False
    and [(w["thread"], w["end"], w["line"]) for w in it["waits"]]
        == [(0, "spins", 4), (1, "rests", 7)]
    and it["before"] == [] and [(s["thread"], s["text"]) for s in it["loop"]]
        == [(0, "reads x = 0")]'
is_as_told
weir_ends 1 litmus --progress all --json "$scratch/down.litmus" "$scratch/left.litmus"
json '[(a["test"], a["progress"], a["terminates"]) for a in it]
    == [("down", p, p == "fair") for p in ("fair", "hsa", "obe", "hsa_obe", "lobe")]
    + [("left", p, False) for p in ("fair", "hsa", "obe", "hsa_obe", "lobe")]
    and [(w["end"], w["line"]) for w in it[5]["waits"]] == [("ended", None), ("hangs", 7)]
    and it[5]["loop"] == [] and len(it[5]["before"]) == 2'
is_as_told

# ---- Limits ------------------------------------------------------------------------

weir_ends 3 litmus --progress fair --max-executions 100 "$scratch/counts.litmus"
says 'under fair: not known: there are more than 100 states$'
weir_ends 3 litmus --progress fair --max-executions 100 --json "$scratch/counts.litmus"
json 'it["terminates"] is None and it["undecided"] == "there are more than 100 states"
    and it["waits"] == [] and it["loop"] == []'
is_as_told
# Status 1 is worse than 3.
weir_ends 1 litmus -p obe --max-executions 100 "$scratch/counts.litmus" "$scratch/down.litmus"

# ---- Usage -------------------------------------------------------------------------

# refused MESSAGE ARGUMENT...
refused()
{
    message=$1
    shift
    weir_ends 2 litmus "$@"
    grep -q -e "$message" "$err" || bad "not '$message': $(cat "$err")"
}
refused "'cuda': give one of fair, hsa, obe, hsa_obe, lobe, or all" --progress cuda spin
refused 'takes one --model' --progress fair --model all spin
for option in '--graphs x' '--expect never' '--rounds 2' '--every-round'; do
    # shellcheck disable=SC2086
    refused 'excludes --graphs' --progress fair $option spin
done
finish
