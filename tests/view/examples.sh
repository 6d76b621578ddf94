#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: examples.sh REPRISE PROGRAMS SOURCES DATA
# Every example writes its graph to the file that its last argument names, with names for people: no operation stands
# outside of all scopes unless the graph has a title, and every outermost scope says what it is; those inside may come
# from operations. A file that cannot be written is told with its name and why, and by the exit code.
set -euo pipefail
. "$(dirname "$0")/../acceptance/lib.sh"
reprise=$1 programs=$2 sources=$3 key=$4/fixtures/poseidon_merkle

ending=html
page_or_none() { # CODE EXAMPLE: exit code 6 means that this build has no page, but documents
  if [ "$1" = 6 ]; then ending=json; else object "$2: $(cat "$scratch/said")"; fi
}

draw() { # EXAMPLE [ARGUMENT ...]
  local name=$1 shown=$scratch/$1.json untitled
  shift
  "$programs/$name" "$@" "$shown" > "$scratch/said" 2>&1 || object "$name: $(tail -2 "$scratch/said")"
  jq -e '.kind == "reprise-view"' "$shown" > /dev/null || { object "$name wrote no document"; return; }
  jq -e '.graph.scopes[0].title or [.graph.nodes[] | select(.scope_id == 0)] == []' "$shown" > /dev/null ||
    object "$name: in no scope is $(jq -c '[.graph.nodes[] | select(.scope_id == 0) | .name]' "$shown")"
  untitled=$(jq -c '[.graph.scopes[1:][] | select(.parent == 0 and .title == null) | .name]' "$shown")
  [ "$untitled" = '[]' ] || object "$name: scopes without a title: $untitled"
  "$reprise" view "$shown" -o "$scratch/$name.html" 2> "$scratch/said" || page_or_none $? "$name"
  if "$programs/$name" "$@" "$scratch/nowhere/$name.$ending" > /dev/null 2> "$scratch/said"; then
    object "$name: exit code 0, and its page is in no folder"
  fi
  grep -q "nowhere/$name.$ending: cannot be written" "$scratch/said" ||
    object "$name does not say what cannot be written"
}

for source in "$sources"/*.c; do
  name=$(basename "$source" .c)
  case $name in
    hello | custom_op | epoll_loop) draw "$name" ;;
    prove) draw prove "$key/circuit.zkey" "$key/witness.wtns" ;;
    batch | event_loop) draw "$name" "$key/circuit.zkey" "$key/witness.wtns" ;;
    saved_graph) draw saved_graph "$scratch/sum.rpg" ;;
    batch_inverse) draw batch_inverse 8 ;;
    halo2_quotient) draw halo2_quotient 8 ;;
    msm_sparse) draw msm_sparse 14 ;;
    merkle_tree) draw merkle_tree 8 8 ;;
    verkle_update) draw verkle_update 4 2 ;;
    verkle_tree) draw verkle_tree 10 5 ;;
    fri) draw fri 6 8 ;;
    sumcheck) draw sumcheck 4 2 ;;
    fri_prove | fri_verify | verkle_nodes) ;; # parts of others
    vulkan_device | cuda_stream) ;; # only where their drivers are; the same calls as hello's
    tables | tables_spmv | sorted_rows) ;; # measure, and have no graph of their own
    shared_memory) ;;               # hello's graph, which two processes share memory for
    simple) ;;                      # calls on arrays, whose graphs the library has
    *) object "$name: examples.sh does not run it" ;;
  esac
done
finish
