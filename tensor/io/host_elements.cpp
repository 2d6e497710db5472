// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/host_elements.hpp"

#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/layout.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

void convert(const array& from, void* to, dtype as) {
  const layout packed(shape(std::span(from.shape, static_cast<std::size_t>(from.rank))));
  const array inputs[] = {from};
  const array outputs[] = {{to, as, from.rank, packed.dims.data(), packed.strides}};
  const kernel_args args{inputs, outputs};
  const auto* kernel = cpu_kernels::astype_kernel(from.type, as);
  kernel->run(args, 0, kernel->chunks ? kernel->chunks(args) : 1);
}

void await_elements(const tensor& x, const file_call& call) {
  refuse_while_working(call.function, call.call_site);
  if (!x.defined()) call.fail("the tensor names no array yet");
  detail::has_settled(call.function, x, call.call_site);  // unless a function is captured
  x.wait(call.call_site);
}

host_elements::host_elements(const tensor& x, const file_call& call) {
  await_elements(x, call);
  array_ = x.detach();
  if (!array_.device(call.call_site).traits().host_memory)
    array_ = to(array_, cpu(), call.call_site).wait(call.call_site);
  const auto& view = array_.view();
  const auto element = array_.dtype(call.call_site);
  auto* first = static_cast<std::byte*>(array_.source()->data()) +
                view.offset * static_cast<std::ptrdiff_t>(size_of(element));
  size_ = static_cast<std::size_t>(view.dims.size()) * size_of(element);
  data_ = first;
  if (view.contiguous()) return;
  packed_ = std::make_unique_for_overwrite<std::byte[]>(size_);
  data_ = packed_.get();
  convert({first, element, view.dims.rank(), view.dims.data(), view.strides}, packed_.get(),
          element);
}

}  // namespace troupe
