// SPDX-License-Identifier: MIT
#include "troupe/nodes/session.hpp"

#include <algorithm>

#include "troupe/links/remote_address.hpp"
#include "troupe/nodes/task_checks.hpp"
#include "troupe/tasks/binding.hpp"
#include "troupe/tasks/library_thread.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe {

namespace {

value_ref new_value(const engine& e, dtype element, const shape& dims, device place) {
  value_ref out(new value(element, place, dims));
  out->engine = e.id();
  return out;
}

failure_ptr failure_with(const std::string& facts) {
  auto out = std::make_shared<failure>();
  out->facts = out->text = facts;
  out->reported = true;
  return out;
}

constexpr auto most_bytes = std::uint64_t{1} << remote_address::device_shift;

[[noreturn]] std::shared_ptr<connection> nobody(const network_address&, const network::welcome&,
                                                std::chrono::milliseconds) {
  throw error("this node knows no others", {});
}

}  // namespace

session::session(engine& with, memory_bound limit, std::shared_ptr<connection> link,
                 std::function<void(std::string)> over, neighbours others)
    : engine_(with),
      limit_(limit),
      link_(std::move(link)),
      over_(std::move(over)),
      visits_(std::move(others.who_come)),
      errands_(std::make_shared<errands>(
          with, others.dial ? std::move(others.dial) : network::dialer(nobody),
          [link = link_](std::uint64_t number, arrival how, const std::string& why) {
            tell_arrival(*link, number, how, why);
          })),
      tracer_(with, link_),
      teller_(with, link_),
      sender_(with, link_),
      giver_(library_thread([this] {
        errands_->work();
        gave_all_ = true;
      })) {
  offer();
}

session::~session() {
  end();
  giver_.join();
  if (trimmer_.joinable()) trimmer_.join();
}

void session::end() {
  teller_.end();
  sender_.end();
  errands_->end();
  tracer_.end();
}

void session::offer() {
  node_offer all{visits_ ? visits_->node() : 0, {}, detail::registered_names()};
  for (const auto& one : engine_.devices()) {
    if (!one->id().traits().synchronous) continue;
    const auto own = one->memory_limit();
    all.devices.push_back(
        {one->id(), one->lanes(), own > 0 ? own : limit_.bytes, one->description()});
    devices_.push_back(one->id());
  }
  std::vector<std::byte> body;
  byte_writer out(body);
  write_offer(all, out);
  link_->send(frame_kind::offer, body);
}

void session::received(frame_kind kind, frame_body body) {
  switch (kind) {
    case frame_kind::commands: return take_commands(body.here());
    case frame_kind::store: return take_store(body);
    case frame_kind::alive: return teller_.look();
    default: break;
  }
  throw bytes_error("a frame that only nodes send");
}

void session::closed(const std::string& why) noexcept {
  values_.clear();
  arriving_.clear();
  end();
  over_(why);
}

void session::take_commands(byte_reader in) {
  while (in.left() > 0) {
    switch (in.get(last_command_kind)) {
      case command_kind::run: run(in); break;
      case command_kind::cancel: cancel(in); break;
      case command_kind::drop: values_.erase(in.get<std::uint64_t>()); break;
      case command_kind::send: send(in); break;
      case command_kind::copy: copy(in); break;
      case command_kind::expect: expect(in); break;
      case command_kind::give: give(in); break;
      case command_kind::take_back: errands_->take_back(in.get<std::uint64_t>()); break;
      case command_kind::fail: fail(in); break;
      case command_kind::trim: trim(); break;
      case command_kind::clock: tracer_.tell_time(in); break;
      case command_kind::trace: tracer_.ask(in); break;
    }
  }
  teller_.look();
}

device session::device_at(std::uint8_t place) const {
  if (place >= devices_.size()) throw bytes_error("no such device");
  return devices_[place];
}

