#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: setup.sh REPRISE
# Keys that reprise setup makes, on both curves, with no and with many public signals: proofs are made and verified.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1

try() { # name, options of setup
  local dir=$scratch/$1
  expect 0 "$reprise" setup --insecure "$dir" "${@:2}"
  expect 0 "$reprise" prove "$dir/circuit.zkey" "$dir/witness.wtns" "$dir/proof.json" "$dir/public.json"
  expect 0 "$reprise" verify "$dir/verification_key.json" "$dir/public.json" "$dir/proof.json"
}

try bn254 --curve bn254 --log-domain 12
try bls12381 --curve bls12381 --log-domain 12
try none --log-domain 6 --public 0
[ "$(tr -d ' \n' < "$scratch/none/public.json")" = '[]' ] || object "no public signals are not []"
try many --log-domain 13 --public 4000
try sha256 --log-domain 12 --preset sha256
try fresh --log-domain 8 --uncontributed
# Keys of gnark: all files are written or none, and proofs are made and verified.
gnark() { # name, options of setup
  local dir=$scratch/$1
  expect 0 "$reprise" setup --insecure --format gnark "$dir" "${@:2}"
  expect 0 "$reprise" prove "$dir/pk.dump" "$dir/solution.mont" "$dir/proof.bin" "$dir/public.wit" --check-points \
    --vkey "$dir/vk.raw"
  expect 0 "$reprise" verify "$dir/vk.raw" "$dir/public.wit" "$dir/proof.bin"
  expect 0 "$reprise" info "$dir/pk.dump"
  grep -qE '^form +dump$' "$scratch/stdout" || object "the key is not a dump"
}
gnark gnark_bn254 --log-domain 10
gnark gnark_bls12381 --curve bls12381 --log-domain 8 --public 7
gnark gnark_none --log-domain 2 --public 0 --seed 5
for options in "--preset full" "--uncontributed" "--protocol plonk" "--zeros 0.5" "--curve bn256"; do
  # shellcheck disable=SC2086  # several words
  refused 2 "$reprise" setup --insecure --format gnark $options "$scratch/refused"
done
refused 2 "$reprise" setup --format gnark "$scratch/refused"
refused 2 "$reprise" setup --insecure --format circom "$scratch/refused"
refused 3 "$reprise" setup --insecure --format gnark --log-domain 25 "$scratch/refused"
absent "$scratch/refused"
finish
