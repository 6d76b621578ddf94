/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "streamed.h"

#include "formats/fail.h"
#include "msm/msm.h"

enum { SCALAR_BYTES = 32, MOST_POINT_BYTES = 192 };

static uint64_t most_points(const rp_groth16_key *key) {
  const uint64_t h = g16_vector_len(key, G16_VEC_H), wires = g16_key_scalars(key);
  return h > wires ? h : wires;
}

/* ---- Which plan for which budget --------------------------------------------------------------------------------- */

/* A budget that no plan fits, so that the refusal says what the smallest takes. */
enum { NOTHING = 1 };

static rp_status plan_quotient(rp_device *device, const rp_graph *graph, uint64_t budget, g16_streamed_plan *plan,
                               rp_error *err) {
  rp_record_options *o = &plan->quotient;
  o->memory_budget_bytes = budget;
  const rp_status st = rp_plan_query(device, graph, o, &plan->info, err);
  if (st == RP_OK) o->memory_budget_bytes = plan->info.total_bytes;
  return st;
}

static rp_status plan_stream(rp_device *device, rp_curve curve, uint64_t points, uint64_t budget,
                             rp_msm_stream_options *o, uint64_t *bytes, rp_error *err) {
  rp_msm_stream_info info = {.struct_size = sizeof info};
  *o = (rp_msm_stream_options){.struct_size = sizeof *o, .memory_budget_bytes = budget};
  const rp_status st = rp_msm_stream_plan(device, curve, points, o, &info, err);
  *bytes = info.device_bytes;
  if (st == RP_OK) {
    o->chunk = info.chunk;
    o->memory_budget_bytes = info.device_bytes;
  }
  return st;
}

typedef struct least_bytes {
  uint64_t quotient, g1, g2;
} least_bytes;

static rp_status find_least(rp_device *device, const rp_groth16_key *key, const rp_graph *graph,
                            g16_streamed_plan *plan, least_bytes *least, rp_error *err) {
  const g16_family *f = key->family;
  rp_status st = plan_quotient(device, graph, NOTHING, plan, err);
  least->quotient = plan->info.total_bytes;
  if (st == RP_ERR_BUDGET) st = plan_stream(device, f->g1, most_points(key), NOTHING, &plan->g1, &least->g1, err);
  if (st == RP_ERR_BUDGET) st = plan_stream(device, f->g2, g16_key_scalars(key), NOTHING, &plan->g2, &least->g2, err);
  return st == RP_ERR_BUDGET ? RP_OK : st;
}

/* Each part leaves at least what the next ones need, so none of them can be refused. The streams share evenly what the
 * quotient leaves; then G1, which has four of the five products, gets the rest. */
static rp_status divide(rp_device *device, const rp_groth16_key *key, const rp_graph *graph, uint64_t budget,
                        const least_bytes *least, g16_streamed_plan *plan, rp_error *err) {
  const g16_family *f = key->family;
  uint64_t g1 = 0, g2 = 0;
  rp_status st = plan_quotient(device, graph, budget - least->g1 - least->g2, plan, err);
  const uint64_t rest = budget - plan->info.total_bytes;
  uint64_t half = rest / 2 > least->g1 ? rest / 2 : least->g1;
  if (half > rest - least->g2) half = rest - least->g2;
  if (st == RP_OK) st = plan_stream(device, f->g1, most_points(key), half, &plan->g1, &g1, err);
  if (st == RP_OK) st = plan_stream(device, f->g2, g16_key_scalars(key), rest - g1, &plan->g2, &g2, err);
  if (st == RP_OK) st = plan_stream(device, f->g1, most_points(key), rest - g2, &plan->g1, &g1, err);
  plan->info.total_bytes += g1 + g2;
  return st;
}

rp_status g16_streamed_fit(rp_device *device, const rp_groth16_key *key, const rp_graph *quotient, uint64_t budget,
                           const rp_record_options *record, g16_streamed_plan *plan, rp_error *err) {
  least_bytes least = {0};
  *plan = (g16_streamed_plan){.quotient = *record, .info.struct_size = sizeof plan->info};
  plan->quotient.flags |= RP_RECORD_KEEP_INPUTS; /* the products read the staging after the quotient's run */
  rp_status st = find_least(device, key, quotient, plan, &least, err);
  const uint64_t need = plan->least_bytes = least.quotient + least.g1 + least.g2;
  if (st == RP_OK && need <= budget) {
    /* Repeats until the plan is the one for its own total: one stream may get what another left, and dividing the same
     * total again may give the other more. Totals decrease, so this ends. */
    for (uint64_t room = 0; st == RP_OK && room != budget; budget = plan->info.total_bytes) {
      room = budget;
      st = divide(device, key, quotient, budget, &least, plan, err);
    }
  } else if (st == RP_OK) {
    rp_device_info info = {.struct_size = sizeof info};
    rp_device_get_info(device, &info);
    plan->info.total_bytes = need;
    st = support_fail(err, RP_ERR_BUDGET,
                      "groth16 needs %llu bytes on %s:%u with the key's points streamed, and the budget is %llu bytes",
                      (unsigned long long)need, rp_device_kind_name(info.kind), info.index, (unsigned long long)budget);
  }
  plan->info.memory_level = RP_MEMORY_STREAMED;
  return st;
}

/* ---- Streams ----------------------------------------------------------------------------------------------------- */

rp_status g16_streamed_create(rp_device *device, const rp_groth16_key *key, const g16_streamed_plan *plan,
                              g16_streamed **streamed, rp_error *err) {
  g16_streamed *s = rp_context_alloc(rp_device_context(device), sizeof *s);
  if (!s) return support_fail(err, RP_ERR_MEMORY, "Out of memory for the streams of a prover.");
  rp_status st = rp_msm_stream_create(device, key->family->g1, most_points(key), &plan->g1, &s->g1, err);
  if (st == RP_OK) st = rp_msm_stream_create(device, key->family->g2, g16_key_scalars(key), &plan->g2, &s->g2, err);
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
  rp_context_free(streamed);
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
  rp_wipe(blinded, sizeof blinded);
}

rp_status g16_streamed_finish(const g16_streamed *streamed, const rp_groth16_key *key, const uint8_t *scalars,
                              const void *h, const atomic_int *cancelled, rp_groth16_proof *proof,
                              rp_run_counters *counters, rp_error *err) {
  static const g16_vector order[] = {G16_VEC_A, G16_VEC_B1, G16_VEC_B2, G16_VEC_H, G16_VEC_C};
  enum { PRODUCTS = sizeof order / sizeof *order };
  uint8_t sum[PRODUCTS][MOST_POINT_BYTES];
  rp_msm_job jobs[PRODUCTS];
  rp_msm_job_counters took = {.struct_size = sizeof took};
  for (int i = 0; i < PRODUCTS; i++)
    jobs[i] = (rp_msm_job){.stream = order[i] == G16_VEC_B2 ? streamed->g2 : streamed->g1,
                           .scalars = order[i] == G16_VEC_H ? h : scalars,
                           .points = key->vector[order[i]],
                           .n = g16_vector_len(key, order[i]),
                           .result = sum[order[i]]};
  rp_status st = msm_stream_run(jobs, PRODUCTS, cancelled, &took, err);
  if (st == RP_OK) assemble(key, scalars, sum, proof);
  rp_wipe(sum, sizeof sum);
  counters->submissions += (uint32_t)took.chunks;
  counters->waits += (uint32_t)took.chunks;
  counters->bytes_up += took.bytes_up;
  counters->latency_ns += took.elapsed_ns;
  return st;
}
