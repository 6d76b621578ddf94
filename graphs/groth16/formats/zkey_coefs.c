/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The coefficients of A and B as two sparse matrices. The records are in any order, so rows are first counted and then
 * filled (counting sort). Both passes process ranges in parallel, which share only the counters of the rows. The order
 * in which ranges reach a row is not deterministic, so rows are sorted at the end.
 */
#include "zkey.h"

#include "csr_sort.h"
#include "files/range.h"
#include "formats/fail.h"
#include "formats/memory.h"
#include "threads/parallel.h"

#include <inttypes.h>

enum { RECORD_BYTES = 44, BLOCK_RECORDS = 4096, MAX_PARTS = 256, GRAIN = 16384 };

typedef struct loader {
  const g16_zkey *zkey;
  const uint8_t *r;
  const uint8_t *records; /* mapped; NULL: they are read in blocks */
  g16_csr *csr[2];
  bool fill;
  uint64_t digest[2][MAX_PARTS]; /* by pass and range: shows whether the file changed between the passes */
} loader;

static rp_status refuse(const g16_zkey *zkey, uint64_t index, const char *why, uint32_t value, rp_error *err) {
  return support_fail(err, RP_ERR_FORMAT,
                      "%s: section 4 (coefs), record %" PRIu64 " at byte %" PRIu64 ": %s (%" PRIu32 ").",
                      support_file_name(zkey->bin.file), index,
                      zkey->bin.section[G16_ZKEY_COEFS].offset + 4 + index * RECORD_BYTES, why, value);
}

/* Checks the indices that the passes use, which are read only once, since the record may be in a file that changes. */
static rp_status check_place(const loader *l, uint32_t matrix, uint32_t row, uint64_t index, rp_error *err) {
  const g16_zkey *zkey = l->zkey;
  if (matrix > 1) return refuse(zkey, index, "the matrix is neither 0 (A) nor 1 (B)", matrix, err);
  if (row >= zkey->domain_size) return refuse(zkey, index, "the row lies outside the domain", row, err);
  return RP_OK;
}

static rp_status check_entry(const loader *l, const uint8_t *record, uint64_t index, rp_error *err) {
  uint32_t col = g16_u32(record + 8);
  if (col >= l->zkey->n_vars) return refuse(l->zkey, index, "there is no such signal", col, err);
  if (!g16_below(record + 12, l->r, 32))
    return refuse(l->zkey, index, "the value is not below the prime r, signal", col, err);
  return RP_OK;
}

/* Counts are stored two places after their row, so that row_ptr[row + 1] is the beginning of the row after the scan,
 * and its end after the filling, which advances it: no second array of cursors is needed. */
static uint32_t take_slots(uint32_t *row_ptr, uint32_t row, bool fill, uint32_t n) {
  return __atomic_fetch_add(&row_ptr[fill ? row + 1 : (uint64_t)row + 2], n, __ATOMIC_RELAXED);
}

/* Records of one matrix and row are consecutive in most files, and then need one update of the row's counter. */
static uint64_t run_length(const uint8_t *record, uint64_t most) {
  const uint64_t place = g16_u64(record);
  uint64_t n = 1;
  while (n < most && g16_u64(record + n * RECORD_BYTES) == place) n++;
  return n;
}

static rp_status take_run(loader *l, const uint8_t *record, uint64_t index, uint64_t n, rp_error *err) {
  const uint64_t place = g16_u64(record);
  const uint32_t matrix = (uint32_t)place, row = (uint32_t)(place >> 32);
  rp_status status = check_place(l, matrix, row, index, err);
  if (status != RP_OK) return status;
  g16_csr *csr = l->csr[matrix];
  uint64_t slot = take_slots(csr->row_ptr, row, l->fill, (uint32_t)n);
  if (!l->fill) return RP_OK;
  if (slot + n > csr->nnz) return refuse(l->zkey, index, "the file was changed while it was read, row", row, err);
  for (uint64_t i = 0; i < n; i++, record += RECORD_BYTES) {
    if ((status = check_entry(l, record, index + i, err)) != RP_OK) return status;
    csr->col[slot + i] = g16_u32(record + 8);
    memcpy(csr->value + (slot + i) * 32, record + 12, 32);
  }
  return RP_OK;
}

/* Mixes the data that the counts depend on into the digest, per run of records. */
static uint64_t mix(uint64_t place, uint64_t n, uint64_t digest) {
  digest ^= place * 0x9e3779b97f4a7c15u + n;
  return (digest << 23 | digest >> 41) * 0xd6e8feb86659fd93u;
}

