// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "troupe/apps/demo/page.hpp"

namespace troupe::demo {

/// Demonstration of one thing, with a runtime of its own.
struct experiment {
  const char* title;
  void (*run)(page& p);
  const char* group = "";  ///< a word that stands for it and others on the command line
};

/// Returns all of them, in order; users count them from 1.
std::span<const experiment> experiments();

void show_statements(page& p);
void show_queue(page& p);
void show_sync_points(page& p);
void show_waiting(page& p);
void show_two_devices(page& p);
void show_copies(page& p);
void show_memory(page& p);
void show_products(page& p);
void show_training(page& p);
void show_spirals(page& p);
void show_program_text(page& p);
void show_hybridize(page& p);
void show_machines(page& p);

}  // namespace troupe::demo
