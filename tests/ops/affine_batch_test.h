/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The instances of affine_batch_tmpl.c.
 */
#ifndef REPRISE_TESTS_AFFINE_BATCH_TEST_H
#define REPRISE_TESTS_AFFINE_BATCH_TEST_H

#include "affine_batch_curves.h" /* AFFINE_BATCH_CURVES(X), made by CMakeLists.txt */

#define DECLARE(id)                             \
  void rp_test_affine_batch_##id##_plain(void); \
  void rp_test_affine_batch_##id##_adx(void);   \
  void rp_test_affine_batch_##id##_ifma(void);
AFFINE_BATCH_CURVES(DECLARE)
#undef DECLARE

#endif
