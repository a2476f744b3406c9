#include "session/markov_learn_settings.h"

#include "base/constant.h"
#include "modelfile/bounded_options.h"

namespace sorites {
namespace {

void read_weights(BoundedOptions& options, MarkovLearnOptions& learn) {
  options.real("markov.weight_step", Bound::kNotNegative, learn.weight_step);
  options.real("markov.weight_prior", Bound::kNotNegative, learn.weight_prior);
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
  options.count("markov.dimension", 0, dimension);
  learn.dimension = dimension;
  options.real("markov.encoder_step", Bound::kNotNegative, learn.encoder_step);
  options.real("markov.encoder_decay", Bound::kNotNegative, learn.encoder_decay);
  options.real("markov.through_layer", Bound::kNotNegative, learn.through_layer);
  options.real("markov.distillation", Bound::kNotNegative, learn.distillation);
  options.real("markov.from_facts", Bound::kNotNegative, learn.from_facts);
  options.real("markov.expected_violation", Bound::kNotNegative, learn.expected_violation);
}

}  // namespace

MarkovLearnSettings markov_learn_settings(const std::map<std::string, std::string>& options) {
  std::vector<OptionSetting> given;
  for (const auto& [name, value] : options) given.push_back({name, value, {}});
  const ModelFile none;
  BoundedOptions bounded(none, Phase::kLearn, {}, given);
  MarkovLearnSettings settings;
  bounded.count("markov.epochs", 1, settings.learn.epochs);
  bounded.count("random.seed", 0, settings.learn.seed);
  bounded.real("learn.time_limit", Bound::kPositiveOrInfinite, settings.time_limit_seconds);
  bounded.real("markov.hidden", Bound::kBelowOne, settings.learn.hidden);
  read_weights(bounded, settings.learn);
  read_encoder(bounded, settings.learn);
  bounded.throw_if_wrong();
  return settings;
}

}  // namespace sorites
