// The commands on models of Markov logic (docs/markov-logic.md). Each command hands over to the one
// here if is_markov_model() says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "common_flags.h"

namespace sorites {

struct LearnFlags;

struct MarkovInferFlags {
  std::string output;
  bool all = false;  // all unknown atoms, not the queries alone
  std::optional<std::uint64_t> max_iterations;
  std::optional<double> time_limit;
};

struct MarkovExplainFlags : MarkovInferFlags {
  std::vector<std::string> atoms, rules;
  std::size_t limit = 10;
};

int check_markov(const CommonFlags& flags, bool print, const RunContext& context);
int estimate_markov(const CommonFlags& flags, bool steps, const RunContext& context);
int infer_markov(const CommonFlags& flags, const MarkovInferFlags& own, const RunContext& context);
int explain_markov(const CommonFlags& flags,
                   const MarkovExplainFlags& own,
                   const RunContext& context);
int eval_markov(const CommonFlags& flags,
                const std::string& results,
                const std::vector<std::string>& evaluators,
                const RunContext& context);
int learn_markov(const LearnFlags& flags, const RunContext& context);
[[noreturn]] void refuse_to_ground_markov(const CommonFlags& flags);

// Throws CLI::ValidationError if a flag was given that means nothing in Markov logic.
void refuse_flags(const CommonFlags& flags,
                  const std::vector<std::pair<const char*, bool>>& given = {});

}  // namespace sorites
