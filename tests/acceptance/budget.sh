#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: budget.sh REPRISE DATA
# Memory budgets as a user sees them: the size that a refusal names is accepted by every command, and one byte less is
# not. The total of every plan is a budget that is accepted.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 fixture=$2/fixtures/poseidon_merkle
key=$fixture/circuit.zkey wtns=$fixture/witness.wtns
cpu=(--device cpu --threads 2)

total() { sed -n 's/.*"total_bytes": \([0-9]*\).*/\1/p' "$scratch/stdout"; }

refused 5 "$reprise" info "$key" --plan --memory 1 "${cpu[@]}"
least=$(sed -n 's/.* needs \([0-9]*\) bytes .*/\1/p' "$scratch/stderr")
[ "${least:-0}" -gt 0 ] || object "a refusal names no need: $(cat "$scratch/stderr")"
expect 0 "$reprise" prove "$key" "$wtns" "$scratch/proof.json" "$scratch/public.json" --memory "$least" "${cpu[@]}"
expect 0 "$reprise" verify "$fixture/verification_key.json" "$scratch/public.json" "$scratch/proof.json"
expect 0 "$reprise" record "$key" "$scratch/key.rpk" --memory "$least" "${cpu[@]}"
expect 0 "$reprise" replay "$scratch/key.rpk" "$wtns" --output-dir "$scratch" --memory "$least" "${cpu[@]}"
for command in "prove $key $wtns $scratch/p $scratch/q" "record $key $scratch/r" \
  "replay $key $wtns --output-dir $scratch" "info $key --plan"; do
  # shellcheck disable=SC2086 # words
  refused 5 "$reprise" $command --memory $((least - 1)) "${cpu[@]}"
  grep -q " needs $least bytes " "$scratch/stderr" || object "another need: $(cat "$scratch/stderr")"
done

# From each plan to the next smaller one: the total of each plan is accepted as a budget, and gives the same plan.
budget=0
for _ in $(seq 50); do
  if [ "$budget" = 0 ]; then
    expect 0 "$reprise" info "$key" --plan --json "${cpu[@]}"
  else
    expect 0 "$reprise" info "$key" --plan --json --memory "$budget" "${cpu[@]}"
    [ "$(total)" -le "$budget" ] || object "$(total) bytes are planned within $budget"
  fi
  bytes=$(total)
  [ "$bytes" -gt "$least" ] || break
  expect 0 "$reprise" info "$key" --plan --json --memory "$bytes" "${cpu[@]}"
  [ "$(total)" = "$bytes" ] || object "with a budget of $bytes, its own total, $(total) bytes are planned"
  budget=$((bytes - 1))
done
[ "$bytes" = "$least" ] || object "the smallest plan takes $bytes bytes, and a refusal names $least"

# The list of all plans: the first is the plan without a budget, each has less memory than the one before, and the total
# of each as a budget gives that plan.
expect 0 "$reprise" info "$key" --plan --json "${cpu[@]}"
usual=$(total)
expect 0 "$reprise" info "$key" --csv "${cpu[@]}"
mapfile -t points < <(tail -n +2 "$scratch/stdout" | cut -d, -f1)
head=total_bytes,predicted_ns,constant_bytes,arena_bytes,dispatches,levels,memory_level
[ "$(head -1 "$scratch/stdout")" = "$head" ] || object "another head: $(head -1 "$scratch/stdout")"
[ "${#points[@]}" -ge 2 ] || object "only ${#points[@]} plans are listed"
[ "${points[0]}" = "$usual" ] || object "the first of the plans takes ${points[0]} bytes, and the usual plan $usual"
before=$((usual + 1))
for bytes in "${points[@]}"; do
  [ "$bytes" -lt "$before" ] || object "after a plan of $before bytes comes one of $bytes"
  before=$bytes
  expect 0 "$reprise" info "$key" --plan --json --memory "$bytes" "${cpu[@]}"
  [ "$(total)" = "$bytes" ] || object "with a budget of $bytes, that of a listed plan, $(total) bytes are planned"
done
expect 0 "$reprise" info "$key" --points --json "${cpu[@]}"
[ "$(grep -c predicted_ns "$scratch/stdout")" = "${#points[@]}" ] || object "JSON and CSV list different plans"
expect 0 "$reprise" info "$key" --points "${cpu[@]}"
grep -q '^ *memory  predicted time' "$scratch/stdout" || object "no table: $(cat "$scratch/stdout")"
refused 6 "$reprise" info "$2/plonk/multiplier/circuit.zkey" --points "${cpu[@]}"
finish
