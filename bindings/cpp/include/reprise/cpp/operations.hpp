// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The built-in operations on values; reprise/ops.h has the contracts. Included by reprise/reprise.hpp. A constructor
// that is not here is called through `construct`, or as in C with value.graph() and value.get().
#ifndef REPRISE_CPP_OPERATIONS_HPP
#define REPRISE_CPP_OPERATIONS_HPP

#include <reprise/cpp/graph.hpp>

#include <algorithm>
#include <vector>

namespace reprise {

// ---- Every constructor that takes values and numbers ----------------------------------------------------------------

namespace detail {
inline rp_value raw(Value value, rp_value) { return value.get(); }
template <class Number, class To> To raw(Number number, To) { return static_cast<To>(number); }
} // namespace detail

/// construct(rp_slice_at, x, first, count, 5): the constructor with its arguments after the graph. Value() is
/// RP_NO_VALUE.
template <class... Parameters, class... Arguments>
Value construct(rp_value (*constructor)(rp_graph *, rp_value, Parameters...), Value x, Arguments... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "the constructor takes other arguments");
  return {x.graph(), constructor(x.graph(), x.get(), detail::raw(arguments, Parameters())...)};
}

// ---- Moving and converting; slice, from_canonical and to_canonical are functions of Value ---------------------------

inline Value concat(Span<const Value> parts) {
  std::vector<rp_value> raw;
  for (const Value &part : parts) raw.push_back(part.get());
  rp_graph *g = parts.empty() ? nullptr : parts[0].graph();
  return {g, rp_concat(g, raw.data(), static_cast<std::uint32_t>(raw.size()))};
}
inline Value concat(std::initializer_list<Value> parts) {
  return concat(Span<const Value>(parts.begin(), parts.size()));
}
inline Value gather(Value x, Value index) { return {x.graph(), rp_gather(x.graph(), x.get(), index.get())}; }
inline Value slice_at(Value x, Value first, Value count, std::uint64_t len) {
  return {x.graph(), rp_slice_at(x.graph(), x.get(), first.get(), count.get(), len)};
}
inline Value select(Value condition, Value a, Value b) {
  return {condition.graph(), rp_select(condition.graph(), condition.get(), a.get(), b.get())};
}
inline Value pad(Value x, std::uint64_t len) { return {x.graph(), rp_pad(x.graph(), x.get(), len)}; }
inline Value from_montgomery(Value x) { return {x.graph(), rp_from_montgomery(x.graph(), x.get())}; }
inline Value to_montgomery(Value x) { return {x.graph(), rp_to_montgomery(x.graph(), x.get())}; }

// ---- Field vectors; + - * are operators -----------------------------------------------------------------------------

inline Value mul_sub(Value a, Value b, Value c) {
  return {a.graph(), rp_mul_sub(a.graph(), a.get(), b.get(), c.get())};
}
inline Value powers(Value base, std::uint64_t n, Value scale = {}) {
  return {base.graph(), rp_powers(base.graph(), base.get(), scale.get(), n)};
}
inline Value mul_powers(Value x, Value base, Value scale = {}) {
  return {x.graph(), rp_mul_powers(x.graph(), x.get(), base.get(), scale.get())};
}
/// A single element from the canonical bytes, little-endian, of the field's size.
inline Value field_constant(Graph &g, const char *name, rp_field field, const std::uint8_t *canonical_le) {
  return {g.get(), rp_field_constant(g.get(), name, field, canonical_le)};
}
inline Value sum(Value x) { return {x.graph(), rp_sum(x.graph(), x.get())}; }
inline Value product(Value x) { return {x.graph(), rp_product(x.graph(), x.get())}; }
inline Value prefix_product(Value x, bool exclusive = false) {
  return {x.graph(), rp_prefix_product(x.graph(), x.get(), exclusive ? 1 : 0)};
}
inline Value prefix_sum(Value x) { return {x.graph(), rp_prefix_sum(x.graph(), x.get())}; }
inline Value poly_eval(Value x, Value points) { return {x.graph(), rp_poly_eval(x.graph(), x.get(), points.get())}; }
inline Value poly_divide(Value x, Value point) { return {x.graph(), rp_poly_divide(x.graph(), x.get(), point.get())}; }

class ExprOptions : public Options<rp_expr_options> {
public:
  ExprOptions &code(Span<const rp_expr_code> steps) {
    raw().code = steps.data();
    raw().n_code = static_cast<std::uint32_t>(steps.size());
    return *this;
  }
  REPRISE_OPTION(std::uint64_t, rotation_step)
};
inline Value expr(Span<const Value> columns, Value constants, const ExprOptions &options) {
  std::vector<rp_value> raw;
  for (const Value &column : columns) raw.push_back(column.get());
  rp_graph *g = constants.graph();
  return {g, rp_expr(g, raw.data(), static_cast<std::uint32_t>(raw.size()), constants.get(), &options)};
}

class BatchInverseOptions : public Options<rp_batch_inverse_options> {
public:
  REPRISE_OPTION(rp_zero_policy, zero)
  REPRISE_SWITCH(constant_time)
  REPRISE_SWITCH(serial)
  REPRISE_OPTION(rp_value *, zero_mask)
};
inline Value batch_inverse(Value x, const BatchInverseOptions &options = {}) {
  return {x.graph(), rp_batch_inverse(x.graph(), x.get(), &options)};
}

