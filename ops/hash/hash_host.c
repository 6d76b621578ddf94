/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hashing on the host, with the kernels in plain C; a library for one kind of processor has others instead.
 */
#include "hash/hash.h"
#include "hash/poseidon2.h"
#include "kernel_tables.h"

#include <stdlib.h>

/* The variant that comes first, which is plain C where the library has that. */
static void run(const rp_kernel *kernel, const struct rp_hash_args *args, uint64_t rows) {
  const rp_cpu_worker worker = {.count = 1};
  kernel->cpu[0].run(args, 0, rows, &worker);
}

static rp_status poseidon2_host(rp_hash hash, poseidon2_mode mode, const void *x, uint64_t row_len, uint64_t rows,
                                void *digests) {
  struct rp_hash_args a = {.in = (uint64_t *)x /* read only */, .out = digests};
  const rp_poseidon2_params p = rp_poseidon2_layout(hash, mode, row_len, rp_poseidon2_digest(hash), &a);
  const rp_field field = rp_poseidon2_field(hash);
  const uint64_t len = rp_poseidon2_constants_len(&p);
  void *constants = malloc(len * rp_type_field(field)->size_bytes);
  if (!constants) return RP_ERR_MEMORY;
  a.constants = constants;
  const rp_status status = rp_poseidon2_constants(&p, constants, len);
  if (status == RP_OK) run(&rp_kernels_poseidon2_rows[field], &a, rows);
  free(constants);
  return status;
}

rp_status rp_hash_pairs_host(rp_hash hash, const void *digests, uint64_t n, void *parents) {
  if (!is_poseidon2(hash)) return rp_hash_rows_host(hash, digests, 2 * rp_hash_digest_len(hash), n, parents);
  if (n && (!digests || !parents)) return RP_ERR_ARGUMENT;
  return poseidon2_host(hash, POSEIDON2_PAIRS, digests, 0, n, parents);
}

rp_status rp_hash_rows_host(rp_hash hash, const void *x, uint64_t row_len, uint64_t rows, void *digests) {
  if (hash == RP_HASH_POSEIDON2_BN254_T2 && row_len == 2) return rp_hash_pairs_host(hash, x, rows, digests);
  if (is_poseidon2(hash)) {
    if (hash == RP_HASH_POSEIDON2_BN254_T2 || !row_len || row_len > POSEIDON2_ROW_MOST || (rows && (!x || !digests)))
      return RP_ERR_ARGUMENT;
    return poseidon2_host(hash, POSEIDON2_SPONGE, x, row_len, rows, digests);
  }
  const bool poseidon = hash == RP_HASH_POSEIDON_BN254;
  struct rp_hash_args a = {.width = poseidon ? (uint32_t)row_len + 1 : 12, .row_len = (uint32_t)row_len};
  if (!rp_hash_digest_len(hash) || !row_len || row_len > (poseidon ? 16 : RP_MAX_LEN) || (rows && (!x || !digests)))
    return RP_ERR_ARGUMENT;
  const rp_poseidon_params p = rp_hash_layout(hash, &a);
  const uint64_t len = poseidon ? rp_poseidon_constants_len(&p) : RESCUE_CONSTANTS;
  void *constants = malloc(len * rp_type_field(rp_hash_field(hash))->size_bytes);
  if (!constants) return RP_ERR_MEMORY;
  const rp_status status =
      poseidon ? rp_poseidon_constants(&p, constants, len) : rp_rescue_constants(&hash, constants, len);
  a.in = (uint64_t *)x; /* read only */
  a.out = digests;
  a.constants = constants;
  if (status == RP_OK) run(poseidon ? &rp_kernel_poseidon_rows : &rp_kernel_rescue_rows, &a, rows);
  free(constants);
  return status;
}
