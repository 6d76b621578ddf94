/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Context, device, key and prover of one call, opened in this order and closed in reverse order.
 */
#include "cli.h"

#include "text/error.h"

#include <inttypes.h>

rp_status cli_open_context(cli_session *session, rp_error *err) {
  return session->context ? RP_OK : rp_context_create(NULL, &session->context, err);
}

rp_status cli_open_device(const cli_call *call, cli_session *session, rp_error *err) {
  if (call->n_devices) return cli_open_group(call, session, err);
  rp_status status = cli_open_context(session, err);
  if (status != RP_OK) return status;
  rp_device_options options = call->device;
  options.memory_budget_bytes = call->memory_bytes;
  cli_progress *progress = cli_progress_begin("opening the device");
  status = rp_device_open(session->context, &options, &session->device, err);
  cli_progress_end(progress);
  return status;
}

rp_status cli_open_key(const cli_call *call, cli_session *session, const char *path, rp_error *err) {
  const rp_groth16_key_options none = {0};
  return cli_open_key_with(call, session, path, &none, err);
}

rp_status cli_open_key_with(const cli_call *call, cli_session *session, const char *path,
                            const rp_groth16_key_options *with, rp_error *err) {
  rp_groth16_key_options options = *with;
  options.struct_size = sizeof options;
  options.sha256 = call && call->pinned ? call->sha256 : NULL;
  cli_progress *progress = cli_progress_begin("reading the key");
  uint64_t begin = cli_now_ns();
  rp_status status = cli_open_context(session, err);
  if (status == RP_OK) status = rp_groth16_key_open(session->context, path, &options, &session->key, err);
  session->load_ns = cli_now_ns() - begin;
  cli_progress_end(progress);
  return status;
}

rp_status cli_check_points(cli_session *session, rp_error *err) {
  cli_progress *progress = cli_progress_begin("checking the points of the key");
  uint64_t begin = cli_now_ns();
  rp_status status = session->plonk_key ? rp_plonk_key_check_points(session->plonk_key, err)
                     : session->fflonk_key
                         ? rp_fflonk_key_check_points(session->fflonk_key, err)
                         : rp_groth16_key_check_points(session->key, rp_group_device(session->device, 0), err);
  session->check_ns = cli_now_ns() - begin;
  cli_progress_end(progress);
  return status;
}

const char *cli_curve_name(rp_curve g1) { return g1 == RP_CURVE_BLS12_381_G1 ? "bls12381" : "bn128"; }

rp_status cli_check_witness(const cli_session *session, const char *key_path, const char *path, rp_error *err) {
  rp_file_info wtns = {.struct_size = sizeof wtns};
  const rp_curve g1 = cli_curve(session);
  const uint64_t n_vars = cli_n_vars(session);
  const rp_status status = rp_file_describe(path, &wtns, err);
  if (status == RP_OK && wtns.kind != RP_FILE_WTNS)
    return support_fail(err, RP_ERR_FORMAT, "%s: is not a wtns file: it does not begin with \"wtns\".",
                        support_label(path));
  if (status != RP_OK || (wtns.g1 == g1 && wtns.n_vars == n_vars)) return status;
  err->status = RP_ERR_MISMATCH;
  if (wtns.g1 != g1)
    snprintf(err->reason, sizeof err->reason, "%s is a witness over %s, and %s is a key over %s",
             support_pair_label(path), cli_curve_name(wtns.g1), support_pair_label(key_path), cli_curve_name(g1));
  else
    snprintf(err->reason, sizeof err->reason,
             "%s is a witness of another circuit than that of %s: it has %" PRIu64 " values, and the circuit "
             "has %" PRIu64 " wires",
             support_pair_label(path), support_pair_label(key_path), wtns.n_vars, n_vars);
  return err->status;
}

rp_status cli_open_prover(const cli_call *call, cli_session *session, const rp_groth16_prover_options *options,
                          rp_error *err) {
  cli_progress *progress = cli_progress_begin("recording");
  uint64_t begin = cli_now_ns();
  rp_groth16_prover_options with = *options;
  with.struct_size = sizeof with;
  with.memory_budget_bytes = call->memory_bytes;
  rp_status status = session->pool
                         ? rp_pool_add_groth16(session->pool, session->key, &with, &session->pool_key, err)
                         : rp_groth16_prover_create(session->device, session->key, &with, &session->prover, err);
  session->record_ns = cli_now_ns() - begin;
  cli_progress_end(progress);
  if (session->prover) cli_say_left_out(call, session, rp_groth16_prover_recording(session->prover));
  return status;
}

void cli_close(cli_session *session) {
  rp_pool_destroy(session->pool);
  cli_close_prover(session);
  rp_plonk_key_close(session->plonk_key);
  rp_fflonk_key_close(session->fflonk_key);
  rp_groth16_key_close(session->key);
  rp_device_close(session->device);
  rp_context_destroy(session->context);
  *session = (cli_session){0};
}
