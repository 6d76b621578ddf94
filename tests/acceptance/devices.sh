#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: devices.sh REPRISE DATA
# A proof on every device of this machine; for a missing device the reason is printed. The software driver of Vulkan,
# which would compile kernels for minutes, is tested with this circuit in tests/vulkan/command.sh.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 fixture=$2/fixtures/poseidon_merkle
expect 0 "$reprise" devices --json
expect 0 "$reprise" devices
cp "$scratch/stdout" "$scratch/devices"
grep -q '^cpu:0 ' "$scratch/devices" || object "there is no CPU"
for kind in cuda vulkan; do
  grep -qE "^$kind(:0 | +not available: .{8,})" "$scratch/devices" || object "nothing is said of $kind"
  # The reason names what to install (a package or a driver), or the option with which to build.
  missing=$(grep -E "^$kind +not available" "$scratch/devices") || continue
  grep -qE "package|nvidia-smi" <<< "$missing" || object "what is missing is not named: $missing"
done
while read -r device; do
  expect 0 "$reprise" prove --device "$device" "$fixture/circuit.zkey" "$fixture/witness.wtns" "$scratch/proof.json" \
    "$scratch/public.json"
  expect 0 "$reprise" verify "$fixture/verification_key.json" "$scratch/public.json" "$scratch/proof.json"
done < <(grep -v llvmpipe "$scratch/devices" | grep -oE '^[a-z]+:[0-9]+')
for threads in 1 2 3; do
  expect 0 "$reprise" prove --threads $threads "$fixture/circuit.zkey" "$fixture/witness.wtns" "$scratch/proof.json" \
    "$scratch/public.json"
done
finish
