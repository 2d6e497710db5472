// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/checkpoint.hpp"

#include "troupe/tensor/autograd/collector.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/autograd/sources.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/random_numbers.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe {

namespace {

/// Node that runs its part of the program again when its gradient arrives, recorded this time, and
/// passes the gradient on to the result.
class checkpoint_node final : public gradient_node {
 public:
  checkpoint_node(std::unique_ptr<detail::checkpoint_body> body, const std::vector<tensor>& in,
                  drawn_numbers drawn, caller where)
      : body_(std::move(body)),
        in_(sources_.keep(in)),
        drawn_(std::move(drawn)),
        call_site_(where) {}

  std::size_t source_count() const noexcept override { return sources_.size(); }
  const gradient_node_ref& source(std::size_t i) const noexcept override {
    return sources_.from(i);
  }
  bool leads_anywhere() const noexcept override { return true; }

  void pass_on(const tensor& arriving, gradient_flow& flow) override {
    const auto again = run("backward", flow.where());
    if (!flow.keeps()) {
      body_ = nullptr;
      in_.clear();
    }
    if (flow.wants(again.node())) flow.add(again.node(), arriving);
  }

  tensor tangent(tangent_flow& flow) override { return flow.of(run("jvp", flow.where()).node()); }

 private:
  /// Returns what the part of the program gives in a second run for a pass of this name.
  tensor run(const char* pass, caller where) {
    if (!body_)
      throw error(std::string(pass) + ": what checkpoint" + call_site_text(call_site_) +
                      " kept is gone since an earlier backward pass, which can be told to keep it",
                  where);
    const recording on;
    const same_numbers_again numbers(drawn_);
    const capture::recomputation again_on_purpose;
    auto in = in_;
    sources_.attach(in);
    for (auto& x : in) {
      if (x.node()) x = x.with_node(gradient_node_ref(new stand_in(x.node())));
    }
    const auto again = body_->run(in);
    return again.part() ? copy(again) : again;
  }

  std::unique_ptr<detail::checkpoint_body> body_;
  gradient_sources sources_;
  std::vector<tensor> in_;
  drawn_numbers drawn_;
  caller call_site_;
};

}  // namespace

tensor detail::run_checkpoint(std::unique_ptr<detail::checkpoint_body> body,
                              const std::vector<tensor>& in, caller where) {
  if (!recording::active()) return body->run(in);
  batching::need_loop();
  drawn_numbers drawn;
  tensor result;
  {
    const no_grad off;
    const numbers_noted note(drawn);
    result = body->run(in);
    if (result.part()) result = copy(result, where);
  }
  if (!is_inexact(result.dtype(where))) return result;
  return result.with_node(
      gradient_node_ref(new checkpoint_node(std::move(body), in, std::move(drawn), where)));
}

}  // namespace troupe
