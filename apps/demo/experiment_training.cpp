// SPDX-License-Identifier: MIT
#include <string>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

struct training_cost {
  double time = 0;
  double growth = 0;  ///< of resident memory, at its peak
  double peak = 0;    ///< of bytes in tensors
  float loss = 0;     ///< of the last batch
};

training_cost train(page& p, int batches, bool read_each_loss) {
  restart_peak();
  const auto before = read_resident_memory();
  runtime rt;
  seed(1);
  nn::sequential net{nn::dense(2048, relu), nn::dense(512, relu), nn::dense(1)};
  nn::sgd optimiser(nn::parameters(net), {.rate = 0.005});
  training_cost m;
  m.time = seconds_of([&] {
    tensor loss;
    for (int i = 0; i < batches; ++i) {
      const auto x = normal({1024, 512}), y = normal({1024, 1});
      loss = optimiser.minimise([&] { return nn::l2_loss(net(x), y); });
      if (read_each_loss) loss.item<float>();
    }
    rt.wait_all();
    m.loss = loss.item<float>();
  });
  m.growth = static_cast<double>(read_resident_memory().peak) - static_cast<double>(before.current);
  m.peak = static_cast<double>(rt.memory().peak);
  p.keep_trace(rt);
  return m;
}

}  // namespace

void show_training(page& p) {
  const int batches = p.size(100, 3);
  p.text(R"(
Batches of 1024 x 512 normals through three dense layers, there and back: first with the loss read
in every batch, which waits for it, then with nothing read before the end. The second loop has
queued everything long before the first batch is through. Both compute the same numbers, in the same
memory.)");
  p.code(R"(
nn::sequential net{nn::dense(2048, relu), nn::dense(512, relu), nn::dense(1)};
nn::sgd optimiser(nn::parameters(net), {.rate = 0.005});
for (int i = 0; i < 100; ++i) {
  const auto x = normal({1024, 512}), y = normal({1024, 1});
  tensor loss = optimiser.minimise([&] { return nn::l2_loss(net(x), y); });
  loss.item<float>();                            // or leave it out
}
)");
  table t({std::to_string(batches) + " batches", "time", "peak of tensors", "growth of the process",
           "last loss"});
  for (const bool each : {true, false}) {
    const auto m = train(p, batches, each);
    t.add({each ? "loss read in every batch" : "no sync point", duration_text(m.time),
           bytes_text(m.peak), bytes_text(m.growth), number_text(m.loss, 6)});
  }
  p.figures(t);
}

}  // namespace troupe::demo
