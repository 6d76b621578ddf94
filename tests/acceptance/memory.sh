#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: memory.sh REPRISE PEAK DATA
# Beyond what the command with its libraries (libpq brings many) takes before it does anything, a prover takes as much
# memory as reprise info --plan says: the plan and the key, within the larger of 5% of the plan and 8 MiB. These 8 MiB
# include stacks and verification.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 peak=$2 data=$3
mib=$((1024 * 1024))

expect 0 "$peak" "$reprise" --version
idle=$(tail -1 "$scratch/stdout")
echo "the command itself: $idle"

number() { sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" "$scratch/plan"; }

# within KEY WITNESS OPTIONS...: compares info and prove, both with OPTIONS.
within() {
  local key=$1 witness=$2
  shift 2
  set -- --device cpu "$@" # the memory that a GPU's driver takes is not known
  expect 0 "$reprise" info --plan --json "$@" "$key"
  cp "$scratch/stdout" "$scratch/plan"
  local planned=$(number total_bytes) borrowed=$(number borrowed_bytes) allowed=$((8 * mib)) measured
  [ $((planned / 20)) -gt $allowed ] && allowed=$((planned / 20))
  expect 0 "$peak" "$reprise" prove "$@" "$key" "$witness" "$scratch/proof.json" "$scratch/public.json"
  measured=$(($(cat "$scratch/stdout") - idle))
  echo "$(basename "$(dirname "$key")")/$(basename "$key") $*: planned $planned, key $borrowed, peak $measured," \
    "difference $((measured - planned - borrowed)), allowed $allowed"
  [ $((measured - planned - borrowed)) -le $allowed ] || object "the peak is over the plan"
  [ $((planned + borrowed - measured)) -le $allowed ] || object "the plan is over the peak"
}

for fixture in poseidon_merkle multiplier_bn254 multiplier_bls12381; do
  within "$data/fixtures/$fixture/circuit.zkey" "$data/fixtures/$fixture/witness.wtns"
done
expect 0 "$reprise" setup --insecure "$scratch/full" --log-domain 16
within "$scratch/full/circuit.zkey" "$scratch/full/witness.wtns"
within "$scratch/full/circuit.zkey" "$scratch/full/witness.wtns" --threads 1
within "$scratch/full/circuit.zkey" "$scratch/full/witness.wtns" --threads 7
expect 0 "$reprise" record "$scratch/full/circuit.zkey" "$scratch/full/circuit.rpk"
within "$scratch/full/circuit.rpk" "$scratch/full/witness.wtns"
expect 0 "$reprise" setup --insecure "$scratch/sha256" --log-domain 17 --preset sha256
within "$scratch/sha256/circuit.zkey" "$scratch/sha256/witness.wtns"
expect 0 "$reprise" setup --insecure "$scratch/bls12381" --log-domain 15 --curve bls12381
within "$scratch/bls12381/circuit.zkey" "$scratch/bls12381/witness.wtns"
expect 0 "$reprise" setup --insecure "$scratch/public" --log-domain 14 --public 6000
within "$scratch/public/circuit.zkey" "$scratch/public/witness.wtns"
# A key of gnark is written as it is computed: 32 times the key (45 MiB) takes no more memory.
for size in 12 17; do
  expect 0 "$peak" "$reprise" setup --insecure --format gnark --log-domain "$size" "$scratch/gnark$size" --device cpu
  cp "$scratch/stdout" "$scratch/peak$size"
done
more=$(($(cat "$scratch/peak17") - $(cat "$scratch/peak12")))
echo "setup --format gnark: 2^17 takes $more more than 2^12"
[ $more -le $((8 * mib)) ] || object "the memory of a setup grows with the key"
# If there is no room for the stacks of so many threads, the error says that memory is missing, not a device.
fixture=$data/fixtures/multiplier_bn254
rm -f "$scratch/proof.json"
refused 5 bash -c 'ulimit -v 1500000; exec "$@"' limited "$reprise" prove --device cpu --threads 1000 \
  "$fixture/circuit.zkey" "$fixture/witness.wtns" "$scratch/proof.json" "$scratch/public.json"
absent "$scratch/proof.json"
finish
