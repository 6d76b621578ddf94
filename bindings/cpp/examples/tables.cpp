// SPDX-License-Identifier: Apache-2.0 OR MIT
// Measures, on the device that REPRISE_DEVICE names, the tables by which Reprise chooses between ways to compute the
// same: tables [log2 of the largest size, 4 to 24, by default 16]. For each table it prints what was measured, in
// microseconds (the best of a few runs), and the table in the form in which options take it:
//   rp_inverse_table   where n elements are inverted              rp_batch_inv_options.table
//   crossover          from which width a commitment is a tree    rp_pedersen_options.crossover
//   rp_merkle_table    how the levels of a Merkle tree are cut    rp_merkle_config.table
//   rp_spmv_table      which scheme a sparse product takes        rp_spmv_options.table

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <reprise/inverse.h>
#include <reprise/reprise.hpp>

namespace {

using Scalar = std::array<std::uint8_t, 32>;
using Clock = std::chrono::steady_clock;
using Times = std::vector<double>; // one per size
using Sizes = std::vector<std::uint64_t>;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

// The best of a few runs. What only the first run does is not timed.
double best_time(const std::function<void()> &run) {
  constexpr int most = 500, least = 3;
  run();
  const auto begin = Clock::now();
  double best = INFINITY;
  for (int i = 0; i < most && (i < least || microseconds_since(begin) < 1e5); i++) {
    const auto start = Clock::now();
    run();
    best = std::min(best, microseconds_since(start));
  }
  return best;
}

// The first size from which on, to the last one measured, `b` is no slower than `a`; `never` if there is none.
std::uint64_t crossover(const Sizes &sizes, const Times &a, const Times &b, std::uint64_t never = UINT64_MAX) {
  std::uint64_t from = never;
  for (std::size_t i = b.size(); i-- > 0 && b[i] <= a[i];) from = sizes[i];
  return from;
}

std::string threshold(std::uint64_t from) { return from == UINT64_MAX ? "UINT64_MAX" : std::to_string(from); }

// ---- Batch inversion ------------------------------------------------------------------------------------------------

class Inversion {
public:
  Inversion(const reprise::Device &device, std::uint64_t n) : device_(device), x_(n), out_(n) {
    for (std::size_t i = 0; i < 32 * n; i++)
      x_[i / 32][i % 32] = i % 32 == 31 ? 1 : static_cast<std::uint8_t>((i * 2654435761u) >> 13);
  }
  double replayed(rp_inverse_route route, std::uint64_t n) {
    const auto options = options_of(route);
    rp_inverter *made = nullptr;
    reprise::checked(rp_inverter_create, device_.get(), RP_FIELD_BN254_FR, n, &options, &made);
    const reprise::Handle<rp_inverter, rp_inverter_destroy> inverter(made);
    return best_time([&] { reprise::checked(rp_inverter_run, inverter.get(), x_.data(), out_.data(), nullptr); });
  }
  double recorded_each_time(rp_inverse_route route, std::uint64_t n) {
    const auto options = options_of(route);
    return best_time(
        [&] { reprise::checked(rp_batch_inv, device_.get(), RP_FIELD_BN254_FR, x_.data(), out_.data(), n, &options); });
  }

private:
  static reprise::Options<rp_batch_inv_options> options_of(rp_inverse_route route) {
    reprise::Options<rp_batch_inv_options> options;
    options.route = route;
    return options;
  }
  const reprise::Device &device_;
  std::vector<Scalar> x_, out_;
};

void inversions(const reprise::Device &device, int log_most) {
  constexpr std::uint64_t elements_most = 64; // more are never inverted one by one
  Inversion inversion(device, std::uint64_t{1} << log_most);
  Sizes sizes;
  Times elements, chain, replay, once;
  std::puts("\nBN254 Fr elements | one by one | one chain | device, replayed | device, recorded each time");
  for (int log_n = 0; log_n <= log_most; log_n++) {
    const std::uint64_t n = std::uint64_t{1} << log_n;
    sizes.push_back(n);
    if (n <= elements_most) elements.push_back(inversion.replayed(RP_INVERSE_ROUTE_ELEMENTS, n));
    chain.push_back(inversion.replayed(RP_INVERSE_ROUTE_CHAIN, n));
    replay.push_back(inversion.replayed(RP_INVERSE_ROUTE_DEVICE, n));
    once.push_back(inversion.recorded_each_time(RP_INVERSE_ROUTE_DEVICE, n));
    std::printf("%8llu |", static_cast<unsigned long long>(n));
    if (n <= elements_most) std::printf(" %.1f", elements.back());
    std::printf(" | %.1f | %.1f | %.1f\n", chain.back(), replay.back(), once.back());
  }
  const Times small(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(elements.size()));
  std::printf("rp_inverse_table {.chain = %s, .device = %s, .device_once = %s}\n",
              threshold(crossover(sizes, elements, small)).c_str(), threshold(crossover(sizes, chain, replay)).c_str(),
              threshold(crossover(sizes, chain, once)).c_str());
}

// ---- Commitments ----------------------------------------------------------------------------------------------------

void commitments(const reprise::Device &device, int log_most) {
  const std::uint32_t most = log_most < 10 ? 1u << log_most : std::uint32_t{RP_PEDERSEN_WIDTH_MAX};
  std::vector<Scalar> generators(most), values(most);
  reprise::checked(rp_pedersen_verkle_generators, most, generators.data());
  for (Scalar &value : values)
    if (rp_random_canonical(RP_FIELD_BANDERSNATCH_FR, value.data()) != RP_OK) throw std::runtime_error("no randomness");
  const auto measure = [&](std::uint32_t width, std::uint32_t tree_from) {
    reprise::Options<rp_pedersen_options> options;
    options.crossover = tree_from;
    rp_pedersen *made = nullptr;
    reprise::checked(rp_pedersen_create, device.get(), &options, &made);
    const reprise::Handle<rp_pedersen, rp_pedersen_destroy> pedersen(made);
    Scalar out;
    return best_time([&] {
      reprise::checked(rp_pedersen_commit_tree, pedersen.get(), width, values.data(), generators.data(), out.data());
    });
  };
  Sizes widths;
  Times linear, tree;
  std::puts("\nwidth of a commitment | linear | tree");
  for (std::uint32_t width = 1; width <= most; width *= 2) {
    widths.push_back(width);
    linear.push_back(measure(width, UINT32_MAX));
    tree.push_back(measure(width, 1));
    std::printf("%8u | %.1f | %.1f\n", width, linear.back(), tree.back());
  }
  const auto from = crossover(widths, linear, tree, UINT32_MAX);
  std::printf("crossover %s\n", from == UINT32_MAX ? "UINT32_MAX" : std::to_string(from).c_str());
}

// ---- Merkle trees ---------------------------------------------------------------------------------------------------

class Trees {
public:
  Trees(const reprise::Device &device, int log_most)
      : device_(device), log_most_(log_most), leaves_(std::size_t{4} << log_most) {
    for (std::size_t i = 0; i < leaves_.size(); i++) leaves_[i] = i + 1;
  }

