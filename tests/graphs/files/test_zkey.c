/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of Groth16 in files: the facts and arrays of known ones, files that deviate but are accepted, and files that
 * change while they are open.
 */
#include "scratch.h"

#include "fuzz/hostile.h"
#include "groth16/formats/zkey.h"

#include <fcntl.h>

static support_file *open_fixture(const char *folder) {
  char path[4096];
  support_file *file;
  snprintf(path, sizeof path, FIXTURES "%s/circuit.zkey", folder);
  assert_ok(support_file_open(path, 0, &file, err));
  return file;
}

/* Facts of shared fixtures: constraints, variables, public, domain, coefficients, infinities in A, B1, B2, C, H. */
static const struct fact {
  const char *folder, *curve;
  uint32_t constraints, vars, public, log_domain, coefs, infinities[5];
} facts[] = {{"multiplier_bn254", "bn128", 3, 6, 1, 3, 10, {2, 3, 3, 0, 0}},
             {"multiplier_bls12381", "bls12381", 3, 6, 1, 3, 10, {2, 3, 3, 0, 0}},
             {"poseidon_merkle", "bn128", 5320, 5343, 2, 13, 21231, {44, 1805, 1805, 0, 0}}};
enum { FACTS = sizeof facts / sizeof facts[0] };
static const g16_points_id arrays[] = {G16_A, G16_B1, G16_B2, G16_C, G16_H};

static void known_facts(void **state) {
  (void)state;
  for (int i = 0; i < FACTS; i++) {
    const struct fact *fact = &facts[i];
    support_file *file = open_fixture(fact->folder);
    g16_zkey zkey;
    assert_ok(g16_zkey_open(file, &zkey, err));
    assert_string_equal(zkey.family->name, fact->curve);
    assert_int_equal(zkey.n_vars, fact->vars);
    assert_int_equal(zkey.n_public, fact->public);
    assert_int_equal(zkey.log_domain, fact->log_domain);
    assert_int_equal(zkey.domain_size, 1u << fact->log_domain);
    assert_int_equal(zkey.n_coefs, fact->coefs);
    support_file_close(file);
  }
}

static void points_without_infinities(void **state) {
  (void)state;
  for (int i = 0; i < FACTS; i++) {
    support_file *file = open_fixture(facts[i].folder);
    g16_zkey zkey;
    assert_ok(g16_zkey_open(file, &zkey, err));
    for (int k = 0; k < 5; k++) {
      uint64_t count = g16_points_count(&zkey, arrays[k]);
      uint32_t bytes = g16_points_bytes(&zkey, arrays[k]);
      const g16_load load = {.checks = G16_CHECK_CURVE | (count < 100 ? G16_CHECK_SUBGROUP : 0)};
      g16_points points;
      assert_ok(g16_points_load(&zkey, arrays[k], &load, &points, err));
      assert_int_equal(count - points.n, facts[i].infinities[k]);
      uint8_t *all = aligned_alloc(64, (count * bytes + 63) & ~63ull);
      assert_ok(g16_points_read(&zkey, arrays[k], 0, count, 0, all, err));
      uint8_t zero[192] = {0};
      uint64_t next = 0;
      for (uint64_t p = 0; p < count; p++) {
        if (next < points.n && points.index[next] == p)
          assert_memory_equal(points.point + next++ * bytes, all + p * bytes, bytes);
        else
          assert_memory_equal(all + p * bytes, zero, bytes);
      }
      assert_int_equal(next, points.n);
      free(all);
      g16_points_free(&points, NULL);
    }
    support_file_close(file);
  }
}

