// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sparse products whose rows are sorted and grouped as in cuZK, beside the schemes of the library, on the device that
// REPRISE_DEVICE names: sorted_rows [log2 of the number of non-zeros, 8 to 24, by default 20].
//
// cuZK sorts the rows by length and groups them (CSR-Balanced, as its code has it): with blocks of B threads, m
// non-zeros per row on average and z = B floor(sqrt(ceil(2 m ceil(log2 B) / B))), a row of L non-zeros is for
// floor(L / z) blocks, here rounded down to a power of two, and for one thread where that is 0. The B threads of a
// block add equal parts of a row, and a second operation adds the parts. Rows are sorted on the host before anything is
// timed. Columns of the output, in microseconds from submission to completion, the best of some replays:
//   scalar, vector, balanced   the library's schemes, rows in the order of the matrix
//   sorted                     one thread per row, rows sorted by length
//   warps, blocks              sorted and grouped, with B = 32 and B = 256
// All ways must give the same results.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <reprise/reprise.hpp>
#include <stdexcept>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::uint32_t>;
constexpr std::size_t point_bytes = 64, scalar_bytes = 32;
constexpr std::uint32_t most_columns = 1u << 14, most_blocks = 64, warp = 32, block = 256;
enum Way { scalar, vector, balanced, sorted, warps, blocks, ways };

// Those of a matrix of points have no `values`, since all are one.
struct Matrix {
  Numbers row_ptr, columns;
  Bytes values;
  std::uint32_t n_columns = 0;
  std::uint32_t rows() const { return static_cast<std::uint32_t>(row_ptr.size() - 1); }
  std::uint32_t non_zeros() const { return static_cast<std::uint32_t>(columns.size()); }
  std::uint32_t length(std::uint32_t row) const { return row_ptr[row + 1] - row_ptr[row]; }
};

struct Vector {
  bool points;
  Bytes data;
  std::size_t bytes() const { return points ? point_bytes : scalar_bytes; }
};

// ---- Matrices -------------------------------------------------------------------------------------------------------

// Random elements below the modulus, and columns.
Matrix random_matrix(std::uint32_t n) {
  Matrix m;
  std::uint64_t state = 1;
  m.n_columns = std::min(n, most_columns);
  m.columns.resize(n);
  m.values.resize(std::size_t{n} * scalar_bytes);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t w = 0; w < 4; w++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::uint64_t word = w == 3 ? state >> 4 : state;
      std::memcpy(m.values.data() + i * scalar_bytes + 8 * w, &word, sizeof word);
    }
    m.columns[i] = static_cast<std::uint32_t>(state >> 40) % m.n_columns;
  }
  return m;
}

// One row in `of` is long, the others have half the mean length; with of = 1 all are even.
void shape(Matrix &m, std::uint32_t mean, std::uint32_t of) {
  const std::uint32_t small = of == 1 ? mean : mean / 2, n = m.non_zeros();
  m.row_ptr.clear();
  for (std::uint32_t at = 0, row = 0; at < n; row++) {
    const std::uint32_t length = row % of == of / 2 && of > 1 ? mean * of - small * (of - 1) : small;
    m.row_ptr.push_back(at);
    at += std::min(n - at, length);
  }
  m.row_ptr.push_back(n);
}

// The rows of the matrix, the longest first, rows of one length in their order.
Numbers order_of(const Matrix &m) {
  Numbers order(m.rows());
  for (std::uint32_t i = 0; i < m.rows(); i++) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return m.length(a) > m.length(b); });
  return order;
}

Matrix in_order(const Matrix &m, const Numbers &order) {
  Matrix to;
  to.n_columns = m.n_columns;
  to.row_ptr.push_back(0);
  for (const std::uint32_t row : order) {
    const auto from = static_cast<std::ptrdiff_t>(m.row_ptr[row]), end = from + m.length(row);
    to.columns.insert(to.columns.end(), m.columns.begin() + from, m.columns.begin() + end);
    to.values.insert(to.values.end(), m.values.begin() + from * 32, m.values.begin() + end * 32);
    to.row_ptr.push_back(to.non_zeros());
  }
  return to;
}

// ---- Graphs ---------------------------------------------------------------------------------------------------------

class Product {
public:
  Product(reprise::Graph &g, const Vector &x, rp_value given) : g_(g), x_(x), given_(given) {}

  rp_value of(const Matrix &m, rp_spmv_scheme scheme) { return rows(m, m.row_ptr, 0, given_, m.n_columns, scheme); }

