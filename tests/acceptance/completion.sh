#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: completion.sh REPRISE COMPLETIONS
# The completion for bash offers every command and every option of each, and nothing else; values of options; files by
# their endings. It is called through bash's variables. No word of the command line may be executed.
set -euo pipefail
. "$(dirname "$0")/completion_lib.sh"

# shellcheck disable=SC2034 # read by the function
bash_offers() { # WORDS..., the last one being completed
  (
    # shellcheck source=/dev/null
    . "$completions/reprise.bash"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _reprise
    printf '%s\n' "${COMPREPLY[@]}"
  )
}
[ "$(bash -c ". '$completions/reprise.bash' && complete -p reprise")" = "complete -F _reprise reprise" ] ||
  object "bash does not know the completion"
bash_offers reprise "" | grep -v '^-' | sort > "$scratch/offered"
first_words > "$scratch/there"
equal "commands in bash" "$scratch/offered" "$scratch/there"
for command in "${commands[@]}"; do
  read -ra words <<< "$command"
  bash_offers reprise "${words[@]}" - | sort -u > "$scratch/offered"
  options_of "$command" > "$scratch/there"
  [ -s "$scratch/there" ] || object "$command has no options"
  equal "options of $command in bash" "$scratch/offered" "$scratch/there"
done
offers() { # WHAT WORDS...: for these words, exactly WHAT is offered, in one line
  local got
  checks=$((checks + 1))
  got=$(bash_offers "${@:2}" | paste -sd ' ')
  [ "$got" = "$1" ] || object "bash offers \"$got\" and not \"$1\" for: ${*:2}"
}
offers "--no-verify" reprise prove --no
offers "cpu cuda" reprise prove --device c
offers "cpu cuda" reprise prove -d c
offers "png" reprise graph a.zkey --format = p
offers "dot json svg png" reprise graph a.zkey --format =
offers "dot json svg png" reprise graph -f ""
offers "folder" reprise replay -o f
offers "folder" reprise replay --output-dir = f
offers "folder c.r1cs" reprise setup --r1cs ""
offers "ntt ntt_reversed ntt_split_radix ntt_radix_passes" reprise bench --op ntt
offers "ntt ntt_reversed ntt_split_radix ntt_radix_passes" reprise bench -o ntt
offers "goldilocks" reprise bench -f gold
offers "full sha256" reprise setup --preset ""
offers "" reprise bench --runs ""
offers "drain init status submit work" reprise farm ""
offers "cpu cuda" reprise farm work --device c
offers "a.zkey b.wtns folder with blank.zkey" reprise farm submit ""
offers "a.zkey e.rpk folder with blank.zkey" reprise record ""
offers "with blank.zkey" reprise vkey w
offers "d.json folder" reprise verify ""
offers "folder" reprise setup ""
offers "folder" reprise serve ""
offers "cpu cuda" reprise serve --device c
offers "folder" reprise serve --programs f
for word in "${hostile[@]}"; do
  for line in "prove" "bench" "farm" "$word"; do
    bash_offers reprise "$line" "$word" "" > /dev/null 2>&1 || true
    harmless "reprise $line $word"
    bash_offers reprise "$line" "$word" = "x" > /dev/null 2>&1 || true
    harmless "reprise $line $word=x"
    bash_offers reprise "$line" "$word" > /dev/null 2>&1 || true
    harmless "reprise $line $word, the word itself"
  done
done
finish