/* Ranges that do not fit, also where their end is beyond 2^64. */
static void ranges_beyond_the_end(void **state) {
  static const uint64_t beyond[][2] = {{0, 7}, {6, 1}, {7, 0}, {1, UINT64_MAX}, {UINT64_MAX, 2}, {UINT64_MAX - 3, 4}};
  static const uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
  uint8_t out[1024];
  support_file *file = open_fixture("multiplier_bn254"), *small;
  g16_zkey zkey;
  (void)state;
  assert_ok(g16_zkey_open(file, &zkey, err));
  assert_int_equal(g16_points_count(&zkey, G16_A), sizeof bytes);
  assert_ok(support_file_wrap("small", bytes, sizeof bytes, &small, err));
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
    const uint64_t first = beyond[i][0], n = beyond[i][1];
    const uint8_t *data;
    assert_int_equal(g16_points_read(&zkey, G16_A, first, n, 0, out, NULL), RP_ERR_ARGUMENT);
    assert_int_equal(support_file_read(small, first, n, out, NULL), RP_ERR_FORMAT);
    assert_int_equal(support_file_peek(small, first, n, out, &data, NULL), RP_ERR_FORMAT);
    assert_null(data);
  }
  assert_ok(g16_points_read(&zkey, G16_A, 2, 4, 0, out, err));
  assert_ok(support_file_read(small, 6, 0, out, err));
  support_file_close(small);
  support_file_close(file);
}

/* The rows that snarkjs adds for the public signals: row constraints + s of A holds signal s alone, with value 1. */
static void matrices(void **state) {
  (void)state;
  for (int i = 0; i < FACTS; i++) {
    const struct fact *fact = &facts[i];
    support_file *file = open_fixture(fact->folder);
    g16_zkey zkey;
    g16_csr a, b;
    assert_ok(g16_zkey_open(file, &zkey, err));
    assert_ok(g16_csr_load(&zkey, NULL, &a, &b, err));
    assert_int_equal(a.rows, zkey.domain_size);
    assert_int_equal(a.nnz + b.nnz, zkey.n_coefs);
    assert_int_equal(a.row_ptr[0], 0);
    assert_int_equal(a.row_ptr[a.rows], a.nnz);
    assert_int_equal(b.row_ptr[b.rows], b.nnz);
    for (uint64_t row = 0; row < a.rows; row++) {
      assert_true(a.row_ptr[row] <= a.row_ptr[row + 1]);
      assert_true(b.row_ptr[row] <= b.row_ptr[row + 1]);
    }
    const rp_field_host *fr = rp_field_get(zkey.family->fr);
    for (uint32_t s = 0; s <= fact->public; s++) {
      uint32_t at = a.row_ptr[fact->constraints + s];
      assert_int_equal(a.row_ptr[fact->constraints + s + 1], at + 1);
      assert_int_equal(b.row_ptr[fact->constraints + s + 1], b.nnz);
      assert_int_equal(a.col[at], s);
      /* The stored value is 1 times R^2, so removing R twice gives 1. */
      uint64_t value[4], out[4], one[4] = {1};
      memcpy(value, a.value + (size_t)at * 32, 32);
      fr->to_canonical(out, value);
      fr->to_canonical(out, out);
      assert_memory_equal(out, one, 32);
    }
    g16_csr_free(&a, NULL);
    g16_csr_free(&b, NULL);
    support_file_close(file);
  }
}

static void in_parts(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  (void)user;
  for (uint32_t i = n; i-- > 0;) task(arg, i);
}

/* Loading in several ranges, which run in reverse order, gives the same as loading in one. */
static void ranges_agree(void **state) {
  (void)state;
  const rp_executor executor = {.workers = 7, .parallel = in_parts};
  const g16_load load = {.executor = &executor},
                 plain = {.executor = &(rp_executor){.workers = 1, .parallel = in_parts}};
  support_file *file = open_fixture("poseidon_merkle");
  g16_zkey zkey;
  g16_csr a[2], b[2];
  g16_points points[2];
  assert_ok(g16_zkey_open(file, &zkey, err));
  assert_ok(g16_csr_load(&zkey, &plain, &a[0], &b[0], err));
  assert_ok(g16_csr_load(&zkey, &load, &a[1], &b[1], err));
  assert_memory_equal(a[0].row_ptr, a[1].row_ptr, (a[0].rows + 1) * 4);
  assert_memory_equal(b[0].row_ptr, b[1].row_ptr, (b[0].rows + 1) * 4);
  assert_ok(g16_points_load(&zkey, G16_B2, &plain, &points[0], err));
  assert_ok(g16_points_load(&zkey, G16_B2, &load, &points[1], err));
  assert_int_equal(points[0].n, points[1].n);
  assert_memory_equal(points[0].index, points[1].index, points[0].n * 4);
  assert_memory_equal(points[0].point, points[1].point, points[0].n * 128);
  for (int i = 0; i < 2; i++) {
    g16_csr_free(&a[i], NULL);
    g16_csr_free(&b[i], NULL);
    g16_points_free(&points[i], NULL);
  }
  support_file_close(file);
}

