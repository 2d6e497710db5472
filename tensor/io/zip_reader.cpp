// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/zip_reader.hpp"

#include <algorithm>
#include <optional>

#include "troupe/tensor/io/deflate.hpp"
#include "troupe/tensor/io/zip_records.hpp"

namespace troupe {

namespace {

std::string read_text(const input_file& file, std::uint64_t offset, std::uint64_t size) {
  std::string out(static_cast<std::size_t>(size), '\0');
  file.read(offset, out.data(), out.size());
  return out;
}

/// Place of the directory and the number of its entries.
struct directory_place {
  std::uint64_t begin, size, count;
  std::uint64_t end;  // the directory lies before
};

/// Reads the record in Zip64's format, if there is one before the record at `end`.
std::optional<directory_place> find_wide_place(const input_file& file, std::uint64_t end) {
  if (end < zip64_locator_size + zip64_end_size) return std::nullopt;
  const auto locator = read_text(file, end - zip64_locator_size, zip64_locator_size);
  if (number_at<std::uint32_t>(locator, 0) != zip64_locator) return std::nullopt;
  const auto at = number_at<std::uint64_t>(locator, 8);
  if (at > end - zip64_locator_size - zip64_end_size) return std::nullopt;
  const auto record = read_text(file, at, zip64_end_size);
  if (number_at<std::uint32_t>(record, 0) != zip64_end) return std::nullopt;
  return directory_place{number_at<std::uint64_t>(record, 48), number_at<std::uint64_t>(record, 40),
                         number_at<std::uint64_t>(record, 32), at};
}

directory_place find_directory(const input_file& file, const file_call& call) {
  constexpr std::uint64_t longest_comment = 0xffff;
  const auto searched = std::min(file.size(), zip_end_size + longest_comment);
  const auto tail = read_text(file, file.size() - searched, searched);
  for (auto at = tail.size(); at >= zip_end_size; --at) {
    const auto record = std::string_view(tail).substr(at - zip_end_size);
    if (number_at<std::uint32_t>(record, 0) != zip_end ||
        number_at<std::uint16_t>(record, 20) != record.size() - zip_end_size)
      continue;
    const auto end = file.size() - record.size();
    const directory_place place{number_at<std::uint32_t>(record, 16),
                                number_at<std::uint32_t>(record, 12),
                                number_at<std::uint16_t>(record, 10), end};
    const bool wide = place.begin == zip_in_64_bits || place.size == zip_in_64_bits ||
                      place.count == zip_count_in_64_bits;
    if (!wide) return place;
    return find_wide_place(file, end).value_or(place);
  }
  call.fail("is no .npz file, or truncated: a zip file ends in a directory");
}

/// Reads sizes and the offset that do not fit 32 bits from the entry's extra fields.
void read_wide_fields(zip_entry& e, std::string_view extra, const file_call& call) {
  std::uint64_t* const fields[] = {&e.size, &e.stored_size, &e.offset};
  while (extra.size() >= 4) {
    const auto kind = number_at<std::uint16_t>(extra, 0), size = number_at<std::uint16_t>(extra, 2);
    auto field = extra.substr(4, size);
    extra.remove_prefix(4 + field.size());
    if (kind != zip64_extra) continue;
    for (auto* number : fields) {
      if (*number != zip_in_64_bits) continue;
      if (field.size() < 8) call.fail("damaged: an entry of the directory lacks its size");
      *number = number_at<std::uint64_t>(field, 0);
      field.remove_prefix(8);
    }
  }
}

/// Takes the first entry from a directory.
zip_entry take_entry(std::string_view& directory, const file_call& call) {
  if (directory.size() < zip_central_size ||
      number_at<std::uint32_t>(directory, 0) != zip_central_header)
    call.fail("damaged: the directory has fewer entries than it says");
  zip_entry e;
  e.flags = number_at<std::uint16_t>(directory, 8);
  e.method = number_at<std::uint16_t>(directory, 10);
  e.check_sum = number_at<std::uint32_t>(directory, 16);
  e.stored_size = number_at<std::uint32_t>(directory, 20);
  e.size = number_at<std::uint32_t>(directory, 24);
  e.offset = number_at<std::uint32_t>(directory, 42);
  const std::size_t name = number_at<std::uint16_t>(directory, 28),
                    extra = number_at<std::uint16_t>(directory, 30),
                    comment = number_at<std::uint16_t>(directory, 32);
  if (directory.size() - zip_central_size < name + extra + comment)
    call.fail("damaged: the directory ends in the middle of an entry");
  directory.remove_prefix(zip_central_size);
  e.name = directory.substr(0, name);
  read_wide_fields(e, directory.substr(name, extra), call);
  directory.remove_prefix(name + extra + comment);
  return e;
}

/// Reads an entry's local header and returns its size. Throws if it has another name than the
/// directory: no check sum covers names, so one changed byte would rename an array.
std::uint64_t local_size(const zip_entry& e, const input_file& file, const file_call& call) {
  const auto header = read_text(file, e.offset, zip_local_size + e.name.size());
  if (number_at<std::uint32_t>(header, 0) != zip_local_header)
    call.fail("damaged: it is not where the directory says");
  const std::size_t name = number_at<std::uint16_t>(header, 26),
                    extra = number_at<std::uint16_t>(header, 28);
  if (name != e.name.size() || !header.ends_with(e.name))
    call.fail("damaged: it has another name in the directory than before its data");
  return zip_local_size + name + extra;
}

/// Finds the data of each entry. Throws unless they all lie before `end` and no two share bytes.
void find_data(std::vector<zip_entry>& entries, const input_file& file, std::uint64_t end,
               const file_call& call) {
  std::vector<zip_entry*> in_place;
  for (auto& e : entries) in_place.push_back(&e);
  std::ranges::sort(in_place, {}, &zip_entry::offset);
  for (std::size_t i = 0; i < in_place.size(); ++i) {
    auto& e = *in_place[i];
    const auto next = i + 1 < in_place.size() ? in_place[i + 1]->offset : end;
    const auto entry_call = call.inside(e.name);
    if (e.offset > next || next > end || next - e.offset < zip_local_size + e.name.size())
      entry_call.fail("damaged: it shares bytes with another part of the file");
    e.begin = e.offset + local_size(e, file, entry_call);
    if (e.begin > next || e.stored_size > next - e.begin)
      entry_call.fail("damaged: it shares bytes with another part of the file");
  }
}

/// Bytes of another source, whose size and check sum are compared.
class checked_source final : public byte_source {
 public:
  checked_source(std::unique_ptr<byte_source> from, const zip_entry& entry, const file_call& call)
      : from_(std::move(from)), left_(entry.size), wanted_(entry.check_sum), call_(call) {}

