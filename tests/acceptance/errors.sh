#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: errors.sh REPRISE DATA
# Every failure that the user or the machine causes: an exit code, one sentence, and no incomplete file.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 bn=$2/fixtures/multiplier_bn254 bls=$2/fixtures/multiplier_bls12381 merkle=$2/fixtures/poseidon_merkle
proof=$scratch/proof.json public=$scratch/public.json
key=$bn/circuit.zkey wtns=$bn/witness.wtns

# Usage.
expect 2 "$reprise"
refused 2 "$reprise" nonsense
expect 2 "$reprise" prove "$key"
expect 2 "$reprise" prove "$key" "$wtns" "$proof" "$public" extra
expect 2 "$reprise" prove --device nonsense "$key" "$wtns" "$proof" "$public"
expect 2 "$reprise" prove --threads 0 "$key" "$wtns" "$proof" "$public"
expect 2 "$reprise" prove --memory 12X "$key" "$wtns" "$proof" "$public"
refused 2 "$reprise" replay "$key" "$wtns" "$bn/witness.wtns"
refused 2 "$reprise" setup "$scratch/setup"
expect 0 "$reprise" --help
grep -q '^  7  ' "$scratch/stdout" || object "exit codes are not in --help"
expect 0 "$reprise" --version
for command in prove verify record replay vkey calldata graph profile info devices bench setup; do
  expect 0 "$reprise" "$command" --help
  grep -q "^Usage: reprise $command" "$scratch/stdout" || object "no usage of $command"
  cp "$scratch/stdout" "$scratch/long"
  expect 0 "$reprise" "$command" -h
  same "$scratch/long" "$scratch/stdout"
done

# Inputs that are missing, not files, or of another kind or circuit.
for bad in "$scratch/missing" "$scratch" /dev/null /dev/zero; do
  refused 4 "$reprise" prove "$bad" "$wtns" "$proof" "$public"
  refused 4 "$reprise" prove "$key" "$bad" "$proof" "$public"
  refused 4 "$reprise" verify "$bad" "$bn/public.json" "$bn/proof.json"
  refused 4 "$reprise" info "$bad"
done
: > "$scratch/empty"
refused 3 "$reprise" prove "$scratch/empty" "$wtns" "$proof" "$public"
refused 3 "$reprise" prove "$wtns" "$key" "$proof" "$public"
refused 3 "$reprise" prove "$key" "$bn/public.json" "$proof" "$public"
refused 3 "$reprise" prove "$key" "$bls/witness.wtns" "$proof" "$public"
refused 3 "$reprise" prove "$merkle/circuit.zkey" "$wtns" "$proof" "$public"
refused 3 "$reprise" verify "$bn/circuit.r1cs" "$bn/public.json" "$bn/proof.json"
printf '\033[31mred\n' > "$scratch/x"
refused 4 "$reprise" info "$scratch/no"$'\n'"such"$'\033'"file"
absent "$proof" "$public"

# Outputs that cannot be written: the other output is not left behind, and existing files keep their contents.
refused 4 "$reprise" prove "$key" "$wtns" "$scratch/none/proof.json" "$public"
refused 4 "$reprise" prove "$key" "$wtns" "$proof" "$scratch/none/public.json"
refused 4 "$reprise" prove "$key" "$wtns" "$proof" "$scratch"
refused 2 "$reprise" prove "$key" "$wtns" "$proof" "$proof"
# The same file under another path.
ln -s "$scratch" "$scratch/link"
refused 2 "$reprise" prove "$key" "$wtns" "$proof" "$scratch/./proof.json"
refused 2 "$reprise" prove "$key" "$wtns" "$proof" "$scratch/link/proof.json"
absent "$proof"
# Inputs are not overwritten.
cp "$key" "$scratch/in.zkey"
cp "$wtns" "$scratch/in.wtns"
ln "$scratch/in.zkey" "$scratch/hard.zkey"
for path in "$scratch/in.zkey" "$scratch/link/in.zkey" "$scratch/in.wtns" "$scratch/hard.zkey"; do
  refused 2 "$reprise" prove "$scratch/in.zkey" "$scratch/in.wtns" "$path" "$public"
  refused 2 "$reprise" prove "$scratch/in.zkey" "$scratch/in.wtns" "$proof" "$path"
  refused 2 "$reprise" profile "$scratch/in.zkey" "$scratch/in.wtns" --trace "$path"
done
refused 2 "$reprise" record "$scratch/in.zkey" "$scratch/link/in.zkey"
refused 2 "$reprise" graph "$scratch/in.zkey" --format dot --output "$scratch/hard.zkey"
same "$key" "$scratch/in.zkey"
same "$wtns" "$scratch/in.wtns"
expect 0 "$reprise" prove "$key" "$wtns" /dev/null /dev/null
refused 4 "$reprise" prove "$key" "$wtns" /dev/full "$public"
refused 4 "$reprise" prove "$key" "$wtns" "$proof" /dev/full
refused 4 "$reprise" record "$key" "$scratch/none/out.rpk"
refused 4 "$reprise" graph "$key" --output "$scratch/none/graph.dot"
refused 4 "$reprise" profile "$key" "$wtns" --trace "$scratch/none/trace.json"
absent "$proof" "$public"
echo precious > "$public"
refused 3 "$reprise" prove "$key" "$bls/witness.wtns" "$proof" "$public"
[ "$(cat "$public")" = precious ] || object "an old file was lost"
rm "$public"
[ "$(find "$scratch" -name '*.tmp*' -o -name '.*.json*' | wc -l)" = 0 ] || object "scratch files were left behind"

