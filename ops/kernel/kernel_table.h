/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What field_kernels.h and curve_kernels.h have in common; each includes it twice. First: how an entry of the table is
 * declared and made, by what was defined about the kernel. Then: everything is undefined, so that the next kernel can
 * be. No include guard: that is its purpose.
 */
#ifndef RP_TABLE_NAME
#include <reprise/types.h>

#include "kernel/kernels.h"

#define RP_TABLE_NAME_(kernel) rp_kernels_##kernel
#define RP_TABLE_NAME(kernel) RP_TABLE_NAME_(kernel)
#ifdef RP_KERNEL_IFMA
#define RP_DECLARE_CPU RP_KERNEL_DECLARE_IFMA
#define RP_ENTRY_CPU RP_KERNEL_OF_IFMA
#define RP_ENTRY_GPU RP_KERNEL_OF_GPU_IFMA
#else
#define RP_DECLARE_CPU RP_KERNEL_DECLARE
#define RP_ENTRY_CPU RP_KERNEL_OF
#define RP_ENTRY_GPU RP_KERNEL_OF_GPU
#endif
#else
#undef RP_ENTRY_GPU
#undef RP_ENTRY_CPU
#undef RP_DECLARE_CPU
#undef RP_TABLE_NAME
#undef RP_TABLE_NAME_
#undef RP_KERNEL
#undef RP_KERNEL_ARGS
#undef RP_KERNEL_BINDS
#undef RP_KERNEL_GPU
#undef RP_KERNEL_IFMA
#undef RP_KERNEL_GROUP
#endif
