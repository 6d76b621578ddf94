/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The readers of gnark's files, on files that gnark wrote: every form of a file gives the same key, points and values,
 * and the writers give back the same bytes.
 */
#include "scratch.h"

#include "gnark_fixtures.h"
#include "groth16/formats/gnark_pkey.h"
#include "groth16/formats/gnark_proof.h"
#include "groth16/formats/gnark_solution.h"
#include "groth16/formats/zkey.h"

enum { CHECKS = G16_CHECK_CURVE | G16_CHECK_SUBGROUP };

static support_file *open_or_fail(const gnark_fixture *f, const char *name) {
  support_file *file = gnark_open(f, name);
  assert_non_null(file);
  return file;
}

/* The linker calls this in place of the library's function: how often as many bytes were wiped as a value has. */
static unsigned values_wiped;
void __real_rp_wipe(void *memory, size_t bytes);
void __wrap_rp_wipe(void *memory, size_t bytes);
void __wrap_rp_wipe(void *memory, size_t bytes) {
  values_wiped += bytes == 32;
  __real_rp_wipe(memory, bytes);
}

static void need(rp_status status, const rp_error *err) {
  if (status != RP_OK) fail_msg("%s", err->reason);
}

static void files_tell_what_they_are(void **state) {
  static const struct {
    const char *name;
    g16_gnark_kind kind;
    int large;
  } files[] = {{"pk.raw", G16_GNARK_PKEY, 0},
               {"pk.bin", G16_GNARK_PKEY, 1},
               {"pk.dump", G16_GNARK_PKEY, 0},
               {"vk.raw", G16_GNARK_VKEY, 1},
               {"vk.bin", G16_GNARK_VKEY, 1},
               {"proof.raw", G16_GNARK_PROOF, 1},
               {"proof.bin", G16_GNARK_PROOF, 1},
               {"witness.pub", G16_GNARK_WITNESS, 1},
               {"witness.full", G16_GNARK_WITNESS, 0},
               {"solution.bin", G16_GNARK_SOLUTION, 0},
               {"solution.mont", G16_GNARK_SOLUTION, 1},
               {"facts.json", G16_GNARK_NONE, 1}};
  (void)state;
  for (int i = 0; i < GNARK_FIXTURES; i++)
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
      if (gnark_fixtures[i].large && !files[k].large) continue;
      support_file *file = open_or_fail(&gnark_fixtures[i], files[k].name);
      assert_int_equal(g16_gnark_kind_of(file), files[k].kind);
      support_file_close(file);
    }
}

/* ---- Proving keys ------------------------------------------------------------------------------------------------ */

typedef struct opened {
  support_file *file;
  g16_gnark_pkey key;
} opened;

static opened open_key(const gnark_fixture *f, const char *name) {
  opened o = {.file = open_or_fail(f, name)};
  rp_error err = {0};
  need(g16_gnark_pkey_open(o.file, &o.key, &err), &err);
  return o;
}

static uint8_t *all_points(const g16_gnark_pkey *key, const g16_gnark_array *array) {
  rp_error err = {0};
  const uint64_t bytes = array->n * (array->g2 ? g16_g2_bytes(key->family) : g16_g1_bytes(key->family));
  uint8_t *points = aligned_alloc(64, (bytes + 64) & ~(uint64_t)63);
  need(g16_gnark_points_read(key, array, 0, array->n, CHECKS, points, &err), &err);
  return points;
}

static void arrays_are_equal(const g16_gnark_pkey *a, const g16_gnark_array *x, const g16_gnark_pkey *b,
                             const g16_gnark_array *y) {
  assert_int_equal(x->n, y->n);
  uint8_t *p = all_points(a, x), *q = all_points(b, y);
  assert_memory_equal(p, q, x->n * (x->g2 ? g16_g2_bytes(a->family) : g16_g1_bytes(a->family)));
  free(p), free(q);
}

