#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: rebuild.sh BUILD    No CPU kernel is compiled again when the lists of types or of operations change: according
# to the compiler's dependencies, the templates read only their own parameters and what kernels share. Lists that are
# made of definitions and tests do not name these as inputs: ninja stops if an input is gone.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
[ -f "$1/.ninja_deps" ] || skip "the build was not made by ninja"
ninja -C "$1" -t deps > "$tmp/deps"
awk '/^[^ ].*: #deps/ { object = $1; kernels += (object ~ /_cpu_tmpl_/) }
  /\/reprise\/(types|ops)\.h$/ && object ~ /_cpu_tmpl_/ { print object " reads " $1 }
  END { if (kernels < 100) print "only " kernels + 0 " kernels are known" }' "$tmp/deps" >> "$tmp/bad"
for list in kernels op_tests; do
  grep -E "^build [^:]*\\b$list\\.list\\b[^:]*:" "$1/build.ninja" > "$tmp/rule" ||
    echo "no rule for $list.list" >> "$tmp/bad"
  grep -oE '[^ ]+\.c\b' "$tmp/rule" | sed "s/^/$list.list: an input is /" >> "$tmp/bad" || true
done
finish
