#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ci.sh: a job for any build server whose machine has Weir: builds the project, checks a
# program, and runs the tests. It leaves the findings in races.sarif, for a step of the
# server that uploads them, and fails where there is one.
set -eu
build=${1:-build}
cmake -S "$(dirname "$0")" -B "$build"
cmake --build "$build"
weir check --runs 20 --sarif races.sarif -- "$build/host-c"
ctest --test-dir "$build" --output-on-failure