static void keys_are_equal(const g16_gnark_pkey *a, const g16_gnark_pkey *b) {
  rp_error err = {0};
  uint8_t *map[2] = {malloc(a->n_wires), malloc(a->n_wires)};
  assert_ptr_equal(a->family, b->family);
  assert_int_equal(a->domain, b->domain);
  assert_int_equal(a->root, b->root);
  assert_memory_equal(a->shift, b->shift, 32);
  assert_memory_equal(&a->alpha_1, &b->alpha_1, sizeof a->alpha_1);
  assert_memory_equal(&a->beta_1, &b->beta_1, sizeof a->beta_1);
  assert_memory_equal(&a->delta_1, &b->delta_1, sizeof a->delta_1);
  assert_memory_equal(&a->beta_2, &b->beta_2, sizeof a->beta_2);
  assert_memory_equal(&a->delta_2, &b->delta_2, sizeof a->delta_2);
  assert_int_equal(a->n_wires, b->n_wires);
  assert_int_equal(a->n_public, b->n_public);
  assert_int_equal(a->n_commitments, b->n_commitments);
  for (int i = 0; i < G16_GNARK_ARRAYS; i++) arrays_are_equal(a, &a->array[i], b, &b->array[i]);
  for (uint32_t i = 0; i < a->n_commitments; i++) {
    arrays_are_equal(a, &a->basis[i], b, &b->basis[i]);
    arrays_are_equal(a, &a->basis_sigma[i], b, &b->basis_sigma[i]);
  }
  for (int which = 0; which < 2; which++) {
    need(g16_gnark_map_read(a, which, map[0], &err), &err);
    need(g16_gnark_map_read(b, which, map[1], &err), &err);
    assert_memory_equal(map[0], map[1], a->n_wires);
  }
  free(map[0]), free(map[1]);
}

static void forms_of_a_proving_key_are_one_key(void **state) {
  (void)state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    const gnark_fixture *f = &gnark_fixtures[i];
    opened bin = open_key(f, "pk.bin");
    assert_int_equal(bin.key.form, G16_GNARK_COMPRESSED);
    assert_int_equal(bin.key.n_wires, f->n_wires);
    assert_int_equal(bin.key.n_public, f->n_public);
    assert_int_equal(bin.key.domain, f->domain);
    assert_int_equal(bin.key.n_commitments, f->n_commitments);
    assert_int_equal(bin.key.family->g1, gnark_is_bls(f) ? RP_CURVE_BLS12_381_G1 : RP_CURVE_BN254_G1);
    if (f->large) assert_int_equal(bin.key.root, gnark_is_bls(f) ? RP_ROOT_ARKWORKS : RP_ROOT_SNARKJS);
    assert_int_equal(bin.key.shift[0], gnark_is_bls(f) ? 7 : 5);
    if (!f->large) {
      opened raw = open_key(f, "pk.raw"), dump = open_key(f, "pk.dump");
      assert_int_equal(raw.key.form, G16_GNARK_RAW);
      assert_int_equal(dump.key.form, G16_GNARK_MEMORY);
      keys_are_equal(&bin.key, &raw.key);
      keys_are_equal(&bin.key, &dump.key);
      support_file_close(raw.file), support_file_close(dump.file);
    }
    support_file_close(bin.file);
  }
}

static void put_u64(uint8_t *to, uint64_t value) {
  for (int i = 0; i < 8; i++) to[i] = (uint8_t)(value >> (56 - 8 * i));
}

/* Writes the key with `more` wires that have no point anywhere: two bytes of file for each. */
static void write_with_more_wires(const opened *o, uint64_t more, const char *path) {
  FILE *out = fopen(path, "wb");
  const uint64_t size = support_file_size(o->file), n = o->key.n_wires, counts = o->key.map[0] - 24;
  uint8_t *bytes = malloc(size), head[24];
  rp_error err = {0};
  assert_non_null(out);
  need(support_file_read(o->file, 0, size, bytes, &err), &err);
  put_u64(head, n + more), put_u64(head + 8, o->key.n_infinity[0] + more),
      put_u64(head + 16, o->key.n_infinity[1] + more);
  assert_int_equal(fwrite(bytes, 1, counts, out), counts);
  assert_int_equal(fwrite(head, 1, sizeof head, out), sizeof head);
  for (int which = 0; which < 2; which++) {
    assert_int_equal(fwrite(bytes + o->key.map[which], 1, n, out), n);
    for (uint64_t i = 0; i < more; i++) fputc(1, out);
  }
  const uint64_t end = o->key.map[1] + n;
  assert_int_equal(fwrite(bytes + end, 1, size - end, out), size - end);
  free(bytes);
  assert_int_equal(fclose(out), 0);
}

