// SPDX-License-Identifier: Apache-2.0 OR MIT
// FRI over Goldilocks and BabyBear: fri [log2 of the degree bound] [queries], by default 10 and 100. All rounds of a
// proof are one submission: commitments, challenges, folding, and queries at indices that the device computes. The
// verifier on the host, which is that of the C example (examples/fri_verify.c), accepts the proof, and refuses others.
// examples/fri.h says what is proved, and how securely.

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <reprise/reprise.hpp>
#include <reprise/transcript.h>
extern "C" {
#include "../../../examples/fri.h"
}

namespace {

using Values = std::vector<reprise::Value>;
using Bytes = std::vector<std::uint8_t>;

reprise::Value concat(const Values &parts) { return reprise::concat(reprise::Span<const reprise::Value>(parts)); }

// ---- The prover, as a graph -----------------------------------------------------------------------------------------

class Prover {
public:
  Prover(const reprise::Context &context, const reprise::Device &device, const fri_params &p,
         const fri_conduct &conduct)
      : p_(p), f_(*rp_field_get(p.field)), type_(*rp_type_field(p.field)), digest_(rp_hash_digest_len(p.hash)),
        g_(context, "fri") {
    build(conduct);
    recording_ = std::make_unique<reprise::Recording>(device, g_);
  }

  // `values` are canonical; the proof is laid out as fri.h says.
  Bytes prove(const Bytes &values, rp_run_counters *counters) const {
    const fri_layout at = fri_layout_of(&p_);
    reprise::Run run(*recording_);
    run.set(values_.get(), values);
    run.submit();
    run.wait();
    Bytes proof(at.bytes);
    const auto take = [&](std::size_t to, const reprise::Value &value) {
      std::memcpy(&proof[to], run.output(value.get()), value.size() * type_.size_bytes);
    };
    take(at.roots, roots_);
    take(at.last, last_);
    for (std::size_t j = 0; j < rows_.size(); j++) {
      take(at.rows[j], rows_[j]);
      take(at.paths[j], paths_[j]);
    }
    *counters = run.counters();
    return proof;
  }

private:
  std::uint64_t size(std::uint32_t layer) const { return std::uint64_t{1} << fri_log_size(&p_, layer); }
  std::uint64_t small(std::uint64_t x) const {
    std::uint64_t element = 0;
    f_.from_bytes_reduce(&element, reinterpret_cast<const std::uint8_t *>(&x), 8);
    return element;
  }
  reprise::Value constant(const char *name, std::uint64_t element) {
    return g_.constant(
        name, type_, 1,
        reprise::Span<const std::uint8_t>(reinterpret_cast<const std::uint8_t *>(&element), type_.size_bytes));
  }
  reprise::Value indices(const char *name, const std::vector<std::uint32_t> &index) {
    return g_.constant(name, RP_TYPE_U32, index.size(), reprise::Span(index));
  }

  // t = H(t, more)
  void absorb(reprise::Value more) {
    const auto both = reprise::concat({t_, more});
    t_ = reprise::hash_rows(p_.hash, both, both.size());
  }

  // Where the elements of leaf after leaf lie in the columns of the layer.
  reprise::Value leaf_order(std::uint64_t n, std::uint32_t columns) {
    std::vector<std::uint32_t> index;
    for (std::uint64_t i = 0; i < n / 2; i++)
      for (std::uint64_t c = 0; c < 2ull * columns; c++)
        index.push_back(static_cast<std::uint32_t>(c % columns * n + c / columns * n / 2 + i));
    return indices("order", index);
  }
  // f(x) by column, then f(-x) by column.
  Values sides(std::uint32_t layer, reprise::Value word) const {
    const std::uint64_t n = size(layer);
    const std::uint32_t columns = fri_columns(&p_, layer);
    Values made;
    for (std::uint32_t c = 0; c < 2 * columns; c++)
      made.push_back(word.slice(c % columns * n + c / columns * n / 2, n / 2));
    return made;
  }

