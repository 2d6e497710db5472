// SPDX-License-Identifier: MIT
#include <onnxruntime_c_api.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "troupe/apps/bench/functions.hpp"
#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/onnx/onnx.hpp"

/// ONNX Runtime, which runs the programs of the benchmarks as `save_onnx` writes them.

namespace {

using troupe::tensor;
using troupe::bench::seconds_of;

/// Returns the functions of the newest version that header and library both know: that of library
/// 1.20.1 is 20.
const OrtApi& api() {
  static const OrtApi* const found = [] {
    const std::string version = OrtGetApiBase()->GetVersionString();
    const auto minor = std::stoul(version.substr(version.find('.') + 1));
    const auto newest = std::min<std::uint32_t>(ORT_API_VERSION, static_cast<std::uint32_t>(minor));
    return OrtGetApiBase()->GetApi(newest);
  }();
  return *found;
}

void check(OrtStatus* status) {
  if (!status) return;
  std::cerr << "bench-onnxruntime: " << api().GetErrorMessage(status) << "\n";
  std::exit(1);
}

/// A model of one result with an array of normals for each argument.
class model {
 public:
  template <class Function>
  model(const Function& f, const std::vector<troupe::shape>& arguments) {
    const auto path =
        std::filesystem::temp_directory_path() / ("troupe-" + std::to_string(getpid()) + ".onnx");
    {
      troupe::runtime rt;
      std::vector<tensor> in;
      for (const auto& dims : arguments) in.push_back(troupe::normal(dims));
      if constexpr (std::is_invocable_v<Function, tensor, tensor>) {
        troupe::save_onnx(path, troupe::compile(f).program(in[0], in[1]));
      } else {
        f(in[0]).wait();  // layers learn their sizes
        troupe::save_onnx(path, troupe::compile(f).program(in[0]));
      }
      for (const auto& x : in) numbers_.push_back(x.to_vector<float>());
    }
    check(api().CreateEnv(ORT_LOGGING_LEVEL_ERROR, "bench", &environment_));
    OrtSessionOptions* options = nullptr;
    check(api().CreateSessionOptions(&options));
    check(api().CreateSession(environment_, path.c_str(), options, &session_));
    api().ReleaseSessionOptions(options);
    std::filesystem::remove(path);
    OrtMemoryInfo* host = nullptr;
    check(api().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &host));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::vector<std::int64_t> dims(arguments[i].begin(), arguments[i].end());
      check(api().CreateTensorWithDataAsOrtValue(
          host, numbers_[i].data(), numbers_[i].size() * sizeof(float), dims.data(), dims.size(),
          ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &values_.emplace_back()));
    }
    api().ReleaseMemoryInfo(host);
  }
  model(const model&) = delete;
  model& operator=(const model&) = delete;
  ~model() {
    for (auto* one : values_) api().ReleaseValue(one);
    api().ReleaseSession(session_);
    api().ReleaseEnv(environment_);
  }

  void run() const {
    static constexpr std::array arguments{"x0", "x1"};  // as save_onnx names them
    static constexpr const char* result = "y0";
    OrtValue* out = nullptr;
    check(api().Run(session_, nullptr, arguments.data(), values_.data(), values_.size(), &result, 1,
                    &out));
    api().ReleaseValue(out);
  }

 private:
  OrtEnv* environment_ = nullptr;
  OrtSession* session_ = nullptr;
  std::vector<std::vector<float>> numbers_;
  std::vector<OrtValue*> values_;
};

double runs(const model& one, int count) {
  one.run();
  return seconds_of([&] {
    for (int i = 0; i < count; ++i) one.run();
  });
}

double forward_passes(int count) {
  return runs(
      model([net = troupe::bench::small_network()](const tensor& x) { return net(x); }, {{1, 512}}),
      count);
}

double gelus(int count) { return runs(model(troupe::bench::gelu_by_steps, {{2000, 2000}}), count); }

double chains(int count) {
  return runs(model(troupe::bench::chained, {{2000, 2000}, {2000, 2000}}), count);
}

constexpr troupe::bench::peer_case cases[] = {{"forward_onnxruntime", forward_passes},
                                              {"queued_onnxruntime", forward_passes},
                                              {"gelu_onnxruntime", gelus},
                                              {"chain_onnxruntime", chains}};

}  // namespace

int main() {
  return troupe::bench::serve(std::string("ONNX Runtime ") + OrtGetApiBase()->GetVersionString() +
                                  ", " + std::to_string(std::thread::hardware_concurrency()) +
                                  " threads",
                              cases);
}
