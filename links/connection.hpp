// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/links/frame_body.hpp"
#include "troupe/links/frames.hpp"
#include "troupe/links/lent_memory.hpp"

namespace troupe {

/// Why a connection ends that is open, and over which nothing comes.
inline constexpr std::string_view silence = "it has been silent for a second";

/// Takes what arrives on a connection, on the network's thread. What it throws ends the connection.
class frame_receiver {
 public:
  virtual ~frame_receiver() = default;
  virtual void received(frame_kind kind, frame_body body) = 0;
  /// The connection is over, for this reason; nothing else arrives.
  virtual void closed(const std::string& why) noexcept = 0;
};

/// This side's end of a connection whose other side has proved the key. Thread-safe. Frames leave
/// in the order in which they were sent, but those of bulk data let others pass.
class connection {
 public:
  /// `wake` makes the network's thread look at what is to be sent, `end` makes it close the
  /// connection.
  connection(std::function<void()> wake, std::function<void(std::string)> end)
      : wake_(std::move(wake)), end_(std::move(end)) {}

  /// Sends a frame.
  void send(frame_kind kind, std::span<const std::byte> body);
  /// Sends the bytes of a value in frames of this kind, straight from where they are: `keeps` holds
  /// them until the last has left. `device` is the one that they are for.
  void send_bulk(frame_kind kind, std::uint64_t number, std::span<const std::byte> bytes,
                 std::uint8_t device, std::shared_ptr<const void> keeps) {
    send_part(kind, number, bytes, device, std::move(keeps), 0, bytes.size());
  }
  /// Does the same with the bytes from one place to another.
  void send_part(frame_kind kind, std::uint64_t number, std::span<const std::byte> bytes,
                 std::uint8_t device, std::shared_ptr<const void> keeps, std::size_t from,
                 std::size_t until);
  /// Memory that this side lends to the other.
  lent_memory& memory() noexcept { return memory_; }
  /// Bytes of values are lent from now on: the other side reads them by itself.
  void lend();
  /// The other side has read the first of what it was lent. Throws bytes_error if that is nothing.
  void returned();
  /// Ends the connection for this reason; the receiver is told.
  void close(std::string why) { end_(std::move(why)); }

  /// Appends up to about `room` bytes of frames to what is to leave next. For the network's thread.
  void take(std::vector<char>& to, std::size_t room);
  /// Drops all that is to be sent.
  void drop_all() noexcept;

 private:
  struct bulk {
    frame_kind kind;
    std::uint64_t number;
    std::span<const std::byte> bytes;
    std::uint8_t device;
    std::shared_ptr<const void> keeps;
    std::size_t sent, until;
  };

  void call(std::unique_lock<std::mutex>& lock);
  static void add_chunk(std::vector<char>& to, bulk& from);
  void lend_chunk(std::vector<char>& to, bulk& from);

  std::function<void()> wake_;
  std::function<void(std::string)> end_;
  std::mutex mutex_;
  std::vector<char> frames_;
  std::deque<bulk> bulk_;
  std::deque<std::shared_ptr<const void>> lent_;  ///< holds of the chunks that are read there
  lent_memory memory_;                            ///< ends before them
  bool lends_ = false;
  bool called_ = false;  ///< the network's thread is about to look
  bool over_ = false;
};

}  // namespace troupe