/* Loads the matrices of a key with `workers` workers, which run last to first. Writes A, then B, each as row_ptr, col
 * and value. Returns the number of bytes. */
static size_t load_matrices(const hostile_buffer *key, uint32_t workers, uint8_t *out) {
  const rp_executor executor = {.workers = workers, .parallel = in_parts};
  support_file *file;
  g16_zkey zkey;
  g16_csr csr[2];
  size_t n = 0;
  assert_ok(support_file_wrap("circuit.zkey", key->data, key->size, &file, err));
  assert_ok(g16_zkey_open(file, &zkey, err));
  /* With 0 workers, the library's own threads are used, which run in any order. */
  assert_ok(g16_csr_load(&zkey, workers ? &(g16_load){.executor = &executor} : NULL, &csr[0], &csr[1], err));
  for (int m = 0; m < 2; m++) {
    memcpy(out + n, csr[m].row_ptr, (csr[m].rows + 1) * 4);
    n += (csr[m].rows + 1) * 4;
    memcpy(out + n, csr[m].col, csr[m].nnz * 4);
    n += csr[m].nnz * 4;
    memcpy(out + n, csr[m].value, csr[m].nnz * 32);
    n += csr[m].nnz * 32;
    g16_csr_free(&csr[m], NULL);
  }
  support_file_close(file);
  return n;
}

/* The matrices depend neither on the number of workers nor on the order of the records in the file. */
static void matrices_do_not_depend_on_threads(void **state) {
  (void)state;
  enum { RECORD = 44 };
  hostile_buffer key;
  support_file *file;
  g16_zkey zkey;
  assert_true(hostile_slurp(FIXTURES "poseidon_merkle/circuit.zkey", &key));
  assert_ok(support_file_wrap("circuit.zkey", key.data, key.size, &file, err));
  assert_ok(g16_zkey_open(file, &zkey, err));
  uint8_t *records = key.data + zkey.bin.section[G16_ZKEY_COEFS].offset + 4, swap[RECORD];
  const uint32_t n = zkey.n_coefs;
  support_file_close(file);
  uint8_t *first = malloc(key.size), *again = malloc(key.size);
  assert_non_null(first);
  assert_non_null(again);
  /* One row gets many entries, some of them for the same signal. */
  for (uint32_t i = 0; i < 5000; i++) memcpy(records + (size_t)i * 3 * RECORD + 4, &(uint32_t){7}, 4);
  const size_t size = load_matrices(&key, 1, first);
  uint64_t random = 1;
  for (int round = 0; round < 3; round++) {
    static const uint32_t workers[] = {1, 2, 5, 0};
    for (int i = 0; i < 4; i++) {
      assert_int_equal(load_matrices(&key, workers[i], again), size);
      assert_memory_equal(again, first, size);
    }
    for (uint32_t i = n; i-- > 1;) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      uint8_t *a = records + (size_t)i * RECORD, *b = records + (size_t)((random >> 32) % (i + 1)) * RECORD;
      memcpy(swap, a, RECORD);
      memmove(a, b, RECORD);
      memcpy(b, swap, RECORD);
    }
  }
  free(first);
  free(again);
  free(key.data);
}

