/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gnark_solution.h"

#include "formats/fail.h"
#include "formats/values.h"

#include <inttypes.h>

static const char *const vector_name[G16_GNARK_VECTORS] = {"W", "A", "B", "C"};

/* The two forms differ in length modulo 32: four counts of 4 bytes, or of 8, and values of 32 bytes. */
static bool is_montgomery(const support_file *file) { return support_file_size(file) % G16_VALUE_BYTES == 0; }

static uint64_t count(g16_gnark_reader *r, const char *what, bool montgomery) {
  if (!montgomery) return g16_gnark_count(r, what, G16_VALUE_BYTES);
  uint8_t le[8];
  g16_gnark_take(r, what, sizeof le, le);
  return g16_gnark_fits(r, what, g16_u64(le), G16_VALUE_BYTES);
}

rp_status g16_gnark_solution_open(const support_file *file, g16_gnark_solution *solution, rp_error *err) {
  g16_gnark_reader r = {.file = file, .err = err};
  *solution = (g16_gnark_solution){.file = file, .montgomery = is_montgomery(file)};
  uint64_t *n = solution->n;
  for (int v = 0; v < G16_GNARK_VECTORS; v++) {
    n[v] = count(&r, vector_name[v], solution->montgomery);
    solution->offset[v] = r.at;
    g16_gnark_skip(&r, n[v] * G16_VALUE_BYTES);
  }
  g16_gnark_end(&r);
  if (r.status == RP_OK && n[G16_GNARK_W] == 0) g16_gnark_wrong(&r, "W has no values, not even the constant 1");
  if (r.status == RP_OK && (n[G16_GNARK_L] != n[G16_GNARK_R] || n[G16_GNARK_L] != n[G16_GNARK_O]))
    g16_gnark_wrong(
        &r, "A, B and C have %" PRIu64 ", %" PRIu64 " and %" PRIu64 " values, and they should have one per constraint",
        n[G16_GNARK_L], n[G16_GNARK_R], n[G16_GNARK_O]);
  return r.status;
}

typedef struct reading {
  const g16_gnark_solution *solution;
  const rp_field_host *fr;
  g16_gnark_vector v;
} reading;

static rp_status refuse_value(const void *arg, uint64_t index, bool not_one, rp_error *err) {
  const reading *r = arg;
  const g16_gnark_solution *s = r->solution;
  return support_fail(err, RP_ERR_FORMAT, "%s: %s, value %" PRIu64 " at byte %" PRIu64 " is not %s.",
                      support_file_name(s->file), vector_name[r->v], index, s->offset[r->v] + index * G16_VALUE_BYTES,
                      not_one ? "the constant 1" : "below the group order r");
}

static rp_status copy_values(const void *arg, uint64_t first, uint64_t n, uint8_t *out, rp_error *err) {
  const reading *r = arg;
  const g16_gnark_solution *s = r->solution;
  rp_status status =
      support_file_read(s->file, s->offset[r->v] + first * G16_VALUE_BYTES, n * G16_VALUE_BYTES, out, err);
  if (status != RP_OK || s->montgomery) return status;
  uint64_t le[G16_VALUE_BYTES / 8], value[G16_VALUE_BYTES / 8] = {0};
  for (uint64_t i = 0; i < n && status == RP_OK; i++) {
    g16_gnark_reverse(out + i * G16_VALUE_BYTES, G16_VALUE_BYTES, (uint8_t *)le);
    if (!r->fr->from_canonical(value, le)) status = refuse_value(arg, first + i, 0, err);
    memcpy(out + i * G16_VALUE_BYTES, value, sizeof value);
  }
  rp_wipe(le, sizeof le);
  rp_wipe(value, sizeof value);
  return status;
}

rp_status g16_gnark_solution_read(const g16_gnark_solution *solution, const g16_family *family, g16_gnark_vector v,
                                  uint64_t first, uint64_t n, const rp_executor *executor, uint8_t *out,
                                  rp_error *err) {
  const reading r = {.solution = solution, .fr = rp_field_get(family->fr), .v = v};
  uint64_t one[G16_VALUE_BYTES / 8];
  r.fr->one(one);
  const g16_values values = {.arg = &r,
                             .order = r.fr->modulus_le,
                             .one = (const uint8_t *)one,
                             .any_first = v != G16_GNARK_W,
                             .copy = copy_values,
                             .refuse = refuse_value};
  return g16_values_take(&values, first, n, executor, out, err);
}
