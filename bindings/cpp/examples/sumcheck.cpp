// SPDX-License-Identifier: Apache-2.0 OR MIT
// The sumcheck protocol as one submission: sumcheck VARIABLES INSTANCES proves, for each instance, that the products of
// two multilinear polynomials f and g sum up to the claim over all 0/1 values of the variables (Lund, Fortnow, Karloff,
// Nisan 1992). Every round sends a polynomial of degree two and gets its challenge from the transcript (Poseidon2),
// which the device hashes. A short verifier on the host checks each proof, and refuses one with a changed value.
//
// The graph is made of graphs: a round is a body for each length, the rounds are calls in the body of one prover, and
// the instances are a batch of that.

#include <cstdio>
#include <cstdlib>
#include <reprise/reprise.hpp>

namespace {

constexpr rp_field field = RP_FIELD_BN254_FR;
constexpr rp_hash hash = RP_HASH_POSEIDON2_BN254_T3;

// ---- The prover, as a graph -----------------------------------------------------------------------------------------

// One round on tables of n values: what it sends, the next state of the transcript, and tables of n / 2 values.
reprise::Graph round_body(const reprise::Context &context, std::uint64_t n) {
  reprise::Graph g(context, "round");
  const rp_type &type = *rp_type_field(field);
  const auto state = g.input("state", type, 1);
  reprise::Value at0[2], at1[2], step[2], at2[2];
  const char *const names[2] = {"f", "g"};
  for (int i = 0; i < 2; i++) {
    const auto table = g.input(names[i], type, n);
    at0[i] = table.slice(0, n / 2);
    at1[i] = table.slice(n / 2, n / 2);
    step[i] = at1[i] - at0[i];
    at2[i] = at1[i] + step[i];
  }
  const auto sent =
      reprise::concat({reprise::sum(at0[0] * at0[1]), reprise::sum(at1[0] * at1[1]), reprise::sum(at2[0] * at2[1])});
  const auto challenge = reprise::hash_rows(hash, reprise::concat({state, sent}), 4);
  sent.output("sent");
  challenge.output("state");
  for (int i = 0; i < 2; i++) (at0[i] + step[i] * challenge).output(names[i]);
  return g;
}

// All rounds; the transcript begins with the claim.
reprise::Graph prover_body(const reprise::Context &context, unsigned variables) {
  reprise::Graph prover(context, "sumcheck");
  const rp_type &type = *rp_type_field(field);
  auto f = prover.input("f", type, 1u << variables), g = prover.input("g", type, 1u << variables);
  auto state = reprise::sum(f * g).output("claim");
  std::vector<reprise::Value> sent;
  for (unsigned i = 0; i < variables; i++) {
    const auto made = reprise::call(prover, "round", round_body(context, 1u << (variables - i)),
                                    {{"f", f}, {"g", g}, {"state", state}}, {"f", "g", "state", "sent"});
    f = made[0], g = made[1], state = made[2];
    sent.push_back(made[3]);
  }
  reprise::concat(reprise::Span<const reprise::Value>(sent)).output("sent");
  reprise::concat({f, g}).output("last");
  return prover;
}

reprise::Graph prover_of_many(const reprise::Context &context, unsigned variables, unsigned instances) {
  reprise::Graph many(context, "sumchecks");
  const rp_type &type = *rp_type_field(field);
  const std::uint64_t n = std::uint64_t{instances} << variables;
  const auto ports = reprise::Ports()
                         .sliced("f", many.input("f", type, n))
                         .sliced("g", many.input("g", type, n))
                         .stacked("claim")
                         .stacked("sent")
                         .stacked("last");
  const auto proof = reprise::batch(many, "instance", prover_body(context, variables), instances, ports);
  proof[0].output("claim");
  proof[1].output("sent");
  proof[2].output("last");
  return many;
}

// ---- The verifier, on the host --------------------------------------------------------------------------------------

struct Element {
  std::uint64_t word[4];
};
using Elements = std::vector<Element>;
const rp_field_host &arithmetic() { return *rp_field_get(field); }

Element operator+(Element a, const Element &b) { return arithmetic().add(&a, &a, &b), a; }
Element operator-(Element a, const Element &b) { return arithmetic().sub(&a, &a, &b), a; }
Element operator*(Element a, const Element &b) { return arithmetic().mul(&a, &a, &b), a; }
bool operator==(const Element &a, const Element &b) { return arithmetic().equal(&a, &b) != 0; }

// The polynomial of degree two with the values v at 0, 1 and 2, at x (Lagrange).
Element interpolate(const Element *v, const Element &x) {
  Element one, half;
  arithmetic().one(&one);
  const Element two = one + one;
  arithmetic().inv(&half, &two);
  return v[0] * (x - one) * (x - two) * half - v[1] * x * (x - two) + v[2] * x * (x - one) * half;
}

// The multilinear polynomial with the values of a table, at a point.
Element evaluate(const Element *table, const Elements &point) {
  Elements v(table, table + (std::size_t{1} << point.size()));
  for (const Element &x : point) {
    const std::size_t half = v.size() / 2;
    for (std::size_t k = 0; k < half; k++) v[k] = v[k] + (v[half + k] - v[k]) * x;
    v.resize(half);
  }
  return v[0];
}

// Whether the proof holds for the tables f and g.
bool verify(unsigned variables, const Element *f, const Element *g, Element claim, const Element *sent,
            const Element *last) {
  Element state = claim;
  Elements point;
  for (unsigned i = 0; i < variables; i++, sent += 3) {
    if (!(sent[0] + sent[1] == claim)) return false;
    const Element row[4] = {state, sent[0], sent[1], sent[2]};
    if (rp_hash_rows_host(hash, row, 4, 1, &state) != RP_OK) return false;
    point.push_back(state);
    claim = interpolate(sent, state);
  }
  // A real protocol would open commitments here.
  return last[0] * last[1] == claim && evaluate(f, point) == last[0] && evaluate(g, point) == last[1];
}

Elements random_elements(std::size_t n, std::uint64_t seed) {
  Elements made(n);
  for (Element &to : made) {
    std::uint64_t x[4];
    for (auto &word : x) word = seed = seed * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
    arithmetic().from_bytes_reduce(&to, reinterpret_cast<const std::uint8_t *>(x), sizeof x);
  }
  return made;
}

} // namespace

