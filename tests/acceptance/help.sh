#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: help.sh REPRISE MANUAL
# --help and the manual page list the same commands, arguments, options and exit codes.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 manual=$2

# The lines of a section of the manual as plain text, with the dashes of its options.
section() { # .SH or .SS, name
  awk -v kind="$1" -v name="$2" '
    /^\.S[HS] / { on = ($1 == kind && substr($0, 5) == name) || (on && kind == ".SH" && $1 == ".SS"); next }
    on' "$manual" | sed 's/\\-/-/g; s/\\f[A-Z]//g'
}
of_manual() {
  grep -E '^\.BR? ' | grep -oE '(^\.BR? |[ ,"])(-[a-zA-Z]|--[a-z0-9-]+)' |
    grep -oE -- '-[a-zA-Z]$|--[a-z0-9-]+' | sort -u
}
of_help() { grep -oE '^ +(-[a-zA-Z?], )?--[a-z0-9-]+' | grep -oE -- '-[a-zA-Z?]\b|--[a-z0-9-]+' | sort -u; }
equal() { # what, file, file
  diff "$2" "$3" > "$scratch/diff" && return
  object "$1 differ, the command's < and the manual's >"
  cat "$scratch/diff"
}

section .SH "COMMON OPTIONS" | of_manual | grep -vE '^(-V|--version)$' > "$scratch/common"
: > "$scratch/seen"

expect 0 "$reprise" --help
cp "$scratch/stdout" "$scratch/help"
mapfile -t commands < <(sed -nE 's/^  ([a-z]+( [a-z]+)?)  .*/\1/p' "$scratch/help")
[ ${#commands[@]} -ge 16 ] || object "reprise --help names too few commands"
grep -oE '^\.SS [a-z ]+' "$manual" | cut -c5- | sort > "$scratch/manual"
printf '%s\n' "${commands[@]}" | sort > "$scratch/command"
equal "commands" "$scratch/command" "$scratch/manual"
for command in "${commands[@]}"; do
  read -ra words <<< "$command"
  expect 0 "$reprise" "${words[@]}" --help
  [ -s "$scratch/stderr" ] && object "reprise $command --help writes to standard error"
  cp "$scratch/stdout" "$scratch/help"
  of_help < "$scratch/help" > "$scratch/options"
  comm -12 "$scratch/options" "$scratch/common" >> "$scratch/seen"
  comm -23 "$scratch/options" "$scratch/common" > "$scratch/command"
  section .SS "$command" | of_manual > "$scratch/manual" || true
  equal "options of $command" "$scratch/command" "$scratch/manual"
  # Usage: reprise prove [OPTION...] ZKEY ...
  sed -n 's/^Usage: reprise //p' "$scratch/help" | tr -d ' ' >> "$scratch/usage"
done
equal "common options" <(sort -u "$scratch/seen") "$scratch/common"
for option in -V --version -h --help; do expect 0 "$reprise" $option; done
section .SH SYNOPSIS | grep -v '^\.br' | paste -sd ' ' |
  sed 's/\.B reprise /\n/g' | sed 's/^\([a-z]*\) --insecure/\1/; s/\.RI//; s/[" ]//g' | grep . > "$scratch/manual"
equal "arguments" <(sort "$scratch/usage") <(sort "$scratch/manual")

# The exit codes of reprise --help are those of the manual, where they are in sentences.
expect 0 "$reprise" --help
sed -nE 's/^  ([0-7]  .*)/\1/p' "$scratch/stdout" > "$scratch/command"
[ "$(wc -l < "$scratch/command")" = 8 ] || object "reprise --help has not eight exit codes"
section .SH "EXIT STATUS" | sed -nE '/^\.B [0-7]$/ { N; s/^\.B ([0-7])\n(.)(.*)\.$/\1  \l\2\3/p }' > "$scratch/manual"
equal "exit codes" "$scratch/command" "$scratch/manual"
finish
