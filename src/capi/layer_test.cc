#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sorites/c_api.h"
#include "sorites/session.h"

namespace sorites {
namespace {

constexpr const char* kModels[] = {
    R"json({
  "predicates": {"Seen/1": {"type": "DeepPredicate", "targets": [["a"], ["b"]]},
                 "Is/1": {"targets": [["a"], ["b"], ["c"]]}, "Next/2": {"observations": [["a", "b"], ["b", "c"]]}},
  "rules": ["1.5: Seen(X) -> Is(X) ^2", "0.7: Next(X, Y) & Is(X) -> Is(Y) ^2", "0.4: !Is(X) ^2"],
  "options": {"inference.regularization": "0.001"}
})json",
    R"json({
  "semantics": "markov-logic", "domains": {"who": ["a", "b", "c"]},
  "predicates": {"Friend/2": {"types": ["who", "who"], "observations": [["a", "b"], ["b", "c"]]},
                 "Smokes/1": {"types": ["who"], "world": "open"}},
  "rules": ["1.5: Friend(X, Y) & Smokes(X) -> Smokes(Y)", "0.5: !Smokes(X)"]
})json"};

// Numbers of two samples, and what comes of them.
struct Numbers {
  explicit Numbers(const LayerShape& shape)
      : states(2 * shape.num_states),
        values(2),
        in_outputs(2 * shape.num_outputs),
        in_weights(shape.weights.size()) {
    for (std::size_t i = 0; i < in_outputs.size(); ++i) {
      outputs.push_back(0.9 - 0.1 * static_cast<double>(i));
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
      slopes.push_back(0.5 * static_cast<double>(i) - 1.0);
    }
  }

  std::vector<std::uint64_t> ids = {3, 4};
  std::vector<double> outputs, slopes, states, values, in_outputs, in_weights;
  std::vector<int> failed = {-1, -1};
};

TEST(CApiLayer, GivesWhatTheSessionGives) {
  for (const char* model : kModels) {
    Session session = Session::from_text(model);
    const LayerShape shape = session.layer();
    Numbers ours(shape), theirs(shape);
    session.run_layer({.ids = ours.ids,
                       .outputs = ours.outputs,
                       .weights = shape.weights,
                       .in_states = ours.slopes},
                      {ours.states, ours.values, ours.failed, ours.in_outputs, ours.in_weights});

    sorites_session* handle = sorites_open_text(model, nullptr);
    ASSERT_NE(handle, nullptr) << sorites_last_error();
    const sorites_samples samples{.loss = ::sorites_no_loss,
                                  .num_samples = 2,
                                  .ids = theirs.ids.data(),
                                  .outputs = theirs.outputs.data(),
                                  .weights = shape.weights.data(),
                                  .labels = nullptr,
                                  .in_states = theirs.slopes.data(),
                                  .states = theirs.states.data(),
                                  .values = theirs.values.data(),
                                  .failed = theirs.failed.data(),
                                  .in_outputs = theirs.in_outputs.data(),
                                  .in_weights = theirs.in_weights.data()};
    EXPECT_EQ(sorites_differentiate(handle, &samples), sorites_failed) << "none was asked for";
    ASSERT_NE(sorites_ask(handle, "layer", nullptr), nullptr) << sorites_last_error();
    ASSERT_EQ(sorites_differentiate(handle, &samples), sorites_done) << sorites_last_error();
    sorites_close(handle);

    EXPECT_EQ(theirs.failed, ours.failed);
    EXPECT_EQ(theirs.states, ours.states);
    EXPECT_EQ(theirs.values, ours.values);
    EXPECT_EQ(theirs.in_outputs, ours.in_outputs);
    EXPECT_EQ(theirs.in_weights, ours.in_weights);
  }
}

}  // namespace
}  // namespace sorites
