// SPDX-License-Identifier: MIT
#include "troupe/tensor/tensor_options.hpp"

namespace troupe {

namespace {

thread_local constinit device chosen{};

}  // namespace

on_device::on_device(device d) noexcept : before_(chosen) { chosen = d; }

on_device::~on_device() { chosen = before_; }

device default_device() noexcept { return chosen; }

}  // namespace troupe
