#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: commands.sh REPRISE DATA SQL DOCUMENT
# The commands of the farm as a user gives them: schema and migrations, keys, results that are verified, idempotency,
# priorities, deadlines, failures, draining, and what the three roles may not do.
set -euo pipefail
. "$(dirname "$0")/lib_farm.sh"
reprise=$1 data=$2 migrations=$3 document=$4
small=$data/fixtures/multiplier_bn254 plonk=$data/plonk/multiplier large=$data/fixtures/poseidon_merkle
export XDG_CACHE_HOME=$scratch/cache REPRISE_DEVICE=cpu
server_create
key=$(sha256sum "$small/circuit.zkey" | cut -c1-64)
submit=("$reprise" farm submit "$url")
checked=(--wait --verify -o "$scratch/o") # waits, verifies and writes
work() { expect "${code:-0}" "$reprise" farm work "$url" --until-empty --threads 1 "$@"; }
mkdir "$scratch/w" "$scratch/o"
for i in 1 2 3 4 5; do cp "$small/witness.wtns" "$scratch/w/w$i.wtns"; done

# ---- The five commands of the document, as they stand in the document and in the README.
mkdir "$scratch/five" "$scratch/path"
cp "$large/circuit.zkey" "$large/witness.wtns" "$scratch/five"
ln -s "$reprise" "$scratch/path/reprise"
sed -n 's/^    \(reprise .*\)/\1/p' "$document" | head -5 > "$scratch/five/commands"
[ "$(wc -l < "$scratch/five/commands")" = 5 ] || object "the document has not five commands"
readme=$(dirname "$document")/../README.md
same <(sed -n '/^## From one proof to a farm/,/^## Installing/s/^    \(reprise .*\)/\1/p' "$readme") \
  "$scratch/five/commands"
echo 'kill -TERM $!; wait $!' >> "$scratch/five/commands"
(cd "$scratch/five" &&
  PATH=$scratch/path:$PATH PGHOST=$scratch/pg PGUSER=farm timeout 300 bash -eu commands > said 2>&1) ||
  { object "the five commands fail" && cat "$scratch/five/said"; }
expect 0 "$reprise" verify "$large/verification_key.json" "$scratch/five/witness.public.json" \
  "$scratch/five/witness.proof.json"
is "one job for both submissions" "SELECT count(*) FROM reprise.jobs" 1
sql "SET client_min_messages = error; DROP SCHEMA reprise CASCADE"
rm -r "$XDG_CACHE_HOME"

# ---- No farm, an older farm, a newer farm.
refused 6 "$reprise" farm status "host=$scratch/nowhere user=farm password=hush"
! grep -q hush "$scratch/stderr" || object "the password is printed"
refused 3 "$reprise" farm status "$url"
grep -q "farm init" "$scratch/stderr" || object "nothing says how to create a farm"
psql -h "$scratch/pg" -U farm -d farm -qv ON_ERROR_STOP=1 -1 -c "CREATE SCHEMA reprise;
  CREATE TABLE reprise.schema_version (version int PRIMARY KEY, name text NOT NULL,
    applied_at timestamptz DEFAULT now());
  INSERT INTO reprise.schema_version VALUES (1, '001_tables.sql')" -f "$migrations/001_tables.sql"
sql "INSERT INTO reprise.keys (sha256, size_bytes, chunk_bytes) VALUES (sha256('old'), 1, 1)"
refused 6 "$reprise" farm work "$url"
expect 0 "$reprise" farm init "$url"
is "migrations keep what is there" "SELECT count(*) FROM reprise.keys" 1
is "the version" "SELECT max(version) FROM reprise.schema_version" "$(find "$migrations" -name '*.sql' | wc -l)"
expect 0 "$reprise" farm init "$url" # again: nothing
sql "INSERT INTO reprise.schema_version VALUES (1000, 'of the future')"
for command in init status work; do
  refused 6 "$reprise" farm "$command" "$url"
  grep -q "newer reprise" "$scratch/stderr" || object "farm $command does not say that the farm is newer"
done
sql "DELETE FROM reprise.schema_version WHERE version = 1000; DELETE FROM reprise.keys"
refused 2 "$reprise" farm
refused 2 "$reprise" farm dance "$url"
refused 2 "${submit[@]}" "$small/circuit.zkey" "$scratch/w/w1.wtns" --verify
refused 3 "${submit[@]}" "$scratch/w/w1.wtns" "$small/circuit.zkey"
refused 3 "${submit[@]}" "$(printf '%064d' 0)" "$scratch/w/w1.wtns"
long=$(printf '%0193d' 0) # 200 bytes together with the name of the witness
refused 3 "${submit[@]}" "$small/circuit.zkey" "$scratch/w/w1.wtns" --id "$long"

