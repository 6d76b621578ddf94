/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where the variants of a kernel are listed. The one place to touch when a kind of variant is added: a CPU instruction
 * set is a line in RP_KERNEL_DECLARE and in RP_KERNEL_CPU, a GPU image a line in RP_KERNEL_OF.
 *
 * Kernels over fields: field_kernels.h makes a table by field id; over curves: the same with RP_CURVE_LIST.
 */
#ifndef REPRISE_OPS_KERNELS_H
#define REPRISE_OPS_KERNELS_H

#include <reprise/op.h>

#if REPRISE_HAVE_VULKAN
#include "vulkan_kernels.h"
#endif

#define RP_KERNEL_FN(kernel, id, isa) \
  void rp_##kernel##_##id##isa(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);

/* Declares, and lists, what the templates of ops/cpu define for one field or curve. */
#if defined(__x86_64__)
#define RP_KERNEL_DECLARE_(kernel, id) RP_KERNEL_FN(kernel, id, ) RP_KERNEL_FN(kernel, id, _adx)
#define RP_KERNEL_CPU_(kernel, id) \
  { [RP_ISA_C] = rp_##kernel##_##id, [RP_ISA_X86_ADX] = rp_##kernel##_##id##_adx }
#define RP_KERNEL_DECLARE_IFMA_(kernel, id) RP_KERNEL_DECLARE_(kernel, id) RP_KERNEL_FN(kernel, id, _ifma)
#define RP_KERNEL_CPU_IFMA_(kernel, id)                                           \
  {                                                                               \
    [RP_ISA_C] = rp_##kernel##_##id, [RP_ISA_X86_ADX] = rp_##kernel##_##id##_adx, \
    [RP_ISA_X86_IFMA] = rp_##kernel##_##id##_ifma                                 \
  }
#else
#define RP_KERNEL_DECLARE_(kernel, id) RP_KERNEL_FN(kernel, id, )
#define RP_KERNEL_CPU_(kernel, id) \
  { [RP_ISA_C] = rp_##kernel##_##id }
#define RP_KERNEL_DECLARE_IFMA_(kernel, id) RP_KERNEL_DECLARE_(kernel, id)
#define RP_KERNEL_CPU_IFMA_(kernel, id) RP_KERNEL_CPU_(kernel, id)
#endif
#define RP_KERNEL_DECLARE(kernel, id) RP_KERNEL_DECLARE_(kernel, id)
#define RP_KERNEL_CPU(kernel, id) RP_KERNEL_CPU_(kernel, id)
/* The same for templates that have a variant with AVX-512 IFMA. */
#define RP_KERNEL_DECLARE_IFMA(kernel, id) RP_KERNEL_DECLARE_IFMA_(kernel, id)
#define RP_KERNEL_CPU_IFMA(kernel, id) RP_KERNEL_CPU_IFMA_(kernel, id)

#define RP_KERNEL_TEXT_(kernel, id) #kernel "." #id
#define RP_KERNEL_TEXT(kernel, id) RP_KERNEL_TEXT_(kernel, id)

/* Initialiser of the rp_kernel of `kernel` for `id`; args_type begins with `binds` addresses. */
#define RP_KERNEL_OF(kernel, id, args_type, binds)                                           \
  {                                                                                          \
    .name = RP_KERNEL_TEXT(kernel, id), .args_bytes = sizeof(args_type), .n_binds = (binds), \
    .cpu = RP_KERNEL_CPU(kernel, id)                                                         \
  }
#define RP_KERNEL_OF_IFMA(kernel, id, args_type, binds)                                      \
  {                                                                                          \
    .name = RP_KERNEL_TEXT(kernel, id), .args_bytes = sizeof(args_type), .n_binds = (binds), \
    .cpu = RP_KERNEL_CPU_IFMA(kernel, id)                                                    \
  }

/* The same with GPUs: CUDA's image of shaders/cuda/<family>/<source>.cu for that id, whose entry has the kernel's name,
 * and Vulkan's of that entry alone. Without the compiler for it a variant is missing, and the engine refuses it by
 * name. */
#if REPRISE_HAVE_CUDA
#define RP_CUDA_DECLARE(image) extern const unsigned char rp_cuda_##image[];
#define RP_CUDA_VARIANT(image_, entry_, block_, shared_) \
  .cuda = {.image = rp_cuda_##image_, .entry = entry_, .block = (block_), .dynamic_shared_bytes = (shared_)}
#else
#define RP_CUDA_DECLARE(image)
#define RP_CUDA_VARIANT(image_, entry_, block_, shared_) .cuda = {.entry = entry_, .block = (block_)}
#endif
#if REPRISE_HAVE_VULKAN
#define RP_VULKAN_VARIANT(entry_, group_) .vulkan = {.spirv = rp_vulkan_##entry_, .group = (group_)}
#else
#define RP_VULKAN_VARIANT(entry_, group_) .vulkan = {.group = (group_)}
#endif
#define RP_VULKAN_VARIANT_OF(entry, id, group) RP_VULKAN_VARIANT_OF_(entry, id, group)
#define RP_VULKAN_VARIANT_OF_(entry, id, group) RP_VULKAN_VARIANT(entry##_##id, group)
#define RP_CUDA_DECLARE_OF_(source, id) RP_CUDA_DECLARE(source##_##id)
#define RP_CUDA_DECLARE_OF(source, id) RP_CUDA_DECLARE_OF_(source, id)
#define RP_STRING_(x) #x
#define RP_KERNEL_OF_GPU_(kernel, source, id, args_type, binds, block, variants)               \
  {                                                                                            \
    .name = RP_KERNEL_TEXT(kernel, id), .args_bytes = sizeof(args_type), .n_binds = (binds),   \
    .cpu = variants(kernel, id), RP_CUDA_VARIANT(source##_##id, RP_STRING_(kernel), block, 0), \
    RP_VULKAN_VARIANT_OF(kernel, id, block)                                                    \
  }
#define RP_KERNEL_OF_GPU(kernel, source, id, args_type, binds, block) \
  RP_KERNEL_OF_GPU_(kernel, source, id, args_type, binds, block, RP_KERNEL_CPU)
#define RP_KERNEL_OF_GPU_IFMA(kernel, source, id, args_type, binds, block) \
  RP_KERNEL_OF_GPU_(kernel, source, id, args_type, binds, block, RP_KERNEL_CPU_IFMA)

#endif
