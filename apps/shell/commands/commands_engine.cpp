// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

constexpr int most_of_a_kind = 64;  // lanes of a device and CPU devices, as the runtime has it

void devices(session& s, const command_input& given) {
  if (given.has()) {
    auto options = s.engine().options();
    options.cpu_devices = static_cast<int>(given.number());
    options.lanes.reset();         // its share of the cores
    options.memory_limit.reset();  // and of the memory
    s.restart(options);
  }
  std::string out;
  for (const auto& d : s.engine().devices()) {
    const auto memory = s.engine().memory(d->id());
    out += "    " + to_string(d->id()) + "  " +
           (d->id().traits().synchronous ? count_text(static_cast<std::size_t>(d->lanes()), "lane")
                                         : d->description()) +
           ", " + bytes_text(memory.live) + " in use\n";
  }
  s.reporting().text(out);
}

void mem(session& s, const command_input& given) {
  if (given.has()) s.engine().trim_memory();
  std::string out;
  for (const auto& d : s.engine().devices()) {
    const auto memory = s.engine().memory(d->id());
    out +=
        "    " + to_string(d->id()) + "  " + bytes_text(memory.live) + " live, " +
        bytes_text(memory.peak) + " at the peak, " +
        (d->id().node > 0 ? std::string() : bytes_text(memory.cached) + " kept for reuse, ") +
        "limit " +
        bytes_text(d->memory_limit() > 0 ? d->memory_limit() : *s.engine().options().memory_limit) +
        "\n";
  }
  s.reporting().text(out);
}

void lanes(session& s, const command_input& given) {
  auto options = s.engine().options();
  if (given.has()) {
    options.lanes = static_cast<int>(given.number());
    s.restart(options);
  }
  const auto& now = s.engine().options();
  s.reporting().text("    " + count_text(static_cast<std::size_t>(*now.lanes), "lane") +
                     " on each of " +
                     count_text(static_cast<std::size_t>(*now.cpu_devices), "CPU device") + "\n");
}

void sync(session& s, const command_input& given) {
  auto options = s.engine().options();
  if (given.has()) {
    options.synchronous = given.text() == "on";
    s.restart(options);
  }
  s.reporting().text(*options.synchronous
                         ? "    each operation runs at once, on the thread that asks for it\n"
                         : "    operations are queued and run on the lanes\n");
}

void seed_numbers(session& s, const command_input& given) { s.engine().seed(given.number()); }

}  // namespace

std::vector<command> engine_commands() {
  const command_argument number{"N", argument_kind::number, false, {}, 1, most_of_a_kind};
  const command_argument seed{"N", argument_kind::number, true, {}, 0, UINT64_MAX};
  const command_argument on_or_off{"", argument_kind::word, false, {"on", "off"}};
  return {
      {"devices",
       "Engine",
       {number},
       "where arrays live and tasks run; with a number, share the cores among so many CPU devices",
       devices},
      {"mem",
       "Engine",
       {{"", argument_kind::word, false, {"trim"}}},
       "memory: live, peak, cached, limit; trim gives what is cached back to the system",
       mem},
      {"lanes",
       "Engine",
       {number},
       "how many threads each CPU device has, or another number",
       lanes},
      {"sync", "Engine", {on_or_off}, "run each operation at once, for debugging", sync},
      {"seed", "Engine", {seed}, "start the random numbers anew", seed_numbers},
  };
}

}  // namespace troupe::shell
