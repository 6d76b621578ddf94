-- SPDX-License-Identifier: Apache-2.0 OR MIT
-- What operators see, and who may do what. The roles are of the whole server: GRANT reprise_worker TO a_login_role.

-- Asks workers to finish what they hold, to take nothing more and to end: one by its name, or all (NULL). Returns how
-- many have not ended yet.
CREATE FUNCTION reprise.drain(worker_name text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  n bigint;
BEGIN
  UPDATE workers SET draining = true
    WHERE gone_at IS NULL AND NOT draining AND (worker_name IS NULL OR name = worker_name);
  IF FOUND THEN PERFORM pg_notify('reprise_drain', ''); END IF;
  PERFORM tidy();
  SELECT count(*) INTO n FROM workers WHERE gone_at IS NULL AND draining AND (worker_name IS NULL OR name = worker_name);
  RETURN n;
END $$;

-- Deletes jobs, and their results, that ended longer ago; for the farm's owner. Returns how many.
CREATE FUNCTION reprise.forget(older interval) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  n bigint;
BEGIN
  DELETE FROM jobs WHERE state IN ('done', 'dead') AND finished_at < now() - older;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- Jobs that wait: what a scaler looks at.
CREATE FUNCTION reprise.waiting() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM jobs WHERE state = 'ready'
$$;

-- One row for each number: a name of Prometheus, its type, labels as JSON, and the value.
CREATE FUNCTION reprise.metrics() RETURNS TABLE (name text, kind text, labels json, value float8)
LANGUAGE sql STABLE AS $$
  WITH of_workers AS (SELECT count(*) FILTER (WHERE gone_at IS NULL) AS alive,
                             count(*) FILTER (WHERE gone_at IS NULL AND draining) AS draining,
                             coalesce(sum(stored), 0) AS stored, coalesce(sum(failed), 0) AS failed,
                             coalesce(sum(proving_ns), 0) AS proving_ns FROM workers)
  SELECT 'reprise_farm_jobs', 'gauge', json_build_object('state', 'ready'), waiting()::float8
  UNION ALL SELECT 'reprise_farm_jobs', 'gauge', json_build_object('state', 'running'), count(*)
    FROM jobs WHERE state = 'running'
  UNION ALL SELECT 'reprise_farm_jobs', 'gauge', json_build_object('state', 'dead'), count(*)
    FROM jobs WHERE state = 'dead'
  UNION ALL SELECT 'reprise_farm_oldest_ready_seconds', 'gauge', '{}', coalesce(extract(epoch FROM now() - min(submitted_at)), 0)
    FROM jobs WHERE state = 'ready'
  UNION ALL SELECT 'reprise_farm_workers', 'gauge', '{}', alive FROM of_workers
  UNION ALL SELECT 'reprise_farm_workers_draining', 'gauge', '{}', draining FROM of_workers
  UNION ALL SELECT 'reprise_farm_results_total', 'counter', '{}', f.stored + w.stored FROM farm f, of_workers w
  UNION ALL SELECT 'reprise_farm_failures_total', 'counter', '{}', f.failed + w.failed FROM farm f, of_workers w
  UNION ALL SELECT 'reprise_farm_proving_seconds_total', 'counter', '{}', (f.proving_ns + w.proving_ns) / 1e9
    FROM farm f, of_workers w
  UNION ALL SELECT 'reprise_farm_database_bytes', 'gauge', '{}', pg_database_size(current_database())
$$;

-- All of it as one JSON object, for people and programs.
CREATE FUNCTION reprise.status() RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'ready', waiting(),
    'running', (SELECT count(*) FROM jobs WHERE state = 'running'),
    'dead', (SELECT count(*) FROM jobs WHERE state = 'dead'),
    'stored', (SELECT f.stored + coalesce((SELECT sum(w.stored) FROM workers w), 0) FROM farm f),
    'oldest_ready_seconds', (SELECT extract(epoch FROM now() - min(submitted_at))::float8 FROM jobs WHERE state = 'ready'),
    'keys', (SELECT coalesce(json_agg(k ORDER BY k.id), '[]') FROM (
      SELECT k.id, encode(k.sha256, 'hex') AS sha256, k.size_bytes, k.complete,
             (SELECT count(*) FROM jobs j WHERE j.key_id = k.id AND j.state = 'ready') AS ready FROM keys k) k),
    'workers', (SELECT coalesce(json_agg(w ORDER BY w.id), '[]') FROM (
      SELECT w.id, w.name, w.draining, extract(epoch FROM now() - w.seen_at)::float8 AS seen_seconds, w.resident,
             (SELECT count(*) FROM jobs j WHERE j.worker_id = w.id AND j.state = 'running') AS holds, w.stored,
             w.failed FROM workers w WHERE w.gone_at IS NULL) w),
    'last_dead', (SELECT coalesce(json_agg(d), '[]') FROM (
      SELECT j.id, j.attempts, j.reason FROM jobs j WHERE j.state = 'dead' ORDER BY j.finished_at DESC LIMIT 10) d))
$$;

-- ---- Rights ----------------------------------------------------------------------------------------------------------

DO $$
DECLARE
  r text;
  f record;
BEGIN
  FOREACH r IN ARRAY ARRAY['reprise_submitter', 'reprise_worker', 'reprise_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = r) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', r);
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA reprise TO %I', r);
  END LOOP;
  -- Functions run with the rights of the farm's owner, and look up names in its schema only.
  FOR f IN SELECT p.oid::regprocedure AS name FROM pg_proc p WHERE p.pronamespace = 'reprise'::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = reprise, pg_temp', f.name);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f.name);
  END LOOP;
END $$;
GRANT SELECT ON reprise.schema_version TO reprise_submitter, reprise_worker, reprise_reader;
GRANT EXECUTE ON FUNCTION reprise.key_begin, reprise.key_missing, reprise.key_put, reprise.key_end, reprise.submit,
  reprise.finished TO reprise_submitter;
GRANT EXECUTE ON FUNCTION reprise.key_chunk, reprise.key_damaged, reprise.worker_begin, reprise.heartbeat,
  reprise.claim, reprise.store, reprise.fail, reprise.release, reprise.worker_end TO reprise_worker;
GRANT EXECUTE ON FUNCTION reprise.waiting, reprise.metrics, reprise.status TO reprise_reader;
