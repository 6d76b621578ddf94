#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: gnark.sh REPRISE DATA
# The commands that take files of snarkjs also take those of gnark, without an option that says which they are.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$2
proof=$scratch/proof public=$scratch/public info=$scratch/commitments.json

# flip FROM OFFSET TO: copies the file with one bit of the byte at this offset changed.
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  { head -c "$2" "$1"; printf "\\$(printf %o $((byte ^ 1)))"; tail -c "+$(($2 + 2))" "$1"; } > "$3"
}

for fixture in "$data"/gnark/*/*/; do
  for form in raw bin; do
    expect 0 "$reprise" verify "$fixture/vk.$form" "$fixture/witness.pub" "$fixture/proof.$form"
    head -c -1 "$fixture/proof.$form" > "$proof"
    refused 3 "$reprise" verify "$fixture/vk.$form" "$fixture/witness.pub" "$proof"
  done
  flip "$fixture/proof.raw" 31 "$proof" # a bit of a coordinate, so that the point leaves the curve
  refused 3 "$reprise" verify "$fixture/vk.raw" "$fixture/witness.pub" "$proof"
  flip "$fixture/witness.pub" 43 "$public"
  refused 1 "$reprise" verify "$fixture/vk.raw" "$public" "$fixture/proof.raw"
  jq .commitment_info "$fixture/facts.json" > "$info"
  for key in pk.raw pk.bin pk.dump; do
    [ -e "$fixture/$key" ] || continue
    for solution in solution.bin solution.mont; do
      [ -e "$fixture/$solution" ] || continue
      expect 0 "$reprise" prove "$fixture/$key" "$fixture/$solution" "$proof" "$public" --vkey "$fixture/vk.bin" \
        --commitments "$info"
      same "$public" "$fixture/witness.pub"
      [ "$(stat -c %s "$proof")" = "$(stat -c %s "$fixture/proof.raw")" ] || object "a raw proof has another length"
      expect 0 "$reprise" verify "$fixture/vk.raw" "$public" "$proof"
    done
    expect 0 "$reprise" info "$fixture/$key" --json
    grep -q '"kind": "gnark proving key"' "$scratch/stdout" || object "info does not know $fixture/$key"
  done
done

# Kinds of files, which are recognised from their contents.
fixture=$data/gnark/bn254/range commitments=("--commitments" "$info")
jq .commitment_info "$fixture/facts.json" > "$info"
while read -r file kind; do
  expect 0 "$reprise" info "$fixture/$file"
  grep -qE "^kind +gnark $kind\$" "$scratch/stdout" || object "info does not say that $file is a $kind"
done << 'END'
vk.raw verifying key
vk.bin verifying key
proof.raw proof
proof.bin proof
witness.pub witness
witness.full witness
solution.bin solution
solution.mont solution
pk.dump proving key
END
expect 0 "$reprise" info "$data/gnark/bn254/cubic/pk.raw" --plan
grep -q total_bytes "$scratch/stdout" || object "no plan for a key of gnark"

# Options and files that do not belong together.
prove=("$reprise" prove "$fixture/pk.raw" "$fixture/solution.bin" "$proof" "$public")
rm -f "$proof" "$public"
expect 0 "${prove[@]}" --vkey "$fixture/vk.raw" "${commitments[@]}" --compressed --json --check-points
[ "$(stat -c %s "$proof")" = "$(stat -c %s "$fixture/proof.bin")" ] || object "a compressed proof has another length"
rm -f "$proof" "$public"
# The points of the fixture's own proof, raw, behind A, B, C and a count: a commitment and the proof of knowledge.
tail -c 128 "$fixture/proof.raw" | head -c 64 > "$scratch/committed"
tail -c 64 "$fixture/proof.raw" > "$scratch/knowledge"
given=("${prove[@]}" --vkey "$fixture/vk.raw" "${commitments[@]}" --committed "$scratch/committed")
expect 0 "${given[@]}"
expect 0 "$reprise" verify "$fixture/vk.raw" "$public" "$proof"
expect 0 "${given[@]}" --knowledge "$scratch/knowledge"
expect 0 "$reprise" verify "$fixture/vk.raw" "$public" "$proof"
tail -c 128 "$proof" | cmp - <(tail -c 128 "$fixture/proof.raw") || object "the proof has other points than those given"
rm -f "$proof" "$public"
refused 3 "${prove[@]}" --vkey "$fixture/vk.raw" "${commitments[@]}" --committed "$scratch/knowledge"
grep -q "its challenge, wire" "$scratch/stderr" || object "prove does not say that the commitment is another one"
refused 1 "${given[@]}" --knowledge "$scratch/committed"
grep -q "that came with the solution" "$scratch/stderr" || object "prove does not blame the points that were given"
refused 2 "${prove[@]}" --vkey "$fixture/vk.raw" "${commitments[@]}" --knowledge "$scratch/knowledge"
refused 2 "${given[@]}" --no-verify
circom=$data/fixtures/multiplier_bn254
refused 2 "$reprise" prove "$circom/circuit.zkey" "$circom/witness.wtns" "$proof" "$public" \
  --committed "$scratch/committed"
