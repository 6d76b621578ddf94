-- SPDX-License-Identifier: Apache-2.0 OR MIT
-- What submitters and workers do, one call and one transaction each. Errors that a program must tell apart have
-- SQLSTATEs of the class RP: RP001 the worker is gone, RP002 the key is unknown, RP003 an idempotency key is taken.

-- ---- Keys ------------------------------------------------------------------------------------------------------------

-- Begins or resumes the upload of a key. A key that is there is not sent again.
CREATE FUNCTION reprise.key_begin(sha256 bytea, size_bytes bigint, chunk_bytes int)
RETURNS TABLE (key_id int, complete boolean, chunk int) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keys (sha256, size_bytes, chunk_bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT k.id, k.complete, k.chunk_bytes FROM keys k WHERE k.sha256 = $1 AND k.size_bytes = $2;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'RP002', MESSAGE = 'a key with this digest and another size is there already';
  END IF;
END $$;

-- The numbers of the chunks that have not arrived.
CREATE FUNCTION reprise.key_missing(key_id int) RETURNS SETOF int LANGUAGE sql AS $$
  SELECT n::int FROM keys k, generate_series(0, (k.size_bytes - 1) / k.chunk_bytes) n
  WHERE k.id = $1 AND NOT k.complete
    AND NOT EXISTS (SELECT FROM key_chunks c WHERE c.key_id = $1 AND c.n = n.n)
  ORDER BY 1
$$;

CREATE FUNCTION reprise.key_put(key_id int, n int, data bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_chunks SELECT k.id, $2, $3 FROM keys k
    WHERE k.id = $1 AND NOT k.complete AND $2 <= (k.size_bytes - 1) / k.chunk_bytes
      AND octet_length($3) = least(k.chunk_bytes, k.size_bytes - $2::bigint * k.chunk_bytes)
    ON CONFLICT DO NOTHING;
END $$;

-- Says that all chunks were sent; true if they have all arrived. The digest is checked by the workers that fetch them.
CREATE FUNCTION reprise.key_end(key_id int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE keys SET complete = true WHERE id = $1 AND NOT EXISTS (SELECT FROM key_missing($1));
  RETURN FOUND;
END $$;

CREATE FUNCTION reprise.key_chunk(key_id int, n int) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT data FROM key_chunks WHERE key_id = $1 AND n = $2
$$;

-- ---- Ends of jobs ----------------------------------------------------------------------------------------------------

-- Makes jobs dead, whose rows the caller has locked, and deletes their witnesses.
CREATE FUNCTION reprise.bury(ids bigint[], why text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE jobs j SET state = 'dead', finished_at = now(), worker_id = NULL, reason = left(g.why, 1000)
    FROM unnest($1, $2) AS g (id, why) WHERE j.id = g.id;
  DELETE FROM witnesses WHERE job_id = ANY ($1);
END $$;

-- Gives jobs of a worker that is gone to others; those that have been attempted often enough are dead.
CREATE FUNCTION reprise.take_back(worker bigint, why text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM bury(array_agg(id), array_agg(format('attempt %s of %s: %s', attempts, max_attempts, why)))
    FROM jobs WHERE worker_id = worker AND state = 'running' AND attempts >= max_attempts;
  UPDATE jobs SET state = 'ready', worker_id = NULL, reason = why WHERE worker_id = worker AND state = 'running';
END $$;

-- A file with this digest could not be made of the chunks: they are deleted so that the key can be sent again, and jobs
-- that wait for it are dead.
CREATE FUNCTION reprise.key_damaged(key_id int, why text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE keys SET complete = false WHERE id = $1 AND complete;
  IF NOT FOUND THEN RETURN; END IF;
  DELETE FROM key_chunks c WHERE c.key_id = $1;
  PERFORM bury(array_agg(j.id), array_agg($2))
    FROM (SELECT id FROM jobs WHERE jobs.key_id = $1 AND state = 'ready' FOR UPDATE) j;
END $$;

-- Takes back what dead workers hold and buries jobs whose deadline has passed. Called with every heartbeat, it works
-- once per second, in one of the sessions that call it.
CREATE FUNCTION reprise.tidy() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  w record;
BEGIN
  PERFORM FROM farm WHERE tidied_at < now() - interval '1 s' FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE farm SET tidied_at = now();
  FOR w IN SELECT id, name FROM workers WHERE gone_at IS NULL AND until < now() FOR UPDATE SKIP LOCKED LOOP
    UPDATE workers SET gone_at = now() WHERE id = w.id;
    PERFORM take_back(w.id, format('the lease of worker %s ran out', w.name));
  END LOOP;
  PERFORM bury(array_agg(j.id), array_agg('its deadline passed before a worker was free'::text))
    FROM (SELECT id FROM jobs WHERE state = 'ready' AND deadline < now() LIMIT 1000 FOR UPDATE SKIP LOCKED) j;
  WITH old AS (DELETE FROM workers WHERE gone_at < now() - interval '1 day' RETURNING stored, failed, proving_ns),
       sums AS (SELECT count(*) n, sum(stored) s, sum(failed) f, sum(proving_ns) p FROM old)
    UPDATE farm SET stored = stored + s, failed = failed + f, proving_ns = proving_ns + p FROM sums WHERE n > 0;
END $$;

-- ---- Submitters ------------------------------------------------------------------------------------------------------

-- One job for each witness, in one transaction. A job whose idempotency key is there already is not made again: its
-- number is returned, so that a caller that lost the answer repeats the call.
CREATE FUNCTION reprise.submit(key_sha256 bytea, witnesses bytea[], idempotency text[], priority int,
                               deadline_seconds float8, max_attempts int)
RETURNS TABLE (ordinal int, job bigint, is_new boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  k int;
  taken text;
BEGIN
  SELECT id INTO k FROM keys WHERE sha256 = $1 AND complete;
  IF k IS NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'RP002', MESSAGE = 'there is no key with the digest ' || encode($1, 'hex');
  END IF;
  RETURN QUERY
  WITH given AS (SELECT w, i, n::int AS n FROM unnest($2, $3) WITH ORDINALITY AS g (w, i, n)),
  made AS (
    INSERT INTO jobs (key_id, priority, max_attempts, witness_bytes, deadline, idempotency)
      SELECT k, $4, $6, octet_length(w), now() + make_interval(secs => $5), i FROM given ORDER BY n
      ON CONFLICT (owner, idempotency) DO NOTHING RETURNING id, jobs.idempotency AS i),
  kept AS (
    INSERT INTO witnesses SELECT DISTINCT ON (made.id) made.id, w FROM made JOIN given USING (i)
      ORDER BY made.id, n)
  SELECT n, coalesce(made.id, j.id), made.id IS NOT NULL
    FROM given LEFT JOIN made USING (i) LEFT JOIN jobs j ON j.owner = session_user AND j.idempotency = given.i;
  -- What was there before must be of the same key and size. The witness itself may be deleted by now.
  SELECT g.i INTO taken FROM unnest($2, $3) AS g (w, i) JOIN jobs j ON j.owner = session_user AND j.idempotency = g.i
    WHERE j.key_id <> k OR j.witness_bytes <> octet_length(g.w) LIMIT 1;
  IF taken IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'RP003', MESSAGE = format(
      'the idempotency key "%s" is that of another job, with another key or a witness of another size', taken);
  END IF;
  PERFORM pg_notify('reprise_jobs', '');
END $$;

-- What has become of jobs of the caller: those that are done or dead.
CREATE FUNCTION reprise.finished(ids bigint[])
RETURNS TABLE (job bigint, state text, proof text, public_signals text, reason text, attempts int)
LANGUAGE sql AS $$
  SELECT tidy(); -- where no worker is left, nobody else buries what is too late
  SELECT j.id, j.state::text, r.proof, r.public_signals, j.reason, j.attempts
    FROM jobs j LEFT JOIN results r ON r.job_id = j.id
    WHERE j.id = ANY ($1) AND j.owner = session_user AND j.state IN ('done', 'dead')
$$;

-- ---- Workers ---------------------------------------------------------------------------------------------------------

-- A worker begins, or begins again after its connection was lost: then what it held as `before` and still has in hand
-- moves to its new number, and what it does not know of (claims whose answer was lost) is given back. Of the jobs in
-- hand, `kept` are still its own and the results of `stored` had arrived.
CREATE FUNCTION reprise.worker_begin(name text, lease_seconds float8, before bigint, in_hand bigint[])
RETURNS TABLE (worker bigint, kept bigint[], stored bigint[]) LANGUAGE plpgsql AS $$
BEGIN
  -- The lock waits for calls under the old number that are still on their way; later ones find it gone.
  UPDATE workers w SET gone_at = now() WHERE w.id = before AND w.role = session_user AND w.gone_at IS NULL;
  INSERT INTO workers (name, lease, until)
    VALUES ($1, make_interval(secs => $2), now() + make_interval(secs => $2)) RETURNING id INTO worker;
  WITH moved AS (UPDATE jobs SET worker_id = worker
                 WHERE worker_id = before AND state = 'running' AND id = ANY (in_hand) RETURNING id)
    SELECT coalesce(array_agg(id), '{}') INTO kept FROM moved;
  UPDATE jobs SET state = 'ready', worker_id = NULL, attempts = attempts - 1
    WHERE worker_id = before AND state = 'running';
  SELECT coalesce(array_agg(job_id), '{}') INTO stored FROM results WHERE job_id = ANY (in_hand) AND worker_id = before;
  PERFORM tidy();
  RETURN NEXT;
END $$;

-- Renews the lease; the row stays locked until the transaction ends, so that nobody takes anything back meanwhile.
CREATE FUNCTION reprise.renew(worker bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  drain boolean;
BEGIN
  UPDATE workers SET seen_at = now(), until = now() + lease WHERE id = worker AND role = session_user AND gone_at IS NULL
    RETURNING draining INTO drain;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'RP001', MESSAGE = 'this worker is gone: its lease ran out, or it began again';
  END IF;
  RETURN drain;
END $$;

CREATE FUNCTION reprise.heartbeat(worker bigint, keys int[]) RETURNS TABLE (draining boolean, alive bigint)
LANGUAGE plpgsql AS $$
BEGIN
  draining := renew(worker);
  UPDATE workers SET resident = keys WHERE id = worker AND resident <> keys;
  PERFORM tidy();
  SELECT count(*) INTO alive FROM workers WHERE gone_at IS NULL;
  RETURN NEXT;
END $$;

-- Up to `most` ready jobs of one key, whose witnesses have at most `most_bytes` together, unless it is one. Of equal
-- priority, keys that the worker has resident come first, unless another job has waited longer than `patience`.
-- One worker at a time chooses, since many would mostly pass over what the others have locked; the lock is given back
-- before anything is sent, so that a client that does not read holds nobody up. After an error the worker disconnects,
-- which ends it too. The planner is held to the indexes: a table that was empty when it was last analysed would be sorted.
CREATE FUNCTION reprise.claim(worker bigint, most int, most_bytes bigint, keys int[], patience float8)
RETURNS TABLE (job bigint, attempt int, key_id int, sha256 bytea, key_bytes bigint, chunk_bytes int, witness bytea)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  head record;
  best record;
  r record;
  k int;
  ids bigint[] := '{}';
  total bigint := 0;
BEGIN
  IF renew(worker) THEN RETURN; END IF;
  PERFORM pg_advisory_lock(7251468309117);
  SELECT j.key_id, j.priority, j.submitted_at INTO head FROM jobs j
    WHERE j.state = 'ready' AND j.not_before <= now() AND (j.deadline IS NULL OR j.deadline > now())
    ORDER BY j.priority DESC, j.id LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    PERFORM pg_advisory_unlock(7251468309117);
    RETURN;
  END IF;
  k := head.key_id;
  IF NOT k = ANY (keys) AND head.submitted_at > now() - make_interval(secs => patience) THEN
    FOR best IN SELECT unnest AS key_id FROM unnest(keys) LOOP
      PERFORM FROM jobs j WHERE j.state = 'ready' AND j.key_id = best.key_id AND j.not_before <= now()
        AND (j.deadline IS NULL OR j.deadline > now()) AND j.priority >= head.priority
        ORDER BY j.priority DESC, j.id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF FOUND THEN
        k := best.key_id;
        EXIT;
      END IF;
    END LOOP;
  END IF;
  FOR r IN SELECT j.id, j.witness_bytes FROM jobs j
    WHERE j.state = 'ready' AND j.key_id = k AND j.not_before <= now() AND (j.deadline IS NULL OR j.deadline > now())
    ORDER BY j.priority DESC, j.id LIMIT most FOR UPDATE SKIP LOCKED
  LOOP
    total := total + r.witness_bytes;
    EXIT WHEN total > most_bytes AND cardinality(ids) > 0;
    ids := ids || r.id;
  END LOOP;
  PERFORM pg_advisory_unlock(7251468309117);
  RETURN QUERY
  WITH mine AS (UPDATE jobs j SET state = 'running', worker_id = worker, attempts = j.attempts + 1
                WHERE j.id = ANY (ids) RETURNING j.id, j.attempts)
  SELECT mine.id, mine.attempts, q.id, q.sha256, q.size_bytes, q.chunk_bytes, w.data
    FROM mine JOIN witnesses w ON w.job_id = mine.id JOIN keys q ON q.id = k;
END $$;

-- Stores results of jobs that the worker holds; the numbers of those that are stored now. The others are not its own any
-- more: their results belong to somebody else.
CREATE FUNCTION reprise.store(worker bigint, ids bigint[], proofs text[], signals text[], ns bigint[])
RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
  n bigint;
BEGIN
  PERFORM renew(worker);
  RETURN QUERY
  WITH given AS (SELECT * FROM unnest(ids, proofs, signals, ns) AS g (id, proof, signals, ns)),
  done AS (UPDATE jobs j SET state = 'done', finished_at = now(), worker_id = NULL, reason = NULL
           WHERE j.id = ANY (ids) AND j.worker_id = worker AND j.state = 'running' RETURNING j.id),
  forgotten AS (DELETE FROM witnesses w USING done WHERE w.job_id = done.id),
  stored AS (INSERT INTO results (job_id, worker_id, proof, public_signals, prove_ns)
             SELECT g.id, worker, g.proof, g.signals, g.ns FROM given g JOIN done USING (id)
             RETURNING job_id, prove_ns),
  counted AS (UPDATE workers w SET stored = w.stored + s.n, proving_ns = w.proving_ns + s.ns
              FROM (SELECT count(*) AS n, coalesce(sum(prove_ns), 0) AS ns FROM stored) s WHERE w.id = worker)
  SELECT job_id FROM stored;
END $$;

-- Attempts that failed. Those that may be tried again become ready, after a pause that doubles with every attempt.
CREATE FUNCTION reprise.fail(worker bigint, ids bigint[], why text[], again boolean[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  f record;
  n int := 0;
BEGIN
  PERFORM renew(worker);
  FOR f IN SELECT j.id, j.attempts, j.max_attempts, g.why, g.again
    FROM unnest(ids, why, again) AS g (id, why, again) JOIN jobs j ON j.id = g.id
    WHERE j.worker_id = worker AND j.state = 'running' FOR UPDATE OF j
  LOOP
    n := n + 1;
    IF f.again AND f.attempts < f.max_attempts THEN
      UPDATE jobs SET state = 'ready', worker_id = NULL, reason = left(f.why, 1000),
        not_before = now() + interval '0.1 s' * power(2, least(f.attempts, 10)) WHERE id = f.id;
    ELSE
      PERFORM bury(ARRAY[f.id], ARRAY[format('attempt %s of %s: %s', f.attempts, f.max_attempts, f.why)]);
    END IF;
  END LOOP;
  UPDATE workers SET failed = failed + n WHERE id = worker;
END $$;

-- Gives back jobs that were claimed and not begun.
CREATE FUNCTION reprise.release(worker bigint, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM renew(worker);
  UPDATE jobs SET state = 'ready', worker_id = NULL, attempts = attempts - 1
    WHERE id = ANY (ids) AND worker_id = worker AND state = 'running';
  PERFORM pg_notify('reprise_jobs', '');
END $$;

CREATE FUNCTION reprise.worker_end(worker bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workers w SET gone_at = now(), resident = '{}' WHERE w.id = worker AND w.gone_at IS NULL;
  PERFORM take_back(worker, 'the worker ended');
END $$;
