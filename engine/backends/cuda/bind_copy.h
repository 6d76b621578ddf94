/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments of the kernel that moves a bound input in, or a bound output out. The address that the caller gave for this
 * run is in a word of the parameter block, so that the recorded graph never changes.
 */
#ifndef REPRISE_CUDA_BIND_COPY_H
#define REPRISE_CUDA_BIND_COPY_H

#define RP_BIND_COPY_BLOCK 256

typedef struct rp_bind_copy_args {
  void *value;
  const void *word;   /* u64: the caller's address, 0 if not bound */
  const void *record; /* the error record: outputs of a run with a fault are not released */
  unsigned bytes_lo, bytes_hi;
  unsigned out; /* 0: caller to value; 1: value to caller */
} rp_bind_copy_args;

#endif
