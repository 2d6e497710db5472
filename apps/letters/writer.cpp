// SPDX-License-Identifier: MIT
#include "troupe/apps/letters/writer.hpp"

#include <algorithm>
#include <stdexcept>

#include "troupe/tasks/clock.hpp"
#include "troupe/text/quoted.hpp"
#include "troupe/troupe.hpp"

namespace troupe::letters {

namespace {

/// Model and what is needed to make it anew, as they stand in a file.
struct stored {
  language_model& model;
  nn::variable alphabet, sizes;

  void members(auto&& each) { each("model", model, "alphabet", alphabet, "sizes", sizes); }
};

tensor sizes_as_tensor(const language_sizes& s) {
  return tensor{s.alphabet, s.context, s.width, s.heads, s.blocks};
}

language_sizes sizes_in(const safetensors& file, const std::string& path) {
  const auto* const sizes = file.tensors.find("sizes");
  if (!sizes || sizes->dtype() != int64 || sizes->shape() != shape{5} ||
      !file.tensors.contains("alphabet"))
    throw std::runtime_error("" + troupe::quoted(path) + " is no file of troupe-letters");
  const auto n = sizes->to_vector<std::int64_t>();
  return {.alphabet = n[0], .context = n[1], .width = n[2], .heads = n[3], .blocks = n[4]};
}

double mean_of(const std::vector<tensor>& losses, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (auto i = begin; i < end; ++i) sum += losses[i].item<double>();
  return sum / static_cast<double>(end - begin);
}

}  // namespace

writer::writer(const language_sizes& sizes, alphabet letters)
    : letters_(std::move(letters)), sizes_(sizes), model_(sizes) {
  model_(zeros({1, 1}, int64));  // creates the parameters
}

writer writer::load(const std::string& path) {
  const auto file = load_safetensors(path);
  writer out(sizes_in(file, path), alphabet(file.tensors.at("alphabet").to_vector<std::int64_t>()));
  stored all{out.model_, nn::variable(file.tensors.at("alphabet")),
             nn::variable(file.tensors.at("sizes"))};
  nn::load(path, all);
  return out;
}

void writer::save(const std::string& path) {
  const auto codes = letters_.codes();
  stored all{model_, nn::variable(from_data(codes, {letters_.size()})),
             nn::variable(sizes_as_tensor(sizes_))};
  nn::save(path, all);
}

writer::lesson writer::learn(const tensor& text, const lesson_options& options) {
  const auto context = sizes_.context, places = text.size() - context;
  if (places < 1)
    throw std::runtime_error("a text of " + std::to_string(text.size()) +
                             " letters is too short for a context of " + std::to_string(context));
  nn::adamw optimiser(nn::parameters(model_),
                      {.rate = nn::warm_up(std::max<std::int64_t>(options.steps / 20, 1),
                                           nn::cosine(options.rate, options.steps)),
                       .clip_norm = 1});
  nn::train(model_);
  const auto step = compile([&](const tensor& seen, const tensor& following) {
    return optimiser.minimise([&] { return nn::softmax_cross_entropy(model_(seen), following); });
  });
  const auto within = arange(context);
  std::vector<tensor> losses;
  const auto began = now();
  nn::progress_bar bar({.label = "letters", .total = options.steps});
  for (std::int64_t i = 0; i < options.steps; ++i) {
    const auto at = randint({options.batch, 1}, 0, places) + within;
    losses.push_back(step(take(text, at), take(text, at + 1)));
    bar.show("loss", losses.back());
    bar.step();
  }
  bar.wait();
  bar.finish();
  const auto few = std::min<std::size_t>(losses.size(), 20);
  if (few == 0) return {};
  const auto last = mean_of(losses, losses.size() - few, losses.size());
  return {seconds_between(began, now()), mean_of(losses, 0, few), last};
}

double writer::loss_on(const tensor& text) const {
  constexpr std::int64_t most = 256;
  const auto context = sizes_.context, passages = std::min((text.size() - 1) / context, most);
  const auto part = [&](std::int64_t first) {
    return slice(text, 0, first, first + passages * context).reshape({passages, context});
  };
  return nn::softmax_cross_entropy(model_(part(0)), part(1)).item<double>();
}

writer::writing::writing(const writer& by, const std::string& prompt)
    : by_(by),
      text_(by.letters_.numbers_of(prompt)),
      unread_(text_.size()),
      memory_(by.model_.new_memory()) {}

std::string writer::writing::next(const nn::sampling_options& how) {
  const auto context = static_cast<std::size_t>(by_.sizes_.context);
  // The model knows no places beyond its context: it goes on from half of it.
  if (static_cast<std::size_t>(memory_.front().steps()) + unread_ > context) {
    for (auto& cache : memory_) cache.clear();
    unread_ = std::min(text_.size(), std::max<std::size_t>(context / 2, 1));
  }
  const auto fresh = std::span(text_).last(unread_);
  const auto logits =
      by_.model_.next(from_data(fresh, {1, static_cast<std::int64_t>(fresh.size())}), memory_);
  text_.push_back(nn::sample_tokens(logits, how).item<std::int64_t>());
  unread_ = 1;
  return by_.letters_.letter(text_.back());
}

}  // namespace troupe::letters
