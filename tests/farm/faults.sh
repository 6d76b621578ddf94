#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: faults.sh REPRISE CUT DATA
# Fourteen workers are killed with -9, most of them while they hold jobs; the network of some is cut, silently and by
# resets; the server restarts, also as after a crash. Jobs are submitted meanwhile, each twice with the same id, two of
# each round with witnesses in parts. In the end every job has one result, which has not changed since it was first
# seen, and every proof verifies.
# environment: FARM_SECONDS=300 lasts for that long. Nothing else depends on time: limits only end a test that hangs.
set -euo pipefail
. "$(dirname "$0")/lib_farm.sh"
reprise=$1 cut=$2 data=$3 seconds=${FARM_SECONDS:-0}
small=$data/fixtures/multiplier_bn254 large=$data/fixtures/poseidon_merkle plonk=$data/plonk/multiplier
export XDG_CACHE_HOME=$scratch/cache REPRISE_DEVICE=cpu
server_create
"$reprise" farm init "$url"
"$cut" "$scratch/pg/.s.PGSQL.5432" > "$scratch/port" &
network=$!
until [ -s "$scratch/port" ]; do sleep 0.05; done
far="host=127.0.0.1 port=$(head -1 "$scratch/port") user=farm dbname=farm"
mkdir "$scratch/w"
for i in $(seq 20); do cp "$small/witness.wtns" "$scratch/w/s$i.wtns"; done
for i in 1 2 3; do cp "$large/witness.wtns" "$scratch/w/l$i.wtns"; done
cp "$plonk/witness.wtns" "$scratch/w/plonk.wtns"
each=26 # jobs of a round

# More than 64 MiB, so that it is sent in parts: a witness with a section between its two that no reader knows. The
# values begin in the last part but one and end in the last, so that none of a part may be missing or elsewhere.
number() { # BYTES VALUE, least byte first
  local i v=$2
  for ((i = 0; i < $1; i++)); do printf "\\x$(printf %02x $((v & 255)))" && v=$((v >> 8)); done
}
in_parts() { # WITNESS
  local header=$((12 + 12 + 40)) bytes
  bytes=$(stat -c %s "$1")
  local unknown=$((64 * 1048576 - header - 12 - (bytes - header) / 2))
  head -c 8 "$1" && number 4 3 && head -c $header "$1" | tail -c +13
  number 4 9 && number 8 $unknown && head -c $unknown /dev/zero
  tail -c +$((header + 1)) "$1"
}
in_parts "$large/witness.wtns" > "$scratch/w/parts16.wtns" # in parts of 16 MiB, as the command sends them
cp "$scratch/w/parts16.wtns" "$scratch/w/parts1.wtns" # in parts of 1 MiB, as its upload was begun
large_key=$(sha256sum "$large/circuit.zkey" | cut -c1-64)
begin_upload() { # ROUND; the server may be down
  local tries begin="SELECT count(*) FROM reprise.upload_begin(decode('$large_key', 'hex'), 'round $1/parts1.wtns',
    $(stat -c %s "$scratch/w/parts1.wtns"), 1048576)"
  for tries in $(seq 600); do
    sql "$begin" > /dev/null 2>> "$scratch/log" && return
    sleep 0.1
  done
  return 1
}

