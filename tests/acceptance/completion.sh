#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: completion.sh REPRISE COMPLETIONS
# The shells offer every command and every option of each, and nothing else; values of options; files by their endings.
# bash is asked through its own variables, zsh in a terminal of its own.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$(realpath "$1") completions=$(realpath "$2")
mkdir "$scratch/bin" "$scratch/work"
ln -s "$reprise" "$scratch/bin/reprise"
PATH=$scratch/bin:$PATH
cd "$scratch/work"
touch a.zkey b.wtns c.r1cs d.json e.rpk f.txt "with blank.zkey"
mkdir folder

options_of() { # COMMAND: as its help has them
  reprise "$1" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z0-9-]+' | grep -oE -- '-[a-zA-Z]\b|--[a-z0-9-]+' | sort -u
}
commands=$(reprise --help | sed -nE 's/^  ([a-z]+) {2,}.*/\1/p')
[ "$(wc -w <<< "$commands")" -ge 11 ] || object "reprise --help names too few commands"
equal() { # what, file, file
  checks=$((checks + 1))
  diff "$2" "$3" > "$scratch/diff" && return
  object "$1: offered <, there are >"
  cat "$scratch/diff"
}

# ---- bash
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
sort <<< "$commands" > "$scratch/there"
equal "commands in bash" "$scratch/offered" "$scratch/there"
for command in $commands; do
  bash_offers reprise "$command" - | sort -u > "$scratch/offered"
  options_of "$command" > "$scratch/there"
  [ -s "$scratch/there" ] || object "$command has no options"
  equal "options of $command in bash" "$scratch/offered" "$scratch/there"
done
offers() { # WHAT WORDS...: what is offered, in one line
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
offers "ntt ntt_reversed" reprise bench --op ntt
offers "ntt ntt_reversed" reprise bench -o ntt
offers "goldilocks" reprise bench -f gold
offers "full sha256" reprise setup --preset ""
offers "" reprise bench --runs ""
offers "a.zkey e.rpk folder with blank.zkey" reprise record ""
offers "with blank.zkey" reprise vkey w
offers "d.json folder" reprise verify ""
offers "folder" reprise setup ""

# ---- zsh
if ! command -v zsh > /dev/null; then
  object "zsh is needed"
  finish
fi
# One shell for all questions: what it prints from Tab to the mark that it prints when its list is there.
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
  for command in $commands; do echo "reprise $command -"; done
  printf '%s\n' "reprise prove --device c" "reprise graph --format=" "reprise bench --op ntt" "reprise info a"
} > "$scratch/lines"
checks=$((checks + 1))
timeout 300 zsh -f "$scratch/ask.zsh" "$completions" "$scratch/work" < "$scratch/lines" 2> "$scratch/why" |
  sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g' | sed 's/<END>.*//' | tr -d '\r\a' > "$scratch/zsh" ||
  object "zsh does not answer: $(cat "$scratch/why")"
zsh_answer() { # LINE
  awk -v line="== $1" '/^== / { on = $0 == line; next } on' "$scratch/zsh"
}
zsh_answer "reprise " | sed -nE 's/^([a-z]+) +-- .*/\1/p' | sort > "$scratch/offered"
sort <<< "$commands" > "$scratch/there"
equal "commands in zsh" "$scratch/offered" "$scratch/there"
for command in $commands; do
  zsh_answer "reprise $command -" | sed -nE 's/^(--?[a-zA-Z].*) +-- .*/\1/p' | tr -s ' ' '\n' | sed '/^$/d' |
    sort -u > "$scratch/offered"
  options_of "$command" > "$scratch/there"
  equal "options of $command in zsh" "$scratch/offered" "$scratch/there"
done
in_zsh() { # PATTERN LINE
  checks=$((checks + 1))
  zsh_answer "$2" | tr -s ' \n' '  ' | grep -qE -- "$1" ||
    object "zsh offers \"$(zsh_answer "$2")\" and not \"$1\" for: $2"
}
in_zsh "cpu cuda" "reprise prove --device c"
in_zsh "dot json png svg" "reprise graph --format="
in_zsh "ntt ntt_reversed" "reprise bench --op ntt"
in_zsh "reprise info a\.zkey" "reprise info a"
finish
