#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: drawing.sh REPRISE DATA
# If Graphviz does not draw, the reason is printed: that it is not installed, that it cannot be started, or how it ended
# and what it printed. Scripts take the place of its program. No picture is left.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$(realpath "$1") key=$2/fixtures/multiplier_bn254/circuit.zkey
mkdir "$scratch/bin"
dot() { # LINE...: the script that takes the place of Graphviz's program
  printf '%s\n' "#!/bin/sh" "$@" > "$scratch/bin/dot"
  chmod +x "$scratch/bin/dot"
}
draw() { # CODE [COMMAND...]
  refused "$1" env PATH="$scratch/bin" "${@:2}" "$reprise" graph "$key" --output "$scratch/graph.svg"
  absent "$scratch/graph.svg"
}
says() { grep -qF -- "$1" "$scratch/stderr" || object "\"$(cat "$scratch/stderr")\" does not say \"$1\""; }
silent() { grep -q "$1" "$scratch/stderr" && object "not so: $(cat "$scratch/stderr")"; return 0; }

for kind in svg png; do
  refused 6 env PATH=/nowhere "$reprise" graph "$key" --output "$scratch/none.$kind"
  says "which is not installed: apt-get install graphviz"
  absent "$scratch/none.$kind"
done
dot 'exit 0'
chmod -x "$scratch/bin/dot"
draw 6
says "cannot be started: Permission denied"
silent install
printf '#!/no/such/interpreter\n' > "$scratch/bin/dot"
chmod +x "$scratch/bin/dot"
draw 6
dot 'exit 3'
draw 6
says "the program dot of Graphviz ended with exit code 3"
silent install
dot "printf 'Format: \"svg\" not recognized.\\nUse one of: \\n' >&2" 'exit 1'
draw 6
says 'ended with exit code 1: Format: "svg" not recognized.'
silent "Use one of"
dot "printf 'bad \\033[31m news\\n' >&2" 'exit 1'
draw 6
says 'bad \x1b[31m news'
dot "kill -9 \$\$"
draw 6
says "the program dot of Graphviz was ended by signal 9"
draw 6 /usr/bin/env --ignore-signal=CHLD
says "was ended by signal 9"
# What Graphviz prints when it has drawn is not shown.
dot 'echo "Warning: no fonts" >&2' 'while read -r line; do :; done' 'echo drawn'
expect 0 env PATH="$scratch/bin" "$reprise" graph "$key" --output "$scratch/graph.svg"
[ "$(cat "$scratch/graph.svg")" = drawn ] && [ ! -s "$scratch/stderr" ] || object "not what was drawn, or not quiet"
finish
