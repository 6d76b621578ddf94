/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Additions as sparse products give the same values as one after another, whichever signals they refer to. Chains of
 * thousands are refused.
 */
#include "common.h"

#include "plonk/common/additions.h"
#include "plonk/formats/zkey.h"

enum { WITNESS = 50 };

static uint64_t seed = 1;
static uint32_t below(uint32_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((seed >> 33) % n);
}

/* A key's section of n additions, as a file of its own. */
typedef struct made_additions {
  uint8_t *bytes;
  support_file *file;
  plonk_zkey zkey;
} made_additions;

static const plonk_zkey_kind kind = {
    .format = {.magic = "zkey", .version = 1, .section_name = {[PLONK_ADDITIONS] = "additions"}},
    .section = {[PLONK_ADDITIONS] = {.content = PLONK_HOLDS_ADDITIONS}},
};

/* `operand` gives the signals of addition i, which is variable WITNESS + i. */
static made_additions make(uint32_t n, uint32_t (*operand)(uint32_t i, int which)) {
  made_additions m = {.bytes = calloc(n + 1, PLONK_ADDITION_BYTES)};
  rp_error err = {0};
  for (uint32_t i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) {
      uint8_t *at = m.bytes + (size_t)i * PLONK_ADDITION_BYTES;
      const uint32_t signal = operand(i, k);
      const uint64_t factor[4] = {below(1 << 30) + 1u, below(1 << 30), below(1 << 30), below(1 << 28)};
      memcpy(at + 4 * k, &signal, 4);
      memcpy(at + 8 + 32 * k, factor, 32);
    }
  EXPECT(RP_OK, support_file_wrap("additions", m.bytes, (uint64_t)(n + 1) * PLONK_ADDITION_BYTES, &m.file, &err), &err);
  m.zkey = (plonk_zkey){
      .common = {
          .kind = &kind, .bin = {.file = m.file, .format = &kind.format}, .n_vars = WITNESS + n, .n_additions = n}};
  m.zkey.common.bin.section[PLONK_ADDITIONS] =
      (g16_section){.present = 1, .size_bytes = (uint64_t)n * PLONK_ADDITION_BYTES};
  m.zkey.vk.family = g16_family_by_name("bn128");
  return m;
}

static void unmake(made_additions *m) {
  support_file_close(m->file);
  free(m->bytes);
}

static void in_order(const made_additions *m, plonk_fr *value) {
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  for (uint32_t i = 0; i < m->zkey.common.n_additions; i++) {
    plonk_addition a;
    plonk_fr x, y, f;
    rp_error err = {0};
    EXPECT(RP_OK, plonk_additions_read(&m->zkey.common, i, 1, &a, &err), &err);
    memcpy(&f, a.factor[0], sizeof f);
    fr->mul(&x, &f, &value[a.signal[0]]);
    memcpy(&f, a.factor[1], sizeof f);
    fr->mul(&y, &f, &value[a.signal[1]]);
    fr->add(&value[WITNESS + i], &x, &y);
  }
}

static void by_stages(const plonk_additions *a, plonk_fr *value) {
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  uint64_t known = WITNESS;
  for (uint32_t s = 0; s < a->n_stages; s++) {
    const plonk_stage *stage = &a->stage[s];
    for (uint64_t row = 0; row < stage->rows; row++) {
      plonk_fr sum, x;
      fr->zero(&sum);
      assert_true(stage->row_ptr[row + 1] - stage->row_ptr[row] <= PLONK_ROW_MOST);
      for (uint32_t e = stage->row_ptr[row]; e < stage->row_ptr[row + 1]; e++) {
        assert_true(stage->col[e] < known); /* of the witness or an earlier stage */
        fr->mul(&x, &stage->val[e], &value[stage->col[e]]);
        fr->add(&sum, &sum, &x);
      }
      value[known + row] = sum;
    }
    assert_int_equal(stage->row_ptr[stage->rows], stage->entries);
    known += stage->rows;
  }
}

static rp_status load(const made_additions *m, plonk_additions *a, rp_error *err) {
  const plonk_array array = plonk_zkey_array(&m->zkey.common, PLONK_ADDITIONS);
  return plonk_additions_load(&array, m->zkey.common.n_vars, a, err);
}

static void expect_equal(uint32_t n, uint32_t (*operand)(uint32_t i, int which), uint32_t stages) {
  made_additions m = make(n, operand);
  plonk_additions a;
  rp_error err = {0};
  plonk_fr *want = calloc(WITNESS + n, sizeof *want), *got = calloc(WITNESS + n, sizeof *got);
  for (uint32_t i = 0; i < WITNESS; i++) want[i].limb[0] = got[i].limb[0] = below(1 << 30);
  EXPECT(RP_OK, load(&m, &a, &err), &err);
  if (stages) assert_int_equal(a.n_stages, stages);
  in_order(&m, want);
  by_stages(&a, got);
  for (uint32_t i = 0; i < WITNESS + n; i++) assert_memory_equal(&got[plonk_place(&a, i)], &want[i], sizeof *want);
  plonk_additions_free(&a);
  free(want), free(got);
  unmake(&m);
}

static uint32_t chain(uint32_t i, int which) { return which || i == 0 ? below(WITNESS) : WITNESS + i - 1; }
static uint32_t other_chain(uint32_t i, int which) { return !which || i == 0 ? below(WITNESS) : WITNESS + i - 1; }
static uint32_t doubling(uint32_t i, int which) { return i == 0 ? (uint32_t)which : WITNESS + i - 1; }
/* As a queue: the first two leave, and their sum goes behind the rest. */
static uint32_t queue(uint32_t i, int which) { return 2 * i + (uint32_t)which; }
static uint32_t random_operands(uint32_t i, int which) {
  (void)which;
  return below(WITNESS + i);
}

static void sums_are_those_of_the_chain(void **state) {
  (void)state;
  expect_equal(0, chain, 0);
  expect_equal(1, chain, 1);
  expect_equal(63, chain, 1); /* 64 entries */
  expect_equal(64, chain, 2);
  expect_equal(126, other_chain, 2);
  expect_equal(127, other_chain, 3);
  expect_equal(WITNESS - 1, queue, 1);
  expect_equal(6, doubling, 1);
  expect_equal(7, doubling, 2);
  for (int i = 0; i < 10; i++) expect_equal(1 + below(2000), random_operands, 0);
}

static void long_chains_are_refused(void **state) {
  (void)state;
  expect_equal(63 * PLONK_STAGES_MOST, chain, PLONK_STAGES_MOST);
  made_additions m = make(63 * PLONK_STAGES_MOST + 1, chain);
  plonk_additions a;
  rp_error err = {0};
  EXPECT(RP_ERR_UNSUPPORTED, load(&m, &a, &err), &err);
  assert_non_null(strstr(err.reason, "addition 4032 "));
  assert_null(a.place);
  unmake(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_those_of_the_chain),
      cmocka_unit_test(long_chains_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
