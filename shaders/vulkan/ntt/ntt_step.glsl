/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * R layers of a tile between two exchanges; included once for each R, with the name of the function in NTT_STEP.
 */

/* R layers of the tile, from layer `first` of the pass on. Elements come from device memory if from_memory, else from
 * shared memory, and go to device memory if to_memory, else to shared memory. All threads call together. */
void NTT_STEP(rp_ntt_tile t, uint first, bool from_memory, bool to_memory) {
  const uint n = 1u << (k.layers + k.log_columns), shift = t.x_bits + k.layers - first - R;
  /* Elements smaller than a sector of memory go through shared memory where those of a thread are neighbours, so that
   * whole lines are written. */
  const bool gather = FE_BYTES < 32 && to_memory && shift == 0 && (k.flags & RP_NTT_PERMUTE_OUT) == 0;
  for (uint u = THREAD; u < n >> R; u += THREADS) {
    const uint local = (u >> shift << (shift + R)) | (u & ((1u << shift) - 1));
    fe v[1 << R];
    [[unroll]] for (int j = 0; j < 1 << R; j++) {
      const uint at = local + (uint(j) << shift);
      if (from_memory)
        v[j] = fe_load(k.in, index_of(t, in_position(t, at)));
      else
        v[j] = get(n, at);
    }
    if (from_memory && (k.flags & RP_NTT_FACTOR_IN) != 0)
      [[dont_unroll]] for (uint j = 0; j < 1 << R; j++)
        NTT_TURN(v, fe_mul(v[0], factor(in_position(t, local + (j << shift)))))
    /* The block of layer `first`: that of the pass, and below it the bits of the row that earlier layers have fixed. */
    const uint mid = local >> t.x_bits & ((1u << k.layers) - 1);
    const uint block = rp_ntt_block_of(t, local) << first | mid >> (k.layers - first);
    [[unroll]] for (int step = 0; step < R; step++) {
      const int s = TRANSPOSED ? R - 1 - step : step, half_block = 1 << (R - 1 - s);
      [[unroll]] for (int q = 0; q < 1 << s; q++) {
        const uint b = (block << s) + q;
        fe w = fe_one();
        if (b != 0) w = twiddle(b);
        [[unroll]] for (int j = 0; j < half_block; j++)
          butterfly(v[2 * half_block * q + j], v[2 * half_block * q + j + half_block], w, q != 0 || b != 0);
      }
    }
    if (to_memory && (k.flags & RP_NTT_FACTOR_OUT) != 0)
      [[dont_unroll]] for (uint j = 0; j < 1 << R; j++)
        NTT_TURN(v, fe_mul(v[0], factor(out_position(t, local + (j << shift)))))
    [[unroll]] for (int j = 0; j < 1 << R; j++) {
      const uint at = local + (uint(j) << shift);
      if (to_memory && !gather)
        fe_store(k.out, index_of(t, out_position(t, at)), v[j]);
      else
        put(n, at, v[j]);
    }
  }
  barrier();
  if (gather)
    for (uint i = THREAD; i < n; i += THREADS) fe_store(k.out, index_of(t, out_position(t, i)), get(n, i));
}
