#!/bin/sh
# SPDX-License-Identifier: MIT
#
# litmus-pitfalls.sh: clauses of the models of PTX and Vulkan that are easy to get wrong
# from memory. Each is a pair: a test that shows the clause, the nearest one in which it
# makes the other verdict, and the words that tell them apart. The verdicts follow from
# the clauses of PTX ISA 9.4 ("Memory Consistency Model") and of the Vulkan specification,
# appendix "Memory Model", which docs/ptx-vulkan.md names.
. "${top_srcdir:-.}/tests/cli/lib.sh"

: "${top_builddir:=.}"

# The test that is asked about, on standard input.
given()
{
    cat >"$scratch/given"
    mv "$scratch/given" "$scratch/test.litmus"
}

# answers MODEL VERDICT [PATTERN...]: the model says that of the test that is given. It is
# not in a pipeline, where failures would not be counted.
answers()
{
    model=$1 verdict=$2
    shift 2
    weir_clean litmus --model "$model" --explain --expect "$verdict" "$scratch/test.litmus"
    paste -sd ' ' "$out" | tr -s ' ' >"$scratch/line"
    for pattern in "$@"; do
        grep -Eq -e "$pattern" "$scratch/line" || bad "the output lacks '$pattern'"
    done
}

# mp WRITER READER: message passing by the flag y, two CTAs of one GPU.
mp()
{
    cat <<END_TEST
PTX mp
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1 | ${2%%;*} ;
 ${1%%;*} | ${2#*;} ;
 ${1#*;} | ld.weak r1, x ;
exists (P1:r0 == 1 /\\ P1:r1 == 0)
END_TEST
}

# ---- PTX ---------------------------------------------------------------------------

# 1: fence.sc is also a release and an acquire fence: the prose says so, the published
# formulas do not. __threadfence() of CUDA is fence.sc.gpu.
mp 'fence.sc.gpu;st.relaxed.gpu y, 1' 'ld.acquire.gpu r0, y;xor r9, r9, r9' | given
answers ptx never 'synchronises with'
mp 'fence.sc.gpu;st.relaxed.gpu y, 1' 'ld.acquire.gpu r0, y;xor r9, r9, r9' | given
answers ptx-7.5 sometimes 'no release fence is before it'

# 2: accesses of one thread to one location are morally strong, even weak ones.
given <<'END_TEST'
PTX own
{ x=0; }
 P0@cta 0,gpu 0 ;
 st.weak x, 1 ;
 ld.weak r0, x ;
exists (P0:r0 == 0)
END_TEST
answers ptx never
given <<'END_TEST'
PTX others
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1 | ld.weak r0, x ;
exists (P1:r0 == 0)
END_TEST
answers ptx sometimes

# 3: scopes may differ, but each must take in the other thread.
mp 'xor r9, r9, r9;st.release.sys y, 1' 'ld.acquire.gpu r0, y;xor r9, r9, r9' | given
answers ptx never
mp 'xor r9, r9, r9;st.release.sys y, 1' 'ld.acquire.cta r0, y;xor r9, r9, r9' | given
answers ptx sometimes 'not morally strong: the scope of the read in line 4 excludes P0'

# 4: the ends must be morally strong, too, not only the accesses to the flag.
mp 'fence.acq_rel.gpu;st.relaxed.gpu y, 1' 'ld.relaxed.gpu r0, y;fence.acq_rel.gpu' | given
answers ptx never
mp 'fence.acq_rel.cta;st.relaxed.gpu y, 1' 'ld.relaxed.gpu r0, y;fence.acq_rel.gpu' | given
answers ptx sometimes 'not morally strong: the scope of the fence in line 5 excludes P1'

# 5: block-scope additions of two blocks have no order, and one can be lost.
given <<'END_TEST'
PTX lost
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 atom.relaxed.cta.add r0, x, 1 | atom.relaxed.cta.add r0, x, 1 ;
exists (x == 1)
END_TEST
answers ptx sometimes 'both are strong, but they are not morally strong'
given <<'END_TEST'
PTX kept
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;
exists (x == 1)
END_TEST
answers ptx never 'Atomicity|Coherence|SCPerLocation'

# Each of them can be the last one: the location has any greatest write.
given <<'END_TEST'
PTX last
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1 | ld.weak r0, x ;
  | st.weak x, 2 ;
exists (P1:r0 == 1 /\ x == 1)
END_TEST
answers ptx sometimes
sed 's/ st.weak x, 1 /st.release.gpu x, 1/; s/ld.weak/ld.acquire.gpu/' "$scratch/test.litmus" | given
answers ptx never

# 6: causality order begins with one observation, and is not transitive: what P2 observes
# of P1 orders nothing before P1.
chain()
{
    cat <<END_TEST
PTX chain
{ x=0; y=0; z=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 2,gpu 0 ;
 st.weak x, 1 | ld.acquire.gpu r0, y | $2 r1, z | bar.cta.sync 0 ;
 st.release.gpu y, 1 | $1 z, 1 | bar.cta.sync 0 | ld.weak r2, x ;
exists (P1:r0 == 1 /\ P2:r1 == 1 /\ P3:r2 == 0)
END_TEST
}
for version in ptx ptx-6.0 ptx-7.5; do
    chain st.relaxed.gpu ld.relaxed.gpu | given
    answers $version sometimes 'P2 \(line 4\) reads what P1 writes \(line 5\), but that does not synchronise'
    chain st.release.gpu ld.acquire.gpu | given
    answers $version never 'barrier'
done

# 7: a read-modify-write is two events. Its write comes before the write that its read
# reads: with a weak write nothing forbids that, with a strong one its read is observed.
two_events()
{
    cat <<END_TEST
PTX two-events
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;
 ld.acquire.gpu r0, y | atom.relaxed.gpu.add r1, x, 1 | ld.relaxed.gpu r2, x ;
 $1 x, 1 | | st.release.gpu y, 1 ;
exists (P0:r0 == 1 /\ P1:r1 == 1 /\ P2:r2 == 2)
END_TEST
}
for version in ptx ptx-6.0 ptx-7.5; do
    two_events st.weak | given
    answers $version sometimes
    two_events st.relaxed.gpu | given
    answers $version never
done

# 8: a weak flag between two fence.sc is ordered, between two fence.acq_rel it is not.
mp 'fence.sc.gpu;st.weak y, 1' 'ld.weak r0, y;fence.sc.gpu' | given
answers ptx never 'is before, in the order of fence.sc operations'
mp 'fence.acq_rel.gpu;st.weak y, 1' 'ld.weak r0, y;fence.acq_rel.gpu' | given
answers ptx sometimes 'they are not both strong'

# 9: bar.arrive gives, and does not take.
given <<'END_TEST'
PTX sync
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1 | bar.cta.sync 0 ;
 bar.cta.arrive 0 | ld.weak r0, x ;
exists (P1:r0 == 0)
END_TEST
answers ptx never 'barrier'
given <<'END_TEST'
PTX arrive
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1 | bar.cta.arrive 0 ;
 bar.cta.sync 0 | ld.weak r0, x ;
exists (P1:r0 == 0)
END_TEST
answers ptx sometimes

# The first number is the instance, not the barrier: all entries that name it meet, also
# by other barriers. Without one of them the threads hang, which is not a final state.
instance()
{
    cat <<END_TEST
PTX instance
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1 | bar.cta.sync $2 ;
 bar.cta.sync $1 | ld.weak r0, x ;
exists (P1:r0 == 0)
END_TEST
}
instance 0 0 | given
answers ptx never
instance 0 1 | given
answers ptx sometimes
instance '0, 1, 3' '0, 1, 3' | given
weir litmus "$scratch/test.litmus"
says 'no final state' 'P0 +waits at barrier 0 \(line 5\), which is never complete'
instance '0, 1, 2' '0, 1, 2' | sed 's/^exists.*/exists (0 == 0)/' | given
answers ptx always

# 10: accesses of one thread through two proxies have no order without a proxy fence.
given <<'END_TEST'
PTX unfenced
{ x=0; s @ surface aliases x; }
 P0@cta 0,gpu 0 ;
 st.weak x, 1 ;
 suld.weak r0, s ;
exists (P0:r0 == 0)
END_TEST
answers ptx sometimes 'no fence.proxy.surface in the CTA of the surface access'
given <<'END_TEST'
PTX fenced
{ x=0; s @ surface aliases x; }
 P0@cta 0,gpu 0 ;
 st.weak x, 1 ;
 fence.proxy.surface ;
 suld.weak r0, s ;
exists (P0:r0 == 0)
END_TEST
answers ptx never

# The read of red acquires nothing.
mp 'xor r9, r9, r9;st.release.gpu y, 1' 'red.acquire.gpu.add y, 1;ld.relaxed.gpu r0, y' | sed 's/P1:r0 == 1/P1:r0 == 2/' | given
answers ptx sometimes
mp 'xor r9, r9, r9;st.release.gpu y, 1' 'atom.acquire.gpu.add r8, y, 1;ld.relaxed.gpu r0, y' | sed 's/P1:r0 == 1/P1:r8 == 1/' | given
answers ptx never

# Barrier objects: an arrival releases, and a wait acquires, by default in one CTA. The
# object is complete when all arrivals and all announced bytes have come.
object()
{
    cat <<END_TEST
PTX object
{ x=0; b=0; }
 P0@cta 0,gpu 0 | P1@cta ${3-0},gpu 0 ;
 mbarrier.init b, 1 | $2 r0, b ;
 st.weak x, 1 | ld.weak r1, x ;
 $1 | ;
exists (P1:r0 == 1 /\ P1:r1 == 0 /\ b == 0)
END_TEST
}
object 'mbarrier.arrive b' mbarrier.try_wait | sed 's/b=0;/b=1048576;/; s/mbarrier.init b, 1/xor r9, r9, r9/' | given
answers ptx never 'synchronises with'
object 'mbarrier.arrive.relaxed.cta b' mbarrier.try_wait | sed 's/b=0;/b=1048576;/; s/mbarrier.init b, 1/xor r9, r9, r9/' | given
answers ptx sometimes 'not a release' 'P0 line 6 mbarrier.arrive.release.cta b in place of mbarrier.arrive.relaxed.cta b'
object 'mbarrier.arrive b' mbarrier.try_wait 1 | sed 's/b=0;/b=1048576;/; s/mbarrier.init b, 1/xor r9, r9, r9/' | given
answers ptx sometimes 'not morally strong'
bytes()
{
    cat <<END_TEST
PTX bytes
{ b=0; }
 P0@cta 0,gpu 0 ;
 mbarrier.init b, 1 ;
 mbarrier.arrive.expect_tx b, 64 ;
 mbarrier.complete_tx b, $1 ;
 mbarrier.try_wait r0, b ;
exists (P0:r0 == 1)
END_TEST
}
bytes 64 | given
answers ptx always
bytes 32 | given
answers ptx never

# Words of PTX that published tests do not have. A cluster has CTAs of one GPU.
near='xor r9, r9, r9;st.release.cluster y, 1' also='ld.acquire.cluster r0, y;xor r9, r9, r9'
mp "$near" "$also" | sed 's/cta 0,/cta 0,cluster 0,/; s/cta 1,/cta 1,cluster 0,/' | given
answers ptx never
mp "$near" "$also" | sed 's/cta 0,/cta 0,cluster 0,/; s/cta 1,/cta 1,cluster 1,/' | given
answers ptx sometimes 'exclude'
# membar is fence.sc of a CTA, a GPU or the system.
for level in gl sys; do
    mp "membar.$level;st.relaxed.gpu y, 1" 'ld.acquire.gpu r0, y;xor r9, r9, r9' | given
    answers ptx never
done
mp 'membar.cta;st.relaxed.gpu y, 1' 'ld.acquire.gpu r0, y;xor r9, r9, r9' | given
answers ptx sometimes 'the scope of the fence in line 5 excludes P1'
# A fence of one side is one side.
mp 'fence.release.gpu;st.relaxed.gpu y, 1' 'ld.relaxed.gpu r0, y;fence.acquire.gpu' | given
answers ptx never
mp 'fence.acquire.gpu;st.relaxed.gpu y, 1' 'ld.relaxed.gpu r0, y;fence.acquire.gpu' | given
answers ptx sometimes 'no release fence is before it'
mp 'fence.release.gpu;st.relaxed.gpu y, 1' 'ld.relaxed.gpu r0, y;fence.release.gpu' | given
answers ptx sometimes 'no acquire fence is after it'
# A volatile access is strong, of system scope, and relaxed; one of mmio has its scope.
mp 'fence.acq_rel.gpu;st.volatile y, 1' 'ld.volatile r0, y;fence.acq_rel.gpu' | given
answers ptx never
mp 'xor r9, r9, r9;st.volatile y, 1' 'ld.volatile r0, y;fence.acq_rel.gpu' | given
answers ptx sometimes 'no release fence is before it'
mp 'fence.acq_rel.gpu;st.mmio.relaxed.gpu y, 1' 'ld.mmio.relaxed.gpu r0, y;fence.acq_rel.gpu' | given
answers ptx never
mp 'fence.acq_rel.gpu;st.mmio.relaxed.cta y, 1' 'ld.mmio.relaxed.gpu r0, y;fence.acq_rel.gpu' | given
answers ptx sometimes 'excludes'
# The barrier of a cluster: its CTAs meet; an arrival releases unless it is relaxed.
cluster()
{
    cat <<END_TEST
PTX cluster
{ x=0; }
 P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster $2,gpu 0 ;
 st.weak x, 1 | barrier.cluster.arrive 0 ;
 barrier.cluster.arrive$1 0 | barrier.cluster.wait 0 ;
 barrier.cluster.wait 0 | ld.weak r0, x ;
exists (P1:r0 == 0)
END_TEST
}
cluster '' 0 | given
answers ptx never 'barrier'
cluster .relaxed 0 | given
answers ptx sometimes
cluster '' 1 | given
answers ptx sometimes

# Fixes: the order of one access, the scopes of two, a fence that is missing.
mp 'xor r9, r9, r9;st.release.gpu y, 1' 'ld.relaxed.gpu r0, y;xor r9, r9, r9' | given
answers ptx sometimes 'P1 line 4 ld.acquire.gpu r0, y in place of ld.relaxed.gpu r0, y'
mp 'xor r9, r9, r9;st.release.cta y, 1' 'ld.acquire.cta r0, y;xor r9, r9, r9' | given
answers ptx sometimes 'P0 line 6 st.release.gpu y, 1 in place of st.release.cta y, 1 P1 line 4 ld.acquire.gpu r0, y in place of'
weir_clean litmus --json --explain "$scratch/test.litmus"
says '"after" : "st.release.gpu y, 1"' '"fixes" : \['
"$top_builddir/json-validate" "$top_srcdir/docs/weir-litmus.schema.json" "$out" >/dev/null \
    || bad 'not as the schema says'
given <<'END_TEST'
PTX unfenced
{ x=0; s @ surface aliases x; }
 P0@cta 0,gpu 0 ;
 st.weak x, 1 ;
 suld.weak r0, s ;
exists (P0:r0 == 0)
END_TEST
answers ptx sometimes 'P0 line 5 fence.proxy.surface before suld.weak r0, s'
# What is possible in one thread alone has none.
given <<'END_TEST'
PTX one
{ x=0; }
 P0@cta 0,gpu 0 ;
 ld.weak r0, x ;
exists (P0:r0 == 0)
END_TEST
answers ptx always
says_nothing_of 'Fix'

# A plain read that a compiler may drop, and the form that it does not.
given <<'END_TEST'
PTX kept
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 ld.weak r0, x | st.weak x, 1 ;
 ld.acquire.gpu r1, y | st.release.gpu y, 1 ;
 ld.weak r2, x | ;
exists (P0:r1 == 1 /\ P0:r2 == 0)
END_TEST
answers ptx never "hardware: P0 reads 'x' in line 4, acquires by the read in line 5"
given <<'END_TEST'
PTX read-again
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 ld.weak r0, x | st.weak x, 1 ;
 ld.relaxed.gpu r1, y | st.release.gpu y, 1 ;
 fence.acq_rel.gpu | ;
 ld.weak r2, x | ;
exists (P0:r1 == 1 /\ P0:r2 == 0)
END_TEST
answers ptx never
says_nothing_of 'hardware'

# A lock by compare-exchange: a failed one writes what it reads, so that its round changes
# nothing. The answer is complete.
lock()
{
    cat <<END_TEST
PTX lock
{ l=0; c=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 A: | A: ;
 atom.$1.gpu.cas r0, l, 0, 1 | atom.$1.gpu.cas r0, l, 0, 1 ;
 bne r0, 0, A | bne r0, 0, A ;
 ld.weak r1, c | ld.weak r1, c ;
 add r1, r1, 1 | add r1, r1, 1 ;
 st.weak c, r1 | st.weak c, r1 ;
 st.release.gpu l, 0 | st.release.gpu l, 0 ;
exists (c == 1)
END_TEST
}
lock acquire | given
answers ptx never
says_nothing_of INCOMPLETE
lock relaxed | given
answers ptx sometimes 'the read is not an acquire'
says_nothing_of INCOMPLETE

# ---- Vulkan ------------------------------------------------------------------------

# races true|false [PATTERN...]: whether the test that is given has a race under vulkan.
races()
{
    race=$1
    shift
    weir_clean litmus --json "$scratch/test.litmus"
    says "\"race\" : $race,"
    weir_clean litmus "$scratch/test.litmus"
    paste -sd ' ' "$out" | tr -s ' ' >"$scratch/line"
    for pattern in "$@"; do
        grep -Eq -e "$pattern" "$scratch/line" || bad "the output lacks '$pattern'"
    done
}

# vulkan STORE RELEASE ACQUIRE LOAD: message passing between two work-groups.
vulkan()
{
    cat <<END_TEST
VULKAN mp
{ x=0; y=0; }
 P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;
 $1 x, 1 | $3 r0, y ;
 $2 y, 1 | $4 r1, x ;
filter (P1:r0 == 1)
exists (P1:r1 == 0)
END_TEST
}
release=st.atom.rel.qf.sc0.semsc0 acquire=ld.atom.acq.qf.sc0.semsc0

# 12, 14: an order names the classes that it orders.
vulkan st.av.qf.sc0 $release $acquire ld.vis.qf.sc0 | given
races false
vulkan st.av.qf.sc1 $release $acquire ld.vis.qf.sc1 | given
races true "have sc0, but 'x' is in sc1|does not synchronise"

# 13: a control barrier without an order orders no memory.
barriers()
{
    cat <<END_TEST
VULKAN barrier
{ x=0; }
 P0@sg 0,wg 0,qf 0 | P1@sg 1,wg 0,qf 0 ;
 st.av.wg.sc0 x, 1 | $1 0 ;
 $1 0 | ld.vis.wg.sc0 r0, x ;
exists (P1:r0 == 0)
END_TEST
}
barriers cbar.acq_rel.wg.semsc0 | given
races false
barriers cbar.wg | given
races true "orders no memory in the storage class of 'x'"

# 15: happens-before is not enough. A private access races, a nonprivate one unless its
# write is available, and visible to the read, at the scope that both share.
vulkan st.sc0 $release $acquire ld.vis.qf.sc0 | given
races true 'the write in line 4 is private'
vulkan st.nonpriv.sc0 $release $acquire ld.vis.qf.sc0 | given
races true 'not available at scope qf'
vulkan st.av.wg.sc0 $release $acquire ld.vis.qf.sc0 | given
races true 'not available at scope qf'
vulkan st.av.qf.sc0 $release $acquire ld.nonpriv.sc0 | given
races true 'available at scope qf, but not visible'
vulkan st.nonpriv.sc0 $release.semav $acquire.semvis ld.nonpriv.sc0 | given
races false
# Two accesses of one line are told apart by their threads, and those of two lines by them.
# side_by_side ROW...
side_by_side()
{
    printf 'VULKAN beside\n{ x=0; }\n{ ssw 0 1; }\n'
    printf ' P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;\n'
    printf '%s ;\n' "$@"
    printf 'exists (P1:r0 == 1)\n'
}
side_by_side 'st.nonpriv.sc0 x, 1 | ld.nonpriv.sc0 r0, x' | given
races true 'line 5 in P0 happens before line 5 in P1, but'
side_by_side 'st.nonpriv.sc0 x, 1 |' '| ld.nonpriv.sc0 r0, x' | given
races true 'line 5 happens before line 6, but'

# 16: atomics out of each other's scope race like plain accesses.
atomics()
{
    cat <<END_TEST
VULKAN atomics
{ x=0; }
 P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;
 st.atom.$1.sc0 x, 1 | ld.atom.$1.sc0 r0, x ;
exists (P1:r0 == 0)
END_TEST
}
atomics qf | given
races false
atomics wg | given
races true 'not mutually ordered'

# 11: a race is undefined behaviour in Vulkan, and in PTX it is not. Vulkan has no order
# seq_cst, and accesses of PTX have none.
vulkan st.nonpriv.sc0 st.atom.qf.sc0 ld.atom.qf.sc0 ld.nonpriv.sc0 | given
races true
mp 'xor r9, r9, r9;st.relaxed.gpu y, 1' 'ld.relaxed.gpu r0, y;xor r9, r9, r9' | given
races false 'ptx does not judge them'
vulkan st.nonpriv.sc0 st.atom.sc.qf.sc0 $acquire ld.nonpriv.sc0 | given
weir_ends 2 litmus "$scratch/test.litmus"
mp 'xor r9, r9, r9;st.sc.gpu y, 1' 'ld.acquire.gpu r0, y;xor r9, r9, r9' | given
weir_ends 2 litmus "$scratch/test.litmus"

# 12: happens-before is not transitive. Program order leads to a release and from an
# acquire of the class; it is not joined with the synchronisation of another class.
relay()
{
    cat <<END_TEST
VULKAN relay
{ x=0; y=0; z=0; }
 P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 | P2@sg 0,wg 2,qf 0 ;
 st.av.qf.sc0 x, 1 | ld.atom.acq.qf.sc0.semsc0 r0, y | ld.atom.acq.qf.sc0.$2 r1, z ;
 st.atom.rel.qf.sc0.semsc0 y, 1 | st.atom.rel.qf.sc0.$1 z, 1 | ld.vis.qf.sc0 r2, x ;
filter (P1:r0 == 1 /\ P2:r1 == 1)
exists (P2:r2 == 0)
END_TEST
}
relay semsc0 semsc0 | given
races false
relay semsc1 semsc1 | given
races true

# 17: a release sequence is read-modify-writes alone: a later write of the same thread
# ends it, unlike in C11's first version.
sequence()
{
    cat <<END_TEST
VULKAN sequence
{ x=0; y=0; }
 P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;
 st.av.qf.sc0 x, 1 | ld.atom.acq.qf.sc0.semsc0 r0, y ;
 st.atom.rel.qf.sc0.semsc0 y, 1 | ld.vis.qf.sc0 r1, x ;
 $1, 1 | ;
filter (P1:r0 == 2)
exists (P1:r1 == 0)
END_TEST
}
sequence 'rmw.atom.qf.sc0.add r2, y' | given
races false
sequence 'st.atom.qf.sc0 y' | sed 's/y, 1 | ;$/y, 2 | ;/' | given
races true

# 18: values out of thin air are reachable in Vulkan, and not in PTX.
given <<'END_TEST'
VULKAN thin-air
{ x=0; y=0; }
 P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;
 ld.atom.dv.sc0 r0, x | ld.atom.dv.sc0 r0, y ;
 st.atom.dv.sc0 y, r0 | st.atom.dv.sc0 x, r0 ;
exists (P0:r0 == 7)
END_TEST
answers vulkan sometimes
# Any value, so also one that the claim names by what it is not.
sed 's/r0 == 7/r0 != 0/' "$scratch/test.litmus" | given
answers vulkan sometimes
sed 's/r0 == 7/r0 > 3/' "$scratch/test.litmus" | given
answers vulkan sometimes
given <<'END_TEST'
PTX thin-air
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;
 st.relaxed.gpu y, r0 | st.relaxed.gpu x, r0 ;
exists (P0:r0 == 7)
END_TEST
answers ptx never 'violates NoThinAir'

# 19: a claim ~exists or forall holds or not; the observation is about its proposition.
claims()
{
    mp 'xor r9, r9, r9;st.release.gpu y, 1' "ld.$1.gpu r0, y;xor r9, r9, r9" \
        | sed "s|^exists.*|$2|"
}
old='P1:r0 == 1 /\\ P1:r1 == 0'
claims acquire "~exists ($old)" | given
answers ptx never
weir_clean litmus "$scratch/test.litmus"
claims acquire "forall ~($old)" | given
weir_clean litmus --expect always "$scratch/test.litmus"
claims relaxed "~exists ($old)" | given
weir_ends 1 litmus "$scratch/test.litmus"
claims relaxed "forall ~($old)" | given
weir_ends 1 litmus "$scratch/test.litmus"

# A fence in the wrong place is moved: after the write, that of a proxy also to the CTA of
# the access, and that of the proxy before that of the alias.
given <<'END_TEST'
PTX early
{ x=0; t @ async aliases x; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 fence.proxy.async | bar.cta.sync 0 ;
 st.weak x, 1 | ld.async r0, t ;
 bar.cta.sync 0 | ;
exists (P1:r0 == 0)
END_TEST
answers ptx sometimes 'P0 line 6 fence.proxy.async before bar.cta.sync 0, moved from line 4'
weir_clean litmus --json --explain "$scratch/test.litmus"
says '"line" : 4'
"$top_builddir/json-validate" "$top_srcdir/docs/weir-litmus.schema.json" "$out" >/dev/null \
    || bad 'not as the schema says'
given <<'END_TEST'
PTX in-time
{ x=0; t @ async aliases x; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1 | bar.cta.sync 0 ;
 fence.proxy.async | ld.async r0, t ;
 bar.cta.sync 0 | ;
exists (P1:r0 == 0)
END_TEST
answers ptx never
says_nothing_of 'Fix'
given <<'END_TEST'
PTX elsewhere
{ x=0; y=0; t @ async aliases x; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1 | ld.acquire.gpu r0, y ;
 fence.proxy.async | ld.async r1, t ;
 st.release.gpu y, 1 | ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
END_TEST
answers ptx sometimes 'P1 line 5 fence.proxy.async before ld.async r1, t, moved from line 5 of P0'
given <<'END_TEST'
PTX two-fences
{ x=0; s @ surface aliases x; a @ generic aliases x; }
 P0@cta 0,gpu 0 ;
 sust.weak s, 1 ;
 fence.proxy.alias ;
 fence.proxy.surface ;
 ld.weak r0, a ;
exists (P0:r0 == 0)
END_TEST
answers ptx sometimes 'P0 line 7 fence.proxy.alias before ld.weak r0, a, moved from line 5'
# A fence that is needed where it is stays there.
given <<'END_TEST'
PTX both
{ x=0; t @ async aliases x; y=0; u @ async aliases y; }
 P0@cta 0,gpu 0 ;
 st.weak x, 1 ;
 fence.proxy.async ;
 ld.async r0, t ;
 st.weak y, 1 ;
 ld.async r1, u ;
exists (P0:r0 == 0 \/ P0:r1 == 0)
END_TEST
answers ptx sometimes 'P0 line 8 fence.proxy.async before ld.async r1, u'
says_nothing_of moved
# A memory fence stays in its thread.
mp 'st.relaxed.gpu y, 1;fence.acq_rel.sys' 'ld.acquire.gpu r0, y;xor r9, r9, r9' | given
answers ptx sometimes
says_nothing_of 'of P[0-9]$'

# A fix names an operation of availability and one of visibility, and leaves no race.
vulkan st.nonpriv.sc0 $release $acquire ld.nonpriv.sc0 >"$scratch/test.litmus"
weir_clean litmus --explain "$scratch/test.litmus"
says 'st.av.qf.sc0 x, 1 +in place of|semav y, 1 +in place of' \
    'ld.vis.qf.sc0 r1, x +in place of|semvis r0, y +in place of'

# fixes PATTERN...: of the test from standard input
fixes()
{
    cat >"$scratch/test.litmus"
    weir_clean litmus --explain "$scratch/test.litmus"
    says "$@"
}
# Where semav and semvis are there, an access that is not private is enough.
vulkan st.sc0 $release.semav $acquire.semvis ld.nonpriv.sc0 | fixes \
    'st.nonpriv.sc0 x, 1 +in place of +st.sc0 x, 1'
vulkan st.nonpriv.sc0 $release.semav $acquire.semvis ld.sc0 | fixes \
    'ld.nonpriv.sc0 r1, x +in place of +ld.sc0 r1, x'
# Both barriers acquire, and the first one does not release.
barriers cbar.acq.wg.semsc0 | fixes \
    'cbar.acq_rel.wg.semsc0 0 +in place of +cbar.acq.wg.semsc0 0'
# A claim about all executions is repaired where one violates it.
given <<'END_TEST'
PTX always
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y ;
 st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;
forall (P1:r0 == 0 \/ P1:r1 == 1)
END_TEST
weir_ends 1 litmus --explain "$scratch/test.litmus"
says 'st.release.gpu y, 1 +in place of +st.relaxed.gpu y, 1'
sed 's/st.relaxed.gpu y/st.release.gpu y/' "$scratch/test.litmus" >"$scratch/right.litmus"
weir_clean litmus --explain "$scratch/right.litmus"
says_nothing_of 'Fix'

finish
