/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Benchmarks of single operations: how a case is built, and its data.
 */
#ifndef REPRISE_CLI_BENCH_H
#define REPRISE_CLI_BENCH_H

#include <stdbool.h>

#include "cli.h"

enum { BENCH_INPUTS = 4, BENCH_FIXED_BASE_BITS = 8 };

/* The distribution of the scalars of products: uniform below the group order, all equal, zeros and ones, or a few
 * values that differ only in their low bits, so that a few buckets get most of the points. */
typedef enum bench_spread { BENCH_UNIFORM, BENCH_EQUAL, BENCH_BITS, BENCH_CLUSTERED, BENCH_SPREADS } bench_spread;
extern const char *const bench_spread_names[BENCH_SPREADS];

/* A case that is being built: a graph of one operation, with the data of its inputs. */
typedef struct bench_build {
  rp_device *device;
  rp_context *context;
  rp_graph *graph;
  const rp_op *op; /* of a case in bench_any.c */
  rp_field field;
  rp_curve curve;
  uint64_t n;
  uint64_t seed;
  bench_spread spread;
  uint32_t window_bits; /* of msm; 0: chosen by the library */
  uint32_t in_a_row;    /* how often the operation is applied in succession, if it supports that */
  struct {
    rp_value value;
    uint8_t *data;
    uint64_t bytes;
  } input[BENCH_INPUTS];
  unsigned n_inputs;
  rp_error *err;
} bench_build;

typedef enum bench_over { BENCH_OVER_FIELDS, BENCH_OVER_CURVES } bench_over;

/* The least that a case needs with any method: products in the field (for curves, in the base field), and elements of
 * it that are read or written. */
typedef struct bench_cost {
  double products, moved;
} bench_cost;

typedef struct bench_op {
  const char *name;
  bench_over over;
  rp_field only_field; /* with only_one: the only field or curve for which it is defined */
  rp_curve only_curve;
  bool only_one;
  bool poseidon2;                           /* only over the fields that Poseidon2 is defined for */
  uint32_t min_log_n;                       /* smallest size for which it is defined */
  uint32_t max_log_n;                       /* largest size that is measured by default */
  rp_value (*build)(bench_build *b);        /* returns the result */
  double products, moved;                   /* cost per element */
  bench_cost (*cost)(const bench_build *b); /* if not NULL, used instead of these two */
  bool chains;                              /* supports in_a_row */
  bool over_devices;                        /* several devices share the work */
  const rp_op *op;                          /* the operation whose first example it is, or NULL */
} bench_op;

extern const bench_op bench_special[];
extern const unsigned bench_n_special;
/* Case i of all: those of bench_special, then every other operation that has an example. 0 if there are fewer. */
bool bench_get(unsigned i, bench_op *out);

/* Whether the operation is defined for this field (curve) and size. */
bool bench_applies(const bench_op *op, rp_field field, rp_curve curve, uint32_t log_n);

/* Inputs of the case's field or curve with pseudo-random content, reproducible from the seed. RP_NO_VALUE on
 * failure. */
rp_value bench_elements(bench_build *b, rp_field field, uint64_t n);
rp_value bench_canonical(bench_build *b, rp_field field, uint64_t n);  /* integers below the modulus of a prime field */
rp_value bench_bytes(bench_build *b, const rp_type *type, uint64_t n); /* any bytes */
rp_value bench_scalars(bench_build *b, uint64_t n);               /* canonical, below the order, of that distribution */
rp_value bench_points(bench_build *b, uint64_t n, bool constant); /* affine multiples of the generator */
/* Constants of a group of devices: each device has its share of n points, at least one. 0 on failure. */
bool bench_points_of_devices(bench_build *b, uint64_t n, rp_value points[]);
rp_value bench_accumulators(bench_build *b, uint64_t n); /* the same as accumulators */
/* Makes an input of n numbers below `below` and returns its data, which the caller may replace; NULL on failure. */
uint32_t *bench_u32(bench_build *b, uint64_t n, uint64_t below, rp_value *value);
void bench_free(bench_build *b);

/* The measurements of one case. */
typedef struct bench_result {
  const char *op, *type;
  bench_spread spread;
  uint64_t n, median_ns, least_ns;
  uint64_t device_ns; /* median of profiled runs, as cli_time_on_device (spans.h) counts it */
  uint64_t in_a_row_ns;
  double floor_ms;
  uint32_t runs;
} bench_result;

/* The table (bench_report.c): which columns it has in addition to the first six. */
typedef struct bench_columns {
  bool in_a_row, floors;
} bench_columns;
void bench_head(const bench_columns *with);
void bench_row(const bench_columns *with, const bench_result *r);
/* Every dispatch of a profiled run, and for each part of the graph and operation the sum of its dispatches. */
void bench_print_nodes(const rp_recording *recording, const rp_node_info *nodes, uint32_t n);
struct json_t *bench_row_json(const bench_result *r);
/* CLI_USAGE, with a list of the existing names, if there is no such operation, field or curve. NULL stands for all. */
cli_exit bench_check_names(const cli_call *call, const char *op, const char *type);

