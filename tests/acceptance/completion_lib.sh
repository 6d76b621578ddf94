# SPDX-License-Identifier: Apache-2.0 OR MIT
# Shared by the tests of completion: files to offer, the options of the command, and words that must not be executed.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
reprise=$(realpath "$1") completions=$(realpath "$2")
mkdir "$scratch/bin" "$scratch/work"
ln -s "$reprise" "$scratch/bin/reprise"
PATH=$scratch/bin:$PATH
cd "$scratch/work"
touch a.zkey b.wtns c.r1cs d.json e.rpk f.txt "with blank.zkey"
mkdir folder

options_of() { # COMMAND: its options, from its help
  local words
  read -ra words <<< "$1"
  reprise "${words[@]}" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z0-9-]+' |
    grep -oE -- '-[a-zA-Z]\b|--[a-z0-9-]+' | sort -u
}
# Commands have one or two words.
mapfile -t commands < <(reprise --help | sed -nE 's/^  ([a-z]+( [a-z]+)?) {2,}.*/\1/p')
first_words() { printf '%s\n' "${commands[@]%% *}" | sort -u; }
[ ${#commands[@]} -ge 16 ] || object "reprise --help names too few commands"
equal() { # what, file, file
  checks=$((checks + 1))
  diff "$2" "$3" > "$scratch/diff" && return
  object "$1: offered <, there are >"
  cat "$scratch/diff"
}

# Words that a shell, sed or awk would run if they were pasted into a program. None may make a file. `canary` is outside
# of "$scratch/work", the working folder of the commands.
canary=$scratch/canary
hostile=(
  "x//;e touch $canary #" "x//e;s//touch $canary/e;#" "x/e touch $canary;s/"
  "'x//;e>$canary;#'" "x//w$canary" "-x//w$canary"
  "--x//;w$canary" $'x//\ne>'"$canary"$'\ns/' "-o //;e>$canary;s/" "\$(touch $canary)" "\`touch $canary\`"
  "--\$(touch $canary)" "-\`touch $canary\`" "\";touch $canary;\"" "';touch $canary;'" "a[\$(touch $canary)]"
  "\${x:-\$(touch $canary)}" "|touch $canary" ";touch $canary"
)
harmless() { # WHAT
  checks=$((checks + 1))
  [ ! -e "$canary" ] && [ "$(ls "$scratch/work")" = "$there" ] && return
  object "Tab ran a command or made a file: $1"
  rm -f "$canary"
}
there=$(ls "$scratch/work")