  void measure() const {
    const std::uint32_t fill = best_fill();
    Sizes sizes;
    Times levels, subtrees;
    std::puts("\nleaves, Rescue Prime | levels | subtrees");
    for (int i = 0; i < log_most_; i++) {
      sizes.push_back(std::uint64_t{2} << i);
      levels.push_back(time(sizes.back(), RP_MERKLE_LEVELS, 0));
      subtrees.push_back(time(sizes.back(), RP_MERKLE_SUBTREES, fill));
      std::printf("%8llu | %.1f | %.1f\n", static_cast<unsigned long long>(sizes.back()), levels.back(),
                  subtrees.back());
    }
    std::printf("rp_merkle_table {.subtrees = %s, .fill = %u}\n", threshold(crossover(sizes, levels, subtrees)).c_str(),
                fill);
  }

private:
  double time(std::uint64_t n, rp_merkle_schedule schedule, std::uint32_t fill) const {
    rp_merkle_table table{};
    table.subtrees = 2;
    table.fill = fill;
    reprise::Options<rp_merkle_config> config;
    config.leaves = n;
    config.schedule = schedule;
    config.table = fill ? &table : nullptr;
    rp_merkle *made = nullptr;
    reprise::checked(rp_merkle_create, device_.get(), &config, &made);
    const reprise::Handle<rp_merkle, rp_merkle_destroy> tree(made);
    return best_time([&] { reprise::checked(rp_merkle_build, tree.get(), leaves_.data(), nullptr, nullptr); });
  }

