#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: full.sh REPRISE DATA
# Standard output that cannot be written, with every command and every form of its output: exit code 4 and a sentence. A
# command that prints nothing there succeeds.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 fixture=$2/fixtures/multiplier_bn254
key=$fixture/circuit.zkey wtns=$fixture/witness.wtns vkey=$fixture/verification_key.json
tried=" "

# Runs the command twice: whether the first run prints anything decides what the second must report.
full() {
  local code=0
  tried+="$1 "
  rm -rf "$scratch/out" && mkdir "$scratch/out"
  expect 0 "$reprise" "$@"
  if [ ! -s "$scratch/stdout" ]; then
    silent=$((silent + 1))
    return
  fi
  rm -rf "$scratch/out" && mkdir "$scratch/out"
  checks=$((checks + 1))
  timeout 300 "$reprise" "$@" > /dev/full 2> "$scratch/stderr" < /dev/null || code=$?
  no_report "$@"
  [ "$code" = 4 ] || object "exit code $code instead of 4 with a full standard output: $*"
  tail -1 "$scratch/stderr" > "$scratch/last" && mv "$scratch/last" "$scratch/stderr" # a warning may precede it
  one_sentence "$* > /dev/full"
  grep -q 'No space left' "$scratch/stderr" || object "no reason: $*"
}

silent=0
out=$scratch/out
cp "$wtns" "$scratch/a.wtns"
expect 0 "$reprise" record "$key" "$scratch/key.rpk"
expect 0 "$reprise" prove "$key" "$wtns" "$scratch/proof.json" "$scratch/public.json"
for form in "" --json; do
  full prove "$key" "$wtns" "$out/proof.json" "$out/public.json" $form
  full verify "$vkey" "$scratch/public.json" "$scratch/proof.json"
  full record "$key" "$out/key.rpk" $form
  full replay "$scratch/key.rpk" "$scratch/a.wtns" --output-dir "$out" $form
  full profile "$key" "$wtns" --runs 1 $form
  for file in "$key" "$wtns" "$scratch/key.rpk"; do full info "$file" $form; done
  full info "$key" --plan $form
  full devices $form
  full bench --op ntt --type bn254_fr --log-size 8 --runs 1 $form
done
expect 4 "$reprise" profile "$key" "$wtns" --runs 1 --trace /dev/full # the file for the trace is full
grep -q 'No space left' "$scratch/stderr" || object "a trace that could not be written: $(cat "$scratch/stderr")"
for format in dot json; do full graph "$key" --format $format; done
full graph "$key" --recorded --format json
full view "$key" -o "$out/view.json"
full vkey "$key"
full calldata "$fixture/proof.json" "$fixture/public.json"
full setup --insecure --log-domain 4 "$out/made"
expect 0 "$reprise" --help
commands=$(sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p' "$scratch/stdout" | grep -vx reprise)
[ "$(wc -w <<< "$commands")" -ge 11 ] || object "--help lists no commands"
for command in $commands; do
  [ "$command" != serve ] || continue # answers over HTTP (tests/serve)
  [[ $tried == *" $command "* ]] || object "$command is not tried"
  full "$command" --help
done
[ $silent -lt 10 ] || object "$silent calls print nothing"
finish
