/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The lines of a Miller loop, written once: included with LINES_FE defined as fe for one point, and as fe8 for eight
 * points side by side. Names end in _fe and _fe8.
 *
 * The multiples of Q are kept in Jacobian coordinates and each line has its own denominator, so that one inversion
 * serves all lines. The loop also gives the multiple that the last line passes through, which shows at no extra cost
 * whether Q has order r. With psi of ops/arith/curves/subgroup.h the loop ends
 *
 *   BN     at (6x + 2) Q + psi Q - psi^2 Q; 6x + 2 + z - z^2 + z^3 annihilates exactly the points of order r
 *   BLS12  at |x| Q; psi - x annihilates exactly those points (Scott, ePrint 2021/1130, section 4)
 *
 * "Exactly" follows from the resultants of subgroup.h; tests/ops/test_subgroup.c computes them.
 */
#define LINES_PASTE_(a, b) a##b
#define LINES_PASTE(a, b) LINES_PASTE_(a, b)
#define L(op) LINES_PASTE(LINES_PASTE(LINES_FE, _), op)
#define N(name) LINES_PASTE(LINES_PASTE(name, _), LINES_FE)
#define FE LINES_FE
#define LINES N(lines)
#define MULTIPLE N(multiple)

/* x = X / Z^2, y = Y / Z^3 */
typedef struct MULTIPLE {
  FE x, y, z;
} MULTIPLE;

/* All lines, in the order of the loop. slope and offset are numerators until line_at divides them; z belongs to the
 * point after the step. */
typedef struct LINES {
  FE slope[PAIRING_LINES], offset[PAIRING_LINES], z[PAIRING_LINES];
  uint8_t is_tangent[PAIRING_LINES];
  int n;
} LINES;

/* Appends the tangent at t and sets t := 2 t (Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography",
 * algorithm 3.21, with a = 0). With Z of 2 t and Z_t of t: slope Z = 3 X^2, and offset Z Z_t^2 = 3 X^3 - 2 Y^2. */
static inline void N(tangent)(LINES *l, MULTIPLE *t) {
  FE *slope = &l->slope[l->n], *offset = &l->offset[l->n], yy, s, u;
  l->is_tangent[l->n] = 1;
  L(sqr)(&u, &t->x);
  L(dbl)(slope, &u);
  L(add)(slope, slope, &u);
  L(sqr)(&yy, &t->y);
  L(dbl)(&yy, &yy); /* 2 Y^2 */
  L(mul)(offset, slope, &t->x);
  L(sub)(offset, offset, &yy);
  L(mul)(&s, &t->x, &yy);
  L(dbl)(&s, &s); /* 4 X Y^2 */
  L(mul)(&t->z, &t->y, &t->z);
  L(dbl)(&t->z, &t->z);
  L(sqr)(&t->x, slope);
  L(sub)(&t->x, &t->x, &s);
  L(sub)(&t->x, &t->x, &s);
  L(sub)(&s, &s, &t->x);
  L(mul)(&s, &s, slope);
  L(sqr)(&yy, &yy);
  L(dbl)(&yy, &yy); /* 8 Y^4 */
  L(sub)(&t->y, &s, &yy);
  l->z[l->n++] = t->z;
}

/* Appends the line through t and the affine (x, y), and sets t := t + (x, y) (algorithm 3.22 of the same book). With Z
 * of the sum and R = y Z_t^3 - Y: slope Z = R and offset Z = R x - Z y. */
static inline void N(chord)(LINES *l, MULTIPLE *t, const FE *x, const FE *y) {
  FE *slope = &l->slope[l->n], *offset = &l->offset[l->n], zz, h, hh, u;
  l->is_tangent[l->n] = 0;
  L(sqr)(&zz, &t->z);
  L(mul)(&h, x, &zz);
  L(sub)(&h, &h, &t->x);
  L(mul)(&zz, &zz, &t->z);
  L(mul)(slope, y, &zz);
  L(sub)(slope, slope, &t->y);
  L(mul)(&t->z, &t->z, &h);
  L(mul)(offset, slope, x);
  L(mul)(&u, &t->z, y);
  L(sub)(offset, offset, &u);
  L(sqr)(&hh, &h);
  L(mul)(&h, &hh, &h);
  L(mul)(&u, &t->x, &hh);
  L(sqr)(&t->x, slope);
  L(sub)(&t->x, &t->x, &h);
  L(sub)(&t->x, &t->x, &u);
  L(sub)(&t->x, &t->x, &u);
  L(sub)(&u, &u, &t->x);
  L(mul)(&u, &u, slope);
  L(mul)(&h, &h, &t->y);
  L(sub)(&t->y, &u, &h);
  l->z[l->n++] = t->z;
}

/* Walks from Q = (x[0], y[0]); on BN curves (x[1], y[1]) is psi Q and (x[2], y[2]) is -psi^2 Q. t receives the last
 * multiple. */
static inline void N(walk)(LINES *l, MULTIPLE *t, const FE *x, const FE *y) {
  FE minus_y;
  l->n = 0;
  t->x = x[0], t->y = y[0];
  L(one)(&t->z);
  L(neg)(&minus_y, &y[0]);
  for (int i = 0; i < PAIRING_LOOP_DOUBLINGS; i++) {
    N(tangent)(l, t);
    if (pairing_loop[i]) N(chord)(l, t, x, pairing_loop[i] > 0 ? y : &minus_y);
  }
  for (int k = 1; k < PAIRING_POINTS; k++) N(chord)(l, t, &x[k], &y[k]);
}

/* True (in the lanes) where t equals the affine (x, y) and no Z was zero. An exceptional step (doubling a point of
 * order two, or a chord through a point and itself or its negative) gives Z = 0, and then every later Z, a multiple of
 * it, is 0 too. */
static inline uint8_t N(ends_at)(const MULTIPLE *t, const FE *x, const FE *y) {
  FE zz, u, v;
  L(sqr)(&zz, &t->z);
  L(mul)(&u, x, &zz);
  L(mul)(&zz, &zz, &t->z);
  L(mul)(&v, y, &zz);
  return (uint8_t)(L(equal)(&u, &t->x) & L(equal)(&v, &t->y) & (uint8_t)~L(is_zero)(&t->z));
}

/* Slope and offset of line i, given 1 / z. */
static inline void N(line_at)(FE *slope, FE *offset, const LINES *l, const FE *inverse, int i) {
  FE square;
  L(mul)(slope, &l->slope[i], &inverse[i]);
  L(mul)(offset, &l->offset[i], &inverse[i]);
  if (!l->is_tangent[i] || i == 0) return; /* the first tangent is at Q, where Z is 1 */
  L(sqr)(&square, &inverse[i - 1]);
  L(mul)(offset, offset, &square);
}

#undef LINES_PASTE_
#undef LINES_PASTE
#undef L
#undef N
#undef FE
#undef LINES
#undef MULTIPLE
#undef LINES_FE
