#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: messages.sh REPRISE DATA
# Texts that others chose, such as names of files, cannot control a terminal, and the end of a long name is in the
# message.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 bn=$2/fixtures/multiplier_bn254 bls=$2/fixtures/multiplier_bls12381
key=$bn/circuit.zkey wtns=$bn/witness.wtns

# The output must consist of printable characters in UTF-8, in lines that end.
harmless() { # WHAT
  local what=$1
  iconv -f UTF-8 -t UTF-8 < "$scratch/stderr" > "$scratch/utf8" 2> /dev/null || object "no UTF-8: $what"
  [ -s "$scratch/stderr" ] || object "nothing is said: $what"
  LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]' \
    "$scratch/stderr" && object "control characters: $what: $(cat -v "$scratch/stderr")"
  return 0
}
hint() { # WHAT: one line of the command itself is followed by argp's hint
  sed 1d "$scratch/stderr" | paste -sd ' ' |
    grep -E '^Try `reprise [a-z]+ --help. or .* for more information\.$' > /dev/null ||
    object "no sentence and a hint: $1: $(cat -A "$scratch/stderr")"
}
says() { grep -qF -- "$1" "$scratch/stderr" || object "\"$(cat "$scratch/stderr")\" does not say \"$1\""; }
names=(
  $'a\x1b[31mred' $'line\nfeed' $'carriage\rreturn' $'bell\x07' $'del\x7f' $'c1\xc2\x9b31m' $'byte\x9b31m'
  $'cut\xe2\x82' $'over\xc0\xafdone' $'surrogate\xed\xa0\x80' $'right\xe2\x80\xaeto-left' $'tab\tulator'
)
for name in "${names[@]}"; do
  refused 4 "$reprise" info "$scratch/$name"
  harmless "a missing file"
  refused 4 "$reprise" prove "$key" "$wtns" "$scratch/$name/proof" "$scratch/public"
  harmless "a missing folder"
  refused 2 "$reprise" "$name"
  harmless "a command"
  refused 2 "$reprise" graph "$key" --output "$scratch/x.$name"
  harmless "an ending"
  refused 2 "$reprise" setup --insecure --curve "$name" "$scratch/made"
  harmless "a curve"
  refused 2 "$reprise" bench --op "$name"
  harmless "an operation"
  # What argp and getopt print about an argument: a sentence, and "Try ...".
  for arguments in devices "prove a b c d" "prove --threads" "prove --device" "prove --memory" "prove --sha256"; do
    # shellcheck disable=SC2086 # several words
    expect 2 "$reprise" $arguments "$name"
    harmless "$arguments"
    hint "$arguments"
  done
  for option in "--$name" "-$name" "--threads=$name" "--json=$name"; do
    expect 2 "$reprise" prove "$option"
    harmless "an option"
  done
  cp "$bls/witness.wtns" "$scratch/$name.wtns"
  refused 3 "$reprise" prove "$key" "$scratch/$name.wtns" "$scratch/proof" "$scratch/public"
  harmless "two files"
  refused 3 "$reprise" replay "$key" "$scratch/$name.wtns" --output-dir "$scratch/$name"
  harmless "a witness of several"
  refused 3 "$reprise" verify "$scratch/$name.wtns" "$bn/public.json" "$bn/proof.json"
  harmless "a verification key"
done
refused 4 "$reprise" info "$scratch/"$'a\x1b\n'
says 'a\x1b\x0a'
refused 4 "$reprise" info "$scratch/Schlüssel-鍵-🔑"
says 'Schlüssel-鍵-🔑'

# If a path is too long to print, the name of the file must still be printed.
deep=$scratch/$(printf 'folder-%03d/' $(seq 60))
mkdir -p "$deep"
cp "$key" "$deep/the.zkey"
cp "$wtns" "$deep/the.wtns"
cp "$bls/witness.wtns" "$deep/other.wtns"
cp "$bn/public.json" "$deep/the.json"
names() { # CODE NAME COMMAND...
  refused "$1" "$reprise" "${@:3}"
  says "$2"
  grep -q folder-000 "$scratch/stderr" && object "the beginning of a path: $(cat "$scratch/stderr")"
  return 0
}
names 4 folder-060//missing: info "$deep/missing"
names 4 folder-060//missing: prove "$deep/missing" "$wtns" "$scratch/proof" "$scratch/public"
names 3 folder-060//the.wtns: prove "$deep/the.wtns" "$deep/the.zkey" "$scratch/proof" "$scratch/public"
names 3 folder-060//the.zkey prove "$deep/the.zkey" "$deep/other.wtns" "$scratch/proof" "$scratch/public"
says folder-060//other.wtns
says 'is a key over bn128'
names 3 folder-060//other.wtns replay "$deep/the.zkey" "$deep/other.wtns" --output-dir "$deep"
[ "$(grep -o 'other.wtns' "$scratch/stderr" | wc -l)" = 1 ] || object "a name stands twice: $(cat "$scratch/stderr")"
names 3 folder-060//the.json verify "$deep/the.json" "$bn/public.json" "$bn/proof.json"
names 2 folder-060/the.zkey record "$deep/the.zkey" "$deep/../folder-060/the.zkey"
names 2 folder-060//new prove "$key" "$wtns" "$deep/new" "$deep/new"
names 2 folder-060//new.pdf graph "$key" --output "$deep/new.pdf"
names 4 folder-060//the.json/in: replay "$key" "$wtns" --output-dir "$deep/the.json/in"
names 4 folder-060//no/proof: prove "$key" "$wtns" "$deep/no/proof" "$scratch/public"
cp "$bls/proof.json" "$deep/other.json"
names 3 folder-060//other.json verify "$bn/verification_key.json" "$bn/public.json" "$deep/other.json"
finish
