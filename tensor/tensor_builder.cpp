// SPDX-License-Identifier: MIT
#include "troupe/tensor/tensor_builder.hpp"

#include <new>
#include <utility>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

/// Memory of the program's: counted as a device's until its value gives it back to its owner.
class lent_memory final : public memory {
 public:
  lent_memory(std::shared_ptr<memory> home, std::shared_ptr<const void> owner, std::size_t bytes)
      : home_(std::move(home)), owner_(std::move(owner)) {
    home_->adopt(bytes);
  }

  void* allocate(std::size_t) override { throw std::bad_alloc(); }
  void deallocate(void*, std::size_t bytes) noexcept override {
    owner_ = nullptr;
    home_->disown(bytes);
  }
  std::size_t live() const noexcept override { return home_->live(); }
  memory_statistics statistics() const override { return home_->statistics(); }
  void trim() noexcept override { home_->trim(); }

 private:
  std::shared_ptr<memory> home_;
  std::shared_ptr<const void> owner_;
};

}  // namespace

tensor_builder::tensor_builder(std::string_view what, const tensor_type& wanted, caller where)
    : tensor_builder(
          what, wanted, [](value& v, const auto& from) { v.allocate(from); }, where) {}

tensor_builder::tensor_builder(std::string_view what, const tensor_type& wanted, void* elements,
                               std::shared_ptr<const void> owner, caller where)
    : tensor_builder(
          what, wanted,
          [&](value& v, const auto& home) {
            const auto from = std::make_shared<lent_memory>(home, std::move(owner), v.bytes());
            v.adopt(buffer(from, elements, v.bytes()));
          },
          where) {}

tensor_builder::tensor_builder(std::string_view what, const tensor_type& wanted, const taking& take,
                               caller where)
    : device_(wanted.device), call_site_(where) {
  auto& e = engine::current(what, where);
  auto* place = &e.at(device_, what, where);
  const bool on_host = device_.traits().host_memory;
  if (!on_host) place = &e.at(cpu(), what, where);
  value_ = value_ref(new value({wanted.dims, wanted.element, on_host ? device_ : cpu()}));
  value_->engine = e.id();
  try {
    if (value_->fits_inline()) take(*value_, place->memory());
    else e.bring(*place, value_->bytes(), [&] { take(*value_, place->memory()); });
  } catch (const over_limit& why) {
    throw error(std::string(what) + ": " + why.what(), where);
  } catch (const std::bad_alloc&) {
    throw error(std::string(what) + ": out of memory for " + to_string(wanted), where);
  }
}

tensor tensor_builder::finish() && {
  value_->succeed();
  tensor out(std::move(value_));
  return device_.traits().host_memory ? out : to(out, device_, call_site_);
}

}  // namespace troupe
