#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: vkey.sh REPRISE DATA
# The verification key is, byte for byte, what `snarkjs zkey export verificationkey` wrote: from zkeys and from recorded
# files, to a file and to standard output.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$2
for key in "$data"/fixtures/*/circuit.zkey; do
  fixture=${key%/circuit.zkey}
  expect 0 "$reprise" vkey "$fixture/circuit.zkey"
  same "$scratch/stdout" "$fixture/verification_key.json"
  [ ! -s "$scratch/stderr" ] || object "words beside the key: $(cat "$scratch/stderr")"
  expect 0 "$reprise" vkey "$fixture/circuit.zkey" -o "$scratch/vkey.json"
  same "$scratch/vkey.json" "$fixture/verification_key.json"
  expect 0 "$reprise" record "$fixture/circuit.zkey" "$scratch/key.rpk"
  expect 0 "$reprise" vkey "$scratch/key.rpk" --output "$scratch/again.json"
  same "$scratch/again.json" "$fixture/verification_key.json"
  for key in "$fixture/circuit.zkey" "$scratch/key.rpk"; do
    expect 0 "$reprise" vkey "$key" --sha256 "$(sha256sum < "$key" | cut -c1-64)"
    refused 3 "$reprise" vkey "$key" --sha256 "$(sha256sum < "$fixture/proof.json" | cut -c1-64)"
    [ ! -s "$scratch/stdout" ] || object "a key that is not the pinned one is written"
  done
done
key=$data/fixtures/multiplier_bn254/circuit.zkey
# The text ends with a line break on a terminal, and nowhere else.
if command -v script > /dev/null; then
  script -qec "$(printf '%q ' "$reprise" vkey "$key")" "$scratch/terminal" > /dev/null
  tail -c 200 "$scratch/terminal" | tr -d '\r' | grep '^}$' > /dev/null || object "no end of the line on a terminal"
fi
expect 0 "$reprise" setup --insecure --uncontributed --log-domain 4 "$scratch/made"
expect 0 "$reprise" vkey "$scratch/made/circuit.zkey" -o "$scratch/vkey.json"
same "$scratch/vkey.json" "$scratch/made/verification_key.json"
grep -q "warning: gamma and delta" "$scratch/stderr" || object "vkey does not warn of gamma = delta"
refused 4 "$reprise" vkey "$key" -o "$scratch/none/vkey.json"
refused 4 "$reprise" vkey "$key" -o /dev/full
refused 4 "$reprise" vkey "$scratch/missing"
expect 2 "$reprise" vkey
head -c 1000 "$key" > "$scratch/cut.zkey"
refused 3 "$reprise" vkey "$scratch/cut.zkey" -o "$scratch/cut.json"
absent "$scratch/cut.json"
finish
