#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: command.sh REPRISE DATA NPM_FOLDER
# Runs prove, record, replay and profile with --device cuda, on every fixture and on keys that setup makes. snarkjs
# verifies the proofs of those keys if scripts/test has installed it (NPM_FOLDER/node_modules).
set -euo pipefail
. "$(dirname "$0")/../acceptance/lib.sh"
reprise=$1 data=$2 snarkjs=$3/node_modules/snarkjs/build/cli.cjs
"$reprise" devices > "$scratch/devices"
grep -q '^cuda:0 ' "$scratch/devices" || skip "$(grep '^cuda ' "$scratch/devices")"

# all_ways NAME KEY WITNESS VERIFICATION_KEY: proves with the key in every way.
all_ways() {
  local out=$scratch/$1 key=$2 wtns=$3 vkey=$4
  mkdir -p "$out"
  expect 0 "$reprise" prove --device cuda "$key" "$wtns" "$out/proof.json" "$out/public.json"
  expect 0 "$reprise" verify "$vkey" "$out/public.json" "$out/proof.json"
  expect 0 "$reprise" record --device cuda "$key" "$out/key.rpk"
  for n in one two three; do cp "$wtns" "$out/$n.wtns"; done
  expect 0 "$reprise" replay --device cuda --in-flight 2 "$out/key.rpk" "$out"/{one,two,three}.wtns --output-dir "$out"
  for n in one two three; do
    expect 0 "$reprise" verify "$vkey" "$out/$n.public.json" "$out/$n.proof.json"
    same "$out/$n.public.json" "$out/public.json"
  done
  expect 0 "$reprise" profile --device cuda "$key" "$wtns" --runs 2 --trace "$out/trace.json"
  grep -q '^submissions 1, waits 1,' "$scratch/stdout" || object "counters of $1: $(cat "$scratch/stdout")"
  grep -q '"traceEvents"' "$out/trace.json" || object "no trace of $1"
}

for key in "$data"/fixtures/*/circuit.zkey; do
  fixture=${key%/circuit.zkey}
  all_ways "$(basename "$fixture")" "$fixture/circuit.zkey" "$fixture/witness.wtns" "$fixture/verification_key.json"
done

# made NAME OPTIONS...: makes a key and tries it.
made() {
  local dir=$scratch/made_$1
  expect 0 "$reprise" setup --insecure --device cuda "${@:2}" "$dir"
  all_ways "$1" "$dir/circuit.zkey" "$dir/witness.wtns" "$dir/verification_key.json"
}
made bn254_12 --log-domain 12
made bn254_16_bits --log-domain 16 --preset sha256
made bls12381_14 --log-domain 14 --curve bls12381
made bls12381_18 --log-domain 18 --curve bls12381
if command -v node > /dev/null && [ -f "$snarkjs" ]; then
  for name in bn254_12 bls12381_18; do
    expect 0 node "$snarkjs" groth16 verify "$scratch/made_$name/verification_key.json" "$scratch/$name/public.json" \
      "$scratch/$name/proof.json"
    grep -q 'OK!' "$scratch/stdout" || object "snarkjs does not accept $name"
  done
else
  echo "snarkjs is not installed: the proofs were judged by reprise verify alone"
fi
finish
