#include "capi/questions.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>

#include "capi/json_arguments.h"
#include "hinge/model/rule_numbers.h"
#include "report/check_json.h"
#include "report/estimate_json.h"
#include "report/evaluate_json.h"
#include "report/explain_json.h"
#include "report/ground_json.h"
#include "report/infer_json.h"
#include "report/learn_json.h"

namespace sorites {
namespace {

Json program_to_json(Session& session) {
  const Program& program = session.program();
  const Database& database = session.database();
  Json predicates = Json::array(), rules = Json::array();
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    Json domains = Json::array();
    for (std::size_t k = 0; k < predicate.arity(); ++k) {
      domains.push_back(program.domains[predicate.domain(k)].name);
    }
    predicates.push_back({{"name", predicate.name},
                          {"arity", predicate.arity()},
                          {"domains", std::move(domains)},
                          {"open", predicate.open},
                          {"neural", predicate.neural},
                          {"observed", database.relation(p).table(Partition::kObserved).num_rows},
                          {"targets", database.relation(p).table(Partition::kTarget).num_rows},
                          {"truth", database.relation(p).table(Partition::kTruth).num_rows}});
  }
  for (const Rule& rule : program.rules) {
    Json constants = Json::array();
    for (const ConstantWeight& one : rule.constant_weights) {
      constants.push_back({{"constants", one.constants}, {"weight", one.weight}});
    }
    rules.push_back({{"rule", rule_number(rule.id)},
                     {"text", rule.text},
                     {"file", rule.source.file},
                     {"line", rule.source.line},
                     {"weight", rule.weight ? Json(*rule.weight) : Json(nullptr)},
                     {"constant_weights", std::move(constants)},
                     {"squared", rule.squared}});
  }
  Json options = Json::object();  // learning may have added some, which go with its weights
  for (const OptionSetting& one : session.settings()) options[one.name] = one.value;
  return {{"semantics", session.semantics()},
          {"options", std::move(options)},
          {"predicates", std::move(predicates)},
          {"rules", std::move(rules)}};
}

Json result_to_json(sorites_session& handle) {
  if (!handle.result) throw std::logic_error("there is no result: call sorites_infer()");
  return to_json(InferReport{.path = handle.path,
                             .database = handle.session->database(),
                             .result = *handle.result,
                             .diagnostics = handle.warnings});
}

Json estimate(sorites_session& handle, JsonArguments& arguments) {
  const double seconds = arguments.number("seconds", 1.0);
  arguments.finish();
  return to_json(handle.path, handle.session->estimate(seconds), handle.warnings);
}

Json infer(sorites_session& handle, JsonArguments& arguments) {
  const InferFiles files{.from_snapshot = arguments.text("from_snapshot"),
                         .warm_start = arguments.text("warm_start")};
  arguments.finish();
  handle.result = handle.session->infer(files);
  return result_to_json(handle);
}

Json check(sorites_session& handle, JsonArguments& arguments) {
  std::vector<Phase> phases;
  for (const std::string& name : arguments.texts("phases")) phases.push_back(phase_named(name));
  arguments.finish();
  return to_json(handle.session->check(phases));
}

Json ground(sorites_session& handle, JsonArguments& arguments) {
  const std::string from_snapshot = arguments.text("from_snapshot");
  arguments.finish();
  const GroundResult grounded = handle.session->ground(from_snapshot);
  return to_json({handle.path, handle.session->semantics()}, grounded, handle.warnings);
}

Json result(sorites_session& handle, JsonArguments& arguments) {
  arguments.finish();
  return result_to_json(handle);
}

Json explain(sorites_session& handle, JsonArguments& arguments) {
  constexpr double kShown = 10.0;   // as `sorites explain`
  constexpr double kLongest = 1e9;  // no list is longer, and it fits an integer
  const auto atoms = arguments.texts("atoms"), rules = arguments.texts("rules");
  const double limit = arguments.number("limit", kShown);
  arguments.finish();
  if (!(limit >= 0.0 && limit <= kLongest))
    throw std::invalid_argument("`limit` is no number of rows");
  return to_json(handle.path,
                 handle.session->explain(atoms, rules, static_cast<std::size_t>(limit)),
                 handle.warnings);
}

Json evaluate(sorites_session& handle, JsonArguments& arguments) {
  const auto evaluators = arguments.texts("evaluators");
  arguments.finish();
  if (!handle.result) throw std::logic_error("there is no result: call sorites_infer()");
  const EvaluateResult evaluated = handle.session->evaluate(*handle.result, evaluators);
  return to_json({handle.path, {}}, *handle.session, evaluated, handle.warnings);
}

Json learn(sorites_session& handle, JsonArguments& arguments) {
  const LearningFiles files{.output = arguments.text("output"),
                            .save_state = arguments.text("save_state"),
                            .resume = arguments.text("resume"),
                            .log = arguments.text("log"),
                            .plot = arguments.text("plot")};
  const bool evaluates = arguments.flag("evaluate", true);
  arguments.finish();
  const LearnReport report = handle.session->learn(files, evaluates);
  handle.result.reset();
  return to_json(handle.path, report, handle.warnings);
}

Json program(sorites_session& handle, JsonArguments& arguments) {
  arguments.finish();
  return program_to_json(*handle.session);
}

// Of a rule as program_to_json() tells it.
Rule weights_from(const Json& of) {
  Rule rule;
  const auto number = of.at("rule").get<std::uint32_t>();
  if (number == 0) throw std::invalid_argument("rules have the numbers 1, 2, ...");
  rule.id = number - 1;
  if (!of.at("weight").is_null()) rule.weight = of.at("weight").get<double>();
  for (const Json& one : of.at("constant_weights")) {
    rule.constant_weights.push_back(
        {one.at("constants").get<std::vector<std::string>>(), one.at("weight").get<double>()});
  }
  return rule;
}

Json take_weights(sorites_session& handle, JsonArguments& arguments) {
  const Json rules = arguments.list("rules");
  arguments.finish();
  Program learned;
  try {
    for (const Json& one : rules) learned.rules.push_back(weights_from(one));
  } catch (const Json::exception&) {
    throw std::invalid_argument("`rules` takes rules with weights, as \"program\" has them");
  }
  handle.session->take_weights(learned);
  handle.result.reset();
  return Json::object();
}

Json warnings(sorites_session& handle, JsonArguments& arguments) {
  arguments.finish();
  Json list = to_json(std::span<const Diagnostic>(handle.warnings));
  for (std::size_t i = 0; i < list.size(); ++i) list[i]["text"] = render(handle.warnings[i]);
  return list;
}

Json save(sorites_session& handle, JsonArguments& arguments) {
  Session& session = *handle.session;
  const std::string model = arguments.text("model"), state = arguments.text("state"),
                    snapshot = arguments.text("snapshot"),
                    ground_rules = arguments.text("ground_rules"),
                    results = arguments.text("results");
  arguments.finish();
  if (!results.empty() && !handle.result) throw std::logic_error("there is no result to save");
  if (!model.empty()) session.save_model(model);
  if (!state.empty()) session.save_state(state);
  if (!snapshot.empty()) session.save_snapshot(snapshot);
  if (!ground_rules.empty()) session.write_ground_rules(ground_rules);
  if (!results.empty()) session.write_results(*handle.result, results);
  return Json::object();
}

Json ranges_to_json(const std::vector<AtomRange>& ranges, const Program& program) {
  Json list = Json::array();
  for (const AtomRange& range : ranges) {
    list.push_back({{"predicate", program.predicates[range.predicate].name},
                    {"first", range.first},
                    {"count", range.count}});
  }
  return list;
}

Json layer(sorites_session& handle, JsonArguments& arguments) {
  const auto smoothing = arguments.number("smoothing");
  arguments.finish();
  handle.layer = handle.session->layer(smoothing);
  const Program& program = handle.session->program();
  return {{"outputs", ranges_to_json(handle.layer.outputs, program)},
          {"states", ranges_to_json(handle.layer.states, program)},
          {"weights", handle.layer.weights},
          {"soft", handle.layer.soft}};
}

struct Question {
  Json (*answer)(sorites_session&, JsonArguments&);
  bool looks = false;  // at what there is: changes go on to wait
};
const std::map<std::string_view, Question> kQuestions = {{"check", {check, true}},
                                                         {"estimate", {estimate}},
                                                         {"ground", {ground}},
                                                         {"infer", {infer}},
                                                         {"result", {result, true}},
                                                         {"explain", {explain}},
                                                         {"evaluate", {evaluate}},
                                                         {"learn", {learn}},
                                                         {"layer", {layer}},
                                                         {"program", {program, true}},
                                                         {"take_weights", {take_weights}},
                                                         {"warnings", {warnings, true}},
                                                         {"save", {save}}};

}  // namespace

std::string answer(sorites_session& handle, const char* question, const char* arguments) {
  require(question, "the question");
  const auto found = kQuestions.find(question);
  if (found == kQuestions.end()) {
    throw std::invalid_argument(fmt::format("there is no question `{}`", question));
  }
  JsonArguments given(arguments);
  if (!found->second.looks) apply_pending(&handle);
  return found->second.answer(handle, given).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sorites
