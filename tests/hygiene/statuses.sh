#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: statuses.sh    Every public function that returns rp_status is declared RP_CHECKED, so that a compiler objects
# where its status is not used. clang objects for every function (RP_CHECKED_TYPE), also when it builds the library.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

# The exceptions are rp_lower_fail and rp_shape_fail, which may be used as statements.
own_files '/include/.*\.h$' | while read -r h; do
  tr '\n' ' ' < "$h" | grep -oE 'RP_API( +[A-Z_]+)* +rp_status +\**rp_[a-z0-9_]+' | tr -s ' ' |
    grep -vE '^RP_API RP_CHECKED rp_status |rp_(lower|shape)_fail$' |
    sed "s|^|$h: not RP_CHECKED: |" >> "$tmp/bad" || true
  grep -nE '^(RP_CHECKED )?rp_status rp_' "$h" | sed "s|^|$h: a public function without RP_API: |" >> "$tmp/bad" || true
done

cat > "$tmp/public.c" << 'END'
#include <reprise/graphs.h>
void ignores(rp_context *context);
void ignores(rp_context *context) { rp_devices(context, NULL, 0, NULL, NULL); }
END
cat > "$tmp/internal.c" << 'END'
#include <reprise/reprise.h>
static rp_status internal(void) { return RP_ERR_STATE; }
void ignores(void);
void ignores(void) { internal(); }
END
paths=(-Iengine/include -Iops/include -Igraphs/include -c -o /dev/null)
for cc in gcc clang; do
  command -v $cc > /dev/null || continue
  $cc -std=c17 "${paths[@]}" "$tmp/public.c" 2> "$tmp/log" || echo "$cc: $(cat "$tmp/log")" >> "$tmp/bad"
  grep -q unused-result "$tmp/log" || echo "$cc: says nothing of a status that is not looked at" >> "$tmp/bad"
done
grep -q 'RP_CHECKED_TYPE=__attribute__((warn_unused_result))' scripts/cmake/RepriseTarget.cmake ||
  echo "scripts/cmake/RepriseTarget.cmake: clang is not told to check every status" >> "$tmp/bad"
if command -v clang > /dev/null; then
  clang -std=c17 '-DRP_CHECKED_TYPE=__attribute__((warn_unused_result))' "${paths[@]}" "$tmp/internal.c" 2> "$tmp/log"
  grep -q unused-result "$tmp/log" || echo "clang: internal statuses are not checked" >> "$tmp/bad"
fi
finish
