#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: fflonk.sh REPRISE DATA
# The commands that read keys and proofs of Groth16 also read those of FFLONK, without an option that says which they
# are; those that prove refuse them with a sentence.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$2

says() { grep -qF -- "$1" "$scratch/stderr" || object "\"$(cat "$scratch/stderr")\" does not say \"$1\""; }
# Copies a file with the last digit of its Nth decimal string changed.
change() { awk -v want="$2" '{ while (match($0, /"[0-9]+"/)) { n++; s = substr($0, RSTART, RLENGTH)
    if (n == want) { d = substr(s, length(s) - 1, 1); s = substr(s, 1, length(s) - 2) (d + 1) % 10 "\"" }
    printf "%s%s", substr($0, 1, RSTART - 1), s; $0 = substr($0, RSTART + RLENGTH) } print }' "$1"; }

for fixture in "$data"/fflonk/*/; do
  key=$fixture/circuit.zkey vkey=$fixture/verification_key.json public=$fixture/public.json proof=$fixture/proof.json
  expect 0 "$reprise" verify "$vkey" "$public" "$proof"
  expect 0 "$reprise" verify "$vkey" "$public" "$fixture/proof_blinding_2_3_4.json" --json
  grep -q '"valid": true' "$scratch/stdout" || object "no verdict as JSON"
  for i in $(seq "$(grep -c '"' "$public")"); do
    change "$public" "$i" > "$scratch/public.json"
    refused 1 "$reprise" verify "$vkey" "$scratch/public.json" "$proof"
  done
  # Four points of three coordinates (a changed point leaves the curve or is not affine), then sixteen evaluations.
  for i in $(seq 12); do
    change "$proof" "$i" > "$scratch/proof.json"
    refused 3 "$reprise" verify "$vkey" "$public" "$scratch/proof.json"
  done
  for i in $(seq 13 28); do
    change "$proof" "$i" > "$scratch/proof.json"
    refused 1 "$reprise" verify "$vkey" "$public" "$scratch/proof.json"
  done
  says "inv is not the inverse of what a verifier divides by" # the last of them
  expect 0 "$reprise" vkey "$key"
  same "$scratch/stdout" "$vkey"
  expect 0 "$reprise" vkey "$key" -o "$scratch/vkey.json" --sha256 "$(sha256sum < "$key" | cut -c1-64)"
  same "$scratch/vkey.json" "$vkey"
  refused 3 "$reprise" vkey "$key" --sha256 "$(sha256sum < "$vkey" | cut -c1-64)"
  expect 0 "$reprise" info "$key" --json
  grep -q '"protocol": "fflonk"' "$scratch/stdout" || object "info does not say that $key is of FFLONK"
  grep -q '"domain": 8' "$scratch/stdout" || object "info does not say the domain of $key"
  refused 3 "$reprise" info "$key" --plan
  says "is verified here and not proved"
  for command in prove profile; do
    # shellcheck disable=SC2046 # two words or none
    refused 3 "$reprise" $command "$key" "$fixture/witness.wtns" \
      $([ $command = profile ] || echo "$scratch/p.json" "$scratch/s.json")
    says "a key for fflonk"
  done
  refused 3 "$reprise" record "$key" "$scratch/key.rpk"
  says "a key for fflonk"
  refused 3 "$reprise" verify "$proof" "$public" "$vkey"
  says "are the arguments swapped?"
  refused 3 "$reprise" verify "$data/plonk/multiplier/verification_key.json" "$public" "$proof"
done
fixture=$data/fflonk/multiplier
refused 3 "$reprise" verify "$fixture/verification_key.json" "$fixture/public.json" \
  "$data/plonk/multiplier/proof.json"
says 'this must be "fflonk"'
refused 3 "$reprise" verify "$fixture/verification_key.json" "$data/fflonk/no_public/public.json" "$fixture/proof.json"
says "There are 0 public signals; the verification key is for 2"
refused 1 "$reprise" verify "$data/fflonk/no_public/verification_key.json" "$data/fflonk/no_public/public.json" \
  "$fixture/proof.json"
head -c 9000 "$fixture/circuit.zkey" > "$scratch/cut.zkey"
refused 3 "$reprise" vkey "$scratch/cut.zkey" -o "$scratch/cut.json"
absent "$scratch/cut.json"
finish
