/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_EXAMPLES_TABLES_H
#define REPRISE_EXAMPLES_TABLES_H

#include <reprise/graphs.h>
#include <reprise/inverse.h>

/* The device that is measured, and how large the largest case is. */
typedef struct tables {
  rp_context *context;
  rp_device *device;
  int log_most;
  rp_error err;
} tables;

/* The best of a few runs in microseconds; a negative value if one fails. */
double tables_time(rp_status (*run)(void *user), void *user);
/* The first of n sizes from which on, to the last one measured, `b` is no slower than `a`; `never` if there is none. */
uint64_t tables_crossover(const uint64_t *sizes, const double *a, const double *b, int n, uint64_t never);

/* Schemes of a sparse product. 0 on failure. */
bool tables_spmv(tables *t);

#endif
