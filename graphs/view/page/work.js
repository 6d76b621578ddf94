// SPDX-License-Identifier: Apache-2.0 OR MIT
// How many products a dispatch needs, from its kernel and what it touches, by the formulas of reprise bench --floors.
// Data of random elements is assumed: zeros in a witness save additions. Kernels that are not listed are not counted.

// Products of an addition to an affine sum of which many share an inversion, of an affine point and of an accumulator
// to an accumulator, of a doubling (EFD, XYZZ; ePrint 2008/522 for the Edwards curve).
const weierstrass = { shared: 6, mixed: 10, full: 14, double: 9, bits: 255 };
const edwards = { shared: 8, mixed: 8, full: 9, double: 8, bits: 253 };
const curves = {
  bn254_g1: ['bn254_fp', 1],
  bn254_g2: ['bn254_fp', 3],
  bls12_381_g1: ['bls12_381_fp', 1],
  bls12_381_g2: ['bls12_381_fp', 3],
  secp256k1: ['secp256k1_fp', 1],
  banderwagon: ['bls12_381_fr', 1],
};
const extensions = { bn254_fp2: ['bn254_fp', 3], bls12_381_fp2: ['bls12_381_fp', 3] };

const none = () => 0;
const each =
  (k = 1) =>
  (t) =>
    k * t.out;
// t: the numbers of elements that are written (out), read at most (most), read as u32 and as points; d: the item.
const formulas = {
  vec_mul: each(),
  vec_mul_sub: each(),
  mul_powers: each(2),
  powers: each(),
  from_canonical: each(),
  to_canonical: each(),
  poly_chunks: (t) => t.most,
  poly_divide: each(2),
  reduce_product: (t) => t.most,
  scan_product: each(2),
  prefix_shares: (t) => t.most,
  prefix_join: each(),
  inverse_products: each(),
  inverse_sweep: each(2),
  inverse_block: each(3),
  inverse_serial: each(3),
  inverse_blocks: each(3),
  ntt_pass: (t, d) => (t.data / 2) * Math.max(1, Math.log2(t.length) / passes(d)),
  spmv_rows: (t) => t.coefficients,
  spmv_vector: (t) => t.coefficients,
  spmv_balanced: (t) => t.coefficients,
  point_to_affine: (t) => 7 * t.out,
  point_to_affine_chains: (t) => 7 * t.out,
  point_add: (t, d, c) => c.shared * t.out,
  tree_reduce: (t, d, c) => t.most * (t.affine ? (c.shared + c.full) / 2 : c.full),
  scalar_mul: (t, d, c) => t.out * (c.bits * c.double + (c.bits / 4 + 14) * c.full),
  bucket_accumulate: (t, d, c) => Math.max(0, t.entries - t.sums) * (t.affineSums ? c.shared : c.mixed),
  bucket_reduce_rows: (t, d, c) => 2 * t.most * (t.affine ? c.shared : c.full),
  bucket_combine: (t, d, c) => t.most * c.full,
  bucket_fold: (t, d, c) => (t.most / 2) * (10 * c.double + 7 * c.full), // parts of about 2^10 buckets
  window_reduce: (t, d, c) => (t.most > 1 ? c.bits * c.double + t.most * c.full : 0),
};
formulas.scalar_mul_quad = formulas.scalar_mul;
formulas.scalar_mul_glv = (t, d, c) => t.out * ((c.bits / 2) * c.double + (c.bits / 4 + 7) * c.full);
for (const name of ['bucket_reduce', 'bucket_reduce_runs']) formulas[name] = formulas.bucket_reduce_rows;
for (const name of ['tree_reduce_wide', 'tree_reduce_w256', 'tree_reduce_quads']) formulas[name] = formulas.tree_reduce;
for (const name of ['ntt_pass_transposed', 'ntt_few', 'ntt_few_transposed']) formulas[name] = formulas.ntt_pass;
const without = ['bucket_clear', 'vec_add', 'vec_sub', 'vec_neg', 'reduce_sum', 'spmv_join', 'spmv_clear', 'point_neg'];
for (const name of [...without, 'point_from_affine']) formulas[name] = none;

// Passes of one transform share its layers.
const passes = (item) =>
  item.op ? Math.max(1, item.op.steps.filter((s) => /^ntt_/.test(s.step.kernel || '')).length) : 1;

function touched(item, values) {
  const t = { out: 0, most: 0, data: 0, length: 2, coefficients: 0, entries: 0, sums: 0, affine: false };
  for (const u of item.step.touches) {
    const v = values.get(u.value),
      type = (v && v.type) || '',
      reads = u.access.includes('r'),
      writes = u.access.includes('w');
    if (!v || u.access.includes('a')) continue;
    if (writes && !reads) t.out = Math.max(t.out, u.count);
    if (reads && !writes && type === 'u32') t.entries = Math.max(t.entries, u.count);
    if (reads && !writes && !/^u(8|32|64|256|384)$/.test(type)) {
      if (u.count > t.most) ((t.most = u.count), (t.affine = !type.endsWith('.acc')));
      t.coefficients = Math.max(t.coefficients, u.count);
    }
    if (writes && type.startsWith(kernelOf(item)[1]) && u.count > t.sums)
      ((t.sums = u.count), (t.affineSums = !type.endsWith('.acc')));
    t.data = Math.max(t.data, writes ? u.count : 0);
  }
  if (!t.out) t.out = t.data;
  t.length = Math.max(2, t.data);
  return t;
}

const kernelOf = (item) => (item.step.kernel || '').split('.');

// { field, products }; products is undefined if they are not counted.
export function workOf(item, values) {
  const [name, id] = kernelOf(item);
  if (!id) return { field: null, products: item.step.kernel ? 0 : undefined };
  const [field, factor] = curves[id] || extensions[id] || [id, 1];
  const formula = formulas[name];
  if (!formula) return { field, products: undefined };
  const products = formula(touched(item, values), item, id === 'banderwagon' ? edwards : weierstrass);
  return { field, products: factor * products };
}
