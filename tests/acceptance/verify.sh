#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: verify.sh REPRISE DATA
# Proofs that are not valid are refused: with any public signal or coordinate changed, and proofs of other keys.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$2

bad() { # code, vkey, public, proof
  refused "$1" "$reprise" verify "$2" "$3" "$4"
}

# Changes the last digit of the Nth decimal string of a file.
change() { awk -v want="$2" '{ while (match($0, /"[0-9]+"/)) { n++; s = substr($0, RSTART, RLENGTH)
    if (n == want) { d = substr(s, length(s) - 1, 1); s = substr(s, 1, length(s) - 2) (d + 1) % 10 "\"" }
    printf "%s%s", substr($0, 1, RSTART - 1), s; $0 = substr($0, RSTART + RLENGTH) } print }' "$1"; }

for key in "$data"/fixtures/*/circuit.zkey; do
  fixture=${key%/circuit.zkey}
  vkey=$fixture/verification_key.json public=$fixture/public.json proof=$fixture/proof.json
  expect 0 "$reprise" verify "$vkey" "$public" "$proof"
  for i in $(seq "$(grep -c '"' "$public")"); do
    change "$public" "$i" > "$scratch/public.json"
    bad 1 "$vkey" "$scratch/public.json" "$proof"
  done
  # With a changed coordinate, the point leaves the curve or the coordinate is not below the prime.
  for i in 1 2 4 5 6 7 10 11; do
    change "$proof" "$i" > "$scratch/proof.json"
    bad 3 "$vkey" "$public" "$scratch/proof.json"
  done
  echo '[]' > "$scratch/public.json"
  bad 3 "$vkey" "$scratch/public.json" "$proof"
done
bn=$data/fixtures/multiplier_bn254 bls=$data/fixtures/multiplier_bls12381 merkle=$data/fixtures/poseidon_merkle
refused 3 "$reprise" verify "$bn/verification_key.json" "$bls/public.json" "$bls/proof.json"
refused 3 "$reprise" verify "$merkle/verification_key.json" "$bn/public.json" "$bn/proof.json"

# Any other order of the arguments is refused, and so is one argument too few or too many.
for fixture in "$bn" "$bls"; do
  v=$fixture/verification_key.json u=$fixture/public.json p=$fixture/proof.json
  for order in "$v $p $u" "$u $v $p" "$u $p $v" "$p $v $u" "$p $u $v" "$v $v $v" "$p $p $p"; do
    # shellcheck disable=SC2086 # three words
    refused 3 "$reprise" verify $order
    # shellcheck disable=SC2086
    expect 3 "$reprise" verify --json $order
    grep -q '"valid": false' "$scratch/stdout" || object "no verdict as JSON: $order"
  done
  expect 2 "$reprise" verify "$v" "$u"
  expect 2 "$reprise" verify "$v" "$u" "$p" "$p"
done

# r + signal is the same element, and is refused.
r=21888242871839275222246405745257275088548364400416034343698204186575808495617
signal=$(tr -d '[]" \n' < "$bn/public.json") # small, so that only the last digits of the sum change
echo "[\"${r%??????}$((10#${r: -6} + signal))\"]" > "$scratch/public.json"
refused 3 "$reprise" verify "$bn/verification_key.json" "$scratch/public.json" "$bn/proof.json"
grep -q "not below the group order" "$scratch/stderr" || object "r + signal is refused for another reason"

expect 0 "$reprise" verify "$bn/verification_key.json" "$bn/public.json" "$bn/proof.json" --json
grep -q '"valid": true' "$scratch/stdout" || object "no verdict as JSON"
# A key whose gamma equals its delta accepts proofs that prove nothing.
expect 0 "$reprise" setup --insecure --uncontributed --log-domain 5 "$scratch/forgeable"
made=$scratch/forgeable
expect 0 "$reprise" prove "$made/circuit.zkey" "$made/witness.wtns" "$scratch/p.json" "$scratch/s.json"
expect 0 "$reprise" verify "$made/verification_key.json" "$scratch/s.json" "$scratch/p.json"
grep -q "warning: gamma and delta" "$scratch/stderr" || object "verify does not warn of gamma = delta"
expect 0 "$reprise" verify "$made/verification_key.json" "$scratch/s.json" "$scratch/p.json" --json
grep -q '"warning": "gamma and delta' "$scratch/stdout" || object "verify --json does not warn of gamma = delta"
expect 0 "$reprise" info "$made/circuit.zkey"
grep -q "^warning .*gamma and delta" "$scratch/stdout" || object "info does not warn of gamma = delta"
expect 0 "$reprise" verify "$bn/verification_key.json" "$bn/public.json" "$bn/proof.json"
[ ! -s "$scratch/stderr" ] || object "verify warns of a good key"
expect 0 "$reprise" info "$bn/circuit.zkey"
grep -q warning "$scratch/stdout" && object "info warns of a good key"
finish
