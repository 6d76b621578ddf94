/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Times of the field-vector operations on the CPU, for docs/notes/cpu-vectors.md: the best of several replays, in wall
 * time and in processor time (of all threads together; on a busy machine only this one is meaningful), beside a lower
 * bound: the number of products times the processor time of one. Arguments: threads, largest log_n.
 */
#include <stdio.h>
#include <time.h>

#include "data.h"
#include "device.h"

static const rp_field fr = RP_FIELD_BN254_FR;
static rp_context *context;
static rp_device *device;

typedef struct times {
  double wall_ms, cpu_ms;
} times;

static void must(rp_status status) {
  if (status == RP_OK) return;
  fprintf(stderr, "%s\n", rp_status_text(status));
  exit(1);
}

static double ms_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static times measure(rp_graph *g, const rp_value *in, void *const *data, const uint64_t *bytes, uint32_t n_in) {
  rp_recording *recording;
  rp_error error;
  times best = {1e9, 1e9};
  if (rp_record(device, g, NULL, &recording, &error) != RP_OK) {
    fprintf(stderr, "%s\n", error.reason);
    exit(1);
  }
  for (int again = 0; again < 7; again++) {
    rp_run *run;
    must(rp_run_begin(recording, UINT64_MAX, &run, NULL));
    for (uint32_t i = 0; i < n_in; i++) must(rp_run_set_input(run, in[i], data[i], bytes[i]));
    double wall = ms_of(CLOCK_MONOTONIC), cpu = ms_of(CLOCK_PROCESS_CPUTIME_ID);
    must(rp_run_submit(run));
    rp_status st = rp_run_wait(run, UINT64_MAX);
    wall = ms_of(CLOCK_MONOTONIC) - wall;
    cpu = ms_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    if (st == RP_OK && wall < best.wall_ms) best.wall_ms = wall;
    if (st == RP_OK && cpu < best.cpu_ms) best.cpu_ms = cpu;
    rp_run_end(run);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  return best;
}

enum { NTT, NTT_TO_REVERSED, NTT_FROM_REVERSED, NTT_INVERSE_COSET, MUL, MUL_POWERS, MUL_SUB, INVERSE, PREFIX, OPS };
static const struct {
  const char *name;
  double products; /* per element; vectors() computes the number for the transforms */
} ops[OPS] = {{"ntt", 1},
              {"ntt natural->reversed", 1},
              {"ntt reversed->natural", 1},
              {"ntt inverse coset", 1},
              {"mul", 1},
              {"mul_powers", 2},
              {"mul_sub", 1},
              {"batch_inverse", 3},
              {"prefix_product", 2}};

static rp_value build(rp_graph *g, int op, rp_value x, rp_value y, rp_value one) {
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS};
  switch (op) {
  case NTT_TO_REVERSED: o.out_order = RP_ORDER_BIT_REVERSED; break;
  case NTT_FROM_REVERSED: o.in_order = RP_ORDER_BIT_REVERSED; break;
  case NTT_INVERSE_COSET: o.inverse = 1, o.coset = RP_COSET_ROOT_2N; break;
  case MUL: return rp_mul(g, x, y);
  case MUL_POWERS: return rp_mul_powers(g, x, one, RP_NO_VALUE);
  case MUL_SUB: return rp_mul_sub(g, x, y, x);
  case INVERSE: return rp_batch_inverse(g, x, NULL);
  case PREFIX: return rp_prefix_product(g, x, 0);
  default: break;
  }
  return rp_ntt(g, x, &o);
}

static double product_ns(void) {
  const uint64_t n = 1 << 16; /* 2 MiB per vector: access to memory takes little of the time */
  void *data[] = {data_field(fr, DATA_RANDOM, 1, n), data_field(fr, DATA_RANDOM, 2, n)};
  rp_graph *g;
  must(rp_graph_create(context, "bench", &g, NULL));
  rp_value in[] = {rp_graph_input(g, "x", rp_type_field(fr), n, 0), rp_graph_input(g, "y", rp_type_field(fr), n, 0)};
  rp_graph_output(g, "out", rp_mul(g, in[0], in[1]), 0);
  times t = measure(g, in, data, (uint64_t[]){n * 32, n * 32}, 2);
  free(data[0]), free(data[1]);
  return t.cpu_ms * 1e6 / (double)n;
}

