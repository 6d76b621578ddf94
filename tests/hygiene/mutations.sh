#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: mutations.sh    Every patch under tests/mutation, and of each mistake that a test's head names, applies to the
# tree. Its head says which test must find it, why it is a mistake and, if not every machine can find it, what the
# machine needs. tests/mutation/run tries them.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

tests/mutation/mistakes "$tmp/heads" >> "$tmp/bad" || true
find tests/mutation "$tmp/heads" -name '*.patch' | sort > "$tmp/patches"
[ -s "$tmp/patches" ] || echo "no patches" >> "$tmp/bad"
xargs -a "$tmp/patches" python3 tests/hygiene/patches.py >> "$tmp/bad"
finish