void session::keep(std::uint64_t number, value_ref v) {
  const auto before = values_.size();
  values_.emplace_hint(values_.end(), number, std::move(v));  // it is the newest, mostly
  if (values_.size() == before) throw bytes_error("a value that is there already");
}

/// Returns the value that a place lies in, if it is there, and sets the bytes before the place.
value_ref session::find(std::uint64_t place, std::uint64_t& offset) const {
  const auto behind = values_.upper_bound(place);
  if (behind == values_.begin()) return {};
  const auto& [number, v] = *std::prev(behind);
  offset = place - number;
  return offset > v->bytes() ? value_ref() : v;
}

void session::add_input(task& t, const sent_input& in) {
  auto& to = t.inputs.emplace_back();
  to.element = in.element;
  to.immediate = in.immediate;
  if (in.number) return;
  const auto found = values_.find(in.source);
  if (found == values_.end()) throw bytes_error("a value that is not there");
  auto& v = found->second;
  if (in.element == boolean && v->element != boolean) v = bools_of(engine_, v);
  const auto bytes = static_cast<std::int64_t>(size_of(in.element));
  if (!lies_within(in.view, static_cast<std::int64_t>(v->bytes()) / bytes) || v->device != t.device)
    throw bytes_error("a view beyond its value");
  to.source = v;
  if (v->element != in.element || v->dims() != in.view.dims || !in.view.contiguous() ||
      in.view.offset != 0)
    to.part = view_ref(new shared_view(in.view));
}

/// Returns a task as it was sent, without its outputs.
task_ptr session::made(const sent_task& one, const known_operation& op, byte_reader& in) {
  task_ptr t(new task(*op.record, device_at(one.device), {}));
  if (one.has_parameters) {
    if (!op.record->parameters) throw bytes_error("parameters that it does not have");
    t->attributes = op.record->parameters->read(in);
  }
  for (const auto& input : one.inputs) add_input(*t, input);
  return t;
}

/// Submits a task that has been checked.
void session::submit_made(task_ptr t, const sent_task& one, const operation& op) {
  if (op.registered) {
    t->attributes = detail::body_of_registered(op);
    t->estimate = one.estimate;  // only the owner knows; of others, what they take here is known
  }
  for (const auto& output : one.outputs) {
    auto v = new_value(engine_, output.element, output.dims, t->device);
    t->add_output(v);
    keep(output.number, std::move(v));
  }
  value_ref first = t->outputs[0];
  const auto largest = std::ranges::max(t->outputs, {}, [](const auto& v) { return v->bytes(); });
  const auto live = engine_.at(t->device, one.operation, {}).memory()->live();
  if (largest->bytes() > limit_.bytes)
    t->fail(over_limit(largest->bytes(), live, limit_.bytes).what());
  else submit(engine_, std::move(t));
  tracer_.note(first->sequence, one.sequence);
  teller_.add(std::move(first));
}

/// Fails a task that this node does not run.
void session::refuse(const sent_task& one, const std::string& why) {
  if (one.outputs.empty()) throw bytes_error(why);
  value_ref first;
  for (const auto& output : one.outputs) {
    auto v = new_value(engine_, output.element, output.dims, device_at(one.device));
    v->fail(failure_with(why));
    if (!first) first = v;
    keep(output.number, std::move(v));
  }
  teller_.add(std::move(first));
}

void session::run(byte_reader& in) {
  const auto one = read_task(in);
  const auto op = find_known(one.operation);
  if (!op.record) {
    const auto why = "no operation is named \"" + std::string(one.operation) + '"';
    if (one.has_parameters) throw bytes_error(why);
    return refuse(one, why);
  }
  try {
    auto t = made(one, op, in);
    if (const auto why = problem_with(one, op, t->attributes); !why.empty()) refuse(one, why);
    else submit_made(std::move(t), one, *op.record);
  } catch (const bytes_error& e) {
    throw bytes_error(std::string(one.operation) + ": " + e.what());
  } catch (const std::exception& e) { teller_.add_refused(e.what()); }
}

