#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: rates.sh REPRISE LOAD
# What the queue costs, with workers that sleep 5 ms for each job and take 64 at once: at most 1 ms per job of the
# database's time, and eight workers on one queue reach 0.95 of eight times the rate of one.
# The rates are measured up to three times, since other programs may have the processors meanwhile.
# FARM_WORKERS=1000 measures that many workers instead, who take 5000 jobs per second together, for 20 seconds.
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
for attempt in 1 2 3; do
  fill 2
  one=$("$load" "$url" work 1 64 5000 2)
  eight=$("$load" "$url" work 8 64 5000 4)
  printf '%s\n' "$one" "$eight"
  awk -v one="$(field rate "$one")" -v eight="$(field rate "$eight")" -v ms="$(field database_ms "$one")" \
    'BEGIN { exit !(eight >= 0.95 * 8 * one && ms <= 1) }' && break
  [ $attempt -lt 3 ] || object "eight workers do not keep 0.95 of their rates, or a job costs over 1 ms"
done
is "results" "SELECT count(*) > 1000 AND count(*) = count(DISTINCT job_id) FROM reprise.results" t
is "what was given back" "SELECT count(*) FROM reprise.jobs WHERE state = 'running'" 0
finish
