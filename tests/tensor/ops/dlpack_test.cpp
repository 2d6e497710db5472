// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/dlpack.hpp"

#include <complex>
#include <memory>

#include "troupe/devices/driver.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

/// Array of another library, which counts how often it is given back.
template <class Managed, class T>
struct foreign_array {
  std::vector<T> elements;
  std::vector<std::int64_t> shape, strides;
  int given_back = 0;
  Managed managed{};

  foreign_array(std::vector<T> all, std::vector<std::int64_t> sizes,
                std::vector<std::int64_t> steps = {})
      : elements(std::move(all)), shape(std::move(sizes)), strides(std::move(steps)) {
    auto& a = managed.content;
    a.data = elements.data();
    a.device = {dlpack::device_kind::cpu, 0};
    a.rank = static_cast<std::int32_t>(shape.size());
    a.type = {dlpack::type_code::floating, 8 * sizeof(T), 1};
    a.shape = shape.data();
    a.strides = strides.empty() ? nullptr : strides.data();
    managed.context = this;
    managed.deleter = [](Managed* self) {
      ++static_cast<foreign_array*>(self->context)->given_back;
    };
    if constexpr (requires { managed.version; }) managed.version = {1, 0};
  }
};

using older = foreign_array<dlpack::managed_array, float>;
using newer = foreign_array<dlpack::versioned_array, double>;

std::vector<float> count_up(int n) {
  std::vector<float> out;
  for (int i = 0; i < n; ++i) out.push_back(static_cast<float>(i));
  return out;
}

// The structs as dlpack.h has them.
struct DLDevice_ {
  int device_type;
  std::int32_t device_id;
};
struct DLDataType_ {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct DLTensor_ {
  void* data;
  DLDevice_ device;
  std::int32_t ndim;
  DLDataType_ dtype;
  std::int64_t *shape, *strides;
  std::uint64_t byte_offset;
};
struct DLManagedTensor_ {
  DLTensor_ dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor_*);
};
struct DLManagedTensorVersioned_ {
  std::uint32_t major, minor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned_*);
  std::uint64_t flags;
  DLTensor_ dl_tensor;
};

}  // namespace

TEST_CASE("from_dlpack shows the elements of another library until nothing needs them") {
  test_engine e;
  older a(count_up(12), {3, 4});
  {
    tensor x = from_dlpack(&a.managed);
    CHECK(x.ready());
    CHECK(type_text(x) == "float32[3,4]");
    CHECK(x.source()->data() == a.elements.data());
    const auto part = x[1];
    x = {};
    CHECK(a.given_back == 0);
    CHECK(numbers(part) == list{4, 5, 6, 7});
  }
  CHECK(a.given_back == 1);
}

