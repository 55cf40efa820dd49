#!/bin/sh
# SPDX-License-Identifier: MIT
#
# scripts.sh: every shell script parses, in the shell that runs it. The matrix runs the
# cells that it is asked for.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# In a source tree; what a tarball leaves out is not asked for.
cd "$top_srcdir" || exit 99
for script in quickstart weir-cc.in tests/*.sh tests/arch/*.sh tests/cli/*.sh tests/fixes/*.sh \
    tests/mutants/*.sh tests/browser/*.sh examples/*.sh debian/tests/*; do
    test -f "$script" && test "$script" != debian/tests/control || continue
    sh -n "$script" || bad "$script does not parse"
done
if test -f .ci/run && command -v bash >/dev/null 2>&1; then
    bash -n .ci/run || bad ".ci/run does not parse"
fi
test "$failures" -gt 0 || good "scripts parse"

# A source tree whose configure makes nothing but a Makefile.
mkdir -p "$scratch/tree/tests"
cp tests/compilers.sh "$scratch/tree/tests"
cat >"$scratch/tree/configure" <<'END'
#!/bin/sh
echo "$*" >configured
printf 'all:\n\ncheck:\n\t@cat configured >>../ran; echo PASS: one\n' >Makefile
END
chmod +x "$scratch/tree/configure"
matrix()
{
    CELL=$1 COMPILERS='gcc clang-19' OPENCL='' sh tests/check-matrix.sh "$scratch/tree" \
        "$scratch/matrix" >"$scratch/out" 2>&1
}
matrix 'clang-19-O2 ranks' && test "$(wc -l <"$scratch/matrix/ran")" -eq 2 \
    && grep -q '^CC=clang-19 CFLAGS=-g -O2 ' "$scratch/matrix/ran" \
    && grep -q -- '^--with-mpi$' "$scratch/matrix/ran" \
    && grep -q '^cells: clang-19-O2 ranks of .*gcc-O2' "$scratch/out" \
    && grep -Eq '^clang-19-O2 +passes .* s$' "$scratch/out" \
    && grep -q '^2 of 2 builds pass$' "$scratch/out" || bad "two cells: $(cat "$scratch/out")"
matrix clang-12-O2
test $? -eq 2 && grep -q 'no cell clang-12-O2; .* gcc-O2 ' "$scratch/out" \
    || bad "a cell that is not there: $(cat "$scratch/out")"
finish
