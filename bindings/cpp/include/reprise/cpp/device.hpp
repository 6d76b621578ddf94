// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Contexts, devices and buffers. Included by reprise/reprise.hpp.
#ifndef REPRISE_CPP_DEVICE_HPP
#define REPRISE_CPP_DEVICE_HPP

#include <reprise/cpp/core.hpp>
#include <reprise/host_program.h>

#include <algorithm>
#include <vector>

namespace reprise {

class ContextOptions : public Options<rp_context_options> {
public:
  REPRISE_OPTION(rp_log_level, log_level)
  REPRISE_OPTION(const rp_allocator &, allocator)
  ContextOptions &log(rp_log_fn function, void *user = nullptr) {
    raw().log = function;
    raw().log_user = user;
    return *this;
  }
};

class Context : public Handle<rp_context, rp_context_destroy> {
public:
  explicit Context(const ContextOptions &options = {}, Error *error = nullptr) {
    rp_context *made = nullptr;
    detail::call(error, [&](rp_error *err) { return rp_context_create(&options, &made, err); });
    *static_cast<Handle *>(this) = Handle(made);
  }
  /// The devices of this machine; `reason` says why one is not available.
  std::vector<rp_device_info> devices(Error *error = nullptr) const {
    std::vector<rp_device_info> list(16, info<rp_device_info>());
    std::uint32_t n = 0;
    for (;;) {
      const auto room = static_cast<std::uint32_t>(list.size());
      if (!detail::call(error, [&](rp_error *err) { return rp_devices(get(), list.data(), room, &n, err); })) return {};
      list.resize(n, info<rp_device_info>());
      if (n <= room) return list;
    }
  }
};

class DeviceOptions : public Options<rp_device_options> {
public:
  REPRISE_OPTION(rp_device_kind, kind)
  REPRISE_OPTION(std::uint32_t, index)
  REPRISE_OPTION(std::uint32_t, cpu_threads)
  REPRISE_OPTION(std::uint64_t, memory_budget_bytes)
  REPRISE_OPTION(const char *, cpu_isa)
  REPRISE_OPTION(const rp_executor *, executor)
  REPRISE_OPTION(const char *, cache_dir)
  REPRISE_OPTION(std::uint32_t, native_index)
  /// The caller's own handles; rp_device_options says which.
  template <std::size_t N> DeviceOptions &native(void *const (&handles)[N]) {
    static_assert(N <= sizeof(rp_device_options::native) / sizeof(void *), "more handles than a device has");
    std::copy_n(handles, N, raw().native);
    return *this;
  }
};

class Device : public Handle<rp_device, rp_device_close> {
public:
  explicit Device(const Context &context, const DeviceOptions &options = {}, Error *error = nullptr) {
    rp_device *made = nullptr;
    detail::call(error, [&](rp_error *err) { return rp_device_open(context.get(), &options, &made, err); });
    *static_cast<Handle *>(this) = Handle(made);
  }
  /// A device of the caller's own context or VkDevice (reprise/host_program.h).
  static Device open_for(const Context &context, const DeviceOptions &options, const rp_host_device *host = nullptr,
                         Error *error = nullptr) {
    rp_device *made = nullptr;
    checked(error, rp_device_open_for, context.get(), &options, host, &made);
    return Device(made);
  }
  rp_device_info information() const {
    auto made = info<rp_device_info>();
    rp_device_get_info(get(), &made);
    return made;
  }
  std::uint64_t available_bytes() const { return rp_device_available_bytes(get()); }
  bool is_lost() const { return rp_device_is_lost(get()) != 0; }

private:
  explicit Device(rp_device *made) : Handle(made) {}
};

/// Device memory that runs may read and write without a copy through the host.
class Buffer : public Handle<rp_buffer, rp_buffer_destroy> {
public:
  Buffer(const Device &device, std::uint64_t size_bytes, Error *error = nullptr) {
    rp_buffer *made = nullptr;
    detail::call(error, [&](rp_error *err) { return rp_buffer_create(device.get(), size_bytes, &made, err); });
    *static_cast<Handle *>(this) = Handle(made);
  }
  /// Memory that the caller owns, which must outlive the buffer; see rp_buffer_wrap.
  static Buffer wrap(const Device &device, void *native, std::uint64_t size_bytes, Error *error = nullptr) {
    rp_buffer *made = nullptr;
    detail::call(error, [&](rp_error *err) { return rp_buffer_wrap(device.get(), native, size_bytes, &made, err); });
    return Buffer(made);
  }
  /// Memory that other programs import, which `memory` then describes; see rp_buffer_create_shared. memory.fd belongs
  /// to the caller.
  static Buffer create_shared(const Device &device, std::uint64_t size_bytes, rp_shared_memory &memory,
                              Error *error = nullptr) {
    rp_buffer *made = nullptr;
    memory.struct_size = sizeof memory;
    detail::call(error,
                 [&](rp_error *err) { return rp_buffer_create_shared(device.get(), size_bytes, &made, &memory, err); });
    return Buffer(made);
  }
  /// Memory of another program; see rp_buffer_import.
  static Buffer import_shared(const Device &device, const rp_shared_memory &memory, Error *error = nullptr) {
    rp_buffer *made = nullptr;
    detail::call(error, [&](rp_error *err) { return rp_buffer_import(device.get(), &memory, &made, err); });
    return Buffer(made);
  }
  std::uint64_t size_bytes() const { return rp_buffer_size(get()); }
  template <class T> bool write(Span<const T> data, std::uint64_t offset_bytes = 0, Error *error = nullptr) {
    return detail::call(error, [&](rp_error *err) {
      return rp_buffer_write(get(), offset_bytes, data.data(), data.size_bytes(), err);
    });
  }
  template <class T> bool read(Span<T> data, std::uint64_t offset_bytes = 0, Error *error = nullptr) const {
    return detail::call(
        error, [&](rp_error *err) { return rp_buffer_read(get(), offset_bytes, data.data(), data.size_bytes(), err); });
  }

private:
  explicit Buffer(rp_buffer *made) : Handle(made) {}
};

} // namespace reprise
#endif
