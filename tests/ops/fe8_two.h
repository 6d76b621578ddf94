/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products side by side on eight lanes. Included by fe8_tmpl.c.
 */
#ifndef REPRISE_TESTS_FE8_TWO_H
#define REPRISE_TESTS_FE8_TWO_H

/* The products side by side of values up to their bounds are those of one after the other, and tight. */
static void check_two(void) {
  fe8 a[2], b[2], r[2], one_by_one, difference;
  for (int c = 0; c < 2; c++) draw_loose(&a[c]), draw_loose(&b[c]);
  for (int k = 0; k < 4; k++) {
    r[0] = a[0], r[1] = a[1];
    if (k == 2) fe8_sqr_two(r, a);
    if (k != 2) fe8_mul_two(r, k == 3 ? r : a, b); /* the last time in place of operands */
    for (int c = 0; c < 2; c++) {
      fe8_mul(&one_by_one, &a[c], k == 2 ? &a[c] : &b[c]);
#if FE_DEGREE == 2
      expect_tight(&r[c].c0), expect_tight(&r[c].c1);
#else
      expect_tight(&r[c]);
#endif
      fe8_sub(&difference, &r[c], &one_by_one);
      assert_int_equal(fe8_is_zero(&difference), 0xff);
    }
    if (k == 0) a[0] = b[1]; /* other lanes of the two */
  }
}

#endif
