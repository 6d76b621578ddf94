/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Inversion on the host: element by element, and by Montgomery's chain. Zeros are replaced by one in the chain, by a
 * mask instead of a branch.
 */
#include "inverse.h"

#include <string.h>

enum { MOST_WORDS = 12 };

/* 1 if all words of the element are zero. */
static uint64_t zero_bit(const uint64_t *x, uint32_t words) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < words; i++) any |= x[i];
  return (((any | (0 - any)) >> 63) & 1) ^ 1;
}

static void select_words(uint64_t *r, const uint64_t *x, uint64_t bit, uint32_t words) {
  const uint64_t mask = 0 - bit;
  for (uint32_t i = 0; i < words; i++) r[i] = (x[i] & mask) | (r[i] & ~mask);
}

static rp_status check_zeros(const inverse_job *job, const uint8_t *in, rp_error *err) {
  const uint32_t size = job->f->size_bytes;
  for (uint64_t i = 0; job->strict && i < job->n; i++) {
    uint64_t x[MOST_WORDS];
    memcpy(x, in + i * size, size);
    if (zero_bit(x, size / 8))
      return support_fail(err, RP_ERR_INPUT, "batch inversion: element %llu is zero, which has no inverse (strict)",
                          (unsigned long long)i);
  }
  return RP_OK;
}

static void invert(const inverse_job *job, void *r, const void *x) {
  if (job->constant_time)
    job->f->inv_ct(r, x);
  else
    job->f->inv(r, x);
}

rp_status inverse_elements(const inverse_job *job, const uint8_t *in, uint8_t *out, uint8_t *mask, rp_error *err) {
  const uint32_t size = job->f->size_bytes;
  rp_status st = check_zeros(job, in, err);
  for (uint64_t i = 0; i < job->n && st == RP_OK; i++) {
    uint64_t x[MOST_WORDS];
    memcpy(x, in + i * size, size);
    if (mask) mask[i] = (uint8_t)zero_bit(x, size / 8);
    invert(job, x, x);
    memcpy(out + i * size, x, size);
  }
  return st;
}

rp_status inverse_chain(rp_context *context, const inverse_job *job, const uint8_t *in, uint8_t *out, uint8_t *mask,
                        rp_error *err) {
  const uint32_t size = job->f->size_bytes, words = size / 8;
  uint64_t run[MOST_WORDS], one[MOST_WORDS], t[MOST_WORDS], r[MOST_WORDS], nothing[MOST_WORDS] = {0};
  rp_status st = check_zeros(job, in, err);
  uint8_t *before =
      st == RP_OK ? rp_context_alloc(context, job->n * size) : NULL; /* product of the elements before each */
  if (st != RP_OK) return st;
  if (!before) return support_fail(err, RP_ERR_MEMORY, "batch inversion: out of host memory");
  job->f->one(one);
  memcpy(run, one, size);
  for (uint64_t i = 0; i < job->n; i++) {
    memcpy(before + i * size, run, size);
    memcpy(t, in + i * size, size);
    select_words(t, one, zero_bit(t, words), words);
    if (i)
      job->f->mul(run, run, t);
    else
      memcpy(run, t, size);
  }
  invert(job, run, run);
  for (uint64_t i = job->n; i-- > 0;) {
    memcpy(t, in + i * size, size);
    const uint64_t zero = zero_bit(t, words);
    if (mask) mask[i] = (uint8_t)zero;
    select_words(t, one, zero, words);
    memcpy(r, run, size);
    if (i) {
      memcpy(r, before + i * size, size);
      job->f->mul(r, r, run);
      job->f->mul(run, run, t);
    }
    select_words(r, nothing, zero, words);
    memcpy(out + i * size, r, size);
  }
  volatile uint8_t *wipe = before;
  for (uint64_t i = 0; job->constant_time && i < job->n * size; i++) wipe[i] = 0;
  rp_context_free(before);
  return RP_OK;
}
