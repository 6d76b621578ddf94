/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the tables of kernels are made of, which CMake generates from the definitions; a new kind of variant is added
 * here. If the compiler for a variant is missing, so is the variant, and the engine refuses it by name.
 */
#ifndef REPRISE_OPS_KERNELS_H
#define REPRISE_OPS_KERNELS_H

#include <reprise/op.h>
#include <reprise/types.h>

#if REPRISE_HAVE_VULKAN
#include "vulkan_kernels.h"
#endif

/* ---- CPU: one function per instruction set ----------------------------------------------------------------------- */

#define RP_CPU_DECLARE(name) void name(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);
#define RP_CPU_DECLARE_C RP_CPU_DECLARE
#define RP_CPU_VARIANTS(n, ...) \
  .n_cpu = (n), .cpu = (const rp_cpu_variant[n]) { __VA_ARGS__ }
#define RP_CPU_C(name) RP_CPU_VARIANTS(1, {RP_ISA_C, name})
#if defined(__x86_64__)
#define RP_CPU_DECLARE_ADX(name) RP_CPU_DECLARE(name) RP_CPU_DECLARE(name##_adx)
#define RP_CPU_DECLARE_IFMA(name) RP_CPU_DECLARE_ADX(name) RP_CPU_DECLARE(name##_ifma)
#define RP_CPU_DECLARE_SMALL(name) RP_CPU_DECLARE(name) RP_CPU_DECLARE(name##_avx2) RP_CPU_DECLARE(name##_ifma)
#if defined(REPRISE_CPU_ONLY_IFMA) /* REPRISE_CPU=NATIVE: the strongest variant that this processor runs */
#define RP_CPU_ADX(name) RP_CPU_VARIANTS(1, {RP_ISA_X86_ADX, name##_adx})
#define RP_CPU_IFMA(name) RP_CPU_VARIANTS(1, {RP_ISA_X86_IFMA, name##_ifma})
#define RP_CPU_SMALL RP_CPU_IFMA
#elif defined(REPRISE_CPU_ONLY_ADX)
#define RP_CPU_ADX(name) RP_CPU_VARIANTS(1, {RP_ISA_X86_ADX, name##_adx})
#define RP_CPU_IFMA RP_CPU_ADX
#define RP_CPU_SMALL(name) RP_CPU_VARIANTS(1, {RP_ISA_X86_AVX2, name##_avx2})
#elif defined(REPRISE_CPU_ONLY_C) /* REPRISE_CPU=PLAIN */
#define RP_CPU_ADX RP_CPU_C
#define RP_CPU_IFMA RP_CPU_C
#define RP_CPU_SMALL RP_CPU_C
#else
#define RP_CPU_ADX(name) RP_CPU_VARIANTS(2, {RP_ISA_C, name}, {RP_ISA_X86_ADX, name##_adx})
#define RP_CPU_IFMA(name) \
  RP_CPU_VARIANTS(3, {RP_ISA_C, name}, {RP_ISA_X86_ADX, name##_adx}, {RP_ISA_X86_IFMA, name##_ifma})
#define RP_CPU_SMALL(name) \
  RP_CPU_VARIANTS(3, {RP_ISA_C, name}, {RP_ISA_X86_AVX2, name##_avx2}, {RP_ISA_X86_IFMA, name##_ifma})
#endif
#else
#define RP_CPU_DECLARE_ADX RP_CPU_DECLARE
#define RP_CPU_DECLARE_IFMA RP_CPU_DECLARE
#define RP_CPU_DECLARE_SMALL RP_CPU_DECLARE
#define RP_CPU_ADX RP_CPU_C
#define RP_CPU_IFMA RP_CPU_C
#define RP_CPU_SMALL RP_CPU_C
#endif

/* ---- GPUs: one image per source and id in CUDA, one module per entry and id in Vulkan ---------------------------- */

#if REPRISE_HAVE_CUDA
#define RP_CUDA_DECLARE(image) extern const unsigned char reprise_cuda_##image[];
#define RP_CUDA_VARIANT(image_, entry_, block_, shared_) \
  .cuda = {.image = reprise_cuda_##image_, .entry = entry_, .block = (block_), .dynamic_shared_bytes = (shared_)}
#else
#define RP_CUDA_DECLARE(image)
#define RP_CUDA_VARIANT(image_, entry_, block_, shared_) .cuda = {.entry = entry_, .block = (block_)}
#endif
#if REPRISE_HAVE_VULKAN
#define RP_VULKAN_VARIANT(module, group_) .vulkan = {.spirv = reprise_vulkan_##module, .group = (group_)}
#else
#define RP_VULKAN_VARIANT(module, group_) .vulkan = {.group = (group_)}
#endif

/* Bytes per element of a field, and per accumulator point of a curve, by id. */
enum {
#define RP_BYTES(NAME, name, bytes, limbs, degree) RP_ELEMENT_BYTES_##NAME = bytes,
  RP_FIELD_LIST(RP_BYTES)
#undef RP_BYTES
#define RP_BYTES(NAME, name, base, scalar, weierstrass) RP_ACC_BYTES_##NAME = 4 * RP_ELEMENT_BYTES_##base,
      RP_CURVE_LIST(RP_BYTES)
#undef RP_BYTES
};

#endif
