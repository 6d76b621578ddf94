/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "witness.h"

#include "fail.h"
#include "wtns.h"

#include <inttypes.h>

static rp_status refuse_value(const void *arg, uint64_t index, bool not_one, rp_error *err) {
  (void)arg;
  if (not_one) return support_fail(err, RP_ERR_INPUT, "The first value of the witness is not 1.");
  return support_fail(err, RP_ERR_INPUT, "Value %" PRIu64 " of the witness is not below the group order r.", index);
}

static rp_status read_values(const g16_witness *w, const g16_witness_shape *shape, const rp_executor *executor,
                             uint8_t *out, rp_error *err) {
  if (w->n_values != shape->n)
    return support_fail(err, RP_ERR_MISMATCH, "The witness has %zu values%s%" PRIu64 "%s.", w->n_values,
                        shape->but_values, shape->n, shape->unit);
  const g16_array array = {.values = w->values};
  const g16_values values = {.arg = &array,
                             .order = rp_field_get(shape->family->fr)->modulus_le,
                             .copy = g16_array_copy,
                             .refuse = refuse_value};
  return g16_values_take(&values, 0, w->n_values, executor, out, err);
}

static rp_status check_shape(const g16_wtns *wtns, const support_file *file, const g16_witness_shape *shape,
                             rp_error *err) {
  const char *name = support_pair_label(support_file_name(file)), *key = support_pair_label(shape->key);
  if (wtns->family != shape->family)
    return support_fail(err, RP_ERR_MISMATCH, "%s is a witness over %s, and %s is a key over %s.", name,
                        wtns->family->name, key, shape->family->name);
  if (wtns->n != shape->n)
    return support_fail(err, RP_ERR_MISMATCH,
                        "%s is a witness of another circuit than that of %s: it has %" PRIu32 " values%s%" PRIu64 "%s.",
                        name, key, wtns->n, shape->but_file, shape->n, shape->unit);
  return RP_OK;
}

static rp_status read_wtns(const g16_witness *w, const g16_witness_shape *shape, const rp_executor *executor,
                           uint8_t *out, rp_error *err) {
  support_file *file;
  g16_wtns wtns;
  rp_status status = w->path ? support_file_open(w->path, 0, &file, err)
                             : support_file_wrap("witness", w->wtns, w->wtns_bytes, &file, err);
  if (status != RP_OK) return status;
  status = g16_wtns_open(file, &wtns, err);
  if (status == RP_OK) status = check_shape(&wtns, file, shape, err);
  if (status == RP_OK) status = g16_wtns_read(&wtns, 0, wtns.n, executor, out, err);
  support_file_close(file);
  return status;
}

rp_status g16_witness_read(const g16_witness *witness, const g16_witness_shape *shape, const rp_executor *executor,
                           uint8_t *out, rp_error *err) {
  return witness->values ? read_values(witness, shape, executor, out, err)
                         : read_wtns(witness, shape, executor, out, err);
}