refused 2 "${prove[@]}" "${commitments[@]}"
grep -q "give --vkey" "$scratch/stderr" || object "prove does not ask for the verifying key"
refused 3 "${prove[@]}" --vkey "$fixture/vk.raw"
grep -q "has 1 commitments" "$scratch/stderr" || object "prove does not ask for the commitments"
refused 3 "${prove[@]}" --vkey "$fixture/../cubic/vk.raw" "${commitments[@]}"
refused 3 "${prove[@]}" --vkey "$fixture/vk.raw" --commitments "$fixture/facts.json"
refused 3 "$reprise" prove "$fixture/pk.raw" "$fixture/../cubic/solution.bin" "$proof" "$public" \
  --vkey "$fixture/vk.raw" "${commitments[@]}"
refused 3 "$reprise" prove "$fixture/solution.bin" "$fixture/pk.raw" "$proof" "$public"
grep -q "are the arguments swapped" "$scratch/stderr" || object "a key and a solution that are swapped are not seen"
refused 3 "$reprise" prove "$circom/circuit.zkey" "$fixture/solution.bin" "$proof" "$public"
refused 2 "$reprise" prove "$circom/circuit.zkey" "$circom/witness.wtns" "$proof" "$public" --compressed
refused 2 "$reprise" record "$circom/circuit.zkey" "$scratch/out.rpk" --vkey "$fixture/vk.raw"
refused 2 "$reprise" record "$fixture/pk.raw" "$scratch/out.rpk" "${commitments[@]}"
grep -q "give --vkey" "$scratch/stderr" || object "record does not ask for the verifying key"
refused 3 "$reprise" record "$fixture/pk.raw" "$scratch/out.rpk" --vkey "$fixture/vk.raw"
cp "$fixture/vk.raw" "$scratch/vk.raw" # a mistake would write over this copy
refused 2 "$reprise" record "$fixture/pk.raw" "$scratch/vk.raw" --vkey "$scratch/vk.raw" "${commitments[@]}"
refused 3 "$reprise" verify "$fixture/vk.raw" "$fixture/proof.raw" "$fixture/witness.pub"
grep -q "are the arguments swapped" "$scratch/stderr" || object "swapped arguments are not seen"
refused 3 "$reprise" verify "$fixture/vk.raw" "$fixture/witness.pub" "$data/gnark/bls12-381/range/proof.raw"
# The bytes of a proof may begin like a list in JSON. They are read as a proof, here one that is not on the curve.
bls=$data/gnark/bls12-381/range
{ printf '\n[' && tail -c +3 "$bls/proof.raw"; } > "$scratch/list"
refused 3 "$reprise" verify "$bls/vk.raw" "$bls/witness.pub" "$scratch/list"
grep -q "list of public signals" "$scratch/stderr" && object "a proof is taken to be a list"
refused 3 "$reprise" verify "$fixture/vk.raw" "$fixture/../twocommit/witness.pub" "$fixture/proof.raw"
refused 3 "$reprise" verify "$fixture/vk.raw" "$circom/public.json" "$circom/proof.json"

