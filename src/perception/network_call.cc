#include "perception/network_call.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<int> g_calls = 0;         // under way, inner ones included
std::atomic<Clock::rep> g_since = 0;  // the outermost of them

class SeenSource : public OutputSource {
 public:
  explicit SeenSource(std::unique_ptr<OutputSource> source) : source_(std::move(source)) {}

  std::vector<double> predict(std::size_t sample) override {
    const NetworkCall call;
    return source_->predict(sample);
  }
  std::vector<std::vector<double>> forward(std::span<const std::size_t> samples) override {
    const NetworkCall call;
    return source_->forward(samples);
  }
  double step(std::span<const std::vector<double>> loss_in_outputs) override {
    const NetworkCall call;
    return source_->step(loss_in_outputs);
  }
  double own_loss() override {
    const NetworkCall call;
    return source_->own_loss();
  }
  void begin_epoch(std::uint64_t epoch, std::uint64_t max_epochs) override {
    source_->begin_epoch(epoch, max_epochs);
  }
  std::vector<NetworkState> memory() const override { return source_->memory(); }
  void restore(std::span<const NetworkState> memory) override { source_->restore(memory); }
  bool start_anew(std::uint64_t seed) override { return source_->start_anew(seed); }
  double seconds() const override { return source_->seconds(); }
  std::uint64_t num_trained() const override { return source_->num_trained(); }

 private:
  std::unique_ptr<OutputSource> source_;
};

}  // namespace

NetworkCall::NetworkCall() {
  if (g_calls.fetch_add(1) == 0) g_since = Clock::now().time_since_epoch().count();
}

NetworkCall::~NetworkCall() { g_calls.fetch_sub(1); }

double seconds_in_network_call() {
  const Clock::duration since(g_since.load());
  if (g_calls.load() == 0) return 0.0;
  return std::chrono::duration<double>(Clock::now().time_since_epoch() - since).count();
}

std::unique_ptr<OutputSource> with_calls_seen(std::unique_ptr<OutputSource> source) {
  return std::make_unique<SeenSource>(std::move(source));
}

}  // namespace sorites
