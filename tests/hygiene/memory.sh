#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Operations and graphs take host memory from the context's allocator (rp_context_alloc). The files that call the C
# library instead stand in memory.txt, each with its reason; a new one is an objection, and so is one that no longer
# does.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
list=tests/hygiene/memory.txt

calls='(^|[^A-Za-z0-9_])(malloc|calloc|realloc|strdup|strndup|aligned_alloc|posix_memalign)\('
own_files '^(ops|graphs|engine/support)/.*\.(c|h)$' | xargs -r grep -lE "$calls" | sort > "$tmp/callers"
grep -v '^#' "$list" > "$tmp/listed"
awk 'NF < 2 { print FILENAME ": no reason: " $0 }' "$tmp/listed" | sed "s|^$tmp/listed|$list|" >> "$tmp/bad"
awk '{ print $1 }' "$tmp/listed" | sort > "$tmp/allowed"
comm -23 "$tmp/callers" "$tmp/allowed" |
  sed 's|$|: takes memory past the allocator of the context: rp_context_alloc (reprise/op.h)|' >> "$tmp/bad"
comm -13 "$tmp/callers" "$tmp/allowed" | sed "s|^|$list: calls nothing of the C library's any more: |" >> "$tmp/bad"
finish
