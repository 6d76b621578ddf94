// SPDX-License-Identifier: Apache-2.0 OR MIT
// Two programs that share memory: one has a polynomial, the other squares it, and nothing is copied between them. The
// first one knows nothing of the library: it sends a descriptor of its memory through a socket, and gets one of the
// result, which it maps. With a GPU device, descriptors are those of the driver (rp_share_kind), and the rest is the
// same.

#include <cstdio>
#include <cstring>
#include <reprise/reprise.hpp>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr std::size_t n = 8, bytes = 32 * n;

class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {
    if (fd < 0) throw std::runtime_error("no descriptor");
  }
  Descriptor(Descriptor &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

private:
  int fd_;
};

// ---- Descriptors through a socket -----------------------------------------------------------------------------------

class Message {
public:
  explicit Message(rp_shared_memory &memory) : data_{&memory, sizeof memory} {
    head_.msg_iov = &data_;
    head_.msg_iovlen = 1;
    head_.msg_control = control_;
    head_.msg_controllen = sizeof control_;
  }
  msghdr *get() { return &head_; }
  cmsghdr *descriptor() { return CMSG_FIRSTHDR(&head_); }

private:
  alignas(cmsghdr) char control_[CMSG_SPACE(sizeof(int))]{};
  iovec data_;
  msghdr head_{};
};

void send_memory(const Descriptor &socket, rp_shared_memory memory) {
  Message message(memory);
  cmsghdr &c = *message.descriptor();
  c.cmsg_level = SOL_SOCKET;
  c.cmsg_type = SCM_RIGHTS;
  c.cmsg_len = CMSG_LEN(sizeof memory.fd);
  std::memcpy(CMSG_DATA(&c), &memory.fd, sizeof memory.fd);
  if (sendmsg(socket.get(), message.get(), MSG_NOSIGNAL) != sizeof memory)
    throw std::runtime_error("the memory could not be sent");
}

Descriptor receive_memory(const Descriptor &socket, rp_shared_memory &memory) {
  Message message(memory);
  if (recvmsg(socket.get(), message.get(), MSG_CMSG_CLOEXEC) != sizeof memory || !message.descriptor())
    throw std::runtime_error("no memory was sent");
  std::memcpy(&memory.fd, CMSG_DATA(message.descriptor()), sizeof memory.fd);
  return Descriptor(memory.fd);
}

// ---- The program with the library -----------------------------------------------------------------------------------

// Squares the polynomial that comes through the socket, and sends the result. Kernels read and write the shared memory
// itself.
void serve(const Descriptor &socket) {
  const reprise::Context context;
  const reprise::Device device(context, reprise::DeviceOptions().kind(RP_DEVICE_CPU));
  reprise::Graph g(context, "square");
  const auto roots = reprise::NttOptions().root(RP_ROOT_SNARKJS);
  const auto x = g.input("x", RP_TYPE_U256, n, RP_RESIDENT);
  const auto values = reprise::ntt(x.from_canonical(RP_FIELD_BN254_FR), roots);
  const auto y = reprise::ntt(values * values, reprise::NttOptions(roots).inverse()).to_canonical();
  y.output("y", RP_RESIDENT);
  const reprise::Recording recording(device, g);

  rp_shared_memory theirs, ours{};
  const Descriptor of_theirs = receive_memory(socket, theirs);
  const auto in = reprise::Buffer::import_shared(device, theirs);
  const auto out = reprise::Buffer::create_shared(device, bytes, ours);
  const Descriptor of_ours(ours.fd);
  reprise::Run run(recording);
  run.bind_input(x.get(), in);
  run.bind_output(y.get(), out);
  run.submit();
  run.wait();
  send_memory(socket, ours);
}

// ---- The program without it -----------------------------------------------------------------------------------------

using Elements = std::uint8_t (*)[32];

Elements map(const Descriptor &memory, int protection) {
  void *const at = mmap(nullptr, bytes, protection, MAP_SHARED, memory.get(), 0);
  if (at == MAP_FAILED) throw std::runtime_error("the memory could not be mapped");
  return static_cast<Elements>(at);
}

void ask(const Descriptor &socket) {
  const Descriptor mine(memfd_create("polynomial", MFD_CLOEXEC));
  if (ftruncate(mine.get(), bytes) != 0) throw std::runtime_error("no memory");
  const Elements x = map(mine, PROT_READ | PROT_WRITE);
  for (std::uint8_t i = 0; i < 3; i++) x[i][0] = static_cast<std::uint8_t>(i + 1); // 1 + 2 X + 3 X^2
  auto memory = reprise::info<rp_shared_memory>();
  memory.kind = RP_SHARE_MAPPED;
  memory.fd = mine.get();
  memory.memory_bytes = memory.size_bytes = bytes;
  send_memory(socket, memory);
  rp_shared_memory result;
  const Descriptor of_result = receive_memory(socket, result);
  const Elements y = map(of_result, PROT_READ);
  for (std::size_t i = 0; i < n; i++) std::printf("%d%c", y[i][0], i == n - 1 ? '\n' : ' ');
}

// The exit code of a program.
int run(void (*program)(const Descriptor &), const Descriptor &socket) try {
  program(socket);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

} // namespace

int main() {
  int ends[2], status = 1;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return 1;
  const pid_t other = fork();
  if (other == 0) {
    close(ends[0]);
    _exit(run(serve, Descriptor(ends[1])));
  }
  close(ends[1]);
  const int failed = other > 0 ? run(ask, Descriptor(ends[0])) : 1;
  if (other > 0) waitpid(other, &status, 0);
  return failed || status != 0;
}
