#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Every function has a user (unused.py), which must see those that have none.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
python3 -B tests/hygiene/unused.py . | sed '/^$/d' >> "$tmp/bad"

own_files '^(engine|ops|graphs|cli|shim|bindings|examples|tests)/.*\.(c|h|hpp|cpp|py|js|cjs|mjs|list|txt)$' |
  grep -v '^tests/data/' | xargs cp --parents -t "$tmp/"
cat >> "$tmp/engine/text.c" << 'END'
int rp_text_own(int x) { return x ? rp_text_own(x - 1) : 0; }
int rp_text_tested(void) { return rp_text_own(1); }
int rp_text_forgotten(void) { return 2; }
END
echo "int test_it(void) { return rp_text_tested(); }" >> "$tmp/tests/unit/watch.c"
echo "support_output_write has no reason to be here" >> "$tmp/tests/hygiene/unused.txt"
python3 -B tests/hygiene/unused.py "$tmp" > "$tmp/log"
for words in "rp_text_own is used in this file only" "rp_text_tested has no user but tests" \
  "rp_text_forgotten has no user" "support_output_write has users"; do
  grep -q "$words" "$tmp/log" || echo "unused.py does not say: $words" >> "$tmp/bad"
done
finish
