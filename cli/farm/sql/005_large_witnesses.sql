-- SPDX-License-Identifier: Apache-2.0 OR MIT
-- Witnesses that are too large for one value are sent in parts, and become a job when all have arrived. The job has an
-- empty row in reprise.witnesses, to which the upload belongs: with that row it is deleted, whoever deletes it.

CREATE TABLE reprise.uploads (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner name NOT NULL DEFAULT session_user,
  idempotency text NOT NULL CHECK (octet_length(idempotency) BETWEEN 1 AND 200),
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  part_bytes int NOT NULL CHECK (part_bytes BETWEEN 1 AND 67108864),
  job_id bigint UNIQUE REFERENCES reprise.witnesses (job_id) ON DELETE CASCADE, -- NULL: it is being sent
  touched_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (owner, idempotency)
);
CREATE INDEX uploads_unfinished ON reprise.uploads (touched_at) WHERE job_id IS NULL;

CREATE TABLE reprise.upload_parts (
  upload_id bigint NOT NULL REFERENCES reprise.uploads ON DELETE CASCADE,
  n int NOT NULL CHECK (n >= 0),
  data bytea NOT NULL,
  PRIMARY KEY (upload_id, n)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE reprise.upload_parts ALTER data SET STORAGE EXTERNAL;

-- The caller's job with this idempotency key, which must be of the same key and size, or NULL.
CREATE FUNCTION reprise.upload_known(key_sha256 bytea, idempotency text, size_bytes bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  known record;
BEGIN
  SELECT j.id, k.sha256, j.witness_bytes INTO known FROM jobs j JOIN keys k ON k.id = j.key_id
    WHERE j.owner = session_user AND j.idempotency = $2;
  IF known.id IS NOT NULL AND (known.sha256 <> $1 OR known.witness_bytes <> $3) THEN
    RAISE EXCEPTION USING ERRCODE = 'RP003', MESSAGE = format(
      'the idempotency key "%s" is that of another job, with another key or a witness of another size', $2);
  END IF;
  RETURN known.id;
END $$;

-- Begins or resumes an upload; `missing` are the parts that have not arrived, which have the returned size. If the job
-- is there already, its number is returned, and nothing has to be sent.
CREATE FUNCTION reprise.upload_begin(key_sha256 bytea, idempotency text, size_bytes bigint, part_bytes int)
RETURNS TABLE (job bigint, upload bigint, part int, missing int[]) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  u record;
BEGIN
  PERFORM FROM keys WHERE sha256 = $1 AND complete;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'RP002', MESSAGE = 'there is no key with the digest ' || encode($1, 'hex');
  END IF;
  job := upload_known($1, $2, $3);
  IF job IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;
  INSERT INTO uploads (idempotency, size_bytes, part_bytes) VALUES ($2, $3, $4) ON CONFLICT DO NOTHING;
  SELECT * INTO u FROM uploads WHERE owner = session_user AND idempotency = $2;
  IF u.size_bytes <> $3 THEN
    RAISE EXCEPTION USING ERRCODE = 'RP003', MESSAGE = format(
      'the idempotency key "%s" is that of another upload, of another size', $2);
  END IF;
  upload := u.id;
  part := u.part_bytes;
  SELECT coalesce(array_agg(n ORDER BY n), '{}') INTO missing
    FROM generate_series(0, ((u.size_bytes - 1) / u.part_bytes)::int) n
    WHERE NOT EXISTS (SELECT FROM upload_parts p WHERE p.upload_id = u.id AND p.n = n.n);
  RETURN NEXT;
END $$;

-- A part of an upload of the caller's. Of a part that is there already, nothing changes.
CREATE FUNCTION reprise.upload_put(upload bigint, n int, data bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO upload_parts SELECT u.id, $2, $3 FROM uploads u
    WHERE u.id = $1 AND u.owner = session_user AND u.job_id IS NULL AND $2 <= (u.size_bytes - 1) / u.part_bytes
      AND octet_length($3) = least(u.part_bytes, u.size_bytes - $2::bigint * u.part_bytes)
    ON CONFLICT DO NOTHING;
  UPDATE uploads u SET touched_at = now() WHERE u.id = $1 AND u.owner = session_user AND u.job_id IS NULL;
END $$;

-- Makes the job of an upload whose parts have all arrived. A repeated call returns the same number. RP004: parts are
-- missing, or the upload is gone: it begins again.
CREATE FUNCTION reprise.submit_upload(key_sha256 bytea, upload bigint, idempotency text, size_bytes bigint,
                                      priority int, deadline_seconds float8, max_attempts int)
RETURNS bigint LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  u record;
  made bigint;
  k int;
BEGIN
  SELECT * INTO u FROM uploads WHERE id = $2 AND owner = session_user AND idempotency = $3 FOR UPDATE;
  made := upload_known($1, $3, $4); -- a statement of its own sees what a call has made for which this one waited
  IF made IS NOT NULL THEN
    RETURN made;
  END IF;
  SELECT id INTO k FROM keys WHERE sha256 = $1 AND complete;
  IF k IS NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'RP002', MESSAGE = 'there is no key with the digest ' || encode($1, 'hex');
  END IF;
  IF u.id IS NULL OR u.size_bytes <> $4
     OR (SELECT count(*) FROM upload_parts WHERE upload_id = u.id) <= (u.size_bytes - 1) / u.part_bytes THEN
    RAISE EXCEPTION USING ERRCODE = 'RP004', MESSAGE = 'parts of the upload are missing';
  END IF;
  INSERT INTO jobs (key_id, priority, max_attempts, witness_bytes, deadline, idempotency)
    VALUES (k, $5, $7, u.size_bytes, now() + make_interval(secs => $6), $3)
    ON CONFLICT (owner, idempotency) DO NOTHING RETURNING id INTO made;
  IF made IS NULL THEN -- submitted by another call meanwhile
    RETURN upload_known($1, $3, $4);
  END IF;
  INSERT INTO witnesses VALUES (made, '');
  UPDATE uploads SET job_id = made WHERE id = u.id;
  PERFORM pg_notify('reprise_jobs', '');
  RETURN made;
END $$;

-- A part of the witness of a job that the caller's worker holds, whose lease it renews; no row if there is none.
CREATE FUNCTION reprise.witness_part(worker bigint, job bigint, n int)
RETURNS TABLE (size_bytes bigint, part_bytes int, data bytea) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM renew(worker);
  RETURN QUERY SELECT u.size_bytes, u.part_bytes, p.data
    FROM jobs j JOIN uploads u ON u.job_id = j.id JOIN upload_parts p ON p.upload_id = u.id AND p.n = $3
    WHERE j.id = $2 AND j.worker_id = $1 AND j.state = 'running';
END $$;

-- Takes back what dead workers hold, buries jobs whose deadline has passed, and deletes uploads that were left for an
-- hour. Called with every heartbeat, it works once per second, in one of the sessions that call it.
CREATE OR REPLACE FUNCTION reprise.tidy() RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = reprise, pg_temp AS $$
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
  DELETE FROM uploads WHERE id IN (SELECT id FROM uploads
    WHERE job_id IS NULL AND touched_at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED);
  WITH old AS (DELETE FROM workers WHERE gone_at < now() - interval '1 day' RETURNING stored, failed, proving_ns),
       sums AS (SELECT count(*) n, sum(stored) s, sum(failed) f, sum(proving_ns) p FROM old)
    UPDATE farm SET stored = stored + s, failed = failed + f, proving_ns = proving_ns + p FROM sums WHERE n > 0;
END $$;

DO $$
DECLARE
  f record;
BEGIN
  FOR f IN SELECT p.oid::regprocedure AS name FROM pg_proc p WHERE p.pronamespace = 'reprise'::regnamespace
    AND p.proname IN ('upload_known', 'upload_begin', 'upload_put', 'submit_upload', 'witness_part')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = reprise, pg_temp', f.name);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f.name);
  END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION reprise.upload_begin, reprise.upload_put, reprise.submit_upload TO reprise_submitter;
GRANT EXECUTE ON FUNCTION reprise.witness_part TO reprise_worker;
