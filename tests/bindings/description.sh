#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: description.sh API CC LIBRARY
# The description is what the compiler sees: a program that is made of it asserts the value of every enumerator and
# constant, and the type of every member, function, callback and object. It names exactly what the library exports.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
api=$1 cc=$2 library=$3
find_python
includes=(-Iengine/include -Iops/include -Igraphs/include)

"$python" -B tests/bindings/assertions.py "$api" > "$tmp/assertions.c"
[ "$(grep -c '^_Static_assert' "$tmp/assertions.c")" -gt 500 ] || object "few assertions were made"
"$cc" -std=c11 -Wall -Werror -fsyntax-only "${includes[@]}" "$tmp/assertions.c" 2> "$tmp/log" ||
  object "the compiler sees another interface: $(head -5 "$tmp/log")"

names='import json, sys; api = json.load(open(sys.argv[1])); print(*api["functions"], *api["objects"], sep="\n")'
"$python" -c "$names" "$api" | sort > "$tmp/described"
nm -D --defined-only "$library" | sed -nE 's/.* [TDRB] ([A-Za-z_0-9]+)(@.*)?$/\1/p' | sort > "$tmp/exported"
diff "$tmp/described" "$tmp/exported" > "$tmp/log" ||
  object "described (<) is not what is exported (>): $(grep '^[<>]' "$tmp/log" | tr '\n' ' ')"

# What the reader does not understand is an error with its place.
mkdir -p "$tmp/include/reprise"
refuses() { # TEXT REASON
  printf '#define RP_VERSION_MAJOR 0\n#define RP_VERSION_MINOR 1\n#define RP_VERSION_PATCH 0\n%s\n' "$1" \
    > "$tmp/include/reprise/odd.h"
  ! "$python" -B bindings/description/describe.py "$cc" "$tmp/out.json" "$tmp/include" > "$tmp/log" 2>&1 ||
    object "described without an error: $1"
  grep -q "$2" "$tmp/log" || object "not the expected reason for '$1': $(cat "$tmp/log")"
}
refuses 'typedef union rp_x { int a; } rp_x;' "odd.h: typedef rp_x is no struct"
refuses 'enum { RP_A = sizeof(int) };' "'sizeof' in a constant expression"
refuses 'typedef int rp_number;' "no struct, enum or function pointer"
refuses 'void rp_f(int a' "odd.h:4: ends in the middle"
refuses 'void rp_f(int a) { }' "odd.h:4: expected ';'"
[ ! -e "$tmp/out.json" ] || object "a description was written all the same"
finish
