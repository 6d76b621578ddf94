/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Copies between host and device as nodes, and from where they copy.
 */
#include "graph.h"

#include <string.h>

static CUDA_MEMCPY3D copy_of(const void *from, void *to, uint64_t device, uint64_t bytes) {
  CUDA_MEMCPY3D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = from ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  copy.dstMemoryType = from ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  if (from)
    copy.srcHost = from, copy.dstDevice = device;
  else
    copy.srcDevice = device, copy.dstHost = to;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return copy;
}

rp_status rp_cuda_add_copy(rp_program *p, const rp_cuda_place *at, CUgraphNode *node, void *host, uint64_t device,
                           uint64_t bytes, bool up, rp_error *err) {
  const CUDA_MEMCPY3D copy = up ? copy_of(host, NULL, device, bytes) : copy_of(NULL, host, device, bytes);
  if (up)
    p->per_run.uploads++, p->per_run.bytes_up += bytes;
  else
    p->per_run.downloads++, p->per_run.bytes_down += bytes;
  return RP_CUDA(p->cuda, err, cuGraphAddMemcpyNode, node, at->graph, at->deps, at->n_deps, &copy, p->cuda->cu_context);
}

rp_status rp_cuda_set_loans(rp_program *p, const uint64_t *words, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t u = 0; u < p->n_loans && status == RP_OK; u++) {
    const rp_upload *c = &p->desc->uploads[u];
    const rp_block *block = &p->desc->blocks[c->block];
    if (!block->lendable || (p->words_known && p->words[block->word] == words[block->word])) continue;
    const char *lent = (const char *)(uintptr_t)words[block->word], *staging = (char *)p->staging_up.host + c->staging;
    const CUDA_MEMCPY3D copy =
        copy_of(lent ? lent + c->offset : staging, NULL, p->blocks[c->block].address + c->offset, c->bytes);
    status = RP_CUDA(p->cuda, err, cuGraphExecMemcpyNodeSetParams, p->exec, p->loans[u], &copy, p->cuda->cu_context);
  }
  return status;
}
