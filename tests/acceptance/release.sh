#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: release.sh REPRISE MAKE_HOSTILE SHIM_PROVE DATA
# Keys with added points of small order: no command and not the rapidsnark interface release a proof. --no-verify shows
# that each key really moves its proofs out of the subgroup: `verify` refuses the proof.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 shim=$3 data=$4
"$2" "$data" "$scratch/hostile"
proof=$scratch/proof.json public=$scratch/public.json keys=0

says() { grep -q "not in the subgroup" "$scratch/stderr" || object "the reason does not tell of the subgroup: $*"; }

while IFS=$'\t' read -r name kind status fixture file; do
  [ "$kind" = release ] || continue
  keys=$((keys + 1)) wtns=$fixture/witness.wtns
  [ "$status" = RP_ERR_VERIFY ] || object "$name: $status"
  expect 0 "$reprise" prove --no-verify "$file" "$wtns" "$proof" "$public"
  refused 3 "$reprise" verify "$fixture/verification_key.json" "$public" "$proof"
  says "verify $name"
  rm "$proof" "$public"

  refused 1 "$reprise" prove "$file" "$wtns" "$proof" "$public"
  says "prove $name"
  absent "$proof" "$public"

  mkdir "$scratch/out"
  cp "$wtns" "$scratch/one.wtns"
  cp "$wtns" "$scratch/two.wtns"
  expect 1 "$reprise" replay --output-dir "$scratch/out" "$file" "$scratch/one.wtns" "$scratch/two.wtns"
  says "replay $name"
  rmdir "$scratch/out" || object "replay $name left files"

  expect 1 "$shim" "$file" "$wtns"
  says "librapidsnark $name"
  [ ! -s "$scratch/stdout" ] || object "librapidsnark $name: a proof"
  expect 0 "$shim" "$fixture/circuit.zkey" "$wtns"
done < "$scratch/hostile/index.tsv"
[ "$keys" -ge 4 ] || object "only $keys keys"
finish
