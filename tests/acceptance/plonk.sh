#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: plonk.sh REPRISE DATA
# The commands that take keys and proofs of Groth16 also take those of PLONK, without an option that says which they
# are.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$2

# Copies a file with the last digit of its Nth decimal string changed.
change() { awk -v want="$2" '{ while (match($0, /"[0-9]+"/)) { n++; s = substr($0, RSTART, RLENGTH)
    if (n == want) { d = substr(s, length(s) - 1, 1); s = substr(s, 1, length(s) - 2) (d + 1) % 10 "\"" }
    printf "%s%s", substr($0, 1, RSTART - 1), s; $0 = substr($0, RSTART + RLENGTH) } print }' "$1"; }

for fixture in "$data"/plonk/*/; do
  key=$fixture/circuit.zkey vkey=$fixture/verification_key.json public=$fixture/public.json proof=$fixture/proof.json
  expect 0 "$reprise" verify "$vkey" "$public" "$proof"
  expect 0 "$reprise" verify "$vkey" "$public" "$fixture/proof_blinding_2_3_4.json" --json
  grep -q '"valid": true' "$scratch/stdout" || object "no verdict as JSON"
  for i in $(seq "$(grep -c '"' "$public")"); do
    change "$public" "$i" > "$scratch/public.json"
    refused 1 "$reprise" verify "$vkey" "$scratch/public.json" "$proof"
  done
  # Nine points of three coordinates (a changed point leaves the curve or is not affine), then six evaluations.
  for i in $(seq 27); do
    change "$proof" "$i" > "$scratch/proof.json"
    refused 3 "$reprise" verify "$vkey" "$public" "$scratch/proof.json"
  done
  for i in $(seq 28 33); do
    change "$proof" "$i" > "$scratch/proof.json"
    refused 1 "$reprise" verify "$vkey" "$public" "$scratch/proof.json"
  done
  expect 0 "$reprise" vkey "$key"
  same "$scratch/stdout" "$vkey"
  expect 0 "$reprise" vkey "$key" -o "$scratch/vkey.json" --sha256 "$(sha256sum < "$key" | cut -c1-64)"
  same "$scratch/vkey.json" "$vkey"
  refused 3 "$reprise" vkey "$key" --sha256 "$(sha256sum < "$vkey" | cut -c1-64)"
  expect 0 "$reprise" info "$key" --json
  grep -q '"protocol": "plonk"' "$scratch/stdout" || object "info does not say that $key is of PLONK"
  refused 3 "$reprise" prove "$key" "$fixture/witness.wtns" "$scratch/out.json" "$scratch/out_public.json"
  grep -q "a key for plonk" "$scratch/stderr" || object "prove does not say that $key is of PLONK"
done
# Changes every number of a key that has no point at infinity, since the other coordinates of such a point mean nothing.
fixture=$data/plonk/poseidon_chain vkey=$fixture/verification_key.json
for i in $(seq "$(grep -c '"[0-9]*"' "$vkey")"); do
  change "$vkey" "$i" > "$scratch/vkey.json"
  if "$reprise" verify "$scratch/vkey.json" "$fixture/public.json" "$fixture/proof.json" > "$scratch/stdout" 2>&1; then
    object "accepted with another number $i in $vkey"
  fi
done
key=$data/plonk/multiplier groth16=$data/fixtures/multiplier_bn254
expect 0 "$reprise" info "$key/circuit.zkey"
grep -qE '^constraints +4$' "$scratch/stdout" || object "info does not know the constraints"
refused 6 "$reprise" info --plan "$key/circuit.zkey"
refused 1 "$reprise" verify "$data/plonk/poseidon_chain/verification_key.json" "$key/public.json" "$key/proof.json"
refused 3 "$reprise" verify "$key/verification_key.json" "$key/public.json" "$groth16/proof.json"
refused 3 "$reprise" verify "$groth16/verification_key.json" "$groth16/public.json" "$key/proof.json"
refused 3 "$reprise" verify "$key/verification_key.json" "$data/plonk/no_public/public.json" "$key/proof.json"
for order in "proof public verification_key" "public verification_key proof"; do
  read -r a b c <<< "$order"
  refused 3 "$reprise" verify "$key/$a.json" "$key/$b.json" "$key/$c.json"
  grep -q "are the arguments swapped" "$scratch/stderr" || object "swapped arguments are not seen: $order"
done
head -c 3000 "$key/circuit.zkey" > "$scratch/cut.zkey"
refused 3 "$reprise" info "$scratch/cut.zkey"
finish