int main(int argc, char **argv) try {
  const unsigned variables = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 0;
  const unsigned instances = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 0;
  if (variables < 1 || variables > 20 || instances < 1 || instances > 64)
    return std::fprintf(stderr, "usage: sumcheck VARIABLES INSTANCES  (1 to 20, 1 to 64)\n"), 2;
  const std::size_t size = std::size_t{1} << variables, per = 3 * variables;
  const Elements f = random_elements(instances * size, 1), g = random_elements(instances * size, 2);
  Elements claim(instances), sent(instances * per), last(2 * instances);

  const reprise::Context context;
  const reprise::Device device(context);
  const reprise::Recording recording(device, prover_of_many(context, variables, instances));
  // All rounds of all instances: one submission, one wait.
  recording.replay({{"f", f}, {"g", g}}, {{"claim", claim}, {"sent", sent}, {"last", last}});

  unsigned good = 0, refused = 0;
  for (std::size_t i = 0; i < instances; i++) {
    Element &changed = sent[i * per + i % per];
    good += verify(variables, &f[i * size], &g[i * size], claim[i], &sent[i * per], &last[2 * i]);
    changed.word[0] ^= 1;
    refused += !verify(variables, &f[i * size], &g[i * size], claim[i], &sent[i * per], &last[2 * i]);
  }
  std::printf("%u of %u proofs of %u rounds hold; of %u with a changed value, %u are refused\n", good, instances,
              variables, instances, refused);
  return good == instances && refused == instances ? 0 : 1;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
