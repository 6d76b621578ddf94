#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Every source file: licence line, length, width, banners of sections, white space, and words that finished code does
# not contain.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

max_lines=500
max_columns=120

own_files '\.(c|h|hpp|cpp|cu|cuh|comp|glsl|py|js|cjs|mjs|ts|sh|cmake)$|(^|/)CMakeLists\.txt$|^scripts/[a-z]+$' \
  > "$tmp/files"
# shellcheck disable=SC2016  # awk's $0
awk_rules='
  function code() { return FILENAME ~ /\.(c|h|hpp|cpp|cu|cuh|comp|glsl|py|js|cjs|mjs|ts|sh)$/ }
  FNR == 1 { if (code() && !spdx(FILENAME, $0)) bad("no SPDX line"); }
  length($0) > columns && (code() || FILENAME ~ /^scripts\/[a-z]+$/) {
    bad("longer than " columns " columns")
  }
  /^ *\/[*\/] ---- / && length($0) != columns { bad("a banner that does not end at column " columns) }
  /[ \t]$/ { bad("white space at the end") }
  /\t/ { bad("tab") }
  /\r/ { bad("carriage return") }
  /(^|[^A-Za-z-])(TODO|FIXME|XXX|HACK)([^A-Za-z]|$)/ && !self() { bad("unfinished work noted") }
  /\/(home|work|root|tmp\/build)\// && !self() { bad("path of one machine") }
  FNR == lines + 1 { bad("longer than " lines " lines") }
  function self() { return FILENAME ~ /hygiene\/sources.sh$/ }
  function spdx(file, first) {
    if (file ~ /\.sh$/) return 1
    return first ~ /SPDX-License-Identifier: Apache-2.0 OR MIT/
  }
  function bad(why) { printf "%s:%d: %s\n", FILENAME, FNR, why }'
xargs awk -v columns=$max_columns -v lines=$max_lines "$awk_rules" < "$tmp/files" >> "$tmp/bad"

# Shell scripts have the licence line in their first lines, below the interpreter.
own_files '\.sh$|^scripts/[a-z]+$|^\.ci/run$' > "$tmp/scripts"
xargs grep -m 1 -HFn 'SPDX-License-Identifier: Apache-2.0 OR MIT' < "$tmp/scripts" |
  sed -n 's/:[123]:.*//p' > "$tmp/licensed"
awk 'NR == FNR { is[$0] = 1; next } !($0 in is) { print $0 ": no SPDX line" }' "$tmp/licensed" "$tmp/scripts" \
  >> "$tmp/bad"
while read -r f; do
  bash -n "$f" || echo "$f: does not parse"
done < "$tmp/scripts" >> "$tmp/bad"

# grep -q ends at the first match: what writes to it then fails, and so does a pipeline with pipefail, now and then.
xargs grep -HnE '[^|][|] *grep -[A-Za-z]*q' < "$tmp/scripts" |
  sed 's/$/: a pipeline into grep -q; write > \/dev\/null instead/' >> "$tmp/bad" || true

# A file's name says what it holds: small letters, digits, "_"; no upper case but customary names.
own_files '.' | grep -vE '^tests/(data|fuzz)/' | while read -r f; do
  case ${f##*/} in
    README.md | CONTRIBUTING.md | CHANGELOG.md | SECURITY.md | LICENSE-APACHE | LICENSE-MIT) ;;
    CMakeLists.txt | CMakePresets.json | Dockerfile | Dockerfile.*) ;;
    *.cmake | *.cmake.in) ;;
    *[!a-z0-9_.-]*) echo "$f: unusual characters in the name" ;;
  esac
done >> "$tmp/bad"

# What npm installs runs on Debian 12's Node.js, which is version 18.
own_files '(^|/)package-lock\.json$' | xargs grep -HnE '"node": "[>= ^~]*(19|[2-9][0-9])[.0-9]*"' |
  sed 's/$/: Debian 12 has Node.js 18/' >> "$tmp/bad" || true

# The root has the project's folders and these files. What a program leaves there is committed by mistake otherwise.
in_root='\.gitignore|\.clang-(format|tidy)|CMake(Lists\.txt|Presets\.json)|LICENSE-(APACHE|MIT)'
in_root="$in_root|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md"
own_files '^[^/]*$' | grep -vxE "$in_root" | sed 's|$|: does not belong in the root|' >> "$tmp/bad" || true
finish
