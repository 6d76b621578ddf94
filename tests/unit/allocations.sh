#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: allocations.sh OBJECT...    In the engine, only context.c (the default allocator) may call malloc and its like.
set -euo pipefail
[ $# -gt 50 ]
symbols=$(nm -uA "$@") # one call, whose lines begin with the object
allocators='malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup|qsort'
if grep -v 'context\.c\.o:' <<< "$symbols" | grep -wE "$allocators"; then
  echo "these go around the context's allocator"
  exit 1
fi
