/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Makes pipelines of kernels, and keeps a list of them as long as the device is open: several recordings share them.
 */
#include "state.h"

#include <string.h>

/* The length of a module that ends with a zero word. No instruction begins with one, since its length would be zero. */
static size_t module_words(const uint32_t *spirv) {
  enum { HEADER_WORDS = 5 };
  size_t at = HEADER_WORDS;
  while (spirv[at]) at += spirv[at] >> 16;
  return at;
}

/* Chooses the form for the device: the module with 64-bit integers, if there is one, follows the first module and its
 * zero word. */
static void choose(const rp_vk *vk, const rp_kernel *kernel, VkShaderModuleCreateInfo *info) {
  info->pCode = kernel->vulkan.spirv;
  info->codeSize = kernel->vulkan.spirv_bytes;
  if (info->codeSize) return;
  const size_t words = module_words(info->pCode);
  if (vk->int64 && info->pCode[words + 1]) info->pCode += words + 1;
  info->codeSize = module_words(info->pCode) * sizeof(uint32_t);
}

rp_status rp_vk_pipeline_create(rp_vk *vk, const rp_kernel *kernel, VkPipeline *pipeline, rp_error *err) {
  rp_log(vk->context, RP_LOG_DEBUG, "pipeline of %s: begins", kernel->name);
  VkShaderModuleCreateInfo module_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  choose(vk, kernel, &module_info);
  VkShaderModule module;
  rp_status status = RP_VK(vk, err, vkCreateShaderModule, vk->device, &module_info, NULL, &module);
  if (status != RP_OK) return status;
  uint32_t group = kernel->vulkan.group ? kernel->vulkan.group : 1, shared = RP_VK_MOST_SHARED;
  while (group > vk->limits.max_group) group /= 2;
  while (shared > vk->limits.shared_bytes) shared /= 2;
  const uint32_t values[] = {group, shared};
  const VkSpecializationMapEntry entries[] = {{.constantID = 0, .offset = 0, .size = sizeof *values},
                                              {.constantID = 1, .offset = sizeof *values, .size = sizeof *values}};
  const VkSpecializationInfo constants = {
      .mapEntryCount = 2, .pMapEntries = entries, .dataSize = sizeof values, .pData = values};
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = module,
                                                      .pName = kernel->vulkan.entry ? kernel->vulkan.entry : "main",
                                                      .pSpecializationInfo = &constants},
                                            .layout = vk->layout};
  const uint64_t begin = rp_now_ns();
  status = RP_VK(vk, err, vkCreateComputePipelines, vk->device, vk->cache, 1, &info, NULL, pipeline);
  vk->fn.vkDestroyShaderModule(vk->device, module, NULL);
  rp_log(vk->context, RP_LOG_DEBUG, "pipeline of %s: %llu us", kernel->name,
         (unsigned long long)(rp_now_ns() - begin) / 1000);
  return status;
}

VkPipeline rp_vk_pipeline_of(rp_vk *vk, const rp_kernel *kernel) {
  VkPipeline pipeline = VK_NULL_HANDLE;
  pthread_mutex_lock(&vk->lock);
  for (uint32_t i = 0; i < vk->n_pipelines && !pipeline; i++)
    if (vk->pipelines[i].kernel == kernel) pipeline = vk->pipelines[i].pipeline;
  pthread_mutex_unlock(&vk->lock);
  return pipeline;
}

/* Makes room for one more. */
static bool grow(rp_vk *vk) {
  if (vk->n_pipelines < vk->pipelines_capacity) return 1;
  const uint32_t capacity = vk->pipelines_capacity ? 2 * vk->pipelines_capacity : 32;
  rp_vk_pipeline *grown = rp_host_alloc(vk->context, capacity * sizeof *grown, _Alignof(rp_vk_pipeline));
  if (!grown) return 0;
  if (vk->n_pipelines) memcpy(grown, vk->pipelines, vk->n_pipelines * sizeof *grown);
  rp_host_free(vk->context, vk->pipelines, vk->pipelines_capacity * sizeof *grown);
  vk->pipelines = grown;
  vk->pipelines_capacity = capacity;
  return 1;
}

rp_status rp_vk_pipeline_keep(rp_vk *vk, const rp_kernel *kernel, VkPipeline pipeline, rp_error *err) {
  pthread_mutex_lock(&vk->lock);
  const bool kept = grow(vk);
  if (kept) vk->pipelines[vk->n_pipelines++] = (rp_vk_pipeline){kernel, pipeline};
  pthread_mutex_unlock(&vk->lock);
  if (kept) return RP_OK;
  vk->fn.vkDestroyPipeline(vk->device, pipeline, NULL);
  return rp_fail(err, RP_ERR_MEMORY, "out of host memory for the list of Vulkan pipelines");
}
