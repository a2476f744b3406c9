// What `sorites check` found out, and its three forms: summary, rules, JSON.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "output.h"
#include "sorites/model_file.h"

namespace sorites {

struct PhaseSummary {
  Phase phase = Phase::kInfer;
  Program program;
  std::vector<std::array<std::size_t, 3>> rows;  // per predicate, by Partition
  std::size_t memory_bytes = 0;                  // of the data
};

struct CheckReport {
  std::string model;
  std::vector<PhaseSummary> phases;
  std::vector<Diagnostic> diagnostics;
  double seconds = 0;
};

PhaseSummary summarise(Phase phase, LoadedModel loaded);

std::string summary_text(const CheckReport& report, bool color);

// The rules of all phases, those that several have once, one per line.
std::string rules_text(const CheckReport& report);

Json to_json(const CheckReport& report);

}  // namespace sorites