/* A key that is opened without its verifying key says itself how many of its wires are public. Each of them takes
 * memory, but no byte of a point in the file. */
static void wires_without_points_are_bounded(void **state) {
  opened o = open_key(&gnark_fixtures[0], "pk.raw");
  for (int too_many = 0; too_many < 2; too_many++) {
    rp_error err = {0};
    support_file *file = NULL;
    g16_gnark_pkey key;
    write_with_more_wires(&o, (1u << 20) - o.key.n_public + (uint64_t)too_many, scratch_path(state, "pk"));
    need(support_file_open(scratch_path(state, "pk"), 0, &file, &err), &err);
    assert_int_equal(g16_gnark_pkey_open(file, &key, &err), too_many ? RP_ERR_FORMAT : RP_OK);
    assert_int_equal(key.n_public, (1u << 20) + too_many);
    assert_true(!too_many || strstr(err.reason, "1048577 public wires"));
    support_file_close(file);
  }
  support_file_close(o.file);
}

/* An array that is read in parts gives the same points as when it is read at once. */
static void points_can_be_read_in_parts(void **state) {
  (void)state;
  opened o = open_key(&gnark_fixtures[6], "pk.bin");
  const g16_gnark_array *z = &o.key.array[G16_GNARK_Z];
  rp_error err = {0};
  uint8_t *all = all_points(&o.key, z), *part = malloc(100 * 64);
  for (uint64_t at = 0; at + 100 <= z->n; at += 613) {
    need(g16_gnark_points_read(&o.key, z, at, 100, 0, part, &err), &err);
    assert_memory_equal(part, all + at * 64, 100 * 64);
  }
  assert_int_equal(g16_gnark_points_read(&o.key, z, z->n - 99, 100, 0, part, &err), RP_ERR_ARGUMENT);
  free(all), free(part);
  support_file_close(o.file);
}

/* ---- The small files --------------------------------------------------------------------------------------------- */

static void verifying_keys_are_read(void **state) {
  (void)state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    const gnark_fixture *f = &gnark_fixtures[i];
    support_file *raw = open_or_fail(f, "vk.raw"), *bin = open_or_fail(f, "vk.bin");
    g16_vkey a, b, copy;
    rp_error err = {0};
    need(g16_gnark_vkey_read(raw, &a, &err), &err);
    need(g16_gnark_vkey_read(bin, &b, &err), &err);
    need(g16_vkey_check("key", &a, &err), &err);
    need(g16_vkey_copy("key", &b, &copy, &err), &err);
    assert_ptr_equal(a.family, b.family);
    assert_int_equal(a.n_public, f->n_public);
    assert_int_equal(a.n_commitments, f->n_commitments);
    assert_int_equal(copy.n_commitments, f->n_commitments);
    assert_memory_equal(a.ic, copy.ic, g16_vkey_ic_bytes(&a));
    assert_memory_equal(&a.delta_2, &copy.delta_2, sizeof a.delta_2);
    for (uint32_t k = 0; k < a.n_commitments; k++) {
      assert_memory_equal(&a.commitment[k], &copy.commitment[k], sizeof a.commitment[k]);
      for (uint64_t m = 0; m < a.commitment[k].n; m++)
        assert_int_equal(a.committed[a.commitment[k].first + m], copy.committed[copy.commitment[k].first + m]);
    }
    g16_vkey_free(&a), g16_vkey_free(&b), g16_vkey_free(&copy);
    support_file_close(raw), support_file_close(bin);
  }
}

