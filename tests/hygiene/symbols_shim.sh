#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: symbols_shim.sh LIBRAPIDSNARK.SO    librapidsnark exports only what shim/include declares: it contains this
# library, whose names must not collide with those of a libreprise in the same program.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
grep -ohE '^(int|void) [a-z0-9_]+\(' shim/include/*.h | sed -E 's/.* //; s/\(//' | sort > "$tmp/declared"
nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort > "$tmp/exported"
[ -s "$tmp/declared" ] || echo "no declaration found" >> "$tmp/bad"
comm -13 "$tmp/declared" "$tmp/exported" | sed 's/$/: exported, but not declared/' >> "$tmp/bad"
comm -23 "$tmp/declared" "$tmp/exported" | sed 's/$/: declared, but not exported/' >> "$tmp/bad"
finish
