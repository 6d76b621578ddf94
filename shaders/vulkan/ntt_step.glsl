/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * R layers of a tile between two exchanges; included once an R, with the function's name in NTT_STEP.
 */

/* `first`: the first of these layers in the pass. Elements come from or go to device memory at the ends of the pass. */
void NTT_STEP(tile t, uint first, bool from_memory, bool to_memory) {
  const uint n = 1u << (k.layers + k.log_columns), shift = t.x_bits + k.layers - first - R;
  for (uint u = THREAD; u < n >> R; u += THREADS) {
    const uint local = (u >> shift << (shift + R)) | (u & ((1u << shift) - 1));
    fe v[1 << R];
    [[unroll]] for (int j = 0; j < 1 << R; j++) {
      const uint at = local + (uint(j) << shift);
      if (from_memory) v[j] = read_element(t, at);
      else v[j] = get(n, at);
    }
    /* Blocks of layer `first`: the pass's block and the bits of the row that earlier layers have fixed. */
    const uint mid = local >> t.x_bits & ((1u << k.layers) - 1);
    const uint block = block_of(t, local) << first | mid >> (k.layers - first);
    [[unroll]] for (int step = 0; step < R; step++) {
      const int s = TRANSPOSED ? R - 1 - step : step, half_block = 1 << (R - 1 - s);
      [[unroll]] for (int q = 0; q < 1 << s; q++) {
        const uint b = (block << s) + q;
        const fe w = twiddle(b);
        [[unroll]] for (int j = 0; j < half_block; j++)
          butterfly(v[2 * half_block * q + j], v[2 * half_block * q + j + half_block], w, b);
      }
    }
    [[unroll]] for (int j = 0; j < 1 << R; j++) {
      const uint at = local + (uint(j) << shift);
      if (to_memory) write_element(t, at, v[j]);
      else put(n, at, v[j]);
    }
  }
  barrier();
}
