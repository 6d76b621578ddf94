#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: allocations.sh OBJECT...    In the engine, only context.c (the default allocator) may call malloc and its like.
set -euo pipefail
status=0
for object in "$@"; do
  [[ $object == */context.c.o ]] && continue
  if nm -u "$object" | grep -wE 'malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup|qsort'; then
    echo "$object goes around the context's allocator"
    status=1
  fi
done
exit $status
