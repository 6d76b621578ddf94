#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: headers.sh CC CXX    Every public header compiles alone, as C11 and as C++17, with all warnings: with these
# compilers, and with gcc and clang where the machine has them. So does a C++17 program that uses every macro in them.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
paths=(-Iengine/include -Iops/include -Igraphs/include -Ishim/include)
compilers=("$1 $2")
real() { readlink -f "$(command -v "$1")"; }
for pair in "gcc g++" "clang clang++"; do
  command -v "${pair% *}" > /dev/null && command -v "${pair#* }" > /dev/null || continue
  [ "$(real "${pair% *}") $(real "${pair#* }")" = "$(real "$1") $(real "$2")" ] || compilers+=("$pair")
done
strict=(-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only)

own_files '/include/.*\.h$' > "$tmp/headers"
[ -s "$tmp/headers" ] || { echo "no public header found" >> "$tmp/bad"; finish; }
while read -r h; do
  name=${h#*/include/}
  printf '#include <%s>\ntypedef int alone;\n' "$name" | tee "$tmp/alone.c" > "$tmp/alone.cc"
  for pair in "${compilers[@]}"; do
    "${pair% *}" -std=c11 "${strict[@]}" "${paths[@]}" "$tmp/alone.c" >> "$tmp/log" 2>&1 ||
      echo "$h: not as C11 with ${pair% *}" >> "$tmp/bad"
    "${pair#* }" -std=c++17 "${strict[@]}" "${paths[@]}" "$tmp/alone.cc" >> "$tmp/log" 2>&1 ||
      echo "$h: not as C++17 with ${pair#* }" >> "$tmp/bad"
  done
done < "$tmp/headers"

program=tests/ops/test_cplusplus.cpp
for pair in "${compilers[@]}"; do
  "${pair#* }" -std=c++17 -pedantic-errors "${strict[@]}" "${paths[@]}" $program >> "$tmp/log" 2>&1 ||
    echo "$program: no pedantic C++17 with ${pair#* }" >> "$tmp/bad"
done
# Macros except include guards, those that are undefined again, and attributes that only declarations take.
xargs sed -nE 's/^#define (RP_[A-Z_]+).*/\1/p' < "$tmp/headers" |
  grep -vxE '.*_H|RP_[A-Z_]+_ENUM|RP_API|RP_CHECKED_TYPE' | sort -u > "$tmp/macros"
[ "$(wc -l < "$tmp/macros")" -ge 15 ] || echo "the macros of the public headers were not found" >> "$tmp/bad"
while read -r macro; do
  grep -qw "$macro" $program || echo "$program does not use $macro" >> "$tmp/bad"
done < "$tmp/macros"
cat "$tmp/log"
finish
