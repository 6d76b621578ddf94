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
  # Proofs, from one witness and from several; nothing but the key says that they are of PLONK.
  expect 0 "$reprise" prove "$key" "$fixture/witness.wtns" "$scratch/out.json" "$scratch/out_public.json" --json
  grep -q '"submissions": 1' "$scratch/stdout" || object "more than one submission for a proof of $key"
  grep -q '"waits": 1' "$scratch/stdout" || object "more than one wait for a proof of $key"
  same "$scratch/out_public.json" "$public"
  diff <(sed -E 's/"[0-9]+"/N/' "$proof") <(sed -E 's/"[0-9]+"/N/' "$scratch/out.json") > "$scratch/log" ||
    object "proof.json has not the form of snarkjs's: $(head -3 "$scratch/log")"
  expect 0 "$reprise" verify "$vkey" "$scratch/out_public.json" "$scratch/out.json"
  cp "$fixture/witness.wtns" "$scratch/one.wtns"
  head -c 100 "$scratch/one.wtns" > "$scratch/cut.wtns"
  expect 3 "$reprise" replay "$key" "$scratch/one.wtns" "$scratch/cut.wtns" "$fixture/witness.wtns" \
    -o "$scratch/results"
  for name in one witness; do
    expect 0 "$reprise" verify "$vkey" "$scratch/results/$name.public.json" "$scratch/results/$name.proof.json"
  done
  ! cmp -s "$scratch/results/one.proof.json" "$scratch/results/witness.proof.json" || object "two proofs are the same"
  absent "$scratch/results/cut.proof.json"
  rm -r "$scratch/results"
  # A key is recorded once, and replayed: only the file says that it is of PLONK.
  expect 0 "$reprise" record "$key" "$scratch/key.rpk" --json
  grep -q '"save_ms"' "$scratch/stdout" || object "record does not say how long it took"
  for devices in cpu cpu/1,cpu/1; do
    expect 3 "$reprise" replay "$scratch/key.rpk" "$scratch/one.wtns" "$scratch/cut.wtns" "$fixture/witness.wtns" \
      -o "$scratch/results" --made-from "$key" --check-points --device "$devices" --in-flight 2
    for name in one witness; do
      expect 0 "$reprise" verify "$vkey" "$scratch/results/$name.public.json" "$scratch/results/$name.proof.json"
    done
    absent "$scratch/results/cut.proof.json"
    rm -r "$scratch/results"
  done
  expect 0 "$reprise" prove "$scratch/key.rpk" "$fixture/witness.wtns" "$scratch/out.json" "$scratch/out_public.json"
  expect 0 "$reprise" verify "$vkey" "$scratch/out_public.json" "$scratch/out.json"
  expect 0 "$reprise" vkey "$scratch/key.rpk" --sha256 "$(sha256sum < "$scratch/key.rpk" | cut -c1-64)"
  same "$scratch/stdout" "$vkey"
  refused 3 "$reprise" vkey "$scratch/key.rpk" --sha256 "$(sha256sum < "$vkey" | cut -c1-64)"
  for checked in yes no; do
    expect 0 "$reprise" info "$scratch/key.rpk" --plan --device cpu
    grep -qE '^protocol +plonk$' "$scratch/stdout" || object "info does not say of what $scratch/key.rpk is"
    grep -qE "^points_checked +$checked\$" "$scratch/stdout" || object "info does not say whether points were checked"
    grep -q '^trust .*--made-from' "$scratch/stdout" || object "info says nothing of trust"
    grep -qE '^plan.total_bytes ' "$scratch/stdout" || object "no plan for a recorded key"
    expect 0 "$reprise" record "$key" "$scratch/key.rpk" --no-check-points
  done
  expect 0 "$reprise" profile "$scratch/key.rpk" "$fixture/witness.wtns" --runs 1 --device cpu --json
  grep -q '"submissions": 1' "$scratch/stdout" || object "profile counts more than one submission"
  expect 0 "$reprise" record "$scratch/key.rpk" "$scratch/again.rpk" --no-check-points
  same "$scratch/again.rpk" "$scratch/key.rpk"
  refused 4 "$reprise" record "$key" "$scratch/none/key.rpk"
  other=multiplier
  [[ $fixture != */multiplier/ ]] || other=no_public
  refused 3 "$reprise" replay "$scratch/key.rpk" "$fixture/witness.wtns" -o "$scratch/results" \
    --made-from "$data/plonk/$other/circuit.zkey"
  grep -q "Record it again" "$scratch/stderr" || object "a stale file is not called stale: $(cat "$scratch/stderr")"
  refused 2 "$reprise" replay --no-verify "$scratch/key.rpk" "$fixture/witness.wtns" -o "$scratch/results"
  head -c -1 "$scratch/key.rpk" > "$scratch/short.rpk"
  refused 3 "$reprise" prove "$scratch/short.rpk" "$fixture/witness.wtns" "$scratch/none.json" "$scratch/none2.json"
  absent "$scratch/none.json" "$scratch/none2.json" "$scratch/results"
  expect 0 "$reprise" info --plan "$key" --device cpu
  grep -qE '^plan.total_bytes ' "$scratch/stdout" || object "no plan for $key"
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
for round in 1 2 3 4 5; do
  expect 0 "$reprise" graph "$key/circuit.zkey" --device cpu
  grep -q "label=\"Round $round: " "$scratch/stdout" || object "the picture has no round $round"
