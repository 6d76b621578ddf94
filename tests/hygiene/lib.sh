# SPDX-License-Identifier: Apache-2.0 OR MIT
# Shared by the hygiene tests: a temporary folder, the list of the project's own files, and the verdict.
# shellcheck shell=bash
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
: > "$tmp/bad"

# own_files REGEX: tracked files (outside a git checkout, all files except build folders) whose path matches.
own_files() {
  if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard
  else
    find . -type f -not -path './build*' -not -path './demo-out/*' -not -path './.git/*' | sed 's|^\./||'
  fi | grep -E "$1" | while read -r f; do [ -f "$f" ] && echo "$f"; done
}

skip() {
  echo "SKIP: $1"
  exit 77
}

# Prints the objections collected in $tmp/bad and ends: 0 only if there are none.
finish() {
  if [ -s "$tmp/bad" ]; then
    cat "$tmp/bad"
    echo "$(wc -l < "$tmp/bad") objections"
    exit 1
  fi
  exit 0
}
