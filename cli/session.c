/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key and the prover of a call with a key of Groth16, and closing what a call has opened, in reverse order.
 */
#include "cli.h"

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

void cli_close_prover(cli_session *session) {
  rp_groth16_prover_destroy(session->prover);
  rp_plonk_prover_destroy(session->plonk_prover);
  rp_fflonk_prover_destroy(session->fflonk_prover);
  session->prover = NULL;
  session->plonk_prover = NULL;
  session->fflonk_prover = NULL;
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
