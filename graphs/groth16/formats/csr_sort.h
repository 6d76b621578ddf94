/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_GROTH16_CSR_SORT_H
#define REPRISE_GROTH16_CSR_SORT_H

#include "zkey.h"

/* Rows [first, first + n): entries by signal, entries of one signal by the bytes of their value. In place, without
 * memory, n log n even for a row that somebody made to take long. */
void g16_csr_sort_rows(g16_csr *csr, uint64_t first, uint64_t n);

#endif