  void read(void* to, std::size_t count) override {
    expect_no_more_than_left(count);
    constexpr std::size_t most = std::size_t{1} << 18;  // still in the cache when it is summed
    for (auto* next = static_cast<char*>(to); count > 0;) {
      const auto part = std::min(count, most);
      from_->read(next, part);
      sum_ = check_sum(sum_, {next, part});
      next += part;
      left_ -= part;
      count -= part;
    }
  }

  void expect(std::uint64_t count) override {
    expect_no_more_than_left(count);
    from_->expect(count);
  }

  void finish() override {
    if (left_ > 0) call_.fail(count_text(left_, "byte") + " more than the array has");
    from_->finish();
    if (sum_ != wanted_) call_.fail("damaged: its check sum (CRC-32) is wrong");
  }

 private:
  void expect_no_more_than_left(std::uint64_t count) {
    if (count > left_)
      call_.fail("truncated: " + count_text(count, "byte") + " should follow, and there " +
                 (left_ == 1 ? "is " : "are ") + std::to_string(left_));
  }

  std::unique_ptr<byte_source> from_;
  std::uint64_t left_;
  std::uint32_t sum_ = 0, wanted_;
  file_call call_;
};

}  // namespace

std::vector<zip_entry> read_zip_directory(const input_file& file, const file_call& call) {
  const auto place = find_directory(file, call);
  if (place.begin > place.end || place.size > place.end - place.begin)
    call.fail("damaged: the directory lies beyond the end of the file");
  if (place.count > place.size / zip_central_size)
    call.fail("damaged: " + std::to_string(place.count) +
              " entries do not fit into a directory of " + count_text(place.size, "byte"));
  const auto text = read_text(file, place.begin, place.size);
  std::string_view directory = text;
  std::vector<zip_entry> out;
  for (std::uint64_t i = 0; i < place.count; ++i) out.push_back(take_entry(directory, call));
  find_data(out, file, place.begin, call);
  return out;
}

std::unique_ptr<byte_source> open_zip_entry(const input_file& file, const zip_entry& entry,
                                            const file_call& call) {
  if (entry.flags & zip_encrypted) call.fail("is encrypted");
  const auto begin = entry.begin, end = begin + entry.stored_size;
  std::unique_ptr<byte_source> data;
  if (entry.method == zip_stored) data = std::make_unique<file_section>(file, begin, end, call);
  else if (entry.method == zip_deflated)
    data =
        std::make_unique<inflating_source>(file, begin, end, inflating_source::format::raw, call);
  else call.fail("is compressed by method " + std::to_string(entry.method) + ", not by deflate");
  return std::make_unique<checked_source>(std::move(data), entry, call);
}

}  // namespace troupe
