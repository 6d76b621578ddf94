#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: rates.sh REPRISE LOAD
# What the queue costs, with workers that sleep 20 ms for each job and take 64 at once: at most 5 ms of the server's
# processor time per job, including the beginning of connections, and eight workers on one queue reach 0.8 of eight
# times the rate of one. Sleeping takes no processor time, so that this holds on slow machines and beside other
# programs; a disturbed measurement is repeated.
# FARM_JOB_US=5000 FARM_SHARE=0.95 FARM_MS=1 is the measurement for a machine on which nothing else runs.
# FARM_WORKERS=1000 measures that many workers instead, which together take 5000 jobs per second, for 20 seconds.
set -euo pipefail
. "$(dirname "$0")/lib_farm.sh"
reprise=$1 load=$2
server_create
server_stop fast
server_start "-c max_connections=1200 -c max_wal_size=4GB"
"$reprise" farm init "$url"
fill() { for _ in $(seq "$1"); do "$load" "$url" fill 10000; done; }
field() { grep -o "$1 [0-9.]*" <<< "$2" | cut -d ' ' -f 2; }
if [ -n "${FARM_WORKERS:-}" ]; then
  fill 24
  sql "VACUUM ANALYZE reprise.jobs"
  "$load" "$url" work "$FARM_WORKERS" 64 $((FARM_WORKERS * 200)) 20 60 25
  exit
fi
us=${FARM_JOB_US:-20000} share=${FARM_SHARE:-0.8} most_ms=${FARM_MS:-5} attempts=6
# Processor time of the server's processes, including those that have ended, in ticks.
ticks() {
  local server
  server=$(head -1 "$scratch/pg/data/postmaster.pid")
  cat /proc/[0-9]*/stat 2> /dev/null | sed 's/.*) //' |
    awk -v server="$server" '$2 == server { sum += $12 + $13 } END { print sum + 0 }' > "$scratch/ticks"
  sed 's/.*) //' "/proc/$server/stat" | awk -v sum="$(cat "$scratch/ticks")" '{ print sum + $12 + $13 + $14 + $15 }'
}
for attempt in $(seq $attempts); do
  fill 1
  before=$(ticks)
  one=$("$load" "$url" work 1 64 "$us" 2)
  eight=$("$load" "$url" work 8 64 "$us" 3)
  used=$(($(ticks) - before))
  printf '%s\n' "$one" "$eight"
  jobs=$(($(field stored "$one") + $(field stored "$eight")))
  echo "$used ticks of the server's processors for $jobs jobs"
  awk -v one="$(field rate "$one")" -v eight="$(field rate "$eight")" -v share="$share" \
    -v most="$((most_ms * jobs))" \
    -v ms=$((used * 1000 / $(getconf CLK_TCK))) 'BEGIN { exit !(eight >= share * 8 * one && ms <= most) }' && break
  [ "$attempt" -lt $attempts ] ||
    object "eight workers do not keep $share of their rates, or a job costs over $most_ms ms"
done
is "results" "SELECT count(*) > 200 AND count(*) = count(DISTINCT job_id) FROM reprise.results" t
is "what was given back" "SELECT count(*) FROM reprise.jobs WHERE state = 'running'" 0
finish
