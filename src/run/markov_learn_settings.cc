#include "run/markov_learn_settings.h"

#include "base/constant.h"
#include "run/bounded_options.h"

namespace sorites {
namespace {

void real(BoundedOptions& options, const char* name, Bound bound, double& out) {
  options.real(name, name, bound, out);
}

void count(BoundedOptions& options, const char* name, std::uint64_t least, std::uint64_t& out) {
  options.count(name, name, least, out);
}

void read_weights(BoundedOptions& options, MarkovLearnOptions& learn) {
  real(options, "markov.weight_step", Bound::kNotNegative, learn.weight_step);
  real(options, "markov.weight_prior", Bound::kNotNegative, learn.weight_prior);
  const std::string& start = options.text("markov.plus_start");
  if (!start.empty() && !parse_real(start)) options.takes("markov.plus_start", "a finite number");
  learn.plus_start = parse_real(start).value_or(learn.plus_start);
  const std::string& which = options.text("markov.learn_weights");
  if (!which.empty() && !learned_weights_named(which)) {
    options.takes("markov.learn_weights", "`all`, `plus` or `none`");
  }
  learn.learn_weights = learned_weights_named(which).value_or(learn.learn_weights);
}

void read_encoder(BoundedOptions& options, MarkovLearnOptions& learn) {
  std::uint64_t dimension = learn.dimension;
  count(options, "markov.dimension", 0, dimension);
  learn.dimension = dimension;
  real(options, "markov.encoder_step", Bound::kNotNegative, learn.encoder_step);
  real(options, "markov.encoder_decay", Bound::kNotNegative, learn.encoder_decay);
  real(options, "markov.through_layer", Bound::kNotNegative, learn.through_layer);
  real(options, "markov.distillation", Bound::kNotNegative, learn.distillation);
  real(options, "markov.from_facts", Bound::kNotNegative, learn.from_facts);
  real(options, "markov.expected_violation", Bound::kNotNegative, learn.expected_violation);
}

}  // namespace

MarkovLearnSettings markov_learn_settings(const std::map<std::string, std::string>& options) {
  std::vector<OptionSetting> given;
  for (const auto& [name, value] : options) given.push_back({name, value, {}});
  const ModelFile none;
  BoundedOptions bounded(none, Phase::kLearn, {}, given);
  MarkovLearnSettings settings;
  count(bounded, "markov.epochs", 1, settings.learn.epochs);
  count(bounded, "random.seed", 0, settings.learn.seed);
  real(bounded, "learn.time_limit", Bound::kPositiveOrInfinite, settings.time_limit_seconds);
  real(bounded, "markov.hidden", Bound::kBelowOne, settings.learn.hidden);
  read_weights(bounded, settings.learn);
  read_encoder(bounded, settings.learn);
  bounded.throw_if_wrong();
  return settings;
}

}  // namespace sorites
