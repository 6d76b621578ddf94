/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fused expression over columns. The program is u32[2 * n_code]: op | index << 16, then, for a column, the rotation as
 * an offset below n, for periodic constants, the period less 1, else 0. The builder has checked that it is valid. One
 * item per row. The struct comes in three sizes.
 *
 * On a GPU each thread takes every `threads`-th row. It has slots for the elements on the stack below the top, followed
 * by slots for temporaries. The first RP_EXPR_SHARED of them are in workgroup memory; slot s of thread t among the
 * others is slots[(s - RP_EXPR_SHARED) * threads + t].
 */
#ifndef REPRISE_ARGS_EXPR_H
#define REPRISE_ARGS_EXPR_H

#define RP_EXPR_GROUP 128                                            /* threads per workgroup */
#define RP_EXPR_SHARED(element_bytes) ((element_bytes) > 64 ? 2 : 4) /* within 32 KiB */
#define RP_EXPR_SHARED_VULKAN(element_bytes) ((element_bytes) > 64 ? 1 : (element_bytes) > 32 ? 2 : 4) /* 16 KiB */

/* GLSL refers to a struct without the keyword. */
#ifndef RP_STRUCT
#define RP_STRUCT(name) struct name
#endif

struct rp_expr_tail {
  uint32_t n, n_code;
  uint32_t threads, first_temp; /* on GPUs; first_temp is the slot of temporary 0 */
  uint32_t row_products, pad;   /* not for kernels: products of a row, or UINT32_MAX if the program is not known */
};

struct rp_expr_8_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint32_t) code;
  RP_ADDR(const void) constants;
  RP_ADDR(const void) columns[8];
  RP_ADDR(void) slots; /* GPUs only */
  RP_STRUCT(rp_expr_tail) tail;
};
RP_ARGS_SIZE(struct rp_expr_8_args, 120);

struct rp_expr_32_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint32_t) code;
  RP_ADDR(const void) constants;
  RP_ADDR(const void) columns[32];
  RP_ADDR(void) slots; /* GPUs only */
  RP_STRUCT(rp_expr_tail) tail;
};
RP_ARGS_SIZE(struct rp_expr_32_args, 312);

struct rp_expr_256_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint32_t) code;
  RP_ADDR(const void) constants;
  RP_ADDR(const void) columns[256];
  RP_ADDR(void) slots; /* GPUs only */
  RP_STRUCT(rp_expr_tail) tail;
};
RP_ARGS_SIZE(struct rp_expr_256_args, 2104);

#endif
