/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What untrusted inputs can make a verifier spend: memory is counted at the C library, processor time is compared with
 * the size of the input, and stacks have 128 KiB. The bounds are those that graphs.h promises.
 */
#include "common.h"

#include "graphs/counted_memory.h"
#include "groth16/formats/json.h"

#include <stdio.h>

enum { FEW = 64, MANY = 1024, BATCH = 132 };

typedef struct call call;
struct call {
  rp_status (*run)(call *c);
  rp_context *context;
  const char *text;
  size_t bytes;
  const rp_groth16_vkey *vkey;
  const rp_groth16_proof *proofs;
  const uint8_t *signals;
  size_t n_proofs, n_signals;
  rp_status status;
  cost cost;
};

static void run_call(void *user) {
  call *c = user;
  c->status = c->run(c);
}
static void spend(call *c) { c->cost = cost_of(run_call, c); }

static rp_status read_proof(call *c) {
  rp_groth16_proof proof;
  return rp_groth16_proof_from_json(c->text, c->bytes, &proof, NULL);
}
static rp_status read_signals(call *c) {
  uint8_t signals[32 * FEW];
  size_t n;
  return rp_groth16_public_from_json(c->text, c->bytes, signals, FEW, &n, NULL);
}
static rp_status read_key(call *c) {
  rp_groth16_vkey *vkey;
  const rp_status status = rp_groth16_vkey_from_json(c->context, c->text, c->bytes, &vkey, NULL);
  rp_groth16_vkey_destroy(vkey);
  return status;
}
static rp_status verify(call *c) { return rp_groth16_verify(c->vkey, c->proofs, c->signals, c->n_signals, NULL); }
static rp_status verify_batch(call *c) {
  rp_status statuses[BATCH];
  return rp_groth16_verify_batch(c->vkey, c->proofs, c->signals, c->n_proofs, c->n_signals, statuses, NULL);
}

