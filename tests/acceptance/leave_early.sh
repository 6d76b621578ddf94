#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: leave_early.sh EVENT_LOOP LEAVE_EARLY DATA
# An event loop that is left while proofs are in progress ends all of them.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
loop=$1 preload=$2 fixture=$3/fixtures/multiplier_bn254

for at in 0 1 2 5 100; do # with the last one, poll never fails
  rm -f "$scratch/stdout"
  expect "$([ $at = 100 ] && echo 0 || echo 1)" env LEAVE_AT=$at LD_PRELOAD="$preload" "$loop" "$fixture/circuit.zkey" \
    $(yes "$fixture/witness.wtns" | head -7)
  counts=$(grep submitted "$scratch/stdout")
  [ "${counts%% *}" -gt "$((at < 7 ? at : 6))" ] || object "too few for a test: $counts"
  [ "${counts%% *}" = "$(sed 's/.*, \([0-9]*\) ended/\1/' <<< "$counts")" ] || object "left at poll $at: $counts"
done
finish
