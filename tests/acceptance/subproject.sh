#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: subproject.sh BUILD CC
# The source folder inside another project, by add_subdirectory and by FetchContent. The other project is configured,
# and its programs are compiled and linked as it would do it, but with the libraries in BUILD, because compiling all
# kernels again would show nothing new.
set -euo pipefail
build=$1 cc=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/lib.sh"

for way in add_subdirectory FetchContent; do
  around=$scratch/$way
  # There is no build type, because the library must not choose one for the project around it.
  cmake -G Ninja -S "$source/tests/acceptance/subproject" -B "$around" -DREPRISE_SOURCE="$source" \
    -DCMAKE_C_COMPILER="$cc" -DFETCH="$([ $way = FetchContent ] && echo ON || echo OFF)" > "$scratch/log" 2>&1 ||
    { object "$way: the project is not configured"; cat "$scratch/log"; continue; }
  grep -q '^CMAKE_BUILD_TYPE:.*=.' "$around/CMakeCache.txt" && object "$way: it chose a build type for all"
  [ "$(ctest --test-dir "$around" -N | sed -n 's/^Total Tests: //p')" = 0 ] || object "$way: it added tests"
  DESTDIR=$scratch/installed cmake --install "$around" > /dev/null 2>&1 || object "$way: the project does not install"
  [ ! -e "$scratch/installed" ] || object "$way: it installs itself with the project around it"
  for kind in shared static; do
    checks=$((checks + 1))
    object_file=$(ninja -C "$around" -t targets all | grep -oE "^CMakeFiles/around_$kind\.dir/[^:]*\.o")
    ninja -C "$around" "$object_file" > "$scratch/log" 2>&1 ||
      { object "$way, $kind: a program is not compiled"; cat "$scratch/log"; continue; }
    link=$(ninja -C "$around" -t commands "around_$kind" | tail -1)
    library=$(grep -oE "[^ ]*libreprise\.[^ ]*" <<< "$link" | head -1)
    mkdir -p "$around/$(dirname "$library")"
    cp "$build"/lib/libreprise.* "$around/$(dirname "$library")/"
    (cd "$around" && bash -c "$link" && "./around_$kind") > "$scratch/log" 2>&1 ||
      { object "$way, $kind: a program cannot be linked or does not run"; cat "$scratch/log"; }
  done
done
finish
