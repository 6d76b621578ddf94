#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: package.sh BUILD CC FIXTURE
# Installs into a temporary folder and builds the project in tests/acceptance/package with it, outside the source tree:
# through find_package and through pkg-config, shared and static, also after the installed tree has been moved. Each
# program is run. Then come the installed examples, the replacement for rapidsnark, and the removal of everything.
set -euo pipefail
build=$1 cc=$2 fixture=$3
source=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
die() { echo "$*"; exit 1; }

cmake --install "$build" --prefix "$prefix" > "$scratch/log" || { cat "$scratch/log"; exit 1; }
cp "$build/install_manifest.txt" "$scratch/manifest"
cp -r "$source/tests/acceptance/package" "$scratch/consumer"
cd "$scratch"
[ -z "$(find "$prefix" -name '*rapidsnark*')" ] || grep -q 'REPRISE_SHIM:BOOL=ON' "$build/CMakeCache.txt" ||
  die "librapidsnark is installed, though nobody asked for it"

cmake -G Ninja -S consumer -B by-cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" > log 2>&1 ||
  { cat log; exit 1; }
cmake --build by-cmake > log 2>&1 || { cat log; exit 1; }
./by-cmake/consumer_shared
./by-cmake/consumer_static

# The .pc file finds its tree wherever the tree was moved.
mv "$prefix" "$scratch/moved"
moved=$scratch/moved
pc=(env PKG_CONFIG_PATH="$(dirname "$(find "$moved" -name reprise.pc)")" pkg-config)
lib=$("${pc[@]}" --variable=libdir reprise)
read -ra cflags <<< "$("${pc[@]}" --cflags reprise)"
read -ra shared <<< "$("${pc[@]}" --libs reprise)"
read -ra static <<< "$("${pc[@]}" --static --libs reprise)"
"$cc" -std=c11 "${cflags[@]}" consumer/consumer.c "${shared[@]}" -Wl,-rpath,"$lib" -o by_pkg_config
./by_pkg_config
# -l:name selects the archive, where -lname would select the shared library beside it.
"$cc" -std=c11 "${cflags[@]}" consumer/consumer.c "${static[@]/-lreprise/-l:libreprise.a}" -o by_pkg_config_static
./by_pkg_config_static
version=$("${pc[@]}" --modversion reprise)
[ "$("$moved/bin/reprise" --version)" = "reprise $version" ] || die "the command is not of version $version"

(cd "$source" && bash tests/hygiene/symbols.sh "$lib/libreprise.so" "$lib/libreprise.a")

# The installed examples, by the CMakeLists.txt beside them: all of them, and nothing else.
examples=$moved/share/doc/reprise/examples
cmake -G Ninja -S "$examples" -B examples -DCMAKE_PREFIX_PATH="$moved" -DCMAKE_C_COMPILER="$cc" > log 2>&1 &&
  cmake --build examples > log 2>&1 || { cat log; exit 1; }
[ "$(./examples/hello)" = "1 4 10 12 9 0 0 0" ] || die "the installed example hello has another result"
./examples/prove "$fixture/circuit.zkey" "$fixture/witness.wtns" > proof.json
"$moved/bin/reprise" verify "$fixture/verification_key.json" "$fixture/public.json" proof.json
for f in "$examples"/*.c; do
  grep -q "$(basename "$f")\|foreach(name.* $(basename "$f" .c)[ )]" "$examples/CMakeLists.txt" ||
    die "$f is installed, and no program is made of it"
done

# The installed files, and the name of the shared library, with which the version of the CMake package must agree.
for f in bin/reprise share/man/man1/reprise.1 include/reprise/reprise.h include/reprise/op.h include/reprise/ops.h \
  include/reprise/graphs.h share/doc/reprise/LICENSE-MIT share/doc/reprise/examples/prove.c \
  share/bash-completion/completions/reprise share/zsh/site-functions/_reprise; do
  [ -e "$moved/$f" ] || die "not installed: $f"
done
readelf -d "$lib/libreprise.so" | grep "SONAME.*libreprise\.so\.${version%%.*}\]" > /dev/null || die "wrong SONAME"

# librapidsnark: headers with the names of the original, a shared and a static library, which export nothing else.
cmake --install "$build" --prefix "$scratch/shim" --component rapidsnark > log || { cat log; exit 1; }
cat > verifies.c << 'END'
#include <prover.h>
#include <stdio.h>
#include <verifier.h>
int main(void) {
  char why[200] = "";
  unsigned long long n = 0;
  groth16_proof_size(&n);
  const int code = groth16_verify("{}", "[]", "{}", why, sizeof why);
  puts(why);
  return n < 100 || code != VERIFIER_ERROR || !why[0];
}
END
shim=$(dirname "$(find shim -name librapidsnark.a)")
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -Ishim/include verifies.c -L"$shim" -lrapidsnark \
  -Wl,-rpath,"$scratch/$shim" -o shim_shared
./shim_shared
# Linked together with libreprise's own archive: no name may be defined in both.
"$cc" -std=c11 -Ishim/include verifies.c "$shim/librapidsnark.a" "${static[@]/-lreprise/-l:libreprise.a}" -o shim_static
./shim_static
nm --defined-only --extern-only "$shim/librapidsnark.a" | awk 'NF == 3 && $3 !~ /^groth16_/ { print $3 }' > others
[ ! -s others ] || die "global in librapidsnark.a: $(head -3 others | paste -sd' ')"

# After uninstalling, nothing is left.
mv "$moved" "$prefix"
cmake -Dmanifest="$scratch/manifest" -P "$source/scripts/cmake/uninstall.cmake" > log || { cat log; exit 1; }
find "$prefix" -not -type d > rest
[ ! -s rest ] || die "not removed: $(head -3 rest | paste -sd' ')"
[ ! -e "$prefix/include/reprise" ] || die "not removed: include/reprise"
