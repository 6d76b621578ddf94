// SPDX-License-Identifier: Apache-2.0 OR MIT
// Multi-scalar multiplication as sparse-matrix algebra: msm_sparse [log_n].
//  1. The worked example of cuZK: digits in ELL, CSR by a prefix sum, the transpose, bucket sums, the result.
//  2. The same steps with 2^log_n points, for uniform, equal, 0/1 and clustered scalars, beside rp_msm, which sorts
//     signed digits at once.
//  3. A product with a budget of half the key: chunks are brought up while others are computed.
//  4. The same over two CPU devices that share the windows.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <reprise/msm.h>
#include <reprise/reprise.hpp>
#include <string>
#include <vector>

namespace {

constexpr rp_curve curve = RP_CURVE_BN254_G1;
using Point = std::array<std::uint8_t, 64>;
using Scalar = std::array<std::uint8_t, 32>;
const rp_curve_host &arithmetic() { return *rp_curve_get(curve); }

// G, 2 G, 3 G, ...
std::vector<Point> multiples_of_generator(std::size_t n) {
  std::vector<Point> made(n);
  arithmetic().generator(made[0].data());
  for (std::size_t i = 1; i < n; i++) arithmetic().add(made[i].data(), made[i - 1].data(), made[0].data());
  return made;
}

// ---- The steps ------------------------------------------------------------------------------------------------------

// What the steps are of: the matrix of the scalars' digits, its transpose, the sum.
struct Steps {
  rp_csr rows, transposed;
  rp_value result;

  // Row d of the transpose lists the entries with digit d, and their values are numbers of points: so they are the
  // columns of a matrix of ones, whose product with the points has the bucket sums. No entry has digit 0. Without that
  // row at the front, row i has digit i + 1, as rp_bucket_reduce weighs its buckets; the empty row stands at the end of
  // each window instead.
  Steps(rp_graph *g, const rp_ell &ell, std::uint32_t window_bits, rp_value points) {
    rp_buckets dims{};
    dims.windows = static_cast<std::uint32_t>(ell.cols >> window_bits);
    dims.window_bits = window_bits;
    dims.buckets = 1u << window_bits;
    dims.merged = 1;
    rows = rp_ell_to_csr(g, &ell);
    transposed = rp_csr_transpose(g, &rows);
    const rp_value shifted[] = {rp_slice(g, transposed.row_ptr, 1, transposed.rows),
                                rp_slice(g, transposed.row_ptr, transposed.rows, 1)};
    const rp_csr buckets = {rp_concat(g, shifted, 2), transposed.val, RP_NO_VALUE, transposed.rows,
                            rp_value_len(g, points)};
    const rp_value sums = rp_spmv_points(g, &buckets, points, RP_SPMV_BALANCED);
    result = rp_to_affine(g, rp_window_reduce(g, &dims, rp_bucket_reduce(g, &dims, sums)));
  }
};

// ---- 1. The worked example: n = 8 points, t = 4 threads, s = 3 bits -------------------------------------------------

constexpr std::uint32_t digits[8] = {4, 0, 7, 3, 0, 3, 4, 3};
constexpr std::uint32_t p_s = 8;

// An array of the example, and what it must be.
struct Shown {
  const char *name;
  rp_value value;
  std::vector<std::uint32_t> want;
  bool check(reprise::Run &run) const {
    const auto *x = static_cast<const std::uint32_t *>(run.output(value));
    const bool good = std::equal(want.begin(), want.end(), x);
    std::printf("  %-19s", name);
    for (std::size_t i = 0; i < want.size(); i++) std::printf(" %u", x[i]);
    std::printf("%s\n", good ? "" : "   WRONG");
    return good;
  }
};

bool worked_example(const reprise::Context &context, const reprise::Device &device) {
  reprise::Graph g(context, "worked_example");
  const auto numbers = [&](const char *name, const std::vector<std::uint32_t> &array) {
    return g.constant(name, RP_TYPE_U32, array.size(), reprise::Span(array)).get();
  };
  const auto points = multiples_of_generator(8);
  const auto bases = g.constant("points", *rp_type_affine(curve), 8, reprise::Span(points)).get();
  const auto scalars = g.input("scalars", RP_TYPE_U256, 8);
  reprise::Options<rp_scalars_to_ell_options> options;
  options.curve = curve;
  options.window_bits = 3;
  options.windows = 1;
  options.rows = 4;
  const rp_ell all = rp_scalars_to_ell(g.get(), scalars.get(), &options);
  // The digits as threads of the authors have them: thread i takes points i and i + 4, leaves out zero digits, and adds
  // points of equal digits before, here P_s = P3 + P7 (P4 + P8 where points are counted from 1).
  constexpr std::uint32_t none = UINT32_MAX;
  const rp_ell summed = {numbers("row_len", {1, 1, 2, 1}),
                         numbers("col", {4, none, 3, none, 7, 4, 3, none}),
                         numbers("val", {0, 0, 5, 0, 2, 6, p_s, 0}),
                         4,
                         8,
                         2};
  const rp_csr row = {numbers("p_s_row", {0, 2}), numbers("p_s_columns", {3, 7}), RP_NO_VALUE, 1, 8};
  const rp_value parts[] = {bases, rp_to_affine(g.get(), rp_spmv_points(g.get(), &row, bases, RP_SPMV_SCALAR))};
  const Steps s(g.get(), all, 3, bases), p(g.get(), summed, 3, rp_concat(g.get(), parts, 2));
  const Shown shown[] = {{"row_ptr", s.rows.row_ptr, {0, 1, 2, 4, 6}},
                         {"columns", s.rows.col, {4, 3, 7, 4, 3, 3}},
                         {"points", s.rows.val, {0, 5, 2, 6, 3, 7}},
                         {"transposed row_ptr", s.transposed.row_ptr, {0, 0, 0, 0, 3, 5, 5, 5, 6}},
                         {"transposed columns", s.transposed.col, {1, 3, 3, 0, 2, 2}},
                         {"transposed points", s.transposed.val, {5, 3, 7, 0, 6, 2}},
                         {"with P_s: row_ptr", p.rows.row_ptr, {0, 1, 2, 4, 5}},
                         {"columns", p.rows.col, {4, 3, 7, 4, 3}},
                         {"points", p.rows.val, {0, 5, 2, 6, p_s}},
                         {"transposed row_ptr", p.transposed.row_ptr, {0, 0, 0, 0, 2, 4, 4, 4, 5}},
                         {"transposed columns", p.transposed.col, {1, 3, 0, 2, 2}},
                         {"transposed points", p.transposed.val, {5, p_s, 0, 6, 2}}};
  int number = 0;
  for (const auto &array : shown)
    reprise::Value(g.get(), array.value).output(("array_" + std::to_string(number++)).c_str());
  reprise::Value(g.get(), s.result).output("result_0");
  reprise::Value(g.get(), p.result).output("result_1");

  const reprise::Recording recording(device, g);
  reprise::Run run(recording);
  std::array<Scalar, 8> given{};
  for (std::size_t i = 0; i < 8; i++) given[i][0] = static_cast<std::uint8_t>(digits[i]);
  run.set(scalars.get(), given);
  run.submit();
  run.wait();
  bool good = true;
  for (const auto &array : shown) good = array.check(run) && good;
  const Scalar times = {107}; // 3 B_3 + 4 B_4 + 7 B_7 = 107 G
  Point want;
  arithmetic().mul(want.data(), points[0].data(), times.data());
  for (const rp_value result : {s.result, p.result}) good = arithmetic().equal(run.output(result), want.data()) && good;
  std::printf("  results %s 107 G\n", good ? "are" : "ARE NOT");
  return good;
}

// ---- 2. Scalars of any distribution ---------------------------------------------------------------------------------

std::vector<Scalar> scalars_of(std::size_t n, int spread) {
  std::vector<Scalar> made(n);
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < n; i++) {
    Scalar &s = made[i];
    for (auto &byte : s)
      byte = static_cast<std::uint8_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    s[31] &= 0x1f; // below the order
    if (spread == 1) s = made[0];
    if (spread == 2) s = {static_cast<std::uint8_t>(s[0] & 1)};
    if (spread == 3) std::copy(made[i % 48].begin() + 2, made[i % 48].end(), s.begin() + 2);
  }
  return made;
}

