/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_GROTH16_CSR_SORT_H
#define REPRISE_GROTH16_CSR_SORT_H

#include "zkey.h"

/* Sorts rows [first, first + n): entries by signal, and entries of one signal by the bytes of their value. In place,
 * without allocating, and in O(n log n) time even for rows that were made to take long. */
void g16_csr_sort_rows(g16_csr *csr, uint64_t first, uint64_t n);

#endif
