#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: command.sh REPRISE DATA
# reprise view: what it takes, what it refuses, and that documents are copied into a page only after they were checked.
set -euo pipefail
. "$(dirname "$0")/../acceptance/lib.sh"
reprise=$1 data=$2 merkle=$2/fixtures/multiplier_bn254
key=$merkle/circuit.zkey wtns=$merkle/witness.wtns

page=1
"$reprise" view "$key" --device cpu -o "$scratch/probe.html" 2> /dev/null || page=0
expect 0 "$reprise" view "$key" "$wtns" -n 1 --device cpu --label '</script>' -o "$scratch/run.json"
for member in kind version graph recording predicted runs path_ns gain_ns spans waits; do
  grep -q "\"$member\": " "$scratch/run.json" || object "no $member in the document"
done
jq -e '.ceilings | .bytes_per_s > 1e8 and (.products_per_s | length == 2 and .bn254_fr > 1e6 and .bn254_fp > 1e6)' \
  "$scratch/run.json" > /dev/null || object "ceilings: $(jq -c .ceilings "$scratch/run.json")"
expect 0 "$reprise" view "$key" "$wtns" -n 1 --in-flight 3 --no-ceilings --device cpu -o "$scratch/flight.json"
jq -e '.ceilings == null and .recording.plan.slots == 3 and ([.runs[].clock_ns] | unique | length == 3)' \
  "$scratch/flight.json" > /dev/null || object "three in flight: $(jq -c '[.runs[].clock_ns]' "$scratch/flight.json")"
expect 0 "$reprise" view "$key" --device cpu -o "$scratch/plan.json"
grep -q '"runs": \[\]' "$scratch/plan.json" || object "a plan has no runs"

# What does not belong there.
refused 2 "$reprise" view "$key" "$wtns" -o "$key"
refused 2 "$reprise" view "$scratch/run.json" "$scratch/plan.json" -o "$scratch/two.json"
expect 2 "$reprise" view "$key" "$wtns" --in-flight 17 -o "$scratch/bad.json"
refused 3 "$reprise" view "$wtns" -o "$scratch/bad.json"
refused 3 "$reprise" view "$wtns" "$key" -o "$scratch/bad.json"
grep -qF "are the arguments swapped?" "$scratch/stderr" || object "swapped arguments are not named"
refused 2 "$reprise" view "$key" "$wtns" -o "$scratch/bad.png"
grep -qF "reprise graph" "$scratch/stderr" || object "the command that draws is not named"
refused 3 "$reprise" view "$key" "$merkle/proof.json" -o "$scratch/bad.json"
refused 3 "$reprise" view "$key" "$data/fixtures/poseidon_merkle/witness.wtns" --device cpu -o "$scratch/bad.json"
refused 4 "$reprise" view "$scratch/none.json" -o "$scratch/bad.json"
head -c 1000 "$scratch/run.json" > "$scratch/cut.json"
refused 3 "$reprise" view "$scratch/cut.json" -o "$scratch/bad.json"
sed 's/"version": 1/"version": 99/' "$scratch/run.json" > "$scratch/later.json"
expect 3 "$reprise" view "$scratch/later.json" -o "$scratch/bad.json"
grep -q 'version 99' "$scratch/stderr" || object "the version is not named"
echo '{"kind": "reprise-view"}' > "$scratch/empty.json"
refused 3 "$reprise" view "$scratch/empty.json" -o "$scratch/bad.json"
absent "$scratch/bad.json"

if [ $page = 0 ]; then
  refused 6 "$reprise" view "$key" --device cpu -o "$scratch/page.html"
  grep -q 'apt-get install nodejs npm' "$scratch/stderr" || object "what to install is not named"
  absent "$scratch/page.html"
else
  expect 0 "$reprise" view "$scratch/run.json" "$scratch/plan.json" -o "$scratch/page.html"
  [ "$(grep -c 'class="document">' "$scratch/page.html")" = 2 ] || object "not two documents"
  [ "$(grep -o '</script>' "$scratch/page.html" | wc -l)" = 3 ] || object "a document ends an element"
  grep -q 'SPDX-License-Identifier' "$scratch/page.html" || object "no licence in the page"
  grep -oE "(src|href)=[\"']?https?:" "$scratch/page.html" > "$scratch/links" && object "the page refers to a network"
  expect 0 "$reprise" view "$data/saved/version_1.rpg" --device cpu -o "$scratch/saved.html"
fi
finish
