/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The public interface of the setups: checks what was asked for, and calls that of the proof system.
 */
#include "fflonk/setup/setup.h"
#include "formats/fail.h"
#include "groth16/setup/gnark.h"
#include "groth16/setup/setup.h"
#include "plonk/setup/setup.h"

#include <reprise/setup.h>

void rp_circuit_shape_of(rp_circuit_kind kind, rp_circuit_shape *shape) {
  g16_shape preset;
  if (!shape) return;
  g16_shape_preset(kind == RP_CIRCUIT_SHA256 ? G16_PRESET_SHA256 : G16_PRESET_FULL, 12, &preset);
  const rp_circuit_shape own = {.struct_size = sizeof own,
                                .rows = kind,
                                .zeros = preset.zeros,
                                .ones = preset.ones,
                                .infinity_a = preset.infinity_a,
                                .infinity_b = preset.infinity_b};
  rp_info_write(shape, &own, sizeof own);
}

static rp_status refuse(const char *why, rp_error *err) {
  return support_fail(err, RP_ERR_ARGUMENT, "rp_setup_insecure: %s.", why);
}

/* Also 0 for a value that is no number. */
static bool is_share(double x) { return x >= 0 && x <= 1; }

static rp_status read_shape(const rp_insecure_setup *setup, g16_shape *to, rp_error *err) {
  rp_circuit_shape shape = {.struct_size = sizeof shape};
  rp_circuit_shape_of(RP_CIRCUIT_FULL, &shape);
  if (setup->shape && !rp_options_read(&shape, sizeof shape, setup->shape))
    return refuse("shape->struct_size is not set", err);
  if (!is_share(shape.zeros) || !is_share(shape.ones) || !is_share(shape.zeros + shape.ones) ||
      !is_share(shape.infinity_a) || !is_share(shape.infinity_b))
    return refuse("shares are numbers from 0 to 1, and so are zeros and ones together", err);
  g16_shape_preset(shape.rows == RP_CIRCUIT_SHA256 ? G16_PRESET_SHA256 : G16_PRESET_FULL, setup->log_domain, to);
  to->n_public = setup->n_public;
  to->zeros = shape.zeros;
  to->ones = shape.ones;
  to->infinity_a = shape.infinity_a;
  to->infinity_b = shape.infinity_b;
  for (int i = 0; i < 3 && shape.has_row_means; i++) {
    if (!(shape.row_means[i] >= 0 && shape.row_means[i] <= 1e6)) return refuse("row_means are from 0 to 10^6", err);
    g16_histogram_mean(shape.row_means[i], &to->row[i]);
  }
  return RP_OK;
}

static rp_status of_snarkjs(rp_device *device, const rp_insecure_setup *s, const g16_family *family, rp_error *err) {
  g16_shape shape;
  const rp_status status = read_shape(s, &shape, err);
  if (status != RP_OK) return status;
  if (s->r1cs_path && s->shape) return refuse("a circuit from a file has no shape", err);
  if (s->wtns_path && !s->r1cs_path) return refuse("wtns_path needs the circuit too, r1cs_path", err);
  if (!s->r1cs_path && s->log_domain < 2) return refuse("log_domain is from 2 to 27", err);
  const g16_setup own = {.family = family,
                         .r1cs_path = s->r1cs_path,
                         .wtns_path = s->wtns_path,
                         .shape = s->r1cs_path ? NULL : &shape,
                         .seed = s->seed,
                         .uncontributed = s->uncontributed != 0,
                         .zkey_out = s->key_out,
                         .wtns_out = s->witness_out,
                         .vkey_out = s->vkey_out,
                         .r1cs_out = s->r1cs_out,
                         .progress = s->progress,
                         .user = s->user};
  return g16_setup_run(rp_device_context(device), device, &own, err);
}

static rp_status of_gnark(rp_device *device, const rp_insecure_setup *s, const g16_family *family, rp_error *err) {
  const g16_gnark_setup own = {.family = family,
                               .log_domain = s->log_domain,
                               .n_public = s->n_public,
                               .seed = s->seed,
                               .pkey_out = s->key_out,
                               .vkey_out = s->vkey_out,
                               .solution_out = s->witness_out,
                               .progress = s->progress,
                               .user = s->user};
  return g16_gnark_setup_run(rp_device_context(device), device, &own, err);
}

static rp_status of_plonk(rp_device *device, const rp_insecure_setup *s, rp_error *err) {
  const plonk_setup own = {.log_domain = s->log_domain,
                           .n_public = s->n_public,
                           .seed = s->seed,
                           .zkey_out = s->key_out,
                           .vkey_out = s->vkey_out,
                           .wtns_out = s->witness_out,
                           .progress = s->progress,
                           .user = s->user};
  if (s->g1 != RP_CURVE_BN254_G1)
    return support_fail(err, RP_ERR_UNSUPPORTED, "rp_setup_insecure: PLONK and FFLONK are over BN254 only.");
  return (s->protocol == RP_PROTOCOL_PLONK ? plonk_setup_run : fflonk_setup_run)(rp_device_context(device), device,
                                                                                 &own, err);
}

rp_status rp_setup_insecure(rp_device *device, const rp_insecure_setup *given, rp_error *err) {
  rp_insecure_setup s;
  if (!device || !given) return refuse("device or setup is NULL", err);
  rp_status status = graphs_options(&s, sizeof s, given, "Options of a setup", err);
  if (status != RP_OK) return status;
  const bool plonkish = s.protocol == RP_PROTOCOL_PLONK || s.protocol == RP_PROTOCOL_FFLONK;
  const g16_family *family = g16_family_by_g1(s.g1);
  if (!plonkish && s.protocol != RP_PROTOCOL_NONE && s.protocol != RP_PROTOCOL_GROTH16)
    return refuse("there is no such protocol", err);
  if (!family) return refuse("g1 is neither RP_CURVE_BN254_G1 nor RP_CURVE_BLS12_381_G1", err);
  if (plonkish && s.gnark) return refuse("keys of gnark are of Groth16", err);
  if (!plonkish && !s.gnark) return of_snarkjs(device, &s, family, err);
  if (s.shape || s.r1cs_path || s.wtns_path || s.r1cs_out || s.uncontributed)
    return refuse("shape, r1cs_path, wtns_path, r1cs_out and uncontributed are for Groth16 with files of snarkjs", err);
  if (!s.key_out || !s.vkey_out || !s.witness_out) return refuse("key_out, vkey_out and witness_out are needed", err);
  return plonkish ? of_plonk(device, &s, err) : of_gnark(device, &s, family, err);
}
