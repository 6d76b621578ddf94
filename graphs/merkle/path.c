/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Authentication paths: at each level the sibling of the node on the way up.
 */
#include <stdbool.h>
#include <reprise/merkle.h>

#include "job.h"

#include <string.h>

enum { DIGEST_BYTES_MOST = 32, HEIGHT_MOST = 63 };

rp_status rp_merkle_path(rp_merkle *tree, uint64_t index, const void *sibling_leaf, void *path, rp_error *err) {
  rp_merkle_info info = {.struct_size = sizeof info};
  rp_merkle_get_info(tree, &info);
  if (!tree || !sibling_leaf || !path)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_merkle_path: a tree, the sibling leaf and room are needed.");
  if (index >= info.leaves)
    return support_fail(err, RP_ERR_SHAPE, "Leaf %llu does not exist: the tree has %llu.", (unsigned long long)index,
                        (unsigned long long)info.leaves);
  uint8_t *out = path;
  memcpy(out, sibling_leaf, info.digest_bytes);
  rp_status status = RP_OK;
  for (uint64_t slot = (info.leaves + index) / 2; slot > 1 && status == RP_OK; slot /= 2) {
    out += info.digest_bytes;
    status = rp_merkle_nodes(tree, slot ^ 1, 1, out, err);
  }
  return status;
}

rp_status rp_merkle_path_check(rp_hash hash, const void *leaf, uint64_t index, const void *path, uint32_t height,
                               const void *root, rp_error *err) {
  if (!rp_hash_digest_len(hash)) return support_fail(err, RP_ERR_ARGUMENT, "Hash %d is unknown.", (int)hash);
  if (!leaf || !path || !root)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_merkle_path_check: a leaf, a path and a root are needed.");
  if (height > HEIGHT_MOST || index >> height)
    return support_fail(err, RP_ERR_SHAPE, "Leaf %llu does not exist in a tree of height %u.",
                        (unsigned long long)index, height);
  const uint32_t bytes = rp_hash_digest_len(hash) * rp_type_field(rp_hash_field(hash))->size_bytes;
  uint64_t pair[2 * DIGEST_BYTES_MOST / 8], node[DIGEST_BYTES_MOST / 8];
  memcpy(node, leaf, bytes);
  for (uint32_t level = 0; level < height; level++) {
    uint8_t *left = (uint8_t *)pair, *right = left + bytes;
    const bool is_right = (index >> level & 1) != 0;
    memcpy(is_right ? right : left, node, bytes);
    memcpy(is_right ? left : right, (const uint8_t *)path + (size_t)level * bytes, bytes);
    const rp_status status = rp_hash_rows_host(hash, pair, (uint64_t)2 * rp_hash_digest_len(hash), 1, node);
    if (status != RP_OK) return support_fail(err, status, "A digest of the path could not be made on the host.");
  }
  if (memcmp(node, root, bytes) == 0) return RP_OK;
  return support_fail(err, RP_ERR_VERIFY, "The path of leaf %llu does not lead to the root.",
                      (unsigned long long)index);
}
