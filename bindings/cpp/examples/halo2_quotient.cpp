// SPDX-License-Identifier: Apache-2.0 OR MIT
// The quotient of a PLONK-style circuit, end to end: halo2_quotient [log_rows]. The circuit has 2^log_rows rows with
// three wires; even rows add, odd rows multiply, and each row takes the results of the two before it, which a
// permutation argument enforces. One graph computes the grand product, the coefficients, the quotient and the values at
// a random point; the host checks the polynomial identity there, and that it does not hold for a wrong witness.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <reprise/halo2.h>
#include <reprise/reprise.hpp>

namespace {

enum Column : std::uint32_t { A, B, C, ADDS, SIGMA_A, SIGMA_B, SIGMA_C, FIRST, ID, INPUTS, Z = INPUTS, COLUMNS };
enum Constant : std::uint32_t { BETA, GAMMA, Y, ONE, K1, K2, CONSTANTS };

// An element of BN254 Fr, on the host.
struct Element {
  std::uint64_t limb[4];
};
const rp_field_host &f() { return *rp_field_get(RP_FIELD_BN254_FR); }
Element operator+(Element a, const Element &b) { return f().add(&a, &a, &b), a; }
Element operator-(Element a, const Element &b) { return f().sub(&a, &a, &b), a; }
Element operator*(Element a, const Element &b) { return f().mul(&a, &a, &b), a; }
bool operator==(const Element &a, const Element &b) { return f().equal(&a, &b) != 0; }
Element small(std::uint8_t x) {
  Element made;
  f().from_bytes_reduce(&made, &x, 1);
  return made;
}

using Constants = std::array<Element, CONSTANTS>;
using Columns = std::array<std::vector<Element>, INPUTS>; // ID is the domain itself

// Wires, selector, and the permutation: the result of row i is the second wire of row i + 1 and the first of row i + 2.
Columns make_circuit(std::uint32_t k, const Constants &constant) {
  const std::size_t n = std::size_t{1} << k;
  Columns column;
  for (auto &rows : column) rows.resize(n);
  Element w, id = constant[ONE];
  f().root(&w, RP_ROOT_HALO2, k);
  for (std::size_t i = 0; i < n; i++, id = id * w) {
    column[ID][i] = id;
    column[ADDS][i] = small(i % 2 == 0);
    column[FIRST][i] = small(i == 0);
    const Element a = column[A][i] = i < 2 ? small(3) : column[C][i - 2];
    const Element b = column[B][i] = i < 1 ? small(5) : column[C][i - 1];
    column[C][i] = i % 2 ? a * b : a + b;
  }
  const auto &label = column[ID]; // a cell's label: the domain's element times 1, k1, k2 for the wire
  for (std::size_t i = 0; i < n; i++) {
    column[SIGMA_A][i] = i < 2 ? label[i] : constant[K2] * label[i - 2];
    column[SIGMA_B][i] = i < 1 ? constant[K1] * label[0] : i < n - 1 ? label[i + 1] : constant[K2] * label[i - 1];
    column[SIGMA_C][i] = i < n - 1 ? constant[K1] * label[i + 1] : constant[K2] * label[i];
  }
  return column;
}

// ---- The constraints, as terms of halo2 and at one point ------------------------------------------------------------

// A term with operators.
struct Term {
  rp_terms *terms;
  rp_term raw;
};
Term operator+(Term a, Term b) { return {a.terms, rp_term_add(a.terms, a.raw, b.raw)}; }
Term operator-(Term a, Term b) { return {a.terms, rp_term_sub(a.terms, a.raw, b.raw)}; }
Term operator*(Term a, Term b) { return {a.terms, rp_term_mul(a.terms, a.raw, b.raw)}; }

struct Terms {
  reprise::Handle<rp_terms, rp_terms_destroy> owner;
  Terms() {
    rp_terms *made = nullptr;
    reprise::checked(rp_terms_create, &made);
    owner = reprise::Handle<rp_terms, rp_terms_destroy>(made);
  }
  Term column(std::uint32_t i, int rotation = 0) const {
    return {owner.get(), rp_term_column(owner.get(), i, rotation)};
  }
  Term constant(std::uint32_t i) const { return {owner.get(), rp_term_constant(owner.get(), i)}; }

