#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Each of the 73 points of docs/sources.md names tests that exist, and mistakes of tests/mutation with the tests that
# see them, as their patches say. hygiene_mutations says that these apply, tests/mutation/run that they are seen.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

# Names of tests, and the functions in their sources: op_csr is tests/ops/test_csr.c, and so on.
find tests -name 'test_*.c' | sed 's|.*/test_||; s|\.c$||' > "$tmp/sources"
source_of() { # TEST
  grep -xF -e "$1" -e "${1#*_}" "$tmp/sources" || true
}

grep -E '^\| [1-5]\.[0-9]+ \|' docs/sources.md > "$tmp/rows" || true
for section in 1:17 2:14 3:11 4:16 5:15; do
  for ((i = 1; i <= ${section#*:}; i++)); do
    [ "$(grep -c "^| ${section%:*}\.$i |" "$tmp/rows")" = 1 ] || echo "point ${section%:*}.$i is not there once"
  done
done >> "$tmp/bad"
[ "$(wc -l < "$tmp/rows")" = 73 ] || echo "$(wc -l < "$tmp/rows") points" >> "$tmp/bad"

while IFS='|' read -r _ point _ shown mistakes _; do
  point=${point// /}
  # shellcheck disable=SC2016  # backquotes of the document
  grep -oE '`[a-z0-9_]+/[a-z0-9_]+`, by `[a-z0-9_]+`' <<< "$mistakes" |
    tr -d '`' | sed 's/, by / /' > "$tmp/pairs" || true
  [ -s "$tmp/pairs" ] || echo "point $point has no mistake that is seen"
  while read -r name test; do
    patch=tests/mutation/$name.patch
    [ -f "$patch" ] || { echo "point $point: no $patch"; continue; }
    [ "$(sed -n 's/^# test: //p' "$patch")" = "$test" ] || echo "point $point: $patch names another test than $test"
  done < "$tmp/pairs"
  # shellcheck disable=SC2016
  while read -r test; do
    case $test in example_*) [ -f "examples/${test#example_}.c" ] || echo "point $point: no example $test" ;;
      *) [ -n "$(source_of "$test")" ] || echo "point $point: no test $test" ;;
    esac
  done < <(grep -oE '`(op|source|groth16|example|fields)_[a-z0-9_]+`' <<< "$shown" | tr -d '`')
done < "$tmp/rows" >> "$tmp/bad"
finish
