// SPDX-License-Identifier: Apache-2.0 OR MIT
// Figures and names for people.

export const time = (ns) => {
  if (ns === undefined || ns === null) return '–';
  const a = Math.abs(ns);
  if (a < 1e3) return `${Math.round(ns)} ns`;
  if (a < 1e6) return `${(ns / 1e3).toFixed(a < 1e4 ? 2 : 1)} µs`;
  if (a < 1e9) return `${(ns / 1e6).toFixed(a < 1e7 ? 2 : 1)} ms`;
  return `${(ns / 1e9).toFixed(2)} s`;
};
export const bytes = (n) => {
  if (n === undefined || n === null) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let u = 0;
  while (n >= 1024 && u < 4) ((n /= 1024), u++);
  return `${u ? n.toFixed(1) : n} ${units[u]}`;
};
export const count = (n) => {
  const log = Math.log2(n);
  return n >= 16 && Number.isInteger(log) ? `2^${log}` : n.toLocaleString('en');
};
export const rate = (perNs) => {
  if (perNs === undefined || !Number.isFinite(perNs)) return '–';
  const units = ['', ' k', ' M', ' G', ' T'];
  let u = 0,
    n = perNs * 1e9;
  while (n >= 1000 && u < 4) ((n /= 1000), u++);
  return `${n.toFixed(n < 10 ? 2 : n < 100 ? 1 : 0)}${units[u]}`;
};
export const share = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)}%` : '–');

// What built-in operations and kernels do. Others are shown by their names.
const meanings = {
  msm: 'sum of points times scalars',
  msm_of: 'sum of points times scalars',
  msm_scalars: 'sort scalars into buckets',
  bucket_matrix: 'sort scalars into buckets',
  bucket_filter: 'leave out points at infinity',
  bucket_windows: 'add up the points of each bucket',
  window_reduce: 'combine windows',
  window_multiples: 'multiples of points',
  eisenstein_multiples: 'multiples of points by powers and units',
  eisenstein_sums: 'add up the points of each bucket',
  eisenstein_reduce: 'weighted sum of buckets',
  eisenstein_runs: 'running sums of buckets',
  eisenstein_columns: 'running sums of columns of buckets',
  eisenstein_fold: 'join columns of buckets',
  spmv: 'sparse matrix times vector',
  ntt: 'number-theoretic transform',
  mul: 'products',
  mul_sub: 'a · b − c',
  add: 'sums',
  sub: 'differences',
  scale: 'times a constant',
  concat: 'join arrays',
  slice: 'part of an array',
  to_affine: 'to affine coordinates',
  scalar_mul: 'point times scalar',
  tree_reduce: 'add up points',
  batch_inverse: 'inverses of all elements',
  prefix_product: 'running products',
  expr: 'an expression over columns',
  poly_eval: 'values of a polynomial',
  bucket_digits: 'digits of scalars',
  bucket_histogram: 'count entries of buckets',
  bucket_scan: 'where buckets begin',
  bucket_scatter: 'put entries into buckets',
  bucket_accumulate: 'add up short buckets',
  bucket_accumulate_long: 'add up long buckets',
  bucket_reduce_rows: 'running sums of buckets',
  bucket_fold: 'join parts of windows',
  bucket_reduce: 'running sums of buckets',
  bucket_combine: 'join parts of buckets',
  bucket_pair: 'add up pairs of short buckets',
  bucket_count: 'count entries of buckets',
  scan_sums: 'sums of blocks',
  scan_apply: 'running sums within blocks',
  scan_blocks: 'running sums of blocks',
  filter_count: 'count entries that stay',
  filter_write: 'write entries that stay',
  fill: 'fill with a number',
  ntt_pass: 'a pass of the transform',
  bucket_filter_count: 'count entries that stay',
  bucket_filter_write: 'write entries that stay',
  spmv_balanced: 'products of even shares',
  spmv_join: 'join shared rows',
  point_to_affine: 'to affine coordinates',
  copy: 'copy',
  vec_mul: 'products',
  vec_mul_sub: 'a · b − c',
  vec_add: 'sums',
  vec_sub: 'differences',
  vec_neg: 'negatives',
  gather: 'elements by index',
  from_canonical: 'into Montgomery form',
  to_canonical: 'out of Montgomery form',
  poly_chunks: 'values of parts of a polynomial',
  poly_join: 'join values of parts',
  poly_divide: 'quotient by a linear factor',
  fixed_base_mul: 'fixed points times scalars',
  fixed_base_table: 'multiples of fixed points',
  msm_small: 'few points times scalars, with shared doublings',
  rescue_merkle: 'levels of a Merkle tree',
  keccak256: 'Keccak-256',
};
// How the elements of a type are held.
export const encoding = (type) => {
  const t = type || '';
  if (/^u(256|384)$/.test(t)) return 'canonical integers';
  if (/^u[0-9]+$/.test(t)) return 'integers';
  if (t.endsWith('.acc')) return 'points as accumulators, Montgomery form';
  if (/_g[12]$|^secp256k1$|^banderwagon$/.test(t)) return 'affine points, Montgomery form';
  if (/_f[rpn]2?$|^goldilocks|bear$/.test(t)) return 'field elements, Montgomery form';
  return '';
};
export const meaning = (name) => {
  const [first] = (name || '').split('.');
  return meanings[first] || meanings[first.replace(/_[0-9]+$/, '')] || '';
};
export const plain = (name) => (name || '').replaceAll('_', ' ');
export const last = (path) => path.slice(path.lastIndexOf('/') + 1);