TEST_CASE("from_dlpack respects strides and the byte offset without a copy") {
  test_engine e;
  newer a({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {3, 3}, {1, 3});
  a.managed.content.byte_offset = 2 * sizeof(double);
  {
    const auto x = from_dlpack(&a.managed);
    CHECK(numbers(x) == list{2, 5, 8, 3, 6, 9, 4, 7, 10});
    CHECK(x.source()->data() == a.elements.data() + 2);
    CHECK(numbers(x + 1.0) == list{3, 6, 9, 4, 7, 10, 5, 8, 11});
    CHECK(numbers(grad([](const tensor& y) { return sum(y * y); })(x)) == numbers(2.0 * x));
  }
  CHECK(a.given_back == 1);
  newer backwards({0, 1, 2, 3, 4, 5}, {2, 3}, {-3, -1});
  backwards.managed.content.data = backwards.elements.data() + 5;
  CHECK(numbers(from_dlpack(&backwards.managed)) == list{5, 4, 3, 2, 1, 0});
  newer repeated({7, 8, 9}, {2, 3}, {0, 1});
  CHECK(numbers(from_dlpack(&repeated.managed)) == list{7, 8, 9, 7, 8, 9});
  newer column({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {3}, {4});
  const auto copied = from_dlpack(&column.managed);
  CHECK(column.given_back == 1);
  CHECK(numbers(copied) == list{0, 4, 8});
  newer single({3}, {});
  CHECK(from_dlpack(&single.managed).item() == 3);
  CHECK(single.given_back == 1);
  newer none({}, {2, 0, 3});
  CHECK(type_text(from_dlpack(&none.managed)) == "float64[2,0,3]");
}

TEST_CASE("memory that from_dlpack takes over counts as the device's") {
  test_engine e;
  const auto& memory = *e.engine.devices()[0]->memory();
  const auto before = memory.live();
  older a(count_up(1000), {10, 100});
  {
    const auto x = from_dlpack(&a.managed);
    CHECK(memory.live() == before + 4000);
  }
  CHECK(memory.live() == before);
}

TEST_CASE("what from_dlpack refuses is given back at once") {
  test_engine e;
  const auto refused = [](auto change) {
    newer a({0, 1, 2, 3}, {2, 2});
    change(a.managed);
    const auto text = TROUPE_ERROR_OF(from_dlpack(&a.managed));
    CHECK(a.given_back == 1);
    return text;
  };
  using dlpack::type_code;
  CHECK(refused([](auto& m) { m.version.major = 2; }) ==
        "from_dlpack: version 2.0 of DLPack, not 1");
  CHECK(refused([](auto& m) {
          m.content.device = {dlpack::device_kind::cuda, 1};
        }) == "from_dlpack: an array on device 2:1: copy it to the host first");
  CHECK(refused([](auto& m) {
          m.content.type = {type_code::floating, 64, 2};
        }) == "from_dlpack: no dtype has elements of float64 x 2");
  CHECK(refused([](auto& m) {
          m.content.type = {type_code::integer, 4, 1};
        }) == "from_dlpack: no dtype has elements of int4");
  CHECK(refused([](auto& m) {
          m.content.type = {type_code::opaque, 64, 1};
        }) == "from_dlpack: no dtype has elements of opaque64");
  CHECK(refused([](auto& m) {
          m.content.type = {type_code(9), 8, 1};
        }) == "from_dlpack: no dtype has elements of type 9 of 8");
  CHECK(refused([](auto& m) { m.content.rank = 9; }) ==
        "from_dlpack: an array of 9 axes; at most 8 are possible");
  CHECK(refused([](auto& m) { m.content.shape[0] = -1; }) == "shape: negative size -1 in [-1,2]");
  CHECK(refused([](auto& m) { m.content.shape = nullptr; }) ==
        "from_dlpack: an array without a shape");
  CHECK(refused([](auto& m) { m.content.data = nullptr; }) == "from_dlpack: no elements for [2,2]");
  CHECK(TROUPE_ERROR_OF(from_dlpack(static_cast<dlpack::versioned_array*>(nullptr))) ==
        "from_dlpack: null");
}

TEST_CASE("every dtype goes out by DLPack and comes back with the same memory") {
  test_engine e;
  for (const auto element : all_dtypes) {
    const auto x = astype(arange(24).reshape({4, 6}) % 2, element);
    const auto y = from_dlpack(to_dlpack(x));
    CHECK(type_text(y) == type_text(x));
    CHECK(y.source()->data() == x.source()->data());
    CHECK(numbers(astype(y, complex128)) == numbers(astype(x, complex128)));
  }
}

TEST_CASE("to_dlpack keeps the tensor, gives views their strides and says read-only") {
  test_engine e;
  auto* const out = [] {
    const auto x = arange(24, float64).reshape({4, 6});
    return to_dlpack(x(range{1, {}}, range{{}, {}, 2}).T());
  }();
  CHECK(out->version.major == 1);
  CHECK(out->flags == dlpack::read_only);
  const auto& a = out->content;
  CHECK((a.rank == 2 && a.shape[0] == 3 && a.shape[1] == 3));
  CHECK((a.strides[0] == 2 && a.strides[1] == 6 && a.byte_offset == 0));
  CHECK(static_cast<const double*>(a.data)[0] == 6);
  CHECK((a.type.code == dlpack::type_code::floating && a.type.bits == 64 && a.type.lanes == 1));
  CHECK(a.device.kind == dlpack::device_kind::cpu);
  out->deleter(out);
}

TEST_CASE("a copy that goes out belongs to its taker alone") {
  test_engine e;
  const auto x = arange(100, float32);
  auto* const out = to_dlpack(x, {.copy = true});
  CHECK(out->flags == dlpack::is_copied);
  static_cast<float*>(out->content.data)[0] = 7;
  CHECK(x[0].item() == 0);
  out->deleter(out);
  auto* const plain = to_unversioned_dlpack(x[range{2, 5}]);
  CHECK(static_cast<float*>(plain->content.data)[0] == 2);
  CHECK(plain->content.data != static_cast<const float*>(x.source()->data()) + 2);
  plain->deleter(plain);
  CHECK(TROUPE_ERROR_OF(to_dlpack(tensor{})) == "to_dlpack: the input names no array yet");
}

TEST_CASE("from_dlpack takes the structs of dlpack.h") {
  test_engine e;
  float numbers_there[] = {1, 2, 3, 4, 5, 6};
  std::int64_t sizes[] = {6};
  DLManagedTensor_ given{
      {numbers_there, {1, 0}, 1, {2, 32, 1}, sizes, nullptr, 0}, nullptr, nullptr};
  CHECK(sum(from_dlpack(&given)).item() == 21);
  DLManagedTensorVersioned_ newer_one{1, 0, nullptr, nullptr, 1, given.dl_tensor};
  CHECK(sum(from_dlpack(&newer_one)).item() == 21);
}

TEST_CASE("from_dlpack takes memory of the host over where GPUs are the default") {
  test_engine e;
  older a(count_up(12), {3, 4});
  {
    const on_device default_of_this_thread(gpu(0));
    const auto x = from_dlpack(&a.managed);
    CHECK(x.device() == cpu());
    CHECK(x.source()->data() == a.elements.data());
    CHECK(a.given_back == 0);
  }
  CHECK(a.given_back == 1);
}

TEST_CASE("errors name from_dlpack, whatever is wrong") {
  for (const int n : {3, 100}) {
    older a(count_up(n), {n});
    CHECK(TROUPE_ERROR_OF(from_dlpack(&a.managed)).starts_with("from_dlpack: "));
    CHECK(a.given_back == 1);
  }
}

}  // namespace troupe::testing
