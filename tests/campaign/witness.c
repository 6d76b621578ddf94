/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WTNS_HEADER = 76 };

static witness_id choose_witness(uint64_t *random, path_id path) {
  if (path == PATH_CANCEL || below(random, 10) < 8) return WITNESS_SOUND;
  if (below(random, 3)) return WITNESS_CHANGED;
  const int file = path != PATH_VALUES && path != PATH_BLINDING;
  return (witness_id)(WITNESS_RANGE + below(random, file ? 5 : 3));
}

/* Changes the value of a random wire, but not of the first, to 0, to 1, to the value plus one, or to a random value. */
static void change_value(trial *t, job *j, const rp_field_host *fr) {
  uint8_t *at = j->values + 32 * (size_t)(1 + below(&t->random, (uint32_t)j->n - 1));
  uint64_t value[4], one[4], canonical[4];
  const uint32_t die = below(&t->random, 4);
  memcpy(canonical, at, 32);
  fr->from_canonical(value, canonical);
  fr->one(one);
  if (die == 0)
    fr->zero(value);
  else if (die == 1)
    fr->one(value);
  else if (die == 2)
    fr->add(value, value, one);
  else
    g16_next_element(fr, &t->random, value);
  fr->to_canonical(canonical, value);
  memcpy(at, canonical, 32);
}

static void spoil_values(trial *t, job *j, const rp_field_host *fr) {
  switch (j->about.witness) {
  case WITNESS_CHANGED:
    for (int i = 0; i < 4 && circuit_holds(&t->m->made.circuit, j->values) == 1; i++) change_value(t, j, fr);
    if (circuit_holds(&t->m->made.circuit, j->values) == 1) j->about.witness = WITNESS_SOUND;
    break;
  case WITNESS_RANGE:
    memcpy(j->values + 32 * (size_t)(1 + below(&t->random, (uint32_t)j->n - 1)), fr->modulus_le, 32);
    break;
  case WITNESS_FIRST: j->values[0] = below(&t->random, 2) ? 0 : 2; break;
  case WITNESS_LENGTH: j->n--; break;
  default: break;
  }
}

static void put(uint8_t *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

static int make_wtns(trial *t, job *j) {
  const g16_family *family = t->m->made.circuit.rows.family;
  if (j->about.witness == WITNESS_CURVE)
    family = g16_family_by_name(strcmp(family->name, "bn128") ? "bn128" : "bls12381");
  j->wtns.bytes = WTNS_HEADER + 32 * j->n;
  uint8_t *p = j->wtns.data = malloc(j->wtns.bytes);
  if (!p) return 0;
  memcpy(p, "wtns", 4), put(p + 4, 2, 4), put(p + 8, 2, 4);
  put(p + 12, 1, 4), put(p + 16, 40, 8), put(p + 24, 32, 4);
  memcpy(p + 28, rp_field_get(family->fr)->modulus_le, 32);
  put(p + 60, j->n, 4), put(p + 64, 2, 4), put(p + 68, 32 * j->n, 8);
  memcpy(p + WTNS_HEADER, j->values, 32 * j->n);
  if (j->about.witness == WITNESS_CUT) j->wtns.bytes = 1 + below(&t->random, (uint32_t)j->wtns.bytes - 1);
  return 1;
}

int job_make(trial *t, uint32_t i, path_id path) {
  job *j = &t->jobs[i];
  const circuit *c = &t->m->made.circuit;
  const size_t signals = 32 * (size_t)c->rows.n_public;
  *j = (job){.about = {.witness = choose_witness(&t->random, path),
                       .fault = t->m->made.fault.id,
                       .path = path,
                       .source = t->m->source,
                       .shape = c->shape},
             .n = c->rows.n_wires};
  const int with_room = below(&t->random, 8) != 0;
  j->values = malloc(32 * j->n);
  j->signals = malloc(signals + 1);
  if (with_room) j->room = malloc(signals + 1);
  if (!j->values || !j->signals || (with_room && !j->room) || !circuit_witness(c, &t->random, j->values)) return 0;
  spoil_values(t, j, rp_field_get(c->rows.family->fr));
  memset(&j->proof, UNTOUCHED, sizeof j->proof);
  if (with_room) memset(j->room, UNTOUCHED, signals + 1);
  memcpy(j->signals, j->values + 32, signals);
  j->verdict = j->about.witness == WITNESS_SOUND ? fault_verdict(&t->m->made.fault, j->values, 1) : MUST_REFUSE;
  if (!make_wtns(t, j)) return 0;
  if (path != PATH_FILE && path != PATH_BATCH_FILES) return 1;
  snprintf(j->path, sizeof j->path, "%s/%u.%u.wtns", t->all->folder, t->client, i);
  return blob_write(j->path, j->wtns.data, j->wtns.bytes);
}

void job_free(job *j) {
  if (j->path[0]) unlink(j->path);
  free(j->values), free(j->signals), free(j->room);
  blob_free(&j->wtns);
}
