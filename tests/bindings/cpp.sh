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
# One per processor at a time; `made` waits for them, and objects to those that do not compile.
make_program() { # NAME SOURCE OPTION ...
  local name=$1 file=$2
  shift 2
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
  { "$cxx" "${strict[@]}" "$file" "$@" -o "$tmp/$name" "${flags[@]}" -Wl,-rpath,"$(dirname "$pc")" \
    > "$tmp/$name.log" 2>&1 || mv "$tmp/$name.log" "$tmp/$name.failed"; } &
}
made() {
  local failed
  wait
  for failed in "$tmp"/*.failed; do
    [ ! -e "$failed" ] || object "$(basename "$failed" .failed) does not compile: $(head -20 "$failed")"
  done
  [ "$objections" = 0 ] || finish
}

mkdir "$tmp/empty"
cd "$tmp/empty"
fixture=$data/fixtures/multiplier_bn254
cp "$fixture"/{circuit.zkey,witness.wtns} .
awk '/^```cpp$/ { on = 1; next } /^```$/ { on = 0 } on' "$source/bindings/cpp/README.md" > readme.cpp
make_program readme readme.cpp
make_example() { # NAME OPTION ...
  local name=$1
  shift
  make_program "$name" "$source/bindings/cpp/examples/$name.cpp" "$@"
}
# Each C example that is a program has a twin in C++, and each of these is tried below, or needs a driver.
twins=$(cd "$source/bindings/cpp/examples" && printf '%s\n' *.cpp | sed 's/\.cpp$//')
programs=$(cd "$source/examples" && grep -l '^int main(' -- *.c | sed 's/\.c$//')
diff <(echo "$programs") <(echo "$twins") > "$tmp/log" ||
  object "examples (<) and bindings/cpp/examples (>) differ: $(cat "$tmp/log")"
for example in $twins; do
  case $example in
    batch | fri | cuda_stream | vulkan_device) ;;
    *) make_example "$example" ;;
  esac
done
"$cxx" -x c -std=c17 -O1 -I"$tmp/prefix/include" -c "$source/examples/fri_verify.c" -o "$tmp/fri_verify.o"
make_example fri "$tmp/fri_verify.o"
make_program batch "$source/bindings/cpp/examples/batch.cpp" -fno-exceptions
make_program memory "$source/tests/bindings/memory/memory.cpp"
make_program checked "$source/tests/bindings/cpp/test_cpp.cpp" -g -fsanitize=address,undefined
make_program results "$source/tests/bindings/cpp/test_cpp.cpp" -fno-exceptions -DNO_EXCEPTIONS
# Examples that need a driver's header and library.
cuda=$(ls -d /usr/local/cuda*/include 2> /dev/null | tail -1 || true)
[ ! -e "$cuda/cuda.h" ] || make_example cuda_stream -isystem "$cuda" -L"$cuda/../lib64/stubs" -lcuda
[ ! -e /usr/include/vulkan/vulkan.h ] || make_example vulkan_device -lvulkan
made

"$tmp/readme" > log 2>&1 || object "README: $(cat log)"
grep -q '"protocol": "groth16"' log && [ "$(tail -1 log)" = RP_ERR_FILE ] || object "README prints $(cat log)"
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
"$tmp/event_loop" circuit.zkey witness.wtns witness.wtns witness.wtns > log 2>&1 || object "event_loop: $(cat log)"
[ "$(grep -c '^proved and verified$' log)" = 3 ] || object "event_loop prints $(cat log)"
! "$tmp/event_loop" circuit.zkey circuit.zkey witness.wtns > log 2>&1 || object "event_loop takes a key for a witness"
[ "$(grep -c '^proved and verified$' log)" = 1 ] || object "event_loop with a key prints $(cat log)"

# A twin prints what its C example prints, apart from times and what depends on them, and spaces at the end. Both may
# skip.
tried="prove batch event_loop" measured=
twin() { # NAME ARGUMENT ...
  local name=$1
  shift
  tried+=" $name"
  for program in "$tmp/$name" "$build/examples/$name"; do
    timeout 600 "$program" "$@" > "$tmp/out" 2>&1 || [ $? = 77 ] || object "$program fails: $(tail -3 "$tmp/out")"
    sed -E "s/[0-9]+\\.[0-9]{1,3}( |\$|;)/TIME\\1/g; s/[0-9]+ of them beside/SOME of them beside/; $measured" \
      "$tmp/out" | tr -s ' ' | sed 's/ $//' | sort
    echo .
  done > "$tmp/both"
  [ "$(wc -l < "$tmp/both")" -gt 3 ] || object "$name prints nothing"
  awk '$0 == "." { part++; next } { print > (part ? "c.out" : "cpp.out") }' "$tmp/both"
  diff cpp.out c.out > "$tmp/log" || object "$name (<) prints something else than the C example (>): $(cat "$tmp/log")"
}
if [ -e "$build/examples/hello" ]; then
  twin hello
  twin saved_graph sum.rpg
  twin custom_op
  twin sumcheck 6 3
  twin epoll_loop
  twin simple
  twin verkle_update 4 2
  twin verkle_tree 17 9 # three levels
  twin merkle_tree 5 6
  twin batch_inverse 3
  twin halo2_quotient 6
  twin msm_sparse 14
  twin sorted_rows 9
  twin fri 6 8
  twin shared_memory
  measured='s/( = |^crossover )[0-9A-Z_.]+/\1MEASURED/g' twin tables 4
  tried+=" cuda_stream vulkan_device" # below, where there is a driver
  diff <(tr ' ' '\n' <<< "$tried" | sort) <(echo "$twins") > "$tmp/log" ||
    object "tried (<) is not the same as bindings/cpp/examples (>): $(cat "$tmp/log")"
else
  echo "the C examples are not built (REPRISE_BUILD_EXAMPLES): their twins are compiled only"
fi
for name in cuda_stream vulkan_device; do
  if [ ! -e "$tmp/$name" ] || ldd "$tmp/$name" | grep 'not found' > /dev/null; then
    echo "$name: no driver"
    continue
  fi
  status=0
  "$tmp/$name" > log 2>&1 || status=$?
  if grep -q 'this library was built without the [A-Za-z]* backend' log; then
    echo "$name: the library has no such backend"
    continue
  fi
  [ $status = 0 ] || [ $status = 77 ] || object "$name: $(cat log)"
  grep -qE '^(6 6 6 6|SKIP: .*)$' log || object "$name prints $(cat log)"
  [ ! -e "$build/examples/$name" ] || twin "$name"
done
flat C++ "$data" "$tmp/memory"
for program in checked results; do
  "$tmp/$program" "$data" > log 2>&1 || object "$program: $(tail -20 log)"
done
finish
