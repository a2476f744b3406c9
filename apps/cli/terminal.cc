#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/shown_text.h"

namespace sorites {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

bool use_color(ColorMode mode, std::FILE* stream) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  return is_terminal(stream) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

int terminal_width(std::FILE* stream) {
  constexpr int kDefaultWidth = 80;  // of a terminal that does not say
  winsize size{};
  const bool known = ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kDefaultWidth;
}

ProgressLine::ProgressLine(std::string what, bool enabled)
    : what_(std::move(what)), enabled_(enabled && is_terminal(stderr)) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

bool ProgressLine::is_due() {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  if (!enabled_ || now - begin_ < 300ms || now - last_ < 100ms) return false;
  last_ = now;
  return true;
}

void ProgressLine::show(std::string line) {
  shown_ = true;
  line = shown_text(line);  // names of the model stand in it
  line.resize(std::min(line.size(), static_cast<std::size_t>(terminal_width(stderr) - 1)));
  const std::string text = fmt::format("\r{}\x1b[K", line);
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void ProgressLine::update(std::uint64_t done, std::uint64_t total) {
  if (total == 0 || !is_due()) return;
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const double elapsed = std::chrono::duration<double>(last_ - begin_).count();
  std::string line = fmt::format("{} {:3.0f} %", what_, 100 * part);
  if (part > 0.01) line += fmt::format(", {} left", duration_text(elapsed * (1 - part) / part));
  show(std::move(line));
}

void ProgressLine::update(const std::string& state) {
  if (!is_due()) return;
  const double elapsed = std::chrono::duration<double>(last_ - begin_).count();
  show(fmt::format("{} {}, {}", what_, duration_text(elapsed), state));
}

}  // namespace sorites