// A product that is recorded once and replayed: in steps, or rp_msm.
class Way {
public:
  Way(const reprise::Context &context, const reprise::Device &device, const std::vector<Point> &points,
      std::uint32_t window_bits)
      : graph(context, window_bits ? "sparse_msm" : "msm"),
        scalars(graph.input("scalars", RP_TYPE_U256, points.size(), RP_SECRET)),
        result(product(points, window_bits).output("q")), recording(device, graph) {}

  // The best time of several replays.
  std::uint64_t replay(const std::vector<Scalar> &given, Point &sum) {
    auto best = UINT64_MAX;
    for (int again = 0; again < 3; again++) {
      reprise::Run run(recording);
      run.set(scalars.get(), given);
      run.submit();
      run.wait();
      std::copy_n(static_cast<const std::uint8_t *>(run.output(result.get())), sum.size(), sum.begin());
      best = std::min(best, run.counters().latency_ns);
    }
    return best;
  }

private:
  reprise::Value product(const std::vector<Point> &points, std::uint32_t window_bits) {
    const auto bases =
        graph.constant("points", *rp_type_affine(curve), points.size(), reprise::Span(points), RP_BORROW);
    if (!window_bits) return reprise::to_affine(reprise::msm(scalars, bases));
    reprise::Options<rp_scalars_to_ell_options> options;
    options.curve = curve;
    options.window_bits = window_bits;
    const rp_ell ell = rp_scalars_to_ell(graph.get(), scalars.get(), &options);
    return {graph.get(), Steps(graph.get(), ell, window_bits, bases.get()).result};
  }

