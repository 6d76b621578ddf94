#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: package.sh BUILD CC
# Installs into a scratch folder and builds the project in tests/acceptance/package against it, outside the tree:
# through find_package and through pkg-config, shared and static. Each program is run.
set -euo pipefail
build=$1 cc=$2
source=$(cd "$(dirname "$0")/package" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

cmake --install "$build" --prefix "$prefix" > "$scratch/log" || { cat "$scratch/log"; exit 1; }
cp -r "$source" "$scratch/consumer"
cd "$scratch"

cmake -G Ninja -S consumer -B by-cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" > log 2>&1 ||
  { cat log; exit 1; }
cmake --build by-cmake > log 2>&1 || { cat log; exit 1; }
./by-cmake/consumer_shared
./by-cmake/consumer_static

# The .pc file names the configured prefix; a relocated tree overrides it, as pkg-config allows.
pc=(env PKG_CONFIG_PATH="$(dirname "$(find "$prefix" -name reprise.pc)")" pkg-config --define-variable=prefix="$prefix")
lib=$("${pc[@]}" --variable=libdir reprise)
read -ra cflags <<< "$("${pc[@]}" --cflags reprise)"
read -ra shared <<< "$("${pc[@]}" --libs reprise)"
read -ra static <<< "$("${pc[@]}" --static --libs reprise)"
"$cc" -std=c11 "${cflags[@]}" consumer/consumer.c "${shared[@]}" -Wl,-rpath,"$lib" -o by_pkg_config
./by_pkg_config
# -l:name takes the archive where -lname would take the shared library beside it.
"$cc" -std=c11 "${cflags[@]}" consumer/consumer.c "${static[@]/-lreprise/-l:libreprise.a}" -o by_pkg_config_static
./by_pkg_config_static

(cd "$(dirname "$source")/../.." && bash tests/hygiene/symbols.sh "$lib/libreprise.so" "$lib/libreprise.a")

# What must be there, and the shared library's name.
for f in bin/reprise share/man/man1/reprise.1 include/reprise/reprise.h include/reprise/op.h include/reprise/ops.h \
  include/reprise/graphs.h; do
  [ -e "$prefix/$f" ] || { echo "not installed: $f"; exit 1; }
done
readelf -d "$lib/libreprise.so" | grep -q 'SONAME.*libreprise\.so\.0\]' || { echo "wrong SONAME"; exit 1; }
