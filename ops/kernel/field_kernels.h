/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Included once a kernel, after defining RP_KERNEL (its name), RP_KERNEL_ARGS and RP_KERNEL_BINDS: declares the
 * variants for every field and makes the table rp_kernels_<name>[field id]. RP_KERNEL_GPU, if defined, is the source in
 * shaders/ that has the same kernel, and RP_KERNEL_GROUP its threads a workgroup. RP_KERNEL_IFMA, if defined, says that
 * the CPU template has an IFMA variant. No include guard: that is its purpose.
 */
#include "kernel/kernel_table.h"

#ifdef RP_KERNEL_GPU
#define RP_DECLARE(NAME, id, bytes, limbs, degree) RP_DECLARE_CPU(RP_KERNEL, id) RP_CUDA_DECLARE_OF(RP_KERNEL_GPU, id)
#define RP_ENTRY(NAME, id, bytes, limbs, degree) \
  [RP_FIELD_##NAME] = RP_ENTRY_GPU(RP_KERNEL, RP_KERNEL_GPU, id, RP_KERNEL_ARGS, RP_KERNEL_BINDS, RP_KERNEL_GROUP),
#else
#define RP_DECLARE(NAME, id, bytes, limbs, degree) RP_DECLARE_CPU(RP_KERNEL, id)
#define RP_ENTRY(NAME, id, bytes, limbs, degree) \
  [RP_FIELD_##NAME] = RP_ENTRY_CPU(RP_KERNEL, id, RP_KERNEL_ARGS, RP_KERNEL_BINDS),
#endif

RP_FIELD_LIST(RP_DECLARE)
static const rp_kernel RP_TABLE_NAME(RP_KERNEL)[RP_FIELD_COUNT] = {RP_FIELD_LIST(RP_ENTRY)};

#undef RP_ENTRY
#undef RP_DECLARE
#include "kernel/kernel_table.h"