  reprise::Graph graph;
  reprise::Value scalars, result;
  reprise::Recording recording;
};

// One recording of each way, replayed for each distribution; the last one, uniform scalars again, gives the result.
bool distributions(const reprise::Context &context, const reprise::Device &device, const std::vector<Point> &points,
                   std::uint32_t window_bits, Point &result) {
  static const char *const spreads[] = {"uniform", "equal", "0 and 1", "clustered"};
  Way steps(context, device, points, window_bits), msm(context, device, points, 0);
  std::printf("  %-10s %12s %12s\n", "", "in steps", "rp_msm");
  bool good = true;
  for (int i = 0; i < 5; i++) {
    const auto given = scalars_of(points.size(), i % 4);
    Point other{};
    const auto steps_ns = steps.replay(given, result), msm_ns = msm.replay(given, other);
    good = good && result == other;
    if (i < 4)
      std::printf("  %-10s %9.3f ms %9.3f ms  %s\n", spreads[i], static_cast<double>(steps_ns) / 1e6,
                  static_cast<double>(msm_ns) / 1e6, good ? "equal" : "DIFFERENT");
  }
  return good;
}

// ---- 3. A key larger than the budget, 4. several devices ------------------------------------------------------------

bool streaming(const reprise::Device &device, const std::vector<Point> &points, const std::vector<Scalar> &scalars,
               const Point &want, std::uint32_t in_flight) {
  reprise::Options<rp_msm_stream_options> options;
  options.in_flight = in_flight;
  options.memory_budget_bytes = points.size() * sizeof(Point) / 2;
  rp_msm_stream *made = nullptr;
  reprise::checked(rp_msm_stream_create, device.get(), curve, points.size(), &options, &made);
  const reprise::Handle<rp_msm_stream, rp_msm_stream_destroy> stream(made);
  auto info = reprise::info<rp_msm_stream_info>();
  rp_msm_stream_get_info(stream.get(), &info);
  Point result{};
  rp_msm_job job{};
  job.stream = stream.get();
  job.scalars = scalars.data();
  job.points = points.data();
  job.n = points.size();
  job.result = result.data();
  auto counters = reprise::info<rp_msm_job_counters>();
  reprise::checked(rp_msm_stream_run, &job, 1, &counters);
  std::printf(
      "  %u in flight: key %.2f MiB, device memory %.2f MiB: %llu chunks, %llu of them beside another; %.3f ms; %s\n",
      in_flight, static_cast<double>(info.key_bytes) / 1048576, static_cast<double>(info.device_bytes) / 1048576,
      static_cast<unsigned long long>(counters.chunks), static_cast<unsigned long long>(counters.overlapped),
      static_cast<double>(counters.elapsed_ns) / 1e6, result == want ? "equal" : "DIFFERENT");
  return result == want;
}

bool several_devices(const reprise::Context &context, const std::vector<Point> &points,
                     const std::vector<Scalar> &scalars, const Point &want) {
  const auto options = reprise::DeviceOptions().kind(RP_DEVICE_CPU).cpu_threads(1);
  const reprise::Device first(context, options), second(context, options);
  rp_device *devices[] = {first.get(), second.get()};
  rp_msm_group *made = nullptr;
  reprise::checked(rp_msm_group_create, devices, 2, curve, points.data(), points.size(), nullptr, &made);
  const reprise::Handle<rp_msm_group, rp_msm_group_destroy> group(made);
  Point result{};
  reprise::checked(rp_msm_group_run, group.get(), scalars.data(), result.data());
  std::printf("  %u and %u windows; %s\n", rp_msm_group_windows(group.get(), 0), rp_msm_group_windows(group.get(), 1),
              result == want ? "equal" : "DIFFERENT");
  return result == want;
}

} // namespace

int main(int argc, char **argv) try {
  const int log_n = argc > 1 ? std::atoi(argv[1]) : 18;
  if (log_n < 14 || log_n > 22) return std::fprintf(stderr, "usage: msm_sparse [log_n, 14 to 22]\n"), 2;
  const auto points = multiples_of_generator(std::size_t{1} << log_n);
  const reprise::Context context;
  const reprise::Device device(context);
  std::printf("worked example:\n");
  bool good = worked_example(context, device);
  std::printf("2^%d points, best of three replays:\n", log_n);
  Point result{};
  const int window_bits = log_n + 2 - log_n / 3; // cuZK's rule
  good = good && distributions(context, device, points, static_cast<std::uint32_t>(window_bits), result);
  const auto scalars = scalars_of(points.size(), 0);
  std::printf("streamed, with a budget of half the key:\n");
  for (const std::uint32_t in_flight : {1u, 2u}) good = good && streaming(device, points, scalars, result, in_flight);
  std::printf("over two CPU devices:\n");
  good = good && several_devices(context, points, scalars, result);
  std::printf("%s\n", good ? "all agree" : "FAILED");
  return !good;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
