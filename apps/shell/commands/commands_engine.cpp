// SPDX-License-Identifier: MIT
#include <charconv>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

template <class Integer>
Integer integer_of(std::string_view name, std::string_view text) {
  Integer value = 0;
  const auto end = text.data() + text.size();
  if (text.empty() || std::from_chars(text.data(), end, value).ptr != end) misused(name);
  return value;
}

void devices(session& s, std::string_view text) {
  if (!text.empty()) {
    auto options = s.engine().options();
    options.cpu_devices = integer_of<int>("devices", text);
    options.lanes.reset();         // its share of the cores
    options.memory_limit.reset();  // and of the memory
    s.restart(options);
  }
  std::string out;
  for (const auto& d : s.engine().devices()) {
    const auto memory = s.engine().memory(d->id());
    const bool gpu = d->id().kind == device_kind::gpu;
    out += "    " + to_string(d->id()) + "  " +
           (gpu ? d->description() : count_text(static_cast<std::size_t>(d->lanes()), "lane")) +
           ", " + bytes_text(memory.live) + " in use\n";
  }
  s.reporting().text(out);
}

void mem(session& s, std::string_view) {
  std::string out;
  for (const auto& d : s.engine().devices()) {
    const auto memory = s.engine().memory(d->id());
    out +=
        "    " + to_string(d->id()) + "  " + bytes_text(memory.live) + " live, " +
        bytes_text(memory.peak) + " at the peak, " + bytes_text(memory.cached) +
        " kept for reuse, limit " +
        bytes_text(d->memory_limit() > 0 ? d->memory_limit() : *s.engine().options().memory_limit) +
        "\n";
  }
  s.reporting().text(out);
}

void lanes(session& s, std::string_view text) {
  auto options = s.engine().options();
  if (!text.empty()) {
    options.lanes = integer_of<int>("lanes", text);
    s.restart(options);
  }
  const auto& now = s.engine().options();
  s.reporting().text("    " + count_text(static_cast<std::size_t>(*now.lanes), "lane") +
                     " on each of " +
                     count_text(static_cast<std::size_t>(*now.cpu_devices), "CPU device") + "\n");
}

void sync(session& s, std::string_view text) {
  auto options = s.engine().options();
  if (text == "on" || text == "off") {
    options.synchronous = text == "on";
    s.restart(options);
  } else if (!text.empty()) {
    misused("sync");
  }
  s.reporting().text(*options.synchronous
                         ? "    each operation runs at once, on the thread that asks for it\n"
                         : "    operations are queued and run on the lanes\n");
}

void seed_numbers(session& s, std::string_view text) {
  s.engine().seed(integer_of<std::uint64_t>("seed", text));
}

}  // namespace

std::vector<command> engine_commands() {
  return {
      {"devices", "Engine", "[N]",
       "where arrays live and tasks run; with a number, share the cores among so many CPU devices",
       devices},
      {"mem", "Engine", "", "memory: live, peak, cached, limit", mem},
      {"lanes", "Engine", "[N]", "how many threads each CPU device has, or another number", lanes},
      {"sync", "Engine", "[on|off]", "run each operation at once, for debugging", sync},
      {"seed", "Engine", "N", "start the random numbers anew", seed_numbers},
  };
}

}  // namespace troupe::shell
