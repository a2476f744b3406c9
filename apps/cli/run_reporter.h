// What a command shows while a session works: a progress line and warnings.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "common_flags.h"
#include "sorites/session.h"

namespace sorites {

class RunReporter {
 public:
  RunReporter(const CommonFlags& flags, const RunContext& context)
      : flags_(flags), context_(context) {}

  // The options of a session that tells this reporter: those that flags set, and `own` over them.
  // Throws CLI::ValidationError for a malformed --set.
  SessionOptions options(const std::vector<OptionSetting>& own = {});

  // The model that the flags name; `-` is standard input.
  Session open(SessionOptions options) const;
  std::string standard_input() const;

  // Everything that was told, for a report.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  // Ends the progress line: what comes next goes to the terminal.
  void finish() { line_.reset(); }

 private:
  void show(const Progress& progress);
  void tell(const Diagnostic& diagnostic);

  const CommonFlags& flags_;
  const RunContext& context_;
  std::string stage_;
  std::unique_ptr<ProgressLine> line_;
  std::vector<Diagnostic> diagnostics_;
};

// Runs a command on a model. Mistakes of the input are printed, or make the JSON document.
int run_on_model(const CommonFlags& flags, const std::function<int()>& run);

}  // namespace sorites
