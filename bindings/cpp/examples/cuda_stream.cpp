// SPDX-License-Identifier: Apache-2.0 OR MIT
// A program with a CUDA context and a stream of its own. The stream fills a buffer, a recording doubles it, and the
// stream copies the result to the host: the run waits for what the stream has been given, and what it is given next
// waits for the run. The host waits once, for the stream. Prints 6 6 6 6 (every 32-bit half of an element was filled
// with 3).

#include <cstdio>
#include <cuda.h>
#include <reprise/reprise.hpp>

namespace {

constexpr std::size_t n = 1024, bytes = 8 * n;

void must(CUresult result) {
  if (result != CUDA_SUCCESS) throw std::runtime_error("a call of CUDA failed");
}

class Cuda {
public:
  Cuda() {
    must(cuDeviceGet(&device_, 0));
    must(cuDevicePrimaryCtxRetain(&context, device_));
    try {
      must(cuCtxSetCurrent(context));
      must(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
      must(cuMemAlloc(&memory, 2 * bytes));
      must(cuMemAllocHost(reinterpret_cast<void **>(&result), bytes));
    } catch (...) {
      close();
      throw;
    }
  }
  ~Cuda() { close(); }
  Cuda(const Cuda &) = delete;
  Cuda &operator=(const Cuda &) = delete;

  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr memory = 0;
  std::uint32_t *result = nullptr; // pinned

private:
  void close() {
    if (result) cuMemFreeHost(result);
    if (memory) cuMemFree(memory);
    if (stream) cuStreamDestroy(stream);
    cuDevicePrimaryCtxRelease(device_);
  }
  CUdevice device_ = 0;
};

} // namespace

int main() try {
  if (cuInit(0) != CUDA_SUCCESS) return std::fprintf(stderr, "SKIP: no CUDA device\n"), 77;
  const Cuda cuda;
  const reprise::Context context;
  const auto device =
      reprise::Device::open_for(context, reprise::DeviceOptions().kind(RP_DEVICE_CUDA).native({cuda.context}));
  reprise::Graph g(context, "double");
  const auto in = g.input("in", *rp_type_field(RP_FIELD_GOLDILOCKS), n, RP_RESIDENT);
  const auto out = (in + in).output("out", RP_RESIDENT);
  const reprise::Recording recording(device, g);

  // One half of the buffer is the run's input and the other its output, which kernels access where they are.
  const auto buffer = reprise::Buffer::wrap(device, reinterpret_cast<void *>(cuda.memory), 2 * bytes);
  const rp_sync stream[] = {{RP_SYNC_CUDA_STREAM, cuda.stream, 0}};
  reprise::Run run(recording);
  run.bind_input(in.get(), buffer);
  run.bind_output(out.get(), buffer, bytes);
  must(cuMemsetD32Async(cuda.memory, 3, bytes / 4, cuda.stream));
  run.submit(reprise::SubmitOptions().waits(stream).signals(stream));
  must(cuMemcpyDtoHAsync(cuda.result, cuda.memory + bytes, bytes, cuda.stream));
  must(cuStreamSynchronize(cuda.stream));
  run.wait(0); // it is finished, since the stream is
  std::printf("%u %u %u %u\n", cuda.result[0], cuda.result[1], cuda.result[2], cuda.result[2 * n - 1]);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
