#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: prefetch.sh OBJECT OBJDUMP
# The sums of buckets fetch their points ahead, sixteen per group of pairs. gcc deems a function that only prefetches to
# have no effect, and drops calls of it unless it is inlined by force; results are then the same, only later. OBJECT is
# bucket_accumulate_cpu_tmpl.c for eight lanes.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
found=$("$2" -d --no-show-raw-insn "$1" | grep -cE '[[:space:]](prefetch|prfm)' || true)
[ "$found" -ge 18 ] || echo "$1: $found instructions that prefetch, and not 18: 16 for pairs, and one each for the odd \
points and for what is gathered" >> "$tmp/bad"
finish
