/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments of the kernel that clears the staging of secret inputs once they have been copied up. A few blocks saturate
 * the link to the host and leave the multiprocessors to the run; a memset by the driver would occupy all of them while
 * its writes wait.
 */
#ifndef REPRISE_CUDA_CLEAR_H
#define REPRISE_CUDA_CLEAR_H

#define RP_CLEAR_BLOCK 256
#define RP_CLEAR_GROUPS 4

typedef struct rp_clear_args {
  void *memory; /* pinned, 16-byte aligned */
  unsigned bytes_lo, bytes_hi;
} rp_clear_args;

#endif
