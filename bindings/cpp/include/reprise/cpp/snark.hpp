// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What keys, provers, proofs and verification keys of Groth16 (groth16.hpp), PLONK and FFLONK (plonk.hpp) have in
// common. Included by reprise/reprise.hpp.
#ifndef REPRISE_CPP_SNARK_HPP
#define REPRISE_CPP_SNARK_HPP

#include <reprise/cpp/device.hpp>
#include <reprise/fflonk.h>
#include <reprise/plonk.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace reprise {

using Signal = std::array<std::uint8_t, 32>; ///< a public signal, canonical, little-endian
using Signals = std::vector<Signal>;

namespace detail {

inline const std::uint8_t *bytes_of(Span<const Signal> signals) {
  return signals.empty() ? nullptr : signals[0].data();
}

/// What a text function writes: f(text, capacity, &bytes, err).
template <class F> std::string text_of(Error *error, F &&f) {
  std::string text;
  std::size_t bytes = 0;
  if (error && *error) return text;
  Error failed;
  rp_status status = f(nullptr, 0, &bytes, failed.raw());
  if (status == RP_ERR_BUFFER_TOO_SMALL) {
    text.resize(bytes + 1);
    status = f(text.data(), text.size(), &bytes, failed.raw());
  }
  text.resize(status == RP_OK ? bytes : 0);
  settle(status == RP_OK ? Error() : failed, error);
  return text;
}

/// Groth16's text of public signals, which all protocols share.
inline std::string public_text(Span<const Signal> signals, Error *error) {
  return text_of(error, [&](char *text, std::size_t capacity, std::size_t *bytes, rp_error *err) {
    return rp_groth16_public_to_json(bytes_of(signals), signals.size(), text, capacity, bytes, err);
  });
}

/// A proof with its public signals, and their forms in snarkjs. P has the functions of one protocol.
template <class P> class Proof {
public:
  typename P::proof raw{};
  Signals public_signals;

  static Proof from_json(std::string_view json, std::string_view public_json, Error *error = nullptr) {
    Proof made;
    if (!call(error, [&](rp_error *err) { return P::proof_from_json(json.data(), json.size(), &made.raw, err); }))
      return made;
    std::size_t n = 0, room = 0;
    Error failed;
    rp_status status = RP_OK;
    do { // once for their number, once for the signals
      made.public_signals.resize(room = n);
      std::uint8_t *const signals = n ? made.public_signals[0].data() : nullptr;
      status = rp_groth16_public_from_json(public_json.data(), public_json.size(), signals, room, &n, failed.raw());
    } while ((status == RP_OK || status == RP_ERR_BUFFER_TOO_SMALL) && n > room);
    settle(status == RP_OK ? Error() : failed, error);
    return made;
  }
  std::string json(Error *error = nullptr) const {
    return text_of(error, [&](char *text, std::size_t capacity, std::size_t *bytes, rp_error *err) {
      return P::proof_to_json(&raw, text, capacity, bytes, err);
    });
  }
  std::string public_json(Error *error = nullptr) const { return public_text(public_signals, error); }
  /// The arguments of the Solidity contract that snarkjs exports for the key.
  std::string calldata(Error *error = nullptr) const {
    return text_of(error, [&](char *text, std::size_t capacity, std::size_t *bytes, rp_error *err) {
      return P::calldata(&raw, bytes_of(public_signals), public_signals.size(), text, capacity, bytes, err);
    });
  }
};

template <class P> class VerifyingKey : public Handle<typename P::vkey, P::vkey_destroy> {
public:
  using Base = Handle<typename P::vkey, P::vkey_destroy>;
  static VerifyingKey from_json(const Context &context, std::string_view json, Error *error = nullptr) {
    typename P::vkey *made = nullptr;
    call(error, [&](rp_error *err) { return P::vkey_from_json(context.get(), json.data(), json.size(), &made, err); });
    return VerifyingKey(made);
  }
  static VerifyingKey from_zkey(const Context &context, const char *path, Error *error = nullptr) {
    typename P::vkey *made = nullptr;
    call(error, [&](rp_error *err) { return P::vkey_from_zkey(context.get(), path, &made, err); });
    return VerifyingKey(made);
  }
  std::uint64_t n_public() const { return P::vkey_n_public(this->get()); }
  std::string json(Error *error = nullptr) const {
    return text_of(error, [&](char *text, std::size_t capacity, std::size_t *bytes, rp_error *err) {
      return P::vkey_to_json(this->get(), text, capacity, bytes, err);
    });
  }
  /// Whether the proof verifies. RP_ERR_VERIFY and RP_ERR_INPUT are `false`; another failure is an error.
  bool verify(const Proof<P> &proof, Error *error = nullptr) const {
    if (error && *error) return false;
    Error failed;
    const rp_status status =
        P::verify(this->get(), &proof.raw, bytes_of(proof.public_signals), proof.public_signals.size(), failed.raw());
    const bool refused = status == RP_ERR_VERIFY || status == RP_ERR_INPUT;
    return settle(status == RP_OK || refused ? Error() : failed, error) && status == RP_OK;
  }

private:
  explicit VerifyingKey(typename P::vkey *made) : Base(made) {}
};

template <class P> class Key : public Handle<typename P::key, P::key_close> {
public:
  using Base = Handle<typename P::key, P::key_close>;
  Key(const Context &context, const char *path, const typename P::key_options &options = {}, Error *error = nullptr) {
    typename P::key *made = nullptr;
    call(error, [&](rp_error *err) { return P::key_open(context.get(), path, &options, &made, err); });
    *static_cast<Base *>(this) = Base(made);
  }
  /// From memory, which must outlive the key and its provers if it is a prerecorded key.
  Key(const Context &context, Span<const std::uint8_t> data, const typename P::key_options &options = {},
      Error *error = nullptr) {
    typename P::key *made = nullptr;
    call(error, [&](rp_error *err) {
      return P::key_open_memory(context.get(), data.data(), data.size(), &options, &made, err);
    });
    *static_cast<Base *>(this) = Base(made);
  }
  auto information() const {
    auto made = info<typename P::key_info>();
    P::key_get_info(this->get(), &made);
    return made;
  }
};

template <class P> class Prover : public Handle<typename P::prover, P::prover_destroy> {
public:
  using Base = Handle<typename P::prover, P::prover_destroy>;
  Prover(const Device &device, const Key<P> &key, const typename P::prover_options &options = {},
         Error *error = nullptr)
      : n_public_(key ? static_cast<std::size_t>(key.information().n_public) : 0) {
    typename P::prover *made = nullptr;
    call(error, [&](rp_error *err) { return P::prover_create(device.get(), key.get(), &options, &made, err); });
    *static_cast<Base *>(this) = Base(made);
  }
  /// From a .wtns file. The proof has been verified when it comes back.
  Proof<P> prove(const char *path, Error *error = nullptr) const {
    return make(error, [&](Proof<P> &proof, std::uint8_t *signals, rp_error *err) {
      return P::prove_file(this->get(), path, &proof.raw, signals, nullptr, err);
    });
  }
  /// From the bytes of a .wtns file.
  Proof<P> prove(Span<const std::uint8_t> wtns, Error *error = nullptr) const {
    return make(error, [&](Proof<P> &proof, std::uint8_t *signals, rp_error *err) {
      return P::prove(this->get(), wtns.data(), wtns.size(), &proof.raw, signals, nullptr, err);
    });
  }
  /// From values, the first of which is one.
  Proof<P> prove_values(Span<const Signal> values, Error *error = nullptr) const {
    return make(error, [&](Proof<P> &proof, std::uint8_t *signals, rp_error *err) {
      return P::prove_values(this->get(), values.data(), values.size(), &proof.raw, signals, nullptr, err);
    });
  }
  struct Result {
    Proof<P> proof;
    Error error;
  };
  /// Many .wtns files, max_in_flight at a time; each has its own error.
  std::vector<Result> prove_batch(Span<const std::string> paths) const {
    std::vector<Result> results(paths.size());
    std::vector<typename P::job> jobs(paths.size(), info<typename P::job>());
    for (std::size_t i = 0; i < paths.size(); i++) {
      results[i].proof.public_signals.resize(n_public_);
      jobs[i].wtns_path = paths[i].c_str();
      jobs[i].proof = &results[i].proof.raw;
      jobs[i].public_signals = n_public_ ? results[i].proof.public_signals[0].data() : nullptr;
    }
    Error first;
    if (P::prove_batch(this->get(), jobs.data(), jobs.size(), first.raw()) == RP_OK) return results;
    for (std::size_t i = 0; i < paths.size(); i++)
      if (jobs[i].status != RP_OK)
        results[i].error = jobs[i].error.status ? Error(jobs[i].error) : Error(jobs[i].status, first.reason());
    return results;
  }
  std::size_t n_public() const { return n_public_; }
  const rp_graph *graph() const { return P::prover_graph(this->get()); }
  rp_recording *recording() const { return P::prover_recording(this->get()); }

private:
  template <class F> Proof<P> make(Error *error, F &&f) const {
    Proof<P> proof;
    proof.public_signals.resize(n_public_);
    std::uint8_t *signals = n_public_ ? proof.public_signals[0].data() : nullptr;
    if (!call(error, [&](rp_error *err) { return f(proof, signals, err); })) return Proof<P>();
    return proof;
  }
  std::size_t n_public_;
};

/// A proof that is made while the caller continues. Destroying it cancels it, and waits until it is finished.
template <class P> class Task {
public:
  /// Submits the witness, which must stay unchanged until the task is finished. `done` is called by a thread of the
  /// prover when it is; rp_groth16_request says what it may do. It must not throw, nor destroy the task.
  Task(const Prover<P> &prover, Span<const std::uint8_t> wtns, std::function<void()> done = {},
       std::uint64_t timeout_ns = UINT64_MAX, Error *error = nullptr)
      : done_(std::make_unique<std::function<void()>>(std::move(done))), n_public_(prover.n_public()) {
    Options<typename P::request> request;
    request.wtns = wtns.data();
    request.wtns_bytes = wtns.size();
    request.user = done_.get();
    request.done = [](void *user, typename P::task *) {
      if (const auto &told = *static_cast<std::function<void()> *>(user)) told();
    };
    typename P::task *made = nullptr;
    call(error, [&](rp_error *err) { return P::submit(prover.get(), &request, timeout_ns, &made, err); });
    task_ = Handle<typename P::task, P::end>(made);
  }
  typename P::task *get() const { return task_.get(); }
  explicit operator bool() const { return static_cast<bool>(task_); }
  rp_status poll() const { return P::poll(get()); } ///< RP_ERR_TIMEOUT: not finished
  rp_status wait(std::uint64_t timeout_ns = UINT64_MAX) const { return P::wait(get(), timeout_ns); }
  void cancel() { P::cancel(get()); }
  /// The proof of a finished task.
  Proof<P> result(Error *error = nullptr) const {
    Proof<P> proof;
    proof.public_signals.resize(n_public_);
    std::uint8_t *signals = n_public_ ? proof.public_signals[0].data() : nullptr;
    if (!call(error, [&](rp_error *err) { return P::result(get(), &proof.raw, signals, nullptr, err); }))
      return Proof<P>();
    return proof;
  }

private:
  std::unique_ptr<std::function<void()>> done_; // outlives the task, whose end waits for the callback
  Handle<typename P::task, P::end> task_;
  std::size_t n_public_;
};

} // namespace detail
} // namespace reprise

#endif
