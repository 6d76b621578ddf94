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
finish
