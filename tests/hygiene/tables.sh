#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The tables of docs/performance.md are what scripts/tables makes from docs/results, and the output of `reprise bench
# --json` appears in the right place after it has been added to the results.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v jq > /dev/null || skip "jq is not installed"
scripts/tables check >> "$tmp/bad" || echo "docs/performance.md: run scripts/tables" >> "$tmp/bad"
[ "$(wc -l < docs/performance.md)" -le 200 ] || echo "docs/performance.md: more than 200 lines" >> "$tmp/bad"

mkdir "$tmp/tree"
cp -r --parents scripts/tables scripts/tables.jq docs/performance.md docs/results "$tmp/tree"
cat > "$tmp/bench.json" << 'END'
[
  {"op": "ntt", "type": "bn254_fr", "scalars": "uniform", "n": 65536, "median_ms": 0.151273, "least_ms": 0.150211,
   "device_ms": 0.0332, "runs": 15, "in_a_row_ms": 0.0712345, "floor_ms": 0.009},
  {"op": "ntt", "type": "bn254_fr", "scalars": "uniform", "n": 33554432, "median_ms": 12.1, "least_ms": 12.0,
   "device_ms": 9.1, "runs": 15, "in_a_row_ms": 8.51}
]
END
(cd "$tmp/tree" && scripts/tables add h200 cuda "$tmp/bench.json" && scripts/tables)
cat > "$tmp/want" << 'END'
+| BN254 Fr 2^16 | 0.009 | 0.07123 | 0.0257 |
+| BN254 Fr 2^25 | | 8.51 | |
END
diff -U0 docs/performance.md "$tmp/tree/docs/performance.md" | grep '^+|' > "$tmp/got" || true
diff "$tmp/want" "$tmp/got" >> "$tmp/bad" || echo "new rows do not come out in the tables" >> "$tmp/bad"
# A table for which there are no results, and results that no table shows, are objected to.
for edit in 's/^<!-- table msm -->/<!-- table other -->/' 's/^<!-- table msm -->//'; do
  sed "$edit" docs/performance.md > "$tmp/tree/docs/performance.md"
  (cd "$tmp/tree" && ! scripts/tables 2> /dev/null) || echo "not refused: $edit" >> "$tmp/bad"
done
finish
