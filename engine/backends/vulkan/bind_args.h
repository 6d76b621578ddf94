/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments of the backend's own kernels.
 */
#ifndef REPRISE_VULKAN_BIND_ARGS_H
#define REPRISE_VULKAN_BIND_ARGS_H

#define RP_BIND_GROUP 256

/* Copies a bound input from, or a bound output to, the caller's buffer. The buffer's address for this run is in a word
 * of the parameter block, so that the command buffer never changes. */
struct rp_bind_copy_args {
  RP_ADDR(void) value;
  RP_ADDR(const void) word;   /* u64: the caller's address, 0 if not bound */
  RP_ADDR(const void) record; /* the error record: outputs of a run with a fault are not released */
  uint32_t bytes_lo, bytes_hi;
  uint32_t is_output, pad; /* 0: caller to value; 1: value to caller */
};
RP_ARGS_SIZE(struct rp_bind_copy_args, 40);

/* Computes a guard (RP_STEP_GUARD), and from it the sizes of the indirect dispatches that it guards: those planned, or
 * zeros. Each workgroup computes the guard, and the first one stores it. */
struct rp_guard_args {
  RP_ADDR(void) guard;           /* the parameter word */
  RP_ADDR(const void) condition; /* u32 */
  RP_ADDR(const void) around;    /* another guard, if has_around */
  RP_ADDR(const void) sizes;     /* n u32 */
  RP_ADDR(void) commands;        /* n u32 */
  uint32_t n, when, has_around, pad;
};
RP_ARGS_SIZE(struct rp_guard_args, 56);

#endif
