#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: symbols.sh LIBREPRISE.SO [LIBREPRISE.A]
# The shared library exports exactly what the public headers declare with RP_API, and so does the installed archive, so
# that either can be linked beside anything.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
shared=$1

# Names declared with RP_API: the identifier before the first "(" (functions) or the last one (data).
own_files '/include/.*\.h$' | xargs cat | awk '
  { sub(/\/\*.*\*\//, ""); sub(/\/\/.*/, "") }
  /^(extern )?RP_API / { joined = "" ; open = 1 }
  open { joined = joined " " $0; if ($0 ~ /;/) { open = 0; print joined } }' |
  sed -E 's/__attribute__.*//; s/^ *(extern )?RP_API //; s/\(.*//; s/;.*//; s/.*[ *]//' |
  grep -E '^(rp|RP)_' | sort -u > "$tmp/declared"
nm -D --defined-only "$shared" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u > "$tmp/exported"

[ -s "$tmp/declared" ] || echo "no declaration found" >> "$tmp/bad"
comm -13 "$tmp/declared" "$tmp/exported" | sed 's/$/: exported, but in no public header/' >> "$tmp/bad"
comm -23 "$tmp/declared" "$tmp/exported" | sed 's/$/: declared, but not in the library/' >> "$tmp/bad"

# The installed archive is checked, because the one in a build folder shows its internals to the tests.
if [ $# = 2 ]; then
  nm --defined-only --extern-only "$2" 2> /dev/null | awk 'NF == 3 { print $3 }' | sort -u |
    grep -vxFf "$tmp/declared" | sed 's/$/: global in the archive, but in no public header/' >> "$tmp/bad" || true
fi
finish
