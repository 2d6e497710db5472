// SPDX-License-Identifier: MIT
#include <charconv>
#include <new>

#include "troupe/tasks/atomic_file.hpp"
#include "troupe/tensor/io/csv.hpp"
#include "troupe/tensor/io/csv_fields.hpp"
#include "troupe/tensor/io/host_elements.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

template <class T>
void append_number(std::string& to, T x) {
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, x).ptr;
  to.append(digits, end);
}

/// Appends the text of each number and what follows it.
template <class T>
void append_rows(std::string& to, const std::byte* from, std::int64_t rows, std::int64_t columns,
                 char delimiter, atomic_file& file) {
  constexpr std::size_t enough = std::size_t{1} << 16;
  const T* x = reinterpret_cast<const T*>(from);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j, ++x) {
      append_number(to, *x);
      to += j + 1 < columns ? delimiter : '\n';
    }
    if (to.size() < enough) continue;
    file.write(to);
    to.clear();
  }
  file.write(to);
}

std::string first_line(const save_csv_options& options, std::int64_t columns,
                       const file_call& call) {
  const auto& names = options.names;
  if (names.empty()) return {};
  if (names.size() != static_cast<std::size_t>(columns))
    call.fail(count_text(names.size(), "name") + " for " +
              count_text(static_cast<std::size_t>(columns), "column"));
  std::string out;
  for (const auto& one : names) {
    if (one.find_first_of("\"\r\n") != std::string::npos)
      call.fail("a column cannot be named " + quoted(one));
    const bool quotes = one.find(options.delimiter) != std::string::npos;
    out +=
        (out.empty() ? "" : std::string(1, options.delimiter)) + (quotes ? "\"" + one + "\"" : one);
  }
  return out + "\n";
}

}  // namespace

void save_csv(const std::string& path, const tensor& x, const save_csv_options& options,
              caller where) {
  const file_call call{"save_csv", path, where};
  check_delimiter(options.delimiter, call);
  const auto type = x.type(where);
  if (is_complex(type.element) || type.dims.rank() < 1 || type.dims.rank() > 2)
    call.fail("neither a vector nor a matrix of real numbers: " + to_string(type));
  const auto rows = type.dims[0], columns = type.dims.rank() == 2 ? type.dims[1] : 1;
  try {
    auto text = first_line(options, columns, call);
    const bool floats = is_floating(type.element);
    const auto as = type.element == float32 || is_narrow_float(type.element) ? float32
                    : floats                                                 ? float64
                    : type.element == uint64                                 ? uint64
                                                                             : int64;
    const host_elements elements(astype(x, as, where), call);
    atomic_file file(call);
    const auto append = [&]<class T>(T) {
      append_rows<T>(text, elements.data(), rows, columns, options.delimiter, file);
    };
    if (as == float32) append(0.f);
    else if (as == float64) append(0.);
    else if (as == uint64) append(std::uint64_t{0});
    else append(std::int64_t{0});
    file.commit();
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

}  // namespace troupe
