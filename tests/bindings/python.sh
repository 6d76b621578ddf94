#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: python.sh BUILD DATA CC
# The wheel is built without network and installed into an empty folder; there the examples of its README run, then the
# tests in tests/bindings/python, with NumPy and without.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
build=$1 data=$2 cc=$3
source=$PWD
find_python numpy setuptools wheel pip
rm -f "$build"/bindings/dist/*.whl
cmake --build "$build" --target wheel > "$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
wheels=("$build"/bindings/dist/*.whl)
[ ${#wheels[@]} = 1 ] || object "${#wheels[@]} wheels instead of one: ${wheels[*]}"
mkdir "$tmp/site" "$tmp/empty"
"$python" -m pip --disable-pip-version-check install --quiet --no-index --no-deps --no-compile --target "$tmp/site" \
  "${wheels[0]}" > "$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }

cd "$tmp/empty"
unset REPRISE_LIBRARY PYTHONPATH
run() { PYTHONPATH=$tmp/site PYTHONDONTWRITEBYTECODE=1 timeout 600 "$python" -W error "$@"; }
cp "$data/fixtures/multiplier_bn254"/{circuit.zkey,witness.wtns,verification_key.json} .
awk -v out="$tmp/readme" '/^```python$/ { on = 1; n++; next } /^```$/ { on = 0 } on { print > (out n ".py") }' \
  "$source/bindings/python/README.md"
for piece in "$tmp"/readme*.py; do
  run "$piece" > "$piece.out" 2>&1 || object "README, the example $(basename "$piece"): $(tail -3 "$piece.out")"
done
grep -q '"protocol": *"groth16"' "$tmp/readme1.py.out" || object "README: no proof is printed"
grep -qxF '[1, 4, 10, 12, 9, 0, 0, 0]' "$tmp/readme2.py.out" || object "README: another square"
run "$source/bindings/python/examples/quotient.py" > "$tmp/log" 2>&1 || object "quotient.py: $(cat "$tmp/log")"
[ "$(grep -c 'the identity holds: True' "$tmp/log")" = 2 ] && grep -q 'with a wrong witness: False' "$tmp/log" ||
  object "quotient.py prints $(cat "$tmp/log")"

if command -v mypy > /dev/null; then # the types of the package, and what it says to those who use it
  cp "$source/bindings/python/examples/quotient.py" "$source/tests/bindings/python/types_of_users.py" .
  (cd "$tmp/site" && mypy --strict --cache-dir=/dev/null reprise "$tmp"/empty/{quotient,types_of_users}.py) \
    > "$tmp/log" 2>&1 || object "mypy: $(cat "$tmp/log")"
else
  echo "mypy is not installed: the types are not checked (apt install mypy)"
fi
PYTHONPATH=$tmp/site PYTHONDONTWRITEBYTECODE=1 flat Python "$data" "$python" -W error \
  "$source/tests/bindings/memory/memory.py"

"$cc" -shared -fPIC -O1 -o cube.so "$source/tests/bindings/python/cube.c"
for module in "$source"/tests/bindings/python/test_*.py; do
  DATA=$data CUBE=$tmp/empty/cube.so run "$module" > "$tmp/log" 2>&1 ||
    object "$(basename "$module"): $(tail -40 "$tmp/log")"
done
DATA=$data HIDE_NUMPY=1 run "$source/tests/bindings/python/test_graphs.py" > "$tmp/log" 2>&1 ||
  object "without NumPy: $(tail -40 "$tmp/log")"
finish
