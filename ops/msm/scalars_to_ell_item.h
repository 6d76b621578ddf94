/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Digits of scalars in ELLPACK on GPUs, see msm/scalars_to_ell.c.
 */
RP_ITEM(scalars_to_ell, rp_scalars_to_ell_args) {
  for (uint32_t w = 0; w < k.windows; w++) store_u32(k.row_len, w * k.n + i, 0);
  for (uint32_t l = i; l < k.scalars_n; l += k.n) {
    bool below = false, known = false;
    for (uint32_t word = 8; word != 0 && !known; word--) {
      const uint32_t x = load_u32(k.scalars, 8 * l + word - 1), most = k.order[word - 1];
      below = x < most;
      known = x != most;
    }
    if (!below) {
      rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, l);
      continue;
    }
    for (uint32_t w = 0; w < k.windows; w++) {
      const uint32_t bit = (k.first_window + w) * k.window_bits, limb = bit / 32, shift = bit % 32;
      uint32_t digit = load_u32(k.scalars, 8 * l + limb) >> shift;
      if (shift + k.window_bits > 32 && limb < 7) digit |= load_u32(k.scalars, 8 * l + limb + 1) << (32 - shift);
      digit &= (1u << k.window_bits) - 1u;
      if (digit == 0) continue;
      const uint32_t row = w * k.n + i, len = load_u32(k.row_len, row);
      store_u32(k.col, row * k.width + len, (w << k.window_bits) + digit);
      store_u32(k.val, row * k.width + len, l);
      store_u32(k.row_len, row, len + 1);
    }
  }
  for (uint32_t w = 0; w < k.windows; w++) {
    const uint32_t row = w * k.n + i;
    for (uint32_t j = load_u32(k.row_len, row); j < k.width; j++) {
      store_u32(k.col, row * k.width + j, 0xffffffffu);
      store_u32(k.val, row * k.width + j, 0);
    }
  }
}