# Standard output is full or closed.
code=0
"$reprise" info "$key" > /dev/full 2> "$scratch/stderr" || code=$?
[ "$code" = 4 ] || object "info to a full disk: exit code $code"
one_sentence "info > /dev/full"
for help in "prove --help" "verify --usage" "--help" "--version"; do
  code=0
  # shellcheck disable=SC2086  # a command and its option
  "$reprise" $help > /dev/full 2> "$scratch/stderr" || code=$?
  [ "$code" = 4 ] || object "$help to a full disk: exit code $code"
  one_sentence "$help > /dev/full"
done
code=0
"$reprise" info "$key" >&- 2> "$scratch/stderr" || code=$?
[ "$code" = 4 ] || object "info to a closed stream: exit code $code"
code=0
"$reprise" prove "$key" "$wtns" "$proof" "$public" <&- >&- 2>&- || code=$?
[ "$code" = 0 ] || object "prove with all streams closed: exit code $code"
expect 0 "$reprise" verify "$bn/verification_key.json" "$public" "$proof"
# The reader of a pipe has closed it. Depending on timing this is an error or not, but no signal may end the command.
{ "$reprise" --help 2> "$scratch/stderr" || echo $? > "$scratch/code"; } | true
code=$(cat "$scratch/code" 2> /dev/null || echo 4)
[ "$code" = 4 ] || object "help to a closed pipe: exit code $code"
rm -f "$proof" "$public"

# A disk that becomes full: files may have at most BLOCKS blocks of 1024 bytes.
full() { # BLOCKS COMMAND...
  local blocks=$1 code
  checks=$((checks + 1))
  shift
  { (ulimit -f "$blocks" && exec "$@") 2>&1 > /dev/null && echo "exit 0" || echo "exit $?"; } | cat > "$scratch/all"
  code=$(sed -n 's/^exit //p' "$scratch/all")
  grep -v '^exit ' "$scratch/all" > "$scratch/stderr" || true
  [ "$code" = 4 ] || object "without room: exit code $code: $*"
  one_sentence "without room: $*"
}
mkdir "$scratch/room"
full 64 "$reprise" record "$merkle/circuit.zkey" "$scratch/room/out.rpk"
full 0 "$reprise" prove "$key" "$wtns" "$scratch/room/proof.json" "$scratch/room/public.json"
full 0 "$reprise" graph "$key" --output "$scratch/room/graph.dot"
full 0 "$reprise" profile "$key" "$wtns" --trace "$scratch/room/trace.json"
full 2 "$reprise" setup --insecure --curve bn254 --log-domain 4 "$scratch/room"
[ -z "$(find "$scratch/room" -type f)" ] || object "half a file was left behind: $(ls -A "$scratch/room")"

# A file that is replaced or removed while it is read is read as it was.
cp "$merkle/circuit.zkey" "$scratch/used.zkey"
(for _ in 1 2 3 4 5; do cp "$key" "$scratch/other" && mv "$scratch/other" "$scratch/used.zkey" && sleep 0.02; done) &
code=0
"$reprise" prove "$scratch/used.zkey" "$merkle/witness.wtns" "$proof" "$public" 2> "$scratch/stderr" || code=$?
wait
case $code in # depending on timing, the old key is read, or the new one, which is of another circuit
  0) expect 0 "$reprise" verify "$merkle/verification_key.json" "$public" "$proof" ;;
  3) one_sentence "a key that is replaced" && absent "$proof" "$public" ;;
  *) object "a key that is replaced: exit code $code" ;;
esac
rm -f "$proof" "$public"

# A prerecorded file is truncated in place while it is used: one sentence, and every proof that was written is complete.
expect 0 "$reprise" record "$merkle/circuit.zkey" "$scratch/cut.rpk"
mkdir "$scratch/many" "$scratch/cut"
witnesses=("$scratch/many/"{1..500}.wtns)
tee "${witnesses[@]}" < "$merkle/witness.wtns" > /dev/null
"$reprise" replay --output-dir "$scratch/cut" "$scratch/cut.rpk" "${witnesses[@]}" \
  > "$scratch/stdout" 2> "$scratch/stderr" &
replay=$!
until [ -e "$scratch/cut/1.proof.json" ] || ! kill -0 $replay 2> /dev/null; do sleep 0.02; done
truncate -s 4096 "$scratch/cut.rpk"
code=0
wait $replay || code=$?
[ "$code" = 4 ] || object "a file that is cut short in use: exit code $code"
no_report "a file that is cut short in use"
one_sentence "a file that is cut short in use"
grep -q 'was cut short' "$scratch/stderr" || object "a file that is cut short in use is not named as such"
[ ! -e "$scratch/cut/500.proof.json" ] || object "the file was cut too late to show anything"
expect 0 "$reprise" verify "$merkle/verification_key.json" "$scratch/cut/1.public.json" "$scratch/cut/1.proof.json"

# A budget that is too small for every plan, and a device that does not exist.
refused 5 "$reprise" prove --memory 1K "$merkle/circuit.zkey" "$merkle/witness.wtns" "$proof" "$public"
grep -qE '[0-9]' "$scratch/stderr" || object "a refused budget names no figure"
refused 6 "$reprise" prove --device cuda:77 "$key" "$wtns" "$proof" "$public"
absent "$proof" "$public"
finish
