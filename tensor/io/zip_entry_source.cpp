// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/tensor/io/deflate.hpp"
#include "troupe/tensor/io/inflating_source.hpp"
#include "troupe/tensor/io/zip_reader.hpp"
#include "troupe/tensor/io/zip_records.hpp"

namespace troupe {

namespace {

/// Compares the size and the check sum of what comes from another source.
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
