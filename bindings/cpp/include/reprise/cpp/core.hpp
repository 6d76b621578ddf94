// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Errors, spans, handles and options. Included by reprise/reprise.hpp.
#ifndef REPRISE_CPP_CORE_HPP
#define REPRISE_CPP_CORE_HPP

#include <reprise/graphs.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace reprise {

/// A status with its reason. True if something failed.
class Error {
public:
  Error() = default;
  explicit Error(rp_status status, const char *reason = nullptr) {
    raw_.status = status;
    std::string text = reason ? reason : rp_status_text(status);
    text.copy(raw_.reason, sizeof raw_.reason - 1);
  }
  explicit Error(const rp_error &raw) : raw_(raw) {}
  explicit operator bool() const { return raw_.status != RP_OK; }
  rp_status status() const { return raw_.status; }
  const char *code() const { return rp_status_name(raw_.status); } ///< "RP_ERR_INPUT"
  const char *reason() const { return raw_.reason; }               ///< what is wrong, where, and what to do
  rp_error *raw() { return &raw_; }

private:
  rp_error raw_{};
};

class Exception : public std::runtime_error {
public:
  explicit Exception(const Error &error)
      : std::runtime_error(std::string(error.code()) + ": " + error.reason()), error_(error) {}
  const Error &error() const noexcept { return error_; }
  rp_status status() const noexcept { return error_.status(); }
  const char *code() const noexcept { return error_.code(); }
  const char *reason() const noexcept { return error_.reason(); }

private:
  Error error_;
};

/// A view of contiguous elements: of an array, a vector, a std::array, a std::span, or a pointer with a length.
template <class T> class Span {
public:
  constexpr Span() = default;
  constexpr Span(T *data, std::size_t size) : data_(data), size_(size) {}
  template <std::size_t N> constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
  template <class Container, class = std::enable_if_t<std::is_convertible_v<
                                 std::remove_pointer_t<decltype(std::declval<Container &>().data())> (*)[], T (*)[]>>>
  constexpr Span(Container &&container) : data_(container.data()), size_(container.size()) {}
  constexpr T *data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr std::size_t size_bytes() const { return size_ * sizeof(T); }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T *begin() const { return data_; }
  constexpr T *end() const { return data_ + size_; }
  constexpr T &operator[](std::size_t i) const { return data_[i]; }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

template <class Container>
Span(Container &&) -> Span<std::remove_pointer_t<decltype(std::declval<Container &>().data())>>;

namespace detail {

/// Whether nothing failed, and if something did, hands it to the caller, or throws.
inline bool settle(const Error &failed, Error *error) {
  if (!failed) return true;
  if (error) {
    if (!*error) *error = failed;
    return false;
  }
#if defined(__cpp_exceptions)
  throw Exception(failed);
#else
  std::terminate(); // without exceptions every call is given the address of an Error
#endif
}

/// Calls f(rp_error *), which returns a status; not if the caller's error is set already.
template <class F> bool call(Error *error, F &&f) {
  if (error && *error) return false;
  Error failed;
  const rp_status status = f(failed.raw());
  if (status != RP_OK && failed.status() != status) failed = Error(status);
  return settle(status == RP_OK ? Error() : failed, error);
}

template <class T, void (*Free)(T *)> struct Free_with {
  void operator()(T *object) const { Free(object); }
};

} // namespace detail

/// Calls a C function whose last parameter is `rp_error *err`: checked(rp_terms_create, &terms). Throws if it fails.
template <class... Parameters, class... Arguments>
void checked(rp_status (*function)(Parameters...), Arguments &&...arguments) {
  detail::call(nullptr, [&](rp_error *err) { return function(std::forward<Arguments>(arguments)..., err); });
}
/// The same with errors as results: whether it has succeeded.
template <class... Parameters, class... Arguments>
bool checked(Error *error, rp_status (*function)(Parameters...), Arguments &&...arguments) {
  return detail::call(error, [&](rp_error *err) { return function(std::forward<Arguments>(arguments)..., err); });
}

/// Owner of a C object, also of one without a class here: Handle<rp_terms, rp_terms_destroy>.
template <class T, void (*Free)(T *)> class Handle {
public:
  Handle() = default;
  explicit Handle(T *object) : object_(object) {}
  T *get() const { return object_.get(); }
  explicit operator bool() const { return object_ != nullptr; } ///< false after a failure or a move
  T *release() { return object_.release(); }                    ///< the caller frees it
  void reset() { object_.reset(); }

private:
  std::unique_ptr<T, detail::Free_with<T, Free>> object_;
};

/// A C option struct with struct_size set; everything else has its default.
template <class C> class Options : public C {
public:
  Options() : C{} { this->struct_size = sizeof(C); }

protected:
  C &raw() { return *this; }
};

/// What the library fills in.
template <class C> C info() {
  C made{};
  made.struct_size = sizeof made;
  return made;
}

#define REPRISE_OPTION(kind, name) \
  auto &name(kind value) {         \
    this->raw().name = value;      \
    return *this;                  \
  }
#define REPRISE_SWITCH(name)       \
  auto &name(bool on = true) {     \
    this->raw().name = on ? 1 : 0; \
    return *this;                  \
  }

} // namespace reprise
#endif
