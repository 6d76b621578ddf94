/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the counting sorts of digits share: the arithmetic of msm/scalar_recode.h on words of 32 bits, and counters of
 * rows. The arguments are k.
 */
#ifndef REPRISE_VULKAN_RECODE_WORDS_GLSL
#define REPRISE_VULKAN_RECODE_WORDS_GLSL

#include "kernel/fault.glsl"
#include "arith/limbs.glsl"

#define rp_word uint
#define RP_WORDS 8

uint words_add(inout uint r[9], uint a[8], uint b[8]) {
  uint c = 0;
  [[unroll]] for (int i = 0; i < 8; i++) ADD_CARRY(r[i], a[i], b[i], c)
  return c;
}

bool words_subtract(inout uint r[8], uint a[8], uint b[8]) {
  uint c = 0;
  [[unroll]] for (int i = 0; i < 8; i++) SUB_BORROW(r[i], a[i], b[i], c)
  return c != 0;
}

shared uint common_row, common_count, common_base;

/* Takes the next place from the counter of the thread's row and returns it; a thread whose row is all ones takes none.
 * All threads of the workgroup call together. */
uint take(uint row) {
  if (THREAD == 0) common_row = 0xffffffffu, common_count = 0;
  barrier();
  if (row != 0xffffffffu) atomicMin(common_row, row);
  barrier();
  const bool is_common = row != 0xffffffffu && row == common_row;
  uint place = 0;
  if (is_common) place = atomicAdd(common_count, 1u);
  barrier();
  if (THREAD == 0 && common_count != 0)
    common_base = atomicAdd(rp_u32(at(k.counters, common_row, 4)).v[0], common_count);
  barrier();
  if (is_common)
    place += common_base;
  else if (row != 0xffffffffu)
    place = atomicAdd(rp_u32(at(k.counters, row, 4)).v[0], 1u);
  barrier();
  return place;
}

#endif
