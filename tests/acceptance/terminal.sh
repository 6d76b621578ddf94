#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: terminal.sh REPRISE JSON_CHECK DATA
# What programs and users see: --json prints valid JSON, progress is shown on a terminal and nowhere else.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 json_check=$2 merkle=$3/fixtures/poseidon_merkle
key=$merkle/circuit.zkey wtns=$merkle/witness.wtns

json() { # arguments
  expect 0 "$reprise" "$@"
  "$json_check" < "$scratch/stdout" 2> "$scratch/why" || object "not JSON: reprise $*: $(cat "$scratch/why")"
  [ -s "$scratch/stderr" ] && object "words beside the JSON: reprise $*"
  return 0
}
json prove "$key" "$wtns" "$scratch/proof.json" "$scratch/public.json" --json
json verify "$merkle/verification_key.json" "$scratch/public.json" "$scratch/proof.json" --json
json record "$key" "$scratch/key.rpk" --json
json replay "$scratch/key.rpk" "$wtns" --output-dir "$scratch" --json
json vkey "$key"
json graph "$key" --format json
json graph "$key" --format json --recorded
json profile "$key" "$wtns" --runs 1 --trace "$scratch/trace.json" --json
for file in "$key" "$wtns" "$merkle/circuit.r1cs" "$scratch/key.rpk"; do json info "$file" --json; done
json info "$key" --plan --json
json devices --json
json bench --op mul --log-size 4 --runs 1 --json
expect 0 "$reprise" setup --insecure --log-domain 4 "$scratch/tiny"
json bench "$scratch/tiny" --runs 1 --json
json bench "$scratch/tiny" --open --runs 1 --json
for file in trace proof public tiny/verification_key; do
  "$json_check" < "$scratch/$file.json" || object "$file.json is not JSON"
done
# The refusal of a proof is in the JSON output too.
echo '["1", "2"]' > "$scratch/other.json"
expect 1 "$reprise" verify "$merkle/verification_key.json" "$scratch/other.json" "$scratch/proof.json" --json
"$json_check" < "$scratch/stdout" || object "a verdict that is not JSON"
grep -q '"valid": false' "$scratch/stdout" || object "no verdict as JSON"

# Work of two seconds and more: seconds or a percentage are shown on a terminal, and nothing in a pipe.
if ! command -v script > /dev/null; then
  object "script(1) of bsdutils is needed"
else
  # Plain kernels, which take a similar time on every processor.
  slow=(env REPRISE_CPU_ISA=c "$reprise" bench --op msm --type bn254_g2 --log-size 13 --runs 6 --threads 1)
  script -qec "$(printf '%q ' "${slow[@]}") > /dev/null" "$scratch/terminal" > /dev/null
  grep -qE 'msm \.\.\. [1-9][0-9]* s' "$scratch/terminal" || object "no progress on a terminal"
  setup=("$reprise" setup --insecure --log-domain 14 "$scratch/slow")
  script -qec "$(printf '%q ' "${setup[@]}")" "$scratch/terminal" > /dev/null
  grep -qE ' [0-9]+%' "$scratch/terminal" || object "setup shows no progress on a terminal"
  # A terminal shows what was written and how long it took. For many witnesses, it shows n / N and then the result.
  on_terminal() { # COMMAND...
    checks=$((checks + 1))
    script -qec "$(printf '%q ' "$@")" "$scratch/terminal" > /dev/null || true
    tr '\r' '\n' < "$scratch/terminal" > "$scratch/lines"
  }
  shown() { grep -qE -- "$1" "$scratch/lines" || object "not on the terminal: $1: $(tail -3 "$scratch/lines")"; }
  time='[0-9.]+ (us|ms|s)'
  on_terminal "$reprise" prove "$key" "$wtns" "$scratch/proof.json" "$scratch/public.json"
  shown "wrote $scratch/proof.json and $scratch/public.json in $time: key $time, recording $time, proof $time"
  on_terminal "$reprise" record "$key" "$scratch/key.rpk"
  shown "wrote $scratch/key.rpk in $time: key $time, check of its points $time, recording $time, writing $time"
  on_terminal "$reprise" record "$key" "$scratch/key.rpk" --no-check-points
  shown "check of its points left out"
  mkdir "$scratch/many"
  for i in $(seq 60); do cp "$wtns" "$scratch/many/$i.wtns"; done
  echo nothing > "$scratch/many/bad.wtns"
  replay=("$reprise" replay "$scratch/key.rpk" "$scratch"/many/*.wtns --output-dir "$scratch/proofs" --threads 1)
  on_terminal "${replay[@]}"
  shown 'proving \.\.\. [1-9][0-9]* / 61, [0-9]+ s'
  # The count goes up proof by proof, not only by groups that begin together.
  grep -oE 'proving \.\.\. [0-9]+ / 61,' "$scratch/lines" | grep -vE ' (0|32|61) / ' > /dev/null ||
    object "proofs are not counted one by one: $(grep -oE '[0-9]+ / 61' "$scratch/lines" | paste -sd ' ')"
  # The message of a failure replaces the line of progress, which continues below it.
  LC_ALL=C grep -qaE $'\r\033\\[Kreprise replay: .*bad\\.wtns' "$scratch/terminal" ||
    object "a failure stands behind the progress: $(cat -v "$scratch/terminal" | grep -a bad.wtns)"
  shown "proved 60 of 61 in $time, [0-9.]+ per second, 1 failed; results in $scratch/proofs"
  on_terminal "$reprise" replay "$scratch/key.rpk" "$wtns" --output-dir "$scratch/proofs"
  shown "proved 1 of 1 in $time, [0-9.]+ per second; results in"
  # A pipe gets the failures only.
  expect 3 "$reprise" replay "$scratch/key.rpk" "$scratch"/many/{1,bad}.wtns --output-dir "$scratch/proofs"
  one_sentence replay of one witness and a bad file
  [ -s "$scratch/stdout" ] && object "words on standard output"
  expect 0 "$reprise" record "$key" "$scratch/key.rpk"
  [ -z "$(cat "$scratch/stdout" "$scratch/stderr")" ] || object "record is not quiet"
  expect 0 "$reprise" replay "$scratch/key.rpk" "$wtns" --output-dir "$scratch/proofs"
  [ -z "$(cat "$scratch/stdout" "$scratch/stderr")" ] || object "replay is not quiet"

  expect 0 "${slow[@]}"
  [ -s "$scratch/stderr" ] && object "progress where there is no terminal"
  expect 0 "${setup[@]}"
  [ -s "$scratch/stderr" ] && object "setup's progress where there is no terminal"
fi
finish