# ---- Both protocols, from the file to a verified proof; keys are sent and fetched once.
expect 0 "${submit[@]}" "$small/circuit.zkey" "$scratch"/w/w?.wtns --id first
same <(wc -l < "$scratch/stdout") <(echo 5)
is "witnesses wait" "SELECT count(*) FROM reprise.witnesses" 5
expect 0 "${submit[@]}" "$large/circuit.zkey" "$large/witness.wtns"
expect 0 "${submit[@]}" "$plonk/circuit.zkey" "$plonk/witness.wtns"
work
is "results" "SELECT count(*) FROM reprise.results" 7
is "no witness is left" "SELECT count(*) FROM reprise.witnesses" 0
is "states" "SELECT count(*) FROM reprise.jobs WHERE state = 'done' AND attempts = 1" 7
expect 0 "${submit[@]}" "$small/circuit.zkey" "$scratch"/w/w?.wtns --id first "${checked[@]}"
is "no second job for the same id" "SELECT count(*) FROM reprise.jobs" 7
for i in 1 2 3 4 5; do
  expect 0 "$reprise" verify "$small/verification_key.json" "$scratch/o/w$i.public.json" "$scratch/o/w$i.proof.json"
done
sql "SELECT proof FROM reprise.results WHERE proof LIKE '%plonk%'" > "$scratch/p.json"
sql "SELECT public_signals FROM reprise.results WHERE proof LIKE '%plonk%'" > "$scratch/s.json"
expect 0 "$reprise" verify "$plonk/verification_key.json" "$scratch/s.json" "$scratch/p.json"
refused 3 "${submit[@]}" "$large/circuit.zkey" "$scratch/w/w1.wtns" --id first # taken, with another key
# The submitter does not believe the database.
sql "UPDATE reprise.results SET public_signals = replace(public_signals, '33', '34') WHERE job_id = 1"
is "a result was changed" "SELECT count(*) FROM reprise.results WHERE public_signals LIKE '%34%'" 1
rm "$scratch"/o/*
refused 1 "${submit[@]}" "$small/circuit.zkey" "$scratch/w/w1.wtns" --id first "${checked[@]}"
absent "$scratch/o/w1.proof.json"
refused 1 "${submit[@]}" "$key" "$scratch/w/w1.wtns" --id first "${checked[@]}" \
  --vkey "$small/verification_key.json"

# ---- A call is repeated because its answer was lost, while the first call still runs: both give the first call's job.
mkfifo "$scratch/first"
psql -h "$scratch/pg" -U farm -d farm -qAt < "$scratch/first" > "$scratch/first.said" 2>&1 &
first=$!
exec 3> "$scratch/first"
bytes=$(od -An -v -tx1 "$scratch/w/w1.wtns" | tr -d ' \n')
echo "BEGIN; SELECT job FROM reprise.submit(decode('$key', 'hex'), ARRAY[decode('$bytes', 'hex')],
  ARRAY['twice/w1.wtns'], 0, NULL, 5);" >&3
until grep -q . "$scratch/first.said"; do sleep 0.02; done
"${submit[@]}" "$key" "$scratch/w/w1.wtns" --id twice > "$scratch/second.said" 2>&1 3>&- &
second=$!
until [ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")" = 1 ]; do sleep 0.02; done
echo "COMMIT;" >&3
exec 3>&-
wait "$first" || object "the first call fails"
wait "$second" || object "the second call fails"
same "$scratch/first.said" "$scratch/second.said"
work
is "one job for both calls" "SELECT state FROM reprise.jobs WHERE idempotency = 'twice/w1.wtns'" done
sql "DELETE FROM reprise.jobs WHERE idempotency = 'twice/w1.wtns'"

# ---- A key that somebody changed in the cache is fetched again; a key that was sent wrongly is refused by its digest.
printf x | dd of="$XDG_CACHE_HOME/reprise-farm/$key.zkey" bs=1 seek=200 conv=notrunc 2> /dev/null
expect 0 "${submit[@]}" "$key" "$scratch/w/w1.wtns"
work
is "after a damaged cache" "SELECT count(*) FROM reprise.results" 8
same "$small/circuit.zkey" "$XDG_CACHE_HOME/reprise-farm/$key.zkey"
rm -r "$XDG_CACHE_HOME"
sql "UPDATE reprise.key_chunks SET data = set_byte(data, 200, 1)
  WHERE key_id = (SELECT id FROM reprise.keys WHERE encode(sha256, 'hex') = '$key')"
expect 0 "${submit[@]}" "$key" "$scratch/w/w1.wtns"
work
is "a wrong key" "SELECT count(*) FROM reprise.jobs WHERE state = 'dead' AND reason LIKE '%SHA-256%'" 1
expect 0 "${submit[@]}" "$small/circuit.zkey" "$scratch/w/w1.wtns" # sends it again
work
is "after the key was sent again" "SELECT count(*) FROM reprise.results" 9
# The cache stays within its limit: the large key is gone when the small one is there.
expect 0 "${submit[@]}" "$large/circuit.zkey" "$large/witness.wtns"
work --cache-bytes 4M
expect 0 "${submit[@]}" "$plonk/circuit.zkey" "$plonk/witness.wtns"
work --cache-bytes $(stat -c %s "$large/circuit.zkey")
absent "$XDG_CACHE_HOME/reprise-farm/$(sha256sum "$large/circuit.zkey" | cut -c1-64).zkey"

# ---- Keys of gnark, recorded, with their solutions; results are gnark's files.
range=$data/gnark/bn254/range
jq .commitment_info "$range/facts.json" > "$scratch/info.json"
expect 0 "$reprise" record "$range/pk.raw" "$scratch/range.rpk" --vkey "$range/vk.bin" \
  --commitments "$scratch/info.json"
cp "$range/solution.bin" "$scratch/w/s1.bin"
cp "$range/solution.mont" "$scratch/w/s2.mont"
refused 3 "${submit[@]}" "$range/pk.raw" "$scratch/w/s1.bin"
refused 3 "${submit[@]}" "$scratch/range.rpk" "$scratch/w/w1.wtns"
expect 0 "${submit[@]}" "$scratch/range.rpk" "$scratch/w/s1.bin" "$scratch/w/s2.mont" --id range
work
is "jobs with a key of gnark" "SELECT count(*) FROM reprise.jobs WHERE idempotency LIKE 'range/%' AND state = 'done'" 2
expect 0 "${submit[@]}" "$scratch/range.rpk" "$scratch/w/s1.bin" "$scratch/w/s2.mont" --id range "${checked[@]}"
for name in s1 s2; do
  same "$scratch/o/$name.public.wit" "$range/witness.pub"
  expect 0 "$reprise" verify "$range/vk.raw" "$scratch/o/$name.public.wit" "$scratch/o/$name.proof.bin"
done
digest=$(sha256sum "$scratch/range.rpk" | cut -c1-64)
expect 0 "${submit[@]}" "$digest" "$scratch/w/s1.bin" --id range "${checked[@]}" --vkey "$range/vk.raw"
sql "UPDATE reprise.results SET public_signals = '[\"34\"]'
  WHERE job_id = (SELECT id FROM reprise.jobs WHERE idempotency = 'range/s1.bin')"
refused 1 "${submit[@]}" "$scratch/range.rpk" "$scratch/w/s1.bin" --id range "${checked[@]}"

# ---- A witness in parts: a job when all have come, a proof like any other, and nothing is left of it.
size=$(stat -c %s "$scratch/w/w1.wtns") last=$((($(stat -c %s "$scratch/w/w1.wtns") - 1) / 100))
begin_upload() { echo "reprise.upload_begin(decode('$key', 'hex'), '$1', ${2:-$size}, 100)"; }
put_part() { # UPLOAD NUMBER
  bytes=$(tail -c +$((1 + 100 * $2)) "$scratch/w/w1.wtns" | head -c 100 | od -An -v -tx1 | tr -d ' \n')
  sql "SELECT reprise.upload_put($1, $2, decode('$bytes', 'hex'))" > /dev/null
}
submit_upload() { echo "SELECT reprise.submit_upload(decode('$key', 'hex'), $1, '$2', $size, 0, NULL, 5)"; }
upload=$(sql "SELECT upload FROM $(begin_upload parts/w1.wtns)")
for n in $(seq 0 $((last - 1))); do put_part "$upload" "$n"; done
sql "SELECT reprise.upload_put($upload, $last, 'short')" > /dev/null
is "what is missing" "SELECT missing FROM $(begin_upload parts/w1.wtns)" "{$last}"
is "an upload without its last part" "$(submit_upload "$upload" parts/w1.wtns)" \
  "ERROR:  parts of the upload are missing"
is "another size" "SELECT * FROM $(begin_upload parts/w1.wtns $((size + 1)))" \
  'ERROR:  the idempotency key "parts/w1.wtns" is that of another upload, of another size'
put_part "$upload" "$last"
job=$(sql "$(submit_upload "$upload" parts/w1.wtns)")
is "a repeated call" "$(submit_upload "$upload" parts/w1.wtns)" "$job"
is "the job of an upload" "SELECT job FROM $(begin_upload parts/w1.wtns)" "$job"
is "another witness for it" "SELECT * FROM $(begin_upload parts/w1.wtns $((size + 1)))" \
  'ERROR:  the idempotency key "parts/w1.wtns" is that of another job, with another key or a witness of another size'
put_part "$upload" 0 # has no effect
holder=$(sql "SELECT worker FROM reprise.worker_begin('holder', 600, NULL, '{}')")
curious=$(sql "SELECT worker FROM reprise.worker_begin('curious', 600, NULL, '{}')")
is "a worker claims it" "SELECT job FROM reprise.claim($holder, 1, 1, '{}', 0)" "$job"
is "its first part" "SELECT size_bytes || ' ' || length(data) FROM reprise.witness_part($holder, $job, 0)" "$size 100"
is "to a worker that does not hold it" "SELECT count(*) FROM reprise.witness_part($curious, $job, 0)" 0
sql "SELECT reprise.release($holder, ARRAY[$job]); SELECT reprise.worker_end($holder);
  SELECT reprise.worker_end($curious)" > /dev/null
# The second one misses a part: its job has no proof, and the worker goes on.
spoilt=$(sql "SELECT upload FROM $(begin_upload spoilt)")
for n in $(seq 0 "$last"); do put_part "$spoilt" "$n"; done
sql "$(submit_upload "$spoilt" spoilt)" > /dev/null
sql "DELETE FROM reprise.upload_parts WHERE upload_id = $spoilt AND n = 1"
work
is "a witness in parts" "SELECT state FROM reprise.jobs WHERE id = $job" done
is "an incomplete witness" "SELECT state::text || attempts FROM reprise.jobs WHERE idempotency = 'spoilt'" dead1
is "nothing of them is left" "SELECT (SELECT count(*) FROM reprise.uploads) + count(*) FROM reprise.upload_parts" 0
expect 0 "${submit[@]}" "$key" "$scratch/w/w1.wtns" --id parts "${checked[@]}" --vkey "$small/verification_key.json"
# A large file, of which some has come before, in parts of another size than this program's. It is no witness of the
# circuit.
cp "$scratch/w/w1.wtns" "$scratch/w/huge.wtns"
truncate -s $((64 * 1048576 + 1)) "$scratch/w/huge.wtns"
bytes=$(stat -c %s "$scratch/w/huge.wtns")
huge=$(sql "SELECT upload FROM reprise.upload_begin(decode('$key', 'hex'), 'huge/huge.wtns', $bytes, 8388608)")
sql "SELECT reprise.upload_put($huge, 2, decode(repeat('00', 8388608), 'hex'))" > /dev/null
expect 0 "${submit[@]}" "$key" "$scratch/w/w2.wtns" "$scratch/w/huge.wtns" "$scratch/w/w3.wtns" --id huge
same <(wc -l < "$scratch/stdout") <(echo 3)
is "its parts" "SELECT count(*) FROM reprise.upload_parts WHERE upload_id = $huge" 9
is "its bytes" "SELECT encode(sha256(string_agg(data, '' ORDER BY n)), 'hex') FROM reprise.upload_parts" \
  "$(sha256sum "$scratch/w/huge.wtns" | cut -c1-64)"
expect 0 "${submit[@]}" "$key" "$scratch/w/huge.wtns" --id huge # again: the job is there
is "one job for both" "SELECT count(*) FROM reprise.jobs WHERE idempotency = 'huge/huge.wtns'" 1
work
is "a large file" "SELECT string_agg(state::text, ' ' ORDER BY id) FROM reprise.jobs WHERE idempotency LIKE 'huge/%'" \
  "done dead done"
# What nobody finishes is deleted after an hour.
sql "SELECT count(*) FROM $(begin_upload left)" > /dev/null
sql "SELECT count(*) FROM $(begin_upload kept)" > /dev/null
sql "UPDATE reprise.uploads SET touched_at = now() - interval '61 min' WHERE idempotency = 'left';
  UPDATE reprise.farm SET tidied_at = '-infinity'; SELECT reprise.tidy()" > /dev/null
is "uploads that were left" "SELECT string_agg(idempotency, ' ') FROM reprise.uploads" kept
sql "DELETE FROM reprise.uploads"

# ---- Order, deadlines, failures.
expect 0 "${submit[@]}" "$key" "$scratch/w/w1.wtns" --id low
expect 0 "${submit[@]}" "$key" "$scratch/w/w2.wtns" --id high --priority 5
work --batch 1 --end-after 1 --in-flight 1
is "the higher priority is first" "SELECT state FROM reprise.jobs WHERE idempotency = 'high/w2.wtns'" done
sql "UPDATE reprise.jobs SET deadline = now() - interval '1 s' WHERE idempotency = 'low/w1.wtns' AND state = 'ready'"
sql "INSERT INTO reprise.jobs (key_id, max_attempts, witness_bytes, idempotency, deadline)
  SELECT id, 3, 1, 'late', now() - interval '1 s' FROM reprise.keys LIMIT 1"
sleep 1.1
work
is "a deadline that passed" \
  "SELECT state FROM reprise.jobs WHERE idempotency = 'late' AND reason LIKE '%deadline%'" dead
refused 1 "${submit[@]}" "$key" "$scratch/w/w1.wtns" --id too-late --deadline 1 --wait --timeout 250
cp "$large/witness.wtns" "$scratch/w/other.wtns"
expect 0 "${submit[@]}" "$key" "$scratch/w/other.wtns" --id other
work
is "a witness of another circuit is not tried again" \
  "SELECT state::text || attempts FROM reprise.jobs WHERE idempotency = 'other/other.wtns'" dead1
is "no witness is left" "SELECT count(*) FROM reprise.witnesses" 0

# ---- A worker stores no result of a job that it does not hold.
expect 0 "${submit[@]}" "$key" "$scratch/w/w1.wtns" --id held
held=$(sql "SELECT id FROM reprise.jobs WHERE idempotency = 'held/w1.wtns'")
late=$(sql "SELECT worker FROM reprise.worker_begin('late', 600, NULL, '{}')")
is "a job that is not held" "SELECT count(*) FROM reprise.store($late, ARRAY[$held]::bigint[], '{p}', '{s}', '{1}')" 0
sql "SELECT reprise.worker_end($late)" > /dev/null
work
is "its result" "SELECT count(*) FROM reprise.results WHERE job_id = $held AND proof LIKE '%groth16%'" 1

# ---- A key is complete when each chunk is there, with the length of its place, and does not change then.
chunk() { echo "convert_to(repeat('x', $1), 'UTF8')"; }
sent=$(sql "SELECT key_id FROM reprise.key_begin(sha256('sent'), 250, 100)")
unknown="ERROR:  there is no key with the digest $(printf sent | sha256sum | cut -c1-64)"
is "the same key with another size" "SELECT * FROM reprise.key_begin(sha256('sent'), 251, 100)" \
  "ERROR:  a key with this digest and another size is there already"
sql "SELECT reprise.key_put($sent, 0, $(chunk 99)), reprise.key_put($sent, 1, $(chunk 101)),
  reprise.key_put($sent, 2, $(chunk 100)), reprise.key_put($sent, 3, $(chunk 100))" > /dev/null
is "chunks of another length" "SELECT count(*) FROM reprise.key_chunks WHERE key_id = $sent" 0
sql "SELECT reprise.key_put($sent, 0, $(chunk 100)), reprise.key_put($sent, 1, $(chunk 100))" > /dev/null
is "a key without its last chunk" "SELECT reprise.key_end($sent)" f
is "a job for it" "SELECT * FROM reprise.submit(sha256('sent'), '{w}', '{early}', 0, NULL, 1)" "$unknown"
is "an upload for it" "SELECT * FROM reprise.upload_begin(sha256('sent'), 'early', 9, 9)" "$unknown"
sql "SELECT reprise.key_put($sent, 2, $(chunk 50))" > /dev/null
is "with its last chunk" "SELECT reprise.key_end($sent)" t
sql "DELETE FROM reprise.key_chunks WHERE key_id = $sent AND n = 1; SELECT reprise.key_put($sent, 1, $(chunk 100))" \
  > /dev/null
is "chunks of a complete key" "SELECT count(*) FROM reprise.key_chunks WHERE key_id = $sent" 2

# ---- Which jobs a worker gets: as many bytes as it asks for, by priority; a resident key first, but not for ever.
put_job() { # KEY NAME PRIORITY BYTES
  sql "WITH j AS (INSERT INTO reprise.jobs (key_id, max_attempts, witness_bytes, idempotency, priority)
    VALUES ($1, 2, $4, '$2', $3) RETURNING id) INSERT INTO reprise.witnesses SELECT id, '' FROM j"
}
begin_worker() { sql "SELECT worker FROM reprise.worker_begin('claims', 600, NULL, '{}')"; }
claim() { # MOST BYTES KEYS PATIENCE: the names of what is claimed
  echo "SELECT string_agg(j.idempotency, ' ' ORDER BY j.id) FROM reprise.claim($claims, $1, $2, '$3', $4) c
    JOIN reprise.jobs j ON j.id = c.job"
}
give_back() {
  sql "SELECT reprise.release($claims, (SELECT array_agg(id) FROM reprise.jobs WHERE worker_id = $claims))" > /dev/null
}
state_of() { # NAME: its state, its attempts, and whether it waits
  echo "SELECT state::text || attempts || (not_before > now()) FROM reprise.jobs WHERE idempotency = '$1'"
}
fail_again() { # NAME: and says, in the same transaction, what has become of the job
  echo "DO \$\$ BEGIN
    PERFORM reprise.fail($claims, ARRAY[(SELECT id FROM reprise.jobs WHERE idempotency = '$1')], '{no}', '{t}');
  END \$\$; $(state_of "$1")"
}
first_key=$(sql "SELECT id FROM reprise.keys WHERE encode(sha256, 'hex') = '$key'")
claims=$(begin_worker)
put_job "$first_key" c1 0 60
put_job "$first_key" c2 0 60
is "no more bytes than that" "$(claim 9 100 '{}' 0)" c1
give_back
is "but one job at least" "$(claim 9 10 '{}' 0)" c1
give_back
is "what was given back is not an attempt" "SELECT sum(attempts) FROM reprise.jobs WHERE idempotency LIKE 'c_'" 0
put_job "$sent" c3 5 10
is "a priority before a resident key" "$(claim 1 100 "{$first_key}" 600)" c3
give_back
put_job "$first_key" c4 5 10
is "a resident key before another" "$(claim 1 100 "{$first_key}" 600)" c4
give_back
is "but not for ever" "$(claim 1 100 "{$first_key}" 0)" c3

# ---- A job that fails waits before it is tried again, and is dead when it has been tried often enough.
is "after one attempt it waits" "$(fail_again c3)" ready1true
sql "UPDATE reprise.jobs SET not_before = now() + interval '1 hour' WHERE idempotency = 'c3'"
is "meanwhile" "$(claim 1 100 '{}' 0)" c4
give_back
sql "UPDATE reprise.jobs SET not_before = now() WHERE idempotency = 'c3'"
is "and is tried again" "$(claim 1 100 '{}' 0)" c3
is "after the last attempt" "$(fail_again c3)" dead2false
is "its witness" "SELECT count(*) FROM reprise.witnesses JOIN reprise.jobs ON id = job_id WHERE idempotency = 'c3'" 0
for want in ready1false dead2false; do # workers end while they hold it
  is "claimed once more" "$(claim 1 100 '{}' 0)" c4
  sql "UPDATE reprise.jobs SET deadline = now() - interval '1 s' WHERE idempotency = 'c4';
    UPDATE reprise.farm SET tidied_at = '-infinity'; SELECT reprise.tidy()" > /dev/null
  is "a deadline ends no attempt" "SELECT state FROM reprise.jobs WHERE idempotency = 'c4'" running
  sql "UPDATE reprise.jobs SET deadline = NULL WHERE idempotency = 'c4'; SELECT reprise.worker_end($claims)" > /dev/null
  is "a worker ended" "$(state_of c4)" $want
  is "it is gone" "SELECT reprise.heartbeat($claims, '{}')" \
    "ERROR:  this worker is gone: its lease ran out, or it began again"
  claims=$(begin_worker)
done
# A worker begins again: what it knows of stays its own, and what it was given without an answer is given back.
is "two jobs" "$(claim 9 1000 '{}' 0)" "c1 c2"
known=$(sql "SELECT id FROM reprise.jobs WHERE idempotency = 'c1'")
is "of which it knows one" "SELECT kept FROM reprise.worker_begin('claims', 600, $claims, '{$known}')" "{$known}"
is "the other one" "$(state_of c2)" ready0false
sql "SELECT reprise.worker_end(max(id)) FROM reprise.workers" > /dev/null

# ---- What is forgotten: jobs that ended long ago. The farm's counters do not fall with the rows of workers.
sql "UPDATE reprise.jobs SET finished_at = now() - interval '2 days' WHERE idempotency = 'c3';
  DELETE FROM reprise.jobs WHERE idempotency IN ('c1', 'c2')"
is "jobs that ended before yesterday" "SELECT reprise.forget('1 day')" 1
total="SELECT value FROM reprise.metrics() WHERE name = 'reprise_farm_results_total'"
before=$(sql "$total")
sql "UPDATE reprise.workers SET gone_at = now() - interval '2 days'; UPDATE reprise.farm SET tidied_at = '-infinity';
  SELECT reprise.tidy()" > /dev/null
is "no row of a worker is left" "SELECT count(*) FROM reprise.workers" 0
is "the results of all time" "$total" "$before"
[ "$before" -ge 12 ] || object "only $before results of all time"
sql "DELETE FROM reprise.keys WHERE id = $sent"
# An idempotency key stands for one size of witness.
mkdir "$scratch/longer"
expect 0 "${submit[@]}" "$key" "$scratch/w/w1.wtns" --id size
{ cat "$scratch/w/w1.wtns"; echo; } > "$scratch/longer/w1.wtns"
refused 3 "${submit[@]}" "$key" "$scratch/longer/w1.wtns" --id size
work

# ---- Draining: a worker by its name, which ends with 0; SIGTERM does the same.
"$reprise" farm work "$url" --name a 2> "$scratch/a.log" &
a=$!
"$reprise" farm work "$url" --name b 2> "$scratch/b.log" &
b=$!
until [ "$(sql "SELECT count(*) FROM reprise.workers WHERE gone_at IS NULL")" = 2 ]; do sleep 0.05; done
expect 0 "${submit[@]}" "$small/circuit.zkey" "$scratch/w/w3.wtns" "${checked[@]}"
expect 0 "$reprise" farm drain "$url" a
wait "$a" || object "the drained worker ends with $?"
is "the other worker stays" "SELECT name FROM reprise.workers WHERE gone_at IS NULL" b
kill "$b"
wait "$b" || object "the worker ends with $? on SIGTERM"
is "all are gone" "SELECT count(*) FROM reprise.workers WHERE gone_at IS NULL" 0
expect 0 "$reprise" farm drain "$url" # no worker is there

# ---- What people and programs are shown.
expect 0 "$reprise" farm status "$url"
grep -q "results stored" "$scratch/stdout" || object "status shows no results"
sql "UPDATE reprise.jobs SET reason = E'red\\x1b[31m' WHERE state = 'dead'" # other users of the database write there
expect 0 "$reprise" farm status "$url"
grep -q '^dead job .*: red' "$scratch/stdout" || object "status shows no reason"
! grep -q $'\x1b' "$scratch/stdout" || object "a reason drives the terminal"
expect 0 "$reprise" farm status "$url" --json
jq -e '.stored >= 12 and .ready == 0 and (.last_dead | length) >= 2' "$scratch/stdout" > /dev/null ||
  object "wrong JSON"
expect 0 "$reprise" farm status "$url" --metrics
grep -qE '^reprise_farm_results_total [0-9]+$' "$scratch/stdout" || object "no counter of results"
grep -vE '^# TYPE [a-z_]+ (gauge|counter)$|^reprise_farm_[a-z_]+(\{state="[a-z]+"\})? [0-9.e+]+$' "$scratch/stdout" &&
  object "not the text format of metrics"

# ---- Roles: each may call the functions for its part, and do nothing else.
sql "CREATE ROLE alice LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE carol LOGIN; CREATE ROLE dan LOGIN;
  CREATE ROLE eve LOGIN; GRANT reprise_submitter TO alice, dan; GRANT reprise_worker TO bob, eve;
  GRANT reprise_reader TO carol"
as() { echo "host=$scratch/pg dbname=farm user=$1"; }
expect 0 "$reprise" farm submit "$(as alice)" "$key" "$scratch/w/w4.wtns" --id mine
expect 0 "$reprise" farm work "$(as bob)" --until-empty
expect 0 "$reprise" farm submit "$(as alice)" "$small/circuit.zkey" "$scratch/w/w4.wtns" --id mine "${checked[@]}"
expect 0 "$reprise" farm status "$(as carol)"
mine=$(sql "SELECT id FROM reprise.jobs WHERE idempotency = 'mine/w4.wtns'")
role=dan is "results of others are not shown" "SELECT count(*) FROM reprise.finished(ARRAY[$mine])" 0
role=alice is "one's own are" "SELECT count(*) FROM reprise.finished(ARRAY[$mine])" 1
for who in alice bob carol; do
  for table in witnesses jobs results keys key_chunks workers uploads upload_parts; do
    role=$who is "$who reads $table" "SELECT count(*) FROM reprise.$table" \
      "ERROR:  permission denied for table $table"
  done
done
refused 4 "$reprise" farm submit "$(as bob)" "$key" "$scratch/w/w5.wtns"
refused 4 "$reprise" farm submit "$(as carol)" "$key" "$scratch/w/w5.wtns"
refused 4 "$reprise" farm work "$(as alice)"
refused 4 "$reprise" farm work "$(as carol)"
refused 4 "$reprise" farm status "$(as alice)"
refused 4 "$reprise" farm drain "$(as bob)"
# Uploads belong to who began them, and only workers read parts.
his=$(role=alice sql "SELECT upload FROM $(begin_upload his)")
role=dan is "a part from somebody else" "SELECT reprise.upload_put($his, 0, '$(printf '%0100d' 0)')" ""
is "is not taken" "SELECT count(*) FROM reprise.upload_parts" 0
role=alice is "a part of one's own" "SELECT reprise.upload_put($his, 0, '$(printf '%0100d' 0)')" ""
is "is" "SELECT count(*) FROM reprise.upload_parts" 1
role=dan is "an upload of somebody else" "$(submit_upload "$his" his)" "ERROR:  parts of the upload are missing"
role=bob is "a worker sends" "SELECT * FROM $(begin_upload bobs)" "ERROR:  permission denied for function upload_begin"
role=alice is "a submitter reads parts" "SELECT reprise.witness_part(1, 1, 0)" \
  "ERROR:  permission denied for function witness_part"
role=alice is "a submitter asks for jobs" "SELECT reprise.upload_known('', '', 1)" \
  "ERROR:  permission denied for function upload_known"
# Functions of the farm's owner find the farm's tables, not temporary ones of the caller.
temporary="CREATE TEMP TABLE keys (id int DEFAULT 1, sha256 bytea UNIQUE, size_bytes bigint, chunk_bytes int,
  complete boolean DEFAULT true); INSERT INTO keys VALUES (1, sha256('mine'), 9, 9)"
unknown="ERROR:  there is no key with the digest $(printf mine | sha256sum | cut -c1-64)"
role=alice is "a key in a temporary table" \
  "$temporary; SELECT reprise.submit(sha256('mine'), '{}', '{}', 0, NULL, 1)" "$unknown"
role=alice is "an upload for it" "$temporary; SELECT reprise.upload_begin(sha256('mine'), 'mine', 9, 9)" "$unknown"
role=alice sql "$temporary; SELECT reprise.key_begin(sha256('theirs'), 9, 9)" > /dev/null
is "a key that was begun beside one" "SELECT count(*) FROM reprise.keys WHERE sha256 = sha256('theirs')" 1
# A worker belongs to the role that began it.
bobs=$(role=bob sql "SELECT worker FROM reprise.worker_begin('bobs', 600, NULL, '{}')")
role=eve is "somebody else's worker" "SELECT reprise.heartbeat($bobs, '{}')" \
  "ERROR:  this worker is gone: its lease ran out, or it began again"
put_job "$first_key" bobs 0 9
held=$(sql "SELECT id FROM reprise.jobs WHERE idempotency = 'bobs'")
role=bob is "his job" "SELECT job FROM reprise.claim($bobs, 1, 9, '{}', 0)" "$held"
for in_hand in "$held" ''; do
  role=eve is "somebody takes over" "SELECT kept FROM reprise.worker_begin('eves', 600, $bobs, '{$in_hand}')" "{}"
done
is "it is still his" "SELECT worker_id = $bobs FROM reprise.jobs WHERE id = $held" t
role=bob is "he goes on" "SELECT draining FROM reprise.heartbeat($bobs, '{}')" f
for call in "bury('{1}', '{no}')" "take_back(1, '')" "tidy()" "forget('0')" "renew(1)"; do
  role=bob is "a worker calls $call" "SELECT reprise.$call" \
    "ERROR:  permission denied for function ${call%%(*}"
done
role=carol is "a reader claims" "SELECT reprise.claim(1, 1, 1, '{}', 1)" "ERROR:  permission denied for function claim"
sql "SELECT reprise.forget('0 s')" > /dev/null
is "what is forgotten" "SELECT count(*) FROM reprise.results" 0
finish
