// SPDX-License-Identifier: MIT
#include "troupe/nn/summary.hpp"

#include "troupe/nn/nn.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("a summary lists parameters and variables with their types and sizes") {
  test_engine e;
  nn::sequential net{nn::dense(1000, relu), nn::batch_norm(), nn::dense(2, {.bias = false})};
  CHECK(nn::parameter_count(net) == 0);
  CHECK(nn::summary(net) ==
        "0.weight        not known yet\n"
        "0.bias          not known yet\n"
        "1.weight        not known yet\n"
        "1.bias          not known yet\n"
        "1.running_mean  not known yet     not trained\n"
        "1.running_var   not known yet     not trained\n"
        "2.weight        not known yet\n"
        "                               0  parameters\n");
  net(zeros({3, 7}));
  nn::parameters(net)[0].freeze();
  CHECK(nn::parameter_count(net) == 7000 + 1000 + 2000 + 2000);
  CHECK(nn::summary(net) ==
        "0.weight        float32[7,1000]   7,000  frozen\n"
        "0.bias          float32[1000]     1,000\n"
        "1.weight        float32[1000]     1,000\n"
        "1.bias          float32[1000]     1,000\n"
        "1.running_mean  float32[1000]     1,000  not trained\n"
        "1.running_var   float32[1000]     1,000  not trained\n"
        "2.weight        float32[1000,2]   2,000\n"
        "                                 12,000  parameters\n");
}

TEST_CASE("networks that are constant are looked at, too") {
  test_engine e;
  nn::sequential net{nn::dense(2)};
  net(zeros({1, 3}));
  const auto& constant = net;
  CHECK(nn::parameter_count(constant) == 8);
  CHECK(nn::summary(constant) == nn::summary(net));
  struct {
    nn::dense first{2};
  } const unused;
  CHECK(nn::parameter_count(unused) == 0);
}

TEST_CASE("a parameter that occurs twice is listed twice and counted once") {
  test_engine e;
  struct {
    nn::parameter a{ones({1})}, b;
  } net;
  net.b = net.a;
  CHECK(nn::parameter_count(net) == 1);
  CHECK(nn::summary(net) ==
        "0  float32[1]  1\n"
        "1  float32[1]  1  shared\n"
        "               1  parameter\n");
}

}  // namespace troupe::testing
