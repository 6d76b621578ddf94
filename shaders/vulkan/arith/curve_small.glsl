/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The addition of points over an extension field in little code, for kernels in which latency and not the multiplier
 * determines the time. An addition that is written out has 42 products of the base field, each inlined: more code than
 * the instruction cache of a multiprocessor holds. Here each product is a turn of a loop, and operands lie in memory.
 * On an H100 the joins of pieces of rows in G2 take 0.6 times as long; over a prime field, the code written out is
 * faster.
 */
#ifndef REPRISE_VULKAN_CURVE_SMALL_GLSL
#define REPRISE_VULKAN_CURVE_SMALL_GLSL

#include "arith/curve.glsl"

#if FE_DEGREE == 2
/* fe_mul, one product of the base field per turn. */
fe fe_mul_small(fe a, fe b) {
  fp t0 = fp_zero(), t1 = t0, t2 = t0;
  [[dont_unroll]] for (int i = 0; i < 3; i++) {
    t0 = t1, t1 = t2;
    t2 = fp_mul(fp_select(i == 2, fp_select(i == 1, a.c0, a.c1), fp_add(a.c0, a.c1)),
                fp_select(i == 2, fp_select(i == 1, b.c0, b.c1), fp_add(b.c0, b.c1)));
  }
  return fe(fp_sub(t0, t1), fp_sub(fp_sub(t2, t0), t1));
}

#define OP_MUL 0u
#define OP_ADD 1u
#define OP_SUB 2u
#define CODE(op, to, a, b) (op << 24 | to << 16 | a << 8 | b)

/* The sum of the points in slots 0 to 3 and 4 to 7, then the double of that in slots 0 to 3 (EFD, shortw/xyzz:
 * add-2008-s, dbl-2008-s-1). Results lie in slots 8 to 11, and of the sum u and d of the comparison in 14 and 15. */
#define SMALL_SLOTS 18
#define SMALL_DOUBLE 21
#define SMALL_END 37
/* clang-format off */
const uint small_steps[SMALL_END] = uint[](
    CODE(OP_MUL, 12u, 0u, 6u),    /* u1 = x1 zz2 */
    CODE(OP_MUL, 13u, 1u, 7u),    /* s1 = y1 zzz2 */
    CODE(OP_MUL, 14u, 4u, 2u),    /* x2 zz1 */
    CODE(OP_MUL, 15u, 5u, 3u),    /* y2 zzz1 */
    CODE(OP_SUB, 14u, 14u, 12u),  /* u */
    CODE(OP_SUB, 15u, 15u, 13u),  /* d */
    CODE(OP_MUL, 16u, 14u, 14u),  /* uu */
    CODE(OP_MUL, 17u, 14u, 16u),  /* uuu */
    CODE(OP_MUL, 12u, 12u, 16u),  /* v = u1 uu */
    CODE(OP_MUL, 8u, 15u, 15u),   /* dd */
    CODE(OP_SUB, 8u, 8u, 17u),    /* x = dd - uuu - 2 v */
    CODE(OP_SUB, 8u, 8u, 12u),    /**/
    CODE(OP_SUB, 8u, 8u, 12u),    /**/
    CODE(OP_MUL, 10u, 2u, 6u),    /* zz = zz1 zz2 uu */
    CODE(OP_MUL, 10u, 10u, 16u),  /**/
    CODE(OP_MUL, 11u, 3u, 7u),    /* zzz = zzz1 zzz2 uuu */
    CODE(OP_MUL, 11u, 11u, 17u),  /**/
    CODE(OP_MUL, 13u, 13u, 17u),  /* y = d (v - x) - s1 uuu */
    CODE(OP_SUB, 12u, 12u, 8u),   /**/
    CODE(OP_MUL, 9u, 15u, 12u),   /**/
    CODE(OP_SUB, 9u, 9u, 13u),    /**/
    CODE(OP_ADD, 12u, 1u, 1u),    /* u = 2 y */
    CODE(OP_MUL, 13u, 12u, 12u),  /* v = uu */
    CODE(OP_MUL, 12u, 12u, 13u),  /* w = u v */
    CODE(OP_MUL, 14u, 0u, 13u),   /* s = x v */
    CODE(OP_MUL, 15u, 0u, 0u),    /* m = 3 xx */
    CODE(OP_ADD, 16u, 15u, 15u),  /**/
    CODE(OP_ADD, 16u, 16u, 15u),  /**/
    CODE(OP_MUL, 8u, 16u, 16u),   /* x = mm - 2 s */
    CODE(OP_SUB, 8u, 8u, 14u),    /**/
    CODE(OP_SUB, 8u, 8u, 14u),    /**/
    CODE(OP_MUL, 10u, 13u, 2u),   /* zz = v zz */
    CODE(OP_MUL, 11u, 12u, 3u),   /* zzz = w zzz */
    CODE(OP_SUB, 14u, 14u, 8u),   /* y = m (s - x) - w y */
    CODE(OP_MUL, 14u, 16u, 14u),  /**/
    CODE(OP_MUL, 15u, 12u, 1u),   /**/
    CODE(OP_SUB, 9u, 14u, 15u));
/* clang-format on */

/* acc_add. */
acc acc_add_small(acc p, acc q) {
  if (acc_is_zero(q)) return p;
  if (acc_is_zero(p)) return q;
  fe v[SMALL_SLOTS];
  v[0] = p.x, v[1] = p.y, v[2] = p.zz, v[3] = p.zzz;
  v[4] = q.x, v[5] = q.y, v[6] = q.zz, v[7] = q.zzz;
  bool doubles = false;
  [[dont_unroll]] for (uint i = 0; i < (doubles ? SMALL_END : SMALL_DOUBLE); i++) {
    const uint step = small_steps[i], op = step >> 24;
    const fe a = v[step >> 8 & 255], b = v[step & 255];
    fe r;
    if (op == OP_MUL)
      r = fe_mul_small(a, b);
    else
      r = fe_add(a, fe_select(op == OP_SUB, b, fe_neg(b)));
    v[step >> 16 & 255] = r;
    if (i == 5 && fe_is_zero(v[14])) {
      if (!fe_is_zero(v[15])) return acc_zero();
      doubles = true;
      i = SMALL_DOUBLE - 1;
    }
  }
  return acc(v[8], v[9], v[10], v[11]);
}
#else
#define fe_mul_small fe_mul
#define acc_add_small acc_add
#endif

#endif