static void open_damaged(hostile_damage damage, uint64_t x, uint64_t y, uint64_t z) {
  hostile_buffer buffer;
  support_file *file;
  g16_zkey zkey;
  g16_csr a, b;
  assert_true(hostile_slurp(FIXTURES "multiplier_bn254/circuit.zkey", &buffer));
  damage(&buffer, x, y, z);
  assert_ok(support_file_wrap("circuit.zkey", buffer.data, buffer.size, &file, err));
  assert_ok(g16_zkey_open(file, &zkey, err));
  assert_ok(g16_csr_load(&zkey, NULL, &a, &b, err));
  assert_int_equal(a.nnz + b.nnz, 10);
  g16_csr_free(&a, NULL);
  g16_csr_free(&b, NULL);
  support_file_close(file);
  free(buffer.data);
}

static void rotate(hostile_buffer *b, uint64_t section, uint64_t y, uint64_t z) {
  damage_repeat(b, section, y, z);
  damage_drop(b, section, y, z);
}

/* Sections may have any order and alignment, there may be unknown ones, and a key may have no contributions. */
static void tolerated(void **state) {
  (void)state;
  open_damaged(damage_none, 0, 0, 0);
  for (uint64_t section = 1; section <= 10; section++) open_damaged(rotate, section, 0, 0);
  open_damaged(damage_drop, 10, 0, 0);
  for (uint64_t bytes = 470; bytes < 480; bytes++) open_damaged(damage_resize, 10, bytes, 0);
  open_damaged(damage_add, 4711, 1, 0);
  open_damaged(damage_add, 0, 1, 0);
}

/* A circuit without public signals: one point of IC, and C begins with signal 1. */
static void no_public_signals(void **state) {
  (void)state;
  hostile_buffer buffer;
  support_file *file;
  g16_zkey zkey;
  g16_points points;
  assert_true(hostile_slurp(FIXTURES "multiplier_bn254/circuit.zkey", &buffer));
  damage_u32(&buffer, 2, 76, 0);
  damage_resize(&buffer, 3, 64, 0);
  damage_resize(&buffer, 8, 5 * 64, 0);
  assert_ok(support_file_wrap("circuit.zkey", buffer.data, buffer.size, &file, err));
  assert_ok(g16_zkey_open(file, &zkey, err));
  assert_int_equal(zkey.n_public, 0);
  assert_int_equal(g16_points_count(&zkey, G16_IC), 1);
  assert_ok(g16_points_load(&zkey, G16_C, NULL, &points, err));
  assert_int_equal(points.n, 4); /* the added point is infinity */
  g16_points_free(&points, NULL);
  support_file_close(file);
  free(buffer.data);
}

/* A sparse file of more than 4 GiB, in which an unknown section of 5 GiB precedes the sections that are used. */
static void behind_4_gib(void **state) {
  hostile_buffer good;
  support_file *file;
  g16_zkey zkey;
  g16_points points;
  const uint64_t gap = 5ull << 30;
  const char *path = scratch_path(state, "large.zkey");
  assert_true(hostile_slurp(FIXTURES "multiplier_bn254/circuit.zkey", &good));
  uint8_t head[24] = {0};
  memcpy(head, good.data, 12);
  head[8] = 11;
  head[12] = 200;
  memcpy(head + 16, &gap, 8);
  int fd = open(path, O_CREAT | O_WRONLY, 0600);
  assert_true(fd >= 0);
  assert_int_equal(pwrite(fd, head, sizeof head, 0), sizeof head);
  assert_int_equal(pwrite(fd, good.data + 12, good.size - 12, (off_t)(24 + gap)), good.size - 12);
  close(fd);
  assert_ok(support_file_open(path, 0, &file, err));
  assert_true(support_file_size(file) > 5ull << 30);
  assert_ok(g16_zkey_open(file, &zkey, err));
  assert_ok(g16_points_load(&zkey, G16_H, NULL, &points, err));
  assert_int_equal(points.n, 8);
  g16_points_free(&points, NULL);
  support_file_close(file);
  unlink(path);
  free(good.data);
}

/* Between the two passes over the matrices memory for their entries is taken: the third allocation. */
typedef struct meddler {
  int fd, calls;
  off_t at;
  uint8_t row[4];
} meddler;

static void *meddle(void *user, size_t bytes, size_t align) {
  meddler *m = user;
  if (++m->calls == 3) assert_int_equal(pwrite(m->fd, m->row, sizeof m->row, m->at), sizeof m->row);
  return aligned_alloc(align, bytes);
}

