#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: hostile.sh REPRISE MAKE_HOSTILE DATA
# Damaged and hostile files, given to the command: an exit code other than 0, one sentence, no output, no report of a
# sanitizer.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$3
"$2" "$data" "$scratch/hostile"
proof=$scratch/proof.json public=$scratch/public.json

code_of() {
  case $1 in
    RP_ERR_VERIFY) echo 1 ;;
    RP_ERR_FORMAT | RP_ERR_INPUT | RP_ERR_MISMATCH) echo 3 ;;
    RP_ERR_FILE) echo 4 ;;
    *) echo "no code for $1" ;;
  esac
}

while IFS=$'\t' read -r name kind status fixture file; do
  key=$fixture/circuit.zkey wtns=$fixture/witness.wtns
  case $kind in
    zkey | release) run=("$reprise" prove "$file" "$wtns" "$proof" "$public") ;;
    checked) run=("$reprise" prove --check-points "$file" "$wtns" "$proof" "$public") ;;
    wtns | prove) run=("$reprise" prove "$key" "$file" "$proof" "$public") ;;
    r1cs) run=("$reprise" setup --insecure --r1cs "$file" "$scratch/setup") ;;
    vkey) run=("$reprise" verify "$file" "$fixture/public.json" "$fixture/proof.json") ;;
    public) run=("$reprise" verify "$fixture/verification_key.json" "$file" "$fixture/proof.json") ;;
    proof) run=("$reprise" verify "$fixture/verification_key.json" "$fixture/public.json" "$file") ;;
    output) run=("$reprise" prove "$key" "$wtns" "$proof" "$file") ;;
    *) object "$name: no command reads a file of kind $kind" && continue ;;
  esac
  checks=$((checks + 1)) code=0
  timeout 120 "${run[@]}" > "$scratch/stdout" 2> "$scratch/stderr" < /dev/null || code=$?
  [ "$code" = "$(code_of "$status")" ] || object "$name ($status): exit code $code"
  no_report "$name"
  one_sentence "$name"
  absent "$proof" "$public" "$scratch/setup/circuit.zkey"
done < "$scratch/hostile/index.tsv"
[ "$checks" -ge 60 ] || object "only $checks hostile files"
finish
