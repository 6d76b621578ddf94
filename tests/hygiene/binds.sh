#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# No kernel's arguments are padded with binds that it does not read (binds.py), which must see such a bind and a wrong
# number of binds.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
python3 -B tests/hygiene/binds.py . >> "$tmp/bad"

cp -r --parents {ops,shaders} "$tmp/"
sed -i 's|^ \* kernel ntt_few ntt/4 | * kernel ntt_few ntt/5 |' "$tmp/ops/ntt/ntt.c"
sed -i 's|^ \* kernel slice_at slice_at/5 | * kernel slice_at slice_at/9 |' "$tmp/ops/vector/slice_at.c"
python3 -B tests/hygiene/binds.py "$tmp" > "$tmp/log"
grep -q 'ntt.c: kernel ntt_few binds tile, which its source for cuda' "$tmp/log" ||
  echo "an address that CUDA does not read is not seen" >> "$tmp/bad"
grep -q 'slice_at.c: kernel slice_at has 9 binds' "$tmp/log" || echo "a wrong number is not seen" >> "$tmp/bad"
finish
