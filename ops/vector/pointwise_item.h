/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations on GPUs (shaders/cuda/kernel/item.cuh).
 */
#ifdef ENTRY_vec_add
RP_ITEM(vec_add, rp_binary_args) { fe_store(k.out, i, fe_add(fe_load(k.a, i * k.a_step), fe_load(k.b, i * k.b_step))); }
#endif

#ifdef ENTRY_vec_sub
RP_ITEM(vec_sub, rp_binary_args) { fe_store(k.out, i, fe_sub(fe_load(k.a, i * k.a_step), fe_load(k.b, i * k.b_step))); }
#endif

#ifdef ENTRY_vec_mul
RP_ITEM(vec_mul, rp_binary_args) { fe_store(k.out, i, fe_mul(fe_load(k.a, i * k.a_step), fe_load(k.b, i * k.b_step))); }
#endif

#ifdef ENTRY_vec_neg
RP_ITEM(vec_neg, rp_unary_args) { fe_store(k.out, i, fe_neg(fe_load(k.a, i))); }
#endif

#ifdef ENTRY_vec_mul_sub
RP_ITEM(vec_mul_sub, rp_ternary_args) {
  const fe product = fe_mul(fe_load(k.a, i * k.a_step), fe_load(k.b, i * k.b_step));
  fe_store(k.out, i, fe_sub(product, fe_load(k.c, i * k.c_step)));
}
#endif