  // Of elements a warp adds one part, by the vector scheme; of points one thread does.
  rp_value grouped(const Matrix &m, std::uint32_t threads) {
    const std::uint32_t mean = (m.non_zeros() + m.rows() - 1) / m.rows();
    std::vector<rp_value> parts;
    for (std::uint32_t begin = 0, end; begin < m.rows(); begin = end) {
      const std::uint32_t n = blocks_of(m.length(begin), mean, threads);
      for (end = begin; end < m.rows() && blocks_of(m.length(end), mean, threads) == n;) end++;
      const std::uint32_t width = n == 0 ? 1 : n * (x_.points ? threads : threads / warp);
      parts.push_back(group(m, begin, end, width, n == 0 || x_.points ? RP_SPMV_SCALAR : RP_SPMV_VECTOR));
    }
    return parts.size() == 1 ? parts[0] : rp_concat(g_.get(), parts.data(), static_cast<std::uint32_t>(parts.size()));
  }

private:
  // The product of rows whose entries begin with entry `first`; row_ptr counts from there. Data is copied.
  rp_value rows(const Matrix &m, const Numbers &row_ptr, std::size_t first, rp_value x, std::uint64_t n_columns,
                rp_spmv_scheme scheme) {
    const std::size_t n = row_ptr.back();
    rp_csr part{};
    part.row_ptr = g_.constant("row_ptr", RP_TYPE_U32, row_ptr.size(), reprise::Span(row_ptr)).get();
    part.col = g_.constant("col", RP_TYPE_U32, n, reprise::Span(m.columns.data() + first, n)).get();
    part.val = RP_NO_VALUE;
    part.rows = row_ptr.size() - 1;
    part.cols = n_columns;
    if (x_.points) return rp_spmv_points(g_.get(), &part, x, scheme);
    const auto values = reprise::Span(m.values.data() + first * scalar_bytes, n * scalar_bytes);
    part.val = g_.constant("val", *rp_type_field(RP_FIELD_BN254_FR), n, values).get();
    reprise::Options<rp_spmv_options> options;
    options.scheme = scheme;
    return rp_spmv(g_.get(), &part, x, &options);
  }

  // Rows from `begin` to `end` of a sorted matrix, each cut into `width` equal parts.
  rp_value group(const Matrix &m, std::uint32_t begin, std::uint32_t end, std::uint32_t width, rp_spmv_scheme scheme) {
    const std::uint32_t first = m.row_ptr[begin];
    Numbers row_ptr;
    for (std::uint32_t r = begin; r < end; r++)
      for (std::uint64_t i = 0; i < width; i++)
        row_ptr.push_back(m.row_ptr[r] - first + static_cast<std::uint32_t>(m.length(r) * i / width));
    row_ptr.push_back(m.row_ptr[end] - first);
    const rp_value y = rows(m, row_ptr, first, given_, m.n_columns, scheme);
    return width == 1 ? y : join(y, end - begin, width);
  }

  // Adds groups of `width` consecutive sums: points by a tree, elements by a product with ones.
  rp_value join(rp_value parts, std::uint32_t n, std::uint32_t width) {
    if (x_.points) return rp_tree_reduce(g_.get(), parts, width);
    Matrix ones;
    for (std::uint32_t i = 0; i <= n; i++) ones.row_ptr.push_back(i * width);
    ones.values.resize(std::size_t{n} * width * scalar_bytes);
    for (std::uint32_t i = 0; i < n * width; i++) {
      ones.columns.push_back(i);
      rp_field_get(RP_FIELD_BN254_FR)->one(ones.values.data() + i * scalar_bytes);
    }
    return rows(ones, ones.row_ptr, 0, parts, ones.columns.size(), width < warp ? RP_SPMV_SCALAR : RP_SPMV_VECTOR);
  }

  // How many blocks a row of this length is for: a power of two, or 0.
  static std::uint32_t blocks_of(std::uint32_t length, std::uint32_t mean, std::uint32_t threads) {
    const std::uint32_t log_threads = threads == warp ? 5 : 8, ratio = (2 * mean * log_threads + threads - 1) / threads;
    std::uint32_t root = 1, n = 1;
    while ((root + 1) * (root + 1) <= ratio) root++;
    const std::uint32_t whole = length / (threads * root);
    while (n < most_blocks && 2 * n <= whole) n *= 2;
    return whole == 0 ? 0 : n;
  }

  reprise::Graph &g_;
  const Vector &x_;
  rp_value given_;
};

// ---- Runs -----------------------------------------------------------------------------------------------------------

class Measurement {
public:
  Measurement(const reprise::Context &context, const reprise::Device &device, const Matrix &given, const Vector &x)
      : context_(context), device_(device), given_(given), x_(x), order_(order_of(given)),
        sorted_(in_order(given, order_)) {}

