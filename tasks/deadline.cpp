// SPDX-License-Identifier: MIT
#include "troupe/tasks/deadline.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "troupe/tasks/binding.hpp"

namespace troupe {

namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

/// Memory that is another value's.
class shared_elements final : public memory {
 public:
  explicit shared_elements(value_ref owner) noexcept : owner_(std::move(owner)) {}

  const value_ref& owner() const noexcept { return owner_; }

  void* allocate(std::size_t) override { throw std::bad_alloc(); }
  void deallocate(void*, std::size_t) noexcept override {}
  std::size_t live() const noexcept override { return 0; }
  memory_statistics statistics() const override { return {}; }
  void trim() noexcept override {}

 private:
  value_ref owner_;
};

/// Writes a time as people do: "50 ms", "1.5 s".
std::string time_text(nanoseconds time) {
  struct unit {
    double nanoseconds;
    const char* name;
  };
  constexpr unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
  const auto count = static_cast<double>(time.count());
  const auto* in = units;
  while (in->nanoseconds > 1 && std::abs(count) < in->nanoseconds) ++in;
  char text[48];
  std::snprintf(text, sizeof text, "%.6g %s", count / in->nanoseconds, in->name);
  return text;
}

}  // namespace

deadline deadline_after(nanoseconds most, std::source_location call_site) {
  if (most <= nanoseconds::zero())
    throw error("within: the time must be positive, not " + time_text(most), call_site);
  const auto time = steady_clock::now();
  const bool fits = most < steady_clock::time_point::max() - time;
  return {fits ? time + most : steady_clock::time_point::max(), most};
}

void begin_timed(task& t, const deadline& d) {
  t.attributes = d;
  t.output_bytes = 0;  // the elements are those of the input
}

std::string text_of_missed(const deadline& d) { return "not computed after " + time_text(d.given); }

void share_input(task& t) noexcept {
  if (fails_from_the_start(t)) return;
  auto& out = *t.outputs[0];
  const auto& in = t.inputs[0].source;
  try {
    if (out.fits_inline()) {
      out.allocate(nullptr);
      if (out.bytes() > 0) std::memcpy(out.data(), in->data(), out.bytes());
    } else {
      // Of a value that shares them already, the elements are that of the first.
      const auto* const before = dynamic_cast<const shared_elements*>(in->lender());
      auto home = std::make_shared<shared_elements>(before ? before->owner() : in);
      out.adopt(buffer(std::move(home), in->data(), in->bytes()));
    }
    t.succeed();
  } catch (const std::bad_alloc&) { t.fail("out of memory"); }
}

constinit const operation within_operation = {.name = "within",
                                              .doc = "The same elements, before a deadline.",
                                              .flops_per_element = 0,
                                              .timed = true,
                                              .narrow = narrow_dtypes::taken};

}  // namespace troupe
