// SPDX-License-Identifier: Apache-2.0 OR MIT
// Multi-scalar multiplication as sparse-matrix algebra: msm_sparse [log_n].
//  1. The worked example of cuZK: digits in ELL, CSR by a prefix sum, the transpose, bucket sums, the result.
//  2. The same product for uniform, equal, 0/1 and clustered scalars: one recording, four replays.
//  3. The same with a budget of half the key: chunks are brought up while others are computed.
//  4. The same over two CPU devices that share the windows.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <reprise/msm.h>
#include <reprise/reprise.hpp>

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

// ---- 1. The worked example: n = 8 points, t = 4 threads, s = 3 bits -------------------------------------------------

constexpr std::uint32_t digits[8] = {4, 0, 7, 3, 0, 3, 4, 3};

// Thread i takes the points i + 1 and i + 5; zero digits are left out, equal ones in one row are summed first: 9 is the
// name of P_s = P4 + P8.
struct Scattered {
  std::uint32_t row_len[4] = {}, col[8], name[8] = {};
  Scattered() {
    std::fill_n(col, 8, UINT32_MAX);
    for (std::uint32_t i = 0; i < 4; i++)
      for (std::uint32_t k = 0; k < 2; k++) {
        const std::uint32_t digit = digits[i + 4 * k], next = 2 * i + row_len[i];
        if (row_len[i] && col[next - 1] == digit) {
          name[next - 1] = 9;
        } else if (digit) {
          col[next] = digit;
          name[next] = i + 4 * k + 1;
          row_len[i]++;
        }
      }
  }
};

void print(const char *name, const std::uint32_t *x, int n) {
  std::printf("  %-19s", name);
  for (int i = 0; i < n; i++) x[i] == UINT32_MAX ? std::printf(" -") : std::printf(" %u", x[i]);
  std::printf("\n");
}

bool worked_example(const reprise::Context &context, const reprise::Device &device) {
  const Scattered scattered;
  reprise::Graph g(context, "worked_example");
  const auto numbers = [&](const char *name, const auto &array) {
    return g.constant(name, RP_TYPE_U32, std::size(array), reprise::Span(array)).get();
  };
  const rp_ell ell = {
      numbers("row_len", scattered.row_len), numbers("col", scattered.col), numbers("val", scattered.name), 4, 8, 2};
  const rp_csr csr = rp_ell_to_csr(g.get(), &ell), t = rp_csr_transpose(g.get(), &csr);
  const struct {
    const char *name;
    rp_value value;
    int shown;
  } shown[] = {{"row_ptr", csr.row_ptr, 5},          {"columns", csr.col, 5},          {"names", csr.val, 5},
               {"transposed row_ptr", t.row_ptr, 9}, {"transposed columns", t.col, 5}, {"transposed names", t.val, 5}};
  for (const auto &output : shown) reprise::Value(g.get(), output.value).output(output.name);

  // Row b of the transpose names the points with digit b: its product with the vector of ones gives the bucket sums.
  // Here they come from the bucket matrix, as in the products below.
  const auto scalars = g.input("scalars", RP_TYPE_U256, 8);
  reprise::Options<rp_bucket_options> options;
  options.curve = curve;
  options.window_bits = 4;
  const auto points = multiples_of_generator(8);
  const auto bases = g.constant("points", *rp_type_affine(curve), 8, reprise::Span(points));
  const rp_buckets b = rp_bucket_matrix(g.get(), scalars.get(), &options);
  const rp_value windows = rp_bucket_reduce(g.get(), &b, rp_bucket_accumulate(g.get(), &b, bases.get()));
  const auto q = reprise::to_affine({g.get(), rp_window_reduce(g.get(), &b, windows)}).output("q");

  const reprise::Recording recording(device, g);
  reprise::Run run(recording);
  std::array<Scalar, 8> given{};
  for (std::size_t i = 0; i < 8; i++) given[i][0] = static_cast<std::uint8_t>(digits[i]);
  run.set(scalars.get(), given);
  run.submit();
  run.wait();
  for (const auto &output : shown)
    print(output.name, static_cast<const std::uint32_t *>(run.output(output.value)), output.shown);
  const Scalar times = {107}; // 3 B_3 + 4 B_4 + 7 B_7 = 107 G
  Point want;
  arithmetic().mul(want.data(), points[0].data(), times.data());
  const bool good = arithmetic().equal(run.output(q.get()), want.data()) != 0;
  std::printf("  result %s 107 G\n", good ? "is" : "IS NOT");
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

// One recording, replayed for each distribution; the last one, uniform scalars again, gives the result.
Point distributions(const reprise::Context &context, const reprise::Device &device, const std::vector<Point> &points) {
  static const char *const spreads[] = {"uniform", "equal", "0 and 1", "clustered"};
  reprise::Graph g(context, "msm");
  const auto scalars = g.input("scalars", RP_TYPE_U256, points.size(), RP_SECRET);
  const auto bases = g.constant("points", *rp_type_affine(curve), points.size(), reprise::Span(points), RP_BORROW);
  const auto q = reprise::to_affine(reprise::msm(scalars, bases)).output("q");
  const reprise::Recording recording(device, g);
  Point result{};
  for (int i = 0; i < 5; i++) {
    const auto given = scalars_of(points.size(), i % 4);
    auto best = UINT64_MAX;
    for (int again = 0; again < 5; again++) {
      reprise::Run run(recording);
      run.set(scalars.get(), given);
      run.submit();
      run.wait();
      std::copy_n(static_cast<const std::uint8_t *>(run.output(q.get())), result.size(), result.begin());
      best = std::min(best, run.counters().latency_ns);
    }
    if (i < 4) std::printf("  %-10s %9.3f ms\n", spreads[i], static_cast<double>(best) / 1e6);
  }
  return result;
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
  const int log_n = argc > 1 ? std::atoi(argv[1]) : 16;
  if (log_n < 14 || log_n > 22) return std::fprintf(stderr, "usage: msm_sparse [log_n, 14 to 22]\n"), 2;
  const auto points = multiples_of_generator(std::size_t{1} << log_n);
  const reprise::Context context;
  const reprise::Device device(context);
  std::printf("worked example:\n");
  bool good = worked_example(context, device);
  std::printf("2^%d points, best of five replays:\n", log_n);
  const Point result = distributions(context, device, points);
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
