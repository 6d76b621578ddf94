#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: inverse_secret.sh TEST_PROGRAM    (none: the build had no valgrind/memcheck.h)
# The constant-time inversion under memcheck with its elements undefined: no branch, no address may depend on them. The
# variable-time one, to see that the check can fail.
set -euo pipefail
command -v valgrind > /dev/null || { echo "SKIP: valgrind is not installed"; exit 77; }
[ $# = 1 ] || { echo "SKIP: the build found no valgrind/memcheck.h"; exit 77; }
program=$1
check() { valgrind --quiet --error-exitcode=99 --undef-value-errors=yes "$program" "$@" > "$out" 2>&1; }
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for isa in c adx; do # memcheck knows no AVX-512: kernels of eight lanes are not looked at
  for what in ct host; do
    rc=0
    check "$isa" "$what" || rc=$?
    [ "$rc" != 3 ] || { echo "$isa: valgrind shows a processor without it"; continue 2; }
    [ "$rc" = 0 ] || { cat "$out"; echo "FAILED: $isa $what"; exit 1; }
    echo "$isa $what: nothing depends on the elements"
  done
  rc=0
  check "$isa" var || rc=$?
  { [ "$rc" = 99 ] && grep -q 'depends on uninitialised' "$out"; } ||
    { cat "$out"; echo "FAILED: $isa var was expected to be reported, and ended with $rc"; exit 1; }
  echo "$isa var: reported, as it must be"
done
