#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The reference of the public headers is made without a warning and has every header and every function with its
# comment, and a comment that Doxygen cannot read is a failure.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v doxygen > /dev/null || skip "doxygen is not installed"
make_reference() { # SOURCE
  cmake -Dsource="$1" -Doutput="$tmp/out" -Dversion=1.2.3 -P scripts/cmake/reference.cmake > "$tmp/log" 2>&1
}
make_reference "$PWD" || cat "$tmp/log" >> "$tmp/bad"
for header in ./*/include/reprise/*.h; do
  page=$tmp/out/html/$(basename "$header" .h | sed 's/_/__/g')_8h.html
  [ -f "$page" ] || { echo "$header: not in the reference"; continue; }
  sed 's/<[^>]*>//g; s/&#160;/ /g' "$page" > "$tmp/text"
  sed -nE 's/^RP_API .*\b(rp_[a-z0-9_]+)\(.*/\1/p' "$header" | sort -u > "$tmp/named"
  { grep -oE 'rp_[a-z0-9_]+' "$tmp/text" || true; } | sort -u > "$tmp/found" # a header of attributes has none
  comm -23 "$tmp/named" "$tmp/found" | sed "s|^|$header: not in the reference: |"
done >> "$tmp/bad"
grep -q 'The version of the library that is linked' "$tmp/out/html/reprise_8h.html" ||
  echo "what is said of rp_version is not in the reference" >> "$tmp/bad"

cp -r --parents engine/include ops/include graphs/include docs/reference.md scripts/cmake "$tmp/"
sed -i 's|^/\* The version of the library|/* @unheard The version|' "$tmp/engine/include/reprise/reprise.h"
! make_reference "$tmp" || echo "a comment with an unknown command is no failure" >> "$tmp/bad"
finish
