#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: views.sh REPRISE DATA
# What the command shows: graphs, files, plans, profiles, benchmarks. The memory that is used must be that of the plan.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
reprise=$1 data=$2 merkle=$2/fixtures/poseidon_merkle
key=$merkle/circuit.zkey wtns=$merkle/witness.wtns

shows() { grep -qE -- "$1" "$scratch/stdout" || object "no \"$1\" in what was printed: ${*:2}"; }

for view in "" --recorded; do
  expect 0 "$reprise" graph "$key" $view
  shows '^digraph ' graph $view
  expect 0 "$reprise" graph "$key" $view --format json --output "$scratch/graph.json"
  grep -q '^{' "$scratch/graph.json" || object "no JSON graph"
done
# The ending of the file's name selects the format; an unknown one is refused before anything is done.
for name in dot gv; do
  expect 0 "$reprise" graph "$key" --output "$scratch/graph.$name"
  grep -q '^digraph ' "$scratch/graph.$name" || object "graph.$name is no DOT"
done
for name in graph.pdf graph.SVG graph. .jpg; do
  refused 2 "$reprise" graph "$key" --output "$scratch/$name"
  absent "$scratch/$name"
done
mkdir "$scratch/a.folder"
expect 0 "$reprise" graph "$key" --output "$scratch/a.folder/graph"
expect 0 "$reprise" graph "$key" --output "$scratch/graph.pdf" --format json

expect 0 "$reprise" info "$key"
shows '^kind +zkey' info
shows '^domain +8192$' info
expect 0 "$reprise" info "$wtns" --json
shows '"values": 5343' info wtns
expect 0 "$reprise" info "$merkle/circuit.r1cs"
shows '^constraints +5320' info r1cs
expect 0 "$reprise" info "$data/fixtures/multiplier_bls12381/circuit.zkey"
shows '^curve +bls12381' info
expect 0 "$reprise" record "$key" "$scratch/key.rpk"
expect 0 "$reprise" info "$scratch/key.rpk" --plan
shows '^kind +recorded' info rpk

# The recording takes as much memory as the plan says, and the plan is made before anything is allocated.
expect 0 "$reprise" info "$key" --plan --json
planned=$(sed -n 's/.*"total_bytes": \([0-9]*\).*/\1/p' "$scratch/stdout")
expect 0 "$reprise" profile "$key" "$wtns" --no-tables --runs 1 --json
shows '"title": "MSM of H: 2\^13 points, windows of [0-9]+ bits"' profile
used=$(sed -n 's/.*"device_bytes": \([0-9]*\).*/\1/p' "$scratch/stdout")
[ "${planned:-0}" = "${used:-1}" ] || object "planned ${planned:-nothing}, used ${used:-nothing}"

expect 0 "$reprise" profile "$key" "$wtns" --runs 1
for phase in 'Witness into buckets' 'Quotient \(A B - C\) / Z' 'MSM of (A|B in G1|B in G2|C|H)' 'Blind and assemble'; do
  shows "^$phase.* +[0-9]" profile
done

expect 0 "$reprise" bench --log-size 6 --runs 1
[ "$(grep -c '^operation' "$scratch/stdout")" = 1 ] || object "the columns do not have their heads once"
[ "$(head -1 "$scratch/stdout" | tr -s ' ')" = "operation over elements run, ms on device, ms elements/s" ] ||
  object "heads of the columns: $(head -1 "$scratch/stdout")"
shows '^ntt +bn254_fr +64 +[0-9.]+ +[0-9.]+ +[0-9]+$' bench
shows '^msm +bls12_381_g2 +64 ' bench
expect 0 "$reprise" bench --op mul --type goldilocks --log-size 10 --runs 1 --floors
shows ' floor, ms +times that$' bench
shows '^mul +goldilocks +1024 +[0-9.]+ +[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9.]+$' bench
expect 0 "$reprise" bench --op ntt --type goldilocks --log-size 6 --runs 1 --floors --in-a-row 2
shows ' in a row, ms +floor, ms +times that$' bench
shows '^ntt +goldilocks +64 +[0-9.]+ +[0-9.]+ +[0-9]+ +([0-9.]+|-) +[0-9.]+ +[0-9.]+$' bench
expect 0 "$reprise" bench --op mul --type goldilocks --log-size 4-8 --runs 2 --json
shows '"median_ms"' bench
# What a prover of halo2 computes: rows, and with --nodes how much each operation takes in each part of the graph.
for row in "ntt_split_radix bn254_fr" "ntt_radix_passes bn254_fr" "halo2_quotient bn254_fr" \
  "halo2_commitments bn254_g1"; do
  expect 0 "$reprise" bench --device cpu --op "${row% *}" --log-size 4 --runs 1 --floors --in-a-row 2
  shows "^${row/ / +} +16 +[0-9.]+ +[0-9.]+ +[0-9]+ +([0-9.]+|-) +[0-9.]+ +[0-9.]+\$" bench
  [ "$(wc -l < "$scratch/stdout")" = 2 ] || object "${row% *} is measured over more than ${row#* }"
  expect 0 "$reprise" bench --device cpu --op "${row% *}" --log-size 4 --runs 1 --json
  shows "\"op\": \"${row% *}\"" bench
  shows '"n": 16' bench
