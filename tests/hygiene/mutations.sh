#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: mutations.sh    Every patch under tests/mutation, and of each mistake that a test's head names, applies to the
# tree. Its head says which test must find it, why it is a mistake and, if not every machine can find it, what the
# machine needs. tests/mutation/run tries them.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

tests/mutation/mistakes "$tmp/heads" >> "$tmp/bad" || true
n=0
while read -r patch; do
  n=$((n + 1))
  sed -n 1p "$patch" | grep -qE '^# test: [a-z0-9_]+$' || echo "$patch:1: not '# test: NAME'" >> "$tmp/bad"
  sed -n 2p "$patch" | grep -qE '^# why: .+' || echo "$patch:2: not '# why: ...'" >> "$tmp/bad"
  sed -n '3,/^\(diff\|---\)/p' "$patch" | grep -nE '^#' | grep -vE '^1:# needs: (adx|ifma|gpu)( (adx|ifma|gpu))*$' |
    sed "s|^|$patch: after line 2: not '# needs: adx, ifma or gpu': |" >> "$tmp/bad" || true
  git apply --check "$patch" 2> "$tmp/log" || echo "$patch: does not apply: $(paste -sd' ' "$tmp/log")" >> "$tmp/bad"
done < <(find tests/mutation "$tmp/heads" -name '*.patch' | sort)
[ "$n" != 0 ] || echo "no patches" >> "$tmp/bad"
finish
