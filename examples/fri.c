/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * FRI over Goldilocks and BabyBear: fri [--device NAME] [log2 of the degree bound] [queries] [where to write the
 * graph], by default 10 and 100. All rounds of a proof are one submission: commitments, challenges, folding, and
 * queries at indices that the device computes. The verifier on the host accepts the proof, and refuses others. fri.h
 * says what is proved, and how securely. */

#define _POSIX_C_SOURCE 200809L /* clock_gettime, setenv */

#include "fri.h"

#include <reprise/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 3 };

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* 2^log_n canonical values, all below both fields' moduli. */
static void *function_values(const fri_params *p, uint32_t log_n) {
  const uint64_t n = (uint64_t)1 << log_n, size = rp_type_canonical(p->field)->size_bytes;
  uint8_t *values = calloc(n, size);
  for (uint64_t i = 0, x = 1; values && i < n; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    const uint32_t value = (uint32_t)(x >> 34);
    memcpy(values + i * size, &value, sizeof value);
  }
  return values;
}

/* A proof, made in the best of a few runs; NULL on failure. */
static uint8_t *prove(rp_device *device, const fri_params *p, const fri_conduct *conduct, const char *picture,
                      rp_run_counters *best, rp_error *err) {
  void *values = function_values(p, conduct->log_values);
  uint8_t *proof = malloc(fri_layout_of(p).bytes);
  fri_prover prover = {0};
  bool good = values && proof && fri_prover_open(device, p, conduct, &prover, err) == RP_OK;
  for (int i = 0; i < RUNS && good; i++) {
    rp_run_counters c = {.struct_size = sizeof c};
    good = fri_prove(&prover, values, proof, &c, err) == RP_OK;
    if (!i || c.latency_ns < best->latency_ns) *best = c;
  }
  const rp_view_source view = {.struct_size = sizeof view, .graph = prover.graph};
  if (good && picture) good = rp_view_write(&view, picture, err) == RP_OK;
  fri_prover_close(&prover);
  free(values);
  if (!good) free(proof), proof = NULL;
  return proof;
}

/* The verifier must refuse the proof with one bit changed. */
static bool refuses(const fri_params *p, uint8_t *proof, size_t at, const char *what) {
  char reason[128];
  proof[at] ^= 1;
  const bool accepted = fri_verify(p, proof, fri_layout_of(p).bytes, reason);
  proof[at] ^= 1;
  printf("  %s: %s%s\n", what, accepted ? "accepted, which is wrong" : "refused: ", reason);
  return !accepted;
}

/* The verifier must refuse what a dishonest prover makes, whose transcript is in order. */
static bool refuses_conduct(rp_device *device, const fri_params *p, fri_conduct conduct, const char *what,
                            rp_error *err) {
  rp_run_counters c = {.struct_size = sizeof c};
  char reason[128] = "";
  uint8_t *proof = prove(device, p, &conduct, NULL, &c, err);
  const int refused = proof && !fri_verify(p, proof, fri_layout_of(p).bytes, reason);
  if (proof) printf("  %s: %s%s\n", what, refused ? "refused: " : "accepted, which is wrong", reason);
  free(proof);
  return refused;
}

static bool show(rp_device *device, const fri_params *p, const char *picture, rp_error *err) {
  const fri_conduct honest = {.log_values = p->log_degree};
  const fri_layout at = fri_layout_of(p);
  rp_run_counters c = {.struct_size = sizeof c};
  char reason[128];
  uint8_t *proof = prove(device, p, &honest, picture, &c, err);
  if (!proof) return false;
  const double begin = now_ms();
  bool good = fri_verify(p, proof, at.bytes, reason);
  printf("%s: 2^%u coefficients on 2^%u points, %u layers, %u queries, challenges of degree %u\n"
         "  proved in %.3f ms: %u submission, %u wait, %llu dispatches; %zu bytes, %s in %.1f ms\n",
         rp_field_name(p->field), p->log_degree, fri_log_size(p, 0), fri_layers(p), p->queries, p->extension,
         (double)c.latency_ns * 1e-6, c.submissions, c.waits, (unsigned long long)c.dispatches, at.bytes,
         good ? "verified" : reason, now_ms() - begin);
  good = good && c.submissions == 1 && c.waits == 1;
  good = refuses(p, proof, at.roots, "another root") && good;
  good = refuses(p, proof, at.rows[0], "another leaf") && good;
  good = refuses(p, proof, at.paths[0], "another path") && good;
  good = refuses(p, proof, at.last, "another last polynomial") && good;
  free(proof);
  const fri_conduct layer = {p->log_degree, 1}, last = {p->log_degree, fri_layers(p)}, degree = {p->log_degree + 1, 0};
  good = refuses_conduct(device, p, layer, "a layer of its own, committed to", err) && good;
  good = refuses_conduct(device, p, last, "a last polynomial of its own, hashed", err) && good;
  return refuses_conduct(device, p, degree, "a function of twice the degree", err) && good;
}

int main(int argc, char **argv) {
  const int named = argc > 2 && !strcmp(argv[1], "--device"), first = named ? 3 : 1;
  const char *picture = argc > first + 2 ? argv[first + 2] : NULL;
  fri_params p[2] = {fri_goldilocks, fri_babybear};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_device_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  bool good = !named || setenv("REPRISE_DEVICE", argv[2], 1) == 0;
  for (int i = 0; i < 2; i++) {
    if (argc > first) p[i].log_degree = (uint32_t)atoi(argv[first]);
    if (argc > first + 1) p[i].queries = (uint32_t)atoi(argv[first + 1]);
    good = good && fri_params_good(&p[i]);
  }
  if (!good)
    return fprintf(stderr, "usage: fri [--device NAME] [log2 of the degree bound, 4 to 25] [queries] [graph.html]\n"),
           2;
  good = rp_context_create(NULL, &context, &err) == RP_OK && rp_device_open(context, NULL, &device, &err) == RP_OK;
  if (good) {
    rp_device_get_info(device, &info);
    printf("%s\n", info.name);
  }
  for (int i = 0; i < 2 && good; i++) good = show(device, &p[i], i ? NULL : picture, &err);
  if (good)
    puts("one submission per proof, and every other proof refused");
  else
    fprintf(stderr, "failed: %s\n", err.status ? err.reason : "see above");
  rp_device_close(device);
  rp_context_destroy(context);
  return !good;
}
