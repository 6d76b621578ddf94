/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hashing on the host, with the kernels in plain C.
 */
#include "hash/hash.h"
#include "kernel/kernels.h"

#include <stdlib.h>

RP_CPU_DECLARE(rp_rescue_rows_goldilocks)
RP_CPU_DECLARE(rp_poseidon_rows_bn254_fr)

rp_status rp_hash_rows_host(rp_hash hash, const void *x, uint64_t row_len, uint64_t rows, void *digests) {
  const int poseidon = hash == RP_HASH_POSEIDON_BN254;
  const rp_cpu_worker worker = {.count = 1};
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
  if (status == RP_OK) (poseidon ? rp_poseidon_rows_bn254_fr : rp_rescue_rows_goldilocks)(&a, 0, rows, &worker);
  free(constants);
  return status;
}
