#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: packages.sh BUILD CC FIXTURE
# Debian packages and the source archive, made by cpack. The packages are unpacked into an empty root; an installed
# example is compiled against it, proves, and the packaged command verifies.
set -euo pipefail
build=$1 cc=$2 fixture=$3
. "$(dirname "$0")/lib.sh"
for tool in dpkg-deb dpkg-shlibdeps file; do
  command -v $tool > /dev/null || skip "$tool is not installed (Debian's dpkg-dev and file)"
done

# The packages are made as in the Dockerfile, except for the folders.
step=$(sed -n 's/^RUN \(cpack .*\)/\1/p' "$(dirname "$0")/../../scripts/Dockerfile")
read -ra step <<< "$step"
step=("${step[@]/#build\//$build/}")
"${step[@]/#packages/$scratch/packages}" > "$scratch/log" 2>&1 ||
  { cat "$scratch/log"; object "cpack fails"; finish; }
root=$scratch/root
mkdir "$root"
version=$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")/\1/p' "$build/CPackConfig.cmake")
library=libreprise${version%%.*}
for package in "$library" libreprise-dev reprise; do
  checks=$((checks + 1))
  deb=$(ls "$scratch/packages/${package}_${version}_"*.deb) || { object "no package $package"; continue; }
  dpkg-deb -x "$deb" "$root"
  dpkg-deb -f "$deb" > "$scratch/$package"
  [ "$(dpkg-deb -f "$deb" Version)" = "$version" ] || object "$package is not of version $version"
done
grep -qE '^Depends: .*libc6' "$scratch/$library" || object "$library does not depend on libc6"
grep -qE "^Depends: .*$library \(= $version\)" "$scratch/libreprise-dev" ||
  object "libreprise-dev does not depend on $library"
grep -qE '^Depends: .*libjansson4' "$scratch/reprise" || object "reprise does not depend on libjansson4"
[ -z "$(find "$root" -name '*rapidsnark*')" ] || object "a package would overwrite rapidsnark"
[ -z "$(find "$root" -path "$root/usr" -prune -o -type f -print)" ] || object "a package writes outside /usr"
for file in bash-completion/completions/reprise zsh/vendor-completions/_reprise man/man1/reprise.1; do
  [ -f "$root/usr/share/$file" ] || [ -f "$root/usr/share/$file.gz" ] || object "the packages lack share/$file"
done

pc=(env PKG_CONFIG_PATH="$(dirname "$(find "$root" -name reprise.pc)")" pkg-config --define-prefix)
read -ra flags <<< "$("${pc[@]}" --cflags --libs reprise)"
"$cc" -std=c11 "$root/usr/share/doc/reprise/examples/prove.c" "${flags[@]}" -o "$scratch/prove" ||
  object "the example does not compile against the packages"
LD_LIBRARY_PATH=$("${pc[@]}" --variable=libdir reprise) "$scratch/prove" "$fixture/circuit.zkey" \
  "$fixture/witness.wtns" > "$scratch/proof.json" || object "the example does not prove"
expect 0 "$root/usr/bin/reprise" verify "$fixture/verification_key.json" "$fixture/public.json" "$scratch/proof.json"

# The source archive has what is needed to build, and nothing that was built.
cpack --config "$build/CPackSourceConfig.cmake" -B "$scratch/source" > "$scratch/log" 2>&1 ||
  { cat "$scratch/log"; object "cpack makes no source archive"; }
tar tzf "$scratch/source/reprise-$version.tar.gz" > "$scratch/list" || object "no source archive"
for file in CMakeLists.txt README.md LICENSE-MIT scripts/cmake/RepriseNeeds.cmake engine/include/reprise/reprise.h; do
  grep -qx "reprise-$version/$file" "$scratch/list" || object "the source archive lacks $file"
done
grep -E '^[^/]*/(build|demo-out|\.git)(/|$)' "$scratch/list" > "$scratch/built" &&
  object "the source archive has $(head -1 "$scratch/built")"
finish