static void vectors(uint32_t log_n, double ns) {
  const uint64_t n = (uint64_t)1 << log_n;
  void *data[] = {data_field(fr, DATA_RANDOM, 1, n), data_field(fr, DATA_RANDOM, 2, n),
                  data_field(fr, DATA_RANDOM, 3, 1)};
  for (int op = 0; op < OPS; op++) {
    rp_graph *g;
    must(rp_graph_create(context, "bench", &g, NULL));
    rp_value in[] = {rp_graph_input(g, "x", rp_type_field(fr), n, 0), rp_graph_input(g, "y", rp_type_field(fr), n, 0),
                     rp_graph_input(g, "one", rp_type_field(fr), 1, 0)};
    rp_graph_output(g, "out", build(g, op, in[0], in[1], in[2]), 0);
    times t = measure(g, in, data, (uint64_t[]){n * 32, n * 32, 32}, 3);
    double products =
        (double)n * (op <= NTT_INVERSE_COSET ? log_n / 2.0 - (op != NTT_INVERSE_COSET) : ops[op].products);
    printf("| %s | 2^%u | %.2f | %.2f | %.2f | %.2f |\n", ops[op].name, log_n, products * ns / 1e6, t.cpu_ms, t.wall_ms,
           t.cpu_ms * 1e6 / products);
  }
  for (int i = 0; i < 3; i++) free(data[i]);
}

/* Three non-zeros per row; x as in a witness (mostly 0 and 1), and random. */
static void sparse(uint32_t log_n, double ns) {
  const uint64_t n = (uint64_t)1 << log_n, nnz = 3 * n;
  uint32_t *row_ptr = malloc((n + 1) * 4), *col = malloc(nnz * 4);
  uint64_t seed = 1;
  for (uint64_t i = 0; i <= n; i++) row_ptr[i] = (uint32_t)(3 * i);
  for (uint64_t i = 0; i < nnz; i++) col[i] = (uint32_t)(data_next(&seed) % n);
  void *val = data_field(fr, DATA_RANDOM, 1, nnz);
  for (int witness = 0; witness < 2; witness++)
    for (int scheme = 1; scheme < 4; scheme += 2) {
      void *x = data_field(fr, witness ? DATA_SPARSE : DATA_RANDOM, 2, n), *xc = data_canonical(fr, x, n);
      rp_graph *g;
      must(rp_graph_create(context, "bench", &g, NULL));
      rp_csr m = {.row_ptr = rp_graph_constant(g, "row_ptr", &RP_TYPE_U32, n + 1, row_ptr, RP_BORROW),
                  .col = rp_graph_constant(g, "col", &RP_TYPE_U32, nnz, col, RP_BORROW),
                  .val = rp_graph_constant(g, "val", rp_type_field(fr), nnz, val, RP_BORROW),
                  .rows = n,
                  .cols = n};
      rp_spmv_options o = {.struct_size = sizeof o, .scheme = (rp_spmv_scheme)scheme, .x_canonical = 1};
      rp_value in = rp_graph_input(g, "x", &RP_TYPE_U256, n, 0);
      rp_graph_output(g, "y", rp_spmv(g, &m, in, &o), 0);
      times t = measure(g, &in, &xc, (uint64_t[]){n * 32}, 1);
      printf("| spmv %s, %s | 2^%u | %.2f | %.2f | %.2f | %.2f |\n", scheme == 1 ? "scalar" : "balanced",
             witness ? "7/8 of x 0 or 1" : "x random", log_n, (double)nnz * ns / 1e6, t.cpu_ms, t.wall_ms,
             t.cpu_ms * 1e6 / (double)nnz);
      free(x), free(xc);
    }
  free(row_ptr), free(col), free(val);
}

int main(int argc, char **argv) {
  uint32_t most = argc > 2 ? (uint32_t)atoi(argv[2]) : 20;
  rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU};
  options.cpu_threads = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
  if (rp_context_create(NULL, &context, NULL) != RP_OK) return 1;
  if (rp_device_open(context, &options, &device, NULL) != RP_OK) return 1;
  double ns = product_ns();
  printf("threads %u, product %.2f ns\n| operation | n | floor ms | processor ms | wall ms | ns a product "
         "|\n|---|---|---|---|---|---|\n",
         options.cpu_threads, ns);
  for (uint32_t log_n = 16; log_n <= most; log_n += 2) vectors(log_n, ns);
  sparse(most < 18 ? most : 18, ns);
  rp_device_close(device);
  rp_context_destroy(context);
  return 0;
}
