#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: hidden.sh LIBREPRISE.SO LIBREPRISE.A SUPPORT.O[:...] NAME=USER.O[:...]...
# What is built on the library calls nothing that it hides: each symbol that an object of a user (the command,
# librapidsnark, host utilities) leaves undefined is exported by the shared library, is a host utility, or belongs to no
# part of the library. These are linked with the archive, which shows more; examples are linked with the shared library,
# so that a hidden symbol is an error of the linker.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
shared=$1 archive=$2 support=$3
shift 3

defined() { nm --defined-only --extern-only "$@" 2> /dev/null | awk 'NF == 3 { print $3 }'; }
IFS=: read -ra support <<< "$support"
defined "${support[@]}" | sort -u > "$tmp/support"
nm -D --defined-only "$shared" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u > "$tmp/exported"
defined "$archive" | sort -u | comm -23 - "$tmp/exported" | comm -23 - "$tmp/support" > "$tmp/hidden"
[ "$(wc -l < "$tmp/hidden")" -gt 100 ] || echo "$archive: hardly any hidden symbol was found" >> "$tmp/bad"
grep -qx support_fail "$tmp/support" || echo "host utilities were not found" >> "$tmp/bad"

for user in "$@"; do
  IFS=: read -ra objects <<< "${user#*=}"
  nm -A -u "${objects[@]}" 2> /dev/null | awk '{ sub(/:$/, "", $1); print $NF, $1 }' | sed 's/@[^ ]*//' | sort -u \
    > "$tmp/undefined"
  grep -q '^rp_' "$tmp/undefined" || echo "${user%%=*}: calls nothing of the library: ${objects[0]}" >> "$tmp/bad"
  join "$tmp/undefined" "$tmp/hidden" |
    sed -E "s|^([^ ]+) (.*)|${user%%=*}: \2 needs \1, which the library does not export|" >> "$tmp/bad"
done
finish
