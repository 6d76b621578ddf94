/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * First include of every kernel: the types and macros that the argument headers (ops/<family>/..._args.h) use.
 */
#ifndef REPRISE_CUDA_KERNEL_CUH
#define REPRISE_CUDA_KERNEL_CUH

#include <stdint.h>

#define RP_ADDR(type) type *
#define RP_ARGS_SIZE(name, bytes) static_assert(sizeof(name) == (bytes), #name " has padding")

#endif
