#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: faults.sh REPRISE CUT DATA [SECONDS]
# For that time (20 seconds) workers are killed with -9, one each second; the network of some is cut, silently and by
# resets; the server restarts, also as after a crash. Jobs are submitted meanwhile, each twice with the same id. In the
# end every job has one result, and every proof verifies.
set -euo pipefail
. "$(dirname "$0")/lib_farm.sh"
reprise=$1 cut=$2 data=$3 seconds=${FARM_SECONDS:-${4:-20}}
small=$data/fixtures/multiplier_bn254 large=$data/fixtures/poseidon_merkle plonk=$data/plonk/multiplier
export XDG_CACHE_HOME=$scratch/cache REPRISE_DEVICE=cpu
server_create
"$reprise" farm init "$url"
"$cut" "$scratch/pg/.s.PGSQL.5432" > "$scratch/port" &
network=$!
children+=("$network")
until [ -s "$scratch/port" ]; do sleep 0.05; done
far="host=127.0.0.1 port=$(cat "$scratch/port") user=farm dbname=farm"
mkdir "$scratch/w"
for i in $(seq 20); do cp "$small/witness.wtns" "$scratch/w/s$i.wtns"; done
for i in 1 2 3; do cp "$large/witness.wtns" "$scratch/w/l$i.wtns"; done
cp "$plonk/witness.wtns" "$scratch/w/plonk.wtns"
each=24 # jobs of a round

# Workers 2 and 3 are behind the network.
begin_worker() { # NUMBER
  local to=$url
  [ "$1" -lt 2 ] || to=$far
  "$reprise" farm work "$to" --name "w$1" --lease 2 --threads 1 --batch 8 --patience 1 >> "$scratch/log" 2>&1 &
  worker[$1]=$!
  children+=("$!")
}
put() { # URL ROUND KEY WITNESS...
  "$reprise" farm submit "$1" "$3" "${@:4}" --id "round $2" --attempts 1000 --timeout 600 \
    >> "$scratch/ids" 2>> "$scratch/log"
}
submit() { # ROUND; the second time the jobs are there
  put "$far" "$1" "$small/circuit.zkey" "$scratch"/w/s*.wtns &&
    put "$far" "$1" "$small/circuit.zkey" "$scratch"/w/s*.wtns &&
    put "$url" "$1" "$large/circuit.zkey" "$scratch"/w/l*.wtns &&
    put "$far" "$1" "$plonk/circuit.zkey" "$scratch/w/plonk.wtns"
}
# Waits, for a second at most, until the worker holds a job, so that killing it leaves one behind.
busy() { # NUMBER
  local tries
  for tries in $(seq 40); do
    [ "$(sql "SELECT count(*) > 0 FROM reprise.jobs JOIN reprise.workers w ON w.id = worker_id
      WHERE state = 'running' AND w.name = 'w$1'" 2> /dev/null)" != t ] || return 0
  done
  return 0
}
worker=()
for w in 0 1 2 3; do begin_worker $w; done
end=$((SECONDS + seconds)) round=0 kills=0 restarts=0 cuts=0
submitter=
while [ $SECONDS -lt $end ]; do
  sleep 1
  if [ -z "$submitter" ] || ! kill -0 "$submitter" 2> /dev/null; then
    [ -z "$submitter" ] || wait "$submitter" || object "a submission failed"
    round=$((round + 1))
    submit $round &
    submitter=$!
    children+=("$submitter")
  fi
  victim=$((kills % 4)) kills=$((kills + 1))
  busy $victim
  kill -9 "${worker[victim]}" 2> /dev/null || true
  wait "${worker[victim]}" 2> /dev/null || true
  begin_worker $victim
  case $((kills % 10)) in
    2) kill -USR1 "$network" && cuts=$((cuts + 1)) ;; # silence for three seconds, more than a lease
    5) kill -USR1 "$network" ;;
    6) kill -USR2 "$network" && cuts=$((cuts + 1)) ;;
    8)
      restarts=$((restarts + 1))
      server_stop $([ $((restarts % 2)) = 1 ] && echo immediate || echo fast)
      server_start
      ;;
  esac
done
[ $((kills % 10)) -lt 2 ] || [ $((kills % 10)) -ge 5 ] || kill -USR1 "$network"
wait "$submitter" || object "the last submission failed"
deadline=$((SECONDS + 60))
left="SELECT count(*) FROM reprise.jobs WHERE state IN ('ready', 'running')"
while [ "$(sql "$left")" != 0 ] && [ $SECONDS -lt $deadline ]; do sleep 0.2; done
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
is "jobs that were attempted again" "SELECT count(*) > 0 FROM reprise.jobs WHERE attempts > 1" t
# Every proof verifies, as the submitter checks it.
verified() { # ROUND KEY WITNESS...
  expect 0 "$reprise" farm submit "$url" "$2" "${@:3}" --id "round $1" --wait --verify --timeout 60 -o "$scratch/o"
}
for r in $(seq $round); do
  verified "$r" "$small/circuit.zkey" "$scratch"/w/s*.wtns
  verified "$r" "$large/circuit.zkey" "$scratch"/w/l*.wtns
  verified "$r" "$plonk/circuit.zkey" "$scratch/w/plonk.wtns"
done
[ "$failures" = 0 ] || tail -40 "$scratch/log"
echo "$kills workers killed, $restarts restarts, $cuts cuts, $((round * each)) jobs," \
  "$(sql "SELECT sum(attempts) FROM reprise.jobs WHERE state = 'done'") attempts"
finish
