// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Groth16. Included by reprise/reprise.hpp.
#ifndef REPRISE_CPP_GROTH16_HPP
#define REPRISE_CPP_GROTH16_HPP

#include <reprise/cpp/snark.hpp>

namespace reprise::groth16 {

class KeyOptions : public Options<rp_groth16_key_options> {
public:
  REPRISE_SWITCH(check_points)
  REPRISE_SWITCH(skip_checksum)
  REPRISE_OPTION(const std::uint8_t *, sha256)
  REPRISE_OPTION(const rp_groth16_vkey *, vkey)
  KeyOptions &commitments(const rp_gnark_commitment *list, std::uint32_t n) {
    raw().commitments = list;
    raw().n_commitments = n;
    return *this;
  }
  REPRISE_SWITCH(points_in_file)
  REPRISE_SWITCH(points_in_place)
};

class ProverOptions : public Options<rp_groth16_prover_options> {
public:
  REPRISE_OPTION(std::uint32_t, max_in_flight)
  REPRISE_SWITCH(no_verify)
  REPRISE_OPTION(std::uint32_t, flags)
  REPRISE_OPTION(std::uint64_t, memory_budget_bytes)
  REPRISE_SWITCH(tables)
  REPRISE_OPTION(const rp_executor *, executor)
  REPRISE_OPTION(std::uint32_t, batch)
  REPRISE_OPTION(std::uint32_t, first_percent)
  ProverOptions &inspect(void (*function)(void *user, const rp_run *run), void *user = nullptr) {
    raw().inspect = function;
    raw().inspect_user = user;
    return *this;
  }
};

struct Calls {
  using proof = rp_groth16_proof;
  using vkey = rp_groth16_vkey;
  using key = rp_groth16_key;
  using prover = rp_groth16_prover;
  using job = rp_groth16_job;
  using task = rp_groth16_task;
  using request = rp_groth16_request;
  using key_info = rp_groth16_key_info;
  using key_options = KeyOptions;
  using prover_options = ProverOptions;
  static constexpr auto proof_from_json = rp_groth16_proof_from_json;
  static constexpr auto proof_to_json = rp_groth16_proof_to_json;
  static constexpr auto calldata = rp_groth16_calldata;
  static constexpr auto vkey_from_json = rp_groth16_vkey_from_json;
  static constexpr auto vkey_to_json = rp_groth16_vkey_to_json;
  static constexpr auto vkey_from_zkey = rp_groth16_vkey_from_zkey;
  static constexpr auto vkey_n_public = rp_groth16_vkey_n_public;
  static constexpr auto vkey_destroy = rp_groth16_vkey_destroy;
  static constexpr auto verify = rp_groth16_verify;
  static constexpr auto key_open = rp_groth16_key_open;
  static constexpr auto key_open_memory = rp_groth16_key_open_memory;
  static constexpr auto key_close = rp_groth16_key_close;
  static constexpr auto key_get_info = rp_groth16_key_get_info;
  static constexpr auto prover_create = rp_groth16_prover_create;
  static constexpr auto prover_destroy = rp_groth16_prover_destroy;
  static constexpr auto prover_graph = rp_groth16_prover_graph;
  static constexpr auto prover_recording = rp_groth16_prover_recording;
  static constexpr auto prove = rp_groth16_prove;
  static constexpr auto prove_file = rp_groth16_prove_file;
  static constexpr auto prove_values = rp_groth16_prove_values;
  static constexpr auto prove_batch = rp_groth16_prove_batch;
  static constexpr auto submit = rp_groth16_submit;
  static constexpr auto poll = rp_groth16_poll;
  static constexpr auto wait = rp_groth16_wait;
  static constexpr auto cancel = rp_groth16_cancel;
  static constexpr auto result = rp_groth16_result;
  static constexpr auto end = rp_groth16_end;
};

using Proof = detail::Proof<Calls>;
using VerifyingKey = detail::VerifyingKey<Calls>;
using Key = detail::Key<Calls>;
using Prover = detail::Prover<Calls>;

inline bool save(const Prover &prover, const char *path, Error *error = nullptr) {
  return detail::call(error, [&](rp_error *err) { return rp_groth16_save(prover.get(), path, err); });
}

using Task = detail::Task<Calls>;

} // namespace reprise::groth16
#endif