static void give_back(void *user, void *memory, size_t bytes) {
  (void)user, (void)bytes;
  free(memory);
}

/* An entry moves to another row between the passes. It has a place there, which is that of another entry. */
static void rows_changed_while_open(void **state) {
  hostile_buffer good;
  const char *path = scratch_path(state, "changed.zkey");
  assert_true(hostile_slurp(FIXTURES "poseidon_merkle/circuit.zkey", &good));
  for (int changed = 0; changed < 2; changed++) {
    support_file *file;
    g16_zkey zkey;
    g16_csr a, b;
    rp_error error = {0};
    FILE *out = fopen(path, "wb");
    assert_int_equal(fwrite(good.data, 1, good.size, out), good.size);
    fclose(out);
    assert_ok(support_file_open(path, 0, &file, err));
    assert_ok(g16_zkey_open(file, &zkey, err));
    meddler m = {.fd = open(path, O_RDWR | O_CLOEXEC),
                 .at = (off_t)zkey.bin.section[G16_ZKEY_COEFS].offset + 4 + 4}; /* the row of the first entry */
    assert_true(m.fd >= 0);
    memcpy(m.row, good.data + m.at, sizeof m.row);
    m.row[0] ^= (uint8_t)changed;
    const rp_allocator allocator = {&m, meddle, give_back};
    const g16_load load = {.allocator = &allocator};
    const rp_status status = g16_csr_load(&zkey, &load, &a, &b, &error);
    assert_true(m.calls > 3);
    assert_int_equal(status, changed ? RP_ERR_FORMAT : RP_OK);
    if (changed) assert_non_null(strstr(error.reason, "was changed while it was read"));
    if (!changed) g16_csr_free(&a, &allocator), g16_csr_free(&b, &allocator);
    close(m.fd);
    support_file_close(file);
  }
  unlink(path);
  free(good.data);
}

/* The file is truncated after it was opened, at every place that is still to be read: the result is a status, not a
 * signal. */
static void cut_while_open(void **state) {
  hostile_buffer good;
  const char *path = scratch_path(state, "cut.zkey");
  assert_true(hostile_slurp(FIXTURES "poseidon_merkle/circuit.zkey", &good));
  for (size_t size = 0; size < good.size; size += good.size / 23) {
    support_file *file;
    g16_zkey zkey;
    g16_csr a, b;
    g16_points points;
    rp_error error = {0};
    FILE *out = fopen(path, "wb");
    assert_int_equal(fwrite(good.data, 1, good.size, out), good.size);
    fclose(out);
    assert_ok(support_file_open(path, 0, &file, err));
    assert_ok(g16_zkey_open(file, &zkey, err));
    assert_int_equal(truncate(path, (off_t)size), 0);
    rp_status status = g16_csr_load(&zkey, NULL, &a, &b, &error);
    if (status == RP_OK) {
      g16_csr_free(&a, NULL);
      g16_csr_free(&b, NULL);
    }
    for (int k = 0; k < 5 && status == RP_OK; k++) {
      status = g16_points_load(&zkey, arrays[k], NULL, &points, &error);
      g16_points_free(&points, NULL);
    }
    /* Only the contributions follow H (section 9), and nobody reads them. */
    if (size < 2644712 + 524288) {
      assert_int_equal(status, RP_ERR_FORMAT);
      assert_non_null(strstr(error.reason, "was cut short while it was read"));
    }
    support_file_close(file);
  }
  unlink(path);
  free(good.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_facts),
      cmocka_unit_test(ranges_beyond_the_end),
      cmocka_unit_test(points_without_infinities),
      cmocka_unit_test(matrices),
      cmocka_unit_test(ranges_agree),
      cmocka_unit_test(matrices_do_not_depend_on_threads),
      cmocka_unit_test(tolerated),
      cmocka_unit_test(behind_4_gib),
      cmocka_unit_test(rows_changed_while_open),
      cmocka_unit_test(cut_while_open),
      cmocka_unit_test(no_public_signals),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