# A key is recorded once, with all that belongs to it, and replayed: results have the names of the solutions.
mkdir "$scratch/in"
for fixture in "$data"/gnark/*/*/; do
  key=$fixture/pk.raw
  [ -e "$key" ] || key=$fixture/pk.bin
  jq .commitment_info "$fixture/facts.json" > "$info"
  extras=(--vkey "$fixture/vk.bin" --commitments "$info")
  cp "$fixture/solution.mont" "$scratch/in/one.mont"
  rm -f "$scratch/in/two.bin"
  [ ! -e "$fixture/solution.bin" ] || cp "$fixture/solution.bin" "$scratch/in/two.bin"
  head -c 100 "$fixture/solution.mont" > "$scratch/in/cut.mont"
  expect 0 "$reprise" record "$key" "$scratch/key.rpk" "${extras[@]}"
  for from in "$scratch/key.rpk" "$key ${extras[*]}"; do
    # shellcheck disable=SC2086  # several words
    expect 3 "$reprise" replay $from "$scratch"/in/* -o "$scratch/results" --in-flight 2
    for solution in "$scratch"/in/*; do
      name=$scratch/results/$(basename "${solution%.*}")
      if [ "${solution##*/}" = cut.mont ]; then
        absent "$name.proof.bin" "$name.public.wit"
        continue
      fi
      same "$name.public.wit" "$fixture/witness.pub"
      expect 0 "$reprise" verify "$fixture/vk.bin" "$name.public.wit" "$name.proof.bin"
    done
    rm -r "$scratch/results"
    # shellcheck disable=SC2086
    expect 0 "$reprise" profile $from "$scratch/in/one.mont" --runs 1 --device cpu --json
    grep -q '"submissions": 1' "$scratch/stdout" || object "profile counts more than one submission for $from"
  done
  expect 0 "$reprise" profile "$key" "$scratch/in/one.mont" --commitments "$info" --runs 1 # no proof leaves
  expect 0 "$reprise" profile "$key" "$scratch/in/one.mont" --commitments "$info" --runs 1 --points-in-file
  expect 0 "$reprise" prove "$key" "$scratch/in/one.mont" "$scratch/f.bin" "$scratch/f.wit" "${extras[@]}" \
    --points-in-file
  expect 0 "$reprise" verify "$fixture/vk.bin" "$scratch/f.wit" "$scratch/f.bin"
  refused 2 "$reprise" profile "$scratch/key.rpk" "$scratch/in/one.mont" --points-in-file
  refused 2 "$reprise" prove "$key" "$scratch/in/one.mont" "$scratch/g.bin" "$scratch/g.wit" "${extras[@]}" \
    --points-in-file --check-points
  expect 0 "$reprise" prove "$scratch/key.rpk" "$scratch/in/one.mont" "$scratch/p.bin" "$scratch/s.wit" --compressed
  expect 0 "$reprise" verify "$fixture/vk.bin" "$scratch/s.wit" "$scratch/p.bin"
  [ "$(stat -c %s "$scratch/p.bin")" = "$(stat -c %s "$fixture/proof.bin")" ] || object "a proof is not compressed"
  expect 0 "$reprise" info "$scratch/key.rpk"
  grep -qE '^gnark_commitments +[0-2]$' "$scratch/stdout" || object "info does not say that a key is gnark's"
  expect 0 "$reprise" graph "$scratch/key.rpk" --device cpu
  cp "$scratch/stdout" "$scratch/recorded.dot"
  expect 0 "$reprise" graph "$key" --commitments "$info" --device cpu
  same "$scratch/stdout" "$scratch/recorded.dot"
  for how in "" --together; do # several devices
    expect 0 "$reprise" replay "$scratch/key.rpk" "$scratch/in/one.mont" -o "$scratch/several" \
      --device cpu/1,cpu/1 ${how:+"$how"}
    expect 0 "$reprise" verify "$fixture/vk.bin" "$scratch/several/one.public.wit" "$scratch/several/one.proof.bin"
    rm -r "$scratch/several"
  done
done
# Points in memory can be streamed if the budget is too small for all of them, and those in the file cannot.
fixture=$data/gnark/bn254/mimc
prove=("$reprise" prove "$fixture/pk.bin" "$fixture/solution.mont" "$scratch/m.bin" "$scratch/m.wit"
  --vkey "$fixture/vk.bin" --device cpu --memory 2M)
expect 0 "${prove[@]}"
refused 5 "${prove[@]}" --points-in-file

refused 2 "$reprise" graph "$scratch/key.rpk" --commitments "$info"
jq .commitment_info "$data/gnark/bn254/twocommit/facts.json" > "$info"
expect 0 "$reprise" info "$data/gnark/bn254/twocommit/pk.raw" --plan --device cpu --commitments "$info"
grep -q total_bytes "$scratch/stdout" || object "no plan for a key with commitments"
refused 2 "$reprise" info "$circom/circuit.zkey" --plan --commitments "$info"
refused 3 "$reprise" graph "$data/gnark/bn254/range/pk.raw"
refused 2 "$reprise" replay "$scratch/key.rpk" "$scratch/in/one.mont" -o "$scratch/results" --vkey "$fixture/vk.bin"
refused 2 "$reprise" replay "$scratch/key.rpk" "$scratch/in/one.mont" -o "$scratch/results" \
  --made-from "$circom/circuit.zkey"
refused 2 "$reprise" replay "$key" "$scratch/in/one.mont" -o "$scratch/results"
refused 3 "$reprise" replay "$scratch/key.rpk" "$circom/witness.wtns" -o "$scratch/results"
cp "$scratch/in/one.mont" "$scratch/in/one.bin"
refused 2 "$reprise" replay "$scratch/key.rpk" "$scratch/in/one.mont" "$scratch/in/one.bin" -o "$scratch/results"
refused 3 "$reprise" vkey "$scratch/key.rpk"
absent "$scratch/results"
[ -e "$proof" ] || [ -e "$public" ] || [ -e "$scratch/out.rpk" ] && object "a refusal leaves files"
finish
