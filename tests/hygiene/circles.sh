#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# No circle of includes between files or between folders (circles.py), which must see one of each kind.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
python3 -B tests/hygiene/circles.py . >> "$tmp/bad"

cp -r --parents {engine,ops,graphs,cli,shim,shaders} "$tmp/"
sed -i '1a #include "graph.h"' "$tmp/engine/core.h"
sed -i '1a #include "ntt/ntt_args.h"' "$tmp/ops/lower/lower.h"
python3 -B tests/hygiene/circles.py "$tmp" > "$tmp/log"
grep -q '^files include each other:.* engine/core.h' "$tmp/log" || echo "no circle of files is seen" >> "$tmp/bad"
grep -q '^folders include each other:.* ops/ntt' "$tmp/log" || echo "no circle of folders is seen" >> "$tmp/bad"
finish
