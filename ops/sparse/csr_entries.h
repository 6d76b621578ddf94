/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrices of ones for the kernels that sum the rows of bucket matrices (ops/msm/buckets.h), which take indices
 * as they are.
 */
#ifndef REPRISE_OPS_CSR_ENTRIES_H
#define REPRISE_OPS_CSR_ENTRIES_H

#include "lower/lower.h"

typedef struct rp_csr_entries {
  rp_value row_ptr, entries; /* scratch; an entry is column << 1 */
} rp_csr_entries;

/* Checks a matrix of `rows` x `cols`, cols < 2^31, and copies it. A column out of range is a fault of the run and
 * becomes column 0; row pointers that fall, or do not begin with 0, or end above the number of columns that there are,
 * are a fault, and the copy has no entries. So the copy never leads outside the arrays. */
rp_csr_entries rp_lower_csr_entries(rp_lower *l, rp_value row_ptr, rp_value col, uint32_t rows, uint32_t cols);

/* RP_OK if the constant ones of row_ptr and col, inputs 0 and 1 of the node, are those of such a matrix with room for
 * nnz entries. Parts that are not constant count as good. */
rp_status rp_lower_csr_constants(rp_lower *l, uint32_t rows, uint32_t cols, uint32_t nnz);

#endif
