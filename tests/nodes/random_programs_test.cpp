// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "troupe/nn/nn.hpp"
#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using troupe::testing::tested_node;

namespace {

/// Returns the bits of a tensor, or the line where it failed: the rest of an error names devices.
std::string outcome_of(const tensor& x) {
  try {
    const auto numbers = x.to(cpu()).to_vector<double>();
    std::string bits(numbers.size() * sizeof(double), '\0');
    if (!bits.empty()) std::memcpy(bits.data(), numbers.data(), bits.size());
    return to_string(x.type()) + bits;
  } catch (const error& e) { return "error of line " + std::to_string(e.where().line()); }
}

/// Runs a program that depends only on the seed: it creates, computes, views, overwrites, copies
/// and reads on `devices`; some operations fail. Returns everything read.
std::vector<std::string> run_random_program(const std::vector<device>& devices, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  const auto place = [&] { return devices[below(devices.size())]; };
  static constexpr std::int64_t sizes[] = {1, 2, 5, 17, 64};
  const auto n = sizes[below(std::size(sizes))];
  const bool fails = below(3) == 0;
  troupe::seed(seed);

  const auto make = [&](device where) {
    switch (below(3)) {
      case 0: return full({n, n}, static_cast<double>(below(1'000)) / 7, {.device = where});
      case 1: return normal({n, n}, 0, 1, {.device = where});
      default: {
        std::vector<float> numbers(static_cast<std::size_t>(n * n));
        for (auto& x : numbers) x = static_cast<float>(below(100)) / 8;
        return from_data(numbers, {n, n}).to(where);
      }
    }
  };
  std::vector<tensor> variables;
  for (int i = 0; i < 5; ++i) variables.push_back(make(place()));
  std::vector<std::string> read;
  const auto steps = 20 + below(100);
  for (std::size_t step = 0; step < steps; ++step) {
    auto& target = variables[below(variables.size())];
    const auto x = variables[below(variables.size())];
    const auto y = variables[below(variables.size())].to(x.device());
    switch (below(15)) {
      case 0: target = make(place()); break;
      case 1: target = x.to(place()); break;
      case 2: target = tanh(matmul(x, y)); break;
      case 3: target = x.T() + y; break;
      case 4: target = softmax(x, 1); break;
      case 5: target = x - mean(x, 0, true); break;
      case 6: target += y.to(target.device()); break;
      case 7: target = take(x, arange(n, {.device = x.device()}).to(x.device()), 0) * 0.5; break;
      case 8: {
        const auto both = split(x, {n / 2}, 0);
        target = concatenate({both[1], both[0]}, 0);
        break;
      }
      case 9:
        if (below(3) == 0) read.push_back(outcome_of(x));
        break;
      case 10:
        if (fails) target = take(x, full({n}, n, {.dtype = int64, .device = x.device()}), 0);
        break;
      case 11: cancel(tanh(matmul(x, y)) + 1); break;  // nothing else needs that
      case 12: target = where(x > y, x, y * 0.25); break;
      default: target = target * 0.5 + 1;
    }
  }
  for (const auto& v : variables) read.push_back(outcome_of(v));
  return read;
}

std::vector<device> places(const runtime& rt) {
  std::vector<device> out;
  for (const auto& one : rt.devices()) out.push_back(one->id());
  return out;
}

}  // namespace

TEST_CASE("random programs on nodes read what the synchronous engine reads") {
  const troupe::testing::temporary_folder folder;
  const auto key = troupe::testing::key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  const unsigned programs = std::getenv("TROUPE_LONG_TESTS") ? 3'334 : 20;
  const int count = GENERATE(1, 2, 3);
  std::vector<std::unique_ptr<tested_node>> hosts;
  runtime_options far{.lanes = GENERATE(1, 2)}, here{.lanes = 1, .cpu_devices = count + 1};
  far.gpus = here.gpus = 0;
  here.synchronous = true;
  here.tell_failures = far.tell_failures = false;
  far.nodes = std::vector<std::string>();
  far.key = key;
  for (int i = 0; i < count; ++i) {
    hosts.push_back(std::make_unique<tested_node>(key));
    far.nodes->push_back(hosts.back()->address());
  }
  std::vector<std::vector<std::string>> expected;
  {
    const runtime oracle(here);
    for (unsigned s = 0; s < programs; ++s)
      expected.push_back(run_random_program(places(oracle), s));
  }
  const runtime rt(far);
  REQUIRE(rt.devices().size() == static_cast<std::size_t>(count) + 1);
  std::size_t failures = 0;
  for (unsigned s = 0; s < programs; ++s) {
    INFO(count << " nodes, seed " << s);
    const auto got = run_random_program(places(rt), s);
    REQUIRE(got.size() == expected[s].size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      failures += got[i].starts_with("error of line");
      INFO("read " << i << ": " << got[i].substr(0, 60));
      if (got[i] != expected[s][i]) FAIL("differs");
    }
  }
  CHECK(failures > 0);
}

TEST_CASE("training in shares on this machine and two nodes equals that on three devices here") {
  const troupe::testing::temporary_folder folder;
  const auto key = troupe::testing::key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  const tested_node first(key), second(key);
  const auto train = [](const std::vector<device>& devices) {
    seed(3);
    nn::sequential net{nn::dense(32, relu), nn::dense(4)};
    nn::adam optimiser(nn::parameters(net), {.rate = 0.01});
    for (int i = 0; i < 20; ++i) {
      const nn::batch b({normal({60, 8}), normal({60, 4})});
      optimiser.minimise([&] {
        return nn::parallel_mean(b, devices, [&](const nn::batch& share) {
          return nn::mse_loss(net(share[0]), share[1]);
        });
      });
    }
    std::vector<float> out;
    for (const auto& p : nn::parameters(net)) {
      const auto numbers = p.value().to_vector<float>();
      out.insert(out.end(), numbers.begin(), numbers.end());
    }
    return out;
  };
  std::vector<float> expected;
  {
    const runtime rt({.lanes = 1, .cpu_devices = 3});
    expected = train({cpu(0), cpu(1), cpu(2)});
  }
  const runtime rt({.lanes = 1,
                    .nodes = std::vector<std::string>{first.address(), second.address()},
                    .key = key});
  CHECK(train({cpu(), cpu(0, node(1)), cpu(0, node(2))}) == expected);
}
