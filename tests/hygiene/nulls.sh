#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: nulls.sh CC LIBRARY    No public function crashes when all of its arguments are NULL or 0; those with a status
# give RP_ERR_ARGUMENT, and those that give a pointer NULL, as the calling rules of reprise.h say.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
python3 -B tests/hygiene/nulls.py . > "$tmp/nulls.c"
"$1" -std=c17 -D_GNU_SOURCE -w -Iengine/include -Iops/include -Igraphs/include "$tmp/nulls.c" "$2" \
  -Wl,-rpath,"$(dirname "$2")" -o "$tmp/nulls"
"$tmp/nulls" > "$tmp/log"
grep -v '^[0-9]* functions$' "$tmp/log" >> "$tmp/bad" || true
grep -qE '^[5-9][0-9]{2} functions$' "$tmp/log" || echo "the declarations were not read" >> "$tmp/bad"
finish
