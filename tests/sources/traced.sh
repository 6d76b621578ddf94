#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: traced.sh TEST_PROGRAM [all]
# Gives the program the list of its own instructions that touch memory, with how each forms its address.
set -euo pipefail
command -v objdump > /dev/null || { echo "SKIP: objdump is not installed"; exit 77; }
table=$(mktemp)
trap 'rm -f "$table"' EXIT
# shellcheck disable=SC2016  # awk's $0
objdump -d --no-show-raw-insn "$1" | awk -F '\t' '
  NF >= 2 && match($2, /(-?0x[0-9a-f]+)?\([^)]*\)/) {
    if ($2 ~ /^(lea|nop|data16|cs nop)/) next
    at = $1; gsub(/[ :]/, "", at)
    operand = substr($2, RSTART, RLENGTH)
    displacement = operand; sub(/\(.*/, "", displacement)
    inside = operand; sub(/^[^(]*\(/, "", inside); sub(/\)$/, "", inside)
    n = split(inside, part, ",")
    gsub(/%/, "", part[1]); gsub(/%/, "", part[2])
    if (displacement == "") displacement = "0x0"
    if (part[1] == "") part[1] = "-"
    if (n < 2) part[2] = "-"
    if (n < 3) part[3] = 1
    print at, displacement, part[1], part[2], part[3]
  }' > "$table"
"$1" "$table" "${@:2}"
