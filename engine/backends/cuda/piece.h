/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments of the kernel that decides whether a piece of a run is still executed. One thread does all.
 */
#ifndef REPRISE_CUDA_PIECE_H
#define REPRISE_CUDA_PIECE_H

typedef struct rp_piece_args {
  const void *cancelled;     /* u32 in pinned memory, which the host may write at any time */
  unsigned long long handle; /* of the piece's conditional node */
} rp_piece_args;

#endif
