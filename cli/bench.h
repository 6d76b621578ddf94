/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Benchmarks of single operations: what is built for a case, and what data it gets.
 */
#ifndef REPRISE_CLI_BENCH_H
#define REPRISE_CLI_BENCH_H

#include "cli.h"

enum { BENCH_INPUTS = 4 };

/* A case while it is built: a graph of one operation, with the data of its inputs. */
typedef struct bench_build {
  rp_device *device;
  rp_context *context;
  rp_graph *graph;
  rp_field field;
  rp_curve curve;
  uint64_t n;
  uint64_t seed;
  struct {
    rp_value value;
    uint8_t *data;
    uint64_t bytes;
  } input[BENCH_INPUTS];
  unsigned n_inputs;
  rp_error *err;
} bench_build;

typedef enum bench_over { BENCH_OVER_FIELDS, BENCH_OVER_CURVES } bench_over;

typedef struct bench_op {
  const char *name;
  bench_over over;
  rp_field only_field; /* with only_one: the only field that it is defined for */
  int only_one;
  uint32_t max_log_n;                /* for sizes that it is measured at unasked */
  rp_value (*build)(bench_build *b); /* the result */
} bench_op;

extern const bench_op bench_ops[];
extern const unsigned bench_n_ops;

/* 1 if the operation is defined for this field (curve) and size. */
int bench_applies(const bench_op *op, rp_field field, rp_curve curve, uint32_t log_n);

/* Inputs of the case's field or curve with pseudo-random content, the same for the same seed. RP_NO_VALUE on failure.
 */
rp_value bench_elements(bench_build *b, rp_field field, uint64_t n);
rp_value bench_scalars(bench_build *b, uint64_t n);              /* canonical, below the order */
rp_value bench_points(bench_build *b, uint64_t n, int constant); /* affine multiples of the generator */
void bench_free(bench_build *b);

#endif
