#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: state.sh LIBREPRISE.A
# The library keeps no global mutable state, and neither prints, exits nor aborts: it defines nothing writable, and does
# not reference the functions that would do so.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

# Constant tables of addresses (.data.rel.ro) are written by the loader only. Sanitizers and coverage add their own
# state. NVTX, a header, stores where it found a profiler (docs/dependencies.md). The counter numbers the graphs of all
# contexts.
objdump -t "$1" | awk '
  /file format/ { file = $1 }
  $0 ~ / O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $0 !~ /\.data\.rel\.ro/ { print file $NF ": writable object" }
' |
  grep -vE '^graph\.c\.o:n_made:' |
  grep -vE '^ranges\.c\.o:(nvtxGlobals_v3|InitializeInjectionNvtx2_fnptr):' |
  grep -vE '__(asan|ubsan|odr|san|gcov|llvm|tsan|unnamed)|\.(str|LC)' >> "$tmp/bad" || true

forbidden='abort|_?exit|_Exit|quick_exit|printf|vprintf|fprintf|vfprintf|puts|putchar|fputs|perror|'
forbidden+='__assert_fail|__(v|f|vf)?printf_chk|system|popen|longjmp'
forbidden+='|setenv|putenv|signal|atexit|rand|srand|strtok|localeconv|setlocale'
nm -A -u "$1" 2> /dev/null |
  awk -v f="^($forbidden|stdin|stdout|stderr)\$" '{ n = $NF; sub(/@.*/, "", n); if (n ~ f) print $1 n }' \
    >> "$tmp/bad"
finish
