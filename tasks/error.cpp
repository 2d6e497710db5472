// SPDX-License-Identifier: MIT
#include "troupe/tasks/error.hpp"

#include <algorithm>
#include <string_view>

#include "troupe/devices/made_once.hpp"
#include "troupe/tasks/on_behalf_of.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe {

std::string call_site_text(const std::source_location& call_site) {
  std::string_view file = call_site.file_name();
  file = file.substr(file.find_last_of('/') + 1);
  if (file.empty()) return "";
  return " (" + std::string(file) + ":" + std::to_string(call_site.line()) + ")";
}

namespace {

/// Returns the line to name: that of the user on whose behalf the library called itself.
std::source_location named_line(const std::source_location& call_site) noexcept {
  constexpr std::string_view own = "libtroupe/";  // as our files are called when they are compiled
  const auto* user = detail::on_behalf_of::line();
  return user && std::string_view(call_site.file_name()).starts_with(own) ? *user : call_site;
}

}  // namespace

error::error(const std::string& facts, std::source_location call_site)
    : error(verbatim{}, facts + call_site_text(named_line(call_site)), named_line(call_site)) {}

void raise(const failure& f, const std::string& more) {
  f.reported.store(true, std::memory_order_relaxed);
  if (f.why == failure::reason::cancelled) throw cancelled_error(f, more);
  throw task_error(f, more);
}

over_limit::over_limit(std::size_t wanted, std::size_t live, std::size_t limit)
    : text_("out of memory: " + bytes_text(static_cast<double>(wanted)) +
            " do not fit under the memory limit of " + bytes_text(static_cast<double>(limit)) +
            ", of which " + bytes_text(static_cast<double>(live)) + " are in use") {}

const failure_ptr& failure_without_memory() noexcept {
  static constinit made_once<const failure_ptr> only;
  return only.get([] {  // for the first engine
    auto f = std::make_shared<failure>();
    f->text = "out of memory, even for saying where";
    return f;
  });
}

namespace {

bool is_reported(const failure_ptr& f) { return f->reported.load(std::memory_order_relaxed); }

/// Returns the one to tell first: the earliest in program order; cancelled tasks come last.
const failure& first_of(const std::vector<failure_ptr>& failures) {
  return **std::ranges::min_element(
      failures, {}, [](const failure_ptr& f) { return std::pair(f->why, f->sequence); });
}

/// Says how many more there are; some of those that were not kept may have been read.
std::string further(std::size_t kept, std::uint64_t not_kept) {
  if (kept + not_kept == 0) return "";
  return (not_kept > 0 ? "up to " : "") + std::to_string(kept + not_kept) + " more";
}

}  // namespace

std::string text_of_unreported(std::vector<failure_ptr> failures, std::uint64_t not_kept) {
  std::erase_if(failures, [](const failure_ptr& f) {
    return is_reported(f) || f->why == failure::reason::cancelled;
  });
  if (failures.empty()) return "";
  const auto more = further(failures.size() - 1, not_kept);
  return first_of(failures).text + (more.empty() ? "" : ", and " + more);
}

void raise_first(std::vector<failure_ptr>& failures, std::uint64_t not_kept) {
  std::erase_if(failures, is_reported);
  if (failures.empty()) return;
  const auto& first = first_of(failures);
  for (const auto& f : failures) f->reported.store(true, std::memory_order_relaxed);
  const auto more = further(failures.size() - 1, not_kept);
  raise(first, more.empty() ? "" : ", and " + more + (more == "1 more" ? " failure" : " failures"));
}

}  // namespace troupe
