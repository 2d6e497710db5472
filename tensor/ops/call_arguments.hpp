// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "troupe/tasks/shape.hpp"

/// The operands of the user's own operations. Elements are in row-major order. Mistakes throw
/// std::runtime_error, which fails the operation.

namespace troupe {

/// An array that a user's operation may see; lives as long as the operation runs.
class call_array {
 public:
  call_array(const array& a, const char* role, std::size_t number) noexcept
      : array_(a), role_(role), number_(number) {}

  troupe::dtype dtype() const noexcept { return array_.type; }
  troupe::shape shape() const {
    return troupe::shape(std::span(array_.shape, static_cast<std::size_t>(array_.rank)));
  }
  std::int64_t size() const noexcept { return array_.size(); }

 protected:
  /// The address of the elements. Throws unless they are of dtype `wanted`.
  void* elements(troupe::dtype wanted) const;
  /// Throws: its elements are not to be read or written here.
  [[noreturn]] void refuse_on_gpu() const;
  /// "output 0 is float32[2,3]".
  std::string text() const;

 private:
  array array_;
  const char* role_;
  std::size_t number_;
};

/// An input of a user's operation.
class input final : public call_array {
 public:
  input(const array& a, std::size_t number, bool on_host) noexcept
      : call_array(a, "input", number), on_host_(on_host) {}

  /// The elements. Throws unless T is what the dtype stands for.
  template <class T>
  std::span<const T> span() const {
    return {static_cast<const T*>(elements(dtype_of<T>())), static_cast<std::size_t>(size())};
  }
  /// The only element. Throws if there is not exactly one, or if it is in a GPU's memory.
  template <class T>
  T item() const {
    check_count(1);
    if (!on_host_) refuse_on_gpu();
    return span<T>()[0];
  }

 private:
  void check_count(std::int64_t wanted) const;

  bool on_host_;
};

/// An output of a user's operation, which has to write all of it.
class output final : public call_array {
 public:
  output(const array& a, std::size_t number, bool on_host) noexcept
      : call_array(a, "output", number), written_(a.size() == 0), on_host_(on_host) {}

  /// The place to write the elements. Throws unless T is what the dtype stands for.
  template <class T>
  std::span<T> span() {
    written_ = true;
    return {static_cast<T*>(elements(dtype_of<T>())), static_cast<std::size_t>(size())};
  }
  /// Copies all elements. Throws unless T is what the dtype stands for and there are as many, and
  /// on a GPU.
  template <class T>
  output& operator=(const std::vector<T>& values) {
    check_given(static_cast<std::int64_t>(values.size()));
    if (!on_host_) refuse_on_gpu();
    const auto into = span<T>();
    for (std::size_t i = 0; i < values.size(); ++i) into[i] = values[i];
    return *this;
  }
  /// Throws unless the operation asked where to write.
  void check_written() const;

 private:
  void check_given(std::int64_t count) const;

  bool written_;
  bool on_host_;
};

class inputs {
 public:
  /// In the host's memory, or in a GPU's.
  explicit inputs(std::span<const array> all, bool on_host = true);

  std::size_t size() const noexcept { return all_.size(); }
  const input& operator[](std::size_t i) const;
  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }

 private:
  std::vector<input> all_;
};

class outputs {
 public:
  /// In the host's memory, or in a GPU's.
  explicit outputs(std::span<const array> all, bool on_host = true);

  std::size_t size() const noexcept { return all_.size(); }
  output& operator[](std::size_t i);
  auto begin() noexcept { return all_.begin(); }
  auto end() noexcept { return all_.end(); }
  /// Throws unless every output was written.
  void check_written() const;

 private:
  std::vector<output> all_;
};

}  // namespace troupe
