# SPDX-License-Identifier: Apache-2.0 OR MIT
# Completion of the command reprise for bash. Commands, options and what they take are read from the help of the command
# that is being completed, so that they cannot differ from what it knows.

# Lines "WORD VALUE" for the options of a command: --output FILE, -o FILE, --json.
_reprise_options() { # REPRISE COMMAND
  local words
  read -ra words <<< "$2"
  "$1" "${words[@]}" --help 2> /dev/null |
    sed -nE 's/^ {2,6}((-.), )?(--[a-z0-9-]+)(=([^ ]+))?( .*)?$/\3 \5\n\2 \5/p' | sed '/^ /d'
}

# The name that the help gives to the value of an option; nothing if it takes none, or if the word is no option.
# The word is compared and never put into a program: it may hold anything.
_reprise_value_of() { # REPRISE COMMAND WORD
  local option value
  [[ $3 == -* ]] || return 0
  while read -r option value; do
    [[ $option != "$3" ]] || { printf '%s\n' "$value" && return; }
  done < <(_reprise_options "$1" "$2")
}

# What an option takes, by the name that its help gives to the value.
_reprise_values() { # REPRISE OPTION VALUE WORD
  case $3 in
    DEVICE) compgen -W "auto cpu cuda vulkan" -- "$4" ;;
    FORMAT) compgen -W "dot json svg png" -- "$4" ;;
    SPREAD) compgen -W "uniform equal bits clustered" -- "$4" ;;
    CURVE) compgen -W "bn254 bls12381" -- "$4" ;;
    DIR) compgen -d -- "$4" ;;
    ZKEY) _reprise_files "$4" zkey ;;
    FILE)
      case $2 in
        --r1cs) _reprise_files "$4" r1cs ;;
        --wtns) _reprise_files "$4" wtns ;;
        *) compgen -f -- "$4" ;;
      esac
      ;;
    NAME)
      case $2 in # bench lists the valid names when it is given another one
        --preset) compgen -W "full sha256" -- "$4" ;;
        *) compgen -W "$("$1" bench "$2" "?" 2>&1 | sed -n 's/.* there are //p' | tr -d ,)" -- "$4" ;;
      esac
      ;;
  esac
}

# Folders, and files with one of the endings.
_reprise_files() { # WORD ENDING...
  local word=$1 ending
  shift
  compgen -d -- "$word"
  for ending in "$@"; do compgen -f -X "!*.$ending" -- "$word"; done
}

_reprise_arguments() { # COMMAND WORD
  case $1 in
    prove) _reprise_files "$2" zkey rpk wtns json ;;
    profile | replay) _reprise_files "$2" zkey rpk wtns ;;
    verify | calldata) _reprise_files "$2" json ;;
    view) _reprise_files "$2" zkey rpk rpg wtns json ;;
    record | vkey | graph) _reprise_files "$2" zkey rpk ;;
    info) _reprise_files "$2" zkey rpk wtns r1cs ;;
    bench | setup | serve) compgen -d -- "$2" ;;
    "farm submit") _reprise_files "$2" zkey wtns ;;
  esac
}

# The commands, or the second words of those that begin with a word.
_reprise_commands() { # REPRISE [FIRST]
  local pattern='s/^  ([a-z]+)( [a-z]+)? {2,}.*/\1/p'
  [ -z "${2-}" ] || pattern="s/^  $2 ([a-z]+) {2,}.*/\1/p"
  "$1" --help 2> /dev/null | sed -nE "$pattern" | sort -u
}

_reprise() {
  local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]-} word=${COMP_WORDS[COMP_CWORD]} option value
  local at=$((COMP_CWORD - 1))
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_reprise_commands "$program") -h --help -V --version" -- "$word")
    return
  fi
  if [ "$command" = farm ]; then
    if [ "$COMP_CWORD" = 2 ]; then
      mapfile -t COMPREPLY < <(compgen -W "$(_reprise_commands "$program" farm)" -- "$word")
      return
    fi
    command="farm ${COMP_WORDS[2]}"
  fi
  # bash splits --option=value at the sign
  [ "$word" != = ] || word=
  [ "${COMP_WORDS[COMP_CWORD]}" = = ] || [ "${COMP_WORDS[at]}" != = ] || at=$((at - 1))
  option=${COMP_WORDS[at]}
  value=$(_reprise_value_of "$program" "$command" "$option")
  if [ -n "$value" ]; then
    case $option in -o) [ "$command" != bench ] || option=--op ;; -f) [ "$command" != bench ] || option=--type ;; esac
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(_reprise_values "$program" "$option" "$value" "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_reprise_options "$program" "$command" | cut -d ' ' -f 1)" -- "$word")
  else
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(_reprise_arguments "$command" "$word" | sort -u)
  fi
}

complete -F _reprise reprise
