# SPDX-License-Identifier: MIT
#
# Measurements, for `make bench`; never part of `make check`. A program is added
# to bench_programs and prints one line a case.

bench_programs =
EXTRA_PROGRAMS += $(bench_programs)
