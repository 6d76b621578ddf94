#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: operations.sh [ROOT]    Every constructor of reprise/ops.h and reprise/transcript.h is called by a test of
# operations. The fuzz harness of graphs calls it, too, unless an operation has its name: fuzz_reach demands that every
# operation is fuzzed. All calls of the harness are reached; every test of operations is built. (op_gpu_coverage and
# op_saved demand the rest of what an operation has.) ROOT is the tree to look at instead of this one.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
[ $# = 0 ] || cd "$1"

grep -ohE '\brp_[a-z0-9_]+\(rp_graph \*g,' ops/include/reprise/{ops,transcript}.h |
  sed 's/(.*//' | sort -u > "$tmp/constructors"
[ -s "$tmp/constructors" ] || echo "ops/include/reprise/ops.h: no constructors found" >> "$tmp/bad"
cat tests/ops/test_*.c > "$tmp/tests"
cat tests/fuzz/fuzz_graph*.c > "$tmp/fuzz"
grep -ohE '^const rp_op rp_op_[a-z0-9_]+' ops/*/*.c | sed 's/.* //' > "$tmp/operations"
while read -r name; do
  grep -q "\b$name(" "$tmp/tests" || echo "$name: in no test of tests/ops/"
  grep -q "\b$name(" "$tmp/fuzz" || grep -qxF "rp_op_${name#rp_}" "$tmp/operations" ||
    echo "$name: not called by tests/fuzz/fuzz_graph_ops.c"
done < "$tmp/constructors" >> "$tmp/bad"

# A test is built because its head says so, or because a list names it.
cat tests/ops/CMakeLists.txt tests/ops/*.cmake | sed 's/#.*//' > "$tmp/built"
for test in tests/ops/test_*; do
  name=${test##*/test_}
  ! grep -q '^ \* op-test ' "$test" || continue
  grep -qE "\b(op_|test_)?${name%.*}\b" "$tmp/built" ||
    echo "$test: no line op-test in its head, and not in tests/ops/CMakeLists.txt" >> "$tmp/bad"
done

# The default of the switch comes after the last case.
last=$(sed -n '/^rp_value fuzz_other_call(/,/^}/s/^ *case \([0-9]*\):.*/\1/p' tests/fuzz/fuzz_graph_ops.c |
  sort -n | tail -1)
calls=$(sed -n 's/.*OTHER_CALLS = \([0-9]*\).*/\1/p' tests/fuzz/fuzz_graph.h)
if [ -z "$last" ] || [ "$calls" != $((last + 2)) ]; then
  echo "tests/fuzz/fuzz_graph.h: OTHER_CALLS is $calls; fuzz_other_call has cases up to ${last:-(none)} and a default"
fi >> "$tmp/bad"

# A library for one kind of processor (REPRISE_CPU) has some variants of a kernel, which its table alone knows.
grep -nE '^RP_CPU_DECLARE' ops/*/*.c graphs/*/*.c | grep -v '_tmpl.c:' |
  sed 's/$/: names a variant of a kernel, which libraries for one kind of processor may not have/' >> "$tmp/bad" || true
finish
