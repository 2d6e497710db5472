// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/type_only_engine.hpp"

#include "troupe/tasks/task.hpp"

namespace troupe::shell {

namespace {

constexpr std::string_view reason = "not computed: only its type is asked for";

}  // namespace

void type_only_engine::submit(task_ptr t) { t->fail(reason); }

tensor type_only_engine::stand_in(const tensor& x) const {
  value_ref v(new value(x.type()));
  v->engine = id();
  auto why = std::make_shared<failure>();
  why->text = reason;
  v->fail(std::move(why));
  return tensor(std::move(v));
}

}  // namespace troupe::shell