void session::cancel(byte_reader& in) {
  const auto v = teller_.output_of(in.get<std::uint64_t>());
  if (v && v->pending()) engine_.cancel(v);
}

/// Trims the memory on a thread of its own: the system takes a while for gigabytes.
void session::trim() {
  if (trims_.exchange(true)) return;
  if (trimmer_.joinable()) trimmer_.join();
  trimmer_ = library_thread([this] {
    engine_.trim_memory();
    trims_ = false;
  });
}

void session::copy(byte_reader& in) {
  const auto to = in.get<std::uint64_t>(), from = in.get<std::uint64_t>(),
             bytes = in.get<std::uint64_t>();
  const auto place = device_at(in.get<std::uint8_t>());
  std::uint64_t offset = 0;
  const auto source = find(from, offset);
  if (!source || bytes > source->bytes() - offset) throw bytes_error("bytes beyond their value");
  const auto size = static_cast<std::int64_t>(bytes);
  task_ptr t(new task(transfer_operation, place, {}));
  auto& input = t->inputs.emplace_back();
  input.source = source;
  input.element = uint8;
  layout part(shape{size});
  part.offset = static_cast<std::int64_t>(offset);
  input.part = view_ref(new shared_view(part));
  auto v = new_value(engine_, uint8, shape{size}, place);
  t->add_output(v);
  keep(to, v);
  submit(engine_, std::move(t));
  teller_.add(std::move(v));
}

void session::send(byte_reader& in) {
  const auto place = in.get<std::uint64_t>(), bytes = in.get<std::uint64_t>();
  std::uint64_t offset = 0;
  const auto source = find(place, offset);
  if (source && bytes > source->bytes() - offset) throw bytes_error("bytes beyond their value");
  sender_.add({source, place, offset, bytes});
}

/// Returns a value of so many bytes, which arrive from now on, or why there is no room for them:
/// then they are read all the same, and whoever reads the value fails.
session::arriving session::place_for(std::uint64_t bytes, device where) const {
  if (bytes > most_bytes) throw bytes_error("an array larger than any");
  arriving out{new_value(engine_, uint8, shape{static_cast<std::int64_t>(bytes)}, where)};
  try {
    const auto& place = engine_.at(where, "store", {}).memory();
    const auto live = place->live();
    if (bytes > limit_.bytes || (limit_.strict && live + bytes > limit_.bytes))
      throw over_limit(bytes, live, limit_.bytes);
    out.into->allocate(place);
  } catch (const over_limit& e) { out.refused = e.what(); } catch (const std::bad_alloc&) {
    out.refused = "out of memory: " + bytes_text(static_cast<double>(bytes)) + " cannot be had";
  }
  return out;
}

void session::take_store(frame_body body) {
  auto& in = body.here();
  const auto number = in.get<std::uint64_t>(), all = in.get<std::uint64_t>(),
             offset = in.get<std::uint64_t>();
  const auto place = device_at(in.get<std::uint8_t>());
  if (offset == 0) {
    // Bytes that another node was to bring come from the owner instead, or as well.
    expect_no_visit(number);
    if (!arriving_.contains(number)) {
      auto& one = arriving_.emplace(number, place_for(all, place)).first->second;
      one.known = values_.contains(number);
    }
  }
  const auto found = arriving_.find(number);
  if (found == arriving_.end()) throw bytes_error("a part of no value");
  if (!add_part(found->second, body, offset)) return;
  auto [v, received, why, ticket, known] = std::move(found->second);
  arriving_.erase(found);
  if (!known) {
    if (why.empty()) v->succeed();
    else v->fail(failure_with(why));
    keep(number, std::move(v));
  }
  teller_.add_store(why);
  teller_.look();
}

