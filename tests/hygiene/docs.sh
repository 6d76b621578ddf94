#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the documents say exists: links, paths in code marks, the example, the command's subcommands and options.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

# Relative links lead to files.
own_files '\.md$' | grep -v '^tests/data/' | while read -r doc; do
  dir=$(dirname "$doc")
  grep -oE '\]\([^)#]+(#[^)]*)?\)' "$doc" | sed -E 's/^\]\(//; s/[#)].*//' |
    grep -vE '^(https?:|mailto:|$)' | while read -r to; do
    [ -e "$dir/$to" ] || echo "$doc: link to $to, which does not exist"
  done || true
  # Paths of this tree in code marks: anything with a slash that begins with a folder of ours.
  grep -oE '`(\./)?(engine|ops|graphs|cli|shaders|tests|scripts|examples|docs)/[A-Za-z0-9_./-]*`' "$doc" | tr -d '`' |
    sed 's|^\./||' | sort -u | while read -r p; do
    [ -e "$p" ] || echo "$doc: names $p, which does not exist"
  done || true
done >> "$tmp/bad" || true

# The README's example is examples/prove.c, byte for byte, and not longer than a screen.
if [ -f README.md ] && [ -f examples/prove.c ]; then
  awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' README.md > "$tmp/example.c"
  sed '1,/^$/d' examples/prove.c > "$tmp/prove.c" # without licence and purpose
  diff -u "$tmp/prove.c" "$tmp/example.c" || echo "README.md: the example is not examples/prove.c" >> "$tmp/bad"
fi
finish
