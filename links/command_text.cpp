// SPDX-License-Identifier: MIT
#include "troupe/links/command_text.hpp"

#include <cstring>

#include "troupe/links/remote_address.hpp"
#include "troupe/tasks/parameter_codec.hpp"

namespace troupe {

namespace {

// Bits that say what an input is.
constexpr std::uint8_t is_number = 1, is_whole = 2;

void write_shape(const shape& dims, byte_writer& to) {
  to.put(static_cast<std::uint8_t>(dims.rank()));
  for (const auto n : dims) to.put(n);
}

shape read_shape(byte_reader& from) {
  shape out;
  const int rank = from.get<std::uint8_t>();
  if (rank > max_rank) throw bytes_error("an array with too many axes");
  for (int i = 0; i < rank; ++i) {
    const auto n = from.get<std::int64_t>();
    if (n < 0) throw bytes_error("an array of a negative size");
    out.push_back(n);
  }
  if (!out.countable()) throw bytes_error("an array too large to count");
  return out;
}

void write_input(const operand& in, byte_writer& to) {
  const bool whole = in.source && !in.part;
  to.put(static_cast<std::uint8_t>((in.source ? 0 : is_number) | (whole ? is_whole : 0)));
  to.put(in.element);
  if (!in.source) return to.put(in.immediate);
  to.put(remote_address::number(in.source->data()));
  const auto& view = in.view();
  write_shape(view.dims, to);
  if (whole) return;
  to.put(view.offset);
  for (int i = 0; i < view.dims.rank(); ++i) to.put(view.strides[i]);
}

sent_input read_input(byte_reader& from) {
  sent_input out;
  const auto what = from.get<std::uint8_t>();
  out.element = from.get(last_dtype);
  if (what & is_number) {
    out.number = true;
    out.immediate = from.get<std::uint64_t>();
    return out;
  }
  out.source = from.get<std::uint64_t>();
  out.view = layout(read_shape(from));
  if (what & is_whole) return out;
  out.view.offset = from.get<std::int64_t>();
  for (int i = 0; i < out.view.dims.rank(); ++i) out.view.strides[i] = from.get<std::int64_t>();
  return out;
}

}  // namespace

void write_task(const task& t, std::uint8_t device, byte_writer& to) {
  const bool known = t.op->samples || t.op->registered;
  if (!known || (!t.attributes.empty() && !t.op->parameters))
    throw error(
        std::string(t.op->name) + ": only this process can run it, not " + to_string(t.device),
        t.call_site);
  to.put(command_kind::run);
  to.put_text(t.op->name);
  to.put(t.sequence);
  to.put(device);
  to.put(t.estimate);
  to.put(t.priority);
  to.put(static_cast<std::uint16_t>(t.inputs.size()));
  to.put(static_cast<std::uint16_t>(t.outputs.size()));
  for (const auto& in : t.inputs) write_input(in, to);
  for (const auto& out : t.outputs) {
    to.put(remote_address::number(out->data()));
    to.put(out->element);
    write_shape(out->dims(), to);
  }
  to.put(!t.attributes.empty());
  if (!t.attributes.empty()) t.op->parameters->write(t.attributes, to);
}

sent_task read_task(byte_reader& from) {
  sent_task out;
  out.operation = from.get_text();
  out.sequence = from.get<std::uint64_t>();
  out.device = from.get<std::uint8_t>();
  out.estimate = from.get<float>();
  out.priority = from.get<std::int8_t>();
  const auto inputs = from.get<std::uint16_t>(), outputs = from.get<std::uint16_t>();
  for (int i = 0; i < inputs; ++i) out.inputs.emplace_back(read_input(from));
  for (int i = 0; i < outputs; ++i) {
    sent_output made;
    made.number = from.get<std::uint64_t>();
    made.element = from.get(last_dtype);
    made.dims = read_shape(from);
    out.outputs.emplace_back(made);
  }
  out.has_parameters = from.get<bool>();
  return out;
}

void write_errand(const sent_errand& one, byte_writer& to) {
  to.put(one.number);
  to.put(one.place);
  to.put(one.bytes);
  to.put_bytes(one.ticket);
  to.put(one.node);
  to.put_text(one.address);
}

sent_errand read_errand(byte_reader& from) {
  sent_errand out;
  out.number = from.get<std::uint64_t>();
  out.place = from.get<std::uint64_t>();
  out.bytes = from.get<std::uint64_t>();
  out.ticket = read_ticket(from);
  out.node = from.get<std::uint64_t>();
  out.address = from.get_text();
  return out;
}

secret_key::digest read_ticket(byte_reader& from) {
  secret_key::digest out;
  std::memcpy(out.data(), from.get_bytes(out.size()).data(), out.size());
  return out;
}

void write_offer(const node_offer& offer, byte_writer& to) {
  to.put(offer.node);
  to.put(static_cast<std::uint8_t>(offer.devices.size()));
  for (const auto& one : offer.devices) {
    to.put(one.device.kind);
    to.put(one.device.index);
    to.put(static_cast<std::uint16_t>(one.lanes));
    to.put(one.memory_limit);
    to.put_text(one.description);
  }
  to.put(static_cast<std::uint16_t>(offer.registered.size()));
  for (const auto& name : offer.registered) to.put_text(name);
}

node_offer read_offer(byte_reader& from) {
  node_offer all;
  all.node = from.get<std::uint64_t>();
  const int count = from.get<std::uint8_t>();
  if (count > remote_address::most_devices) throw bytes_error("it has too many devices");
  all.devices.resize(static_cast<std::size_t>(count));
  for (auto& one : all.devices) {
    one.device.kind = from.get(device_kind::gpu);
    one.device.index = from.get<std::int16_t>();
    one.lanes = from.get<std::uint16_t>();
    one.memory_limit = from.get<std::uint64_t>();
    one.description = from.get_text();
  }
  const int names = from.get<std::uint16_t>();
  for (int i = 0; i < names; ++i) all.registered.emplace_back(from.get_text());
  return all;
}

void write_news(const node_news& news, byte_writer& to) {
  to.put(news.tasks);
  to.put(news.stores);
  to.put(news.nanoseconds);
  to.put(static_cast<std::uint16_t>(news.failures.size()));
  for (const auto& one : news.failures) {
    to.put(one.number);
    to.put_text(one.facts);
    to.put(one.kind);
  }
}

node_news read_news(byte_reader& from) {
  node_news out;
  out.tasks = from.get<std::uint64_t>();
  out.stores = from.get<std::uint64_t>();
  out.nanoseconds = from.get<float>();
  if (!(out.nanoseconds >= 0)) throw bytes_error("work that takes less than no time");
  const auto failures = from.get<std::uint16_t>();
  for (int i = 0; i < failures; ++i) {
    auto& one = out.failures.emplace_back();
    one.number = from.get<std::uint64_t>();
    one.facts = from.get_text();
    one.kind = from.get(request_kind::store);
  }
  return out;
}

void write_trace(const node_trace& part, byte_writer& to) {
  to.put(part.number);
  to.put(part.last);
  to.put(static_cast<std::uint16_t>(part.lanes.size()));
  for (const auto& name : part.lanes) to.put_text(name);
  to.put(static_cast<std::uint32_t>(part.runs.size()));
  for (const auto& one : part.runs) {
    to.put(one.sequence);
    to.put(one.started);
    to.put(one.ended);
    to.put(one.share);
    to.put(one.lane);
    to.put(one.failed);
  }
}

node_trace read_trace(byte_reader& from) {
  node_trace out;
  out.number = from.get<std::uint64_t>();
  out.last = from.get<bool>();
  const int lanes = from.get<std::uint16_t>();
  for (int i = 0; i < lanes; ++i) out.lanes.emplace_back(from.get_text());
  const auto runs = from.get<std::uint32_t>();
  if (runs > node_trace::most_runs) throw bytes_error("more runs of tasks than one frame has");
  for (std::uint32_t i = 0; i < runs; ++i) {
    auto& one = out.runs.emplace_back();
    one.sequence = from.get<std::uint64_t>();
    one.started = from.get<std::int64_t>();
    one.ended = from.get<std::int64_t>();
    one.share = from.get<float>();
    one.lane = from.get<std::uint16_t>();
    one.failed = from.get<bool>();
  }
  return out;
}

}  // namespace troupe
