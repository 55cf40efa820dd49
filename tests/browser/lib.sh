# SPDX-License-Identifier: MIT
#
# lib.sh: what the tests of pages share: the helpers of the command's tests, and a
# browser. Sourced, not run. WEIR_SHOTS=FOLDER saves pictures of what is judged.
# shellcheck shell=sh
. "${top_srcdir:-.}/tests/cli/lib.sh"

# A Python of one's own may come before Debian's, which has Debian's modules.
for python in python3 /usr/bin/python3; do
    $python -c 'import selenium' 2>/dev/null && break
    python=
done
test -n "$python" && command -v chromium >/dev/null 2>&1 \
    && command -v chromedriver >/dev/null 2>&1 \
    || { echo "SKIP: no browser (Debian: chromium, chromium-driver, python3-selenium)"; exit 77; }

# in_browser SCRIPT ARGUMENT...: runs a script of this folder.
in_browser()
{
    step="$*"
    script=$1
    shift
    status=0
    PYTHONDONTWRITEBYTECODE=1 "$python" "$top_srcdir/tests/browser/$script" "$@" || status=$?
    test $status -eq 0 || failures=$((failures + 1))
}
