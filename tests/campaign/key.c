/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "key.h"

#include "files/output.h"
#include "groth16/setup/setup.h"
#include "groth16/setup/setup_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int blob_read(const char *path, blob *b) {
  *b = (blob){0};
  FILE *file = fopen(path, "rb");
  long size = -1;
  if (file && !fseek(file, 0, SEEK_END)) size = ftell(file);
  if (size >= 0) b->data = aligned_alloc(64, ((size_t)size + 64) & ~(size_t)63); /* recorded keys are used in place */
  if (b->data) {
    rewind(file);
    b->bytes = fread(b->data, 1, (size_t)size, file);
    b->data[b->bytes] = 0;
  }
  if (file) (void)fclose(file);
  return b->data && b->bytes == (size_t)size;
}

int blob_write(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  const size_t written = fwrite(data, 1, bytes, file);
  return fclose(file) == 0 && written == bytes;
}

void blob_free(blob *b) {
  free(b->data);
  *b = (blob){0};
}

static rp_status write_circuit(const g16_circuit *c, const char *path, rp_error *err) {
  support_output *output;
  rp_status status = support_output_begin(path, &output, err);
  if (status != RP_OK) return status;
  status = g16_write_r1cs(output, c, err);
  if (status == RP_OK) return support_output_publish(&output, 1, err);
  support_output_abort(output);
  return status;
}

static rp_status fail(rp_status status, const char *reason, rp_error *err) {
  err->status = status;
  snprintf(err->reason, sizeof err->reason, "%s", reason);
  return status;
}

rp_status key_make(rp_context *context, rp_device *device, const char *folder, uint64_t *random, made_key *k,
                   rp_error *err) {
  const g16_family *family = g16_family_by_name(below(random, 3) ? "bn128" : "bls12381");
  char path[3][256];
  static const char *const suffix[3] = {"r1cs", "zkey", "json"};
  for (int i = 0; i < 3; i++) snprintf(path[i], sizeof path[i], "%s/key.%s", folder, suffix[i]);
  *k = (made_key){0};
  if (!circuit_make(family, (shape_id)below(random, SHAPES), random, &k->circuit))
    return fail(RP_ERR_MEMORY, "no memory for a circuit", err);
  const g16_setup setup = {.r1cs_path = path[0],
                           .seed = g16_next(random),
                           .uncontributed = below(random, 4) == 0,
                           .zkey_out = path[1],
                           .vkey_out = path[2]};
  rp_status status = write_circuit(&k->circuit.rows, path[0], err);
  if (status == RP_OK) status = g16_setup_run(context, device, &setup, err);
  if (status == RP_OK && (!blob_read(path[1], &k->zkey) || !blob_read(path[2], &k->vkey)))
    status = fail(RP_ERR_FILE, "a key that was written cannot be read", err);
  if (status == RP_OK)
    status = rp_groth16_vkey_from_json(context, (const char *)k->vkey.data, k->vkey.bytes, &k->judge, err);
  for (int i = 0; i < 3; i++) unlink(path[i]);
  if (status != RP_OK) {
    key_free(k);
    return status;
  }
  const uint32_t die = below(random, 5 * FAULTS);
  fault_make(die < FAULTS ? (fault_id)die : FAULT_NONE, &k->circuit, random, &k->zkey, &k->fault);
  return RP_OK;
}

void key_free(made_key *k) {
  rp_groth16_vkey_destroy(k->judge);
  circuit_free(&k->circuit);
  blob_free(&k->zkey);
  blob_free(&k->vkey);
  *k = (made_key){0};
}
