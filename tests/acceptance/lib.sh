# SPDX-License-Identifier: Apache-2.0 OR MIT
# Shared by the tests of the command: a scratch folder, expectations, and the verdict.
# shellcheck shell=bash
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch" 2> /dev/null; rm -rf "$scratch"' EXIT
failures=0 checks=0

skip() {
  echo "SKIP: $1"
  exit 77
}

object() {
  failures=$((failures + 1))
  echo "$1"
}

# The functions below run for every command of every test, thousands of times. They read with what bash has built in,
# since starting grep or wc takes as long as starting the command.

# Sets `text` to what the file holds.
read_text() { IFS= read -r -d '' text < "$1" || true; }

# A report of a sanitizer is a failure, whatever was expected.
no_report() {
  local text
  read_text "$scratch/stderr"
  case $text in *Sanitizer* | *'runtime error:'*)
    object "sanitizer report: $*"
    echo "$text"
    ;;
  esac
}

# expect CODE COMMAND...: runs the command, which must end with CODE. Its standard output is in $scratch/stdout, and its
# standard error in $scratch/stderr.
expect() {
  local want=$1 code=0
  shift
  checks=$((checks + 1))
  timeout 300 "$@" > "$scratch/stdout" 2> "$scratch/stderr" < /dev/null || code=$?
  no_report "$@"
  [ "$code" = "$want" ] && return
  object "exit code $code instead of $want: $*"
  head -5 "$scratch/stderr"
}

# After a failure there must be one readable line on standard error.
one_sentence() {
  local text line
  read_text "$scratch/stderr"
  line=${text%$'\n'}
  [ "$line"$'\n' = "$text" ] && [[ $line != *$'\n'* && $line =~ ^reprise[a-z\ ]*:\ .{8,}$ ]] && return
  object "not one sentence on standard error: $*"
  head -5 "$scratch/stderr"
}

refused() {
  expect "$@"
  one_sentence "${@:2}"
}

# same A B, differs A B: compare the contents of two files
same() { cmp -s "$1" "$2" || object "$1 and $2 differ"; }
absent() { for f in "$@"; do [ ! -e "$f" ] || object "$f was left behind"; done; }

finish() {
  echo "$checks runs of the command, $failures objections"
  [ "$failures" = 0 ]
}
