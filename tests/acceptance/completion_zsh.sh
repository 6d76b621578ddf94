#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: completion_zsh.sh REPRISE COMPLETIONS
# The completion for zsh offers every command and every option of each, and nothing else; values of options; files by
# their endings. It is used in a terminal of its own. No word of the command line may be executed.
set -euo pipefail
command -v zsh > /dev/null || {
  echo "SKIP: zsh is not installed"
  exit 77
}
. "$(dirname "$0")/completion_lib.sh"

# One shell answers all questions: an answer is what it prints from Tab to the mark that it prints when its list is
# complete.
cat > "$scratch/ask.zsh" << 'END'
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "PS1=; unsetopt prompt_sp; stty cols 250 rows 200; fpath=($1 \$fpath); autoload -Uz compinit"
zpty -w shell "compinit -u -D; LISTMAX=1000; cd $2; offer() { zle expand-or-complete; zle -R; print -n '<EN''D>' }"
zpty -w shell "zle -N offer; bindkey '^I' offer; print REA''DY"
zpty -r -m shell out '*READY*'
while IFS= read -r line; do
  zpty -w -n shell $'\x15'"$line"$'\t'
  zpty -r -m shell out '*<END>*'
  print -r -- "== $line"
  print -r -- "$out"
done
zpty -d shell
END
{
  echo "reprise "
  for command in "${commands[@]}"; do echo "reprise $command -"; done
  echo "reprise farm "
  printf '%s\n' "reprise prove --device c" "reprise graph --format=" "reprise bench --op ntt" "reprise info a"
  for word in "${hostile[@]}"; do # quoted, because zsh itself expands other words
    [[ $word != *$'\n'* ]] || continue
    word=\'${word//\'/\'\\\'\'}\'
    printf '%s\n' "reprise prove $word " "reprise bench $word=" "reprise graph $word" "reprise $word " "reprise $word -"
  done
} > "$scratch/lines"
checks=$((checks + 1))
timeout 300 zsh -f "$scratch/ask.zsh" "$completions" "$scratch/work" < "$scratch/lines" 2> "$scratch/why" |
  sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g' | sed 's/<END>.*//' | tr -d '\r\a' > "$scratch/zsh" ||
  object "zsh does not answer: $(cat "$scratch/why")"
zsh_answer() { # LINE
  awk -v line="== $1" '/^== / { on = $0 == line; next } on' "$scratch/zsh"
}
zsh_answer "reprise " | sed -nE 's/^([a-z]+) +-- .*/\1/p' | sort > "$scratch/offered"
first_words > "$scratch/there"
equal "commands in zsh" "$scratch/offered" "$scratch/there"
for command in "${commands[@]}"; do
  zsh_answer "reprise $command -" | sed -nE 's/^(--?[a-zA-Z].*) +-- .*/\1/p' | tr -s ' ' '\n' | sed '/^$/d' |
    sort -u > "$scratch/offered"
  options_of "$command" > "$scratch/there"
  equal "options of $command in zsh" "$scratch/offered" "$scratch/there"
done
in_zsh() { # PATTERN LINE
  checks=$((checks + 1))
  zsh_answer "$2" | tr -s ' \n' '  ' | grep -E -- "$1" > /dev/null ||
    object "zsh offers \"$(zsh_answer "$2")\" and not \"$1\" for: $2"
}
in_zsh "drain .*init .*status .*submit .*work " "reprise farm "
in_zsh "cpu cuda" "reprise prove --device c"
in_zsh "dot json png svg" "reprise graph --format="
in_zsh "ntt ntt_radix_passes ntt_reversed ntt_split_radix" "reprise bench --op ntt"
in_zsh "reprise info a\.zkey" "reprise info a"
harmless "one of the words in zsh"
finish
