#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: snarkjs.sh FOLDER NPM_FOLDER    Lets snarkjs verify the proofs that `campaign --json FOLDER` wrote;
# tests/acceptance/snarkjs.sh installs snarkjs into NPM_FOLDER (build/npm). Exit code 1 if it refuses a proof, or if
# there is none.
set -euo pipefail
folder=$1 cli=$2/node_modules/snarkjs/build/cli.cjs
[ -f "$cli" ] || { echo "SKIP: snarkjs is not in $2: run tests/acceptance/snarkjs.sh first"; exit 77; }
accepted=0 refused=0
for proof in "$folder"/*.proof.json; do
  [ -e "$proof" ] || break
  name=${proof%.proof.json}
  if node "$cli" groth16 verify "$name.key.json" "$name.public.json" "$proof" > "$folder/log" 2>&1; then
    accepted=$((accepted + 1))
  else
    refused=$((refused + 1))
    echo "snarkjs refuses $proof:"
    cat "$folder/log"
  fi
done
echo "snarkjs accepts $accepted proofs and refuses $refused"
[ "$accepted" -gt 0 ] && [ "$refused" = 0 ]
