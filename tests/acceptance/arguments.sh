#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: arguments.sh REPRISE DATA
# Arguments in the wrong place: swapped files are recognised, files that do not belong together are both named, an input
# is not overwritten, and no output is written twice. Folders for results are created.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 bn=$2/fixtures/multiplier_bn254 bls=$2/fixtures/multiplier_bls12381 merkle=$2/fixtures/poseidon_merkle
key=$bn/circuit.zkey wtns=$bn/witness.wtns r1cs=$bn/circuit.r1cs
vkey=$bn/verification_key.json public=$bn/public.json proof=$bn/proof.json
out=$scratch/out

says() { # WORDS...: the sentence must contain these words in this order
  local rest after
  rest=$(cat "$scratch/stderr")
  for word in "$@"; do
    after=${rest#*"$word"}
    [ "$after" != "$rest" ] || object "\"$(cat "$scratch/stderr")\" does not say \"$word\""
    rest=$after
  done
}

# ---- Kinds
expect 0 "$reprise" record "$key" "$scratch/key.rpk"
swapped() { # KIND COMMAND...: the sentence must name the kind of the first wrong file
  refused 3 "$reprise" "${@:2}"
  says "that is a $1, and" "is expected: are the arguments swapped?"
}
swapped .wtns prove "$wtns" "$key" "$out" "$out.public"
swapped .wtns prove "$wtns" "$scratch/key.rpk" "$out" "$out.public"
swapped .wtns profile "$wtns" "$key"
swapped .wtns replay "$wtns" "$scratch/key.rpk"
swapped .wtns replay "$wtns" "$key" --output-dir "$scratch"
swapped "recorded key" replay "$key" "$wtns" --made-from "$scratch/key.rpk"
swapped .wtns setup --insecure --r1cs "$wtns" --wtns "$r1cs" "$scratch/made"
swapped "list of public signals" calldata "$public" "$proof"
swapped proof prove "$proof" "$public" "$key" "$wtns"
for order in "$proof $public $vkey" "$public $vkey $proof" "$vkey $proof $public" "$proof $vkey $public" \
  "$public $proof $vkey"; do
  # shellcheck disable=SC2086 # three words
  refused 3 "$reprise" verify $order
  says "that is a " "are the arguments swapped?"
done
# A file is of the wrong kind, and no other argument is a file of the right kind.
other() { # COMMAND...
  refused 3 "$reprise" "$@"
  says "that is a " " is expected"
  grep -q swapped "$scratch/stderr" && object "nothing to swap: $*"
  return 0
}
other prove "$r1cs" "$wtns" "$out" "$out.public"
other prove "$key" "$r1cs" "$out" "$out.public"
other record "$wtns" "$out"
other graph "$r1cs"
other vkey "$wtns"
other verify "$key" "$public" "$proof"
other replay "$key" "$r1cs" --output-dir "$scratch"
# The output is an existing file of the kind that is missing as an input: it is not overwritten.
cp "$key" "$scratch/precious.zkey"
cp "$wtns" "$scratch/precious.wtns"
refused 4 "$reprise" record "$scratch/new.rpk" "$scratch/precious.zkey"
says "$scratch/new.rpk: there is no such file" "precious.zkey, a .zkey, would be written over" "swapped?"
refused 4 "$reprise" prove "$key" "$scratch/new.json" "$scratch/precious.wtns" "$out"
says new.json "no such file" precious.wtns "would be written over"
echo nothing > "$scratch/nothing"
refused 3 "$reprise" record "$scratch/nothing" "$scratch/precious.zkey"
says precious.zkey "that is a .zkey, and would be written over: are the arguments swapped?"
# No key, witness, circuit or recorded file is overwritten by a result, except a recorded key by another one.
kept() { # FILE COMMAND...
  cp "$1" "$scratch/kept"
  refused 3 "$reprise" "${@:2}"
  says "$scratch/kept: that is a " "and would be written over: choose another name"
  cmp -s "$1" "$scratch/kept" || object "overwritten: $*"
}
kept "$wtns" record "$key" "$scratch/kept"
kept "$r1cs" record "$key" "$scratch/kept"
kept "$scratch/key.rpk" prove "$key" "$wtns" "$scratch/kept" "$out.public"
kept "$merkle/circuit.zkey" prove "$key" "$wtns" "$out" "$scratch/kept"
kept "$wtns" vkey "$key" --output "$scratch/kept"
kept "$r1cs" graph "$key" --output "$scratch/kept"
expect 0 "$reprise" record "$key" "$scratch/key.rpk"
# A file that does not exist is reported as such, whatever the other arguments are.
missing() { # COMMAND...
  refused 4 "$reprise" "$@"
  says "$scratch/typo: there is no such file"
  grep -q swapped "$scratch/stderr" && object "nothing to swap: $*"
  return 0
}
missing prove "$scratch/typo" "$wtns" "$out" "$out.public"
missing prove "$key" "$scratch/typo" "$out" "$out.public"
missing prove "$scratch/typo" "$key" "$out" "$out.public"
missing record "$scratch/typo" "$out"
missing vkey "$scratch/typo"
missing calldata "$scratch/typo" "$public"
missing calldata "$proof" "$scratch/typo"
missing graph "$scratch/typo"
missing profile "$key" "$scratch/typo"
missing replay "$scratch/typo" "$wtns" --output-dir "$scratch"
missing replay "$key" "$wtns" "$scratch/typo" --output-dir "$scratch"
missing verify "$vkey" "$scratch/typo" "$proof"
missing setup --insecure --r1cs "$scratch/typo" "$scratch/made"
same "$key" "$scratch/precious.zkey"
same "$wtns" "$scratch/precious.wtns"

# ---- Files that do not belong together: both are named.
refused 3 "$reprise" prove "$merkle/circuit.zkey" "$wtns" "$out" "$out.public"
says "$wtns" "another circuit" "$merkle/circuit.zkey" "6 values" "5343 wires"
refused 3 "$reprise" prove "$key" "$bls/witness.wtns" "$out" "$out.public"
says "$bls/witness.wtns" "bls12381" "$key" "bn128"
refused 3 "$reprise" profile "$merkle/circuit.zkey" "$wtns"
says "$wtns" "$merkle/circuit.zkey"
refused 3 "$reprise" replay "$merkle/circuit.zkey" "$wtns" --output-dir "$scratch"
says "$wtns" "$merkle/circuit.zkey"
expect 0 "$reprise" setup --insecure --log-domain 5 --public 2 "$scratch/a"
expect 0 "$reprise" setup --insecure --log-domain 5 --public 2 --seed 9 "$scratch/b"
if [ "$(stat -c %s "$scratch/a/witness.wtns")" = "$(stat -c %s "$scratch/b/witness.wtns")" ]; then
  refused 1 "$reprise" prove "$scratch/a/circuit.zkey" "$scratch/b/witness.wtns" "$out" "$out.public"
  says "$scratch/b/witness.wtns with $scratch/a/circuit.zkey"
fi
refused 1 "$reprise" verify "$merkle/verification_key.json" "$merkle/public.json" "$proof"
says "$proof with $merkle/verification_key.json"
refused 3 "$reprise" verify "$vkey" "$merkle/public.json" "$proof"
says "$merkle/public.json with $vkey"
refused 3 "$reprise" verify "$vkey" "$public" "$bls/proof.json"
says "$bls/proof.json with $vkey"

# ---- Outputs: no two outputs are the same file, and none is an input.
ln -s "$scratch" "$scratch/link"
touch "$scratch/twin"
ln "$scratch/twin" "$scratch/hard"
for pair in "$out $out" "$out $scratch/./out" "$out $scratch/link/out" "$scratch/twin $scratch/hard"; do
  # shellcheck disable=SC2086 # two words
  refused 2 "$reprise" prove "$key" "$wtns" $pair
done
up=$scratch/../$(basename "$scratch")
for path in "$scratch/precious.zkey" "$scratch/link/precious.wtns" "$up/precious.zkey"; do
  refused 2 "$reprise" prove "$scratch/precious.zkey" "$scratch/precious.wtns" "$path" "$out"
done
refused 2 "$reprise" record "$scratch/precious.zkey" "$scratch/link/precious.zkey"
refused 2 "$reprise" vkey "$scratch/precious.zkey" -o "$scratch/link/precious.zkey"
refused 2 "$reprise" graph "$scratch/precious.zkey" --format dot -o "$scratch/link/precious.zkey"
refused 2 "$reprise" profile "$scratch/precious.zkey" "$scratch/precious.wtns" --trace "$scratch/precious.wtns"
mkdir "$scratch/x" "$scratch/y"
cp "$wtns" "$scratch/x/same.wtns"
cp "$wtns" "$scratch/y/same.wtns"
refused 2 "$reprise" replay "$key" "$scratch/x/same.wtns" "$scratch/y/same.wtns" --output-dir "$scratch/z"
absent "$scratch/z" # the folder was created, and removed again
cp "$wtns" "$scratch/x/other.proof.json"
cp "$wtns" "$scratch/x/other.wtns"
refused 2 "$reprise" replay "$key" "$scratch/x/other.wtns" "$scratch/x/other.proof.json" --output-dir "$scratch/link/x"
touch "$scratch/x/one.proof.json"
ln -s one.proof.json "$scratch/x/two.proof.json"
cp "$wtns" "$scratch/x/one.wtns"
cp "$wtns" "$scratch/x/two.wtns"
refused 2 "$reprise" replay "$key" "$scratch/x/one.wtns" "$scratch/x/two.wtns" --output-dir "$scratch/x"
mkdir "$scratch/copy"
cp "$r1cs" "$wtns" "$scratch/copy"
refused 2 "$reprise" setup --insecure --r1cs "$scratch/copy/circuit.r1cs" --wtns "$scratch/copy/witness.wtns" \
  "$scratch/copy"
# An open descriptor is one file under all its names, and the same as the file that it refers to; /dev/null may be used
# twice.
streams() { # CODE FIRST SECOND: a proof and its public signals, standard output being a pipe and then a file
  refused "$1" "$reprise" prove "$key" "$wtns" "$2" "$3"
  [ -s "$scratch/stdout" ] && object "something was written: $2 $3"
  echo 0 > "$scratch/code"
  { "$reprise" prove "$key" "$wtns" "$2" "$3" 2> "$scratch/stderr" || echo $? > "$scratch/code"; } |
    cat > "$scratch/piped"
  [ "$(cat "$scratch/code")" = "$1" ] && [ ! -s "$scratch/piped" ] && return
  object "in a pipe: $2 $3"
}
for first in - /dev/stdout /dev/fd/1 /proc/self/fd/1; do
  for second in - /dev/stdout /dev/fd/1 /proc/self/fd/1; do streams 2 "$first" "$second"; done
done
streams 2 - "/dev/../dev/stdout"
streams 2 "/dev/../dev/fd/1" /dev/stdout
mkfifo "$scratch/fifo"
refused 2 timeout 200 "$reprise" prove "$key" "$wtns" "$scratch/fifo" "$scratch/link/fifo"
refused 2 "$reprise" prove "$key" "$wtns" - "$scratch/stdout"
refused 2 "$reprise" prove --json "$key" "$wtns" - "$out"
refused 2 "$reprise" profile "$key" "$wtns" --trace /dev/stdout
cp "$key" "$scratch/appended.zkey"
code=0
"$reprise" prove "$scratch/appended.zkey" "$wtns" - "$out" >> "$scratch/appended.zkey" 2> "$scratch/stderr" || code=$?
[ $code = 2 ] || object "a key is appended to: exit code $code"
same "$key" "$scratch/appended.zkey"
for pair in "- -" "/dev/null /dev/null" "- /dev/stdout"; do
  # shellcheck disable=SC2086 # two words
  "$reprise" prove "$key" "$wtns" $pair > /dev/null 2> "$scratch/stderr" || object "into /dev/null: $pair"
done
expect 0 "$reprise" prove "$key" "$wtns" - /dev/null
grep -q pi_a "$scratch/stdout" || object "no proof on standard output"
same "$key" "$scratch/precious.zkey"
same "$wtns" "$scratch/precious.wtns"
same "$wtns" "$scratch/copy/witness.wtns"
absent "$out" "$out.public"

# ---- Options that would have no effect
refused 2 "$reprise" setup --insecure --r1cs "$r1cs" --log-domain 5 "$scratch/made"
refused 2 "$reprise" setup --insecure --r1cs "$r1cs" --curve bn254 "$scratch/made"
expect 2 "$reprise" setup --insecure --seed 0 "$scratch/made"
absent "$scratch/made"
refused 4 "$reprise" bench ntt
says 'no folder "ntt" with a key; reprise bench --op NAME measures an operation'
refused 2 "$reprise" bench --open
refused 2 "$reprise" bench --in-flight 2
refused 2 "$reprise" bench --batch 2
refused 2 "$reprise" bench "$scratch/a" --op mul
refused 2 "$reprise" bench "$scratch/a" --floors

# ---- Several proofs per run
# The last run is not full, and the witness that fails, fails alone.
cp "$wtns" "$scratch/first.wtns"
cp "$wtns" "$scratch/third.wtns"
refused 3 "$reprise" replay "$key" "$scratch/first.wtns" "$bls/witness.wtns" "$scratch/third.wtns" --batch 2 \
  --output-dir "$scratch/batch" "${cpu[@]}"
for name in first third; do
  expect 0 "$reprise" verify "$vkey" "$scratch/batch/$name.public.json" "$scratch/batch/$name.proof.json"
done
[ ! -e "$scratch/batch/witness.proof.json" ] || object "a proof of the witness that failed"
expect 2 "$reprise" replay "$key" "$wtns" --batch 33
refused 2 "$reprise" replay "$key" "$wtns" --batch 2 --device cpu/1,cpu/1

# ---- Folders
expect 0 "$reprise" replay "$key" "$wtns" --output-dir "$scratch/deep/er/still/"
expect 0 "$reprise" verify "$vkey" "$scratch/deep/er/still/witness.public.json" \
  "$scratch/deep/er/still/witness.proof.json"
refused 4 "$reprise" replay "$key" "$wtns" --output-dir "$scratch/precious.zkey/in"
refused 4 "$reprise" replay "$key" "$wtns" --output-dir "$scratch/precious.zkey"
refused 4 "$reprise" replay "$key" "$wtns" --output-dir ""
refused 3 "$reprise" replay "$key" "$bls/witness.wtns" --output-dir "$scratch/none/at/all"
absent "$scratch/none" # the folder was not left behind
# Created folders are removed after a failure, whatever the path looks like and wherever it fails; folders that existed
# or are in use stay.
long=$(printf '%0300d' 0)
head -c 60 "$r1cs" > "$scratch/short.r1cs"
unmade() { # CODE PATH
  refused "$1" "$reprise" replay "$key" "$bls/witness.wtns" --output-dir "$2"
  absent "$scratch/none"
  refused "$1" "$reprise" setup --insecure --r1cs "$scratch/short.r1cs" "$2"
  absent "$scratch/none"
}
unmade 4 "$scratch/none/a/$long/b"
unmade 3 "$scratch/none/./a//b/./"
unmade 3 "$scratch/none/../none/a/.."
unmade 3 "$scratch/x/../none"
refused 6 "$reprise" setup --insecure --device cuda:77 "$scratch/none/a/../b"
absent "$scratch/none"
mkdir "$scratch/mine"
refused 3 "$reprise" replay "$key" "$bls/witness.wtns" --output-dir "$scratch/mine/new/er"
[ -d "$scratch/mine" ] && [ -z "$(ls "$scratch/mine")" ] || object "a folder that was there is gone, or a new one stays"
cp "$bls/witness.wtns" "$scratch/bls.wtns"
refused 3 "$reprise" replay "$key" "$wtns" "$scratch/bls.wtns" --output-dir "$scratch/mine/part"
[ "$(ls "$scratch/mine/part")" = "$(printf 'witness.%s.json\n' proof public)" ] ||
  object "a proof that was made is gone"
finish
