// SPDX-License-Identifier: MIT
#include <signal.h>

#include <string>
#include <vector>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/apps/local_nodes.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

struct training {
  double time = 0;
  float loss = 0;  ///< of the last batch
  trace_log log;   ///< of two batches more
};

/// Trains with each batch in shares, which so many processes compute in turns: this one and nodes.
/// If `lose_one`, a node is killed when half of the batches are through.
training train(page& p, int batches, int shares, int processes, bool lose_one = false) {
  const local_nodes nodes(processes - 1);
  runtime rt(nodes.owner());
  std::vector<device> devices;
  for (int share = 0; share < shares; ++share) devices.push_back(cpu(0, node(share % processes)));

  seed(1);
  nn::sequential net{nn::dense(2048, relu), nn::dense(512, relu), nn::dense(1)};
  nn::sgd optimiser(nn::parameters(net), {.rate = 0.005});
  tensor loss;
  const auto step = [&] {
    const nn::batch b({normal({1024, 512}), normal({1024, 1})});
    loss = optimiser.minimise([&] {
      return nn::parallel_mean(
          b, devices, [&](const nn::batch& share) { return nn::l2_loss(net(share[0]), share[1]); });
    });
  };
  training m;
  step();  // has memory touched for the first time, and learns how long tasks take
  rt.wait_all();
  m.time = seconds_of([&] {
    for (int i = 0; i < batches; ++i) {
      step();
      if (!lose_one || i != batches / 2) continue;
      loss.wait();
      nodes.last().send(SIGKILL);
    }
    rt.wait_all();
  });
  m.loss = loss.item<float>();
  const ticks start = now();
  step();
  step();
  rt.wait_all();
  m.log = rt.trace(start);
  p.keep_trace(rt);
  return m;
}

}  // namespace

void show_machines(page& p) {
  const int batches = p.size(20, 4);
  p.text(R"(
Nodes offer their devices to this program, here from processes of their own on this machine, each
with one thread. The network and the batches are those of the training above. Each batch is split
into shares, computed by this process alone, or by as many as there are shares: the numbers are the
same to the last bit. In the end a node is killed when half of the batches are through: another one
takes its place and computes again what was lost.)");
  p.code(R"(
const std::vector<std::string> nodes = {"127.0.0.1:41001", "127.0.0.1:41002", "127.0.0.1:41003"};
runtime rt({.lanes = 1, .nodes = nodes, .key = "cluster.key"});
const std::vector<device> devices = {cpu(), cpu(0, node(1)), cpu(0, node(2)), cpu(0, node(3))};
tensor loss = optimiser.minimise([&] {
  return nn::parallel_mean(b, devices, [&](const nn::batch& share) {
    return nn::l2_loss(net(share[0]), share[1]);
  });
});
)");
  p.warn_of_missing_cores();
  table t({std::to_string(batches) + " batches", "time", "one process / this", "last loss"});
  trace_log log;
  for (const int shares : {2, 4}) {
    const auto alone = train(p, batches, shares, 1);
    const auto add = [&](const std::string& who, const training& m) {
      t.add({std::to_string(shares) + " shares, " + who, duration_text(m.time),
             number_text(alone.time / m.time, 2), number_text(m.loss, 9)});
    };
    add("one process", alone);
    const auto many = train(p, batches, shares, shares);
    add(std::to_string(shares) + " processes", many);
    if (shares == 2) log = many.log;
    else add("4 processes, one of them killed", train(p, batches, shares, shares, true));
  }
  p.figures(t);
  p.timeline("Two batches, two processes", log);
}

}  // namespace troupe::demo