/// Adds a part to the others. Returns true if it was the last one.
bool session::add_part(arriving& to, frame_body& body, std::uint64_t offset) {
  const auto size = body.left();
  const auto& v = *to.into;
  if (offset != to.received || size > v.bytes() - to.received)
    throw bytes_error("a part beyond its value");
  if (to.refused.empty()) body.copy_to({static_cast<std::byte*>(v.data()) + offset, size});
  to.received += size;
  return to.received == v.bytes();
}

void session::expect(byte_reader& in) {
  const auto ticket = read_ticket(in);
  const auto number = in.get<std::uint64_t>(), bytes = in.get<std::uint64_t>();
  const auto place = device_at(in.get<std::uint8_t>());
  if (values_.contains(number) || arriving_.contains(number))
    throw bytes_error("a value that is there already");
  auto one = place_for(bytes, place);
  if (!one.refused.empty()) return tell_arrival(*link_, number, arrival::refused, one.refused);
  if (!visits_) return tell_arrival(*link_, number, arrival::cut, "nobody comes here");
  one.ticket = ticket;
  arriving_.emplace(number, std::move(one));
  visits_->await(ticket, weak_from_this(), number);
}

/// Forgets that another node was to bring a value.
void session::expect_no_visit(std::uint64_t number) {
  const auto found = arriving_.find(number);
  if (found == arriving_.end() || !found->second.ticket) return;
  visits_->forget(*found->second.ticket);
  arriving_.erase(found);
}

void session::give(byte_reader& in) {
  const auto one = read_errand(in);
  std::uint64_t offset = 0;
  const auto source = find(one.place, offset);
  if (source && one.bytes > source->bytes() - offset) throw bytes_error("bytes beyond their value");
  errands_->add(one, source, offset);
}

void session::fail(byte_reader& in) {
  const auto number = in.get<std::uint64_t>(), bytes = in.get<std::uint64_t>();
  if (bytes > most_bytes) throw bytes_error("an array larger than any");
  auto v = new_value(engine_, uint8, shape{static_cast<std::int64_t>(bytes)},
                     device_at(in.get<std::uint8_t>()));
  v->fail(failure_with(std::string(in.get_text())));
  expect_no_visit(number);
  if (!values_.contains(number)) keep(number, std::move(v));
}

void session::visit_begun(std::uint64_t number, const std::shared_ptr<connection>& visitor) {
  const auto found = arriving_.find(number);
  if (found == arriving_.end() || !found->second.ticket) return;
  send_room(*visitor, number, found->second.received + window_bytes);
}

bool session::take_visit(frame_body body, const std::shared_ptr<connection>& visitor) {
  auto& in = body.here();
  const auto number = in.get<std::uint64_t>(), all = in.get<std::uint64_t>(),
             offset = in.get<std::uint64_t>();
  in.get<std::uint8_t>();  // the owner has said which device
  const auto found = arriving_.find(number);
  if (found == arriving_.end() || !found->second.ticket) return false;
  if (all != found->second.into->bytes()) throw bytes_error("a value of another size");
  if (!add_part(found->second, body, offset)) {
    visit_begun(number, visitor);
    return true;
  }
  auto v = std::move(found->second.into);
  arriving_.erase(found);
  v->succeed();
  keep(number, std::move(v));
  tell_arrival(*link_, number, arrival::there, {});
  return false;
}

void session::visit_cut(std::uint64_t number, const std::string& why) {
  const auto found = arriving_.find(number);
  if (found == arriving_.end() || !found->second.ticket) return;
  arriving_.erase(found);
  tell_arrival(*link_, number, arrival::cut, why);
}

void session::tell_arrival(connection& to, std::uint64_t number, arrival how,
                           const std::string& why) {
  std::vector<std::byte> body;
  byte_writer out(body);
  out.put(number);
  out.put(how);
  out.put_text(teller::reason(why));
  to.send(frame_kind::arrived, body);
}

}  // namespace troupe
