// What kind of place the output goes to, and the progress line.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace sorites {

enum class ColorMode : std::uint8_t { kAuto, kAlways, kNever };

bool is_terminal(std::FILE* stream);

// kAuto: only on a terminal that is not dumb, and not if NO_COLOR is set.
bool use_color(ColorMode mode, std::FILE* stream);

// Columns of the terminal, or 80.
int terminal_width(std::FILE* stream);

// "12 s", "3 min", "1.5 h"
std::string duration_text(double seconds);

// One line on stderr that is written over and over: what is done, in percent, and the time left.
// Silent unless `enabled`.
class ProgressLine {
 public:
  ProgressLine(std::string what, bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(std::uint64_t done, std::uint64_t total);
  // Where nobody knows how much is left: the time so far, and how things stand.
  void update(const std::string& state);

 private:
  bool is_due();
  void show(std::string line);

  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace sorites