done
stage() { # DISPATCHES OPERATION TITLE
  shows "^ +[0-9.]+ us in +$1 dispatches, +[0-9.]+%  $2 +$3\$" bench
}
expect 0 "$reprise" bench --device cpu --op ntt_split_radix --log-size 6 --runs 1 --nodes
shows '^ .* groups  mul_powers\.bn254_fr  split_radix/mul_powers' bench
stage 4 expr 'Transform of 2\^6 by split radix'
expect 0 "$reprise" bench --device cpu --op ntt_radix_passes --log-size 10 --runs 1 --nodes
stage 4 gather 'Transform of 2\^10 in 2 passes'
expect 0 "$reprise" bench --device cpu --op halo2_quotient --log-size 5 --runs 1 --nodes
stage '[0-9]{3}' ntt 'Quotient: 2\^5 rows, on cosets of 2\^7 points'
stage '[0-9]+' expr 'Quotient: 2\^5 rows, on cosets of 2\^7 points'
expect 0 "$reprise" bench --device cpu --op halo2_commitments --log-size 4 --runs 1 --nodes
stage 56 window_reduce 'Commitments to wires and what is looked up: 56 columns.*'
stage 8 window_reduce 'Commitments to permuted lookups: 8 columns.*'
stage 20 window_reduce 'Commitments to grand products: 20 columns.*'
stage 4 window_reduce 'Commitments to the quotient: 4 columns.*'
refused 2 "$reprise" bench --op ntt_split_radix --log-size 2
refused 2 "$reprise" bench --op halo2_quotient --log-size 3
refused 2 "$reprise" bench --op halo2_commitments --type bls12_381_g1
# For a name that does not exist, the message lists all names that do.
refused 2 "$reprise" bench --op nonsense
expect 0 "$reprise" bench --log-size 4 --runs 1
awk 'NR > 1 { print $1 }' "$scratch/stdout" | sort -u > "$scratch/ops"
awk 'NR > 1 { print $2 }' "$scratch/stdout" | sort -u > "$scratch/types"
refused 2 "$reprise" bench --op nonsense
while read -r op; do
  grep -qE "[ ,]$op(,|\$)" "$scratch/stderr" || object "the operation $op is not listed: $(cat "$scratch/stderr")"
done < "$scratch/ops"
refused 2 "$reprise" bench --type nonsense
while read -r type; do
  grep -qE "[ ,]$type(,|\$)" "$scratch/stderr" || object "the type $type is not listed: $(cat "$scratch/stderr")"
done < "$scratch/types"
refused 2 "$reprise" bench --op ntt --type bn254_g1
grep -q "ntt is not defined over bn254_g1" "$scratch/stderr" || object "ntt over a curve: $(cat "$scratch/stderr")"
expect 0 "$reprise" setup --insecure --log-domain 4 "$scratch/tiny"
expect 0 "$reprise" bench "$scratch/tiny" --runs 2 --json
shows '"proofs_per_second_in_flight"' bench
expect 0 "$reprise" bench "$scratch/tiny" "$scratch/tiny" --runs 1
[ "$(grep -c '^proof ' "$scratch/stdout")" = 1 ] || object "the columns of proofs do not have their heads once"
[ "$(grep -cE '^groth16 +bn254_g1 +16 ' "$scratch/stdout")" = 2 ] || object "no rows of proofs"
expect 0 "$reprise" bench "$scratch/tiny" --open --runs 1
shows '^ +size +from disk +reading alone +from cache +reading alone +key$' bench --open
refused 4 "$reprise" bench "$scratch/nowhere"
finish
