/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "streamed.h"

#include "groth16/formats/fail.h"

#include <stdlib.h>

enum { SCALAR_BYTES = 32, MOST_POINT_BYTES = 192 };

/* Half of what the quotient leaves for each of the two streams. */
static rp_status options(rp_device *device, uint64_t budget, const rp_plan_info *quotient, rp_msm_stream_options *o,
                         rp_error *err) {
  rp_device_info info;
  rp_device_get_info(device, &info);
  if (!budget) budget = info.memory_budget_bytes;
  if (quotient->total_bytes >= budget)
    return graphs_fail(err, RP_ERR_BUDGET, "The quotient alone takes %llu bytes of a budget of %llu.",
                       (unsigned long long)quotient->total_bytes, (unsigned long long)budget);
  *o = (rp_msm_stream_options){.struct_size = sizeof *o, .memory_budget_bytes = (budget - quotient->total_bytes) / 2};
  return RP_OK;
}

static uint64_t most_points(const rp_groth16_key *key) {
  const uint64_t h = g16_vector_len(key, G16_VEC_H), wires = g16_key_scalars(key);
  return h > wires ? h : wires;
}

rp_status g16_streamed_plan(rp_device *device, const rp_groth16_key *key, uint64_t budget, const rp_plan_info *quotient,
                            rp_plan_info *info, rp_error *err) {
  rp_msm_stream_options o;
  rp_msm_stream_info g1, g2;
  rp_status st = options(device, budget, quotient, &o, err);
  if (st == RP_OK) st = rp_msm_stream_plan(device, key->family->g1, most_points(key), &o, &g1, err);
  if (st == RP_OK) st = rp_msm_stream_plan(device, key->family->g2, g16_key_scalars(key), &o, &g2, err);
  if (st != RP_OK) return st;
  *info = *quotient;
  info->memory_level = RP_MEMORY_STREAMED;
  info->total_bytes += g1.device_bytes + g2.device_bytes;
  return RP_OK;
}

rp_status g16_streamed_create(rp_device *device, const rp_groth16_key *key, uint64_t budget,
                              const rp_plan_info *quotient, g16_streamed **streamed, rp_error *err) {
  rp_msm_stream_options o;
  rp_status st = options(device, budget, quotient, &o, err);
  g16_streamed *s = st == RP_OK ? calloc(1, sizeof *s) : NULL;
  if (st != RP_OK) return st;
  if (!s) return graphs_fail(err, RP_ERR_MEMORY, "Out of memory for the streams of a prover.");
  st = rp_msm_stream_create(device, key->family->g1, most_points(key), &o, &s->g1, err);
  if (st == RP_OK) st = rp_msm_stream_create(device, key->family->g2, g16_key_scalars(key), &o, &s->g2, err);
  if (st == RP_OK)
    *streamed = s;
  else
    g16_streamed_destroy(s);
  return st;
}

void g16_streamed_destroy(g16_streamed *streamed) {
  if (!streamed) return;
  rp_msm_stream_destroy(streamed->g1);
  rp_msm_stream_destroy(streamed->g2);
  free(streamed);
}

/* pi_c = C + H + s pi_a + r B1; the witness ends with s, r. */
static void assemble(const rp_groth16_key *key, const uint8_t *scalars, uint8_t sum[][MOST_POINT_BYTES],
                     rp_groth16_proof *proof) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1), *g2 = rp_curve_get(key->family->g2);
  const uint8_t *s = scalars + key->info.n_vars * SCALAR_BYTES;
  uint8_t blinded[2][MOST_POINT_BYTES];
  g1->mul_ct(blinded[0], sum[G16_VEC_A], s);
  g1->mul_ct(blinded[1], sum[G16_VEC_B1], s + SCALAR_BYTES);
  g1->add(sum[G16_VEC_C], sum[G16_VEC_C], sum[G16_VEC_H]);
  g1->add(sum[G16_VEC_C], sum[G16_VEC_C], blinded[0]);
  g1->add(sum[G16_VEC_C], sum[G16_VEC_C], blinded[1]);
  proof->g1 = g1->id;
  proof->g2 = g2->id;
  memcpy(proof->a, sum[G16_VEC_A], g1->affine_bytes);
  memcpy(proof->b, sum[G16_VEC_B2], g2->affine_bytes);
  memcpy(proof->c, sum[G16_VEC_C], g1->affine_bytes);
  volatile uint8_t *wipe = &blinded[0][0];
  for (size_t i = 0; i < sizeof blinded; i++) wipe[i] = 0;
}

rp_status g16_streamed_finish(const g16_streamed *streamed, const rp_groth16_key *key, const uint8_t *scalars,
                              const void *h, rp_groth16_proof *proof, rp_run_counters *counters, rp_error *err) {
  static const g16_vector order[] = {G16_VEC_A, G16_VEC_B1, G16_VEC_B2, G16_VEC_H, G16_VEC_C};
  enum { PRODUCTS = sizeof order / sizeof *order };
  uint8_t sum[PRODUCTS][MOST_POINT_BYTES];
  rp_msm_job jobs[PRODUCTS];
  rp_msm_job_counters took;
  for (int i = 0; i < PRODUCTS; i++)
    jobs[i] = (rp_msm_job){.stream = order[i] == G16_VEC_B2 ? streamed->g2 : streamed->g1,
                           .scalars = order[i] == G16_VEC_H ? h : scalars,
                           .points = key->vector[order[i]],
                           .n = g16_vector_len(key, order[i]),
                           .result = sum[order[i]]};
  rp_status st = rp_msm_stream_run(jobs, PRODUCTS, &took, err);
  if (st == RP_OK) assemble(key, scalars, sum, proof);
  volatile uint8_t *wipe = &sum[0][0];
  for (size_t i = 0; i < sizeof sum; i++) wipe[i] = 0;
  if (counters) {
    counters->submissions += (uint32_t)took.chunks;
    counters->waits += (uint32_t)took.chunks;
    counters->bytes_up += took.bytes_up;
    counters->latency_ns += took.elapsed_ns;
  }
  return st;
}
