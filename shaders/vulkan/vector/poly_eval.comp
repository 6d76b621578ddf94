/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Polynomial values (ops/vector/poly_eval.c): one workgroup per chunk. Thread t evaluates the polynomial in
 * z^THREADS that has the coefficients t, t + THREADS, ...; the values of the threads are the coefficients of a
 * polynomial in z, which is halved with z^(THREADS / 2), and so on down to z.
 */
#include "kernel/kernel.glsl"

#include "vector/poly_eval_args.h"
#include "arith/field.glsl"

#ifdef ENTRY_poly_chunks
RP_ARGS(rp_poly_chunks_args)
#else
RP_ARGS(rp_poly_join_args)
#endif

#define LOG_THREADS 7
#if RP_POLY_GROUP != 1 << LOG_THREADS
#error "the powers are found by squaring"
#endif

shared fe power[LOG_THREADS], value[RP_POLY_GROUP / 2]; /* power[i] = z^(2^i) */

/* The value of coefficients [first, first + n) at z^(2^squarings), in thread 0. */
fe value_at(addr array, uint first, uint n, fe z, int squarings) {
  const uint t = THREAD;
  [[dont_unroll]] for (int i = -squarings; i < LOG_THREADS; i++) {
    if (t == 0 && i >= 0) power[i] = z;
    z = fe_sqr(z);
  }
  fe sum = fe_zero();
  uint i = t < n ? (n - 1 - t) / THREADS + 1 : 0;
  for (; i != 0; i--) sum = fe_add(fe_mul(sum, z), fe_load(array, first + t + (i - 1) * THREADS));
  [[dont_unroll]] for (int level = LOG_THREADS - 1; level >= 0; level--) {
    const uint half_of = 1u << level;
    if (t >= half_of && t < 2 * half_of) value[t - half_of] = sum;
    barrier();
    if (t < half_of) sum = fe_add(fe_mul(value[t], power[level]), sum);
    barrier();
  }
  return sum;
}

void main() {
#ifdef ENTRY_poly_chunks
  const uint chunk = GROUP % k.chunks, point = GROUP / k.chunks, first = chunk * k.chunk;
  const fe r = value_at(k.x, first, min(k.n - first, k.chunk), fe_load(k.points, point), 0);
  if (THREAD == 0) fe_store(k.partial, GROUP, r);
#else
  const fe r = value_at(k.partial, GROUP * k.chunks, k.chunks, fe_load(k.points, GROUP), findMSB(k.chunk));
  if (THREAD == 0) fe_store(k.out, GROUP, r);
#endif
}