  // Column k of g + b h. Columns of the program: f(x) by column, f(-x) by column, 1 / (2 x). Constants: 1 / 2, the
  // challenge b, and b times the nonresidue, by which powers of X from D on come back.
  reprise::Value folded_column(const Values &columns, std::uint32_t n, reprise::Value constants,
                               std::uint32_t k) const {
    std::vector<rp_expr_code> code;
    const auto step = [&](rp_expr_op op, std::uint32_t index = 0) {
      code.push_back({op, static_cast<std::uint16_t>(index), 0});
    };
    for (std::uint32_t c = 0; c < n; c++) {
      step(RP_EXPR_COLUMN, c), step(RP_EXPR_COLUMN, n + c), step(RP_EXPR_SUB);
      step(RP_EXPR_CONSTANT, k >= c ? 1 + k - c : 1 + p_.extension + (k + p_.extension - c)), step(RP_EXPR_MUL);
      if (c) step(RP_EXPR_ADD);
    }
    step(RP_EXPR_COLUMN, 2 * n), step(RP_EXPR_MUL);
    if (k < n) {
      step(RP_EXPR_COLUMN, k), step(RP_EXPR_COLUMN, n + k), step(RP_EXPR_ADD);
      step(RP_EXPR_CONSTANT, 0), step(RP_EXPR_MUL), step(RP_EXPR_ADD);
    }
    return reprise::expr(reprise::Span<const reprise::Value>(columns), constants, reprise::ExprOptions().code(code));
  }

  // 1 / (2 x) for the first half of the layer's coset.
  reprise::Value half_inverses(std::uint32_t layer, std::uint64_t half) {
    std::uint64_t shift = 0, root = 0;
    fri_shift(&p_, layer, &shift);
    f_.root(&root, RP_ROOT_SNARKJS, fri_log_size(&p_, layer));
    f_.inv(&shift, &shift);
    f_.mul(&shift, &shift, &half);
    f_.inv(&root, &root);
    return reprise::powers(constant("1_over_w", root), size(layer) / 2, constant("1_over_2s", shift));
  }

  // The next layer: its columns, one after another.
  reprise::Value fold(reprise::Value word, std::uint32_t layer, reprise::Value challenge) {
    std::uint64_t half = small(2);
    f_.inv(&half, &half);
    const auto more = challenge * constant("nonresidue", small(p_.nonresidue));
    const auto constants = reprise::concat({constant("half", half), challenge, more});
    Values in = sides(layer, word), out;
    in.push_back(half_inverses(layer, half));
    for (std::uint32_t k = 0; k < p_.extension; k++)
      out.push_back(folded_column(in, fri_columns(&p_, layer), constants, k));
    return concat(out);
  }

  // The function on the coset of layer 0.
  reprise::Value extend() const {
    const auto roots = reprise::NttOptions().root(RP_ROOT_SNARKJS);
    const std::uint8_t shift[] = {static_cast<std::uint8_t>(p_.shift)};
    const auto coefficients = reprise::ntt(values_.from_canonical(p_.field), reprise::NttOptions(roots).inverse());
    return reprise::ntt(reprise::pad(coefficients, size(0)), reprise::NttOptions(roots).shift(shift));
  }

  // The first 2^log_final coefficients of each column of what is left.
  reprise::Value last_polynomial(reprise::Value word) const {
    const std::uint32_t layer = fri_layers(&p_), columns = fri_columns(&p_, layer);
    std::uint64_t shift = 0;
    std::array<std::uint8_t, FRI_ELEMENT> canonical{};
    fri_shift(&p_, layer, &shift);
    f_.to_canonical(canonical.data(), &shift);
    const auto options = reprise::NttOptions().root(RP_ROOT_SNARKJS).inverse().batch(columns).shift(canonical);
    const auto all = reprise::ntt(word, options);
    Values made;
    for (std::uint32_t c = 0; c < columns; c++)
      made.push_back(all.slice(c * size(layer), std::uint64_t{1} << p_.log_final));
    return concat(made);
  }

