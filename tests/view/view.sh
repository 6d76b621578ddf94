#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Pages that `reprise view` writes, opened in a headless Chromium. usage: view.sh COMMAND MODULES DATA OUT
set -euo pipefail
command=$1 modules=$2 data=$3 out=$4
here=$(dirname "$0")
skip() { echo "SKIP: $*"; exit 77; }
command -v node > /dev/null || skip "node is not installed"
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || skip "chromium is not installed"
[ -d "$modules/playwright-core" ] && [ -d "$modules/axe-core" ] ||
  skip "playwright-core and axe-core are not in $modules; scripts/test installs them"
mkdir -p "$out"
key=$data/fixtures/poseidon_merkle plonk=$data/plonk/multiplier
show() { "$command" view "$@" --device cpu; }
show "$key/circuit.zkey" "$key/witness.wtns" -n 1 --label one -o "$out/one.json"
show "$key/circuit.zkey" "$key/witness.wtns" -n 1 --threads 1 --label two -o "$out/two.json"
code=0
show "$out/one.json" "$out/two.json" -o "$out/run.html" || code=$?
[ $code != 6 ] || skip "this build has no page"
[ $code = 0 ]
show "$key/circuit.zkey" "$key/witness.wtns" -n 1 --in-flight 3 --no-ceilings -o "$out/flight.html"
show "$plonk/circuit.zkey" "$plonk/witness.wtns" -n 1 -o "$out/plonk.html"
show "$data/saved/version_1.rpg" -o "$out/saved.html"
"$command" view "$key/circuit.zkey" "$key/witness.wtns" -n 1 --device cpu/1,cpu/1 -o "$out/parts.html"
node "$here/make.mjs" "$out"
for name in large hostile known group branches; do "$command" view "$out/$name.json" -o "$out/$name.html"; done
"$command" view "$out/one.json" "$out/known.json" -o "$out/differ.html"
node "$here/view.mjs" "$(dirname "$modules")" "$out"
# The pictures of the README can be made.
rm -rf "$out/pictures"
REPRISE=$(realpath "$command") MODULES=$(dirname "$(realpath "$modules")") RUNS=1 \
  "$here/../../scripts/screenshots" "$out/pictures"
[ "$(ls "$out/pictures")" = $'view-dispatches.webp\nview-slow.webp' ]
