// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Recordings and runs. Included by reprise/reprise.hpp.
#ifndef REPRISE_CPP_RECORDING_HPP
#define REPRISE_CPP_RECORDING_HPP

#include <reprise/cpp/graph.hpp>
#include <reprise/host_program.h>

namespace reprise {

class RecordOptions : public Options<rp_record_options> {
public:
  REPRISE_OPTION(std::uint32_t, flags)
  REPRISE_OPTION(std::uint32_t, max_in_flight)
  REPRISE_OPTION(std::uint64_t, memory_budget_bytes)
  REPRISE_OPTION(std::uint32_t, min_memory_level)
  REPRISE_OPTION(std::uint32_t, max_memory_level)
  REPRISE_OPTION(std::uint64_t, order_seed)
};

/// An input of a run by name: any contiguous elements.
struct In : rp_replay_input {
  template <class T>
  In(const char *input, Span<T> from) : rp_replay_input{input, {0, 0}, from.data(), from.size_bytes()} {}
  template <class C>
  In(const char *input, const C &from)
      : In(input, Span<const std::remove_pointer_t<decltype(std::data(from))>>(std::data(from), std::size(from))) {}
};

/// An output of a run by name.
struct Out : rp_replay_output {
  template <class T>
  Out(const char *output, Span<T> to) : rp_replay_output{output, {0, 0}, to.data(), to.size_bytes()} {}
  template <class C>
  Out(const char *output, C &to)
      : Out(output, Span<std::remove_pointer_t<decltype(std::data(to))>>(std::data(to), std::size(to))) {}
};

class Recording : public Handle<rp_recording, rp_recording_destroy> {
public:
  Recording(const Device &device, const Graph &graph, const RecordOptions &options = {}, Error *error = nullptr) {
    rp_recording *made = nullptr;
    detail::call(error, [&](rp_error *err) { return rp_record(device.get(), graph.get(), &options, &made, err); });
    *static_cast<Handle *>(this) = Handle(made);
  }
  /// The sizes that a recording would have; nothing is allocated.
  static rp_plan_info plan(const Device &device, const Graph &graph, const RecordOptions &options = {},
                           Error *error = nullptr) {
    auto made = info<rp_plan_info>();
    detail::call(error, [&](rp_error *err) { return rp_plan_query(device.get(), graph.get(), &options, &made, err); });
    return made;
  }
  rp_plan_info plan() const {
    auto made = info<rp_plan_info>();
    rp_recording_get_plan(get(), &made);
    return made;
  }
  /// One run: inputs in, one submission, one wait, outputs out. Several threads may call it at once.
  bool replay(Span<const In> in, Span<const Out> out, Error *error = nullptr) const {
    return detail::call(error, [&](rp_error *err) {
      return rp_replay(get(), in.data(), static_cast<std::uint32_t>(in.size()), out.data(),
                       static_cast<std::uint32_t>(out.size()), err);
    });
  }
  /// replay({{"x", x}}, {{"y", y}})
  bool replay(std::initializer_list<In> in, std::initializer_list<Out> out, Error *error = nullptr) const {
    return replay(Span<const In>(in.begin(), in.size()), Span<const Out>(out.begin(), out.size()), error);
  }
  bool evict(Error *error = nullptr) const {
    return detail::call(error, [&](rp_error *err) { return rp_recording_evict(get(), err); });
  }
  rp_port_info input(const char *name, Error *error = nullptr) const {
    auto made = info<rp_port_info>();
    detail::call(error, [&](rp_error *err) { return rp_recording_find_input(get(), name, &made, err); });
    return made;
  }
  rp_port_info output(const char *name, Error *error = nullptr) const {
    auto made = info<rp_port_info>();
    detail::call(error, [&](rp_error *err) { return rp_recording_find_output(get(), name, &made, err); });
    return made;
  }
};
static_assert(sizeof(In) == sizeof(rp_replay_input) && sizeof(Out) == sizeof(rp_replay_output), "arrays of C structs");

class SubmitOptions : public Options<rp_submit_options> {
public:
  SubmitOptions &waits(Span<const rp_sync> list) {
    raw().waits = list.data();
    raw().n_waits = static_cast<std::uint32_t>(list.size());
    return *this;
  }
  SubmitOptions &signals(Span<const rp_sync> list) {
    raw().signals = list.data();
    raw().n_signals = static_cast<std::uint32_t>(list.size());
    return *this;
  }
  /// Runs of the same device that this one waits for.
  SubmitOptions &after(Span<rp_run *const> list) {
    raw().after = list.data();
    raw().n_after = static_cast<std::uint32_t>(list.size());
    return *this;
  }
  REPRISE_OPTION(void *, stream)
  REPRISE_OPTION(int, done_fd)
  SubmitOptions &done(rp_done_fn function, void *its_user = nullptr) {
    raw().done = function;
    raw().user = its_user;
    return *this;
  }
};

/// A run in steps. Its end wipes what was secret; one that is not finished is cancelled and waited for.
class Run : public Handle<rp_run, rp_run_end> {
public:
  explicit Run(const Recording &recording, std::uint64_t timeout_ns = UINT64_MAX, Error *error = nullptr) {
    rp_run *made = nullptr;
    detail::call(error, [&](rp_error *err) { return rp_run_begin(recording.get(), timeout_ns, &made, err); });
    *static_cast<Handle *>(this) = Handle(made);
  }
  /// The staging memory of an input, to be written directly.
  void *input(rp_value value) { return rp_run_input(get(), value); }
  /// Any contiguous elements, as of a vector, a C array or a Span.
  template <class C> bool set(rp_value input, const C &data, Error *error = nullptr) {
    return done(rp_run_set_input(get(), input, std::data(data), std::size(data) * sizeof *std::data(data)), error);
  }
  bool bind_input(rp_value input, const Buffer &buffer, std::uint64_t offset_bytes = 0, Error *error = nullptr) {
    return done(rp_run_bind_input(get(), input, buffer.get(), offset_bytes), error);
  }
  bool bind_output(rp_value output, const Buffer &buffer, std::uint64_t offset_bytes = 0, Error *error = nullptr) {
    return done(rp_run_bind_output(get(), output, buffer.get(), offset_bytes), error);
  }
  bool submit(Error *error = nullptr) { return done(rp_run_submit(get()), error); }
  bool submit(const SubmitOptions &options, Error *error = nullptr) {
    return done(rp_run_submit_with(get(), &options), error);
  }
  /// RP_ERR_TIMEOUT: still running.
  rp_status poll() { return rp_run_poll(get()); }
  bool wait(std::uint64_t timeout_ns = UINT64_MAX, Error *error = nullptr) {
    return done(rp_run_wait(get(), timeout_ns), error);
  }
  void cancel() { rp_run_cancel(get()); }
  const void *output(rp_value value) { return rp_run_output(get(), value); }
  rp_run_counters counters() const {
    auto made = info<rp_run_counters>();
    rp_run_get_counters(get(), &made);
    return made;
  }

private:
  bool done(rp_status status, Error *error) const {
    return detail::settle(status == RP_OK ? Error() : get() ? Error(*rp_run_error(get())) : Error(status), error);
  }
};

/// Several runs in one submission, executed in this order (rp_runs_submit).
inline bool submit(Span<Run *const> runs, const rp_submit_options *options = nullptr, Error *error = nullptr) {
  std::vector<rp_run *> all;
  for (const Run *run : runs) all.push_back(run ? run->get() : nullptr);
  return detail::call(error, [&](rp_error *err) {
    return rp_runs_submit(all.data(), static_cast<std::uint32_t>(all.size()), options, err);
  });
}
/// submit({&first, &second})
inline bool submit(std::initializer_list<Run *> runs, const rp_submit_options *options = nullptr,
                   Error *error = nullptr) {
  return submit(Span<Run *const>(runs.begin(), runs.size()), options, error);
}

} // namespace reprise
#endif
