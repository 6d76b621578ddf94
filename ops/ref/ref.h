/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The shortest correct version of each operation on vectors, over any field through its function table: every kernel on
 * every device is compared with it. Arrays are in memory form; outputs must not overlap inputs.
 */
#ifndef REPRISE_OPS_REF_H
#define REPRISE_OPS_REF_H

#include <stdbool.h>

#include <reprise/ops.h>

/* out[i] = op(a[i * a_step], b[i * b_step]); for a length of 1 the caller passes a step of 0. */
void ref_binary(const rp_field_host *f, void (*op)(void *, const void *, const void *), void *out, const void *a,
                uint64_t a_step, const void *b, uint64_t b_step, uint64_t n);
void ref_powers(const rp_field_host *f, void *out, const void *base, const void *scale, uint64_t n);
void ref_prefix_product(const rp_field_host *f, void *out, const void *x, bool exclusive, uint64_t n);
void ref_sum(const rp_field_host *f, void *out, const void *x, uint64_t n);
void ref_poly_eval(const rp_field_host *f, void *out, const void *x, uint64_t n, const void *point);
/* The quotient by X - point: n - 1 coefficients. */
void ref_poly_divide(const rp_field_host *f, void *out, const void *x, uint64_t n, const void *point);
/* The inverse of zero is zero. */
void ref_inverse(const rp_field_host *f, void *out, const void *x, uint64_t n);

/* out[i] = sum over j of x[j] w^(ij), by definition, in O(n^2); w may be any element. */
void ref_dft(const rp_field_host *f, void *out, const void *x, const void *w, uint64_t n);
/* The same by recursive radix 2, in natural order; w must have order n, a power of two. */
void ref_ntt(const rp_field_host *f, void *out, const void *x, const void *w, uint64_t n);
/* out[i] = x[i with its bits reversed] */
void ref_bit_reverse(const rp_field_host *f, void *out, const void *x, uint64_t n);

void ref_spmv(const rp_field_host *f, void *y, uint64_t rows, const uint32_t *row_ptr, const uint32_t *col,
              const void *val, const void *x);
/* Stable. size_bytes is that of a value; val may be NULL. */
void ref_transpose(uint64_t rows, uint64_t cols, uint32_t size_bytes, const uint32_t *row_ptr, const uint32_t *col,
                   const void *val, uint32_t *out_row_ptr, uint32_t *out_col, void *out_val);

#endif
