#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: prove.sh REPRISE DATA
# Every way to make a proof, with every fixture (in snarkjs.sh, snarkjs verifies them too).
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$2
out=$scratch/out
mkdir "$out"

good() { # folder, proof, public
  expect 0 "$reprise" verify "$1/verification_key.json" "$3" "$2"
}

for key in "$data"/fixtures/*/circuit.zkey; do
  fixture=${key%/circuit.zkey}
  name=$(basename "$fixture")
  key=$fixture/circuit.zkey wtns=$fixture/witness.wtns

  expect 0 "$reprise" prove "$key" "$wtns" "$out/proof.json" "$out/public.json"
  [ -z "$(cat "$scratch/stdout" "$scratch/stderr")" ] || object "prove is not quiet: $name"
  good "$fixture" "$out/proof.json" "$out/public.json"
  same "$out/public.json" "$fixture/public.json"

  # A second proof has other blinding values.
  expect 0 "$reprise" prove "$key" "$wtns" "$out/second.json" "$out/second_public.json"
  cmp -s "$out/proof.json" "$out/second.json" && object "two proofs are equal: $name"

  # The points stay in the file until the key is recorded.
  expect 0 "$reprise" prove "$key" "$wtns" "$out/third.json" "$out/third_public.json" --points-in-file
  good "$fixture" "$out/third.json" "$out/third_public.json"

  # snarkjs's own proofs.
  good "$fixture" "$fixture/proof.json" "$fixture/public.json"
  good "$fixture" "$fixture/proof_r2_s3.json" "$fixture/public.json"

  # The key is recorded, and replayed for several witnesses.
  expect 0 "$reprise" record "$key" "$out/$name.rpk"
  # Other kernels and another number of threads record the same file, and can replay it.
  expect 0 env REPRISE_CPU_ISA=c "$reprise" record "$key" "$out/plain.rpk" --device cpu --threads 5
  same "$out/plain.rpk" "$out/$name.rpk"
  cp "$wtns" "$out/one.wtns"
  expect 0 env REPRISE_CPU_ISA=c "$reprise" replay "$out/$name.rpk" "$out/one.wtns" --device cpu --output-dir "$out"
  good "$fixture" "$out/one.proof.json" "$out/one.public.json"
  cp "$wtns" "$out/two.wtns"
  cp "$wtns" "$out/three.wtns"
  expect 0 "$reprise" replay "$out/$name.rpk" "$out/one.wtns" "$out/two.wtns" "$out/three.wtns" --output-dir "$out" \
    --json
  grep -q '"proofs": 3,' "$scratch/stdout" || object "replay does not tell of three proofs: $(cat "$scratch/stdout")"
  # A witness that fails is reported, even if its name is not text, and the others are proved.
  printf 'no witness' > "$out/bad"$'\377'".wtns"
  expect 3 "$reprise" replay "$out/$name.rpk" "$out/one.wtns" "$out/bad"$'\377'".wtns" "$out/two.wtns" \
    --output-dir "$out" --json
  grep -q '"proofs": 2,' "$scratch/stdout" && grep -q '"witness": ".*/bad?.wtns",' "$scratch/stdout" &&
    grep -q '"status": "RP_ERR_FORMAT",' "$scratch/stdout" && grep -q '"reason": ".*begin with' "$scratch/stdout" ||
    object "replay does not tell which witness failed: $(cat "$scratch/stdout")"
  # The file was made from this key, and not from one of the same length in which a byte differs.
  expect 0 "$reprise" replay "$out/$name.rpk" "$out/one.wtns" --output-dir "$out" --made-from "$key"
  cp "$key" "$out/changed.zkey"
  printf '\377' | dd of="$out/changed.zkey" bs=1 seek=$(($(stat -c %s "$key") / 2)) conv=notrunc 2> /dev/null
  refused 3 "$reprise" replay "$out/$name.rpk" "$out/one.wtns" --output-dir "$out" --made-from "$out/changed.zkey"
  for n in one two three; do
    good "$fixture" "$out/$n.proof.json" "$out/$n.public.json"
    same "$out/$n.public.json" "$fixture/public.json"
  done

  # One submission and one wait.
  expect 0 "$reprise" profile "$key" "$wtns" --runs 1 --trace "$out/trace.json"
  grep -q '^submissions 1, waits 1, uploads 1, downloads 1,' "$scratch/stdout" ||
    object "counters of $name: $(cat "$scratch/stdout")"
  grep -q '"traceEvents"' "$out/trace.json" || object "no trace of $name"
  expect 0 "$reprise" profile "$out/$name.rpk" "$wtns" --runs 1 --json
  grep -q '"submissions": 1,' "$scratch/stdout" || object "JSON counters of $name"
done
finish
