// SPDX-License-Identifier: Apache-2.0 OR MIT
// A program with a VkDevice of its own. Its queue fills a buffer, a recording doubles it, and the queue copies the
// result to memory that the host sees: three pieces of work that wait for each other by one timeline semaphore, and one
// wait of the host at the end. Prints 6 6 6 6 (every 32-bit half of an element was filled with 3).

#include <cstdio>
#include <mutex>
#include <reprise/reprise.hpp>
#include <vulkan/vulkan.h>

namespace {

constexpr std::size_t n = 1024, bytes = 8 * n;

class Missing : public std::runtime_error { // the machine's Vulkan does not do it
  using std::runtime_error::runtime_error;
};

void must(VkResult result, const char *what) {
  if (result != VK_SUCCESS) throw Missing(std::string("this machine's Vulkan does not do ") + what);
}

template <class T> T made(VkStructureType type) {
  T info{};
  info.sType = type;
  return info;
}

// The features that the library needs: the program enables them, and passes this struct on to the library.
VkPhysicalDeviceVulkan12Features needed_features() {
  auto features = made<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  features.storageBuffer8BitAccess = features.shaderInt8 = VK_TRUE;
  features.timelineSemaphore = features.bufferDeviceAddress = VK_TRUE;
  return features;
}

struct Program {
  Program() {
    try {
      open_device();
      make_buffer(0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
      make_buffer(1, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
      void *mapped = nullptr;
      must(vkMapMemory(device, memory[1], 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
      result = static_cast<const std::uint32_t *>(mapped);
      record_commands();
    } catch (...) {
      close();
      throw;
    }
  }
  ~Program() { close(); }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  // The program's own work: waits for `from`, then sets the semaphore to `to`.
  void submit(VkCommandBuffer commands, std::uint64_t from, std::uint64_t to) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    auto values = made<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
    values.pWaitSemaphoreValues = &from;
    values.pSignalSemaphoreValues = &to;
    auto info = made<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.pNext = &values;
    info.waitSemaphoreCount = info.commandBufferCount = info.signalSemaphoreCount = 1;
    info.pWaitSemaphores = info.pSignalSemaphores = &timeline;
    info.pWaitDstStageMask = &stage;
    info.pCommandBuffers = &commands;
    const std::lock_guard<std::mutex> locked(queue_lock);
    must(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  }
  void wait_for(std::uint64_t value) {
    auto info = made<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &timeline;
    info.pValues = &value;
    must(vkWaitSemaphores(device, &info, UINT64_MAX), "vkWaitSemaphores");
  }

  VkPhysicalDeviceVulkan12Features features = needed_features();
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice adapter = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::mutex queue_lock; // held while the queue is used, by the library too
  std::uint32_t family = 0;
  VkSemaphore timeline = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer fill = VK_NULL_HANDLE, copy = VK_NULL_HANDLE;
  VkBuffer buffers[2] = {}; // on the device: the recording's input and output; seen by the host
  VkDeviceMemory memory[2] = {};
  const std::uint32_t *result = nullptr;

private:
  void open_device() {
    auto application = made<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_2;
    auto info = made<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pApplicationInfo = &application;
    must(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
    std::uint32_t one = 1;
    const VkResult listed = vkEnumeratePhysicalDevices(instance, &one, &adapter);
    if ((listed != VK_SUCCESS && listed != VK_INCOMPLETE) || one == 0) throw Missing("no Vulkan device");
    find_family();
    const float priority = 1;
    auto queue_info = made<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue_info.queueFamilyIndex = family;
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    auto device_info = made<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    device_info.pNext = &features;
    device_info.queueCreateInfoCount = 1;
    device_info.pQueueCreateInfos = &queue_info;
    must(vkCreateDevice(adapter, &device_info, nullptr, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, family, 0, &queue);
    auto type = made<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto semaphore = made<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    semaphore.pNext = &type;
    must(vkCreateSemaphore(device, &semaphore, nullptr, &timeline), "vkCreateSemaphore");
  }

  void find_family() {
    VkQueueFamilyProperties families[16];
    std::uint32_t found = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(adapter, &found, families);
    while (family < found && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) family++;
    if (family == found) throw Missing("no Vulkan device that computes");
  }

  void make_buffer(int i, VkMemoryPropertyFlags wanted) {
    auto info = made<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = i == 0 ? 2 * bytes : bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    must(vkCreateBuffer(device, &info, nullptr, &buffers[i]), "vkCreateBuffer");
    VkMemoryRequirements needs;
    VkPhysicalDeviceMemoryProperties types;
    vkGetBufferMemoryRequirements(device, buffers[i], &needs);
    vkGetPhysicalDeviceMemoryProperties(adapter, &types);
    std::uint32_t type = 0;
    while (type + 1 < types.memoryTypeCount &&
           (!(needs.memoryTypeBits >> type & 1) || (types.memoryTypes[type].propertyFlags & wanted) != wanted))
      type++;
    auto flags = made<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    auto allocate = made<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.pNext = &flags;
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = type;
    must(vkAllocateMemory(device, &allocate, nullptr, &memory[i]), "vkAllocateMemory");
    must(vkBindBufferMemory(device, buffers[i], memory[i], 0), "vkBindBufferMemory");
  }

  void record_commands() {
    auto info = made<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    info.queueFamilyIndex = family;
    must(vkCreateCommandPool(device, &info, nullptr, &pool), "vkCreateCommandPool");
    auto allocate = made<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    allocate.commandPool = pool;
    allocate.commandBufferCount = 2;
    VkCommandBuffer both[2];
    must(vkAllocateCommandBuffers(device, &allocate, both), "vkAllocateCommandBuffers");
    fill = both[0];
    copy = both[1];
    const auto begin = made<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    const VkBufferCopy all = {bytes, 0, bytes};
    must(vkBeginCommandBuffer(fill, &begin), "vkBeginCommandBuffer");
    vkCmdFillBuffer(fill, buffers[0], 0, bytes, 3);
    must(vkEndCommandBuffer(fill), "vkEndCommandBuffer");
    must(vkBeginCommandBuffer(copy, &begin), "vkBeginCommandBuffer");
    vkCmdCopyBuffer(copy, buffers[0], buffers[1], 1, &all);
    auto to_host = made<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    to_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(copy, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, nullptr,
                         0, nullptr);
    must(vkEndCommandBuffer(copy), "vkEndCommandBuffer");
  }

  void close() {
    for (int i = 0; i < 2 && device; i++) {
      vkDestroyBuffer(device, buffers[i], nullptr);
      vkFreeMemory(device, memory[i], nullptr);
    }
    if (device) {
      vkDestroyCommandPool(device, pool, nullptr);
      vkDestroySemaphore(device, timeline, nullptr);
      vkDestroyDevice(device, nullptr);
    }
    if (instance) vkDestroyInstance(instance, nullptr);
  }
};

void compute(Program &p) {
  auto host = reprise::info<rp_host_device>();
  host.vulkan_features = &p.features;
  host.lock_user = &p.queue_lock;
  host.lock_queue = [](void *user, void *) { static_cast<std::mutex *>(user)->lock(); };
  host.unlock_queue = [](void *user, void *) { static_cast<std::mutex *>(user)->unlock(); };
  const reprise::Context context;
  auto options = reprise::DeviceOptions().kind(RP_DEVICE_VULKAN).native({p.instance, p.adapter, p.device, p.queue});
  const auto device = reprise::Device::open_for(context, options.native_index(p.family), &host);
  reprise::Graph g(context, "double");
  const auto in = g.input("in", *rp_type_field(RP_FIELD_GOLDILOCKS), n, RP_RESIDENT);
  const auto out = (in + in).output("out", RP_RESIDENT);
  const reprise::Recording recording(device, g);

  // The run waits for 1 and signals 2. One half of the buffer is its input and the other its output, which kernels
  // access in place.
  const auto buffer = reprise::Buffer::wrap(device, p.buffers[0], 2 * bytes);
  const rp_sync wait[] = {{RP_SYNC_VULKAN, p.timeline, 1}}, signal[] = {{RP_SYNC_VULKAN, p.timeline, 2}};
  reprise::Run run(recording);
  run.bind_input(in.get(), buffer);
  run.bind_output(out.get(), buffer, bytes);
  p.submit(p.fill, 0, 1);
  run.submit(reprise::SubmitOptions().waits(wait).signals(signal));
  p.submit(p.copy, 2, 3);
  p.wait_for(3);
  run.wait(0); // it is finished, since the work after it is
  std::printf("%u %u %u %u\n", p.result[0], p.result[1], p.result[2], p.result[2 * n - 1]);
}

} // namespace

int main() try {
  Program program;
  compute(program);
  return 0;
} catch (const Missing &missing) {
  std::fprintf(stderr, "SKIP: %s\n", missing.what());
  return 77;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
