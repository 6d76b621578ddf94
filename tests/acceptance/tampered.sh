#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: tampered.sh REPRISE MAKE_TAMPERED DATA
# Recorded files that somebody changed and gave right checksums, through the command: one sentence, no proof.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$3
proof=$scratch/out/proof.json public=$scratch/out/public.json
mkdir "$scratch/out"

# Nothing is written into the folder of results.
nothing_released() {
  [ -z "$(ls -A "$scratch/out")" ] || object "$1 left $(ls "$scratch/out")"
  rm -f "$scratch"/out/*
}

for name in multiplier_bn254 multiplier_bls12381; do
  key=$data/fixtures/$name/circuit.zkey wtns=$data/fixtures/$name/witness.wtns
  expect 0 "$reprise" record "$key" "$scratch/$name.rpk"
  "$2" "$scratch/$name.rpk" "$scratch/$name"
  while IFS=$'\t' read -r case seen file; do
    refused 3 "$reprise" prove --check-points "$file" "$wtns" "$proof" "$public"
    nothing_released "$case"
    refused 3 "$reprise" replay "$file" "$wtns" --output-dir "$scratch/out" --check-points
    refused 3 "$reprise" replay "$file" "$wtns" --output-dir "$scratch/out" --made-from "$key"
    refused 3 "$reprise" record "$file" "$scratch/out/again.rpk"
    nothing_released "$case"
    [ "$seen" = checked ] && continue
    refused 3 "$reprise" prove "$file" "$wtns" "$proof" "$public"
    refused 3 "$reprise" replay "$file" "$wtns" --output-dir "$scratch/out"
    nothing_released "$case"
  done < "$scratch/$name/index.tsv"
done
[ "$checks" -ge 300 ] || object "only $checks runs"
finish