  // The index in layer 0 of each query: H(t, q), of which the first element's low bits are taken.
  reprise::Value choose() {
    const std::uint32_t n = p_.queries;
    Bytes numbers(n * type_.size_bytes);
    std::vector<std::uint32_t> rows, first;
    for (std::uint32_t q = 0; q < n; q++) {
      const std::uint64_t x = small(q);
      std::memcpy(&numbers[q * type_.size_bytes], &x, type_.size_bytes);
      for (std::uint32_t k = 0; k <= digest_; k++) rows.push_back(k < digest_ ? k : digest_ + q);
      first.push_back(q * digest_);
    }
    const auto both = reprise::concat({t_, g_.constant("numbers", type_, n, reprise::Span(numbers))});
    const auto digests = reprise::hash_rows(p_.hash, reprise::gather(both, indices("rows", rows)), digest_ + 1);
    return reprise::construct(rp_low_bits, reprise::gather(digests, indices("first", first)), fri_log_size(&p_, 0) - 1);
  }

  void build(const fri_conduct &conduct) {
    Bytes parameters(FRI_PARAMETERS * type_.size_bytes);
    fri_parameters(&p_, parameters.data());
    t_ = reprise::hash_rows(p_.hash, g_.constant("parameters", type_, FRI_PARAMETERS, reprise::Span(parameters)),
                            FRI_PARAMETERS);
    values_ = g_.input("values", *rp_type_canonical(p_.field), std::uint64_t{1} << conduct.log_values);
    Values words = {extend()}, leaves, trees, roots;
    for (std::uint32_t j = 0; j < fri_layers(&p_); j++) {
      const reprise::Scope scope(g_, ("layer_" + std::to_string(j)).c_str());
      const auto rows = reprise::gather(words[j], leaf_order(size(j), fri_columns(&p_, j)));
      leaves.push_back(reprise::hash_rows(p_.hash, rows, 2 * fri_columns(&p_, j)));
      trees.push_back(reprise::merkle_tree(p_.hash, leaves[j]));
      roots.push_back(trees[j].slice(digest_, digest_));
      absorb(roots[j]);
      const auto folded = fold(words[j], j, t_.slice(0, p_.extension));
      words.push_back(conduct.negated_layer == j + 1 ? -folded : folded);
    }
    roots_ = concat(roots).output("roots");
    last_ = last_polynomial(words.back()).output("last");
    absorb(last_);
    open(words, leaves, trees);
  }

  void open(const Values &words, const Values &leaves, const Values &trees) {
    const reprise::Scope scope(g_, "queries");
    const auto index = choose();
    for (std::uint32_t j = 0; j < fri_layers(&p_); j++) {
      const auto at = j ? reprise::construct(rp_low_bits, index, fri_log_size(&p_, j) - 1) : index;
      Values opened;
      for (const auto &side : sides(j, words[j])) opened.push_back(reprise::gather(side, at));
      rows_.push_back(concat(opened).output(("rows_" + std::to_string(j)).c_str()));
      paths_.push_back(
          reprise::merkle_paths(p_.hash, leaves[j], trees[j], at).output(("paths_" + std::to_string(j)).c_str()));
    }
  }

  fri_params p_;
  const rp_field_host &f_;
  const rp_type &type_;
  std::uint32_t digest_; // elements
  reprise::Graph g_;
  std::unique_ptr<reprise::Recording> recording_;
  reprise::Value t_, values_, roots_, last_;
  Values rows_, paths_;
};

// ---- The program ----------------------------------------------------------------------------------------------------

class Program {
public:
  // Both fields, whose parameters are those of the C example.
  Program(std::uint32_t log_degree, std::uint32_t queries) {
    params_[0] = {RP_FIELD_GOLDILOCKS, RP_HASH_RESCUE_RP64_256, 2, 7, 7, log_degree, 2, 3, queries};
    params_[1] = {RP_FIELD_BABYBEAR, RP_HASH_POSEIDON2_BABYBEAR, 4, 11, 31, log_degree, 2, 3, queries};
  }
  bool good() const { return fri_params_good(&params_[0]) && fri_params_good(&params_[1]); }
  bool run() const {
    std::printf("%s\n", device_.information().name);
    return show(params_[0]) && show(params_[1]);
  }

private:
  // A proof, made in the best of a few runs.
  Bytes prove(const fri_params &p, const fri_conduct &conduct, rp_run_counters *best) const {
    const std::size_t size = rp_type_canonical(p.field)->size_bytes;
    Bytes values(size << conduct.log_values); // canonical, all below both fields' moduli
    std::uint64_t x = 1;
    for (std::size_t i = 0; i < values.size(); i += size) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      const auto value = static_cast<std::uint32_t>(x >> 34);
      std::memcpy(&values[i], &value, sizeof value);
    }
    const Prover prover(context_, device_, p, conduct);
    Bytes proof;
    for (int i = 0; i < 3; i++) {
      auto counters = reprise::info<rp_run_counters>();
      proof = prover.prove(values, &counters);
      if (!i || counters.latency_ns < best->latency_ns) *best = counters;
    }
    return proof;
  }

