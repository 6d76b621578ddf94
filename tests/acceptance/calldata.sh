#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: calldata.sh REPRISE DATA
# What is printed is, byte for byte, what `snarkjs zkey export soliditycalldata` printed for the same files
# (calldata.txt), and other files are refused with a sentence.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$2
bn=$data/fixtures/multiplier_bn254 bls=$data/fixtures/multiplier_bls12381 plonk=$data/plonk/multiplier
gnark=$data/gnark/bn254/cubic

says() { grep -qF -- "$1" "$scratch/stderr" || object "\"$(cat "$scratch/stderr")\" does not say \"$1\""; }
# Checks that the last run, which failed, has written nothing.
nothing() {
  [ ! -s "$scratch/stdout" ] || object "something is printed beside the reason: $(head -c 100 "$scratch/stdout")"
  absent "$scratch/none"
}
bad() { # CODE SENTENCE PROOF PUBLIC
  refused "$1" "$reprise" calldata "$3" "$4"
  says "$2"
  nothing
  refused "$1" "$reprise" calldata "$3" "$4" -o "$scratch/none"
  says "$2"
  nothing
}

for fixture in "$data"/fixtures/*/ "$data"/plonk/*/ "$data"/fflonk/*/; do
  [ -e "$fixture/calldata.txt" ] || continue
  expect 0 "$reprise" calldata "$fixture/proof.json" "$fixture/public.json"
  same "$scratch/stdout" "$fixture/calldata.txt"
  [ ! -s "$scratch/stderr" ] || object "words beside the calldata: $(cat "$scratch/stderr")"
  expect 0 "$reprise" calldata "$fixture/proof.json" "$fixture/public.json" --output "$scratch/calldata.txt"
  same "$scratch/calldata.txt" "$fixture/calldata.txt"
  [ ! -s "$scratch/stdout" ] || object "calldata goes to a file and to standard output"
done
[ "$checks" -ge 14 ] || object "there are only $checks expected texts"
# A proof that names neither protocol nor curve, as rapidsnark's do not.
grep -vE '"(protocol|curve)"' "$bn/proof.json" | tr -d '\n' | sed 's/,}/}/; s/, *$/}/' > "$scratch/bare.json"
expect 0 "$reprise" calldata "$scratch/bare.json" "$bn/public.json"
same "$scratch/stdout" "$bn/calldata.txt"

bad 3 "is not over bn128, the only curve of Solidity verifiers" "$bls/proof.json" "$bls/public.json"
bad 3 "that is a list of public signals, and a proof (JSON) is expected: are the arguments swapped?" \
  "$bn/public.json" "$bn/proof.json"
bad 3 "that is a verification key, and a proof (JSON) is expected" "$bn/verification_key.json" "$bn/public.json"
bad 3 "that is a .zkey" "$bn/circuit.zkey" "$bn/public.json"
bad 3 "that is a .wtns" "$bn/proof.json" "$bn/witness.wtns"
for form in raw bin; do
  bad 3 "proof.$form: is a file of gnark; calldata is made of proofs in snarkjs's JSON" "$gnark/proof.$form" \
    "$bn/public.json"
done
bad 3 "witness.pub: is a file of gnark" "$bn/proof.json" "$gnark/witness.pub"
bad 4 "there is no such file" "$scratch/missing" "$bn/public.json"
bad 4 "there is no such file" "$bn/proof.json" "$scratch/missing"
sed 's/"plonk"/"fflock"/' "$plonk/proof.json" > "$scratch/proof.json"
bad 3 '"protocol"' "$scratch/proof.json" "$plonk/public.json"
sed 's/"groth16"/"plonk"/' "$bn/proof.json" > "$scratch/proof.json"
bad 3 '"A": this member is missing' "$scratch/proof.json" "$bn/public.json"
sed 's/"bn128"/"bls12381"/' "$plonk/proof.json" > "$scratch/proof.json"
bad 3 '"curve": this must be "bn128"' "$scratch/proof.json" "$plonk/public.json"
head -c 300 "$bn/proof.json" > "$scratch/proof.json"
bad 3 "$scratch/proof.json" "$scratch/proof.json" "$bn/public.json"
# Numbers that are not elements, points off the curve, and the point at infinity.
q=21888242871839275222246405745257275088696311157297823662689037894645226208583
r=21888242871839275222246405745257275088548364400416034343698204186575808495617
sed -E "0,/\"[0-9]{5,}\"/s//\"$q\"/" "$bn/proof.json" > "$scratch/proof.json"
bad 3 '"pi_a"[0]: this is not a number below the prime q' "$scratch/proof.json" "$bn/public.json"
sed -E '0,/"[0-9]{5,}"/s//"1"/' "$bn/proof.json" > "$scratch/proof.json"
bad 3 "pi_a is not on the curve" "$scratch/proof.json" "$bn/public.json"
sed -E '0,/"1"/s//"0"/' "$bn/proof.json" > "$scratch/proof.json"
bad 3 "pi_a is the point at infinity" "$scratch/proof.json" "$bn/public.json"
sed -E "s/(\"eval_c\": )\"[0-9]*\"/\1\"$r\"/" "$plonk/proof.json" > "$scratch/proof.json"
bad 3 '"eval_c": this is not a number below the prime r' "$scratch/proof.json" "$plonk/public.json"
echo "[\"$r\"]" > "$scratch/public.json"
bad 3 "Public signal 0 is not below the group order" "$bn/proof.json" "$scratch/public.json"
bad 3 "Public signal 0 is not below the group order" "$plonk/proof.json" "$scratch/public.json"
echo '{"a": 1}' > "$scratch/public.json"
bad 3 "a JSON array of public signals is expected" "$bn/proof.json" "$scratch/public.json"
# Files that are too large are refused before they are parsed.
{ cat "$bn/proof.json"; head -c 70000 /dev/zero | tr '\0' ' '; } > "$scratch/proof.json"
bad 3 "$scratch/proof.json" "$scratch/proof.json" "$bn/public.json"
{ cat "$bn/public.json"; head -c 5000000 /dev/zero | tr '\0' ' '; } > "$scratch/public.json"
bad 3 "$scratch/public.json" "$bn/proof.json" "$scratch/public.json"

expect 2 "$reprise" calldata "$bn/proof.json"
expect 2 "$reprise" calldata "$bn/proof.json" "$bn/public.json" extra
cp "$bn/proof.json" "$scratch/proof.json"
refused 2 "$reprise" calldata "$scratch/proof.json" "$bn/public.json" -o "$scratch/./proof.json"
same "$scratch/proof.json" "$bn/proof.json"
refused 4 "$reprise" calldata "$bn/proof.json" "$bn/public.json" -o /dev/full
finish
