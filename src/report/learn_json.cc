#include "report/learn_json.h"

#include "base/peak_memory.h"
#include "report/learn_warnings.h"

namespace sorites {
namespace {

Json weights_to_json(const LearnReport& report, std::size_t rule, const std::vector<double>& all) {
  Json weights = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (report.rule_of_weight[i] == rule) weights.push_back(all[i]);
  }
  if (report.rules[rule].hard) return nullptr;
  return weights.size() == 1 ? weights[0] : weights;
}

Json rules_to_json(const LearnReport& report) {
  Json list = rules_to_json(std::span<const GroundRule>(report.rules));
  for (std::size_t r = 0; r < report.rules.size(); ++r) {
    Json& rule = list[r];
    rule["learned"] = is_learned(report, r);
    rule["terms"] = count_to_json(report.terms[r]);
    rule["old_weight"] = weights_to_json(report, r, report.old_weights);
    rule["weight"] = weights_to_json(report, r, report.weights);
  }
  return list;
}

Json bilevel_to_json(const std::optional<BilevelEpoch>& bilevel) {
  if (!bilevel) return nullptr;
  return {{"relaxation", bilevel->relaxation},
          {"squared_penalty", bilevel->squared_penalty},
          {"linear_penalty", bilevel->linear_penalty},
          {"violation", bilevel->violation},
          {"active", bilevel->active}};
}

Json history_to_json(const LearnReport& report) {
  Json list = Json::array();
  for (const LearnEpoch& epoch : report.history) {
    list.push_back({{"epoch", epoch.epoch},
                    {"start", epoch.start + 1},
                    {"loss", epoch.loss},
                    {"training_metric", optional_number(epoch.training_metric)},
                    {"validation_metric", optional_number(epoch.validation_metric)},
                    {"validation_loss", optional_number(epoch.validation_loss)},
                    {"relative_gap", epoch.relative_gap},
                    {"gradient_norm", epoch.gradient_norm},
                    {"movement", epoch.movement},
                    {"gradient_variance", optional_number(epoch.gradient_variance)},
                    {"seconds", epoch.seconds},
                    {"inference_seconds", epoch.inference_seconds},
                    {"network_seconds", epoch.network_seconds},
                    {"trained_entities", epoch.num_trained},
                    {"bilevel", bilevel_to_json(epoch.bilevel)}});
  }
  return list;
}

Json evaluated_to_json(const LearnReport& report, const std::optional<EvaluatedWeights>& weights) {
  if (!weights) return nullptr;
  const auto& predicates = report.predicates;
  return {{"status", name_of(weights->status)},
          {"relative_gap", optional_number(weights->relative_gap)},
          {"metrics", metrics_to_json(weights->metrics, predicates)},
          {"primary_metric", primary_metric_to_json(weights->metrics, predicates)}};
}

}  // namespace

bool is_learned(const LearnReport& report, std::size_t rule) {
  for (std::size_t i = 0; i < report.learned.size(); ++i) {
    if (report.rule_of_weight[i] == rule && report.learned[i]) return true;
  }
  return false;
}

Json to_json(const std::string& path,
             const LearnReport& report,
             const std::vector<Diagnostic>& diagnostics) {
  const LearnOptions& learn = report.options;
  Json seconds = to_json(report.seconds);
  seconds["pretrain"] = report.pretrain_seconds;
  seconds["inference"] = report.inference_seconds;
  seconds["networks"] = report.network_seconds;
  return {{"command", "learn"},
          {"model", path},
          {"semantics", report.semantics},
          {"algorithm", name_of(learn.algorithm)},
          {"loss", report.loss},
          {"domain", name_of(learn.domain)},
          {"stop", report.stop ? Json(name_of(*report.stop)) : Json(nullptr)},
          {"message", report.error},
          {"kept_epoch", report.kept_epoch},
          {"kept_because", kept_text(report)},
          {"warnings", learning_warnings(report)},
          {"rules", rules_to_json(report)},
          {"networks", to_json(report.networks)},
          {"history", history_to_json(report)},
          {"untrained", evaluated_to_json(report, report.untrained)},
          {"learned", evaluated_to_json(report, report.trained)},
          {"diagnostics", to_json(std::span<const Diagnostic>(diagnostics))},
          {"output", report.output},
          {"seconds", std::move(seconds)},
          {"peak_memory_bytes", peak_memory_bytes()}};
}

}  // namespace sorites
