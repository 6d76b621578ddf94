#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the documents name exists: links, paths in code marks, the example, the subcommands and options of the command.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

# Relative links point to files.
own_files '\.md$' | grep -v '^tests/data/' | while read -r doc; do
  dir=$(dirname "$doc")
  grep -oE '\]\([^)#]+(#[^)]*)?\)' "$doc" | sed -E 's/^\]\(//; s/[#)].*//' |
    grep -vE '^(https?:|mailto:|$)' | while read -r to; do
    [ -e "$dir/$to" ] || echo "$doc: link to $to, which does not exist"
  done || true
  # Paths of this tree in code marks: any text with a slash that begins with a folder of the project.
  folders='engine|ops|graphs|shim|cli|shaders|tests|scripts|examples|docs'
  grep -oE "\`(\./)?($folders)/[A-Za-z0-9_./-]*\`" "$doc" | tr -d '`' |
    sed 's|^\./||' | sort -u | while read -r p; do
    [ -e "$p" ] || echo "$doc: names $p, which does not exist"
  done || true
done >> "$tmp/bad" || true

# Public names that they mention are declared in a public header.
cat ./*/include/reprise/*.h | grep -oE '\brp_[a-z0-9_]+' | sort -u > "$tmp/declared"
own_files '^(README\.md|docs/[^/]*\.md)$' | while read -r doc; do
  grep -oE '`rp_[a-z0-9_]+' "$doc" | tr -d '`' | sort -u | comm -23 - "$tmp/declared" |
    sed "s|^|$doc: names |; s|\$|, which no public header declares|"
done >> "$tmp/bad" || true

# Every public header is in the lists of headers.
for header in ./*/include/reprise/*.h; do
  for doc in docs/reference.md docs/architecture.md; do
    grep -qF "\`reprise/$(basename "$header")\`" "$doc" || echo "$doc: does not name ${header#./}"
  done
done >> "$tmp/bad"

# The README shows each command line once.
sed '/^## From one proof to a farm/,/^## /d' README.md | grep -E '^    reprise ' |
  sed 's/ *#.*//' | sort | uniq -d | sed 's/^ */README.md: twice: /' >> "$tmp/bad"

# Every piece of C in the README is, line by line, part of a file in examples/, so that it is compiled and run; and it
# declares what it uses.
awk -v out="$tmp/piece" '/^```c$/ { on = 1; n++; next } /^```$/ { on = 0 } on { print > (out n ".c") }' README.md
ls "$tmp"/piece*.c > /dev/null || echo "README.md: no example" >> "$tmp/bad"
[ "$(wc -l < "$tmp/piece1.c")" -le 20 ] || echo "README.md: the first graph has more than 20 lines" >> "$tmp/bad"
for piece in "$tmp"/piece*.c; do
  found=0
  for example in examples/*.c; do
    awk 'NR == FNR { piece = piece $0 "\n"; next } { text = text $0 "\n" } END { exit index(text, piece) == 0 }' \
      "$piece" "$example" && found=1
  done
  { printf '#include <reprise/%s.h>\n' ops graphs page && printf "#include <%s.h>\n" stdbool stdio &&
    echo 'int main(int argc, char **argv) { (void)argc, (void)argv;' && cat "$piece" && echo '}'; } > "$tmp/whole.c"
  "${CC:-cc}" -std=c17 -fsyntax-only -Iengine/include -Iops/include -Igraphs/include "$tmp/whole.c" 2>&1 |
    grep -E 'error:' | sed 's/^[^ ]*/README.md: a piece of C:/' >> "$tmp/bad" || true
  [ $found = 1 ] ||
    echo "README.md: the example that begins with \"$(head -1 "$piece")\" is not in examples/" >> "$tmp/bad"
done
finish
