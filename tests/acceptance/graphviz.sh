#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: graphviz.sh REPRISE DATA
# Graphviz draws the graph of a key, also of PLONK, whose phases need each other.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 key=$2/fixtures/multiplier_bn254/circuit.zkey
command -v dot > /dev/null || skip "Graphviz is not installed"

is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] || object "no PNG in $1"; }
expect 0 "$reprise" graph "$key" --output "$scratch/graph.svg"
grep -q '<svg' "$scratch/graph.svg" || object "no SVG"
for protocol in plonk fflonk; do
  expect 0 "$reprise" graph "$2/$protocol/multiplier/circuit.zkey" --output "$scratch/$protocol.svg"
  grep -q '<svg' "$scratch/$protocol.svg" || object "no SVG of $protocol"
  width=$(sed -n 's/^<svg width="\([0-9]*\)pt".*/\1/p' "$scratch/$protocol.svg")
  [ "${width:-99999}" -lt 3500 ] || object "$protocol is $width points wide: its phases stand beside each other"
done
expect 0 "$reprise" graph "$key" --output "$scratch/graph.png"
is_png "$scratch/graph.png"
expect 0 "$reprise" graph "$key" --format png
is_png "$scratch/stdout"
# A parent process that ignores SIGCHLD passes that on; the command still finds out how dot ended.
expect 0 env --ignore-signal=CHLD "$reprise" graph "$key" --output "$scratch/orphan.svg"
grep -q '<svg' "$scratch/orphan.svg" || object "no SVG where the end of children is ignored"
finish
