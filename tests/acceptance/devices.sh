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

# Several devices, here a CPU in parts: every witness has a proof of its own, under its own name.
witnesses=()
for i in 1 2 3 4 5 6; do
  cp "$fixture/witness.wtns" "$scratch/w$i.wtns"
  witnesses+=("$scratch/w$i.wtns")
done
for list in cpu/1,cpu/1 'cpu:*' cpu/1,cpu/2,cpu:0; do
  rm -rf "$scratch/out"
  expect 0 "$reprise" replay --device "$list" -o "$scratch/out" "$fixture/circuit.zkey" "${witnesses[@]}"
  for i in 1 2 3 4 5 6; do
    expect 0 "$reprise" verify "$fixture/verification_key.json" "$scratch/out/w$i.public.json" \
      "$scratch/out/w$i.proof.json"
  done
done
head -c 100 "$fixture/witness.wtns" > "$scratch/w3.wtns"
rm -rf "$scratch/out"
refused 3 "$reprise" replay --device cpu/1,cpu/1 -o "$scratch/out" "$fixture/circuit.zkey" "${witnesses[@]}"
absent "$scratch/out/w3.proof.json"
[ "$(ls "$scratch/out" | wc -l)" = 10 ] || object "a damaged witness takes others with it"
for protocol in plonk fflonk; do
  key=$2/$protocol/multiplier
  expect 0 "$reprise" replay --device cpu/1,cpu/1 -o "$scratch/$protocol" "$key/circuit.zkey" "$key/witness.wtns"
  expect 0 "$reprise" verify "$key/verification_key.json" "$scratch/$protocol/witness.public.json" \
    "$scratch/$protocol/witness.proof.json"
done
for list in cpu/0 cpu/1, , cuda/2 'auto:*' cpu:x,cpu/1; do
  expect 2 "$reprise" replay --device "$list" -o "$scratch/out" "$fixture/circuit.zkey" "$fixture/witness.wtns"
done

# Several devices make a proof together.
for list in cpu/1,cpu/2 'cpu:*' cpu/1,cpu/1,cpu/1; do
  expect 0 "$reprise" prove --device "$list" "$fixture/circuit.zkey" "$fixture/witness.wtns" "$scratch/proof.json" \
    "$scratch/public.json"
  expect 0 "$reprise" verify "$fixture/verification_key.json" "$scratch/public.json" "$scratch/proof.json"
done
# Where threads share processors, what is left out is said once for each device, and nothing else is.
expect 0 "$reprise" profile --runs 1 --device cpu,cpu,cpu "$fixture/circuit.zkey" "$fixture/witness.wtns"
! grep -qvE '^reprise profile: device [0-2], cpu:0, is left out: a proof would not be done sooner with it$' \
  "$scratch/stderr" || object "something else is said of devices that are left out"
[ -z "$(sort "$scratch/stderr" | uniq -d)" ] || object "a device is said to be left out twice"
rm -rf "$scratch/out"
expect 0 "$reprise" replay --together --device cpu/1,cpu/1 -o "$scratch/out" "$fixture/circuit.zkey" \
  "${witnesses[@]:0:2}"
expect 0 "$reprise" verify "$fixture/verification_key.json" "$scratch/out/w1.public.json" "$scratch/out/w1.proof.json"
expect 2 "$reprise" replay --together -o "$scratch/out" "$fixture/circuit.zkey" "$fixture/witness.wtns"
for protocol in plonk fflonk; do
  key=$2/$protocol/multiplier
  expect 0 "$reprise" record --device cpu/1,cpu/1 "$key/circuit.zkey" "$scratch/$protocol.rpk"
  expect 0 "$reprise" prove --device cpu/1,cpu/1 "$scratch/$protocol.rpk" "$key/witness.wtns" "$scratch/p" "$scratch/q"
  expect 0 "$reprise" verify "$key/verification_key.json" "$scratch/q" "$scratch/p"
done
expect 0 "$reprise" record --device cpu/1,cpu/2 "$fixture/circuit.zkey" "$scratch/groth16.rpk"
expect 0 "$reprise" prove --check-points --device cpu/1,cpu/2 "$fixture/circuit.zkey" "$fixture/witness.wtns" \
  "$scratch/proof.json" "$scratch/public.json"
expect 0 "$reprise" profile --json --runs 1 --device cpu/1,cpu/1 "$scratch/groth16.rpk" "$fixture/witness.wtns"
jq -e '[.ops[].name] | index("spmv") != null' "$scratch/stdout" > /dev/null ||
  object "the profile of a group lacks operations"
expect 2 "$reprise" profile --trace "$scratch/t" --device cpu/1,cpu/1 "$scratch/groth16.rpk" "$fixture/witness.wtns"
expect 0 "$reprise" bench --device cpu/1,cpu/1 --op msm --type bn254_g1 --log-size 6 --runs 1
expect 2 "$reprise" bench --device cpu/1,cpu/1 --op ntt --log-size 6 --runs 1
expect 2 "$reprise" bench --device cpu/1,cpu/1 --op msm --log-size 6 --floors
expect 2 "$reprise" bench --first-percent 40 "$fixture"
# Commands that use one device refuse a list.
expect 2 "$reprise" info --plan --device cpu/1,cpu/1 "$fixture/circuit.zkey"
expect 2 "$reprise" graph --device cpu/1,cpu/1 "$fixture/circuit.zkey"
finish
