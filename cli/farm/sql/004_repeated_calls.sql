-- SPDX-License-Identifier: Apache-2.0 OR MIT
-- A call that repeats one which is still at work returns the numbers of its jobs. Before, it returned none.

-- One job for each witness, in one transaction. A job whose idempotency key is there already is not made again: its
-- number is returned, so that a caller that lost the answer repeats the call, also while the first one is at work.
CREATE OR REPLACE FUNCTION reprise.submit(key_sha256 bytea, witnesses bytea[], idempotency text[], priority int,
                                          deadline_seconds float8, max_attempts int)
RETURNS TABLE (ordinal int, job bigint, is_new boolean) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = reprise, pg_temp AS $$
#variable_conflict use_column
DECLARE
  k int;
  taken text;
  made_now bigint[];
BEGIN
  SELECT id INTO k FROM keys WHERE sha256 = $1 AND complete;
  IF k IS NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'RP002', MESSAGE = 'there is no key with the digest ' || encode($1, 'hex');
  END IF;
  WITH given AS (SELECT w, i, n FROM unnest($2, $3) WITH ORDINALITY AS g (w, i, n)),
  made AS (
    INSERT INTO jobs (key_id, priority, max_attempts, witness_bytes, deadline, idempotency)
      SELECT k, $4, $6, octet_length(w), now() + make_interval(secs => $5), i FROM given ORDER BY n
      ON CONFLICT (owner, idempotency) DO NOTHING RETURNING id, jobs.idempotency AS i),
  kept AS (
    INSERT INTO witnesses SELECT DISTINCT ON (made.id) made.id, w FROM made JOIN given USING (i)
      ORDER BY made.id, n)
  SELECT array_agg(id) INTO made_now FROM made;
  -- A statement of its own: the one before has waited for a call that is repeated here and was still at work, and does
  -- not see the jobs that it made.
  RETURN QUERY
  SELECT g.n::int, j.id, coalesce(j.id = ANY (made_now), false)
    FROM unnest($3) WITH ORDINALITY AS g (i, n) JOIN jobs j ON j.owner = session_user AND j.idempotency = g.i;
  -- What was there before must be of the same key and size. The witness itself may be deleted by now.
  SELECT g.i INTO taken FROM unnest($2, $3) AS g (w, i) JOIN jobs j ON j.owner = session_user AND j.idempotency = g.i
    WHERE j.key_id <> k OR j.witness_bytes <> octet_length(g.w) LIMIT 1;
  IF taken IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'RP003', MESSAGE = format(
      'the idempotency key "%s" is that of another job, with another key or a witness of another size', taken);
  END IF;
  PERFORM pg_notify('reprise_jobs', '');
END $$;
