/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "case.h"

#include "groth16/prover/prover.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Returns 1 if a refused proof may be tried again: the prover holds a run while it begins others, as streamed provers
 * do, and another thread's prover holds the memory that they need. Provers that hold nothing wait, and are never
 * refused. */
static int may_try_again(trial *t, const rp_groth16_prover *prover, rp_status status, uint64_t since_ns,
                         const char *reason) {
  static const uint64_t patience_ns = 600000000000u;
  if (status != RP_ERR_BUDGET) return 0;
  if (t->round->n_clients == 1 || !prover->streamed || clock_ns() - since_ns > patience_ns) {
    wrong(t->all, WRONG_BUDGET, t->number, &t->jobs[0].about, reason);
    return 0;
  }
  atomic_fetch_add(&t->all->tally.waits_for_memory, 1);
  nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
  return 1;
}

/* Draws a blinding value, sometimes 0, 1 or r - 1; every value gives a valid proof. Returns 0 if it is 0. */
static int blinding(trial *t, uint8_t out[32]) {
  const rp_field_host *fr = rp_field_get(t->m->made.circuit.rows.family->fr);
  uint64_t value[4], canonical[4];
  const uint32_t die = below(&t->random, 8);
  g16_next_element(fr, &t->random, value);
  if (die == 0) fr->zero(value);
  if (die == 1 || die == 2) fr->one(value);
  if (die == 2) fr->neg(value, value);
  fr->to_canonical(canonical, value);
  memcpy(out, canonical, 32);
  return die != 0;
}

void prove_one(trial *t, rp_groth16_prover *prover) {
  job *j = &t->jobs[0];
  const uint64_t begin = clock_ns();
  uint8_t r[32], s[32];
  const int blinded = blinding(t, r) & blinding(t, s);
  if (j->about.path == PATH_BLINDING && j->about.witness == WITNESS_SOUND)
    j->verdict = fault_verdict(&t->m->made.fault, j->values, blinded);
  do {
    switch (j->about.path) {
    case PATH_VALUES:
      j->status = rp_groth16_prove_values(prover, j->values, j->n, &j->proof, j->room, NULL, &j->err);
      break;
    case PATH_BLINDING:
      j->status = rp_groth16_prove_unsafe_blinding(prover, j->values, j->n, r, s, &j->proof, j->room, NULL, &j->err);
      break;
    case PATH_FILE: j->status = rp_groth16_prove_file(prover, j->path, &j->proof, j->room, NULL, &j->err); break;
    default: j->status = rp_groth16_prove(prover, j->wtns.data, j->wtns.bytes, &j->proof, j->room, NULL, &j->err);
    }
  } while (may_try_again(t, prover, j->status, begin, j->err.reason));
}

void prove_batch(trial *t, rp_groth16_prover *prover) {
  rp_groth16_job batch[MOST_JOBS];
  uint32_t index[MOST_JOBS], n = t->n_jobs;
  const uint64_t begin = clock_ns();
  for (uint32_t i = 0; i < n; i++) index[i] = i;
  while (n) {
    for (uint32_t i = 0; i < n; i++) {
      job *j = &t->jobs[index[i]];
      batch[i] = (rp_groth16_job){.struct_size = sizeof(rp_groth16_job),
                                  .wtns = j->path[0] ? NULL : j->wtns.data,
                                  .wtns_bytes = j->wtns.bytes,
                                  .wtns_path = j->path,
                                  .proof = &j->proof,
                                  .public_signals = j->room};
    }
    const rp_status first = rp_groth16_prove_batch(prover, batch, n, NULL);
    rp_status expected = RP_OK;
    uint32_t again = 0;
    for (uint32_t i = 0; i < n; i++) {
      job *j = &t->jobs[index[i]];
      j->status = batch[i].status;
      j->err = batch[i].error;
      if (expected == RP_OK) expected = j->status;
      if (may_try_again(t, prover, j->status, begin, j->err.reason)) index[again++] = index[i];
    }
    if (first != expected) wrong(t->all, WRONG_STATUS, t->number, &t->jobs[0].about, "of the whole batch");
    n = again;
  }
}

typedef struct later {
  rp_run *run;
  uint32_t after_us;
} later;

static void *cancel_main(void *arg) {
  const later *l = arg;
  nanosleep(&(struct timespec){.tv_nsec = 1000L * l->after_us}, NULL);
  rp_run_cancel(l->run);
  return NULL;
}

void prove_and_cancel(trial *t, rp_groth16_prover *prover) {
  job *j = &t->jobs[0];
  const uint64_t begin = clock_ns();
  pthread_t thread;
  later l = {.after_us = 1u << below(&t->random, 13)};
  memset(&j->proof, 0, sizeof j->proof);
  free(j->room), j->room = NULL; /* nothing is written to it here */
  do j->status = rp_run_begin(prover->recording, UINT64_MAX, &l.run, &j->err);
  while (may_try_again(t, prover, j->status, begin, j->err.reason));
  if (j->status != RP_OK) return;
  uint8_t *input = rp_run_input(l.run, prover->graph.witness);
  memcpy(input, j->values, 32 * j->n);
  for (int i = 0; i < 2; i++)
    if (rp_random_canonical(t->m->made.circuit.rows.family->fr, input + 32 * (j->n + (size_t)i)) != RP_OK)
      memset(input + 32 * (j->n + (size_t)i), 1, 31);
  const int started = pthread_create(&thread, NULL, cancel_main, &l) == 0;
  j->status = rp_run_submit(l.run);
  if (j->status == RP_OK && below(&t->random, 4)) j->status = rp_run_wait(l.run, UINT64_MAX);
  if (started) pthread_join(thread, NULL);
  if (j->status == RP_OK) j->status = rp_run_wait(l.run, UINT64_MAX);
  j->verdict = MAY_BE_EITHER;
  if (j->status == RP_OK && !prover->streamed) {
    const g16_family *family = prover->key->family;
    j->proof.g1 = family->g1, j->proof.g2 = family->g2;
    memcpy(j->proof.a, rp_run_output(l.run, prover->graph.pi_a), g16_g1_bytes(family));
    memcpy(j->proof.b, rp_run_output(l.run, prover->graph.pi_b), g16_g2_bytes(family));
    memcpy(j->proof.c, rp_run_output(l.run, prover->graph.pi_c), g16_g1_bytes(family));
  }
  rp_run_end(l.run);
  if (j->status == RP_OK && prover->streamed) j->status = RP_ERR_CANCELLED; /* the proof is incomplete */
}
