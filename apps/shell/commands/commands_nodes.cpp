// SPDX-License-Identifier: MIT
#include <filesystem>

#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

void nodes(session& s, const command_input&) {
  std::string out;
  for (const auto& d : s.engine().devices()) {
    if (d->id().node == 0) continue;
    out += "    " + to_string(d->id()) + "  " + d->description() + ", " +
           bytes_text(s.engine().memory(d->id()).live) + " in use\n";
  }
  s.reporting().text(out.empty() ? "    none: :connect HOST:PORT --key FILE uses one\n" : out);
}

void connect(session& s, const command_input& given) {
  auto options = s.engine().options();
  if (const auto& key = given.option("--key"); !key.empty()) {
    std::error_code none;
    if (!options.nodes->empty() && !std::filesystem::equivalent(*options.key, key, none))
      throw error("connect: all nodes share one key, here that of " + *options.key, {});
    options.key = key;
  }
  options.nodes->push_back(given.text());
  s.restart(options);
  nodes(s, given);
}

}  // namespace

std::vector<command> node_commands() {
  return {
      {"connect",
       "Engine",
       {{"HOST:PORT", argument_kind::text}},
       "use the devices of another machine as well, where troupe node listens",
       connect,
       {"--key"}},
      {"nodes", "Engine", {}, "the other machines whose devices are used", nodes},
  };
}

}  // namespace troupe::shell
