#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Every C source is as clang-format 14 would write it. To mend: git ls-files '*.c' '*.h' | xargs clang-format -i
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v clang-format > /dev/null || skip "clang-format is not installed"
clang-format --version | grep -q 'version 14\.' || skip "not clang-format 14: each version has its own taste"
own_files '\.(c|h|hpp)$' | xargs clang-format --dry-run -Werror > "$tmp/log" 2>&1 || true
sed -n 's/^\([^:]*\):[0-9:]* error: code should be clang-formatted.*/\1: not formatted/p' "$tmp/log" |
  sort -u >> "$tmp/bad"
finish
