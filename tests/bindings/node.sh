#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: node.sh BUILD DATA NPM
# The package for Node is installed from its file into an empty folder. There the example of its README runs and ends by
# itself, the tests in tests/bindings/node pass, its types are right, and a script for snarkjs prints the same after one
# line was changed. NPM is where scripts/test installs snarkjs and the compiler of TypeScript.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
build=$1 data=$2 npm=$3
source=$PWD
command -v node > /dev/null && command -v npm > /dev/null || skip "node and npm are not installed"
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 18')" = true ] || skip "Node is older than version 18"
[ -d "$npm/node_modules/circom_runtime" ] || skip "scripts/test has not installed snarkjs into $npm"
rm -f "$build"/bindings/dist/*.tgz
cmake --build "$build" --target node_package reprise_cli > "$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }

mkdir "$tmp/empty"
cd "$tmp/empty"
echo '{ "private": true }' > package.json
if ! timeout 600 npm install --prefer-offline --no-audit --no-fund --loglevel=error "$build"/bindings/dist/*.tgz \
  > "$tmp/log" 2>&1; then
  echo "npm could not install (without a network?): $(tail -1 "$tmp/log"); the files are unpacked instead"
  rm -rf node_modules
  mkdir -p node_modules/reprise-prover
  cp -r "$npm"/node_modules/. node_modules/
  tar -xzf "$build"/bindings/dist/*.tgz -C node_modules/reprise-prover --strip-components=1
fi
# Each native module is for the machine that its folder names, and needs nothing but the C library.
for module in node_modules/reprise-prover/prebuilds/*/reprise.node; do
  machine=$(readelf -h "$module" | sed -n 's/^ *Machine: *//p') folder=$(basename "$(dirname "$module")")
  case $folder:$machine in
    linux-x64:*X86-64* | linux-arm64:AArch64) ;;
    *) object "$folder has a module for $machine" ;;
  esac
  needed=$(readelf -d "$module" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
  needed=$(grep -vE '^(libc|libm|libdl|libpthread|ld-linux[^.]*)\.so' <<< "$needed" || true)
  [ -z "$needed" ] || object "$folder needs $needed"
done
fixture=$data/fixtures/multiplier_bn254
cp "$fixture"/{circuit.zkey,witness.wtns,verification_key.json,circuit.wasm} .

awk '/^```js$/ { on = 1; next } /^```$/ { on = 0 } on' "$source/bindings/node/README.md" > readme.cjs
timeout 600 node readme.cjs > log 2>&1 || object "README, code $?: $(cat log)"
grep -qF "[ '33' ] true" log && grep -q '^3 proofs' log && grep -q '^RP_ERR_FILE missing.wtns' log ||
  object "README prints $(cat log)"

# A prover that nobody closes does not keep the process.
cat > unclosed.cjs << 'END'
const { Prover } = require("reprise-prover");
const prover = new Prover("circuit.zkey");
prover.prove("witness.wtns").then(({ publicSignals }) => console.log(publicSignals.join()));
process.on("exit", () => console.log(typeof prover));
END
timeout 600 node unclosed.cjs > log 2>&1 || object "a process with an open prover: code $?"
[ "$(paste -sd' ' log)" = "33 object" ] || object "an open prover: $(cat log)"

cp "$source"/tests/bindings/node/*.{cjs,mjs,ts} "$source/tests/bindings/memory/memory.cjs" .
flat Node "$data" node --expose-gc memory.cjs
"$build/bin/reprise" setup --insecure --public 300 --log-domain 9 many > /dev/null
DATA=$data timeout 600 node --expose-gc --test-reporter=spec --test test_node.mjs > log 2>&1 ||
  object "test_node.mjs: $(grep -vE '^[[:space:]]*(✔|ℹ)' log | head -60)"
if [ -e "$npm/node_modules/typescript" ]; then
  node "$npm/node_modules/typescript/lib/tsc.js" --strict --noEmit --target es2022 --lib es2022,dom \
    --module nodenext types.ts > log 2>&1 || object "types: $(cat log)"
fi

# Whatever snarkjs has is there, if only to say that it stays with snarkjs.
cat > names.cjs << 'END'
const [theirs, ours] = [require("snarkjs"), require("reprise-prover")];
for (const [space, calls] of Object.entries(theirs)) {
  for (const name of Object.keys(calls)) if (typeof ours[space]?.[name] !== "function") console.log(`${space}.${name}`);
}
END
NODE_PATH=$npm/node_modules timeout 600 node names.cjs > log 2>&1 || object "the names of snarkjs: $(cat log)"
[ ! -s log ] || object "snarkjs has, and the package has not: $(cat log)"

sed 's/require("snarkjs")/require("reprise-prover")/' peer.cjs > moved.cjs
[ "$(diff peer.cjs moved.cjs | grep -c '^>')" = 1 ] || object "more than one line changed"
for system in groth16 plonk fflonk; do
  folder=$(peer_folder $system "$data")
  NODE_PATH=$npm/node_modules EXIT=1 timeout 600 node peer.cjs "$system" "$folder" > theirs || object "snarkjs: $?"
  timeout 600 node moved.cjs "$system" "$folder" > ours || object "the script with one line changed: $?"
  [ "$(wc -l < ours)" = 6 ] && diff theirs ours > log || object "$system, another result (<: snarkjs): $(cat log)"
done

# Where the package has no native module for the machine, it is compiled against the installed library.
for component in dev runtime; do
  cmake --install "$build" --prefix "$tmp/prefix" --component $component > "$tmp/log" || { cat "$tmp/log"; exit 1; }
done
cd node_modules/reprise-prover
rm -r prebuilds
! PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$tmp npm run install > "$tmp/log" 2>&1 ||
  object "without the library the installation succeeds"
grep -q 'It needs a C compiler, pkg-config, and an installed Reprise' "$tmp/log" || object "$(cat "$tmp/log")"
PKG_CONFIG_PATH=$(dirname "$(find "$tmp/prefix" -name reprise.pc)") npm run install > "$tmp/log" 2>&1 ||
  object "not compiled: $(cat "$tmp/log")"
cd ../..
timeout 600 node readme.cjs > log 2>&1 && grep -q '^3 proofs' log || object "compiled, README prints $(cat log)"
finish
