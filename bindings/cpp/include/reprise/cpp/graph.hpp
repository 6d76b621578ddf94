// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Graphs and their values. Included by reprise/reprise.hpp.
#ifndef REPRISE_CPP_GRAPH_HPP
#define REPRISE_CPP_GRAPH_HPP

#include <reprise/cpp/device.hpp>
#include <reprise/save.h>

namespace reprise {

/// A value of a graph, with operators for element-wise arithmetic. It is valid as long as the graph.
class Value {
public:
  Value() = default;
  Value(rp_graph *graph, rp_value raw) : graph_(graph), raw_(raw) {}
  rp_graph *graph() const { return graph_; }
  rp_value get() const { return raw_; }
  explicit operator bool() const { return raw_.id != 0; } ///< false: the graph has an error
  const rp_type *type() const { return rp_value_type(graph_, raw_); }
  std::uint64_t size() const { return rp_value_len(graph_, raw_); }
  rp_storage storage() const { return rp_value_storage(graph_, raw_); }
  bool is_constant() const { return rp_value_is_constant(graph_, raw_) != 0; }

  /// Elements [first, first + len).
  Value slice(std::uint64_t first, std::uint64_t len) const { return {graph_, rp_slice(graph_, raw_, first, len)}; }
  Value from_canonical(rp_field field, bool reduce = false) const {
    Options<rp_convert_options> options;
    options.reduce = reduce ? 1 : 0;
    return {graph_, rp_from_canonical(graph_, raw_, field, &options)};
  }
  Value to_canonical() const { return {graph_, rp_to_canonical(graph_, raw_)}; }
  /// Makes it an output of the graph.
  Value output(const char *name, std::uint32_t flags = 0) const {
    rp_graph_output(graph_, name, raw_, flags);
    return *this;
  }

  friend Value operator+(Value a, Value b) { return {a.graph_, rp_add(a.graph_, a.raw_, b.raw_)}; }
  friend Value operator-(Value a, Value b) { return {a.graph_, rp_sub(a.graph_, a.raw_, b.raw_)}; }
  friend Value operator*(Value a, Value b) { return {a.graph_, rp_mul(a.graph_, a.raw_, b.raw_)}; }
  friend Value operator-(Value a) { return {a.graph_, rp_neg(a.graph_, a.raw_)}; }

private:
  rp_graph *graph_ = nullptr;
  rp_value raw_{0, 0};
};

class SaveOptions : public Options<rp_save_options> {
public:
  REPRISE_OPTION(std::uint32_t, flags)
  REPRISE_OPTION(const rp_record_options *, record)
  /// The file keeps the plans for these.
  SaveOptions &devices(Span<rp_device *const> list) {
    raw().devices = list.data();
    raw().n_devices = static_cast<std::uint32_t>(list.size());
    return *this;
  }
};

class LoadOptions : public Options<rp_load_options> {
public:
  REPRISE_OPTION(std::uint32_t, flags)
  REPRISE_OPTION(const char *, data_path)
  LoadOptions &catalogs(Span<const rp_catalog *const> list) {
    raw().catalogs = list.data();
    raw().n_catalogs = static_cast<std::uint32_t>(list.size());
    return *this;
  }
};

class Graph : public Handle<rp_graph, rp_graph_destroy> {
public:
  explicit Graph(const Context &context, const char *name = "graph", Error *error = nullptr) {
    rp_graph *made = nullptr;
    detail::call(error, [&](rp_error *err) { return rp_graph_create(context.get(), name, &made, err); });
    *static_cast<Handle *>(this) = Handle(made);
  }
  static Graph load(const Context &context, const char *path, const LoadOptions &options = {}, Error *error = nullptr) {
    rp_graph *made = nullptr;
    detail::call(error, [&](rp_error *err) { return rp_graph_load(context.get(), path, &options, &made, err); });
    return Graph(made);
  }
  static Graph load(const Context &context, Span<const std::uint8_t> data, const LoadOptions &options = {},
                    Error *error = nullptr) {
    rp_graph *made = nullptr;
    detail::call(error, [&](rp_error *err) {
      return rp_graph_load_memory(context.get(), data.data(), data.size(), &options, &made, err);
    });
    return Graph(made);
  }
  bool save(const char *path, const SaveOptions &options = {}, Error *error = nullptr) const {
    return detail::call(error, [&](rp_error *err) { return rp_graph_save(get(), path, &options, err); });
  }

  Value input(const char *name, const rp_type &type, std::uint64_t len, std::uint32_t flags = 0) {
    return {get(), rp_graph_input(get(), name, &type, len, flags)};
  }
  /// An array that all runs share; copied unless RP_BORROW.
  template <class T>
  Value constant(const char *name, const rp_type &type, std::uint64_t len, Span<T> data, std::uint32_t flags = 0) {
    if (data.size_bytes() != len * type.size_bytes)
      return {get(), rp_graph_fail(get(), RP_ERR_SHAPE, "constant '%s': %zu bytes are given for %llu elements of %s",
                                   name, data.size_bytes(), static_cast<unsigned long long>(len), type.name)};
    return {get(), rp_graph_constant(get(), name, &type, len, data.data(), flags)};
  }
  /// A node of an operation of the caller's (reprise/op.h).
  Value node(const rp_op &op, const void *params, Span<const rp_value> in) {
    return {get(), rp_graph_node(get(), &op, params, in.data(), static_cast<std::uint32_t>(in.size()), nullptr, 1)};
  }
  /// The first error of the builder.
  Error error() const { return Error(*rp_graph_error(get())); }

  std::string text(rp_export_format format = RP_EXPORT_DOT, Error *error = nullptr) const {
    std::string made;
    const auto write = [](void *user, const char *piece, std::size_t bytes) {
      static_cast<std::string *>(user)->append(piece, bytes);
      return 0;
    };
    detail::call(error, [&](rp_error *err) { return rp_graph_export(get(), format, write, &made, err); });
    return made;
  }

private:
  explicit Graph(rp_graph *made) : Handle(made) {}
};

/// Nodes made while it lives have the scope in their name.
class Scope {
public:
  Scope(Graph &graph, const char *name) : graph_(graph.get()) { rp_scope_begin(graph_, name); }
  ~Scope() { rp_scope_end(graph_); }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  rp_graph *graph_;
};

} // namespace reprise
#endif
