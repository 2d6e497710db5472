// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/zip_writer.hpp"

#include <algorithm>
#include <utility>

#include "troupe/tensor/io/deflate.hpp"
#include "troupe/tensor/io/zip_records.hpp"

namespace troupe {

namespace {

// Version 4.5, which knows Zip64, or 2.0; as on MS-DOS, which has no permissions.
constexpr std::uint16_t version_64 = 45, version = 20;
// The first of January 1980, as NumPy writes it, so that the same tensors make the same file.
constexpr std::uint16_t time_of_day = 0, date = (1 << 5) | 1;

std::uint16_t flags_of(const std::string& name) noexcept {
  const bool ascii =
      std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? 0 : zip_utf8_name;
}

std::uint32_t narrow(std::uint64_t number, bool wide) noexcept {
  return wide ? zip_in_64_bits : static_cast<std::uint32_t>(number);
}

}  // namespace

void zip_writer::add(std::string name, std::string_view head, std::string_view body,
                     bool compressed, const file_call& call) {
  if (name.size() > 0xffff) call.fail("a name of more than 65535 bytes");
  if (name.find('\0') != std::string::npos) call.fail("a name with a zero byte");
  entry e{std::move(name),
          check_sum(check_sum(0, head), body),
          head.size() + body.size(),
          0,
          file_.size(),
          compressed};
  // Bytes that deflate cannot shrink grow by no more than this.
  const bool wide = e.size + e.size / 1000 + 1024 >= least_64_bit_;
  file_.write(local_header(e, wide));
  const auto begin = file_.size();
  if (compressed) {
    deflate({head, body}, [&](std::string_view part) { file_.write(part); });
  } else {
    file_.write(head);
    file_.write(body);
  }
  e.stored_size = file_.size() - begin;
  file_.overwrite(e.offset, local_header(e, wide));
  entries_.push_back(std::move(e));
}

std::string zip_writer::local_header(const entry& e, bool wide) const {
  std::string out;
  append_numbers(out, zip_local_header, wide ? version_64 : version, flags_of(e.name),
                 e.compressed ? zip_deflated : zip_stored, time_of_day, date, e.check_sum,
                 narrow(e.stored_size, wide), narrow(e.size, wide),
                 static_cast<std::uint16_t>(e.name.size()), std::uint16_t(wide ? 20 : 0));
  out += e.name;
  if (wide) append_numbers(out, zip64_extra, std::uint16_t{16}, e.size, e.stored_size);
  return out;
}

std::string zip_writer::central_header(const entry& e) const {
  const bool wide = std::max({e.size, e.stored_size, e.offset}) >= least_64_bit_;
  std::string out;
  append_numbers(out, zip_central_header, wide ? version_64 : version, wide ? version_64 : version,
                 flags_of(e.name), e.compressed ? zip_deflated : zip_stored, time_of_day, date,
                 e.check_sum, narrow(e.stored_size, wide), narrow(e.size, wide),
                 static_cast<std::uint16_t>(e.name.size()), std::uint16_t(wide ? 28 : 0),
                 std::uint16_t{0}, std::uint16_t{0}, std::uint16_t{0}, std::uint32_t{0},
                 narrow(e.offset, wide));
  out += e.name;
  if (wide) append_numbers(out, zip64_extra, std::uint16_t{24}, e.size, e.stored_size, e.offset);
  return out;
}

void zip_writer::finish() {
  const auto begin = file_.size();
  for (const auto& e : entries_) file_.write(central_header(e));
  const auto end = file_.size(), size = end - begin, count = std::uint64_t{entries_.size()};
  const bool wide = std::max(begin, size) >= least_64_bit_ || count >= zip_count_in_64_bits;
  std::string out;
  if (wide) {
    append_numbers(out, zip64_end, std::uint64_t{zip64_end_size - 12}, version_64, version_64,
                   std::uint32_t{0}, std::uint32_t{0}, count, count, size, begin);
    append_numbers(out, zip64_locator, std::uint32_t{0}, end, std::uint32_t{1});
  }
  const auto narrow_count = wide ? zip_count_in_64_bits : static_cast<std::uint16_t>(count);
  append_numbers(out, zip_end, std::uint16_t{0}, std::uint16_t{0}, narrow_count, narrow_count,
                 narrow(size, wide), narrow(begin, wide), std::uint16_t{0});
  file_.write(out);
}

}  // namespace troupe
