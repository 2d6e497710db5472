// SPDX-License-Identifier: MIT
#include "troupe/nn/renamed_weights.hpp"

#include "troupe/nn/nn.hpp"
#include "troupe/tensor/io/safetensors.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"
#include "troupe/tests/temporary_folder.hpp"

namespace troupe::testing {

namespace {

/// Weights as PyTorch names and stores those of two layers, of 3 to 4 and of 4 to 2.
struct foreign_file : test_engine {
  temporary_folder folder;
  std::string file = folder / "weights.safetensors";
  tensor first = spread({4, 3}, 1, float32), second = spread({2, 4}, 2, float32);
  named_tensors arrays{{"fc1.weight", first},
                       {"fc1.bias", spread({4}, 3, float32)},
                       {"fc2.weight", second},
                       {"fc2.bias", spread({2}, 4, float32)}};

  void save() { save_safetensors(file, arrays); }
  static nn::sequential net() { return {nn::dense(4, tanh), nn::dense(2)}; }
  tensor expected(const tensor& x) const {
    return linear(tanh(linear(x, transpose(first), arrays.at("fc1.bias"))), transpose(second),
                  arrays.at("fc2.bias"));
  }
};

nn::stored_name as_torch(const std::string& place) {
  const auto layer = place[0] == '0' ? "fc1" : "fc2";
  const auto name = layer + place.substr(1);
  return place.back() == 't' ? nn::transposed(name) : nn::stored_name(name);
}

/// Returns the error of loading without the file's folder.
std::string loading(const std::string& file, nn::sequential& net, const nn::renaming& names) {
  auto text = TROUPE_ERROR_OF(nn::load(file, net, names));
  const auto at = text.find(file);
  return at == std::string::npos ? text : text.replace(at, file.size(), "FILE");
}

}  // namespace

TEST_CASE("weights are loaded by the names that another library gave them, and transposed") {
  foreign_file f;
  f.save();
  const auto x = spread({5, 3}, 0, float32);
  for (const bool called : {false, true}) {
    CAPTURE(called);
    auto by_rule = f.net(), by_map = f.net();
    if (called) {
      by_rule(x);
      by_map(x);
    }
    nn::load(f.file, by_rule, as_torch);
    CHECK(numbers(by_rule(x)) == numbers(f.expected(x)));
    nn::load(f.file, by_map,
             {{{"0.weight", nn::transposed("fc1.weight")},
               {"0.bias", "fc1.bias"},
               {"1.weight", nn::transposed("fc2.weight")},
               {"1.bias", "fc2.bias"}}});
    CHECK(numbers(by_map(x)) == numbers(f.expected(x)));
  }
}

TEST_CASE("names that a map leaves out are those of the places, and floats are converted") {
  test_engine e;
  const temporary_folder folder;
  const auto file = folder / "half";
  const auto weight = spread({3, 2}, 1, float16);
  save_safetensors(file, {{"kernel", weight}, {"bias", spread({2}, 2, float32)}});
  nn::dense net(2);
  net(ones({1, 3}));
  nn::load(file, net, {{{"weight", "kernel"}}});
  CHECK(type_text(net.weight) == "float32[3,2]");
  CHECK(numbers(net.weight) == numbers(weight));
  CHECK(numbers(net.bias) == numbers(spread({2}, 2, float32)));
}

TEST_CASE("other arrays in the file are unexpected, unless they are allowed") {
  foreign_file f;
  f.arrays.add("step", arange(3));
  f.save();
  auto net = f.net();
  CHECK(loading(f.file, net, as_torch) == "load: FILE: unexpected: \"step\"");
  nn::load(f.file, net, as_torch, {.others = true});
  const auto x = ones({1, 3});
  CHECK(numbers(net(x)) == numbers(f.expected(x)));
}

TEST_CASE("one error names all arrays that do not fit, and nothing changes") {
  foreign_file f;
  f.arrays = {{"fc1.weight", transpose(f.first)},
              {"fc2.bias", ones({2}, int64)},
              {"fc2.weight", ones({4})},
              {"rest", ones({1})}};
  f.save();
  auto net = f.net();
  net(ones({1, 3}));
  const auto before = numbers(net(ones({1, 3})));
  CHECK(loading(f.file, net, as_torch) ==
        "load: FILE: missing: \"fc1.bias\" for \"0.bias\"; unexpected: \"rest\"; of another kind: "
        "\"fc1.weight\" is float32[4,3] transposed, but \"0.weight\" is float32[3,4], its "
        "transpose, \"fc2.weight\" is float32[4], but must have two axes to exchange, "
        "\"fc2.bias\" is int64[2], but \"1.bias\" is float32[2]");
  CHECK(numbers(net(ones({1, 3}))) == before);
}

TEST_CASE("a long list of missing arrays is cut, and a map may name only places that there are") {
  foreign_file f;
  f.arrays = {};
  f.save();
  nn::sequential net;
  for (int i = 0; i < 5; ++i) net.add(nn::dense(1));
  CHECK(loading(f.file, net, nn::renaming(std::map<std::string, nn::stored_name>{})) ==
        "load: FILE: missing: \"0.weight\", \"0.bias\", \"1.weight\", \"1.bias\", \"2.weight\", "
        "\"2.bias\", \"3.weight\", \"3.bias\" and 2 more");
  CHECK(loading(f.file, net, {{{"9.weight", "w"}}}) ==
        "load: FILE: the network has no \"9.weight\", for which there is a name");
}

}  // namespace troupe::testing
