-- SPDX-License-Identifier: Apache-2.0 OR MIT
-- The tables of a farm. Nobody but their owner has rights on them: the roles of 003_roles.sql call functions.

-- One row: what belongs to the whole farm.
CREATE TABLE reprise.farm (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  tidied_at timestamptz NOT NULL DEFAULT '-infinity', -- reprise.tidy() runs once per second at most
  stored bigint NOT NULL DEFAULT 0,                   -- results of workers whose rows have been deleted
  failed bigint NOT NULL DEFAULT 0,
  proving_ns bigint NOT NULL DEFAULT 0
);
INSERT INTO reprise.farm DEFAULT VALUES;

-- Proving keys, named by the SHA-256 of the whole file. A key can be used once it is complete.
CREATE TABLE reprise.keys (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sha256 bytea NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  chunk_bytes int NOT NULL CHECK (chunk_bytes BETWEEN 1 AND 16777216),
  complete boolean NOT NULL DEFAULT false,
  added_by name NOT NULL DEFAULT session_user,
  added_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE reprise.key_chunks (
  key_id int NOT NULL REFERENCES reprise.keys ON DELETE CASCADE,
  n int NOT NULL CHECK (n >= 0),
  data bytea NOT NULL,
  PRIMARY KEY (key_id, n)
);
ALTER TABLE reprise.key_chunks ALTER data SET STORAGE EXTERNAL; -- points of curves do not compress

-- ready: waits for a worker; running: a worker holds it; done: its result is stored; dead: it has a reason instead.
CREATE TYPE reprise.job_state AS ENUM ('ready', 'running', 'done', 'dead');

CREATE TABLE reprise.jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key_id int NOT NULL REFERENCES reprise.keys,
  state reprise.job_state NOT NULL DEFAULT 'ready',
  priority int NOT NULL DEFAULT 0, -- larger is sooner
  attempts int NOT NULL DEFAULT 0, -- that have begun
  max_attempts int NOT NULL CHECK (max_attempts > 0),
  worker_id bigint,                -- who holds it: the fence, since ids of workers are never used again
  witness_bytes bigint NOT NULL,
  deadline timestamptz,            -- no attempt begins after it
  not_before timestamptz NOT NULL DEFAULT now(),
  owner name NOT NULL DEFAULT session_user,
  idempotency text NOT NULL CHECK (octet_length(idempotency) BETWEEN 1 AND 200),
  submitted_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  reason text, -- of the last failure
  CHECK ((state = 'running') = (worker_id IS NOT NULL)),
  CHECK ((state IN ('done', 'dead')) = (finished_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE UNIQUE INDEX jobs_idempotency ON reprise.jobs (owner, idempotency);
CREATE INDEX jobs_ready ON reprise.jobs (priority DESC, id) WHERE state = 'ready';
CREATE INDEX jobs_ready_of_key ON reprise.jobs (key_id, priority DESC, id) WHERE state = 'ready';
CREATE INDEX jobs_deadline ON reprise.jobs (deadline) WHERE state = 'ready' AND deadline IS NOT NULL;
CREATE INDEX jobs_running ON reprise.jobs (worker_id) WHERE state = 'running';
CREATE INDEX jobs_dead ON reprise.jobs (finished_at) WHERE state = 'dead';

-- A witness is deleted in the transaction that makes its job done or dead.
CREATE TABLE reprise.witnesses (
  job_id bigint PRIMARY KEY REFERENCES reprise.jobs ON DELETE CASCADE,
  data bytea NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE reprise.witnesses ALTER data SET STORAGE EXTERNAL;

CREATE TABLE reprise.results (
  job_id bigint PRIMARY KEY REFERENCES reprise.jobs ON DELETE CASCADE,
  worker_id bigint NOT NULL,
  proof text NOT NULL, -- JSON, as snarkjs writes it
  public_signals text NOT NULL,
  prove_ns bigint NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now()
);

-- One row for each connection of a worker, which is its lease on all jobs that it holds. A worker that connects again
-- gets a new row, and what it still holds moves there.
CREATE TABLE reprise.workers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 200),
  role name NOT NULL DEFAULT session_user,
  lease interval NOT NULL CHECK (lease > interval '0'),
  began_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  until timestamptz NOT NULL, -- the end of the lease
  gone_at timestamptz,        -- it holds nothing from here on
  draining boolean NOT NULL DEFAULT false,
  resident int[] NOT NULL DEFAULT '{}', -- keys
  stored bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  proving_ns bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX workers_alive ON reprise.workers (id) WHERE gone_at IS NULL;
