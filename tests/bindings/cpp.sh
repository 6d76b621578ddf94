#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: cpp.sh BUILD DATA CXX
# reprise.hpp as it is installed, with all warnings: the example of its README, its examples with their output, and the
# test program, with exceptions under the sanitizers, and without exceptions.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
build=$1 data=$2 cxx=$3
source=$PWD
cmake --build "$build" --target reprise_static reprise_shared reprise_api > "$tmp/log" || { cat "$tmp/log"; exit 1; }
for component in dev runtime; do
  cmake --install "$build" --prefix "$tmp/prefix" --component $component > "$tmp/log" || { cat "$tmp/log"; exit 1; }
done
pc=$(dirname "$(find "$tmp/prefix" -name reprise.pc)")
read -ra flags <<< "$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs reprise)"
strict=(-std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
make_program() { # NAME SOURCE OPTION ...
  local name=$1 file=$2
  shift 2
  "$cxx" "${strict[@]}" "$@" "$file" -o "$tmp/$name" "${flags[@]}" -Wl,-rpath,"$(dirname "$pc")" > "$tmp/log" 2>&1 ||
    object "$name does not compile: $(head -20 "$tmp/log")"
}

mkdir "$tmp/empty"
cd "$tmp/empty"
fixture=$data/fixtures/multiplier_bn254
cp "$fixture"/{circuit.zkey,witness.wtns} .
awk '/^```cpp$/ { on = 1; next } /^```$/ { on = 0 } on' "$source/bindings/cpp/README.md" > readme.cpp
make_program readme readme.cpp
make_program hello "$source/bindings/cpp/examples/hello.cpp"
make_program prove "$source/bindings/cpp/examples/prove.cpp"
make_program batch "$source/bindings/cpp/examples/batch.cpp" -fno-exceptions
for example in saved_graph custom_op event_loop sumcheck; do
  make_program $example "$source/bindings/cpp/examples/$example.cpp"
done
make_program memory "$source/tests/bindings/memory/memory.cpp"
make_program checked "$source/tests/bindings/cpp/test_cpp.cpp" -g -fsanitize=address,undefined
make_program results "$source/tests/bindings/cpp/test_cpp.cpp" -fno-exceptions -DNO_EXCEPTIONS
[ "$objections" = 0 ] || finish

"$tmp/readme" > log 2>&1 || object "README: $(cat log)"
grep -q '"protocol": "groth16"' log && [ "$(tail -1 log)" = RP_ERR_FILE ] || object "README prints $(cat log)"
[ "$("$tmp/hello")" = "1 4 10 12 9 0 0 0 " ] || object "hello prints $("$tmp/hello")"
lines=$(awk '/^int main/ { on = 1; next } /^}/ { on = 0 } on' "$source/bindings/cpp/examples/hello.cpp" | wc -l)
[ "$lines" -le 12 ] || object "hello has $lines lines"
"$tmp/prove" circuit.zkey witness.wtns > log && grep -q '"protocol": "groth16"' log || object "prove: $(cat log)"
! "$tmp/prove" /nowhere.zkey witness.wtns > log 2>&1 || object "prove succeeds without a key"
grep -q '^RP_ERR_FILE: /nowhere.zkey' log || object "prove without a key prints $(cat log)"
"$tmp/batch" circuit.zkey witness.wtns witness.wtns > log || object "batch: $(cat log)"
[ "$(grep -c 'proved and verified$' log)" = 2 ] || object "batch prints $(cat log)"
! "$tmp/batch" circuit.zkey witness.wtns /nowhere.wtns > log 2>&1 || object "batch succeeds without a witness"
! "$tmp/batch" /nowhere.zkey witness.wtns > log 2>&1 || object "batch succeeds without a key"
grep -q '^RP_ERR_FILE: /nowhere.zkey' log || object "batch without a key prints $(cat log)"
"$tmp/saved_graph" sum.rpg > log 2>&1 || true
[ "$(cat log)" = $'built:  12345678\nloaded: 12345678' ] || object "saved_graph prints $(cat log)"
[ "$("$tmp/custom_op" 2>&1)" = "0 0 1 3 11 75 " ] || object "custom_op prints $("$tmp/custom_op" 2>&1)"
"$tmp/event_loop" circuit.zkey witness.wtns witness.wtns witness.wtns > log 2>&1 || object "event_loop: $(cat log)"
[ "$(grep -c '^proved and verified$' log)" = 3 ] || object "event_loop prints $(cat log)"
! "$tmp/event_loop" circuit.zkey circuit.zkey witness.wtns > log 2>&1 || object "event_loop takes a key for a witness"
[ "$(grep -c '^proved and verified$' log)" = 1 ] || object "event_loop with a key prints $(cat log)"
"$tmp/sumcheck" 6 3 > log 2>&1 || object "sumcheck fails"
grep -q '^3 of 3 proofs of 6 rounds hold; of 3 with a changed value, 3 are refused$' log ||
  object "sumcheck prints $(cat log)"
flat C++ "$data" "$tmp/memory"
for program in checked results; do
  "$tmp/$program" "$data" > log 2>&1 || object "$program: $(tail -20 log)"
done
finish
