#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: sections.sh REPRISE REARRANGE DATA
# Keys whose sections have any order and alignment, also beyond 4 GiB, are shown, proved with, recorded and replayed.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 rearrange=$2 data=$3
cd "$scratch"

try() { # fixture
  expect 0 "$reprise" prove odd.zkey "$1/witness.wtns" proof.json public.json
  expect 0 "$reprise" verify "$1/verification_key.json" public.json proof.json
  same public.json "$1/public.json"
  expect 0 "$reprise" info odd.zkey
  rm proof.json public.json
}

for name in multiplier_bn254 multiplier_bls12381; do
  fixture=$data/fixtures/$name
  for rotation in 0 1 4 9; do
    "$rearrange" "$fixture/circuit.zkey" odd.zkey $rotation
    try "$fixture"
    expect 0 "$reprise" record odd.zkey odd.rpk
    expect 0 "$reprise" replay odd.rpk "$fixture/witness.wtns" --made-from odd.zkey
    expect 0 "$reprise" verify "$fixture/verification_key.json" witness.public.json witness.proof.json
  done
  for first in 0 3 8; do
    code=0
    "$rearrange" "$fixture/circuit.zkey" odd.zkey far $first || code=$?
    if [ $code = 77 ]; then
      echo "no sparse file of 4 GiB here: not tried"
      break
    fi
    try "$fixture"
    # A file of more than 4 GiB that lacks its last byte.
    truncate -s -1 odd.zkey
    refused 3 "$reprise" prove odd.zkey "$fixture/witness.wtns" proof.json public.json
    absent proof.json public.json
  done
done
finish