  // The verifier must refuse the proof with one bit changed,
  static bool refuses(const fri_params &p, Bytes proof, std::size_t at, const char *what) {
    proof[at] ^= 1;
    return refused(p, proof, what);
  }
  // and what a dishonest prover makes, whose transcript is in order.
  bool refuses(const fri_params &p, const fri_conduct &conduct, const char *what) const {
    auto counters = reprise::info<rp_run_counters>();
    return refused(p, prove(p, conduct, &counters), what);
  }
  static bool refused(const fri_params &p, const Bytes &proof, const char *what) {
    char reason[128];
    const bool accepted = fri_verify(&p, proof.data(), proof.size(), reason) != 0;
    std::printf("  %s: %s%s\n", what, accepted ? "accepted, which is wrong" : "refused: ", reason);
    return !accepted;
  }

  bool show(const fri_params &p) const {
    const fri_layout at = fri_layout_of(&p);
    auto c = reprise::info<rp_run_counters>();
    char reason[128];
    const Bytes proof = prove(p, {p.log_degree, 0}, &c);
    const auto begin = std::chrono::steady_clock::now();
    bool good = fri_verify(&p, proof.data(), proof.size(), reason) != 0;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("%s: 2^%u coefficients on 2^%u points, %u layers, %u queries, challenges of degree %u\n"
                "  proved in %.3f ms: %u submission, %u wait, %llu dispatches; %zu bytes, %s in %.1f ms\n",
                rp_field_name(p.field), p.log_degree, fri_log_size(&p, 0), fri_layers(&p), p.queries, p.extension,
                static_cast<double>(c.latency_ns) * 1e-6, c.submissions, c.waits,
                static_cast<unsigned long long>(c.dispatches), proof.size(), good ? "verified" : reason, took.count());
    good = good && c.submissions == 1 && c.waits == 1;
    good = refuses(p, proof, at.roots, "another root") && good;
    good = refuses(p, proof, at.rows[0], "another leaf") && good;
    good = refuses(p, proof, at.paths[0], "another path") && good;
    good = refuses(p, proof, at.last, "another last polynomial") && good;
    good = refuses(p, {p.log_degree, 1}, "a layer of its own, committed to") && good;
    good = refuses(p, {p.log_degree, fri_layers(&p)}, "a last polynomial of its own, hashed") && good;
    return refuses(p, {p.log_degree + 1, 0}, "a function of twice the degree") && good;
  }

  fri_params params_[2];
  reprise::Context context_;
  reprise::Device device_{context_};
};

} // namespace

int main(int argc, char **argv) try {
  const auto number = [&](int i, std::uint32_t otherwise) {
    return argc > i ? static_cast<std::uint32_t>(std::atoi(argv[i])) : otherwise;
  };
  const Program program(number(1, 10), number(2, 100));
  if (!program.good()) return std::fprintf(stderr, "usage: fri [log2 of the degree bound, 4 to 25] [queries]\n"), 2;
  if (!program.run()) return std::fprintf(stderr, "a check failed: see above\n"), 1;
  std::puts("one submission per proof, and every other proof refused");
  return 0;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "failed: %s\n", error.what());
  return 1;
}
