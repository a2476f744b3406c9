#include "perception/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace sorites {
namespace {

using ::testing::HasSubstr;

template <class Enum>
void expect_names_of_its_own(int count) {
  std::set<std::string_view> names;
  for (int i = 0; i < count; ++i) names.insert(name_of(static_cast<Enum>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(count));
  EXPECT_FALSE(names.contains(""));
  EXPECT_EQ(name_of(static_cast<Enum>(count)), "") << "a choice without a test";
}

TEST(NetworkNames, TellAllChoicesApart) {
  expect_names_of_its_own<NetworkKind>(9);
  expect_names_of_its_own<Activation>(5);
  expect_names_of_its_own<Normalization>(3);
  expect_names_of_its_own<OutputKind>(4);
  expect_names_of_its_own<NetworkOptimizer>(4);
  expect_names_of_its_own<RateSchedule>(4);
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
