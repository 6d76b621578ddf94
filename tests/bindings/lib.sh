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

# peer_folder SYSTEM DATA: prints a folder with what tests/bindings/node/peer.cjs reads. FFLONK has the circuit of
# PLONK, with whose inputs and program it is proved.
peer_folder() {
  case $1 in
    groth16) echo "$2/fixtures/multiplier_bn254" ;;
    plonk) echo "$2/plonk/multiplier" ;;
    fflonk)
      mkdir -p "$tmp/fflonk"
      cp "$2"/plonk/multiplier/{circuit.wasm,input.json} "$2"/fflonk/multiplier/*.{zkey,json} "$tmp/fflonk"
      echo "$tmp/fflonk"
      ;;
  esac
}

# flat NAME DATA COMMAND ...: what is resident while COMMAND (tests/bindings/memory) makes $PROOFS proofs (by default
# 200) of a small circuit by Groth16, and a tenth of them by PLONK and FFLONK, is printed in MiB after each tenth, and
# grows by less than half a MiB after the third one. The provers are not closed, and the process ends by itself.
flat() {
  local name=$1 data=$2 system protocol folder proofs
  shift 2
  for system in groth16:fixtures/multiplier_bn254 plonk:plonk/multiplier fflonk:fflonk/multiplier; do
    protocol=${system%:*} folder=$data/${system#*:} proofs=${PROOFS:-200}
    [ "$protocol" = groth16 ] || proofs=$((proofs / 10))
    timeout 1200 "$@" "$protocol" "$folder/circuit.zkey" "$folder/witness.wtns" "$proofs" \
      > "$tmp/curve" 2> "$tmp/log" ||
      object "$name, $protocol: code $?: $(tail -3 "$tmp/log")"
    echo "$name, $proofs proofs by $protocol, MiB:$(awk '{ printf " %.1f", $1 / 1048576 }' "$tmp/curve")"
    awk 'NR == 3 { first = $1 } { last = $1 } END { exit !(NR == 10 && last - first < 524288) }' "$tmp/curve" ||
      object "$name, $protocol: memory grows"
  done
}
