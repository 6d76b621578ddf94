// SPDX-License-Identifier: Apache-2.0 OR MIT
// Batched inversion: batch_inverse [largest_log_n]. For sizes up to 2^largest_log_n it inverts elements of BN254 Fr one
// by one, in one chain on the host, and in blocks on the device (recorded once and replayed; in one call that records
// as well), checks that all give the same bytes, and prints the times: what the routing table of a device is made
// from.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <reprise/inverse.h>
#include <reprise/reprise.hpp>

namespace {

using Bytes = std::vector<std::uint8_t>;
using Inverter = reprise::Handle<rp_inverter, rp_inverter_destroy>;
using Clock = std::chrono::steady_clock;
constexpr std::size_t element_bytes = 32;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

// Median time of a route in microseconds. With `once`, recording is timed too.
double measure(const reprise::Device &device, rp_inverse_route route, bool once, const Bytes &x, Bytes &out) {
  const std::uint64_t n = x.size() / element_bytes;
  reprise::Options<rp_batch_inv_options> options;
  options.route = route;
  Inverter inverter;
  const auto begin = Clock::now();
  if (!once) {
    rp_inverter *made = nullptr;
    reprise::checked(rp_inverter_create, device.get(), RP_FIELD_BN254_FR, n, &options, &made);
    inverter = Inverter(made);
  }
  std::vector<double> times;
  while (times.size() < 15 && (times.size() < 3 || microseconds_since(begin) < 3e5)) {
    const auto start = Clock::now();
    if (once)
      reprise::checked(rp_batch_inv, device.get(), RP_FIELD_BN254_FR, x.data(), out.data(), n, &options);
    else
      reprise::checked(rp_inverter_run, inverter.get(), x.data(), out.data(), nullptr);
    times.push_back(microseconds_since(start));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

Bytes random_elements(std::uint64_t n) {
  Bytes x(n * element_bytes);
  std::uint64_t state = n;
  for (std::size_t i = 0; i < n; i++) {
    std::uint8_t wide[48];
    for (auto &byte : wide)
      byte = static_cast<std::uint8_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    rp_field_get(RP_FIELD_BN254_FR)->from_bytes_reduce(&x[i * element_bytes], wide, sizeof wide);
  }
  return x;
}

bool one_size(const reprise::Device &device, std::uint64_t n) {
  const Bytes x = random_elements(n);
  Bytes want(x.size()), out(x.size());
  std::printf("%9llu", static_cast<unsigned long long>(n));
  std::printf(" %12.1f", measure(device, RP_INVERSE_ROUTE_ELEMENTS, false, x, want));
  bool good = true;
  for (const auto &[route, once] : {std::pair(RP_INVERSE_ROUTE_CHAIN, false), std::pair(RP_INVERSE_ROUTE_DEVICE, false),
                                    std::pair(RP_INVERSE_ROUTE_DEVICE, true)}) {
    if (!good) break;
    const double us = measure(device, route, once, x, out);
    good = out == want;
    if (good) std::printf(" %12.1f", us);
  }
  std::printf("%s\n", good ? "" : "  DIFFERENT");
  return good;
}

} // namespace

int main(int argc, char **argv) try {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 18;
  if (largest < 0 || largest > 24) return std::fprintf(stderr, "usage: batch_inverse [largest_log_n, 0 to 24]\n"), 2;
  const reprise::Context context;
  const reprise::Device device(context);
  const auto info = device.information();
  const rp_inverse_table table = rp_batch_inv_table(info.kind);
  std::printf("%s: one chain from %llu elements on, the device from %llu, %llu with recording; microseconds:\n",
              info.name, static_cast<unsigned long long>(table.chain), static_cast<unsigned long long>(table.device),
              static_cast<unsigned long long>(table.device_once));
  std::printf("        n   one by one    one chain       replay       record and run\n");
  bool good = true;
  for (int log_n = 0; log_n <= largest && good; log_n++) good = one_size(device, std::uint64_t{1} << log_n);
  if (good) std::printf("all routes give the same bytes\n");
  return !good;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
