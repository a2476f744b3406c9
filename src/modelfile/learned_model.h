// Model files with other weights.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "modelfile/model_file.h"

namespace sorites {

// The compiled rules of a model by the section they stand in. Rules of the learning phase are those
// of kAll and then those of kLearn, as in load_model().
struct SectionRules {
  std::vector<Predicate> predicates;
  std::vector<Domain> domains = builtin_domains();
  Language language = Language::kPsl;
  std::array<std::vector<Rule>, kNumSections> rules;  // by Section

  const std::vector<Rule>& of(Section section) const {
    return rules[static_cast<std::size_t>(section)];
  }
};

// Throws InputError with all mistakes of the rules.
SectionRules compile_sections(const ModelFile& model);

// The rules of the learning phase with these weights (those of hard ones are not used), one per
// line. Weights have as many digits as it takes to read them back bit for bit.
std::string learned_rules_text(const SectionRules& rules, std::span<const double> weights);

// Files of a learned network, seen from the folder of the learned model.
struct LearnedNetwork {
  std::string predicate;
  std::string load;      // its parameters
  std::string entities;  // of an embedding; else empty
};

// A model file (JSON) that is the model with these weights: predicates, data, evaluations, rules
// and options of all phases, and these networks. Paths are relative to the folder of `path` unless
// they were absolute, so it must be written there.
std::string learned_model_text(const ModelFile& model,
                               const SectionRules& rules,
                               std::span<const double> weights,
                               std::span<const LearnedNetwork> networks,
                               const std::string& path);

}  // namespace sorites