# Sends a signal to the network, and waits until the network confirms it.
tell_network() { # SIGNAL
  local said
  said=$(wc -l < "$scratch/port")
  kill -"$1" "$network"
  until [ "$(wc -l < "$scratch/port")" -gt "$said" ]; do sleep 0.02; done
}
# Workers 2 and 3 are behind the network.
begin_worker() { # NUMBER
  local to=$url
  [ "$1" -lt 2 ] || to=$far
  "$reprise" farm work "$to" --name "w$1" --lease 2 --threads 1 --batch 8 --patience 1 >> "$scratch/log" 2>&1 &
  worker[$1]=$!
}
put() { # URL ROUND KEY WITNESS...
  "$reprise" farm submit "$1" "$3" "${@:4}" --id "round $2" --attempts 1000 --timeout 600 \
    >> "$scratch/ids" 2>> "$scratch/log"
}
submit() { # ROUND; in the second call, the jobs exist
  put "$far" "$1" "$small/circuit.zkey" "$scratch"/w/s*.wtns &&
    put "$far" "$1" "$small/circuit.zkey" "$scratch"/w/s*.wtns &&
    put "$url" "$1" "$large/circuit.zkey" "$scratch"/w/l*.wtns && begin_upload "$1" &&
    put "$far" "$1" "$large/circuit.zkey" "$scratch"/w/parts*.wtns &&
    put "$far" "$1" "$large/circuit.zkey" "$scratch"/w/parts*.wtns &&
    put "$far" "$1" "$plonk/circuit.zkey" "$scratch/w/plonk.wtns"
}
# Kills a worker while it holds a job, so that it leaves the job behind. The worker is stopped first, since it might
# finish the job meanwhile. A worker that gets no job for some time is killed without one.
kill_worker() { # NUMBER
  local tries holds="SELECT count(*) > 0 FROM reprise.jobs JOIN reprise.workers w ON w.id = worker_id
    WHERE state = 'running' AND w.name = 'w$1' AND w.gone_at IS NULL"
  for tries in $(seq 10); do
    kill -STOP "${worker[$1]}" 2> /dev/null || break
    [ "$(sql "$holds")" != t ] || break
    kill -CONT "${worker[$1]}"
    sleep 0.05
  done
  kill -9 "${worker[$1]}" 2> /dev/null || true
  wait "${worker[$1]}" 2> /dev/null || true
}
# Digests of the results that are there, one line each.
digest="encode(sha256(convert_to(proof || public_signals, 'UTF8')), 'hex')"
digests="SELECT job_id || ' ' || $digest FROM reprise.results"
again="SELECT count(*) > 0 FROM reprise.jobs WHERE attempts > 1"
goes_on() { # succeeds until enough has happened
  [ $kills -lt 14 ] || [ $SECONDS -lt $end ] || { [ $kills -lt 100 ] && [ "$(sql "$again")" != t ]; }
}
worker=()
for w in 0 1 2 3; do begin_worker $w; done
end=$((SECONDS + seconds)) round=0 kills=0 restarts=0 cuts=0
submitter=
while goes_on; do
  sleep 0.5
  sql "$digests" >> "$scratch/seen" 2>> "$scratch/log" || true # the server may be down
  if [ -z "$submitter" ] || ! kill -0 "$submitter" 2> /dev/null; then
    [ -z "$submitter" ] || wait "$submitter" || object "a submission failed"
    round=$((round + 1))
    submit $round &
    submitter=$!
  fi
  victim=$((kills % 4)) kills=$((kills + 1))
  kill_worker $victim
  begin_worker $victim
  case $((kills % 10)) in
    2) tell_network USR1 && cuts=$((cuts + 1)) ;;
    5) sleep 2 && tell_network HUP ;; # the silence lasted for longer than a lease
    6) tell_network USR2 && cuts=$((cuts + 1)) ;;
    8)
      restarts=$((restarts + 1))
      server_stop $([ $((restarts % 2)) = 1 ] && echo immediate || echo fast)
      server_start
      ;;
  esac
done
tell_network HUP
# A worker that cannot connect at its beginning ends. As a supervisor would, this begins another one.
supervise() {
  local w
  for w in 0 1 2 3; do kill -0 "${worker[w]}" 2> /dev/null || begin_worker $w; done
}
wait "$submitter" || object "the last submission failed"
left="SELECT count(*) FROM reprise.jobs WHERE state IN ('ready', 'running')"
n=$(sql "$left") deadline=$((SECONDS + 120)) # seconds without the end of a job
while [ "$n" != 0 ] && [ $SECONDS -lt $deadline ]; do
  before=$n
  supervise
  sleep 0.2
  n=$(sql "$left")
  [ "$n" = "$before" ] || deadline=$((SECONDS + 120))
