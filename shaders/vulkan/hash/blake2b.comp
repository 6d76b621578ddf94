/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * BLAKE2b of rows of bytes (RFC 7693, section 3; ops/hash/blake2b_args.h). If there are many rows, each gets one
 * thread. A transcript is one row, whose blocks wait for each other; there four threads each hold one column of the
 * state, and one diagonal in the second half of a round. A word is two of 32 bits, the lower one first.
 */
#include "kernel/kernel.glsl"

#include "hash/blake2b_args.h"

RP_ARGS(rp_blake2b_args)

#define WORDS 16u
/* RP_BLAKE2B_SIGMA, an entry in four bits, the first one lowest. Every place that reads an array of constants costs a
 * software driver a copy of it, and a long compilation, so that a round reads two words at one place. */
const uint orders[20] =
    uint[](0x76543210u, 0xfedcba98u, 0x6df984aeu, 0x357b20c1u, 0xdf250c8bu, 0x491763eau, 0xebcd1397u, 0x8f04a562u,
           0xfa427509u, 0xd386cb1eu, 0x38b0a6c2u, 0x91ef57d4u, 0xa4def15cu, 0xb8293670u, 0x931ce7bdu, 0xa2684f05u,
           0x803b9ef6u, 0x5a417d2cu, 0x5167482au, 0x0dc3e9bfu);
const uint iv_words[16] = uint[](RP_BLAKE2B_IV);

uvec2 iv(uint i) { return uvec2(iv_words[2 * i], iv_words[2 * i + 1]); }

uvec2 add(uvec2 x, uvec2 y) {
  uint carry;
  const uint low = uaddCarry(x.x, y.x, carry);
  return uvec2(low, x.y + y.y + carry);
}

/* x rotated to the right by 16, 24, 32 or 63 bits. */
uvec2 turn_less(uvec2 x, uint n) { return x >> n | x.yx << (32 - n); }
uvec2 turn_63(uvec2 x) { return x << 1 | x.yx >> 31; }

/* Word i of a row; zero beyond its end. */
uvec2 message_word(addr row, uint i) {
  const uint first = 8 * i;
  if (first + 8 <= k.row_bytes && (low_word(row) & 7) == 0) return rp_u64(at(row, i, 8)).v[0];
  uvec2 x = uvec2(0);
  [[unroll]] for (uint b = 0; b < 4; b++) {
    if (first + b < k.row_bytes) x.x |= uint(rp_u8(at(row, first + b, 1)).v[0]) << 8 * b;
    if (first + 4 + b < k.row_bytes) x.y |= uint(rp_u8(at(row, first + 4 + b, 1)).v[0]) << 8 * b;
  }
  return x;
}

/* Word i of the state before the first block. */
uvec2 initial(uint i) {
  const uvec2 x = iv(i);
  if (i == 0) return uvec2(x.x ^ 0x01010000u ^ k.digest_bytes, x.y); /* no key, one lane */
  if (i == 6) return x ^ uvec2(k.personal_0, k.personal_1);
  return i == 7 ? x ^ uvec2(k.personal_2, k.personal_3) : x;
}

/* Words 12 and 14 of the working state: the bytes up to the end of the block, and whether it is the last. */
uint hashed(uint block, bool last) { return last ? k.row_bytes : RP_BLAKE2B_BLOCK * (block + 1); }

void store(uint row, uint i, uvec2 x) {
  const addr digest = at(k.out, row, k.digest_bytes);
  if (8 * i < k.digest_bytes) store_u32(digest, 2 * i, x.x);
  if (8 * i + 4 < k.digest_bytes) store_u32(digest, 2 * i + 1, x.y);
}

#ifdef ENTRY_blake2b_lanes
shared uvec2 v[WORDS], m[WORDS];
#else
uvec2 v[WORDS], m[WORDS];
#endif

/* The half of a round's order for its columns, or for its diagonals. */
uint order_of(uint round, uint diagonals) { return orders[round % 10 * 2 + diagonals]; }

/* `pair` of the half tells which two words of the message are mixed in. */
void mix(uint a, uint b, uint c, uint d, uint order, uint pair) {
  const uint first = order >> 8 * pair & 15, second = order >> (8 * pair + 4) & 15;
  uvec2 va = v[a], vb = v[b], vc = v[c], vd = v[d];
  va = add(add(va, vb), m[first]), vd = (vd ^ va).yx;
  vc = add(vc, vd), vb = turn_less(vb ^ vc, 24);
  va = add(add(va, vb), m[second]), vd = turn_less(vd ^ va, 16);
  vc = add(vc, vd), vb = turn_63(vb ^ vc);
  v[a] = va, v[b] = vb, v[c] = vc, v[d] = vd;
}

#ifdef ENTRY_blake2b_lanes

void main() {
  const uint own = THREAD, blocks = RP_BLAKE2B_BLOCKS(k.row_bytes);
  const addr row = at(k.in, GROUP, k.row_bytes);
  uvec2 h = uvec2(0); /* of the first eight threads: the state */
  if (own < 8) h = initial(own);
  [[dont_unroll]] for (uint block = 0; block < blocks; block++) {
    const bool last = block + 1 == blocks;
    if (own < WORDS) {
      m[own] = message_word(row, WORDS * block + own);
      uvec2 x = h;
      if (own >= 8) x = iv(own - 8);
      if (own == 12) x.x ^= hashed(block, last);
      if (own == 14 && last) x = ~x;
      v[own] = x;
    }
    barrier();
    [[dont_unroll]] for (uint round = 0; round < RP_BLAKE2B_ROUNDS; round++) {
      if (own < 4) mix(own, own + 4, own + 8, own + 12, order_of(round, 0), own);
      barrier();
      if (own < 4) mix(own, (own + 1) % 4 + 4, (own + 2) % 4 + 8, (own + 3) % 4 + 12, order_of(round, 1), own);
      barrier();
    }
    if (own < 8) h ^= v[own] ^ v[own + 8];
    barrier();
  }
  if (own < 8) store(GROUP, own, h);
}

#else

void main() {
  const uint blocks = RP_BLAKE2B_BLOCKS(k.row_bytes);
  const addr row = at(k.in, INDEX, k.row_bytes);
  uvec2 h[8];
  if (INDEX >= k.n) return;
  [[unroll]] for (uint i = 0; i < 8; i++) h[i] = initial(i);
  [[dont_unroll]] for (uint block = 0; block < blocks; block++) {
    const bool last = block + 1 == blocks;
    [[dont_unroll]] for (uint i = 0; i < WORDS; i++) m[i] = message_word(row, WORDS * block + i);
    [[unroll]] for (uint i = 0; i < 8; i++) v[i] = h[i], v[i + 8] = iv(i);
    v[12].x ^= hashed(block, last);
    if (last) v[14] = ~v[14];
    [[dont_unroll]] for (uint round = 0; round < RP_BLAKE2B_ROUNDS; round++) {
      const uint columns = order_of(round, 0), diagonals = order_of(round, 1);
      [[unroll]] for (uint i = 0; i < 4; i++) mix(i, i + 4, i + 8, i + 12, columns, i);
      [[unroll]] for (uint i = 0; i < 4; i++) mix(i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, diagonals, i);
    }
    [[unroll]] for (uint i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
  }
  [[unroll]] for (uint i = 0; i < 8; i++) store(INDEX, i, h[i]);
}

#endif
