# SPDX-License-Identifier: Apache-2.0 OR MIT
# snarkjs for tests that ask it many times: `judge_begin NPM_FOLDER` starts judge.cjs. After that, `snarkjs
# ARGUMENTS...` has the output and the exit code of snarkjs's command. Arguments have no white space. If the process
# ends, the test ends too, because a missing answer must not count as a refusal.
# shellcheck shell=bash
judge_begin() {
  coproc judge { exec node "${BASH_SOURCE[0]%/*}/judge.cjs" "$1" 2>&1; }
}

# Waits for the process, so that its time counts as time of the test.
judge_end() {
  [ -n "${judge_PID:-}" ] || return 0
  local process=$judge_PID
  # shellcheck disable=SC1083,SC2093 # the braces name the descriptor that is closed
  exec {judge[1]}>&-
  wait "$process" || true
}

snarkjs() {
  local line
  printf '%s\n' "$*" >&"${judge[1]}"
  while read -r line <&"${judge[0]}"; do
    case $line in
      'exit 2') break ;;
      'exit '[01]) return "${line#exit }" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
  echo "FAILED: no answer of snarkjs to: $*" >&2
  exit 1
}
