// What the examples in the comments of headers take as given (header_examples.py).
#pragma once

#include <string>
#include <vector>

namespace given {

using namespace sorites;

template <class... Values>
void use(const Values&...);

#if defined(WITH_TORCH)
namespace in_torch {
extern const Program program;
extern const Database database;
extern const torch::Tensor scores, truth;
struct TwoTowersImpl : ::torch::nn::Module {
  explicit TwoTowersImpl(std::size_t num_classes);
  ::torch::Tensor forward(::torch::Tensor input);
};
TORCH_MODULE(TwoTowers);
}  // namespace in_torch

#elif defined(INNER_HEADERS)
extern Program program;
extern Database database;
extern const Model model;
extern const Parameters other_parameters;
extern Parameters parameters;
extern const Solution solution;
extern const std::vector<double> weights;
extern const std::vector<bool> fixed;
extern const std::uint64_t seed, fingerprint;
extern const ModelFile file;
extern std::vector<Diagnostic> warnings;

namespace in_saved_struct {
extern const AdamState state;
constexpr FrameFormat kFormat = kStateFormat;
extern const std::string path;
bool check(const AdamState&);
}  // namespace in_saved_struct

namespace in_explain_atom {
extern const MeanFieldModel model;
extern const AtomValues<double> marginals, unaries;
extern const std::uint32_t predicate;
extern const std::uint64_t atom;
}  // namespace in_explain_atom

namespace in_explain_program {
extern const MeanFieldModel model;
extern const AtomValues<double> marginals, unaries;
extern const PredicateId predicate;
extern const std::vector<Code> codes;
}  // namespace in_explain_program

namespace in_hidden_facts_energy {
extern const MeanFieldModel model;
extern const MeanFieldOptions inference;
}  // namespace in_hidden_facts_energy

namespace in_mean_field_energy {
extern const LearnOptions options;
}

namespace in_model_networks {
extern const LoadedModel loaded;
}

namespace in_networks {
extern const NetworkOptions options;
extern const NetworkInputs inputs;
}  // namespace in_networks

namespace in_learning_run {
extern LearningSet training;
extern const std::vector<bool> learnable;
extern const LearnSettings settings;
extern const LearningFiles files;
void write_model(std::span<const double> weights, std::span<const LearnedNetwork> networks);
}  // namespace in_learning_run

#else
void report(const Solution&);

extern Program program;
extern Database database;
extern const Model model;
extern const Parameters parameters, other_parameters;
extern const Solution solution;
extern const std::vector<double> values, weights;
extern const std::vector<bool> fixed;
extern const PredicateId knows;

namespace in_explain {
extern Session session;
}

#endif

}  // namespace given
