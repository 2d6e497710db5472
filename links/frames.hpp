// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace troupe {

/// Kinds of frames between the owner of a program and a node that works for it. Each frame has a
/// header of 8 bytes: the size of its body as uint32, its kind as uint8, three zeros.
enum class frame_kind : std::uint8_t {
  offer,     ///< node: its devices; the first frame
  commands,  ///< owner: tasks to run, values to drop and to send, one after the other
  store,     ///< owner: a part of a value's bytes
  part,      ///< node: a part of the bytes that were asked for
  done,      ///< node: tasks that have ended, values that are stored, and failures
  alive,     ///< nothing, so that the other side hears something
  arrived,   ///< node: the end of a copy from or to another node
  clock,     ///< node: the number of the question as uint64, its clock's nanoseconds as int64
  trace,     ///< node: a part of a `node_trace`
  // Between nodes, of which one brings the other a value, in frames of the kind `store`:
  ticket,  ///< who brings: what the owner gave it for this, and as uint64 the value's number and
           ///< that of the node that it is for
  more,  ///< who takes: the value's number, and the number of its bytes that may be sent so far; 0
         ///< says that nobody takes it
  // Between processes on one machine, which read each other's memory; see lent_memory.hpp:
  card,       ///< who may lend: its process as uint32, and the place of its proof as uint64
  challenge,  ///< who may read: random bytes, from which the proof is made
  proof,      ///< who lends: it lies there now
  reads,      ///< who reads: it has found it, and reads what is lent
  lent,       ///< a `store` or `part`: the header of its chunk, its kind, and for the chunk its
              ///< place as uint64 and its size as uint32
  returned    ///< the first of what was lent has been read
};
inline constexpr frame_kind last_frame_kind = frame_kind::returned;

inline constexpr std::size_t frame_header_bytes = 8;
/// Bytes of tensors that travel in one frame.
inline constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
/// The largest body: a chunk behind the number of its value, the value's size and the chunk's
/// offset as uint64, and the value's device as uint8, or how a node answers.
inline constexpr std::size_t chunk_header_bytes = 25;
inline constexpr std::size_t most_frame_bytes = chunk_bytes + chunk_header_bytes;
/// The number of chunks that are lent at a time, and the smallest value whose chunks are.
inline constexpr std::size_t most_lent = 16, least_lent_bytes = std::size_t{32} << 10;

/// The end of a copy between nodes.
enum class arrival : std::uint8_t {
  there,
  refused,     ///< the node that it was for has no room for it
  cut,         ///< it did not work, and another way may
  unreachable  ///< the nodes do not reach each other
};

/// Bytes that may be on their way from one node to another without an answer.
inline constexpr std::size_t window_bytes = 4 * chunk_bytes;

/// A node's answer to who asks for bytes.
enum class part_kind : std::uint8_t {
  bytes,
  refusal  ///< the reason why there are none, as text
};

}  // namespace troupe