/* The device's times per product in a prime field and per byte read or written, for lower bounds. byte_ns is measured
 * if it is 0. */
typedef struct bench_ceilings {
  double product_ns, byte_ns;
} bench_ceilings;
rp_status bench_measure_ceilings(const cli_session *session, rp_field field, bench_ceilings *c, rp_error *err);
/* The prime field below `field`, and how many products in it one product in `field` takes. */
rp_field bench_prime_field(rp_field field, double *products);
double bench_floor_ms(const bench_op *op, const bench_build *b, const bench_ceilings *c);
bench_cost bench_cost_ntt(const bench_build *b);
bench_cost bench_cost_msm(const bench_build *b);
bench_cost bench_cost_msm_once(const bench_build *b);
bench_cost bench_cost_tree_reduce(const bench_build *b);
bench_cost bench_cost_scalar_mul(const bench_build *b);
bench_cost bench_cost_fixed_base(const bench_build *b);
bench_cost bench_cost_point_add(const bench_build *b);
bench_cost bench_cost_to_affine(const bench_build *b);

/* Sparse matrices; n is the number of non-zeros. */
rp_value bench_build_spmv(bench_build *b);
rp_value bench_build_spmv_skewed(bench_build *b);
rp_value bench_build_spmv_points(bench_build *b);
rp_value bench_build_csr_transpose(bench_build *b);
rp_value bench_build_gather(bench_build *b);
rp_value bench_build_select(bench_build *b);
rp_value bench_build_prefix_sum(bench_build *b);
bench_cost bench_cost_spmv(const bench_build *b);
bench_cost bench_cost_csr_transpose(const bench_build *b);
bench_cost bench_cost_gather(const bench_build *b);
bench_cost bench_cost_prefix_sum(const bench_build *b);

/* Hashes of n rows of four elements, or of n leaves; and in_a_row rounds of a transcript. */
rp_value bench_build_sha256_rows(bench_build *b);
rp_value bench_build_blake2b_rows(bench_build *b);
rp_value bench_build_poseidon2(bench_build *b);
rp_value bench_build_merkle_poseidon2(bench_build *b);
rp_value bench_build_challenge_keccak256(bench_build *b);
rp_value bench_build_challenge_sha256(bench_build *b);
rp_value bench_build_challenge_blake2b(bench_build *b);
rp_value bench_build_challenge_poseidon2(bench_build *b);
bench_cost bench_cost_poseidon2(const bench_build *b);
bench_cost bench_cost_merkle_poseidon2(const bench_build *b);

/* halo2: its decompositions of a transform, and a circuit of n rows (halo2_circuit.h). */
rp_value bench_build_split_radix(bench_build *b);
rp_value bench_build_radix_passes(bench_build *b);
rp_value bench_build_halo2_quotient(bench_build *b);
rp_value bench_build_halo2_commitments(bench_build *b);
bench_cost bench_cost_halo2_quotient(const bench_build *b);
bench_cost bench_cost_halo2_commitments(const bench_build *b);

uint64_t bench_median(uint64_t *values, uint32_t n); /* sorts them */

/* The time that a finished run of a recording with RP_RECORD_PROFILE took on the device. */
rp_status bench_device_time(const rp_run *run, uint64_t *ns, rp_error *err);

/* Proofs of DIR/circuit.zkey and DIR/witness.wtns with the key resident: latency, host time, and proofs per second, one
 * at a time, and `in_flight` runs of `batch` proofs at once. Prints a line, with `head` preceded by the column heads,
 * or appends to `list`. */
typedef struct bench_proofs {
  uint32_t runs, in_flight, batch, first_percent;
  bool no_tables;
} bench_proofs;
struct json_t;
rp_status bench_prove(const cli_call *call, const cli_session *with_device, const bench_proofs *how, const char *dir,
                      bool head, struct json_t *list, rp_error *err);

/* The time of the same proof in one graph, and in one submission and wait per round, measured alternately.
 * RP_ERR_INTERNAL if their bytes differ. */
rp_status bench_rounds(const cli_call *call, const cli_session *with_device, const bench_proofs *how, const char *dir,
                       struct json_t *list, rp_error *err);

/* The time of opening and checking DIR/circuit.zkey, compared to reading that file: medians, cold and warm. */
rp_status bench_open(const cli_call *call, const cli_session *session, uint32_t runs, const char *dir, bool head,
                     struct json_t *list, rp_error *err);

#endif
