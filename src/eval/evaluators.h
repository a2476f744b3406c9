// The evaluators, one file each. docs/evaluation.md has the definitions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "eval/labels.h"
#include "sorites/evaluate.h"

namespace sorites {

std::vector<Metric> continuous_metrics(std::span<const LabelledAtom> atoms);

std::vector<Metric> discrete_metrics(std::span<const LabelledAtom> atoms, double threshold);

std::vector<Metric> auc_metrics(std::span<const LabelledAtom> atoms, double threshold);

// As PSL has it: equal values stand in the order of their arguments, one by one.
std::vector<Metric> psl_auc_metrics(std::vector<LabelledAtom> atoms,
                                    const Database& database,
                                    PredicateId predicate,
                                    double threshold);

// `is_category` per argument; so below.
std::vector<Metric> categorical_metrics(const Database& database,
                                        PredicateId predicate,
                                        std::span<const double> target_values,
                                        const std::vector<bool>& is_category,
                                        bool include_observed);

std::vector<Metric> ranking_metrics(std::span<const LabelledAtom> atoms,
                                    const Relation& relation,
                                    const std::vector<bool>& is_category,
                                    double threshold);

// Of tags of tokens: the last argument is the tag, the one before it the token, an integer. Throws
// std::invalid_argument if it is not so.
std::vector<Metric> span_metrics(const Database& database,
                                 PredicateId predicate,
                                 std::span<const double> target_values,
                                 bool include_observed);
// Why it is not so; empty if it is.
std::string why_no_spans(const Database& database, PredicateId predicate);

}  // namespace sorites
