/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "case.h"

#include "groth16/verify/verify.h"
#include "plain_verify.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- The judgement ----------------------------------------------------------------------------------------------- */

static int all_are(const uint8_t *p, size_t n, uint8_t value) {
  while (n && p[n - 1] == value) n--;
  return n == 0;
}

static void write_sample(const trial *t, const job *j, uint32_t i) {
  enum { ROOM = 1 << 16 };
  char path[512], *text = malloc(ROOM);
  size_t bytes;
  const char *folder = t->all->options.json;
  const unsigned long long number = (unsigned long long)t->number;
  int done = text && rp_groth16_proof_to_json(&j->proof, text, ROOM, &bytes, NULL) == RP_OK;
  snprintf(path, sizeof path, "%s/%llu.%u.proof.json", folder, number, i);
  done = done && blob_write(path, text, bytes);
  done = done &&
         rp_groth16_public_to_json(j->signals, t->m->made.circuit.rows.n_public, text, ROOM, &bytes, NULL) == RP_OK;
  snprintf(path, sizeof path, "%s/%llu.%u.public.json", folder, number, i);
  done = done && blob_write(path, text, bytes);
  snprintf(path, sizeof path, "%s/%llu.%u.key.json", folder, number, i);
  done = done && blob_write(path, t->m->made.vkey.data, t->m->made.vkey.bytes);
  free(text);
  if (!done) fprintf(stderr, "a proof cannot be written to %s\n", folder);
}

static void judge_released(trial *t, const job *j, uint32_t i) {
  rp_error err = {0};
  campaign *all = t->all;
  const size_t n_public = t->m->made.circuit.rows.n_public;
  if (j->verdict == MUST_REFUSE) wrong(all, WRONG_RELEASED, t->number, &j->about, t->m->made.fault.how);
  /* The second verifier is the one that released the proof, so it cannot be the only judge. */
  if (plain_verify(g16_vkey_points(t->m->made.judge), &j->proof, j->signals, n_public) != RP_OK)
    wrong(all, WRONG_INVALID, t->number, &j->about, "");
  else if (rp_groth16_verify(t->m->made.judge, &j->proof, j->signals, n_public, &err) != RP_OK)
    wrong(all, WRONG_INVALID, t->number, &j->about, err.reason);
  if (j->room && memcmp(j->room, j->signals, 32 * n_public) != 0) wrong(all, WRONG_SIGNALS, t->number, &j->about, "");
  if (!all->options.json) return;
  if (atomic_fetch_add(&all->released, 1) % all->options.every == 0) write_sample(t, j, i);
}

static void judge_refused(trial *t, const job *j) {
  const int changed = j->about.witness == WITNESS_SOUND || j->about.witness == WITNESS_CHANGED;
  int expected = changed ? j->status == RP_ERR_VERIFY
                         : j->status == RP_ERR_INPUT || j->status == RP_ERR_FORMAT || j->status == RP_ERR_MISMATCH;
  if (j->about.path == PATH_CANCEL) expected = j->status == RP_ERR_CANCELLED;
  if (j->status == RP_ERR_BUDGET) expected = 1; /* may_try_again has judged it */
  if (j->verdict == MUST_RELEASE && j->status != RP_ERR_BUDGET)
    wrong(t->all, WRONG_REFUSED, t->number, &j->about, j->err.reason);
  else if (!expected)
    wrong(t->all, WRONG_STATUS, t->number, &j->about, j->err.reason);
  const size_t room = 32 * (size_t)t->m->made.circuit.rows.n_public;
  if (!all_are((const uint8_t *)&j->proof, sizeof j->proof, 0) ||
      (j->room && !all_are(j->room, room, 0) && !all_are(j->room, room, UNTOUCHED)))
    wrong(t->all, WRONG_LEFT, t->number, &j->about, j->err.reason);
}

static void judge(trial *t) {
  for (uint32_t i = 0; i < t->n_jobs; i++) {
    const job *j = &t->jobs[i];
    if (j->status == RP_OK)
      judge_released(t, j, i);
    else
      judge_refused(t, j);
    tally_count(&t->all->tally, &j->about, j->status);
    if (t->all->options.one_case)
      printf("case %llu, proof %u: %s; %s, %s, %s, key from %s, circuit: %s. %s %s\n", (unsigned long long)t->number, i,
             path_name(j->about.path), witness_name(j->about.witness), fault_names[j->about.fault],
             t->m->made.fault.how, source_name(j->about.source), shape_names[j->about.shape], rp_status_name(j->status),
             j->status == RP_OK ? "" : j->err.reason);
  }
}

/* ---- A case ------------------------------------------------------------------------------------------------------ */

static path_id choose_path(uint64_t *random, const member *m) {
  static const path_id paths[] = {PATH_VALUES, PATH_VALUES,   PATH_WTNS,  PATH_WTNS,        PATH_FILE,
                                  PATH_BATCH,  PATH_BLINDING, PATH_BATCH, PATH_BATCH_FILES, PATH_CANCEL};
  const path_id path = paths[below(random, sizeof paths / sizeof *paths)];
  return path == PATH_CANCEL && m->made.fault.id != FAULT_NONE ? PATH_VALUES : path;
}

/* Creates a second prover of the key for this case only, or returns NULL if there is no memory for it or that fails. */
static rp_groth16_prover *create_second_prover(trial *t) {
  rp_groth16_prover *prover = NULL;
  const rp_status status = rp_groth16_prover_create(t->round->device, t->m->key, &t->m->options, &prover, NULL);
  if (status == RP_ERR_BUDGET && t->round->n_clients > 1) return NULL;
  if (status != RP_OK) wrong(t->all, WRONG_REFUSED, t->number, NULL, "a second prover of a key");
  return prover;
}

void case_run(round_t *r, uint64_t number, uint32_t client) {
  trial t = {.round = r, .all = r->all, .number = number, .client = client};
  t.random = mix(r->all->options.seed, 2, number);
  t.m = &r->members[below(&t.random, r->n_members)];
  atomic_fetch_add(&r->all->tally.cases, 1);
  if (!t.m->prover) return; /* the key was refused */
  if (below(&t.random, 16) == 0) {
    const rp_status status = rp_recording_evict(rp_groth16_prover_recording(t.m->prover), NULL);
    if (status != RP_OK && status != RP_ERR_BUSY) wrong(t.all, WRONG_STATUS, number, NULL, "of an eviction");
  }
  const path_id path = choose_path(&t.random, t.m);
  const int batch = path == PATH_BATCH || path == PATH_BATCH_FILES;
  rp_groth16_prover *own = below(&t.random, 200) == 0 ? create_second_prover(&t) : NULL,
                    *prover = own ? own : t.m->prover;
  t.n_jobs = batch ? 1 + below(&t.random, MOST_JOBS) : 1;
  int ready = 1;
  for (uint32_t i = 0; i < t.n_jobs; i++) ready &= job_make(&t, i, path);
  if (!ready)
    fprintf(stderr, "case %llu: no memory, or no room for a file\n", (unsigned long long)number);
  else if (batch)
    prove_batch(&t, prover);
  else if (path == PATH_CANCEL)
    prove_and_cancel(&t, prover);
  else
    prove_one(&t, prover);
  if (ready) judge(&t);
  for (uint32_t i = 0; i < t.n_jobs; i++) job_free(&t.jobs[i]);
  rp_groth16_prover_destroy(own);
}
