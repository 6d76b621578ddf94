#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: inverse_secret.sh [TEST_PROGRAM [THE SAME WITH PLAIN LANES]]    (none: the build had no valgrind/memcheck.h)
# Runs the constant-time inversion under memcheck with its elements undefined: no branch and no address may depend on
# them. Also runs the variable-time inversion, to show that the check can fail.
set -euo pipefail
command -v valgrind > /dev/null || { echo "SKIP: valgrind is not installed"; exit 77; }
[ $# -ge 1 ] || { echo "SKIP: the build found no valgrind/memcheck.h"; exit 77; }
out=$(mktemp)
trap 'rm -f "$out"' EXIT
check() { valgrind --quiet --error-exitcode=99 --undef-value-errors=yes "$@" > "$out" 2>&1; }

# one PROGRAM ISA NAME
one() {
  local rc what
  for what in ct host; do
    rc=0
    check "$1" "$2" "$what" || rc=$?
    [ "$rc" = 0 ] || { cat "$out"; echo "FAILED: $3 $what"; exit 1; }
    echo "$3 $what: nothing depends on the elements"
  done
  rc=0
  check "$1" "$2" var || rc=$?
  { [ "$rc" = 99 ] && grep -q 'depends on uninitialised' "$out"; } ||
    { cat "$out"; echo "FAILED: $3 var was expected to be reported, and ended with $rc"; exit 1; }
  echo "$3 var: reported, as it must be"
}
one "$1" c "C"
[ $# -ge 2 ] || exit 0 # without the second program, the machine is not an x86-64
one "$1" adx "MULX and ADX"
one "$2" ifma "eight lanes in plain C, with MULX and ADX"
