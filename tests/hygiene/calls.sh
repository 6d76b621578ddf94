#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: calls.sh BUILD    No circle of calls between files (calls.py), which must see one that is added.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
[ -f "$1/compile_commands.json" ] || skip "the build has no compile_commands.json"
python3 -B tests/hygiene/calls.py "$1" >> "$tmp/bad"
python3 -B tests/hygiene/calls.py "$1" engine/points.c rp_record > "$tmp/log"
grep -q '^functions call each other:.* engine/points.c' "$tmp/log" || echo "no circle of calls is seen" >> "$tmp/bad"
finish
