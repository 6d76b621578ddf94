-- SPDX-License-Identifier: Apache-2.0 OR MIT
-- A worker that begins again takes over from a worker of its own role only. Before, it could name any, whose jobs it got
-- or gave back.

-- A worker begins, or begins again after its connection was lost: then what it held as `before` and still has in hand
-- moves to its new number, and what it does not know of (claims whose answer was lost) is given back. Of the jobs in
-- hand, `kept` are still its own and the results of `stored` had arrived.
CREATE OR REPLACE FUNCTION reprise.worker_begin(name text, lease_seconds float8, before bigint, in_hand bigint[])
RETURNS TABLE (worker bigint, kept bigint[], stored bigint[]) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = reprise, pg_temp AS $$
BEGIN
  PERFORM FROM workers w WHERE w.id = before AND w.role = session_user;
  IF NOT FOUND THEN before := NULL; END IF;
  -- The lock waits for calls under the old number that are still on their way; later ones find it gone.
  UPDATE workers w SET gone_at = now() WHERE w.id = before AND w.gone_at IS NULL;
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
