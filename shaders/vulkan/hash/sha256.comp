/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SHA-256 of rows of bytes (FIPS 180-4, section 6.2; ops/hash/sha256_args.h). If there are many rows, each gets one
 * thread. A transcript is one row, whose blocks wait for each other; there the threads of a workgroup expand 32 blocks
 * of the message at once, so that only the rounds remain of the chain.
 */
#include "kernel/kernel.glsl"

#include "hash/sha256_args.h"

RP_ARGS(rp_sha256_args)

const uint constants[RP_SHA256_ROUNDS] = uint[](RP_SHA256_CONSTANTS);
const uint initial[8] = uint[](RP_SHA256_INITIAL);

uint turn(uint x, uint n) { return x >> n | x << (32 - n); }

uint bytes_reversed(uint x) {
  x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
  return x << 16 | x >> 16;
}

/* Word i of a row with its padding, most significant byte first. */
uint message_word(addr row, uint i) {
  const uint first = 4 * i;
  if (first + 4 <= k.row_bytes && (low_word(row) & 3) == 0) return bytes_reversed(load_u32(row, i));
  uint x = 0;
  [[unroll]] for (uint b = 0; b < 4; b++) {
    uint byte = uint(first + b == k.row_bytes) << 7;
    if (first + b < k.row_bytes) byte = uint(rp_u8(at(row, first + b, 1)).v[0]);
    x = x << 8 | byte;
  }
  return i + 1 == 16 * RP_SHA256_BLOCKS(k.row_bytes) ? 8 * k.row_bytes : x;
}

/* The word that follows the sixteen in w. */
uint next_word(uint w[16], uint i) {
  const uint a = w[(i + 1) % 16], b = w[(i + 14) % 16];
  return w[i % 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[(i + 9) % 16] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
}

/* x: the word and the round's constant. */
uint[8] stepped(uint s[8], uint x) {
  const uint a = s[0], e = s[4];
  const uint t1 = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + x;
  const uint t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
  return uint[](t1 + t2, a, s[1], s[2], s[3] + t1, e, s[5], s[6]);
}

void store(uint row, uint state[8]) {
  [[unroll]] for (uint i = 0; i < 8; i++) store_u32(at(k.out, row, 32), i, bytes_reversed(state[i]));
}

#ifdef ENTRY_sha256_lanes

/* One more word per block, so that threads which write the same word of different blocks use different banks. */
#define STRIDE (RP_SHA256_ROUNDS + 1)
shared uint words[RP_SHA256_LANES_GROUP * STRIDE];

void expand(addr row, uint block) {
  uint w[16];
  [[unroll]] for (uint i = 0; i < 16; i++) w[i] = message_word(row, 16 * block + i);
  [[dont_unroll]] for (uint first = 0; first < RP_SHA256_ROUNDS; first += 16) {
    [[unroll]] for (uint i = 0; i < 16; i++) {
      words[THREAD * STRIDE + first + i] = w[i] + constants[first + i];
      w[i] = next_word(w, i);
    }
  }
}

void main() {
  const uint blocks = RP_SHA256_BLOCKS(k.row_bytes);
  const addr row = at(k.in, GROUP, k.row_bytes);
  uint state[8] = initial;
  [[dont_unroll]] for (uint first = 0; first < blocks; first += RP_SHA256_LANES_GROUP) {
    if (first + THREAD < blocks) expand(row, first + THREAD);
    barrier();
    [[dont_unroll]] for (uint block = 0; block < min(blocks - first, RP_SHA256_LANES_GROUP); block++) {
      uint s[8] = state;
      [[dont_unroll]] for (uint round = 0; round < RP_SHA256_ROUNDS; round++)
        s = stepped(s, words[block * STRIDE + round]);
      [[unroll]] for (uint i = 0; i < 8; i++) state[i] += s[i];
    }
    barrier();
  }
  if (THREAD == 0) store(GROUP, state);
}

#else

void main() {
  if (INDEX >= k.n) return;
  const addr row = at(k.in, INDEX, k.row_bytes);
  uint state[8] = initial;
  [[dont_unroll]] for (uint block = 0; block < RP_SHA256_BLOCKS(k.row_bytes); block++) {
    uint w[16], s[8] = state;
    [[unroll]] for (uint i = 0; i < 16; i++) w[i] = message_word(row, 16 * block + i);
    [[dont_unroll]] for (uint first = 0; first < RP_SHA256_ROUNDS; first += 16) {
      [[unroll]] for (uint i = 0; i < 16; i++) {
        s = stepped(s, w[i] + constants[first + i]);
        w[i] = next_word(w, i);
      }
    }
    [[unroll]] for (uint i = 0; i < 8; i++) state[i] += s[i];
  }
  store(INDEX, state);
}

#endif
