// SPDX-License-Identifier: MIT
#include "troupe/actors/message_text.hpp"

#include <caf/system_messages.hpp>

#include "troupe/actors/messages.hpp"

namespace troupe {

namespace {

constexpr std::size_t most_named = 6;

/// List of task names, as in ": one, two and 3 more".
class name_list {
 public:
  void add(std::string_view operation, std::uint64_t sequence, bool failed = false) {
    if (++count_ > most_named) return;
    text_ += count_ == 1 ? ": " : ", ";
    text_ += std::string(operation) + " #" + std::to_string(sequence);
    if (failed) text_ += " failed";
  }
  std::string text() const {
    if (count_ <= most_named) return text_;
    return text_ + " and " + std::to_string(count_ - most_named) + " more";
  }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

std::string names_of(const batch* tasks) {
  name_list all;
  for (const auto* t = tasks ? tasks->front() : nullptr; t; t = t->next)
    all.add(t->op->name, t->sequence, t->origin != nullptr);
  return all.text();
}
std::string names_of(const batch_ref& tasks) { return names_of(tasks.get()); }
std::string names_of(const assignment_ref& tasks) { return names_of(tasks->peek()); }

std::string name_of(const value_ref& v, const operation_of& name, bool failed = false) {
  name_list one;
  one.add(name(v->sequence), v->sequence, failed);
  return one.text();
}

std::string names_of(const await_values& m, const operation_of& name) {
  name_list all;
  for (const auto& v : m.values) all.add(name(v->sequence), v->sequence, v->failed());
  return all.text();
}

std::string names_of(const help_run& m) {
  name_list all;
  for (const auto& run : m.plan->runs) {
    if (!run->opened()) all.add(run->subject().op->name, run->subject().sequence);
    else if (run->description().sequence > 0)
      all.add(run->description().name, run->description().sequence);
  }
  return all.text();
}

std::string counts_of(const progress& p) {
  std::uint64_t ended = 0;
  for (const auto& [epoch, count] : p.ended) ended += count;
  std::string text = ": " + std::to_string(ended) + " ended";
  if (!p.failures.empty()) text += ", " + std::to_string(p.failures.size()) + " failed";
  return text;
}

}  // namespace

std::string message_text(const caf::type_erased_tuple& message, const operation_of& name) {
  std::string text;
  // Returns true if the message has this type; `more` describes its contents.
  const auto is = [&]<class Message>(const char* what, std::type_identity<Message>, auto&& more) {
    if (!message.match_elements<Message>()) return false;
    text = what + more(message.get_as<Message>(0));
    return true;
  };
  const auto nothing = [](const auto&) { return std::string(); };
  const auto tasks = [](const auto& m) { return names_of(m.tasks); };
  const auto value = [&](const auto& m) { return name_of(m.value, name); };
  const auto values = [&](const await_values& m) { return names_of(m, name); };
  const auto settled = [&](const auto& m) { return name_of(m.value, name, m.value->failed()); };
  (void)(is("tasks_submitted", std::type_identity<tasks_submitted>{}, nothing) ||
         is("order_tasks", std::type_identity<order_tasks>{}, tasks) ||
         is("run_tasks", std::type_identity<run_tasks>{}, tasks) ||
         is("help_run", std::type_identity<help_run>{}, [](auto& m) { return names_of(m); }) ||
         is("came_early", std::type_identity<came_early>{},
            [](auto& m) { return " lane " + std::to_string(m.lane); }) ||
         is("work_ended", std::type_identity<work_ended>{}, nothing) ||
         is("tasks_done", std::type_identity<tasks_done>{}, tasks) ||
         is("watch", std::type_identity<watch>{}, value) ||
         is("want", std::type_identity<want>{}, value) ||
         is("await_point", std::type_identity<await_point>{}, value) ||
         is("value_resolved", std::type_identity<value_resolved>{}, settled) ||
         is("await_values", std::type_identity<await_values>{}, values) ||
         is("await_everything", std::type_identity<await_everything>{}, nothing) ||
         is("await_all", std::type_identity<await_all>{}, nothing) ||
         is("cancel_tasks", std::type_identity<cancel_tasks>{}, nothing) ||
         is("cancel_value", std::type_identity<cancel_value>{}, value) ||
         is("look_for_cancelled", std::type_identity<look_for_cancelled>{}, nothing) ||
         is("deadline_over", std::type_identity<deadline_over>{}, nothing) ||
         is("memory_freed", std::type_identity<memory_freed>{}, nothing) ||
         is("progress", std::type_identity<progress>{}, [](auto& m) { return counts_of(m); }) ||
         is("drop_tasks", std::type_identity<drop_tasks>{}, tasks) ||
         is("go_on", std::type_identity<go_on>{}, nothing) ||
         is("peers", std::type_identity<peers>{}, nothing) ||
         is("quit", std::type_identity<caf::exit_msg>{}, nothing));
  return text.empty() ? "another message" : text;
}

}  // namespace troupe
