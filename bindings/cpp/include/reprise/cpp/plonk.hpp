// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// PLONK and FFLONK. Included by reprise/reprise.hpp.
#ifndef REPRISE_CPP_PLONK_HPP
#define REPRISE_CPP_PLONK_HPP

#include <reprise/cpp/snark.hpp>

namespace reprise::plonk {

class KeyOptions : public Options<rp_plonk_key_options> {
public:
  REPRISE_SWITCH(check_points)
  REPRISE_SWITCH(skip_checksum)
  REPRISE_OPTION(const std::uint8_t *, sha256)
};

class ProverOptions : public Options<rp_plonk_prover_options> {
public:
  REPRISE_OPTION(std::uint32_t, max_in_flight)
  REPRISE_OPTION(std::uint32_t, flags)
  REPRISE_SWITCH(tables)
  REPRISE_OPTION(std::uint64_t, memory_budget_bytes)
  REPRISE_OPTION(const rp_executor *, executor)
  ProverOptions &inspect(void (*function)(void *user, const rp_run *run), void *user = nullptr) {
    raw().inspect = function;
    raw().inspect_user = user;
    return *this;
  }
};

struct Calls {
  using proof = rp_plonk_proof;
  using vkey = rp_plonk_vkey;
  using key = rp_plonk_key;
  using prover = rp_plonk_prover;
  using job = rp_plonk_job;
  using task = rp_plonk_task;
  using request = rp_plonk_request;
  using key_info = rp_plonk_key_info;
  using key_options = KeyOptions;
  using prover_options = ProverOptions;
  static constexpr auto proof_from_json = rp_plonk_proof_from_json;
  static constexpr auto proof_to_json = rp_plonk_proof_to_json;
  static constexpr auto calldata = rp_plonk_calldata;
  static constexpr auto vkey_from_json = rp_plonk_vkey_from_json;
  static constexpr auto vkey_from_zkey = rp_plonk_vkey_from_zkey;
  static constexpr auto vkey_to_json = rp_plonk_vkey_to_json;
  static constexpr auto vkey_n_public = rp_plonk_vkey_n_public;
  static constexpr auto vkey_destroy = rp_plonk_vkey_destroy;
  static constexpr auto verify = rp_plonk_verify;
  static constexpr auto key_open = rp_plonk_key_open;
  static constexpr auto key_open_memory = rp_plonk_key_open_memory;
  static constexpr auto key_close = rp_plonk_key_close;
  static constexpr auto key_get_info = rp_plonk_key_get_info;
  static constexpr auto prover_create = rp_plonk_prover_create;
  static constexpr auto prover_destroy = rp_plonk_prover_destroy;
  static constexpr auto prover_graph = rp_plonk_prover_graph;
  static constexpr auto prover_recording = rp_plonk_prover_recording;
  static constexpr auto prove = rp_plonk_prove;
  static constexpr auto prove_file = rp_plonk_prove_file;
  static constexpr auto prove_values = rp_plonk_prove_values;
  static constexpr auto prove_batch = rp_plonk_prove_batch;
  static constexpr auto submit = rp_plonk_submit;
  static constexpr auto poll = rp_plonk_poll;
  static constexpr auto wait = rp_plonk_wait;
  static constexpr auto cancel = rp_plonk_cancel;
  static constexpr auto result = rp_plonk_result;
  static constexpr auto end = rp_plonk_end;
};

using Proof = detail::Proof<Calls>;
using VerifyingKey = detail::VerifyingKey<Calls>;
using Key = detail::Key<Calls>;
using Prover = detail::Prover<Calls>;
using Task = detail::Task<Calls>;

inline bool save(const Prover &prover, const char *path, Error *error = nullptr) {
  return detail::call(error, [&](rp_error *err) { return rp_plonk_save(prover.get(), path, err); });
}

} // namespace reprise::plonk

namespace reprise::fflonk {

using KeyOptions = plonk::KeyOptions;
using ProverOptions = plonk::ProverOptions;

struct Calls {
  using proof = rp_fflonk_proof;
  using vkey = rp_fflonk_vkey;
  using key = rp_fflonk_key;
  using prover = rp_fflonk_prover;
  using job = rp_fflonk_job;
  using task = rp_fflonk_task;
  using request = rp_fflonk_request;
  using key_info = rp_fflonk_key_info;
  using key_options = KeyOptions;
  using prover_options = ProverOptions;
  static constexpr auto proof_from_json = rp_fflonk_proof_from_json;
  static constexpr auto proof_to_json = rp_fflonk_proof_to_json;
  static constexpr auto calldata = rp_fflonk_calldata;
  static constexpr auto vkey_from_json = rp_fflonk_vkey_from_json;
  static constexpr auto vkey_from_zkey = rp_fflonk_vkey_from_zkey;
  static constexpr auto vkey_to_json = rp_fflonk_vkey_to_json;
  static constexpr auto vkey_n_public = rp_fflonk_vkey_n_public;
  static constexpr auto vkey_destroy = rp_fflonk_vkey_destroy;
  static constexpr auto verify = rp_fflonk_verify;
  static constexpr auto key_open = rp_fflonk_key_open;
  static constexpr auto key_open_memory = rp_fflonk_key_open_memory;
  static constexpr auto key_close = rp_fflonk_key_close;
  static constexpr auto key_get_info = rp_fflonk_key_get_info;
  static constexpr auto prover_create = rp_fflonk_prover_create;
  static constexpr auto prover_destroy = rp_fflonk_prover_destroy;
  static constexpr auto prover_graph = rp_fflonk_prover_graph;
  static constexpr auto prover_recording = rp_fflonk_prover_recording;
  static constexpr auto prove = rp_fflonk_prove;
  static constexpr auto prove_file = rp_fflonk_prove_file;
  static constexpr auto prove_values = rp_fflonk_prove_values;
  static constexpr auto prove_batch = rp_fflonk_prove_batch;
  static constexpr auto submit = rp_fflonk_submit;
  static constexpr auto poll = rp_fflonk_poll;
  static constexpr auto wait = rp_fflonk_wait;
  static constexpr auto cancel = rp_fflonk_cancel;
  static constexpr auto result = rp_fflonk_result;
  static constexpr auto end = rp_fflonk_end;
};

using Proof = detail::Proof<Calls>;
using VerifyingKey = detail::VerifyingKey<Calls>;
using Key = detail::Key<Calls>;
using Prover = detail::Prover<Calls>;
using Task = detail::Task<Calls>;

inline bool save(const Prover &prover, const char *path, Error *error = nullptr) {
  return detail::call(error, [&](rp_error *err) { return rp_fflonk_save(prover.get(), path, err); });
}

} // namespace reprise::fflonk
#endif
