#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: multiple_secret.sh [TEST_PROGRAM [VARIANT ...]]    (none: the build had no valgrind/memcheck.h)
# Multiplies points by secret scalars under memcheck with the scalar undefined: no branch and no address may depend on
# it. Also runs the multiplication for public scalars, to show that the check can fail.
set -euo pipefail
command -v valgrind > /dev/null || { echo "SKIP: valgrind is not installed"; exit 77; }
[ $# -ge 2 ] || { echo "SKIP: the build found no valgrind/memcheck.h"; exit 77; }
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for variant in "${@:2}"; do
  valgrind --quiet --error-exitcode=99 "$1" "$variant" ct > "$out" 2>&1 ||
    { cat "$out"; echo "FAILED: $variant"; exit 1; }
  sed "s/^/$variant, /" "$out"
  rc=0
  valgrind --quiet --error-exitcode=99 "$1" "$variant" var > "$out" 2>&1 || rc=$?
  { [ "$rc" = 99 ] && grep -q 'uninitialised' "$out"; } ||
    { cat "$out"; echo "FAILED: $variant var was expected to be reported, and ended with $rc"; exit 1; }
done