static void proofs_come_back_byte_for_byte(void **state) {
  (void)state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    uint8_t *text[2];
    rp_gnark_proof proof[2];
    rp_error err = {0};
    for (int form = 0; form < 2; form++) {
      support_file *file = open_or_fail(&gnark_fixtures[i], form == RP_GNARK_RAW ? "proof.raw" : "proof.bin");
      need(support_file_slurp(file, 1 << 20, &text[form], &err), &err);
      const size_t bytes = support_file_size(file);
      need(rp_gnark_proof_from_bytes(text[form], bytes, &proof[form], &err), &err);
      assert_int_equal(proof[form].n_commitments, gnark_fixtures[i].n_commitments);
      uint8_t written[4096];
      size_t n;
      assert_int_equal(rp_gnark_proof_to_bytes(&proof[form], (rp_gnark_form)form, NULL, 0, &n, &err),
                       RP_ERR_BUFFER_TOO_SMALL);
      assert_int_equal(n, bytes);
      need(rp_gnark_proof_to_bytes(&proof[form], (rp_gnark_form)form, written, sizeof written, &n, &err), &err);
      assert_int_equal(n, bytes);
      assert_memory_equal(written, text[form], bytes);
      rp_secret_free(text[form], bytes);
      support_file_close(file);
    }
    assert_memory_equal(&proof[0], &proof[1], sizeof proof[0]);
  }
}

static void solutions_and_witnesses_agree(void **state) {
  (void)state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    const gnark_fixture *f = &gnark_fixtures[i];
    if (f->large) continue;
    support_file *bin = open_or_fail(f, "solution.bin"), *mont = open_or_fail(f, "solution.mont");
    support_file *full = open_or_fail(f, "witness.full");
    g16_gnark_solution a, b;
    g16_gnark_witness w;
    rp_error err = {0};
    const g16_family *family = g16_family_by_g1(gnark_is_bls(f) ? RP_CURVE_BLS12_381_G1 : RP_CURVE_BN254_G1);
    const rp_field_host *fr = rp_field_get(family->fr);
    need(g16_gnark_solution_open(bin, &a, &err), &err);
    need(g16_gnark_solution_open(mont, &b, &err), &err);
    need(g16_gnark_witness_open(full, &w, &err), &err);
    assert_int_equal(a.montgomery, 0);
    assert_int_equal(b.montgomery, 1);
    assert_int_equal(a.n[G16_GNARK_W], f->n_wires);
    assert_int_equal(a.n[G16_GNARK_L], f->n_constraints);
    assert_int_equal(w.n_public, f->n_public);
    uint8_t *x = malloc(32 * (size_t)f->n_wires), *y = malloc(32 * (size_t)f->n_wires),
            *values = malloc(32 * (size_t)f->n_wires);
    for (int v = G16_GNARK_VECTORS - 1; v >= 0; v--) {
      values_wiped = 0;
      need(g16_gnark_solution_read(&a, family, (g16_gnark_vector)v, 0, a.n[v], NULL, x, &err), &err);
      assert_true(values_wiped >= 2 && values_wiped % 2 == 0); /* a value, and what it is converted to */
      need(g16_gnark_solution_read(&b, family, (g16_gnark_vector)v, 0, b.n[v], NULL, y, &err), &err);
      assert_memory_equal(x, y, 32 * a.n[v]);
    }
    const uint64_t n = (uint64_t)w.n_public + w.n_secret;
    need(g16_gnark_witness_read(full, 0, n, values, &err), &err);
    for (uint64_t k = 0; k < n; k++) { /* W begins with the constant 1, then comes the witness */
      uint64_t wire[4], canonical[4];
      memcpy(wire, x + 32 * (k + 1), 32);
      fr->to_canonical(canonical, wire);
      assert_memory_equal(canonical, values + 32 * k, 32);
    }
    free(x), free(y), free(values);
    support_file_close(bin), support_file_close(mont), support_file_close(full);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_tell_what_they_are),
      cmocka_unit_test(forms_of_a_proving_key_are_one_key),
      cmocka_unit_test(points_can_be_read_in_parts),
      cmocka_unit_test(verifying_keys_are_read),
      cmocka_unit_test(proofs_come_back_byte_for_byte),
      cmocka_unit_test(solutions_and_witnesses_agree),
      cmocka_unit_test_setup_teardown(wires_without_points_are_bounded, scratch_begin, scratch_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