  // The product of wire + beta * label + gamma over the three wires; with `sigma`, of the permuted labels.
  Term grand_factor(bool sigma) const {
    const auto factor = [&](std::uint32_t i) {
      Term label = sigma ? column(SIGMA_A + i) : column(ID);
      if (!sigma && i) label = label * constant(i == 1 ? K1 : K2);
      return column(A + i) + constant(BETA) * label + constant(GAMMA);
    };
    return factor(0) * factor(1) * factor(2);
  }
  rp_term constraints() const {
    const Term a = column(A), b = column(B), z = column(Z), product = a * b;
    const rp_term list[] = {
        (product + column(ADDS) * (a + b - product) - column(C)).raw,       // the gate
        (column(FIRST) * (z - constant(ONE))).raw,                          // z begins with one
        (column(Z, 1) * grand_factor(true) - z * grand_factor(false)).raw}; // z(wX) sigma(X) = z(X) id(X)
    return rp_term_fold(owner.get(), list, 3, constant(Y).raw);
  }
};

// From the values of the columns at a point, as a verifier computes them.
Element constraints_at(const Constants &constant, const Element *at, const Element &z_next) {
  const Element product = at[A] * at[B], gate = product + at[ADDS] * (at[A] + at[B] - product) - at[C];
  Element id = at[Z], sigma = z_next;
  for (std::uint32_t i = 0; i < 3; i++) {
    const Element label = i ? at[ID] * constant[i == 1 ? K1 : K2] : at[ID];
    id = id * (at[A + i] + constant[BETA] * label + constant[GAMMA]);
    sigma = sigma * (at[A + i] + constant[BETA] * at[SIGMA_A + i] + constant[GAMMA]);
  }
  return (gate * constant[Y] + at[FIRST] * (at[Z] - constant[ONE])) * constant[Y] + sigma - id;
}

// ---- The graph ------------------------------------------------------------------------------------------------------

class Circuit {
public:
  Circuit(const reprise::Context &context, std::uint32_t k) : k_(k), g_(context, "halo2_quotient") { build(); }
  const reprise::Graph &graph() const { return g_; }
  std::uint32_t dispatches() const { return dispatches_; }
  std::uint32_t transforms() const { return transforms_; }

  // One replay: whether numerator(x) = h(x) (x^n - 1).
  bool holds(const reprise::Recording &recording, const reprise::Buffer &h, const Columns &columns,
             const Constants &constants, const std::array<Element, 2> &points) const {
    reprise::Run run(recording);
    for (std::size_t i = 0; i < INPUTS; i++) run.set(in_[i].get(), columns[i]);
    run.set(constants_.get(), constants);
    run.set(points_.get(), points);
    run.bind_output(h_.get(), h);
    run.submit();
    run.wait();
    const auto *at = static_cast<const Element *>(run.output(values_.get()));
    const auto *at_h = static_cast<const Element *>(run.output(h_value_.get()));
    Element power = points[0];
    for (std::uint32_t i = 0; i < k_; i++) power = power * power;
    return constraints_at(constants, at, at[COLUMNS]) == *at_h * (power - constants[ONE]);
  }

private:
  void build() {
    static const char *const names[] = {"a", "b", "c", "adds", "sigma_a", "sigma_b", "sigma_c", "first", "id"};
    const std::uint64_t n = std::uint64_t{1} << k_;
    const rp_type &fr = *rp_type_field(RP_FIELD_BN254_FR);
    for (std::uint32_t i = 0; i < INPUTS; i++) in_[i] = g_.input(names[i], fr, n);
    constants_ = g_.input("challenges", fr, CONSTANTS);
    points_ = g_.input("points", fr, 2); // x and w x
    const Terms terms;
    const auto z = grand_product(terms);
    std::vector<reprise::Value> coefficients, values;
    const auto x = points_.slice(0, 1), wx = points_.slice(1, 1);
    for (std::uint32_t i = 0; i < COLUMNS; i++) {
      const auto inverse = reprise::NttOptions().root(RP_ROOT_HALO2).inverse();
      coefficients.push_back(reprise::ntt(i == Z ? z : in_[i], inverse));
      values.push_back(reprise::poly_eval(coefficients[i], x));
    }
    values.push_back(reprise::poly_eval(coefficients[Z], wx));
    h_ = quotient(terms, coefficients);
    values_ = reprise::concat(reprise::Span<const reprise::Value>(values)).output("values");
    h_value_ = reprise::poly_eval(h_, x);
    h_.output("h", RP_RESIDENT); // stays on the device, for its commitment
    h_value_.output("h_value");
  }

