// SPDX-License-Identifier: Apache-2.0 OR MIT
// Proofs in a program that must not wait: event_loop circuit.zkey a.wtns b.wtns ... submits as many as the prover
// takes, and its loop is woken through a pipe when one is finished. With libuv or asio, a message to the loop takes the
// place of the pipe.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <reprise/reprise.hpp>
#include <unistd.h>

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe(ends)) throw std::runtime_error("the pipe cannot be created");
  }
  ~Pipe() { close(ends[0]), close(ends[1]); }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
};

struct Job {
  std::vector<std::uint8_t> witness; // unchanged until the task is finished
  std::unique_ptr<reprise::groth16::Task> task;
};

static std::vector<Job> read_jobs(char **paths, int n) {
  std::vector<Job> jobs(static_cast<std::size_t>(n));
  for (Job &job : jobs) {
    std::ifstream file(*paths, std::ios::binary);
    if (!file) throw std::runtime_error(std::string(*paths) + ": cannot be read");
    job.witness.assign(std::istreambuf_iterator<char>(file), {});
    paths++;
  }
  return jobs;
}

int main(int argc, char **argv) try {
  if (argc < 3) return std::fprintf(stderr, "usage: event_loop circuit.zkey witness.wtns ...\n"), 2;
  const reprise::Context context;
  const reprise::Device device(context);
  const auto options = reprise::groth16::ProverOptions().max_in_flight(2);
  const reprise::groth16::Prover prover(device, reprise::groth16::Key(context, argv[1]), options);
  const Pipe wake; // outlives the jobs, whose callbacks write to it
  std::vector<Job> jobs = read_jobs(argv + 2, argc - 2);
  std::size_t begun = 0;
  bool failed = false;
  for (std::size_t finished = 0; finished < jobs.size(); finished++) {
    for (; begun < jobs.size(); begun++) { // as many as the prover takes
      reprise::Error error;
      // Called by a thread of the prover; only sends the number of the job.
      const auto tell = [fd = wake.ends[1], i = begun] { (void)!write(fd, &i, sizeof i); };
      auto task = std::make_unique<reprise::groth16::Task>(prover, jobs[begun].witness, tell, 0, &error);
      if (error.status() == RP_ERR_BUSY) break;
      if (error) throw reprise::Exception(error);
      jobs[begun].task = std::move(task);
    }
    pollfd events[] = {{wake.ends[0], POLLIN, 0}}; // and whatever else the program waits for
    std::size_t i = 0;
    if (poll(events, 1, -1) < 0 || read(wake.ends[0], &i, sizeof i) != sizeof i)
      throw std::runtime_error("interrupted");
    reprise::Error error;
    jobs[i].task->result(&error);
    std::puts(error ? error.reason() : "proved and verified");
    jobs[i].task.reset();
    failed = failed || error;
  }
  return failed;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