/* The time for `size_ratio` times the input is at most 2 * `size_ratio` times as long. */
static void assert_linear(const char *what, const call *small, const call *large, double size_ratio) {
  print_message("%s: %.0f and %.0f us, %zu and %zu bytes\n", what, small->cost.seconds * 1e6, large->cost.seconds * 1e6,
                small->cost.peak, large->cost.peak);
  if (large->cost.seconds > 2 * size_ratio * small->cost.seconds + 1e-3)
    fail_msg("%s: %.1f times the input takes %.1f times the time", what, size_ratio,
             large->cost.seconds / small->cost.seconds);
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

static char *repeated(const char *head, const char *item, size_t times, const char *tail, size_t *bytes) {
  const size_t h = strlen(head), n = strlen(item), t = strlen(tail);
  char *text = malloc(h + n * times + t + 1);
  memcpy(text, head, h);
  for (size_t i = 0; i < times; i++) memcpy(text + h + i * n, item, n);
  memcpy(text + h + times * n, tail, t + 1);
  *bytes = h + n * times + t;
  return text;
}

static void texts_cost_what_they_are_long(void **state) {
  (void)state;
  static const struct {
    const char *name, *head, *item, *tail;
    rp_status (*run)(call *);
  } cases[] = {
      {"signals", "[", "0,", "0]", read_signals},
      {"signals of many digits", "[", "\"21888242871839275222246405745257275088548364400416034343698204186575\",", "0]",
       read_signals},
      {"one long number", "[\"", "0000000", "\"]", read_signals},
      {"members of a proof", "{", "\"pi\":1,", "\"pi_a\":[1,2]}", read_proof},
      {"a point with many coordinates", "{\"pi_a\":[", "[1,2],", "1]}", read_proof},
      {"white space", "{\"pi_a\":", "        ", "[1,2]}", read_proof},
      {"a key of many points", "{\"protocol\":\"groth16\",\"curve\":\"bn128\",\"IC\":[", "[\"1\",\"2\"],", "1]}",
       read_key},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    call c[2] = {{.run = cases[i].run, .context = *state}, {.run = cases[i].run, .context = *state}};
    char *text[2];
    for (int k = 0; k < 2; k++) {
      text[k] = repeated(cases[i].head, cases[i].item, k ? 4000 : 1000, cases[i].tail, &c[k].bytes);
      c[k].text = text[k];
      spend(&c[k]);
      assert_int_equal(c[k].cost.allocations, 0);
    }
    assert_linear(cases[i].name, &c[0], &c[1], 4);
    free(text[0]), free(text[1]);
  }
}

/* ---- Keys of many signals ---------------------------------------------------------------------------------------- */

/* The fixture's key with n signals, whose points are all different. */
static char *wide_key(const char *fixture, uint32_t n, size_t *bytes) {
  blob text = fixture_read(fixture, "verification_key.json");
  g16_vkey key;
  support_text out = {0};
  assert_int_equal(g16_vkey_read("key", (const char *)text.data, text.bytes, &key, NULL), RP_OK);
  const rp_curve_host *g1 = rp_curve_get(key.family->g1);
  uint8_t *ic = aligned_alloc(64, ((n + 1) * (size_t)g1->affine_bytes + 63) & ~(size_t)63);
  g16_g1 point, generator;
  g1->generator(&generator);
  point = generator;
  for (uint32_t i = 0; i <= n; i++, g1->add(&point, &point, &generator))
    memcpy(ic + (size_t)i * g1->affine_bytes, &point, g1->affine_bytes);
  free(key.ic);
  key.ic = ic;
  key.n_public = n;
  assert_int_equal(g16_vkey_write(&key, NULL, &out, NULL), RP_OK);
  g16_vkey_free(&key);
  blob_free(&text);
  *bytes = out.length;
  return out.data;
}

typedef struct wide {
  char *text;
  size_t bytes;
  rp_groth16_vkey *vkey;
  uint8_t *signals; /* BATCH times n signals, below r */
  size_t n;
} wide;

static wide wide_make(rp_context *context, const char *fixture, uint32_t n) {
  wide w = {.n = n};
  rp_error err = {0};
  w.text = wide_key(fixture, n, &w.bytes);
  EXPECT(RP_OK, rp_groth16_vkey_from_json(context, w.text, w.bytes, &w.vkey, &err), &err);
  w.signals = malloc((size_t)BATCH * n * 32);
  for (size_t i = 0; i < (size_t)BATCH * n * 32; i++) w.signals[i] = (uint8_t)(i % 32 == 31 ? 0x2f : i * 131 + 7);
  return w;
}

static void wide_free(wide *w) {
  rp_groth16_vkey_destroy(w->vkey);
  free(w->text);
  free(w->signals);
}

static void one_fixture(rp_context *context, const char *fixture) {
  rp_error err = {0};
  wide w[2] = {wide_make(context, fixture, FEW), wide_make(context, fixture, MANY)};
  blob text = fixture_read(fixture, "proof.json");
  rp_groth16_proof proofs[BATCH];
  call one[2], many[2], key[2];
  EXPECT(RP_OK, rp_groth16_proof_from_json((const char *)text.data, text.bytes, &proofs[0], &err), &err);
  for (int i = 1; i < BATCH; i++) proofs[i] = proofs[0];
  for (int k = 0; k < 2; k++) {
    const size_t n = w[k].n;
    one[k] = (call){.run = verify, .vkey = w[k].vkey, .proofs = proofs, .signals = w[k].signals, .n_signals = n};
    spend(&one[k]);
    assert_int_equal(one[k].status, RP_ERR_VERIFY); /* so the whole equation was computed */
    assert_in_range(one[k].cost.peak, 1, (32 << 10) + 64 * n);
    assert_in_range(one[k].cost.allocations, 1, 8);

    key[k] = (call){.run = read_key, .context = context, .text = w[k].text, .bytes = w[k].bytes};
    spend(&key[k]);
    assert_int_equal(key[k].status, RP_OK);
    assert_in_range(key[k].cost.peak, 1, (128 << 10) + 16 * key[k].bytes);
  }
  assert_linear("one proof, 64 and 1024 signals", &one[0], &one[1], MANY / FEW);
  assert_linear("a key, 64 and 1024 signals", &key[0], &key[1], MANY / FEW);

  /* All proofs are wrong, so that each is verified twice. */
  for (int k = 0; k < 2; k++) {
    many[k] = (call){.run = verify_batch,
                     .vkey = w[0].vkey,
                     .proofs = proofs,
                     .signals = w[0].signals,
                     .n_proofs = k ? BATCH : BATCH / 4,
                     .n_signals = FEW};
    spend(&many[k]);
    assert_int_equal(many[k].status, RP_ERR_VERIFY);
    assert_in_range(many[k].cost.peak, 1, (2 << 20) + 64 * FEW);
  }
  assert_linear("33 and 132 wrong proofs at once", &many[0], &many[1], 4);
  print_message("a wrong proof alone %.0f us, among 132 wrong ones %.0f us\n", one[0].cost.seconds * 1e6,
                many[1].cost.seconds / BATCH * 1e6);
  assert_true(many[1].cost.seconds < 2.5 * BATCH * one[0].cost.seconds);
  for (int k = 0; k < 2; k++) wide_free(&w[k]);
  blob_free(&text);
}

/* The shortest text of a point, on the curve whose points take the most memory. */
static void short_points_take_no_more(void **state) {
  blob text = fixture_read("multiplier_bls12381", "verification_key.json");
  const char *ic = strstr((char *)text.data, "\"IC\""), *width = strstr((char *)text.data, "\"nPublic\":");
  enum { POINTS = 20000 };
  char head[1 << 13];
  call c = {.run = read_key, .context = *state};
  assert_true(ic && width && width < ic);
  const size_t before = (size_t)(width - (char *)text.data);
  const char *behind = strchr(width, ',');
  snprintf(head, sizeof head, "%.*s\"nPublic\": %d%.*s\"IC\":[", (int)before, (char *)text.data, POINTS,
           (int)(ic - behind), behind);
  char *whole = repeated(head, "[0,0],", POINTS, "[0,0]]}", &c.bytes);
  c.text = whole;
  spend(&c);
  assert_int_equal(c.status, RP_OK);
  print_message("%d points at infinity: %zu bytes for a text of %zu\n", POINTS + 1, c.cost.peak, c.bytes);
  assert_in_range(c.cost.peak, 1, (128 << 10) + 16 * c.bytes);
  free(whole);
  blob_free(&text);
}

static void proofs_cost_what_their_signals_are(void **state) {
  one_fixture(*state, "multiplier_bn254");
  one_fixture(*state, "multiplier_bls12381");
}

/* A proof that is refused takes no more time than one that is accepted. */
static void wrong_proofs_cost_no_more(void **state) {
  static const char *const fixtures[] = {"multiplier_bn254", "multiplier_bls12381"};
  for (int f = 0; f < 2; f++) {
    rp_error err = {0};
    blob key = fixture_read(fixtures[f], "verification_key.json"), proof = fixture_read(fixtures[f], "proof.json"),
         public = fixture_read(fixtures[f], "public.json");
    rp_groth16_vkey *vkey;
    rp_groth16_proof good;
    uint8_t signal[32];
    size_t n;
    EXPECT(RP_OK, rp_groth16_vkey_from_json(*state, (char *)key.data, key.bytes, &vkey, &err), &err);
    EXPECT(RP_OK, rp_groth16_proof_from_json((char *)proof.data, proof.bytes, &good, &err), &err);
    EXPECT(RP_OK, rp_groth16_public_from_json((char *)public.data, public.bytes, signal, 1, &n, &err), &err);
    call c = {.run = verify, .vkey = vkey, .proofs = &good, .signals = signal, .n_signals = 1};
    spend(&c);
    assert_int_equal(c.status, RP_OK);
    const double accepted = c.cost.seconds;
    const rp_curve_host *g1 = rp_curve_get(good.g1);
    for (int i = 0; i < 4; i++) {
      rp_groth16_proof bad = good;
      g16_g1 point;
      if (i == 0) bad.a[0] ^= 1;                       /* off its curve */
      if (i == 1) bad.c[g1->affine_bytes - 1] |= 0xf0; /* not reduced */
      if (i == 2) memset(bad.b, 0, sizeof bad.b);      /* infinity */
      if (i == 3) {
        g1->generator(&point);
        memcpy(bad.a, &point, g1->affine_bytes);
      }
      c.proofs = &bad;
      spend(&c);
      assert_int_not_equal(c.status, RP_OK);
      if (c.cost.seconds > 2 * accepted)
        fail_msg("wrong proof %d takes %.1f times as long", i, c.cost.seconds / accepted);
    }
    rp_groth16_vkey_destroy(vkey);
    blob_free(&key), blob_free(&proof), blob_free(&public);
  }
}

static int setup(void **state) { return rp_context_create(NULL, (rp_context **)state, NULL) == RP_OK ? 0 : -1; }
static int teardown(void **state) {
  rp_context_destroy(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_cost_what_they_are_long),
      cmocka_unit_test(short_points_take_no_more),
      cmocka_unit_test(proofs_cost_what_their_signals_are),
      cmocka_unit_test(wrong_proofs_cost_no_more),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
