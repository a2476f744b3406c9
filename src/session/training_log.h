// The training log: one line per epoch, on disk as soon as the epoch is over.
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sorites/learn.h"

namespace sorites {

// Which columns a log has, besides those that all have.
struct LogShape {
  std::size_t num_rules = 0;
  bool has_networks = false;
  bool is_bilevel = false;
  bool is_policy = false;
  bool has_validation_loss = false;
};

// *.csv is written as comma separated values with a head; *.json and *.jsonl as JSON lines, one
// object each. Columns: those of LearnEpoch, then the weight of every rule.
class TrainingLog {
 public:
  // Begins the file. If learning goes on from a
  // state, the lines of its epochs are kept if the file has them, and else written from the
  // history, without weights. Throws IoError; InputError if the name of the file does not tell its
  // format.
  TrainingLog(std::string path, const LogShape& shape, std::span<const LearnEpoch> history = {});

  void add(const LearnEpoch& epoch, std::span<const double> weights);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string line(const LearnEpoch& epoch, std::span<const double> weights) const;
  std::string head() const;
  void write(const std::string& text);

  std::string path_;
  bool is_csv_ = false;
  LogShape shape_;
  std::unique_ptr<std::FILE, Close> file_;
};

// Throws InputError if the name does not tell the format.
void check_log_name(const std::string& path);

}  // namespace sorites
