#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: cppcheck.sh BUILD    Static analysis of the C sources, from the build's compile commands.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v cppcheck > /dev/null || skip "cppcheck is not installed"
mkdir -p "$1/cppcheck"
# The library, the command and the examples are checked; test programs use macros that the checker does not know.
# A template is compiled once for each field and instruction set; one instance of each source is enough here.
awk '/^\{/ { entry = "" } { entry = entry $0 "\n" } /^  "file": / { file = $0 }
  /^\}/ { sub(/\},?\n$/, "}", entry)
    if (!(file in seen) && file !~ /\/tests\//) { printf "%s%s", n++ ? ",\n" : "[\n", entry; seen[file] } }
  END { print "\n]" }' "$1/compile_commands.json" > "$1/cppcheck/compile_commands.json"
cppcheck --project="$1/cppcheck/compile_commands.json" --cppcheck-build-dir="$1/cppcheck" -j "$(nproc)" --quiet \
  --inline-suppr --enable=warning,performance,portability --std=c11 --suppressions-list=scripts/cppcheck.suppressions \
  --template='{file}:{line}: {id}: {message}' --error-exitcode=1 2>&1 | grep -v '^nofile:0' >> "$tmp/bad" || true
finish
