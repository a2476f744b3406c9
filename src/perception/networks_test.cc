#include "perception/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sorites {
namespace {

using ::testing::HasSubstr;

template <class Enum, class Named>
void expect_names_lead_back(int count, Named named) {
  for (int i = 0; i < count; ++i) {
    const auto value = static_cast<Enum>(i);
    ASSERT_FALSE(name_of(value).empty());
    EXPECT_EQ(named(name_of(value)), value) << name_of(value);
  }
  EXPECT_FALSE(named("nobody").has_value());
}

TEST(NetworkNames, LeadBackToWhatTheyName) {
  expect_names_lead_back<NetworkKind>(8, network_kind_named);
  expect_names_lead_back<Activation>(5, activation_named);
  expect_names_lead_back<Normalization>(3, normalization_named);
  expect_names_lead_back<OutputKind>(3, output_kind_named);
  expect_names_lead_back<NetworkOptimizer>(4, network_optimizer_named);
  expect_names_lead_back<RateSchedule>(4, rate_schedule_named);
}

TEST(MakeNetworks, ChecksOptionsWithoutTorch) {
  try {
    make_networks({{.name = "Digit", .input_shape = {4}}}, 1);
    FAIL() << "there are no classes";
  } catch (const NetworkError& error) {
    EXPECT_THAT(error.what(), HasSubstr("network `Digit`: num_classes"));
  }
}

#ifndef SORITES_HAS_NETWORKS
TEST(MakeNetworks, SaysWhatToInstall) {
  EXPECT_FALSE(has_networks());
  try {
    make_networks({{.name = "Digit", .input_shape = {4}, .num_classes = 2}}, 1);
    FAIL() << "there is no torch";
  } catch (const NetworkError& error) {
    EXPECT_THAT(error.what(), HasSubstr("apt install libtorch-dev"));
  }
}

TEST(RunFeatureModule, SaysWhatToInstall) {
  try {
    run_feature_module("encoder.pt", FeatureArray{{1}, {0.5F}});
    FAIL() << "there is no torch";
  } catch (const NetworkError& error) {
    EXPECT_THAT(error.what(), HasSubstr("apt install libtorch-dev"));
  }
}
#endif

}  // namespace
}  // namespace sorites