  reprise::Value evaluate(const Terms &terms, Term term) {
    rp_value in[INPUTS];
    for (std::size_t i = 0; i < INPUTS; i++) in[i] = in_[i].get();
    return {g_.get(), rp_terms_eval(g_.get(), terms.owner.get(), term.raw, in, INPUTS, constants_.get(), nullptr)};
  }
  reprise::Value grand_product(const Terms &terms) {
    const reprise::Scope scope(g_, "grand_product");
    const auto above = evaluate(terms, terms.grand_factor(false)), below = evaluate(terms, terms.grand_factor(true));
    return reprise::prefix_product(above * reprise::batch_inverse(below), true);
  }

  // The numerator's degree is below 4n, so that of the quotient is below 3n. The coset is shifted by a cube root of
  // one, as in halo2.
  reprise::Value quotient(const Terms &terms, const std::vector<reprise::Value> &coefficients) {
    auto domain = reprise::info<rp_extended_domain>();
    domain.root = RP_ROOT_HALO2;
    domain.k = k_;
    domain.extended_k = k_ + 2;
    std::uint8_t third[32]; // (r - 1) / 3
    std::uint32_t rest = 0;
    for (int i = 31; i >= 0; i--) {
      rest = rest % 3 << 8 | static_cast<std::uint32_t>(f().modulus_le[i] - (i == 0));
      third[i] = static_cast<std::uint8_t>(rest / 3);
    }
    Element zeta = small(7);
    f().pow(&zeta, &zeta, third, sizeof third);
    f().to_canonical(domain.shift, &zeta);
    reprise::Options<rp_quotient_options> options;
    options.len = std::uint64_t{3} << k_;
    options.dispatches = &dispatches_;
    options.transforms = &transforms_;
    std::vector<rp_value> raw;
    for (const auto &value : coefficients) raw.push_back(value.get());
    return {g_.get(), rp_quotient(g_.get(), terms.owner.get(), terms.constraints(), raw.data(), COLUMNS,
                                  constants_.get(), &domain, &options)};
  }

  std::uint32_t k_, dispatches_ = 0, transforms_ = 0;
  reprise::Graph g_;
  std::array<reprise::Value, INPUTS> in_;
  reprise::Value constants_, points_, values_, h_, h_value_;
};

} // namespace

int main(int argc, char **argv) try {
  const std::uint32_t k = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 10;
  if (k < 2 || k > 20) return std::fprintf(stderr, "usage: halo2_quotient [log_rows, 2 to 20]\n"), 2;
  std::array<Element, 4> drawn; // challenges; a prover draws them from its transcript
  for (std::size_t i = 0; i < drawn.size(); i++) {
    std::uint8_t bytes[48];
    for (std::size_t b = 0; b < 48; b++) bytes[b] = static_cast<std::uint8_t>(0x9d * (48 * i + b + 1) >> 3);
    f().from_bytes_reduce(&drawn[i], bytes, sizeof bytes);
  }
  Element w;
  f().root(&w, RP_ROOT_HALO2, k);
  const std::array<Element, 2> points = {drawn[3], drawn[3] * w};
  const Constants constants = {drawn[0], drawn[1], drawn[2], small(1), small(7), small(49)};
  Columns columns = make_circuit(k, constants);

  const reprise::Context context;
  const reprise::Device device(context);
  const Circuit circuit(context, k);
  const reprise::Recording recording(device, circuit.graph());
  const reprise::Buffer h(device, std::uint64_t{3 * sizeof(Element)} << k);
  const bool good = circuit.holds(recording, h, columns, constants, points);
  columns[C][1] = columns[C][1] + constants[ONE];
  const bool wrong = circuit.holds(recording, h, columns, constants, points);
  std::printf("2^%u rows: %u fused dispatches, %u transforms of columns\nidentity %s; with a wrong witness it %s\n", k,
              circuit.dispatches(), circuit.transforms(), good ? "holds" : "FAILS", wrong ? "HOLDS" : "does not");
  return !good || wrong;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
