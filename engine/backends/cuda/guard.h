/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments of the kernel that computes a guard (RP_STEP_GUARD), and gives it to the conditional nodes that have it.
 * One thread does all.
 */
#ifndef REPRISE_CUDA_GUARD_H
#define REPRISE_CUDA_GUARD_H

#define RP_GUARD_HANDLES 32 /* of one launch; for more conditional nodes the kernel is launched several times */

typedef struct rp_guard_args {
  void *guard;           /* u64 */
  const void *condition; /* u32 */
  const void *around;    /* u64: another guard; NULL: there is none */
  unsigned when, n;
  unsigned long long handles[RP_GUARD_HANDLES]; /* n */
} rp_guard_args;

#endif
