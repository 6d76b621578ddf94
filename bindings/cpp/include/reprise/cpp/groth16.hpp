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
};

struct Calls {
  using proof = rp_groth16_proof;
  using vkey = rp_groth16_vkey;
  using key = rp_groth16_key;
  using prover = rp_groth16_prover;
  using job = rp_groth16_job;
  using key_info = rp_groth16_key_info;
  using key_options = KeyOptions;
  using prover_options = ProverOptions;
  static constexpr auto proof_from_json = rp_groth16_proof_from_json;
  static constexpr auto proof_to_json = rp_groth16_proof_to_json;
  static constexpr auto calldata = rp_groth16_calldata;
  static constexpr auto vkey_from_json = rp_groth16_vkey_from_json;
  static constexpr auto vkey_to_json = rp_groth16_vkey_to_json;
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
  /// From a proving key, which is read whole.
  static rp_status vkey_from_zkey(rp_context *context, const char *path, rp_groth16_vkey **made, rp_error *err) {
    rp_groth16_key *opened = nullptr;
    rp_status status = rp_groth16_key_open(context, path, nullptr, &opened, err);
    if (status == RP_OK) status = rp_groth16_vkey_from_key(opened, made, err);
    rp_groth16_key_close(opened);
    return status;
  }
};

using Proof = detail::Proof<Calls>;
using VerifyingKey = detail::VerifyingKey<Calls>;
using Key = detail::Key<Calls>;
using Prover = detail::Prover<Calls>;

inline bool save(const Prover &prover, const char *path, Error *error = nullptr) {
  return detail::call(error, [&](rp_error *err) { return rp_groth16_save(prover.get(), path, err); });
}

/// A proof that is made while the caller goes on. Its destruction cancels it, and waits until it is finished.
class Task {
public:
  /// Submits the witness, which must stay unchanged until the task is finished. `done` is called by a thread of the
  /// prover when it is; rp_groth16_request says what it may do. It must not throw, nor destroy the task.
  Task(const Prover &prover, Span<const std::uint8_t> wtns, std::function<void()> done = {},
       std::uint64_t timeout_ns = UINT64_MAX, Error *error = nullptr)
      : done_(std::make_unique<std::function<void()>>(std::move(done))), n_public_(prover.n_public()) {
    Options<rp_groth16_request> request;
    request.wtns = wtns.data();
    request.wtns_bytes = wtns.size();
    request.user = done_.get();
    request.done = [](void *user, rp_groth16_task *) {
      if (const auto &call = *static_cast<std::function<void()> *>(user)) call();
    };
    rp_groth16_task *made = nullptr;
    detail::call(error,
                 [&](rp_error *err) { return rp_groth16_submit(prover.get(), &request, timeout_ns, &made, err); });
    task_ = Handle<rp_groth16_task, rp_groth16_end>(made);
  }
  rp_groth16_task *get() const { return task_.get(); }
  explicit operator bool() const { return static_cast<bool>(task_); }
  rp_status poll() const { return rp_groth16_poll(get()); } ///< RP_ERR_TIMEOUT: not finished
  rp_status wait(std::uint64_t timeout_ns = UINT64_MAX) const { return rp_groth16_wait(get(), timeout_ns); }
  void cancel() { rp_groth16_cancel(get()); }
  /// The proof of a finished task.
  Proof result(Error *error = nullptr) const {
    Proof proof;
    proof.public_signals.resize(n_public_);
    std::uint8_t *signals = n_public_ ? proof.public_signals[0].data() : nullptr;
    if (!detail::call(error,
                      [&](rp_error *err) { return rp_groth16_result(get(), &proof.raw, signals, nullptr, err); }))
      return Proof();
    return proof;
  }

private:
  std::unique_ptr<std::function<void()>> done_; // outlives the task, whose end waits for the callback
  Handle<rp_groth16_task, rp_groth16_end> task_;
  std::size_t n_public_;
};

} // namespace reprise::groth16
#endif
