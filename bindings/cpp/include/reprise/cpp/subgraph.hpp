// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Graphs that call graphs; reprise/call.h and reprise/subgraph.h have the contracts. Included by reprise/reprise.hpp.
// A body may be destroyed after its last call: the graphs that call it keep what they need.
#ifndef REPRISE_CPP_SUBGRAPH_HPP
#define REPRISE_CPP_SUBGRAPH_HPP

#include <reprise/cpp/graph.hpp>
#include <reprise/subgraph.h>

#include <vector>

namespace reprise {

/// An input of a body, by its name there, and the value of the calling graph that stands for it.
struct Port : rp_call_port {
  Port(const char *input, Value given) : rp_call_port{input, given.get()} {}
};
static_assert(sizeof(Port) == sizeof(rp_call_port), "arrays of C structs");

namespace detail {

/// The C lists of a call: its inputs, and room for the values of its outputs.
struct Call_ports {
  Call_ports(Span<const Port> inputs, Span<const char *const> names) : in(inputs.begin(), inputs.end()) {
    for (const char *name : names) out.push_back({name, RP_NO_VALUE});
  }
  std::uint32_t n_in() const { return static_cast<std::uint32_t>(in.size()); }
  std::uint32_t n_out() const { return static_cast<std::uint32_t>(out.size()); }
  std::vector<Value> values(rp_graph *g) const {
    std::vector<Value> made;
    for (const rp_call_port &port : out) made.emplace_back(g, port.value);
    return made;
  }
  std::vector<rp_call_port> in, out;
};

} // namespace detail

/// Calls the body once: call(g, "round", body, {{"x", x}}, {"y", "z"}). Returns the values of these outputs, in their
/// order, all of which are RP_NO_VALUE after an error of the graph.
inline std::vector<Value> call(Graph &g, const char *name, const Graph &body, std::initializer_list<Port> inputs,
                               std::initializer_list<const char *> outputs) {
  detail::Call_ports ports({inputs.begin(), inputs.size()}, {outputs.begin(), outputs.size()});
  rp_call(g.get(), name, body.get(), ports.in.data(), ports.n_in(), ports.out.data(), ports.n_out());
  return ports.values(g.get());
}

/// Calls then_body if the condition, one u32, is not 0, else else_body. rp_if says on which devices a run leaves out
/// the other one. Results are as those of call.
inline std::vector<Value> branch(Graph &g, const char *name, Value condition, const Graph &then_body,
                                 const Graph &else_body, std::initializer_list<Port> inputs,
                                 std::initializer_list<const char *> outputs) {
  detail::Call_ports ports({inputs.begin(), inputs.size()}, {outputs.begin(), outputs.size()});
  rp_if(g.get(), name, condition.get(), then_body.get(), else_body.get(), ports.in.data(), ports.n_in(),
        ports.out.data(), ports.n_out());
  return ports.values(g.get());
}

/// What the inputs and outputs of a body are in a loop or a batch; rp_repeat_ports describes the four kinds.
class Ports {
public:
  Ports &shared(const char *input, Value value) {
    shared_.push_back({input, value.get()});
    return *this;
  }
  Ports &sliced(const char *input, Value value) {
    sliced_.push_back({input, value.get()});
    return *this;
  }
  /// In each iteration but the first, the input is the output of the iteration before it.
  Ports &carried(const char *input, const char *output, Value first) {
    carried_.push_back({input, output, first.get()});
    return *this;
  }
  Ports &stacked(const char *output) {
    stacked_.push_back({output, RP_NO_VALUE});
    return *this;
  }

private:
  friend std::vector<Value> repeat(Graph &, const char *, const Graph &, std::uint32_t, Ports);
  friend std::vector<Value> batch(Graph &, const char *, const Graph &, std::uint32_t, Ports);
  template <class F> std::vector<Value> run(rp_graph *g, F &&call) {
    rp_repeat_ports raw{};
    raw.struct_size = sizeof raw;
    raw.n_shared = static_cast<std::uint32_t>(shared_.size());
    raw.n_sliced = static_cast<std::uint32_t>(sliced_.size());
    raw.n_carried = static_cast<std::uint32_t>(carried_.size());
    raw.n_stacked = static_cast<std::uint32_t>(stacked_.size());
    raw.shared = shared_.data();
    raw.sliced = sliced_.data();
    raw.carried = carried_.data();
    raw.stacked = stacked_.data();
    call(raw);
    std::vector<Value> made;
    for (const rp_carried &port : carried_) made.emplace_back(g, port.value);
    for (const rp_call_port &port : stacked_) made.emplace_back(g, port.value);
    return made;
  }
  std::vector<rp_call_port> shared_, sliced_, stacked_;
  std::vector<rp_carried> carried_;
};

/// Calls the body n times, each time with the carried values of the iteration before it. Returns the carried values
/// after the last iteration and then the stacked values, in the order in which they were named; all of them are
/// RP_NO_VALUE after an error of the graph.
inline std::vector<Value> repeat(Graph &g, const char *name, const Graph &body, std::uint32_t n, Ports ports) {
  return ports.run(g.get(), [&](const rp_repeat_ports &raw) { rp_repeat(g.get(), name, body.get(), n, &raw); });
}

/// Calls the body for n instances, which may run side by side: nothing is carried. Returns the stacked values.
inline std::vector<Value> batch(Graph &g, const char *name, const Graph &body, std::uint32_t n, Ports ports) {
  return ports.run(g.get(), [&](const rp_repeat_ports &raw) { rp_batch(g.get(), name, body.get(), n, &raw); });
}

} // namespace reprise
#endif