  // How large, for the largest tree, the subtrees that fill the device are. A larger `fill` is taken only if it is more
  // than 2% faster.
  std::uint32_t best_fill() const {
    std::uint32_t best = 0;
    double least = INFINITY;
    std::puts("\nfill of a Merkle tree's subtrees | largest tree");
    for (std::uint32_t fill = 1; fill <= 256; fill *= 2) {
      const double us = time(std::uint64_t{1} << log_most_, RP_MERKLE_SUBTREES, fill);
      std::printf("%8u | %.1f\n", fill, us);
      if (us >= 0.98 * least) continue;
      least = us;
      best = fill;
    }
    return best;
  }

  const reprise::Device &device_;
  int log_most_;
  std::vector<std::uint64_t> leaves_;
};

// ---- Sparse products ------------------------------------------------------------------------------------------------

// Matrices over BN254 Fr that all have the same number of non-zeros.
class Matrix {
public:
  explicit Matrix(int log_nnz)
      : row_ptr_((std::size_t{1} << log_nnz) + 1), col_(std::size_t{1} << log_nnz), values_(col_.size()) {
    std::uint64_t state = 1;
    const std::size_t cols = std::min<std::size_t>(col_.size(), 1u << 14);
    for (std::size_t i = 0; i < col_.size(); i++) {
      std::uint64_t words[4];
      for (std::uint64_t &word : words) word = state = state * 6364136223846793005u + 1442695040888963407u;
      words[3] >>= 4; // below the modulus
      std::memcpy(values_[i].data(), words, sizeof words);
      col_[i] = static_cast<std::uint32_t>(state >> 40) % static_cast<std::uint32_t>(cols);
    }
    x_.assign(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(cols));
  }

  // One row in `of` is long, the others have half the mean length; with of = 1 all are even. Returns the squared
  // coefficient of variation.
  double shape(std::uint32_t mean, std::uint32_t of) {
    const auto nnz = static_cast<std::uint32_t>(col_.size()), small = of == 1 ? mean : mean / 2;
    double square = 0;
    std::uint32_t at = 0;
    for (rows_ = 0; at < nnz; rows_++) {
      const std::uint32_t wanted = of > 1 && rows_ % of == of / 2 ? mean * of - small * (of - 1) : small;
      const std::uint32_t length = std::min(wanted, nnz - at);
      row_ptr_[rows_] = at;
      square += static_cast<double>(length) * length;
      at += length;
    }
    row_ptr_[rows_] = nnz;
    return square / rows_ / (mean_row() * mean_row()) - 1;
  }
  double mean_row() const { return static_cast<double>(col_.size()) / rows_; }

