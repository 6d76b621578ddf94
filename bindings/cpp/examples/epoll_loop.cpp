// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs in a program that waits in epoll: a recording has two run slots, and an eventfd tells when a run is finished,
// beside a timer that stands for whatever else the program does. Prints the squares of 1 + i x for i from 1 to 6. With
// asio, watch the eventfd by a posix::stream_descriptor.

#include <cstdio>
#include <deque>
#include <optional>
#include <reprise/reprise.hpp>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace {

constexpr int most_runs = 6;

class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {
    if (fd < 0) throw std::runtime_error("the loop could not be set up");
  }
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return fd_; }

private:
  int fd_;
};

struct Program {
  reprise::Context context;
  reprise::Device device{context};
  reprise::Graph g{context, "square"};
  reprise::Value x = g.input("x", RP_TYPE_U256, 4), square = build();
  reprise::Recording recording{device, g, reprise::RecordOptions().max_in_flight(2)};
  Descriptor done{eventfd(0, EFD_CLOEXEC)};     // outlives the runs that write to it
  std::deque<std::optional<reprise::Run>> runs; // empty: taken
  int finished = 0;

  reprise::Value build() {
    const auto roots = reprise::NttOptions().root(RP_ROOT_SNARKJS);
    const auto values = reprise::ntt(x.from_canonical(RP_FIELD_BN254_FR), roots);
    return reprise::ntt(values * values, reprise::NttOptions(roots).inverse()).to_canonical().output("square");
  }

  // Submits as many runs as there are slots. The eventfd counts those that are finished.
  void submit() {
    while (runs.size() < most_runs) {
      reprise::Error error;
      reprise::Run run(recording, 0, &error);
      if (error.status() == RP_ERR_BUSY) return;
      if (error) throw reprise::Exception(error);
      const std::uint8_t polynomial[4][32] = {{1}, {static_cast<std::uint8_t>(runs.size() + 1)}};
      run.set(x.get(), polynomial);
      run.submit(reprise::SubmitOptions().done_fd(done.get()));
      runs.emplace_back(std::move(run));
    }
  }

  // Takes what is finished.
  void take() {
    for (std::size_t i = 0; i < runs.size(); i++) {
      if (!runs[i] || runs[i]->poll() == RP_ERR_TIMEOUT) continue;
      runs[i]->wait(); // throws how it failed
      const auto *c = static_cast<const std::uint8_t *>(runs[i]->output(square.get()));
      std::printf("(1 + %zu x)^2 = %d + %d x + %d x^2\n", i + 1, c[0], c[32], c[64]);
      runs[i].reset();
      finished++;
    }
  }
};

void watch(const Descriptor &epoll, int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  if (epoll_ctl(epoll.get(), EPOLL_CTL_ADD, fd, &event) != 0) throw std::runtime_error("the loop could not be set up");
}

} // namespace

int main() try {
  Program program;
  const Descriptor epoll(epoll_create1(EPOLL_CLOEXEC)), timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  const itimerspec often = {{0, 1000000}, {0, 1000000}};
  if (timerfd_settime(timer.get(), 0, &often, nullptr) != 0) throw std::runtime_error("the loop could not be set up");
  watch(epoll, program.done.get());
  watch(epoll, timer.get());
  program.submit();
  while (program.finished < most_runs) {
    epoll_event event{};
    std::uint64_t count = 0;
    if (epoll_wait(epoll.get(), &event, 1, -1) != 1 || read(event.data.fd, &count, sizeof count) != sizeof count)
      continue;
    if (event.data.fd != program.done.get()) continue; // the timer: something else that the program does
    program.take();
    program.submit();
  }
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
