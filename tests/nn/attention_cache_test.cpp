// SPDX-License-Identifier: MIT
#include "troupe/nn/attention.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

TEST_CASE("sequences in parts get what they get as a whole, with and without rotary positions") {
  test_engine e;
  const auto x = spread({2, 9, 8});
  for (const bool turned : {false, true}) {
    nn::multi_head_attention net(2, {.causal = true, .rotary = turned});
    const auto whole = net(x);
    for (const std::vector<std::int64_t>& sizes :
         {std::vector<std::int64_t>(9, 1), {4, 5}, {1, 7, 1}, {9}}) {
      nn::attention_cache cache;
      std::vector<tensor> parts;
      std::int64_t at = 0;
      for (const auto size : sizes) {
        parts.push_back(net(slice(x, 1, at, at + size), cache));
        at += size;
        CHECK(cache.steps() == at);
      }
      check_near(concatenate(parts, 1), numbers(whole));
    }
  }
}

TEST_CASE("a cache with a window forgets the steps before it") {
  test_engine e;
  nn::multi_head_attention net(2, {.causal = true, .rotary = true});
  const auto x = spread({1, 10, 4});
  nn::attention_cache cache(3);
  tensor y;
  for (std::int64_t i = 0; i < 10; ++i) y = net(slice(x, 1, i, i + 1), cache);
  CHECK(cache.steps() == 10);
  // Positions count from the beginning, but only distances matter.
  check_near(y, numbers(slice(net(slice(x, 1, 7, 10)), 1, 2, 3)));
  cache.clear();
  CHECK(cache.steps() == 0);
  check_near(net(slice(x, 1, 0, 1), cache), numbers(net(slice(x, 1, 0, 1))));
}

TEST_CASE("gradients flow through the steps in a cache") {
  test_engine e;
  nn::multi_head_attention net(2, {.causal = true, .rotary = true});
  const auto x = spread({1, 4, 8});
  net(x);
  check_gradients(
      [&](const std::vector<tensor>& t) {
        nn::attention_cache cache;
        net(slice(t[0], 1, 0, 2), cache);
        return net(slice(t[0], 1, 2, 4), cache);
      },
      {x});
}

TEST_CASE("what does not fit a cache is refused in one line") {
  test_engine e;
  nn::multi_head_attention net(2, {.causal = true}), seeing_all(2), odd(2, {.rotary = true});
  nn::attention_cache cache;
  net(ones({2, 3, 4}), cache);
  CHECK(TROUPE_ERROR_OF(nn::attention_cache(-1)) == "attention_cache: a negative window -1");
  CHECK(TROUPE_ERROR_OF(net(ones({1, 3, 4}), cache)) ==
        "multi_head_attention: the cache holds float32[2,2,3,2] on cpu:0, to which keys of "
        "float32[1,2,3,2] on cpu:0 cannot be added");
  CHECK(TROUPE_ERROR_OF(seeing_all(ones({2, 3, 4}), cache)) ==
        "multi_head_attention: sequences in parts need {.causal = true}");
  CHECK(TROUPE_ERROR_OF(odd(ones({2, 3, 6}))) ==
        "multi_head_attention: rotary positions need an even number of features in each head, "
        "not 3");
  CHECK(cache.steps() == 3);
}

}  // namespace troupe::testing
