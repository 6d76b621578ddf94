#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: command.sh REPRISE DATA NPM_FOLDER
# Runs prove --device vulkan on every fixture. The proof takes one submission, and is accepted by reprise verify and by
# snarkjs, if scripts/test has installed it (NPM_FOLDER/node_modules).
set -euo pipefail
. "$(dirname "$0")/../acceptance/lib.sh"
reprise=$1 data=$2 snarkjs=$3/node_modules/snarkjs/build/cli.cjs
"$reprise" devices > "$scratch/devices"
grep -q '^vulkan:0 ' "$scratch/devices" || skip "$(grep '^vulkan ' "$scratch/devices")"
grep -qE '^vulkan:0 .* [0-9]+ workers' "$scratch/devices" || object "no limits of vulkan:0"
# The same settings as in on_vulkan.sh, so that the kernels of earlier tests are found in the driver's cache, and the
# compiler does not spend minutes optimising what runs for a second.
if grep -q '^vulkan:0 .*llvmpipe' "$scratch/devices"; then export GALLIVM_PERF=${GALLIVM_PERF:-nopt}; fi

for key in "$data"/fixtures/*/circuit.zkey; do
  fixture=${key%/circuit.zkey}
  out=$scratch/$(basename "$fixture")
  mkdir -p "$out"
  expect 0 "$reprise" prove --device vulkan "$fixture/circuit.zkey" "$fixture/witness.wtns" "$out/proof.json" \
    "$out/public.json"
  same "$out/public.json" "$fixture/public.json"
  expect 0 "$reprise" verify "$fixture/verification_key.json" "$out/public.json" "$out/proof.json"
  if command -v node > /dev/null && [ -f "$snarkjs" ]; then
    expect 0 node "$snarkjs" groth16 verify "$fixture/verification_key.json" "$out/public.json" "$out/proof.json"
    grep -q 'OK!' "$scratch/stdout" || object "snarkjs does not accept $(basename "$fixture")"
  fi
done
finish
