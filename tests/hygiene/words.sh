#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sources, documents and names of tests are for readers who do not know the papers that are used: they name what is
# meant, and a paper is cited once, in docs/sources.md. Numbers from other lists ("point 7", "approach 2") say nothing.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
own_files '\.(c|h|cu|cuh|comp|glsl|sh|cmake|md|1)$|(^|/)CMakeLists\.txt$|^scripts/[a-z]+$|^tests/mutation/' |
  grep -v '^tests/hygiene/words\.sh$' > "$tmp/files"
# refuse FILES REGEX: objects to matches, except in keys of files of test vectors, in double quotes, whose names are
# given.
refuse() { xargs grep -nE "$2" /dev/null < "$1" | sed -E 's/"[a-z0-9_]+"//g' | grep -E "$2" >> "$tmp/bad" || true; }
numbers='\bpoint_[0-9]|\b[Aa]pproach(es)? [0-9]|\bSeed [1-9]|\bseed[1-9]\b|\b[Ee]rratum|\bissues? #?[0-9]'
sources="[Aa]cceptance point|source system|Merkle source|\bthe source's (own|formula|plan|passes|figures?|table|way)"
refuse "$tmp/files" "$numbers|$sources"
grep -v '^docs/sources\.md$' "$tmp/files" > "$tmp/citing_not"
refuse "$tmp/citing_not" '\bLP-?1[0-9][0-9]\b'
own_files '^tests/data/[a-z0-9_]+\.json$' > "$tmp/vectors"
refuse "$tmp/vectors" "$numbers|\bseed [1-9]|\b(in|by|of|and|where) the seed\b|\bseed_?[1-9]"

# The tests that docs/sources.md names exist: programs in code marks, and their functions without marks.
sed -nE 's/^\| [0-9.]+ \| [^|]* \| ([^|]*) \|.*/\1/p' docs/sources.md > "$tmp/shown"
grep -oE '`(source|op)_[a-z0-9_]+`' "$tmp/shown" | tr -d '`' | sort -u | while read -r test; do
  compgen -G "tests/*/test_${test#*_}.c" > /dev/null || echo "docs/sources.md: no test $test"
done >> "$tmp/bad"
find tests -name '*.c' -exec cat {} + | grep -oE '\b[a-z0-9]+_[a-z0-9_]+\b' | sort -u > "$tmp/names"
sed -E 's/`[^`]*`/ /g; s/\([^)]*\)/ /g' "$tmp/shown" | grep -oE '\b[a-z0-9]+_[a-z0-9_]+\b' | sort -u |
  comm -23 - "$tmp/names" | sed 's/^/docs\/sources.md: no test function /' >> "$tmp/bad"
finish