done
is "jobs that were not finished" "$left" 0
is "jobs that are dead" "SELECT count(*) FROM reprise.jobs WHERE state = 'dead'" 0
acknowledged=$(sort -un "$scratch/ids" | paste -sd,)
is "jobs" "SELECT count(*) FROM reprise.jobs" $((round * each))
is "acknowledged jobs" "SELECT count(*) FROM reprise.jobs WHERE id = ANY ('{$acknowledged}')" $((round * each))
[ "$(sort -un "$scratch/ids" | wc -l)" = $((round * each)) ] || object "a job was made twice"
is "results of them" "SELECT count(*) FROM reprise.jobs JOIN reprise.results ON job_id = id WHERE state = 'done'
  AND id = ANY ('{$acknowledged}')" $((round * each))
is "results without a job that is done" "SELECT count(*) FROM reprise.results JOIN reprise.jobs ON job_id = id
  WHERE state <> 'done'" 0
is "witnesses of ended jobs" "SELECT count(*) FROM reprise.witnesses JOIN reprise.jobs ON job_id = id
  WHERE state IN ('done', 'dead')" 0
is "what is left of uploads" "SELECT (SELECT count(*) FROM reprise.uploads) + count(*) FROM reprise.upload_parts" 0
is "jobs that were attempted again" "$again" t
sql "$digests" | sort > "$scratch/stored"
seen=$(sort -u "$scratch/seen" | wc -l)
[ "$seen" -gt 0 ] || object "no result was seen before the end"
[ -z "$(sort -u "$scratch/seen" | comm -23 - "$scratch/stored")" ] || object "a result is gone or has changed"
# Every proof verifies, as the submitter checks it, for the public signals that the circuit gives: the files are those
# of a proof that is made without a farm, and proofs are those of the table.
for of in small large plonk; do
  expect 0 "$reprise" prove "${!of}/circuit.zkey" "${!of}/witness.wtns" "$scratch/proof" "$scratch/$of.public.json"
done
verified() { # ROUND CIRCUIT WITNESS...
  local witness name stored
  [ "$n" = 0 ] || return 0
  expect 0 "$reprise" farm submit "$url" "${!2}/circuit.zkey" "${@:3}" --id "round $1" --wait --verify --timeout 250 \
    -o "$scratch/o"
  for witness in "${@:3}"; do
    name=$(basename "$witness" .wtns)
    same "$scratch/$2.public.json" "$scratch/o/$name.public.json"
    stored=$(sql "SELECT $digest FROM reprise.results JOIN reprise.jobs ON job_id = id
      WHERE idempotency = 'round $1/$name.wtns'")
    [ "$(cat "$scratch/o/$name.proof.json" "$scratch/o/$name.public.json" | sha256sum | cut -c1-64)" = "$stored" ] ||
      object "round $1: the proof of $name is not the one that is stored"
  done
}
for r in $(seq $round); do
  verified "$r" small "$scratch"/w/s*.wtns
  verified "$r" large "$scratch"/w/l*.wtns
  verified "$r" large "$scratch"/w/parts*.wtns
  verified "$r" plonk "$scratch/w/plonk.wtns"
done
[ "$failures" = 0 ] || tail -40 "$scratch/log"
echo "$seen results seen before the end; $kills workers killed, $restarts restarts, $cuts cuts," \
  "$((round * each)) jobs," \
  "$(sql "SELECT sum(attempts) FROM reprise.jobs WHERE state = 'done'") attempts, more than one for" \
  "$(sql "SELECT count(*) FROM reprise.jobs WHERE idempotency LIKE '%/parts%' AND attempts > 1") jobs in parts"
finish
