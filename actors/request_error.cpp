// SPDX-License-Identifier: MIT
#include "troupe/actors/request_error.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/atom.hpp>
#include <caf/message.hpp>

namespace troupe {

namespace {

constexpr auto category = caf::atom("troupe");

std::string text_of(const caf::message& context) {
  return context.match_elements<std::string>() ? context.get_as<std::string>(0) : std::string();
}

bool is_ours(const caf::error& e) {
  return e && e.category() == category && e.context().match_elements<std::string>();
}

}  // namespace

caf::error make_error(request_error code, const std::string& text) {
  return {static_cast<std::uint8_t>(code), category, caf::make_message(text)};
}

caf::error error_from(const failure& f) {
  f.reported.store(true, std::memory_order_relaxed);
  return make_error(
      f.why == failure::reason::cancelled ? request_error::cancelled : request_error::failed,
      f.text);
}

caf::error error_from(const error& e) {
  auto code = request_error::refused;
  if (dynamic_cast<const cancelled_error*>(&e)) code = request_error::cancelled;
  else if (dynamic_cast<const task_error*>(&e)) code = request_error::failed;
  return make_error(code, e.what());
}

error error_of(const caf::error& e) {
  return {is_ours(e) ? text_of(e.context()) : to_string(e), {}};
}

void raise(const caf::error& e) {
  if (is_ours(e) && e.code() != static_cast<std::uint8_t>(request_error::refused)) {
    failure f;
    f.text = text_of(e.context());
    if (e.code() == static_cast<std::uint8_t>(request_error::cancelled))
      f.why = failure::reason::cancelled;
    raise(f);
  }
  throw error_of(e);
}

void render_errors(caf::actor_system_config& config) {
  config.add_error_category(category, [](std::uint8_t, caf::atom_value,
                                         const caf::message& context) { return text_of(context); });
}

}  // namespace troupe
