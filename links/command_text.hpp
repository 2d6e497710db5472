// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/links/secret_key.hpp"
#include "troupe/tasks/byte_stream.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

/// A device that a node offers.
struct offered_device {
  troupe::device device;  ///< by its name there
  int lanes = 1;
  std::uint64_t memory_limit = 0;  ///< bytes that it may hold
  std::string description;
};

/// Kinds of commands in a frame; each is followed by what it names.
enum class command_kind : std::uint8_t {
  run,     ///< a task, as `write_task` writes it
  cancel,  ///< uint64: the number of a task, counted from 1, that need not begin any more
  drop,    ///< uint64: the number of a value that is no longer needed
  send,    ///< uint64 each: the place of bytes to send, and how many
  copy,  ///< uint64 each: the number of a new value, the place of its bytes, how many, and a device
  expect,     ///< a ticket, and a new value's number, size and device: another node brings it
  give,       ///< a `sent_errand`
  take_back,  ///< uint64: the number of a value that needs no longer be given
  fail,       ///< the number, size and device of a new value, and the reason why it cannot be had
  trim,       ///< nothing: memory that is kept for reuse goes back to the system
  clock,      ///< uint64: the number of the question what time it is
  trace  ///< uint64: the number of the question when tasks ran; int64: since when, by its clock
};
inline constexpr command_kind last_command_kind = command_kind::trace;

/// Bytes that a node is to bring to another node.
struct sent_errand {
  std::uint64_t number = 0;  ///< of the value there
  std::uint64_t place = 0, bytes = 0;
  secret_key::digest ticket = {};
  std::uint64_t node = 0;  ///< the other node's own number: others may be at its address
  std::string address;     ///< of the other node
};

void write_errand(const sent_errand& one, byte_writer& to);
sent_errand read_errand(byte_reader& from);
secret_key::digest read_ticket(byte_reader& from);

/// The input of a task that came from another machine.
struct sent_input {
  bool number = false;
  dtype element = boolean;
  std::uint64_t immediate = 0;  ///< of a number
  std::uint64_t source = 0;     ///< the number of a value
  layout view;                  ///< of that value's elements
};

/// The output of such a task: a value to be made.
struct sent_output {
  std::uint64_t number = 0;
  dtype element = boolean;
  shape dims;
};

/// A task that came from another machine.
struct sent_task {
  std::string_view operation;
  std::uint64_t sequence = 0;  ///< in the program order there
  std::uint8_t device = 0;     ///< by its place in the offer
  float estimate = 0;          ///< nanoseconds
  std::int8_t priority = 0;
  small_vector<sent_input, 2> inputs;
  small_vector<sent_output, 1> outputs;
  bool has_parameters = false;
};

/// Writes a task whose outputs have addresses. Throws troupe::error for one that means something in
/// this process only.
void write_task(const task& t, std::uint8_t device, byte_writer& to);
/// Reads a task; its parameters follow, if it has some. Throws bytes_error.
sent_task read_task(byte_reader& from);

/// All that a node offers.
struct node_offer {
  std::uint64_t node = 0;  ///< a random number, its own; 0 if no other node brings it anything
  std::vector<offered_device> devices;
  std::vector<std::string> registered;  ///< names of code that its program has registered
};

void write_offer(const node_offer& offer, byte_writer& to);
node_offer read_offer(byte_reader& from);

/// Kinds of what a node is asked for: tasks to run, values to keep, bytes to send.
enum class request_kind : std::uint8_t { task, store, fetch };

/// News of a node: the tasks and stored values that are done, counted from the first, and those of
/// them that failed.
struct node_news {
  struct failed_request {
    std::uint64_t number;
    std::string facts;
    request_kind kind = request_kind::task;
  };
  std::uint64_t tasks = 0, stores = 0;
  /// Time that the tasks among them took of which the owner hears for the first time, by what the
  /// node has learned of others like them.
  float nanoseconds = 0;
  std::vector<failed_request> failures;
};

void write_news(const node_news& news, byte_writer& to);
node_news read_news(byte_reader& from);

/// A part of an answer when tasks ran on a node.
struct node_trace {
  struct run {
    std::uint64_t sequence = 0;           ///< the task's, in the owner's program order
    std::int64_t started = 0, ended = 0;  ///< nanoseconds of the node's clock
    float share = 1;                      ///< fraction of the task that ran on this lane
    std::uint16_t lane = 0;
    bool failed = false;
  };
  /// Runs in one part: it is smaller than the largest frame.
  static constexpr std::size_t most_runs = 20'000;

  std::uint64_t number = 0;        ///< of the question
  bool last = true;                ///< no other part follows
  std::vector<std::string> lanes;  ///< their names, in the first part
  std::vector<run> runs;
};

void write_trace(const node_trace& part, byte_writer& to);
node_trace read_trace(byte_reader& from);

}  // namespace troupe
