#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: cppcheck.sh BUILD    Static analysis of the C sources, from the build's compile commands.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v cppcheck > /dev/null || skip "cppcheck is not installed"
mkdir -p "$1/cppcheck"
cppcheck --project="$1/compile_commands.json" --cppcheck-build-dir="$1/cppcheck" -j "$(nproc)" --quiet --inline-suppr \
  --enable=warning,performance,portability --std=c11 --suppressions-list=scripts/cppcheck.suppressions \
  --template='{file}:{line}: {id}: {message}' --error-exitcode=1 2>&1 | grep -v '^nofile:0' >> "$tmp/bad" || true
finish
