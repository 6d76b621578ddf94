/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keccak-256 of rows of integers (FIPS 202, section 3; ops/hash/keccak256_args.h). If there are many rows, each gets
 * one thread. A transcript is one row, whose blocks wait for each other; there each lane of the state has one thread,
 * and the threads exchange lanes through shared memory, twice per round. A lane is two words, the lower one first.
 */
#include "kernel/kernel.glsl"

#include "hash/keccak256_args.h"

RP_ARGS(rp_keccak256_args)

const uint rho[RP_KECCAK_LANES] = uint[](RP_KECCAK_RHO);
const uint iota[RP_KECCAK_ROUNDS] = uint[](RP_KECCAK_IOTA);

uvec2 round_constant(uint bits) { return uvec2(RP_KECCAK_IOTA_LOW(bits), RP_KECCAK_IOTA_HIGH(bits)); }

uint bytes_reversed(uint x) {
  x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
  return x << 16 | x >> 16;
}

/* x rotated to the left by n < 64 bits. Shifting by 32 is not defined, hence the second shift by one. */
uvec2 turn(uvec2 x, uint n) {
  if (n >= 32) x = x.yx;
  n &= 31;
  return x << n | x.yx >> 1 >> (31 - n);
}

/* Lane i of a message of that many lanes, followed by the first bit of the padding; with `last` the padding's last bit
 * is set too. */
uvec2 message_lane(addr row, uint lanes, uint i, bool last) {
  uvec2 x = uvec2(uint(i == lanes), 0);
  if (i < lanes) {
    const uvec2 word = rp_u64(at(row, i ^ 3, 8)).v[0];
    x = uvec2(bytes_reversed(word.y), bytes_reversed(word.x));
  }
  if (last) x.y ^= 0x80000000u;
  return x;
}

void store_lane(uint row, uint lane, uvec2 x) {
  rp_u64(at(at(k.out, row, 32), 3 - lane, 8)).v[0] = uvec2(bytes_reversed(x.y), bytes_reversed(x.x));
}

#ifdef ENTRY_keccak256_lanes

/* The state before theta, and before pi. A thread may write one as soon as all have read the other. */
shared uvec2 before_theta[RP_KECCAK_LANES], before_pi[RP_KECCAK_LANES];

uvec2 parity(uint x) {
  return before_theta[x] ^ before_theta[x + 5] ^ before_theta[x + 10] ^ before_theta[x + 15] ^ before_theta[x + 20];
}

/* All threads of the workgroup call together. Those after the last lane only wait. */
uvec2 permute_lane(uvec2 a, uint lane, bool has_lane) {
  const uint x = lane % 5, y = lane / 5, by = rho[lane];
  [[dont_unroll]] for (uint round = 0; round < RP_KECCAK_ROUNDS; round++) {
    if (has_lane) before_theta[lane] = a;
    barrier();
    const uvec2 theta = parity((x + 4) % 5) ^ turn(parity((x + 1) % 5), 1);
    if (has_lane) before_pi[lane] = turn(a ^ theta, by);
    barrier();
    a = before_pi[RP_KECCAK_PI(x, y)] ^
        (~before_pi[RP_KECCAK_PI((x + 1) % 5, y)] & before_pi[RP_KECCAK_PI((x + 2) % 5, y)]);
    if (lane == 0) a ^= round_constant(iota[round]);
  }
  return a;
}

void main() {
  const uint lanes = 4 * k.row_len, blocks = RP_KECCAK_BLOCKS(lanes);
  const bool has_lane = THREAD < RP_KECCAK_LANES, ends = THREAD == RP_KECCAK_RATE - 1;
  const uint lane = has_lane ? THREAD : 0;
  const addr row = at(k.in, GROUP * k.row_len, 32);
  uvec2 state = uvec2(0);
  [[dont_unroll]] for (uint block = 0; block < blocks; block++) {
    if (THREAD < RP_KECCAK_RATE)
      state ^= message_lane(row, lanes, block * RP_KECCAK_RATE + THREAD, ends && block + 1 == blocks);
    state = permute_lane(state, lane, has_lane);
  }
  if (THREAD < 4) store_lane(GROUP, lane, state);
}

#else

void permute(inout uvec2 a[RP_KECCAK_LANES]) {
  [[dont_unroll]] for (uint round = 0; round < RP_KECCAK_ROUNDS; round++) {
    uvec2 parity[5], b[RP_KECCAK_LANES];
    [[unroll]] for (uint x = 0; x < 5; x++) parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    [[unroll]] for (uint i = 0; i < RP_KECCAK_LANES; i++) {
      const uint from = RP_KECCAK_PI(i % 5, i / 5), x = from % 5;
      b[i] = turn(a[from] ^ parity[(x + 4) % 5] ^ turn(parity[(x + 1) % 5], 1), rho[from]);
    }
    [[unroll]] for (uint i = 0; i < RP_KECCAK_LANES; i++) {
      const uint x = i % 5, y = i - x;
      a[i] = b[i] ^ (~b[y + (x + 1) % 5] & b[y + (x + 2) % 5]);
    }
    a[0] ^= round_constant(iota[round]);
  }
}

void main() {
  const uint i = INDEX, lanes = 4 * k.row_len, blocks = RP_KECCAK_BLOCKS(lanes);
  if (i >= k.n) return;
  const addr row = at(k.in, i * k.row_len, 32);
  uvec2 state[RP_KECCAK_LANES];
  [[unroll]] for (uint j = 0; j < RP_KECCAK_LANES; j++) state[j] = uvec2(0);
  [[dont_unroll]] for (uint block = 0; block < blocks; block++) {
    [[unroll]] for (uint j = 0; j < RP_KECCAK_RATE; j++)
      state[j] ^= message_lane(row, lanes, block * RP_KECCAK_RATE + j, j == RP_KECCAK_RATE - 1 && block + 1 == blocks);
    permute(state);
  }
  [[unroll]] for (uint j = 0; j < 4; j++) store_lane(i, j, state[j]);
}

#endif