  double time(const reprise::Context &context, const reprise::Device &device, rp_spmv_scheme scheme) const {
    const rp_type &fr = *rp_type_field(RP_FIELD_BN254_FR);
    reprise::Graph g(context, "tables");
    const auto indices = [&](const char *name, const std::vector<std::uint32_t> &list, std::size_t n) {
      return g.constant(name, RP_TYPE_U32, n, reprise::Span(list.data(), n), RP_BORROW).get();
    };
    rp_csr csr{};
    csr.row_ptr = indices("row_ptr", row_ptr_, rows_ + std::size_t{1});
    csr.col = indices("col", col_, col_.size());
    csr.val = g.constant("val", fr, values_.size(), reprise::Span(values_), RP_BORROW).get();
    csr.rows = rows_;
    csr.cols = static_cast<std::uint32_t>(x_.size());
    const auto x = g.input("x", fr, x_.size());
    const auto y = reprise::spmv(csr, x, reprise::SpmvOptions().scheme(scheme));
    y.output("y", RP_RESIDENT); // not brought down: the product is what is timed
    const reprise::Recording recording(device, g);
    const reprise::Buffer result(device, sizeof(Scalar) * rows_);
    return best_time([&] {
      reprise::Run run(recording);
      run.set(x.get(), x_);
      run.bind_output(y.get(), result);
      run.submit();
      run.wait();
    });
  }

private:
  std::vector<std::uint32_t> row_ptr_, col_;
  std::vector<Scalar> values_, x_;
  std::uint32_t rows_ = 0;
};

constexpr std::array<rp_spmv_scheme, 3> schemes = {RP_SPMV_SCALAR, RP_SPMV_VECTOR, RP_SPMV_BALANCED};

// Matrices of one unevenness and mean row lengths from 2 to 256.
struct Rows {
  std::array<Times, schemes.size()> us; // for each scheme, one per mean length
  double cv2 = 0;                       // the largest squared coefficient of variation

  // Whether the balanced scheme is faster than the better of the others, in the geometric mean over all mean lengths.
  bool balanced_wins() const {
    double sum = 0;
    for (std::size_t k = 0; k < us[0].size(); k++) sum += std::log(us[2][k] / std::min(us[0][k], us[1][k]));
    return sum < 0;
  }
};

void sparse_products(const reprise::Context &context, const reprise::Device &device, int log_most) {
  Matrix matrix(log_most);
  Sizes means;
  for (std::uint32_t mean = 2; mean <= 256; mean *= 2) means.push_back(mean);
  std::vector<Rows> measured;
  std::puts("\nmean row length | variance / mean^2 | scalar | vector | balanced");
  for (const std::uint32_t of : {1u, 2u, 8u, 64u, 512u}) {
    Rows rows;
    for (const std::uint64_t mean : means) {
      const double cv2 = matrix.shape(static_cast<std::uint32_t>(mean), of);
      rows.cv2 = std::max(rows.cv2, cv2);
      std::printf("%8.1f | %.2f", matrix.mean_row(), cv2);
      for (std::size_t s = 0; s < schemes.size(); s++) {
        rows.us[s].push_back(matrix.time(context, device, schemes[s]));
        std::printf(" | %.1f", rows.us[s].back());
      }
      std::puts("");
    }
    measured.push_back(rows);
  }
  // The threshold is the geometric mean of the last ratio at which the balanced scheme is slower and the next one.
  double balanced = INFINITY;
  for (std::size_t u = measured.size(); u-- > 0 && measured[u].balanced_wins();) {
    const bool is_last = u > 0 && !measured[u - 1].balanced_wins() && measured[u - 1].cv2 > 0;
    balanced = is_last ? std::sqrt(measured[u].cv2 * measured[u - 1].cv2) : measured[u].cv2;
  }
  const auto vector_mean = crossover(means, measured[0].us[0], measured[0].us[1], 0);
  std::printf("rp_spmv_table {.vector_mean = %s, ", vector_mean ? std::to_string(vector_mean).c_str() : "INFINITY");
  if (std::isfinite(balanced))
    std::printf(".balanced_cv2 = %.2f}\n", balanced);
  else
    std::puts(".balanced_cv2 = INFINITY}");
}

} // namespace

int main(int argc, char **argv) try {
  const int log_most = argc > 1 ? std::atoi(argv[1]) : 16;
  if (log_most < 4 || log_most > 24)
    return std::fprintf(stderr, "usage: tables [log2 of the largest size, 4 to 24]\n"), 2;
  const reprise::Context context;
  const reprise::Device device(context);
  std::puts(device.information().name);
  inversions(device, log_most);
  commitments(device, log_most);
  Trees(device, log_most).measure();
  sparse_products(context, device, log_most);
  std::puts("\nall tables measured");
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