class NttOptions : public Options<rp_ntt_options> {
public:
  REPRISE_OPTION(rp_root, root)
  REPRISE_SWITCH(inverse)
  REPRISE_OPTION(std::uint64_t, batch)
  REPRISE_OPTION(rp_order, in_order)
  REPRISE_OPTION(rp_order, out_order)
  REPRISE_OPTION(rp_coset, coset)
  REPRISE_SWITCH(no_scale)
  /// The canonical bytes of the shift, at most 48; chooses RP_COSET_SHIFT.
  NttOptions &shift(Span<const std::uint8_t> canonical_le) {
    std::copy_n(canonical_le.begin(), std::min(canonical_le.size(), sizeof raw().shift), raw().shift);
    return coset(RP_COSET_SHIFT);
  }
};
inline Value ntt(Value x, const NttOptions &options) { return {x.graph(), rp_ntt(x.graph(), x.get(), &options)}; }
inline Value ntt_coset(Value x, Value shift, const NttOptions &options) {
  return {x.graph(), rp_ntt_coset(x.graph(), x.get(), shift.get(), &options)};
}

class SpmvOptions : public Options<rp_spmv_options> {
public:
  REPRISE_OPTION(rp_spmv_scheme, scheme)
  REPRISE_SWITCH(x_canonical)
  REPRISE_OPTION(const rp_spmv_table *, table)
};
inline Value spmv(const rp_csr &m, Value x, const SpmvOptions &options = {}) {
  return {x.graph(), rp_spmv(x.graph(), &m, x.get(), &options)};
}

// ---- Points ---------------------------------------------------------------------------------------------------------

inline Value from_affine(Value affine) { return {affine.graph(), rp_from_affine(affine.graph(), affine.get())}; }
inline Value to_affine(Value acc) { return {acc.graph(), rp_to_affine(acc.graph(), acc.get())}; }
inline Value point_add(Value a, Value b) { return {a.graph(), rp_point_add(a.graph(), a.get(), b.get())}; }
inline Value point_neg(Value a) { return {a.graph(), rp_point_neg(a.graph(), a.get())}; }
inline Value point_check(Value affine, bool subgroup) {
  return {affine.graph(), rp_point_check(affine.graph(), affine.get(), subgroup ? 1 : 0)};
}
inline Value point_coordinates(Value affine) {
  return {affine.graph(), rp_point_coordinates(affine.graph(), affine.get())};
}
inline Value scalar_mul(Value scalars, Value points) {
  return {points.graph(), rp_scalar_mul(points.graph(), scalars.get(), points.get())};
}
inline Value fixed_base_mul(const rp_fixed_base &base, Value scalars) {
  return {scalars.graph(), rp_fixed_base_mul(scalars.graph(), &base, scalars.get())};
}
inline rp_fixed_base fixed_base_table(Value points, std::uint32_t window_bits = 0) {
  return rp_fixed_base_table(points.graph(), points.get(), window_bits);
}
inline Value tree_reduce(Value points, std::uint64_t width = 0) {
  return {points.graph(), rp_tree_reduce(points.graph(), points.get(), width)};
}

class MsmOptions : public Options<rp_msm_options> {
public:
  REPRISE_OPTION(std::uint32_t, window_bits)
  REPRISE_OPTION(std::uint32_t, precompute)
  REPRISE_OPTION(std::uint64_t, batch)
};
inline Value msm(Value scalars, Value points, const MsmOptions &options = {}) {
  return {points.graph(), rp_msm(points.graph(), scalars.get(), points.get(), &options)};
}

// ---- Hashes ---------------------------------------------------------------------------------------------------------

inline Value hash_permute(rp_hash hash, std::uint32_t width, Value states) {
  return {states.graph(), rp_hash_permute(states.graph(), hash, width, states.get())};
}
inline Value hash_rows(rp_hash hash, Value x, std::uint64_t row_len) {
  return {x.graph(), rp_hash_rows(x.graph(), hash, x.get(), row_len)};
}
inline Value merkle_level(rp_hash hash, Value digests) {
  return {digests.graph(), rp_merkle_level(digests.graph(), hash, digests.get())};
}
class MerkleOptions : public Options<rp_merkle_options> {
public:
  REPRISE_OPTION(rp_merkle_schedule, schedule)
  REPRISE_OPTION(std::uint32_t, group)
  REPRISE_SWITCH(published_count)
  REPRISE_OPTION(const rp_merkle_table *, table)
};
inline Value merkle_tree(rp_hash hash, Value leaves, const MerkleOptions &options = {}) {
  return {leaves.graph(), rp_merkle_tree(leaves.graph(), hash, leaves.get(), &options)};
}
inline Value merkle_paths(rp_hash hash, Value leaves, Value tree, Value index) {
  return {leaves.graph(), rp_merkle_paths(leaves.graph(), hash, leaves.get(), tree.get(), index.get())};
}
inline Value keccak256(Value x) { return {x.graph(), rp_keccak256(x.graph(), x.get())}; }
inline Value keccak256_rows(Value x, std::uint64_t row_len) {
  return {x.graph(), rp_keccak256_rows(x.graph(), x.get(), row_len)};
}

} // namespace reprise
#endif
