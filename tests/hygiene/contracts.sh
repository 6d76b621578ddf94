#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The comments of the public headers say what contracts.py demands. Then contracts.py must object to headers that are
# wrong on purpose, in every way that it looks for.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
python3 -B tests/hygiene/contracts.py . > "$tmp/log" || grep -v '^[0-9]* declarations' "$tmp/log" >> "$tmp/bad"
grep -qE '^[6-9][0-9]{2} declarations' "$tmp/log" || echo "most declarations were not read" >> "$tmp/bad"

# wrong FILE SED EXPECTED: a copy of the headers that sed changes gives one more objection, which has these words.
wrong() {
  rm -rf "$tmp/tree"
  mkdir "$tmp/tree"
  cp -r --parents {engine,ops,graphs}/include shim/include engine/*.c graphs/merkle "$tmp/tree/"
  sed -i "$2" "$tmp/tree/$1"
  ! cmp -s "$1" "$tmp/tree/$1" || echo "contracts.sh: '$2' changes nothing in $1" >> "$tmp/bad"
  python3 -B tests/hygiene/contracts.py "$tmp/tree" > "$tmp/log" || true
  grep -qF "$3" "$tmp/log" || echo "contracts.py does not see: $3" >> "$tmp/bad"
}
wrong engine/include/reprise/reprise.h 's/`timeout_ns`\|up to timeout_ns/up to wait_ns/' \
  "names wait_ns, which does not exist"
wrong graphs/include/reprise/save.h 's/`data` may have/`bytes_of_file` may have/' "names bytes_of_file"
wrong graphs/include/reprise/merkle.h '/^\/\* RP_OK if leaf/,/\*\//d' "rp_merkle_path_check has no comment"
wrong graphs/include/reprise/merkle.h '/not. RP_ERR_SHAPE/s/RP_ERR_SHAPE/Not/' "rp_merkle_path_check gives RP_ERR_SHAPE"
wrong engine/include/reprise/op.h 's/NULL when out of memory/If it can/' \
  "rp_expand_alloc: its comment does not say when it"
wrong engine/include/reprise/op.h 's/and freed with rp_context_free//; s/It keeps the context alive\.//' \
  "rp_context_alloc: its comment does not say how long"
wrong ops/include/reprise/subgraph.h 's/RP_API bool rp_if/RP_API int rp_if/' "rp_if has an int"
wrong engine/include/reprise/host_program.h 's/uint64_t timeout_ns/uint64_t timeout/' "timeout has no unit in its name"
wrong ops/include/reprise/host.h 's|/\* r = a - b \*/||' "rp_field_host.sub, a pointer to a function, has no comment"
wrong engine/include/reprise/inspect.h 's|/\* 1: runs at record time only \*/||' "rp_node_info.once has no comment"
wrong engine/include/reprise/plans.h '/uint32_t struct_size;/d' "rp_plan_point does not begin with struct_size"
wrong graphs/include/reprise/pool.h 's/Calling rules: reprise.h//' "does not refer to the calling rules"
wrong graphs/include/reprise/msm.h '/struct rp_msm_stream_info {/,/}/{/struct_size/d}' \
  "rp_msm_stream_info does not begin with struct_size"
finish