done
for challenge in beta gamma alpha xi v; do
  grep -q "label=\"Challenge $challenge\"" "$scratch/stdout" || object "the picture has no challenge $challenge"
done
expect 0 "$reprise" graph "$key/circuit.zkey" --device cpu --recorded --format json
expect 0 "$reprise" profile "$key/circuit.zkey" "$key/witness.wtns" --device cpu --json
grep -q '"submissions": 1' "$scratch/stdout" || object "profile counts more than one submission"
# Synthetic keys: setup and vkey give the same verification key, and proofs are valid.
for options in "--log-domain 3 --public 0" "--log-domain 6" "--log-domain 5 --public 9 --seed 2"; do
  # shellcheck disable=SC2086  # several words
  expect 0 "$reprise" setup --insecure --protocol plonk $options "$scratch/made" --device cpu
  made=$scratch/made
  expect 0 "$reprise" vkey "$made/circuit.zkey"
  same "$scratch/stdout" "$made/verification_key.json"
  expect 0 "$reprise" prove "$made/circuit.zkey" "$made/witness.wtns" "$scratch/p.json" "$scratch/s.json" --device cpu
  expect 0 "$reprise" verify "$made/verification_key.json" "$scratch/s.json" "$scratch/p.json"
done
expect 0 "$reprise" bench "$made" --runs 1 --device cpu
grep -qE '^plonk +bn254_g1 +32 ' "$scratch/stdout" || object "bench does not measure proofs of PLONK"
expect 0 "$reprise" bench "$made" --open --runs 1
# The same proof in rounds: the same bytes, a submission and a wait per round, four digests of 32 bytes more.
expect 0 "$reprise" bench "$made" "$key" --cut-rounds --runs 1 --device cpu --json
tr -d ' \n' < "$scratch/stdout" > "$scratch/log"
for counted in '"submissions":1,"waits":1,"bytes_down":768,' '"submissions":5,"waits":5,"bytes_down":896,'; do
  [ "$(grep -oF -- "$counted" "$scratch/log" | wc -l)" = 2 ] || object "not $counted: $(cat "$scratch/log")"
done
expect 0 "$reprise" bench "$made" --cut-rounds --runs 2 --device cpu --no-tables
grep -qE '^in rounds +[0-9.]+ +[0-9.]+ +5 +5 +896 ' "$scratch/stdout" || object "no row of rounds"
refused 2 "$reprise" bench "$made" --cut-rounds --in-flight 2
refused 2 "$reprise" bench --cut-rounds
refused 2 "$reprise" bench "$made" --cut-rounds --device cpu/1,cpu/1
refused 4 "$reprise" bench "$scratch/none" --cut-rounds --device cpu
refused 6 "$reprise" bench "$groth16" --cut-rounds --device cpu
refused 2 "$reprise" setup --protocol plonk "$scratch/none"
refused 2 "$reprise" setup --insecure --protocol halo2 "$scratch/none"
refused 2 "$reprise" setup --insecure --protocol plonk --curve bls12381 "$scratch/none"
refused 3 "$reprise" setup --insecure --protocol plonk --log-domain 27 "$scratch/none"
absent "$scratch/none"
# Witnesses, proofs and arguments that do not fit the key, options that do not apply, too small a budget.
prove() { refused "$1" "$reprise" prove "${@:2}" "$scratch/none.json" "$scratch/none_public.json"; }
prove 3 "$key/circuit.zkey" "$data/plonk/poseidon_chain/witness.wtns"
grep -q "another circuit" "$scratch/stderr" || object "prove does not say that the witness is of another circuit"
prove 3 "$key/circuit.zkey" "$data/fixtures/multiplier_bls12381/witness.wtns"
prove 2 --no-verify "$key/circuit.zkey" "$key/witness.wtns"
prove 3 --sha256 "$(sha256sum < "$key/witness.wtns" | cut -c1-64)" "$key/circuit.zkey" "$key/witness.wtns"
prove 5 --memory 4K "$key/circuit.zkey" "$key/witness.wtns"
{ head -c -1 "$key/witness.wtns"; printf '\001'; } > "$scratch/wrong.wtns"
prove 1 "$key/circuit.zkey" "$scratch/wrong.wtns"
grep -q "does not satisfy the circuit" "$scratch/stderr" || object "prove does not say what is wrong with a witness"
refused 2 "$reprise" replay --no-verify "$key/circuit.zkey" "$key/witness.wtns" -o "$scratch/results"
absent "$scratch/none.json" "$scratch/none_public.json"
expect 0 "$reprise" prove --check-points "$key/circuit.zkey" "$key/witness.wtns" "$scratch/p.json" "$scratch/s.json"
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
