/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/hash.h"

const char *rp_hash_of_id(uint32_t id) {
  static const char *const names[] = {NULL,
                                      "rescue_rp64_256",
                                      "rescue_rp64_256_winterfell",
                                      "poseidon_bn254",
                                      "poseidon2_bn254_t2",
                                      "poseidon2_bn254_t3",
                                      "poseidon2_bn254_t4",
                                      "poseidon2_babybear",
                                      "poseidon2_koalabear"};
  return id < sizeof names / sizeof *names ? names[id] : NULL;
}
