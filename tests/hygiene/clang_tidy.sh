#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: clang_tidy.sh BUILD [REGEX]    The checks of .clang-tidy on the sources of the library and the command (whose
# path matches), with the build's compile commands. A file that clang-tidy cannot check is an objection, too. Left out
# are templates, which are the same arithmetic a hundred times and would take minutes, and the backends that need a
# driver, whose headers not every machine has. The analyser explores a tenth of the states per function that it would by
# default: it takes a sixth of the time then, and differs in the longest functions only.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v clang-tidy > /dev/null || skip "clang-tidy is not installed"
own_files '^(engine|ops|graphs|shim|cli)/.*\.c$' | grep -E "${2:-.}" |
  grep -vE '_tmpl\.c$|^ops/(ref/|derive)|^engine/backends/(cuda|vulkan)/' |
  while read -r f; do
    if grep -qF "\"file\": \"$PWD/$f\"" "$1/compile_commands.json"; then echo "$f"; fi
  done > "$tmp/files"
command -v jq > /dev/null || skip "jq is not installed"
# Tests compile some of these files again: each is checked once, as the library compiles it.
jq '[.[] | select(.command | test(" -o tests/") | not)] | unique_by(.file)' "$1/compile_commands.json" \
  > "$tmp/compile_commands.json"
[ -s "$tmp/files" ] || skip "$1/compile_commands.json names no source of this folder"
# Several files per call, since it takes a sixth of a second to start. Files with va_list have a call each: the analyser
# of clang-tidy 14 misunderstands it in all files of a call except the first. A call that fails without a finding has
# not checked its files.
check() { # FOLDER FILE...
  local folder=$1 log status=0
  shift
  log=$(mktemp -p "$folder")
  clang-tidy -p "$folder" --quiet --extra-arg={-Xclang,-analyzer-config,-Xclang,max-nodes=20000} "$@" \
    > "$log" 2> "$log.err" || status=$?
  if ! grep -E '^[^ ]+:[0-9]+:[0-9]+: (error|warning):' "$log" && [ $status != 0 ]; then
    echo "$*: clang-tidy failed with status $status: $(tail -n 1 "$log.err")"
  fi
}
export -f check
xargs -a "$tmp/files" grep -lw va_list > "$tmp/alone" || true
grep -vxFf "$tmp/alone" "$tmp/files" > "$tmp/together" || true
{
  xargs -r -a "$tmp/alone" -P "$(nproc)" -n 1 bash -c 'check "$@"' _ "$tmp"
  xargs -r -a "$tmp/together" -P "$(nproc)" -n 8 bash -c 'check "$@"' _ "$tmp"
} > "$tmp/all"
sort -u "$tmp/all" > "$tmp/bad"
echo "$(wc -l < "$tmp/files") files"
finish
