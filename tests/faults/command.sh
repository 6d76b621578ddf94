#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: command.sh REPRISE INTERPOSE DATA [SECONDS]
# INTERPOSE is the library that makes a call fail (interpose.c), to be preloaded, or - if it is linked into the command.
# Every allocation, mapping, open, read, write, rename, sync, thread and random number of every command fails once. Each
# run ends with the exit code for what failed, one sentence and no output, or does its work without that call. As many
# cases as fit in SECONDS (30) are tried, evenly spread; with 0, all of them.
set -euo pipefail
. "$(dirname "$0")/../acceptance/lib.sh"
reprise=$1 interpose=${2#-} data=$3 seconds=${4:-30}
fixture=$data/fixtures/multiplier_bn254
zkey=$fixture/circuit.zkey wtns=$fixture/witness.wtns
export REPRISE_DEVICE=cpu

mkdir "$scratch/in" "$scratch/out"
cp "$wtns" "$scratch/in/a.wtns"
cp "$wtns" "$scratch/in/b.wtns"
expect 0 "$reprise" record "$zkey" "$scratch/in/key.rpk"

# NAME | ARGUMENTS; output goes to out/.
commands=(
  "prove|prove --threads 2 $zkey $wtns out/proof.json out/public.json"
  "verify|verify $fixture/verification_key.json $fixture/public.json $fixture/proof.json"
  "record|record --threads 2 $zkey out/key.rpk"
  "replay|replay --threads 2 --output-dir out in/key.rpk in/a.wtns"
  "batch|replay --threads 2 --output-dir out in/key.rpk in/a.wtns in/b.wtns"
  "vkey|vkey $zkey --output out/vkey.json"
  "vkey_of_recorded|vkey in/key.rpk --output out/vkey.json"
  "info|info --plan --json $zkey"
  "graph|graph $zkey --output out/graph.dot"
  "profile|profile --threads 2 --runs 1 --trace out/trace.json $zkey $wtns"
  "setup|setup --insecure out/key --log-domain 3"
)

# code_of CLASS: prints the exit code for a failure of this class.
code_of() {
  case $1 in
    alloc | map | thread) echo 5 ;;
    random) echo 6 ;;
    *) echo 4 ;;
  esac
}

# left NAME: prints the output that a failed run has left. In a batch, another witness may have succeeded, so a complete
# pair of files does not count.
left() { [ "$1" = batch ] && [ "$(outputs | wc -l)" = 2 ] || outputs; }

outputs() { find "$scratch/out" -mindepth 1 | sort; }

# one NAME CLASS INDEX ARGUMENTS...
one() {
  local name=$1 class=$2 index=$3 code=0 want lines
  shift 3
  want=$(code_of "$class")
  checks=$((checks + 1))
  rm -rf "$scratch/out"
  mkdir "$scratch/out"
  timeout 300 env FAULT="$class:$index" LD_PRELOAD="$interpose" "$reprise" "$@" \
    > "$scratch/stdout" 2> "$scratch/stderr" || code=$?
  no_report "$name $class:$index"
  if [ $code = 0 ]; then
    [ "$(outputs)" = "${made[$name]}" ] || object "$name $class:$index: exit code 0 and other outputs: $(outputs)"
    return
  fi
  [ $code = "$want" ] ||
    object "$name $class:$index: exit code $code instead of $want: $(head -c 200 "$scratch/stderr")"
  # One sentence, or for a batch one for each witness.
  lines=$(wc -l < "$scratch/stderr")
  [ "$lines" = 1 ] || [ "$name$lines" = batch2 ] ||
    object "$name $class:$index: not one sentence: $(head -c 200 "$scratch/stderr")"
  [ -z "$(left "$name")" ] || object "$name $class:$index: exit code $code, and left: $(outputs)"
}

cd "$scratch"
declare -A made
cases=()
for command in "${commands[@]}"; do
  name=${command%%|*}
  read -ra arguments <<< "${command#*|}"
  rm -rf out counts
  mkdir out
  FAULT_COUNTS=$scratch/counts LD_PRELOAD=$interpose "$reprise" "${arguments[@]}" > stdout 2> stderr ||
    object "$name fails by itself"
  made[$name]=$(outputs)
  while read -r class n; do
    for ((i = 0; i < n; i++)); do cases+=("$name $class $i ${arguments[*]}"); done
  done < counts
  [ -z "${VERBOSE:-}" ] || echo "$name: $(tr '\n' ' ' < counts)"
done

# If time is short, the cases that are tried are spread evenly: the step has no common factor with the length.
total=${#cases[@]} step=$((${#cases[@]} * 618 / 1000 | 1))
gcd() { local a=$1 b=$2 t; while [ "$b" != 0 ]; do t=$((a % b)) a=$b b=$t; done; echo "$a"; }
while [ "$(gcd $step $total)" != 1 ]; do step=$((step + 2)); done
begin=$SECONDS done_cases=0
for ((i = 0; i < total; i++)); do
  [ "$seconds" = 0 ] || [ $((SECONDS - begin)) -lt "$seconds" ] || break
  read -ra case <<< "${cases[$((i * step % total))]}"
  one "${case[@]}"
  done_cases=$((done_cases + 1))
done
[ "$total" -gt 1000 ] || object "only $total calls were seen"
echo "$done_cases of $total faults"
finish
