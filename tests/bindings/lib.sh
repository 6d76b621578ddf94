# SPDX-License-Identifier: Apache-2.0 OR MIT
# Shared by the tests of the bindings: a temporary folder, a Python, objections and the verdict.
# shellcheck shell=bash
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
objections=0

skip() {
  echo "SKIP: $1"
  exit 77
}

object() {
  printf '%s\n' "$*"
  objections=$((objections + 1))
}

finish() {
  [ "$objections" = 0 ] || { echo "$objections objections"; exit 1; }
  exit 0
}

# find_python [MODULE ...]: sets `python` to one of version 3.9 or newer that has all of these modules. That of the
# system is tried first, because Debian's packages are for it.
find_python() {
  for python in "${PYTHON:-/usr/bin/python3}" python3; do
    if "$python" -c "import sys; assert sys.version_info >= (3, 9)" 2> /dev/null &&
      "$python" -c "import sys, importlib; [importlib.import_module(m) for m in sys.argv[1:]]" "$@" 2> /dev/null; then
      return 0
    fi
  done
  skip "no python3 (3.9 or newer) with the modules: ${*:-none} (apt install python3${*:+ ${*/#/python3-}})"
}