  // Microseconds, after a run whose results are those of the scalar scheme.
  double time(Way way) {
    replay(way, false);
    return replay(way, true);
  }

private:
  double replay(Way way, bool timed) {
    constexpr int most = 30, least = 3;
    constexpr std::uint64_t long_ns = 300000000;
    const rp_type *type = x_.points ? rp_type_affine(RP_CURVE_BN254_G1) : rp_type_field(RP_FIELD_BN254_FR);
    const rp_type *sum = x_.points ? rp_type_accumulator(RP_CURVE_BN254_G1) : type;
    reprise::Graph g(context_, "sorted_rows");
    const auto x = g.input("x", *type, given_.n_columns);
    rp_value y = build(g, x.get(), way);
    if (!timed && x_.points) y = rp_to_affine(g.get(), y);
    reprise::Value(g.get(), y).output("y", timed ? RP_RESIDENT : 0);
    const reprise::Recording recording(device_, g);
    const reprise::Buffer result(device_, given_.rows() * sum->size_bytes);
    std::uint64_t best = UINT64_MAX, spent = 0;
    for (int i = 0; i < (timed ? most : 1) && (i < least || spent < long_ns); i++) {
      reprise::Run run(recording);
      run.set(x.get(), reprise::Span(x_.data.data(), given_.n_columns * x_.bytes()));
      if (timed) run.bind_output(y, result);
      run.submit();
      run.wait();
      if (!timed) compare(way, static_cast<const std::uint8_t *>(run.output(y)));
      const std::uint64_t ns = run.counters().latency_ns;
      best = std::min(best, ns);
      spent += ns;
    }
    return static_cast<double>(best) / 1e3;
  }

  rp_value build(reprise::Graph &g, rp_value x, Way way) const {
    Product product(g, x_, x);
    switch (way) {
    case vector: return product.of(given_, RP_SPMV_VECTOR);
    case balanced: return product.of(given_, RP_SPMV_BALANCED);
    case sorted: return product.of(sorted_, RP_SPMV_SCALAR);
    case warps: return product.grouped(sorted_, warp);
    case blocks: return product.grouped(sorted_, block);
    default: return product.of(given_, RP_SPMV_SCALAR);
    }
  }

  // The results, in the order of the given rows, are those of the first way.
  void compare(Way way, const std::uint8_t *got) {
    const std::size_t bytes = x_.bytes();
    if (way == scalar) want_.assign(got, got + bytes * given_.rows());
    for (std::size_t i = 0; i < given_.rows(); i++) {
      const std::uint8_t *want = want_.data() + bytes * (way < sorted ? i : order_[i]), *y = got + bytes * i;
      if (x_.points ? !rp_curve_get(RP_CURVE_BN254_G1)->equal(y, want) : std::memcmp(y, want, bytes) != 0)
        throw std::runtime_error("way " + std::to_string(way) + " gives other results");
    }
  }

  const reprise::Context &context_;
  const reprise::Device &device_;
  const Matrix &given_;
  const Vector &x_;
  const Numbers order_;
  const Matrix sorted_;
  Bytes want_;
};

void table(const reprise::Context &context, const reprise::Device &device, Matrix &m, const Vector &x) {
  std::printf("\n%s: mean row length | one long row in | scalar | vector | balanced | sorted | warps | blocks\n",
              x.points ? "points of BN254 G1" : "elements of BN254 Fr");
  for (const std::uint32_t of : {1u, 8u, 64u, 512u})
    for (std::uint32_t mean = 2; mean <= 256 && mean * of <= m.non_zeros(); mean *= 2) {
      shape(m, mean, of);
      Measurement measurement(context, device, m, x);
      std::printf("%8u | %3u", mean, of);
      for (int way = 0; way < ways; way++) std::printf(" | %.1f", measurement.time(static_cast<Way>(way)));
      std::puts("");
      std::fflush(stdout);
    }
}

// Consecutive multiples of the generator.
Vector multiples(std::size_t n) {
  const rp_curve_host &c = *rp_curve_get(RP_CURVE_BN254_G1);
  Vector x{true, Bytes(n * point_bytes)};
  c.generator(x.data.data());
  for (std::size_t i = 1; i < n; i++)
    c.add(x.data.data() + i * point_bytes, x.data.data() + (i - 1) * point_bytes, x.data.data());
  return x;
}

} // namespace

int main(int argc, char **argv) try {
  const int log_nnz = argc > 1 ? std::atoi(argv[1]) : 20;
  if (log_nnz < 8 || log_nnz > 24)
    return std::fprintf(stderr, "usage: sorted_rows [log2 of the number of non-zeros, 8 to 24]\n"), 2;
  Matrix m = random_matrix(1u << log_nnz);
  const Vector points = multiples(m.n_columns);
  const auto end = m.values.begin() + static_cast<std::ptrdiff_t>(m.n_columns * scalar_bytes);
  const Vector elements{false, Bytes(m.values.begin(), end)};
  const reprise::Context context;
  const reprise::Device device(context);
  auto info = reprise::info<rp_device_info>();
  rp_device_get_info(device.get(), &info);
  std::printf("%s, 2^%d non-zeros\n", info.name, log_nnz);
  table(context, device, m, points);
  table(context, device, m, elements);
  std::puts("\nall ways agree");
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
