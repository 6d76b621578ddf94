#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: format.sh [mend]    Every source in C, C++, CUDA C and GLSL is as clang-format 14 writes it; `mend` rewrites
# those that are not.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v clang-format > /dev/null || skip "clang-format is not installed"
clang-format --version | grep 'version 14\.' > /dev/null || skip "not clang-format 14: each version formats differently"
mend=${1:-}

own_files '\.(c|h|hpp|cpp|cu|cuh)$' > "$tmp/files"
[ -s "$tmp/files" ] || echo "no sources found" >> "$tmp/bad"
if [ "$mend" = mend ]; then
  xargs clang-format -i < "$tmp/files"
else
  xargs clang-format --dry-run -Werror < "$tmp/files" > "$tmp/log" 2>&1 || true
  sed -n 's/^\([^:]*\):[0-9:]* error: code should be clang-formatted.*/\1: not formatted/p' "$tmp/log" |
    sort -u >> "$tmp/bad"
fi

# GLSL is read as C++. Its attributes of loops would be taken for expressions: while clang-format runs, words of the
# same length, which .clang-format calls loops, or comments stand in their place.
formatted() {
  sed -E 's/\[\[unroll\]\] for\b/UNROLL_____FOR/g; s/\[\[dont_unroll\]\] for\b/DONT_UNROLL_____FOR/g
    s|\[\[((dont_)?unroll)\]\]|/*\1*/|g' "$1" |
    clang-format --assume-filename="$(dirname "$1")/glsl.cpp" |
    sed -E 's/DONT_UNROLL_____FOR/[[dont_unroll]] for/g; s/UNROLL_____FOR/[[unroll]] for/g
      s|/\*((dont_)?unroll)\*/|[[\1]]|g'
}
own_files '\.(comp|glsl)$' > "$tmp/files"
[ -s "$tmp/files" ] || echo "no shaders found" >> "$tmp/bad"
while read -r f; do
  formatted "$f" > "$tmp/text"
  cmp -s "$f" "$tmp/text" && continue
  if [ "$mend" = mend ]; then
    cat "$tmp/text" > "$f"
  else
    echo "$f: not formatted"
  fi
done < "$tmp/files" >> "$tmp/bad"
finish
