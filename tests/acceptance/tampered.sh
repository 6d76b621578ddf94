#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: tampered.sh REPRISE MAKE_TAMPERED DATA
# Recorded files that somebody changed and gave right checksums, given to the command: one sentence, no proof.
# With REPRISE_TEST_QUICK: recorded files of one curve.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$3
proof=$scratch/out/proof.json public=$scratch/out/public.json
mkdir "$scratch/out"

# Nothing may be written into the folder of results.
shopt -s nullglob dotglob
nothing_released() {
  local left=("$scratch"/out/*)
  [ ${#left[@]} != 0 ] || return 0
  object "$1 left ${left[*]}"
  rm -f "${left[@]}"
}

least=300
names=(multiplier_bls12381 multiplier_bn254)
[ -z "${REPRISE_TEST_QUICK:-}" ] || names=(multiplier_bls12381) least=150
for name in "${names[@]}"; do
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
# With a digest, every command that opens a key accepts only the file that has it.
for file in "$scratch/multiplier_bls12381.rpk" "$data/fixtures/poseidon_merkle/circuit.zkey"; do
  good=$(sha256sum < "$file" | cut -c1-64)
  bad=${good%?}$([ "${good: -1}" = 0 ] && echo 1 || echo 0) # with another last digit
  wtns=$data/fixtures/multiplier_bls12381/witness.wtns
  case $file in *poseidon*) wtns=$data/fixtures/poseidon_merkle/witness.wtns ;; esac
  expect 0 "$reprise" info "$file" --digest
  grep -qE "^sha256 +$good\$" "$scratch/stdout" || object "info --digest does not print $good"
  for pin in "$good" "$bad"; do
    code=0
    [ "$pin" = "$good" ] || code=3
    for run in "info $file" "graph $file" "profile $file $wtns --runs 1" "record $file $scratch/pinned.rpk" \
      "replay $file $wtns --output-dir $scratch/out" "prove $file $wtns $proof $public"; do
      # shellcheck disable=SC2086
      expect $code "$reprise" $run --sha256 "$pin"
      if [ "$code" = 3 ]; then
        one_sentence "$run"
        grep -q "its SHA-256 is $good, not $bad" "$scratch/stderr" || object "$run: $(cat "$scratch/stderr")"
        nothing_released "$run"
      fi
      rm -f "$scratch"/out/*
    done
  done
  # A file that is not a key is refused for its digest, not for its contents.
  head -c 100 "$file" > "$scratch/cut.rpk"
  refused 3 "$reprise" info "$scratch/cut.rpk" --sha256 "$good"
  grep -q 'is not the file that was asked for' "$scratch/stderr" || object "a cut file: $(cat "$scratch/stderr")"
done
for text in 12 "${good}0" "${good%?}g"; do
  expect 2 "$reprise" info "$scratch/multiplier_bls12381.rpk" --sha256 "$text"
done

# info says whether the points were checked, and in what respect the file must be trusted.
for option in "" --no-check-points; do
  expect 0 "$reprise" record "$data/fixtures/multiplier_bn254/circuit.zkey" "$scratch/said.rpk" $option
  expect 0 "$reprise" info "$scratch/said.rpk"
  grep -qE "^points_checked +$([ -z "$option" ] && echo yes || echo no)\$" "$scratch/stdout" ||
    object "record $option: $(cat "$scratch/stdout")"
  grep -q '^trust .*--made-from' "$scratch/stdout" || object "info says nothing of trust"
done

[ "$checks" -ge "$least" ] || object "only $checks runs"
finish
