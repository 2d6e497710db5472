// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/apps/letters/alphabet.hpp"
#include "troupe/apps/letters/language_model.hpp"

namespace troupe::letters {

/// Model with the alphabet of the text that it learns.
class writer {
 public:
  writer(const language_sizes& sizes, alphabet letters);
  /// Reads what `save` wrote. Throws std::runtime_error if the file is none.
  static writer load(const std::string& path);
  void save(const std::string& path);

  /// Outcome of a training.
  struct lesson {
    double seconds = 0;
    double first_loss = 0, last_loss = 0;  ///< means of the first and the last steps, in nats
  };
  struct lesson_options {
    std::int64_t steps, batch;
    double rate;
  };
  /// Trains the model on passages of a text, int64 letters, drawn at random, and shows a progress
  /// bar. Throws std::runtime_error for a text that is no longer than the context.
  lesson learn(const tensor& text, const lesson_options& options);
  /// Returns the mean loss on the first passages of a text, side by side, in nats.
  double loss_on(const tensor& text) const;

  /// Writes a text that begins with the prompt: `tell` is given each new letter.
  template <class F>
  void write(const std::string& prompt, std::int64_t length, const nn::sampling_options& how,
             F&& tell) const {
    writing text(*this, prompt);
    for (std::int64_t i = 0; i < length; ++i) tell(text.next(how));
  }

  std::int64_t parameter_count() { return nn::parameter_count(model_); }
  const alphabet& letters() const noexcept { return letters_; }
  const language_sizes& sizes() const noexcept { return sizes_; }

 private:
  /// Text that is being written.
  class writing {
   public:
    writing(const writer& by, const std::string& prompt);
    std::string next(const nn::sampling_options& how);

   private:
    const writer& by_;
    std::vector<std::int64_t> text_;  ///< the last letters
    std::size_t unread_;              ///< letters at its end that the memory lacks
    language_model::memory memory_;
  };

  alphabet letters_;
  language_sizes sizes_;
  language_model model_;
};

}  // namespace troupe::letters
