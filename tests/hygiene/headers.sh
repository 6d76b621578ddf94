#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: headers.sh CC CXX    Every public header compiles alone, as C11 and as C++17, with all warnings.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
cc=$1 cxx=$2
paths=(-Iengine/include -Iops/include -Igraphs/include)
strict=(-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only)

own_files '/include/.*\.h$' > "$tmp/headers"
[ -s "$tmp/headers" ] || { echo "no public header found" >> "$tmp/bad"; finish; }
while read -r h; do
  name=${h#*/include/}
  echo "#include <$name>" | tee "$tmp/alone.c" > "$tmp/alone.cc"
  "$cc" -std=c11 "${strict[@]}" "${paths[@]}" "$tmp/alone.c" >> "$tmp/log" 2>&1 || echo "$h: not as C11" >> "$tmp/bad"
  "$cxx" -std=c++17 "${strict[@]}" "${paths[@]}" "$tmp/alone.cc" >> "$tmp/log" 2>&1 ||
    echo "$h: not as C++17" >> "$tmp/bad"
done < "$tmp/headers"
cat "$tmp/log"
finish
