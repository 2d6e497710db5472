// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/custom_gradient.hpp"

#include <string>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/autograd/sources.hpp"
#include "troupe/tensor/autograd/tangents.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

namespace {

class custom_gradient_node final : public gradient_node {
 public:
  custom_gradient_node(const tensor& result, const std::vector<tensor>& in,
                       std::unique_ptr<detail::gradient_body> body, caller where)
      : result_(result.detach()),
        type_(result.type(where)),
        in_(sources_.keep(in)),
        body_(std::move(body)),
        call_site_(where) {}

  std::size_t source_count() const noexcept override { return sources_.size(); }
  const gradient_node_ref& source(std::size_t i) const noexcept override {
    return sources_.from(i);
  }

  void pass_on(const tensor& arriving, gradient_flow& flow) override {
    const detail::on_behalf_of user(call_site_);
    const auto found = run("backward", arriving, flow.where());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (const auto& g = found[sources_.input(i)]; g.defined() && flow.wants(sources_.from(i)))
        sources_.pass_on(i, g, flow);
    }
    if (flow.keeps()) return;
    result_ = {};
    in_.clear();
    body_.reset();
  }

  tensor tangent(tangent_flow& flow) override {
    std::vector<tensor> changes(sources_.size());
    bool any = false;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (is_inexact(sources_.element(i))) changes[i] = sources_.tangent(i, flow);
      any = any || changes[i].defined();
    }
    if (!any) return {};
    const detail::on_behalf_of user(call_site_);
    tensor arriving;
    std::vector<tensor> given;
    {
      const recording on;
      arriving = detail::arriving_like(type_, call_site_);
      const auto found = run("jvp", arriving, flow.where());
      for (std::size_t i = 0; i < changes.size(); ++i) given.push_back(found[sources_.input(i)]);
    }
    return detail::transposed(given, arriving, changes, flow.recorded(), flow.where());
  }

 private:
  /// Returns what the user's function gives for an arriving gradient, for a pass of this name.
  std::vector<tensor> run(const char* pass, const tensor& arriving, caller where) {
    if (!result_.defined())
      throw error(std::string(pass) + ": what custom_gradient" + call_site_text(call_site_) +
                      " kept is gone since an earlier backward pass, which can be told to keep it",
                  where);
    auto in = in_;
    sources_.attach(in);
    auto found = body_->run(in, result_.with_node(gradient_node_ref(this)), conj(arriving));
    check(pass, found, where);
    for (auto& g : found) {
      if (g.defined()) g = conj(g);
    }
    return found;
  }

  void check(const char* pass, const std::vector<tensor>& found, caller where) const {
    const auto refuse = [&](const std::string& facts) {
      throw error(
          std::string(pass) + ": custom_gradient" + call_site_text(call_site_) + " gave " + facts,
          where);
    };
    if (found.size() != in_.size())
      refuse(std::to_string(found.size()) + " gradients for " + std::to_string(in_.size()) +
             " inputs");
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i].defined() && found[i].shape() != in_[i].shape())
        refuse(to_string(found[i].type()) + " as the gradient of " + to_string(in_[i].type()));
    }
  }

  tensor result_;
  tensor_type type_;
  gradient_sources sources_;
  std::vector<tensor> in_;
  std::unique_ptr<detail::gradient_body> body_;
  caller call_site_;
};

}  // namespace

tensor detail::with_gradient(const tensor& result, const std::vector<tensor>& in,
                             std::unique_ptr<detail::gradient_body> body, caller where) {
  bool flows = false;
  for (const auto& x : in) flows = flows || x.node();
  if (!flows || !recording::active() || !is_inexact(result.dtype(where))) return result.detach();
  batching::need_loop();
  const auto whole = result.part() ? copy(result.detach(), where) : result;
  return whole.with_node(
      gradient_node_ref(new custom_gradient_node(whole, in, std::move(body), where)));
}

}  // namespace troupe
