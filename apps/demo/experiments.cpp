// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/experiments.hpp"

namespace troupe::demo {

std::span<const experiment> experiments() {
  static constexpr experiment all[] = {
      {"What returns at once, and what waits", show_statements},
      {"Time to queue, time to finish", show_queue},
      {"Sync points include the computing they wait for", show_sync_points},
      {"Waiting each time, or once at the end", show_waiting},
      {"Two devices at the same time", show_two_devices},
      {"Computing and copying at the same time", show_copies},
      {"Memory with and without sync points", show_memory},
      {"Ten independent products on one device", show_products},
      {"Training with and without sync points", show_training, "train"},
      {"A classifier, saved and read again", show_spirals, "train"},
      {"A program as text", show_program_text, "hybridize"},
      {"A network before and after hybridize", show_hybridize, "hybridize"},
      {"Several machines, one of them lost", show_machines, "machines"},
  };
  return all;
}

}  // namespace troupe::demo
