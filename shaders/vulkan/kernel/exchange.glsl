/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Passes points from thread to thread. They go through shared memory one coordinate at a time, so that 128 threads with
 * the largest points stay within the 16 KiB that every device has.
 */
#ifndef REPRISE_VULKAN_EXCHANGE_GLSL
#define REPRISE_VULKAN_EXCHANGE_GLSL

#include "arith/curve.glsl"

shared fe exchanged[gl_WorkGroupSize.x];

fe fe_of_thread(fe x, uint from) {
  barrier();
  exchanged[THREAD] = x;
  barrier();
  return exchanged[from];
}

/* The p of thread `from`. All threads of the workgroup call together. */
acc acc_of_thread(acc p, uint from) {
#if CURVE_EDWARDS
  return acc(fe_of_thread(p.x, from), fe_of_thread(p.y, from), fe_of_thread(p.t, from), fe_of_thread(p.z, from));
#else
  return acc(fe_of_thread(p.x, from), fe_of_thread(p.y, from), fe_of_thread(p.zz, from), fe_of_thread(p.zzz, from));
#endif
}

#endif