static rp_status take_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  loader *l = arg;
  const g16_zkey *zkey = l->zkey;
  uint64_t start = zkey->bin.section[G16_ZKEY_COEFS].offset + 4, digest = 0;
  uint8_t *scratch = malloc((size_t)BLOCK_RECORDS * RECORD_BYTES);
  if (!scratch) return support_fail(err, RP_ERR_MEMORY, "Out of memory: %d bytes.", BLOCK_RECORDS * RECORD_BYTES);
  rp_status status = RP_OK;
  for (uint64_t done = 0, size; done < n && status == RP_OK; done += size) {
    const uint8_t *records = NULL;
    size = n - done < BLOCK_RECORDS ? n - done : BLOCK_RECORDS;
    if (l->records)
      records = l->records + (first + done) * RECORD_BYTES;
    else
      status = support_file_peek(zkey->bin.file, start + (first + done) * RECORD_BYTES, size * RECORD_BYTES, scratch,
                                 &records, err);
    for (uint64_t i = 0, run; i < size && status == RP_OK; i += run) {
      const uint8_t *record = records + i * RECORD_BYTES;
      run = run_length(record, size - i);
      status = take_run(l, record, first + done + i, run, err);
      digest = mix(g16_u64(record), run, digest);
    }
  }
  free(scratch);
  l->digest[l->fill][part] = digest;
  return status;
}

static rp_status csr_alloc_rows(g16_csr *csr, uint64_t rows, const g16_load *load, rp_error *err) {
  csr->rows = rows;
  csr->row_ptr_bytes = (rows + 2) * sizeof *csr->row_ptr;
  csr->row_ptr = g16_alloc(load->allocator, &csr->row_ptr_bytes);
  if (!csr->row_ptr)
    return support_fail(err, RP_ERR_MEMORY, "Out of memory: %" PRIu64 " bytes for matrix rows.", csr->row_ptr_bytes);
  memset(csr->row_ptr, 0, (size_t)csr->row_ptr_bytes);
  return RP_OK;
}

static rp_status csr_alloc_entries(g16_csr *csr, const g16_load *load, rp_error *err) {
  uint32_t sum = 0;
  for (uint64_t i = 2; i < csr->rows + 2; i++) {
    sum += csr->row_ptr[i];
    csr->row_ptr[i] = sum;
  }
  csr->nnz = sum;
  if (sum == 0) return RP_OK;
  csr->col_bytes = csr->nnz * sizeof *csr->col;
  csr->value_bytes = csr->nnz * 32;
  csr->col = g16_alloc(load->allocator, &csr->col_bytes);
  csr->value = g16_alloc(load->allocator, &csr->value_bytes);
  if (csr->col && csr->value) return RP_OK;
  return support_fail(err, RP_ERR_MEMORY, "Out of memory: %" PRIu64 " bytes for matrix entries.",
                      csr->col_bytes + csr->value_bytes);
}

static rp_status sort_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  loader *l = arg;
  (void)part, (void)err;
  for (int m = 0; m < 2; m++) g16_csr_sort_rows(l->csr[m], first, n);
  return RP_OK;
}

static rp_status load_both(loader *l, const g16_load *load, rp_error *err) {
  const g16_zkey *zkey = l->zkey;
  g16_csr *a = l->csr[0], *b = l->csr[1];
  uint32_t parts = support_parts(load->executor, zkey->n_coefs, GRAIN, MAX_PARTS);
  rp_status status = csr_alloc_rows(a, zkey->domain_size, load, err);
  if (status == RP_OK) status = csr_alloc_rows(b, zkey->domain_size, load, err);
  if (status == RP_OK) status = support_parallel(load->executor, parts, zkey->n_coefs, take_range, l, err);
  if (status == RP_OK) status = csr_alloc_entries(a, load, err);
  if (status == RP_OK) status = csr_alloc_entries(b, load, err);
  l->fill = 1;
  if (status == RP_OK) status = support_parallel(load->executor, parts, zkey->n_coefs, take_range, l, err);
  if (status == RP_OK && memcmp(l->digest[0], l->digest[1], parts * sizeof l->digest[0][0]) != 0)
    status = support_fail(err, RP_ERR_FORMAT, "%s: section 4 (coefs): the file was changed while it was read.",
                          support_file_name(zkey->bin.file));
  parts = support_parts(load->executor, a->rows, GRAIN, MAX_PARTS);
  if (status == RP_OK) status = support_parallel(load->executor, parts, a->rows, sort_range, l, err);
  return status;
}

rp_status g16_csr_load(const g16_zkey *zkey, const g16_load *load, g16_csr *a, g16_csr *b, rp_error *err) {
  static const g16_load plain = {0};
  support_range range = {0};
  if (!load) load = &plain;
  *a = *b = (g16_csr){0};
  loader l = {.zkey = zkey, .r = rp_field_get(zkey->family->fr)->modulus_le, .csr = {a, b}};
  if (load->mapped && support_range_map(zkey->bin.file, zkey->bin.section[G16_ZKEY_COEFS].offset + 4,
                                        (uint64_t)zkey->n_coefs * RECORD_BYTES, 0, 0, &range))
    l.records = range.data;
  const rp_status status = load_both(&l, load, err);
  support_range_unmap(&range);
  if (status != RP_OK) {
    g16_csr_free(a, load->allocator);
    g16_csr_free(b, load->allocator);
  }
  return status;
}

void g16_csr_free(g16_csr *csr, const rp_allocator *allocator) {
  g16_free(allocator, csr->row_ptr, csr->row_ptr_bytes);
  g16_free(allocator, csr->col, csr->col_bytes);
  g16_free(allocator, csr->value, csr->value_bytes);
  *csr = (g16_csr){0};
}
